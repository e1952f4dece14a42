"""One live table: a single owner that appends, commits and then publishes, and lets bots move."""

from __future__ import annotations

import functools
import logging
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, TypeVar

import anyio
import anyio.to_thread

from gonfalon.core.errors import Refusal
from gonfalon.core.game import Game
from gonfalon.core.record import Record
from gonfalon.core.rng import Rng
from gonfalon.core.state import TOGETHER, Action, Seat, State
from gonfalon.table.chance import SYSTEM
from gonfalon.table.errors import Conflict, Finished, NotSeated, NoWay, Secret, Stale, Taken, place
from gonfalon.table.fold import Entry, Fold, fold, record
from gonfalon.table.shown import seat_names, shown
from gonfalon.table.store import SeatRow, TableRow
from gonfalon.table.who import GUEST, WATCH, WATCHER, Who, clean_name, derived, hashed

if TYPE_CHECKING:
    from gonfalon.table.hall import Hall

logger: Final = logging.getLogger("gonfalon.table")
MOST_ACTIONS: Final = 64
"""At once; no decision of a person needs more."""
TRIES: Final = 5
T = TypeVar("T")


class Table:
    """A live table. Get it from `Hall.table`; every change goes through its lock."""

    def __init__(self, hall: Hall, row: TableRow, game: Game, position: Fold) -> None:
        self.hall: Hall = hall
        self.key: str = row.key
        self.row: TableRow = row
        self.game: Game = game
        self.fold: Fold = position
        self.seating: int = 0
        """Counts the changes of who sits where."""
        self._lock: anyio.Lock = anyio.Lock()
        self._news: anyio.Event = anyio.Event()
        self._shown: dict[int, tuple[tuple[int, int], dict[str, Any]]] = {}
        self._moving: bool = False
        self._bots: dict[Seat, tuple[Any, Rng]] = {}

    # ---- who, and what he sees --------------------------------------------------------------------

    def who(self, token: str) -> Who:
        """Whom a link stands for. Raises NoWay."""
        if token == WATCH:
            return WATCHER
        digest = hashed(token)
        for seat in self.row.seats:
            if seat.token == digest:
                return Who(seat.seat)
        if self.invites(token):
            return GUEST
        raise NoWay("This link does not lead to a seat of this table; it may be incomplete.")

    def invites(self, token: str) -> bool:
        """Whether this is the token of the friend's link."""
        return self.row.invitation is not None and self.row.invitation == hashed(token)

    @property
    def names(self) -> list[str]:
        return seat_names(self.game, self.row.seats)

    def free_seats(self) -> list[SeatRow]:
        return [seat for seat in self.row.seats if seat.free]

    def mark(self, viewer: int) -> tuple[int, int]:
        """Changes exactly when something changes that this viewer is shown."""
        return (self.fold.version(viewer), self.seating)

    def shown(self, viewer: int) -> dict[str, Any]:
        """What this viewer is shown now (kept until it changes; do not modify)."""
        mark = self.mark(viewer)
        kept = self._shown.get(viewer)
        if kept is None or kept[0] != mark:
            kept = (mark, shown(self.key, self.fold, self.row.seats, viewer))
            self._shown[viewer] = kept
        return kept[1]

    def view(self, viewer: int) -> State:
        """The viewer's masked state."""
        return self.fold.state.mask(viewer)

    def watch(self, viewer: int) -> Watch:
        return Watch(self, viewer)

    # ---- what people do ---------------------------------------------------------------------------

    async def act(self, who: Who, expected: int, actions: list[Action]) -> None:
        """A seat's actions, all or none, answering the version `expected` of its view.

        The same again is accepted and changes nothing. Raises Refusal, Stale, Finished, NotSeated.
        """
        seat = self._seat(who)
        if not 0 < len(actions) <= MOST_ACTIONS:
            raise Refusal("Choose first what to do." if not actions else "That is too much at once.")
        async with self._lock:
            if not self.fold.repeats(seat, expected, actions):
                await self._write(lambda position: position.act(seat, expected, actions))

    async def take_back(self, who: Who, expected: int) -> None:
        """Undo a seat's own answer to a simultaneous decision while others have still to answer."""
        seat = self._seat(who)
        async with self._lock:
            await self._write(lambda position: position.take_back(seat, expected))

    async def resign(self, who: Who) -> None:
        """A seat gives up, and the game ends."""
        seat = self._seat(who)
        async with self._lock:
            ended = self.fold.ended
            if ended is None or ended["seat"] != seat:
                await self._write(lambda position: position.resign(seat))

    async def sit(self, invitation: str, nonce: str, name: str) -> str:
        """Take the free seat with the invitation; returns the seat's token.

        The token follows from the nonce of the page, so sending the page twice gives one seat.
        Raises NoWay, Taken.
        """
        if not self.invites(invitation):
            raise NoWay("This is not the invitation of this table.")
        token = derived(invitation, "seat:" + nonce)
        async with self._lock:
            if any(seat.token == hashed(token) for seat in self.row.seats):
                return token
            for seat in self.free_seats():
                name = clean_name(name, seat.seat)
                if await self._in_thread(self.hall.store.sit, self.key, seat.seat, name, hashed(token)):
                    await self._seats_changed()
                    return token
            await self._seats_changed()
        raise Taken("This seat has been taken already; you can still watch.")

    async def rematch(self, who: Who, token: str) -> tuple[str, str]:
        """The table of the rematch, sides changed, and this seat's token there.

        Whoever asks first opens it; everybody else of this table finds his seat at it.
        """
        seat = self._seat(who)
        if not self.fold.over:
            raise Stale("The game is not over yet.")
        async with self._lock:
            if self.row.rematch is None:
                await self.hall.open_rematch(self)
                await self._seats_changed()
        key = self.row.rematch
        assert key is not None
        new = derived(token, "rematch:" + key)
        table = await self.hall.table(key)
        there = (seat + 1) % self.game.seats
        async with table._lock:
            name = self.row.seats[seat].name
            await self._in_thread(self.hall.store.sit, key, there, name, hashed(new))
            await table._seats_changed()
        table.who(new)
        return key, new

    async def record(self) -> Record:
        """The record of the finished game. Raises Secret while it goes on."""
        if not self.fold.over:
            raise Secret("The record holds everybody's secrets; it can be had when the game is over.")
        entries = await self._in_thread(self.hall.store.entries, self.key)
        return await self._in_thread(record, self.game, entries, self.names)

    # ---- the one way to change --------------------------------------------------------------------

    async def _write(self, change: Callable[[Fold], list[Entry]]) -> None:
        """Try on a clone, commit, take over, publish. The caller holds the lock."""

        def work() -> Fold:
            position = self.fold.clone()
            entries = change(position)
            self.hall.store.append(self.key, self.fold.length, entries)
            return position

        for _ in range(TRIES):
            try:
                self.fold = await self._in_thread(work)
            except Conflict:
                # Another process has written. Whether that concerns this seat its version will tell.
                await self._catch_up()
                continue
            except (Refusal, Stale, Finished):
                if await self._catch_up():
                    continue
                raise
            self._publish()
            return
        raise Stale("This table is too busy; try again.")

    async def _catch_up(self) -> bool:
        """Take over what another process has written; False when there is nothing."""
        entries = await self._in_thread(self.hall.store.entries, self.key)
        if len(entries) == self.fold.length:
            return False
        self.fold = await self._in_thread(fold, self.game, entries)
        self._publish()
        return True

    async def _seats_changed(self) -> None:
        row = await self._in_thread(self.hall.store.table, self.key)
        if row != self.row:
            self.row = row
            self.seating += 1
            self._publish()

    def _publish(self) -> None:
        news, self._news = self._news, anyio.Event()
        news.set()
        self.wake_bots()

    @staticmethod
    def _seat(who: Who) -> Seat:
        if not who.seated:
            raise NotSeated("You have no seat at this table; you can only watch.")
        return who.viewer

    @staticmethod
    async def _in_thread(work: Callable[..., T], *args: Any) -> T:
        return await anyio.to_thread.run_sync(functools.partial(work, *args))

    # ---- bots -------------------------------------------------------------------------------------

    def wake_bots(self) -> None:
        """Let bots move if it is their turn; never waits."""
        if not self._moving and self._bot_asked() is not None:
            self._moving = True
            self.hall.spawn(self._move_bots)

    def _bot_asked(self) -> SeatRow | None:
        for row in self.row.seats:
            if row.bot is not None and self.fold.asked(row.seat):
                return row
        return None

    async def _move_bots(self) -> None:
        try:
            while (row := self._bot_asked()) is not None:
                begun = time.monotonic()
                view, version = self.view(row.seat), self.fold.version(row.seat)
                action = await self._think(row, view)
                # Nobody sees a simultaneous answer, so nobody needs time to see it.
                pace = 0.0 if view.stack[-1].seat == TOGETHER else self.hall.pace
                await anyio.sleep(max(0.0, pace - (time.monotonic() - begun)))
                try:
                    await self.act(Who(row.seat), version, [action])
                except (Stale, Finished):
                    continue
        except Exception as error:
            # One table's trouble must not end the others; the next visitor wakes its bots again.
            logger.error("table %s: its bots stopped, %s", self.key[:4], place(error))
        finally:
            self._moving = False

    async def _think(self, row: SeatRow, view: State) -> Action:
        """A bot's choice from its view, in a thread; any legal action should the bot fail."""
        if row.seat not in self._bots:
            self._bots[row.seat] = (self.hall.make_bot(row.bot, self.game), Rng(SYSTEM.getrandbits(64)))
        bot, rng = self._bots[row.seat]
        legal = view.legal(row.seat)
        try:
            choice = await anyio.to_thread.run_sync(
                bot.choose, view, rng, abandon_on_cancel=True, limiter=self.hall.thinkers
            )
            action: Action = choice.action
            if action in legal:
                return action
            logger.error("table %s: the bot %s chose what is not legal", self.key[:4], row.bot)
        except Exception as error:
            logger.error("table %s: the bot %s failed, %s", self.key[:4], row.bot, place(error))
        return SYSTEM.choice(view.legal(row.seat))


class Watch:
    """Waits for what one viewer is shown to change. Who is slow misses what lay in between."""

    def __init__(self, table: Table, viewer: int) -> None:
        self.table: Table = table
        self.viewer: int = viewer
        self.seen: tuple[int, int] | None = None

    async def changed(self) -> dict[str, Any]:
        """What is shown now: at once the first time, then only after a change."""
        table = self.table
        while True:
            news = table._news
            mark = table.mark(self.viewer)
            if mark != self.seen:
                self.seen = mark
                return table.shown(self.viewer)
            await news.wait()
