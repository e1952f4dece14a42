"""Proved deals: the seats close their shares, then open them, then the cards are dealt.

It runs beside the waiting room, which asks here whether the deal has to wait. Nothing that is shown before the end
depends on a card: commitments and closed shares are hashes of values that only the server, and each device for itself,
knows.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from typing import Annotated, TypedDict

from anyio.to_thread import run_sync

from gonfalon.core.basics.errors import GonfalonError, OptionError
from gonfalon.core.files.proof import HEX, hash_setup, hash_share
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import Seat
from gonfalon.table import messages
from gonfalon.table.errors import NoChoice, NotSeated, Stale
from gonfalon.table.links import LinkHolder, require_seat
from gonfalon.table.shared.current import Current
from gonfalon.table.shared.services import Find
from gonfalon.table.store.proof_rows import Sealing, Share
from gonfalon.table.store.store import SeatRow


class ShownShare(TypedDict):
    """The share of a seat in a proved deal."""

    said: Annotated[bool, "Whether it has sealed a share or declared that it adds none."]
    closed: Annotated[str | None, "The hash of its share; null where it adds none."]
    opened: Annotated[bool, "Whether the server knows the share itself."]


class ShownProof(TypedDict):
    """The progress of a proved deal."""

    attempt: Annotated[int, "The number of the attempt; a new one starts if a player did not open their share."]
    commitment: Annotated[str, "The hash of the server's secret."]
    opening: Annotated[bool, "Whether all seats are done, so that the shares can be opened."]
    seats: list[ShownShare]
    setup: Annotated[str | None, "Once opening: a hash of all choices of the game, under the secret."]
    signs: Annotated[str | None, "Eight signs that players compare, to check that all were shown the same."]


class Proving:
    """The shares of a table that waits for the deal. Callers hold the lock of the table."""

    def __init__(self, current: Current, find: Find, meet: Callable[[], Game | None]) -> None:
        self.current: Current = current
        self.find: Find = find
        self.meet: Callable[[], Game | None] = meet
        """Makes the game with the choices of all seats; None if they do not fit together."""

    @property
    def sealing(self) -> Sealing | None:
        """The progress; None if the deal is not proved."""
        return self.current.row.sealing

    def find_share(self, row: SeatRow) -> Share | None:
        """Return the share of a seat; None if there is none yet, or a bot plays there now."""
        return None if self.sealing is None or row.bot is not None else self.sealing.shares.get(row.seat)

    def lacks_share(self, row: SeatRow) -> bool:
        """Return whether the deal waits for the share of a person."""
        if self.sealing is None or row.by != "person":
            return False
        share = self.find_share(row)
        if self.sealing.opening:
            return share is not None and not share.opened
        # A program may add a share, but the deal does not wait for it.
        return share is None and row.program is None

    def _fits(self, seat: Seat, share: str) -> bool:
        """Return whether a share is the one that a seat has closed."""
        kept = self.sealing and self.sealing.shares.get(seat)
        return bool(self.sealing and kept and kept.closed == hash_share(self.sealing.commitment, seat, share))

    async def add(self, who: LinkHolder, attempt: int, said: Mapping[Seat, str | None]) -> None:
        """Add closed shares, or none, for the seats of a link. Raises NoChoice, Stale, NotSeated."""
        self._check(who, said)
        rows = self.current.row.seats
        new = {}
        for seat, shut in said.items():
            if shut is not None and not HEX.fullmatch(shut):
                raise NoChoice(messages.SHARE_FORMAT)
            if (before := self.find_share(rows[seat])) is None:
                new[seat] = shut
            elif before.closed != shut:
                raise Stale(messages.SHARE_GIVEN)
        if new and not await run_sync(self.current.store.add_share, self.current.key, attempt, new):
            raise Stale(messages.SHARES_CHANGED)
        await self.current.seats_changed()

    async def open(self, who: LinkHolder, attempt: int, opened: Mapping[Seat, str]) -> None:
        """Open shares of the seats of a link. Raises NoChoice, Stale, NotSeated."""
        self._check(who, opened)
        sealing = self.sealing
        if sealing is None or not sealing.opening or sealing.attempt != attempt:
            raise Stale(messages.SHARES_CHANGED)
        for seat, share in opened.items():
            if not HEX.fullmatch(share) or not self._fits(seat, share):
                raise NoChoice(messages.OTHER_SHARE)
        if not await run_sync(self.current.store.open_shares, self.current.key, attempt, opened):
            raise Stale(messages.SHARES_CHANGED)
        await self.current.seats_changed()

    def _check(self, who: LinkHolder, seats: Collection[Seat]) -> None:
        if self.sealing is None:
            raise OptionError(messages.NOT_PROVED)
        if not who.holds:
            require_seat(who)
        if not set(seats) <= set(who.holds):
            raise NotSeated(messages.NOT_YOUR_SEAT)

    async def forget(self, seats: Mapping[Seat, object]) -> None:
        """Forget the shares of seats that leave or are not ready any more, unless it is too late (see `settled`)."""
        if self.sealing is not None and not self.sealing.opening:
            await run_sync(self.current.store.forget_shares, self.current.key, list(seats))

    def describe(self) -> ShownProof | None:
        """Return the public progress. It does not change after the deal."""
        sealing, rows = self.sealing, self.current.row.seats
        if sealing is None:
            return None
        # Once opening, all shares stay as they are, even if a bot has taken the seat.
        said = [sealing.shares.get(row.seat) if sealing.opening else self.find_share(row) for row in rows]
        return {
            "attempt": sealing.attempt,
            "commitment": sealing.commitment,
            "opening": sealing.opening,
            "seats": [
                {
                    "said": share is not None,
                    "closed": None if share is None else share.closed,
                    "opened": share is not None and share.opened,
                }
                for share in said
            ],
            "setup": sealing.setup,
            "signs": sealing.signs(len(rows)),
        }

    async def advance(self) -> bool:
        """Proceed as far as possible. Return whether only the readiness of the seats is missing."""
        sealing, rows, current = self.sealing, self.current.row.seats, self.current
        if sealing is None:
            return True
        if sealing.opening:
            left = any(self.find_share(rows[seat]) is None for seat in sealing.shares)
            if left or not all(row.prepared for row in rows):
                # A friend of the server could know the deal by now and want another one, so the secret is replaced.
                await run_sync(current.store.seal_again, current.key, current.row.game, sealing.attempt)
                await current.seats_changed()
                return False
            return not any(map(self.lacks_share, rows))
        if not all(row.prepared and not self.lacks_share(row) for row in rows):
            return False
        if (game := await run_sync(self.meet)) is None:
            return True  # nothing is sealed yet: the waiting room names the players that have to choose again
        # Hashed under the secret, because the decks behind a plain hash could be found by trying.
        setup = hash_setup(await run_sync(current.store.secret_of, current.key), game)
        options = json.dumps(game.shown_options())
        adding = [row.seat for row in rows if (share := self.find_share(row)) is not None and share.closed is not None]
        if not await run_sync(current.store.begin_opening, current.key, sealing.attempt, adding, setup, options):
            raise Stale(messages.SHARES_CHANGED)
        await current.seats_changed()
        return not adding

    def sealed_game(self) -> Game | None:
        """Return the game as it was set up before the shares were opened; None before that, or if this program has
        other rules or cards now. Synchronous."""
        current, sealing = self.current, self.sealing
        if sealing is None or not sealing.opening:
            return None
        try:
            game = self.find(current.row.game, **json.loads(current.store.options_of(current.key)))
        except GonfalonError:
            return None
        return game if hash_setup(current.store.secret_of(current.key), game) == sealing.setup else None
