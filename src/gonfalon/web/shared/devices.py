"""A visitor's own tables, and the key of their device.

The key is a cookie that no script and no other site can read. The server signs it, so that no one can plant a key that
they know. The tables that a device has visited are in the store, with the tokens of its seats sealed under that key: a
reader of the store cannot open them. Without cookies everything works by the links themselves.
"""

from __future__ import annotations

import base64
import hmac
import re
import secrets
import time
from contextlib import suppress
from dataclasses import dataclass
from hmac import compare_digest
from typing import Final

from anyio.to_thread import run_sync
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from gonfalon.table import Table
from gonfalon.table.errors import Broken
from gonfalon.table.links import Claim, hash_token
from gonfalon.table.live.retention import DAY, DEVICE_DAYS
from gonfalon.table.store.store import Link
from gonfalon.web.http.rate_limits import VISITS, TooMany, client_of
from gonfalon.web.shared.context import Services, is_secure, services_of

DEVICE: Final = "device"
KEY_LENGTH: Final = 24
KEY: Final = re.compile(r"[\w-]{46}", re.ASCII)
AGAIN: Final = 3600.0
"""Seconds after which a visit is stored again."""
MOST_NOTED: Final = 10_000
BANNED_CODE: Final = 4403
"""The code with which the socket of an excluded client is closed. The page shows the reason and does not connect again
(connection.js)."""


@dataclass(frozen=True)
class OwnSeat:
    """A seat that this browser knows."""

    key: str
    token: str
    """The token; empty if the stored one is damaged."""
    game: str
    link: str
    """The hash of the token."""


def read_device_key(request: HTTPConnection) -> str:
    """Return the key that this server gave the browser; empty without a key, or with one of another origin."""
    key = request.cookies.get(cookie_name(request), "")
    # `compare_digest` takes equal time for all texts, so no signature can be found byte by byte.
    return key if KEY.fullmatch(key) and compare_digest(key, sign_key(request, key[:KEY_LENGTH])) else ""


def hash_owner(request: Request) -> str:
    """Return the hash of the browser's key, or without a key that of the client's address, for things that a device
    keeps."""
    return hash_token(read_device_key(request) or f"client {client_of(request)}")


def cookie_name(request: HTTPConnection) -> str:
    """Return the name of the key's cookie. With its prefix no other host, and no page without HTTPS, can plant one."""
    return f"__Host-{DEVICE}" if is_secure(request) else DEVICE


def sign_key(request: HTTPConnection, key: str) -> str:
    """Return a key with this server's signature."""
    secret = services_of(request).tables.store.secret
    mark = hmac.digest(secret.encode(), f"device {key}".encode(), "sha256")[:16]
    return key + base64.urlsafe_b64encode(mark).decode().rstrip("=")


def give_device_key(request: Request, response: Response) -> str:
    """Return the key of this browser, which gets one if it has none. The browser sends it with every post, so a copied
    page has its forms but not the key."""
    key = read_device_key(request)
    if not key:
        key = sign_key(request, secrets.token_urlsafe(18))
        set_cookie(request, response, key)
    return key


def set_cookie(request: Request, response: Response, key: str) -> None:
    """Set the cookie of the key, or extend its life."""
    response.set_cookie(
        cookie_name(request),
        key,
        max_age=round(DEVICE_DAYS * DAY),
        httponly=True,
        samesite="lax",
        secure=is_secure(request),
    )


def find_token(connection: HTTPConnection) -> str:
    """Return the token in the address of a table's page, or in the header of a program; empty if there is none."""
    path = connection.scope["path"].split("/")
    if path[1:2] == ["t"]:
        return path[3] if len(path) > 3 else ""
    return connection.headers.get("authorization", "").partition(" ")[2].strip()


def is_banned(connection: HTTPConnection) -> bool:
    """Return whether the operator has excluded a client."""
    state = services_of(connection).tables.state
    if not state.bans:
        return False
    key, token = read_device_key(connection), find_token(connection)
    host = connection.client.host if connection.client is not None else ""
    return state.is_banned(host, hash_token(key) if key else "", hash_token(token) if token else "")


async def list_tables(request: Request) -> list[OwnSeat]:
    """Return the visitor's seats, the latest first, without looking at the tables."""
    key = read_device_key(request)
    links = await run_sync(services_of(request).tables.store.remembered, hash_token(key)) if key else []
    return [OwnSeat(link.table, open_token(link, key), link.game, link.link) for link in links]


def open_token(link: Link, key: str) -> str:
    """Return the token that a device knows; empty if the stored one is damaged."""
    try:
        return make_claim(link.table, link.link, key).open(link.sealed, link.link)
    except Broken:
        return ""


async def remember_seat(request: Request, response: Response, table: Table, token: str) -> None:
    """Store that this browser knows a seat."""
    server, key = services_of(request), give_device_key(request, response)
    now, visit = time.monotonic(), (key, token)
    if now - server.noted.get(visit, -AGAIN) >= AGAIN:
        # A visitor over the limit still gets the page; only the visit is not stored.
        with suppress(TooMany):
            server.limits.spend(VISITS, hash_token(token))
            await store_visit(server, key, table, token)
        set_cookie(request, response, key)
        server.noted[visit] = now
        server.noted.move_to_end(visit)
        if len(server.noted) > MOST_NOTED:
            server.noted.popitem(last=False)


async def store_visit(server: Services, key: str, table: Table, token: str) -> None:
    """Store that a device has visited a seat."""
    link = hash_token(token)
    sealed = make_claim(table.key, link, key).seal(token)
    visit = Link(table.key, table.game.name, link, sealed, time.time())
    await run_sync(server.tables.store.remember, hash_token(key), visit)


def make_claim(table: str, link: str, key: str) -> Claim:
    """Return the seal for the token of a seat that a device knows."""
    return Claim(table, link, key)
