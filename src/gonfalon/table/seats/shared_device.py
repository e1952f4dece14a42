"""A device at which several people sit: one seat's view, or a curtain.

The curtain falls by itself as soon as another seat of the device has to answer, and rises when a person
says who they are. Behind it the device is a spectator: nothing of any seat's view is worked out for it.
Whether it falls follows from the record and from what the store holds of it, so every process sees the same curtain,
and so does one that starts anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gonfalon.core.rules.state import Seat
from gonfalon.table.store.shared_rows import Curtain


class SharedDevice:
    """What one device shows. `seats` are those of its people, bots' stand-ins included."""

    def __init__(self, seats: Sequence[Seat]) -> None:
        self.seats: tuple[Seat, ...] = tuple(seats)
        self.curtain: Curtain = Curtain(None, self.seats[-1])

    @property
    def seat(self) -> Seat | None:
        """Whose view is shown; None behind the curtain."""
        return self.curtain.seat

    @property
    def rises(self) -> int:
        """How many times somebody has said who they are."""
        return self.curtain.rises

    def take(self, curtain: Curtain) -> None:
        """Take over what the store holds, unless that is older."""
        if curtain.rises > self.rises or (curtain.rises == self.rises and curtain.seat is None):
            self.curtain = curtain

    def fall(self) -> None:
        """Show the curtain."""
        self.curtain = replace(self.curtain, seat=None)

    def settle(self, asked: Sequence[Seat], handed: int, moments: int) -> bool:
        """Let the curtain fall if it has to; returns whether it does. The seat on show has answered, or has seen
        something new, and another one of the device is asked: its view had the version `handed` when that was so last.
        Who only looks once more may look on until then. After a moment everybody looks at the device, so it falls
        whoever is asked next."""
        if self.seat is None:
            return False
        falls = handed > self.curtain.version or (bool(asked) and moments != self.curtain.moments)
        if falls:
            self.fall()
        return falls

    def next(self, asked: Sequence[Seat]) -> Seat | None:
        """Who should take the device: of those asked, the next one round the table."""
        after = [seat for seat in asked if seat > self.curtain.last]
        return min(after or asked, default=None)
