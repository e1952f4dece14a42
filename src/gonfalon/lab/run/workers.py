"""The workers of a study: this process, several of this machine, or those of a Ray cluster.

Results come in the order of the items, so that a study finds the same with any workers. What a killed worker was doing
is done again.
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
from typing import TYPE_CHECKING, Final, Generic, Protocol, Self, TypeAlias, TypeVar

from gonfalon.core.basics.errors import OptionError

if TYPE_CHECKING:
    from gonfalon.lab.run.cluster import RayPool


class Lost(OptionError):
    """There are no workers any more."""


Item = TypeVar("Item")
Done = TypeVar("Done")

ATTEMPTS: Final = 5
"""The number of times that workers may be killed without anything being done in between."""
KILLED: Final = "Worker processes are killed again and again."
FAR: Final = 16
"""Items that may wait for one that takes long, as a multiple of those at work."""


@dataclass(frozen=True)
class Cluster:
    """A Ray cluster, by the address of its head."""

    address: str

    def __str__(self) -> str:
        return f"a Ray cluster at {self.address}"


Workers: TypeAlias = int | Cluster
"""A number of processes of this machine, or a cluster."""


class Processes(ProcessPoolExecutor):
    """Processes of this machine, which end at once when they are let go or this process ends, even killed. They are
    spawned: a forked one would inherit locks of threads. One that is killed shows as BrokenProcessPool."""

    def __init__(self, width: int) -> None:
        self.width = width
        context = get_context("spawn")
        self.heard, self.gate = context.Pipe(duplex=False)
        super().__init__(width, context, follow, (self.heard,))

    def close(self) -> None:
        self.shutdown(wait=False, cancel_futures=True)
        self.gate.close()
        self.heard.close()


class Gate(Protocol):
    """The end of a pipe, of any kind of system."""

    def recv(self) -> object: ...


def follow(heard: Gate) -> None:
    """End this process as soon as nobody holds the other end of a pipe. Ctrl-C is for the process of the study."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def listen() -> None:
        with suppress(EOFError, OSError):
            heard.recv()
        os._exit(0)

    Thread(target=listen, daemon=True).start()


def pool_of(workers: Workers) -> Processes | RayPool:
    """Raises OptionError where there is no such cluster."""
    if isinstance(workers, int):
        return Processes(workers)
    from gonfalon.lab.run.cluster import RayPool

    return RayPool(workers.address)


Known: TypeAlias = Callable[[Item], Done | None]
"""Returns what need not be done."""
Keep: TypeAlias = Callable[[Item, Done], None]
"""Called with everything as soon as it is done."""


@dataclass
class Task(Generic[Item, Done]):
    """An item that was begun."""

    item: Item
    future: Future[Done]
    """Another one when it is done again."""
    over: bool = False


class Team:
    """Workers, from the first to the last thing they do."""

    def __init__(self, workers: Workers) -> None:
        self.workers = workers
        self.opened: Processes | RayPool | None = None
        self.failed = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let the workers go."""
        if self.opened is not None:
            self.opened.close()
            self.opened = None

    @property
    def pool(self) -> Processes | RayPool:
        """The workers, begun when they are first needed."""
        if self.opened is None:
            self.opened = pool_of(self.workers)
        return self.opened

    @property
    def width(self) -> int:
        """The number of workers."""
        return self.workers if isinstance(self.workers, int) else self.pool.width

    def in_order(
        self,
        work: Callable[[Item], Done],
        items: Iterable[Item],
        known: Known[Item, Done] = lambda _: None,
        keep: Keep[Item, Done] = lambda _, __: None,
        ahead: int = 2,
    ) -> Iterator[Done]:
        """Yield the results in the order of the items, which may be without end and are taken as workers are free.

        Args:
            work: What is done with each item.
            items: Its arguments.
            known: Returns the result of an item that need not be done, else None.
            keep: Called with each item and its result as soon as that is done.
            ahead: The number of items for each worker that are at work or wait for one.

        Raises:
            Lost: Workers are killed again and again, or a cluster vanishes.
        """
        begun = deque[Task[Item, Done]]()
        for item in items:
            there = known(item)
            if self.workers == 1:
                found = work(item) if there is None else there
                if there is None:
                    keep(item, found)
                yield found
                continue
            begun.append(self.begin(work, item, there))
            while sum(not task.over for task in begun) >= ahead * self.width or len(begun) >= FAR * self.width:
                yield from self.finish(work, begun, keep)
        while begun:
            yield from self.finish(work, begun, keep)

    def begin(self, work: Callable[[Item], Done], item: Item, there: Done | None = None) -> Task[Item, Done]:
        """Let a worker begin with an item, if its result is not there."""
        future = Future[Done]()
        if there is not None:
            future.set_result(there)
            return Task(item, future, over=True)
        try:
            future = self.pool.submit(work, item)
        except BrokenProcessPool as error:
            future.set_exception(error)
        return Task(item, future)

    def finish(
        self, work: Callable[[Item], Done], begun: deque[Task[Item, Done]], keep: Keep[Item, Done]
    ) -> Iterator[Done]:
        """Wait until something is done, and yield what is done from the first task on. If a worker was killed, new ones
        do what all of these were doing."""
        at_work = [task for task in begun if not task.over]
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
                keep(task.item, task.future.result())
                task.over, self.failed = True, 0
        if lost is not None:
            raise lost
        while begun and begun[0].over:
            yield begun.popleft().future.result()

    def map(self, work: Callable[[int], Done], numbers: range, most: int = 1) -> Iterator[Done]:
        """Yield the results of numbers in their order. Up to `most` of them go to a worker at once, for short work."""
        size = 1 if self.workers == 1 else max(1, min(most, len(numbers) // (4 * self.width)))
        spans = (numbers[at : at + size] for at in range(0, len(numbers), size))
        for found in self.in_order(partial(several, work), spans):
            yield from found


def several(work: Callable[[int], Done], numbers: range) -> list[Done]:
    """Return the results of a span of numbers."""
    return [work(number) for number in numbers]
