"""A device at which several people sit: one seat's view, or a curtain.

The curtain falls by itself as soon as another seat of the device has to answer, and rises when a person
says who they are. Behind it the device is a spectator: nothing of any seat's view is worked out for it.
It is kept in memory only, so after a restart it is down.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gonfalon.core.state import Seat


class SharedDevice:
    """What one device shows. `seats` are those of its people, bots' stand-ins included."""

    def __init__(self, seats: Sequence[Seat]) -> None:
        self.seats: tuple[Seat, ...] = tuple(seats)
        self.seat: Seat | None = None
        """Whose view is shown; None behind the curtain."""
        self.last: Seat = self.seats[-1]
        """Whose view was shown last."""
        self.rises: int = 0
        """How many times somebody has said who they are."""
        self._version: int = 0
        self._moments: int = 0

    def rise(self, seat: Seat, version: int, moments: int) -> None:
        """Show a seat's view, which has this version now, after so many moments that everybody could look at."""
        self.seat = self.last = seat
        self.rises += 1
        self._version = version
        self._moments = moments

    def fall(self) -> None:
        """Show the curtain."""
        self.seat = None

    def settle(self, asked: Sequence[Seat], version: Callable[[Seat], int], moments: int) -> None:
        """Let the curtain fall if it has to: the seat on show has answered, or has seen something new,
        and another one of the device is asked. Who only looks once more may look on until then. After a moment
        everybody looks at the device, so it falls whoever is asked next."""
        seat = self.seat
        if seat is None or not asked:
            return
        if moments != self._moments or (seat not in asked and version(seat) != self._version):
            self.fall()

    def next(self, asked: Sequence[Seat]) -> Seat | None:
        """Who should take the device: of those asked, the next one round the table."""
        after = [seat for seat in asked if seat > self.last]
        return min(after or asked, default=None)
