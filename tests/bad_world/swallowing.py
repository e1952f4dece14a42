"""A proxy that swallows connections: they stay open on both sides, but transfer no more data."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field


@dataclass
class Pipe:
    """A client's connection and its connection to the server."""

    client: socket.socket
    server: socket.socket
    is_socket: bool = False
    """Whether it has become a WebSocket."""
    swallowed: threading.Event = field(default_factory=threading.Event)


class SwallowingProxy:
    """Forwards TCP to a port of this machine until it is set to swallow."""

    def __init__(self, target: int) -> None:
        self.target = target
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self.listener.getsockname()[1]
        self.pipes: list[Pipe] = []
        self.threads: list[threading.Thread] = []
        self.swallows_new = False

    def swallow(self, only_sockets: bool = False) -> None:
        """Block all open connections, or only their WebSockets. In the latter case new connections are forwarded
        normally."""
        self.swallows_new = not only_sockets
        for pipe in self.pipes:
            if pipe.is_socket or not only_sockets:
                pipe.swallowed.set()

    def forward(self) -> None:
        """Forward new connections again. Swallowed ones stay blocked."""
        self.swallows_new = False

    def start(self, target: Callable[..., None], *args: object) -> None:
        self.threads.append(threading.Thread(target=target, args=args, daemon=True))
        self.threads[-1].start()

    def accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self.listener.accept()
                try:
                    server = socket.create_connection(("127.0.0.1", self.target))
                except OSError:
                    client.close()
                    continue
                pipe = Pipe(client, server)
                if self.swallows_new:
                    pipe.swallowed.set()
                self.pipes.append(pipe)
                self.start(self.pump, pipe, client, server)
                self.start(self.pump, pipe, server, client)

    def stop(self) -> None:
        """Close all connections once no thread uses them."""
        self.listener.shutdown(socket.SHUT_RDWR)
        self.threads[0].join()
        ends = [end for pipe in self.pipes for end in (pipe.client, pipe.server)]
        for end in ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        for thread in self.threads:
            thread.join()
        for end in [self.listener, *ends]:
            end.close()

    @staticmethod
    def pump(pipe: Pipe, source: socket.socket, sink: socket.socket) -> None:
        """Read all incoming data, so that its sender believes it has arrived."""
        with suppress(OSError):
            while data := source.recv(65536):
                if source is pipe.client and b"upgrade: websocket" in data.lower():
                    pipe.is_socket = True
                if not pipe.swallowed.is_set():
                    sink.sendall(data)
            if not pipe.swallowed.is_set():
                sink.shutdown(socket.SHUT_WR)


@contextmanager
def swallowing(target: int) -> Iterator[SwallowingProxy]:
    """Run a proxy before a server for the time of a test."""
    proxy = SwallowingProxy(target)
    proxy.start(proxy.accept)
    try:
        yield proxy
    finally:
        proxy.stop()
