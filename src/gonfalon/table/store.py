"""The store: tables, seats and the entries of every record, in any database SQLAlchemy knows.

Synchronous; the live tables call it in worker threads. The primary key (table, seq) of the entries is
the compare-and-set: of two writers who have seen the same record, one is refused.
"""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Final, Literal, NamedTuple

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError, IntegrityError, SQLAlchemyError

from gonfalon.core.options import Options
from gonfalon.table import news
from gonfalon.table.claim_rows import ClaimRows, Due
from gonfalon.table.errors import Conflict, NoTable, StoreError
from gonfalon.table.position import Entry
from gonfalon.table.proof_rows import ProofRows, Sealing, proofs, seal, sealing, shares
from gonfalon.table.schema import schema
from gonfalon.table.seats import hashed, new_key, new_token

SCHEMA_VERSION: Final = 12
LEAST_ROOM: Final = 64 * 1024 * 1024
"""Bytes that have to be free beside a SQLite file."""

_meta = sa.Table(
    "gonfalon_meta",
    schema,
    sa.Column("schema_version", sa.Integer, nullable=False),
    # What all processes derive from it is the same, and nobody outside can work it out.
    sa.Column("secret", sa.String(64), nullable=False, server_default=""),
    # Until when old tables are put in order by one of the processes.
    sa.Column("tidied", sa.Float, nullable=False, server_default="0"),
)
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
    sa.Column("ended", sa.Float),
    sa.Column("stage", sa.String(8), nullable=False, server_default="dealt"),
    sa.Column("rematch_of", sa.String(32)),
    sa.Column("grace", sa.Integer, nullable=False, server_default="0"),
    sa.Column("length", sa.Integer, nullable=False, server_default="0"),
    sa.Column("due", sa.Float),
    sa.Column("clock", sa.Text, nullable=False, server_default=""),
    sa.Column("since", sa.Float),
    sa.Index("tables_due", "due"),
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
    sa.Column("claim", sa.String(64)),
    sa.Column("sealed", sa.String(32)),
    sa.Column("seated", sa.Float),
    sa.Column("brings", sa.Text, nullable=False, server_default=""),
    sa.Column("ready", sa.String(8), nullable=False, server_default=""),
    # Two processes that get the same request at once must not give two seats for it.
    sa.Index("seats_claim", "table", "claim", unique=True),
    sa.Index("seats_token", "token"),
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
    sa.Column("spent", sa.Integer),
)
_thoughts = sa.Table(
    "thoughts",
    schema,
    sa.Column("table", sa.String(32), sa.ForeignKey("tables.key"), primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("text", sa.Text, nullable=False),
)
_links = sa.Table(
    "links",
    schema,
    sa.Column("device", sa.String(64), primary_key=True),
    sa.Column("link", sa.String(64), primary_key=True),
    # Whoever played there is told of a table that has been cleared away, so this is no foreign key.
    sa.Column("table", sa.String(32), nullable=False),
    sa.Column("game", sa.String(64), nullable=False),
    sa.Column("sealed", sa.String(32), nullable=False),
    sa.Column("at", sa.Float, nullable=False),
)
_data = sa.Table(
    "card_data",
    schema,
    sa.Column("game", sa.String(64), primary_key=True),
    sa.Column("hash", sa.String(128), primary_key=True),
    sa.Column("text", sa.Text, nullable=False),
)
_kept = sa.Table(
    "kept",
    schema,
    sa.Column("table", sa.String(32), sa.ForeignKey("tables.key"), primary_key=True),
    sa.Column("head", sa.Text, nullable=False),
    sa.Column("body", sa.LargeBinary, nullable=False),
)
_processes = sa.Table(
    "processes",
    schema,
    sa.Column("process", sa.String(32), primary_key=True),
    sa.Column("beat", sa.Float, nullable=False),
)
_presences = sa.Table(
    "presences",
    schema,
    sa.Column("table", sa.String(32), primary_key=True),
    sa.Column("process", sa.String(32), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("pages", sa.Integer, nullable=False),
    sa.Column("until", sa.Float, nullable=False),
    sa.Column("reads", sa.Boolean, nullable=False),
)
_curtains = sa.Table(
    "curtains",
    schema,
    sa.Column("table", sa.String(32), primary_key=True),
    sa.Column("device", sa.String(64), primary_key=True),
    sa.Column("seat", sa.Integer),
    sa.Column("last", sa.Integer, nullable=False),
    sa.Column("rises", sa.Integer, nullable=False),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("moments", sa.Integer, nullable=False),
)
_hints = sa.Table(
    "hints",
    schema,
    sa.Column("table", sa.String(32), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("text", sa.Text, nullable=False),
)
Stage = Literal["waiting", "dealt", "closed"]
"""Of a table: not everybody is ready yet; the game has begun; it never will, for whoever offered it is gone."""
Ready = Literal["", "yes", "no", "unfit"]
"""Of a seat before the deal: not yet; yes; whoever is expected does not come; what they bring is not legal any more."""
NOTHING_DUE: Final = Due()
UNKNOWN: Final = -1.0
"""In place of a time: an older program did not write down whether the game is over."""


@dataclass(frozen=True)
class Link:
    """A seat that a device has been to: the hash of its token, the token sealed under the device's key, and when."""

    table: str
    game: str
    link: str
    sealed: str
    at: float


@dataclass(frozen=True)
class SeatRow:
    """Who sits at a seat: a bot, a person (by the hash of their token), or nobody yet.

    With both a token and a bot, the bot plays for the person until they take their seat back.
    """

    seat: int
    name: str = ""
    bot: str | None = None
    token: str | None = None
    invitation: str | None = None
    """The hash of the link that leads to this seat alone."""
    standing: str = ""
    """What the person wants answered by itself (see `standing_answers.py`)."""
    claim: str | None = None
    """The mark of the claim by which the seat was taken (see `seats.Claim`)."""
    sealed: str | None = None
    """The seat's token, sealed under that claim."""
    seated: float | None = None
    """When that was."""
    brings: str = ""
    """The faction or deck with which the seat wants to play; before it says so, the one that is laid out for it."""
    ready: Ready = ""

    @property
    def free(self) -> bool:
        return self.by == "nobody"

    @property
    def expected(self) -> bool:
        """Whether the seat is free and somebody's all the same, as at a rematch until they come."""
        return self.free and bool(self.name)

    @property
    def by(self) -> Literal["person", "bot", "nobody"]:
        return "bot" if self.bot is not None else "nobody" if self.token is None else "person"

    @property
    def stood_for(self) -> bool:
        """Whether a bot plays for the person who sits here."""
        return self.bot is not None and self.token is not None

    @property
    def prepared(self) -> bool:
        """Whether the deal need not wait for this seat."""
        return self.bot is not None or (self.token is not None and self.ready == "yes")


@dataclass(frozen=True)
class TableRow:
    """What the store holds of a table besides its entries."""

    key: str
    game: str
    options: Options
    rules: str
    data: str
    invitation: str | None
    rematch: str | None
    opened: float
    seats: tuple[SeatRow, ...]
    hints: bool = False
    """Whether people may ask what a bot would do in their place."""
    ended: float | None = None
    """When the game ended; UNKNOWN at a table of an older program."""
    stage: Stage = "dealt"
    """While it is not `dealt`, the options of what the seats bring are only an example."""
    rematch_of: str | None = None
    """The table of which this is the rematch."""
    grace: int = 0
    """For how many seconds nobody sees what a person has decided, who may take it back meanwhile."""
    sealing: Sealing | None = None
    """What everybody may know of how its deal is proved; None where it is not."""


class Written(NamedTuple):
    """What stands in the store after entries were added: when that was, and when the table's machine is due."""

    at: float
    due: float | None


class Store(ProofRows, ClaimRows):
    """An open database. Raises StoreError when it cannot be used."""

    def __init__(self, url: str) -> None:
        self.process: str = new_key()
        """Names whoever has opened it among all processes at the database."""
        with _plain_errors(f"The database {_shown(url)} cannot be opened"):
            self.engine: Engine = _engine(url)
            try:
                with self.engine.begin() as connection:
                    _migrate(connection)
            except BaseException:
                self.engine.dispose()
                raise

    def close(self) -> None:
        self.engine.dispose()

    def ring(self, connection: Connection, key: str, length: int | None = None) -> None:
        """Let the other processes hear, once this transaction is done, that a record has so many entries now; without a
        length, that something else has changed that pages of this table show."""
        news.ring(connection, self.process, news.News(key, length))

    def listener(self, heard: news.Heard) -> news.Listener:
        """To hear what other processes ring."""
        return news.Listener(self.engine, self.process, heard)

    def reach(self) -> bool:
        """Ask the database for something; returns whether there is room for more, as far as that can be seen from
        here. Raises StoreError."""
        with self._begin() as connection:
            connection.execute(sa.select(_meta.c.schema_version))
        if self.engine.url.get_backend_name() != "sqlite" or self.engine.url.database is None:
            return True
        return shutil.disk_usage(Path(self.engine.url.database).resolve().parent).free >= LEAST_ROOM

    def create(self, row: TableRow, entries: list[Entry], pinned: Options | None = None, proved: bool = False) -> None:
        """Write down a new table with its first entries, and the options that pin its card data; with a secret of the
        server where the deal is to be `proved`."""
        if pinned:
            self._pin(row, json.dumps(pinned))
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
                    ended=row.ended,
                    stage=row.stage,
                    rematch_of=row.rematch_of,
                    grace=row.grace,
                )
            )
            seats = [{"table": row.key, **vars(seat)} for seat in row.seats]
            connection.execute(_seats.insert(), seats)
            if proved:
                seal(connection, row.key, row.game)
            _insert(connection, row.key, 0, entries)

    def _pin(self, row: TableRow, text: str) -> None:
        same = sa.and_(_data.c.game == row.game, _data.c.hash == row.data)
        with suppress(IntegrityError), self._begin() as connection:
            if connection.execute(sa.select(_data.c.hash).where(same)).one_or_none() is None:
                connection.execute(_data.insert().values(game=row.game, hash=row.data, text=text))

    def pinned(self, game: str, data: str) -> Options:
        """The options that pin card data; none if these are not known."""
        query = sa.select(_data.c.text).where(_data.c.game == game, _data.c.hash == data)
        with self._begin() as connection:
            text = connection.execute(query).scalar_one_or_none()
        found: Options = {} if text is None else json.loads(text)
        return found

    def table(self, key: str) -> TableRow:
        """A table. Raises NoTable."""
        with self._begin() as connection:
            row = connection.execute(sa.select(_tables).where(_tables.c.key == key)).one_or_none()
            if row is None:
                raise NoTable()
            return TableRow(
                row.key,
                row.game,
                json.loads(row.options),
                row.rules,
                row.data,
                row.invitation,
                row.rematch,
                row.opened,
                _seat_rows(connection, key),
                row.hints,
                row.ended,
                row.stage,
                row.rematch_of,
                row.grace,
                sealing(connection, key),
            )

    def entries(self, key: str, since: int = 0) -> list[Entry]:
        """The record of a table from some entry on."""
        own = sa.and_(_entries.c.table == key, _entries.c.seq >= since)
        query = sa.select(_entries.c.kind, _entries.c.seat, _entries.c.text).where(own).order_by(_entries.c.seq)
        with self._begin() as connection:
            return [Entry(row.kind, row.seat, row.text) for row in connection.execute(query)]

    def append(self, key: str, length: int, entries: list[Entry], due: Due = NOTHING_DUE) -> Written:
        """Add entries to a record that has `length` of them, all or none, and say when its machine is due.

        Raises Conflict when it has grown meanwhile.
        """
        try:
            with self._begin() as connection:
                written = _insert(connection, key, length, entries, due)
                self.ring(connection, key, length + len(entries))
                return written
        except IntegrityError:
            raise Conflict("Somebody else was faster; look again, then choose.") from None

    def sit(self, key: str, names: Mapping[int, str], token: str, claim: str, sealed: str) -> bool:
        """Give free seats, under these names, to the owner of a (hashed) token; False when one of them is not free
        any more, or when this claim has got seats already."""
        now = time.time()
        free = _seats.update().where(_seats.c.table == key, _seats.c.token.is_(None), _seats.c.bot.is_(None))
        try:
            with self._begin() as connection:
                for number, (seat, name) in enumerate(names.items()):
                    values = {"name": name, "token": token, "seated": now}
                    if number == 0:
                        values |= {"claim": claim, "sealed": sealed}
                    if connection.execute(free.where(_seats.c.seat == seat).values(values)).rowcount != 1:
                        raise Conflict("Somebody else sits there.")
                self.ring(connection, key)
        except (IntegrityError, Conflict):
            return False
        return True

    def prepare(self, key: str, seats: Mapping[int, tuple[str | None, Ready]]) -> bool:
        """Before the deal: write down what seats bring (None: as it was) and whether they are ready; False when it is
        not before the deal any more."""
        with self._begin() as connection:
            if not _waits(connection, key):
                return False
            for seat, (brings, ready) in seats.items():
                values = {"ready": ready} if brings is None else {"ready": ready, "brings": brings}
                same = sa.and_(_seats.c.table == key, _seats.c.seat == seat)
                connection.execute(_seats.update().where(same).values(values))
            self.ring(connection, key)
        return True

    def leave(self, key: str, seats: Mapping[int, str], ready: Ready, close: bool) -> bool:
        """Before the deal: make seats free again, under these names, and `close` the table; False when it is not before
        the deal any more."""
        nobody = dict.fromkeys(("bot", "token", "claim", "sealed", "seated"))
        with self._begin() as connection:
            if not _waits(connection, key):
                return False
            for seat, name in seats.items():
                same = sa.and_(_seats.c.table == key, _seats.c.seat == seat)
                connection.execute(_seats.update().where(same).values(name=name, ready=ready, **nobody))
            if close:
                connection.execute(_tables.update().where(_tables.c.key == key).values(stage="closed"))
            self.ring(connection, key)
        return True

    def deal(self, row: TableRow, entries: list[Entry], pinned: Options | None = None) -> bool:
        """Begin the game of a table with these first entries; False when its seats are not as `row` says any more."""
        if pinned:
            self._pin(row, json.dumps(pinned))
        change = _tables.update().where(_tables.c.key == row.key, _tables.c.stage == "waiting")
        values = {"options": json.dumps(row.options), "rules": row.rules, "data": row.data, "stage": "dealt"}
        with self._begin() as connection:
            if connection.execute(change.values(values)).rowcount != 1:
                return False
            if _seat_rows(connection, row.key) != row.seats:
                connection.rollback()
                return False
            _insert(connection, row.key, 0, entries)
            self.ring(connection, row.key)
        return True

    def seat_bot(self, key: str, seat: int, name: str, bot: str | None, free: bool) -> bool:
        """Let a bot play at a seat, or nobody but its person; False when the seat is not, or no longer,
        free as `free` says."""
        change = _seats.update().where(_seats.c.table == key, _seats.c.seat == seat).values(name=name, bot=bot)
        if free:
            change = change.where(_seats.c.token.is_(None), _seats.c.bot.is_(None)).values(invitation=None)
        else:
            change = change.where(_seats.c.token.is_not(None))
        with self._begin() as connection:
            self.ring(connection, key)
            return connection.execute(change).rowcount == 1

    def set_standing(self, key: str, seat: int, standing: str) -> None:
        """Write down what a seat wants answered by itself."""
        change = _seats.update().where(_seats.c.table == key, _seats.c.seat == seat).values(standing=standing)
        with self._begin() as connection:
            connection.execute(change)
            self.ring(connection, key)

    def thoughts(self, key: str) -> dict[int, str]:
        """What bots thought, by the numbers of their entries."""
        query = sa.select(_thoughts.c.seq, _thoughts.c.text).where(_thoughts.c.table == key)
        with self._begin() as connection:
            return {row.seq: row.text for row in connection.execute(query)}

    def remember(self, device: str, link: Link) -> None:
        """Write down, or anew, that a (hashed) device has been at a seat."""
        same = sa.and_(_links.c.device == device, _links.c.link == link.link)
        with suppress(IntegrityError), self._begin() as connection:
            if connection.execute(_links.update().where(same).values(at=link.at)).rowcount == 0:
                connection.execute(_links.insert().values(device=device, **vars(link)))

    def remembered(self, device: str) -> list[Link]:
        """Where a (hashed) device has been, the latest first."""
        columns = [_links.c[field.name] for field in fields(Link)]
        query = sa.select(*columns).where(_links.c.device == device).order_by(_links.c.at.desc(), _links.c.link)
        with self._begin() as connection:
            return [Link(*row) for row in connection.execute(query)]

    # ---- what becomes of tables ---------------------------------------------------------------------

    def may_tidy(self, now: float, until: float, mine: float = 0.0) -> bool:
        """Whether this process may put old tables in order until then: if no other one does so now. `mine`: until when
        it could so far."""
        free = sa.or_(_meta.c.tidied <= now, _meta.c.tidied == mine)
        with self._begin() as connection:
            return connection.execute(_meta.update().where(free).values(tidied=until)).rowcount == 1

    def settle(self, key: str, over: bool) -> None:
        """Write down whether the game of an older program's table is over."""
        last = sa.select(sa.func.max(_entries.c.at)).where(_entries.c.table == key).scalar_subquery()
        change = _tables.update().where(_tables.c.key == key).values(ended=last if over else None)
        with self._begin() as connection:
            connection.execute(change)

    def unsettled(self) -> list[str]:
        """The tables of which it is not known whether the game is over."""
        return self._keys(_tables.c.ended == UNKNOWN)

    def unkept(self) -> list[str]:
        """The tables whose game is over and has no archive."""
        kept = sa.select(_kept.c.table).where(_kept.c.table == _tables.c.key).exists()
        return self._keys(sa.and_(_tables.c.ended > 0, sa.not_(kept)))

    def idle(self, since: float) -> list[str]:
        """The tables at which somebody has played, but nobody since then, and whose game is not over."""
        played, lately = self._moves(), self._moves(_entries.c.at >= since)
        return self._keys(sa.and_(_tables.c.ended.is_(None), played, sa.not_(lately)))

    def unplayed(self, since: float) -> list[str]:
        """The tables opened before then at which nobody has played."""
        running = sa.or_(_tables.c.ended.is_(None), _tables.c.ended == UNKNOWN)
        return self._keys(sa.and_(running, _tables.c.opened < since, sa.not_(self._moves())))

    @staticmethod
    def _moves(*conditions: sa.ColumnElement[bool]) -> sa.ColumnElement[bool]:
        """Whether a table has decisions of seats."""
        own = (_entries.c.table == _tables.c.key, _entries.c.seat >= 0)
        return sa.select(_entries.c.seq).where(*own, *conditions).exists()

    def _keys(self, condition: sa.ColumnElement[bool]) -> list[str]:
        query = sa.select(_tables.c.key).where(condition).order_by(_tables.c.opened)
        with self._begin() as connection:
            return list(connection.execute(query).scalars())

    def keep(self, key: str, head: str, body: bytes) -> None:
        """Write down the archive of a game, its head for lists apart, unless there is one."""
        with suppress(IntegrityError), self._begin() as connection:
            connection.execute(_kept.insert().values(table=key, head=head, body=body))

    def kept(self, key: str) -> tuple[str, bytes] | None:
        """The archive of a game, if there is one: its head, and all of it."""
        query = sa.select(_kept.c.head, _kept.c.body).where(_kept.c.table == key)
        with self._begin() as connection:
            row = connection.execute(query).one_or_none()
            return None if row is None else (row.head, row.body)

    def kept_heads(self, keys: Sequence[str]) -> dict[str, str]:
        """The heads of those tables' archives that there are."""
        query = sa.select(_kept.c.table, _kept.c.head).where(_kept.c.table.in_(keys))
        with self._begin() as connection:
            return {row.table: row.head for row in connection.execute(query)}

    def seats_of(self, tokens: Sequence[str]) -> dict[str, list[int]]:
        """The seats of each of these (hashed) tokens."""
        query = sa.select(_seats.c.token, _seats.c.seat).where(_seats.c.token.in_(tokens)).order_by(_seats.c.seat)
        found: dict[str, list[int]] = {}
        with self._begin() as connection:
            for row in connection.execute(query):
                found.setdefault(row.token, []).append(row.seat)
        return found

    def clear(self, key: str) -> None:
        """Delete a table and everything about it, but not that devices have been there."""
        with self._begin() as connection:
            for part in (_thoughts, _entries, _kept, _presences, _curtains, _hints, shares, proofs, _seats):
                connection.execute(part.delete().where(part.c.table == key))
            connection.execute(_tables.delete().where(_tables.c.key == key))
            self.ring(connection, key)

    def forget_devices(self, since: float) -> None:
        """Forget where those devices have been that have been nowhere since then."""
        newer = sa.select(_links.c.device).where(_links.c.at >= since)
        with self._begin() as connection:
            connection.execute(_links.delete().where(_links.c.device.not_in(newer)))

    def name_rematch(self, key: str, rematch: str, before: str | None = None) -> bool:
        """Write down the table of the rematch; False when there is another already than the one `before`."""
        old = sa.and_(_tables.c.key == key, _tables.c.rematch.is_not_distinct_from(before))
        change = _tables.update().where(old).values(rematch=rematch)
        with self._begin() as connection:
            self.ring(connection, key)
            return connection.execute(change).rowcount == 1

    @contextmanager
    def _begin(self) -> Iterator[Connection]:
        with _plain_errors("The database did not answer"), self.engine.begin() as connection:
            yield connection


def _seat_rows(connection: Connection, key: str) -> tuple[SeatRow, ...]:
    columns = [_seats.c[field.name] for field in fields(SeatRow)]
    seats = connection.execute(sa.select(*columns).where(_seats.c.table == key).order_by(_seats.c.seat))
    return tuple(SeatRow(*seat) for seat in seats)


def _waits(connection: Connection, key: str) -> bool:
    """Whether a table waits to be dealt. It cannot be dealt before this transaction has ended."""
    same = _tables.update().where(_tables.c.key == key, _tables.c.stage == "waiting").values(stage="waiting")
    return connection.execute(same).rowcount == 1


def _insert(connection: Connection, key: str, length: int, entries: list[Entry], due: Due = NOTHING_DUE) -> Written:
    now = time.time()
    if not entries:
        return Written(now, None)
    seqs = range(length, length + len(entries))
    numbered = list(zip(seqs, entries, strict=True))
    rows = [
        {"table": key, "seq": seq, "at": now, "kind": e.kind, "seat": e.seat, "text": e.text} for seq, e in numbered
    ]
    connection.execute(_entries.insert(), rows)
    if thoughts := [{"table": key, "seq": seq, "text": e.thought} for seq, e in numbered if e.thought]:
        connection.execute(_thoughts.insert(), thoughts)
    change = {"length": length + len(entries), "due": due.value(now)} | ({"ended": now} if entries[-1].last else {})
    same = _tables.update().where(_tables.c.key == key).values(change)
    return Written(now, connection.execute(same.returning(_tables.c.due)).scalar_one_or_none())


def _engine(url: str) -> Engine:
    made = sa.make_url(url)
    if made.drivername == "postgresql":
        made = made.set(drivername="postgresql+psycopg")
    if made.get_backend_name() != "sqlite":
        # A server that does not answer is told of in a few seconds, not after the system's minutes.
        patience = {"connect_timeout": 3, "tcp_user_timeout": 5000, "keepalives_idle": 10}
        return sa.create_engine(made, pool_pre_ping=True, pool_size=10, pool_timeout=10, connect_args=patience)
    if made.database in (None, "", ":memory:"):
        raise StoreError("A database in memory would lose the tables; give a file, like sqlite:///tables.db.")
    engine = sa.create_engine(made, connect_args={"timeout": 10})

    def tune(connection: DBAPIConnection, _: object) -> None:
        # WAL with NORMAL loses nothing when the process dies, and at worst the last moves in a power cut.
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=NORMAL")
        connection.execute("PRAGMA foreign_keys=ON")

    event.listen(engine, "connect", tune)
    return engine


def _add_links_and_answers(connection: Connection) -> None:
    """Version 2: a link for each seat, and standing answers."""
    connection.execute(sa.text("ALTER TABLE seats ADD COLUMN invitation VARCHAR(64)"))
    connection.execute(sa.text("ALTER TABLE seats ADD COLUMN standing VARCHAR(32) DEFAULT '' NOT NULL"))


def _add_hints_and_thoughts(connection: Connection) -> None:
    """Version 3: whether hints are given, and what bots thought."""
    connection.execute(sa.text("ALTER TABLE tables ADD COLUMN hints BOOLEAN DEFAULT FALSE NOT NULL"))
    _thoughts.create(connection)


def _add_claims(connection: Connection) -> None:
    """Version 4: by which claim a seat was taken."""
    for column in ("claim VARCHAR(64)", "sealed VARCHAR(32)", "seated FLOAT"):
        connection.execute(sa.text(f"ALTER TABLE seats ADD COLUMN {column}"))
    _index_seats(connection)


def _add_devices(connection: Connection) -> None:
    """Version 5: where each device has been."""
    _links.create(connection)


def _add_archives(connection: Connection) -> None:
    """Version 6: whether games are over, archives of them, and the card data of tables."""
    connection.execute(sa.text("ALTER TABLE tables ADD COLUMN ended FLOAT"))
    connection.execute(_tables.update().values(ended=UNKNOWN))
    _data.create(connection)
    _kept.create(connection)


def _index_seats(connection: Connection) -> None:
    """Version 7: whose seat a token is, for the lobby."""
    for index in _seats.indexes:
        index.create(connection, checkfirst=True)


def _void_derived_tokens(connection: Connection) -> None:
    """Version 8: tokens that older programs derived from an invitation, or from the link of another game, lead nowhere.

    Whoever held the invitation could work them out, so nothing proves whose such a seat is, and nobody is given it.
    """
    rematches = set(connection.execute(sa.select(_tables.c.rematch)).scalars())
    invited = set(connection.execute(sa.select(_tables.c.key).where(_tables.c.invitation.is_not(None))).scalars())
    seats: dict[str, list[sa.Row[tuple[object, ...]]]] = {}
    then = [_seats.c[name] for name in ("table", "seat", "bot", "token", "invitation", "claim")]
    for row in connection.execute(sa.select(*then)):
        seats.setdefault(row.table, []).append(row)
    for key, rows in seats.items():
        claimed = {row.token for row in rows if row.claim is not None}
        # Version 1 did not write down which of two people had come by the invitation.
        either = key in invited and all(row.token and row.invitation is None and row.bot is None for row in rows)
        for row in rows:
            if row.token not in {None, *claimed} and (row.invitation or key in rematches or either):
                same = sa.and_(_seats.c.table == key, _seats.c.seat == row.seat)
                connection.execute(_seats.update().where(same).values(token=hashed(new_token())))


def _add_stages(connection: Connection) -> None:
    """Version 9: tables that wait until everybody is ready, and what each brings. Those of older programs are dealt."""
    connection.execute(sa.text("ALTER TABLE tables ADD COLUMN stage VARCHAR(8) DEFAULT 'dealt' NOT NULL"))
    connection.execute(sa.text("ALTER TABLE tables ADD COLUMN rematch_of VARCHAR(32)"))
    connection.execute(sa.text("ALTER TABLE seats ADD COLUMN brings TEXT DEFAULT '' NOT NULL"))
    connection.execute(sa.text("ALTER TABLE seats ADD COLUMN ready VARCHAR(8) DEFAULT '' NOT NULL"))


def _add_grace(connection: Connection) -> None:
    """Version 10: for how long decisions are held."""
    connection.execute(sa.text("ALTER TABLE tables ADD COLUMN grace INTEGER DEFAULT 0 NOT NULL"))


def _add_proofs(connection: Connection) -> None:
    """Version 11: proved deals."""
    proofs.create(connection, checkfirst=True)
    shares.create(connection, checkfirst=True)


def _add_processes(connection: Connection) -> None:
    """Version 12: what several processes share, and clocks."""
    connection.execute(sa.text("ALTER TABLE gonfalon_meta ADD COLUMN secret VARCHAR(64) DEFAULT '' NOT NULL"))
    connection.execute(sa.text("ALTER TABLE gonfalon_meta ADD COLUMN tidied FLOAT DEFAULT 0 NOT NULL"))
    for column in ("length INTEGER DEFAULT 0 NOT NULL", "due FLOAT", "clock TEXT DEFAULT '' NOT NULL", "since FLOAT"):
        connection.execute(sa.text(f"ALTER TABLE tables ADD COLUMN {column}"))
    connection.execute(sa.text("ALTER TABLE entries ADD COLUMN spent INTEGER"))
    count = sa.select(sa.func.count()).where(_entries.c.table == _tables.c.key).scalar_subquery()
    connection.execute(_tables.update().values(length=count))
    connection.execute(_meta.update().values(secret=new_token()))
    for index in _tables.indexes:
        index.create(connection, checkfirst=True)
    for part in (_processes, _presences, _curtains, _hints, news.rows):
        part.create(connection, checkfirst=True)


MIGRATIONS: Final[list[Callable[[Connection], None]]] = [
    _add_links_and_answers,
    _add_hints_and_thoughts,
    _add_claims,
    _add_devices,
    _add_archives,
    _index_seats,
    _void_derived_tokens,
    _add_stages,
    _add_grace,
    _add_proofs,
    _add_processes,
]
"""The n-th leads from schema version n + 1 to n + 2."""


def _migrate(connection: Connection) -> None:
    """Bring the schema to this program's version."""
    if not sa.inspect(connection).has_table(_meta.name):
        schema.create_all(connection)
        connection.execute(_meta.insert().values(schema_version=SCHEMA_VERSION, secret=new_token()))
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
