"""Stored tables: their rows, games and positions, and the rest of those that cannot be opened."""

from __future__ import annotations

import json
import logging
import re
from typing import Final
from weakref import WeakValueDictionary

import anyio
import anyio.to_thread

from gonfalon.core.basics.errors import GonfalonError
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.rules import RULES, load_version
from gonfalon.table import messages
from gonfalon.table.errors import Broken, NoTable, OtherRules, locate_error
from gonfalon.table.game.clock import load_pace
from gonfalon.table.game.position import Position, position_after
from gonfalon.table.live.old_table import OldTable, bare_record
from gonfalon.table.shared.services import Find
from gonfalon.table.store.store import Store, TableRow

KEY: Final = re.compile(r"[\w-]{1,32}", re.ASCII)
logger: Final = logging.getLogger("gonfalon.table")


class StoredTables:
    """Reads tables from a store. `find(name, **options)` makes a game."""

    def __init__(self, store: Store, find: Find) -> None:
        self.store: Store = store
        self.find: Find = find
        self._games: WeakValueDictionary[tuple[str, ...], Game] = WeakValueDictionary()
        """Tables of the same rules, options and cards share a game, which never changes."""

    def load(self, key: str) -> tuple[TableRow, Game, Position]:
        """Return a stored table. Raises NoTable, OtherRules, Broken."""
        try:
            row = self.store.table(key)
            game = self._game(row)
            if [seat.seat for seat in row.seats] != list(range(game.seats)):
                raise Broken(messages.DAMAGED)
            if row.stage != "dealt":
                return row, game, Position(game, dealt=False, pace=load_pace(row.clock))
            proof = self.store.proof(key, game.seats)
            entries, pace = self.store.entries(key), load_pace(row.clock)
            position = position_after(game, entries, proof and proof.root, pace, row.opened)
            # Replay does not know the lengths of windows (`Windows.keep_clock`), so the start is read from the store.
            if position.clock is not None and row.since is not None:
                position.clock.since = row.since
            return row, game, position
        except GonfalonError:
            raise
        except Exception as error:
            # Rows that no program wrote. What is in them is for nobody's eyes.
            logger.error("table %s: its rows cannot be read, %s", key[:4], locate_error(error))
            raise Broken(messages.DAMAGED) from None

    def _game(self, row: TableRow) -> Game:
        """Return the game of a table as it began, with the card data of that time. Raises OtherRules."""
        try:
            game = self.make_game(row)
        except GonfalonError as error:
            raise OtherRules(messages.NO_SETUP.format(reason=error)) from None
        if row.stage != "dealt":
            return game  # it will begin by the rules and cards of the day
        if game.rules_version != row.rules:
            raise OtherRules(messages.OTHER_RULES.format(old=row.rules, game=game.title, new=game.version))
        if game.data_hash != row.data:
            raise OtherRules(messages.OTHER_DATA.format(game=game.title))
        return game

    def make_game(self, row: TableRow) -> Game:
        """Return the game of a table by its own rules or the current ones, with its card data if they are known; before
        the deal with the current rules and cards. Raises GonfalonError."""
        same = row.game, json.dumps(row.options, sort_keys=True), row.rules, row.data, row.stage
        game = self._games.get(same)
        if game is None:
            game = self._games[same] = self._made(row)
        return game

    def _made(self, row: TableRow) -> Game:
        if row.stage != "dealt":
            return self.find(row.game, **{name: value for name, value in row.options.items() if name != RULES})
        found = why = None
        try:
            found = load_version(self.find, row.game, row.options, row.rules)
        except GonfalonError as error:
            why = error
        # The cards have changed since the deal, so the game is made with the stored copy of its cards.
        if (found is None or found.data_hash != row.data) and (pinned := self.store.pinned(row.game, row.data)):
            return load_version(self.find, row.game, row.options | pinned, row.rules)
        if found is None:
            assert why is not None
            raise why
        return found

    async def old_table(self, key: str) -> OldTable:
        """Return the readable rest of a table that cannot be opened. Raises NoTable, OtherRules, Broken."""

        def read() -> OldTable:
            if not KEY.fullmatch(key):
                raise NoTable()
            row, kept = self.store.table(key), self.store.kept(key)
            if kept is not None:
                return OldTable(row, kept)
            if row.ending:
                return OldTable(row, record=bare_record(self.store, row), why=self.why_not(row))
            raise OtherRules(self.why_not(row))

        try:
            return await anyio.to_thread.run_sync(read)
        except GonfalonError:
            raise
        except (ValueError, LookupError, TypeError, AttributeError):
            raise Broken(messages.DAMAGED) from None

    def why_not(self, row: TableRow) -> str:
        """Return why this program cannot open a table; empty if its rules and card data allow it."""
        try:
            self._game(row)
        except OtherRules as error:
            return str(error)
        return ""
