"""`python -m tools.benchmarks.full_house`: it plays at all tables, names the cause of a pause, and measures an echo."""

from __future__ import annotations

import argparse
import asyncio
import gc
import sys
from collections.abc import Callable, Iterator

import pytest

from gonfalon import games
from tools.benchmarks import full_house, full_house_servers


@pytest.fixture
def restored(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Restore the event loop and the garbage collector after the test."""
    callbacks = gc.callbacks[:]
    monkeypatch.setattr(asyncio.Handle, "_run", asyncio.Handle._run)
    monkeypatch.setitem(sys.modules, "uvloop", sys.modules.get("uvloop"))
    yield
    gc.callbacks[:] = callbacks


def test_a_pause_has_the_name_of_its_task(monkeypatch: pytest.MonkeyPatch, restored: None) -> None:
    monkeypatch.setattr(full_house_servers, "SHORTEST_PAUSE", -1.0)
    pauses: list[full_house_servers.Pause] = []

    async def draw_everything() -> None:
        await asyncio.sleep(0)

    full_house_servers.watch_pauses(pauses)
    asyncio.run(draw_everything())
    assert any("draw_everything" in cause for _, _, cause in pauses)


def test_only_pauses_of_the_measured_time_count() -> None:
    output = 'Gonfalon runs.\n[[10.0, 0.5, "a"], [20.0, 0.03, "b"], [21.0, 0.04, "c"]]\n'
    assert full_house.find_longest_pause(output, 15.0) == {"pause": 0.04, "cause": "c"}
    assert full_house.find_longest_pause("", 15.0) == {"pause": 0.0, "cause": ""}


@pytest.mark.extended
def test_a_short_run_plays_at_all_tables(free_port: Callable[[], int]) -> None:
    args = argparse.Namespace(
        games=[],
        tables=4,
        rate=5.0,
        seconds=2.0,
        alone=0.5,
        workers=1,
        database=None,
        beside=0,
        pauses=True,
        port=free_port(),
        seed=1,
    )
    run = full_house.measure_both(args)
    assert run["moves"] > 0
    assert (run["lost"], run["refused"], run["pages"], run["reconnected"]) == (0, 0, 8, 8)
    assert 0 <= run["echo_cpu"] < run["cpu"] / run["moves"]
    run |= {"date": "", "machine": "", "build": "", "tables": 4, "workers": 1, "rate": 5.0, "beside": 0}
    assert " of CPU" in full_house.format_page(run | {"games": games.names(), "kind": "SQLite"})
