"""What costs a program its move, and the counts of these moves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from gonfalon.bots.outside import messages
from gonfalon.bots.players.bot import BotError
from gonfalon.bots.players.choice import Choice, Fault
from gonfalon.bots.players.driver import Driver
from gonfalon.core.rules.state import Seat
from gonfalon.core.text.untrusted import one_line

MAX_DETAIL: Final = 300
"""Maximum number of characters of a program's own words about its fault."""
WORDS: Final[Mapping[Fault, str]] = {
    Fault.CRASHED: messages.CRASHED,
    Fault.SLOW: messages.SLOW,
    Fault.UNREADABLE: messages.UNREADABLE,
    Fault.ILLEGAL: messages.ILLEGAL,
    Fault.TOO_LONG: messages.TOO_LONG,
    Fault.STOPPED: messages.STOPPED,
}
"""The end of a sentence about each fault."""


class FaultError(BotError):
    """A program did not choose a legal action. Its move is drawn at random."""

    def __init__(self, fault: Fault, detail: str = "", ended: bool = False) -> None:
        self.fault = fault
        self.detail = detail
        self.ended = ended
        """Whether the program's process ended or was stopped."""
        text = messages.DRAWN_BECAUSE if detail else messages.DRAWN
        super().__init__(text.format(fault=WORDS[fault], why=one_line(detail)[:MAX_DETAIL]))


def count_faults(choices: Iterable[Choice]) -> Counter[str]:
    """Return how often each fault cost a program its move."""
    return Counter(choice.fault.value for choice in choices if choice.fault is not None)


def describe_game_faults(driver: Driver, names: Sequence[str]) -> list[str]:
    """Return a sentence for each seat of a game whose program lost moves."""
    moves: dict[Seat, list[Choice]] = {}
    for number, choice in driver.thoughts.items():
        if number < len(driver.record.decisions):  # Later ones were undone.
            moves.setdefault(driver.record.decisions[number][0], []).append(choice)
    counts = {seat: count_faults(moves[seat]) for seat in sorted(moves)}
    return [describe_faults(names[seat], found) for seat, found in counts.items() if found]


def describe_faults(name: str, counts: Mapping[str, int]) -> str:
    """Return a sentence about the moves that were drawn for a program."""
    total = sum(counts.values())
    moves = messages.MOVE if total == 1 else messages.MOVES.format(count=total)
    parts = ", ".join(f"{counts[fault]} {fault}" for fault in Fault if counts.get(fault))
    return messages.CHOSEN.format(moves=moves, name=name, counts=parts)
