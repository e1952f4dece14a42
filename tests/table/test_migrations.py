"""Schema versions: a new database, one from before 1.0, and migrations up and down, with an invented third version."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from threading import Timer
from typing import Any

import pytest
import sqlalchemy as sa

from gonfalon import cli
from gonfalon.table import Store
from gonfalon.table.errors import StoreError
from gonfalon.table.game.entries import ACT, Entry
from gonfalon.table.store import backup, engines, migrations
from gonfalon.table.store import store as store_module
from gonfalon.table.store.engines import open_engine
from gonfalon.table.store.migrations import migrate, read_version_at
from gonfalon.table.store.schema import schema
from gonfalon.table.store.store import SeatRow, TableRow
from tests.table.opening import run_at_once

THIRD = '''
"""Tables have a colour."""

import sqlalchemy as sa
from alembic import op

revision = "3"
down_revision = "2"


def upgrade():
    op.create_table("colours", sa.Column("name", sa.Text))
    op.add_column("tables", sa.Column("colour", sa.Text, nullable=False, server_default="red"))


def downgrade():
    """Colours are forgotten."""
    op.drop_column("tables", "colour")
    op.drop_table("colours")
'''
TOO_OLD = "This database was created before Gonfalon 1.0 and cannot be read"


def set_version(patch: pytest.MonkeyPatch, version: int) -> None:
    for module in (migrations, backup, store_module):
        patch.setattr(module, "SCHEMA_VERSION", version)


@pytest.fixture
def third(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give the program a third version of the schema."""
    folder = tmp_path_factory.mktemp("migrations")
    shutil.copytree(migrations.FOLDER / "versions", folder / "versions")
    (folder / "versions" / "third.py").write_text(THIRD)
    monkeypatch.setattr(migrations, "FOLDER", folder)
    set_version(monkeypatch, 3)


@pytest.fixture
def second(database: str) -> str:
    """Create a database of the second version with a game in it."""
    store = Store(database)
    seats = (SeatRow(0, "May", token="a" * 64), SeatRow(1))
    row = TableRow("k", "duel", {"open": True}, "1", "none", None, None, 1.0, seats)
    store.create(row, [Entry(ACT, -1, "seed:1"), Entry(ACT, 0, "k1")])
    store.close()
    return database


def describe(url: str) -> dict[str, list[str]]:
    """Return all metadata of a database's tables."""
    engine = open_engine(url)
    seen = sa.inspect(engine)
    found: dict[str, Mapping[Any, Any]] = {
        "columns": seen.get_multi_columns(),
        "keys": seen.get_multi_pk_constraint(),
        "links": seen.get_multi_foreign_keys(),
        "indexes": seen.get_multi_indexes(),
        "unique": seen.get_multi_unique_constraints(),
    }
    engine.dispose()
    return {what: sorted(map(repr, each.items())) for what, each in found.items()}


def execute(url: str, statement: str) -> list[tuple[object, ...]]:
    engine = open_engine(url)
    try:
        with engine.begin() as connection:
            done = connection.exec_driver_sql(statement)
            return [tuple(row) for row in done] if done.returns_rows else []
    finally:
        engine.dispose()


def make_old(url: str) -> None:
    """Create the relevant parts of a database from before 1.0."""
    execute(url, "CREATE TABLE gonfalon_meta (schema_version INTEGER NOT NULL)")
    execute(url, "INSERT INTO gonfalon_meta VALUES (1)")


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    code = cli.main(words)
    said = capsys.readouterr()
    return code, said.out + said.err


def test_the_revisions_make_the_tables_of_the_program(database: str) -> None:
    engine = open_engine(database)
    schema.create_all(engine)
    expected = describe(database)
    schema.drop_all(engine)
    engine.dispose()
    Store(database).close()
    assert describe(database) == expected
    [[version, secret]] = execute(database, "SELECT version, secret FROM gonfalon_meta")
    assert version == migrations.SCHEMA_VERSION
    assert len(str(secret)) >= 24


def test_the_numbers_of_news_are_not_used_again(tmp_path: Path) -> None:
    """An inspection does not report this property of SQLite's row numbers."""
    url = f"sqlite:///{tmp_path / 'tables.db'}"
    Store(url).close()
    [[made]] = execute(url, "SELECT sql FROM sqlite_master WHERE name = 'news'")
    assert "AUTOINCREMENT" in str(made)


