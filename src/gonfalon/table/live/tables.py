"""All live tables of this process, each loaded when it is first used."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import replace
from typing import Final
from weakref import WeakValueDictionary, ref

import anyio
import anyio.to_thread

from gonfalon import bots, games
from gonfalon.bots import Bot
from gonfalon.core.basics.errors import GonfalonError, OptionError
from gonfalon.core.basics.options import Options
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.rules import RULES, current_options
from gonfalon.core.rules.state import Seat
from gonfalon.table import messages
from gonfalon.table.bots.services import BotServices
from gonfalon.table.bots.workers import BotRunner
from gonfalon.table.errors import Maintenance, NoTable, Stale, StoreError, Taken, Withdrawn, locate_error
from gonfalon.table.game.clock import Pace, load_pace
from gonfalon.table.game.position import Position
from gonfalon.table.links import (
    Beside,
    Claim,
    LinkHolder,
    Open,
    Person,
    Program,
    Robot,
    Seating,
    derive_invitation,
    hash_token,
    new_key,
    new_token,
    require_seat,
)
from gonfalon.table.live.archiving import Archives
from gonfalon.table.live.backend import Backend
from gonfalon.table.live.retention import POLICY, Housekeeper, Policy
from gonfalon.table.live.stored import KEY, StoredTables
from gonfalon.table.live.table import Table
from gonfalon.table.seats.gathering import split_pinned_options
from gonfalon.table.seats.names import make_distinct, name_person
from gonfalon.table.seats.open_seats import Offer, new_offer
from gonfalon.table.seats.seat_choices import combine_choices, find_choice_option, read_choices
from gonfalon.table.shared.claims import Claims
from gonfalon.table.shared.garbage import collect_all, collect_new
from gonfalon.table.shared.heartbeat import BEAT_SECONDS
from gonfalon.table.shared.services import Find
from gonfalon.table.store.admin_rows import STATE_NEWS, ServerState
from gonfalon.table.store.notifications import News
from gonfalon.table.store.store import Ready, SeatRow, Stage, Store, TableRow

PACE: Final = 0.4
"""Seconds that people have to see each move of a bot."""
PAUSE: Final = (1.2, 3.2)
"""The shortest and the longest time in seconds that an answer window stays open."""
GRACE: Final = 60.0
PATIENCE: Final = 600.0
"""Seconds until a silent player is away: usually, and with a page without script."""


REST: Final = 60.0
"""Seconds in which all tables are looked through for caches to drop."""
AT_ONCE: Final = 8
"""The number of tables that are looked through, or leave memory, without a pause."""
IDLE: Final = 900.0
"""Seconds after which an unused table leaves memory. By then its people are away."""
QUIET: Final = 10
"""The number of rounds through all tables without a move after which all garbage is collected."""
logger: Final = logging.getLogger("gonfalon.table")


class Tables(Backend):
    """Opens and finds tables. Use within `async with tables.open():`, which owns the bots' tasks.

    `find(name, **options)` makes a game and `make_bot(level, game)` a bot, which thinks in this process unless there is
    a `bot_runner` for it.
    """

    def __init__(
        self,
        store: Store,
        pace: float = PACE,
        *,
        find: Find = games.game,
        make_bot: Callable[[str, Game], Bot] = bots.make_level,
        keep: int = 256,
        bot_runner: BotRunner | None = None,
        pause: tuple[float, float] = PAUSE,
        grace: float = GRACE,
        patience: float = PATIENCE,
        policy: Policy = POLICY,
        monotonic: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
    ) -> None:
        super().__init__(store, pause=pause, grace=grace, patience=patience, find=find, monotonic=monotonic, wall=wall)
        self.bots: BotServices = BotServices(make_bot, bot_runner, pace)
        self.stored: StoredTables = StoredTables(store, self.find)
        self.archives: Archives = Archives(store, self.bots.runner)
        self.claims: Claims = Claims(store, self.now, self.serve_table, self.check_all)
        self.keep: int = keep
        self.state_changed: Callable[[ServerState], object] = lambda state: None
        """Called when the operator has changed the state of the server."""
        self.challenged: anyio.Event = anyio.Event()
        """Set when this process has challenged a program, and then replaced by a new event."""
        self.housekeeper: Housekeeper = Housekeeper(self, policy)
        # A table lives as long as a follower holds it; the latest ones are kept in any case. Weak references keep
        # a process from loading a second copy of a table that is still followed.
        self._alive: WeakValueDictionary[str, Table] = WeakValueDictionary()
        self._recent: OrderedDict[str, tuple[Table, float]] = OrderedDict()

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Tables]:
        async with anyio.create_task_group() as tasks:
            self._tasks = tasks
            self.bots.runner.start()
            # The first heartbeat starts table time, which all of these tasks read.
            await self.beat()
            await self.read_state()
            self.spawn(self.housekeeper.run)
            self.spawn(self._keep_beating)
            self.spawn(self._keep_small)
            self.spawn(self.claims.run)
            loop = asyncio.get_running_loop()
            listener = self.store.listener(lambda news: loop.call_soon_threadsafe(self._hear, news))
            listener.start()
            try:
                yield self
            finally:
                self._tasks = None
                listener.close()
                # Other processes can take over at once instead of after the end of the leases.
                self.claims.release_all()
                self.bots.runner.close()
                tasks.cancel_scope.cancel()
                with suppress(GonfalonError):
                    self.store.stop(self.store.process, self.now())

    async def beat(self) -> None:
        """Write a heartbeat of this process, and react to those of the others."""
        await anyio.to_thread.run_sync(self.heartbeat.beat)
        rows_lost, changed, shifted = self.heartbeat.was_gone(), self.heartbeat.changed(), self.heartbeat.shifted()
        for table in list(self._alive.values()) if rows_lost or changed or shifted else ():
            if rows_lost or changed:
                table.presence.check_processes(rows_lost)
            if shifted:
                table.clocks.show_again()

    async def _keep_beating(self) -> None:
        while True:
            await anyio.sleep(BEAT_SECONDS)
            collect_new()
            with suppress(StoreError):  # table time stands still until the database answers
                await self.beat()

    def close(self) -> None:
        """Let all followers leave, as the server is about to stop."""
        self.closing = True
        for table in list(self._alive.values()):
            table.current.wake_followers()

    @property
    def live_count(self) -> int:
        """The number of tables in memory."""
        return len(self._alive)

    async def table(self, key: str) -> Table:
        """Return the table with this key, with the changes of all processes. Raises NoTable, Broken."""
        table, loaded = self._alive.get(key), False
        if table is None:
            if not KEY.fullmatch(key):
                raise NoTable()
            row, game, position = await anyio.to_thread.run_sync(self.stored.load, key)
            shared = await anyio.to_thread.run_sync(self.store.shared, key)
            following = await anyio.to_thread.run_sync(self._rematch_row, row)
            # Another request may have loaded it during these reads.
            table = self._alive.get(key)
            if table is None:
                table, loaded = Table(self, row, game, position, following), True
                self._alive[key] = table
                table.take(shared)
                table.hear(None)  # something may have been written meanwhile
        if not loaded:
            try:
                await table.update()
            except NoTable:
                self.forget(key)
                raise
        self._recent[key] = table, time.monotonic()
        self._recent.move_to_end(key)
        if len(self._recent) > self.keep:
            self._recent.popitem(last=False)
        table.timers.wake()
        return table

    def let_go(self, now: float) -> None:
        """Drop a few tables that are unused and not followed."""
        for _ in range(AT_ONCE):
            if not self._recent or next(iter(self._recent.values()))[1] >= now - IDLE:
                return
            self._recent.popitem(last=False)

    async def _keep_small(self) -> None:
        quiet, moves = 0, 0
        while True:
            before, moves = moves, sum(table.position.length for table in self._alive.values())
            quiet = quiet + 1 if before == moves else 0
            if quiet == QUIET:
                collect_all()
            await self._rest_tables()

    async def _rest_tables(self) -> None:
        """Drop the caches of tables that have rested since the last round, a few at a time."""
        # Weak, so that a table can leave memory meanwhile.
        tables = [ref(table) for table in self._alive.values()]
        batches = [tables[start : start + AT_ONCE] for start in range(0, len(tables), AT_ONCE)] or [[]]
        for batch in batches:
            await anyio.sleep(REST / len(batches))
            self.let_go(time.monotonic())
            for held in batch:
                if (table := held()) is not None:
                    table.rest()

    def _rematch_row(self, row: TableRow) -> TableRow | None:
        try:
            return None if row.rematch is None else self.store.table(row.rematch)
        except (NoTable, ValueError, TypeError):
            return None

    def seats_changed(self, row: TableRow) -> None:
        old = self._alive.get(row.rematch_of or "")
        if old is not None and old.row.rematch == row.key:
            old.current.set_rematch(row)

    async def serve_table(self, key: str) -> None:
        table = await self.table(key)
        await table.refresh()
        await table.timers.serve_claimed()

    def check_all(self) -> None:
        for table in list(self._alive.values()):
            table.timers.wake()

    def _hear(self, news: News | None) -> None:
        """React to a notification of another process."""
        if news is None or news.table == STATE_NEWS:
            self.spawn(self.read_state)
        for table in list(self._alive.values()) if news is None else self._concerned(news):
            table.hear(news)

    async def read_state(self) -> None:
        """Read the settings of the operator, and pass them on if they have changed. After a failure the next
        notification repeats it."""
        with suppress(StoreError):
            state = await anyio.to_thread.run_sync(self.store.server_state)
            if state != self.state:
                self.state = state
                self.state_changed(state)
                for table in list(self._alive.values()):
                    table.current.wake_followers()

    def check_accepting(self) -> None:
        """Raise Maintenance while the operator lets no new tables be opened."""
        if self.state.maintenance:
            raise Maintenance(messages.MAINTENANCE)

    def _concerned(self, news: News) -> list[Table]:
        """Return the tables in memory that show something of the changed one."""
        table = self._alive.get(news.table)
        if table is not None or news.length is not None:
            return [table] if table is not None else []
        return [old for old in self._alive.values() if old.row.rematch == news.table]

    async def attended(self, key: str) -> bool:
        """Return whether a person is at a table now."""
        table = self._alive.get(key)
        if table is not None and table.presence.has_people(table.row.seats):
            return True
        return await anyio.to_thread.run_sync(self.store.has_people, key, self.now())

    async def abandon(self, key: str, days: int) -> None:
        """End a game without a result after this many days without a move."""
        await (await self.table(key)).moves.abandon(days)

    def forget(self, key: str) -> None:
        """Drop a table that is about to be deleted."""
        self._alive.pop(key, None)
        self._recent.pop(key, None)

    def new_game(self, name: str, options: Options) -> Game:
        """Return a game for a new table. Raises OptionError, also for any error that the game raises."""
        with guard_setup(name):
            if RULES in options:
                raise OptionError(messages.CURRENT_RULES)
            return self.find(name, **options)

    async def open_table(
        self,
        game: Game,
        seating: Sequence[Seating],
        hints: bool = False,
        ready: bool = True,
        proved: bool = False,
        pace: Pace | None = None,
        offer: Offer | None = None,
    ) -> tuple[Table, dict[int, str]]:
        """Open a table.

        The game is dealt at once unless players are invited; then it is dealt when all are ready. The options of the
        game hold the choices of the opener and of the bots. Invited players make their own choices, so nothing is
        preset for a free seat. The invitations to open seats follow from the first person's token (see
        `links.derive_invitation`).

        Args:
            game: The rules and options.
            seating: The kind of each seat.
            ready: Whether the opener is ready.
            hints: Whether players may ask for hints.
            pace: The time control.
            proved: Whether the deal waits for shares of the players' devices (see `table/seats/proving.py`).
            offer: How the table is listed in the lobby, if its open seats are for any visitor.

        Returns:
            The table, and the token of every `Person`'s seat.
        """
        if len(seating) != game.seats:
            raise OptionError(messages.SEATS_NEEDED.format(game=game.title, seats=game.seats))
        tokens = self._tokens(seating)
        opener = next(iter(tokens.values()), None)
        inviting = any(isinstance(sitter, Open) for sitter in seating) and opener is not None
        proved = proved and opener is not None  # bots have nothing to add
        waits = inviting or proved or any(isinstance(sitter, Program) for sitter in seating)
        rows = self._fill_seats(game, seating, tokens, waits, "yes" if waits and ready else "")
        link = hash_token(derive_invitation(opener)) if inviting and opener else None
        row = await self._create(
            game, rows, link, hints, waits=waits, proved=proved, clock=pace, offer=offer if inviting else None
        )
        return await self.table(row.key), tokens

    def _fill_seats(
        self, game: Game, seating: Sequence[Seating], tokens: dict[int, str], waits: bool, ready: Ready
    ) -> list[SeatRow]:
        """Return the rows of the seats of a new table; people are `ready` if it `waits` for the deal."""
        opener = next(iter(tokens.values()), None)
        brings = read_choices(game) if waits else [""] * game.seats
        names: list[str] = []
        rows: list[SeatRow] = []
        for seat, sitter in enumerate(seating):
            if isinstance(sitter, Robot):
                self.bots.make(sitter.level, game)
                name = make_distinct(sitter.level.capitalize(), names)
                rows.append(SeatRow(seat, name, bot=sitter.level, brings=brings[seat]))
            elif isinstance(sitter, Program):
                name = make_distinct(sitter.name, names)
                rows.append(SeatRow(seat, name, brings=brings[seat], program=sitter.account))
            elif isinstance(sitter, Open):
                name = ""
                link = hash_token(derive_invitation(opener, seat)) if opener else None
                rows.append(SeatRow(seat, invitation=link))
            else:
                name = name_person(sitter.name, names)
                rows.append(SeatRow(seat, name, token=hash_token(tokens[seat]), brings=brings[seat], ready=ready))
            names.append(name)
        return rows

    @staticmethod
    def _tokens(seating: Sequence[Seating]) -> dict[int, str]:
        """Return a token for each person, the opener's first. A person beside the opener shares the opener's."""
        tokens = {seat: new_token() for seat, sitter in enumerate(seating) if isinstance(sitter, Person)}
        beside = [seat for seat, sitter in enumerate(seating) if isinstance(sitter, Beside)]
        if beside and not tokens:
            raise OptionError(messages.NO_OPENER)
        return tokens | dict.fromkeys(beside, next(iter(tokens.values()), ""))

    async def rematch(
        self,
        old: Table,
        who: LinkHolder,
        token: str,
        nonce: str,
        device: str = "",
        swap: bool = False,
        ready: bool | None = None,
    ) -> tuple[str, str]:
        """Return the table of the rematch of `old`, one seat further, and a token for this link's seats there.

        The first player to ask opens it and thereby offers it to the others, who find their seats at it. If there are
        no others, or only bots, it is dealt at once. The link of the finished game is an invitation to the next one and
        no more: a player that repeats the request proves by nonce and device to be the same.

        Args:
            old: The table of the finished game.
            who: The person of the link.
            token: The link.
            nonce: A secret of the client for this seat.
            device: The key of the client's device.
            swap: Whether the factions stay at their seats, so that two players exchange them.
            ready: Whether the player is ready at once; by default where no deck has to be chosen.

        Raises:
            BadNonce, Stale, NotSeated, Taken, Broken.
        """
        if not who.holds:
            require_seat(who)
        if not old.position.over:
            raise Stale(messages.NOT_OVER)
        claim = Claim(old.key, token, nonce, device)
        # Order of locks: a finished game first, then its rematch, which `next_game` may lock to refresh it.
        async with old.current.lock:
            table = await self.next_game(old)
            if table is None:
                await self._open_rematch(old, who, swap)
                await old.current.seats_changed()
                table = await self.next_game(old)
        assert table is not None
        async with table.current.lock:
            there = {next_seat(old.game, seat): old.row.seats[seat].name for seat in who.holds}
            # One of several seats of a device may belong to a bot by now.
            rows = {seat: table.row.seats[seat] for seat in there}
            names = {seat: row.name or there[seat] for seat, row in rows.items() if row.free}
            new, taken = table.seats.find_claimed_token(claim), False
            if new is None and names:
                new, taken = await table.seats.take(names, claim), True
        if new is None:
            raise Taken(messages.NEXT_SEAT_TAKEN)
        if taken and table.gathering.waits and (not old.game.has_decks() if ready is None else ready):
            with suppress(Stale, Withdrawn, OptionError):
                await table.gathering.be_ready(table.seats.find_holder(new), {})
        return table.key, new

    async def refuse(self, old: Table, who: LinkHolder) -> None:
        """Refuse the offered rematch; a repeated call changes nothing. Raises NotSeated."""
        if not who.holds:
            require_seat(who)
        table = await self.next_game(old)
        if table is not None and table.gathering.waits:
            await table.gathering.refuse([next_seat(old.game, seat) for seat in who.holds])

    async def next_game(self, old: Table) -> Table | None:
        """Return the table of the rematch; None if it was not offered, was withdrawn, or was never played."""
        try:
            table = None if old.row.rematch is None else await self.table(old.row.rematch)
        except NoTable:
            return None
        return None if table is None or table.gathering.closed else table

    async def _open_rematch(self, old: Table, who: LinkHolder, swap: bool) -> None:
        """Open the table at which all players of `old` find their seats, one seat further."""
        game = old.game.afresh()
        seats, option = game.seats, find_choice_option(game)
        brings = read_choices(game)
        if not swap or game.has_decks():
            brings = [brings[-1], *brings[:-1]]
        rows: list[SeatRow] = []
        for seat in range(seats):
            before = old.row.seats[(seat - 1) % seats]
            # A player replaced by a bot is invited to the rematch in person.
            bot = None if before.stood_for else before.bot
            rows.append(SeatRow(seat, before.name, bot=bot, brings=brings[seat], program=before.program))
        others = [row for row in old.row.seats if row.seat not in who.holds]
        proved = old.row.sealing is not None
        waits = proved or any(row.bot is None or row.stood_for for row in others)
        moved = {} if option is None else {option: brings}
        try:
            game = self.find(old.row.game, **current_options(old.row.options) | moved)  # with the current cards
        except GonfalonError:
            # The current cards no longer allow these choices, so the rematch keeps the old cards.
            game = self.find(old.row.game, **current_options(old.game.pinned()) | moved)
        row = await self._create(
            game, rows, None, old.row.hints, waits, rematch_of=old.key, proved=proved, clock=load_pace(old.row.clock)
        )
        # If another process was faster, its table stays the rematch, and this one is never shown.
        await anyio.to_thread.run_sync(self.store.name_rematch, old.key, row.key, old.row.rematch)
        old.current.next_row = row

    async def _create(
        self,
        game: Game,
        seats: Sequence[SeatRow],
        invited: str | None,
        hints: bool,
        waits: bool,
        rematch_of: str | None = None,
        proved: bool = False,
        clock: Pace | None = None,
        offer: Offer | None = None,
    ) -> TableRow:
        self.check_accepting()
        stage: Stage = "waiting" if waits else "dealt"

        def work() -> TableRow:
            # Until the deal each choice is stored with its seat alone: pages and programs are shown an example game.
            shown = self._example(game) if waits else game
            options, pinned = split_pinned_options(shown)
            self.heartbeat.settle()
            now = self.now()
            with guard_setup(game.name):
                # The game starts even if the table waits, because a game that cannot start must be refused now.
                begun = Position(game, pace=clock, now=now)
                entries = [replace(entry, at=now) for entry in begun.draw_chance()]
            row = TableRow(
                key=new_key(),
                game=game.name,
                options=options,
                rules=game.rules_version,
                data=game.data_hash,
                invitation=invited,
                rematch=None,
                opened=now,
                seats=tuple(seats),
                hints=hints,
                stage=stage,
                rematch_of=rematch_of,
                clock="" if clock is None else clock.dumps(),
                since=None if waits else begun.since,
            )
            row = row if offer is None else self._list_row(row, game, offer)
            self.store.create(row, [] if waits else entries, pinned, proved)
            return row

        row = await anyio.to_thread.run_sync(work)
        if any(seat.program for seat in seats):
            told, self.challenged = self.challenged, anyio.Event()
            told.set()
        return row

    def _list_row(self, row: TableRow, game: Game, offer: Offer) -> TableRow:
        """Return a new table as it is listed."""
        if offer.bot_level:
            self.bots.make(offer.bot_level, game)  # an unknown level is refused now, not when it has to sit down
        until = None if offer.bot_after is None else row.opened + offer.bot_after
        return replace(row, offer=new_offer(), bot_at=until, bot_level=offer.bot_level)

    def _example(self, game: Game) -> Game:
        """Return a game with the same options and any valid choices of the seats."""
        return combine_choices(self.find, game, game.shown_options(), [""] * game.seats)


@contextmanager
def guard_setup(name: str) -> Iterator[None]:
    """Turn every error of making or starting a game into a refusal, for the game may be a stranger's. Raises
    OptionError or another GonfalonError."""
    try:
        yield
    except GonfalonError:
        raise
    except Exception as error:
        logger.error("%s cannot be set up: %s", name, locate_error(error))
        raise OptionError(messages.SETUP_FAILED.format(game=name)) from error


def next_seat(game: Game, seat: Seat) -> Seat:
    """Return the seat at the rematch for the player of a seat."""
    return (seat + 1) % game.seats
