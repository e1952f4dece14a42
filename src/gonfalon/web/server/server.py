"""The server on this machine: one or several processes, one address, one database."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
import sys
import threading
import time
import webbrowser
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Final

import anyio
import uvicorn
from uvicorn.config import LOGGING_CONFIG

from gonfalon.core.basics.errors import GonfalonError
from gonfalon.core.text.english import many
from gonfalon.review.parent_process import end_with_parent
from gonfalon.table import Store, Tables
from gonfalon.table.bots.own_bots import OwnBot, check_own_bots, offer_own_bots
from gonfalon.table.bots.workers import Workers
from gonfalon.table.live.retention import NOTHING, POLICY, Policy, Stock
from gonfalon.table.live.tables import PACE
from gonfalon.table.shared.garbage import limit_collections
from gonfalon.table.store.engines import default_database
from gonfalon.table.store.notifications import Alarms
from gonfalon.web import messages
from gonfalon.web.http import logs
from gonfalon.web.http.addresses import ServerAddress
from gonfalon.web.http.connections import limit_protocol
from gonfalon.web.http.metrics import Metrics, MetricsServer
from gonfalon.web.http.rate_limits import Limits, divide_limits
from gonfalon.web.server import processes
from gonfalon.web.server.application import create_app
from gonfalon.web.server.house_sets import read_house_sets
from gonfalon.web.table.live import HEARTBEAT_S
from gonfalon.web.workshop.study_jobs import SECONDS

logger: Final = logging.getLogger("gonfalon.web")
PORT: Final = 8000
GRACE: Final = 4
"""Seconds that open responses get when the server stops."""


CONNECTIONS: Final = 16_384
LOST: Final = 30_000
"""Milliseconds after which a connection is dropped whose other end reads nothing."""


class ServeError(GonfalonError):
    """The server cannot start with these settings."""


class Server(uvicorn.Server):
    """Reports that it is ready, and ends endless streams before it stops."""

    def __init__(self, config: uvicorn.Config, tables: Tables, reached: Callable[[], None]) -> None:
        super().__init__(config)
        self.tables = tables
        self.reached = reached
        self.leave: Callable[[], object] = lambda: None
        """Ends the main loop."""

    async def main_loop(self) -> None:
        """Run until stopped, and wake once a second for the date in responses. Uvicorn would wake ten times."""
        leaving = asyncio.Event()
        self.leave = partial(asyncio.get_running_loop().call_soon_threadsafe, leaving.set)
        while not await self.on_tick(0):
            with suppress(TimeoutError):
                await asyncio.wait_for(leaving.wait(), 1.0)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        super().handle_exit(sig, frame)
        self.leave()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        # Streams end first; otherwise Uvicorn would wait for them until the grace is over.
        self.tables.close()
        await super().shutdown(sockets)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self.reached()


@dataclass(frozen=True)
class Settings:
    """The settings of all processes; see `serve`."""

    database_url: str
    workers: int
    pace: float
    think: float | None
    own_bots: tuple[OwnBot, ...]
    limits: float
    policy: Policy
    base_url: str
    proxies: tuple[str, ...]
    log: logs.Form
    study: float
    bot_accounts: bool
    reload: bool


def serve(
    host: str = "127.0.0.1",
    port: int | None = None,
    database_url: str | None = None,
    open_browser: bool = False,
    workers: int = 1,
    pace: float = PACE,
    think: float | None = None,
    own_bots: Sequence[str] = (),
    limits: float = 1.0,
    unplayed: float = POLICY.unplayed,
    abandoned: float = POLICY.abandoned,
    export: Path | None = None,
    base_url: str = "",
    proxies: Sequence[str] = (),
    metrics_at: str | None = None,
    log: logs.Form = "text",
    study: float = SECONDS,
    bot_accounts: bool = False,
    cards: Sequence[str] = (),
    reload: bool = False,
) -> None:
    """Serve tables until stopped.

    Args:
        port: The port; by default 8000, or a free one.
        think: Seconds that a bot may think about a move; None for the time of its level.
        own_bots: Bots of the operator, as NAME=BOT.
        limits: A factor for all limits of a client; 0 for no limits.
        unplayed, abandoned, export: The retention (`retention.Policy`).
        base_url, proxies: The address (`ServerAddress`).
        metrics_at: The address of the metrics.
        log: The form of the log (`web/http/logs.py`).
        study: The CPU time that a study in the Workshop may take; 0 disables the Workshop.
        bot_accounts: Whether programs may play by bot accounts.
        workers: The number of processes.
        cards: The files of the house sets of cards, each with `GAME=` before it or the game in the file.
        reload: Whether to restart after each change of an installed game.

    Raises:
        GonfalonError: A port, database, number or address is invalid; nothing runs then.
    """
    if workers < 1:
        raise ServeError(messages.NO_WORKERS)
    house_sets = read_house_sets(cards)
    if reload and (workers > 1 or metrics_at is not None):
        raise ServeError(messages.NO_RELOAD)
    if export is not None:
        prepare_folder(export)
    own = check_own_bots(own_bots)
    url = database_url or default_database()
    policy = Policy(unplayed, abandoned, export)
    settings = Settings(
        url, workers, pace, think, own, limits, policy, base_url, tuple(proxies), log, study, bot_accounts, reload
    )
    # Created for its checks only, before anything is opened.
    ServerAddress(base_url, settings.proxies)
    logs.configure_log(log)
    store = Store(url)
    store.set_house_sets(house_sets, time.time())
    try:
        listener = listen_anywhere(host) if port is None else open_socket(host, port)
        with listener, suppress(KeyboardInterrupt):
            start_processes(settings, listener, store, open_browser, metrics_at, reload)
    finally:
        store.close()


def start_processes(
    settings: Settings, listener: socket.socket, store: Store, open_browser: bool, metrics_at: str | None, reload: bool
) -> None:
    """Serve tables in this process, in several, or in one that restarts after changes."""
    stop_in_order()
    reached = partial(print_address, format_address(listener), open_browser, take_stock(store))
    if reload:
        run_reloading(settings, listener, store, reached)
    elif settings.workers == 1:
        metrics = Metrics()
        if metrics_at is not None:
            threading.Thread(target=MetricsServer(metrics.registry, metrics_at).serve_forever, daemon=True).start()
        run_server(settings, listener, store, metrics, reached)
    else:
        # The processes are copies, which share the games, scripts and templates that this has loaded.
        create_app(Tables(store))
        # The parent only hands out the socket: each process opens the database itself.
        store.close()
        processes.run_processes(partial(serve_as_worker, settings, listener), settings.workers, reached, metrics_at)


def take_stock(store: Store) -> Stock:
    """Archive finished games of older rules that this version can read, and return the counts of all tables.
    Raises StoreError."""
    stock = anyio.run(Tables(store).housekeeper.count_tables)
    for why, count in stock.needs.items():
        logger.warning("%s: %s", many(count, "table"), why)
    return stock


def print_address(where: str, show: bool, stock: Stock) -> None:
    """Print the address of the server, which is ready, and the counts of tables."""
    logs.print_line(messages.SERVING.format(address=where))
    if stock != NOTHING:
        logs.print_line(str(stock))
    if show and has_screen():
        with suppress(webbrowser.Error):
            webbrowser.open(where)


def serve_as_worker(
    settings: Settings, listener: socket.socket, metrics: Metrics, alarms: Alarms | None, reached: Callable[[], None]
) -> None:
    """Serve as one of several processes."""
    logs.configure_log(settings.log)
    store = Store(settings.database_url, alarms)
    try:
        with suppress(KeyboardInterrupt):
            stop_in_order()
            run_server(settings, listener, store, metrics, reached)
    finally:
        store.close()


def run_reloading(settings: Settings, listener: socket.socket, store: Store, reached: Callable[[], None]) -> None:
    """Serve in a process that is replaced after each change of an installed game. Raises ImportError without the
    extra."""
    from gonfalon.web.server import reloading

    store.close()
    reached()
    reloading.run_reloading(partial(serve_replaced, settings, listener))


def serve_replaced(settings: Settings, listener: socket.socket) -> None:
    """Serve as a process that is replaced after changes."""
    end_with_parent()
    serve_as_worker(settings, listener, Metrics(), None, lambda: None)


def run_server(
    settings: Settings, listener: socket.socket, store: Store, metrics: Metrics, reached: Callable[[], None]
) -> None:
    """Serve in this process until stopped."""
    bots = Workers(count_bot_workers(settings.workers), settings.think, settings.own_bots)
    offer_own_bots(settings.own_bots)
    tables = Tables(store, settings.pace, bot_runner=bots, policy=settings.policy)
    share = divide_limits(settings.limits, settings.workers)
    config = uvicorn.Config(
        create_app(
            tables,
            limits=Limits(share),
            whereabouts=ServerAddress(settings.base_url, settings.proxies),
            metrics=metrics,
            study_seconds=settings.study,
            bot_accounts=settings.bot_accounts,
            for_author=settings.reload,
        ),
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=list(settings.proxies),
        log_config=None if settings.log == "json" else LOGGING_CONFIG,
        # Addresses hold the seats' tokens, so no line of the log may hold an address.
        access_log=False,
        log_level="warning",
        http=limit_protocol(share),
        ws="websockets-sansio",
        # Pages send nothing over their sockets.
        ws_max_size=1024,
        ws_ping_interval=HEARTBEAT_S,
        ws_ping_timeout=HEARTBEAT_S,
        # Frames come packed, each by itself.
        ws_per_message_deflate=False,
        server_header=False,
        timeout_graceful_shutdown=GRACE,
    )
    allow_connections()
    limit_collections()
    Server(config, tables, reached).run(sockets=[listener])


def count_bot_workers(workers: int) -> int:
    """Return the number of worker processes for bots in each of this number of server processes."""
    return max(1, ((os.cpu_count() or 2) - 1) // workers)


def stop_in_order() -> None:
    """Let Uvicorn stop in order. It then sends itself the same signal again, which would kill the remaining work."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, signal.default_int_handler)