def test_a_database_of_before_1_0_is_refused(database: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make_old(database)
    before = describe(database)
    with pytest.raises(StoreError, match=f"^{TOO_OLD}"):
        Store(database)
    for words in (["database", "current"], ["database", "upgrade"], ["database", "downgrade", "--yes"]):
        code, said = run(capsys, *words, "--database", database)
        assert (code, said.count("\n")) == (cli.BAD_INPUT, 1)
        assert TOO_OLD in said
    file = tmp_path / "backup.db"
    assert TOO_OLD in run(capsys, "backup", str(file), "--database", database)[1]
    assert not file.exists()
    assert describe(database) == before


def test_a_backup_of_before_1_0_is_refused(database: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "old.db"
    make_old(f"sqlite:///{file}")
    with closing(sqlite3.connect(file)) as copy, copy:
        copy.execute("CREATE TABLE tables (key TEXT)")
        copy.execute("CREATE TABLE entries (seq INTEGER)")
    backup._write_digest(file)
    code, said = run(capsys, "restore", str(file), "--database", database)
    assert (code, said.count("\n")) == (cli.BAD_INPUT, 1)
    assert TOO_OLD in said


def test_a_version_goes_up_and_down_with_rows_in_it(second: str, request: pytest.FixtureRequest) -> None:
    request.getfixturevalue("third")
    assert read_version_at(second) == 2
    shape, entries = describe(second), execute(second, "SELECT * FROM entries")
    assert migrate(second, 3, up=True) == ["3: Tables have a colour."]
    assert read_version_at(second) == 3
    assert execute(second, "SELECT key, colour FROM tables") == [("k", "red")]
    assert execute(second, "SELECT * FROM entries") == entries
    with pytest.MonkeyPatch.context() as patch:
        set_version(patch, 2)
        with pytest.raises(StoreError, match="version 3, written by a newer version of Gonfalon"):
            Store(second)
    assert migrate(second, None, up=False) == ["3: Colours are forgotten."]
    assert describe(second) == shape
    assert execute(second, "SELECT * FROM entries") == entries
    Store(second).close()  # a server brings it up by itself
    assert read_version_at(second) == 3


def test_listed_tables_and_devices_to_notify_come_and_go(second: str) -> None:
    (expected,) = [one for one in describe(second)["columns"] if "'tables'" in one]
    assert "'offer'" in expected
    (lost,) = migrate(second, 1, up=False)
    assert lost.startswith("2: Tables are no longer listed in the lobby")
    assert execute(second, "SELECT key, game FROM tables") == [("k", "duel")]
    with pytest.raises(sa.exc.DBAPIError):
        execute(second, "SELECT offer FROM tables")
    assert migrate(second, 2, up=True) == [
        "2: Tables are listed, and devices are notified; sets of cards, bot accounts, bans and reports are kept."
    ]
    assert execute(second, "SELECT offer, bot_at, bot_level FROM tables") == [(None, None, "")]
    assert execute(second, "SELECT * FROM pushes") == []
    store = Store(second)
    assert store.table("k").offer is None
    store.close()


def test_a_backup_is_brought_up_when_it_is_restored(
    second: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    file, target = tmp_path / "backup.db", f"sqlite:///{tmp_path / 'restored.db'}"
    backup.backup(second, file)
    request.getfixturevalue("third")
    with pytest.raises(StoreError, match=r"^This database has schema version 2, and this version of Gonfalon backs up"):
        backup.backup(second, tmp_path / "third.db")
    assert str(backup.restore(target, file)) == "1 table with 2 entries"
    assert execute(target, "SELECT version FROM gonfalon_meta") == [(3,)]
    assert execute(target, "SELECT * FROM entries ORDER BY seq") == execute(
        second, "SELECT * FROM entries ORDER BY seq"
    )


def test_a_failed_migration_changes_nothing(second: str, request: pytest.FixtureRequest) -> None:
    request.getfixturevalue("third")
    execute(second, "CREATE TABLE colours (other INTEGER)")
    before = describe(second)
    with pytest.raises(StoreError, match="colours"):
        Store(second)
    assert read_version_at(second) == 2
    assert describe(second) == before


@pytest.mark.parametrize("old", [False, True])
def test_of_those_that_start_at_once_one_migrates(database: str, old: bool, request: pytest.FixtureRequest) -> None:
    if old:
        request.getfixturevalue("second")
        request.getfixturevalue("third")
    run_at_once(*[lambda: Store(database).close()] * 4)
    assert execute(database, "SELECT version FROM gonfalon_meta") == [(migrations.SCHEMA_VERSION,)]


@pytest.fixture
def writer(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """Begin to write to a file without a write-ahead log."""
    Store(f"sqlite:///{tmp_path / 'tables.db'}").close()
    writer = sqlite3.connect(tmp_path / "tables.db", isolation_level=None, check_same_thread=False)
    writer.execute("PRAGMA journal_mode=DELETE")
    writer.execute("BEGIN IMMEDIATE")
    yield writer
    writer.close()


def test_a_file_that_another_writes_just_then_is_waited_for(tmp_path: Path, writer: sqlite3.Connection) -> None:
    """SQLite refuses to change the journal mode of such a file immediately, without waiting."""
    done = Timer(0.3, writer.execute, ["COMMIT"])
    done.start()
    try:
        Store(f"sqlite:///{tmp_path / 'tables.db'}").close()
    finally:
        done.join()


@pytest.mark.usefixtures("writer")
def test_a_file_that_another_keeps_is_not_waited_for_without_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "PATIENCE", 0.1)
    with pytest.raises(StoreError, match="cannot be opened: database is locked"):
        Store(f"sqlite:///{tmp_path / 'tables.db'}")


@pytest.mark.usefixtures("third")
def test_a_server_that_lives_keeps_its_version(database: str) -> None:
    """The version is kept until the server stops normally or is silent for 45 seconds while another one runs."""
    store, now = Store(database), time.time()
    for beat in (now, now + 44):
        store.beat("one", beat, now)
        with pytest.raises(StoreError, match="A server uses this database"):
            migrate(database, 2, up=False)
        assert migrate(database, 3, up=True) == []
    store.beat("two", now + 44 + 45, now)
    store.stop("two", now + 44 + 45)
    store.close()
    assert migrate(database, 2, up=False)


@pytest.mark.extended
def test_nothing_is_loaded_for_a_migration_that_is_not_needed(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'tables.db'}"
    Store(url).close()
    code = f"import sys; from gonfalon.table import Store; Store({url!r}).close(); print('alembic' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"


def test_the_commands(database: str, capsys: pytest.CaptureFixture[str], request: pytest.FixtureRequest) -> None:
    def told(*words: str) -> tuple[int, str]:
        return run(capsys, "database", *words, "--database", database)

    if database.startswith("sqlite"):
        assert told("current") == (2, f"gonfalon: There is no database {database}. `gonfalon serve` creates it.\n")
    else:
        assert told("current") == (0, "This database has no tables yet.\n")
    assert told("upgrade")[0] == cli.BAD_INPUT
    Store(database).close()
    assert told("current") == (0, "Schema version 2, the newest.\n")
    assert told("upgrade", "3") == (
        2,
        "gonfalon: There is no schema version 3: the oldest is 1, and the newest is 2.\n",
    )
    request.getfixturevalue("third")
    assert told("current") == (0, "Schema version 2; the newest is 3.\n")
    assert told("upgrade") == (0, "Schema version 3.\n3: Tables have a colour.\n")
    assert told("upgrade") == (0, "Schema version 3.\n")
    assert told("upgrade", "2") == (
        2,
        "gonfalon: This database has schema version 3, so it cannot be upgraded to version 2.\n",
    )
    assert told("upgrade", "99")[1].startswith("gonfalon: There is no schema version 99")
    assert told("downgrade", "--yes") == (0, "Schema version 2.\n3: Colours are forgotten.\n")
    assert told("downgrade", "3") == (
        2,
        "gonfalon: This database has schema version 2, so it cannot be downgraded to version 3.\n",
    )


@pytest.mark.usefixtures("third")
def test_losses_are_listed_and_confirmed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    database = f"sqlite:///{tmp_path / 'tables.db'}"
    Store(database).close()

    def answer(*answers: str) -> tuple[int, str]:
        monkeypatch.setattr("builtins.input", lambda prompt, left=list(answers): left.pop())
        code, said = run(capsys, "database", "downgrade", "2", "--database", database)
        assert read_version_at(database) == (3 if code else 2)
        return code, said

    code, said = answer()
    assert code == cli.BAD_INPUT
    assert "from schema version 3 to 2" in said
    assert "with --yes" in said
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    for no in ("", "no", "maybe"):
        code, said = answer(no)
        assert code == 1
        assert "Colours are forgotten" in said
        assert said.endswith("Nothing was changed.\n")
    code, said = answer("Yes")
    assert code == 0
    assert said.count("Colours are forgotten") == 1
    assert said.endswith("Schema version 2.\n")
