"""Parts of a vector in processes of their own. All arrays lie in one block of memory that the processes share, and a
word through a pipe says when to begin and that it is done."""

from __future__ import annotations

import contextlib
import multiprocessing
from multiprocessing.connection import Connection, wait
from typing import Any

from gonfalon.bridges.numbers import Numbers
from gonfalon.core.basics.errors import GonfalonError
from gonfalon.core.rules.state import Seat
from gonfalon.vector.arrays import Plan, arrays_in
from gonfalon.vector.slices import Settings, Slice

Rows = list[tuple[int, dict[Seat, bytes]]]
ORDERS = ("reset", "step", "freeze", "thaw", "save", "load")
"""The methods of a slice that a worker calls."""
SECONDS = 5.0
"""So long a worker has to end by itself."""


class VectorError(GonfalonError):
    """A vector that cannot go on: a worker has died, an opponent has failed, or it was closed."""


class Worker:
    """The lanes from `first` to `end`, played by another process."""

    def __init__(self, settings: Settings, block: Any, plan: Plan, first: int, end: int) -> None:
        context = multiprocessing.get_context("spawn")
        self.first = first
        self.end = end
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=work, args=(settings, block, plan, first, end, theirs), daemon=True)
        self.process.start()
        theirs.close()

    def send(self, what: tuple[str, object]) -> None:
        """Ask for something; the answer comes from `receive`. Raises VectorError."""
        try:
            self.pipe.send(what)
        except OSError:
            raise self.dead() from None

    def receive(self) -> Rows:
        """What came of it: the lanes that ended, with their last rows. Raises VectorError."""
        return [(self.first + lane, last) for lane, last in self.answer()]

    def answer(self) -> Any:
        """What was answered. Raises VectorError."""
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
        """What is said of a process that ended by itself."""
        self.process.join(SECONDS)
        return VectorError(f"A worker process of the vector has ended by itself (exit code {self.process.exitcode}).")

    def close(self) -> None:
        """End it."""
        with contextlib.suppress(OSError):
            self.pipe.send(("close", None))
        self.process.join(SECONDS)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()
        self.pipe.close()


def work(settings: Settings, block: Any, plan: Plan, first: int, end: int, pipe: Connection) -> None:
    """What a worker does until it is closed, or until whoever asked it is gone."""
    try:
        arrays = {name: array[first:end] for name, array in arrays_in(block, plan).items()}
        part = Slice(settings, Numbers(settings.game), arrays, first)
        while True:
            what, given = pipe.recv()
            if what == "close":
                return
            found: object = []
            if what in ORDERS:
                found = getattr(part, what)(*given) or []
            pipe.send(("", found))
    except (EOFError, KeyboardInterrupt):
        return
    except Exception as error:
        with contextlib.suppress(OSError):
            pipe.send((f"A worker process of the vector failed: {error}", []))
