"""A loop inside the rules that never ends is a finding, not the end of the kit."""

from __future__ import annotations

import ctypes
import gc
import sys
import threading
import time
from types import TracebackType

AGAIN = 1.0
"""Seconds of CPU time until it is raised again, if the block is not left."""


class Stuck(Exception):
    """Raised inside rules that have run too long."""

    def __str__(self) -> str:
        return "the rules run in a loop that does not end"


class Watchdog:
    """Raises Stuck in the thread that made it when a `with` block takes longer than `limit` seconds of
    the process's CPU time: a busy machine makes sound rules slow, but only a loop makes them long.

    It reaches Python code only: a loop in compiled code cannot be stopped from inside. Where Stuck is lost,
    as in what the interpreter calls when an object dies, it comes again.
    """

    def __init__(self, limit: float) -> None:
        self.limit = limit
        self.target = threading.get_ident()
        self.due = 0.0
        self.fired = False
        self.open = True
        self.lock = threading.Lock()
        self.thread = threading.Thread(target=self.watch, daemon=True)
        self.thread.start()

    def watch(self) -> None:
        while self.open:
            time.sleep(0.2)
            with self.lock:
                if self.due and time.process_time() > self.due and not self.collecting():
                    self.due = time.process_time() + AGAIN
                    self.fired = True
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self.target), ctypes.py_object(Stuck))

    def collecting(self) -> bool:
        """True while the thread is in a callback of the garbage collector, which would swallow the exception."""
        callbacks = [getattr(callback, "__code__", None) for callback in gc.callbacks]
        frame = sys._current_frames().get(self.target)
        while frame is not None:
            if frame.f_code in callbacks:
                return True
            frame = frame.f_back
        return False

    def __enter__(self) -> None:
        with self.lock:
            self.fired = False
            self.due = time.process_time() + self.limit

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self.rest()
        except Stuck:  # it came just now
            self.rest()

    def rest(self) -> None:
        with self.lock:
            self.due = 0.0
            if self.fired:  # what has not arrived must not arrive later
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self.target), None)

    def close(self) -> None:
        self.open = False
