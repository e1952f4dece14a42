"""Cards: one int each, with the kind, the seats that have seen it, and the flags of its game.

    bits 0-9    kind (printed card); 1023 stands for "not known to the viewer"
    bits 10-17  seen by seat 0, 1, ... 7
    bits 18-    public flags (face down, a token on it, ...)

The seen bits move with the card. Cards of a kind differ in nothing else, so copies need no identity.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

from mypy_extensions import i64

KIND: Final = 1023
"""The mask of the kind of a card."""
HIDDEN: Final = 1023
"""The kind of a card that the viewer does not know."""
SEEN: Final[list[int]] = [1 << (10 + seat) for seat in range(8)]
"""The seen bit of each seat."""
SEEN_BY_ANY: Final = 255 << 10
"""The mask of all seen bits."""
FLAG: Final = 1 << 18
"""The lowest flag."""


Unread: TypeAlias = "list[Any]"
"""A list whose items are passed on unread. In compiled code an item of a typed list is checked when it is read, and an
int is boxed again."""


def seen_by_all(seats: int) -> int:
    """Return the seen bits of every seat."""
    return ((1 << seats) - 1) << 10


def by_card(values: Unread, seats: int) -> Unread:
    """Return a list indexed by whole cards without flags, from a list indexed by kinds.

    It saves a hot loop the `& KIND`. The entry of an unknown card is None or empty. The list ends with the last value,
    because lists of a power of two bytes collide in the cache.

    Args:
        values: One value for each kind.
        seats: The number of seats.
    """
    return (values + [None] * (HIDDEN + 1 - len(values))) * ((1 << seats) - 1) + values


def take(zone: list[int], kind: int) -> int:
    """Remove and return a card of a kind: of several copies the one that most seats know.

    No player knows which copy leaves. Removing the known one makes the seats forget, so that a viewer never knows more
    than a lower bound of the number of copies.

    Args:
        zone: The zone, which changes.
        kind: The kind of card.

    Raises:
        ValueError: The zone has no such card.
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
    """Return the kinds in a zone, each once, ascending."""
    out: list[int] = []
    for card in zone:  # zones are short: compiled, insertion is twice as fast as a set
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
    """Return the number of cards of each of the `kinds` in a zone."""
    return [copies(zone, kind) for kind in kinds(zone)]


def unshare(zones: list[list[int]], seen: int) -> None:
    """Replace each zone that has a card without one of these seen bits by a copy, so that clones do not share it."""
    for i, zone in enumerate(zones):
        for card in zone:
            if card & seen != seen:
                zones[i] = zone[:]
                break


BLANKS: Final[Unread] = [seen << 10 | HIDDEN for seen in range(256)]
"""Unknown cards, by the seats that have seen them."""


def blank(zone: list[int], need: int) -> None:
    """Blank in place every card that lacks one of the seen bits `need`. Seen bits and flags stay."""
    cards: Unread = zone
    for at, card in enumerate(zone):
        if card & need != need:
            # A ready object is stored for cards without flags. A computed int would be boxed again in compiled code.
            cards[at] = BLANKS[card >> 10] if card < FLAG else card | HIDDEN
