"""A server in a thread of this process for tables with arranged positions."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import uvicorn

from gonfalon.games.generals import Generals
from gonfalon.games.generals.rules.state import BOTH
from gonfalon.table import Person, Seating, Store, Table, Tables
from gonfalon.web import create_app
from tests.generals import scenario


class Laid:
    """The server. Calls on its tables run in its own loop."""

    def __init__(self, tables: Tables, port: int) -> None:
        self.tables = tables
        self.port = port
        self.loop = asyncio.new_event_loop()

    def do(self, work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(30)

    def seat_at(self, position: scenario.Table, *sitters: Seating, hints: bool = False) -> tuple[Table, list[str]]:
        """Open a table at this position. Return its people's addresses."""

        async def lay() -> tuple[Table, list[str]]:
            table, tokens = await self.tables.open_table(
                position.game, sitters or [Person("May"), Person("Bo")], hints=hints
            )
            for out in position.state.out:  # where what a table is laid without lies, unseen
                out[:] = [card | BOTH for card in out]
            table.position.state = position.state
            table.position.update_views()
            return table, [f"http://127.0.0.1:{self.port}/t/{table.key}/{token}/" for token in tokens.values()]

        laid: tuple[Table, list[str]] = self.do(lay())
        return laid


@contextmanager
def laying(folder: Path, port: int, pause: tuple[float, float] = (0, 0)) -> Iterator[Laid]:
    store = Store(f"sqlite:///{folder / 'tables.db'}")
    laid = Laid(Tables(store, pace=0, pause=pause), port)
    config = uvicorn.Config(
        create_app(laid.tables, {"generals": Generals}), port=port, log_level="warning", ws="websockets-sansio"
    )
    server = uvicorn.Server(config)

    def run() -> None:
        asyncio.set_event_loop(laid.loop)
        laid.loop.run_until_complete(server.serve())

    thread = threading.Thread(target=run)
    thread.start()
    try:
        while not server.started:
            threading.Event().wait(0.02)
        yield laid
    finally:
        server.should_exit = True
        server.force_exit = True
        thread.join(20)
        store.close()
