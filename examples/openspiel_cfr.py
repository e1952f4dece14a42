"""An equilibrium of a tiny game, by counterfactual regret minimisation (CFR+) as OpenSpiel has it.

    python examples/openspiel_cfr.py "gonfalon_feint(tiny=2)" --iterations 200

The whole tree is walked in each iteration. Exploitability, in games won or lost, is what a perfect
opponent could gain against the strategy found, half of it from each seat: 0 in an equilibrium.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

import pyspiel

from gonfalon.bridges.openspiel import register


def solve(name: str, iterations: int, reports: int) -> list[float]:
    """CFR+ on a game; the exploitability of the average strategy, reported a few times on the way."""
    game = pyspiel.load_game(name)
    solver = pyspiel.CFRPlusSolver(game)
    found = []
    for iteration in range(1, iterations + 1):
        solver.evaluate_and_update_policy()
        if iteration * reports // iterations > (iteration - 1) * reports // iterations:
            found.append(pyspiel.exploitability(game, solver.average_policy()))
            print(f"iteration {iteration:>5}: exploitability {found[-1]:.6f}", flush=True)
    return found


def show(name: str) -> None:
    """What a player sees at the first decision, to know what the strategy is about."""
    state = pyspiel.load_game(name).new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    print(state.observation_string(state.current_player()).rpartition("\n")[0])
    print("Actions:", ", ".join(state.action_to_string(action) for action in state.legal_actions()))


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(description="CFR+ on a tiny game.")
    parser.add_argument("game", nargs="?", default="gonfalon_feint(tiny=2)")
    parser.add_argument("--iterations", type=int, default=200)
    parser.add_argument("--reports", type=int, default=5)
    args = parser.parse_args(arguments)
    register()
    show(args.game)
    solve(args.game, args.iterations, args.reports)
    return 0


if __name__ == "__main__":
    sys.exit(main())
