"""Records of files as tables: finished games that visitors open for their replay and review.

No player sits at such a table, and it is deleted after a day (`table/live/retention.py`).
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Final

from anyio.to_thread import run_sync

from gonfalon.core.basics.errors import GonfalonError, RecordError
from gonfalon.core.files.record import ABANDONED, TIMED_OUT, Record, load
from gonfalon.core.files.start_position import find_start
from gonfalon.core.rules.state import CHANCE
from gonfalon.table import messages
from gonfalon.table.errors import locate_error
from gonfalon.table.game.entries import ACT, FLAG, LOST, RESIGN, Entry
from gonfalon.table.game.position import position_after
from gonfalon.table.links import new_key
from gonfalon.table.live.archive import make_archive
from gonfalon.table.live.backend import Backend
from gonfalon.table.seats.gathering import split_pinned_options
from gonfalon.table.seats.names import name_person
from gonfalon.table.store.store import SeatRow, TableRow

logger: Final = logging.getLogger("gonfalon.table")
MAX_DAYS: Final = 100_000


async def open_record(tables: Backend, text: str) -> str:
    """Store a finished game of a file as a table for spectators, and return its key.

    Args:
        tables: The tables of the server.
        text: The record in either form.

    Raises:
        RecordError: The text is not the record of a finished game that this program can replay.
    """
    record = await run_sync(read_finished, tables, text)
    if find_start(record.game) is not None:
        # A start position of any origin may be inconsistent, so every step of the game is shown once.
        with guard_record():
            await run_sync(tables.archives.runner.archive, make_archive, record, {})
    return await run_sync(store_record, tables, record)


def read_finished(tables: Backend, text: str) -> Record:
    """Return the finished game of a text. Raises RecordError."""
    with guard_record():
        record = load(text.removeprefix("\N{BYTE ORDER MARK}"), tables.find)
        state = record.replay()
    if not state.over and record.ended is None:
        raise RecordError(messages.RECORD_UNFINISHED)
    return record


def store_record(tables: Backend, record: Record) -> str:
    """Store a finished game as a table, and return its key. Raises RecordError."""
    tables.check_accepting()
    game, now = record.game, tables.now()
    with guard_record():
        names = list_names(record)
        entries = [Entry(ACT, seat, game.notation(action), at=now) for seat, action in record.decisions]
        if record.ended is not None:
            entries.append(replace(build_end(record.ended, game.seats), at=now))
        position = position_after(game, entries, opened=now)
        if not position.over:
            raise RecordError(messages.RECORD_DAMAGED)
        entries[-1] = replace(entries[-1], ending=position.ending(names))
        options, pinned = split_pinned_options(game)
        seats = tuple(SeatRow(seat, name) for seat, name in enumerate(names))
        row = TableRow(
            new_key(), game.name, options, game.rules_version, game.data_hash, None, None, now, seats, ended=now
        )
    tables.store.create(row, entries, pinned)
    return row.key


def list_names(record: Record) -> list[str]:
    """Return the names of the seats, fit for pages and different from each other."""
    found: list[str] = []
    given = record.names if len(record.names) == record.game.seats else record.game.seat_names()
    for name in given:
        found.append(name_person(name, found))
    return found


def build_end(ended: dict[str, object], seats: int) -> Entry:
    """Return the entry that ends a game before its rules do. Raises RecordError."""
    how, seat, days = ended.get("how"), ended.get("seat"), ended.get("days", 0)
    if how == ABANDONED and isinstance(days, int) and 0 <= days <= MAX_DAYS:
        return Entry(ABANDONED, CHANCE, str(days))
    if how in ("resigned", TIMED_OUT) and isinstance(seat, int) and 0 <= seat < seats:
        return Entry(RESIGN, seat) if how == "resigned" else Entry(FLAG, seat, LOST)
    raise RecordError(messages.RECORD_DAMAGED)


@contextmanager
def guard_record() -> Iterator[None]:
    """Turn every unexpected error into a refusal, because the file may contain anything. Raises RecordError."""
    try:
        yield
    except GonfalonError as error:
        raise RecordError(str(error)) from None
    except Exception as error:
        # The text of an error could quote a hidden card.
        logger.warning("a record of a file cannot be shown, %s", locate_error(error))
        raise RecordError(messages.RECORD_DAMAGED) from None
