"""Many games in one call, in arrays."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from operator import index
from pickle import PicklingError
from threading import Lock
from types import TracebackType
from typing import Any, Final, Self, SupportsIndex

import numpy as np

from gonfalon.bridges.numbers import Numbers
from gonfalon.bridges.session import find_game
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.basics.rng import check_seed
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import Seat
from gonfalon.vector.arrays import LANE_ARRAYS, Array, Block, block_size, check_actions, map_arrays, plan_arrays
from gonfalon.vector.frozen import thaw_game
from gonfalon.vector.processes import Rows, VectorError, Worker
from gonfalon.vector.slices import Opponent, Slice, VectorSettings, list_opponents

MIN_GAME_BYTES: Final = 1024
"""Minimum size of a game in memory without its arrays, in bytes."""


def is_count(number: object) -> bool:
    """Return whether a value is a positive integer, of Python or numpy."""
    return isinstance(number, (int, np.integer)) and not isinstance(number, bool) and int(number) > 0


def check_memory(n: int, needed: int) -> None:
    """Check that the machine can hold these bytes, if it reports its memory.

    Raises:
        OptionError: It has less memory.
    """
    try:
        there = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return
    if needed > there:
        raise OptionError(f"{n:,} games need about {needed >> 20:,} MB, and this machine has {there >> 20:,} MB.")


def check_seeds(seed: object, n: int) -> int | list[int | None]:
    """Return one seed for all games, or a list with one or None for each.

    Raises:
        OptionError: A seed is invalid, or the list has another length.
    """
    if isinstance(seed, str) or not isinstance(seed, Iterable):
        return check_seed(seed)
    found = [None if one is None else check_seed(one) for one in seed]
    if len(found) != n:
        raise OptionError(f"A list of seeds must have {n} entries, one for each game, not {len(found)}.")
    return found


def find_chosen_games(games: object, n: int) -> list[int]:
    """Return the numbers of the games that an array marks.

    Raises:
        OptionError: The array does not have a bool for each game.
    """
    marks = np.asarray(games)
    if marks.shape != (n,) or marks.dtype != np.bool_:
        raise OptionError(f"Choose games by an array of {n} bools, not {games!r:.40}.")
    found: list[int] = np.flatnonzero(marks).tolist()
    return found


def check_tuple(what: str, given: object) -> tuple[Any, ...]:
    """Return the values of an option that takes several.

    Raises:
        OptionError: It is a text or not iterable.
    """
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise OptionError(f"`{what}` must be a tuple, not {given!r:.40}.")
    return tuple(given)


class Vector:
    """`n` games of one kind, stepped together.

    `learners` are the learner's seats: one, several, "spread" (a different one in each game) or None for all.
    `opponents` play the others, in the order of their seats after the learner's, or one for all: levels, bots, or
    functions on a batch (`Policy`). A decision with a single action is made automatically unless `forced`.

    `shown` selects the arrays: "observations"; "sparse", the same rows as `places`, `values` and `filled`, with room
    for `cells` nonzero numbers; "views", a row for each of the learner's seats, deciding or not; "masks"; "candidates",
    the numbers of the legal actions, with room for `room`, followed by -1; "privileged", a row with every card, for
    critics only.

    With `once` a finished game is not followed by another: until the next reset its seat to act is -2, no action is
    legal, its action is ignored, and its row is 0; with `last_rows` it is the last one of the learner's first seat.

    Games follow from the seed alone: game 7 is the same with any number of other games and in any number of `processes`
    (which import the calling module, like all of multiprocessing, so a script needs the guard
    `if __name__ == "__main__"`). With a function as opponent this holds if it answers each row independently.

    Args:
        game: A game, its name, or the id of an environment or a task.
        n: The number of games.
        seed: The seed of all games.
        learners: The learner's seats.
        opponents: The players of the other seats; without any, "random" if there are other seats.
        processes: The number of processes among which the games are divided.
        shown: The arrays to write.
        forced: Whether decisions with a single action are shown too.
        room: The maximum number of candidates.
        cells: The maximum number of nonzero numbers in a sparse row.
        last_rows: Whether `last_rows` keeps the last rows of ended games.
        once: Whether a finished game is followed by no other.
        options: Options of the game.

    Raises:
        OptionError: An argument is out of range.
        VectorError: The vector cannot continue.
    """

    def __init__(
        self,
        game: str | Game,
        n: int,
        seed: int = 0,
        learners: Seat | Sequence[Seat] | str | None = None,
        opponents: Opponent | Sequence[Opponent] | None = None,
        processes: int = 1,
        *,
        shown: Sequence[str] = ("observations", "masks"),
        forced: bool = False,
        room: int = 64,
        cells: int = 256,
        last_rows: bool = False,
        once: bool = False,
        **options: object,
    ) -> None:
        for what, number in (("game", n), ("process", processes), ("candidate", room), ("cell", cells)):
            if not is_count(number):
                raise OptionError(f"A vector needs at least one {what}, as an integer, not {number!r:.40}.")
        if processes > n:
            raise OptionError(f"{n} games cannot be divided among {processes} processes.")
        n, processes, room, cells = int(n), int(processes), int(room), int(cells)
        self.game = find_game(game, options)
        self.n = n
        self.layout = {"n": n, "processes": processes, "shown": shown, "room": room, "cells": cells}
        self.numbers = Numbers(self.game)
        if opponents is None and learners is not None:
            opponents = "random"
        if learners is not None and not isinstance(learners, (int, str)):
            learners = check_tuple("learners", learners)
        self.settings = VectorSettings(
            self.game, check_seed(seed), learners, list_opponents(opponents), forced, last_rows, once
        )
        seats = len(set(self.settings.learners_of(0)))
        plan = plan_arrays(self.numbers, n, self.game.seats, seats, room, cells, check_tuple("shown", shown))
        # The memory is checked before it is requested, so that the error is a sentence and not a killed process.
        check_memory(n, block_size(plan) + n * MIN_GAME_BYTES)
        self.learners = [sorted(set(self.settings.learners_of(lane))) for lane in range(n)]
        """Learner's seats in each game, ascending."""
        self.workers: list[Worker] = []
        self.part: Slice | None = None
        block: Block = bytearray(block_size(plan) if processes == 1 else 0)
        if processes == 1:
            self.arrays = map_arrays(block, {name: plan[name] for name in plan if name not in LANE_ARRAYS})
            self.part = Slice(self.settings, self.numbers, self.arrays, plan, 0)
        else:
            # Shared memory without a lock: each worker writes only its own lanes.
            block = multiprocessing.get_context("spawn").RawArray("b", block_size(plan))
            self.arrays = map_arrays(block, plan)
        self.observations: Array | None = self.arrays.get("observations")
        """int8: view of the deciding seat."""
        self.views: Array | None = self.arrays.get("views")
        """int8, by game and learner's seat: view of each of these seats."""
        self.places: Array | None = self.arrays.get("places")
        """int32: positions of the nonzero numbers of `observations`, ascending, then 0."""
        self.values: Array | None = self.arrays.get("values")
        """int8: values of these numbers, then 0."""
        self.filled: Array | None = self.arrays.get("filled")
        """int32: count of these numbers."""
        self.privileged: Array | None = self.arrays.get("privileged")
        """int8: open view from the side of seat 0. No player may see it."""
        self.masks: Array | None = self.arrays.get("masks")
        """int8: 1 for each legal action."""
        self.candidates: Array | None = self.arrays.get("candidates")
        """int16: numbers of the legal actions, then -1."""
        self.turns: Array = self.arrays["turns"]
        """int32: deciding seat."""
        self.counts: Array = self.arrays["counts"]
        """int32: number of legal actions."""
        self.rewards: Array = self.arrays["rewards"]
        """float32, by game and seat: result of each seat if the last step ended the game, else 0."""
        self.dones: Array = self.arrays["dones"]
        """bool: whether the last step ended the game. The other arrays already show the next game."""
        self.chosen: Array = self.arrays["chosen"]
        """int64: the moves that were chosen for programs among the opponents since the vector was made."""
        self.illegal: Array = self.arrays["illegal"]
        """bool: whether an illegal action ended the game, which costs its seat 1 and the others nothing."""
        self.seeds: Array = self.arrays["seeds"]
        """int64: seed of the ended game. Its chance was drawn from `gonfalon.Rng(seed)`."""
        self.last_rows: Rows = []
        """With `last_rows`: the number of each ended game, and the last rows of the learner's seats."""
        self.parts = [slice(*bounds) for bounds in pairwise(n * i // processes for i in range(processes + 1))]
        """The games of each process, almost equally many. `send` and `receive` can step them separately."""
        self.sent: dict[int, Rows] = {}
        """Steps that were sent and not received: by part, the ended games if the step is already made."""
        self.failed = ""
        self.fresh = True
        """Whether no game has started yet."""
        self.busy = Lock()
        """Lock that only one thread can hold while games are stepped."""
        if processes > 1:
            self._employ(Worker(self.settings, block, plan, part.start, part.stop) for part in self.parts)

    def _employ(self, workers: Iterable[Worker]) -> None:
        """Start worker processes, all of them or none.

        Raises:
            OptionError: The settings cannot be sent to a process.
        """
        try:
            self.workers.extend(workers)
        except (PicklingError, AttributeError, TypeError) as error:
            self.close()
            raise OptionError(f"An argument cannot be sent to another process: {error!s:.200}.") from None
        except BaseException:
            self.close()
            raise

    def reset(self, seed: int | Sequence[int | None] | None = None, games: object = None) -> None:
        """Start new games.

        Args:
            seed: One seed for all games, or a list with a seed or None for each; without a seed the next games follow.
                A game
                with its own seed is the first game of that seed.
            games: An array of `n` bools that marks the games to restart; the others continue.

        Raises:
            OptionError: The seed or the array is invalid.
            VectorError: The vector cannot continue, or no game has started and not all are chosen.
        """
        seeds = None if seed is None else check_seeds(seed, self.n)
        chosen = list(range(self.n)) if games is None else find_chosen_games(games, self.n)
        if len(chosen) < self.n:
            self._ready()
        with self._all_or_nothing():
            self.fresh = False
            self.last_rows = []
            orders = []
            for part in self.parts:
                own = seeds[part] if isinstance(seeds, list) else seeds
                orders.append((own, [lane - part.start for lane in chosen if part.start <= lane < part.stop]))
            self._order("reset", orders)

    def step(self, picks: object) -> None:
        """Choose the legal action with this index in each game, from 0 to `counts` - 1.

        All other indices end the game, and the deciding seat loses 1.

        Raises:
            OptionError: There is no array of `n` integers.
        """
        self._act(picks, False)

    def step_actions(self, actions: object) -> None:
        """Choose the action with this number in each game, as in masks and candidates."""
        self._act(actions, True)

    def _act(self, actions: object, by_number: bool) -> None:
        checked = check_actions(actions, self.n)
        self._ready()
        parts = range(len(self.parts))
        with self._all_or_nothing():
            self.arrays["actions"][:] = checked
            self._send(parts, by_number)
            self._receive(parts)

    def send(self, picks: object, part: int | None = None, *, by_number: bool = False) -> None:
        """Start a step and return, so that the caller can compute while other processes step.

        Until `receive` the arrays of these games change. With one process the step is made at once.

        Args:
            picks: For each of these games an index into the legal actions, as in `step`.
            part: The number of one part, whose games are `parts[part]`; None for all.
            by_number: Whether `picks` are numbers of actions, as in `step_actions`.

        Raises:
            OptionError: There is no such part, or `picks` is not an array of integers, one for each of its games.
            VectorError: A step of these games was sent and not received, or the vector cannot continue.
        """
        chosen, lanes = self._find_parts(part)
        checked = check_actions(picks, lanes.stop - lanes.start)
        self._ready()
        if self.sent.keys() & set(chosen):
            raise VectorError("Receive the last step of these games before you send another.")
        with self._all_or_nothing(idle=False):
            self.arrays["actions"][lanes] = checked
            self._send(chosen, by_number)

    def receive(self, part: int | None = None) -> None:
        """Wait for the step that `send` started, in one part or in all. `last_rows` are those of these games.

        Raises:
            OptionError: There is no such part.
            VectorError: No step was sent, or the vector cannot continue.
        """
        chosen, _ = self._find_parts(part)
        if not self.failed and not self.sent.keys() >= set(chosen):
            raise VectorError("Send a step of these games before you receive it.")
        with self._all_or_nothing(idle=False):
            self._receive(chosen)

    def _find_parts(self, part: int | None) -> tuple[Sequence[int], slice]:
        """Return the numbers of one part or of all, and their games.

        Raises:
            OptionError: There is no such part.
        """
        if part is None:
            return range(len(self.parts)), slice(0, self.n)
        if part not in range(len(self.parts)):
            raise OptionError(f"This vector has parts 0 to {len(self.parts) - 1}, not {part!r:.40}.")
        return (part,), self.parts[part]

    def _send(self, parts: Iterable[int], by_number: bool) -> None:
        for part in parts:
            if self.part is not None:
                self.sent[part] = self.part.step(by_number)
            else:
                self.workers[part].send(("step", (by_number,)))
                self.sent[part] = []

    def _receive(self, parts: Iterable[int]) -> None:
        self.last_rows = []
        for part in parts:
            made = self.sent.pop(part)
            self.last_rows += made if self.part is not None else self.workers[part].receive()

    def _order(self, what: str, given: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Call a method of every slice, and return the results.

        Raises:
            VectorError: A process has ended or failed.
        """
        if self.part is not None:
            return [getattr(self.part, what)(*given[0])]
        # Send all orders before waiting, so that workers run in parallel.
        for worker, own in zip(self.workers, given, strict=True):
            worker.send((what, own))
        return [worker.answer() for worker in self.workers]

    def __reduce__(self) -> tuple[object, ...]:
        """Return a copy or pickle that continues like the vector.

        Raises:
            VectorError: The vector cannot continue.
        """
        with self._alone():
            # The lock is held, so that no other thread steps a game between the games and the arrays.
            saved = None if self.fresh else self._order("save", [() for _ in self.parts])
            arrays = {name: array.copy() for name, array in self.arrays.items()}
            return restore_vector, (self.settings, self.layout, saved, arrays, self.last_rows)

    def freeze(self, game: SupportsIndex) -> bytes:
        """Return a game with its random streams as bytes. They contain every card, so no player may see them.

        Raises:
            OptionError: There is no such game.
        """
        self._ready()
        lane = self._lane(game)
        with self._all_or_nothing():
            found: bytes = self._order_for(lane, "freeze")
            return found

    def thaw(self, game: SupportsIndex, data: bytes, seed: int | None = None) -> None:
        """Continue a frozen game in place of a game.

        It continues with its own chance, its later games too, or with that of a seed. Bytes of `gonfalon.freeze` need a
        seed.

        Raises:
            OptionError: There is no such game, or the frozen game cannot continue. Nothing changes.
            RecordError: The bytes are damaged. Nothing changes.
        """
        self._ready()
        lane = self._lane(game)
        if not isinstance(data, bytes):
            raise OptionError(f"A frozen game must be bytes, not {data!r:.40}.")
        thaw_game(self.settings.game, data, seed)  # Refuse bad data here, before any process changes.
        with self._all_or_nothing():
            self.last_rows = [(lane, last) for _, last in self._order_for(lane, "thaw", data, seed)]

    def _lane(self, game: SupportsIndex) -> int:
        try:
            lane = index(game)
        except TypeError:
            lane = -1
        if not 0 <= lane < self.n:
            raise OptionError(f"This vector has games 0 to {self.n - 1}, not {game!r:.40}.")
        return lane

    def _order_for(self, lane: int, what: str, *given: object) -> Any:
        """Call a method of the slice of a game, and return the result.

        Raises:
            VectorError: The process has ended or failed.
        """
        if self.part is not None:
            return getattr(self.part, what)(lane, *given)
        worker = next(worker for worker in self.workers if worker.first <= lane < worker.end)
        worker.send((what, (lane - worker.first, *given)))
        return worker.answer()

    def _ready(self) -> None:
        """Check that the first reset has been done.

        Raises:
            VectorError: It has not.
        """
        if self.fresh and not self.failed:
            raise VectorError("Reset the vector before its first step.")

    @contextmanager
    def _all_or_nothing(self, idle: bool = True) -> Iterator[None]:
        """Close the vector if the body fails, since some games may have been stepped and others not.

        Raises:
            VectorError: Another thread is stepping, a sent step was not received though the vector must be `idle`, or
                the vector cannot continue.
        """
        with self._alone(idle):
            try:
                yield
            except BaseException as error:
                self.failed = str(error) or "A step of this vector was interrupted."
                self.close()
                raise

    @contextmanager
    def _alone(self, idle: bool = True) -> Iterator[None]:
        """Exclude other threads.

        Raises:
            VectorError: Another thread is stepping, a sent step was not received though the vector must be `idle`, or
                the vector cannot continue.
        """
        if self.failed:
            raise VectorError(self.failed)
        if idle and self.sent:
            raise VectorError("Receive the step that was sent first.")
        # Refuse instead of waiting: two threads stepping one vector is a mistake.
        if not self.busy.acquire(blocking=False):
            raise VectorError("Another thread is stepping this vector.")
        try:
            yield
        finally:
            self.busy.release()

    def close(self) -> None:
        """End the worker processes. The arrays remain."""
        self.failed = self.failed or "The vector is closed."
        for worker in self.workers:
            worker.close()
        self.workers = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def notation(self, number: object) -> str:
        """Return the action with a number, as in masks, in the game's notation.

        Raises:
            OptionError: There is no action with this number.
        """
        return self.numbers.notation(number)

    def named(self, observations: Array) -> dict[str, Array]:
        """Return the named parts of rows, each with the shape of the rows followed by its own, without copies."""
        return self.numbers.named(observations)


def restore_vector(
    settings: VectorSettings, layout: dict[str, Any], saved: list[bytes] | None, arrays: dict[str, Array], rows: Rows
) -> Vector:
    """Return a vector that continues like the copied or pickled one."""
    found = Vector(
        settings.game,
        seed=settings.seed,
        learners=settings.learners,
        opponents=settings.opponents,
        forced=settings.forced,
        last_rows=settings.last_rows,
        once=settings.once,
        **layout,
    )
    if saved is not None:
        found._order("load", [(data,) for data in saved])
        found.fresh = False
    # The arrays are copied into the new block, because the workers and the attributes refer to its memory.
    for name, array in arrays.items():
        found.arrays[name][:] = array
    found.last_rows = rows
    return found
