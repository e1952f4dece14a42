"""The entries of a table's record: decisions and all other changes of a position."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, NamedTuple, NotRequired, TypedDict

from gonfalon.core.files.record import ABANDONED
from gonfalon.core.rules.state import Action, Seat

ACT: Final = "act"
BACK: Final = "back"
"""A seat undoes its last decision, which has revealed nothing; with the text AGREED because all others have agreed."""
AGREED: Final = "agreed"
ASK: Final = "ask"
"""A seat asks the others for an undo of its last decision."""
AGREE: Final = "agree"
REFUSE: Final = "refuse"
"""A player agrees to an undo request or refuses it, or the asking seat withdraws it."""
RESIGN: Final = "resign"
FLAG: Final = "flag"
"""The time of a seat is up. With the text LOST this ends the game."""
LOST: Final = "lost"
RETURN: Final = "return"
"""The player of a seat returns from a bot, at a table with a clock."""
KINDS: Final = (ACT, BACK, ASK, AGREE, REFUSE, RESIGN, ABANDONED, FLAG, RETURN)


@dataclass(frozen=True)
class Entry:
    """A line of a table's record.

    `text` is the notation of an action, `spent` the milliseconds charged to the seat's clock, `at` the table time of
    writing. On its way to the store an entry also carries the thoughts of a bot and, if it is the last of its game, the
    ending (`Position.ending`).
    """

    kind: str
    seat: Seat
    text: str = ""
    thought: str = ""
    ending: str = ""
    spent: int | None = None
    at: float = field(default=0.0, compare=False)


class Decided(NamedTuple):
    """A decision of the record, and the number of its entry."""

    seq: int
    seat: Seat
    action: Action


class Ended(TypedDict):
    """The reason why a game ended before its rules ended it: the seat (CHANCE for none), the kind, and the `days`
    without a move."""

    seat: Seat
    how: str
    days: NotRequired[int]


class Ending(TypedDict):
    """The ending of a game, and the numbers of the entries that are its decisions. With it a record can be written
    without the rules of the game."""

    result: dict[str, object] | None
    ended: Ended | None
    decisions: list[int]
