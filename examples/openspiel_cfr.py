"""An equilibrium of a tiny game by a solver of OpenSpiel: counterfactual regret minimization (CFR+), Monte Carlo CFR
with external sampling, or magnetic mirror descent.

    python examples/openspiel_cfr.py "gonfalon_feint(tiny=2)" --iterations 200
    python examples/openspiel_cfr.py "gonfalon_feint(tiny=2)" --method mccfr --iterations 2000

CFR+ and MMD walk the whole tree in each iteration, MCCFR follows one deal. Exploitability, in games
won or lost, is what a perfect opponent could gain against the strategy found, half of it from each
seat: 0 in an equilibrium.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import Any

import pyspiel
from open_spiel.python.algorithms import mmd_dilated
from open_spiel.python.algorithms.exploitability import nash_conv

from gonfalon.bridges.openspiel import register


def make_solver(method: str, game: Any) -> tuple[Callable[[], None], Callable[[], float]]:
    """Return what runs an iteration of a solver, and what measures the exploitability of its strategy."""
    if method == "mmd":
        mirror = mmd_dilated.MMDDilatedEnt(game, alpha=0.01, stepsize=0.5)
        return mirror.update_sequences, lambda: float(nash_conv(game, mirror.get_policies())) / 2
    if method == "mccfr":
        sampler = pyspiel.ExternalSamplingMCCFRSolver(game, 1)
        return sampler.run_iteration, lambda: float(pyspiel.exploitability(game, sampler.average_policy()))
    solver = pyspiel.CFRPlusSolver(game)
    return solver.evaluate_and_update_policy, lambda: float(pyspiel.exploitability(game, solver.average_policy()))


def solve(name: str, method: str, iterations: int, reports: int) -> list[float]:
    """Run a solver on a game; return the exploitability of its strategy, reported a few times on the way."""
    iterate, exploitability = make_solver(method, pyspiel.load_game(name))
    found = []
    for iteration in range(1, iterations + 1):
        iterate()
        if iteration * reports // iterations > (iteration - 1) * reports // iterations:
            found.append(exploitability())
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
    parser = argparse.ArgumentParser(description="A solver of OpenSpiel on a tiny game.")
    parser.add_argument("game", nargs="?", default="gonfalon_feint(tiny=2)")
    parser.add_argument("--method", choices=("cfr+", "mccfr", "mmd"), default="cfr+")
    parser.add_argument("--iterations", type=int, default=200)
    parser.add_argument("--reports", type=int, default=5)
    args = parser.parse_args(arguments)
    register()
    show(args.game)
    solve(args.game, args.method, args.iterations, args.reports)
    return 0


if __name__ == "__main__":
    sys.exit(main())
