"""The benefit of stepping many games in one call: the same learner with `gonfalon.vector` and with single environments.

    python -m tools.benchmarks.learning [GAME ...] [--seconds 180] [--from FILE] [--write FILE]

Both learn by proximal policy optimization in self-play: from scratch, with rows and masks alone, or continuing from a
network of `gonfalon train`, with its input. At the start and after a quarter, a half and all of the time the network
plays the same deals against `greedy`. Times are CPU times without these matches. Use the compiled build.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np

from gonfalon import games
from gonfalon.bots import Bot, make
from gonfalon.bots.networks.batch import Batch
from gonfalon.bots.networks.network import Array, Net, load
from gonfalon.bots.networks.network_input import NetworkInput
from gonfalon.bridges.numbers import Numbers
from gonfalon.bridges.pettingzoo import raw_env
from gonfalon.core.basics.options import Options
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import State
from gonfalon.lab.run import machine as about
from gonfalon.lab.run.match import play_match
from gonfalon.learn.command import CONTINUED_RATE_FACTOR
from gonfalon.learn.layers import find_filled_columns, reduce_columns
from gonfalon.learn.ppo import Training
from gonfalon.learn.selfplay import Decision, Lot, Tick, TrainingExample, Version, draw_actions, iter_examples, make_lot
from gonfalon.learn.settings import Settings
from gonfalon.vector import Vector
from gonfalon.vector.networks import PolicyBot, RowInput, find_input

OPTIONS: Final[dict[str, Options]] = {"feint": {"factions": ("agents", "mibits")}, "jinkei": {}}
GAME_COUNT: Final = 256
"""Number of parallel games."""
SETTINGS: Final = Settings(thumb=0.0, decay=0.95, games=GAME_COUNT, batch=8192, part=1024, rate=1e-3)
MEASURED_PARTS: Final = (0.0, 0.25, 0.5, 1.0)
"""Shares of the time after which the network plays `greedy`."""
DEAL_COUNT: Final = 100
"""Number of deals of such a match, each from both seats."""
SEED: Final = 1


class Face(Protocol):
    """Parallel games of one kind for a learner: rows and masks of the deciding seats."""

    rows: Array
    masks: Array
    turns: Array

    @property
    def states(self) -> list[State]:
        """States of the games."""
        ...

    def step(self, picks: Array) -> Iterator[tuple[int, list[float]]]:
        """Choose the legal action with this index in each game, and yield the number and the results of each finished
        game.
        """
        ...


class Vectors:
    """Games stepped in one call."""

    def __init__(self, game: Game) -> None:
        self.vector = Vector(game, GAME_COUNT, SEED)
        self.vector.reset()
        assert self.vector.observations is not None
        assert self.vector.masks is not None
        self.rows, self.masks, self.turns = self.vector.observations, self.vector.masks, self.vector.turns

    @property
    def states(self) -> list[State]:
        assert self.vector.part is not None
        return self.vector.part.lanes.states

    def step(self, picks: Array) -> Iterator[tuple[int, list[float]]]:
        self.vector.step(picks)
        for lane in self.vector.dones.nonzero()[0].tolist():
            yield lane, self.vector.rewards[lane].tolist()


class Singles:
    """Games in single environments, stepped one after the other.

    Decisions with a single action are skipped, as in a vector.
    """

    def __init__(self, game: Game) -> None:
        self.envs = [raw_env(game) for _ in range(GAME_COUNT)]
        self.rng = Rng(SEED)
        numbers = Numbers(game)
        self.rows = np.zeros((GAME_COUNT, numbers.size), np.int8)
        self.masks = np.zeros((GAME_COUNT, numbers.count), np.int8)
        self.turns = np.zeros(GAME_COUNT, np.int32)
        for lane in range(GAME_COUNT):
            self.begin(lane)
            self.go_on(lane)

    def begin(self, lane: int) -> None:
        self.envs[lane].reset(self.rng.seed())

    def go_on(self, lane: int) -> list[float] | None:
        """Advance to the next choice. If the game ends first, start the next one and return the results."""
        env = self.envs[lane]
        while True:
            seen, _, over, _, _ = env.last()
            if over:
                returns = [float(env.rewards[agent]) for agent in env.possible_agents]
                self.begin(lane)
                self.go_on(lane)
                return returns
            assert isinstance(seen, dict)
            mask = seen["action_mask"]
            if np.count_nonzero(mask) > 1:
                self.rows[lane], self.masks[lane] = seen["observation"], mask
                self.turns[lane] = env.seat_of[env.agent_selection]
                return None
            env.step(int(mask.argmax()))

    @property
    def states(self) -> list[State]:
        return [env.session.full_state for env in self.envs]

    def step(self, picks: Array) -> Iterator[tuple[int, list[float]]]:
        for lane, pick in enumerate(picks.tolist()):
            self.envs[lane].step(int(self.masks[lane].nonzero()[0][pick]))
            returns = self.go_on(lane)
            if returns is not None:
                yield lane, returns


METHOD_NAMES: Final[dict[type[Vectors] | type[Singles], str]] = {Vectors: "in one call", Singles: "one by one"}


class Playing:
    """Games of a network against itself, and the training data from them."""

    def __init__(self, face: Face, encoder: NetworkInput) -> None:
        self.face = face
        self.encoder = encoder
        self.scales = np.array(encoder.scales(), dtype=np.float32)
        self.dice = np.random.default_rng(SEED)
        self.made: list[dict[int, list[Decision]]] = [{} for _ in range(GAME_COUNT)]
        self.ready: list[TrainingExample] = []

    def lot(self, version: Version) -> Lot:
        finished = decisions = 0
        while len(self.ready) < SETTINGS.batch:
            face, encoder = self.face, self.encoder
            by_rows = isinstance(encoder, RowInput)
            batch = make_batch(face.rows, face.masks) if by_rows else Batch.from_states(encoder, face.states)
            columns = find_filled_columns(batch.rows)
            known = columns[columns < encoder.known]
            full = batch.rows[:, columns] * self.scales[columns]
            picks, logp = draw_actions(batch, reduce_columns(version.policy, known)(full[:, : len(known)]), self.dice)
            tick = Tick(batch, logp, np.tanh(reduce_columns(version.value, columns)(full)[:, 0]))
            for lane, (seat, pick) in enumerate(zip(face.turns.tolist(), picks.tolist(), strict=True)):
                self.made[lane].setdefault(seat, []).append((tick, lane, pick))
            decisions += GAME_COUNT
            for lane, returns in face.step(picks):
                made, self.made[lane] = self.made[lane], {}
                finished += 1
                for seat in sorted(made):
                    self.ready += iter_examples(made[seat], returns[seat], SETTINGS.decay)
        ready, self.ready = self.ready, []
        return make_lot(ready, decisions, finished, {})


def make_batch(rows: Array, masks: Array) -> Batch:
    """Return rows and masks as a batch: positive numbers, then negative ones (`RowInput`)."""
    wide = np.concatenate([np.maximum(rows, 0), -np.minimum(rows, 0).astype(np.int16)], axis=1).astype(np.uint8)
    owners, answers = masks.nonzero()
    counts = np.bincount(owners, minlength=len(rows))
    priors = np.zeros(len(answers), np.float32)
    return Batch(wide, answers.astype(np.int32), priors, np.concatenate([[0], np.cumsum(counts)]))


@dataclass(frozen=True)
class Point:
    """The score of the network against `greedy` after some CPU seconds and decisions, with the 95 % interval."""

    seconds: float
    decisions: int
    score: float
    low: float
    high: float


def learn_curve(name: str, face: type[Vectors] | type[Singles], seconds: float, begun: Net | None) -> list[Point]:
    """Train for some seconds, from scratch or from a network, and return its scores against `greedy`.

    Raises:
        UntrainedError: The network does not fit the game.
    """
    game = games.game(name, **OPTIONS[name])
    encoder = RowInput(game) if begun is None else find_input(game)
    settings = SETTINGS if begun is None else replace(SETTINGS, rate=SETTINGS.rate * CONTINUED_RATE_FACTOR)
    playing = Playing(face(game), encoder)
    training = Training(encoder, lambda version: partial(playing.lot, version), SEED, settings, begun)
    points: list[Point] = []
    spent = 0.0
    while True:
        if spent >= MEASURED_PARTS[len(points)] * seconds:
            points.append(measure_point(name, training, spent))
            print(f"{name}, {METHOD_NAMES[face]}: {format_point(points[-1])}", flush=True)
            if len(points) == len(MEASURED_PARTS):
                return points
        began = time.process_time()
        training.learn(playing.lot(training.version()), min(1.0, spent / seconds))
        spent += time.process_time() - began


def measure_point(name: str, training: Training, spent: float) -> Point:
    """Return the current score of the network."""

    def made(who: str, game: Game) -> Bot:
        if who != "learnt":
            return make(who, game)
        about = {"game": game.name, "rules": game.version, "cards": game.learnt_hash}
        return PolicyBot(who, game, training.net(about), training.encoder)

    found = play_match("learnt", "greedy", name, OPTIONS[name], pairs=DEAL_COUNT, seed=SEED, maker=made)
    return Point(round(spent, 1), training.decisions, found.score, found.low, found.high)


def format_point(point: Point) -> str:
    """Return a point in words."""
    score = f"{100 * point.score:.1f} % from greedy ({100 * point.low:.1f} to {100 * point.high:.1f})"
    return f"{point.seconds:.0f} s, {point.decisions:,} decisions: {score}"


def format_page(found: dict[str, Any]) -> list[str]:
    """Return the figures as a table, with the speedup."""
    lines = [f"{found['date']}; {found['machine']}; {found['build']}.", ""]
    lines += ["| game | stepped | seconds | decisions | from `greedy`, % |", "|---|---|---:|---:|---:|"]
    for name, curves in found["curves"].items():
        for how, points in curves.items():
            for one in points:
                score = f"{100 * one['score']:.1f} ({100 * one['low']:.1f} to {100 * one['high']:.1f})"
                lines.append(f"| {name} | {how} | {one['seconds']:.0f} | {one['decisions']:,} | {score} |")
    lines.append("")
    for name, curves in found["curves"].items():
        many, single = (curves[how][-1]["decisions"] / curves[how][-1]["seconds"] for how in METHOD_NAMES.values())
        lines.append(f"{name}: {many:,.0f} decisions a second for {single:,.0f}: {many / single:.2f} times as many.")
    return lines


def main() -> None:
    """Measure, and print a table."""
    asked = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    asked.add_argument("games", nargs="*", choices=list(OPTIONS), metavar="GAME")
    asked.add_argument("--seconds", type=float, default=180.0, help="CPU time of each training")
    asked.add_argument(
        "--from", dest="begun", type=Path, metavar="FILE", help="the network to continue from, of one GAME"
    )
    asked.add_argument("--write", type=Path, metavar="FILE", help="write the figures as JSON")
    args = asked.parse_args()
    if args.begun and len(args.games) != 1:
        asked.error("--from needs one GAME, that of the network.")
    begun = load(args.begun) if args.begun else None
    curves = {
        name: {
            how: [asdict(one) for one in learn_curve(name, face, args.seconds, begun)]
            for face, how in METHOD_NAMES.items()
        }
        for name in args.games or OPTIONS
    }
    found = {
        "date": date.today().isoformat(),
        "machine": about.describe_machine(),
        "build": about.describe_build(),
        "seconds": args.seconds,
        "curves": curves,
    }
    print("\n".join(format_page(found)))
    if args.write:
        args.write.write_text(json.dumps(found, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
