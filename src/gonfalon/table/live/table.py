"""A live table, whose parts are its seats, its moves, its bots and who is present; and waiting for it to change."""

from __future__ import annotations

import logging
from contextlib import suppress
from functools import partial
from typing import Final

import anyio
from anyio.to_thread import run_sync

from gonfalon.core.rules.game import Game, names_for
from gonfalon.core.rules.state import SPECTATOR, Seat, State
from gonfalon.core.text.untrusted import isolate
from gonfalon.table.bots.players import BotPlayers
from gonfalon.table.errors import GoneBy, NoTable, NotSeated, StoreError, place
from gonfalon.table.game.position import Position
from gonfalon.table.links import LinkHolder
from gonfalon.table.live.backend import Backend
from gonfalon.table.live.flags import Clocks
from gonfalon.table.live.hints import Hints
from gonfalon.table.live.takeback_requests import Requests
from gonfalon.table.live.views import (
    Board,
    Company,
    Drawn,
    Moment,
    SeatingFacts,
    Told,
    View,
    moment,
    seating_facts,
    shown,
)
from gonfalon.table.seats.emotes import Emotes
from gonfalon.table.seats.gathering import Gathering
from gonfalon.table.seats.presence import AWAY, LOST, Presence
from gonfalon.table.seats.seating import Seats
from gonfalon.table.shared.current import Current
from gonfalon.table.shared.moves import Moves
from gonfalon.table.shared.timers import Timers
from gonfalon.table.shared.windows import Windows
from gonfalon.table.store.notifications import News, said, what_was_said
from gonfalon.table.store.shared_rows import Shared
from gonfalon.table.store.store import Stamp, TableRow

logger: Final = logging.getLogger("gonfalon.table")
AGAIN: Final = 0.5
"""Seconds until a table is looked at again after the store has failed."""
Mark = tuple[int | None, ...]
"""Something to compare: it changes exactly when something else does."""


