"""Notifications between processes: a process that changes a table notifies all others, which then read it.

A notification is only an alarm, sent with its transaction; the truth is in the store. PostgreSQL sends them itself. In
SQLite they are rows of a table, and a counter of SQLite shows that a process has written. The processes of one server
wake each other to read that counter, and read it for changes by others twice a second. A process that may have missed
some gets a None, and checks all its tables.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, NamedTuple, cast

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from gonfalon.core.rules.state import Seat
from gonfalon.core.text.emotes import NAMES
from gonfalon.table import messages
from gonfalon.table.errors import StoreError, locate_error
from gonfalon.table.store.outage import Outage
from gonfalon.table.store.schema import schema

if TYPE_CHECKING:
    import sqlite3
    from multiprocessing.synchronize import Semaphore

    import psycopg

CHANNEL: Final = "gonfalon"
REST: Final = 0.5
"""Seconds between two reads of SQLite's counter without an alarm."""
PATIENCE: Final = 0.1
"""Seconds that the thread waits for PostgreSQL before it checks whether it should stop."""
AGAIN: Final = 0.5
"""Seconds before a broken connection is opened again."""
KEPT: Final = 1000
"""The minimum number of notifications that are kept."""

rows = sa.Table(
    "news",
    schema,
    sa.Column("number", sa.Integer, primary_key=True),
    # No foreign key: the deletion of a table is a notification too.
    sa.Column("table", sa.String(32), nullable=False),
    sa.Column("length", sa.Integer),
    sa.Column("process", sa.String(32), nullable=False),
    sqlite_autoincrement=True,
)

_NOTIFY: Final = rows.insert()
_AFTER: Final = sa.select(rows).where(rows.c.number > sa.bindparam("last")).order_by(rows.c.number)


class News(NamedTuple):
    """A change at a table: the new length of its record, or None for a change beside it. A negative number is no length
    but an emote, which is not stored (`decode_emote`)."""

    table: str
    length: int | None = None


def encode_emote(seat: Seat, emote: str) -> int:
    """Return the number that stands for an emote."""
    return -1 - (seat * len(NAMES) + NAMES.index(emote))


def decode_emote(news: News) -> tuple[Seat, str] | None:
    """Return the seat and the emote of a notification, if it is one."""
    if news.length is None or news.length >= 0:
        return None
    seat, number = divmod(-1 - news.length, len(NAMES))
    return seat, NAMES[number]


Heard = Callable[[News | None], object]
"""Called in a thread of its own with each change, or with None if changes may have been missed."""


def notify(connection: Connection, process: str, news: News) -> None:
    """Notify the other processes of a change as soon as this transaction is committed."""
    if connection.dialect.name == "postgresql":
        payload = f"{process} {news.table} {'' if news.length is None else news.length}"
        connection.execute(sa.select(sa.func.pg_notify(CHANNEL, payload)))
        return
    made = connection.execute(_NOTIFY, {"table": news.table, "length": news.length, "process": process})
    number = made.inserted_primary_key[0] if made.inserted_primary_key else 0
    # Old rows are deleted in batches, so that most notifications cost one insert only.
    if number % KEPT == 0:
        connection.execute(rows.delete().where(rows.c.number <= number - KEPT))


class Alarms:
    """The semaphores of all processes of a server; `own` is the number of the one that wakes this process."""

    def __init__(self, semaphores: Sequence[Semaphore | threading.Semaphore], own: int) -> None:
        self.own: Semaphore | threading.Semaphore = semaphores[own]
        self._others: list[Semaphore | threading.Semaphore] = [*semaphores[:own], *semaphores[own + 1 :]]

    def ring(self) -> None:
        """Wake the other processes."""
        for other in self._others:
            other.release()

    def wait(self, seconds: float) -> None:
        """Wait for an alarm, at most for this time."""
        if self.own.acquire(timeout=seconds):
            while self.own.acquire(False):
                pass


class Listener:
    """A thread that receives the notifications of other processes."""

    def __init__(self, engine: Engine, process: str, heard: Heard, outage: Outage, alarms: Alarms) -> None:
        self.engine: Engine = engine
        self.outage: Outage = outage
        self.process: str = process
        self.heard: Heard = heard
        self.alarms: Alarms = alarms
        self._stop: threading.Event = threading.Event()
        self._thread: threading.Thread = threading.Thread(target=self._run, name="news", daemon=True)

    def start(self) -> None:
        """Listen from now on. Changes in between are reported by a None."""
        self._thread.start()

    def close(self) -> None:
        """Stop listening."""
        self._stop.set()
        self.alarms.own.release()
        self._thread.join(2 * PATIENCE)

    def _run(self) -> None:
        listen = self._notified if self.engine.dialect.name == "postgresql" else self._looked_up
        while not self._stop.is_set():
            try:
                with self._connection() as connection:
                    listen(connection)
            except Exception as error:  # of any kind: a process that stays deaf would be worse
                self.outage.fail(StoreError(messages.NEWS_LOST.format(error=locate_error(error))))
                self._stop.wait(AGAIN)

    @contextmanager
    def _connection(self) -> Iterator[Connection]:
        """Return a connection for this thread alone, without transactions."""
        with self.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            try:
                yield connection
            finally:
                connection.invalidate()  # the pool must not reuse it, for it listens; it may also be broken

    def _notified(self, connection: Connection) -> None:
        driver = cast("psycopg.Connection[object]", connection.connection.driver_connection)
        driver.execute(f"LISTEN {CHANNEL}")
        # Changes before LISTEN were not received.
        self.heard(None)
        while not self._stop.is_set():
            for note in driver.notifies(timeout=PATIENCE, stop_after=1):
                process, table, length = note.payload.split(" ")
                if process != self.process:
                    self.heard(News(table, int(length) if length else None))

    def _looked_up(self, connection: Connection) -> None:
        version = last = -1
        driver = cast("sqlite3.Connection", connection.connection.driver_connection)
        while not self._stop.is_set():
            (now,) = driver.execute("PRAGMA data_version").fetchone()
            if now != version:
                version, last = now, self._read(connection, last)
            self.alarms.wait(REST)

    def _read(self, connection: Connection, last: int) -> int:
        """Report all notifications after the last one, and return its number."""
        first = True
        if last < 0:
            last = connection.execute(sa.select(sa.func.coalesce(sa.func.max(rows.c.number), 0))).scalar_one()
            self.heard(None)
        for row in connection.execute(_AFTER, {"last": last}):
            # A gap: some rows were deleted before this process had read them.
            if first and row.number > last + 1:
                self.heard(None)
            first, last = False, row.number
            if row.process != self.process:
                self.heard(News(row.table, row.length))
        return last
