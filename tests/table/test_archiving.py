"""Archiving of finished games in the background."""

from __future__ import annotations

from threading import get_ident
from typing import Any

import pytest

from gonfalon.table import Person, Tables
from gonfalon.table.live import archiving
from tests.table.opening import moot, until

pytestmark = pytest.mark.anyio


async def test_no_archive_is_made_or_read_on_the_event_loop(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    threads: dict[str, int] = {}

    def note(name: str) -> None:
        work = getattr(archiving, name)

        def noted(*given: Any) -> Any:
            threads[name] = get_ident()
            return work(*given)

        monkeypatch.setattr(archiving, name, noted)

    for name in ("gather_game", "make_archive", "read_head"):
        note(name)
    table, _ = await moot(tables, Person("May"), Person("Bo"), rounds=1)
    await table.moves.resign(0)
    await until(lambda: tables.store.kept(table.key))
    assert len(threads) == 3
    assert get_ident() not in threads.values()
