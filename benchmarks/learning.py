"""How much sooner a learner plays well for stepping many games in one call: the same learner over `gonfalon.vector` and
over as many single environments of PettingZoo.

    python -m benchmarks.learning [GAME ...] [--seconds 180] [--write FILE]

Both learn by proximal policy optimisation from nothing, from rows and masks alone, by playing themselves; after a
quarter, a half and all of the time the network plays the same deals against `greedy`. Times are of the processor,
without those matches. Run this with the compiled build.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np

from gonfalon import games
from gonfalon.bots import Bot, Budget, Choice
from gonfalon.bots.batch import Batch
from gonfalon.bots.network import Array
from gonfalon.bots.weights import drawn
from gonfalon.bridges.numbers import Numbers
from gonfalon.bridges.pettingzoo import raw_env
from gonfalon.core.game import Game
from gonfalon.core.options import Options
from gonfalon.core.rng import Rng
from gonfalon.core.state import State
from gonfalon.lab import about
from gonfalon.lab.match import entrant, match
from gonfalon.learn.benchmark.policies import RowInput
from gonfalon.learn.layers import filled, reading
from gonfalon.learn.ppo import Training
from gonfalon.learn.selfplay import Learnable, Lot, Made, Tick, Version, learnable, lot_of, picked
from gonfalon.learn.settings import Settings
from gonfalon.vector import Vector

OPTIONS: Final[dict[str, Options]] = {"feint": {"factions": ("agents", "mibits")}, "jinkei": {}}
LANES: Final = 256
"""Games side by side."""
SETTINGS: Final = Settings(thumb=0.0, decay=0.95, games=LANES, batch=8192, part=1024, rate=1e-3)
PARTS: Final = (0.25, 0.5, 1.0)
"""Of the time, after which the network plays `greedy`,"""
PAIRS: Final = 100
"""so many deals, from both seats."""
SEED: Final = 1


class Face(Protocol):
    """Games of a kind side by side, as a learner sees them: of each the row and the mask of who is asked."""

    rows: Array
    masks: Array
    turns: Array

    def step(self, actions: Array) -> Iterator[tuple[int, list[float]]]:
        """Carry out an action in each, by its number; of the games that are over the number, and what each seat got."""
        ...


class Vectors:
    """In one call."""

    def __init__(self, game: Game) -> None:
        self.vector = Vector(game, LANES, SEED)
        self.vector.reset()
        assert self.vector.observations is not None
        assert self.vector.masks is not None
        self.rows, self.masks, self.turns = self.vector.observations, self.vector.masks, self.vector.turns

    def step(self, actions: Array) -> Iterator[tuple[int, list[float]]]:
        self.vector.step_actions(actions)
        for lane in self.vector.dones.nonzero()[0].tolist():
            yield lane, self.vector.rewards[lane].tolist()


class Singles:
    """In as many environments, one after the other. As in a vector, a decision with a single action is not learnt
    from."""

    def __init__(self, game: Game) -> None:
        self.envs = [raw_env(game) for _ in range(LANES)]
        self.rng = Rng(SEED)
        numbers = Numbers(game)
        self.rows = np.zeros((LANES, numbers.size), np.int8)
        self.masks = np.zeros((LANES, numbers.count), np.int8)
        self.turns = np.zeros(LANES, np.int32)
        for lane in range(LANES):
            self.begin(lane)
            self.go_on(lane)

    def begin(self, lane: int) -> None:
        self.envs[lane].reset(self.rng.seed())

    def go_on(self, lane: int) -> list[float] | None:
        """To the next choice; what each seat got where the game is over instead, and the next has begun."""
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

    def step(self, actions: Array) -> Iterator[tuple[int, list[float]]]:
        for lane, action in enumerate(actions.tolist()):
            self.envs[lane].step(action)
            returns = self.go_on(lane)
            if returns is not None:
                yield lane, returns


HOW: Final[dict[type[Vectors] | type[Singles], str]] = {Vectors: "in one call", Singles: "one by one"}


class Playing:
    """Plays games with a network against itself, and keeps what is to be learnt."""

    def __init__(self, face: Face) -> None:
        self.face = face
        self.dice = np.random.default_rng(SEED)
        self.made: list[dict[int, list[Made]]] = [{} for _ in range(LANES)]
        self.ready: list[Learnable] = []

    def lot(self, version: Version) -> Lot:
        finished = decisions = 0
        while len(self.ready) < SETTINGS.batch:
            face = self.face
            batch = batch_of(face.rows, face.masks)
            columns = filled(batch.rows)
            full = batch.rows[:, columns].astype(np.float32)
            picks, logp = picked(batch, reading(version.policy, columns)(full), self.dice)
            tick = Tick(batch, logp, np.tanh(reading(version.value, columns)(full)[:, 0]))
            for lane, (seat, pick) in enumerate(zip(face.turns.tolist(), picks.tolist(), strict=True)):
                self.made[lane].setdefault(seat, []).append((tick, lane, pick))
            decisions += LANES
            for lane, returns in face.step(batch.answers[batch.starts[:-1] + picks]):
                made, self.made[lane] = self.made[lane], {}
                finished += 1
                for seat in sorted(made):
                    self.ready += learnable(made[seat], returns[seat], SETTINGS.decay)
        ready, self.ready = self.ready, []
        return lot_of(ready, decisions, finished, {})


def batch_of(rows: Array, masks: Array) -> Batch:
    """Rows and masks as the learner takes them: what is above zero, then what is below (`RowInput`)."""
    wide = np.concatenate([np.maximum(rows, 0), -np.minimum(rows, 0).astype(np.int16)], axis=1).astype(np.uint8)
    owners, answers = masks.nonzero()
    counts = np.bincount(owners, minlength=len(rows))
    hunches = np.zeros(len(answers), np.float32)
    return Batch(wide, answers.astype(np.int32), hunches, np.concatenate([[0], np.cumsum(counts)]))


class Learnt(Bot):
    """Plays as likely as the policy says, from the row of its view."""

    def __init__(self, game: Game, training: Training) -> None:
        super().__init__("learnt", game)
        self.numbers = Numbers(game)
        self.policy = training.policy.copy()

    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        seat = view.viewer
        legal = view.legal(seat)
        batch = batch_of(self.numbers.of_seat(view, seat)[None], self.numbers.mask(legal)[None])
        shares = np.exp(batch.logp(self.policy(batch.rows.astype(np.float32)), batch.owner()))
        number = int(batch.answers[drawn(shares.tolist(), rng)])
        return Choice(next(one for one in legal if self.numbers.action(number) == one), "The policy.")


@dataclass(frozen=True)
class Point:
    """How good the network is after so many seconds of CPU time and decisions: its score against `greedy`, with the
    95 % interval."""

    seconds: float
    decisions: int
    score: float
    low: float
    high: float


def curve(name: str, face: type[Vectors] | type[Singles], seconds: float) -> list[Point]:
    """Learn for that long, and play `greedy` meanwhile."""
    game = games.game(name, **OPTIONS[name])
    playing = Playing(face(game))
    training = Training(RowInput(game), lambda version: partial(playing.lot, version), SEED, SETTINGS)
    points: list[Point] = []
    spent = 0.0
    while len(points) < len(PARTS):
        began = time.process_time()
        training.learn(playing.lot(training.version()), spent / seconds)
        spent += time.process_time() - began
        if spent >= PARTS[len(points)] * seconds:
            points.append(measured(name, training, spent))
            print(f"{name}, {HOW[face]}: {told(points[-1])}", flush=True)
    return points


def measured(name: str, training: Training, spent: float) -> Point:
    """What the network scores now."""

    def made(who: str, game: Game) -> Bot:
        return Learnt(game, training) if who == "learnt" else entrant(who, game)

    found = match("learnt", "greedy", name, OPTIONS[name], pairs=PAIRS, seed=SEED, maker=made)
    return Point(round(spent, 1), training.decisions, found.score, found.low, found.high)


def told(point: Point) -> str:
    """A point in words."""
    score = f"{100 * point.score:.1f} % from greedy ({100 * point.low:.1f} to {100 * point.high:.1f})"
    return f"{point.seconds:.0f} s, {point.decisions:,} decisions: {score}"


def page(found: dict[str, Any]) -> list[str]:
    """The figures as a table, and the factor gained."""
    lines = [f"{found['date']}; {found['machine']}; {found['build']}.", ""]
    lines += ["| game | stepped | seconds | decisions | from `greedy`, % |", "|---|---|---:|---:|---:|"]
    for name, curves in found["curves"].items():
        for how, points in curves.items():
            for one in points:
                score = f"{100 * one['score']:.1f} ({100 * one['low']:.1f} to {100 * one['high']:.1f})"
                lines.append(f"| {name} | {how} | {one['seconds']:.0f} | {one['decisions']:,} | {score} |")
    lines.append("")
    for name, curves in found["curves"].items():
        many, single = (curves[how][-1]["decisions"] / curves[how][-1]["seconds"] for how in HOW.values())
        lines.append(f"{name}: {many:,.0f} decisions a second for {single:,.0f}: {many / single:.2f} times as many.")
    return lines


def main() -> None:
    """Measure, and print a table."""
    asked = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    asked.add_argument("games", nargs="*", choices=list(OPTIONS), metavar="GAME")
    asked.add_argument("--seconds", type=float, default=180.0, help="of CPU time that each learns")
    asked.add_argument("--write", type=Path, metavar="FILE", help="keep the figures there, as JSON")
    args = asked.parse_args()
    curves = {
        name: {how: [asdict(one) for one in curve(name, face, args.seconds)] for face, how in HOW.items()}
        for name in args.games or OPTIONS
    }
    found = {
        "date": date.today().isoformat(),
        "machine": about.machine(),
        "build": about.build(),
        "seconds": args.seconds,
        "curves": curves,
    }
    print("\n".join(page(found)))
    if args.write:
        args.write.write_text(json.dumps(found, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
