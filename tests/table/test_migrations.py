"""Schema versions: each goes up and down again with rows in it, on both databases, by one process at a time."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from threading import Barrier, Thread, Timer

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import Engine

from gonfalon import cli
from gonfalon.table import Store, engines
from gonfalon.table.engines import open_engine
from gonfalon.table.errors import NoTable, StoreError
from gonfalon.table.migrations import OLDEST, SCHEMA_VERSION, found_version, migrate
from gonfalon.table.store import SeatRow, TableRow
from tests.databases import begin_with_the_first_schema

ROWS: Mapping[int, tuple[str, ...]] = {
    2: ("UPDATE seats SET invitation = 'ii', standing = 'able' WHERE seat = 1",),
    3: ("INSERT INTO thoughts VALUES ('k', 0, 'Because.')",),
    4: ("UPDATE seats SET claim = 'c', sealed = 's', seated = 2.0 WHERE seat = 0",),
    5: ("INSERT INTO links VALUES ('device', 'aa', 'k', 'duel', 'sealed', 3.0)",),
    6: (
        "UPDATE tables SET ended = 4.0",
        "INSERT INTO card_data VALUES ('duel', 'none', '{}')",
        "INSERT INTO kept (\"table\", head, body) SELECT 'k', '{}', CAST('body' AS {bytes})",
    ),
    9: ("UPDATE tables SET rematch_of = 'before'", "UPDATE seats SET brings = 'red', ready = 'yes'"),
    10: ("UPDATE tables SET grace = 3",),
    11: (
        "INSERT INTO proofs VALUES ('k', 1, 'commitment', 'secret', TRUE, NULL, NULL)",
        "INSERT INTO shares VALUES ('k', 0, 'closed', 'opened')",
    ),
    12: (
        "UPDATE tables SET due = 5.0, clock = 'days:3', since = 4.0",
        "UPDATE entries SET spent = 100",
        "INSERT INTO processes VALUES ('p', -6.0)",
        "INSERT INTO presences VALUES ('k', 'p', 0, 1, 7.0, TRUE)",
        "INSERT INTO curtains VALUES ('k', 'device', 0, 0, 1, 1, 0)",
        "INSERT INTO hints VALUES ('k', 0, 1, 'go')",
    ),
    13: ("INSERT INTO reviews VALUES ('k', '{}')",),
    14: ("INSERT INTO reviewing VALUES ('k', 5.0, 'p', 1, 3, 38, '[]', '')",),
    15: ("INSERT INTO studies VALUES ('s', 'same', '', '{}', 4.0, 5.0, 'p', 1, FALSE, '', '')",),
    16: ("UPDATE studies SET turn = 7",),
    17: ("UPDATE tables SET changes = 2",),
    18: ("UPDATE tables SET ending = '{}'",),
}
"""What a server of each version writes into that which the version added."""


def shape(engine: Engine) -> dict[str, object]:
    """All tables of a database, with columns, keys and indexes."""
    seen = sa.inspect(engine)
    return {
        name: (
            [(c["name"], str(c["type"]), c["nullable"], c["default"]) for c in seen.get_columns(name)],
            seen.get_pk_constraint(name)["constrained_columns"],
            [
                (f["constrained_columns"], f["referred_table"], f["referred_columns"])
                for f in seen.get_foreign_keys(name)
            ],
            sorted((str(i["name"]), i["column_names"], bool(i["unique"])) for i in seen.get_indexes(name)),
        )
        for name in seen.get_table_names()
    }


def rows(engine: Engine) -> dict[str, list[tuple[object, ...]]]:
    """All rows of a database but those of `gonfalon_meta`."""
    found = {}
    with engine.connect() as connection:
        for name in sa.inspect(connection).get_table_names():
            if name != "gonfalon_meta":
                read = connection.execute(sa.select(sa.text("*")).select_from(sa.table(name)))
                found[name] = sorted((tuple(row) for row in read), key=repr)
    return found


def write(engine: Engine, statements: tuple[str, ...]) -> None:
    with engine.begin() as connection:
        for statement in statements:
            kind = "BLOB" if engine.dialect.name == "sqlite" else "BYTEA"
            connection.exec_driver_sql(statement.replace("{bytes}", kind))


def test_each_version_goes_up_and_down_with_rows_in_it(database: str) -> None:
    begin_with_the_first_schema(database)
    engine = open_engine(database)
    then = {1: (shape(engine), rows(engine))}
    for version in range(2, SCHEMA_VERSION + 1):
        migrate(database, version, up=True)
        added = rows(engine)
        assert len(added["entries"]) == 1, version
        write(engine, ROWS.get(version, ()))
        then[version] = (shape(engine), rows(engine))
    for version in range(SCHEMA_VERSION - 1, 0, -1):
        migrate(database, version, up=False)
        assert found_version(database) == version
        assert shape(engine) == then[version][0], version
        assert rows(engine) == then[version][1], version
    engine.dispose()


def test_a_study_loses_the_trace_of_its_device(database: str) -> None:
    """Version 15 wrote down a hash of the device's key."""
    begin_with_the_first_schema(database)
    migrate(database, 15, up=True)
    engine = open_engine(database)
    write(engine, (ROWS[15][0].replace("'same', ''", "'same', 'device'"),))
    migrate(database, 16, up=True)
    assert "device" not in str(rows(engine)["studies"])
    migrate(database, 15, up=False)
    assert "device" not in str(rows(engine)["studies"])
    engine.dispose()


