"""The views of all viewers of a table, and how often they have changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gonfalon.core.rules.state import SPECTATOR, Seat, State


@dataclass(frozen=True)
class ViewVersion:
    """A hash of a viewer's view, and the number of its changes."""

    version: int
    mark: int


class ViewerVersions:
    """The views of a position, each with its own version.

    A version counts the changes of *its* viewer's view, and answers refer to it. One number for all viewers would
    reveal the others' secret answers.
    """

    def __init__(self) -> None:
        self.views: dict[int, State] = {}
        """The masked state of each viewer, made once for each change. All readers share it, so it must not be
        modified."""
        self.versions: dict[int, ViewVersion] = {}
        self.handed: dict[tuple[Seat, Seat], int] = {}
        """For a seat and another one, the version of its view when the other was last asked and it was not."""

    def clone(self) -> ViewerVersions:
        """Return an independent copy."""
        twin = ViewerVersions()
        twin.views, twin.versions, twin.handed = self.views.copy(), self.versions.copy(), self.handed.copy()
        return twin

    def mask(self, state: State) -> None:
        """Make all views again."""
        self.views = {viewer: state.mask(viewer) for viewer in (*range(state.seats), SPECTATOR)}

    def count(self, beside: Callable[[int], object]) -> bool:
        """Count a new version for every viewer whose view has changed.

        Args:
            beside: Returns the facts that a viewer is shown beside the view, as a value to compare.

        Returns:
            Whether spectators see something new.
        """
        changed = False
        for viewer, view in self.views.items():
            # The log only grows: its length stands for it.
            log, view.log = view.log, None
            # Hashes of texts differ between processes, which is harmless because marks never leave this one.
            mark = hash(repr((view.dump(), len(log or ()), beside(viewer))))
            view.log = log
            seen = self.versions.get(viewer)
            if seen is None:
                self.versions[viewer] = ViewVersion(1, mark)
            elif seen.mark != mark:
                self.versions[viewer] = ViewVersion(seen.version + 1, mark)
                changed = changed or viewer == SPECTATOR
        return changed

    def hand_over(self, asked: Sequence[Seat]) -> None:
        """Store the versions of the seats that are not asked while these are."""
        for seat in self.views.keys() - {*asked, SPECTATOR}:
            self.handed.update(dict.fromkeys(((seat, other) for other in asked), self.versions[seat].version))
