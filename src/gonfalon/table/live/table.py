"""A live table, made of its seats, moves, bots and presence, and the means to wait for its changes."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Final
from weakref import WeakMethod, ref

import anyio
from anyio.to_thread import run_sync

from gonfalon.core.rules.game import Game, names_for
from gonfalon.core.rules.log import LogReader
from gonfalon.core.rules.state import SPECTATOR, Seat, State
from gonfalon.core.text.untrusted import isolate
from gonfalon.table import messages
from gonfalon.table.bots.players import BotPlayers
from gonfalon.table.errors import GoneBy, NoTable, NotSeated, StoreError, locate_error
from gonfalon.table.game.position import Position
from gonfalon.table.links import LinkHolder
from gonfalon.table.live.backend import Backend
from gonfalon.table.live.flags import Clocks
from gonfalon.table.live.hints import Hints
from gonfalon.table.live.takeback_requests import Requests
from gonfalon.table.live.turns import Turns
from gonfalon.table.live.views import (
    Board,
    Company,
    Drawn,
    Moment,
    SeatingFacts,
    View,
    build_moment,
    build_seating_facts,
    build_view,
)
from gonfalon.table.seats.emotes import Emotes
from gonfalon.table.seats.gathering import Gathering
from gonfalon.table.seats.open_seats import LateBots
from gonfalon.table.seats.presence import AWAY, LOST, Presence
from gonfalon.table.seats.seating import Seats
from gonfalon.table.shared.current import Current
from gonfalon.table.shared.moves import Moves
from gonfalon.table.shared.services import Spawn, Task
from gonfalon.table.shared.timers import Timers
from gonfalon.table.shared.windows import Windows
from gonfalon.table.store.claim_rows import Due
from gonfalon.table.store.notifications import News, decode_emote, encode_emote
from gonfalon.table.store.shared_rows import Shared
from gonfalon.table.store.store import NOTHING_DUE, Stamp, TableRow

logger: Final = logging.getLogger("gonfalon.table")
AGAIN: Final = 0.5
"""Seconds before a table is read again after the store has failed."""
Mark = tuple[int | None, ...]
"""A value to compare: it changes exactly when its subject does."""


class Table:
    """A live table, from `Tables.table`.

    `seats` holds the players, `moves` the decisions, `bots` the bots, `hints` their advice, and `presence` the
    connections.
    """

    def __init__(
        self, backend: Backend, row: TableRow, game: Game, position: Position, next_row: TableRow | None
    ) -> None:
        self.backend: Backend = backend
        self.key: str = row.key
        # No part holds the table, so that a table without followers leaves memory at once, without a collection.
        held: ref[Table] = ref(self)
        spawn, arrivals = hold_while_running(held, backend.spawn), call_weakly(self._presence_changed)
        self.current: Current = Current(
            *(backend.heartbeat, row, game, position, next_row),
            load=backend.stored.load,
            publish=call_weakly(self._publish),
            finished=lambda row, game: backend.spawn(partial(backend.archives.keep_soon, row, game)),
        )
        self.presence: Presence = Presence(row.key, game.seats, row.opened, backend, arrivals, spawn)
        self.emotes: Emotes = Emotes(backend, arrivals, spawn)
        self.windows: Windows = Windows(self.current, backend.pause, partial(is_watched, self.presence))
        self.moves: Moves = Moves(self.current, self.windows, backend.claims, partial(find_due, held))
        self.gathering: Gathering = Gathering(self.current, backend.find, backend.check_accepting)
        self.seats: Seats = Seats(self.current, self.moves, self.presence, self.gathering, spawn)
        self.bots: BotPlayers = BotPlayers(self.current, self.moves, self.presence, spawn, backend.bots)
        self.hints: Hints = Hints(self.current, self.bots, backend)
        self.requests: Requests = Requests(self.current, self.moves, self.presence)
        self.clocks: Clocks = Clocks(self.current, self.moves, self.seats)
        self.timers: Timers = Timers(
            self.current,
            backend.claims,
            spawn,
            (self.bots, self.requests, self.clocks, LateBots(self.current, self.seats, self.presence)),
        )
        # A lambda, because the server may begin to announce turns after a table was loaded.
        self.turns: Turns = Turns(self.current, lambda current, turns: backend.announce(current, turns))
        self._facts: tuple[int, SeatingFacts] | None = None
        self._shown: dict[int, tuple[Mark, View]] = {}
        self._told: dict[int, LogReader] = {}
        self._drawn: dict[int, Drawn] = {}
        self._lasting: dict[int, tuple[State, Board]] = {}
        self._rested: int = -1
        """The length of the record at the last call of `rest`."""
        self._arrivals: int = 0
        """The number of changes of presence."""
        self._heard: bool = False
        """Whether another process has sent a notification."""
        self._beside: bool = False
        """Whether that may concern something beside the record."""
        self._looks: bool = False
        """Whether a task reads the changes."""
        self._changes: tuple[int, int] | None = None
        """The changes beside the record that this process has read (see `Stamp`)."""
        self._refreshing: anyio.Lock = anyio.Lock()
        """Held while the store is read; otherwise an older read could overwrite a newer one."""

    @property
    def row(self) -> TableRow:
        """The stored facts of the table beside its record."""
        return self.current.row

    @property
    def game(self) -> Game:
        """The rules and options; an example of them until the deal."""
        return self.current.game

    @property
    def position(self) -> Position:
        """The current position."""
        return self.current.position

    @property
    def names(self) -> list[str]:
        """The names at the table, isolated for use in sentences."""
        return [isolate(name) for name in self.facts.names]

    # ---- views ----------------------------------------------------------------------------------------

    def mark(self, viewer: int) -> Mark:
        """Return a mark of everything that a viewer is shown."""
        private = self.current.private_changes[viewer] if viewer >= 0 else 0
        return (self.position.version(viewer), self.current.seating + private, self.position.asking.changes)

    def page_mark(self, token: str) -> Mark:
        """Return a mark of everything that the page of a link shows. Raises NoWay."""
        who = self.seats.find_holder(token)
        if not who.shares:
            return self.mark(who.viewer)
        device = self.seats.device(token)
        if device.seat is None:
            following = self.seats.find_next_person(token)
            # If no seat of this device is asked, the curtain names the players that the game waits for.
            news = self.position.version(SPECTATOR) if following is None else 0
            asked = self.position.asking.changes
            return (None, following, news, self.position.over, self.current.seating, asked)
        return (device.seat, device.rises, *self.mark(device.seat))

    def public_mark(self) -> Mark:
        """Return a mark of everything public about the seats."""
        position, sight = self.position, self.position.sight(SPECTATOR)
        shown = (position.asking.changes, self.bots.late, None if sight is None else hash(sight))
        return (
            self.backend.state.mark,
            self.current.seating,
            self._arrivals,
            *shown,
            *position.find_awaited_seats(),
            position.over,
        )

    def build_view(self, viewer: int) -> View:
        """Return the current view of the table for a viewer. It is cached until it changes and must not be modified."""
        mark = self.mark(viewer)
        kept = self._shown.get(viewer)
        if kept is None or kept[0] != mark:
            may_ask = viewer >= 0 and self.requests.may_ask(viewer)
            told = self._told.setdefault(viewer, LogReader())
            kept = (mark, build_view(self.current, self.facts, viewer, told, may_ask))
            self._shown[viewer] = kept
        return kept[1]

    def forget_view(self, viewer: int) -> None:
        """Drop the cached view of a viewer, which a page that has drawn it needs no longer."""
        self._shown.pop(viewer, None)
        self.position.forget_view(viewer)

    @property
    def facts(self) -> SeatingFacts:
        """The facts of the seating, computed again only after it has changed."""
        if self._facts is None or self._facts[0] != self.current.seating:
            self._facts = self.current.seating, build_seating_facts(self.current, self.gathering)
        return self._facts[1]

    def rendered_log(self, viewer: int) -> Drawn:
        """Return the cache of the log that pages have rendered for a viewer, which lasts until the table rests."""
        return self._drawn.setdefault(viewer, [])

    def rest(self) -> None:
        """Drop caches if nothing has happened since the last call."""
        if self._rested == self.position.length:
            self._shown.clear()
            self._told.clear()
            self._drawn.clear()
            self._lasting.clear()
        self._rested = self.position.length

    def view(self, viewer: int) -> State:
        """Return the masked state of a viewer. It is cached until it changes and must not be modified."""
        return self.position.view(viewer)

    def moment(self, viewer: int, number: int) -> Moment:
        """Return a moment between two decisions for a viewer. Raises GoneBy."""
        state = self.position.moment(number)
        if state is None:
            raise GoneBy(messages.MOMENT_GONE)
        return build_moment(self.game, self.row.seats, state.mask(viewer), number)

    def past(self, viewer: int, line: int) -> Moment:
        """Return the table after a sentence of a viewer's log, as they saw it then. Raises GoneBy."""
        view = self.position.past(viewer, line)
        if view is None:
            raise GoneBy(messages.PAST_GONE)
        return build_moment(self.game, self.row.seats, view, 0)

    def describe(self, viewer: int) -> str:
        """Return the table as text for a viewer, with the latest moment if the page continues to show it."""
        names = names_for(self.game, viewer, self.names)
        text = self.game.text(self.view(viewer), names).rstrip("\n")
        last = None if self.position.over else self.lasting_moment()
        if last is None:
            return text
        words = self.game.moment_words(last.mask(viewer), names)
        return f"{text}\n\n{messages.LAST_MOMENT.format(words=words)}"

    def presence_of(self, seat: Seat) -> str:
        """Return HERE, LOST or AWAY; after the end, when programs and pages leave, no seat is expected back."""
        state = self.presence.state_of(seat)
        return AWAY if state == LOST and self.position.over else state

    def list_present(self) -> Company:
        """Return the presence of all seats, and their emotes, equal for all viewers."""
        people = [row.seat for row in self.row.seats if row.by == "person"]
        seats = [self.presence_of(row.seat) if row.seat in people else row.by for row in self.row.seats]
        said = [self.emotes.of(row.seat) or None for row in self.row.seats]
        return {"seats": seats, "says": said, "watching": self.presence.watching}

    async def say(self, who: LinkHolder, emote: str) -> None:
        """Show an emote to all viewers. Raises NotSeated, NoChoice, Hasty, StoreError."""
        if not who.seated or who.viewer < 0:
            raise NotSeated(messages.ONLY_PLAYERS_GREET)
        self.emotes.say(who.viewer, emote)
        await run_sync(self.backend.store.tell, self.key, encode_emote(who.viewer, emote))

    def lasting_moment(self) -> State | None:
        """Return the latest moment if the page continues to show it."""
        state = self.position.moment(self.position.moment_count)
        return None if state is None or not state.moment or state.moment != self.game.moment_lasts else state

    def lasting_board(self, viewer: int) -> Board | None:
        """Return the board of the latest moment if the page continues to show it; cached until the next moment."""
        state = self.lasting_moment()
        if state is None:
            return None
        kept = self._lasting.get(viewer)
        if kept is None or kept[0] is not state:
            kept = self._lasting[viewer] = state, self.game.board(state.mask(viewer))
        return kept[1]

    def watch(self, viewer: int) -> Watch:
        """Return an object that waits for changes of a view."""
        return Watch(self, viewer)

    def follow(self, token: str) -> Follow:
        """Return an object that waits for changes of the page of a link."""
        return Follow(self, token)

    # ---- changes by other processes -------------------------------------------------------------------

    def hear(self, news: News | None) -> None:
        """Take note that another process may have changed something, and read it soon. Never waits."""
        if news is not None and (told := decode_emote(news)):
            self.emotes.hear(*told)
            return
        length = None if news is None else news.length
        if length is None or length > self.position.length:
            self._heard, self._beside = True, self._beside or length is None
            if not self._looks:
                self._looks = True
                self.backend.spawn(self._look)

    async def _look(self) -> None:
        try:
            while self._heard:
                # Cleared before the read, so that a notification during the read causes another one.
                beside, self._heard, self._beside = self._beside or not self.position.dealt, False, False
                try:
                    await (self.refresh() if beside else self._catch_up())
                except NoTable:
                    self.backend.forget(self.key)
                except Exception as error:
                    if not isinstance(error, StoreError):
                        logger.error("table %s: it is looked at again, %s", self.key[:4], locate_error(error))
                    self._heard, self._beside = True, self._beside or beside
                    await anyio.sleep(AGAIN)
        finally:
            self._looks = False

    async def _catch_up(self) -> None:
        """Take over new decisions. Most notifications concern nothing else."""
        async with self.current.lock:
            await self.moves.catch_up()

    async def update(self) -> None:
        """Read the changes of other processes before a request is answered: a notification may arrive after the
        request.

        While the database is down the table stays as this process knows it. Raises NoTable.
        """
        with suppress(StoreError):
            stamp = await self._stamp()
            if stamp.changes != self._changes:
                await self.refresh(stamp.changes)
            # Another task's refresh may have read the record before its latest entry.
            if stamp.length > self.position.length:
                await self._catch_up()

    async def _stamp(self) -> Stamp:
        return await run_sync(self.backend.store.stamp, self.key, self.row.rematch)

    async def refresh(self, wanted: tuple[int, int] | None = None) -> None:
        """Take over everything in the store, unless the `wanted` changes have been read. Raises NoTable, StoreError."""
        async with self._refreshing:
            if wanted is not None and wanted == self._changes:
                return
            # Read before the rows: a change in between is then read twice rather than missed.
            changes = (await self._stamp()).changes
            async with self.current.lock:
                await self.current.seats_changed()
                await self.moves.catch_up()
            await self.current.refresh_rematch()
            self.take(await run_sync(self.backend.store.shared, self.key))
            self._changes = changes
        self.timers.wake()

    def take(self, shared: Shared) -> None:
        """Take over the curtains, hints and presences of the store."""
        self.backend.heartbeat.hear(shared.beats)
        self.seats.take_curtains(shared.curtains)
        self.hints.take(shared.hints)
        self.presence.take(shared.presences)
        self.current.wake_followers()

    # ---- after a change ---------------------------------------------------------------------------

    def _publish(self) -> None:
        # Curtains fall before followers wake; otherwise a shared device could show the hand of another player.
        self.seats.settle_devices()
        self.current.wake_followers()
        self.backend.seats_changed(self.row)
        self.turns.look()
        self.timers.wake()

    def _presence_changed(self) -> None:
        self._arrivals += 1
        self.current.wake_followers()
        self.timers.wake()


