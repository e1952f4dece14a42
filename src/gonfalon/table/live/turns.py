"""Notices when the turn of a person begins at a table with days for each move, to notify absent players."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from gonfalon.core.rules.state import Seat
from gonfalon.table.shared.current import Current

Announce = Callable[[Current, Mapping[Seat, int]], object]
"""Called with a table and the number of its turn for each seat whose turn begins. Never waits."""


class Turns:
    """Compares the asked people of a table with those of the last change."""

    def __init__(self, current: Current, announce: Announce) -> None:
        self.current: Current = current
        self.announce: Announce = announce
        self.asked: frozenset[Seat] = self._find_asked()

    def look(self) -> None:
        """Announce the turns that have begun with the latest change."""
        before, self.asked = self.asked, self._find_asked()
        course = self.current.position.course
        # In all processes a seat's turns are numbered by its decisions so far.
        begun = {seat: sum(one.seat == seat for one in course) for seat in self.asked - before}
        if begun:
            self.announce(self.current, begun)

    def _find_asked(self) -> frozenset[Seat]:
        clock = self.current.position.clock
        if clock is None or not clock.pace.days:
            return frozenset()
        people = [row.seat for row in self.current.row.seats if row.by == "person"]
        return frozenset(seat for seat in people if self.current.position.is_asked(seat))