class Table:
    """A live table, from `Tables.table`. Who sits there is the business of `seats`, what is decided of `moves`, bots
    of `bots` and what they advise of `hints`; `presence` knows who is there just now."""

    def __init__(
        self, backend: Backend, row: TableRow, game: Game, position: Position, next_row: TableRow | None
    ) -> None:
        self.backend: Backend = backend
        self.key: str = row.key
        self.current: Current = Current(
            *(backend.heartbeat, row, game, position, next_row),
            load=backend.stored.load,
            publish=self._publish,
            finished=lambda: backend.spawn(partial(backend.archives.keep_soon, self.row, self.game)),
        )
        self.presence: Presence = Presence(row.key, game.seats, row.opened, backend, self._presence_changed)
        self.emotes: Emotes = Emotes(backend, self._presence_changed)
        self.windows: Windows = Windows(self.current, backend.pause, lambda: self.presence.watched)
        self.moves: Moves = Moves(
            self.current, self.windows, backend.claims, lambda position: self.timers.due_after(position)
        )
        self.gathering: Gathering = Gathering(self.current, backend.find)
        self.seats: Seats = Seats(self.current, self.moves, self.presence, self.gathering, backend.spawn)
        self.bots: BotPlayers = BotPlayers(self.current, self.moves, self.presence, backend.spawn, backend.bots)
        self.hints: Hints = Hints(self.current, self.bots, backend)
        self.requests: Requests = Requests(self.current, self.moves, self.presence)
        self.clocks: Clocks = Clocks(self.current, self.moves, self.seats)
        self.timers: Timers = Timers(
            self.current, backend.claims, backend.spawn, (self.bots, self.requests, self.clocks)
        )
        self._facts: tuple[int, SeatingFacts] | None = None
        self._shown: dict[int, tuple[Mark, View]] = {}
        self._told: dict[int, Told] = {}
        self._drawn: dict[int, Drawn] = {}
        self._lasting: dict[int, tuple[State, Board]] = {}
        self._rested: int = -1
        """The length of the record when it was asked last whether the table rests."""
        self._arrivals: int = 0
        """Counts the changes of who is here."""
        self._heard: bool = False
        """Whether another process has rung."""
        self._beside: bool = False
        """Whether that may have been for something beside the record."""
        self._looks: bool = False
        """Whether a task looks at what it has changed."""
        self._changes: tuple[int, int] | None = None
        """The changes beside the record that this process has read (see `Stamp`)."""
        self._refreshing: anyio.Lock = anyio.Lock()
        """Held while the store is read, or what was read first could be taken over last."""

    @property
    def row(self) -> TableRow:
        """What is stored of the table beside its record."""
        return self.current.row

    @property
    def game(self) -> Game:
        """Its rules and options; an example of them until it is dealt."""
        return self.current.game

    @property
    def position(self) -> Position:
        """The position now."""
        return self.current.position

    @property
    def names(self) -> list[str]:
        """The names at the table, as sentences have them."""
        return [isolate(name) for name in self.facts.names]

    # ---- what is shown ----------------------------------------------------------------------------

    def mark(self, viewer: int) -> Mark:
        """Changes exactly when something changes that this viewer is shown."""
        private = self.current.private_changes[viewer] if viewer >= 0 else 0
        return (self.position.version(viewer), self.current.seating + private, self.position.asking.changes)

    def page_mark(self, token: str) -> Mark:
        """Changes exactly when something changes that the page of a link shows. Raises NoWay."""
        who = self.seats.who(token)
        if not who.shares:
            return self.mark(who.viewer)
        device = self.seats.device(token)
        if device.seat is None:
            following = self.seats.turn_of(token)
            # When nobody here is asked the curtain says whom the game waits for.
            news = self.position.version(SPECTATOR) if following is None else 0
            asked = self.position.asking.changes
            return (None, following, news, self.position.over, self.current.seating, asked)
        return (device.seat, device.rises, *self.mark(device.seat))

    def company(self) -> Mark:
        """Changes exactly when something changes of what everybody is shown of the seats themselves."""
        position, sight = self.position, self.position.sight(SPECTATOR)
        shown = (position.asking.changes, self.bots.late, None if sight is None else hash(sight))
        return (self.current.seating, self._arrivals, *shown, *position.waited_for(), position.over)

    def shown(self, viewer: int) -> View:
        """What this viewer is shown now (kept until it changes; do not modify)."""
        mark = self.mark(viewer)
        kept = self._shown.get(viewer)
        if kept is None or kept[0] != mark:
            may_ask = viewer >= 0 and self.requests.may_ask(viewer)
            told = self._told.setdefault(viewer, Told())
            kept = (mark, shown(self.current, self.facts, viewer, told, may_ask))
            self._shown[viewer] = kept
        return kept[1]

    @property
    def facts(self) -> SeatingFacts:
        """The facts of the seating, computed again only after it has changed."""
        if self._facts is None or self._facts[0] != self.current.seating:
            self._facts = self.current.seating, seating_facts(self.current, self.gathering)
        return self._facts[1]

    def drawn(self, viewer: int) -> Drawn:
        """Where a page keeps what it has made of a viewer's log, until the table rests."""
        return self._drawn.setdefault(viewer, [])

    def rest(self) -> None:
        """Forget what can be made again, if nothing has happened since this was called last."""
        if self._rested == self.position.length:
            self._shown.clear()
            self._told.clear()
            self._drawn.clear()
            self._lasting.clear()
        self._rested = self.position.length

    def view(self, viewer: int) -> State:
        """The viewer's masked state (kept until it changes; do not modify)."""
        return self.position.view(viewer)

    def moment(self, viewer: int, number: int) -> Moment:
        """A moment between two decisions as a viewer may know it. Raises GoneBy."""
        found = moment(self.position, self.row.seats, viewer, number)
        if found is None:
            raise GoneBy("This moment of the game is not kept any more; the table shows what came of it.")
        return found

    def words(self, viewer: int) -> str:
        """The table in words, as a viewer may know it."""
        names = names_for(self.game, viewer, self.names)
        return self.game.text(self.view(viewer), names).rstrip("\n")

    def presence_of(self, seat: Seat) -> str:
        """Return HERE, LOST or AWAY; after the end, when programs and pages leave, no seat is expected back."""
        state = self.presence.state(seat)
        return AWAY if state == LOST and self.position.over else state

    def present(self) -> Company:
        """Who is here, and what they say: the same for everybody."""
        people = [row.seat for row in self.row.seats if row.by == "person"]
        seats = [self.presence_of(row.seat) if row.seat in people else row.by for row in self.row.seats]
        said = [self.emotes.of(row.seat) or None for row in self.row.seats]
        return {"seats": seats, "says": said, "watching": self.presence.watching}

    async def say(self, who: LinkHolder, emote: str) -> None:
        """Let everybody at the table read one of the greetings. Raises NotSeated, NoChoice, Hasty, StoreError."""
        if not who.seated or who.viewer < 0:
            raise NotSeated("Whoever watches says nothing.")
        self.emotes.say(who.viewer, emote)
        await run_sync(self.backend.store.tell, self.key, said(who.viewer, emote))

    def lasting(self, viewer: int) -> Board | None:
        """The board of the latest moment (kept until there is another), if it is one of which the page goes on
        telling."""
        state = self.position.moment(self.position.moment_count)
        if state is None or not state.moment or state.moment != self.game.moment_lasts:
            return None
        kept = self._lasting.get(viewer)
        if kept is None or kept[0] is not state:
            kept = self._lasting[viewer] = state, self.game.board(state.mask(viewer))
        return kept[1]

    def watch(self, viewer: int) -> Watch:
        """To wait for what a viewer is shown to change."""
        return Watch(self, viewer)

    def follow(self, token: str) -> Follow:
        """To wait for the page of a link to change."""
        return Follow(self, token)

    # ---- what other processes have changed ----------------------------------------------------------

    def hear(self, news: News | None) -> None:
        """Another process has, or may have, changed something: look at it soon; never waits."""
        if news is not None and (told := what_was_said(news)):
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
                beside, self._heard, self._beside = self._beside or not self.position.dealt, False, False
                try:
                    await (self.refresh() if beside else self._catch_up())
                except NoTable:
                    self.backend.forget(self.key)
                except Exception as error:
                    if not isinstance(error, StoreError):
                        logger.error("table %s: it is looked at again, %s", self.key[:4], place(error))
                    self._heard, self._beside = True, self._beside or beside
                    await anyio.sleep(AGAIN)
        finally:
            self._looks = False

    async def _catch_up(self) -> None:
        """Take over decisions, as most news are of them and of nothing beside them."""
        async with self.current.lock:
            await self.moves.catch_up()

    async def update(self) -> None:
        """Read what other processes have written before a request is answered: news may come later than the request.

        While the database cannot be reached the table stays as this process knows it. Raises NoTable."""
        with suppress(StoreError):
            stamp = await self._stamp()
            if stamp.changes != self._changes:
                await self.refresh(stamp.changes)
            elif stamp.length > self.position.length:
                await self._catch_up()

    async def _stamp(self) -> Stamp:
        return await run_sync(self.backend.store.stamp, self.key, self.row.rematch)

    async def refresh(self, wanted: tuple[int, int] | None = None) -> None:
        """Take over all that stands in the store, unless it was read since these changes were `wanted`. Raises NoTable,
        StoreError."""
        async with self._refreshing:
            if wanted is not None and wanted == self._changes:
                return
            changes = (await self._stamp()).changes
            async with self.current.lock:
                await self.current.seats_changed()
                await self.moves.catch_up()
            await self.current.next_changed()
            self.take(await run_sync(self.backend.store.shared, self.key))
            self._changes = changes
        self.timers.wake()

    def take(self, shared: Shared) -> None:
        """Take over which curtains are lifted, what was advised, and who is here."""
        self.backend.heartbeat.hear(shared.beats)
        self.seats.take_curtains(shared.curtains)
        self.hints.take(shared.hints)
        self.presence.take(shared.presences)
        self.current.tell()

    # ---- after a change ---------------------------------------------------------------------------

    def _publish(self) -> None:
        self.seats.settle_devices()
        self.current.tell()
        self.backend.seats_changed(self.row)
        self.timers.wake()

    def _presence_changed(self) -> None:
        self._arrivals += 1
        self.current.tell()
        self.timers.wake()


