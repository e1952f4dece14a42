"""The configurations of a game that its tests play."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from gonfalon.core.basics.options import Options
from gonfalon.core.rules.rules import Rules


class Samples(Rules):
    """The configurations that the conformance kit, the bridges and the benchmark play."""

    @classmethod
    def tiny(cls) -> Sequence[Self]:
        """Return configurations with exact chance, small enough that tests can enumerate the whole game tree."""
        return []

    @classmethod
    def samples(cls) -> Sequence[Self]:
        """Return configurations that together use every card and every option."""
        return [cls()]

    @classmethod
    def samples_with(cls, options: Options) -> Sequence[Self]:
        """Return the samples that agree with these options, or else the game with just these options.

        Raises:
            OptionError: An option or its value does not exist.
        """
        wanted = cls(**options)
        agree = [one for one in cls.samples() if all(one.options[key] == wanted.options[key] for key in options)]
        return agree or [wanted]
