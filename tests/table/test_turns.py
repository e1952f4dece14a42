"""The order of bots' turns to think, their limits, and one hint at a time."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from threading import Event
from time import sleep

import anyio
import pytest

from gonfalon.bots import Bot, Budget, Choice
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.state import SPECTATOR, State
from gonfalon.table import LinkHolder, Person, Robot, Table, Tables
from gonfalon.table.bots.queue import NOBODY, PEOPLE, BotQueue
from gonfalon.table.errors import Late
from tests.table.duel import Duel
from tests.table.opening import first, moot, tables_at, until

pytestmark = pytest.mark.anyio


async def order(asked: list[tuple[int, str]]) -> list[str]:
    """Return the order in which one worker serves requests that arrived in this order while it was busy."""
    turns, served = BotQueue(1), []

    async def ask(rank: int, name: str) -> None:
        async with turns.turn(rank, name):
            served.append(name)

    async with anyio.create_task_group() as tasks, turns.turn(PEOPLE, "first"):
        for rank, name in asked:
            tasks.start_soon(ask, rank, name)
            await anyio.wait_all_tasks_blocked()
    assert turns.free == 1
    return served


async def test_peoples_tables_come_first() -> None:
    asked = [(NOBODY, "a"), (NOBODY, "b"), (PEOPLE, "c"), (NOBODY, "d"), (PEOPLE, "e")]
    assert await order(asked) == ["c", "e", "a", "b", "d"]


async def test_a_busy_client_waits_for_its_own_requests() -> None:
    asked = [(PEOPLE, "many")] * 4 + [(PEOPLE, "one"), (PEOPLE, "two")]
    assert await order(asked) == ["many", "one", "two", "many", "many", "many"]


async def test_a_busy_client_alone_does_not_wait() -> None:
    turns = BotQueue(1)
    for _ in range(200):
        async with turns.turn(PEOPLE, "many"):
            pass
    with anyio.fail_after(60):
        async with turns.turn(PEOPLE, "one"):
            pass
    assert len(turns._last) <= 2


async def test_one_request_per_worker_and_cancelled_ones_free_their_place() -> None:
    turns, inside = BotQueue(2), []

    async def ask(name: str) -> None:
        async with turns.turn(PEOPLE, name):
            inside.append(name)
            await anyio.sleep_forever()

    async with anyio.create_task_group() as tasks:
        with anyio.CancelScope() as impatient:
            for name in "ab":
                tasks.start_soon(ask, name)
            await anyio.wait_all_tasks_blocked()
            with anyio.move_on_after(0.01):
                await ask("c")
            impatient.cancel()
        assert inside == ["a", "b"]
        tasks.start_soon(ask, "d")
        await anyio.wait_all_tasks_blocked()
        tasks.cancel_scope.cancel()
    assert turns.free == 2


# ---- at tables -----------------------------------------------------------------------------------------------------


class Counting(Bot):
    """A bot that plays the first legal action when it may, and counts."""

    asked = 0
    may = Event()

    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        Counting.asked += 1
        assert self.may.wait(60)
        return Choice(view.legal(view.viewer)[0], "So be it.")


@pytest.fixture
def counting() -> type[Counting]:
    Counting.asked = 0
    Counting.may.set()
    return Counting


def moves(tables: Tables, table: Table) -> int:
    """Return the number of decisions made by the bots at the second seat."""
    return sum(entry.seat == 1 for entry in tables.store.entries(table.key))


async def test_bots_alone_do_not_play_without_a_spectator(tmp_path: Path) -> None:
    async with tables_at(tmp_path) as tables:
        table, _ = await moot(tables, Robot("random"), Robot("random"))
        await anyio.wait_all_tasks_blocked()
        assert moves(tables, table) == 0
        table.presence.see([SPECTATOR])  # a request, and no more
        await until(lambda: moves(tables, table) > 0)
        table, _ = await moot(tables, Robot("random"), Robot("random"))
        table.presence.enter([SPECTATOR])
        await until(lambda: table.position.over)


async def test_bots_wait_while_all_people_are_gone(tmp_path: Path) -> None:
    async with tables_at(tmp_path, grace=0.0) as tables:
        table, _ = await moot(tables, Person("May"), Robot("random"), Person("Bo"))
        await first(table, 0, 2)
        await anyio.wait_all_tasks_blocked()
        assert moves(tables, table) == 0
        table.presence.enter([2])
        await until(lambda: moves(tables, table) > 0)


async def test_many_requests_for_a_hint_are_one_thought(tmp_path: Path, counting: type[Counting]) -> None:
    async with tables_at(tmp_path, make_bot=Counting) as tables:
        table, _ = await tables.open_table(Duel(), [Person("May"), Person("Bo")], True)
        counting.may.clear()
        async with anyio.create_task_group() as tasks:
            for _ in range(40):
                tasks.start_soon(table.hints.advise, LinkHolder(0))
            await until(lambda: counting.asked)
            tasks.start_soon(table.hints.advise, LinkHolder(1))
            await anyio.wait_all_tasks_blocked()
            counting.may.set()
        assert counting.asked == 2
        assert table.hints.given(0) is not None
        assert table.hints.given(1) is not None


class Deep(Bot):
    """A bot that thinks until it is stopped in a duel with only spectators, and plays at once if people play."""

    begun = stopped = 0

    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        if self.name == "deep":
            assert budget.halt is not None
            Deep.begun += 1
            while not budget.halt() and Deep.begun < 2:
                sleep(0.002)
            Deep.stopped += budget.halt()
        return Choice(view.legal(view.viewer)[-1], "At last.")


async def test_unneeded_thinking_makes_way(tmp_path: Path) -> None:
    Deep.begun = Deep.stopped = 0
    async with tables_at(tmp_path, make_bot=Deep, grace=60) as tables:
        tables.bots.queue = BotQueue(1)
        watched, _ = await tables.open_table(Duel(), [Robot("deep"), Robot("deep")])
        watched.presence.enter([SPECTATOR])
        await until(lambda: Deep.begun == 1)
        table, _ = await tables.open_table(Duel(), [Person("May"), Robot("quick")])
        await until(lambda: moves(tables, table) > 0)
        assert Deep.stopped == 1
        await until(lambda: watched.position.over)  # it was thought about again


class NotingQueue(BotQueue):
    """A queue that records its turns."""

    def __init__(self, count: int) -> None:
        super().__init__(count)
        self.served: list[str] = []

    @asynccontextmanager
    async def turn(self, rank: int, name: str) -> AsyncIterator[None]:
        async with super().turn(rank, name):
            self.served.append(name)
            yield


async def test_a_flood_at_one_table_does_not_hold_up_another(tmp_path: Path, counting: type[Counting]) -> None:
    """Many tables of one client wait for a bot. Another client's table is served after one of them."""
    async with tables_at(tmp_path, make_bot=Counting, grace=60) as tables:
        tables.bots.queue = turns = NotingQueue(1)
        counting.may.clear()
        for client in ["10.0.0.1"] * 12 + ["10.0.0.2"]:
            table, _ = await tables.open_table(Duel(), [Person("May"), Robot("any")])
            table.bots.client = client
        await until(lambda: counting.asked == 1)
        await anyio.wait_all_tasks_blocked()
        counting.may.set()
        await until(lambda: len(turns.served) >= 13)
        # The first began before it was known on whose behalf.
        assert turns.served[1:3] == ["10.0.0.1", "10.0.0.2"]


