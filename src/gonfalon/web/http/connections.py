"""Limits for connections that send nothing, or too slowly.

Uvicorn waits for the head of a request without limit. Here a connection is closed if the head of its next request is
late or too long, and one address cannot hold many waiting connections. (The guard limits bodies.)
"""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from typing import TYPE_CHECKING, Any, ClassVar, Final

from gonfalon.web import messages

HEAD_SECONDS: Final = 10.0
MOST_HEAD: Final = 64 * 1024
MAX_WAITING: Final = 4000
"""The number of connections of an address that wait for a head. A browser keeps six, and all visitors of a proxy share
an address."""

# At run time the base is the protocol that Uvicorn chooses (see `limit_protocol`).
if TYPE_CHECKING:
    from uvicorn.protocols.http.h11_impl import H11Protocol as Base
    from uvicorn.protocols.http.h11_impl import RequestResponseCycle
else:
    Base = object


class Prompt(Base):
    """A layer in front of a protocol of Uvicorn."""

    waiting: ClassVar[Counter[str]] = Counter()
    most: ClassVar[float] = MAX_WAITING
    _timer: asyncio.TimerHandle | None = None
    _peer: str = ""
    _head: int = 0
    _upgraded: bool = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        peer = transport.get_extra_info("peername")
        self._peer = peer[0] if isinstance(peer, tuple) else ""
        self._await_head()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        cycle: RequestResponseCycle | None = self.cycle  # there is none before the first request
        # Data during a request is its body, which the guard limits.
        if cycle is not None and not cycle.response_complete:
            self._have_head()
        elif not self._upgraded and not self.transport.is_closing():
            self._await_head()
            self._head += len(data)
            if self._head > MOST_HEAD:
                self._refuse("431 Request Header Fields Too Large", messages.HEAD_TOO_LONG)

    def handle_websocket_upgrade(self, event: Any = None) -> None:
        self._have_head()
        self._upgraded = True
        given: list[Any] = [] if event is None else [event]  # httptools has none
        super().handle_websocket_upgrade(*given)

    def connection_lost(self, exc: Exception | None) -> None:
        self._have_head()
        super().connection_lost(exc)

    def _await_head(self) -> None:
        if self._timer is None:
            self._timer = self.loop.call_later(HEAD_SECONDS, self._too_slow)
            self.waiting[self._peer] += 1
            if self.waiting[self._peer] > self.most:
                self._refuse("429 Too Many Requests", messages.TOO_MANY_IDLE, f"retry-after: {HEAD_SECONDS:.0f}\r\n")

    def _have_head(self) -> None:
        self._head = 0
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
            self.waiting[self._peer] -= 1
            if not self.waiting[self._peer]:
                del self.waiting[self._peer]

    def _too_slow(self) -> None:
        self._refuse("408 Request Timeout", messages.TOO_SLOW)

    def _refuse(self, status: str, sentence: str, headers: str = "") -> None:
        self._have_head()
        if not self.transport.is_closing():
            head = f"HTTP/1.1 {status}\r\ncontent-type: text/plain\r\n{headers}content-length: {len(sentence)}\r\n"
            self.transport.write(f"{head}connection: close\r\n\r\n{sentence}".encode())
            self.transport.close()


def limit_protocol(factor: float = 1.0) -> type[asyncio.Protocol]:
    """Return Uvicorn's protocol with these limits. An address gets `factor` times the usual room; 0 means no limit."""
    from uvicorn.protocols.http.auto import AutoHTTPProtocol

    return type("PromptProtocol", (Prompt, AutoHTTPProtocol), {"most": MAX_WAITING * factor or math.inf})