def prepare_folder(folder: Path) -> None:
    """Create the folder for exports, so that an unusable one is reported at once. Raises ServeError."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise ServeError(messages.NO_EXPORT_FOLDER.format(folder=folder, reason=error.strerror)) from None
    if not os.access(folder, os.W_OK | os.X_OK):
        raise ServeError(messages.EXPORT_NOT_WRITABLE.format(folder=folder))


def allow_connections() -> None:
    """Raise the limit of open connections above the usual thousand if the system allows it."""
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
    """Return a socket at the usual port, or at any free one if that is taken."""
    try:
        return open_socket(host, PORT)
    except ServeError:
        return open_socket(host, 0)


def open_socket(host: str, port: int) -> socket.socket:
    """Return a socket of our own, so that a taken port gives a plain error. Raises ServeError."""
    if not 0 <= port < 65536:
        raise ServeError(messages.BAD_PORT.format(port=port))
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    try:
        # On Windows this option would let two servers listen at the same port.
        if sys.platform != "win32":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, LOST)
        listener.bind((host, port))
        listener.listen(2048)
    except OSError as error:
        listener.close()
        raise ServeError(messages.PORT_FAILED.format(port=port, host=host, reason=error.strerror or error)) from None
    return listener


def format_address(listener: socket.socket) -> str:
    """Return the address to type into a browser."""
    host, port = listener.getsockname()[:2]
    if host in ("0.0.0.0", "::"):
        host = "127.0.0.1" if host == "0.0.0.0" else "::1"
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def has_screen() -> bool:
    """Return whether a browser would open in its own window, and not in this terminal."""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
