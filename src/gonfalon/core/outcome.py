"""How a game ended."""

from __future__ import annotations


class Outcome:
    """Who won, how, and why: `winners` are seats (several share a victory), `how` is a short word of
    the game ("morale", "rounds"), `why` a sentence."""

    __slots__ = ("winners", "how", "why")

    def __init__(self, winners: list[int], how: str, why: str) -> None:
        self.winners: list[int] = winners
        self.how: str = how
        self.why: str = why

    def __repr__(self) -> str:
        return f"Outcome(winners={self.winners}, how={self.how!r}, why={self.why!r})"
