"""Before the deal: who of those invited is ready and with what, who leaves; and the deal, when all are ready.

What a seat brings is written down as it says that it is ready, and not before, and everybody sees that it is. So
nothing that others can see depends on the choice itself but the factions, which are announced.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from anyio.to_thread import run_sync

from gonfalon.core.basics.errors import OptionError
from gonfalon.core.basics.options import Options
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import Seat
from gonfalon.table.errors import Stale, Withdrawn
from gonfalon.table.game.clock import stored_pace
from gonfalon.table.game.entries import Entry
from gonfalon.table.game.position import Position
from gonfalon.table.links import LinkHolder, own_seat
from gonfalon.table.seats.proving import Proving
from gonfalon.table.seats.seat_choices import FACTIONS, LOT, Banner, alone, announced, meeting, option_of
from gonfalon.table.shared.current import Current
from gonfalon.table.shared.services import Find
from gonfalon.table.store.store import Ready, SeatRow

BEGUN: Final = "The game has begun already."
WITHDRAWN: Final = "This game will not be played: whoever offered it has left."


class Gathering:
    """The people of a table that waits to be dealt. `find` makes games."""

    def __init__(self, current: Current, find: Find) -> None:
        self.current: Current = current
        self.find: Find = find
        self.proving: Proving = Proving(current, find, self._meet)
        self._announced: dict[tuple[Seat, str], list[Banner]] = {}

    @property
    def waits(self) -> bool:
        """Whether not everybody is ready yet."""
        return self.current.row.stage == "waiting"

    def waits_for(self, row: SeatRow) -> bool:
        """Whether the deal has to wait for a seat."""
        return not row.prepared or self.proving.lacks(row)

    @property
    def closed(self) -> bool:
        """Whether there will be no game at this table."""
        return self.current.row.stage == "closed"

    def opener(self) -> SeatRow | None:
        """Whoever opened the table, or came first to a rematch."""
        hosts = [row for row in self.current.row.seats if row.token is not None and row.invitation is None]
        return min(hosts, key=lambda row: row.seated or 0.0, default=None)

    def opened_by(self, who: LinkHolder) -> bool:
        """Whether this link is that of whoever opened the table."""
        opener = self.opener()
        return opener is not None and opener.seat in who.holds

    def banners(self, seat: Seat) -> list[Banner]:
        """The factions that a seat has announced: once it is ready."""
        row, current = self.current.row.seats[seat], self.current
        if not row.prepared or not self.waits:
            return []
        return self.preview(seat, row.brings or (LOT if current.game.has_decks() else ""))

    def preview(self, seat: Seat, brings: str) -> list[Banner]:
        """The factions of what a seat might bring."""
        kept = self._announced.get((seat, brings))
        if kept is None:
            kept = announced(self.find, self.current.game, self.current.row.options, seat, brings)
            self._announced[seat, brings] = kept
        return kept

    def fault(self, seat: Seat, brings: str) -> str | None:
        """Why a seat cannot bring this, whatever others bring; for its own people only."""
        try:
            meeting(
                self.find, self.current.game, self.current.row.options, alone(self.current.game.seats, seat, brings)
            )
        except OptionError as error:
            return str(error)
        return None

    def taken(self) -> list[str]:
        """The factions that are announced, where a game has each but once."""
        if option_of(self.current.game) != FACTIONS:
            return []
        return [row.brings for row in self.current.row.seats if row.prepared and row.brings]

    # ---- ready, and not ------------------------------------------------------------------------------

    async def be_ready(self, who: LinkHolder, brings: Mapping[Seat, str]) -> None:
        """Say that those seats are ready which a link holds, and what they bring (else what is laid out for them). The
        last one starts the deal. Raises OptionError, Stale, Withdrawn, NotSeated."""
        holds = who.holds or (own_seat(who),)
        async with self.current.lock:
            self.check_open()
            rows = self.current.row.seats
            wishes = {seat: brings.get(seat) or rows[seat].brings for seat in holds}
            if all(rows[seat].ready == "yes" for seat in holds):
                if any(rows[seat].brings != wish for seat, wish in wishes.items()):
                    raise Stale(
                        "You are ready already, with another choice, perhaps on another device; take that back first."
                    )
                return
            await run_sync(self._judge, wishes)
            await self._prepare({seat: (wish, "yes") for seat, wish in wishes.items()})
            await self.deal_if_ready()

    def _judge(self, wishes: Mapping[Seat, str]) -> None:
        """Raises OptionError when something cannot be brought."""
        current = self.current
        for seat, wish in wishes.items():
            if option_of(current.game) is None:
                if wish:
                    raise OptionError(f"To {current.game.title} nobody brings anything.")
            elif (fault := self.fault(seat, wish)) is not None:
                raise OptionError(fault)
        if option_of(current.game) == FACTIONS:  # a refusal about decks would tell of the others'
            brings = [row.brings if row.prepared else "" for row in current.row.seats]
            for seat, wish in wishes.items():
                brings[seat] = wish
            try:
                meeting(self.find, current.game, current.row.options, brings)
            except OptionError:
                raise OptionError("Somebody else leads this faction already; choose another.") from None

    async def take_back(self, who: LinkHolder) -> None:
        """Say that one is not ready after all. Raises Stale, Withdrawn, NotSeated."""
        holds = who.holds or (own_seat(who),)
        async with self.current.lock:
            self.check_open()
            await self.proving.forget(dict.fromkeys(holds))
            await self._prepare(dict.fromkeys(holds, (None, "")))
            await self.deal_if_ready()

    async def add_shares(self, who: LinkHolder, attempt: int, said: Mapping[Seat, str | None]) -> None:
        """Where the deal is proved: say what seats add, a closed share or none. The last one lets all be opened. Raises
        OptionError, NoChoice, Stale, Withdrawn, NotSeated."""
        async with self.current.lock:
            self.check_open()
            await self.proving.add(who, attempt, said)
            await self.deal_if_ready()

    async def open_shares(self, who: LinkHolder, attempt: int, opened: Mapping[Seat, str]) -> None:
        """Open what seats have added. The last one starts the deal. Raises the same."""
        async with self.current.lock:
            self.check_open()
            await self.proving.open(who, attempt, opened)
            await self.deal_if_ready()

    async def refuse(self, seats: Sequence[Seat]) -> None:
        """Whoever is expected at these free seats does not come."""
        async with self.current.lock:
            self.check_open()
            rows = self.current.row.seats
            await self._prepare({seat: (None, "no") for seat in seats if rows[seat].expected})

    async def leave(self, who: LinkHolder) -> None:
        """Get up again. Whoever opened the table closes it so. Raises Stale, Withdrawn, NotSeated."""
        holds = who.holds or (own_seat(who),)
        current = self.current
        async with current.lock:
            self.check_open()
            # A seat to which a link leads may be taken by somebody else, one of a rematch is kept for its person.
            names = {seat: "" if current.row.seats[seat].invitation else current.row.seats[seat].name for seat in holds}
            kept: Ready = "no" if any(names.values()) else ""
            await self.proving.forget(names)
            if not await run_sync(current.store.leave, current.key, names, kept, self.opened_by(who)):
                await self._gone()
            await current.seats_changed()
            await self.deal_if_ready()

    async def _prepare(self, seats: Mapping[Seat, tuple[str | None, Ready]]) -> None:
        if not await run_sync(self.current.store.prepare, self.current.key, seats):
            await self._gone()
        await self.current.seats_changed()

    async def _gone(self) -> None:
        """Another process has dealt or closed the table. Raises Stale, Withdrawn."""
        await self.current.seats_changed()
        self.check_open()
        raise Stale(BEGUN)

    def check_open(self) -> None:
        """Raises Withdrawn, Stale."""
        if self.closed:
            raise Withdrawn(WITHDRAWN)
        if not self.waits:
            raise Stale(BEGUN)

    # ---- the deal ------------------------------------------------------------------------------------

    async def deal_if_ready(self) -> None:
        """Begin the game if nobody is waited for. The caller holds the lock."""
        current = self.current
        if not self.waits or not await self.proving.settled():
            return
        if not all(row.prepared for row in current.row.seats):
            return
        dealt = await run_sync(self._deal)
        if dealt is not None:
            current.game, current.position = dealt
            await current.seats_changed()
        elif unfit := await run_sync(self._unfit):
            await self._prepare(dict.fromkeys(unfit, (None, "unfit")))
            await self.proving.settled()

    def _meet(self) -> Game | None:
        """The game with what the seats bring; None when that does not go together."""
        row = self.current.row
        brings = [seat.brings or (LOT if seat.bot is not None else "") for seat in row.seats]
        try:
            return meeting(self.find, self.current.game, row.options, brings)
        except OptionError:
            return None

    def _deal(self) -> tuple[Game, Position] | None:
        """The game and its first position, written down; None when what the seats bring does not go together."""
        current = self.current
        row = current.row
        game = self._meet() if row.sealing is None else self.proving.sealed_game()
        if game is None:
            return None
        proof = current.store.proof(row.key, game.seats)
        current.time.settle()
        position = Position(game, root=proof and proof.root, pace=stored_pace(row.clock), now=current.time.now())
        entries: list[Entry] = [replace(entry, at=position.now) for entry in position.chance()]
        options, pinned = pinned_apart(game)
        row = replace(row, options=options, rules=game.rules_version, data=game.data_hash, since=position.since)
        at = current.store.deal(row, entries, pinned)
        if at is None:
            raise Stale("Somebody else was faster; look again.")
        position.written(at)
        return game, position

    def _unfit(self) -> list[Seat]:
        """The people whose choice is not legal; all of them where only together it is not."""
        rows = [row for row in self.current.row.seats if row.bot is None]
        return [row.seat for row in rows if self.fault(row.seat, row.brings)] or [row.seat for row in rows]


def pinned_apart(game: Game) -> tuple[Options, Options]:
    """The options of a game, and those that differ once its card data is pinned."""
    options, pinned = game.shown_options(), game.pinned()
    return options, {name: pinned[name] for name in pinned if pinned[name] != options.get(name)}
