"""What costs a program its move, and the counts of these moves."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from gonfalon.bots.outside import messages
from gonfalon.bots.players.bot import BotError
from gonfalon.bots.players.choice import Choice, Fault
from gonfalon.bots.players.driver import Driver
from gonfalon.core.rules.state import Seat

MAX_DETAIL: Final = 300
"""Maximum number of characters of a program's own words about its fault."""
SEPARATOR: Final = ": "
"""Separates a fault from the first reason for it."""
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
        super().__init__(messages.DRAWN.format(fault=WORDS[fault]))


def warn_of_fault(name: str, choice: Choice) -> None:
    """Warn that a move was chosen for a program. Python shows equal warnings once."""
    assert choice.fault is not None
    warnings.warn(messages.WARNING.format(name=name, fault=WORDS[choice.fault]), RuntimeWarning, stacklevel=2)


def count_faults(choices: Iterable[Choice], counts: Counter[str] | None = None) -> Counter[str]:
    """Count how often each fault cost a program its move, by the fault and the first reason for it (`crashed: ...`).

    Args:
        choices: The choices of the program.
        counts: Earlier counts, which are added to.
    """
    counts = Counter() if counts is None else counts
    for choice in choices:
        if choice.fault is not None:
            known = (key for key in counts if find_fault(key) == choice.fault)
            counts[next(known, SEPARATOR.join(filter(None, (choice.fault.value, choice.detail))))] += 1
    return counts


def find_fault(key: str) -> str:
    """Return the fault of a key of `count_faults`."""
    return key.partition(SEPARATOR)[0]


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
    parts, reasons = [], False
    for fault in Fault:
        keys = [key for key in counts if find_fault(key) == fault]
        why = next(filter(None, (key.partition(SEPARATOR)[2] for key in keys)), "")
        if number := sum(counts[key] for key in keys):
            parts.append(f"{number} {fault}" + (messages.FIRST.format(why=why) if why else ""))
        reasons |= fault == Fault.CRASHED and bool(why)
    text = messages.CHOSEN.format(moves=moves, name=name, counts=", ".join(parts))
    return f"{text} {messages.SEE_OUTPUT}" if reasons else text
