"""The solver of battles with open cards, against the rules."""

from __future__ import annotations

import pytest

from gonfalon.core.basics.cards import KIND
from gonfalon.core.basics.rng import Rng
from gonfalon.games.jinkei import Jinkei
from gonfalon.games.jinkei.bots.duel import TRAP, Duel
from gonfalon.games.jinkei.bots.heuristic import JinkeiHeuristic, count_full
from gonfalon.games.jinkei.rules.state import JinkeiState


def plain_minimax(state: JinkeiState, seat: int) -> int:
    """The margin of a seat in this round under best play, by the rules themselves."""
    if state.over or state.stack[-1].prompt not in ("lead", "answer", "advance"):
        return state.scored[seat][-1] - state.scored[1 - seat][-1]
    values = []
    mover = state.turn
    for action in state.actions:
        then = state.clone()
        then.apply(mover, action)
        values.append(plain_minimax(then, seat))
    return max(values) if mover == seat else min(values)


@pytest.mark.parametrize("wild", ["free", "binds"])
def test_the_solver_agrees_with_the_rules(wild: str) -> None:
    """Ends of random rounds with all cards open, against a search that only plays: the value of the round, of each
    lead and of each answer."""
    game = Jinkei(wild=wild)
    heuristic = JinkeiHeuristic(game)
    rng = Rng(4)
    count = ahead = 0
    for _ in range(6):
        state = game.start()
        while not state.over:
            seat, prompt = state.turn, state.stack[-1].prompt
            if prompt in ("lead", "answer") and len(state.battles) == 3:
                if prompt == "lead":
                    ahead = state.points_of(seat) - state.points_of(1 - seat)
                so_far = ahead if prompt == "lead" else -ahead
                margins = heuristic.margins(state, heuristic.duel(state, -1))
                plain = {}
                for action in state.actions:
                    then = state.clone()
                    then.apply(seat, action)
                    plain[action] = plain_minimax(then, seat) - so_far
                if prompt == "lead":
                    assert heuristic.duel(state, -1).value(seat) == max(plain.values())
                    # Beside the margin stands a part of the mean gain, which is at most 6 points.
                    assert all(abs(margins[action] - value) <= 6 * TRAP + 1e-9 for action, value in plain.items())
                else:
                    assert {action: margins[action] for action in plain} == plain
                count += 1
            state.apply(seat, state.sample(rng))
    assert count == 36


def test_a_duel_forgets_the_cards_of_the_last_one() -> None:
    game = Jinkei()
    forms = [game.setup.formations[number] for number in (0, 12)]
    duel, rng = Duel(game.setup, forms, [count_full(form) for form in forms]), Rng(2)
    for _ in range(5):
        spaces = []
        for form in forms:
            deck = list(range(game.setup.kinds))
            rng.shuffle(deck)
            spaces.append([[deck.pop() & KIND for _ in range(count)] for count in count_full(form)])
        assert duel.put(spaces)
        value = duel.value(0)
        assert duel.value(0) == value, "also with all that it remembers"
        fresh = Duel(game.setup, forms, [count_full(form) for form in forms])
        fresh.put(spaces)
        assert fresh.value(0) == value
