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
from gonfalon.bridges.session import find
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.basics.rng import check_seed
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import Seat
from gonfalon.vector.arrays import Array, arrays_in, checked_actions, plan_of, size_of
from gonfalon.vector.frozen import going
from gonfalon.vector.processes import Rows, VectorError, Worker
from gonfalon.vector.slices import Opponent, Settings, Slice, chosen

STATE: Final = 1024
"""So many bytes at least a game takes beside its arrays."""


def is_count(number: object) -> bool:
    """Whether it is a whole number above 0, of Python or of numpy."""
    return isinstance(number, (int, np.integer)) and not isinstance(number, bool) and int(number) > 0


def check_memory(n: int, needed: int) -> None:
    """Raises OptionError where the machine cannot hold so many bytes, as far as it says how many it can."""
    try:
        there = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return
    if needed > there:
        raise OptionError(f"{n:,} games take some {needed >> 20:,} MB, and this machine has {there >> 20:,}.")


def seeds_of(seed: object, n: int) -> int | list[int | None]:
    """Return one seed for all games, or a list with one or None for each. Raises OptionError."""
    if isinstance(seed, str) or not isinstance(seed, Iterable):
        return check_seed(seed)
    found = [None if one is None else check_seed(one) for one in seed]
    if len(found) != n:
        raise OptionError(f"A list of seeds has one for each of the {n} games, not {len(found)}.")
    return found


def chosen_games(games: object, n: int) -> list[int]:
    """Return the numbers of the games that an array marks. Raises OptionError unless it has a bool for each game."""
    marks = np.asarray(games)
    if marks.shape != (n,) or marks.dtype != np.bool_:
        raise OptionError(f"Games are chosen by an array of {n} bools, not {games!r:.40}.")
    found: list[int] = np.flatnonzero(marks).tolist()
    return found


def several(what: str, given: object) -> tuple[Any, ...]:
    """What was given for an option that takes several. Raises OptionError for one alone, as a text would be."""
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise OptionError(f"A vector takes `{what}` as a tuple, not {given!r:.40}.")
    return tuple(given)


