"""OpenSpiel's search for games with hidden information against Gonfalon's own rule of thumb.

    python examples/openspiel_ismcts.py gonfalon_jinkei --simulations 100 --games 20

The search (information-set Monte Carlo tree search, in Python) thinks in worlds that are dealt from its
own view. Its opponent is the level `greedy`, which sees its own view and nothing else. They change seats
after each game.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts, mcts

from gonfalon.bots import make
from gonfalon.bridges.openspiel import register
from gonfalon.core.basics.rng import Rng


def play(name: str, level: str, simulations: int, seat: int, seed: int) -> float:
    """One game of the search at a seat; what it got."""
    game = pyspiel.load_game(name)
    chance, thought = np.random.RandomState(seed), np.random.RandomState(seed + 1)
    evaluator = mcts.RandomRolloutEvaluator(1, thought)
    search = ismcts.ISMCTSBot(game, evaluator, uct_c=1.4, max_simulations=simulations, random_state=thought)
    other, rng = make(level, game.game), Rng(seed)
    state = game.new_initial_state()
    while not state.is_terminal():
        player = state.current_player()
        if state.is_chance_node():
            actions, chances = zip(*state.chance_outcomes(), strict=True)
            action = chance.choice(actions, p=chances)
        elif player == seat:
            action = search.step(state)
        else:
            # A state of OpenSpiel is a shell: within is the state of the core, which makes views.
            choice = other.choose(state.position.state.mask(player), None, rng)
            action = state.position.home.numbers.ids[choice.action]
        state.apply_action(action)
    return float(state.returns()[seat])


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(description="OpenSpiel's ISMCTS against a level of Gonfalon.")
    parser.add_argument("game", nargs="?", default="gonfalon_jinkei")
    parser.add_argument("--level", default="greedy")
    parser.add_argument("--simulations", type=int, default=100)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(arguments)
    register()
    results: list[float] = []
    for number in range(args.games):
        results.append(play(args.game, args.level, args.simulations, number % 2, args.seed + 1000 * (number // 2)))
        wins = sum(result > 0 for result in results)
        print(f"game {number + 1}: {results[-1]:+.0f}; {wins} of {len(results)} won", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
