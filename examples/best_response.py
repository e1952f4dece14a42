"""An approximate best response by masked PPO against a frozen player, and the share of the exact one that it finds.

    python -m examples.best_response jinkei --opponent random --seconds 60 --seeds 5

The games are the solved ones of the benchmark, whose exact best responses are known. One network learns in both seats.
Its value is computed over the whole tree, so it has no error of its own: the mean result over both seats, in games won
minus games lost, of the policy that always plays its likeliest action. The script prints it with the share recovered:
(value - value before training) / (exact value - value before training). `--write FILE` saves the curves as CSV.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import mean, stdev
from typing import Final

import numpy as np
import torch

from examples.selfplay import LANES, LENGTH, Trainer, write_curve
from examples.weights import compress
from gonfalon import games
from gonfalon.bots import Bot, make
from gonfalon.bots.players.uniform import RandomBot
from gonfalon.bots.search.mixed_bot import MixedBot, Mixture
from gonfalon.bridges.numbers import Numbers
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.state import State
from gonfalon.learn.exact import known_mixture
from gonfalon.learn.sequence_form import Floats, Ints, Player, SequenceForm
from gonfalon.vector import Array, Vector

STUDENT: Final = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262)
"""97.5 % quantiles of Student's distribution for 1 to 9 degrees of freedom."""
ITERATIONS: Final = 200
"""Of CFR+, for the opponent `pure`."""


class FrozenBot(MixedBot):
    """A player that is asked once in each view, and repeats its answer."""

    def __init__(self, name: str, form: SequenceForm, player: Player) -> None:
        super().__init__(name, form.game)
        self.form, self.player = form, player
        self.known: dict[bytes, Mixture] = {}

    def mixture(self, view: State) -> Mixture:
        """Return the mixture of the seat whose view this is."""
        key = self.form.prints.of(view)
        if key not in self.known:
            self.known[key] = self.player(view)
        return self.known[key]


def purify_solution(form: SequenceForm) -> Player:
    """Return the player of the likeliest actions of the average of CFR+, over all histories of a view."""
    weights: dict[bytes, Floats] = {}
    for treeplex, behavior in zip(form.seats, form.solve(ITERATIONS), strict=True):
        plan, prints = treeplex.plan(behavior), list(treeplex.views)
        for found in treeplex.sets.values():
            own = plan[found.first : found.first + len(found.actions)]
            weights[prints[found.view]] = weights.get(prints[found.view], np.zeros(len(own))) + own

    def play(view: State) -> Mixture:
        return [(view.legal(view.viewer)[int(weights[form.prints.of(view)].argmax())], 1.0)]

    return play


def freeze_opponent(name: str, form: SequenceForm, seed: int) -> Bot:
    """Return a level, or `pure`, as a player with known probabilities; each view of a level gets one answer."""
    if name == "pure":
        return FrozenBot(name, form, purify_solution(form))
    bot = make(name, form.game)
    if isinstance(bot, RandomBot):
        return bot
    rng = Rng(seed)
    return FrozenBot(name, form, known_mixture(bot) or (lambda view: [(bot.choose(view, None, rng).action, 1.0)]))


