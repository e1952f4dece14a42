"""Backups: made while a server plays, on both databases, and restored into an empty one of the other kind."""

from __future__ import annotations

import resource
import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from gonfalon import cli
from gonfalon.table import Store
from gonfalon.table.errors import StoreError
from gonfalon.table.game.entries import ACT, Entry
from gonfalon.table.store.admin_rows import BACKUP, operation
from gonfalon.table.store.backup import backup, restore
from gonfalon.table.store.engines import open_engine
from gonfalon.table.store.schema import schema
from gonfalon.table.store.store import SeatRow, TableRow
from tests.databases import postgres_database


@pytest.fixture
def other(request: pytest.FixtureRequest, database: str, tmp_path: Path) -> Iterator[str]:
    """Return an empty database of the other kind."""
    if database.startswith("sqlite"):
        yield from postgres_database(request.getfixturevalue("postgres"))
    else:
        yield f"sqlite:///{tmp_path / 'other.db'}"


def all_rows(url: str) -> dict[str, list[tuple[object, ...]]]:
    engine = open_engine(url)
    with engine.connect() as connection:
        found = {
            table.name: sorted((tuple(row) for row in connection.execute(sa.select(table))), key=repr)
            for table in schema.sorted_tables
        }
    engine.dispose()
    return found


def fill(url: str) -> Store:
    """Write a row to every table of a database."""
    store = Store(url)
    seats = (SeatRow(0, "Mäy", token="a" * 64), SeatRow(1, "Greedy", bot="greedy"))
    row = TableRow("k", "duel", {"open": True}, "1", "none", None, None, 1.5, seats, hints=True)
    store.create(row, [Entry(ACT, -1, "seed:1"), Entry(ACT, 0, "k1", "Because.")], {"cards": "pinned"}, proved=True)
    store.keep("k", '{"title": "Duel"}', bytes(range(256)))
    with store.engine.begin() as connection:
        for table in schema.sorted_tables:
            if connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one() == 0:
                kinds = {"INTEGER": 1, "FLOAT": 2.25, "BOOLEAN": True}
                connection.execute(table.insert().values({c.name: kinds.get(str(c.type), "k") for c in table.columns}))
    return store


@pytest.mark.extended
def test_everything_comes_back_in_a_database_of_the_other_kind(database: str, other: str, tmp_path: Path) -> None:
    store, file = fill(database), tmp_path / "backup.db"
    before = all_rows(database)
    assert str(backup(database, file)) == "1 table with 2 entries"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert sorted(path.name for path in tmp_path.glob("backup*")) == ["backup.db"]
    assert str(restore(other, file)) == "1 table with 2 entries"
    assert all(before.values())
    assert before["processes"] == [("k", 2.25)]
    before["processes"] = [("k", -2.25)]  # it is not called running
    assert all_rows(other) == before
    store.close()
    again = Store(other)
    assert again.table("k").seats == (SeatRow(0, "Mäy", token="a" * 64), SeatRow(1, "Greedy", bot="greedy"))
    assert again.kept("k") == ('{"title": "Duel"}', bytes(range(256)))
    again.close()
    with pytest.raises(
        StoreError, match=r"^This database has tables already\. A backup can only be restored into an empty database\.$"
    ):
        restore(other, file)


@pytest.mark.extended
def test_a_backup_is_of_one_moment(database: str, tmp_path: Path) -> None:
    """A transaction is in the backup completely or not at all."""
    store = fill(database)
    code = (
        "import sys; from gonfalon.table import Store; from gonfalon.table.game.entries import ACT, Entry\n"
        "store, length = Store(sys.argv[1]), 2\n"
        "while True:\n"
        "    store.append('k', length, [Entry(ACT, 0, 'x')] * 2); length += 2\n"
        "    if length == 10: print('ready', flush=True)\n"
    )
    writer = subprocess.Popen([sys.executable, "-c", code, database], stdout=subprocess.PIPE, text=True)
    try:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "ready\n"
        for number in range(5):
            file = tmp_path / f"{number}.db"
            _, entries = backup(database, file)
            read = sqlite3.connect(file)
            assert read.execute("SELECT length FROM tables").fetchall() == [(entries,)]
            assert read.execute("SELECT COUNT(*), MAX(seq) FROM entries").fetchall() == [(entries, entries - 1)]
            assert entries % 2 == 0
            read.close()
            with store.engine.connect() as connection:
                stored = connection.execute(sa.select(operation.c.value).where(operation.c.name == BACKUP)).scalar_one()
            assert file.stat().st_mtime - 1 <= float(stored) <= time.time()
    finally:
        writer.kill()
        writer.communicate()
        store.close()


