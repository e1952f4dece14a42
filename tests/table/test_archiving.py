"""Archiving of finished games in the background."""

from __future__ import annotations

import logging
from concurrent.futures.process import BrokenProcessPool
from types import SimpleNamespace
from typing import Any

import pytest

from gonfalon import games
from gonfalon.table.live.archiving import Archives

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(("error", "said"), [(BrokenProcessPool("killed"), 0), (ValueError("unreadable"), 1)])
async def test_only_a_failure_that_is_no_stop_is_an_error(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, error: Exception, said: int
) -> None:
    store: Any = SimpleNamespace(kept_heads=lambda keys: {})
    runner: Any = None
    archives = Archives(store, runner)

    async def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(archives, "keep", fail)
    row: Any = SimpleNamespace(key="abcdefgh")
    await archives.keep_soon(row, games.game("jinkei"))
    assert len([one for one in caplog.records if one.levelno >= logging.ERROR]) == said