class Follow:
    """Waits for the page of one link to change, or for what it tells of the seats."""

    def __init__(self, table: Table, token: str) -> None:
        self.table: Table = table
        self.token: str = token
        self.seen: tuple[Mark, Mark] | None = None

    async def changed(self) -> None:
        """At once the first time, then only after a change. Raises Closing."""
        table = self.table
        while True:
            table.backend.go_on()
            news = table.current.news
            mark = (table.page_mark(self.token), table.company())
            if mark != self.seen:
                self.seen = mark
                return
            await news.wait()


class Watch:
    """Waits for what one viewer is shown to change. Who is slow misses what lay in between."""

    def __init__(self, table: Table, viewer: int) -> None:
        self.table: Table = table
        self.viewer: int = viewer
        self.seen: Mark | None = None
        self.here: Company | None = None

    async def changed(self) -> View:
        """What is shown now: at once the first time, then only after a change. Raises Closing."""
        table = self.table
        while True:
            table.backend.go_on()
            news = table.current.news
            if found := self.fresh_view():
                return found
            await news.wait()

    async def anything(self) -> tuple[View | None, Company | None]:
        """The same, or else who is here, after either has changed."""
        table = self.table
        while True:
            table.backend.go_on()
            news = table.current.news
            if found := self.fresh_view():
                return found, None
            here = table.present()
            if here != self.here:
                self.here = here
                return None, here
            await news.wait()

    def fresh_view(self) -> View | None:
        """What is shown now, if it has changed."""
        mark = self.table.mark(self.viewer)
        if mark == self.seen:
            return None
        self.seen = mark
        return self.table.shown(self.viewer)
