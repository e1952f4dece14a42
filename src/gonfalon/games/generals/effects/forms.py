"""The forms that an entry of an operation or an event may have."""

from __future__ import annotations

from typing import Final

from gonfalon.games.generals.cards.checks import Check, Entry
from gonfalon.games.generals.effects.vocabulary import DURATIONS, PLAYERS, ZONES


def one_of(*known: str) -> Check:
    """One of these words."""

    def check(e: Entry) -> None:
        e.checks.word(e.value, known, e.place, e.key)

    return check


def whole(least: int, most: int = 99) -> Check:
    """A whole number within bounds."""

    def check(e: Entry) -> None:
        e.checks.whole(e.value, e.place, e.key, least, most)

    return check


def flag(e: Entry) -> None:
    """True or false."""
    e.checks.flag(e.value, e.place, e.key)


def amount(e: Entry) -> None:
    """A whole number, or the name of one that was stored."""
    if not isinstance(e.value, str):
        e.checks.whole(e.value, e.place, e.key, 1)
    elif e.scope.stored.get(e.value) != "number":
        e.fault(f"{e.key} names {e.value!r}, which no discard before has stored", e.value)


def text(e: Entry) -> None:
    """A text that says something."""
    if not isinstance(e.value, str) or not e.value.strip():
        e.fault(f"{e.key} must be a text, not {e.value!r}", e.value)


def until(e: Entry) -> None:
    """How long a change lasts."""
    if e.scope.static:
        e.checks.word(e.value, ("while",), e.place, "until, in a static ability,")
    else:
        e.checks.word(e.value, DURATIONS, e.place, e.key)


def cards(e: Entry) -> None:
    """Which cards."""
    e.checks.card_filter(e.value, e.inside)


def generals(e: Entry) -> None:
    """Generals, who are chosen unless it is always so."""
    e.checks.generals(e.value, e.inside, e.scope, not e.scope.static)


def any_generals(e: Entry) -> None:
    """Generals who are not chosen."""
    e.checks.generals(e.value, e.inside, e.scope, False)


def own_card(e: Entry) -> None:
    """The card itself, or its general."""
    e.checks.reference(e.value, e.inside, e.scope, e.scope.own)


def conditions(e: Entry) -> None:
    """A list of conditions."""
    e.checks.conditions(e.value, e.inside, e.scope)


count: Final = whole(1)
player: Final = one_of(*PLAYERS)
place: Final = one_of(*ZONES)
