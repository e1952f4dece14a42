"""Metrics for operators: requests, moves, response times, queues.

All of them concern the server as a whole. Still, the number of moves could reveal to players of a small server that an
opponent has answered in secret. So metrics are no page of the server but have an address of their own (`--metrics`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from socket import AF_INET6
from typing import Final
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, make_wsgi_app
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from gonfalon.core.basics.errors import GonfalonError
from gonfalon.table import Tables
from gonfalon.web import messages

SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
MOVES: Final = ("moves.apply_actions", "endpoints.apply_actions")
UNKNOWN: Final = "none"
"""The name under which requests without a route are counted."""
SHARED: Final = ("_timestamp_seconds", "_free_bytes")
"""The endings of the names of gauges that are equal in all processes."""


class MetricsError(GonfalonError):
    """Metrics cannot be served at the given address."""


class Metrics:
    """The counters of one server."""

    def __init__(self) -> None:
        # Not the global registry, so that several servers in one process are counted apart.
        self.registry = CollectorRegistry()
        self._requests = Counter(
            "gonfalon_requests", "Answered requests.", ("handler", "status"), registry=self.registry
        )
        self._seconds = Histogram(
            "gonfalon_request_seconds",
            "Seconds from a request to the end of its response.",
            ("handler",),
            buckets=SECONDS,
            registry=self.registry,
        )
        self._moves = Counter("gonfalon_moves", "Accepted moves of people and programs.", registry=self.registry)
        self._studies = Counter(
            "gonfalon_studies", "Events of studies in the Workshop.", ("how",), registry=self.registry
        )
        self.frames = Counter("gonfalon_frames", "Boards and seats pushed to pages.", registry=self.registry)
        self.sockets = Gauge("gonfalon_sockets", "Open pages with a connection for updates.", registry=self.registry)

    def follow(self, tables: Tables) -> None:
        """Include these tables."""
        for name, words, count in (
            ("gonfalon_live_tables", "Tables in memory.", lambda: tables.live_count),
            ("gonfalon_bots_waiting", "Thoughts of bots that wait for a worker.", lambda: tables.bots.queue.waiting),
            ("gonfalon_maintenance", "Processes in maintenance.", lambda: int(tables.state.maintenance)),
            ("gonfalon_backup_timestamp_seconds", "Time of the latest backup.", lambda: tables.state.backed_up),
            ("gonfalon_disk_free_bytes", "Free space of the disk of a SQLite database.", tables.store.free_bytes),
        ):
            Gauge(name, words, registry=self.registry).set_function(count)

    def answered(self, handler: str, status: int, seconds: float) -> None:
        """Count a response, by its handler, status and time in seconds."""
        self._requests.labels(handler, status).inc()
        self._seconds.labels(handler).observe(seconds)
        if handler in MOVES and status < 400:
            self._moves.inc()

    def studied(self, how: str) -> None:
        """Count an event of a study: requested, refused, started or finished."""
        self._studies.labels(how).inc()


class MetricsServer(WSGIServer):
    """Serves a registry at `PORT` of this machine, or at `HOST:PORT`. Raises MetricsError."""

    def __init__(self, registry: CollectorRegistry, address: str) -> None:
        host, _, port = address.rpartition(":")
        if ":" in host:
            self.address_family = AF_INET6
        try:
            # By default only this machine can read them, because they reveal more than pages do.
            super().__init__((host.strip("[]") or "127.0.0.1", int(port)), MetricsHandler)
        except (ValueError, OverflowError, OSError) as error:
            why = error.strerror if isinstance(error, OSError) and error.strerror else messages.NO_PORT
            raise MetricsError(messages.NO_METRICS.format(address=address, reason=why)) from None
        self.set_app(make_wsgi_app(registry))

    def handle_error(self, request: object, client_address: object) -> None:
        """Do nothing when a client leaves, or sends nothing in time."""


class MetricsHandler(WSGIRequestHandler):
    """Answers a request for metrics, and logs none."""

    timeout = 1.0
    """Seconds for which a client that sends nothing can keep others waiting."""

    def log_message(self, format: str, *args: object) -> None:
        """Do nothing."""


class Summed(Collector):
    """The sums over several processes, and for `SHARED` gauges the largest value. Counts of ended processes stay."""

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
                    both = (added.get(label, 0.0), sample.value)
                    added[label] = max(both) if sample.name.endswith(SHARED) else sum(both)
        for name, metric in sums.items():
            for (sample_name, labels), value in values[name].items():
                metric.add_sample(sample_name, dict(labels), value)
            yield metric
