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
"""A list whose items are passed on unread. In compiled code an item of a typed list is checked when it is taken, and an
int is boxed again."""


def seen_by_all(seats: int) -> int:
    """The seen bits of every seat."""
    return ((1 << seats) - 1) << 10


def by_card(values: Unread, seats: int) -> Unread:
    """Return a list indexed by whole cards without flags, from a list indexed by kinds.

    A hot loop saves the `& KIND`. The entry of an unknown card is None or empty. The list ends with the last value,
    since lists of a power of two bytes collide in the cache.
    """
    return (values + [None] * (HIDDEN + 1 - len(values))) * ((1 << seats) - 1) + values


def take(zone: list[int], kind: int) -> int:
    """Remove and return a card of this kind; of several the one known to most seats.

    No player knows which copy leaves: removing the known one makes the others forget, so that a viewer never keeps more
    than a lower bound of the number of copies.
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
    """Return the number of cards of a kind in a zone."""
    count = 0
    for card in zone:
        if card & KIND == kind:
            count += 1
    return count


def counts(zone: list[int]) -> list[int]:
    """Return the number of cards of each of its `kinds` in a zone."""
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
