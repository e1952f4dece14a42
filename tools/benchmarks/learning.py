"""How much sooner a learner plays well for stepping many games in one call: the same learner over `gonfalon.vector` and
over as many single environments of PettingZoo.

    python -m tools.benchmarks.learning [GAME ...] [--seconds 180] [--from FILE] [--write FILE]

Both learn by proximal policy optimisation by playing themselves: from nothing, by rows and masks alone, or on from a
network that `gonfalon train` has made, by what that is shown. Before it begins and after a
quarter, a half and all of the time the network plays the same deals against `greedy`. Times are of the processor,
without those matches. Run this with the compiled build.
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
from gonfalon.bots import Bot
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
from gonfalon.lab.run.match import entrant, match
from gonfalon.learn.command import ONWARD
from gonfalon.learn.layers import filled, reading
from gonfalon.learn.ppo import Training
from gonfalon.learn.selfplay import Learnable, Lot, Made, Tick, Version, learnable, lot_of, picked
from gonfalon.learn.settings import Settings
from gonfalon.vector import Vector
from gonfalon.vector.networks import PolicyBot, RowInput, input_of

OPTIONS: Final[dict[str, Options]] = {"feint": {"factions": ("agents", "mibits")}, "jinkei": {}}
LANES: Final = 256
"""Games side by side."""
SETTINGS: Final = Settings(thumb=0.0, decay=0.95, games=LANES, batch=8192, part=1024, rate=1e-3)
PARTS: Final = (0.0, 0.25, 0.5, 1.0)
"""Of the time, after which the network plays `greedy`,"""
PAIRS: Final = 100
"""so many deals, from both seats."""
SEED: Final = 1


class Face(Protocol):
    """Games of a kind side by side, as a learner sees them: of each the row and the mask of who is asked."""

    rows: Array
    masks: Array
    turns: Array

    @property
    def states(self) -> list[State]:
        """The positions themselves."""
        ...

    def step(self, picks: Array) -> Iterator[tuple[int, list[float]]]:
        """Carry out the legal action of this index in each; of the games that are over the number, and what each seat
        got."""
        ...


class Vectors:
    """In one call."""

    def __init__(self, game: Game) -> None:
        self.vector = Vector(game, LANES, SEED)
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

    @property
    def states(self) -> list[State]:
        return [env.session.state for env in self.envs]

    def step(self, picks: Array) -> Iterator[tuple[int, list[float]]]:
        for lane, pick in enumerate(picks.tolist()):
            self.envs[lane].step(int(self.masks[lane].nonzero()[0][pick]))
            returns = self.go_on(lane)
            if returns is not None:
                yield lane, returns


HOW: Final[dict[type[Vectors] | type[Singles], str]] = {Vectors: "in one call", Singles: "one by one"}


class Playing:
    """Plays games with a network against itself, and keeps what is to be learnt."""

    def __init__(self, face: Face, encoder: NetworkInput) -> None:
        self.face = face
        self.encoder = encoder
        self.scales = np.array(encoder.scales(), dtype=np.float32)
        self.dice = np.random.default_rng(SEED)
        self.made: list[dict[int, list[Made]]] = [{} for _ in range(LANES)]
        self.ready: list[Learnable] = []

    def lot(self, version: Version) -> Lot:
        finished = decisions = 0
        while len(self.ready) < SETTINGS.batch:
            face, encoder = self.face, self.encoder
            by_rows = isinstance(encoder, RowInput)
            batch = batch_of(face.rows, face.masks) if by_rows else Batch.from_states(encoder, face.states)
            columns = filled(batch.rows)
            known = columns[columns < encoder.known]
            full = batch.rows[:, columns] * self.scales[columns]
            picks, logp = picked(batch, reading(version.policy, known)(full[:, : len(known)]), self.dice)
            tick = Tick(batch, logp, np.tanh(reading(version.value, columns)(full)[:, 0]))
            for lane, (seat, pick) in enumerate(zip(face.turns.tolist(), picks.tolist(), strict=True)):
                self.made[lane].setdefault(seat, []).append((tick, lane, pick))
            decisions += LANES
            for lane, returns in face.step(picks):
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
    priors = np.zeros(len(answers), np.float32)
    return Batch(wide, answers.astype(np.int32), priors, np.concatenate([[0], np.cumsum(counts)]))


@dataclass(frozen=True)
class Point:
    """How good the network is after so many seconds of CPU time and decisions: its score against `greedy`, with the
    95 % interval."""

    seconds: float
    decisions: int
    score: float
    low: float
    high: float


def curve(name: str, face: type[Vectors] | type[Singles], seconds: float, begun: Net | None) -> list[Point]:
    """Learn for that long, from nothing or on from a network, and play `greedy` meanwhile. Raises Unlearnt."""
    game = games.game(name, **OPTIONS[name])
    encoder = RowInput(game) if begun is None else input_of(game)
    settings = SETTINGS if begun is None else replace(SETTINGS, rate=SETTINGS.rate * ONWARD)
    playing = Playing(face(game), encoder)
    training = Training(encoder, lambda version: partial(playing.lot, version), SEED, settings, begun)
    points: list[Point] = []
    spent = 0.0
    while True:
        if spent >= PARTS[len(points)] * seconds:
            points.append(measured(name, training, spent))
            print(f"{name}, {HOW[face]}: {told(points[-1])}", flush=True)
            if len(points) == len(PARTS):
                return points
        began = time.process_time()
        training.learn(playing.lot(training.version()), min(1.0, spent / seconds))
        spent += time.process_time() - began


def measured(name: str, training: Training, spent: float) -> Point:
    """What the network scores now."""

    def made(who: str, game: Game) -> Bot:
        if who != "learnt":
            return entrant(who, game)
        about = {"game": game.name, "rules": game.version, "cards": game.learnt_hash}
        return PolicyBot(who, game, training.net(about), training.encoder)

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
    asked.add_argument("--from", dest="begun", type=Path, metavar="FILE", help="the network to go on from, of one GAME")
    asked.add_argument("--write", type=Path, metavar="FILE", help="keep the figures there, as JSON")
    args = asked.parse_args()
    if args.begun and len(args.games) != 1:
        asked.error("--from takes one GAME, that of the network.")
    begun = load(args.begun) if args.begun else None
    curves = {
        name: {how: [asdict(one) for one in curve(name, face, args.seconds, begun)] for face, how in HOW.items()}
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
