"""A visitor's own tables, and the key by which their device is known.

The key is a cookie that no script and no other site can read. The tables a device has been at are in the store, the
tokens of its seats sealed under that key: whoever reads the store cannot open them. Without cookies everything works by
the links themselves.
"""

from __future__ import annotations

import re
import secrets
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from anyio.to_thread import run_sync
from starlette.requests import Request
from starlette.responses import Response

from gonfalon.core.errors import GonfalonError
from gonfalon.table import Table
from gonfalon.table.errors import Broken
from gonfalon.table.retention import DAY, DEVICE_DAYS
from gonfalon.table.seats import Claim, hashed
from gonfalon.table.store import Link
from gonfalon.web.context import Services, follow, is_secure, services
from gonfalon.web.limits import VISITS, TooMany

DEVICE: Final = "device"
KEY: Final = re.compile(r"[\w-]{24}", re.ASCII)
OLD: Final = "tables"
OLD_MOST: Final = 8
"""The cookie that held the latest links themselves, and how many."""
AGAIN: Final = 3600.0
"""Seconds after which a visit is written down again."""
MOST_NOTED: Final = 10_000


@dataclass(frozen=True)
class OwnSeat:
    """A seat that this browser knows."""

    key: str
    token: str
    """Empty when what is stored of it is damaged."""
    game: str
    link: str
    """The hash of the token."""


def device(request: Request) -> str:
    """The key that this browser was given; empty if it has none."""
    key = request.cookies.get(DEVICE, "")
    return key if KEY.fullmatch(key) else ""


def mark_device(request: Request, response: Response) -> str:
    """The key of this browser, which is given one if it has none. It goes along with whatever the browser posts: who
    copies a page has its forms, but not the key."""
    key = device(request)
    if not key:
        key = new_key()
        keep(request, response, key)
    return key


def new_key() -> str:
    """A device's key: 144 random bits."""
    return secrets.token_urlsafe(18)


def keep(request: Request, response: Response, key: str) -> None:
    """Give a browser its key, or let it keep it for longer."""
    response.set_cookie(
        DEVICE,
        key,
        max_age=round(DEVICE_DAYS * DAY),
        httponly=True,
        samesite="lax",
        secure=is_secure(request),
    )


async def tables(request: Request, key: str = "") -> list[OwnSeat]:
    """The visitor's seats, the latest first. What has become of them is not looked at here."""
    key = key or device(request)
    links = await run_sync(services(request).tables.store.remembered, hashed(key)) if key else []
    return [OwnSeat(link.table, opened(link, key), link.game, link.link) for link in links]


def opened(link: Link, key: str) -> str:
    """The token that a device knows; none if what is stored of it is damaged."""
    try:
        return claim(link.table, link.link, key).open(link.sealed, link.link)
    except Broken:
        return ""


async def remember(request: Request, response: Response, table: Table, token: str) -> None:
    """Note that this browser knows a seat."""
    server, key = services(request), mark_device(request, response)
    now, visit = time.monotonic(), (key, token)
    if now - server.noted.get(visit, -AGAIN) >= AGAIN:
        with suppress(TooMany):
            server.limits.spend(VISITS, hashed(token))
            await note(server, key, table, token)
        keep(request, response, key)
        server.noted[visit] = now
        server.noted.move_to_end(visit)
        if len(server.noted) > MOST_NOTED:
            server.noted.popitem(last=False)


async def note(server: Services, key: str, table: Table, token: str) -> None:
    """Write down that a device has been at a seat."""
    link = hashed(token)
    sealed = claim(table.key, link, key).seal(token)
    visit = Link(table.key, table.game.name, link, sealed, time.time())
    await run_sync(server.tables.store.remember, hashed(key), visit)


async def adopt(request: Request) -> tuple[str, bool]:
    """Take over what a browser remembers by the cookie of old; returns the key of its device, and whether that is
    done: whoever has guessed too often waits."""
    server, key = services(request), device(request) or new_key()
    for part in reversed(request.cookies[OLD].split("~")[:OLD_MOST]):
        table_key, _, token = part.partition(".")
        try:
            table, who = await follow(request, table_key, token)
            if who.holds:
                await note(server, key, table, token)
        except TooMany:
            return key, False
        except (GonfalonError, ValueError):
            continue
    return key, True


def claim(table: str, link: str, key: str) -> Claim:
    """What seals the token of a seat that a device knows."""
    return Claim(table, link, key)
