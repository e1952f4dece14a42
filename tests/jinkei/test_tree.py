"""The whole tree of a tiny configuration, against a count that does not use the rules."""

from __future__ import annotations

from math import factorial

from gonfalon.core.state import CHANCE, State
from gonfalon.games.jinkei import Jinkei


def count(state: State) -> tuple[int, int]:
    """(ends, decisions of players) below a position."""
    if state.over:
        return 1, 0
    ends = 0
    decisions = 0 if state.turn == CHANCE else 1
    for action in state.actions:
        after = state.clone()
        after.apply(state.turn, action)
        more, deeper = count(after)
        ends += more
        decisions += deeper
    return ends, decisions


def test_the_deals_of_the_tiny_game() -> None:
    """Four different cards a deck, the last one forced: 4! deals a deck, twice; two first players."""
    game = Jinkei.tiny()[0]
    assert game.seats == 2
    positions = [game.start()]
    deals = 0
    while positions:
        state = positions.pop()
        if state.turn != CHANCE:
            deals += 1
            continue
        for action in state.actions:
            after = state.clone()
            after.apply(CHANCE, action)
            positions.append(after)
    assert deals == 2 * factorial(4) * factorial(4)


def test_the_tree_below_a_deal() -> None:
    """Counted by hand. Two battles, ranks 0 and 12 in two colours, one formation for each type.

    The second player takes the sword or the bow: 2 ways, and the first is left the other. The one
    formation of the round is no choice. Each lays one of two cards from the hand: 2 x 2 ways. The
    sword has it in the Vanguard, the bow on a Wild space of the Vanguard; both have their revealed
    card in the Rearguard.

    Offense plays from its Vanguard, Defense from its Rearguard, where one card stands: no choice,
    but that the bow calls a colour when it leads from the Wild space, once in each game: 2 ways.

    2 x 4 x 2 = 16 ends for any deal. Decisions of players: 1 (second type), 2 (first type), then in
    each of the 2 games so far: formation 1 + 1, first card laid 1, second card laid 2, and below each
    of the 4 ways two battles. Where the sword leads: lead 1, answer 1, the bow's lead 1, answers 2:
    5. Where the bow leads: 1, then for both colours answer, lead, answer: 1 + 2 x 3 = 7.
    """
    game = Jinkei.tiny()[0]
    for first in (0, 1):
        for picks in (0, -1):
            state = game.start()
            state.apply(CHANCE, game.parse(f"first:{first}"))
            while state.turn == CHANCE:
                state.apply(CHANCE, state.actions[picks])
            ends, decisions = count(state)
            assert ends == 16
            # the second player's type, the first's in both games (one is left: still asked)
            assert decisions == 1 + 2 + 2 * (1 + 1 + 1 + 2) + 4 * 5 + 4 * 7
