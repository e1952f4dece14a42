"""Whole trees: every way a small game can go, counted by the rules, by a second calculation, and by hand."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from fractions import Fraction
from math import factorial
from typing import Any

import pytest

from gonfalon.core.rng import Rng
from gonfalon.core.state import CHANCE, State
from gonfalon.games.factionwars import FactionWars
from gonfalon.games.factionwars.rules import events as ev
from gonfalon.games.factionwars.rules.state import FactionState
from gonfalon.testing import rule
from tests.factionwars.plain import End, histories

Ends = dict[End, tuple[int, Fraction]]
"""How many histories lead to each end, and how likely it is when players choose at random."""


def ends(state: State, known: dict[str, Ends]) -> Ends:
    """All ends from a position. Positions that are met again are counted again."""
    assert isinstance(state, FactionState)
    if state.over:
        outcome = state.outcome()
        assert outcome is not None
        return {(tuple(state.totals), tuple(outcome.winners)): (1, Fraction(1))}
    key = repr(state.dump())
    if key not in known:
        weights = state.weights() if state.turn == CHANCE else [1] * len(state.actions)
        found: Ends = defaultdict(lambda: (0, Fraction(0)))
        for action, weight in zip(state.actions, weights, strict=True):
            twin = state.clone()
            twin.apply(state.turn, action)
            for end, (count, chance) in ends(twin, known).items():
                had = found[end]
                found[end] = had[0] + count, had[1] + chance * Fraction(weight, sum(weights))
        known[key] = found
    return known[key]


def gathered(found: Iterable[tuple[End, Fraction]]) -> Ends:
    """The same from single histories."""
    total: Ends = defaultdict(lambda: (0, Fraction(0)))
    for end, chance in found:
        total[end] = total[end][0] + 1, total[end][1] + chance
    return total


def by_hand(game: FactionWars, late: bool) -> Ends:
    """The plain rules' ends, with battle decks shuffled when the rulebook says so, or late: before they are used."""
    options = {name: game.options[name] for name in ("revision", "shuffle", "end", "bonus", "bystander", "tie")}
    return gathered(histories(game.box.raw, game.seats, late=late, **options))


def likely(found: Ends) -> dict[End, Fraction]:
    return {end: chance for end, (_, chance) in found.items()}


def count(found: Ends) -> int:
    return sum(number for number, _ in found.values())


def test_the_tiny_games_in_full() -> None:
    """What the kit walks through, counted by the plain rules when this was written."""
    for game, expected in zip(FactionWars.tiny(), (336, 1008, 87), strict=True):
        assert isinstance(game, FactionWars)
        found = ends(game.start(), {})
        assert found == by_hand(game, late=True)
        assert likely(found) == likely(by_hand(game, late=False))
        assert count(found) == expected
        assert sum(chance for _, chance in found.values()) == 1


def test_two_of_the_tiny_games_by_hand() -> None:
    """The third: 3 places for the dirk among the oaks, 3 ** 3 selections, and one history more where the dirk
    lies last and everybody is alone (3! ways), since its collector chooses between two armies.

    The second: 3 * 2 goals, 3! orders of the deck, two rounds of two places and of one. Two decks of rock and paper
    have 2 * 2 orders, of which 2 have a winner. Apart in the first round (2 selections) they fight in the second;
    the truce, if it is won then, takes what there is to take, without a choice. Together (2) they fight at once:
    with a winner the second battle is decided by the cards that are left, without one both make new decks."""
    assert 3 * 3**3 + factorial(3) == 87
    assert 3 * 2 * factorial(3) * (2 * 4 + 2 * (2 + 2 * 4)) == 1008


def box(
    cards: list[dict[str, Any]],
    neutral: list[dict[str, Any]],
    conscripts: str,
    goals: list[dict[str, Any]],
    **numbers: Any,
) -> dict[str, Any]:
    """A small box: red cards as {slug, copies, battle, points, ability}, others likewise."""
    return {
        "form": 1,
        "alone": True,
        "box": {"extra": 0, "later_extra": 0, **numbers},
        "faction": [{"slug": "red", "name": "Red", "cards": [{"name": c["slug"].title(), **c} for c in cards]}],
        "neutral": [{"name": c["slug"].title(), **c} for c in neutral],
        "conscript": [
            {"slug": s, "name": s.title(), "symbol": s, "copies": 1, "battle": 1} for s in conscripts.split()
        ],
        "goal": goals,
    }


def red(slug: str, value: int, ability: str = "", copies: int = 1) -> dict[str, Any]:
    points = 0 if ability in ("berserker", "bonus") else value
    return {"slug": slug, "copies": copies, "battle": value, "points": points, "ability": ability}


