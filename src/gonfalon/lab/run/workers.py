"""The workers of a study: this process, several local processes, or those of a Ray cluster.

Results are returned in the order of the items, so a study has the same result with any workers. The work of a killed
worker is repeated.
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


class WorkersLostError(OptionError):
    """An error when no workers are left."""


Item = TypeVar("Item")
Done = TypeVar("Done")

MAX_KILLS: Final = 5
"""Number of consecutive times that workers may be killed before the study gives up."""
WORKERS_KILLED: Final = "Worker processes were killed repeatedly."
"""Error message when workers are killed repeatedly."""
MAX_WAITING_FACTOR: Final = 16
"""Maximum number of items waiting for a slow one, as a multiple of the items at work."""


@dataclass(frozen=True)
class Cluster:
    """A Ray cluster, by the address of its head."""

    address: str

    def __str__(self) -> str:
        return f"a Ray cluster at {self.address}"


Workers: TypeAlias = int | Cluster
"""A number of local processes, or a cluster."""


class Processes(ProcessPoolExecutor):
    """Local processes, which end when the pool is closed or its process ends, even by a kill.

    They are spawned, because a forked process would inherit the locks of threads. A killed process appears as
    `BrokenProcessPool`.
    """

    def __init__(self, width: int) -> None:
        self.width = width
        # The pipe closes when this process ends, even by a kill, and `exit_with_parent` notices that.
        context = get_context("spawn")
        self.heard, self.gate = context.Pipe(duplex=False)
        super().__init__(width, context, exit_with_parent, (self.heard,))

    def close(self) -> None:
        self.shutdown(wait=False, cancel_futures=True)
        self.gate.close()
        self.heard.close()


class PipeEnd(Protocol):
    """The reading end of a pipe, on any system."""

    def recv(self) -> object: ...


def exit_with_parent(heard: PipeEnd) -> None:
    """End this process when the other end of the pipe closes. Ctrl-C is left to the process of the study."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def listen() -> None:
        with suppress(EOFError, OSError):
            heard.recv()
        # A normal exit would wait for the thread pool of the executor.
        os._exit(0)

    Thread(target=listen, daemon=True).start()


def open_pool(workers: Workers) -> Processes | RayPool:
    """Open the workers.

    Raises:
        OptionError: There is no such cluster.
    """
    if isinstance(workers, int):
        return Processes(workers)
    from gonfalon.lab.run.cluster import RayPool

    return RayPool(workers.address)


FindResult: TypeAlias = Callable[[Item], Done | None]
"""A function that returns the stored result of an item, or None."""
SaveResult: TypeAlias = Callable[[Item, Done], None]
"""A function that stores the result of an item as soon as it is done."""


@dataclass
class Task(Generic[Item, Done]):
    """An item whose work has begun."""

    item: Item
    future: Future[Done]
    """Pending result. A new one replaces it when the work is repeated."""
    over: bool = False


class Team:
    """A pool of workers, opened on first use."""

    def __init__(self, workers: Workers) -> None:
        self.workers = workers
        self.opened: Processes | RayPool | None = None
        self.failed = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Dismiss the workers."""
        if self.opened is not None:
            self.opened.close()
            self.opened = None

    @property
    def pool(self) -> Processes | RayPool:
        """The open pool. It is opened on first use."""
        if self.opened is None:
            self.opened = open_pool(self.workers)
        return self.opened

    @property
    def width(self) -> int:
        """Number of workers."""
        return self.workers if isinstance(self.workers, int) else self.pool.width

    def in_order(
        self,
        work: Callable[[Item], Done],
        items: Iterable[Item],
        known: FindResult[Item, Done] = lambda _: None,
        keep: SaveResult[Item, Done] = lambda _, __: None,
        ahead: int = 2,
    ) -> Iterator[Done]:
        """Yield the results in the order of the items, which may be endless and are consumed as workers become free.

        Args:
            work: The function to call with each item.
            items: Its arguments.
            known: Returns the stored result of an item, else None.
            keep: Called with each item and its result as soon as it is done.
            ahead: The number of items for each worker that are at work or waiting.

        Raises:
            Lost: Workers are killed repeatedly, or a cluster disappears.
        """
        begun = deque[Task[Item, Done]]()
        for item in items:
            there = known(item)
            # A single worker is this process, without the cost of another one.
            if self.workers == 1:
                found = work(item) if there is None else there
                if there is None:
                    keep(item, found)
                yield found
                continue
            begun.append(self.begin(work, item, there))
            # The first limit keeps every worker busy. The second one limits memory while a slow item holds back the
            # results.
            while (
                sum(not task.over for task in begun) >= ahead * self.width
                or len(begun) >= MAX_WAITING_FACTOR * self.width
            ):
                yield from self.finish(work, begun, keep)
        while begun:
            yield from self.finish(work, begun, keep)

    def begin(self, work: Callable[[Item], Done], item: Item, there: Done | None = None) -> Task[Item, Done]:
        """Start the work on an item, unless its result is known."""
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
        self, work: Callable[[Item], Done], begun: deque[Task[Item, Done]], keep: SaveResult[Item, Done]
    ) -> Iterator[Done]:
        """Wait for a result, and yield the finished results from the first task on.

        If a worker was killed, new workers repeat all unfinished items.
        """
        at_work = [task for task in begun if not task.over]
        done = wait([task.future for task in at_work], return_when=FIRST_COMPLETED).done
        if any(isinstance(future.exception(), BrokenProcessPool) for future in done):
            wait([task.future for task in at_work])  # No old worker may be left when new ones start.
            self.close()
            # Count kills without progress only: any finished item resets the counter.
            self.failed += 1
            if self.failed == MAX_KILLS:
                raise WorkersLostError(WORKERS_KILLED)
        lost: BaseException | None = None
        for task in at_work:
            if not task.future.done():
                continue
            error = task.future.exception()
            if isinstance(error, BrokenProcessPool):
                task.future = self.begin(work, task.item).future
            elif error is not None:
                lost = lost or error  # Store the other results first.
            else:
                keep(task.item, task.future.result())
                task.over, self.failed = True, 0
        if lost is not None:
            raise lost
        while begun and begun[0].over:
            yield begun.popleft().future.result()

    def map(self, work: Callable[[int], Done], numbers: range, most: int = 1) -> Iterator[Done]:
        """Yield the results of numbers in order.

        A worker receives up to `most` numbers at once, which pays off for short work.
        """
        # Each worker gets at least four spans, so that none is idle for long at the end.
        size = 1 if self.workers == 1 else max(1, min(most, len(numbers) // (4 * self.width)))
        spans = (numbers[at : at + size] for at in range(0, len(numbers), size))
        for found in self.in_order(partial(work_span, work), spans):
            yield from found


def work_span(work: Callable[[int], Done], numbers: range) -> list[Done]:
    """Return the results for a span of numbers."""
    return [work(number) for number in numbers]
