"""Several processes that serve at one address. Their parent hands each the listening socket, restarts a dead one,
kills one that stands still, passes a stop on, and adds up their metrics.

Where the system can, a process is a copy of the parent, which has imported everything: it serves within a tenth of a
second, and shares that memory. The parent has one thread, because a copy of locks that other threads hold never
gets them released.
"""

from __future__ import annotations

import logging
import multiprocessing
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from typing import Final

from prometheus_client import CollectorRegistry
from prometheus_client.metrics_core import Metric

from gonfalon.core.basics.errors import GonfalonError
from gonfalon.review.parent_process import end_with_parent
from gonfalon.table.store.notifications import Alarms
from gonfalon.web import messages
from gonfalon.web.http.metrics import Metrics, MetricsServer, Summed

logger: Final = logging.getLogger("gonfalon.web")
AGAIN: Final = 1.0
"""Seconds after which a process that ends is restarted at once."""
TRIES: Final = 3
"""The number of processes that may end in succession before any was ready; then the server gives up."""
LATEST: Final = 5.0
"""Maximum seconds between two starts of a process that ends before it is ready: its database may be away."""
LAST_WORDS: Final = 10.0
"""Seconds that processes get to stop in order."""
WATCH: Final = 2.0
"""Seconds between two checks that all processes run. One that stands still may hold pages, or the lock of SQLite."""
PATIENCE: Final = 1.0
"""Seconds that a process gets to answer its parent."""
READY: Final = "ready"
CONTEXT: Final = (
    multiprocessing.get_context("fork") if sys.platform == "linux" else multiprocessing.get_context("spawn")
)
Work = Callable[[Metrics, Alarms, Callable[[], None]], None]
"""Serves until stopped. Calls its last argument once it is ready."""


class EndedError(GonfalonError):
    """The processes of a server end as soon as they have started."""


class Process:
    """A process as its parent sees it."""

    def __init__(self, work: Work, alarms: Alarms) -> None:
        self.alarms: Alarms = alarms
        self.pipe, theirs = CONTEXT.Pipe()
        self.started: float = time.monotonic()
        self.ready: bool = False
        self.told: list[Metric] = []
        self.process = CONTEXT.Process(target=_run_process, args=(work, alarms, theirs), name="gonfalon")
        self.process.start()
        # The pipe reports the end of the process only if this copy of its other end is closed.
        theirs.close()

    def ask(self, counts: bool = False) -> list[Metric] | None:
        """Return the answer of the process, with its metrics if they are asked for; None if it gives none in time."""
        with suppress(OSError, EOFError):
            while self.pipe.poll():
                self.pipe.recv()  # an answer that came too late
            self.pipe.send(counts)
            if self.pipe.poll(PATIENCE):
                answer: list[Metric] = self.pipe.recv()
                return answer
        return None

    def counted(self) -> list[Metric]:
        """Return the metrics of the process, which are current if it answers in time."""
        self.told = self.ask(counts=True) or self.told
        return self.told


class Processes:
    """All processes of a server. `metrics` is the server of their metrics."""

    def __init__(
        self, work: Work, count: int, reached: Callable[[], None], metrics: MetricsServer | None = None
    ) -> None:
        self.work: Work = work
        self.reached: Callable[[], None] = reached
        self.metrics: MetricsServer | None = metrics
        self.running: list[Process] = []
        semaphores = [CONTEXT.Semaphore(0) for _ in range(count)]
        self._free: list[Alarms] = [Alarms(semaphores, number) for number in range(count)]
        """The alarms of processes that do not run."""
        self._ended: list[Metric] = []
        self._failures: int = 0
        self._served: bool = False
        """Whether any process was ever ready."""

    def run(self) -> None:
        """Run this number of processes until interrupted."""
        # Shared by all, so that none complains of what a killed process has left.
        resource_tracker.ensure_running()
        try:
            waiting = True
            while True:
                while self._free:
                    self.running.append(Process(self.work, self._free.pop()))
                self._wait()
                if waiting and all(process.ready for process in self.running):
                    waiting = False
                    self.reached()
        finally:
            self.stop()

    def _wait(self) -> None:
        """Wait until a process is ready or has ended, or metrics are requested, and check that all run."""
        ends = [process.process.sentinel for process in self.running]
        starting = [process.pipe for process in self.running if not process.ready]
        found = wait([*ends, *starting, *([self.metrics.socket] if self.metrics else [])], WATCH)
        if not found:
            self._kill_suspended()
        elif self.metrics and self.metrics.socket in found:
            self.metrics.handle_request()
        for process in list(self.running):
            if process.process.sentinel in found:
                self._bury(process)
            elif process.pipe in found:
                with suppress(OSError, EOFError):
                    process.ready = process.pipe.recv() == READY
                    self._failures = 0
                    self._served = True

    def _kill_suspended(self) -> None:
        """Kill the processes that stand still."""
        for process in (process for process in self.running if process.ready):
            # The first wait proves nothing where the parent stood still too.
            if any(process.ask() is not None for _ in range(3)) or not process.process.is_alive():
                continue
            logger.error("process %s does not answer and is killed", process.process.pid)
            process.process.kill()

    def _bury(self, process: Process) -> None:
        self.running.remove(process)
        self._free.append(process.alarms)
        # Counters of ended processes stay in the sums, which must never decrease.
        self._ended = [*Summed(lambda: [self._ended, process.told]).collect()]
        process.process.join()
        process.pipe.close()
        self._failures += not process.ready
        logger.error("process %s has ended (%s); another one starts", process.process.pid, process.process.exitcode)
        if self._failures >= TRIES and not self._served:
            raise EndedError(messages.ENDED_EARLY)
        # Pauses double, so that failing processes do not restart in a tight loop.
        pause = min(LATEST, AGAIN * 2.0 ** min(self._failures, TRIES))
        time.sleep(max(0.0, process.started + pause - time.monotonic()))

    def stop(self) -> None:
        """Stop all processes in order, and kill those that do not stop in time."""
        for process in self.running:
            process.process.terminate()
        until = time.monotonic() + LAST_WORDS
        for process in self.running:
            process.process.join(max(0.0, until - time.monotonic()))
            if process.process.is_alive():
                process.process.kill()
                process.process.join()

    def counted(self) -> list[list[Metric]]:
        """Return the metrics of all processes, including the counts of ended ones but not their gauges."""
        kept = [metric for metric in self._ended if metric.type != "gauge"]
        return [kept, *(process.counted() for process in self.running if process.ready)]


def run_processes(work: Work, count: int, reached: Callable[[], None], metrics_at: str | None) -> None:
    """Serve in this number of processes until interrupted. `reached` is called when all are ready. Raises EndedError,
    MetricsError."""
    registry = CollectorRegistry()
    metrics = None if metrics_at is None else MetricsServer(registry, metrics_at)
    processes = Processes(work, count, reached, metrics)
    registry.register(Summed(processes.counted))
    processes.run()


# ---- in the process ---------------------------------------------------------------------------------


def _run_process(work: Work, alarms: Alarms, pipe: Connection) -> None:
    end_with_parent()
    counters = Metrics()

    def reached() -> None:
        pipe.send(READY)
        threading.Thread(target=_answer, args=(counters, pipe), daemon=True).start()

    work(counters, alarms, reached)


def _answer(counters: Metrics, pipe: Connection) -> None:
    with suppress(OSError, EOFError):
        while True:
            pipe.send(list(counters.registry.collect()) if pipe.recv() else [])