CLEAN = {"slug": "clean", "name": "Clean", "rule": "no-bystander", "bonus": 2}
MOST = {"slug": "most", "name": "Most", "rule": "most-recruits", "bonus": 3}
TWICE = {"depletions": [2, 2, 2, 2]}
ONCE = {"depletions": [1, 1, 1, 1]}
SMALL: dict[str, tuple[int, dict[str, Any], dict[str, Any]]] = {
    "the gambler draws on through two decks": (
        2,
        box([red("gambler", 1, "gambler", 2), red("oak", 3)], [], "rock", [], **TWICE),
        {},
    ),
    "a parley with berserkers": (
        2,
        box(
            [red("oak", 2), red("bear", 2, "berserker", 2)],
            [{"slug": "truce", "copies": 1, "ability": "parley"}],
            "rock",
            [],
            **{**ONCE, "extra": 1},
        ),
        {"shuffle": "deck"},
    ),
    "a call and a bonus card": (
        2,
        box(
            [red("oak", 3), red("wind", 2, "bonus")],
            [{"slug": "horn", "copies": 1, "ability": "call"}],
            "rock",
            [CLEAN, MOST],
            **TWICE,
        ),
        {"bonus": "apart"},
    ),
    "an exchange in three": (
        3,
        box([red("oak", 2, copies=2)], [{"slug": "key", "copies": 2, "ability": "exchange"}], "rock", [], **TWICE),
        {"end": "at-once"},
    ),
    "a desertion": (
        2,
        box(
            [red("oak", 2), red("elm", 1)],
            [{"slug": "flight", "copies": 1, "ability": "desertion"}],
            "rock",
            [],
            **TWICE,
        ),
        {},
    ),
    "rock, paper, scissors in three": (
        3,
        box([red("oak", 2)], [], "rock paper scissors", [], **ONCE),
        {},
    ),
    "bystanders in battle": (
        3,
        box(
            [red("oak", 2)],
            [{"slug": "crowd", "copies": 2, "ability": "bystander", "points": -1}],
            "rock",
            [],
            **{**TWICE, "extra": 0},
        ),
        {"bystander": "out", "tie": "broken"},
    ),
}


COUNTS = {
    "the gambler draws on through two decks": 46,
    "a parley with berserkers": 108,
    "a call and a bonus card": 216,
    "an exchange in three": 4527,
    "a desertion": 152,
    "rock, paper, scissors in three": 6 + 3 * 2**3 + 9 + 9 * 2**2,
    "bystanders in battle": 171,
}
"""What the plain rules counted when this was written. With rock, paper and scissors 6 of 27 first cards end the
battle at once; after 3 all show another of two cards, and the third ones leave nothing to chance; after 9 one has
won, and after 9 two go on."""


@pytest.mark.parametrize("name", SMALL)
def test_small_games_in_full(name: str) -> None:
    seats, raw, options = SMALL[name]
    game = FactionWars(seats=seats, cards=raw, exact=True, **options)
    found = ends(game.start(), {})
    assert found == by_hand(game, late=True)
    assert likely(found) == likely(by_hand(game, late=False))
    assert count(found) == COUNTS[name]


@rule("factionwars", 5, 8, 9, 10, 11)
def test_three_decks_of_conscripts_by_hand() -> None:
    """Three fight for one oak with rock, paper and scissors in random order.

    First cards: all three symbols in 6 of 27 cases, and nobody wins. All alike in 3: of the 8 second cards 2 are
    alike again, and so are the third; 3 have one winner; 3 have two, whose third cards are alike. So 5 of 8 end
    without a winner. Two symbols in 18: in 9 one wins; in 9 two go on, who are alike in half of the cases, and
    then to the end. Nobody wins in 6/27 + 3/27 * 5/8 + 9/27 * 1/2 = 11/24 of all games."""
    seats, raw, options = SMALL["rock, paper, scissors in three"]
    found = ends(FactionWars(seats=seats, cards=raw, exact=True, **options).start(), {})
    assert likely(found) == {
        ((0, 0, 0), (0, 1, 2)): Fraction(11, 24),
        ((2, 0, 0), (0,)): Fraction(13, 72),
        ((0, 2, 0), (1,)): Fraction(13, 72),
        ((0, 0, 2), (2,)): Fraction(13, 72),
    }


def test_every_ability_of_the_tiny_games_comes_to_act() -> None:
    """A card that can only be taken in vain would show nothing to the kit, which walks through these games."""
    acts = {0: {ev.STOLE, ev.HANDED}, 1: {ev.GAVE, ev.STOLE}, 2: {ev.REMOVED}}
    for number, game in enumerate(FactionWars.tiny()):
        rng = Rng(3)
        happened = set()
        for _ in range(100):
            state = game.start(log=True)
            while not state.over:
                state.apply(state.turn, state.sample(rng))
            assert state.log is not None
            happened |= {event[0] for event in state.log}
        assert acts[number] <= happened
