"""Backups: all tables of a database in one file, written while the server runs, and restored into an empty database.

A backup is a SQLite file for every kind of database, so a club can move from one to the other with it. It holds every
secret of the server. The last thing written is a digest of everything else, which detects damaged and unfinished files.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final, NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import NullPool

from gonfalon.core.files.reading import NOT_ORDINARY
from gonfalon.core.text.english import many
from gonfalon.table import messages
from gonfalon.table.errors import StoreError
from gonfalon.table.store import notifications
from gonfalon.table.store.admin_rows import BACKUP, STATE_NEWS, operation
from gonfalon.table.store.engines import convert_errors, open_existing
from gonfalon.table.store.migrations import SCHEMA_VERSION, lock_schema, migrate, read_version
from gonfalon.table.store.schema import schema
from gonfalon.table.store.shared_rows import LIT, processes, upsert

MARK: Final = "gonfalon_backup"
"""The table of the digest."""
BATCH: Final = 1000


class Counts(NamedTuple):
    """The numbers of tables and entries in a backup."""

    tables: int
    entries: int

    def __str__(self) -> str:
        entries = "1 entry" if self.entries == 1 else f"{self.entries} entries"
        return messages.BACKUP_SIZE.format(tables=many(self.tables, "table"), entries=entries)


def backup(url: str | None, file: Path) -> Counts:
    """Write everything in a database at this moment into a new file that only its owner can read. Raises StoreError."""
    with open_existing(url) as engine:
        with engine.connect() as connection:
            found = read_version(connection)
        if found is None:
            raise StoreError(messages.NOTHING_TO_BACK_UP)
        if found != SCHEMA_VERSION:
            raise StoreError(messages.BACKUP_OF_OTHER_SCHEMA.format(found=found, known=SCHEMA_VERSION))
        with convert_errors(messages.CANNOT_WRITE.format(file=file)), _new_file(file):
            if engine.url.get_backend_name() == "sqlite":
                _copy_file(str(engine.url.database), file)
            else:
                _copy_snapshot(engine, file)
            counts = _write_digest(file)
        # Metrics report the time. A full or read-only database has its backup all the same.
        with suppress(SQLAlchemyError), engine.begin() as connection:
            upsert(connection, operation, {"name": BACKUP}, {"value": str(time.time())})
            notifications.notify(connection, "", notifications.News(STATE_NEWS))
        return counts


def restore(url: str | None, file: Path) -> Counts:
    """Fill an empty database from a backup, completely or not at all. Raises StoreError."""
    with _open_checked(file) as whole:
        with (
            open_existing(url, make=True) as target,
            _reader(whole).connect() as source,
            lock_schema(target) as connection,
        ):
            if sa.inspect(connection).get_table_names():
                raise StoreError(messages.NOT_EMPTY)
            _copy_rows(source, connection)
            # The server of the backup does not run at this database.
            stopped = processes.update().where(processes.c.process != LIT, processes.c.beat > 0)
            connection.execute(stopped.values(beat=-processes.c.beat))
        with closing(_open_file(whole)) as read:
            return _count_rows(read)


@contextmanager
def _new_file(file: Path) -> Iterator[None]:
    """Create a file, which is deleted if the rest fails."""
    try:
        # Private from the first byte on, because a change of permissions later would leave a gap.
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        raise StoreError(messages.BACKUP_EXISTS.format(file=file)) from None
    try:
        yield
    except BaseException:
        with suppress(OSError):
            file.unlink()
        raise


def _copy_file(source: str, file: Path) -> None:
    """Copy a SQLite database by its own backup function: writers need not wait, and the copy is of one moment."""
    with closing(sqlite3.connect(source, timeout=10)) as live, closing(sqlite3.connect(file)) as copy:
        live.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")  # one file, without others beside it


def _copy_snapshot(engine: Engine, file: Path) -> None:
    # All tables are read from one snapshot, although the server goes on writing.
    reading = engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
    writer = sa.create_engine("sqlite://", creator=lambda: sqlite3.connect(file), poolclass=NullPool)
    with reading.connect() as source, writer.begin() as target:
        _copy_rows(source, target)


def _copy_rows(source: Connection, target: Connection) -> None:
    """Create all tables and copy their rows."""
    schema.create_all(target)
    # The order follows the foreign keys, so that each row finds the row it refers to.
    for table in schema.sorted_tables:
        with source.execution_options(stream_results=True).execute(sa.select(table)) as found:
            for rows in found.mappings().partitions(BATCH):
                target.execute(table.insert(), [dict(row) for row in rows])


def _write_digest(file: Path) -> Counts:
    """Write the digest into a backup, and flush it to the disk."""
    with closing(sqlite3.connect(file)) as copy:
        digest, counts = _compute_digest(copy), _count_rows(copy)
        with copy:
            copy.execute(f"CREATE TABLE {MARK} (digest TEXT NOT NULL)")
            copy.execute(f"INSERT INTO {MARK} VALUES (?)", (digest,))
    return counts


@contextmanager
def _open_checked(file: Path) -> Iterator[Path]:
    """Return a complete backup in the current schema. Raises StoreError."""
    if not file.is_file():
        raise StoreError(NOT_ORDINARY.format(file) if file.exists() else messages.NO_FILE.format(file=file))
    with convert_errors(messages.CANNOT_READ.format(file=file)):
        file.open("rb").close()  # SQLite would not say why
        try:
            with closing(_open_file(file)) as read:
                if read.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (MARK,)).fetchone() is None:
                    raise StoreError(messages.UNFINISHED_BACKUP.format(file=file))
                whole = read.execute(f"SELECT digest FROM {MARK}").fetchall() == [(_compute_digest(read),)]
        except (sqlite3.Error, UnicodeDecodeError, OverflowError):
            raise StoreError(messages.NOT_A_BACKUP.format(file=file)) from None
        if not whole:
            raise StoreError(messages.DAMAGED_BACKUP.format(file=file))
        with _reader(file).connect() as connection:
            version = read_version(connection)
        with tempfile.TemporaryDirectory(prefix="gonfalon-") as folder:
            # The backup itself stays as it was written.
            if version != SCHEMA_VERSION:
                file = Path(shutil.copyfile(file, Path(folder) / "backup.db"))
                migrate(f"sqlite:///{file}", SCHEMA_VERSION, up=True)
            yield file


def _open_file(file: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)


def _reader(file: Path) -> Engine:
    return sa.create_engine("sqlite://", creator=lambda: _open_file(file), poolclass=NullPool)


def _compute_digest(read: sqlite3.Connection) -> str:
    """Return the digest of everything in a file except the digest itself."""
    digest = hashlib.sha256()
    for name, made in read.execute("SELECT name, sql FROM sqlite_master WHERE name <> ? ORDER BY name", (MARK,)):
        digest.update(f"{name}\n{made}\n".encode())
    names = "SELECT name FROM sqlite_master WHERE type = 'table' AND name <> ? ORDER BY name"
    for (name,) in read.execute(names, (MARK,)).fetchall():
        for row in read.execute(f'SELECT * FROM "{name}" ORDER BY rowid'):
            digest.update(f"{name} {row!r}\n".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def _count_rows(read: sqlite3.Connection) -> Counts:
    tables, entries = (read.execute(f"SELECT COUNT(*) FROM {name}").fetchone()[0] for name in ("tables", "entries"))
    return Counts(tables, entries)
