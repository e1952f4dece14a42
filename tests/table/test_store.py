"""The store: compare-and-set and database errors."""

from __future__ import annotations

import os
import pwd
import stat
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Barrier

import anyio
import pytest
from sqlalchemy import event

from gonfalon.table import LinkHolder, Person, Robot, Store
from gonfalon.table.errors import Conflict, StoreError
from gonfalon.table.game.entries import ACT, Entry
from gonfalon.table.links import new_key, new_token
from gonfalon.table.store.engines import explain_access
from gonfalon.table.store.migrations import read_version_at
from gonfalon.table.store.store import Link, SeatRow, TableRow
from tests.table.duel import DONE, Duel
from tests.table.opening import first, run_at_once, tables_on, until


def row(key: str = "k") -> TableRow:
    seats = (SeatRow(0, "May", token="a" * 64), SeatRow(1))
    return TableRow(key, "duel", {"open": True}, "1", "none", "b" * 64, None, 1.0, seats)


def test_stored_entries_are_returned(store: Store) -> None:
    first = [Entry(ACT, -1, "seed:1"), Entry(ACT, 0, "k1")]
    store.create(row(), first)
    store.append("k", 2, [Entry(ACT, 1, "k11")])
    assert store.table("k") == row()
    assert store.entries("k") == [*first, Entry(ACT, 1, "k11")]


@pytest.mark.anyio
async def test_a_move_takes_one_read_and_one_transaction_and_the_answer_of_a_bot_one_more(database: str) -> None:
    """The move stores the lease for the bot, whose own move ends it."""
    made: list[tuple[int, str]] = []
    begun = Counter[object]()

    def begin(connection: object) -> None:
        begun[connection] = begun.total() + 1

    def note(connection: object, _: object, statement: str, given: object, *__: object) -> None:
        if table.key in repr(given):  # heartbeats of the process are no part of a move
            made.append((begun[connection], statement.split()[0]))

    async def settle() -> None:
        await until(lambda: table.position.is_asked(0) and not table.timers.busy)
        await anyio.wait_all_tasks_blocked()
        async with table.current.lock:  # a lease is given up under the lock
            pass

    async with tables_on(database) as tables:
        table, _ = await tables.open_table(Duel(), [Person("May"), Robot("random")])
        await table.moves.act(LinkHolder(0), table.position.version(0), [DONE])
        await settle()
        await tables.table(table.key)  # the first request reads everything beside the record
        length = table.position.length
        event.listen(tables.store.engine, "begin", begin)
        event.listen(tables.store.engine, "before_cursor_execute", note)
        await first(await tables.table(table.key), 0)
        await settle()
    assert table.position.length == length + 2
    notifies = "SELECT" if database.startswith("postgresql") else "INSERT"
    move, answer = [notifies, "INSERT", "UPDATE"], [notifies, "INSERT", "INSERT", "UPDATE"]  # with a thought
    assert [verb for _, verb in made] == ["SELECT", *move, *answer]
    assert len({transaction for transaction, _ in made}) == 3


def test_a_file_of_tables_is_its_owners_alone(tmp_path: Path) -> None:
    """The file holds hidden cards. SQLite creates its side files with the same permissions."""
    store = Store(f"sqlite:///{tmp_path / 'tables.db'}")
    files = list(tmp_path.iterdir())
    assert {file.name for file in files} >= {"tables.db", "tables.db-wal"}
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
    store.close()


@pytest.mark.extended
def test_a_reader_of_the_database_keeps_the_servers_log(tmp_path: Path) -> None:
    """A server has several connections. A short-lived process, such as a command, would delete the log that the server
    has not yet copied into its file if it found no locks."""
    file = tmp_path / "tables.db"
    store = Store(f"sqlite:///{file}")
    with store.engine.connect() as one, store.engine.connect() as other:
        assert one.exec_driver_sql("SELECT 1").scalar() == other.exec_driver_sql("SELECT 1").scalar() == 1
    look = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('SELECT * FROM gonfalon_meta').fetchall()"
    subprocess.run([sys.executable, "-c", look, str(file)], check=True)
    assert Path(f"{file}-wal").exists()
    store.create(row(), [])
    store.close()
    store = Store(f"sqlite:///{file}")
    assert store.table("k") == row()
    store.close()


def test_of_two_writers_to_the_same_record_one_is_refused(store: Store) -> None:
    store.create(row(), [])
    store.append("k", 0, [Entry(ACT, 0, "k1")])
    with pytest.raises(Conflict):
        store.append("k", 0, [Entry(ACT, 1, "k2"), Entry(ACT, 1, "k3")])
    assert store.entries("k") == [Entry(ACT, 0, "k1")]


def test_a_race_of_many_writers_has_one_winner_a_place(database: str) -> None:
    stores = [Store(database) for _ in range(4)]
    stores[0].create(row(), [])
    barrier = Barrier(4)
    won: list[tuple[int, int]] = []

    def write(number: int) -> None:
        for seq in range(25):
            barrier.wait()
            try:
                stores[number].append("k", seq, [Entry(ACT, number, f"{number}")])
            except Conflict:
                continue
            won.append((seq, number))

    run_at_once(*(partial(write, number) for number in range(4)))
    written = stores[0].entries("k")
    for each in stores:
        each.close()
    assert [entry.seat for entry in written] == [number for _, number in sorted(won)]
    assert sorted(seq for seq, _ in won) == list(range(25))


