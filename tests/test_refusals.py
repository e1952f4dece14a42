"""Every refusal names what forbids an action: a ruling, a part of the rulebook, or the text of a card."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from gonfalon import Rng, games
from gonfalon.core.game import Game

NAMED = re.compile(
    r"\((rulings? \d+(, \d+)*( (and|to) \d+)?|Main Phase|Deployment phase|Setup|sections? \d+|\d+-\d|FAQ \d)\)\.$"
    r"|: see its text\.$"
)
TRIES = 6


def refusals(game: Game, seed: int) -> Iterator[tuple[str, str]]:
    """What the seats of a random game are refused, each with the question."""
    state, rng = game.start(), Rng(seed)
    every = game.all_actions()
    while not state.over:
        decision = state.decisions()[0]
        if decision.seat >= 0:
            for _ in range(TRIES):
                action = every[rng.below(len(every))]
                if not state.is_legal(decision.seat, action):
                    yield decision.prompt, str(state.why_not(decision.seat, action))
        state.apply(decision.seat, decision.sample(rng))


@pytest.mark.parametrize("name", games.names())
def test_a_refusal_names_what_forbids_the_action(name: str) -> None:
    kind = games.kind(name)
    asked: set[str] = set()
    for seed, game in enumerate(kind.samples()[:24]):
        for prompt, reason in refusals(game, seed):
            asked.add(prompt)
            assert NAMED.search(reason), (prompt, reason)
    assert len(asked) > 3
