"""Complete game trees: every course of a small game, counted by the rules and by a second, simple calculation."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest

from gonfalon.core.rules.state import State
from gonfalon.games.jinkei import Jinkei
from gonfalon.games.jinkei.game import TINY
from gonfalon.games.jinkei.rules.state import JinkeiState
from tests.jinkei.plain import Side, results
from tests.jinkei.scenario import Table

Ends = Counter[tuple[tuple[int, int], int, str]]
"""The number of times each end occurs: the points, the winner, and the cause."""


def ends(state: State, known: dict[str, Ends]) -> Ends:
    """Count all histories from a position by their end. Transpositions are counted each time."""
    assert isinstance(state, JinkeiState)
    if state.over:
        outcome = state.outcome()
        assert outcome is not None
        a, b = state.totals
        return Counter({((a, b), outcome.winners[0], outcome.how): 1})
    key = repr(state.dump())
    if key not in known:
        total: Ends = Counter()
        for action in state.actions:
            twin = state.clone()
            twin.apply(state.turn, action)
            total += ends(twin, known)
        known[key] = total
    return known[key]


def end_of(points: tuple[int, int], second: int) -> tuple[tuple[int, int], int, str]:
    a, b = points
    return (points, second, "second player") if a == b else (points, int(b > a), "points")


def plain_ends(swords: list[str], bows: list[str]) -> Ends:
    """Count the tiny game by hand: toss, two decks of four cards, types, one card placed by each, two battles."""
    found: Ends = Counter()
    deals = list(permutations(["red0", "red12", "blue0", "blue12"]))
    for first in (0, 1):
        second = 1 - first
        for sword in (0, 1):  # which seat has the Sword is the second player's choice
            for mine in deals:
                for theirs in deals:
                    # Two cards are drawn, the third is revealed, one of the two is laid.
                    for laid in mine[:2]:
                        for answered in theirs[:2]:
                            a = Side.of(swords, vg1=laid, rg2=mine[2])
                            b = Side.of(bows, vg2=answered, rg1=theirs[2])
                            for points, count in results((a, b), int(first != sword)).items():
                                score = points if sword == 0 else (points[1], points[0])
                                found[end_of(score, second)] += count
    return found


@pytest.mark.extended
def test_the_tiny_game_in_full() -> None:
    """2 tosses, 24 orders of each deck, 2 choices of types, 2 cards to place for each: 9,216 placements. The battles'
    only choice is the color of the one Wild card: 18,432 histories."""
    forms = {entry["type"]: entry["rows"] for entry in TINY["formation"]}
    by_hand = plain_ends(forms["sword"], forms["bow"])
    for game in Jinkei.tiny():
        assert ends(game.start(), {}) == by_hand
    assert 2 * 24 * 24 * 2 * (2 * 2) == 9_216
    assert sum(by_hand.values()) == 2 * 9_216
    # The card laid and the card revealed are any two of four, so both are zeros in 1 of 6 cases, and all four
    # cards are zeros in 1 of 36; so they are all twelves (3 points each).
    sums = Counter({0: 0})
    for (points, _, _), count in by_hand.items():
        sums[sum(points)] += count
    assert sums[0] == sums[12] == 18_432 // 36 == 512


ROUND: list[tuple[list[str], dict[str, str], list[str], dict[str, str]]] = [
    # Three battles, a bonus against a Wild space.
    (
        [".+1 . #", ". # #", "# # #"],
        {"vg1": "red9", "vg2": "blue5", "rg1": "red0"},
        [". # #", ".W . #", "# # #"],
        {"vg1": "blue12", "rg1": "red8", "rg2": "blue4"},
    ),
    # Four battles: two cards behind a Wild Rearguard, a column past a blank with Rank +2.
    (
        [".+2 . #", "# . #", ". # #"],
        {"vg1": "blue8", "vg2": "red3", "rg2": "blue9", "re1": "blue12"},
        [". # #", ".W # #", "2 # #"],
        {"vg1": "red8", "rg1": "red5", "re1": "blue1 red0"},
    ),
    # Five battles: a blank in the Vanguard, two cards past a blank, Wild against Wild.
    (
        ["# . .W", ". # .", ". . #"],
        {"vg2": "red12", "vg3": "red4", "rg1": "blue6", "rg3": "blue0", "re1": "red7"},
        [". .W #", "# .+1 #", "2 # #"],
        {"vg1": "blue3", "vg2": "red9", "rg2": "red6", "re1": "blue9 red1"},
    ),
]


@pytest.mark.parametrize("leader", [0, 1])
@pytest.mark.parametrize("battles", range(len(ROUND)))
def test_every_way_a_round_can_go(battles: int, leader: int) -> None:
    mine, my_cards, theirs, their_cards = ROUND[battles]
    table = Table(mine, theirs, battles=sum(len(cards.split()) for cards in my_cards.values()))
    table.may.stands(**my_cards)
    table.david.stands(**their_cards)
    table.attacks((table.may, table.david)[leader])
    by_hand: Ends = Counter()
    sides = Side.of(mine, **my_cards), Side.of(theirs, **their_cards)
    for points, count in results(sides, leader).items():
        by_hand[end_of(points, 1 - table.state.starter)] += count
    table.state.log = None
    assert ends(table.state, {}) == by_hand
    assert len(by_hand) >= 2