class Exploiter(Trainer):
    """A network that learns in one seat of each game against a frozen player, and its exact value."""

    def __init__(self, form: SequenceForm, opponent: Bot, seed: int, rate: float) -> None:
        super().__init__(form.game, "ppo", seed, rate)
        vector = Vector(form.game, LANES, seed, learners="spread", opponents=opponent)
        vector.reset()
        self.games = vector
        self.form, self.opponent, self.rate = form, opponent, rate
        stated = known_mixture(opponent)
        assert stated is not None
        plans = [treeplex.plan(treeplex.ask(stated)) for treeplex in form.seats]
        self.gains = [form.gains(seat, plans[1 - seat]) for seat in range(2)]
        self.exact = sum(form.seats[seat].respond(self.gains[seat])[0] for seat in range(2)) / 2
        numbers = Numbers(form.game)
        # One row for each view of a seat, and the place of each sequence among the probabilities of all views.
        self.rows: list[tuple[Array, Array]] = []
        self.places: list[Ints] = []
        for seat, treeplex in enumerate(form.seats):
            views = [view for _, view in treeplex.views.values()]
            self.rows.append(compress(np.stack([numbers.of_seat(view, seat) for view in views])))
            place = np.zeros(treeplex.size, np.int64)
            for found in treeplex.sets.values():
                legal = np.array(numbers.legal(found.actions))
                place[found.first : found.first + len(legal)] = found.view * numbers.count + legal
            self.places.append(place)

    @torch.no_grad()
    def measure(self) -> float:
        """Return the mean result over both seats, if the network plays its likeliest actions."""
        value = 0.0
        for treeplex, rows, places, gains in zip(self.form.seats, self.rows, self.places, self.gains, strict=True):
            count = self.games.numbers.count
            logits = self.agent(*map(torch.from_numpy, rows), torch.ones(len(rows[0]), count), torch.arange(count))[0]
            value += (
                float(treeplex.plan(treeplex.purify(logits.numpy().ravel()[places].astype(np.float64))) @ gains) / 2
            )
        return value

    def train(self, seconds: float, decisions: int, reports: int) -> Iterator[dict[str, float]]:
        """Learn until a number of seconds of CPU time or of decisions is reached, and yield the curve."""
        before, spent, updates, done = self.measure(), 0.0, 0, 0.0
        for report in range(reports + 1):
            while done < report / reports:
                self.adam.param_groups[0]["lr"] = self.rate * (1 - done)
                began = time.process_time()
                self.learn()
                spent, updates = spent + time.process_time() - began, updates + 1
                done = max(spent / seconds, updates * LANES * LENGTH / decisions)
            value = self.measure()
            share = (value - before) / (self.exact - before) if before < self.exact else 1.0
            point = {"decisions": updates * LANES * LENGTH, "seconds": round(spent, 1), "value": round(value, 4)}
            yield {**point, "exact": round(self.exact, 4), "share": round(share, 4)}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description="An approximate best response in a solved game.")
    parser.add_argument("game", choices=games.names())
    parser.add_argument("--opponent", default="random", help="a level, or pure: the likeliest actions of the solution")
    parser.add_argument("--seconds", type=float, default=60, help="of CPU time in a training")
    parser.add_argument("--decisions", type=int, default=10**9, help="of the learner in a training, at most")
    parser.add_argument("--seeds", type=int, choices=range(1, 11), default=5, help="number of trainings")
    parser.add_argument("--rate", type=float, default=2e-3, help="of learning, which falls to 0")
    parser.add_argument("--reports", type=int, default=5, help="measurements after the one before training")
    parser.add_argument("--write", type=Path, help="CSV file for the curves")
    args = parser.parse_args(arguments)
    form = SequenceForm(games.find_game_class(args.game).solved()[0])
    opponent = freeze_opponent(args.opponent, form, seed=0)
    curves: list[dict[str, float]] = []
    ends: list[dict[str, float]] = []
    for seed in range(1, args.seeds + 1):
        for point in Exploiter(form, opponent, seed, args.rate).train(args.seconds, args.decisions, args.reports):
            curves.append({"seed": seed, **point})
            print(", ".join(f"{name} {value:.10g}" for name, value in curves[-1].items()), flush=True)
        ends.append(curves[-1])
    for name in ("value", "share"):
        found = [end[name] for end in ends]
        width = STUDENT[len(found) - 2] * stdev(found) / len(found) ** 0.5 if len(found) > 1 else float("nan")
        print(f"{name}: {mean(found):.3f} ± {width:.3f} (95 %, over seeds); exact value: {ends[0]['exact']:.3f}")
    if args.write:
        write_curve(args.write, curves)
    return 0


if __name__ == "__main__":
    sys.exit(main())
