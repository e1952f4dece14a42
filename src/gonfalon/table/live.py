"""One live table: a single owner that appends, commits and then publishes, and lets bots move."""

from __future__ import annotations

import functools
import logging
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, TypeVar

import anyio
import anyio.to_thread

from gonfalon.bots import Choice
from gonfalon.bots.thoughts import noted
from gonfalon.core.errors import Refusal
from gonfalon.core.game import Game
from gonfalon.core.record import Record
from gonfalon.core.state import SPECTATOR, TOGETHER, Action, Seat, State
from gonfalon.core.wire import Wire
from gonfalon.table import standing_answers
from gonfalon.table.bot_queue import NOBODY, PEOPLE
from gonfalon.table.chance import SEED_BITS, SYSTEM
from gonfalon.table.errors import (
    Conflict,
    Finished,
    NoTable,
    NotHost,
    NotSeated,
    NoWay,
    Present,
    Seated,
    Secret,
    Stale,
    Taken,
    place,
)
from gonfalon.table.position import Entry, Position, position_after, record
from gonfalon.table.presence import AWAY, Presence
from gonfalon.table.retention import keep, thoughts_at
from gonfalon.table.seats import NOWHERE, WATCH, WATCHER, Claim, Who, clean_name, hashed, new_token, unlike
from gonfalon.table.shared_device import SharedDevice
from gonfalon.table.shown import seat_names, shown
from gonfalon.table.store import SeatRow, TableRow

if TYPE_CHECKING:
    from gonfalon.table.tables import Tables

logger: Final = logging.getLogger("gonfalon.table")
MOST_ACTIONS: Final = 64
"""At once; no decision of a person needs more."""
TRIES: Final = 5
REPEAT: Final = 600.0
"""Seconds for which somebody who sits down again in the same way is given the same seat."""
AGAIN: Final = 0.5
AGAIN_AT_MOST: Final = 30.0
"""Seconds until a bot's move that failed is tried again: at first, and after it has failed often."""
T = TypeVar("T")
Ask = Callable[[str, str], None]
"""Called with a table's key and a token before that token is given again to whoever got it by the same request, and
with no token before a seat is refused that is not free. It may raise."""


