"""The store: tables, seats and the entries of every record, in any database SQLAlchemy knows.

Synchronous; the live tables call it in worker threads. The primary key (table, seq) of the entries is
the compare-and-set: of two writers who have seen the same record, one is refused.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import ArgumentError, IntegrityError, SQLAlchemyError

from gonfalon.table.errors import Conflict, NoTable, StoreError
from gonfalon.table.fold import Entry

SCHEMA_VERSION: Final = 3

schema: Final = sa.MetaData()
_meta = sa.Table("gonfalon_meta", schema, sa.Column("schema_version", sa.Integer, nullable=False))
_tables = sa.Table(
    "tables",
    schema,
    sa.Column("key", sa.String(32), primary_key=True),
    sa.Column("game", sa.String(64), nullable=False),
    sa.Column("options", sa.Text, nullable=False),
    sa.Column("rules", sa.String(32), nullable=False),
    sa.Column("data", sa.String(128), nullable=False),
    sa.Column("invitation", sa.String(64)),
    sa.Column("rematch", sa.String(32)),
    sa.Column("opened", sa.Float, nullable=False),
    sa.Column("hints", sa.Boolean, nullable=False, server_default=sa.false()),
)
_seats = sa.Table(
    "seats",
    schema,
    sa.Column("table", sa.String(32), sa.ForeignKey("tables.key"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("name", sa.String(64), nullable=False),
    sa.Column("bot", sa.String(64)),
    sa.Column("token", sa.String(64)),
    sa.Column("invitation", sa.String(64)),
    sa.Column("standing", sa.String(32), nullable=False, server_default=""),
)
_entries = sa.Table(
    "entries",
    schema,
    sa.Column("table", sa.String(32), sa.ForeignKey("tables.key"), primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("kind", sa.String(16), nullable=False),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("at", sa.Float, nullable=False),
)
_thoughts = sa.Table(
    "thoughts",
    schema,
    sa.Column("table", sa.String(32), sa.ForeignKey("tables.key"), primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("text", sa.Text, nullable=False),
)


@dataclass(frozen=True)
class SeatRow:
    """Who sits at a seat: a bot, a person (by the hash of his token), or nobody yet.

    With both a token and a bot, the bot plays for the person until he takes his seat back.
    """

    seat: int
    name: str = ""
    bot: str | None = None
    token: str | None = None
    invitation: str | None = None
    """The hash of the link that leads to this seat alone."""
    standing: str = ""
    """What the person wants answered by itself (see `standing.py`)."""

    @property
    def free(self) -> bool:
        return self.by == "nobody"

    @property
    def by(self) -> str:
        return "bot" if self.bot is not None else "nobody" if self.token is None else "person"

    @property
    def stood_for(self) -> bool:
        """Whether a bot plays for the person who sits here."""
        return self.bot is not None and self.token is not None


@dataclass(frozen=True)
class TableRow:
    """What the store holds of a table besides its entries."""

    key: str
    game: str
    options: dict[str, Any]
    rules: str
    data: str
    invitation: str | None
    rematch: str | None
    opened: float
    seats: tuple[SeatRow, ...]
    hints: bool = False
    """Whether people may ask what a bot would do in their place."""


class Store:
    """An open database. Raises StoreError when it cannot be used."""

    def __init__(self, url: str) -> None:
        with _plain_errors(f"The database {_shown(url)} cannot be opened"):
            self.engine: Engine = _engine(url)
            with self.engine.begin() as connection:
                _migrate(connection)

    def close(self) -> None:
        self.engine.dispose()

    def create(self, row: TableRow, entries: list[Entry]) -> None:
        """Write down a new table with its first entries."""
        with self._begin() as connection:
            connection.execute(
                _tables.insert().values(
                    key=row.key,
                    game=row.game,
                    options=json.dumps(row.options),
                    rules=row.rules,
                    data=row.data,
                    invitation=row.invitation,
                    rematch=row.rematch,
                    opened=row.opened,
                    hints=row.hints,
                )
            )
            seats = [{"table": row.key, **vars(seat)} for seat in row.seats]
            connection.execute(_seats.insert(), seats)
            _insert(connection, row.key, 0, entries)

    def table(self, key: str) -> TableRow:
        """A table. Raises NoTable."""
        with self._begin() as connection:
            row = connection.execute(sa.select(_tables).where(_tables.c.key == key)).one_or_none()
            if row is None:
                raise NoTable("There is no such table.")
            seats = connection.execute(sa.select(_seats).where(_seats.c.table == key).order_by(_seats.c.seat))
            return TableRow(
                row.key,
                row.game,
                json.loads(row.options),
                row.rules,
                row.data,
                row.invitation,
                row.rematch,
                row.opened,
                tuple(SeatRow(s.seat, s.name, s.bot, s.token, s.invitation, s.standing) for s in seats),
                row.hints,
            )

    def entries(self, key: str) -> list[Entry]:
        """The whole record of a table."""
        query = sa.select(_entries).where(_entries.c.table == key).order_by(_entries.c.seq)
        with self._begin() as connection:
            return [Entry(row.kind, row.seat, row.text) for row in connection.execute(query)]

    def append(self, key: str, length: int, entries: list[Entry]) -> None:
        """Add entries to a record that has `length` of them, all or none.

        Raises Conflict when it has grown meanwhile.
        """
        try:
            with self._begin() as connection:
                _insert(connection, key, length, entries)
        except IntegrityError:
            raise Conflict("Somebody else was faster; look again, then choose.") from None

    def sit(self, key: str, seat: int, name: str, token: str) -> bool:
        """Give a free seat to the owner of a (hashed) token; False when it is not free any more."""
        change = (
            _seats.update()
            .where(_seats.c.table == key, _seats.c.seat == seat)
            .where(_seats.c.token.is_(None), _seats.c.bot.is_(None))
            .values(name=name, token=token)
        )
        with self._begin() as connection:
            return connection.execute(change).rowcount == 1

    def seat_bot(self, key: str, seat: int, name: str, bot: str | None, free: bool) -> bool:
        """Let a bot play at a seat, or nobody but its person; False when the seat is not, or no longer,
        free as `free` says."""
        change = _seats.update().where(_seats.c.table == key, _seats.c.seat == seat).values(name=name, bot=bot)
        if free:
            change = change.where(_seats.c.token.is_(None), _seats.c.bot.is_(None)).values(invitation=None)
        else:
            change = change.where(_seats.c.token.is_not(None))
        with self._begin() as connection:
            return connection.execute(change).rowcount == 1

    def set_standing(self, key: str, seat: int, standing: str) -> None:
        """Write down what a seat wants answered by itself."""
        change = _seats.update().where(_seats.c.table == key, _seats.c.seat == seat).values(standing=standing)
        with self._begin() as connection:
            connection.execute(change)

    def note_thought(self, key: str, seq: int, text: str) -> None:
        """Keep what a bot thought about its entry of this number."""
        with self._begin() as connection:
            connection.execute(_thoughts.insert().values(table=key, seq=seq, text=text))

    def thoughts(self, key: str) -> dict[int, str]:
        """What bots thought, by the numbers of their entries."""
        query = sa.select(_thoughts.c.seq, _thoughts.c.text).where(_thoughts.c.table == key)
        with self._begin() as connection:
            return {row.seq: row.text for row in connection.execute(query)}

    def name_rematch(self, key: str, rematch: str) -> bool:
        """Write down the table of the rematch; False when there is one already."""
        old = sa.and_(_tables.c.key == key, _tables.c.rematch.is_(None))
        change = _tables.update().where(old).values(rematch=rematch)
        with self._begin() as connection:
            return connection.execute(change).rowcount == 1

    @contextmanager
    def _begin(self) -> Iterator[Connection]:
        with _plain_errors("The database did not answer"), self.engine.begin() as connection:
            yield connection


def _insert(connection: Connection, key: str, length: int, entries: list[Entry]) -> None:
    if entries:
        now = time.time()
        seqs = range(length, length + len(entries))
        rows = [{"table": key, "seq": seq, "at": now, **vars(e)} for seq, e in zip(seqs, entries, strict=True)]
        connection.execute(_entries.insert(), rows)


def _engine(url: str) -> Engine:
    made = sa.make_url(url)
    if made.drivername == "postgresql":
        made = made.set(drivername="postgresql+psycopg")
    if made.get_backend_name() != "sqlite":
        return sa.create_engine(made, pool_pre_ping=True)
    if made.database in (None, "", ":memory:"):
        raise StoreError("A database in memory would lose the tables; give a file, like sqlite:///tables.db.")
    engine = sa.create_engine(made, connect_args={"timeout": 10})

    def tune(connection: Any, _: Any) -> None:
        # WAL with NORMAL loses nothing when the process dies, and at worst the last moves in a power cut.
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=NORMAL")
        connection.execute("PRAGMA foreign_keys=ON")

    sa.event.listen(engine, "connect", tune)
    return engine


def _add_links_and_answers(connection: Connection) -> None:
    """Version 2: a link for each seat, and standing answers."""
    connection.execute(sa.text("ALTER TABLE seats ADD COLUMN invitation VARCHAR(64)"))
    connection.execute(sa.text("ALTER TABLE seats ADD COLUMN standing VARCHAR(32) DEFAULT '' NOT NULL"))


def _add_hints_and_thoughts(connection: Connection) -> None:
    """Version 3: whether hints are given, and what bots thought."""
    connection.execute(sa.text("ALTER TABLE tables ADD COLUMN hints BOOLEAN DEFAULT FALSE NOT NULL"))
    _thoughts.create(connection)


MIGRATIONS: Final[list[Callable[[Connection], None]]] = [_add_links_and_answers, _add_hints_and_thoughts]
"""The n-th leads from schema version n + 1 to n + 2."""


def _migrate(connection: Connection) -> None:
    """Bring the schema to this program's version."""
    if not sa.inspect(connection).has_table(_meta.name):
        schema.create_all(connection)
        connection.execute(_meta.insert().values(schema_version=SCHEMA_VERSION))
        return
    version = connection.execute(sa.select(_meta.c.schema_version)).scalar_one()
    if version > SCHEMA_VERSION:
        raise StoreError(
            f"This database has schema version {version}, written by a newer gonfalon; "
            f"this one knows version {SCHEMA_VERSION}."
        )
    for migration in MIGRATIONS[version - 1 :]:
        migration(connection)
    connection.execute(_meta.update().values(schema_version=SCHEMA_VERSION))


def _shown(url: str) -> str:
    """A database URL without its password."""
    try:
        return sa.make_url(url).render_as_string(hide_password=True)
    except ArgumentError:
        return repr(url)


@contextmanager
def _plain_errors(what: str) -> Iterator[None]:
    """Turn a driver's error into one sentence; a lost race stays what it is."""
    try:
        yield
    except IntegrityError:
        raise
    except (SQLAlchemyError, ImportError, OSError) as error:
        reason = getattr(error, "orig", None) or error
        raise StoreError(f"{what}: {' '.join(str(reason).split())[:200]}") from error
