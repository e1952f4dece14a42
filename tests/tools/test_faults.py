"""`python -m tools.faults`: it notices lost and doubled moves, stale reads and stopped tables, and nothing is
lost in a short run."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock

import pytest

from gonfalon.core.basics.rng import Rng
from tests.missing import missing
from tools.faults import ROOT, suite
from tools.faults import __main__ as command
from tools.faults.clients import Browser, Observed, Page, Post, Table, match_posts
from tools.faults.suite import Found, Settings, Suite


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.mark.parametrize(
    ("entries", "posts", "found"),
    [
        ("abc", "abc", (0, 0)),
        ("ac", "ab?c", (0, 0)),
        ("abc", "ab?c", (0, 0)),
        ("aa", "a?a?a", (0, 0)),
        ("", "a?", (0, 0)),
        ("ac", "abc", (1, 0)),
        ("", "aa", (2, 0)),
        ("aab", "ab", (0, 1)),
        ("aaa", "a?a", (0, 1)),
        ("d", "", (0, 1)),
        ("ba", "ab", (0, 1)),
        ("ad", "ab", (1, 1)),
    ],
)
def test_records_are_compared_with_all_posts(entries: str, posts: str, found: tuple[int, int]) -> None:
    """A question mark follows a move that got no answer, which may be in the record once."""
    sent = [Post(text[0], certain=len(text) == 1) for text in re.findall(r"\w\??", posts)]
    assert match_posts(list(entries), sent) == found


@asynccontextmanager
async def table_at(version: int, asks: bool = True) -> AsyncIterator[Table]:
    """Return a table with one page, at a server that answers posts with version 5, and reads with a version of its own.
    Without `asks` no seat is asked."""
    decision = {"actions": [{"id": "k1"}]} if asks else None
    view = json.dumps({"over": False, "version": version, "decision": decision, "page": "/static/files/"}).encode()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        posts = (await reader.readuntil(b"\r\n\r\n")).startswith(b"POST")
        writer.write(b"HTTP/1.1 204 OK\r\nX-Version: 5\r\n\r\n" if posts else b"HTTP/1.1 200 OK\r\n\r\n" + view)
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        table = Table(Browser(server.sockets[0].getsockname()[1], Observed()), "feint", False, False, Rng(1))
        table.pages = [Page(table.browser, "k", "t", Rng(2))]
        table.pages[0].version = 5
        yield table
        table.close()


@pytest.mark.anyio
@pytest.mark.parametrize(("version", "stale"), [(4, 1), (5, 0)])
async def test_a_read_behind_the_acknowledged_move_is_stale(version: int, stale: int) -> None:
    async with table_at(version) as table:
        table.observed.fault = "kill of a worker"
        await table.move()
    found = Found({"kill of a worker": 1}, table.observed)
    assert (found.observed.acknowledged, found.observed.stale["kill of a worker"]) == (1, stale)
    assert found.fails == bool(stale)
    assert f"{stale} stale reads" in command.format_found("sqlite", found)


@pytest.mark.anyio
async def test_a_move_repeated_while_the_database_is_away_counts_once() -> None:
    async with table_at(4) as table:
        table.observed.absent = True
        await table.move()
        await table.move()
        assert [(post.text, post.certain) for post in table.pages[0].posts] == [("k1", True)]
        assert table.observed.stale.total() == 0


@pytest.mark.anyio
async def test_a_table_at_which_no_seat_is_asked_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    async with table_at(5) as playing, table_at(5, asks=False) as stopped:
        clock = SimpleNamespace(monotonic=lambda: 31.0 * playing.moves)
        monkeypatch.setattr(suite, "time", clock)
        waiting = asyncio.create_task(suite.wait_for_moves([playing, stopped], 2))
        await asyncio.sleep(0)
        for table in (playing, stopped, playing, stopped):
            await table.move()
        found = Found({}, Observed(), stopped=await waiting)
    assert found.stopped == 1
    assert found.fails
    assert "1 stopped tables" in command.format_found("sqlite", found)


@pytest.mark.anyio
async def test_the_heartbeats_of_a_killed_process_are_no_sign_of_life(monkeypatch: pytest.MonkeyPatch) -> None:
    """The process with the heartbeat at 10.4 is dead."""
    heartbeats = iter([[10.0, 10.4], [11.0, 10.4], [12.0, 10.4, 11.5]])
    monkeypatch.setattr(Suite, "read_heartbeats", lambda _: next(heartbeats))
    running: Any = Suite.__new__(Suite)
    running.settings = SimpleNamespace(workers=2)
    await running.wait_for_processes()
    assert list(heartbeats) == []


@pytest.mark.anyio
@pytest.mark.parametrize("ran", [0, 1])
async def test_clocks_that_ran_while_the_server_stood_are_wrong(monkeypatch: pytest.MonkeyPatch, ran: int) -> None:
    """Reading a clock takes five seconds, in which all clocks run. The server stands for thirty."""
    running: Any = Suite.__new__(Suite)
    clock: Any = SimpleNamespace(monotonic=lambda: clock.now, now=0.0)

    async def read_left() -> list[float]:
        clock.now += 5.0
        return [1005.0 - clock.now + running.stood * (1 - ran)]

    async def stop_all() -> None:
        running.stood, clock.now = 30.0, clock.now + 30.0

    monkeypatch.setattr(suite, "time", clock)
    monkeypatch.setattr(Suite, "wait_for_processes", AsyncMock())
    running.clocked, running.control = [SimpleNamespace(read_left=read_left)] * 2, SimpleNamespace(ahead=0.0)
    running.tables, running.found = [], Found({}, Observed())
    await running.cause(stop_all)
    assert running.found.clocks == 2 * ran


@pytest.mark.parametrize(
    "kind", [pytest.param("sqlite", marks=pytest.mark.extended), pytest.param("postgresql", marks=pytest.mark.long)]
)
def test_a_short_run_loses_nothing(free_port: Callable[[], int], kind: str) -> None:
    """The seconds of silences depend on the load of the machine, so none is tested."""
    if not (ROOT / ".git").exists():
        missing("The suite upgrades from a release, whose sources are in a clone.")
    counts = "--kills 2 --stops 1 --steps 1 --others 0 --stop-seconds 6 --outage-seconds 1 --pause 0.1"
    values = vars(command.parse_arguments(f"{counts} --port {free_port()}".split()))
    found = command.run_suite(kind, Settings(**{name: values[name] for name in values if name != "database"}))
    expected = {"upgrade from 1.0.0": 1, "kill of a worker": 2, "stop of all": 1, "step of the clock": 1}
    assert found.faults == expected
    assert not found.fails, found
    assert found.observed.acknowledged >= 8
    assert "0 lost, 0 doubled" in command.format_found(kind, found)
