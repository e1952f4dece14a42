"""When answers to a window count, so that the time of an answer does not tell whether there was one to give."""

from __future__ import annotations

import hmac
from collections.abc import Callable

from gonfalon.core.rules.state import SPECTATOR
from gonfalon.table.game import standing_answers
from gonfalon.table.game.clock import WINDOW
from gonfalon.table.game.position import Position
from gonfalon.table.shared.current import Current


class Windows:
    """The open window of a table, if there is one. `pause`: between these, in seconds, it stays open; `watched`:
    whether somebody looks on."""

    def __init__(self, current: Current, pause: tuple[float, float], watched: Callable[[], bool]) -> None:
        self.current: Current = current
        self.pause: tuple[float, float] = pause
        self.watched: Callable[[], bool] = watched

    def due(self) -> float:
        """When the answer to the open window may be given, by table time; 0 outside of windows.

        A window stays open for a time that follows from where it opened and from the server's secret alone: whoever is
        asked, whatever they hold or want, in every process and after every restart. Bots, standing answers and people
        all answer at its end. (A person who thinks longer shows that they were asked.)
        """
        return self.current.position.shown_at + self._seconds() if self._in_window() else 0.0

    def left(self) -> float:
        """Seconds until then, at most as long as a window is open."""
        due = self.due()
        return min(self._seconds(), max(0.0, due - self.current.time.now())) if due else 0.0

    def seconds(self) -> float | None:
        """For how long the window is open whose end everybody waits for; None outside of windows. It is known as the
        window opens, so everybody may know it."""
        return None if self.unheard(by_hand=True) or not self._in_window() else self._seconds()

    def keep_clock(self, position: Position) -> None:
        """Let no bank run before a window has closed that has just opened in a new position."""
        clock = position.clock
        if clock is not None and clock.kind == WINDOW and clock.since == position.now:
            clock.since += self._seconds(position)

    def _seconds(self, position: Position | None = None) -> float:
        """Entries that change no view may lie in the record since, so it counts what everybody has seen alone."""
        shortest, longest = self.pause
        place = f"window {self.current.key} {(position or self.current.position).shown_length}"
        drawn = hmac.digest(self.current.store.secret.encode(), place.encode(), "sha256")
        return shortest + (longest - shortest) * int.from_bytes(drawn[:6], "big") / 2**48

    def _in_window(self) -> bool:
        position, game = self.current.position, self.current.game
        return (
            not position.over
            and standing_answers.has_windows(game)
            and game.window(position.view(SPECTATOR)) is not None
        )

    def unheard(self, by_hand: bool) -> bool:
        """Whether an answer of a person counts at once, because its time tells nobody anything: all the table's people
        sit at one device, and nobody looks on. They see each other answer by hand; a standing answer is no secret
        where there is but one of them. Bots have no clock, and what they answer waits."""
        people = [row.token for row in self.current.row.seats if row.token]
        return len(set(people) if by_hand else people) == 1 and not self.watched()
