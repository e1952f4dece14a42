"""What the handlers share: the hall of tables, the installed games, the templates."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.requests import HTTPConnection

from gonfalon.core.errors import GonfalonError
from gonfalon.core.game import Game
from gonfalon.table import Hall, NoTable, Table, Who
from gonfalon.web.render import Renderer


class Nothing(GonfalonError):
    """There is nothing at this address."""


class Malformed(GonfalonError):
    """A request that cannot be read."""


@dataclass(frozen=True)
class Site:
    """One server's furniture."""

    hall: Hall
    kinds: dict[str, type[Game]]
    render: Renderer

    def kind(self, name: str) -> type[Game]:
        """An installed game. Raises Nothing."""
        if name not in self.kinds:
            raise Nothing(f"There is no game {name[:40]!r} here; there is {', '.join(sorted(self.kinds))}.")
        return self.kinds[name]


def site(connection: HTTPConnection) -> Site:
    """The site a request came to."""
    found: Site = connection.app.state.site
    return found


async def at_table(connection: HTTPConnection) -> tuple[Table, Who, str]:
    """The table of a capability URL, whom its token stands for, and the token. Raises NoTable, NoWay."""
    key, token = connection.path_params["key"], connection.path_params["token"]
    if not key:
        raise NoTable("There is no such table.")
    table = await site(connection).hall.table(key)
    who = table.who(token)
    table.presence.see(who.holds)
    return table, who, token


def path(table: Table, token: str, *more: str) -> str:
    """The address of a table for the owner of a token."""
    return "/".join(("/t", table.key, token, *more))
