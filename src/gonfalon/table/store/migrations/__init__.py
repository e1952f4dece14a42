"""Schema versions: how a database is created, and migrated between versions.

The revisions in `versions` are Alembic's, one for each version since release 1.0. The version of a database is stored
in `gonfalon_meta` alone, so that older programs can refuse it too. Alembic is loaded only when there is something to
do.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from threading import Lock
from types import ModuleType
from typing import TYPE_CHECKING, Final, NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from gonfalon.table import messages
from gonfalon.table.errors import StoreError
from gonfalon.table.store.engines import open_existing
from gonfalon.table.store.schema import meta
from gonfalon.table.store.shared_rows import LIT, SILENT, processes

if TYPE_CHECKING:
    from alembic.script import ScriptDirectory

SCHEMA_VERSION: Final = 2
OLDEST: Final = 1
FOLDER: Final = Path(__file__).parent
LOCK: Final = 0x676F6E66
"""PostgreSQL's number of the lock for changes of the schema."""
_IN_TURN: Final = Lock()
"""A lock, for Alembic's operations belong to one connection of a process at a time."""


def prepare_schema(engine: Engine) -> None:
    """At the start, create the schema of an empty database, or migrate an older one to this program's version. One
    process does it while the others wait. Raises StoreError."""
    with engine.connect() as connection:
        found = read_version(connection)
    if found == SCHEMA_VERSION:
        return
    with lock_schema(engine) as connection:
        # Read again under the lock, because another process may have migrated meanwhile.
        move_schema(connection, read_version(connection) or 0, SCHEMA_VERSION)


def read_version(connection: Connection) -> int | None:
    """Return the schema version of a database; None if it has no tables of ours. Raises StoreError."""
    tables = sa.inspect(connection)
    if not tables.has_table(meta.name):
        return None
    if all(column["name"] != meta.c.version.name for column in tables.get_columns(meta.name)):
        raise StoreError(messages.BEFORE_1_0)
    version: int = connection.execute(sa.select(meta.c.version)).scalar_one()
    if version > SCHEMA_VERSION:
        raise StoreError(messages.NEWER_SCHEMA.format(version=version, known=SCHEMA_VERSION))
    return version


class Way(NamedTuple):
    """A migration from one schema version to another."""

    found: int
    wanted: int

    @property
    def up(self) -> bool:
        """Whether it leads to a newer version."""
        return self.wanted > self.found

    def numbers(self) -> range:
        """Return the numbers of its revisions."""
        return range(self.found + 1, self.wanted + 1) if self.up else range(self.found, self.wanted, -1)

    def told(self) -> list[str]:
        """Return the descriptions of its revisions: what they add when upgrading, and what is lost when downgrading."""
        scripts = _load_scripts(FOLDER)
        revisions = {number: _find_revision(scripts, number) for number in self.numbers()}
        return [
            f"{number}: {inspect.getdoc(revision if self.up else revision.downgrade)}"
            for number, revision in revisions.items()
        ]


@cache
def _load_scripts(folder: Path) -> ScriptDirectory:
    from alembic.script import ScriptDirectory

    return ScriptDirectory(str(folder))


def _find_revision(scripts: ScriptDirectory, number: int) -> ModuleType:
    revision = scripts.get_revision(str(number))
    assert revision is not None
    return revision.module


def move_schema(connection: Connection, version: int, wanted: int) -> list[str]:
    """Migrate from a version (0: an empty database) to another, one revision at a time. Return the descriptions of the
    revisions."""
    from alembic.operations import Operations
    from alembic.runtime.migration import MigrationContext

    scripts, way = _load_scripts(FOLDER), Way(version, wanted)
    with _IN_TURN, Operations.context(MigrationContext.configure(connection)):
        for number in way.numbers():
            revision = _find_revision(scripts, number)
            (revision.upgrade if way.up else revision.downgrade)()
    connection.execute(meta.update().values(version=wanted))
    return way.told()


def read_version_at(url: str | None) -> int | None:
    """Return the schema version of a database; None if it has no tables of ours. Raises StoreError."""
    with open_existing(url) as engine, engine.connect() as connection:
        return read_version(connection)


def migrate(url: str | None, wanted: int | None, up: bool) -> list[str]:
    """Migrate the database at an address up or down to a version: by default to the newest, or to the one before its
    own. Return the descriptions of the revisions. Raises StoreError."""
    with open_existing(url) as engine, lock_schema(engine) as connection:
        return move_schema(connection, *_plan_way(connection, wanted, up))


def way_of(url: str | None, wanted: int | None, up: bool) -> Way:
    """Return the migration that `migrate` would carry out now. Raises StoreError."""
    with open_existing(url) as engine, engine.connect() as connection:
        return _plan_way(connection, wanted, up)


def _plan_way(connection: Connection, wanted: int | None, up: bool) -> Way:
    found = read_version(connection)
    if found is None:
        raise StoreError(messages.NO_TABLES_YET)
    if wanted is None:
        wanted = SCHEMA_VERSION if up else found - 1
    if not OLDEST <= wanted <= SCHEMA_VERSION:
        raise StoreError(messages.NO_SUCH_SCHEMA.format(version=wanted, oldest=OLDEST, newest=SCHEMA_VERSION))
    if wanted != found and up != (wanted > found):
        if up:
            raise StoreError(messages.CANNOT_UPGRADE.format(found=found, wanted=wanted))
        raise StoreError(messages.CANNOT_DOWNGRADE.format(found=found, wanted=wanted))
    if wanted < found and _in_use(connection):
        raise StoreError(messages.DATABASE_IN_USE.format(seconds=round(SILENT)))
    return Way(found, wanted)


def _in_use(connection: Connection) -> bool:
    """Return whether a server has begun to use a database and not stopped in order."""
    lives = sa.and_(processes.c.beat > 0, processes.c.process != LIT)
    return connection.execute(sa.select(processes.c.process).where(lives)).first() is not None


@contextmanager
def lock_schema(engine: Engine) -> Iterator[Connection]:
    """Open a transaction in which no other process changes the schema."""
    with engine.begin() as connection:
        if connection.dialect.name == "sqlite":
            # A deferred transaction could fail when it turns from reading to writing.
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        else:
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(LOCK)))
        yield connection
