"""Some lanes of a vector, played in one process: the compiled loop, its arrays, and the opponents."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from gonfalon.bots import Bot, make
from gonfalon.bots.outside.faults import warn_of_fault
from gonfalon.bots.players.uniform import RandomBot
from gonfalon.bridges.numbers import Bytes, Numbers
from gonfalon.bridges.session import Opponents
from gonfalon.core.arrays.lanes import BOT, LEARNER, RANDOM, Lanes
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import NOBODY, OPEN, Seat
from gonfalon.vector.arrays import LANE_ARRAYS, Array, ArrayPlan, check_actions, map_lane_arrays
from gonfalon.vector.frozen import freeze_lane, thaw_game

Policy: TypeAlias = Callable[[Bytes, Bytes, Array], object]
"""An opponent that answers many games at once: a function from observations, masks and turns to the numbers of actions.

It receives the games that wait for it, in any order and number.
"""
Opponent: TypeAlias = "str | Bot | Policy"
SPREAD_LEARNERS = "spread"
"""Value of `learners` for a different seat in each game: seat 0 in game 0, seat 1 in game 1, and so on."""

END_ARRAYS = ("rewards", "dones", "illegal", "seeds")
"""Arrays about games that ended, otherwise zero."""


@dataclass(frozen=True)
class VectorSettings:
    """The common settings of a vector's games."""

    game: Game
    seed: int
    learners: Seat | tuple[Seat, ...] | str | None
    opponents: tuple[Opponent, ...]
    forced: bool
    last_rows: bool
    once: bool = False

    def __post_init__(self) -> None:
        """Check the settings.

        Raises:
            OptionError: The learners or opponents do not fit the game.
        """
        seats = self.game.seats
        if isinstance(self.learners, str) and self.learners != SPREAD_LEARNERS:
            raise OptionError(
                f"Learners must be seats, {SPREAD_LEARNERS!r} or None for all, not {self.learners!r:.40}."
            )
        chosen = self.learners_of(0)
        if not all(0 <= seat < seats for seat in chosen or (-1,)):
            raise OptionError(f"{self.game.title} has seats 0 to {seats - 1}, and the learner needs at least one.")
        needed = seats - len(set(chosen))
        if len(self.opponents) != needed and (not needed or len(self.opponents) != 1):
            why = f"needs one opponent for each other seat ({needed}) or one for all, not {len(self.opponents)}"
            if not needed:
                why = "has no seat for an opponent here. Name the learner's seats, or leave out the opponents"
            raise OptionError(f"{self.game.title} {why}.")
        for opponent in self.opponents:
            make_opponent(opponent, self.game)

    def learners_of(self, lane: int) -> tuple[Seat, ...]:
        """Return the learner's seats in a lane."""
        if self.learners is None:
            return tuple(range(self.game.seats))
        if isinstance(self.learners, str):
            return (lane % self.game.seats,)
        return (self.learners,) if isinstance(self.learners, int) else self.learners

    def others_of(self, lane: int) -> list[Seat]:
        """Return the other seats in a lane, starting after the learner's first one."""
        learners, seats = self.learners_of(lane), self.game.seats
        around = [(learners[0] + near) % seats for near in range(seats)]
        return [seat for seat in around if seat not in learners]


