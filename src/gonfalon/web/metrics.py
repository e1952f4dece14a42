"""What an operator may count: requests, moves, how long answers take, what waits.

All of it is about the server as a whole. Even so the number of moves would tell players of a small server that somebody
has answered in secret; so it is no page of the server: it is told at an address of its own (`--metrics`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, start_http_server

from gonfalon.core.errors import GonfalonError
from gonfalon.table import Tables

SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
MOVES: Final = ("moves.act", "api.act")
UNKNOWN: Final = "none"
"""What a request is counted under that no route has taken."""


class MetricsError(GonfalonError):
    """Nothing can be told at the address that was asked for."""


class Metrics:
    """The counters of one server."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._requests = Counter(
            "gonfalon_requests", "Answered requests.", ("handler", "status"), registry=self.registry
        )
        self._seconds = Histogram(
            "gonfalon_request_seconds",
            "From a request to the end of its answer.",
            ("handler",),
            buckets=SECONDS,
            registry=self.registry,
        )
        self._moves = Counter("gonfalon_moves", "Requests of people and programs that moved.", registry=self.registry)
        self.frames = Counter("gonfalon_frames", "Boards and seats pushed to pages.", registry=self.registry)
        self.sockets = Gauge("gonfalon_sockets", "Pages that are open and get news.", registry=self.registry)

    def follow(self, tables: Tables) -> None:
        """Tell of these tables as well."""
        for name, words, count in (
            ("gonfalon_live_tables", "Tables in memory.", lambda: tables.live_count),
            ("gonfalon_bots_waiting", "Thoughts of bots that wait for a worker.", lambda: tables.bot_queue.waiting),
        ):
            self._gauge(name, words, count)

    def _gauge(self, name: str, words: str, count: Callable[[], int]) -> None:
        Gauge(name, words, registry=self.registry).set_function(count)

    def answered(self, handler: str, status: int, seconds: float) -> None:
        """A request was answered: by which handler, with which status, after how many seconds."""
        self._requests.labels(handler, status).inc()
        self._seconds.labels(handler).observe(seconds)
        if handler in MOVES and status < 400:
            self._moves.inc()

    def serve(self, address: str) -> None:
        """Tell it at `PORT` of this machine, or at `HOST:PORT`, while the process runs. Raises MetricsError."""
        host, _, port = address.rpartition(":")
        try:
            start_http_server(int(port), host.strip("[]") or "127.0.0.1", self.registry)
        except (ValueError, OverflowError, OSError) as error:
            why = error.strerror if isinstance(error, OSError) and error.strerror else "that is no port"
            raise MetricsError(f"Metrics cannot be told at {address}: {why}.") from None
