"""Opening databases, and turning their errors into sentences."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.engine import Engine
from sqlalchemy.engine.interfaces import DBAPIConnection, ExceptionContext
from sqlalchemy.exc import ArgumentError, IntegrityError, SQLAlchemyError

from gonfalon.core.extras import describe_missing
from gonfalon.core.folders import locate_data
from gonfalon.table import messages
from gonfalon.table.errors import StoreError

THREADS: Final = 40
"""The number of threads in which a process queries its database, by anyio's own limit."""

PATIENCE: Final = 10.0
"""Seconds that SQLite waits for another writer."""


def default_database() -> str:
    """Return the URL in the environment variable `GONFALON_DATABASE`, or that of this user's database. Raises
    StoreError."""
    if named := os.environ.get("GONFALON_DATABASE"):
        return named
    folder = locate_data()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(messages.NO_FOLDER.format(folder=folder, reason=error.strerror)) from None
    return f"sqlite:///{folder / 'tables.db'}"


def open_engine(url: str) -> Engine:
    """Return the engine of a database. Raises StoreError, and SQLAlchemy's errors."""
    try:
        made = sa.make_url(url)
    except ArgumentError:
        raise StoreError(messages.BAD_URL) from None
    if made.drivername == "postgresql":
        # By default SQLAlchemy would look for the older driver, psycopg2.
        made = made.set(drivername="postgresql+psycopg")
    if made.get_backend_name() not in ("sqlite", "postgresql"):
        raise StoreError(messages.UNKNOWN_DATABASE)
    if made.get_backend_name() != "sqlite":
        # A server that does not answer is told of in a few seconds, not after the system's minutes.
        patience = {"connect_timeout": 3, "tcp_user_timeout": 5000, "keepalives_idle": 10}
        return sa.create_engine(made, pool_pre_ping=True, pool_size=10, pool_timeout=10, connect_args=patience)
    file = made.database
    if file is None or file in ("", ":memory:"):
        raise StoreError(messages.IN_MEMORY)
    # As many as there are threads that ask: to open one anew costs more than most questions.
    engine = sa.create_engine(made, pool_size=THREADS, connect_args={"timeout": PATIENCE})

    def make(*_: object) -> None:
        # It holds hidden cards. What SQLite makes beside the file has the same permissions. One that is there must not
        # be opened: to close it would let go of SQLite's locks, and who comes next would take the log from under us.
        with suppress(OSError):
            os.close(os.open(file, os.O_CREAT | os.O_EXCL, 0o600))

    def tune(connection: DBAPIConnection, _: object) -> None:
        # WAL with NORMAL loses nothing when the process dies, and at worst the last moves in a power cut.
        _switch_to_log(connection)
        connection.execute("PRAGMA synchronous=NORMAL")
        connection.execute("PRAGMA foreign_keys=ON")

    event.listen(engine, "do_connect", make)
    event.listen(engine, "connect", tune)
    event.listen(engine, "handle_error", explain_error)
    return engine


def explain_error(context: ExceptionContext) -> None:
    """Name the file and the missing right in an error of SQLite, which does not."""
    error, file = context.original_exception, context.engine.url.database if context.engine else None
    unusable = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY)
    if file and isinstance(error, sqlite3.OperationalError) and error.sqlite_errorcode & 0xFF in unusable:
        error.args = (explain_access(Path(file).absolute()) or error.args[0],)


def explain_access(file: Path) -> str | None:
    """Return why this user cannot use a SQLite file; None if nothing is missing."""
    needs = [(folder, messages.NOT_ENTERED, os.X_OK) for folder in reversed(file.parents)]
    files = [file.with_name(file.name + suffix) for suffix in ("", "-wal", "-shm")]
    needs += [(one, messages.NOT_WRITTEN, os.R_OK | os.W_OK) for one in files]
    # SQLite writes files beside its own, even to read it.
    for place, missing, right in (*needs, (file.parent, messages.NOT_FILLED, os.W_OK)):
        if right == os.X_OK and not place.is_dir():
            return messages.NO_SUCH_FOLDER.format(folder=place)
        if place.exists() and not os.access(place, right):
            return missing.format(user=name_user(), place=place)
    return messages.IS_A_FOLDER.format(file=file) if file.is_dir() else None


def name_user() -> str:
    """Return the name of the user of this process."""
    try:
        import pwd

        return pwd.getpwuid(os.geteuid()).pw_name
    except (ImportError, KeyError):  # Windows, or a number without a name
        return os.environ.get("USERNAME", "of this process")


def _switch_to_log(connection: DBAPIConnection) -> None:
    """Switch SQLite to a write-ahead log. If another process does the same at that moment, SQLite refuses at once
    whatever its timeout, so this retries."""
    last = time.monotonic() + PATIENCE
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > last:
                raise
            time.sleep(0.01)
        else:
            return


def hide_password(url: str) -> str:
    """Return a database URL without its password."""
    try:
        return sa.make_url(url).render_as_string(hide_password=True)
    except ArgumentError:
        return repr(url)


@contextmanager
def convert_errors(action: str) -> Iterator[None]:
    """Turn a driver's error into a StoreError: the failed `action`, and the reason.

    An IntegrityError, which is a lost race, passes through.
    """
    try:
        yield
    except IntegrityError:
        raise
    except (SQLAlchemyError, sqlite3.Error, ImportError, OSError) as error:
        missing = describe_missing(error, "This database") if isinstance(error, ImportError) else None
        if missing:
            raise StoreError(missing) from error
        # The reason of the system names no second path.
        reason = getattr(error, "orig", None) or getattr(error, "strerror", None) or error
        # Drivers append statements and hints over many lines.
        words = " ".join(str(reason).split())[:200]
        raise StoreError(messages.FAILED_BECAUSE.format(action=action, reason=words)) from error


@contextmanager
def open_existing(url: str | None, make: bool = False) -> Iterator[Engine]:
    """Open a database, or that of this user, for the time of a command. A missing file is created only if asked.
    Raises StoreError."""
    url = url or default_database()
    with convert_errors(messages.CANNOT_USE.format(url=hide_password(url))):
        engine = open_engine(url)
        try:
            file = engine.url.database if engine.url.get_backend_name() == "sqlite" else None
            with suppress(PermissionError):  # opening it names the folder
                if file is not None and not make and not Path(file).exists():
                    raise StoreError(messages.NO_DATABASE.format(url=hide_password(url)))
            yield engine
        finally:
            engine.dispose()
