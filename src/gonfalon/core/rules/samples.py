"""The configurations of a game that its tests play."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from gonfalon.core.basics.options import Options
from gonfalon.core.rules.rules import Rules


class Samples(Rules):
    """A game as the conformance kit, the bridges and the benchmark play it."""

    @classmethod
    def tiny(cls) -> Sequence[Self]:
        """Configurations with exact chance, so small that the whole tree can be enumerated."""
        return []

    @classmethod
    def samples(cls) -> Sequence[Self]:
        """Configurations that together use every card and option."""
        return [cls()]

    @classmethod
    def samples_with(cls, options: Options) -> Sequence[Self]:
        """Return the samples that agree with these options, or else the game with just these. Raises OptionError."""
        wanted = cls(**options)
        agree = [one for one in cls.samples() if all(one.options[key] == wanted.options[key] for key in options)]
        return agree or [wanted]
