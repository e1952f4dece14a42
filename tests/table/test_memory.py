"""Memory: unused tables leave it, and resting tables drop data that can be recomputed."""

from __future__ import annotations

import gc
import sys
import time
import weakref
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType, ModuleType

import pytest

from gonfalon import games
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.state import SPECTATOR
from gonfalon.table import Person
from gonfalon.table.game.position import Position
from gonfalon.table.live.tables import AT_ONCE, IDLE
from gonfalon.table.shared.garbage import collect_all, collect_new, freeze_survivors
from tests.table.opening import first, moot, tables_at, until


@pytest.fixture
def no_collections() -> Iterator[None]:
    """Run a test without garbage collections."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.anyio
async def test_a_table_leaves_memory_without_a_garbage_collection(tmp_path: Path, no_collections: None) -> None:
    async with tables_at(tmp_path, grace=0.0) as tables:
        table, _ = await moot(tables, Person("May"), Person("Bo"))
        await first(table, 0)
        assert table.build_view(1)["board"]
        parts = [weakref.ref(part) for part in (table, table.current, table.moves, table.position, table.gathering)]
        tables.forget(table.key)
        del table
        await until(lambda: not any(part() for part in parts))


@pytest.mark.anyio
async def test_unused_tables_leave_memory_a_few_at_a_time(tmp_path: Path) -> None:
    async with tables_at(tmp_path, grace=0.0) as tables:
        for _ in range(AT_ONCE + 1):
            await moot(tables, Person("May"), Person("Bo"))
        await until(lambda: tables.live_count == AT_ONCE + 1)
        tables.let_go(time.monotonic() + IDLE + 60)
        await until(lambda: tables.live_count == 1)


def test_survivors_of_a_search_are_not_searched_again(no_collections: None) -> None:
    kept: list[list[int]] = [[] for _ in range(100)]
    count = gc.get_freeze_count()
    freeze_survivors("stop", {"generation": 0})
    assert gc.get_freeze_count() == count
    freeze_survivors("stop", {"generation": 1})
    assert gc.get_freeze_count() >= count + len(kept)
    collect_all()
    assert gc.get_freeze_count() == 0


def test_a_search_of_new_objects_excludes_them_from_the_next(no_collections: None) -> None:
    gc.callbacks.append(freeze_survivors)
    try:
        collect_new()
        count = gc.get_freeze_count()
        kept: list[list[int]] = [[] for _ in range(100)]
        collect_new()
        assert gc.get_freeze_count() >= count + len(kept)
    finally:
        gc.callbacks.remove(freeze_survivors)
        collect_all()


@pytest.mark.anyio
async def test_new_objects_are_searched_with_each_heartbeat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    searches: list[None] = []
    monkeypatch.setattr("gonfalon.table.live.tables.BEAT_SECONDS", 0.01)
    monkeypatch.setattr("gonfalon.table.live.tables.collect_new", lambda: searches.append(None))
    async with tables_at(tmp_path):
        await until(lambda: len(searches) > 1)


@pytest.mark.anyio
async def test_an_unused_table_leaves_memory_and_returns(tmp_path: Path) -> None:
    async with tables_at(tmp_path, grace=0.0) as tables:
        table, tokens = await moot(tables, Person("May"), Person("Bo"))
        followed, _ = await moot(tables, Person("Cy"), Person("Di"))
        follow = followed.watch(SPECTATOR)
        await first(table, 0)
        key, length, seen = table.key, table.position.length, table.build_view(0)
        tables.let_go(time.monotonic() + IDLE - 60)
        assert tables.live_count == 2
        tables.let_go(time.monotonic() + IDLE + 60)
        del table
        await until(lambda: tables.live_count == 1)
        assert await tables.table(followed.key) is follow.table
        back = await tables.table(key)
        assert back.position.length == length
        assert back.seats.find_holder(tokens[0]).viewer == 0
        assert back.build_view(0)["board"] == seen["board"]
        assert back.build_view(0)["log"] == seen["log"]


@pytest.mark.anyio
async def test_a_resting_table_drops_its_caches(tmp_path: Path) -> None:
    async with tables_at(tmp_path) as tables:
        table, _ = await moot(tables, Person("May"), Person("Bo"))
        seen = table.build_view(0)
        table.rest()
        assert table.build_view(0) is seen
        await first(table, 0)
        table.rest()
        seen = table.build_view(0)
        assert table.build_view(0) is seen
        table.rest()
        assert table.build_view(0) is not seen
        assert table.build_view(0) == seen


@pytest.mark.anyio
async def test_tables_of_the_same_options_share_their_game(tmp_path: Path) -> None:
    async with tables_at(tmp_path) as tables:
        one, _ = await moot(tables, Person("May"), Person("Bo"), rounds=2)
        same, _ = await moot(tables, Person("Cy"), Person("Di"), rounds=2)
        other, _ = await moot(tables, Person("Ed"), Person("Fay"), rounds=1)
        assert one.game is same.game
        assert one.game is not other.game


def test_tables_without_pages_take_at_most_45_kb_on_average() -> None:
    sizes = []
    for name in games.names():
        game, rng, shared = games.game(name), Rng(3), set[int]()
        new, position = Position(game), Position(game, root=bytes(32))
        measure_size(new, shared)  # game data, which all tables share
        position.draw_chance()
        while position.length < 40 and not position.over:
            seat = next(seat for seat in range(game.seats) if position.is_asked(seat))
            actions = position.state.legal(seat)
            position.act(seat, None, [actions[int(rng.below(len(actions)))]])
        sizes.append(measure_size(position, shared))
    assert 4 * 10_000 < sum(sizes) <= 4 * 45_000


def measure_size(root: object, seen: set[int]) -> int:
    """Return the bytes of an object and of all objects that it holds, without those already seen."""
    found, size = [root], 0
    while found:
        one = found.pop()
        if id(one) not in seen and not isinstance(one, (type, FunctionType, ModuleType)):
            seen.add(id(one))
            size += sys.getsizeof(one)
            found += gc.get_referents(one)
    return size
