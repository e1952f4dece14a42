"""The server on this machine: one process, one address, one database."""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import uvicorn
from uvicorn.config import LOGGING_CONFIG

from gonfalon.core.errors import GonfalonError
from gonfalon.table import Store, Tables
from gonfalon.table.engines import default_database
from gonfalon.table.retention import POLICY, Policy
from gonfalon.table.tables import PACE
from gonfalon.table.workers import Workers
from gonfalon.web import logs
from gonfalon.web.app import create_app
from gonfalon.web.connections import protocol
from gonfalon.web.limits import Limits
from gonfalon.web.metrics import Metrics
from gonfalon.web.whereabouts import Whereabouts

PORT: Final = 8000
GRACE: Final = 4
"""Seconds that open answers get when the server stops."""


CONNECTIONS: Final = 16_384
LOST: Final = 30_000
"""Milliseconds after which a connection is given up whose other end takes nothing any more."""


class ServeError(GonfalonError):
    """The server cannot start as it was asked to."""


class Server(uvicorn.Server):
    """Says where it is once it can be reached, and ends what would go on for ever before it stops."""

    def __init__(self, config: uvicorn.Config, tables: Tables, address: str, show: bool) -> None:
        super().__init__(config)
        self.tables = tables
        self.address = address
        self.show = show

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self.tables.close()
        await super().shutdown(sockets)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            print(f"Gonfalon's tables are at {self.address} (Ctrl-C stops the server; no game is lost).", flush=True)
            if self.show and has_screen():
                with suppress(webbrowser.Error):
                    webbrowser.open(self.address)


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
) -> None:
    """Serve tables until stopped; without a port at 8000, or where there is room. `think` is how many seconds a
    bot may think about a move; each level has its own if None. `limits` widens what one client may do; 0: no limits.
    `unplayed`, `abandoned` and `export` are those of `retention.Policy`; `base_url` and `proxies` are those of
    `Whereabouts`, `metrics_at` is where `Metrics` are told, and `log` how `logs` are written.

    Raises GonfalonError (port, database, workers, addresses) before anything runs.
    """
    if workers != 1:
        raise ServeError("This server runs in one process; start it with 1 worker.")
    if export is not None:
        prepare_folder(export)
    whereabouts, metrics = Whereabouts(base_url, tuple(proxies)), Metrics()
    logs.set_up(log)
    store = Store(database_url or default_database())
    try:
        if metrics_at is not None:
            metrics.serve(metrics_at)
        listener = listen_anywhere(host) if port is None else listen(host, port)
        tables = Tables(store, pace, bot_runner=Workers(seconds=think), policy=Policy(unplayed, abandoned, export))
        config = uvicorn.Config(
            create_app(tables, limits=Limits(limits), whereabouts=whereabouts, metrics=metrics),
            proxy_headers=bool(proxies),
            forwarded_allow_ips=list(proxies),
            log_config=None if log == "json" else LOGGING_CONFIG,
            # Addresses hold the seats' tokens, so no line of the log may hold an address.
            access_log=False,
            log_level="warning",
            http=protocol(),
            ws="websockets-sansio",
            ws_max_size=1024,
            # Frames come packed, each by itself.
            ws_per_message_deflate=False,
            server_header=False,
            timeout_graceful_shutdown=GRACE,
        )
        allow_connections()
        if threading.current_thread() is threading.main_thread():
            # Uvicorn stops in order, then sends itself the same signal again, which would kill what is left to do.
            signal.signal(signal.SIGTERM, signal.default_int_handler)
        with listener, suppress(KeyboardInterrupt):
            Server(config, tables, address(listener), open_browser).run(sockets=[listener])
    finally:
        store.close()


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
