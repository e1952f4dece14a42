"""Complete game trees: every course of a small game, counted by the rules and by a second, simple calculation."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from gonfalon.core.rules.shuffles import DealCard
from gonfalon.core.rules.state import CHANCE, State
from gonfalon.games.generals import Generals
from gonfalon.games.generals.cards import tiny
from gonfalon.games.generals.rules.state import GeneralsState
from gonfalon.testing import rule
from tests.generals.plain import SIDESTEP, Ends, Man, Rules, Side, Small, all_ends, begin, main

IDS = {"Oak": "X01", "Elm": "X02", SIDESTEP: "X04"}


def ends(state: State, known: dict[str, Ends]) -> Ends:
    """Count all histories from a position by their end."""
    assert isinstance(state, GeneralsState)
    if state.over:
        outcome = state.outcome()
        assert outcome is not None
        return Counter({(outcome.winners[0], outcome.how): 1})
    key = repr(state.dump())
    if key not in known:
        total: Ends = Counter()
        for action in state.actions:
            twin = state.clone()
            twin.apply(state.turn, action)
            total += ends(twin, known)
        known[key] = total
    return known[key]


def small(red: list[str], blue: list[str], opening: int, **options: Any) -> Generals:
    raw = tiny.TINY[0]
    lists = [
        {**raw["deck"][seat], "cards": dict(Counter(IDS[name] for name in cards))}
        for seat, cards in enumerate((red, blue))
    ]
    changed = {**raw, "deck": lists, "game": {**raw["game"], "opening": opening}}
    return Generals(cards=changed, decks=("red", "blue"), exact=True, **options)


DECKS: list[tuple[list[str], list[str], int]] = [
    (["Oak"] * 2 + ["Elm"] * 2, ["Oak", "Elm", SIDESTEP, SIDESTEP], 2),  # the first of the tiny games
    (["Oak"] * 2 + ["Elm"], ["Oak", "Elm", SIDESTEP], 2),
    (["Oak", "Elm", SIDESTEP], ["Oak"] * 2 + ["Elm"], 1),
    (["Oak", "Elm"] + [SIDESTEP] * 2, ["Oak"] + ["Elm"] * 3, 2),
]


@rule("generals", 52, 54)
@pytest.mark.parametrize(("red", "blue", "opening"), DECKS)
def test_a_small_game_in_full(red: list[str], blue: list[str], opening: int) -> None:
    rules = Rules(False, (SIDESTEP in red, SIDESTEP in blue))
    expected = all_ends(rules, (red, blue), opening)
    assert ends(small(red, blue, opening).start(), {}) == expected


ORDERS = [
    # From the top; with decks as long as these both armies meet, and Sieges win.
    (["Oak", "Elm", "Oak", "Elm", "Oak"], ["Elm", SIDESTEP, "Oak", "Elm", "Oak", SIDESTEP]),
    (["Elm", "Oak", "Elm", "Oak", "Oak"], ["Oak", "Elm", SIDESTEP, "Oak", "Elm", "Oak"]),
    (["Oak", "Oak", "Elm", SIDESTEP, "Elm", "Oak"], ["Oak", "Elm", "Elm", "Oak", SIDESTEP, "Elm"]),
]


def deal_decks(game: Generals, first: int, orders: tuple[list[str], list[str]]) -> GeneralsState:
    """Return the first Main Phase after these orders of the decks."""
    state = game.start()
    while state.turn == CHANCE:
        step = state.stack[-1]
        text = orders[step.zone][-1 - step.place].lower() if isinstance(step, DealCard) else f"first:{first}"
        state.play(CHANCE, game.parse(text))
    return state


@rule("generals", 4, 22, 24, 42)
@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("orders", ORDERS)
def test_a_longer_game_with_known_decks_in_full(orders: tuple[list[str], list[str]], first: int, strict: bool) -> None:
    state = deal_decks(small(*orders, 2, strict_blocking=strict), first, orders)
    assert ends(state, {}) == by_hand(orders, first, strict)


def by_hand(orders: tuple[list[str], list[str]], first: int, strict: bool) -> Ends:
    red, blue = (Side(tuple(order[2:]), tuple(sorted(order[:2])), (), frozenset()) for order in orders)
    return begin(Rules(strict, (SIDESTEP in orders[0], SIDESTEP in orders[1])), first, Small(1, (red, blue)))


def test_these_games_meet_every_end() -> None:
    assert {how for _, how in by_hand(ORDERS[2], 0, False)} == {"draw", "upkeep", "damage"}


CLASH = (["Sidestep", "Elm", "Oak", "Oak", "Elm"], ["Elm", "Sidestep", "Oak", "Oak"])
"""The decks from the top in the middle of a game. The last cards are on the battlefield."""


@rule("generals", 4, 5, 14, 22)
def test_a_clash_at_the_border_in_full() -> None:
    """Red's Oak is at the BORDER with Elm behind him, and Blue's Oak is in the same zone. Under the strict reading Elm
    cannot pass."""
    found = []
    for strict in (False, True):
        game = small(*CLASH, 0, strict_blocking=strict)
        state = deal_decks(game, 0, CLASH)
        men = {("Oak", 0): 1, ("Elm", 0): 0, ("Oak", 1): 1}
        for (name, seat), zone in men.items():
            kind = game.pool.by_id[IDS[name]].kind
            state.deck[seat].remove(kind)
            u = state.setup.unit_of[seat][kind]
            state.enter(u, kind, zone, True)
            state.flags[u] = 0
        state.settle()
        told = [[game.kinds[card].name for card in reversed(deck)] for deck in state.deck]
        assert told == [["Sidestep", "Elm", "Oak"], ["Elm", "Sidestep", "Oak"]]
        sides = [
            Side(
                tuple(told[seat]), (), tuple(sorted(Man(name, zone, False, False) for name, zone in army)), frozenset()
            )
            for seat, army in enumerate(([("Oak", 1), ("Elm", 0)], [("Oak", 1)]))
        ]
        expected = main(Rules(strict, (True, True)), 0, Small(1, (sides[0], sides[1])))
        assert ends(state, {}) == expected
        found.append(sum(expected.values()))
    assert found[1] < found[0]


def test_the_shortest_game_by_hand() -> None:
    """Each seat has one card in hand and none to draw. The second player loses in turn 2, unless the first has
    recruited, because the Upkeep of turn 1 cannot be paid then. Two tosses have two ends each."""
    found = ends(small(["Oak"], ["Elm"], 1).start(), {})
    assert found == {(0, "draw"): 1, (1, "draw"): 1, (1, "upkeep"): 1, (0, "upkeep"): 1}


def test_the_first_of_the_tiny_games_is_the_first_of_these() -> None:
    first = Generals.tiny()[0]
    assert isinstance(first, Generals)
    counts = [deck.counts for deck in first.lists]
    assert counts == [{"D05": 1, "X01": 2, "X02": 2}, {"D05": 1, "X01": 1, "X02": 1, "X04": 2}]
