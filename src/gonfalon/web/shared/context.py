"""The context that all handlers share: live tables, installed games, templates."""

from __future__ import annotations

from collections import OrderedDict
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Final

from starlette.requests import HTTPConnection

from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import SPECTATOR
from gonfalon.table import LinkHolder, OldTable, Table, Tables
from gonfalon.table.errors import NoTable, NoWay, Taken
from gonfalon.table.links import WATCH
from gonfalon.table.live.programs import Programs
from gonfalon.web import messages
from gonfalon.web.http.addresses import ServerAddress
from gonfalon.web.http.errors import Nothing
from gonfalon.web.http.forms import is_scripted
from gonfalon.web.http.metrics import Metrics
from gonfalon.web.http.rate_limits import FOLLOWED, FOLLOWERS, GUESSES, Limits, client_of
from gonfalon.web.shared.renderer import Renderer

BANNED: Final = "gonfalon.banned"
"""The entry of a request's scope that says whether its client is excluded, and so never present at a table."""


@dataclass(frozen=True)
class Services:
    """The services of one server."""

    tables: Tables
    kinds: dict[str, type[Game]]
    render: Renderer
    limits: Limits
    whereabouts: ServerAddress
    metrics: Metrics
    programs: Programs | None = None
    """The bot accounts; None where the operator does not allow them."""
    for_author: bool = False
    """Whether pages name the place of a fault in an installed game."""
    noted: OrderedDict[tuple[str, str], float] = field(default_factory=OrderedDict)
    """The times at which the visits of devices to seats were last stored."""

    def kind(self, name: str) -> type[Game]:
        """Return an installed game. Raises Nothing."""
        if name not in self.kinds:
            raise Nothing(messages.NO_GAME.format(name=repr(name[:40]), games=", ".join(sorted(self.kinds))))
        return self.kinds[name]


def services_of(connection: HTTPConnection) -> Services:
    """Return the services of the server that received a request."""
    found: Services = connection.app.state.services
    return found


def base_url(connection: HTTPConnection) -> str:
    """Return the beginning of links to this server."""
    return services_of(connection).whereabouts.base_url(connection)


def is_secure(connection: HTTPConnection) -> bool:
    """Return whether visitors use HTTPS, so that cookies are limited to it."""
    return base_url(connection).startswith("https://")


async def at_table(connection: HTTPConnection, used: bool = False) -> tuple[Table, LinkHolder, str]:
    """Return the table of a link, the person that the link stands for, and its token. `used` invitations are accepted
    only where players sit down. Raises NoTable, NoWay, Taken."""
    token = connection.path_params["token"]
    table, who = await find_followed(connection, connection.path_params["key"], token, used)
    # Where our script sends a request, or a socket opens, there is more to go by.
    if not connection.scope.get(BANNED):
        reads = connection.scope["type"] == "http" and not is_scripted(connection)
        table.presence.see(who.holds or (SPECTATOR,), reads=reads)
    return table, who, token


async def find_followed(
    connection: HTTPConnection, key: str, token: str, used: bool = False
) -> tuple[Table, LinkHolder]:
    """Return a table, and the person that a token stands for. Raises NoTable, NoWay, Taken, TooMany."""
    server, client = services_of(connection), client_of(connection)
    try:
        table = await server.tables.table(key)
        who = table.seats.find_holder(token)
    except (NoTable, NoWay):
        # Wrong links are limited, because a token could otherwise be found by trying.
        server.limits.spend(GUESSES, client)
        raise
    # A used invitation leads nowhere, except where its owner may return to the seat.
    if who.invited and not who.seats and not used:
        raise Taken(messages.SEAT_TAKEN)
    if who.holds:
        # Bots queue on behalf of the latest player (see `BotQueue`).
        table.bots.client = client
    return table, who


def count_follower(connection: HTTPConnection, table: Table, who: LinkHolder) -> AbstractContextManager[None]:
    """Count a socket or stream that follows a table within the block. Raises TooMany at its start."""
    link, most = (f"{table.key} {who.holds[0]}", FOLLOWED) if who.holds else (f"{table.key} {WATCH}", FOLLOWERS)
    return services_of(connection).limits.followed(link, most)


def counted_from_one(text: str) -> int:
    """Return a number that is counted from 1. Raises Nothing."""
    if not (text.isascii() and text.isdigit() and len(text) < 7 and int(text)):
        raise Nothing(messages.NOT_A_NUMBER)
    return int(text)


async def old_table_at(connection: HTTPConnection, token: str) -> tuple[OldTable, LinkHolder]:
    """Return the readable rest of a table that cannot be opened, and the person that a token stands for. Raises NoWay,
    OtherRules."""
    server = services_of(connection)
    old_table = await server.tables.stored.old_table(connection.path_params["key"])
    try:
        return old_table, old_table.find_holder(token)
    except NoWay:
        server.limits.spend(GUESSES, client_of(connection))
        raise


def table_path(key: str, token: str) -> str:
    """Return the path of a table for the owner of a token.

    It ends in a slash. Addresses in a page are relative to it (`act`), so that a page holds no token beside text that
    someone else chose.
    """
    return f"/t/{key}/{token}/"
