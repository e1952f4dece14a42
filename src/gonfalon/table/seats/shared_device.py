"""A shared device: the view of one seat, or a curtain.

The curtain falls when another seat of the device has to answer, and rises when a player chooses their seat. Behind it
the device is a spectator, and no seat's view is computed for it. The curtain follows from the record and the store, so
it is the same in every process and after a restart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gonfalon.core.rules.state import Seat
from gonfalon.table.store.shared_rows import Curtain


class SharedDevice:
    """The view on one device. `seats` are those of its people, including those for whom bots play."""

    def __init__(self, seats: Sequence[Seat]) -> None:
        self.seats: tuple[Seat, ...] = tuple(seats)
        self.curtain: Curtain = Curtain(None, self.seats[-1])

    @property
    def seat(self) -> Seat | None:
        """The seat whose view is shown; None behind the curtain."""
        return self.curtain.seat

    @property
    def rises(self) -> int:
        """The number of times that a player has lifted the curtain."""
        return self.curtain.rises

    def take(self, curtain: Curtain) -> None:
        """Take over the stored curtain unless it is older."""
        # For the same number of rises the lowered curtain wins, so that a late read reveals no hand.
        if curtain.rises > self.rises or (curtain.rises == self.rises and curtain.seat is None):
            self.curtain = curtain

    def fall(self) -> None:
        """Lower the curtain."""
        self.curtain = replace(self.curtain, seat=None)

    def settle(self, asked: Sequence[Seat], handed: int, moments: int) -> bool:
        """Lower the curtain if another player may need the device, and return whether it was lowered.

        `handed` is the version of the shown seat's view when another seat of the device was last asked and the shown
        seat was not. The curtain falls if it rose before that; a player that lifts it later, only to look, may keep
        looking. All players watch a moment together, so the curtain also falls when any seat is asked after one.
        """
        if self.seat is None:
            return False
        falls = handed > self.curtain.version or (bool(asked) and moments != self.curtain.moments)
        if falls:
            self.fall()
        return falls

    def next(self, asked: Sequence[Seat]) -> Seat | None:
        """Return the seat whose player should take the device: the next one around the table among those asked."""
        after = [seat for seat in asked if seat > self.curtain.last]
        return min(after or asked, default=None)
