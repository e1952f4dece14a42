"""The time at which answers to a window count, so that it does not reveal whether a player could answer."""

from __future__ import annotations

import hmac
from collections.abc import Callable

from gonfalon.table.game.clock import WINDOW
from gonfalon.table.game.position import Position
from gonfalon.table.shared.current import Current


class Windows:
    """The open window of a table, if any.

    Args:
        current: The table.
        pause: The shortest and the longest time in seconds that a window stays open.
        watched: Returns whether spectators are present.
    """

    def __init__(self, current: Current, pause: tuple[float, float], watched: Callable[[], bool]) -> None:
        self.current: Current = current
        self.pause: tuple[float, float] = pause
        self.watched: Callable[[], bool] = watched

    def due(self) -> float:
        """Return the table time at which the answer to the open window counts; 0 outside of windows.

        A window stays open for a time that follows from its place in the record and the server's secret alone. It is
        the same for any seat, hand and intention, in every process and after every restart. Bots, standing answers and
        people all answer at its end. (A person with a longer answer shows that they were asked.)
        """
        return self.current.position.shown_at + self._seconds() if self._in_window() else 0.0

    def left(self) -> float:
        """Return the seconds until then, at most the length of a window."""
        due = self.due()
        return min(self._seconds(), max(0.0, due - self.current.time.now())) if due else 0.0

    def seconds(self) -> float | None:
        """Return the length of the open window; None outside of windows. It is public from the start of the window."""
        return None if self.answers_at_once(by_hand=True) or not self._in_window() else self._seconds()

    def keep_clock(self, position: Position) -> None:
        """Stop all banks until a window has closed that has just opened in a new position."""
        clock = position.clock
        if clock is not None and clock.kind == WINDOW and clock.since == position.now:
            clock.since += self._seconds(position)

    def _seconds(self, position: Position | None = None) -> float:
        """Return the length of a window. It counts only changes that all viewers have seen."""
        shortest, longest = self.pause
        place = f"window {self.current.key} {(position or self.current.position).shown_length}"
        # The secret keeps players from computing the length before the window opens.
        drawn = hmac.digest(self.current.store.secret.encode(), place.encode(), "sha256")
        # A float holds 48 bits exactly, so all processes get the same length.
        return shortest + (longest - shortest) * int.from_bytes(drawn[:6], "big") / 2**48

    def _in_window(self) -> bool:
        position = self.current.position
        return not position.over and position.window() is not None

    def answers_at_once(self, by_hand: bool) -> bool:
        """Return whether a person's answer counts at once because its time reveals nothing.

        That is so if all people of the table share one device and there are no spectators. They see each other answer
        by hand; a standing answer is no secret if there is only one person. Bots have no clock, so their answers wait.
        """
        people = [row.token for row in self.current.row.seats if row.token]
        return len(set(people) if by_hand else people) == 1 and not self.watched()
