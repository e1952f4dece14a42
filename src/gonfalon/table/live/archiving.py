"""Archiving of finished games in the background."""

from __future__ import annotations

import json
import logging
from concurrent.futures import BrokenExecutor
from typing import Final

import anyio
from anyio.to_thread import run_sync

from gonfalon.bots import Choice
from gonfalon.core.files.record import Record
from gonfalon.core.rules.game import Game
from gonfalon.table.bots.players import read_thoughts
from gonfalon.table.bots.workers import BotRunner
from gonfalon.table.errors import locate_error
from gonfalon.table.game.clock import load_pace
from gonfalon.table.game.position import make_record
from gonfalon.table.links import list_seat_names
from gonfalon.table.live.archive import make_archive, read_head
from gonfalon.table.store.store import Store, TableRow

logger: Final = logging.getLogger("gonfalon.table")


class Archives:
    """Makes archives one after the other."""

    def __init__(self, store: Store, runner: BotRunner) -> None:
        self.store: Store = store
        self.runner: BotRunner = runner
        # The pool of archives has one process, so further requests would only occupy threads.
        self._limit: anyio.CapacityLimiter = anyio.CapacityLimiter(1)

    async def keep(self, row: TableRow, game: Game, note: str = "") -> None:
        """Make and store the archive of a finished game."""
        async with self._limit:
            record, thoughts = await run_sync(gather_game, self.store, row, game)
            body = await run_sync(self.runner.archive, make_archive, record, thoughts)
        viewers = (await run_sync(read_head, body))["viewers"]
        over = {viewer: own["over"]["text"] for viewer, own in viewers.items() if own["over"] is not None}
        head = {"title": game.title, "names": record.names, "over": over, "note": note}
        await run_sync(self.store.keep, row.key, json.dumps(head), body)

    async def keep_soon(self, row: TableRow, game: Game) -> None:
        """Archive a game that has just ended, unless another process has done so. A failure is retried at the next
        clean-up. Many games may wait here, so none holds its live table."""
        try:
            if not await run_sync(self.store.kept_heads, [row.key]):
                await self.keep(row, game)
        except BrokenExecutor:
            logger.info("table %s: its archive is made later, because the server stops", row.key[:4])
        except Exception as error:
            logger.error("table %s: its archive is made later, %s", row.key[:4], locate_error(error))


def gather_game(store: Store, row: TableRow, game: Game) -> tuple[Record, dict[int, Choice]]:
    """Return the record of a table, and the bots' thoughts by the number of the decision."""
    entries, texts = store.entries(row.key), store.thoughts(row.key)
    names = list_seat_names(row.seats)
    proof = store.proof(row.key, game.seats)
    return make_record(game, entries, names, proof, load_pace(row.clock)), read_thoughts(game, entries, texts)
