"""Whole games of Generals at random: they end, and nothing raises."""

from __future__ import annotations

import pytest

from gonfalon.core.basics.rng import Rng
from gonfalon.games.generals import Generals
from gonfalon.games.generals.cards.decks import GeneralsDecks, random_deck
from gonfalon.games.generals.rules.actions import END
from gonfalon.games.generals.ruleset import compile_standard
from gonfalon_reference_rules.generals.judge import GeneralsReferenceRules


@pytest.mark.parametrize("seed", range(6))
def test_random_games_with_decks_drawn_by_lot_end(seed: int) -> None:
    """The decks hold cards in unrealistic numbers, under all options."""
    rng = Rng(seed)
    tools = GeneralsDecks(compile_standard().pool)
    lots = tuple(tools.code(random_deck(compile_standard().pool, rng)) for _ in range(2))
    words = ("strict_blocking", "counter_chain", "mulligan", "strategy_overdeplete_loses", "qun_counts", "exact")
    game = Generals(decks=lots, **{word: bool(seed >> i & 1) for i, word in enumerate(words)})
    for _ in range(2):
        state = game.start(log=True)
        count = 0
        while not state.over:
            decision = state.decisions()[0]
            actions = decision.actions
            # Ending the turn is the one choice that is always there; without it more happens.
            if actions[0] == END and len(actions) > 1 and rng.below(3):
                state.apply(decision.seat, actions[1 + int(rng.below(len(actions) - 1))])
            else:
                state.apply(decision.seat, decision.sample(rng))
            count += 1
        assert count <= game.bound
        assert GeneralsReferenceRules().find_faults(game, state) == []
