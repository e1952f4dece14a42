"""Temporary effects as `GeneralsState.lasting` stores them: tuples of numbers, so that copies and dumps are cheap."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gonfalon.games.generals.effects.frame import Frame

if TYPE_CHECKING:
    from gonfalon.games.generals.rules.state import GeneralsState

Entry = tuple[int, int, int, int, int, int, int, int]
"""A temporary effect. The constants below are the indexes of its numbers."""
WHAT: Final = 0  # LAST_MOD, LAST_RULE or LAST_TRIGGER
WHICH: Final = 1  # its number among `Setup.mods`, `rules` or `delayed`
WHOSE: Final = 2  # the seat for which, or against which, it works
WHOM: Final = 3  # the affected general, or the owner of the trigger; -1 for none
AMOUNT: Final = 4  # the change of a number, or the uses of a trigger this turn
ENDS: Final = 5  # the number of the last turn in which it counts
SOURCE: Final = 6
PRINTED: Final = 7  # the kind of the card that began it

LAST_MOD: Final = 0
LAST_RULE: Final = 1
LAST_TRIGGER: Final = 2


def begin_effect(
    s: GeneralsState, f: Frame, what: int, which: int, whose: int, whom: int, amount: int, ends: int
) -> None:
    """Add a temporary effect of the card whose ability has this frame.

    Args:
        s: The state to change.
        f: The frame of the ability.
        what: The sort: LAST_MOD, LAST_RULE or LAST_TRIGGER.
        which: The number of the effect within its sort.
        whose: The seat for which, or against which, it works.
        whom: The general that it affects, or whose trigger it is; -1 for none.
        amount: The change of a number, or 0.
        ends: The number of the last turn in which it counts.
    """
    s.lasting = [*s.lasting, (what, which, whose, whom, amount, ends, f.source, f.kind)]
