"""Card first, then place: how touching one thing after the other becomes an answer."""

from __future__ import annotations

from collections.abc import Sequence

from gonfalon.terminal.drawing.viewport import Answer


class Picking:
    """The answers of one decision, and what has been touched of them so far."""

    def __init__(self, answers: Sequence[Answer] = ()) -> None:
        self.answers: list[Answer] = list(answers)
        self.lifted: tuple[str, ...] = ()

    def open(self) -> list[Answer]:
        """The answers that what is lifted may still become."""
        n = len(self.lifted)
        return [one for one in self.answers if len(one.parts) > n and one.parts[:n] == self.lifted]

    def may(self) -> set[str]:
        """What may be touched next."""
        return {one.parts[len(self.lifted)] for one in self.open()}

    def touch(self, what: str) -> str:
        """Touch something that may be touched: the answer that it completes; empty while more is to be touched."""
        step = (*self.lifted, what)
        found = [one for one in self.open() if one.parts[: len(step)] == step]
        for one in found:
            if one.parts == step:
                return one.id
        if found:
            self.lifted = step
        return ""

    def down(self) -> bool:
        """Put down what was lifted; whether there was anything."""
        held, self.lifted = bool(self.lifted), ()
        return held
