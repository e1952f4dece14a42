"""The wall clock is changed, a laptop sleeps, a machine freezes: players are not charged, whichever event
comes next."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Final

import pytest

from gonfalon.table import LinkHolder, Person, Robot, Seating, Table, Tables
from gonfalon.table.errors import Present
from gonfalon.table.game.clock import Pace
from gonfalon.table.game.entries import FLAG
from gonfalon.table.seats.presence import LOST
from gonfalon.table.store.claim_rows import Due
from tests.bad_world.clocks import Machine
from tests.table.moot import Moot
from tests.table.opening import find, first, until
from tests.table.test_store import row

pytestmark = pytest.mark.anyio
HOUR: Final = 3600.0
MAY, BO = LinkHolder(0), LinkHolder(1)
JUMPS: Final = {
    "set forward": (0.0, HOUR),
    "set back": (0.0, -HOUR),
    "frozen": (HOUR, HOUR),
    "frozen and set back": (HOUR, -HOUR),
}
"""Seconds by which the monotonic and the wall clock advance while no process is awake."""


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(autouse=True)
def still(monkeypatch: pytest.MonkeyPatch) -> None:
    """Disable periodic tasks, so that each test chooses the first event after a jump."""
    monkeypatch.setattr("gonfalon.table.live.tables.BEAT_SECONDS", HOUR)
    monkeypatch.setattr("gonfalon.table.shared.claims.SWEEP", HOUR)


@pytest.fixture
def machine() -> Machine:
    return Machine()


@pytest.fixture(params=[1, 2])
async def processes(request: pytest.FixtureRequest, database: str, machine: Machine) -> AsyncIterator[list[Tables]]:
    """One or two processes at a database. The first opens the tables, the last acts first after a jump."""
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(machine.process(database)) for _ in range(request.param)]


async def look(table: Table) -> None:
    assert isinstance(table.backend, Tables)
    (await table.backend.table(table.key)).build_view(0)


async def decide(table: Table) -> None:
    await first(table, 0)


async def give_away(table: Table) -> None:
    with pytest.raises(Present):
        await table.seats.give_to_bot(BO, 0)


HAPPENS: Final[dict[str, Callable[[Table], Awaitable[None]]]] = {
    "a page looks": look,
    "the flag is looked at": lambda table: table.clocks.serve(),
    "what is due is looked up": lambda table: table.backend.claims.sweep(),
    "somebody decides": decide,
    "somebody would like a bot": give_away,
    "the heart beats": lambda table: table.backend.beat(),  # type: ignore[attr-defined]
}


async def open_timed_table(tables: Tables) -> Table:
    """Open a table of two minutes and "lose at zero" during May's decision, just after she lost her connection."""
    table, _ = await tables.open_table(Moot(seats=2), [Person("May"), Person("Bo")], pace=Pace(120, 0, "lose"))
    await first(table, 0, 1)
    table.presence.enter([0])
    table.presence.leave([0])
    await until(lambda: not table.presence._writing)
    return table


@pytest.mark.parametrize("jump", JUMPS)
async def test_a_jump_costs_no_player_anything(processes: list[Tables], machine: Machine, jump: str) -> None:
    tables = [await open_timed_table(processes[0]) for _ in HAPPENS]
    seen = [await processes[-1].table(table.key) for table in tables]
    await machine.wake(10.0, *processes)
    for table, happens in zip(seen, HAPPENS.values(), strict=True):
        machine.jump(*JUMPS[jump])
        await happens(table)
        await table.clocks.serve()
        assert table.presence.state_of(0) == LOST, "nobody is away because of a jump"
    for key in (table.key for table in tables):
        for process in processes:
            table = await process.table(key)
            clock = table.position.clock
            assert clock is not None
            assert not table.position.over
            assert [row.by for row in table.row.seats] == ["person", "person"]
            assert FLAG not in [entry.kind for entry in process.store.entries(key)]
            spent = [entry.spent for entry in process.store.entries(key) if entry.seat == 0]
            assert spent in ([0], [0, 9_700])  # ten seconds, without the way
            assert clock.since + clock.left[clock.asked[0]] / 1000 > process.now() + 100


