"""The store: tables, seats and the entries of every record, in any database that SQLAlchemy knows.

It is synchronous; live tables call it in worker threads. The primary key (table, seq) of the entries is the
compare-and-set: of two writers who have seen the same record, one is refused.
"""

from __future__ import annotations

import json
import math
import shutil
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field, fields
from pathlib import Path
from threading import Lock, Semaphore
from typing import Final, Literal, NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import IntegrityError

from gonfalon.core.basics.options import Options
from gonfalon.table import messages
from gonfalon.table.errors import Conflict, NoTable, StoreError
from gonfalon.table.game.entries import Entry
from gonfalon.table.links import new_key
from gonfalon.table.store import notifications
from gonfalon.table.store.account_rows import AccountRows
from gonfalon.table.store.admin_rows import AdminRows
from gonfalon.table.store.card_set_rows import CardSetRows
from gonfalon.table.store.claim_rows import WRITTEN_DUE, ClaimRows, Due
from gonfalon.table.store.engines import convert_errors, hide_password, open_engine
from gonfalon.table.store.jobs.review_rows import ReviewRows, reviewing, reviews
from gonfalon.table.store.jobs.study_rows import StudyRows
from gonfalon.table.store.migrations import SCHEMA_VERSION, prepare_schema
from gonfalon.table.store.outage import Outage
from gonfalon.table.store.player_rows import PlayerRows, pushes
from gonfalon.table.store.proof_rows import ProofRows, Sealing, proofs, read_sealing, shares, store_secret
from gonfalon.table.store.schema import meta, schema
from gonfalon.table.store.shared_rows import curtains, hints, presences