async def test_a_bot_that_waits_long_for_its_turn_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All viewers are informed, except during a simultaneous choice, where that would reveal that the bot has not
    answered."""
    monkeypatch.setattr("gonfalon.table.bots.players.LATE_SECONDS", 0.0)
    async with tables_at(tmp_path, grace=60) as tables:
        tables.bots.queue = queue = BotQueue(1)
        async with queue.turn(PEOPLE, "somebody else"):
            table, _ = await tables.open_table(Duel(), [Person("May"), Robot("random")])
            await until(lambda: queue.waiting == 1)
            await anyio.wait_all_tasks_blocked()
            assert table.position.together
            assert not table.bots.late
        await table.moves.act(LinkHolder(0), table.position.version(0), [table.game.parse("done")])
        await until(lambda: table.position.is_asked(0) and not table.position.together)
        async with queue.turn(PEOPLE, "somebody else"):
            before = table.public_mark()
            await table.moves.act(LinkHolder(0), table.position.version(0), table.view(0).legal(0)[:1])
            await until(lambda: table.bots.late)
            assert table.public_mark() != before
        await until(lambda: table.position.is_asked(0))
        assert not table.bots.late


async def test_a_hint_is_not_waited_for_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gonfalon.table.live.hints.HINT_WAITS", 0.05)
    async with tables_at(tmp_path, grace=60) as tables:
        tables.bots.queue = queue = BotQueue(1)
        table, _ = await tables.open_table(Duel(), [Person("May"), Person("Bo")], hints=True)
        async with queue.turn(PEOPLE, "somebody else"):
            with pytest.raises(Late, match="are busy"):
                await table.hints.advise(LinkHolder(0))
            assert queue.waiting == 0
        await table.hints.advise(LinkHolder(0))
        assert table.hints.given(0)
