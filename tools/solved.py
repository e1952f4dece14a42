"""Solve the configurations of `Samples.solved` by CFR+, into `src/gonfalon/learn/benchmark/solved.json`.

    python -m tools.solved feint jinkei

CFR+ bounds the value of a game from both sides. The best pure strategies of each seat are the least exploitable ones
found among the likeliest actions of the average, pure strategies drawn from it, and the best responses to the averages
of a few numbers of iterations. So `pure` bounds the least exploitability of a pure strategy from above only.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import process_time
from typing import Final

import numpy as np

from gonfalon import games
from gonfalon.core.rules.game import Game
from gonfalon.learn.sequence_form import Floats, SequenceForm

DATA: Final = Path(__file__).parents[1] / "src/gonfalon/learn/benchmark/solved.json"
"""The data of the benchmark."""
SEED: Final = 57
"""Seed of the drawn pure strategies."""


def list_pure(form: SequenceForm, seat: int, averages: Sequence[Sequence[Floats]], draws: int) -> Iterator[Floats]:
    """Yield pure behaviors of a seat that may be hard to exploit."""
    treeplex, rng = form.seats[seat], np.random.default_rng(SEED)
    behavior = averages[-1][seat]
    yield treeplex.purify(behavior)
    for _ in range(draws):
        # The greatest of these times is an action drawn by the probabilities (Gumbel 1954).
        yield treeplex.purify(np.log(np.maximum(behavior, 1e-9)) + rng.gumbel(size=treeplex.size))
    for average in averages:
        other = form.seats[1 - seat].plan(average[1 - seat])
        yield treeplex.respond(form.gains(seat, other))[1]


def solve_game(game: Game, iterations: int, draws: int) -> dict[str, object]:
    """Return the facts about a configuration."""
    form = SequenceForm(game)
    averages = [form.solve(number) for number in (4, 16, 64, iterations)]
    high, low = form.best_responses(averages[-1])
    pure = 0.0
    for seat in range(2):
        plans = (form.seats[seat].plan(one) for one in list_pure(form, seat, averages, draws))
        pure += min(form.seats[1 - seat].respond(form.gains(1 - seat, plan))[0] for plan in plans) / 2
    uniform = form.best_responses([treeplex.match(np.zeros(treeplex.size)) for treeplex in form.seats])
    sets = [found for treeplex in form.seats for found in treeplex.sets.values()]
    return {
        "rules": game.version,
        "cards": game.data_hash,
        "positions": form.positions,
        "information sets": len(sets),
        "with a choice": sum(len(found.actions) > 1 for found in sets),
        "method": f"CFR+, alternating updates, linear averaging, {iterations} iterations; "
        f"pure: the best of {draws + len(averages) + 1} for each seat",
        "value": round((high - low) / 2, 6),
        "value ±": round((high + low) / 2, 6),
        "exploitability": round((high + low) / 2, 6),
        "pure": round(pure, 4),
        "uniform": round(sum(uniform) / 2, 4),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m tools.solved", description="Solve the games of the benchmark.")
    parser.add_argument("games", nargs="*", help="the games (default: all)")
    parser.add_argument("--iterations", type=int, default=1000)
    parser.add_argument("--draws", type=int, default=100, help="number of pure strategies drawn for each seat")
    parser.add_argument("--write", type=Path, default=DATA)
    args = parser.parse_args(arguments)
    found = json.loads(args.write.read_text("utf-8")) if args.write.exists() else {}
    for name in args.games or games.names():
        began = process_time()
        found[name] = [solve_game(game, args.iterations, args.draws) for game in games.find_game_class(name).solved()]
        print(f"{name}: {process_time() - began:.0f} s, {found[name]}", flush=True)
        args.write.write_text(json.dumps(found, indent=1, sort_keys=True, ensure_ascii=False) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
