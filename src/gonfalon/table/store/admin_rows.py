"""The part of the store for the operator: the list of tables, bans, notice, maintenance, reports and the secret link.

Nothing here is hidden information of a running game: the list holds names and coarse times only.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from gonfalon.table.store.schema import Rows, schema
from gonfalon.table.store.shared_rows import processes, upsert

STATE_NEWS: Final = "!state"
"""The key under which a change of the server's state is announced. No table has it."""
NOTICE: Final = "notice"
MAINTENANCE: Final = "maintenance"
LINK: Final = "link"
BACKUP: Final = "backup"
MAX_FOUND: Final = 500
"""The number of tables in a list; those opened last come first."""
DEVICE: Final = re.compile(r"[0-9a-f]{8,64}", re.ASCII)
"""A hash of a device, or its beginning."""

Network = ipaddress.IPv4Network | ipaddress.IPv6Network

_tables: Final = sa.table(
    "tables", *(sa.column(name) for name in ("key", "game", "stage", "opened", "ended", "changes"))
)
_seats: Final = sa.table("seats", *(sa.column(name) for name in ("table", "seat", "name", "token", "bot")))
_entries: Final = sa.table("entries", *(sa.column(name) for name in ("table", "seat", "at")))
_links: Final = sa.table("links", *(sa.column(name) for name in ("device", "link")))
_open: Final = sa.and_(_tables.c.ended.is_(None), _tables.c.stage != "closed")
STATES: Final = {
    "waiting": sa.and_(_open, _tables.c.stage == "waiting"),
    "running": sa.and_(_open, _tables.c.stage != "waiting"),
    "over": sa.not_(_open),
}
"""The states of tables: waiting for players, running, and over or closed."""
operation: Final = sa.Table(
    "operation", schema, sa.Column("name", sa.String(16), primary_key=True), sa.Column("value", sa.Text, nullable=False)
)
bans: Final = sa.Table(
    "bans",
    schema,
    # The hash of a device, or a network.
    sa.Column("subject", sa.String(64), primary_key=True),
    sa.Column("note", sa.Text, nullable=False),
    sa.Column("created", sa.Float, nullable=False),
)
reports: Final = sa.Table(
    "reports",
    schema,
    sa.Column("id", sa.String(32), primary_key=True),
    # No foreign key: a report outlives its table.
    sa.Column("table", sa.String(32), nullable=False),
    sa.Column("reporter", sa.Integer, nullable=False),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("name", sa.String(96), nullable=False),
    # The hash of the device that reports.
    sa.Column("device", sa.String(64), nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("decisions", sa.Integer, nullable=False),
    sa.Column("created", sa.Float, nullable=False),
    sa.Column("settled", sa.Float),
    sa.Index("reports_device", "device"),
)


@dataclass(frozen=True)
class ServerState:
    """The settings of an operator that all processes follow."""

    notice: str = ""
    """A line on all pages; empty for none."""
    maintenance: bool = False
    """Whether no new tables are opened."""
    devices: frozenset[str] = frozenset()
    """The banned (hashed) devices."""
    links: frozenset[str] = frozenset()
    """The (hashed) tokens of the seats that these devices have visited."""
    networks: tuple[Network, ...] = ()
    """The banned networks."""
    backed_up: float = 0.0
    """The time of the latest backup; 0 without one."""

    @property
    def mark(self) -> int:
        """A number that changes with the state, for comparisons."""
        return hash(self)

    @property
    def bans(self) -> bool:
        """Whether anything is banned."""
        return bool(self.devices or self.networks)

    def is_banned(self, host: str, device: str, link: str) -> bool:
        """Return whether a client is banned: by its address, its (hashed) device, or the (hashed) token of its link."""
        if device in self.devices or link in self.links:
            return True
        address = read_address(host) if self.networks else None
        return address is not None and any(address in network for network in self.networks)


@dataclass(frozen=True)
class Ban:
    """A banned device or network."""

    subject: str
    note: str
    created: float


@dataclass(frozen=True)
class Report:
    """A player's report of another player."""

    id: str
    table: str
    reporter: int
    seat: int
    name: str
    """The name of the reported player at that time."""
    device: str
    reason: str
    decisions: int
    """The number of decisions at that time, secret while the game is running."""
    created: float
    settled: float | None = None


@dataclass(frozen=True)
class ListedTable:
    """The public facts of a table for a list."""

    key: str
    game: str
    stage: str
    opened: float
    ended: float | None
    active: float
    """The time of the last move of a player, or of the opening."""
    names: tuple[str, ...] = field(default=())


def read_address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Return the address of a client; None if it has none."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


class AdminRows(Rows):
    """Reads and writes for the operator."""

    # ---- the state of the server ----------------------------------------------------------------------

    def server_state(self) -> ServerState:
        """Return the current state of the server."""
        with self._begin() as connection:
            values = {row.name: row.value for row in connection.execute(sa.select(operation))}
            subjects = list(connection.execute(sa.select(bans.c.subject)).scalars())
            devices = [one for one in subjects if DEVICE.fullmatch(one)]
            links = sa.select(_links.c.link).where(_links.c.device.in_(devices)).distinct()
            visited = list(connection.execute(links).scalars()) if devices else []
        networks = tuple(ipaddress.ip_network(one) for one in subjects if not DEVICE.fullmatch(one))
        maintenance, backed_up = values.get(MAINTENANCE) == "on", float(values.get(BACKUP, 0))
        banned = frozenset(devices), frozenset(visited), networks
        return ServerState(values.get(NOTICE, ""), maintenance, *banned, backed_up)

    def set_operation(self, name: str, value: str) -> None:
        """Set the notice, maintenance (`on` or empty) or the hash of the operator's link."""
        with self._begin() as connection:
            upsert(connection, operation, {"name": name}, {"value": value})
            self.notify(connection, STATE_NEWS)

    def operator_link(self) -> str:
        """Return the hash of the operator's link; empty if there is none."""
        with self._begin() as connection:
            query = sa.select(operation.c.value).where(operation.c.name == LINK)
            return connection.execute(query).scalar_one_or_none() or ""

    # ---- bans -----------------------------------------------------------------------------------------

    def list_bans(self) -> list[Ban]:
        """Return all bans, the latest first."""
        query = sa.select(bans).order_by(bans.c.created.desc(), bans.c.subject)
        with self._begin() as connection:
            return [Ban(row.subject, row.note, row.created) for row in connection.execute(query)]

    def add_ban(self, ban: Ban) -> None:
        """Ban a device or a network."""
        with self._begin() as connection:
            upsert(connection, bans, {"subject": ban.subject}, {"note": ban.note, "created": ban.created})
            self.notify(connection, STATE_NEWS)

    def remove_ban(self, subject: str) -> None:
        """Remove the ban of a device or a network."""
        with self._begin() as connection:
            connection.execute(bans.delete().where(bans.c.subject == subject))
            self.notify(connection, STATE_NEWS)

    def find_devices(self, beginning: str) -> list[str]:
        """Return at most two (hashed) devices whose hash begins like this."""
        same = sa.func.substr(_links.c.device, 1, len(beginning)) == beginning
        query = sa.select(_links.c.device).where(same).distinct().limit(2)
        with self._begin() as connection:
            return list(connection.execute(query).scalars())

    def devices_of(self, tokens: Sequence[str]) -> dict[str, list[str]]:
        """Return the (hashed) devices that have visited the seats of these (hashed) tokens."""
        query = sa.select(_links).where(_links.c.link.in_(tokens)).order_by(_links.c.device)
        found: dict[str, list[str]] = {}
        with self._begin() as connection:
            for row in connection.execute(query):
                found.setdefault(row.link, []).append(row.device)
        return found

    # ---- tables ---------------------------------------------------------------------------------------

    def table_time(self) -> float | None:
        """Return the table time of the last heartbeat; None if no process has written one."""
        with self._begin() as connection:
            reached: float | None = connection.execute(
                sa.select(sa.func.max(sa.func.abs(processes.c.beat)))
            ).scalar_one()
            return reached

    def find_keys(self, beginning: str) -> list[str]:
        """Return at most two tables whose key begins like this."""
        same = sa.func.substr(_tables.c.key, 1, len(beginning)) == beginning
        with self._begin() as connection:
            return list(connection.execute(sa.select(_tables.c.key).where(same).limit(2)).scalars())

    def list_tables(
        self, game: str = "", name: str = "", since: float | None = None, state: str = ""
    ) -> list[ListedTable]:
        """Return tables, the latest first: of a game, with a name that contains this, opened since a time, and in one
        of the `STATES`."""
        own = _entries.c.table == _tables.c.key
        moved = sa.select(sa.func.max(_entries.c.at)).where(own, _entries.c.seat >= 0).scalar_subquery()
        # Without a move the time is not empty, because an empty one would reveal a first secret answer.
        active = sa.func.coalesce(moved, _tables.c.opened)
        query = sa.select(
            _tables.c.key, _tables.c.game, _tables.c.stage, _tables.c.opened, _tables.c.ended, active.label("active")
        )
        if game:
            query = query.where(_tables.c.game == game)
        if since is not None:
            query = query.where(_tables.c.opened >= since)
        if state:
            query = query.where(STATES[state])
        if name:
            like = sa.func.lower(_seats.c.name).contains(name.lower(), autoescape=True)
            query = query.where(sa.select(_seats.c.seat).where(_seats.c.table == _tables.c.key, like).exists())
        query = query.order_by(_tables.c.opened.desc(), _tables.c.key).limit(MAX_FOUND)
        with self._begin() as connection:
            rows = connection.execute(query).all()
            names = self._names(connection, [row.key for row in rows])
        return [
            ListedTable(row.key, row.game, row.stage, row.opened, row.ended, row.active, tuple(names.get(row.key, ())))
            for row in rows
        ]

    @staticmethod
    def _names(connection: Connection, keys: Sequence[str]) -> dict[str, list[str]]:
        query = sa.select(_seats.c.table, _seats.c.name).where(_seats.c.table.in_(keys))
        found: dict[str, list[str]] = {}
        for row in connection.execute(query.order_by(_seats.c.table, _seats.c.seat)):
            found.setdefault(row.table, []).append(row.name)
        return found

    def rename_seat(self, key: str, seat: int, name: str) -> None:
        """Change the name of a seat."""
        with self._begin() as connection:
            self.count_change(connection, key)
            same = sa.and_(_seats.c.table == key, _seats.c.seat == seat)
            connection.execute(_seats.update().where(same).values(name=name))

    # ---- reports --------------------------------------------------------------------------------------

    def add_report(self, report: Report) -> None:
        """Store a report."""
        with self._begin() as connection:
            connection.execute(reports.insert().values(**vars(report)))

    def count_open_reports(self, device: str = "") -> int:
        """Return the number of reports that are not settled, of one (hashed) device or of all."""
        own = [reports.c.device == device] if device else []
        query = sa.select(sa.func.count()).select_from(reports).where(reports.c.settled.is_(None), *own)
        with self._begin() as connection:
            return connection.execute(query).scalar_one()

    def list_reports(self, settled: bool = False) -> list[Report]:
        """Return the open reports, or all with the `settled` ones, the latest first."""
        columns = [reports.c[one.name] for one in fields(Report)]
        query = sa.select(*columns).order_by(reports.c.created.desc(), reports.c.id)
        with self._begin() as connection:
            rows = connection.execute(query if settled else query.where(reports.c.settled.is_(None)))
            return [Report(*row) for row in rows]

    def settle_report(self, id: str, now: float) -> None:
        """Store that a report is settled."""
        with self._begin() as connection:
            connection.execute(reports.update().where(reports.c.id == id).values(settled=now))
