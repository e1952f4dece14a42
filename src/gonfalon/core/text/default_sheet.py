"""The drawing of any board in characters, for games without a sheet of their own."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import Final

from gonfalon.core.text.english import slug
from gonfalon.core.text.sheet import BACK, Line, Piece, Sheet, flow_pieces, group_equal, mark
from gonfalon.core.text.sides import OddBoardError, Side, Zone, sides_of

GROUP_AT: Final = 12
"""The number of cards in a zone above which equal ones are drawn once, with their number."""

Cloths = Sequence[tuple[str, str]]
"""The color and pattern of each seat's banner."""


def default_sheet(board: Mapping[str, object], me: int, names: Sequence[str], width: int, cloths: Cloths) -> Sheet:
    """Draw a board as its sides, zones and cards, the viewer's own side last. A board with other values is listed field
    by field.

    Args:
        board: A board as JSON.
        me: The viewer's seat; negative for spectators.
        names: The names of the seats as the viewer reads them.
        width: The number of columns of a line.
        cloths: The banners of the seats.
    """
    try:
        sides, shared = sides_of(board, len(names))
    except OddBoardError:
        fields = [f"{key}: {value}" for key, value in board.items()]
        return Sheet([], [[Piece(line)] for field in fields for line in wrap_field(field, width)])
    at = max(me, 0)
    hands = [zone for zone in sides[me].zones if is_hand(zone)] if me >= 0 else []
    lines: list[Line] = []
    # The other seats follow in the order of play after the viewer.
    for side in [*sides[at + 1 :], *sides[:at]]:
        lines += [*draw_side(side, names[side.seat], width, cloths), []]
    lines += [*draw_side(shared, "", width, cloths), []]
    lines += draw_side(sides[at], names[at], width, cloths, hands, me >= 0)
    return Sheet([], lines, [draw_card(card, "own", True) for zone in hands for card in zone.cards])


def wrap_field(text: str, width: int) -> list[str]:
    """Return a field in lines of at most `width` characters."""
    return textwrap.wrap(text, width, subsequent_indent="  ") or [""]


def is_hand(zone: Zone) -> bool:
    """Return whether a zone of the viewer's side is held in the hand."""
    return zone.secret and zone.label.startswith("Hand")


def draw_side(
    side: Side, name: str, width: int, cloths: Cloths, hands: Sequence[Zone] = (), mine: bool = False
) -> list[Line]:
    """Return the lines of a seat's side, or of the shared zones, without the zones in `hands`."""
    color, pattern = cloths[side.seat % len(cloths)] if side.seat >= 0 else ("", "")
    head = [Piece(f"{mark(pattern)} {name}", f"bold {color}")] if name else []
    head += [Piece(f"{label} {value}", "soft") for label, value in side.facts]
    head += [Piece(word, "bold") for word in side.marks]
    lines = flow_pieces(head, width) if head else []
    for zone in side.zones:
        if zone not in hands:
            pieces = [Piece(f"{zone.label}:", "soft"), *draw_zone(zone, color, mine and zone.secret)]
            lines += flow_pieces(pieces, width, indent=4)
    return lines


def draw_zone(zone: Zone, color: str, is_touched: bool) -> list[Piece]:
    """Return the cards of a zone; face-down cards are counted."""
    known = [draw_card(card, color, is_touched) for card in zone.cards if card is not None]
    pieces = group_equal(known) if len(known) > GROUP_AT else known
    if backs := len(zone.cards) - len(known):
        pieces.append(Piece(f"{BACK} {backs} face down", "soft"))
    return pieces or [Piece("none", "soft")]


def draw_card(card: str | None, look: str, is_touched: bool) -> Piece:
    """Return a card by its name. A click on it chooses it if `is_touched`."""
    if card is None:
        return Piece(f"{BACK} face down", "soft")
    return Piece(card, look, slug(card) if is_touched else "", slug(card))
