"""The selection of an answer by touching a card, then a place."""

from __future__ import annotations

from collections.abc import Sequence

from gonfalon.terminal.drawing.viewport import Answer


class Picking:
    """The answers of one decision, and the things touched so far."""

    def __init__(self, answers: Sequence[Answer] = ()) -> None:
        self.answers: list[Answer] = list(answers)
        self.lifted: tuple[str, ...] = ()
        """The things touched so far."""

    def list_open(self) -> list[Answer]:
        """Return the answers that begin with the things touched so far."""
        n = len(self.lifted)
        return [one for one in self.answers if len(one.parts) > n and one.parts[:n] == self.lifted]

    def list_touchable(self) -> set[str]:
        """Return the things that can be touched next."""
        return {one.parts[len(self.lifted)] for one in self.list_open()}

    def touch(self, what: str) -> str:
        """Touch a thing.

        Returns:
            The id of the completed answer; empty if the answer needs more.
        """
        step = (*self.lifted, what)
        found = [one for one in self.list_open() if one.parts[: len(step)] == step]
        for one in found:
            if one.parts == step:
                return one.id
        if found:
            self.lifted = step
        return ""

    def cancel(self) -> bool:
        """Cancel the selection. Return whether there was any."""
        held, self.lifted = bool(self.lifted), ()
        return held
