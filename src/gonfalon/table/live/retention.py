"""The retention of old tables.

A finished game leaves an archive, which can be read forever. A game without a move for a long time ends without a
result, as a finished game like any other. A table at which no one has ever played is deleted; devices that visited it
keep a line that says so, and are forgotten after a year without a visit, like unused sets of cards. The table of a
record that a visitor opened (`table/opened_records.py`) is deleted after a day. Nothing else is deleted. If an export
is configured, a table is exported first, and is kept if that fails.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

import anyio
from anyio.to_thread import run_sync

from gonfalon.core.basics.errors import GonfalonError
from gonfalon.core.files.record import build_result
from gonfalon.core.rules.game import Game
from gonfalon.core.text.english import many
from gonfalon.table import messages
from gonfalon.table.errors import OtherRules, StoreError, locate_error
from gonfalon.table.game.position import position_after
from gonfalon.table.links import list_seat_names
from gonfalon.table.live.backend import Backend
from gonfalon.table.store.export import export_table
from gonfalon.table.store.store import TableRow

logger: Final = logging.getLogger("gonfalon.table")
FIRST: Final = 3.0
AGAIN: Final = 3600.0
"""Seconds before the first clean-up, and between clean-ups."""
TURN: Final = 60.0
"""Seconds for which one process holds the right to clean up, and then renews it."""
DAY: Final = 86_400.0
DEVICE_DAYS: Final = 400
"""Days after which unused devices and sets of cards are forgotten. No browser keeps a cookie for longer."""


class Policy(NamedTuple):
    """Numbers of days; 0 for never."""

    unplayed: float = 30.0
    """Days after which a table without a game is deleted."""
    abandoned: float = 90.0
    """Days without a move after which a game ends without a result."""
    export: Path | None = None
    """The folder into which a table is exported before it is deleted."""


POLICY: Final = Policy()


class Stock(NamedTuple):
    """Counts of tables: those waiting for players, running games, readable finished games, games with a record only,
    and games that need an older version of Gonfalon, by reason."""

    waiting: int
    going: int
    readable: int
    records: int
    needs: Mapping[str, int]

    def __str__(self) -> str:
        need = sum(self.needs.values())
        parts = [
            (self.waiting, messages.STOCK_WAITING.format(count=self.waiting)),
            (self.going, messages.STOCK_RUNNING.format(count=self.going)),
            (self.readable, messages.STOCK_READABLE.format(count=self.readable)),
            (self.records, messages.STOCK_RECORDS.format(count=self.records)),
            (need, messages.STOCK_NEEDS_OLDER.format(count=need)),
        ]
        tables = many(sum(count for count, _ in parts), "table")
        return messages.STOCK.format(tables=tables, parts=", ".join(text for count, text in parts if count))


NOTHING: Final = Stock(0, 0, 0, 0, {})


class Housekeeper:
    """Cleans up old tables."""

    def __init__(self, tables: Backend, policy: Policy) -> None:
        self.tables: Backend = tables
        self.policy: Policy = policy
        self._until: float = 0.0
        """The time until which this process alone cleans up."""

    async def run(self) -> None:
        """Clean up soon after the start, then every hour."""
        await anyio.sleep(FIRST)
        while True:
            await self.clean_up()
            await anyio.sleep(AGAIN)

    async def clean_up(self) -> None:
        """Do the work that is due, each table by itself, unless another process does."""
        with suppress(StoreError):  # they are looked through again in an hour
            if await self._alone():
                await self._tidy()
                # The right is given up early, so that a restarted process need not wait for it.
                await self._alone(0.0)

    async def count_tables(self) -> Stock:
        """Before the first request, archive the finished games of older rules that this program can read, then count
        the tables. Raises StoreError."""
        store = self.tables.store
        if await self._alone():
            await self._do((store.unkept, self._keep_older))
            await self._alone(0.0)
        return await run_sync(self._count)

    def _count(self) -> Stock:
        waiting = going = readable = records = 0
        needs: dict[str, int] = {}
        for kind in self.tables.store.count_kinds():
            try:
                why = self.tables.stored.why_not(kind.row())
            except Exception as error:
                logger.error("%s tables of %s cannot be judged, %s", kind.tables, kind.game, locate_error(error))
                why = messages.DAMAGED
            if not why and kind.stage == "waiting":
                waiting += kind.tables
            elif not why and not kind.over:
                going += kind.tables
            elif kind.kept or not why:
                readable += kind.tables
            elif kind.over:
                records += kind.tables
            else:
                needs[why] = needs.get(why, 0) + kind.tables
        return Stock(waiting, going, readable, records, needs)

    async def _tidy(self) -> None:
        store, now = self.tables.store, self.tables.now()
        await run_sync(store.forget_devices, time.time() - DEVICE_DAYS * DAY)
        await run_sync(store.forget_card_sets, time.time() - DEVICE_DAYS * DAY)
        await run_sync(store.sweep_ended, now)
        await self._do(
            (lambda: store.opened_records(now - DAY), self._drop),
            (store.unkept, self._keep),
            (lambda: store.idle(now - self.policy.abandoned * DAY) if self.policy.abandoned else [], self._abandon),
            (lambda: store.unplayed(now - self.policy.unplayed * DAY) if self.policy.unplayed else [], self._clear),
        )

    async def _do(self, *chores: tuple[Callable[[], list[str]], Callable[[str], Awaitable[None]]]) -> None:
        for find, do in chores:
            for key in await run_sync(find):
                if not await self._alone():
                    return
                try:
                    await do(key)
                except GonfalonError:
                    continue  # of other rules, or damaged: it stays as it is
                except Exception as error:
                    logger.error("table %s: it was not put in order, %s", key[:4], locate_error(error))

    async def _alone(self, seconds: float = TURN) -> bool:
        """Return whether no other process cleans up, and reserve the work for `TURN` seconds."""
        now = self.tables.now()
        # The right is renewed after half of its time only, so most tables need no write.
        if seconds and self._until > now + seconds / 2:
            return True
        mine = await run_sync(self.tables.store.may_tidy, now, now + seconds, self._until)
        self._until = now + seconds if mine else 0.0
        return mine

    async def _keep(self, key: str) -> None:
        try:
            row, game, _ = await run_sync(self.tables.stored.load, key)
        except OtherRules:
            await self._read_again(key)
        else:
            await self.tables.archives.keep(row, game)

    async def _keep_older(self, key: str) -> None:
        # Other games can wait for the clean-up after the start. Players cannot wait for their archives.
        if self.tables.stored.why_not(await run_sync(self.tables.store.table, key)):
            await self._read_again(key)

    async def _read_again(self, key: str) -> None:
        """Archive a finished game of older rules if the current rules give the same result for its decisions."""
        store = self.tables.store

        def read() -> tuple[TableRow, Game, bool]:
            row = store.table(key)
            game = self.tables.stored.make_game(row)
            position = position_after(game, store.entries(key))
            told, found = (
                json.loads(row.ending)["result"],
                build_result(game, position.state, list_seat_names(row.seats)),
            )
            # The sentence of a result is not compared, because its words may change between versions.
            if (told and (told["winners"], told["how"])) != (found and (found["winners"], found["how"])):
                raise OtherRules(messages.OTHER_ENDING)
            return row, game, position.over

        row, game, over = await run_sync(read)
        if over:
            note = messages.OLD_VERSION.format(version=row.rules)
            note = messages.READ_AGAIN.format(note=note, version=game.version)
            await self.tables.archives.keep(row, game, note)

    async def _abandon(self, key: str) -> None:
        if not await self.tables.attended(key):
            await self.tables.abandon(key, round(self.policy.abandoned))

    async def _clear(self, key: str) -> None:
        if await self.tables.attended(key):
            return
        if self.policy.export is not None:
            try:
                await run_sync(export_table, self.tables.store, key, self.policy.export)
            except OSError as error:
                logger.error("table %s: it was not exported, and stays: %s", key[:4], error.strerror)
                return
        await self._drop(key)

    async def _drop(self, key: str) -> None:
        """Delete a table."""
        # The live table goes first, so that no request finds it without its rows.
        self.tables.forget(key)
        await run_sync(self.tables.store.clear, key)