def test_from_the_oldest_version_it_becomes_what_a_new_one_is(database: str) -> None:
    Store(database).close()
    engine = open_engine(database)
    fresh = shape(engine)
    migrate(database, OLDEST, up=False)
    assert set(shape(engine)) == {"gonfalon_meta", "tables", "seats", "entries"}
    store = Store(database)
    assert shape(engine) == fresh
    assert len(read_secret(engine)) >= 24
    store.close()
    engine.dispose()


def read_secret(engine: Engine) -> str:
    with engine.connect() as connection:
        return str(connection.exec_driver_sql("SELECT secret FROM gonfalon_meta").scalar_one())


@pytest.mark.parametrize("old", [False, True])
def test_of_those_that_start_at_once_one_migrates(database: str, old: bool) -> None:
    if old:
        begin_with_the_first_schema(database)
    barrier, failed = Barrier(4), []

    def start() -> None:
        barrier.wait()
        try:
            Store(database).close()
        except StoreError as error:
            failed.append(error)

    threads = [Thread(target=start) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    engine = open_engine(database)
    with engine.connect() as connection:
        assert connection.exec_driver_sql("SELECT schema_version FROM gonfalon_meta").scalars().all() == [
            SCHEMA_VERSION
        ]
    engine.dispose()


@pytest.fixture
def writer(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """Has begun to write to an old file, of the kind that is not written to a log yet."""
    begin_with_the_first_schema(f"sqlite:///{tmp_path / 'tables.db'}")
    writer = sqlite3.connect(tmp_path / "tables.db", isolation_level=None, check_same_thread=False)
    writer.execute("PRAGMA journal_mode=DELETE")
    writer.execute("BEGIN IMMEDIATE")
    yield writer
    writer.close()


def test_a_file_that_another_writes_just_then_is_waited_for(tmp_path: Path, writer: sqlite3.Connection) -> None:
    """SQLite refuses at once to change how such a file is written, without its own patience."""
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


def test_what_fails_on_the_way_leaves_all_as_it_was(database: str) -> None:
    begin_with_the_first_schema(database)
    engine = open_engine(database)
    write(engine, ("CREATE TABLE links (other INTEGER)",))
    before = shape(engine)
    with pytest.raises(StoreError, match="links"):
        Store(database)
    assert found_version(database) == OLDEST
    assert shape(engine) == before
    engine.dispose()


def test_a_game_that_has_not_begun_does_not_go_down_with_the_others(database: str) -> None:
    store = Store(database)
    seats = (SeatRow(0, "May", token="a" * 64), SeatRow(1))
    store.create(TableRow("dealt", "duel", {}, "1", "none", None, None, 1.0, seats), [])
    store.create(TableRow("waits", "duel", {}, "1", "none", None, None, 1.0, seats, stage="waiting"), [])
    assert store.name_rematch("dealt", "waits")
    store.close()
    said = migrate(database, 8, up=False)
    assert any(line.startswith("9: Tables at which the game has not begun are deleted") for line in said)
    store = Store(database)
    assert (store.table("dealt").seats, store.table("dealt").rematch) == (seats, None)
    with pytest.raises(NoTable):
        store.table("waits")
    store.close()


def test_a_server_that_lives_keeps_its_version(database: str) -> None:
    """Until it has stopped in order, or been silent for 45 seconds while another served."""
    store, now = Store(database), time.time()
    for beat in (now, now + 44):
        store.beat("one", beat, now)
        with pytest.raises(StoreError, match="A server uses this database"):
            migrate(database, 11, up=False)
        assert migrate(database, SCHEMA_VERSION, up=True) == []
    store.beat("two", now + 44 + 45, now)
    store.stop("two", now + 44 + 45)
    store.close()
    assert migrate(database, 11, up=False)


def test_nothing_is_loaded_for_a_migration_that_is_not_needed(tmp_path_factory: pytest.TempPathFactory) -> None:
    url = f"sqlite:///{tmp_path_factory.mktemp('lean') / 'tables.db'}"
    code = (
        "import sys; from gonfalon.table import Store; "
        f"Store({url!r}).close(); Store({url!r}).close(); print('alembic' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"


def test_the_commands(database: str, capsys: pytest.CaptureFixture[str]) -> None:
    def run(*words: str) -> tuple[int, str]:
        code = cli.main(["database", *words, "--database", database])
        said = capsys.readouterr()
        return code, said.out + said.err

    newest, known = f"Schema version {SCHEMA_VERSION}.", f"Schema versions go from 1 to {SCHEMA_VERSION}"
    if database.startswith("sqlite"):
        assert run("current") == (2, f"gonfalon: There is no database {database}.\n")
    else:
        assert run("current") == (0, "There are no tables in this database yet.\n")
    assert run("upgrade")[0] == cli.BAD_INPUT
    Store(database).close()
    assert run("current") == (0, f"Schema version {SCHEMA_VERSION}, the newest.\n")
    assert run("downgrade", "--yes")[1].splitlines()[0] == f"Schema version {SCHEMA_VERSION - 1}."
    code, said = run("downgrade", "11", "--yes")
    assert (code, said.splitlines()[0]) == (0, "Schema version 11.")
    assert run("upgrade", "12")[0] == 0
    code, said = run("downgrade", "11", "--yes")
    assert "12: Clocks are gone" in said
    assert run("current") == (0, f"Schema version 11; the newest is {SCHEMA_VERSION}.\n")
    assert run("upgrade", "10") == (2, "gonfalon: This database has schema version 11; 10 lies the other way.\n")
    assert run("downgrade", "12") == (2, "gonfalon: This database has schema version 11; 12 lies the other way.\n")
    assert run("upgrade", "99") == (2, f"gonfalon: {known}; there is no 99.\n")
    assert run("upgrade")[1].splitlines()[0] == newest
    assert run("upgrade") == (0, f"{newest}\n")
    assert run("downgrade", "1", "--yes")[0] == 0
    assert run("downgrade") == (2, f"gonfalon: {known}; there is no 0.\n")


def test_what_is_lost_is_told_and_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Clocks came with version 12, so going down to 11 loses them."""
    database = f"sqlite:///{tmp_path / 'tables.db'}"
    Store(database).close()

    def run(*answers: str) -> tuple[int, str]:
        monkeypatch.setattr("builtins.input", lambda prompt, left=list(answers): left.pop())
        code = cli.main(["database", "downgrade", "11", "--database", database])
        said = capsys.readouterr()
        assert found_version(database) == (SCHEMA_VERSION if code else 11)
        return code, said.out + said.err

    code, said = run()
    assert code == cli.BAD_INPUT
    assert f"from schema version {SCHEMA_VERSION} to 11" in said
    assert "give --yes" in said
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    for no in ("", "no", "maybe"):
        code, said = run(no)
        assert code == 1
        assert "Clocks are gone" in said
        assert said.endswith("Nothing was changed.\n")
    code, said = run("Yes")
    assert code == 0
    assert said.count("Clocks are gone") == 1
    assert said.endswith("Schema version 11.\n")
