"""A watchdog that turns an endless loop in the rules into a finding."""

from __future__ import annotations

import ctypes
import gc
import sys
import threading
import time
from types import TracebackType

REPEAT_SECONDS = 1.0
"""CPU seconds until the exception is raised again, if the block still runs."""


class EndlessLoopError(Exception):
    """Raised inside rules that have run too long."""

    def __str__(self) -> str:
        return "the rules run in an endless loop"


class Watchdog:
    """Raises EndlessLoopError in the thread that made it when a `with` block exceeds its limit of CPU time.

    CPU time of the process is measured, because a busy machine slows sound rules down too. Only Python code can be
    interrupted, not a loop in compiled code. Where the interpreter swallows the exception, as in finalizers, it is
    raised again.

    Args:
        limit: CPU seconds that a block may take.
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
        """Raise the exception whenever the time is over; runs in a thread."""
        while self.open:
            # Polling costs less than a timer for each block, of which there are thousands.
            time.sleep(0.2)
            # Under the lock a block cannot end between the test and the exception.
            with self.lock:
                if self.due and time.process_time() > self.due and not self.is_collecting():
                    self.due = time.process_time() + REPEAT_SECONDS
                    self.fired = True
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(
                        ctypes.c_ulong(self.target), ctypes.py_object(EndlessLoopError)
                    )

    def is_collecting(self) -> bool:
        """Return whether the thread is in a callback of the garbage collector, which would swallow the exception."""
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
            self.stop_clock()
        except EndlessLoopError:  # the exception arrived during the call; the second call cannot be interrupted
            self.stop_clock()

    def stop_clock(self) -> None:
        """Stop the clock, and withdraw an exception that is on its way."""
        with self.lock:
            self.due = 0.0
            if self.fired:  # a pending exception must not reach later code
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self.target), None)

    def close(self) -> None:
        """End the thread."""
        self.open = False
