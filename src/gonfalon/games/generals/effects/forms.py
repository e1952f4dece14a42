"""The checks of entries that several operations and events share."""

from __future__ import annotations

from typing import Final

from gonfalon.games.generals.cards.checks import Check, Entry
from gonfalon.games.generals.effects.vocabulary import DURATIONS, PLAYERS, ZONES


def one_of(*known: str) -> Check:
    """Return a check for one of these words."""

    def check(e: Entry) -> None:
        e.checks.word(e.value, known, e.place, e.key)

    return check


def whole(least: int, most: int = 99) -> Check:
    """Return a check for a whole number within bounds."""

    def check(e: Entry) -> None:
        e.checks.whole(e.value, e.place, e.key, least, most)

    return check


def flag(e: Entry) -> None:
    """Check a value that must be true or false."""
    e.checks.flag(e.value, e.place, e.key)


def amount(e: Entry) -> None:
    """Check a whole number, or the name of a stored number."""
    if not isinstance(e.value, str):
        e.checks.whole(e.value, e.place, e.key, 1)
    elif e.scope.stored.get(e.value) != "number":
        e.fault(f"{e.key} names {e.value!r}, which no earlier discard has stored", e.value)


def text(e: Entry) -> None:
    """Check a text that is not empty."""
    if not isinstance(e.value, str) or not e.value.strip():
        e.fault(f"{e.key} must be a text, not {e.value!r}", e.value)


def until(e: Entry) -> None:
    """Check the duration of a change."""
    if e.scope.static:
        e.checks.word(e.value, ("while",), e.place, "until, in a static ability,")
    else:
        e.checks.word(e.value, DURATIONS, e.place, e.key)


def cards(e: Entry) -> None:
    """Check a filter of cards."""
    e.checks.card_filter(e.value, e.inside)


def generals(e: Entry) -> None:
    """Check generals, which are chosen unless the ability is static."""
    e.checks.generals(e.value, e.inside, e.scope, not e.scope.static)


def any_generals(e: Entry) -> None:
    """Check generals that are not chosen."""
    e.checks.generals(e.value, e.inside, e.scope, False)


def own_card(e: Entry) -> None:
    """Check a reference to the card itself, or to its general."""
    e.checks.reference(e.value, e.inside, e.scope, e.scope.own)


def conditions(e: Entry) -> None:
    """Check a list of conditions."""
    e.checks.conditions(e.value, e.inside, e.scope)


count: Final = whole(1)
player: Final = one_of(*PLAYERS)
place: Final = one_of(*ZONES)
