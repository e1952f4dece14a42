"""Fixtures shared by the tests of tables."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from gonfalon.table import Store, Tables
from tests.table.opening import tables_at


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
async def tables(tmp_path: Path) -> AsyncIterator[Tables]:
    async with tables_at(tmp_path) as tables:
        yield tables


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    store = Store(database)
    yield store
    store.close()