def hold_while_running(held: ref[Table], spawn: Spawn) -> Spawn:
    """Return a function that starts tasks, each of which keeps a table in memory until it ends."""

    async def run(_: Table | None, task: Task) -> None:
        await task()

    return lambda task: spawn(partial(run, held(), task))


def call_weakly(method: Callable[[], None]) -> Callable[[], None]:
    """Return a function that calls a method as long as its object is in memory, and does not keep it there."""
    held = WeakMethod(method)

    def call() -> None:
        if (found := held()) is not None:
            found()

    return call


def is_watched(presence: Presence) -> bool:
    """Return whether spectators are present."""
    return presence.watched


def find_due(held: ref[Table], position: Position) -> Due:
    """Return the lease to store with a change; none for a table that has left memory."""
    table = held()
    return NOTHING_DUE if table is None else table.timers.due_after(position)


class Follow:
    """Waits for changes of the page of one link, including the seats that it shows."""

    def __init__(self, table: Table, token: str) -> None:
        self.table: Table = table
        self.token: str = token
        self.seen: tuple[Mark, Mark] | None = None

    async def changed(self) -> None:
        """Return at once the first time, then after a change. Raises Closing."""
        table = self.table
        while True:
            table.backend.check_open()
            # Taken before the comparison, so that a change in between still wakes this follower.
            news = table.current.news
            mark = (table.page_mark(self.token), table.public_mark())
            if mark != self.seen:
                self.seen = mark
                return
            await news.wait()


class Watch:
    """Waits for changes of a view. A slow reader misses intermediate views."""

    def __init__(self, table: Table, viewer: int) -> None:
        self.table: Table = table
        self.viewer: int = viewer
        self.seen: Mark | None = None
        self.here: Company | None = None

    async def changed(self) -> View:
        """Return the current view: at once the first time, then after a change. Raises Closing."""
        table = self.table
        while True:
            table.backend.check_open()
            news = table.current.news
            if found := self.fresh_view():
                return found
            await news.wait()

    async def anything(self) -> tuple[View | None, Company | None]:
        """Return the current view, or the presence, after either has changed."""
        table = self.table
        while True:
            table.backend.check_open()
            news = table.current.news
            if found := self.fresh_view():
                return found, None
            here = table.list_present()
            if here != self.here:
                self.here = here
                return None, here
            await news.wait()

    def fresh_view(self) -> View | None:
        """Return the current view if it has changed."""
        mark = self.table.mark(self.viewer)
        if mark == self.seen:
            return None
        self.seen = mark
        return self.table.build_view(self.viewer)
