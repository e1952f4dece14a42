"""The players of a live table and their links: sitting down, leaving, bots that take over."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Final

from anyio.to_thread import run_sync

from gonfalon.core.basics.errors import Refusal
from gonfalon.core.rules.state import SPECTATOR, Seat
from gonfalon.core.text.untrusted import isolate
from gonfalon.table import messages
from gonfalon.table.errors import Finished, NotHost, NotSeated, NoWay, Present, Seated, Stale, StoreError, Taken
from gonfalon.table.game import standing_answers
from gonfalon.table.game.position import has_windows
from gonfalon.table.links import WATCH, WATCHER, Claim, LinkHolder, hash_token, new_token, require_seat
from gonfalon.table.seats.gathering import Gathering
from gonfalon.table.seats.names import make_distinct, name_person
from gonfalon.table.seats.presence import AWAY, Presence
from gonfalon.table.seats.shared_device import SharedDevice
from gonfalon.table.shared.current import Current
from gonfalon.table.shared.moves import Moves
from gonfalon.table.shared.services import Spawn, choose_stand_in
from gonfalon.table.store.shared_rows import Curtain
from gonfalon.table.store.store import SeatRow

OFFERED: Final = "offered"
"""In place of a link: the claim to a seat of a listed table."""
REPEAT: Final = 600.0
"""Seconds in which a repeated request gets the same seat."""


class Seats:
    """The seats of a table, their links, and shared devices."""

    def __init__(self, current: Current, moves: Moves, presence: Presence, gathering: Gathering, spawn: Spawn) -> None:
        self.current: Current = current
        self.moves: Moves = moves
        self.presence: Presence = presence
        self.gathering: Gathering = gathering
        self._spawn: Spawn = spawn
        self._devices: dict[str, SharedDevice] = {}

    # ---- links ------------------------------------------------------------------------------------

    def find_holder(self, token: str) -> LinkHolder:
        """Return the person that a link stands for. Raises NoWay."""
        if token == WATCH:
            return WATCHER
        digest = hash_token(token)
        held = [row.seat for row in self.current.row.seats if row.token == digest]
        if len(held) == 1:
            return LinkHolder(held[0])
        if held:
            seat = self.device(token).seat
            return LinkHolder(SPECTATOR if seat is None else seat, seats=tuple(held))
        invited = self.find_invited_seats(token)
        if invited is not None:
            return LinkHolder(SPECTATOR, invited=True, seats=invited)
        raise NoWay(messages.NO_SEAT)

    def find_invited_seats(self, token: str) -> tuple[Seat, ...] | None:
        """Return the free seats to which a link invites; None if it is no invitation."""
        digest = hash_token(token)
        if self.current.row.invitation == digest:
            return tuple(row.seat for row in self.current.free_seats())
        for row in self.current.row.seats:
            if row.invitation == digest:
                return (row.seat,) if row.free and not row.expected else ()
        return None

    def device(self, token: str) -> SharedDevice:
        """Return the shared device of a token, as it is now."""
        digest = hash_token(token)
        if digest not in self._devices:
            self._devices[digest] = SharedDevice(self._at(digest))
        self._settle(digest)
        return self._devices[digest]

    def _at(self, digest: str) -> list[Seat]:
        return [row.seat for row in self.current.row.seats if row.token == digest]

    def take_curtains(self, curtains: Mapping[str, Curtain]) -> None:
        """Take over the curtains in the store."""
        for digest, curtain in curtains.items():
            if digest not in self._devices:
                if len(seats := self._at(digest)) < 2:
                    continue
                self._devices[digest] = SharedDevice(seats)
            self._devices[digest].take(curtain)
            self._settle(digest)

    def settle_devices(self) -> None:
        """Lower the curtains that have to fall after a change."""
        for digest in self._devices:
            self._settle(digest)

    def _settle(self, digest: str) -> None:
        position, device = self.current.position, self._devices[digest]
        rows = self.current.row.seats
        others = [seat for seat in device.seats if seat != device.seat and rows[seat].bot is None]
        handed = max((position.viewers.handed.get((device.curtain.last, other), 0) for other in others), default=0)
        if device.settle(self.current.list_asked_people(device.seats), handed, position.moment_count):
            # The store keeps it down in all processes, unless a player has lifted it since.
            self._spawn(partial(self._keep_down, digest, device.rises))

    async def _keep_down(self, digest: str, rises: int) -> None:
        with suppress(StoreError):  # the other processes lower it by themselves
            await run_sync(self.current.store.lower, self.current.key, digest, rises)

    def find_next_person(self, token: str) -> Seat | None:
        """Return the seat whose player should take the shared device."""
        device = self.device(token)
        return device.next(self.current.list_asked_people(device.seats))

    async def move_curtain(self, token: str, seat: Seat | None) -> None:
        """Lift the curtain of a device for one of its seats, or lower it. Raises NotSeated."""
        device, position, store = self.device(token), self.current.position, self.current.store
        if seat is None:
            device.fall()
            await run_sync(store.lower, self.current.key, hash_token(token))
        elif seat in device.seats:
            wanted = Curtain(seat, seat, version=position.version(seat), moments=position.moment_count)
            device.take(await run_sync(store.lift, self.current.key, hash_token(token), wanted))
        else:
            raise NotSeated(messages.NOT_OF_DEVICE)
        self.current.publish()

    # ---- sitting down -----------------------------------------------------------------------------

    async def take_seat(self, invitation: str, nonce: str, name: str, device: str = "") -> str:
        """Take a free seat with an invitation to it.

        The same invitation, nonce and device get the same token again for some time, so that a repeated request takes
        only one seat.

        Returns:
            The token of the seat.

        Raises:
            BadNonce, NoWay, Taken, Broken.
        """
        if self.find_invited_seats(invitation) is None:
            raise NoWay(messages.NOT_AN_INVITATION)
        claim = Claim(self.current.key, invitation, nonce, device)
        return await self._sit(claim, name, lambda: self.find_invited_seats(invitation) or ())

    async def take_offered_seat(self, nonce: str, name: str, device: str = "") -> str:
        """Take a free seat of a listed table, and return its token; a repeated request gets the same one for some time.
        Raises BadNonce, Taken, Broken."""

        def list_offered() -> Sequence[Seat]:
            return [row.seat for row in self.current.free_seats()] if self.current.row.offer else ()

        return await self._sit(Claim(self.current.key, OFFERED, nonce, device), name, list_offered)

    async def _sit(self, claim: Claim, name: str, list_free: Callable[[], Sequence[Seat]]) -> str:
        """Take the first of some free seats, listed when the lock is held. Raises Taken, Broken, Maintenance."""
        async with self.current.lock:
            if self.gathering.closed:
                self.gathering.check_open()
            token = self.find_claimed_token(claim)
            if not token and self.gathering.waits:
                self.gathering.check_accepting()
            for seat in () if token else list_free():
                token = token or await self.take({seat: name_person(name, self._other_names(seat))}, claim)
        if token is None:
            raise Taken(messages.SEAT_TAKEN)
        return token

    def _other_names(self, seat: Seat) -> list[str]:
        return [row.name for row in self.current.row.seats if row.seat != seat]

    async def take(self, names: dict[Seat, str], claim: Claim) -> str | None:
        """Take free seats, under these names, and return the new token; None if they are not free. The caller holds the
        lock."""
        token = new_token()
        taken = await run_sync(
            partial(self.current.store.sit, now=self.current.time.now()),
            *(self.current.key, names, hash_token(token), claim.mark, claim.seal(token)),
        )
        await self.current.seats_changed()
        # Another process may have carried out the same request at that moment.
        return token if taken else self.find_claimed_token(claim)

    def find_claimed_token(self, claim: Claim) -> str | None:
        """Return the token that this claim got some time ago. Raises Seated if that is too long ago, Broken."""
        for row in self.current.row.seats:
            if row.claim == claim.mark and row.sealed is not None and row.seated is not None:
                if self.current.time.now() - row.seated > REPEAT:
                    raise Seated(messages.SEATED_BEFORE)
                return claim.open(row.sealed, row.token)
        return None

    # ---- bots in people's places ------------------------------------------------------------------

    def list_hosts(self) -> list[SeatRow]:
        """Return the hosts' seats: those of the opener and of players beside the opener, taken without an invitation.

        At a rematch all players are hosts.
        """
        rows = self.current.row.seats
        return [row for row in rows if row.token is not None and row.invitation is None and row.program is None]

    def is_absent(self, seat: Seat) -> bool:
        """Return whether the game waits for a player that is away, or has not come to the rematch. Before the deal it
        waits for all players that are not ready."""
        row = self.current.row.seats[seat]
        if self.gathering.waits:
            # A program answers at once, so the opener need not wait for it.
            left = row.by == "person" or (row.expected and row.ready != "no" and row.program is None)
            return self.gathering.waits_for(row) and (not left or self.presence.state_of(seat) == AWAY)
        theirs = row.by == "person" or row.expected
        return theirs and seat in self.current.position.find_awaited_seats() and self.presence.state_of(seat) == AWAY

    def may_give_to_bot(self, who: LinkHolder, seat: Seat) -> bool:
        """Return whether a link may let a bot play at a free seat.

        The hosts may, because they keep the seat for a friend. Other players may only if the game waits for the seat
        and no host is present. A seat that is kept for a player of a rematch cannot be given away: see `is_absent`.
        Before the deal only the opener may fill seats.
        """
        if self.gathering.waits:
            return self.gathering.is_opened_by(who) and self.is_absent(seat)
        if self.current.row.seats[seat].expected:
            return False
        hosts = self.list_hosts()
        if any(row.seat in who.holds for row in hosts):
            return True
        left = all(row.stood_for or self.presence.state_of(row.seat) == AWAY for row in hosts)
        return bool(who.holds) and left and seat in self.current.position.find_awaited_seats()

    async def give_to_bot(self, who: LinkHolder, seat: Seat) -> None:
        """Let a bot play at a free seat (see `may_give`), or for an absent or expected player while the game waits.

        Any player may replace an absent one.

        Raises:
            Present, Finished, NotSeated, NotHost.
        """
        if not who.holds:
            require_seat(who)
        async with self.current.lock:
            row = self.current.row.seats[seat]
            if self.current.position.over:
                raise Finished(messages.OVER)
            if row.bot is None:
                kept = (row.free and not row.expected) or self.gathering.waits
                if kept and not self.may_give_to_bot(who, seat):
                    if self.gathering.is_opened_by(who):
                        raise Present(messages.MAY_STILL_COME.format(name=isolate(row.name)))
                    raise NotHost(messages.SEAT_RESERVED)
                if not kept and not self.is_absent(seat) and not self.is_out_of_time(seat):
                    raise Present(messages.NOT_AWAITED.format(name=isolate(row.name)))
                await self.seat_bot(seat)
                await self.gathering.deal_if_ready()

    def is_out_of_time(self, seat: Seat) -> bool:
        """Return whether a player's flag has visibly fallen at a table where the others may make a claim."""
        clock, row = self.current.position.clock, self.current.row.seats[seat]
        if clock is None or clock.pace.end != "claim" or self.current.position.over or row.by != "person":
            return False
        return seat in clock.fallen - clock.secret

    async def claim_win(self, who: LinkHolder, seat: Seat) -> None:
        """Claim the win at a table of two because the opponent's flag has fallen. Raises Present, Finished,
        NotSeated."""
        if not who.holds:
            require_seat(who)
        async with self.current.lock:
            if self.current.position.over:
                raise Finished(messages.OVER)
            if not self.may_claim_win(who, seat):
                raise Present(messages.NO_WIN)
            await self.moves.drop_flag(seat, lost=True)

    def may_claim_win(self, who: LinkHolder, seat: Seat) -> bool:
        """Return whether a link may claim the win over a seat."""
        return (
            len(self.current.row.seats) == 2 and bool(who.holds) and seat not in who.holds and self.is_out_of_time(seat)
        )

    async def seat_bot(self, seat: Seat, level: str = "") -> None:
        """Let a bot play at a seat, by default the strongest of the game. The caller holds the lock."""
        row, level = self.current.row.seats[seat], level or choose_stand_in(self.current.game)
        name = make_distinct(level.capitalize(), self._other_names(seat)) if row.free else row.name
        await run_sync(self.current.store.seat_bot, self.current.key, seat, name, level, row.free)
        await self.current.seats_changed()

    async def reclaim_seat(self, who: LinkHolder) -> None:
        """Return a seat from its bot to its player."""
        seat = require_seat(who)
        async with self.current.lock:
            row = self.current.row.seats[seat]
            if row.stood_for:
                clock = self.current.position.clock
                if clock is not None and clock.pace.end == "lose" and seat in clock.fallen:
                    raise Refusal(messages.SEAT_LOST)
                # The entry comes first: if it is refused, the bot keeps the seat.
                await self.moves.return_seat(seat)
                await run_sync(self.current.store.seat_bot, self.current.key, seat, row.name, None, False)
                await self.current.seats_changed()

    def is_last_person(self, seat: Seat) -> bool:
        """Return whether only bots would continue if this seat resigned."""
        rows = self.current.row.seats
        return len(rows) == 2 or not any(row.by == "person" and row.seat != seat for row in rows)

    async def resign(self, who: LinkHolder) -> None:
        """Resign for a seat. The game ends if it has two seats, or if only bots would continue; otherwise a bot takes
        over."""
        seat = require_seat(who)
        async with self.current.lock:
            if not self.current.position.dealt:
                raise Stale(messages.NOT_STARTED)
            if self.current.position.over or self.is_last_person(seat):
                await self.moves.resign(seat)
            elif self.current.row.seats[seat].bot is None:
                await self.seat_bot(seat)

    # ---- standing answers -------------------------------------------------------------------------

    def standing_answer(self, seat: Seat) -> str | None:
        """Return the standing answer of a seat; None in a game without windows."""
        if not has_windows(self.current.game):
            return None
        return standing_answers.current_choice(self.current.row.seats[seat].standing, self.current.position)

    def passes_by_itself(self, seat: Seat) -> bool:
        """Return whether the table is about to pass for a seat."""
        return standing_answers.passes_by_itself(self.current.row.seats[seat].standing, self.current.position, seat)

    async def set_standing_answer(self, who: LinkHolder, choice: str) -> None:
        """Set the standing answer of a seat. Raises NoChoice."""
        seat, current = require_seat(who), self.current
        async with current.lock:
            kept = standing_answers.parse_standing(choice, current.position)
            if kept != current.row.seats[seat].standing:
                await run_sync(current.store.set_standing, current.key, seat, kept)
                await current.seats_changed()
