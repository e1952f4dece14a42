"""The waiting room of a table: readiness and choices of the invited players, leaving, and the deal.

A seat's choice is stored when the player becomes ready, and all players see that it is. Only announced factions reveal
anything of the choice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from anyio.to_thread import run_sync

from gonfalon.core.basics.errors import OptionError
from gonfalon.core.basics.options import Options
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import Seat
from gonfalon.core.text.english import several
from gonfalon.table import messages
from gonfalon.table.errors import Stale, Withdrawn
from gonfalon.table.game.clock import load_pace
from gonfalon.table.game.entries import Entry
from gonfalon.table.game.position import Position
from gonfalon.table.links import LinkHolder, require_seat
from gonfalon.table.seats.proving import Proving
from gonfalon.table.seats.seat_choices import (
    FACTIONS,
    LOT,
    Banner,
    combine_choices,
    fill_choices,
    find_choice_option,
    list_banners,
)
from gonfalon.table.shared.current import Current
from gonfalon.table.shared.services import Find
from gonfalon.table.store.store import Ready, SeatRow


class Gathering:
    """The people of a table that waits for the deal. `find` makes games, and `check_accepting` raises Maintenance."""

    def __init__(self, current: Current, find: Find, check_accepting: Callable[[], None]) -> None:
        self.current: Current = current
        self.find: Find = find
        self.check_accepting: Callable[[], None] = check_accepting
        self.proving: Proving = Proving(current, find, partial(combine_all_choices, current, find))
        self._announced: dict[tuple[Seat, str], list[Banner]] = {}

    @property
    def waits(self) -> bool:
        """Whether a player is not ready yet."""
        return self.current.row.stage == "waiting"

    def waits_for(self, row: SeatRow) -> bool:
        """Return whether the deal has to wait for a seat."""
        return not row.prepared or self.proving.lacks_share(row)

    @property
    def closed(self) -> bool:
        """Whether the table was closed before the deal."""
        return self.current.row.stage == "closed"

    def opener(self) -> SeatRow | None:
        """Return the seat of the opener, or of the first player of a rematch; None if it is free again."""
        rows = self.current.row.seats
        hosts = [row for row in rows if row.token is not None and row.invitation is None and row.program is None]
        # The opener has made no claim, so its seat has no time and comes first.
        return min(hosts, key=lambda row: row.seated or 0.0, default=None)

    def is_opened_by(self, who: LinkHolder) -> bool:
        """Return whether a link belongs to the opener of the table."""
        opener = self.opener()
        return opener is not None and opener.seat in who.holds

    def list_banners(self, seat: Seat) -> list[Banner]:
        """Return the factions that a seat has announced by being ready."""
        row, current = self.current.row.seats[seat], self.current
        if not row.prepared or not self.waits:
            return []
        return self.preview(seat, row.brings or (LOT if current.game.has_decks() else ""))

    def preview(self, seat: Seat, brings: str) -> list[Banner]:
        """Return the factions of a possible choice."""
        kept = self._announced.get((seat, brings))
        if kept is None:
            kept = list_banners(self.find, self.current.game, self.current.row.options, seat, brings)
            self._announced[seat, brings] = kept
        return kept

    def find_fault(self, seat: Seat, brings: str) -> str | None:
        """Return why a choice is invalid with any choices of the others, for that seat alone; None if it is valid."""
        try:
            combine_choices(
                self.find,
                self.current.game,
                self.current.row.options,
                fill_choices(self.current.game.seats, seat, brings),
            )
        except OptionError as error:
            return str(error)
        return None

    def list_taken_factions(self) -> list[str]:
        """Return the announced factions where a game has each only once."""
        if find_choice_option(self.current.game) != FACTIONS:
            return []
        return [row.brings for row in self.current.row.seats if row.prepared and row.brings]

    # ---- readiness ------------------------------------------------------------------------------------

    async def be_ready(self, who: LinkHolder, brings: Mapping[Seat, str]) -> None:
        """Make the seats of a link ready, with the given choices or the preset ones. The last one starts the deal.

        Raises:
            OptionError: A choice is invalid.
            Stale: The game has begun, or the seats are ready with another choice.
            Withdrawn: The table was closed.
            NotSeated: The link holds no seat.
            Maintenance: The server begins no games.
        """
        holds = who.holds or (require_seat(who),)
        async with self.current.lock:
            self.check_open()
            self.check_accepting()
            rows = self.current.row.seats
            wishes = {seat: brings.get(seat) or rows[seat].brings for seat in holds}
            if all(rows[seat].ready == "yes" for seat in holds):
                if any(rows[seat].brings != wish for seat, wish in wishes.items()):
                    raise Stale(messages.READY_OTHERWISE)
                return
            # Judging makes games, which takes too long for the event loop.
            await run_sync(self.judge, wishes)
            await self._prepare({seat: (wish, "yes") for seat, wish in wishes.items()})
            await self.deal_if_ready()

    def judge(self, wishes: Mapping[Seat, str]) -> None:
        """Raise OptionError if a choice is invalid. Synchronous."""
        current = self.current
        for seat, wish in wishes.items():
            if find_choice_option(current.game) is None:
                if wish:
                    raise OptionError(messages.NOTHING_TO_CHOOSE.format(game=current.game.title))
            elif (fault := self.find_fault(seat, wish)) is not None:
                raise OptionError(fault)
        if find_choice_option(current.game) == FACTIONS:  # a refusal about decks would reveal the others' decks
            brings = [row.brings if row.prepared else "" for row in current.row.seats]
            for seat, wish in wishes.items():
                brings[seat] = wish
            try:
                combine_choices(self.find, current.game, current.row.options, brings)
            except OptionError:
                chosen = [row.name for seat, row in enumerate(current.row.seats) if row.prepared and seat not in wishes]
                taken = messages.FACTION_TAKEN.format(player=several(chosen)) if chosen else messages.SAME_FACTIONS
                raise OptionError(taken) from None

    async def cancel_ready(self, who: LinkHolder) -> None:
        """Make the seats of a link not ready again. Raises Stale, Withdrawn, NotSeated."""
        holds = who.holds or (require_seat(who),)
        async with self.current.lock:
            self.check_open()
            await self.proving.forget(dict.fromkeys(holds))
            await self._prepare(dict.fromkeys(holds, (None, "")))
            await self.deal_if_ready()

    async def add_shares(self, who: LinkHolder, attempt: int, said: Mapping[Seat, str | None]) -> None:
        """For a proved deal: add closed shares of seats, or none. The last one lets all be opened. Raises OptionError,
        NoChoice, Stale, Withdrawn, NotSeated."""
        async with self.current.lock:
            self.check_open()
            await self.proving.add(who, attempt, said)
            await self.deal_if_ready()

    async def open_shares(self, who: LinkHolder, attempt: int, opened: Mapping[Seat, str]) -> None:
        """For a proved deal: open shares of seats. The last one starts the deal. Raises OptionError, NoChoice, Stale,
        Withdrawn, NotSeated."""
        async with self.current.lock:
            self.check_open()
            await self.proving.open(who, attempt, opened)
            await self.deal_if_ready()

    async def refuse(self, seats: Sequence[Seat]) -> None:
        """Note that the players expected at these free seats do not come."""
        async with self.current.lock:
            self.check_open()
            rows = self.current.row.seats
            await self._prepare({seat: (None, "no") for seat in seats if rows[seat].expected})

    async def leave(self, who: LinkHolder) -> None:
        """Free the seats of a link again. If it belongs to the opener, this closes the table. Raises Stale, Withdrawn,
        NotSeated."""
        holds = who.holds or (require_seat(who),)
        current = self.current
        async with current.lock:
            self.check_open()
            # A seat with an invitation becomes free for any friend; one of a rematch stays reserved for its player.
            names = {seat: "" if current.row.seats[seat].invitation else current.row.seats[seat].name for seat in holds}
            kept: Ready = "no" if any(names.values()) else ""
            await self.proving.forget(names)
            if not await run_sync(current.store.leave, current.key, names, kept, self.is_opened_by(who)):
                await self._gone()
            await current.seats_changed()
            await self.deal_if_ready()

    async def _prepare(self, seats: Mapping[Seat, tuple[str | None, Ready]]) -> None:
        if not await run_sync(self.current.store.prepare, self.current.key, seats):
            await self._gone()
        await self.current.seats_changed()

    async def _gone(self) -> None:
        """Raise Stale or Withdrawn after another process has dealt or closed the table."""
        await self.current.seats_changed()
        self.check_open()
        raise Stale(messages.STARTED)

    def check_open(self) -> None:
        """Raise Withdrawn or Stale unless the table waits for the deal."""
        if self.closed:
            raise Withdrawn(messages.WITHDRAWN)
        if not self.waits:
            raise Stale(messages.STARTED)

    # ---- the deal ------------------------------------------------------------------------------------

    async def deal_if_ready(self) -> None:
        """Start the game if all players are ready. The caller holds the lock."""
        current = self.current
        if not self.waits or not await self.proving.advance():
            return
        if not all(row.prepared for row in current.row.seats):
            return
        dealt = await run_sync(self._deal)
        if dealt is not None:
            current.game, current.position = dealt
            await current.seats_changed()
        elif unfit := await run_sync(self._unfit):
            await self._prepare(dict.fromkeys(unfit, (None, "unfit")))
            await self.proving.advance()

    def _deal(self) -> tuple[Game, Position] | None:
        """Store the game and its first position, and return both; None if the choices do not fit together."""
        current = self.current
        row = current.row
        game = combine_all_choices(current, self.find) if row.sealing is None else self.proving.sealed_game()
        if game is None:
            return None
        proof = current.store.proof(row.key, game.seats)
        current.time.settle()
        position = Position(game, root=proof and proof.root, pace=load_pace(row.clock), now=current.time.now())
        entries: list[Entry] = [replace(entry, at=position.now) for entry in position.draw_chance()]
        options, pinned = split_pinned_options(game)
        row = replace(row, options=options, rules=game.rules_version, data=game.data_hash, since=position.since)
        # The store refuses if a seat has changed since, because the game was made from these choices.
        at = current.store.deal(row, entries, pinned)
        if at is None:
            raise Stale(messages.CHANGED_FIRST)
        position.note_written(at)
        return game, position

    def _unfit(self) -> list[Seat]:
        """Return the people whose choice is invalid, or all of them if only the combination is."""
        rows = [row for row in self.current.row.seats if row.bot is None]
        return [row.seat for row in rows if self.find_fault(row.seat, row.brings)] or [row.seat for row in rows]


def split_pinned_options(game: Game) -> tuple[Options, Options]:
    """Return the options of a game, and those that differ once its card data is pinned."""
    options, pinned = game.shown_options(), game.pinned()
    return options, {name: pinned[name] for name in pinned if pinned[name] != options.get(name)}


def combine_all_choices(current: Current, find: Find) -> Game | None:
    """Return the game with the choices of all seats; None if they do not fit together."""
    row = current.row
    brings = [seat.brings or (LOT if seat.bot is not None else "") for seat in row.seats]
    try:
        return combine_choices(find, current.game, row.options, brings)
    except OptionError:
        return None