def test_a_seat_is_taken_once(store: Store) -> None:
    store.create(row(), [])
    assert store.sit("k", {1: "Bo"}, "c" * 64, "claim", "sealed", 1.0)
    assert not store.sit("k", {1: "Cy"}, "d" * 64, "other", "sealed", 1.0)
    assert not store.sit("k", {0: "Cy"}, "d" * 64, "other", "sealed", 1.0)
    seat = store.table("k").seats[1]
    assert replace(seat, seated=None) == SeatRow(1, "Bo", token="c" * 64, claim="claim", sealed="sealed")
    assert seat.seated == 1.0


def test_several_seats_are_taken_together_or_not_at_all(store: Store) -> None:
    free = tuple(SeatRow(seat, bot="greedy" if seat == 2 else None) for seat in range(4))
    store.create(replace(row(), seats=free), [])
    assert not store.sit("k", {1: "Bo", 2: "Cy"}, "c" * 64, "claim", "sealed", 1.0)
    assert store.table("k").seats == free
    assert store.sit("k", {1: "Bo", 3: "Cy"}, "c" * 64, "claim", "sealed", 1.0)
    assert [seat.token for seat in store.table("k").seats] == [None, "c" * 64, None, "c" * 64]


def test_a_claim_gets_one_seat(store: Store) -> None:
    store.create(replace(row(), seats=(SeatRow(0), SeatRow(1))), [])
    assert store.sit("k", {0: "Bo"}, "c" * 64, "claim", "sealed", 1.0)
    assert not store.sit("k", {1: "Bo"}, "d" * 64, "claim", "sealed", 1.0)
    assert store.table("k").seats[1] == SeatRow(1)


def test_devices_that_come_no_more_are_forgotten(store: Store) -> None:
    def link(name: str, at: float) -> Link:
        return Link("k", "duel", name, "sealed", at)

    store.remember("old", link("a", 5.0))
    store.remember("old", link("b", 9.0))
    store.remember("new", link("a", 5.0))
    store.remember("new", link("c", 10.0))
    store.remember("new", link("c", 12.0))
    assert store.remembered("new") == [link("c", 12.0), link("a", 5.0)]
    store.forget_devices(10.0)
    assert store.remembered("old") == []
    assert store.remembered("new") == [link("c", 12.0), link("a", 5.0)]


def test_a_rematch_is_named_once(store: Store) -> None:
    store.create(row(), [])
    assert store.name_rematch("k", "one")
    assert not store.name_rematch("k", "two")
    assert store.table("k").rematch == "one"


def test_a_bot_sits_on_a_free_seat_or_stands_in_for_a_person(store: Store) -> None:
    store.create(row(), [])
    assert not store.seat_bot("k", 0, "Greedy", "greedy", free=True)
    assert not store.seat_bot("k", 1, "", "greedy", free=False)
    assert store.seat_bot("k", 0, "May", "greedy", free=False)
    assert store.table("k").seats[0] == SeatRow(0, "May", bot="greedy", token="a" * 64)
    assert store.seat_bot("k", 0, "May", None, free=False)
    assert store.table("k").seats[0] == SeatRow(0, "May", token="a" * 64)
    assert store.seat_bot("k", 1, "Greedy", "greedy", free=True)
    assert not store.sit("k", {1: "Bo"}, "c" * 64, "claim", "sealed", 1.0)


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("tables.db", "For a file, write for example sqlite:///tables.db"),
        ("mysql://host/db", "in SQLite .* or in PostgreSQL"),
        ("postgresql://nobody@127.0.0.1:1/nothing", "cannot be opened"),
        ("sqlite://", "in memory"),
        ("sqlite:////no/such/folder/tables.db", "cannot be opened: there is no folder /no$"),
    ],
)
def test_an_unusable_database_gives_one_sentence(url: str, says: str) -> None:
    with pytest.raises(StoreError, match=says) as told:
        Store(url)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize(
    ("place", "says"),
    [
        ("", "may not enter the folder {}"),
        ("club", "may not create files in the folder {}"),
        ("club/tables.db", "may not read and write the file {}"),
        ("club/tables.db-shm", "may not read and write the file {}"),
    ],
)
def test_a_missing_right_names_the_user_and_the_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str, says: str
) -> None:
    """Root may do everything, so the right is taken here. In its own folder a user may enter but not write."""
    file, refused = tmp_path / "club" / "tables.db", os.W_OK if place == "club" else os.X_OK | os.W_OK
    file.parent.mkdir()
    for suffix in ("", "-wal", "-shm"):
        file.with_name(file.name + suffix).touch()
    monkeypatch.setattr(os, "access", lambda path, right: path != tmp_path / place or not right & refused)
    user = pwd.getpwuid(os.geteuid()).pw_name
    assert explain_access(file) == f"the user {user} {says.format(tmp_path / place)}"
    monkeypatch.undo()
    assert explain_access(file) is None


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    file = tmp_path / "tables.db"
    file.write_text("This is a letter, and a long one: " + "x" * 4096)
    with pytest.raises(StoreError, match="not a database"):
        Store(f"sqlite:///{file}")


def test_passwords_are_not_shown() -> None:
    with pytest.raises(StoreError) as told:
        Store("nosuch://me:hunter2@host/db")
    assert "hunter2" not in str(told.value)


@pytest.mark.parametrize("make", [new_key, new_token])
def test_no_key_or_token_looks_like_an_option(make: Callable[[], str], monkeypatch: pytest.MonkeyPatch) -> None:
    """`gonfalon admin show KEY` and `gonfalon bot run --token TOKEN` would take it for one."""
    drawn = iter(["-first", "--second", "third-"])
    monkeypatch.setattr("secrets.token_urlsafe", lambda _: next(drawn))
    assert make() == "third-"


def test_a_missing_driver_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(StoreError, match=r"needs the extra postgres: pip install 'gonfalon\[postgres\]'"):
        read_version_at("postgresql://nobody@127.0.0.1:1/nothing")
