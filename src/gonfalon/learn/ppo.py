"""Proximal policy optimisation by self-play, for any game that has a `Sense`.

Many games are played side by side. Before each decision the policy adds its log-odds to the game's
hunches; the value, which sees all cards, says how much better it went than was to be expected. A part of
the games has an earlier version of the network in one seat, the first of which is the hunches alone, and
another part the game's rule of thumb, so that what is learnt does not turn in circles.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Final

import numpy as np

from gonfalon.bots.greedy import Heuristic
from gonfalon.bots.net import Layers, Net, spread
from gonfalon.bots.sense import Sense, look_all, to_choice
from gonfalon.core.game import Game
from gonfalon.core.rng import Rng
from gonfalon.core.state import State
from gonfalon.learn.layers import Learner

THUMB: Final = -1  # the rule of thumb as a rival
SLOWEST: Final = 0.1  # the rate of learning at the end, as a share of that at the beginning


@dataclass(frozen=True)
class Settings:
    """What can be turned at a training."""

    games: int = 256
    """Played side by side."""
    batch: int = 12288
    """Decisions that are learnt from at once."""
    part: int = 1024
    """Of these in each step."""
    passes: int = 2
    rate: float = 1.5e-3
    clip: float = 0.2
    decay: float = 0.95
    """How far ahead the value is trusted less (lambda)."""
    curious: float = 0.01
    """What an even policy is worth, at the beginning; at the end a fifth of it."""
    rivals: float = 0.25
    """The part of the games with an earlier version in one seat."""
    thumb: float = 0.15
    """The part with the rule of thumb in one seat."""
    keep: int = 4
    """How many earlier versions are played against, besides the very first."""
    renew: int = 40
    """Updates between two that are kept."""
    policy: tuple[int, ...] = (128, 96)
    value: tuple[int, ...] = (96, 48)


class Place:
    """A game being played: its position, and what is to be learnt from it."""

    __slots__ = ("state", "rival_seat", "rival", "thumb", "rows")

    def __init__(self, state: State, rival_seat: int, rival: int, thumb: Heuristic | None) -> None:
        self.thumb = thumb
        self.state = state
        self.rival_seat = rival_seat
        self.rival = rival
        self.rows: list[list[Any]] = [[] for _ in range(state.seats)]
        """By seat: for each decision the tick, the row in it, the bounds of its actions, the pick."""


class Tick:
    """One decision of every game: positions, actions, what the network said."""

    __slots__ = ("x", "answers", "hunches", "starts", "logp", "value")

    def __init__(self, x: Any, answers: Any, hunches: Any, starts: Any, logp: Any, value: Any) -> None:
        self.x = x
        self.answers = answers
        self.hunches = hunches
        self.starts = starts
        self.logp = logp  # of what was picked
        self.value = value


class Training:
    """Self-play that learns. `games` are the games that are played, in every set-up that is to be learnt."""

    def __init__(self, sense: Sense, games: list[Game], seed: int, settings: Settings) -> None:
        self.sense = sense
        self.starts = [game.start() for game in games]
        self.thumbs: list[Heuristic | None] = [game.heuristic() for game in games]
        self.settings = settings
        self.dice = np.random.default_rng(seed)
        self.rng = Rng(int(self.dice.integers(1 << 62)))
        self.scales = np.array(sense.scales(), dtype=np.float32)
        self.policy = Learner([sense.known, *settings.policy, sense.outputs], self.dice)
        self.value = Learner([sense.size, *settings.value, 1], self.dice)
        self.old: list[Layers] = [self.policy.copy()]
        self.decisions = 0
        self.finished = 0
        self.updates = 0
        self.ready: list[tuple[Tick, int, int, float, float]] = []
        """Decisions of finished games: tick, row, pick, advantage, what the value should have said."""
        self.scores: dict[int, list[float]] = {}
        """What was won against each rival since that was last told."""
        self.table = [self.begin() for _ in range(settings.games)]

    def begin(self) -> Place:
        """A new game, up to the first decision of the network."""
        dice = self.dice
        while True:
            number = int(dice.integers(len(self.starts)))
            s = self.starts[number].clone()
            place = Place(s, -1, 0, self.thumbs[number])
            kind = dice.random()
            if kind < self.settings.rivals:
                # The first version is met as often as all the others.
                place.rival = 0 if dice.random() < 0.5 else int(dice.integers(len(self.old)))
                place.rival_seat = int(dice.integers(s.seats))
            elif place.thumb is not None and kind < self.settings.rivals + self.settings.thumb:
                place.rival = THUMB
                place.rival_seat = int(dice.integers(s.seats))
            if self.advance(place):
                return place

    def advance(self, place: Place) -> bool:
        """Go on to the next decision of a network; False at the end of the game."""
        s = place.state
        while to_choice(s, self.rng):
            if place.rival != THUMB or s.turn != place.rival_seat:
                return True
            assert place.thumb is not None
            action, _ = place.thumb.choose(s.mask(s.turn), self.rng)
            s.apply(s.turn, action)
        return False

    def play(self) -> None:
        """One decision of every game."""
        sense = self.sense
        table = self.table
        states = [place.state for place in table]
        room = bytearray(len(table) * sense.size)
        found, leaning, counted = look_all(sense, states, room)
        x = np.frombuffer(room, dtype=np.uint8).reshape(len(table), sense.size)
        answers = np.array(found, dtype=np.int32)
        hunches = np.array(leaning, dtype=np.float32)
        counts = np.array(counted)
        starts = np.concatenate([[0], np.cumsum(counts)])
        full = x * self.scales
        value = np.tanh(self.value.layers(full)[:, 0])
        seen = full[:, : sense.known]
        out = self.policy.layers(seen)
        foreign: dict[int, list[int]] = {}
        for i, place in enumerate(table):
            if place.state.turn == place.rival_seat:
                foreign.setdefault(place.rival, []).append(i)
        for rival, rows in foreign.items():
            out[rows] = self.old[rival](seen[rows])
        owner = np.repeat(np.arange(len(table)), counts)
        logp = spread(out[owner, answers] + hunches, starts, owner)
        reached = np.cumsum(np.exp(logp, dtype=np.float64))
        before = np.concatenate([[0.0], reached])[starts[:-1]]
        marks = before + self.dice.random(len(table)) * (reached[starts[1:] - 1] - before)
        picks = np.clip(np.searchsorted(reached, marks, side="right"), starts[:-1], starts[1:] - 1)
        tick = Tick(x, answers, hunches, starts, logp[picks], value)
        offsets = (picks - starts[:-1]).tolist()
        for i, place in enumerate(table):
            s = place.state
            seat = s.turn
            if seat != place.rival_seat:
                place.rows[seat].append((tick, i, int(picks[i])))
            s.apply(seat, s.actions[offsets[i]])
            if not self.advance(place):
                self.close(place)
                table[i] = self.begin()
        self.decisions += len(table)

    def close(self, place: Place) -> None:
        """Work out what is to be learnt from a finished game (generalised advantages)."""
        returns = place.state.returns()
        self.finished += 1
        if place.rival_seat >= 0 and place.rival <= 0:
            others = [r for seat, r in enumerate(returns) if seat != place.rival_seat]
            self.scores.setdefault(place.rival, []).append(max(others))
        for seat, rows in enumerate(place.rows):
            after = returns[seat]
            surplus = 0.0
            for tick, row, pick in reversed(rows):
                value = float(tick.value[row])
                surplus = (after - value) + self.settings.decay * surplus
                self.ready.append((tick, row, pick, surplus, value + surplus))
                after = value

    def learn(self, done: float) -> dict[str, float]:
        """Learn from the games that are finished; `done` is the part of the training that is over."""
        settings = self.settings
        ready, self.ready = self.ready, []
        x = np.stack([tick.x[row] for tick, row, *_ in ready])
        spans = [(tick.starts[row], tick.starts[row + 1]) for tick, row, *_ in ready]
        answers = [tick.answers[a:b] for (tick, *_), (a, b) in zip(ready, spans, strict=True)]
        hunches = [tick.hunches[a:b] for (tick, *_), (a, b) in zip(ready, spans, strict=True)]
        picks = np.array([pick - a for (_, _, pick, *_), (a, _) in zip(ready, spans, strict=True)])
        before = np.array([tick.logp[row] for tick, row, *_ in ready], dtype=np.float32)
        surplus = np.array([entry[3] for entry in ready], dtype=np.float32)
        target = np.array([entry[4] for entry in ready], dtype=np.float32)
        surprise = float(np.var(surplus) / max(1e-9, float(np.var(target))))
        surplus = (surplus - surplus.mean()) / (surplus.std() + 1e-6)
        rate = settings.rate * (1.0 - (1.0 - SLOWEST) * min(1.0, done))
        curious = settings.curious * (1.0 - 0.8 * min(1.0, done))
        found = {"even": 0.0, "moved": 0.0, "value": 0.0}
        steps = 0
        for _ in range(settings.passes):
            order = self.dice.permutation(len(ready))
            for first in range(0, len(order) - settings.part // 2, settings.part):
                some = order[first : first + settings.part]
                size = len(some)
                full = x[some] * self.scales
                said = self.value.forward(full)
                y = np.tanh(said)
                wrong = y[:, 0] - target[some]
                slope = (2.0 / size) * wrong[:, None] * (1.0 - y * y)
                self.value.backward(slope.astype(np.float32), rate)
                found["value"] += float(np.mean(wrong * wrong))

                counts = np.array([len(answers[i]) for i in some])
                starts = np.concatenate([[0], np.cumsum(counts)])
                owner = np.repeat(np.arange(size), counts)
                flat = np.concatenate([answers[i] for i in some])
                out = self.policy.forward(np.ascontiguousarray(full[:, : self.sense.known]))
                logp = spread(out[owner, flat] + np.concatenate([hunches[i] for i in some]), starts, owner)
                p = np.exp(logp)
                picked = starts[:-1] + picks[some]
                ratio = np.exp(logp[picked] - before[some])
                good = surplus[some]
                free = np.where(good > 0.0, ratio < 1.0 + settings.clip, ratio > 1.0 - settings.clip)
                pull = np.where(free, -good * ratio, 0.0) / size
                even = -np.add.reduceat(p * logp, starts[:-1])
                by_odds = -pull[owner] * p + (curious / size) * p * (logp + even[owner])
                by_odds[picked] += pull
                slope = np.zeros_like(out)
                np.add.at(slope, (owner, flat), by_odds)
                self.policy.backward(slope, rate)
                found["even"] += float(even.mean())
                found["moved"] += float(np.mean(before[some] - logp[picked]))
                steps += 1
        self.updates += 1
        if self.updates % settings.renew == 0:
            self.old.append(self.policy.copy())
            if len(self.old) > settings.keep + 1:
                # A game under way may still ask for it: the place of one that goes is taken by the newest.
                newest = self.old.pop()
                self.old[1 + (self.updates // settings.renew) % settings.keep] = newest
        return {name: total / max(1, steps) for name, total in found.items()} | {"surprise": surprise}

    def run(self, over: Callable[[], float], tell: Callable[[str], None]) -> None:
        """Play and learn until `over`, the part that is done, reaches 1."""
        began = perf_counter()
        done = over()
        while done < 1.0:
            while len(self.ready) < self.settings.batch:
                self.play()
            found = self.learn(done)
            done = over()
            if self.updates % 10 == 0 or done >= 1.0:
                told = " ".join(f"{name} {value:.4f}" for name, value in found.items())
                for rival, name in ((0, "first"), (THUMB, "thumb")):
                    scores = self.scores.pop(rival, [0.0])
                    told += f" {name} {50 + 50 * sum(scores) / len(scores):.1f} % of {len(scores)}"
                pace = self.decisions / (perf_counter() - began)
                counted = f"{self.updates} updates, {self.finished} games, {self.decisions} decisions"
                tell(f"{counted} ({pace:.0f} a second); {told}")

    def net(self, about: dict[str, Any]) -> Net:
        """What has been learnt so far."""
        return Net(self.policy.copy(), self.value.copy(), about)
