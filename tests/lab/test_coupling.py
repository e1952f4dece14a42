"""Deals of two different decks: shared cards are in the same places, and each shuffle is still fair."""

from __future__ import annotations

import pytest

from gonfalon import games
from gonfalon.core.files.record import Record
from gonfalon.core.rules.state import CHANCE
from gonfalon.lab.run.paired_deals import Copy, PairedDriver, list_piles, match_copies, pair_setups
from gonfalon.lab.studies.overrides import Variant, make_variant
from gonfalon.lab.studies.whatif.whatif import Question, make_arms

FEINT = {"factions": ["keion", "wu"], "exact": True}
GENERALS = {"decks": ["red-cliffs", "yellow-sky"], "exact": True}


def laid(
    name: str, options: dict[str, object], seed: int, came: dict[Copy, Copy] | None = None
) -> dict[int, list[str]]:
    """Return the piles after chance has placed them, before any decision."""
    game = games.game(name, **options)
    dealer = PairedDriver(Record(game), [None] * game.seats, seed, came or {})
    while dealer.state.turn == CHANCE:
        dealer.act(CHANCE, dealer.draw())
    return {pile: [game.notation(action) for action in order] for pile, order in dealer.orders.items()}


def change_options(name: str, options: dict[str, object], *sets: str) -> dict[str, object]:
    return make_variant(name, options, sets).options


def test_a_new_copy_comes_for_one_that_is_gone() -> None:
    """The first copies of shared cards are the same ones. If more copies left than came, the rest is missing."""
    before = {0: {"a": 3, "b": 2, "c": 1}, 1: {"a": 1}}
    after = {0: {"a": 1, "b": 2, "d": 1, "e": 1}, 1: {"a": 2}}
    assert match_copies(before, after) == {(0, "d", 0): (0, "a", 1), (0, "e", 0): (0, "a", 2)}
    assert match_copies(before, before) == {}


@pytest.mark.parametrize(
    ("name", "options", "change", "gone"),
    [("feint", FEINT, "patriot.copies=3", "patriot"), ("generals", GENERALS, "red-cliffs.zhou-yu=2", "zhou-yu")],
)
def test_a_card_fewer_leaves_all_others_where_they_lie(
    name: str, options: dict[str, object], change: str, gone: str
) -> None:
    for seed in range(5):
        before, after = laid(name, options, seed), laid(name, change_options(name, options, change), seed)
        shorter = [pile for pile in before if before[pile] != after[pile]]
        assert len(shorter) == 1, "the other piles did not change"
        cards, left = before[shorter[0]], after[shorter[0]]
        # Which of its copies is missing, chance says.
        assert any(cards[:at] + cards[at + 1 :] == left for at, card in enumerate(cards) if card == gone)


def test_a_copy_lies_where_the_one_lay_for_which_it_came() -> None:
    other = change_options("feint", FEINT, "patriot.copies=5", "explorer.copies=3")
    came = match_copies(*(list_piles(games.game("feint", **options)) for options in (FEINT, other)))
    assert len(came) == 1
    differ = [
        (was, now)
        for seed in range(5)
        for pile, cards in laid("feint", FEINT, seed).items()
        for was, now in zip(cards, laid("feint", other, seed, came)[pile], strict=True)
        if was != now
    ]
    assert differ == [("explorer", "patriot")] * 5


def test_only_other_decks_are_dealt_card_by_card() -> None:
    base = Variant({})
    for change, dealt in (("patriot.strength=5", False), ("patriot.copies=3", True)):
        arms = make_arms(Question("feint", "random", base, make_variant("feint", {}, [change])))
        assert [bool(arm.beside) for arm in arms] == [dealt] * 2, change
        assert [('"exact": true' in arm.setups[0]) for arm in arms] == [dealt] * 2, change
    assert pair_setups("factionwars", [{}], [{}]) is None
