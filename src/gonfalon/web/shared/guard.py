"""The outermost layer of every request: security headers, the origin of posts, and limits of number, size and time.

It is pure ASGI, because a middleware that wraps responses would delay streams.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, suppress
from typing import Final

import anyio
from anyio.to_thread import run_sync
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from gonfalon.table import messages as table_messages
from gonfalon.table.errors import Banned, Closing, StoreError, locate_error
from gonfalon.table.links import TOKEN, hash_token
from gonfalon.web import messages
from gonfalon.web.http import logs
from gonfalon.web.http.addresses import ServerAddress
from gonfalon.web.http.metrics import UNKNOWN, Metrics
from gonfalon.web.http.rate_limits import Limits, TooMany, client_of
from gonfalon.web.shared.context import BANNED, services_of
from gonfalon.web.shared.devices import BANNED_CODE, find_token

logger: Final = logging.getLogger("gonfalon.web")

MOST_BYTES: Final = 64 * 1024
MOST_BYTES_OF_TEXTS: Final = 256 * 1024
TEXTS: Final = ("/records", "/decks", "/decks/build", "/tables", "/cards", "/cards/check", "/cards/keep")
"""The ends of the addresses that read whole texts. A record may contain a card file or a start position, and each of
the 50,000 characters of a deck may have several bytes."""
BODY_SECONDS: Final = 15.0
"""Seconds in which the whole body of a request must arrive."""
STATIC: Final = "/static/"
OPERATOR: Final = "/admin/"
"""The operator's page, which is never closed to the operator by a ban."""
CSP: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "font-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS: Final = {
    "content-security-policy": CSP,
    "x-content-type-options": "nosniff",
    # Links are capabilities: no other site may learn them. (`no-referrer` would also blank the Origin of forms.)
    "referrer-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


