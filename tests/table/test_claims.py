"""Claims on a table's machine: one process at a time, and another when that process dies."""

from __future__ import annotations

import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from functools import partial

import pytest
import sqlalchemy as sa

from gonfalon.bots import Bot, Budget, Choice
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import State
from gonfalon.table import LinkHolder, Person, Robot, Store, Table, Tables
from gonfalon.table.game.entries import ACT, Entry
from gonfalon.table.shared import claims
from gonfalon.table.shared.claims import Claims
from gonfalon.table.store.claim_rows import Due
from tests.table.duel import DONE, Duel
from tests.table.opening import run_at_once, until
from tests.table.test_processes import process, two
from tests.table.test_store import row

pytestmark = pytest.mark.anyio
MAY, BO = LinkHolder(0), LinkHolder(1)


class Sleeper(Bot):
    """A bot that thinks until it is woken and counts its thoughts."""

    def __init__(self, game: Game) -> None:
        super().__init__("random", game)
        self.woken = threading.Event()
        self.thoughts = 0

    def choose(self, view: State, budget: Budget | None, rng: Rng) -> Choice:
        self.thoughts += 1
        self.woken.wait(60)
        return Choice(view.legal(view.viewer)[0])


LEASE = claims.LEASE


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claims, "LEASE", 1.0)
    monkeypatch.setattr(claims, "SWEEP", 0.05)


@pytest.fixture
def sleeper() -> Iterator[Sleeper]:
    bot = Sleeper(Duel())
    yield bot
    bot.woken.set()


@asynccontextmanager
async def dying(database: str, monkeypatch: pytest.MonkeyPatch, **more: object) -> AsyncIterator[Tables]:
    """A process that ends abruptly, so its claims remain."""
    async with process(database, **more) as tables:
        yield tables
        monkeypatch.setattr(tables.claims, "release_all", lambda: None)


def due_of(store: Store, key: str) -> float | None:
    with store.engine.begin() as connection:
        query = sa.text("SELECT due FROM tables WHERE key = :key")
        due: float | None = connection.execute(query, {"key": key}).scalar_one()
        return due


async def asked_bot(tables: Tables) -> Table:
    """A table where May has exchanged and the bot has not."""
    table, _ = await tables.open_table(Duel(), [Person("May"), Robot("random")])
    await table.moves.act(MAY, table.position.version(0), [DONE])
    return table


# ---- in the store ------------------------------------------------------------------------------------


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    store = Store(database)
    store.create(row(), [])
    yield store
    store.close()


def test_of_two_claims_one_succeeds(store: Store) -> None:
    assert store.claim("k", 100.0, Due(104.0)) == 104.0
    assert store.claim("k", 101.0, Due(105.0)) == 104.0
    assert store.claim("k", 104.0, Due(108.0)) == 108.0, "its time has passed"


def test_a_time_from_the_record_belongs_to_no_process(store: Store) -> None:
    store.append("k", 0, [Entry(ACT, 0, "k1")], Due(900.0))
    assert store.claim("k", 100.0, Due(104.0)) == 900.0
    assert store.claim("k", 100.0, Due(104.0, (900.0,))) == 104.0


def test_a_change_keeps_the_lease_of_another_process(store: Store) -> None:
    far = time.time() + 1000
    store.claim("k", 100.0, Due(far))
    assert store.append("k", 0, [Entry(ACT, 0, "k1")], Due(far + 1)).due == far
    assert store.append("k", 1, [Entry(ACT, 0, "k1")], Due(far + 1, (far,))).due == far + 1
    assert store.append("k", 2, [Entry(ACT, 0, "k1")], Due(None, (far + 1,))).due is None


def test_overdue_tables_are_claimed_once(store: Store) -> None:
    store.claim("k", 100.0, Due(104.0))
    assert store.claim_overdue(103.0, 107.0) == []
    assert store.claim_overdue(104.0, 108.0) == ["k"]
    assert store.claim_overdue(104.0, 108.0) == []


def test_a_lease_is_renewed_and_given_up_by_its_holder_alone(store: Store) -> None:
    store.claim("k", 100.0, Due(104.0))
    assert store.renew([("k", 103.0)], 110.0) == set()
    assert store.renew([("k", 104.0)], 110.0) == {"k"}
    store.release("k", 104.0, None)
    assert due_of(store, "k") == 110.0
    store.release("k", 110.0, None)
    assert due_of(store, "k") is None


