"""The entries of a table's record: decisions, and what else changes a position."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, NamedTuple, NotRequired, TypedDict

from gonfalon.core.files.record import ABANDONED
from gonfalon.core.rules.state import Action, Seat

ACT: Final = "act"
BACK: Final = "back"
"""A seat undoes its last decision, which has revealed nothing to anybody; with the text AGREED because all others have
agreed."""
AGREED: Final = "agreed"
ASK: Final = "ask"
"""A seat asks the others to let it take its last decision back."""
AGREE: Final = "agree"
REFUSE: Final = "refuse"
"""Somebody agrees to that or does not, or the seat that has asked withdraws its request."""
RESIGN: Final = "resign"
FLAG: Final = "flag"
"""A seat's time is up; with the text LOST the game is over by it."""
LOST: Final = "lost"
RETURN: Final = "return"
"""Somebody for whom a bot has played is back, at a table with a clock."""
KINDS: Final = (ACT, BACK, ASK, AGREE, REFUSE, RESIGN, ABANDONED, FLAG, RETURN)


@dataclass(frozen=True)
class Entry:
    """One line of a table's record; `text` is the notation of an action, `spent` what it took of the seat's clock in
    milliseconds, `at` when it was written. On its way to the store it carries what a bot thought about it, and, if it
    is the last one of the game, how the game ended (`Position.ending`)."""

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
    """What has ended a game before the rules did: who (nobody: CHANCE), how, and after how many `days` of rest."""

    seat: Seat
    how: str
    days: NotRequired[int]


class Ending(TypedDict):
    """How a game ended, and the numbers of the entries that are its decisions: with it a record is written without the
    rules of the game."""

    result: dict[str, object] | None
    ended: Ended | None
    decisions: list[int]
