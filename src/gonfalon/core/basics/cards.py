"""A card is one int: its kind, the seats that have seen it, and the flags of its game.

    bits 0-9    kind (printed card); 1023 stands for "not known to the viewer"
    bits 10-17  seen by seat 0, 1, ... 7
    bits 18-    flags that everybody may see (face down, a token on it, ...)

Who has seen a card travels with the card; that two cards of a kind differ in nothing else is the
reason why no copy needs an identity.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

from mypy_extensions import i64

KIND: Final = 1023
HIDDEN: Final = 1023
SEEN: Final[list[int]] = [1 << (10 + seat) for seat in range(8)]
SEEN_BY_ANY: Final = 255 << 10
FLAG: Final = 1 << 18


Unread: TypeAlias = "list[Any]"
"""A list whose items are handed on as they are. Compiled, an item of a typed list is checked as it is taken, and an int
made anew as an object."""


def seen_by_all(seats: int) -> int:
    """The seen bits of every seat."""
    return ((1 << seats) - 1) << 10


def by_card(values: Unread, seats: int) -> Unread:
    """What a list says of each kind, looked up by a whole card without flags, whichever seats have seen it:
    a hot loop saves the `& KIND`. Of a card that is not known it says None or nothing.

    It ends with the last value, as lists of a round number of bytes get in each other's way in the cache."""
    return (values + [None] * (HIDDEN + 1 - len(values))) * ((1 << seats) - 1) + values


def take(zone: list[int], kind: int) -> int:
    """Remove and return a card of this kind; of several the one known to most goes first.

    Which copy leaves is nobody's information: taking the known one makes the rest forget, so that a
    viewer never keeps more than "at least so many were there".
    """
    best: i64 = -1
    at: i64 = -1
    for i, card in enumerate(zone):
        if card & KIND == kind and card > best:
            best = card
            at = i
    if at < 0:
        raise ValueError("no such card")
    zone.pop(at)
    return best


def kinds(zone: list[int]) -> list[int]:
    """The kinds in a zone, sorted, each once."""
    out: list[int] = []
    for card in zone:  # zones are short: compiled, sorting in is twice as fast as a set
        kind: i64 = card & KIND
        at: i64 = len(out)
        while at > 0 and out[at - 1] > kind:
            at -= 1
        if at == 0 or out[at - 1] != kind:
            out.insert(at, kind)
    return out


def copies(zone: list[int], kind: int) -> int:
    """How many cards of a kind lie in a zone."""
    count = 0
    for card in zone:
        if card & KIND == kind:
            count += 1
    return count


def counts(zone: list[int]) -> list[int]:
    """How many cards of each of its `kinds` lie in a zone."""
    return [copies(zone, kind) for kind in kinds(zone)]


def unshare(zones: list[list[int]], seen: int) -> None:
    """Replace by a copy every zone with a card that lacks one of these seen bits."""
    for i, zone in enumerate(zones):
        for card in zone:
            if card & seen != seen:
                zones[i] = zone[:]
                break


BLANKS: Final[Unread] = [seen << 10 | HIDDEN for seen in range(256)]
"""Cards that are not known, by the seats that have seen them."""


def blank(zone: list[int], need: int) -> None:
    """Blank in place every card that lacks one of the seen bits `need`."""
    cards: Unread = zone
    for at, card in enumerate(zone):
        if card & need != need:
            cards[at] = BLANKS[card >> 10] if card < FLAG else card | HIDDEN