def test_a_race_for_overdue_tables(database: str) -> None:
    """Four processes claim 40 tables. Each table is claimed once."""
    stores = [Store(database) for _ in range(4)]
    for number in range(40):
        stores[0].create(row(f"k{number}"), [])
        stores[0].claim(f"k{number}", 100.0, Due(101.0))
    found: list[str] = []

    def claim(store: Store) -> None:
        while keys := store.claim_overdue(200.0, 300.0):
            found.extend(keys)

    run_at_once(*(partial(claim, store) for store in stores))
    for store in stores:
        store.close()
    assert sorted(found) == sorted(f"k{number}" for number in range(40))


async def test_a_process_that_has_died_keeps_a_table_for_two_seconds(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(claims, "LEASE", LEASE)
    now, served = 100.0, list[str]()

    async def serve(key: str) -> None:
        served.append(key)

    one, other = (Claims(store, lambda: now, serve, lambda: None) for _ in range(2))
    assert await one.claim("k", None)
    one.serving.add("k")
    now = 100.51  # after a quarter of the lease it is renewed
    await one.sweep()
    now = 102.5
    await other.sweep()
    assert not served
    now = 102.51
    await other.sweep()
    assert served == ["k"]
    assert claims.IDLE_SWEEP == 1.0, "in all a bot is silent for three seconds"


# ---- at tables ---------------------------------------------------------------------------------------


async def test_a_bot_of_a_process_that_has_died_goes_on_elsewhere(
    database: str, sleeper: Sleeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with process(database) as other:
        async with dying(database, monkeypatch, make_bot=lambda *_: sleeper) as one:
            table = await asked_bot(one)
            await until(lambda: sleeper.thoughts == 1)
            length = table.position.length
        await until(lambda: len(other.store.entries(table.key)) > length)
        assert other.store.entries(table.key)[length].seat == 1


async def test_a_process_that_says_goodbye_leaves_its_bots_at_once(
    database: str, sleeper: Sleeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(claims, "LEASE", 60.0)
    async with process(database) as other:
        async with process(database, make_bot=lambda *_: sleeper) as one:
            table = await asked_bot(one)
            await until(lambda: sleeper.thoughts == 1)
            length = table.position.length
        await until(lambda: len(other.store.entries(table.key)) > length)


async def test_a_bot_that_thinks_long_is_left_to_think(
    database: str, sleeper: Sleeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both processes have the table, and the lease would have expired."""
    monkeypatch.setattr(claims, "LEASE", 2.0)
    async with two(database, make_bot=lambda *_: sleeper) as (one, other):
        monkeypatch.setattr(one.store, "claim_overdue", lambda *_: [])  # it would only take its own again
        table = await asked_bot(one)
        await other.table(table.key)
        await until(lambda: sleeper.thoughts == 1)
        begun = due_of(one.store, table.key)
        assert begun is not None
        await until(lambda: (due_of(one.store, table.key) or 0) > begun + claims.LEASE)
        assert sleeper.thoughts == 1
        sleeper.woken.set()
        await until(lambda: due_of(one.store, table.key) is None and table.position.is_asked(0))


async def test_empty_tables_have_nothing_due(database: str, sleeper: Sleeper) -> None:
    async with process(database, make_bot=lambda *_: sleeper, grace=1.0) as tables:
        table = await asked_bot(tables)
        await until(lambda: due_of(tables.store, table.key) is not None)
        await until(lambda: not table.presence.has_people(table.row.seats))
        sleeper.woken.set()
        await until(lambda: due_of(tables.store, table.key) is None)


async def test_claims_go_on_after_the_store_has_failed(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    failures = iter(range(3))
    sweep = Claims.sweep

    async def failing(self: Claims) -> None:
        if next(failures, None) is not None:
            raise OSError("away")
        await sweep(self)

    monkeypatch.setattr(Claims, "sweep", failing)
    async with process(database) as tables:
        tables.store.create(row("strange"), [Entry("nonsense", 0)])
        tables.store.claim("strange", 1.0, Due(2.0))
        await until(lambda: due_of(tables.store, "strange") is None)


# ---- the house ---------------------------------------------------------------------------------------


def test_one_process_at_a_time_puts_old_tables_in_order(store: Store) -> None:
    assert store.may_tidy(100.0, 160.0)
    assert not store.may_tidy(159.0, 219.0)
    assert store.may_tidy(130.0, 190.0, 160.0), "who does so goes on"
    assert store.may_tidy(140.0, 140.0, 190.0), "and has done"
    assert store.may_tidy(140.0, 200.0)


async def test_the_others_leave_it_alone(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with two(database) as (one, other):
        did: list[float] = []
        monkeypatch.setattr(other.store, "forget_devices", did.append)
        one.store.may_tidy(time.time(), time.time() + 60)
        await other.housekeeper.clean_up()
        await other.housekeeper.clean_up()
        assert did == []