def test_a_file_that_may_not_be_read_is_not_called_damaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    file = made_backup(tmp_path)
    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(StoreError, match=r"backup\.db cannot be read: Permission denied"):
        restore(f"sqlite:///{tmp_path / 'new.db'}", file)


def made_backup(folder: Path, entries: int = 40) -> Path:
    url, file = f"sqlite:///{folder / 'tables.db'}", folder / "backup.db"
    store = fill(url)
    for length in range(2, entries):
        store.append("k", length, [Entry(ACT, 0, "what was decided" * 8)])
    store.close()
    backup(url, file)
    return file


def complaint(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """Return the one sentence of a rejected command."""
    assert cli.main(words) == cli.BAD_INPUT
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    return said.err


def test_invalid_backups_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = made_backup(tmp_path).read_bytes()
    file, target = tmp_path / "file", f"sqlite:///{tmp_path / 'target.db'}"
    marked = whole.replace(b"what was decided", b"what was Decided", 1)
    assert marked != whole
    foreign = tmp_path / "foreign.db"
    with sqlite3.connect(foreign) as connection:
        connection.execute("CREATE TABLE tables (key)")
    connection.close()
    for content, says in (
        (b"", "is not a Gonfalon backup, or is incomplete"),
        (b"hello", "is not a Gonfalon backup, or is damaged"),
        (whole[: len(whole) // 2], "damaged"),
        (whole[:8192] + bytes(4096) + whole[12288:], "damaged"),
        (marked, "is damaged: its content differs from what was written"),
        (foreign.read_bytes(), "is not a Gonfalon backup, or is incomplete"),
    ):
        file.write_bytes(content)
        assert says in complaint(capsys, "restore", str(file), "--database", target)
        assert not Path(tmp_path / "target.db").exists()
    assert "There is no file" in complaint(capsys, "restore", str(tmp_path / "none"), "--database", target)
    assert "is not an ordinary file" in complaint(capsys, "restore", str(tmp_path), "--database", target)


def test_an_impossible_backup_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, there = made_backup(tmp_path), f"sqlite:///{tmp_path / 'tables.db'}"
    before = file.read_bytes()
    assert "already exists. A backup is written to a new file" in complaint(
        capsys, "backup", str(file), "--database", there
    )
    assert file.read_bytes() == before
    nowhere = str(tmp_path / "no" / "backup.db")
    assert "cannot be written: No such file" in complaint(capsys, "backup", nowhere, "--database", there)
    none = f"sqlite:///{tmp_path / 'none.db'}"
    new = str(tmp_path / "new")
    assert "There is no database" in complaint(capsys, "backup", new, "--database", none)
    assert not (tmp_path / "none.db").exists()
    (tmp_path / "none.db").touch()
    assert "There is nothing to back up" in complaint(capsys, "backup", new, "--database", none)
    assert not (tmp_path / "new").exists()


@pytest.mark.extended
def test_a_full_disk_leaves_nothing_behind(tmp_path: Path) -> None:
    """Files are limited to 64 kB, and the backup needs 100."""
    file = made_backup(tmp_path, 400)
    assert file.stat().st_size > 100_000

    def run(*words: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "gonfalon", *words],
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (65_536, 65_536)),
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stdout) == (cli.BAD_INPUT, "")
        assert done.stderr.count("\n") == 1
        return done.stderr

    new = tmp_path / "new.db"
    assert "The backup" in run("backup", str(new), "--database", f"sqlite:///{tmp_path / 'tables.db'}")
    assert not new.exists()
    target = f"sqlite:///{tmp_path / 'target.db'}"
    assert "cannot be used: " in run("restore", str(file), "--database", target)
    restore(target, file)