LEAST_ROOM: Final = 64 * 1024 * 1024
"""Bytes that must be free beside a SQLite file."""

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
    sa.Column("hints", sa.Boolean, nullable=False),
    sa.Column("ended", sa.Float),
    sa.Column("stage", sa.String(8), nullable=False),
    sa.Column("rematch_of", sa.String(32)),
    sa.Column("length", sa.Integer, nullable=False, server_default="0"),
    sa.Column("due", sa.Float),
    sa.Column("clock", sa.Text, nullable=False),
    sa.Column("since", sa.Float),
    sa.Column("changes", sa.Integer, nullable=False, server_default="0"),
    sa.Column("ending", sa.Text, nullable=False, server_default=""),
    sa.Column("offer", sa.String(16)),
    sa.Column("bot_at", sa.Float),
    sa.Column("bot_level", sa.String(64), nullable=False, server_default=""),
    sa.Index("tables_due", "due"),
    sa.Index("tables_offer", "offer", unique=True),
)
_seats = sa.Table(
    "seats",
    schema,
    sa.Column("table", sa.String(32), sa.ForeignKey("tables.key"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
    # SQLite ignores the length of a text and cannot change it.
    sa.Column("name", sa.String(64).with_variant(sa.String(96), "postgresql"), nullable=False),
    sa.Column("bot", sa.String(64)),
    sa.Column("token", sa.String(64)),
    sa.Column("invitation", sa.String(64)),
    sa.Column("standing", sa.String(32), nullable=False),
    sa.Column("claim", sa.String(64)),
    sa.Column("sealed", sa.String(32)),
    sa.Column("seated", sa.Float),
    sa.Column("brings", sa.Text, nullable=False),
    sa.Column("ready", sa.String(8), nullable=False),
    sa.Column("program", sa.String(32)),
    sa.Column("reason", sa.String(8), nullable=False, server_default=""),
    # Whether a stream has reported the end of the game to the account that plays here.
    sa.Column("end_reported", sa.Boolean, nullable=False, server_default=sa.false()),
    # Two processes that get the same request at once must not give two seats for it.
    sa.Index("seats_claim", "table", "claim", unique=True),
    sa.Index("seats_token", "token"),
    sa.Index("seats_program", "program"),
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
# Made once: to put these together takes as long as to carry them out.
_ENTER: Final = _entries.insert()
_GROW: Final = (
    _tables.update()
    .where(_tables.c.key == sa.bindparam("own"))
    .values(length=sa.bindparam("grown"), due=WRITTEN_DUE, since=sa.bindparam("asked"))
    .returning(_tables.c.due)
)
_READ: Final = (
    sa.select(_entries.c.kind, _entries.c.seat, _entries.c.text, _entries.c.spent, _entries.c.at)
    .where(_entries.c.table == sa.bindparam("own"), _entries.c.seq >= sa.bindparam("first"))
    .order_by(_entries.c.seq)
)
_COUNT_CHANGE: Final = (
    _tables.update().where(_tables.c.key == sa.bindparam("own")).values(changes=_tables.c.changes + 1)
)
_STAMP: Final = sa.select(_tables.c.key, _tables.c.length, _tables.c.changes).where(
    sa.or_(_tables.c.key == sa.bindparam("own"), _tables.c.key == sa.bindparam("next"))
)
NOTHING_DUE: Final = Due()
Stage = Literal["waiting", "dealt", "closed"]
"""The stage of a table: waiting for the deal, dealt, or closed before the deal."""
Ready = Literal["", "yes", "no", "unfit"]
"""The readiness of a seat before the deal: not yet; yes; the expected player does not come; the choice is not valid any
more."""


@dataclass(frozen=True)
class Link:
    """A seat that a device has visited: the hash of its token, the token sealed under the device's key, and
    the time."""

    table: str
    game: str
    link: str
    sealed: str
    at: float


@dataclass(frozen=True)
class SeatRow:
    """The holder of a seat: a bot, a person (by the hash of their token), or none.

    With both a token and a bot, the bot plays for the person until they take their seat back.
    """

    seat: int
    name: str = ""
    bot: str | None = None
    token: str | None = None
    invitation: str | None = None
    """The hash of the link that leads to this seat alone."""
    standing: str = ""
    """The standing answer of the player (see `table/game/standing_answers.py`)."""
    claim: str | None = None
    """The mark of the claim by which the seat was taken (see `links.Claim`)."""
    sealed: str | None = None
    """The token of the seat, sealed under that claim."""
    seated: float | None = None
    """The time of that claim."""
    brings: str = ""
    """The faction or deck of the seat; before it is ready, the preset one."""
    ready: Ready = ""
    program: str | None = None
    """The bot account that plays or is challenged here (see `table/accounts.py`)."""
    reason: str = ""
    """The reason for which that account has declined (`accounts.REASONS`)."""

    @property
    def free(self) -> bool:
        return self.by == "nobody"

    @property
    def expected(self) -> bool:
        """Whether the free seat is kept for a player, as at a rematch."""
        return self.free and bool(self.name)

    @property
    def by(self) -> Literal["person", "bot", "nobody"]:
        return "bot" if self.bot is not None else "nobody" if self.token is None else "person"

    @property
    def stood_for(self) -> bool:
        """Whether a bot plays for the person of this seat."""
        return self.bot is not None and self.token is not None

    @property
    def prepared(self) -> bool:
        """Whether the deal need not wait for this seat."""
        return self.bot is not None or (self.token is not None and self.ready == "yes")


@dataclass(frozen=True)
class TableRow:
    """The stored facts of a table without its entries."""

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
    """Whether players may ask for hints."""
    ended: float | None = None
    """The time at which the game ended."""
    stage: Stage = "dealt"
    """The stage. Before `dealt` the options that hold the seats' choices are only an example."""
    rematch_of: str | None = None
    """The table of which this is the rematch."""
    clock: str = ""
    """The time control (see `table/game/clock.py`); empty at a table without clocks."""
    since: float | None = field(default=None, compare=False)
    """The time at which the asked seats began to use their time."""
    ending: str = field(default="", compare=False)
    """The ending of the game (`entries.Ending`); empty before the end."""
    sealing: Sealing | None = None
    """The public progress of a proved deal; None if the deal is not proved."""
    offer: str | None = None
    """The public number under which the lobby lists the table; None if its seats are reached by link only."""
    bot_at: float | None = None
    """The table time at which bots take the free seats; None for never."""
    bot_level: str = ""
    """The level of those bots."""


class Stamp(NamedTuple):
    """The state of a stored table, for a process to compare with its own: the length of the record, and the numbers of
    changes beside it, at the table and at its rematch."""

    length: int
    changes: tuple[int, int]


class Kind(NamedTuple):
    """A group of similar tables: everything that decides whether this program can open them, whether their games are
    over and archived, and their number."""

    game: str
    options: str
    rules: str
    data: str
    stage: Stage
    over: bool
    kept: bool
    tables: int

    def row(self) -> TableRow:
        """Return such a table, without key and seats. Raises ValueError if it is damaged."""
        options = json.loads(self.options)
        return TableRow("", self.game, options, self.rules, self.data, None, None, 0.0, (), stage=self.stage)


class Written(NamedTuple):
    """The stored result of new entries: the time of writing, and the time at which the timers are due."""

    at: float
    due: float | None


class Store(ProofRows, AccountRows, ClaimRows, PlayerRows, ReviewRows, StudyRows, CardSetRows, AdminRows):
    """An open database. `alarms` wakes the other processes of its server. Raises StoreError if it cannot be used."""

    def __init__(self, url: str, alarms: notifications.Alarms | None = None) -> None:
        self.process: str = new_key()
        """The name of this process among all processes at the database."""
        self.alarms: notifications.Alarms = alarms or notifications.Alarms([Semaphore(0)], 0)
        self.outage: Outage = Outage()
        """Logs failures once, so that callers that retry need not."""
        with convert_errors(messages.CANNOT_OPEN.format(url=hide_password(url))):
            self.engine: Engine = open_engine(url)
            # SQLite takes one writer at a time and lets the others retry at random, which under load can time out.
            sqlite = self.engine.dialect.name == "sqlite"
            self._turn: AbstractContextManager[object] = Lock() if sqlite else nullcontext()
            try:
                prepare_schema(self.engine)
            except BaseException:
                self.engine.dispose()
                raise
        self.secret: str = self._secret()
        """A secret shared by all processes, from which values are derived that no outsider can compute."""

    def _secret(self) -> str:
        with self._begin() as connection:
            secret: str = connection.execute(sa.select(meta.c.secret)).scalar_one()
            return secret

    def close(self) -> None:
        self.engine.dispose()

    def notify(self, connection: Connection, key: str, length: int | None = None) -> None:
        notifications.notify(connection, self.process, notifications.News(key, length))
        connection.info["notifies"] = True

    def count_change(self, connection: Connection, key: str) -> None:
        connection.execute(_COUNT_CHANGE, {"own": key})
        self.notify(connection, key)

    def listener(self, heard: notifications.Heard) -> notifications.Listener:
        """Return a listener for notifications of other processes."""
        return notifications.Listener(self.engine, self.process, heard, self.outage, self.alarms)

    def reach(self) -> bool:
        """Query the database, and return whether there is free space, as far as that can be seen from here. Raises
        StoreError."""
        with self._begin() as connection:
            if connection.execute(sa.select(meta.c.version)).scalar_one() != SCHEMA_VERSION:
                raise StoreError(messages.OTHER_SCHEMA)
        return self.free_bytes() >= LEAST_ROOM

    def free_bytes(self) -> float:
        """Return the free space of the disk of a SQLite file; infinity for PostgreSQL, whose disk cannot be seen."""
        if self.engine.url.get_backend_name() != "sqlite" or self.engine.url.database is None:
            return math.inf
        return shutil.disk_usage(Path(self.engine.url.database).resolve().parent).free

    def create(self, row: TableRow, entries: list[Entry], pinned: Options | None = None, proved: bool = False) -> None:
        """Store a new table with its first entries and the options that pin its card data, and a secret of the server
        if the deal is to be `proved`."""
        # In a transaction of its own, because losing a race for the same cards must not undo the table.
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
                    clock=row.clock,
                    since=row.since,
                    offer=row.offer,
                    bot_at=row.bot_at,
                    bot_level=row.bot_level,
                    due=row.bot_at,
                )
            )
            seats = [{"table": row.key, **vars(seat)} for seat in row.seats]
            connection.execute(_seats.insert(), seats)
            if proved:
                store_secret(connection, row.key, row.game)
            _insert_rows(connection, row.key, 0, entries, since=row.since)

    def _pin(self, row: TableRow, text: str) -> None:
        same = sa.and_(_data.c.game == row.game, _data.c.hash == row.data)
        with suppress(IntegrityError), self._begin() as connection:
            if connection.execute(sa.select(_data.c.hash).where(same)).one_or_none() is None:
                connection.execute(_data.insert().values(game=row.game, hash=row.data, text=text))

    def pinned(self, game: str, data: str) -> Options:
        """Return the options that pin card data; none if they are unknown."""
        query = sa.select(_data.c.text).where(_data.c.game == game, _data.c.hash == data)
        with self._begin() as connection:
            text = connection.execute(query).scalar_one_or_none()
        found: Options = {} if text is None else json.loads(text)
        return found

    def table(self, key: str) -> TableRow:
        """Return a table. Raises NoTable."""
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
                row.clock,
                row.since,
                row.ending,
                read_sealing(connection, key),
                row.offer,
                row.bot_at,
                row.bot_level,
            )

    def stamp(self, key: str, rematch: str | None) -> Stamp:
        """Return the state of a table and its rematch. Raises NoTable."""
        with self._begin() as connection:
            rows = {row.key: row for row in connection.execute(_STAMP, {"own": key, "next": rematch})}
        if key not in rows:
            raise NoTable()
        return Stamp(rows[key].length, (rows[key].changes, rows[rematch].changes if rematch in rows else 0))

    def entries(self, key: str, since: int = 0) -> list[Entry]:
        """Return the record of a table from an entry on."""
        with self._begin() as connection:
            rows = connection.execute(_READ, {"own": key, "first": since})
            return [Entry(kind, seat, text, spent=spent, at=at) for kind, seat, text, spent, at in rows]

    def since(self, key: str) -> float | None:
        """Return the time at which the asked seats of a table began to use their time."""
        with self._begin() as connection:
            since: float | None = connection.execute(
                sa.select(_tables.c.since).where(_tables.c.key == key)
            ).scalar_one()
            return since

    def append(
        self, key: str, length: int, entries: list[Entry], due: Due = NOTHING_DUE, since: float | None = None
    ) -> Written:
        """Add entries to a record of `length` entries, all or none.

        Args:
            key: The table.
            length: The length of the record that the writer has seen.
            entries: The entries to add.
            due: The time at which the timers of the table are due afterwards.
            since: The time from which the asked seats use their time.

        Raises:
            Conflict: The record has grown meanwhile.
        """
        try:
            with self._turn, self._begin() as connection:
                self.notify(connection, key, length + len(entries))
                return _insert_rows(connection, key, length, entries, due, since)
        except IntegrityError:
            raise Conflict(messages.CHANGED_FIRST) from None

    def sit(self, key: str, names: Mapping[int, str], token: str, claim: str, sealed: str, now: float) -> bool:
        """Give free seats, under these names, to the owner of a (hashed) token. Return False if one of them is taken or
        this claim has got seats already."""
        free = _seats.update().where(_seats.c.table == key, _seats.c.token.is_(None), _seats.c.bot.is_(None))
        try:
            with self._begin() as connection:
                # Comes first, because all transactions lock the table's row before rows of seats.
                self.count_change(connection, key)
                for number, (seat, name) in enumerate(names.items()):
                    values = {"name": name, "token": token, "seated": now}
                    # A claim is unique at a table, so the first seat of a device holds it for all.
                    if number == 0:
                        values |= {"claim": claim, "sealed": sealed}
                    if connection.execute(free.where(_seats.c.seat == seat).values(values)).rowcount != 1:
                        # An error, so that seats taken before it in this transaction are rolled back.
                        raise Conflict(messages.SEAT_HELD)
        except (IntegrityError, Conflict):
            return False
        return True

    def prepare(self, key: str, seats: Mapping[int, tuple[str | None, Ready]]) -> bool:
        """Before the deal, store the choices of seats (None: unchanged) and whether they are ready. Return False after
        the deal."""
        with self._begin() as connection:
            if not _is_waiting(connection, key):
                return False
            for seat, (brings, ready) in seats.items():
                values = {"ready": ready} if brings is None else {"ready": ready, "brings": brings}
                same = sa.and_(_seats.c.table == key, _seats.c.seat == seat)
                connection.execute(_seats.update().where(same).values(values))
            self.count_change(connection, key)
        return True

    def leave(self, key: str, seats: Mapping[int, str], ready: Ready, close: bool) -> bool:
        """Before the deal, free seats under these names, and `close` the table if asked. Return False after
        the deal."""
        nobody = dict.fromkeys(("bot", "token", "claim", "sealed", "seated"))
        with self._begin() as connection:
            if not _is_waiting(connection, key):
                return False
            for seat, name in seats.items():
                same = sa.and_(_seats.c.table == key, _seats.c.seat == seat)
                connection.execute(_seats.update().where(same).values(name=name, ready=ready, **nobody))
            if close:
                connection.execute(_tables.update().where(_tables.c.key == key).values(stage="closed"))
            self.count_change(connection, key)
        return True

    def deal(self, row: TableRow, entries: list[Entry], pinned: Options | None = None) -> float | None:
        """Start the game of a table with its first entries. Return the time, or None if its seats differ from `row`."""
        if pinned:
            self._pin(row, json.dumps(pinned))
        change = _tables.update().where(_tables.c.key == row.key, _tables.c.stage == "waiting")
        values: dict[str, object] = {
            "options": json.dumps(row.options),
            "rules": row.rules,
            "data": row.data,
            "stage": "dealt",
        }
        values["since"] = row.since
        with self._begin() as connection:
            if connection.execute(change.values(values)).rowcount != 1:
                return None
            if _seat_rows(connection, row.key) != row.seats:
                # The game was made from other choices than the seats hold now.
                connection.rollback()
                return None
            self.count_change(connection, row.key)
            return _insert_rows(connection, row.key, 0, entries, since=row.since).at

    def seat_bot(self, key: str, seat: int, name: str, bot: str | None, free: bool) -> bool:
        """Let a bot play at a seat, or only its player. Return False if the seat is not free as `free` says."""
        change = _seats.update().where(_seats.c.table == key, _seats.c.seat == seat).values(name=name, bot=bot)
        if free:
            change = change.where(_seats.c.token.is_(None), _seats.c.bot.is_(None)).values(
                invitation=None, program=None
            )
        else:
            change = change.where(_seats.c.token.is_not(None))
        with self._begin() as connection:
            self.count_change(connection, key)
            return connection.execute(change).rowcount == 1

    def set_standing(self, key: str, seat: int, standing: str) -> None:
        """Store the standing answer of a seat."""
        change = _seats.update().where(_seats.c.table == key, _seats.c.seat == seat).values(standing=standing)
        with self._begin() as connection:
            self.count_change(connection, key)
            connection.execute(change)

    def thoughts(self, key: str) -> dict[int, str]:
        """Return the bots' thoughts, by the number of the entry that they belong to."""
        query = sa.select(_thoughts.c.seq, _thoughts.c.text).where(_thoughts.c.table == key)
        with self._begin() as connection:
            return {row.seq: row.text for row in connection.execute(query)}

    def remember(self, device: str, link: Link) -> None:
        """Store that a (hashed) device has visited a seat."""
        same = sa.and_(_links.c.device == device, _links.c.link == link.link)
        with suppress(IntegrityError), self._begin() as connection:
            if connection.execute(_links.update().where(same).values(at=link.at)).rowcount == 0:
                connection.execute(_links.insert().values(device=device, **vars(link)))

    def remembered(self, device: str) -> list[Link]:
        """Return the seats that a (hashed) device has visited, the latest first."""
        columns = [_links.c[field.name] for field in fields(Link)]
        query = sa.select(*columns).where(_links.c.device == device).order_by(_links.c.at.desc(), _links.c.link)
        with self._begin() as connection:
            return [Link(*row) for row in connection.execute(query)]

    # ---- retention ------------------------------------------------------------------------------------

    def may_tidy(self, now: float, until: float, mine: float = 0.0) -> bool:
        """Return whether this process may clean up until a time, that is, whether no other does. `mine` is the time
        until which it could so far."""
        free = sa.or_(meta.c.tidied <= now, meta.c.tidied == mine)
        with self._begin() as connection:
            return connection.execute(meta.update().where(free).values(tidied=until)).rowcount == 1

    def count_kinds(self) -> list[Kind]:
        """Count the tables, except closed ones, by everything that decides whether this program can open them."""
        kept = sa.select(_kept.c.table).where(_kept.c.table == _tables.c.key).exists()
        over = _tables.c.ended.is_not(None)
        same = (_tables.c.game, _tables.c.options, _tables.c.rules, _tables.c.data, _tables.c.stage)
        each = sa.select(*same, over.label("over"), kept.label("kept"))
        inner = each.where(_tables.c.stage != "closed").subquery()
        with self._begin() as connection:
            found = connection.execute(sa.select(*inner.c, sa.func.count()).group_by(*inner.c)).all()
        return [Kind._make(row) for row in found]

    def unkept(self) -> list[str]:
        """Return the tables with a finished game and no archive."""
        kept = sa.select(_kept.c.table).where(_kept.c.table == _tables.c.key).exists()
        return self._keys(sa.and_(_tables.c.ended.is_not(None), sa.not_(kept)))

    def idle(self, since: float) -> list[str]:
        """Return the tables with an unfinished game and no move since a time."""
        played, lately = self._moves(), self._moves(_entries.c.at >= since)
        return self._keys(sa.and_(_tables.c.ended.is_(None), played, sa.not_(lately)))

    def unplayed(self, since: float) -> list[str]:
        """Return the tables opened before a time at which no one has played."""
        return self._keys(sa.and_(_tables.c.ended.is_(None), _tables.c.opened < since, sa.not_(self._moves())))

    def opened_records(self, before: float) -> list[str]:
        """Return the tables of opened records from before a time: their game is over, and no one has ever sat there."""
        sat = sa.or_(_seats.c.token.is_not(None), _seats.c.bot.is_not(None))
        seated = sa.select(_seats.c.seat).where(_seats.c.table == _tables.c.key, sat).exists()
        return self._keys(sa.and_(_tables.c.ended.is_not(None), _tables.c.opened < before, sa.not_(seated)))

    @staticmethod
    def _moves(*conditions: sa.ColumnElement[bool]) -> sa.ColumnElement[bool]:
        """Return the condition that a table has decisions of seats."""
        own = (_entries.c.table == _tables.c.key, _entries.c.seat >= 0)
        return sa.select(_entries.c.seq).where(*own, *conditions).exists()

    def _keys(self, condition: sa.ColumnElement[bool]) -> list[str]:
        query = sa.select(_tables.c.key).where(condition).order_by(_tables.c.opened)
        with self._begin() as connection:
            return list(connection.execute(query).scalars())

    def keep(self, key: str, head: str, body: bytes) -> None:
        """Store the archive of a game, with its head for lists, unless there is one."""
        with suppress(IntegrityError), self._begin() as connection:
            connection.execute(_kept.insert().values(table=key, head=head, body=body))

    def kept(self, key: str) -> tuple[str, bytes] | None:
        """Return the head and the whole of a game's archive, if any."""
        query = sa.select(_kept.c.head, _kept.c.body).where(_kept.c.table == key)
        with self._begin() as connection:
            row = connection.execute(query).one_or_none()
            return None if row is None else (row.head, row.body)

    def kept_heads(self, keys: Sequence[str]) -> dict[str, str]:
        """Return the heads of the archives of these tables."""
        query = sa.select(_kept.c.table, _kept.c.head).where(_kept.c.table.in_(keys))
        with self._begin() as connection:
            return {row.table: row.head for row in connection.execute(query)}

    def seats_of(self, tokens: Sequence[str]) -> dict[str, list[int]]:
        """Return the seats of each of these (hashed) tokens."""
        query = sa.select(_seats.c.token, _seats.c.seat).where(_seats.c.token.in_(tokens)).order_by(_seats.c.seat)
        found: dict[str, list[int]] = {}
        with self._begin() as connection:
            for row in connection.execute(query):
                found.setdefault(row.token, []).append(row.seat)
        return found

    def held(self, token: str) -> list[tuple[str, str, int]]:
        """Return the tables at which a (hashed) token holds seats: for each its key, its game and the seat."""
        query = sa.select(_tables.c.key, _tables.c.game, _seats.c.seat).join(_seats, _seats.c.table == _tables.c.key)
        with self._begin() as connection:
            rows = connection.execute(query.where(_seats.c.token == token).order_by(_tables.c.key, _seats.c.seat))
            return [(row.key, row.game, row.seat) for row in rows]

    def clear(self, key: str) -> None:
        """Delete a table and everything about it, except the visits of devices."""
        with self._begin() as connection:
            # Foreign keys are enforced, so rows that refer to others go first.
            for part in (
                *(_thoughts, _entries, _kept, reviews, reviewing),
                *(presences, curtains, hints, pushes, shares, proofs, _seats),
            ):
                connection.execute(part.delete().where(part.c.table == key))
            connection.execute(_tables.delete().where(_tables.c.key == key))
            self.notify(connection, key)

    def sweep_ended(self, now: float) -> None:
        """Delete the shared facts of tables whose game ended more than a day ago."""
        ended = sa.select(_tables.c.key).where(_tables.c.ended < now - 86_400)
        self.sweep(ended, now)
        with self._begin() as connection:
            connection.execute(pushes.delete().where(pushes.c.table.in_(ended)))

    def forget_devices(self, since: float) -> None:
        """Forget the visits of devices that have made none since a time."""
        newer = sa.select(_links.c.device).where(_links.c.at >= since)
        with self._begin() as connection:
            connection.execute(_links.delete().where(_links.c.device.not_in(newer)))

    def name_rematch(self, key: str, rematch: str, before: str | None = None) -> bool:
        """Store the table of the rematch. Return False if there is another one than `before`."""
        old = sa.and_(_tables.c.key == key, _tables.c.rematch.is_not_distinct_from(before))
        change = _tables.update().where(old).values(rematch=rematch)
        with self._begin() as connection:
            self.count_change(connection, key)
            return connection.execute(change).rowcount == 1

    @contextmanager
    def _begin(self) -> Iterator[Connection]:
        try:
            with convert_errors(messages.NO_ANSWER), self.engine.begin() as connection:
                info = connection.info
                yield connection
            if info.pop("notifies", False):
                self.alarms.ring()
        except StoreError as error:
            self.outage.fail(error)
            raise


