"""A game's options with all its card data make the same game if the built-in data change."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from gonfalon import games
from gonfalon.core.basics.errors import GonfalonError
from gonfalon.core.files import card_files
from gonfalon.core.files.card_files import Raw
from gonfalon.core.files.record import load
from gonfalon.core.rules.game import Game
from gonfalon.games.factionwars import box as factionwars
from gonfalon.games.feint import box as feint
from gonfalon.games.generals import ruleset as generals_game
from gonfalon.games.generals.cards import files as generals
from gonfalon.games.jinkei import box as jinkei
from gonfalon.testing import random_record

READERS: dict[str, Callable[[], Raw]] = {
    "feint": feint.read_standard_box,
    "jinkei": jinkei.read_standard_box,
    "generals": generals.read_standard,
    "factionwars": factionwars.read_standard,
}
OPTION = {"jinkei": "formations"}


def pin_options(game: Game) -> dict[str, Any]:
    """Return the data of a game for a store or a worker."""
    found: dict[str, Any] = json.loads(json.dumps(game.pinned()))
    return found


def change(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Change the built-in data: one entry is removed, and the others have another number or name."""
    raw = json.loads(json.dumps(READERS[name]()))
    if name == "feint":
        raw["faction"][0]["cards"][0]["strength"] += 1
        raw["faction"].append(json.loads(json.dumps(raw["faction"][0])) | {"slug": "newcomers", "initiative": 99})
        for card in raw["faction"][-1]["cards"]:
            card["slug"] += "-new"
    elif name == "jinkei":
        raw["deck"]["achievements"][1] = 2
    elif name == "generals":
        raw["card"][0]["might"] = raw["card"][0]["might"] + 1
        raw["card"].append(raw["card"][1] | {"id": "Z99", "name": "Somebody New"})
    else:
        raw["faction"][0]["cards"][0]["name"] = "Another Name"
        raw["neutral"].append(raw["neutral"][0] | {"slug": "newcomer"})
    if name == "generals":
        monkeypatch.setattr(generals, "FILES", generals.FILES[:1])
        generals_game.compile_standard.cache_clear()
    monkeypatch.setattr(card_files, "parse_standard", lambda file: ("", json.dumps(raw)))


@pytest.fixture(autouse=True)
def afterwards() -> Any:
    yield
    generals_game.compile_standard.cache_clear()


@pytest.mark.parametrize("name", games.names())
def test_pinned_options_make_the_same_game(name: str) -> None:
    game = games.game(name)
    again = games.game(name, **pin_options(game))
    assert again.data_hash == game.data_hash
    assert pin_options(again) == pin_options(game)
    record = random_record(game, 5, 60)
    assert [*map(str, record.decisions)] == [*map(str, random_record(again, 5, 60).decisions)]


@pytest.mark.parametrize("name", games.names())
def test_they_make_it_when_other_data_come_with_the_program(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = games.game(name)
    pinned, record = pin_options(before), random_record(before, 7, 60)
    change(name, monkeypatch)
    assert games.game(name).data_hash != before.data_hash
    after = games.game(name, **pinned)
    assert after.data_hash == before.data_hash
    again = random_record(after, 7, 60)
    assert [*map(str, again.decisions)] == [*map(str, record.decisions)]
    assert pin_options(after) == pinned


@pytest.mark.parametrize("name", games.names())
def test_a_record_with_an_owners_cards_outlives_other_data(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    option = OPTION.get(name, "cards")
    game = games.game(name, **{option: READERS[name]()})
    text = random_record(game, 9, 60).dumps()
    change(name, monkeypatch)
    assert load(text, games.game).replay().dump()


@pytest.mark.parametrize("name", ["feint", "generals", "factionwars"])
@pytest.mark.parametrize(
    "raw",
    [{"form": 1, "alone": True}, {"form": 1, "alone": "yes"}, {"form": 1, "alone": True, "box": {}, "faction": []}],
    ids=["nothing", "a word", "too little"],
)
def test_incomplete_data_is_refused_with_one_sentence(name: str, raw: dict[str, Any]) -> None:
    with pytest.raises(GonfalonError, match=r"\."):
        games.game(name, cards=raw)
