"""The configurations of a game that its tests play."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Self

from gonfalon.core.basics.options import Option, Options
from gonfalon.core.rules.rules import Rules

PAIRINGS: Final = Option(
    "pairings",
    False,
    "All pairings",
    "environments draw the factions or decks of each game, with one observation layout for all",
    public=False,
    added=True,
)
"""The option of games whose pairings an environment can draw."""


class Samples(Rules):
    """The configurations that the conformance kit, the bridges and the benchmark play."""

    @classmethod
    def tiny(cls) -> Sequence[Self]:
        """Return configurations with exact chance, small enough that tests can enumerate the whole game tree."""
        return []

    @classmethod
    def solved(cls) -> Sequence[Self]:
        """Return larger configurations with exact chance, for two seats, whose values are known."""
        return []

    @classmethod
    def samples(cls) -> Sequence[Self]:
        """Return configurations that together use every card and every option.

        By default these are the game with its defaults, and one game for each other number of seats, choice or boolean
        and for the least value of each number.
        """
        found = [cls()]
        for option in cls.options_spec:
            values: list[object] = [value for value, _ in option.choices]
            if option.name == "seats":
                values += cls.seat_counts
            elif isinstance(option.default, bool):
                values.append(not option.default)
            elif option.least is not None:
                values.append(option.least)
            found += [cls(**{option.name: value}) for value in values if value != option.default]
        return found

    def pairings(self) -> Sequence[Self]:
        """Return the games among which an environment draws each game. All of them share one observation layout and one
        numbering of actions. Empty unless the game has an option for it that is on."""
        return ()

    @classmethod
    def samples_with(cls, options: Options) -> Sequence[Self]:
        """Return the samples that agree with these options, or else the game with just these options.

        Raises:
            OptionError: An option or its value does not exist.
        """
        wanted = cls(**options)
        agree = [one for one in cls.samples() if all(one.options[key] == wanted.options[key] for key in options)]
        return agree or [wanted]