def _seat_rows(connection: Connection, key: str) -> tuple[SeatRow, ...]:
    columns = [_seats.c[field.name] for field in fields(SeatRow)]
    seats = connection.execute(sa.select(*columns).where(_seats.c.table == key).order_by(_seats.c.seat))
    return tuple(SeatRow(*seat) for seat in seats)


def _is_waiting(connection: Connection, key: str) -> bool:
    """Return whether a table waits for the deal. It cannot be dealt before this transaction ends."""
    # The update changes nothing but locks the row.
    same = _tables.update().where(_tables.c.key == key, _tables.c.stage == "waiting").values(stage="waiting")
    return connection.execute(same).rowcount == 1


def _insert_rows(
    connection: Connection,
    key: str,
    length: int,
    entries: list[Entry],
    due: Due = NOTHING_DUE,
    since: float | None = None,
) -> Written:
    now = entries[0].at if entries and entries[0].at else time.time()
    if not entries:
        return Written(now, None)
    seqs = range(length, length + len(entries))
    numbered = list(zip(seqs, entries, strict=True))
    rows = [
        {"table": key, "seq": seq, "at": now, "kind": e.kind, "seat": e.seat, "text": e.text, "spent": e.spent}
        for seq, e in numbered
    ]
    connection.execute(_ENTER, rows)
    if thoughts := [{"table": key, "seq": seq, "text": e.thought} for seq, e in numbered if e.thought]:
        connection.execute(_thoughts.insert(), thoughts)
    values = {"own": key, "grown": length + len(entries), "asked": since, **due.values(now)}
    ending = entries[-1].ending
    grow = _GROW.values(ended=now, ending=ending) if ending else _GROW
    return Written(now, connection.execute(grow, values).scalar_one_or_none())
