"""`gonfalon check generals --option cards=FILE` plays with the cards of the file."""

from __future__ import annotations

from typing import Any

import pytest

from gonfalon.check import run
from gonfalon.check.laws.rules.endless_loops import LAWS as CIRCLES
from gonfalon.core.build import find_build
from gonfalon.core.rules.game import Game
from gonfalon.games.generals import Generals
from gonfalon.games.generals.rules.state import GeneralsState
from tests.generals.folk import FOLK, QUIET, card


def names(game: Game) -> list[set[str]]:
    """The names in both decks."""
    assert isinstance(game, Generals)
    return [{game.pool.by_id[id].name for id in deck.counts} for deck in game.lists]


def test_all_cards_of_a_file_are_played_with() -> None:
    """Nine generals, three copies of each, in decks of 40: each deck has them all; Quiet is the Commandment of one."""
    games = Generals.samples_with({"cards": {"form": 1, "card": [*FOLK, QUIET]}})
    for game in games:
        for held in names(game):
            assert {one["name"] for one in FOLK} < held
    assert all("Quiet" in held for game in games for held in names(game))


def test_a_card_that_replaces_one_of_ours_is_the_owners() -> None:
    other = {**card("W05", "Xu Chu", "character", might=1, wits=1), "faction": "WEI"}
    for game in Generals.samples_with({"cards": {"form": 1, "card": [other]}}):
        assert all("Xu Chu" in held for held in names(game))


def test_the_decks_of_a_file_are_played_first() -> None:
    """A deck of ours that it replaces is its own."""
    lists = {
        slug: {f"W{number:02}": 3 for number in range(1, 11)} | {"R01": 3, "R02": 3, "P01": 3, "P06": 3}
        for slug in ("mine", "red-cliffs")
    }
    made = [
        {"slug": slug, "name": slug, "style": "", "commandment": "D01", "cards": cards} for slug, cards in lists.items()
    ]
    games = Generals.samples_with({"cards": {"form": 1, "deck": made}})
    found = [game.options["decks"] for game in games]
    assert [pair for pair in found if pair[0] in lists] == [("red-cliffs", "red-cliffs"), ("mine", "mine")]
    assert len(found) == 8


def test_other_requirements_hold() -> None:
    options: dict[str, Any] = {"cards": {"form": 1, "card": FOLK}, "strict_blocking": True}
    assert all(game.options["strict_blocking"] for game in Generals.samples_with(options))
    [only] = Generals.samples_with({**options, "decks": ("red-cliffs", "plans-of-wei")})
    assert only.options["decks"] == ("red-cliffs", "plans-of-wei")
    without = Generals.samples_with({"mulligan": True})
    assert {game.options["mulligan"] for game in without} == {True}
    assert len(without) == 2


@pytest.mark.skipif(find_build() == "compiled", reason="compiled classes cannot be patched")
def test_a_turn_that_need_not_end_is_found_in_the_file_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """If it were not for ruling 68. The file has no deck."""
    monkeypatch.setattr(GeneralsState, "has_returned", lambda self, u: False)
    home = {"kind": "active", "cost": {"hand": 0}, "do": [{"op": "bounce", "target": {"ref": "self"}}]}
    games = Generals.samples_with(
        {"cards": {"form": 1, "card": [card("X01", "Pan Feng", "character", home, might=4, wits=3)]}}
    )
    [result] = run(games, 0, laws=CIRCLES, rounds=6)
    assert "pan-feng" in result.failure