class Slice:
    """The lanes of a vector from `first` on.

    Args:
        settings: The settings of the vector.
        numbers: The numbering of the game.
        arrays: The arrays that the slice writes. Missing arrays of the lanes are added.
        plan: The arrays of these lanes.
        first: The number of the first lane.
    """

    def __init__(
        self, settings: VectorSettings, numbers: Numbers, arrays: dict[str, Array], plan: ArrayPlan, first: int
    ) -> None:
        self.game = settings.game
        self.numbers = numbers
        self.arrays = arrays
        self.first = first
        self.count = len(arrays["turns"])
        self.all = list(range(self.count))
        self.opponents: Opponents[Bot | Policy] = Opponents(settings.opponents)
        made = self.opponents.play(settings.game)
        self.players: list[list[int]] = []
        """By lane and seat: the number of its opponent, -1 for the learner."""
        roles = []
        for lane in range(first, first + self.count):
            players = [-1] * settings.game.seats
            role = [LEARNER] * settings.game.seats
            for i, seat in enumerate(settings.others_of(lane)):
                players[seat] = i if len(made) > 1 else 0
                # Random opponents play in the compiled loop, without views.
                role[seat] = RANDOM if type(made[players[seat]]) is RandomBot else BOT
            self.players.append(players)
            roles.append(role)
        layout = numbers.layout
        start = settings.game.start()
        self.lanes = Lanes(start, layout.writer, layout.size, roles, first, settings.seed, settings.forced)
        self.pairings = settings.game.pairings()
        if self.pairings:
            self.lanes.starts = [game.start() for game in self.pairings]
        self.lanes.last_rows = settings.last_rows
        self.lanes.once = settings.once
        room, cells = (plan[name][0][1] if name in plan else 0 for name in ("candidates", "places"))
        memory, written = map_lane_arrays({name: plan[name] for name in LANE_ARRAYS if name in plan})
        starts = {name: array.ctypes.data - memory.address for name, array in written.items()}
        self.lanes.write_into(memory.cells, starts, room, cells)
        # Another process reads arrays in shared memory, into which compiled code cannot write.
        self.shared = [(arrays[name], array) for name, array in written.items() if name in arrays]
        for name, array in written.items():
            arrays.setdefault(name, array)

    def reset(self, seeds: int | list[int | None] | None, chosen: list[int]) -> None:
        """Start new games in the chosen lanes, from one seed, from one seed for each lane, or after the last games."""
        for lane in chosen:
            if isinstance(seeds, int):
                self.lanes.sow_lane(lane, seeds, self.first + lane)
            elif seeds is not None and (seed := seeds[lane]) is not None:
                # A lane with its own seed plays as lane 0, so its games do not depend on its place in the vector.
                self.lanes.sow_lane(lane, seed, 0)
        self.lanes.reset(chosen)
        self.serve()
        self.publish(chosen)

    def step(self, by_number: bool) -> list[tuple[int, dict[Seat, bytes]]]:
        """Apply `actions`, and return the lanes that ended, with the last rows if they are requested."""
        self.lanes.step(self.arrays["actions"].tolist(), by_number)
        self.serve()
        self.publish(self.all)
        return [(ended.lane, ended.rows) for ended in self.lanes.ended]

    def freeze(self, lane: int) -> bytes:
        """Return the game of a lane as bytes."""
        return freeze_lane(self.lanes, lane)

    def thaw(self, lane: int, data: bytes, seed: int | None) -> list[tuple[int, dict[Seat, bytes]]]:
        """Continue a frozen game in a lane.

        Returns:
            The lane with its last rows, if the game ended without another decision of the learner.

        Raises:
            RecordError: The bytes are damaged. Nothing changes.
            OptionError: The game cannot continue. Nothing changes.
        """
        lanes, arrays = self.lanes, self.arrays
        found = thaw_game(self.game, data, seed)
        lanes.put(lane, found.state, found.seed, found.streams)
        self.serve()
        arrays["turns"][lane] = lanes.turns[lane]
        arrays["counts"][lane] = lanes.counts[lane]
        for name in END_ARRAYS:
            arrays[name][lane] = 0
        self.publish_rows_and_ends()
        return [(ended.lane, ended.rows) for ended in lanes.ended]

    def save(self) -> bytes:
        """Return all games of the slice with their random streams."""
        lanes = self.lanes
        streams = lanes.sources, lanes.dice, lanes.streams
        return pickle.dumps((lanes.states, lanes.seeds, streams, lanes.idle, list(lanes.turns)))

    def load(self, data: bytes) -> None:
        """Continue the games returned by `save`."""
        lanes = self.lanes
        lanes.states, lanes.seeds, streams, lanes.idle, turns = pickle.loads(data)
        lanes.sources, lanes.dice, lanes.streams = streams
        for lane, turn in enumerate(turns):
            if turn == NOBODY:
                lanes.rest(lane)
            else:
                lanes.show(lane)

    def publish(self, begun: list[int]) -> None:
        """Write the seats to act, and the ends of games in the lanes that were stepped or reset."""
        lanes, arrays = self.lanes, self.arrays
        arrays["turns"][:] = np.frombuffer(memoryview(lanes.turns), np.int32)
        arrays["counts"][:] = np.frombuffer(memoryview(lanes.counts), np.int32)
        for name in END_ARRAYS:
            arrays[name][begun] = 0
        self.publish_rows_and_ends()

    def publish_rows_and_ends(self) -> None:
        """Write shared arrays, the sizes of sparse rows, privileged rows, and the ends of games."""
        lanes, arrays = self.lanes, self.arrays
        for shared, written in self.shared:
            shared[:] = written
        if "filled" in arrays:
            arrays["filled"][:] = np.frombuffer(memoryview(lanes.filled), np.int32)
        if (privileged := arrays.get("privileged")) is not None:
            for lane in self.all:
                privileged[lane] = np.frombuffer(lanes.row_of(lane, OPEN), np.int8)
        for ended in lanes.ended:
            arrays["rewards"][ended.lane] = ended.returns
            arrays["dones"][ended.lane] = True
            arrays["illegal"][ended.lane] = ended.illegal
            arrays["seeds"][ended.lane] = ended.seed

    def serve(self) -> None:
        """Let the opponents answer until each lane has a decision of the learner."""
        lanes = self.lanes
        while lanes.waiting:
            waiting, lanes.waiting = lanes.waiting, []
            batches: dict[int, tuple[Policy, list[int]]] = {}
            for lane in waiting:
                state = lanes.states[lane]
                game: Any = state.rules if self.pairings else self.game
                player = self.opponents.play(game)[self.players[lane][state.turn]]
                if isinstance(player, Bot):
                    # `think` saves the words of `choose`. `Lanes.answer` checks the action.
                    choice = player.think(state.mask(state.turn), player.budget, lanes.streams[lane])
                    if choice.fault is not None:
                        self.arrays["chosen"][lane] += 1
                        warn_of_fault(player.name, choice)
                    lanes.answer(lane, choice.action)
                else:
                    # One call for all games that wait for the same function.
                    batches.setdefault(id(player), (player, []))[1].append(lane)
            for policy, asked in batches.values():
                self.ask(policy, asked)

    def ask(self, policy: Policy, asked: list[int]) -> None:
        """Let a policy answer these lanes.

        Raises:
            OptionError: Its answer is not an array of actions.
        """
        lanes, numbers = self.lanes, self.numbers
        states = [lanes.states[lane] for lane in asked]
        rows = np.stack([numbers.of_seat(state, state.turn) for state in states])
        masks = np.stack([numbers.mask(state.actions) for state in states])
        turns = np.array([state.turn for state in states], np.int32)
        answers = check_actions(policy(rows, masks, turns), len(asked), "A policy must return")
        for lane, number in zip(asked, answers.tolist(), strict=True):
            action = numbers.action(number)
            if action is None:
                raise OptionError(numbers.unknown(number))
            lanes.answer(lane, action)


def make_opponent(opponent: Opponent, game: Game) -> Bot | Policy:
    """Return an opponent from its notation, or as it is.

    Raises:
        OptionError: It is not an opponent.
    """
    if isinstance(opponent, str):
        return make(opponent, game)
    if not (isinstance(opponent, Bot) or callable(opponent)):
        raise OptionError(f"An opponent must be a level, a bot or a function, not {opponent!r:.40}.")
    return opponent


def list_opponents(opponents: Opponent | Sequence[Opponent] | None) -> tuple[Opponent, ...]:
    """Return opponents as a tuple: one for all, or one for each seat."""
    if opponents is None:
        return ()
    if isinstance(opponents, (str, Bot)) or not isinstance(opponents, Sequence):
        return (opponents,)
    return tuple(opponents)
