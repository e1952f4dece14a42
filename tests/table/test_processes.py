"""Several processes at one database, each with its own live tables. Any process serves any table, and none owns one."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import pytest

from gonfalon.core.rules.state import SPECTATOR
from gonfalon.table import LinkHolder, Person, Robot, Store, Table, Tables
from gonfalon.table.errors import Hasty
from tests.table.duel import Duel
from tests.table.moot import Moot
from tests.table.opening import find, first, until

pytestmark = pytest.mark.anyio
MAY, BO = LinkHolder(0), LinkHolder(1)


@asynccontextmanager
async def process(database: str, **more: Any) -> AsyncIterator[Tables]:
    """Open one more process at a database."""
    store = Store(database)
    try:
        async with Tables(store, **{"pace": 0, "pause": (0, 0), "find": find, **more}).open() as tables:
            yield tables
    finally:
        store.close()


@asynccontextmanager
async def two(database: str, **more: Any) -> AsyncIterator[tuple[Tables, Tables]]:
    async with process(database, **more) as one, process(database, **more) as other:
        yield one, other


async def both(one: Tables, other: Tables, *people: Person | Robot) -> tuple[Table, Table]:
    """Return a table as two processes have it."""
    table, _ = await one.open_table(Moot(seats=len(people)), people)
    return table, await other.table(table.key)


async def test_a_spectator_sees_decisions_of_another_process(database: str) -> None:
    async with two(database) as (one, other):
        here, there = await both(one, other, Person("May"), Person("Bo"))
        watch = there.watch(SPECTATOR)
        before = await watch.changed()
        await first(here, 0, 1)
        with anyio.fail_after(60):
            after = await watch.changed()
        assert after["board"] != before["board"]
        assert there.position.length == here.position.length
        assert there.build_view(SPECTATOR) == here.build_view(SPECTATOR)


async def test_a_request_sees_an_entry_written_during_a_refresh(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with two(database) as (one, other):
        here, there = await both(one, other, Person("May"), Person("Bo"))
        monkeypatch.setattr(other, "_hear", lambda news: None)
        await here.seats.set_standing_answer(MAY, "able")
        paused, resumed, read = anyio.Event(), anyio.Event(), there.current.refresh_rematch

        async def pause() -> None:
            paused.set()
            await resumed.wait()
            await read()

        monkeypatch.setattr(there.current, "refresh_rematch", pause)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(there.refresh)
            await paused.wait()  # it has read the record
            await first(here, 0)
            tasks.start_soon(other.table, here.key)
            await until(lambda: there._refreshing.statistics().tasks_waiting == 1)
            resumed.set()
        assert there.position.length == here.position.length


async def test_a_greeting_is_read_at_every_process_and_kept_nowhere(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = time.time()
    async with two(database) as (one, other):
        for tables in (one, other):
            monkeypatch.setattr(tables, "now", lambda: at)
        here, there = await both(one, other, Person("May"), Person("Bo"))
        await here.say(BO, "thanks")
        assert here.list_present()["says"] == [None, "thanks"]
        await until(lambda: there.list_present()["says"] == [None, "thanks"])
        assert there.position.length == here.position.length
        with pytest.raises(Hasty):
            await there.say(BO, "wow")
    async with process(database) as later:
        assert (await later.table(here.key)).list_present()["says"] == [None, None]


async def test_a_secret_answer_wakes_no_client_elsewhere(database: str) -> None:
    async with two(database) as (one, other):
        here, there = await both(one, other, Person("May"), Person("Bo"))
        before = {viewer: there.mark(viewer) for viewer in (0, 1, SPECTATOR)}
        await first(here, 0)
        await until(lambda: there.position.length == here.position.length)
        assert {viewer: there.mark(viewer) for viewer in (1, SPECTATOR)} == {v: before[v] for v in (1, SPECTATOR)}
        assert there.mark(0) != before[0]


async def test_a_standing_answer_wakes_no_client_elsewhere(database: str) -> None:
    async with two(database) as (one, other):
        here, there = await both(one, other, Person("May"), Person("Bo"))
        before = {viewer: there.mark(viewer) for viewer in (0, 1, SPECTATOR)}
        await here.seats.set_standing_answer(MAY, "able")
        await until(lambda: there.row.seats[0].standing == "able")
        assert {viewer: there.mark(viewer) for viewer in (1, SPECTATOR)} == {v: before[v] for v in (1, SPECTATOR)}
        assert there.mark(0) != before[0]


async def test_a_rematch_and_its_players_appear_at_the_other_process(database: str) -> None:
    async with two(database) as (one, other):
        here, tokens = await one.open_table(Duel(), [Person("May"), Person("Bo")])
        there = await other.table(here.key)
        await here.seats.resign(MAY)
        await until(lambda: there.position.over)
        key, _ = await one.rematch(here, MAY, tokens[0], "nonce".ljust(22, "-"))
        await until(lambda: there.current.next_row is not None)
        assert there.current.next_row is not None
        assert there.current.next_row.key == key
        # At the rematch May sits at seat 1, and says there that she is not ready after all.
        following = await one.table(key)
        assert following.row.seats[1].ready == "yes"
        await following.gathering.cancel_ready(LinkHolder(1))
        await until(lambda: there.current.next_row.seats[1].ready == "")


async def test_a_table_that_is_cleared_away_is_forgotten_everywhere(database: str) -> None:
    async with two(database) as (one, other):
        here, there = await both(one, other, Person("May"), Person("Bo"))
        one.store.clear(here.key)
        await until(lambda: other.live_count == 0)
        assert there.key == here.key
