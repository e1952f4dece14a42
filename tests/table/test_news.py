"""A process that changes a table notifies all other processes at the database."""

from __future__ import annotations

import multiprocessing
import queue
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import sqlalchemy as sa

from gonfalon.table import Store
from gonfalon.table.game.entries import ACT, Entry
from gonfalon.table.store import notifications
from gonfalon.table.store.notifications import Alarms, News
from tests.table.test_store import row

Ears = queue.Queue[News | None]
SOON = 60.0


@contextmanager
def listening(store: Store) -> Iterator[Ears]:
    """Receive the notifications of other processes from the start of the block."""
    ears: Ears = queue.Queue()
    listener = store.listener(ears.put)
    listener.start()
    try:
        assert ears.get(timeout=SOON) is None
        yield ears
    finally:
        listener.close()


@contextmanager
def two(database: str) -> Iterator[tuple[Store, Store]]:
    one, other = Store(database), Store(database)
    try:
        one.create(row(), [])
        yield one, other
    finally:
        one.close()
        other.close()


def test_other_processes_receive_entries_and_no_process_its_own(database: str) -> None:
    with two(database) as (one, other), listening(one) as mine, listening(other) as others:
        one.append("k", 0, [Entry(ACT, 0, "k1"), Entry(ACT, 0, "k2")])
        assert others.get(timeout=SOON) == News("k", 2)
        other.append("k", 2, [Entry(ACT, 1, "k3")])
        assert mine.get(timeout=SOON) == News("k", 3)
        assert mine.empty()
        assert others.empty()


def test_other_processes_hear_of_all_that_pages_show(database: str) -> None:
    with two(database) as (one, other), listening(other) as others:
        for change in (
            lambda: one.sit("k", {1: "Bo"}, "t", "c", "s", 1.0),
            lambda: one.seat_bot("k", 1, "Bo", "greedy", False),
            lambda: one.set_standing("k", 0, "able"),
            lambda: one.name_rematch("k", "next"),
            lambda: one.clear("k"),
        ):
            change()
            assert others.get(timeout=SOON) == News("k")


def test_processes_of_one_server_wake_each_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notifications, "REST", 3600.0)
    url, semaphores = f"sqlite:///{tmp_path / 'tables.db'}", [multiprocessing.Semaphore(0) for _ in range(2)]
    one, other = (Store(url, Alarms(semaphores, own)) for own in range(2))
    one.create(row(), [])
    with listening(one) as mine, listening(other) as others:
        one.append("k", 0, [Entry(ACT, 0, "k1"), Entry(ACT, 0, "k2")])
        assert others.get(timeout=SOON) == News("k", 2)
        other.append("k", 2, [Entry(ACT, 1, "k3")])
        assert mine.get(timeout=SOON) == News("k", 3)
    one.close()
    other.close()


def test_rolled_back_changes_are_not_announced(database: str) -> None:
    with two(database) as (one, other), listening(other) as others:
        with one.engine.connect() as connection:
            one.notify(connection, "k", 7)
            connection.rollback()
        one.append("k", 0, [Entry(ACT, 0, "k1")])
        assert others.get(timeout=SOON) == News("k", 1)


def test_news_in_a_file_are_not_kept_for_ever(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notifications, "KEPT", 10)
    with two(database) as (one, _):
        for number in range(35):
            with one.engine.begin() as connection:
                one.notify(connection, "k", number)
        with one.engine.begin() as connection:
            left = connection.execute(sa.select(sa.func.count()).select_from(notifications.rows)).scalar_one()
    # On PostgreSQL none lie there at all. Here the 30th takes the first 20 away, and 5 more come.
    assert left == (0 if database.startswith("postgresql") else 15)


def test_missed_notifications_are_reported(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if database.startswith("postgresql"):
        return  # the next test
    monkeypatch.setattr(notifications, "KEPT", 10)
    with two(database) as (one, other), listening(other) as others:
        with one.engine.begin() as connection:
            for number in range(35):
                one.notify(connection, "k", number)
        assert others.get(timeout=SOON) is None
        # Those of 21 to 35 are left: they were rung with the lengths 20 to 34.
        assert [others.get(timeout=SOON) for _ in range(15)] == [News("k", number) for number in range(20, 35)]


def test_a_broken_connection_is_reopened_and_reported(database: str) -> None:
    if database.startswith("sqlite"):
        return  # a file has no connection that could break
    with two(database) as (one, other), listening(other) as others:
        ends = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'"
        with one.engine.begin() as connection:
            connection.execute(sa.text(ends))
        assert others.get(timeout=SOON) is None
        one.append("k", 0, [Entry(ACT, 0, "k1")])
        assert others.get(timeout=SOON) == News("k", 1)
