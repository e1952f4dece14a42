"""The only way to change the position of a live table: try on a clone, append to the store, take over, publish."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

import anyio
from anyio.to_thread import run_sync

from gonfalon.core.basics.errors import Refusal
from gonfalon.core.files.record import Record
from gonfalon.core.rules.state import Action, Seat
from gonfalon.table import messages
from gonfalon.table.errors import Conflict, Finished, Secret, Stale
from gonfalon.table.game.clock import TOGETHER, load_pace
from gonfalon.table.game.entries import Entry
from gonfalon.table.game.position import Position, make_record
from gonfalon.table.links import LinkHolder, list_seat_names, require_seat
from gonfalon.table.shared.claims import Claims
from gonfalon.table.shared.current import Current
from gonfalon.table.shared.windows import Windows
from gonfalon.table.store.claim_rows import Due
from gonfalon.table.store.store import Written

MOST_ACTIONS: Final = 64
"""The number of actions in one request; no decision of a person needs more."""
TRIES: Final = 5
Change = Callable[[Position], list[Entry]]


class Moves:
    """Appends decisions to the record of a table, in its `windows` at their end.

    `due_after` returns when the timers of the table must be served next, which is stored with each change.
    """

    def __init__(
        self, current: Current, windows: Windows, claims: Claims, due_after: Callable[[Position], Due]
    ) -> None:
        self.current: Current = current
        self.windows: Windows = windows
        self.claims: Claims = claims
        self.due_after: Callable[[Position], Due] = due_after
        self._record: tuple[int, Record] | None = None

    async def act(self, who: LinkHolder, expected: int, actions: list[Action]) -> None:
        """Apply a seat's actions, all or none, as an answer to the version `expected` of its view.

        A repeated request is accepted and changes nothing.

        Raises:
            Refusal: An action is illegal, or the time of the seat is up.
            Stale: The view has changed.
            Finished: The game is over.
            NotSeated: The link holds no seat.
        """
        # The arrival is noted before any waiting, because players must not pay for windows and locks.
        seat, came = require_seat(who), self.current.time.now()
        if not 0 < len(actions) <= MOST_ACTIONS:
            raise Refusal(messages.TOO_MANY_ACTIONS.format(most=MOST_ACTIONS) if actions else messages.NO_ACTION)
        if self.current.position.is_asked(seat) and not self.windows.answers_at_once(by_hand=True):
            await anyio.sleep(self.windows.left())
        async with self.current.lock:
            # Checked under the lock, because a bot may have taken over during the wait.
            if self.current.row.seats[seat].stood_for:
                raise Refusal(messages.BOT_PLAYS)
            self._check_time(seat, came)
            await self.act_at(seat, expected, actions, came=came)

    async def act_at(
        self, seat: Seat, expected: int, actions: list[Action], thought: str = "", came: float | None = None
    ) -> None:
        """Apply actions for a caller that holds the lock.

        A repeated request changes nothing, whichever process has carried it out.

        Args:
            seat: The seat that acts.
            expected: The version of its view.
            actions: The actions in order.
            thought: The thoughts of a bot, as text.
            came: The arrival time of a person's decision.
        """

        def change(position: Position) -> list[Entry]:
            return [] if position.repeats(seat, expected, actions) else position.act(seat, expected, actions, came)

        await self.change(change, thought)

    def _check_time(self, seat: Seat, came: float) -> None:
        """Raise Refusal if the time of a seat was up before its decision arrived, and a bot decides for it."""
        clock = self.current.position.clock
        if clock is None or (clock.pace.end == "claim" and seat not in clock.secret and clock.kind != TOGETHER):
            return  # before a claim a late decision still counts
        due = self.current.position.flag_due([seat])
        late = due is not None and due[0] < came
        if late or seat in clock.secret or (seat in clock.fallen and clock.pace.end != "claim"):
            raise Refusal(messages.TIME_UP)

    async def drop_flag(self, seat: Seat, lost: bool = False) -> None:
        """Let a seat's flag fall. Raises Stale if it is recorded already or the seat has answered. The caller holds the
        lock."""
        await self.change(lambda position: position.drop_flag(seat, lost))

    async def return_seat(self, seat: Seat) -> None:
        """Return a seat from its bot to its player. The caller holds the lock."""
        if self.current.position.clock is not None and not self.current.position.over:
            await self.change(lambda position: position.return_seat(seat))

    async def undo(self, who: LinkHolder, expected: int) -> None:
        """Undo a seat's last decision. Raises Refusal if that decision has revealed something."""
        seat = require_seat(who)
        async with self.current.lock:
            await self.change(lambda position: position.undo(seat, expected))

    async def resign(self, seat: Seat) -> None:
        """Resign for a seat; a repeated call changes nothing. The caller holds the lock."""
        ended = self.current.position.ended
        if ended is None or ended["seat"] != seat:
            await self.change(lambda position: position.resign(seat))

    async def abandon(self, days: int) -> None:
        """End the game without a result after this many days without a move."""
        async with self.current.lock:
            if not self.current.position.over:
                await self.change(lambda position: position.abandon(days))

    async def record(self) -> Record:
        """Return the record of the finished game. Raises Secret before the end."""
        current = self.current
        if not current.position.over:
            raise Secret(messages.RECORD_SECRET)
        seating = current.seating  # a record holds the names
        if self._record is None or self._record[0] != seating:
            entries = await run_sync(current.store.entries, current.key)
            proof = await run_sync(current.store.proof, current.key, current.game.seats)
            names, pace = list_seat_names(current.row.seats), load_pace(current.row.clock)
            found = await run_sync(make_record, current.game, entries, names, proof, pace)
            self._record = (seating, found)
            return found
        return self._record[1]

    async def change(self, change: Change, thought: str = "") -> None:
        """Try a change on a clone, store it, take it over, and publish it. A change without entries is dropped. The
        caller holds the lock."""
        current = self.current
        for _ in range(TRIES):
            try:
                done = await run_sync(self._store_change, change, thought)
            except Conflict:
                # Another process has written. The version of the seat's view decides whether that matters.
                await self.catch_up()
                continue
            except (Refusal, Stale, Finished):
                # The copy of this process may be outdated, so a refusal counts only if no entry is missing.
                if await self.catch_up():
                    continue
                raise
            if done is None:
                return
            current.position, due, written = done
            if current.position.over:
                current.row = replace(current.row, ended=current.position.now)
            self.claims.note_stored(current.key, due, written.due)
            current.publish()
            if current.position.over:
                current.finished(current.row, current.game)
            return
        raise Stale(messages.TABLE_BUSY)

    def _store_change(self, change: Change, thought: str) -> tuple[Position, Due, Written] | None:
        """Try a change on a clone, and store its entries. Return the clone and the stored times; None without
        entries. Raises Conflict, and the errors of the change."""
        current = self.current
        current.time.settle()
        position = current.position.clone()
        position.now = current.time.now()
        entries = [replace(entry, at=position.now) for entry in change(position)]
        if not entries:
            return None
        entries[0] = replace(entries[0], thought=thought)
        if position.over:
            entries[-1] = replace(entries[-1], ending=position.ending(list_seat_names(current.row.seats)))
        # The clock is settled before `due_after`, which reads from it when the next flag falls.
        self.windows.keep_clock(position)
        due = self.due_after(position)
        written = current.store.append(current.key, current.position.length, entries, due, position.since)
        position.note_written(written.at)
        return position, due, written

    async def catch_up(self) -> bool:
        """Take over the entries of other processes. Return False if there are none. The caller holds the lock."""
        current = self.current

        def work() -> Position | None:
            if not (entries := current.store.entries(current.key, current.position.length)):
                return None
            position = current.position.clone()
            for entry in entries:
                position.replay(entry)
            current.time.reach(position.now)
            if position.clock is not None:
                position.clock.since = current.store.since(current.key) or 0.0
            return position

        position = await run_sync(work) if current.position.dealt else None
        if position is None:
            return False
        current.position = position
        current.publish()
        return True
