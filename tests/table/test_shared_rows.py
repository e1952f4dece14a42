"""Data of a table that several processes share: curtains, hints, presence, and the live processes.

Each process of these tests is a `Tables` over a store of its own, on one database.
"""

from __future__ import annotations

from collections.abc import Sequence
from threading import Event

import anyio
import pytest
import sqlalchemy as sa

from gonfalon.bots import Bot, Budget, Choice
from gonfalon.bots.players.thoughts import noted
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.state import SPECTATOR, State
from gonfalon.table import Beside, LinkHolder, Person, Robot, Store, Table, Tables
from gonfalon.table.errors import StoreError
from gonfalon.table.seats.presence import AWAY, HERE, LOST
from gonfalon.table.shared.heartbeat import Heartbeat
from gonfalon.table.store.shared_rows import PresenceRow, Shared, curtains, hints, presences, processes
from tests.bad_world.clocks import Machine
from tests.table.duel import Duel
from tests.table.opening import first, moot, tables_on, until

pytestmark = pytest.mark.anyio
MAY, BO = LinkHolder(0), LinkHolder(1)
BEGUN = Machine().monotonic


@pytest.fixture(autouse=True)
def deaf(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each process read others' changes on request only."""
    monkeypatch.setattr(Table, "hear", lambda *_: None)


@pytest.fixture(autouse=True)
def hearts_beat_when_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gonfalon.table.live.tables.BEAT_SECONDS", 3600.0)


async def wait_until_stored(table: Table, *rows: tuple[int, int, float, bool]) -> None:
    """Wait until a process has stored these seats: their pages, their expiry, and whether they read."""
    store = table.backend.store

    def found() -> bool:
        own = [row for row in store.shared(table.key).presences if row.process == store.process]
        return {(row.seat, row.pages, row.until, row.reads) for row in own} == set(rows)

    await until(found)


async def answer(table: Table, token: str) -> None:
    """Give the last legal answer of the person at the screen."""
    who = table.seats.find_holder(token)
    await table.moves.act(who, table.position.version(who.viewer), table.view(who.viewer).legal(who.viewer)[-1:])


async def reload_table(tables: Tables, table: Table) -> Table:
    """Return the table as a process that loads it now."""
    tables.forget(table.key)
    return await tables.table(table.key)


# ---- curtains ---------------------------------------------------------------------------------------


async def test_a_curtain_is_the_same_in_every_process(database: str) -> None:
    async with tables_on(database) as here, tables_on(database) as there:
        table, tokens = await moot(here, Person("May"), Beside("Bo"), Person("Cy"))
        token = tokens[0]
        other = await there.table(table.key)
        await table.seats.move_curtain(token, 0)
        await other.refresh()
        assert other.seats.find_holder(token).viewer == 0
        await other.seats.move_curtain(token, 1)
        await table.refresh()
        assert table.seats.find_holder(token).viewer == 1
        assert table.page_mark(token) == other.page_mark(token)
        await table.seats.move_curtain(token, None)
        assert other.seats.find_holder(token).viewer == 1
        await other.refresh()
        assert other.seats.find_holder(token).viewer == SPECTATOR
        await other.seats.move_curtain(token, 1)
        await answer(other, token)  # Bo has answered, and May is asked
        assert other.seats.find_holder(token).viewer == SPECTATOR
        assert (await reload_table(here, table)).seats.find_holder(token).viewer == SPECTATOR


async def test_a_curtain_falls_without_a_stored_fall(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """May's turn comes again, but Bo had the device in between, and no request has said since that May is there. A
    process that saw none of this knows it from the record."""

    def fails(*_: object) -> None:
        raise StoreError("The database did not answer.")

    async with tables_on(database) as here, tables_on(database) as there:
        table, tokens = await moot(here, Person("May"), Beside("Bo"))
        other = await there.table(table.key)
        await table.seats.move_curtain(tokens[0], 0)
        await other.refresh()
        monkeypatch.setattr(here.store, "lower", fails)
        await answer(table, tokens[0])
        await first(table, 1)
        assert table.position.is_asked(0)
        assert not table.position.is_asked(1)
        assert here.store.shared(table.key).curtains[table.row.seats[0].token or ""].seat == 0
        await other.moves.catch_up()  # both answers at once
        await other.refresh()
        for at in (table, other, await reload_table(there, other)):
            assert at.seats.find_holder(tokens[0]).viewer == SPECTATOR


# ---- hints ------------------------------------------------------------------------------------------


class Sure(Bot):
    """A bot that gives a reason."""

    asked = 0

    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        Sure.asked += 1
        return Choice(view.legal(view.viewer)[0], "So be it.")


async def test_a_hint_is_shown_by_every_process_for_the_view_it_was_asked_for(database: str) -> None:
    Sure.asked = 0
    async with tables_on(database, make_bot=Sure) as here, tables_on(database, make_bot=Sure) as there:
        table, _ = await here.open_table(Duel(), [Person("May"), Person("Bo")], True)
        other = await there.table(table.key)
        marks = [other.mark(viewer) for viewer in (0, 1, SPECTATOR)]
        await table.hints.advise(MAY)
        hint = table.hints.given(0)
        assert hint is not None
        assert other.hints.given(0) is None
        await other.refresh()
        assert other.hints.given(0) == hint
        assert [other.mark(viewer) for viewer in (1, SPECTATOR)] == marks[1:]
        assert other.mark(0) != marks[0]
        await other.hints.advise(MAY)
        assert Sure.asked == 1
        assert (await reload_table(there, other)).hints.given(0) == hint
        await first(table, 0)
        assert table.hints.given(0) is None
        assert (await reload_table(there, other)).hints.given(0) is None


async def test_a_hint_that_came_too_late_or_cannot_be_read_is_not_shown(database: str) -> None:
    async with tables_on(database) as tables:
        table, _ = await tables.open_table(Duel(), [Person("May"), Person("Bo")], True)
        version, action = table.position.version(0), table.view(0).legal(0)[0]
        good = Choice(action, "So be it.")
        for text, when in (("{}", version), ("no", version), (noted(good), version + 1), (noted(Choice(-7)), version)):
            tables.store.advise(table.key, 0, when, text)
            assert (await reload_table(tables, table)).hints.given(0) is None
        tables.store.advise(table.key, 0, version, noted(good))
        assert (await reload_table(tables, table)).hints.given(0) == good


# ---- who is there -----------------------------------------------------------------------------------


async def test_a_page_at_one_process_counts_at_all(database: str) -> None:
    machine = Machine()
    async with machine.process(database) as here, machine.process(database) as there:
        table, _ = await moot(here, Person("May"), Person("Bo"), Robot("random"))
        await machine.wake(100.0, here, there)
        other = await there.table(table.key)
        assert [other.presence.state_of(seat) for seat in (0, 1)] == [AWAY, AWAY]
        assert not other.presence.has_people(other.row.seats)
        before = other.public_mark()
        table.presence.enter([0])
        table.presence.enter([SPECTATOR])
        await wait_until_stored(table, (0, 1, 0.0, False), (SPECTATOR, 1, 0.0, False))
        await other.refresh()
        assert other.public_mark() != before
        assert [other.presence.state_of(seat) for seat in (0, 1)] == [HERE, AWAY]
        assert (other.presence.watching, other.presence.watched) == (1, True)
        assert other.presence.has_players(other.row.seats)
        other.presence.enter([SPECTATOR])
        assert other.presence.watching == 2
        table.presence.leave([0])
        table.presence.leave([SPECTATOR])
        await wait_until_stored(table, (0, 0, machine.wall + 60, False))
        await other.refresh()
        assert other.presence.state_of(0) == LOST
        await machine.wake(60.0, here, there)
        assert other.presence.state_of(0) == AWAY
        assert other.presence.watching == 1
        assert await here.attended(table.key)
        assert await there.attended(table.key)


async def test_a_process_that_dies_is_gone_with_its_pages_after_45_seconds(database: str) -> None:
    machine = Machine()
    async with machine.process(database) as here, machine.process(database) as there:
        table, _ = await moot(here, Person("May"), Person("Bo"))
        other = await there.table(table.key)
        await machine.wake(100.0, here, there)
        table.presence.enter([0])
        await wait_until_stored(table, (0, 1, 0.0, False))
        await other.refresh()
        await machine.wake(44.0, there)
        assert other.presence.state_of(0) == HERE
        assert other.presence.has_people(other.row.seats)
        before = other.public_mark()
        machine.jump(1.0, 1.0)
        assert other.presence.state_of(0) == AWAY
        await there.beat()
        assert other.public_mark() != before
        assert other.presence.state_of(0) == AWAY
        assert not other.presence.has_people(other.row.seats)
        assert not await there.attended(table.key)
        assert there.store.shared(table.key).presences == []
        # It was only late: what it knows counts again, as soon as it has found out.
        await here.beat()
        await wait_until_stored(table, (0, 1, 0.0, False))
        await other.refresh()
        assert other.presence.state_of(0) == HERE


async def test_after_a_restart_people_have_time_to_return(database: str) -> None:
    machine = Machine()
    async with machine.process(database) as here:
        table, _ = await moot(here, Person("May"), Person("Bo"))
        await machine.wake(100.0, here)
        assert table.presence.state_of(1) == AWAY
    machine.jump(4_000.0, 4_000.0)
    async with machine.process(database) as here, machine.process(database) as there:
        for tables in (here, there):
            assert (await tables.table(table.key)).presence.state_of(1) == LOST
        await machine.wake(60.0, here, there)
        for tables in (here, there):
            assert (await tables.table(table.key)).presence.state_of(1) == AWAY


async def test_a_closing_page_overrides_requests_to_another_process(database: str) -> None:
    """One process served May's page, another its socket. After the page closes, she does not count as reading for ten
    more minutes."""
    machine = Machine()
    async with machine.process(database) as here, machine.process(database) as there, machine.process(database) as more:
        table, _ = await moot(here, Person("May"), Person("Bo"))
        await machine.wake(100.0, here, there, more)
        other, last = await there.table(table.key), await more.table(table.key)
        table.presence.see([0], reads=True)
        await wait_until_stored(table, (0, 0, machine.wall + 600, True))
        await other.refresh()
        assert other.presence.state_of(0) == HERE
        machine.jump(1.0, 1.0)
        other.presence.enter([0])
        await wait_until_stored(other, (0, 1, 0.0, False))
        await table.refresh()
        await until(lambda: not table.presence._writing)
        table.presence.see([0], reads=True)  # she is there anyway
        assert not table.presence._writing
        other.presence.leave([0])
        await wait_until_stored(other, (0, 0, machine.wall + 60, False))
        for at in (table, last):
            await at.refresh()
            assert at.presence.state_of(0) == LOST
        await wait_until_stored(table)
        table.presence.see([0], reads=True)  # she opens the page once more
        await wait_until_stored(table, (0, 0, machine.wall + 600, True))
        for at in (other, last):
            await at.refresh()
            assert at.presence.state_of(0) == HERE


async def test_a_stale_read_does_not_override_a_newer_one(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A first read of the store takes long. Meanwhile May leaves, and a second read sees it."""
    machine = Machine()
    async with machine.process(database) as here, machine.process(database) as there:
        table, _ = await moot(here, Person("May"), Person("Bo"))
        await machine.wake(100.0, here, there)
        other = await there.table(table.key)
        other.presence.enter([0])
        await wait_until_stored(other, (0, 1, 0.0, False))
        read, go_on, shared = Event(), Event(), here.store.shared

        def slow(key: str) -> Shared:
            found = shared(key)
            if not read.is_set():
                read.set()
                go_on.wait(20)
            return found

        monkeypatch.setattr(here.store, "shared", slow)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(table.refresh)
            await anyio.to_thread.run_sync(read.wait, 20)
            other.presence.leave([0])
            await wait_until_stored(other, (0, 0, machine.wall + 60, False))
            tasks.start_soon(table.refresh)
            await anyio.wait_all_tasks_blocked()
            await until(lambda: table.presence.state_of(0) == LOST or table._refreshing.statistics().tasks_waiting)
            go_on.set()
        assert table.presence.state_of(0) == LOST


async def test_frequent_requests_are_stored_rarely(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page without scripts that polls each second for three minutes is stored at first and after a quarter of its ten
    minutes. A page with a socket is stored when it opens and closes."""
    machine, counted = Machine(), 0
    async with machine.process(database) as tables:
        table, _ = await moot(tables, Person("May"), Person("Bo"))
        be_present = tables.store.be_present

        def counting(key: str, rows: Sequence[PresenceRow]) -> None:
            nonlocal counted
            counted += 1
            be_present(key, rows)

        monkeypatch.setattr(tables.store, "be_present", counting)
        for _ in range(180):
            table.presence.see([0], reads=True)
            await until(lambda: not table.presence._writing)
            await machine.wake(1.0, tables)
        # After 0 and 151 seconds: a quarter is 150, and it has to be more.
        assert counted == 2
        table.presence.enter([0])
        await until(lambda: not table.presence._writing)
        for _ in range(20):
            table.presence.see([0], reads=True)
            table.presence.see([0])
            await until(lambda: not table.presence._writing)
        assert counted == 3
        table.presence.leave([0])
        await until(lambda: not table.presence._writing)
        assert counted == 4


async def test_a_decision_shows_in_nothing_that_is_shared(database: str) -> None:
    async with tables_on(database) as tables:
        table, _ = await moot(tables, Person("May"), Person("Bo"), Person("Cy"))
        table.presence.enter([0])
        await wait_until_stored(table, (0, 1, 0.0, False))
        before = tables.store.shared(table.key)
        await first(table, 0)
        assert tables.store.shared(table.key) == before


async def test_presence_is_stored_after_a_database_outage(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with tables_on(database) as tables:
        table, _ = await moot(tables, Person("May"), Person("Bo"))
        be_present, failed = tables.store.be_present, 0

        def fails(key: str, rows: Sequence[PresenceRow]) -> None:
            nonlocal failed
            failed += 1
            if failed == 1:
                raise StoreError("The database did not answer.")
            be_present(key, rows)

        monkeypatch.setattr(tables.store, "be_present", fails)
        monkeypatch.setattr("gonfalon.table.seats.presence.AGAIN", 0.01)
        table.presence.enter([0])
        assert table.presence.state_of(0) == HERE
        await wait_until_stored(table, (0, 1, 0.0, False))
        assert failed == 2


# ---- which processes live ---------------------------------------------------------------------------


def test_the_latest_heartbeat_is_the_time_of_all(database: str) -> None:
    store = Store(database)
    assert store.beat("a", None, 1000.0) == {"a": 1000.0, "": 1000.0}
    assert store.beat("a", 1005.0, 0.0) == {"a": 1005.0, "": 1000.0}
    assert store.beat("b", None, 9000.0) == {"a": 1005.0, "b": 1005.0, "": 1005.0}, "it begins with the time of all"
    assert store.beat("b", 1024.0, 0.0) == {"a": 1005.0, "b": 1024.0, "": 1005.0}
    assert store.beat("a", 1006.0, 0.0) == {"a": 1024.0, "b": 1024.0, "": 1005.0}, "it was not awake, and catches up"
    store.stop("a", 1024.0)
    assert store.beat("b", 1068.0, 0.0)["a"] == -1024.0
    assert store.beat("b", 1069.0, 0.0) == {"b": 1069.0, "": 1005.0}, "silent for 45 seconds"
    store.stop("b", 1070.0)
    assert store.beat("c", None, 9000.0) == {"b": -1070.0, "c": 1070.0, "": 1070.0}, "time stood still without any"
    store.close()


def test_time_stands_still_when_a_heartbeat_is_late(database: str) -> None:
    store, machine = Store(database), Machine()
    heartbeat = Heartbeat(store, lambda: machine.monotonic, lambda: 5000.0)
    heartbeat.beat()
    assert heartbeat.now() == 5000.0
    for late, now in ((2.0, 5002.0), (2.5, 5000.0), (3600.0, 5000.0), (-1.0, 5000.0)):
        machine.monotonic = BEGUN + late
        assert heartbeat.now() == now
    machine.monotonic = BEGUN + 3600.0
    heartbeat.settle()
    assert heartbeat.now() == 5000.0
    machine.jump(2.0, 2.0)
    heartbeat.settle()
    assert heartbeat.now() == 5002.0, "no heartbeat is needed"
    store.beat("other", 5050.0, 0.0)
    machine.jump(2.0, 2.0)
    heartbeat.settle()
    assert heartbeat.now() == 5050.0, "another process was awake"
    store.close()


def test_a_heartbeat_that_waits_hastens_no_clock(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process writes its heartbeat during a wait of 1.5 seconds for the database."""
    store, machine = Store(database), Machine()
    heartbeat, beat = Heartbeat(store, lambda: machine.monotonic, lambda: machine.monotonic), store.beat
    heartbeat.beat()

    def wait(process: str, now: float | None, first: float) -> dict[str, float]:
        machine.jump(1.5, 1.5)
        beat("other", BEGUN + 1.5, first)
        return beat(process, now, first)

    monkeypatch.setattr(store, "beat", wait)
    heartbeat.beat()
    assert heartbeat.now() == BEGUN + 1.5
    store.close()


def test_time_stands_still_while_the_database_is_away(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise StoreError("The database did not answer.")

    store, machine = Store(database), Machine()
    heartbeat = Heartbeat(store, lambda: machine.monotonic, lambda: machine.monotonic)
    heartbeat.beat()
    with monkeypatch.context() as away:
        away.setattr(store, "beat", fails)
        for _ in range(20):
            machine.jump(1.0, 1.0)
            with pytest.raises(StoreError):
                heartbeat.beat()
    assert heartbeat.now() == BEGUN
    heartbeat.beat()
    assert heartbeat.now() == BEGUN
    assert heartbeat.to_wall(BEGUN) == BEGUN + 20
    store.close()


# ---- what is cleared away ---------------------------------------------------------------------------


async def test_nothing_is_left_of_processes_and_tables_of_the_past(database: str) -> None:
    machine = Machine()
    async with machine.process(database) as tables:
        table, tokens = await moot(tables, Person("May"), Beside("Bo"))
        running, others = await moot(tables, Person("May"), Beside("Bo"))
        await table.seats.move_curtain(tokens[0], 0)
        await running.seats.move_curtain(others[0], 0)
        for at in (table, running):
            tables.store.advise(at.key, 0, 1, "{}")
            at.presence.enter([0])
            await wait_until_stored(at, (0, 1, 0.0, False))
        tables.store.be_present(running.key, [PresenceRow("nobody", 1, 1)])
        await table.seats.resign(MAY)
        engine = tables.store.engine

        def left() -> list[set[str]]:
            with engine.begin() as connection:
                return [
                    set(connection.execute(sa.select(part.c.table)).scalars()) for part in (presences, curtains, hints)
                ]

        ended = tables.store.table(table.key).ended
        assert ended is not None
        tables.store.sweep_ended(ended + 3600)  # whoever was there may still look at it
        assert left() == [{table.key, running.key}] * 3
        tables.store.sweep_ended(ended + 86_401)
        assert left() == [{running.key}] * 3
        assert [row.process for row in tables.store.shared(running.key).presences] == [tables.store.process]
        with engine.begin() as connection:
            assert connection.execute(sa.select(sa.func.count()).select_from(processes)).scalar_one() == 2