@pytest.mark.parametrize("jump", ["set back", "frozen"])
async def test_after_a_jump_time_goes_on_as_before(processes: list[Tables], machine: Machine, jump: str) -> None:
    table = await open_timed_table(processes[0])
    await machine.wake(60.0, *processes)
    machine.jump(*JUMPS[jump])
    await processes[-1].beat()
    await machine.wake(60.0, *processes)
    await table.clocks.serve()
    assert not table.position.over
    await machine.wake(3.0, *processes)
    await table.clocks.serve()
    assert table.position.ended == {"seat": 0, "how": "time"}


@pytest.mark.parametrize("jump", ["set back", "frozen"])
async def test_a_request_waits_after_a_jump(processes: list[Tables], machine: Machine, jump: str) -> None:
    """The bot gives people a minute to answer it."""
    people: list[Seating] = [Person("May"), Robot("random"), Person("Di")]
    table, _ = await processes[0].open_table(find("moot", seats=3), people)
    await first(table, 2, 0)
    await until(lambda: table.position.is_asked(0))
    await first(table, 0)
    table.presence.enter([2])
    await table.requests.ask(MAY, table.position.version(0))
    length = table.position.length
    machine.jump(*JUMPS[jump])
    due = table.bots.due(table.position)
    assert due is not None
    assert due > processes[0].now() + 50
    await processes[-1].claims.sweep()
    await processes[0].claims.sweep()
    assert len(processes[0].store.entries(table.key)) == length


@pytest.mark.parametrize("jump", ["set back", "frozen"])
async def test_a_lease_ends_in_time_after_a_jump(database: str, machine: Machine, jump: str) -> None:
    """A process dies with its bots, and the clock is changed. Another one continues."""
    async with machine.process(database) as one, machine.process(database) as other:
        one.store.create(row(), [])
        assert one.store.claim("k", one.now(), Due(one.now() + 4.0)) == one.now() + 4.0
        machine.jump(*JUMPS[jump])
        await other.beat()
        assert other.store.claim_overdue(other.now(), other.now() + 4.0) == []
        await machine.wake(6.0, other)
        assert other.store.claim_overdue(other.now(), other.now() + 4.0) == ["k"]


async def test_where_one_process_was_awake_time_passed_for_all(database: str, machine: Machine) -> None:
    async with machine.process(database) as frozen, machine.process(database) as awake:
        table = await open_timed_table(frozen)
        await machine.wake(100.0, awake)
        assert frozen.now() == awake.now() - 100.0
        await first(table, 0)
        entry = frozen.store.entries(table.key)[-1]
        assert entry.at == awake.now(), "what is written is written at the time of all"
        assert entry.spent is not None
        assert entry.spent <= 99_700
        assert frozen.now() == awake.now()


async def test_processes_that_see_each_others_decisions_have_the_same_time(database: str, machine: Machine) -> None:
    """A process starts with the last heartbeat of another, up to a second old."""
    async with machine.process(database) as one:
        table = await open_timed_table(one)
        machine.jump(1.0, 1.0)
        async with machine.process(database) as other:
            assert other.now() == one.now() - 1.0
            again = await other.table(table.key)
            await first(table, 0)
            await again.refresh()
            assert other.now() == one.now()


async def test_a_process_that_begins_after_the_clock_was_set_joins_the_others(database: str, machine: Machine) -> None:
    async with machine.process(database) as one:
        table = await open_timed_table(one)
        for seconds in (HOUR, -3 * HOUR):
            machine.jump(0.0, seconds)
            async with machine.process(database) as new:
                assert new.now() == one.now()
                again = await new.table(table.key)
                assert again.clocks.due(again.position) == table.clocks.due(table.position)
                await again.clocks.serve()
                assert not again.position.over
