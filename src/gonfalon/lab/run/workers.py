"""Who does the work of a study: this process, several of this machine, or those of a Ray cluster.

All stand behind one door, and what a study finds does not depend on who did the work: results come in the order in
which they were asked for. A worker may be killed; what it had in hand is done again.
"""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from threading import Thread
from typing import Final, Generic, Protocol, TypeAlias, TypeVar

from gonfalon.core.basics.errors import OptionError


class Lost(OptionError):
    """There are no workers any more."""


Item = TypeVar("Item")
Done = TypeVar("Done")

ATTEMPTS: Final = 5
"""So often workers may be killed without anything being done in between."""
KILLED: Final = "Worker processes are killed again and again."
FAR: Final = 16
"""So many times as many items as are at work may wait for one that takes long."""


@dataclass(frozen=True)
class Cluster:
    """A Ray cluster, by the address of its head."""

    address: str

    def __str__(self) -> str:
        return f"a Ray cluster at {self.address}"


Workers: TypeAlias = int | Cluster
"""How many processes of this machine, or a cluster."""


class Pool(Protocol):
    """What workers stand behind."""

    width: int
    """How many there are."""

    def submit(self, work: Callable[[Item], Done], item: Item, /) -> Future[Done]:
        """Let one of them do it. A killed worker shows as BrokenProcessPool, here or in the result, where the pool
        does not see to it itself."""
        ...

    def close(self) -> None:
        """Let them go, whatever they are at."""


class Processes:
    """Processes of this machine. They are spawned: a forked one would inherit locks of threads. They end when they are
    let go, and when this process ends, even killed."""

    def __init__(self, width: int) -> None:
        self.width = width
        context = get_context("spawn")
        self.heard, self.gate = context.Pipe(duplex=False)
        self.pool = ProcessPoolExecutor(width, context, follow, (self.heard,))

    def submit(self, work: Callable[[Item], Done], item: Item) -> Future[Done]:
        return self.pool.submit(work, item)

    def close(self) -> None:
        self.pool.shutdown(wait=False, cancel_futures=True)
        self.gate.close()
        self.heard.close()


class Gate(Protocol):
    """The end of a pipe, of whichever kind a system has."""

    def recv(self) -> object: ...


def follow(gate: Gate) -> None:
    """Let a worker end as soon as nobody holds the other end of a pipe. Ctrl-C is for who asked for the study."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def listen() -> None:
        with suppress(EOFError, OSError):
            gate.recv()
        os._exit(0)

    Thread(target=listen, daemon=True).start()


def pool_of(workers: Workers) -> Pool:
    """Raises OptionError where there is no such cluster."""
    if isinstance(workers, int):
        return Processes(workers)
    from gonfalon.lab.run.cluster import RayPool

    return RayPool(workers.address)


Known: TypeAlias = Callable[[Item], Done | None]
"""Tells what need not be done."""
Keep: TypeAlias = Callable[[Item, Done], None]
"""Hears of everything as soon as it is done."""


@dataclass
class Task(Generic[Item, Done]):
    """An item that was begun."""

    item: Item
    future: Future[Done]
    """Another one when it is done again."""
    over: bool


class Team:
    """Workers, from the first to the last thing they do."""

    def __init__(self, workers: Workers) -> None:
        self.workers = workers
        self.opened: Pool | None = None
        self.failed = 0

    def __enter__(self) -> Team:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let the workers go."""
        if self.opened is not None:
            self.opened.close()
            self.opened = None

    @property
    def pool(self) -> Pool:
        """The workers, who are called the first time that they are needed."""
        if self.opened is None:
            self.opened = pool_of(self.workers)
        return self.opened

    @property
    def width(self) -> int:
        """How many there are."""
        return self.workers if isinstance(self.workers, int) else self.pool.width

    def in_order(
        self,
        work: Callable[[Item], Done],
        items: Iterable[Item],
        known: Known[Item, Done] | None = None,
        keep: Keep[Item, Done] | None = None,
        ahead: int = 2,
    ) -> Iterator[Done]:
        """What becomes of the items, in their order. They may be without end, and are taken as workers are free for
        them: so many times as many as there are workers are at work or lie ready. Raises Lost where workers are killed
        again and again, or a cluster vanishes."""
        begun = deque[Task[Item, Done]]()
        for item in items:
            there = None if known is None else known(item)
            if self.workers == 1:
                yield kept(item, work(item), keep) if there is None else there
                continue
            begun.append(self.begin(work, item, there))
            while sum(not task.over for task in begun) >= ahead * self.width or len(begun) >= FAR * self.width:
                self.wait(work, begun, keep)
                yield from finished(begun)
        while begun:
            self.wait(work, begun, keep)
            yield from finished(begun)

    def begin(self, work: Callable[[Item], Done], item: Item, there: Done | None = None) -> Task[Item, Done]:
        """A worker begins with an item, if nothing is there of it."""
        future = Future[Done]()
        if there is not None:
            future.set_result(there)
            return Task(item, future, over=True)
        try:
            future = self.pool.submit(work, item)
        except BrokenProcessPool as error:
            future.set_exception(error)
        return Task(item, future, over=False)

    def wait(self, work: Callable[[Item], Done], begun: deque[Task[Item, Done]], keep: Keep[Item, Done] | None) -> None:
        """Wait until something is done. If a worker was killed, new ones do what all of these had in hand."""
        at_work = [task for task in begun if not task.over]
        if not at_work:
            return
        done = wait([task.future for task in at_work], return_when=FIRST_COMPLETED).done
        if any(isinstance(future.exception(), BrokenProcessPool) for future in done):
            wait([task.future for task in at_work])  # none of the old ones is left when new ones are called
            self.close()
            self.failed += 1
            if self.failed == ATTEMPTS:
                raise Lost(KILLED)
        lost: BaseException | None = None
        for task in at_work:
            if not task.future.done():
                continue
            error = task.future.exception()
            if isinstance(error, BrokenProcessPool):
                task.future = self.begin(work, task.item).future
            elif error is not None:
                lost = lost or error  # what others have done is kept first
            else:
                kept(task.item, task.future.result(), keep)
                task.over, self.failed = True, 0
        if lost is not None:
            raise lost

    def map(self, work: Callable[[int], Done], numbers: range, most: int = 1) -> Iterator[Done]:
        """What becomes of numbers, in their order. Up to `most` of them go to a worker at once, for short work."""
        size = 1 if self.workers == 1 else max(1, min(most, len(numbers) // (4 * self.width)))
        spans = (numbers[at : at + size] for at in range(0, len(numbers), size))
        for found in self.in_order(partial(several, work), spans):
            yield from found


def several(work: Callable[[int], Done], numbers: range) -> list[Done]:
    """What becomes of a span of numbers."""
    return [work(number) for number in numbers]


def kept(item: Item, found: Done, keep: Keep[Item, Done] | None) -> Done:
    """What was done is kept."""
    if keep is not None:
        keep(item, found)
    return found


def finished(begun: deque[Task[Item, Done]]) -> Iterator[Done]:
    """What is done from the first task on, which is forgotten then."""
    while begun and begun[0].over:
        yield begun.popleft().future.result()