class Table:
    """A live table. Get it from `Tables.table`; every change goes through its lock."""

    def __init__(self, tables: Tables, row: TableRow, game: Game, position: Position) -> None:
        self.tables: Tables = tables
        self.key: str = row.key
        self.row: TableRow = row
        self.game: Game = game
        self.position: Position = position
        self.seating: int = 0
        """Counts the changes of who sits where."""
        self.stood: list[int] = [0] * game.seats
        """Counts the changes of each seat's standing answer and hints, which are nobody else's business."""
        self._lock: anyio.Lock = anyio.Lock()
        self._news: anyio.Event = anyio.Event()
        self._shown: dict[int, tuple[tuple[int, int], dict[str, Any]]] = {}
        self._moving: bool = False
        self._leaving: bool = False
        self._wire: Wire | None = None
        self._hints: dict[Seat, tuple[int, Choice]] = {}
        """For a seat the version of its view for which it was advised, and what."""
        self._advising: list[anyio.Lock] = [anyio.Lock() for _ in range(game.seats)]
        self._record: Record | None = None
        self._screens: dict[str, SharedDevice] = {}
        self._window: tuple[int, float] = (-1, 0.0)
        self._changes: int = 0
        """Counts the changes of who is here."""
        self.client: str = ""
        """On whose behalf its bots think: the client of whichever of its people was seen last."""
        self.presence: Presence = Presence(
            game.seats, tables.grace, tables.patience, tables.spawn, self._presence_changed
        )

    # ---- who, and what they see ------------------------------------------------------------------

    def who(self, token: str) -> Who:
        """Whom a link stands for. Raises NoWay."""
        if token == WATCH:
            return WATCHER
        digest = hashed(token)
        held = [row.seat for row in self.row.seats if row.token == digest]
        if len(held) == 1:
            return Who(held[0])
        if held:
            seat = self._screen(digest).seat
            return Who(SPECTATOR if seat is None else seat, seats=tuple(held))
        invited = self.invited(token)
        if invited is not None:
            return Who(SPECTATOR, invited=True, seats=invited)
        raise NoWay(NOWHERE)

    def invited(self, token: str) -> tuple[Seat, ...] | None:
        """The free seats to which a link invites, None if it is no invitation."""
        digest = hashed(token)
        if self.row.invitation == digest:
            return tuple(row.seat for row in self.free_seats())
        for row in self.row.seats:
            if row.invitation == digest:
                return (row.seat,) if row.free else ()
        return None

    def _screen(self, digest: str) -> SharedDevice:
        """The screen of a device, by the hash of its token."""
        if digest not in self._screens:
            self._screens[digest] = SharedDevice([row.seat for row in self.row.seats if row.token == digest])
        screen = self._screens[digest]
        screen.settle(self._asked_at(screen), self.position.version)
        return screen

    def _asked_at(self, screen: SharedDevice) -> list[Seat]:
        """The seats of a device that have to answer themselves."""
        return [seat for seat in screen.seats if self.row.seats[seat].bot is None and self.position.asked(seat)]

    @property
    def names(self) -> list[str]:
        return seat_names(self.row.seats)

    def free_seats(self) -> list[SeatRow]:
        return [seat for seat in self.row.seats if seat.free]

    def mark(self, viewer: int) -> tuple[int, int]:
        """Changes exactly when something changes that this viewer is shown."""
        return (self.position.version(viewer), self.seating + (self.stood[viewer] if viewer >= 0 else 0))

    def page_mark(self, token: str) -> tuple[Any, ...]:
        """Changes exactly when something changes that the page of a link shows. Raises NoWay."""
        who = self.who(token)
        if not who.shares:
            return self.mark(who.viewer)
        screen = self._screen(hashed(token))
        if screen.seat is None:
            following = screen.next(self._asked_at(screen))
            # When nobody here is asked the curtain says whom the game waits for.
            news = self.position.version(SPECTATOR) if following is None else 0
            return (None, following, news, self.position.over, self.seating)
        return (screen.seat, screen.rises, *self.mark(screen.seat))

    def turn_of(self, token: str) -> Seat | None:
        """Who should take a device at which several people sit."""
        screen = self._screen(hashed(token))
        return screen.next(self._asked_at(screen))

    def company(self) -> tuple[Any, ...]:
        """Changes exactly when something changes of what everybody is shown of the seats themselves."""
        return (self.seating, self._changes, *self.position.waited_for(), self.position.over)

    def shown(self, viewer: int) -> dict[str, Any]:
        """What this viewer is shown now (kept until it changes; do not modify)."""
        mark = self.mark(viewer)
        kept = self._shown.get(viewer)
        if kept is None or kept[0] != mark:
            kept = (mark, shown(self.key, self.position, self.row.seats, viewer))
            self._shown[viewer] = kept
        return kept[1]

    def view(self, viewer: int) -> State:
        """The viewer's masked state."""
        return self.position.state.mask(viewer)

    def watch(self, viewer: int) -> Watch:
        return Watch(self, viewer)

    def follow(self, token: str) -> Follow:
        return Follow(self, token)

    def standing(self, seat: Seat) -> str | None:
        """What a seat wants answered by itself; None in a game without windows."""
        if not standing_answers.has_windows(self.game):
            return None
        return standing_answers.chosen(self.row.seats[seat].standing, self.game, self.position.state)

    def passes_by_itself(self, seat: Seat) -> bool:
        """Whether the table is about to pass for a seat."""
        return standing_answers.passes(self.row.seats[seat].standing, self.game, self.position.state, seat)

    def absent(self, seat: Seat) -> bool:
        """Whether the game waits for a person who is away, or who has not come to the rematch yet."""
        row = self.row.seats[seat]
        theirs = row.by == "person" or row.expected
        return theirs and seat in self.position.waited_for() and self.presence.state(seat) == AWAY

    def alone(self, seat: Seat) -> bool:
        """Whether nobody but bots would go on if this seat gave up."""
        return self.game.seats == 2 or not any(row.by == "person" and row.seat != seat for row in self.row.seats)

    # ---- what people do ---------------------------------------------------------------------------

    async def act(self, who: Who, expected: int, actions: list[Action]) -> None:
        """A seat's actions, all or none, answering the version `expected` of its view.

        The same again is accepted and changes nothing. Raises Refusal, Stale, Finished, NotSeated.
        """
        seat = self._seat(who)
        if not 0 < len(actions) <= MOST_ACTIONS:
            raise Refusal("Choose first what to do." if not actions else "That is too much at once.")
        if self.position.asked(seat):
            await anyio.sleep(max(0.0, self.due() - time.monotonic()))
        async with self._lock:
            if self.row.seats[seat].stood_for:
                raise Refusal("A bot plays for you; take your seat back first.")
            await self._act(seat, expected, actions)

    async def _act(self, seat: Seat, expected: int, actions: list[Action], thought: str = "") -> None:
        if not self.position.repeats(seat, expected, actions):
            await self._write(lambda position: position.act(seat, expected, actions), thought)

    async def take_back(self, who: Who, expected: int) -> None:
        """Undo a seat's own answer to a simultaneous decision while others have still to answer, or its own last
        decision where the game allows it."""
        seat = self._seat(who)
        async with self._lock:
            await self._write(lambda position: position.take_back(seat, expected))

    async def resign(self, who: Who) -> None:
        """A seat gives up. With two seats the game ends, and also when only bots would go on; else a bot
        takes the seat over."""
        seat = self._seat(who)
        async with self._lock:
            if self.position.over or self.alone(seat):
                ended = self.position.ended
                if ended is None or ended["seat"] != seat:
                    await self._write(lambda position: position.resign(seat))
            elif self.row.seats[seat].bot is None:
                await self._seat_bot(seat)

    async def abandon(self, days: int) -> None:
        """The game ends without a result: nobody has moved for so many days."""
        async with self._lock:
            if not self.position.over:
                await self._write(lambda position: position.abandon(days))

    # ---- seats --------------------------------------------------------------------------------------

    async def sit(
        self, invitation: str, nonce: str, name: str, device: str = "", ask: Ask = lambda key, token: None
    ) -> str:
        """Take a free seat with the invitation to it; returns the seat's token.

        The same invitation, nonce and device again get the same token for a while, so sending a page twice takes one
        seat. Raises BadNonce, NoWay, Taken, Broken.
        """
        if self.invited(invitation) is None:
            raise NoWay("This is not an invitation to this table.")
        claim = Claim(self.key, invitation, nonce, device)
        async with self._lock:
            token, free = self._claimed(claim), self.invited(invitation)
            if token or not free:
                ask(self.key, token or "")
            for seat in () if token else free or ():
                fit = unlike(clean_name(name, seat), [row.name for row in self.row.seats if row.seat != seat])
                token = token or await self._take({seat: fit}, claim)
        if token is None:
            raise Taken("This seat has been taken already; you can still watch.")
        return token

    async def _take(self, names: dict[Seat, str], claim: Claim) -> str | None:
        """Take free seats, under these names, with a new token; None if they are not free. The caller has the lock."""
        token = new_token()
        taken = await self._in_thread(
            self.tables.store.sit, self.key, names, hashed(token), claim.mark, claim.seal(token)
        )
        await self._seats_changed()
        return token if taken else self._claimed(claim)

    def _claimed(self, claim: Claim) -> str | None:
        """The token that this claim got a while ago. Raises Seated when that was too long ago, Broken."""
        for row in self.row.seats:
            if row.claim == claim.mark and row.sealed is not None and row.seated is not None:
                if time.time() - row.seated > REPEAT:
                    raise Seated("You took this seat some time ago; come back by the seat's own link.")
                return claim.open(row.sealed, row.token)
        return None

    def hosts(self) -> list[SeatRow]:
        """Whoever opened the table and those beside them: the people whom no invitation led here. At a rematch
        everybody."""
        return [row for row in self.row.seats if row.token is not None and row.invitation is None]

    def may_give(self, who: Who, seat: Seat) -> bool:
        """Whether this link may let a bot play at a seat that is still free.

        That is up to the hosts, who keep it for a friend; to all who sit here only if the game waits for the seat and
        no host is there. A seat whose person is expected at a rematch is nobody's to give: see `absent`.
        """
        if self.row.seats[seat].expected:
            return False
        hosts = self.hosts()
        if any(row.seat in who.holds for row in hosts):
            return True
        left = all(row.stood_for or self.presence.state(row.seat) == AWAY for row in hosts)
        return bool(who.holds) and left and seat in self.position.waited_for()

    async def give_to_bot(self, who: Who, seat: Seat) -> None:
        """Let a bot play at a free seat (see `may_give`), or for a person who is away, or still expected, while the
        game waits for them, which anybody seated may do. Raises Present, Finished, NotSeated, NotHost.
        """
        if not who.holds:
            self._seat(who)
        async with self._lock:
            row = self.row.seats[seat]
            if self.position.over:
                raise Finished("The game is over.")
            if row.bot is None:
                kept = row.free and not row.expected
                if kept and not self.may_give(who, seat):
                    raise NotHost(
                        "Whoever opened this table keeps this seat for a friend, and alone may let a bot sit there."
                    )
                if not kept and not self.absent(seat):
                    raise Present(f"The game does not wait for {row.name}, or has not waited long enough for a bot.")
                await self._seat_bot(seat)

    async def come_back(self, who: Who) -> None:
        """A person takes their own seat back from the bot that plays for them."""
        seat = self._seat(who)
        async with self._lock:
            row = self.row.seats[seat]
            if row.stood_for:
                await self._in_thread(self.tables.store.seat_bot, self.key, seat, row.name, None, False)
                await self._seats_changed()

    async def stand(self, who: Who, choice: str) -> None:
        """Keep what a seat wants answered by itself. Raises NoChoice."""
        seat = self._seat(who)
        async with self._lock:
            kept = standing_answers.standing(choice, self.game, self.position.state)
            if kept != self.row.seats[seat].standing:
                await self._in_thread(self.tables.store.set_standing, self.key, seat, kept)
                # The others are shown nothing of it, so nothing of theirs may change.
                self.row = await self._in_thread(self.tables.store.table, self.key)
                self.stood[seat] += 1
                self._publish()

    async def rise(self, token: str, seat: Seat | None) -> None:
        """Lift the curtain of a device for one of its seats, or let it fall. Raises NotSeated."""
        screen = self._screen(hashed(token))
        if seat is None:
            screen.fall()
        elif seat in screen.seats:
            screen.rise(seat, self.position.version(seat))
        else:
            raise NotSeated("This seat is not one of this device.")
        self._publish()

    async def _seat_bot(self, seat: Seat) -> None:
        """Let the best bot of the game play at a seat. The caller holds the lock."""
        row = self.row.seats[seat]
        level = self.tables.stand_in(self.game)
        name = row.name
        if row.free:
            name = unlike(level.capitalize(), [other.name for other in self.row.seats if other.seat != seat])
        await self._in_thread(self.tables.store.seat_bot, self.key, seat, name, level, row.free)
        await self._seats_changed()

    async def rematch(
        self, who: Who, token: str, nonce: str, device: str = "", ask: Ask = lambda key, token: None
    ) -> tuple[str, str]:
        """The table of the rematch, sides changed, and a token for this link's seats there.

        Whoever asks first opens it; everybody else of this table finds their seat at it. The link of the game that is
        over is an invitation to the next one and no more: who has come by it once proves by nonce and device that they
        are the same. Raises BadNonce, Stale, NotSeated, Taken, Broken.
        """
        if not who.holds:
            self._seat(who)
        if not self.position.over:
            raise Stale("The game is not over yet.")
        claim = Claim(self.key, token, nonce, device)
        async with self._lock:
            table = await self.next_game()
            if table is None:
                await self.tables.open_rematch(self)
                await self._seats_changed()
                table = await self.next_game()
        assert table is not None
        async with table._lock:
            there = {self.next_seat(seat): self.row.seats[seat].name for seat in who.holds}
            # Of several seats at a device one may have been given to a bot by now.
            rows = {seat: table.row.seats[seat] for seat in there}
            names = {seat: row.name or there[seat] for seat, row in rows.items() if row.free}
            new = table._claimed(claim)
            if new or not names:
                ask(table.key, new or "")
            new = new or (await table._take(names, claim) if names else None)
        if new is None:
            raise Taken("Your seat at the next game has been taken from another page or by a bot; look for it there.")
        return table.key, new

    def next_seat(self, seat: Seat) -> Seat:
        """The seat at the rematch of whoever sits here."""
        return (seat + 1) % self.game.seats

    async def next_game(self) -> Table | None:
        """The table of the rematch; none before it is opened, or when nobody has played there for long."""
        try:
            return None if self.row.rematch is None else await self.tables.table(self.row.rematch)
        except NoTable:
            return None

    async def record(self) -> Record:
        """The record of the finished game. Raises Secret while it goes on."""
        if not self.position.over:
            raise Secret("The record holds everybody's secrets; it can be had when the game is over.")
        if self._record is None:
            entries = await self._in_thread(self.tables.store.entries, self.key)
            self._record = await self._in_thread(record, self.game, entries, self.names)
        return self._record

    # ---- the one way to change --------------------------------------------------------------------

    async def _write(self, change: Callable[[Position], list[Entry]], thought: str = "") -> None:
        """Try on a clone, commit, take over, publish. The caller holds the lock."""

        def work() -> Position:
            position = self.position.clone()
            entries = change(position)
            entries[0] = replace(entries[0], thought=thought)
            entries[-1] = replace(entries[-1], last=position.over)
            self.tables.store.append(self.key, self.position.length, entries)
            return position

        for _ in range(TRIES):
            try:
                self.position = await self._in_thread(work)
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
        entries = await self._in_thread(self.tables.store.entries, self.key)
        if len(entries) == self.position.length:
            return False
        self.position = await self._in_thread(position_after, self.game, entries)
        self._publish()
        return True

    async def _seats_changed(self) -> None:
        row = await self._in_thread(self.tables.store.table, self.key)
        if row != self.row:
            self.row = row
            self.seating += 1
            self._record = None  # it holds the names
            self._publish()

    def _publish(self) -> None:
        for screen in self._screens.values():
            screen.settle(self._asked_at(screen), self.position.version)
        self.due()
        self.tell()
        self.wake_bots()
        if self.position.over and not self._leaving:
            self._leaving = True
            self.tables.spawn(self._leave_keepsake)

    async def _leave_keepsake(self) -> None:
        try:
            if not await self._in_thread(self.tables.store.kept_heads, [self.key]):
                await keep(self.tables, self.row, self.game)
        except Exception as error:
            logger.error("table %s: its keepsake is made later, %s", self.key[:4], place(error))

    def tell(self) -> None:
        """Have everybody who follows look whether something has changed for them."""
        news, self._news = self._news, anyio.Event()
        news.set()

    def _presence_changed(self) -> None:
        self._changes += 1
        self.tell()
        self.wake_bots()

    def _peopled(self) -> bool:
        """Whether one of its people is at the table."""
        return any(row.token is not None and self.presence.state(row.seat) != AWAY for row in self.row.seats)

    def attended(self) -> bool:
        """Whether there is anybody to play for: one of its people, or somebody who looks on."""
        return self._peopled() or self.presence.watched

    @staticmethod
    def _seat(who: Who) -> Seat:
        if who.seated:
            return who.viewer
        if who.shares:
            raise NotSeated("Several people sit at this device; say first who you are.")
        raise NotSeated("You have no seat at this table; you can only watch.")

    @staticmethod
    async def _in_thread(work: Callable[..., T], *args: Any) -> T:
        return await anyio.to_thread.run_sync(functools.partial(work, *args))

    # ---- bots and standing answers ----------------------------------------------------------------

    def due(self) -> float:
        """When the answer to the open window may be given; 0 outside of windows.

        A window stays open for a time that is drawn as it opens, whoever is asked and whatever they
        hold or want: bots, standing answers and people all answer at its end. (A person who thinks
        longer shows that they were asked.)
        """
        if (
            self.position.over
            or not standing_answers.has_windows(self.game)
            or self.game.window(self.view(SPECTATOR)) is None
        ):
            return 0.0
        if self._window[0] != self.position.length:
            self._window = (self.position.length, time.monotonic() + SYSTEM.uniform(*self.tables.pause))
        return self._window[1]

    def wake_bots(self) -> None:
        """Let bots and standing answers move if it is their turn and somebody is there; never waits."""
        if not self._moving and self.attended() and self._machine_asked() is not None:
            self._moving = True
            self.tables.spawn(self._move_bots)

    def _machine_asked(self) -> SeatRow | None:
        """A seat that is asked and answers without its person."""
        for row in self.row.seats:
            if self.position.asked(row.seat) and self._answers_itself(row):
                return row
        return None

    def _answers_itself(self, row: SeatRow) -> bool:
        return row.bot is not None or standing_answers.passes(row.standing, self.game, self.position.state, row.seat)

    async def _move_bots(self) -> None:
        pause = AGAIN
        try:
            while self.attended() and (row := self._machine_asked()) is not None:
                try:
                    await self._move_bot(row)
                    pause = AGAIN
                except Exception as error:
                    # The disk may be full for a moment, the database locked: the game goes on when that is over.
                    logger.error("table %s: a bot's move is tried again in %s s, %s", self.key[:4], pause, place(error))
                    await anyio.sleep(pause)
                    pause = min(2 * pause, AGAIN_AT_MOST)
        finally:
            self._moving = False

    async def _move_bot(self, row: SeatRow) -> None:
        """Let a bot, or a standing answer, move at a seat that is asked."""
        begun = time.monotonic()
        view, version = self.view(row.seat), self.position.version(row.seat)
        choice = Choice(self.game.parse(standing_answers.PASS)) if row.bot is None else await self._think(row, view)
        if choice is None:
            return
        # Nobody sees a simultaneous answer, so nobody needs time to see it.
        pace = 0.0 if view.stack[-1].seat == TOGETHER else self.tables.pace
        until = self.due() or begun + pace
        await anyio.sleep(max(0.0, until - time.monotonic()))
        async with self._lock:
            # Meanwhile the seat's person may have taken it back, or changed their mind.
            if not self._answers_itself(self.row.seats[row.seat]):
                return
            thought = noted(choice) if choice.why and row.bot is not None else ""
            with suppress(Stale, Finished):
                await self._act(row.seat, version, [choice.action], thought)

    async def _think(self, row: SeatRow, view: State) -> Choice | None:
        """A bot's choice from its view; any legal action should the bot fail. None when it has to be asked again."""
        assert row.bot is not None
        begun = self.position.version(row.seat)

        def gone() -> bool:
            """Whether the question is no more: somebody gave up, or the person took the seat back."""
            now = self.position
            return now.over or now.version(row.seat) != begun or self.row.seats[row.seat].bot is None

        legal = view.legal(row.seat)
        try:
            choice = await self._asked_of(row.bot, view, gone)
            if choice is None or choice.action in legal:
                return choice
            logger.error("table %s: the bot %s chose what is not legal", self.key[:4], row.bot)
        except Exception as error:
            logger.error("table %s: the bot %s failed, %s", self.key[:4], row.bot, place(error))
        return Choice(SYSTEM.choice(legal))

    async def _asked_of(self, level: str, view: State, gone: Callable[[], bool]) -> Choice | None:
        """A level's choice, thought about elsewhere; None when it is not wanted, or makes way for people."""
        if self._wire is None:
            self._wire = Wire(self.game)
        asked, turns, people = time.time(), self.tables.bot_queue, self._peopled()

        def off() -> bool:
            return gone() or (turns.pressed and not people)

        async with turns.turn(PEOPLE if people else NOBODY, self.client or self.key):
            if off():
                return None
            return await anyio.to_thread.run_sync(
                self.tables.bot_runner.think,
                self._wire,
                level,
                view,
                SYSTEM.getrandbits(SEED_BITS),
                off,
                asked,
                abandon_on_cancel=True,
                limiter=self.tables.thought_limit,
            )

    # ---- hints, and what the bots thought ---------------------------------------------------------

    async def advise(self, who: Who) -> None:
        """Let the game's strongest level say what it would do in a person's place; from their view, and for their
        page alone. Raises NotSeated, Secret, Finished, Refusal."""
        seat = self._seat(who)
        if not self.row.hints:
            raise Secret("This table was opened without hints.")
        if not self.position.asked(seat) or self.row.seats[seat].bot is not None:
            raise Refusal("You are not asked anything now, so there is nothing to advise.")
        begun = self.position.version(seat)

        def gone() -> bool:
            return self.tables.closing or self.position.version(seat) != begun

        async with self._advising[seat]:  # whoever asks while this is thought about gets the same answer
            if gone() or self.hint(seat) is not None:
                return
            choice = await self._asked_of(self.tables.stand_in(self.game), self.view(seat), gone)
            if choice is not None and not gone():
                self._hints[seat] = (begun, choice)
                self.stood[seat] += 1
                self.tell()

    def hint(self, seat: Seat) -> Choice | None:
        """What a seat was advised for the question that it is asked now."""
        version, choice = self._hints.get(seat, (0, None))
        return choice if version == self.position.version(seat) else None

    async def thoughts(self) -> dict[int, Choice]:
        """What bots thought, by the number of the decision in the record. Raises Secret while the game goes on."""
        if not self.position.over:
            raise Secret("What the bots thought can be read when the game is over.")
        texts = await self._in_thread(self.tables.store.thoughts, self.key)
        if not texts:
            return {}
        entries = await self._in_thread(self.tables.store.entries, self.key)
        return await self._in_thread(thoughts_at, self.game, entries, texts)


class Follow:
    """Waits for the page of one link to change, or for what it tells of the seats."""

    def __init__(self, table: Table, token: str) -> None:
        self.table: Table = table
        self.token: str = token
        self.seen: tuple[Any, ...] | None = None

    async def changed(self) -> None:
        """At once the first time, then only after a change. Raises Closing."""
        table = self.table
        while True:
            table.tables.go_on()
            news = table._news
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
        self.seen: tuple[int, int] | None = None

    async def changed(self) -> dict[str, Any]:
        """What is shown now: at once the first time, then only after a change. Raises Closing."""
        table = self.table
        while True:
            table.tables.go_on()
            news = table._news
            mark = table.mark(self.viewer)
            if mark != self.seen:
                self.seen = mark
                return table.shown(self.viewer)
            await news.wait()
