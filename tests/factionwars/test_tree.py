"""Complete game trees: every course of a small game, counted by the rules, by a second calculation, and by hand."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import pytest

from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.state import CHANCE, State
from gonfalon.games.factionwars import FactionWars
from gonfalon.games.factionwars.rules import events as ev
from gonfalon.games.factionwars.rules.state import FactionState
from gonfalon.testing import rule
from tests.factionwars.plain import End, histories

Ends = dict[End, tuple[int, Fraction]]
"""The number of histories to each end, and its probability with random players."""


def ends(state: State, known: dict[str, Ends]) -> Ends:
    """Return all ends from a position. Transpositions are counted each time."""
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


def sum_histories(found: Iterable[tuple[End, Fraction]]) -> Ends:
    """Add up all ends of single histories."""
    total: Ends = defaultdict(lambda: (0, Fraction(0)))
    for end, chance in found:
        total[end] = total[end][0] + 1, total[end][1] + chance
    return total


def by_hand(game: FactionWars, late: bool) -> Ends:
    """Return the ends by the plain rules, with battle decks shuffled when the rulebook says so, or late: before their
    use."""
    options = {name: game.options[name] for name in ("revision", "shuffle", "end", "bonus", "bystander", "tie")}
    return sum_histories(histories(game.box.raw, game.seats, late=late, **options))


def likely(found: Ends) -> dict[End, Fraction]:
    return {end: chance for end, (_, chance) in found.items()}


@pytest.mark.extended
def test_the_tiny_games_in_full() -> None:
    """The plain rules count the same trees as the kit."""
    for game in FactionWars.tiny():
        assert isinstance(game, FactionWars)
        found = ends(game.start(), {})
        assert found == by_hand(game, late=True)
        assert likely(found) == likely(by_hand(game, late=False))
        assert sum(chance for _, chance in found.values()) == 1


SYMBOLS: dict[str, Any] = {
    "form": 1,
    "alone": True,
    "box": {"extra": 0, "later_extra": 0, "depletions": [1, 1, 1, 1]},
    "faction": [
        {"slug": "red", "name": "Red", "cards": [{"slug": "oak", "name": "Oak", "copies": 1, "battle": 2, "points": 2}]}
    ],
    "conscript": [
        {"slug": symbol, "name": symbol.title(), "symbol": symbol, "copies": 1, "battle": 1}
        for symbol in ("rock", "paper", "scissors")
    ],
}


@rule("factionwars", 5, 8, 9, 10, 11)
def test_three_decks_of_conscripts_by_hand() -> None:
    """Three players fight for one oak with rock, paper and scissors in random order.

    First cards: all three symbols in 6 of 27 cases, without a winner. All alike in 3: of the 8 second cards 2 are
    alike again, and so are the third, 3 have one winner, and 3 have two, whose third cards are alike. So 5 of 8 end
    without a winner. Two symbols in 18: in 9 one player wins, in 9 two continue, with equal cards in half of the
    cases and then to the end. In 6/27 + 3/27 * 5/8 + 9/27 * 1/2 = 11/24 of all games there is no winner.
    """
    found = ends(FactionWars(seats=3, cards=SYMBOLS, exact=True).start(), {})
    assert likely(found) == {
        ((0, 0, 0), (0, 1, 2)): Fraction(11, 24),
        ((2, 0, 0), (0,)): Fraction(13, 72),
        ((0, 2, 0), (1,)): Fraction(13, 72),
        ((0, 0, 2), (2,)): Fraction(13, 72),
    }


def test_every_ability_of_the_tiny_games_comes_to_act() -> None:
    """The kit walks through these games, so a card without effect in all of them would go unchecked."""
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
