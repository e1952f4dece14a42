"""Some lanes of a vector, played in one process: the compiled loop, the arrays it writes into, and the opponents."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from gonfalon.bots import Bot
from gonfalon.bots.players.uniform import RandomBot
from gonfalon.bridges.numbers import Bytes, Numbers
from gonfalon.core.arrays.lanes import BOT, LEARNER, RANDOM, Lanes
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import NOBODY, Seat
from gonfalon.lab.run.match import entrant
from gonfalon.vector.arrays import SPARSE, Array, thin_out
from gonfalon.vector.frozen import frozen, going
from gonfalon.vector.networks import SUFFIX, policy_of

Policy: TypeAlias = Callable[[Bytes, Bytes, Array], Any]
"""An opponent that answers many games at once: from observations, masks and turns the numbers of the actions. It is
asked about the games that wait for it; in which order and how many at a time is open."""
Opponent: TypeAlias = "str | Bot | Policy"
SPREAD = "spread"
"""As learners: game 0's is seat 0, game 1's seat 1, and so on around the table."""

ENDS = ("rewards", "dones", "illegal", "seeds")
"""The arrays that tell of games that are over, and else hold nothing."""


@dataclass(frozen=True)
class Settings:
    """What the games of a vector have in common."""

    game: Game
    seed: int
    learners: Seat | tuple[Seat, ...] | str | None
    opponents: tuple[Opponent, ...]
    forced: bool
    last_rows: bool
    once: bool = False

    def __post_init__(self) -> None:
        """Raises OptionError."""
        seats = self.game.seats
        if isinstance(self.learners, str) and self.learners != SPREAD:
            raise OptionError(f"Learners are seats, {SPREAD!r} or None for all, not {self.learners!r:.40}.")
        chosen = self.learners_of(0)
        if not all(0 <= seat < seats for seat in chosen or (-1,)):
            raise OptionError(f"{self.game.title} has seats 0 to {seats - 1}, and at least one is the learner's.")
        needed = seats - len(set(chosen))
        if len(self.opponents) != needed and (not needed or len(self.opponents) != 1):
            why = f"needs {needed} opponents here, not {len(self.opponents)}"
            if not needed:
                why = "has no seat for an opponent here: name the learners' seats, or leave the opponents out"
            raise OptionError(f"{self.game.title} {why}.")
        for opponent in self.opponents:
            made_of(opponent, self.game)

    def learners_of(self, lane: int) -> tuple[Seat, ...]:
        """The learner's seats in a lane."""
        if self.learners is None:
            return tuple(range(self.game.seats))
        if isinstance(self.learners, str):
            return (lane % self.game.seats,)
        return (self.learners,) if isinstance(self.learners, int) else self.learners

    def others_of(self, lane: int) -> list[Seat]:
        """The other seats in a lane, from the learner's first one on."""
        learners, seats = self.learners_of(lane), self.game.seats
        around = [(learners[0] + near) % seats for near in range(seats)]
        return [seat for seat in around if seat not in learners]


