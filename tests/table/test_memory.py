"""Memory: unused tables leave it, and resting tables drop data that can be recomputed."""

from __future__ import annotations

import gc
import time
from pathlib import Path

import pytest

from gonfalon.core.rules.state import SPECTATOR
from gonfalon.table import Person
from gonfalon.table.live.tables import IDLE
from tests.table.opening import first, moot, tables_at, until


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
        await until(lambda: gc.collect() >= 0 and tables.live_count == 1)
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
