"""Worker processes in which bots think, so that a long thought blocks neither the event loop nor another table.

A worker gets the bot's view as JSON, never the position, and returns a `Choice`. Archives of finished games are made in
another process with lower priority.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from concurrent.futures import TimeoutError as NotYet
from dataclasses import dataclass, replace
from functools import lru_cache
from threading import Lock, Thread
from typing import Final, Protocol, TypeVar, cast

from gonfalon import bots, games
from gonfalon.bots import Bot, Budget, Choice
from gonfalon.bots.players.thoughts import noted, thought
from gonfalon.core.basics.rng import Rng
from gonfalon.core.files.record import Record, load
from gonfalon.core.files.state_codec import StateCodec, options_to_text
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import State
from gonfalon.review.parent_process import end_with_parent
from gonfalon.table.bots.own_bots import OwnBot, load_own_bots

SLOTS: Final = 64
"""The number of questions that may be open at once. The next one waits in its thread."""
GLANCE: Final = 0.05
"""Seconds between two checks whether a question is still open."""
LEAST: Final = 0.25
"""The share of its time that a bot keeps even if it has waited that long for a worker."""
LATER: Final = 5
LAST: Final = 19
"""The Unix niceness of bots and of archives, so that pages come first."""
LAST_WORDS: Final = 5.0
"""Maximum seconds to wait for ended processes."""


class Flags(Protocol):
    """Shared numbers by which all workers see which questions are void."""

    def __getitem__(self, slot: int) -> int: ...

    def __setitem__(self, slot: int, flag: int) -> None: ...


_stop: Flags | None = None
T = TypeVar("T")
MakeArchive = Callable[[Record, dict[int, Choice], str | None], bytes]
"""Makes the archive of a game from its record, the bots' thoughts, and the text of the record if it exists."""


@dataclass(frozen=True)
class Question:
    """A question to a worker.

    `asked` is a time of the monotonic clock, which all processes of a machine share. `slot` is the place of the flag
    that says whether the question is void.
    """

    game: str
    options: str
    level: str
    view: dict[str, object]
    seed: int
    seconds: float | None
    asked: float
    slot: int


class BotRunner(Protocol):
    """An interface to let bots think.

    `think` blocks, so it is called in a thread. It returns the choice of a level for the seat whose view is given, or
    None once `gone` returns True, and raises the errors of the bot. `asked` is the time of the question by the
    monotonic clock: a bot that had to wait thinks for a shorter time.
    """

    at_once: int
    """The number of bots that can think at once."""

    def start(self) -> None: ...

    def close(self) -> None: ...

    def alive(self) -> bool:
        """Return whether bots can think now."""
        ...

    def think(
        self,
        codec: StateCodec,
        level: str,
        view: State,
        seed: int,
        gone: Callable[[], bool],
        asked: float | None = None,
    ) -> Choice | None: ...

    def archive(self, make: MakeArchive, record: Record, thoughts: dict[int, Choice]) -> bytes:
        """Return the archive of a finished game, made by `make`. It takes a second or two."""
        ...


class InThread:
    """Lets bots think in the calling thread: for tests, and for bots and games that only this process knows."""

    def __init__(self, make_bot: Callable[[str, Game], Bot]) -> None:
        self.make_bot: Callable[[str, Game], Bot] = make_bot
        self.at_once: int = max(1, (os.cpu_count() or 2) - 1)

    def start(self) -> None:
        """Do nothing: there is no process to start."""

    def close(self) -> None:
        """Do nothing."""

    def alive(self) -> bool:
        return True

    def think(
        self,
        codec: StateCodec,
        level: str,
        view: State,
        seed: int,
        gone: Callable[[], bool],
        asked: float | None = None,
    ) -> Choice | None:
        bot = self.make_bot(level, codec.game)
        choice = bot.choose(view, replace(bot.patience, halt=gone), Rng(seed))
        return None if gone() else choice

    def archive(self, make: MakeArchive, record: Record, thoughts: dict[int, Choice]) -> bytes:
        return make(record, thoughts, None)