class Vector:
    """`n` games of a kind, stepped together.

    `learners` are the seats that are shown: one, several, "spread" (another one in each game) or None for all. The
    others are played by `opponents`, in the order of their seats from the learner's on, or one for all: levels, bots,
    or functions on a batch (`Policy`). A decision with a single action is made unseen unless `forced`.

    `shown` says what is written: "observations"; "sparse", the same rows as `places`, `values` and `filled`, with room
    for `cells` numbers that are not 0; "views", a row for each of the learner's seats, asked or not; "masks";
    "candidates", the numbers of the legal actions, the first `room` of them, and -1 behind.

    With `once` a game that is over is followed by none: until the next reset its seat to act is -2, nothing is legal,
    and the action that is given for it is not looked at.

    Games follow from the seed alone: game 7 is the same with any number of others and in any number of `processes`
    (which import the calling module, as those of multiprocessing do, so a script keeps its work below
    `if __name__ == "__main__"`). An opponent that is a function keeps this up if it answers each row by itself.

    Raises OptionError, and VectorError where it cannot go on.
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
                raise OptionError(f"A vector needs a whole number of at least one {what}, not {number!r:.40}.")
        if processes > n:
            raise OptionError(f"{n} games cannot be shared out among {processes} processes.")
        n, processes, room, cells = int(n), int(processes), int(room), int(cells)
        self.game = find(game, options)
        self.n = n
        self.layout = {"n": n, "processes": processes, "shown": shown, "room": room, "cells": cells}
        self.numbers = Numbers(self.game)
        if opponents is None and learners is not None:
            opponents = "random"
        if learners is not None and not isinstance(learners, (int, str)):
            learners = several("learners", learners)
        self.settings = Settings(self.game, check_seed(seed), learners, chosen(opponents), forced, last_rows, once)
        seats = len(set(self.settings.learners_of(0)))
        plan = plan_of(self.numbers, n, self.game.seats, seats, room, cells, several("shown", shown))
        check_memory(n, size_of(plan) + n * STATE)
        self.learners = [sorted(set(self.settings.learners_of(lane))) for lane in range(n)]
        """The learner's seats in each game, ascending."""
        block: Any = bytearray(size_of(plan))
        if processes > 1:
            block = multiprocessing.get_context("spawn").RawArray("b", size_of(plan))
        self.arrays = arrays_in(block, plan)
        self.observations: Array | None = self.arrays.get("observations")
        """int8: what each seat that is asked may know."""
        self.views: Array | None = self.arrays.get("views")
        """int8, by game and learner's seat: what each of these seats may know."""
        self.places: Array | None = self.arrays.get("places")
        """int32: where the numbers of `observations` stand that are not 0, ascending, then 0."""
        self.values: Array | None = self.arrays.get("values")
        """int8: which numbers stand there, then 0."""
        self.filled: Array | None = self.arrays.get("filled")
        """int32: how many they are."""
        self.masks: Array | None = self.arrays.get("masks")
        """int8: a one for each legal action."""
        self.candidates: Array | None = self.arrays.get("candidates")
        """int16: the numbers of the legal actions, then -1."""
        self.turns: Array = self.arrays["turns"]
        """int32: which seat is asked."""
        self.counts: Array = self.arrays["counts"]
        """int32: how many actions are legal."""
        self.rewards: Array = self.arrays["rewards"]
        """float32, by game and seat: what each got whose game was ended by the last step, else 0."""
        self.dones: Array = self.arrays["dones"]
        """bool: which games were ended by the last step. What else is shown belongs to the next one."""
        self.illegal: Array = self.arrays["illegal"]
        """bool: which of them by an illegal action, which costs its seat 1 and the others nothing."""
        self.seeds: Array = self.arrays["seeds"]
        """int64: the seed of the game that was ended. Chance in it was drawn from `gonfalon.Rng(seed)`."""
        self.last_rows: Rows = []
        """With `last_rows`: for each game that was ended its number, and by seat what the learners last saw."""
        self.workers: list[Worker] = []
        self.part: Slice | None = None
        self.failed = ""
        self.fresh = True
        """Whether no game has begun yet."""
        self.busy = Lock()
        """Held while games are stepped, by one thread at a time."""
        if processes == 1:
            self.part = Slice(self.settings, self.numbers, self.arrays, 0)
        else:
            bounds = pairwise(n * i // processes for i in range(processes + 1))
            self._employ(Worker(self.settings, block, plan, first, end) for first, end in bounds)

    def _employ(self, workers: Iterable[Worker]) -> None:
        """Start worker processes, all of them or none. Raises OptionError for what cannot be sent to one."""
        try:
            self.workers.extend(workers)
        except (PicklingError, AttributeError, TypeError) as error:
            self.close()
            raise OptionError(f"This cannot be sent to another process: {error!s:.200}.") from None
        except BaseException:
            self.close()
            raise

    def reset(self, seed: int | Sequence[int | None] | None = None, games: object = None) -> None:
        """Begin new games: with a seed those that follow from it, else the next ones.

        Args:
            seed: One seed for all games, or a list with one for each, or None where the next game is wanted. A game
                with a seed of its own is the first game of that seed.
            games: An array of `n` bools, which marks the games that begin anew; the others stay as they are.

        Raises:
            OptionError: For what is no seed, or no such array.
            VectorError: If the vector cannot go on, or no game has begun and not all are chosen.
        """
        seeds = None if seed is None else seeds_of(seed, self.n)
        chosen = list(range(self.n)) if games is None else chosen_games(games, self.n)
        if len(chosen) < self.n:
            self._ready()
        with self._all_or_nothing():
            self.fresh = False
            self.last_rows = []
            orders = []
            for first, end in self._bounds():
                own = seeds[first:end] if isinstance(seeds, list) else seeds
                orders.append((own, [lane - first for lane in chosen if first <= lane < end]))
            self._order("reset", orders)

    def step(self, picks: object) -> None:
        """In each game the legal action of this index, from 0 to `counts` - 1. Any other ends the game, and the seat
        that was asked loses 1. Raises OptionError for what is no array of `n` whole numbers."""
        self._act(picks, False)

    def step_actions(self, actions: object) -> None:
        """The same with the numbers of actions, as masks and candidates count them."""
        self._act(actions, True)

    def _act(self, actions: object, by_number: bool) -> None:
        checked = checked_actions(actions, self.n)
        self._ready()
        with self._all_or_nothing():
            self.arrays["actions"][:] = checked
            bounds = self._bounds()
            found = self._order("step", [(by_number,) for _ in bounds])
            self.last_rows = [
                (first + lane, last) for (first, _), rows in zip(bounds, found, strict=True) for lane, last in rows
            ]

    def _bounds(self) -> list[tuple[int, int]]:
        """The first game of each slice, and that behind its last."""
        return [(worker.first, worker.end) for worker in self.workers] or [(0, self.n)]

    def _order(self, what: str, given: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Call a method of every slice; what each returns. Raises VectorError."""
        if self.part is not None:
            return [getattr(self.part, what)(*given[0])]
        for worker, own in zip(self.workers, given, strict=True):
            worker.send((what, own))
        return [worker.answer() for worker in self.workers]

    def __reduce__(self) -> tuple[object, ...]:
        """Copies and pickles go on as the vector would. Raises VectorError if it cannot go on."""
        with self._alone():
            saved = None if self.fresh else self._order("save", [() for _ in self._bounds()])
            arrays = {name: array.copy() for name, array in self.arrays.items()}
            return going_on, (self.settings, self.layout, saved, arrays, self.last_rows)

    def freeze(self, game: SupportsIndex) -> bytes:
        """A game as it stands, with what its chance and its opponents draw from; every card is in it, so it is nothing
        for a player. Raises OptionError for a game that there is not."""
        self._ready()
        lane = self._lane(game)
        with self._all_or_nothing():
            if self.part is not None:
                return self.part.freeze(lane)
            worker = self._worker_of(lane)
            worker.send(("freeze", (lane - worker.first,)))
            found: bytes = worker.answer()
            return found

    def thaw(self, game: SupportsIndex, data: bytes, seed: int | None = None) -> None:
        """Go on with a frozen game in the place of this one: just as it would have gone on, its next games too, or with
        the chance of another seed. Bytes of `gonfalon.freeze` need one. Raises OptionError and RecordError, and changes
        nothing then."""
        self._ready()
        lane = self._lane(game)
        if not isinstance(data, bytes):
            raise OptionError(f"A frozen game is bytes, not {data!r:.40}.")
        going(self.settings.game, data, seed)  # whatever is refused is refused here, before any process goes on
        with self._all_or_nothing():
            if self.part is not None:
                self.last_rows = self.part.thaw(lane, data, seed)
                return
            worker = self._worker_of(lane)
            worker.send(("thaw", (lane - worker.first, data, seed)))
            self.last_rows = worker.receive()

    def _lane(self, game: SupportsIndex) -> int:
        try:
            lane = index(game)
        except TypeError:
            lane = -1
        if not 0 <= lane < self.n:
            raise OptionError(f"This vector has games 0 to {self.n - 1}, and no {game!r:.40}.")
        return lane

    def _worker_of(self, lane: int) -> Worker:
        return next(worker for worker in self.workers if worker.first <= lane < worker.end)

    def _ready(self) -> None:
        """Raises VectorError."""
        if self.fresh and not self.failed:
            raise VectorError("A vector is reset before its first step.")

    @contextmanager
    def _all_or_nothing(self) -> Iterator[None]:
        """What breaks off here may have stepped some games and not others: nothing can be done after it. Raises
        VectorError."""
        with self._alone():
            try:
                yield
            except BaseException as error:
                self.failed = str(error) or "A step of this vector was interrupted."
                self.close()
                raise

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Keep other threads away. Raises VectorError if one is at work, or the vector cannot go on."""
        if self.failed:
            raise VectorError(self.failed)
        if not self.busy.acquire(blocking=False):
            raise VectorError("Another thread is stepping this vector; only one may at a time.")
        try:
            yield
        finally:
            self.busy.release()

    def close(self) -> None:
        """End the worker processes. The arrays stay as they are."""
        self.failed = self.failed or "This vector is closed."
        for worker in self.workers:
            worker.close()
        self.workers = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def notation(self, number: object) -> str:
        """An action, as masks count them, in the game's notation. Raises OptionError for what is no action's number."""
        return self.numbers.notation(number)

    def named(self, observations: Array) -> dict[str, Array]:
        """The parts of rows by name, in their shapes behind that of the rows, without copies."""
        layout = self.numbers.layout
        return {
            part.name: observations[..., at : at + part.size].reshape(*observations.shape[:-1], *part.shape)
            for part, at in zip(layout.parts, layout.at, strict=True)
        }


def going_on(
    settings: Settings, layout: dict[str, Any], saved: list[bytes] | None, arrays: dict[str, Array], rows: Rows
) -> Vector:
    """Return a vector that goes on as a copied or pickled one would."""
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
    for name, array in arrays.items():
        found.arrays[name][:] = array
    found.last_rows = rows
    return found
