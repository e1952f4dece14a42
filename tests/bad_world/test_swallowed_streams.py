"""A swallowed connection of a terminal or an API client."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gonfalon.terminal.games import server
from gonfalon.terminal.games.joined import JoinedDesk
from gonfalon.terminal.games.own_cards import make_rules
from gonfalon.terminal.games.server import Remote, ServerAwayError
from gonfalon.terminal.screens.table import TableApp
from tests.bad_world.swallowing import SwallowingProxy, swallowing
from tests.bad_world.tables import Two
from tests.terminal.playing import SMALL, screen_of, wait_for
from tests.web.served import Served, serving

pytestmark = pytest.mark.extended
QUICK = """import sys
from gonfalon.web import serve
from gonfalon.web.api import endpoints
endpoints.KEEP_ALIVE = 0.2
serve(port=int(sys.argv[1]), database_url=sys.argv[2], pace=0)"""
"""A server whose streams are silent for at most 0.2 seconds instead of 7."""


@pytest.fixture
def served(tmp_path: Path, free_port: Callable[[], int], monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    """Such a server, with equally impatient terminals."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(server, "TIMEOUT_SECONDS", 2.0)
    with serving(tmp_path, free_port(), QUICK) as served:
        yield served


@pytest.fixture
def proxy(served: Served) -> Iterator[SwallowingProxy]:
    with swallowing(served.port) as proxy:
        yield proxy


@pytest.mark.long
@pytest.mark.parametrize("watches", [False, True])
def test_a_terminal_says_that_it_is_not_live_and_catches_up(
    served: Served, proxy: SwallowingProxy, watches: bool
) -> None:
    table = Two(served)
    token = "" if watches else table.tokens[0]
    link = f"http://127.0.0.1:{proxy.port}/t/{table.key}/{token or 'watch'}/"
    desk = JoinedDesk(Remote(link), make_rules("jinkei"), watch=watches)

    async def look() -> None:
        async with TableApp(desk, motion=False).run_test(size=SMALL) as pilot:
            await wait_for(pilot, lambda: bool(desk.view))
            await asyncio.to_thread(proxy.swallow)
            await asyncio.to_thread(table.act)
            await wait_for(pilot, lambda: desk.gone)
            proxy.forward()
            now = await asyncio.to_thread(table.version, token)
            await wait_for(pilot, lambda: not desk.gone and screen_of(pilot).sight.version == now)

    asyncio.run(look())


def test_a_stream_that_is_swallowed_ends_for_its_reader(served: Served, proxy: SwallowingProxy) -> None:
    """Empty lines arrive in time, so a client can treat silence as the end."""
    table = Two(served)
    views = Remote(f"http://127.0.0.1:{proxy.port}{table.page}").views()
    while next(views) is not None:
        pass
    proxy.swallow()
    with pytest.raises(ServerAwayError):
        list(views)


def test_an_answer_that_is_swallowed_is_reported(served: Served, proxy: SwallowingProxy) -> None:
    table = Two(served)
    remote = Remote(f"http://127.0.0.1:{proxy.port}{table.page}")
    view = remote.ask()
    proxy.swallow()
    with pytest.raises(ServerAwayError, match="does not answer"):
        remote.ask("/actions", {"expected": view["version"], "actions": []})
