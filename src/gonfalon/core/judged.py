"""What the conformance kit asks of a game: configurations to play, and second opinions on its rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from gonfalon.core.options import Options
from gonfalon.core.rules import Rules
from gonfalon.core.state import Action, State


class Judged(Rules):
    """A game as the conformance kit sees it. Whatever a game leaves out is not judged."""

    @classmethod
    def tiny(cls) -> Sequence[Self]:
        """Configurations with exact chance, so small that the whole tree can be enumerated."""
        return []

    @classmethod
    def samples(cls) -> Sequence[Self]:
        """Configurations that together use every card and option: what the conformance kit plays."""
        return [cls()]

    @classmethod
    def samples_with(cls, options: Options) -> Sequence[Self]:
        """What the kit plays when it is asked for these options: the samples that agree with them, or else the
        game with just these. Raises OptionError."""
        wanted = cls(**options)
        agree = [one for one in cls.samples() if all(one.options[key] == wanted.options[key] for key in options)]
        return agree or [wanted]

    def invariants(self, state: State) -> list[str]:
        """Sentences on what is wrong in a full state by this game's own rules, sums recomputed from
        its log for instance; none when all is well. The conformance kit asks at every position."""
        return []

    def reference(self, state: State, seat: int) -> list[Action] | None:
        """The legal actions of a seat, worked out a second time in the plainest way, for the
        conformance kit to compare; None where the game offers no second opinion."""
        return None

    def judge(self, before: State, seat: int, action: Action, after: State) -> list[str]:
        """Sentences on what is wrong in a full state that one decision led to, by the rules told a second
        time in the plainest way, apart from the code that plays; none when all is well. Both states keep
        their logs, so what happened in between can be read. The conformance kit asks at every decision,
        chance's included."""
        return []

    def possible_lists(self, view: State) -> list[tuple[float, list[list[int]]]] | None:
        """Every set of deck lists (in the order of `State.pools`) that a view allows, with how likely it is, worked
        out a second time in the plainest way for the conformance kit to compare `State.beliefs` with; None where
        there are too many."""
        return None
