"""Parts of a vector in separate processes.

All arrays are in one block of shared memory; short messages through a pipe start the work and report its end.
"""

from __future__ import annotations

import contextlib
import multiprocessing
from multiprocessing.connection import Connection, wait
from typing import Any

from gonfalon.bridges.numbers import Numbers
from gonfalon.core.basics.errors import GonfalonError
from gonfalon.core.rules.state import Seat
from gonfalon.vector.arrays import ArrayPlan, Block, map_arrays
from gonfalon.vector.slices import Slice, VectorSettings

Rows = list[tuple[int, dict[Seat, bytes]]]
"""The lanes that ended, each with the last rows of its seats."""
WORKER_METHODS = ("reset", "step", "freeze", "thaw", "save", "load")
"""Methods of a slice that a worker may call."""
SHUTDOWN_SECONDS = 5.0
"""Time for a worker to end by itself, in seconds."""


class VectorError(GonfalonError):
    """An error of a vector that cannot continue: a worker died, an opponent failed, or it was closed."""


class Worker:
    """The lanes from `first` to `end`, played by another process."""

    def __init__(self, settings: VectorSettings, block: Block, plan: ArrayPlan, first: int, end: int) -> None:
        context = multiprocessing.get_context("spawn")
        self.first = first
        self.end = end
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=run_worker, args=(settings, block, plan, first, end, theirs), daemon=True)
        self.process.start()
        # Only the worker may hold this end: otherwise its death would not close the pipe.
        theirs.close()

    def send(self, what: tuple[str, object]) -> None:
        """Send an order; `receive` returns the result.

        Raises:
            VectorError: The process has ended.
        """
        try:
            self.pipe.send(what)
        except OSError:
            raise self.dead() from None

    def receive(self) -> Rows:
        """Return the lanes that ended, with their last rows.

        Raises:
            VectorError: The process has ended or failed.
        """
        return [(self.first + lane, last) for lane, last in self.answer()]

    def answer(self) -> Any:
        """Return the result of an order.

        Raises:
            VectorError: The process has ended or failed.
        """
        # A dead process would leave a read of the pipe waiting forever.
        wait([self.pipe, self.process.sentinel])
        try:
            if not self.pipe.poll():
                raise self.dead()
            failed, found = self.pipe.recv()
        except (EOFError, OSError):
            raise self.dead() from None
        if failed:
            raise VectorError(failed)
        return found

    def dead(self) -> VectorError:
        """Return the error for a process that ended by itself."""
        self.process.join(SHUTDOWN_SECONDS)
        return VectorError(f"A worker process of the vector ended unexpectedly (exit code {self.process.exitcode}).")

    def close(self) -> None:
        """End the process."""
        with contextlib.suppress(OSError):
            self.pipe.send(("close", None))
        self.process.join(SHUTDOWN_SECONDS)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()
        self.pipe.close()


def run_worker(settings: VectorSettings, block: Block, plan: ArrayPlan, first: int, end: int, pipe: Connection) -> None:
    """Carry out orders until the worker is closed or its parent ends."""
    try:
        arrays = {name: array[first:end] for name, array in map_arrays(block, plan).items()}
        own = {name: ((end - first, *shape[1:]), kind) for name, (shape, kind) in plan.items()}
        part = Slice(settings, Numbers(settings.game), arrays, own, first)
        while True:
            what, given = pipe.recv()
            if what == "close":
                return
            found: object = []
            if what in WORKER_METHODS:
                found = getattr(part, what)(*given) or []
            pipe.send(("", found))
    except (EOFError, KeyboardInterrupt):
        return
    except Exception as error:
        with contextlib.suppress(OSError):
            pipe.send((f"A worker process of the vector failed: {error}", []))