class Workers:
    """A pool of processes.

    `seconds` is the time that a bot may think about a move; None for the time of its level. `own` are the bots of the
    operator.
    """

    def __init__(self, count: int | None = None, seconds: float | None = None, own: tuple[OwnBot, ...] = ()) -> None:
        self.own: tuple[OwnBot, ...] = own
        self.at_once: int = count or max(1, (os.cpu_count() or 2) - 1)
        self.seconds: float | None = seconds
        self._lock: Lock = Lock()
        # A fork could copy a lock that another thread holds, so each worker starts as a new interpreter.
        self._context: Final = multiprocessing.get_context("spawn")
        # No lock is needed: each flag is one byte, written by the server only.
        self._flags: Flags = self._context.RawArray("b", SLOTS)
        self._free: list[int] = list(range(SLOTS))
        self._pool: ProcessPoolExecutor | None = None
        self._archives: ProcessPoolExecutor | None = None

    def start(self) -> None:
        """Start the processes without waiting for them."""
        for _ in range(self.at_once):
            self._submit(os.getpid)

    def close(self) -> None:
        """Stop all thinking, and end the processes."""
        with self._lock:
            pools, self._pool, self._archives = (self._pool, self._archives), None, None
        for slot in range(SLOTS):
            self._flags[slot] = 1
        for pool in filter(None, pools):
            processes = list((pool._processes or {}).values())  # from Python 3.14 on: pool.terminate_workers()
            manager = cast("Thread | None", pool._executor_manager_thread)
            pool.shutdown(wait=False, cancel_futures=True)
            for process in processes:
                process.terminate()
            if manager is not None:
                # Python 3.11 writes to this thread when it exits; one that is just closing its pipe makes that fail.
                manager.join(LAST_WORDS)

    def alive(self) -> bool:
        with self._lock:
            processes = list((self._pool._processes or {}).values()) if self._pool is not None else []
            return any(process.is_alive() for process in processes)

    def think(
        self,
        codec: StateCodec,
        level: str,
        view: State,
        seed: int,
        gone: Callable[[], bool],
        asked: float | None = None,
    ) -> Choice | None:
        slot = self._take()
        try:
            with self._lock:  # a codec is no more than one thread's at a time
                body = codec.encode_view(view)
            game, options = codec.game.name, options_to_text(codec.game)
            asked = time.monotonic() if asked is None else asked
            future = self._submit(
                _answer_question, Question(game, options, level, body, seed, self.seconds, asked, slot)
            )
            while True:
                try:
                    # This polls, because a change of the position sends no signal to this thread.
                    choice: Choice = future.result(GLANCE)
                except NotYet:
                    if gone():
                        self._flags[slot] = 1
                        # A question that has not started is dropped at once; a running one ends by its flag.
                        if future.cancel():
                            return None
                else:
                    return None if gone() else choice
        finally:
            # No worker reads the slot any more, so its next question begins without a mark.
            self._flags[slot] = 0
            with self._lock:
                self._free.append(slot)

    def archive(self, make: MakeArchive, record: Record, thoughts: dict[int, Choice]) -> bytes:
        # The worker would load the current card data, so the options carry those of the game.
        body = record.to_json() | {"options": record.game.pinned()}
        noted_thoughts = {number: noted(choice) for number, choice in thoughts.items()}
        with self._lock:
            if self._archives is None:
                self._archives = ProcessPoolExecutor(
                    1, self._context, initializer=_start_worker, initargs=(None, LAST, ())
                )
            pool = self._archives
        try:
            return pool.submit(_make_archive, make, json.dumps(body), record.dumps(), noted_thoughts).result()
        except BrokenExecutor:
            with self._lock:
                # Another thread may have replaced the broken pool already.
                if self._archives is pool:
                    self._archives = None
            raise

    def _take(self) -> int:
        while True:
            with self._lock:
                if self._free:
                    return self._free.pop()
            time.sleep(GLANCE)

    def _submit(self, work: Callable[..., T], *args: object) -> Future[T]:
        with self._lock:
            if self._pool is not None:
                try:
                    return self._pool.submit(work, *args)
                except BrokenExecutor:
                    # A process was killed: what was asked has failed, what is asked from now on gets new ones.
                    pass
            self._pool = ProcessPoolExecutor(
                self.at_once, self._context, initializer=_start_worker, initargs=(self._flags, LATER, self.own)
            )
            return self._pool.submit(work, *args)


# ---- in the worker ------------------------------------------------------------------------------


def _start_worker(flags: Flags | None, rank: int, own: tuple[OwnBot, ...]) -> None:
    global _stop
    _stop = flags
    load_own_bots(own)
    if hasattr(os, "nice"):
        os.nice(rank)
    end_with_parent()


def _answer_question(question: Question) -> Choice:
    codec, bot = _make_bot(question.game, question.options, question.level)
    flags, slot = _stop, question.slot
    assert flags is not None
    budget = bot.patience if question.seconds is None else Budget(seconds=question.seconds)
    if budget.seconds is not None:
        # Time in the queue counts as thinking time, so that players do not wait for both.
        waited = max(0.0, time.monotonic() - question.asked)
        budget = replace(budget, seconds=max(LEAST * budget.seconds, budget.seconds - waited))
    # A worker serves many tables, so a program's faults at one of them do not count at others.
    return bot.begin_game().choose(
        codec.decode_view(question.view), replace(budget, halt=lambda: bool(flags[slot])), Rng(question.seed)
    )


def _make_archive(make: MakeArchive, pinned: str, text: str, thoughts: dict[int, str]) -> bytes:
    record = load(pinned, games.game)
    return make(record, {number: thought(noted) for number, noted in thoughts.items()}, text)


@lru_cache(64)
def _make_bot(name: str, options: str, level: str) -> tuple[StateCodec, Bot]:
    game = games.game(name, **json.loads(options))
    return StateCodec(game), bots.make_level(level, game)