class Guard:
    """The layer itself. `fail(request, error)` returns the response to an unexpected error."""

    def __init__(
        self,
        app: ASGIApp,
        fail: Callable[[Request, Exception], Awaitable[Response]],
        limits: Limits,
        whereabouts: ServerAddress | None = None,
        metrics: Metrics | None = None,
        is_banned: Callable[[HTTPConnection], bool] = lambda connection: False,
    ) -> None:
        self.app = app
        self.fail = fail
        self.limits = limits
        self.whereabouts = whereabouts or ServerAddress()
        self.metrics = metrics or Metrics()
        self.is_banned = is_banned

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self.http(scope, receive, send)
        elif scope["type"] == "websocket":
            await self.websocket(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        logs.start_request()
        # Browsers let any site open a socket here, so the origin must be checked.
        if not is_same_origin(Headers(scope=scope), self.whereabouts):
            await send({"type": "websocket.close", "code": 1008})
            return
        try:
            account = await self.account(HTTPConnection(scope))
            if self.is_banned(HTTPConnection(scope)):
                # Accepted first, because a browser shows no refusal of a socket to the page.
                page = WebSocket(scope, receive, send)
                await page.accept()
                await page.close(BANNED_CODE, table_messages.BANNED)
                return
            self.limits.count_request(account)
            with self.limits.opened(account), self.metrics.sockets.track_inprogress():
                await self.app(scope, receive, send)
        except TooMany as error:
            headers = {"retry-after": str(error.seconds)}
            refusal = PlainTextResponse(str(error), 429, headers)
            with suppress(OSError):
                await WebSocket(scope, receive, send).send_denial_response(refusal)
        except Exception as error:
            if not is_disconnect(error):
                logger.error("in a live page: %s", locate_error(error))

    async def http(self, scope: Scope, receive: Receive, send: Send) -> None:
        began, request = time.perf_counter(), Request(scope)
        exchange = Exchange(self.limits, await self.account(request), scope, receive, send)
        try:
            await self.exchange(request, exchange)
        finally:
            seconds, handler = time.perf_counter() - began, name_handler(scope)
            self.metrics.answered(handler, exchange.status, seconds)
            logs.log_response(scope["method"], handler, exchange.status, seconds)

    async def exchange(self, request: Request, exchange: Exchange) -> None:
        """Let the application answer one request."""
        scope, receive, account = exchange.scope, exchange.receive, exchange.account
        try:
            if not scope["path"].startswith(STATIC):
                self.limits.count_request(account)
            with self.limits.opened(account):
                self.check(request)
                self.check_admitted(request)
                async with exchange.turn:
                    # A post waits after its body has arrived (`Exchange.read`), so that slow senders hold no place.
                    if scope["method"] in ("GET", "HEAD"):
                        await exchange.wait()
                    await self.app(scope, exchange.read, exchange.write)
        except asyncio.CancelledError:
            if not services_of(request).tables.closing:
                raise
            # The grace for open responses is over.
            if not exchange.status:
                await (await self.answer(request, Closing(table_messages.STOPPING)))(scope, receive, exchange.write)
        except Exception as error:
            # The response has started or the client has gone, so the error can only be logged.
            if exchange.status or isinstance(error, ClientDisconnect):
                if not is_disconnect(error):
                    logger.error("in the middle of a response: %s", locate_error(error))
                return
            await (await self.answer(request, error))(scope, receive, exchange.write)

    async def account(self, connection: HTTPConnection) -> str:
        """Return the account at which a request counts: the seat whose link it carries, else its address."""
        if self.limits.factor and TOKEN.fullmatch(token := find_token(connection)):
            account = hash_token(token)
            if not self.limits.is_seat(account):
                # While the database is away, requests count at their address.
                with suppress(StoreError):
                    if await run_sync(services_of(connection).tables.store.seats_of, [account]):
                        self.limits.add_seat(account)
            if self.limits.is_seat(account):
                return account
        return client_of(connection)

    def check(self, request: Request) -> None:
        """Raise HTTPException for an invalid address, for a post of another site, and for an announced body that is too
        long."""
        if "\0" in request.scope["path"]:  # PostgreSQL and files know no such text
            raise HTTPException(404)
        if request.method in ("GET", "HEAD", "OPTIONS"):
            return
        if not is_same_origin(request.headers, self.whereabouts):
            raise HTTPException(403, messages.OTHER_SITE)
        length = request.headers.get("content-length", "0")
        if not length.isascii() or not length.isdigit():
            raise HTTPException(400, messages.BAD_LENGTH)
        if int(length) > find_limit(request.scope):
            raise HTTPException(413, messages.TOO_LARGE)

    def check_admitted(self, request: Request) -> None:
        """Raise Banned for a request by which an excluded client would act, or be present at a table."""
        path = request.scope["path"]
        acts = request.method not in ("GET", "HEAD", "OPTIONS") or path.endswith("/stream")
        request.scope[BANNED] = banned = self.is_banned(request)
        if banned and acts and not path.startswith(OPERATOR):
            raise Banned(table_messages.BANNED)

    async def answer(self, request: Request, error: Exception) -> Response:
        try:
            return await self.fail(request, error)
        except Exception as worse:
            logger.error("while reporting an error: %s", locate_error(worse))
            return PlainTextResponse(messages.SERVER_ERROR_PLAIN, 500)


class Exchange:
    """One request and its response, with its limits and its turn."""

    def __init__(self, limits: Limits, account: str, scope: Scope, receive: Receive, send: Send) -> None:
        self.limits = limits
        self.account = account
        self.scope = scope
        self.receive = receive
        self.send = send
        self.turn = AsyncExitStack()
        self.id = logs.start_request()
        self.status = 0
        """The status of the response, once it has started."""
        self.waited = False
        self.left = find_limit(scope)
        self.more = True
        self.until = anyio.current_time() + BODY_SECONDS

    async def wait(self) -> None:
        """Wait for the turn of the account, once."""
        if not self.waited:
            self.waited = True
            await self.turn.enter_async_context(self.limits.turn(self.account, self.scope["method"]))

    async def read(self) -> Message:
        """Return a part of the body. Raises HTTPException if it is too slow or too long."""
        try:
            with anyio.fail_after(max(0.0, self.until - anyio.current_time()) if self.more else None):
                message = await self.receive()
        except TimeoutError:
            raise HTTPException(408, messages.TOO_SLOW, {"connection": "close"}) from None
        self.more = message.get("more_body", False)
        self.left -= len(message.get("body", b""))
        if self.left < 0:
            raise HTTPException(413, messages.TOO_LARGE)
        if not self.more:
            await self.wait()
        return message

    async def write(self, message: Message) -> None:
        """Send a part of the response, with the headers of every response."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
            await self.turn.aclose()  # a stream must not hold a place while it lasts
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers[name] = value
            headers["x-request-id"] = self.id
            # Pages may show the secrets of a seat, so caching has to be allowed explicitly.
            headers.setdefault("cache-control", "no-store")
        await self.send(message)


def is_disconnect(error: BaseException) -> bool:
    """Return whether an error only says that the client has gone, also in the groups of tasks."""
    if isinstance(error, BaseExceptionGroup):
        return all(map(is_disconnect, error.exceptions))
    return isinstance(error, ClientDisconnect | WebSocketDisconnect | OSError)


def find_limit(scope: Scope) -> int:
    """Return the maximum number of bytes of a request's body."""
    return MOST_BYTES_OF_TEXTS if scope["path"].endswith(TEXTS) else MOST_BYTES


def is_same_origin(headers: Headers, whereabouts: ServerAddress) -> bool:
    """Return whether a request comes from one of our own pages, or from a program."""
    # Programs send neither header; the attacks that this prevents need a browser.
    if headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
        return False
    origin = headers.get("origin")
    return origin is None or origin.partition("://")[2] in whereabouts.hosts(headers.get("host"))


def name_handler(scope: Scope) -> str:
    """Return the name of the handler that received a request: `moves.act`."""
    endpoint: object = scope.get("endpoint")
    name: str | None = getattr(endpoint, "__name__", None)
    return f"{endpoint.__module__.rpartition('.')[2]}.{name}" if name else UNKNOWN
