"""The process of a Python program, which receives views and nothing else."""

from __future__ import annotations

import atexit
import json
import os
import signal
import subprocess
import sys
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from math import inf
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Lock, RLock, Thread
from typing import Final, NamedTuple

from gonfalon.bots.outside import messages
from gonfalon.bots.outside.deadline import CHECK_SECONDS, Deadline, measure_work
from gonfalon.bots.outside.faults import FaultError
from gonfalon.bots.outside.protocol import Message
from gonfalon.bots.players.choice import Fault
from gonfalon.core.rules.state import Seat

MAX_PROCESSES: Final = 8
"""Maximum number of programs' processes that one process keeps."""
OUTPUT_VARIABLE: Final = "GONFALON_BOT_OUTPUT"
"""Environment variable with the path of a file for what programs print."""
SECRET_VARIABLES: Final = ("GONFALON_", "PG", "DATABASE_URL")
"""Beginnings of the names of environment variables that a program does not get."""


class Made(NamedTuple):
    """A bot that a process has made."""

    number: int
    mixed: bool
    """Whether it states the probability of each action."""
    source: str
    """The hash of its file."""


class HaltedError(Exception):
    """A question became void before it was answered."""


class Process:
    """A process that holds the bots of one notation, for one seat of one kind of game."""

    def __init__(self, text: str, start_seconds: float, answer_bytes: int) -> None:
        self.lock: Final = RLock()
        """Held for each exchange."""
        self.bots: dict[str, Made] = {}
        """The bots that it has made, by their games."""
        self.answer_bytes = answer_bytes
        with Path(os.environ.get(OUTPUT_VARIABLE) or os.devnull).open("ab") as prints:
            self.child = subprocess.Popen(
                [sys.executable, "-m", "gonfalon.bots.outside.child"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=prints,
                env={name: value for name, value in os.environ.items() if not name.startswith(SECRET_VARIABLES)},
                # Ctrl-C goes to the owner alone, and all processes of the program can be ended together.
                start_new_session=True,
            )
        self.messages: SimpleQueue[bytes] = SimpleQueue()
        self.lines: SimpleQueue[bytes] = SimpleQueue()
        # Pipes have no timeout on all systems, so a thread waits for them. It must not keep its process from ending.
        self.thread = Thread(target=self.transfer_lines, daemon=True)
        self.thread.start()
        self.exchange({"start": text, "path": sys.path}, start_seconds)

    def is_alive(self) -> bool:
        """Return whether the process runs."""
        return self.child.poll() is None

    def exchange(
        self,
        message: dict[str, object],
        seconds: float,
        work_seconds: float = inf,
        halt: Callable[[], bool] | None = None,
    ) -> Message:
        """Send a message and return its answer. A process that does not answer properly is ended.

        Args:
            message: The message.
            seconds: The time for the answer.
            work_seconds: The time after which the answer is late if the process has worked for as long.
            halt: Returns whether the question has become void.

        Raises:
            FaultError: There is no answer in time, or it is too long or not JSON.
            HaltedError: The question became void.
        """
        deadline = Deadline(seconds, work_seconds, partial(measure_work, self.child.pid))
        try:
            self.messages.put(json.dumps(message).encode() + b"\n")
            return self.read(self.wait(deadline, halt))
        except BaseException:  # An interrupted wait leaves the process with an open question, too.
            self.stop()
            raise

    def wait(self, deadline: Deadline, halt: Callable[[], bool] | None) -> bytes:
        """Return the line that answers the last message."""
        while True:
            left = deadline.count_seconds_left()
            with suppress(Empty):
                return self.lines.get(timeout=left if halt is None else min(left, CHECK_SECONDS))
            if halt is not None and halt():
                raise HaltedError
            limit = deadline.find_passed_limit()
            if limit is not None:
                raise FaultError(Fault.SLOW, messages.NO_ANSWER.format(seconds=limit), ended=True)

    def transfer_lines(self) -> None:
        """Write each message and read the line that answers it. An empty line means that the process has ended."""
        given, taken = self.child.stdin, self.child.stdout
        assert given is not None
        assert taken is not None
        line = b"\n"
        while line:
            message = self.messages.get()
            try:
                given.write(message)
                given.flush()
                line = taken.readline(self.answer_bytes + 1)
            except (OSError, ValueError):  # The process has ended, or its pipes have been closed.
                line = b""
            self.lines.put(line)
        for pipe in (given, taken):
            with suppress(OSError):
                pipe.close()

    def read(self, line: bytes) -> Message:
        """Return the JSON object of a line."""
        if not line:
            raise FaultError(Fault.CRASHED, messages.PROCESS_ENDED, ended=True)
        if len(line) > self.answer_bytes:
            raise FaultError(Fault.TOO_LONG, ended=True)
        try:
            body = json.loads(line)
        except (ValueError, RecursionError):
            body = None
        if not isinstance(body, dict):
            raise FaultError(Fault.UNREADABLE, ended=True)
        return body

    def stop(self) -> None:
        """End the process and all that it has started."""
        with suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(self.child.pid, signal.SIGKILL)
            else:
                self.child.kill()
        self.child.wait()
        self.messages.put(b"")
        self.thread.join(CHECK_SECONDS)


class Owner(NamedTuple):
    """The part of a game that a process plays. No process gets the views of two seats."""

    text: str
    game: str
    seat: Seat


class ProcessPool:
    """The processes of all programs that this process owns. They start on first use, and end with this process."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.open: OrderedDict[Owner, Process] = OrderedDict()

    @contextmanager
    def use(self, owner: Owner, start: Callable[[], Process]) -> Iterator[Process]:
        """Yield the running process of an owner, a new one if there is none. No other thread uses it meanwhile."""
        while True:
            process = self.find(owner, start)
            with process.lock:
                # Another thread may have ended it to make room.
                if process.is_alive():
                    yield process
                    return

    def find(self, owner: Owner, start: Callable[[], Process]) -> Process:
        """Return the process of an owner, and end another one if there are too many."""
        with self.lock:
            found = self.open.pop(owner, None)
            if found is not None and not found.is_alive():
                found.stop()
                found = None
            found = found or start()
            self.open[owner] = found
            if len(self.open) > MAX_PROCESSES:
                self.end_idle()
            return found

    def end_idle(self) -> None:
        """End the process that has been idle for the longest time."""
        for owner, process in list(self.open.items())[:-1]:
            if process.lock.acquire(blocking=False):
                del self.open[owner]
                process.stop()
                process.lock.release()
                return

    def close(self) -> None:
        """End all processes."""
        with self.lock:
            while self.open:
                self.open.popitem()[1].stop()

    def forget(self) -> None:
        """Forget all processes, because this process is a copy of their owner."""
        self.lock = Lock()
        self.open = OrderedDict()


PROCESSES: Final = ProcessPool()
"""The processes of this process."""
atexit.register(PROCESSES.close)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=PROCESSES.forget)
