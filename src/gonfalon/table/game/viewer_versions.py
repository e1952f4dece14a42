"""How often the views of a table have changed, for each viewer."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gonfalon.core.rules.state import SPECTATOR, Seat, State, masked_log


class ViewerVersions:
    """The versions of the views of a position.

    A version counts the changes of *its* viewer's view, and answers refer to it. One number for all viewers would
    reveal the others' secret answers.
    """

    def __init__(self) -> None:
        self.versions: dict[int, int] = {}
        self.handed: dict[tuple[Seat, Seat], int] = {}
        """For a seat and another one, the version of its view when the other was last asked and it was not."""
        self._beside: dict[int, object] = {}

    def clone(self) -> ViewerVersions:
        """Return an independent copy."""
        twin = ViewerVersions()
        twin.versions, twin.handed, twin._beside = self.versions.copy(), self.handed.copy(), self._beside.copy()
        return twin

    def count(self, before: State | None, after: State, beside: Callable[[int], object]) -> bool:
        """Count a new version for every viewer whose view has changed.

        Args:
            before: The full state before the change, with a log; None if the change may be of any kind.
            after: The full state after it. It may be the same object.
            beside: Returns the facts that a viewer is shown beside the view, as a value to compare.

        Returns:
            Whether spectators see something new.
        """
        changed = False
        for viewer in (*range(after.seats), SPECTATOR):
            facts = beside(viewer)
            seen = self.versions.get(viewer, 0)
            if before is None or facts != self._beside[viewer] or has_changed(before, after, viewer):
                self.versions[viewer] = seen + 1
                changed = changed or (viewer == SPECTATOR and seen > 0)
            self._beside[viewer] = facts
        return changed

    def hand_over(self, asked: Sequence[Seat]) -> None:
        """Store the versions of the seats that are not asked while these are."""
        for seat in self.versions.keys() - {*asked, SPECTATOR}:
            self.handed.update(dict.fromkeys(((seat, other) for other in asked), self.versions[seat]))


def has_changed(before: State, after: State, viewer: int) -> bool:
    """Return whether a viewer sees a difference between two full states. The log of one begins with that of the
    other."""
    if before is after:
        return False
    old, new = before.log or [], after.log or []
    # Most changes show in the log, so that no view has to be made to see them.
    if masked_log(new[len(old) :] or old[len(new) :], viewer, after.need(viewer)):
        return True
    return describe_view(before.mask(viewer)) != describe_view(after.mask(viewer))


def describe_view(view: State) -> tuple[object, ...]:
    """Return everything of a view except its log, for comparisons."""
    steps = [(type(step), step.key()) for step in view.stack]
    return view.fields(), steps, view.turn, view.actions, view.answers
