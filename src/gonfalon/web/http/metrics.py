"""What an operator may count: requests, moves, how long answers take, what waits.

All of it is about the server as a whole. Even so the number of moves would tell players of a small server that somebody
has answered in secret; so it is no page of the server: it is told at an address of its own (`--metrics`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, start_http_server
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from gonfalon.core.basics.errors import GonfalonError
from gonfalon.table import Tables

SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
MOVES: Final = ("moves.act", "endpoints.act")
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
        self._studies = Counter(
            "gonfalon_studies", "Studies of the Workshop, by what became of them.", ("how",), registry=self.registry
        )
        self.frames = Counter("gonfalon_frames", "Boards and seats pushed to pages.", registry=self.registry)
        self.sockets = Gauge("gonfalon_sockets", "Pages that are open and get news.", registry=self.registry)

    def follow(self, tables: Tables) -> None:
        """Tell of these tables as well."""
        for name, words, count in (
            ("gonfalon_live_tables", "Tables in memory.", lambda: tables.live_count),
            ("gonfalon_bots_waiting", "Thoughts of bots that wait for a worker.", lambda: tables.bots.queue.waiting),
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

    def studied(self, how: str) -> None:
        """A study was asked for, refused, begun, or is over."""
        self._studies.labels(how).inc()

    def serve(self, address: str) -> None:
        """Tell it at an address while the process runs. Raises MetricsError."""
        serve(self.registry, address)


def serve(registry: CollectorRegistry, address: str) -> None:
    """Tell what a registry knows at `PORT` of this machine, or at `HOST:PORT`, while the process runs. Raises
    MetricsError."""
    host, _, port = address.rpartition(":")
    try:
        start_http_server(int(port), host.strip("[]") or "127.0.0.1", registry)
    except (ValueError, OverflowError, OSError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else "that is no port"
        raise MetricsError(f"Metrics cannot be told at {address}: {why}.") from None


class Summed(Collector):
    """What several processes count, as one. What one has counted that has ended stays."""

    def __init__(self, told: Callable[[], list[list[Metric]]]) -> None:
        self.told: Callable[[], list[list[Metric]]] = told

    def collect(self) -> Iterator[Metric]:
        sums: dict[str, Metric] = {}
        values: dict[str, dict[tuple[str, tuple[tuple[str, str], ...]], float]] = {}
        for metric in chain.from_iterable(self.told()):
            sums.setdefault(metric.name, Metric(metric.name, metric.documentation, metric.type))
            added = values.setdefault(metric.name, {})
            for sample in metric.samples:
                if not sample.name.endswith("_created"):  # a time, which cannot be added
                    label = (sample.name, tuple(sorted(sample.labels.items())))
                    added[label] = added.get(label, 0.0) + sample.value
        for name, metric in sums.items():
            for (sample_name, labels), value in values[name].items():
                metric.add_sample(sample_name, dict(labels), value)
            yield metric
