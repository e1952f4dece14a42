"""The server on this machine: one or several processes, one address, one database."""

from __future__ import annotations

import gc
import logging
import os
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

import anyio
import uvicorn
from uvicorn.config import LOGGING_CONFIG

from gonfalon.core.basics.errors import GonfalonError
from gonfalon.core.text.english import many
from gonfalon.table import Store, Tables
from gonfalon.table.bots.workers import Workers
from gonfalon.table.live.retention import NOTHING, POLICY, Policy, Stock
from gonfalon.table.live.tables import PACE
from gonfalon.table.store.engines import default_database
from gonfalon.web.http import logs
from gonfalon.web.http.addresses import Whereabouts
from gonfalon.web.http.connections import protocol
from gonfalon.web.http.metrics import Metrics
from gonfalon.web.http.rate_limits import Limits
from gonfalon.web.server import processes
from gonfalon.web.server.application import create_app
from gonfalon.web.table.live import HEARTBEAT_S
from gonfalon.web.workshop.study_jobs import SECONDS

logger: Final = logging.getLogger("gonfalon.web")
PORT: Final = 8000
GRACE: Final = 4
"""Seconds that open answers get when the server stops."""


CONNECTIONS: Final = 16_384
LOST: Final = 30_000
"""Milliseconds after which a connection is given up whose other end takes nothing any more."""


class ServeError(GonfalonError):
    """The server cannot start as it was asked to."""


class Server(uvicorn.Server):
    """Says that it can be reached, and ends what would go on for ever before it stops."""

    def __init__(self, config: uvicorn.Config, tables: Tables, reached: Callable[[], None]) -> None:
        super().__init__(config)
        self.tables = tables
        self.reached = reached

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self.tables.close()
        await super().shutdown(sockets)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self.reached()


@dataclass(frozen=True)
class Settings:
    """How tables are served, alike in each process; see `serve`."""

    database_url: str
    workers: int
    pace: float
    think: float | None
    limits: float
    policy: Policy
    base_url: str
    proxies: tuple[str, ...]
    log: logs.Form
    study: float


def serve(
    host: str = "127.0.0.1",
    port: int | None = None,
    database_url: str | None = None,
    open_browser: bool = False,
    workers: int = 1,
    pace: float = PACE,
    think: float | None = None,
    limits: float = 1.0,
    unplayed: float = POLICY.unplayed,
    abandoned: float = POLICY.abandoned,
    export: Path | None = None,
    base_url: str = "",
    proxies: Sequence[str] = (),
    metrics_at: str | None = None,
    log: logs.Form = "text",
    study: float = SECONDS,
) -> None:
    """Serve tables until stopped; without a port at 8000, or where there is room. `think` is how many seconds a
    bot may think about a move; each level has its own if None. `limits` widens what one client may do; 0: no limits.
    `unplayed`, `abandoned` and `export` are those of `retention.Policy`; `base_url` and `proxies` are those of
    `Whereabouts`, `metrics_at` is where `Metrics` are told, and `log` how `logs` are written. A study in the
    Workshop may take `study` seconds of CPU time; 0: there is no Workshop. There are so many `workers`: processes that
    serve.

    Raises GonfalonError (port, database, workers, addresses) before anything runs.
    """
    if workers < 1:
        raise ServeError("A server needs one worker at least.")
    if export is not None:
        prepare_folder(export)
    url = database_url or default_database()
    policy = Policy(unplayed, abandoned, export)
    settings = Settings(url, workers, pace, think, limits, policy, base_url, tuple(proxies), log, study)
    metrics = Metrics()
    Whereabouts(base_url, settings.proxies)
    logs.set_up(log)
    store = Store(url)
    try:
        listener = listen_anywhere(host) if port is None else listen(host, port)
        with listener, suppress(KeyboardInterrupt):
            stop_in_order()
            reached = partial(tell, address(listener), open_browser, take_stock(store))
            if workers == 1:
                if metrics_at is not None:
                    metrics.serve(metrics_at)
                run(settings, listener, store, metrics, reached)
            else:
                store.close()
                processes.run(partial(work, settings, listener), workers, reached, metrics_at)
    finally:
        store.close()


def take_stock(store: Store) -> Stock:
    """Archive the finished games of an older version, as far as this one can read them, and count what it finds. Raises
    StoreError."""
    stock = anyio.run(Tables(store).housekeeper.take_stock)
    for why, count in stock.needs.items():
        logger.warning("%s: %s", many(count, "table"), why)
    return stock