class Slice:
    """The lanes `first` and following of a vector, which write into `arrays`."""

    def __init__(self, settings: Settings, numbers: Numbers, arrays: dict[str, Array], first: int) -> None:
        self.game = settings.game
        self.numbers = numbers
        self.arrays = arrays
        self.first = first
        self.count = len(arrays["turns"])
        self.all = list(range(self.count))
        made = [made_of(opponent, settings.game) for opponent in settings.opponents]
        self.players: list[list[Bot | Policy | None]] = []
        roles = []
        for lane in range(first, first + self.count):
            players: list[Bot | Policy | None] = [None] * settings.game.seats
            role = [LEARNER] * settings.game.seats
            for i, seat in enumerate(settings.others_of(lane)):
                players[seat] = made[i if len(made) > 1 else 0]
                role[seat] = RANDOM if type(players[seat]) is RandomBot else BOT
            self.players.append(players)
            roles.append(role)
        layout = numbers.layout
        start = settings.game.start()
        self.lanes = Lanes(start, layout.writer, layout.size, roles, first, settings.seed, settings.forced)
        self.lanes.last_rows = settings.last_rows
        self.lanes.once = settings.once
        self.rows: Array | None = arrays.get("observations")
        if self.rows is None and "places" in arrays:
            self.rows = np.zeros((self.count, layout.size), np.int8)
        self.lanes.rows = bytes_of(self.rows)
        self.lanes.views = bytes_of(arrays.get("views"))
        self.lanes.masks = bytes_of(arrays.get("masks"))
        if "candidates" in arrays:
            self.lanes.room = arrays["candidates"].shape[1]
            self.lanes.candidates = bytes_of(arrays["candidates"])

    def reset(self, seeds: int | list[int | None] | None, chosen: list[int]) -> None:
        """New games in the chosen lanes, which follow from one seed, from one for each lane, or from the last games."""
        for lane in chosen:
            if isinstance(seeds, int):
                self.lanes.sow_lane(lane, seeds, self.first + lane)
            elif seeds is not None and (seed := seeds[lane]) is not None:
                self.lanes.sow_lane(lane, seed, 0)
        self.lanes.reset(chosen)
        self.serve()
        self.publish(chosen)

    def step(self, by_number: bool) -> list[tuple[int, dict[Seat, bytes]]]:
        """Carry out `actions`; of the games that are over the lane and, where they are wanted, the last rows."""
        self.lanes.step(self.arrays["actions"].tolist(), by_number)
        self.serve()
        self.publish(self.all)
        return [(ended.lane, ended.rows) for ended in self.lanes.ended]

    def freeze(self, lane: int) -> bytes:
        """The game that is played in a lane."""
        return frozen(self.lanes, lane)

    def thaw(self, lane: int, data: bytes, seed: int | None) -> list[tuple[int, dict[Seat, bytes]]]:
        """Go on with such a game in a lane; what it was ended with if no decision of the learner was left. Raises
        RecordError and OptionError, and changes nothing then."""
        lanes, arrays = self.lanes, self.arrays
        found = going(self.game, data, seed)
        lanes.put(lane, found.state, found.seed, found.streams)
        self.serve()
        arrays["turns"][lane] = lanes.turns[lane]
        arrays["counts"][lane] = lanes.counts[lane]
        for name in ENDS:
            arrays[name][lane] = 0
        self.publish_rows_and_ends()
        return [(ended.lane, ended.rows) for ended in lanes.ended]

    def save(self) -> bytes:
        """Return all games of the slice as they stand, with what they draw from."""
        lanes = self.lanes
        streams = lanes.sources, lanes.dice, lanes.streams
        return pickle.dumps((lanes.states, lanes.seeds, streams, lanes.idle, list(lanes.turns)))

    def load(self, data: bytes) -> None:
        """Go on with the games that `save` has returned."""
        lanes = self.lanes
        lanes.states, lanes.seeds, streams, lanes.idle, turns = pickle.loads(data)
        lanes.sources, lanes.dice, lanes.streams = streams
        for lane, turn in enumerate(turns):
            if turn == NOBODY:
                lanes.rest(lane)
            else:
                lanes.show(lane)

    def publish(self, begun: list[int]) -> None:
        """Write down whose turn it is, and what has ended in the lanes that were stepped or reset."""
        lanes, arrays = self.lanes, self.arrays
        arrays["turns"][:] = np.frombuffer(memoryview(lanes.turns), np.int32)
        arrays["counts"][:] = np.frombuffer(memoryview(lanes.counts), np.int32)
        for name in ENDS:
            arrays[name][begun] = 0
        self.publish_rows_and_ends()

    def publish_rows_and_ends(self) -> None:
        """Write down the rows where they are sparse, and what has ended."""
        lanes, arrays = self.lanes, self.arrays
        if "places" in arrays:
            assert self.rows is not None
            thin_out(self.rows, *(arrays[name] for name in SPARSE))
        for ended in lanes.ended:
            arrays["rewards"][ended.lane] = ended.returns
            arrays["dones"][ended.lane] = True
            arrays["illegal"][ended.lane] = ended.illegal
            arrays["seeds"][ended.lane] = ended.seed

    def serve(self) -> None:
        """Let the opponents answer until each lane shows a decision of the learner."""
        lanes = self.lanes
        while lanes.waiting:
            waiting, lanes.waiting = lanes.waiting, []
            batches: dict[int, tuple[Policy, list[int]]] = {}
            for lane in waiting:
                state = lanes.states[lane]
                player = self.players[lane][state.turn]
                if isinstance(player, Bot):
                    choice = player.think(state.mask(state.turn), player.budget, lanes.streams[lane])
                    lanes.answer(lane, choice.action)
                else:
                    assert player is not None
                    batches.setdefault(id(player), (player, []))[1].append(lane)
            for policy, asked in batches.values():
                self.ask(policy, asked)

    def ask(self, policy: Policy, asked: list[int]) -> None:
        """Let a policy answer these lanes. Raises OptionError for what it may not answer."""
        lanes, numbers = self.lanes, self.numbers
        states = [lanes.states[lane] for lane in asked]
        rows = np.stack([numbers.of_seat(state, state.turn) for state in states])
        masks = np.stack([numbers.mask(state.actions) for state in states])
        turns = np.array([state.turn for state in states], np.int32)
        answers = np.asarray(policy(rows, masks, turns))
        if answers.shape != (len(asked),) or answers.dtype.kind not in "iu":
            raise OptionError(f"A policy answers {len(asked)} games with as many whole numbers, not {answers!r:.60}.")
        for lane, number in zip(asked, answers.tolist(), strict=True):
            action = numbers.action(number)
            if action is None:
                raise OptionError(numbers.unknown(number))
            lanes.answer(lane, action)


def made_of(opponent: Opponent, game: Game) -> Bot | Policy:
    """An opponent by its level or the file of its network, or as it is. Raises OptionError."""
    if isinstance(opponent, str):
        public = game.without_secrets()
        return policy_of(Path(opponent), public) if opponent.endswith(SUFFIX) else entrant(opponent, public)
    if not (isinstance(opponent, Bot) or callable(opponent)):
        raise OptionError(f"An opponent is a level, a bot or a function, not {opponent!r:.40}.")
    return opponent


def bytes_of(array: Array | None) -> memoryview | None:
    """The memory of an array, byte by byte."""
    return None if array is None else array.data.cast("B")


def chosen(opponents: Opponent | Sequence[Opponent] | None) -> tuple[Opponent, ...]:
    """Opponents as a tuple: one for all, or one for each seat."""
    if opponents is None:
        return ()
    if isinstance(opponents, (str, Bot)) or not isinstance(opponents, Sequence):
        return (opponents,)
    return tuple(opponents)
