"""The outcome of a game."""

from __future__ import annotations


class Outcome:
    """The winners and the kind of victory.

    `winners` are seats; several of them share a victory. `how` is a short word of the game, such as "morale" or
    "rounds". `Game.ending` makes a sentence of it.
    """

    __slots__ = ("winners", "how")

    def __init__(self, winners: list[int], how: str) -> None:
        self.winners: list[int] = winners
        self.how: str = how

    def __reduce__(self) -> tuple[type[Outcome], tuple[list[int], str]]:
        return Outcome, (self.winners, self.how)

    def __repr__(self) -> str:
        return f"Outcome(winners={self.winners}, how={self.how!r})"