def tell(where: str, show: bool, stock: Stock) -> None:
    """Say where the server is, now that it can be reached, and what becomes of its tables."""
    print(f"Gonfalon's tables are at {where} (Ctrl-C stops the server; no game is lost).", flush=True)
    if stock != NOTHING:
        print(stock, flush=True)
    if show and has_screen():
        with suppress(webbrowser.Error):
            webbrowser.open(where)


def work(settings: Settings, listener: socket.socket, metrics: Metrics, reached: Callable[[], None]) -> None:
    """Be one of several processes."""
    logs.set_up(settings.log)
    store = Store(settings.database_url)
    try:
        with suppress(KeyboardInterrupt):
            stop_in_order()
            run(settings, listener, store, metrics, reached)
    finally:
        store.close()


def run(
    settings: Settings, listener: socket.socket, store: Store, metrics: Metrics, reached: Callable[[], None]
) -> None:
    """Serve in this process until stopped."""
    bots = Workers(share_of_bots(settings.workers), settings.think)
    tables = Tables(store, settings.pace, bot_runner=bots, policy=settings.policy)
    config = uvicorn.Config(
        create_app(
            tables,
            limits=Limits(settings.limits),
            whereabouts=Whereabouts(settings.base_url, settings.proxies),
            metrics=metrics,
            study_seconds=settings.study,
        ),
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=list(settings.proxies),
        log_config=None if settings.log == "json" else LOGGING_CONFIG,
        # Addresses hold the seats' tokens, so no line of the log may hold an address.
        access_log=False,
        log_level="warning",
        http=protocol(settings.limits),
        ws="websockets-sansio",
        ws_max_size=1024,
        ws_ping_interval=HEARTBEAT_S,
        ws_ping_timeout=HEARTBEAT_S,
        # Frames come packed, each by itself.
        ws_per_message_deflate=False,
        server_header=False,
        timeout_graceful_shutdown=GRACE,
    )
    allow_connections()
    spare_collections()
    Server(config, tables, reached).run(sockets=[listener])


def spare_collections() -> None:
    """Search young objects alone for cycles. Left to itself Python would search all of them, several times a minute:
    with a thousand tables everybody waits for a second then. The tables have it done now and then."""
    gc.freeze()
    gc.set_threshold(10_000, 20, 1_000_000)


def share_of_bots(workers: int) -> int:
    """In how many processes bots think for each of so many that serve."""
    return max(1, ((os.cpu_count() or 2) - 1) // workers)


def stop_in_order() -> None:
    """Uvicorn stops in order, then sends itself the same signal again, which would kill what is left to do."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, signal.default_int_handler)


def prepare_folder(folder: Path) -> None:
    """Make the folder for exports, so that one that cannot be used is told at once. Raises ServeError."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise ServeError(f"The folder {folder} for exports cannot be made: {error.strerror}.") from None
    if not os.access(folder, os.W_OK | os.X_OK):
        raise ServeError(f"The folder {folder} for exports cannot be written into.")


def allow_connections() -> None:
    """Let this process have more connections open than the usual thousand, where the system allows it."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = CONNECTIONS if hard == resource.RLIM_INFINITY else min(CONNECTIONS, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def listen_anywhere(host: str) -> socket.socket:
    """The usual port, or any free one when that is taken."""
    try:
        return listen(host, PORT)
    except ServeError:
        return listen(host, 0)


def listen(host: str, port: int) -> socket.socket:
    """A socket of our own, so that a taken port is told in a sentence. Raises ServeError."""
    if not 0 <= port < 65536:
        raise ServeError(f"A port lies between 0 and 65535; {port} does not.")
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    try:
        if sys.platform != "win32":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, LOST)
        listener.bind((host, port))
        listener.listen(2048)
    except OSError as error:
        listener.close()
        raise ServeError(f"Port {port} of {host} cannot be used: {error.strerror or error}.") from None
    return listener


def address(listener: socket.socket) -> str:
    """The address to type into a browser."""
    host, port = listener.getsockname()[:2]
    if host in ("0.0.0.0", "::"):
        host = "127.0.0.1" if host == "0.0.0.0" else "::1"
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def has_screen() -> bool:
    """Whether a browser would open in a window of its own, and not in this terminal."""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
