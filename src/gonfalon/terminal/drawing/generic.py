"""The table of a game that does not say how it lies in a terminal: its board as sides, zones and cards."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any, Final

from gonfalon.core.knowledge.sides import Odd, Side, Zone, sides_of
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.page import CLOTHS
from gonfalon.core.rules.simple import slug
from gonfalon.core.text.sheet import BACK, Line, Piece, Sheet, flowing, mark

MOST: Final = 12
"""Of more cards equal ones are told once."""


def sheet_of(
    game: Game | None, board: Mapping[str, Any], me: int, names: Sequence[str], words: str, width: int
) -> Sheet:
    """The game's own sheet has been asked for already; this is what any board comes to, or else its words."""
    try:
        sides, shared = sides_of(board, len(names))
    except Odd:
        return Sheet([], [[Piece(line)] for text in words.splitlines() for line in wrapped(text, width)])
    at = me if me >= 0 else 0
    order = [*sides[at + 1 :], *sides[:at]]
    hands = [zone for zone in sides[me].zones if is_hand(zone)] if me >= 0 else []
    lines: list[Line] = []
    for side in order:
        lines += [*side_lines(game, side, names[side.seat], width), []]
    lines += [*side_lines(game, shared, "", width), []]
    lines += side_lines(game, sides[at], names[at], width, hands, me >= 0)
    hand = [card_piece(card, 1, "own", True) for zone in hands for card in zone.cards]
    return Sheet([], lines, hand)


def wrapped(text: str, width: int) -> list[str]:
    """A line of the table in words, broken where it is too long."""
    indent = " " * (len(text) - len(text.lstrip()) + 2)
    return textwrap.wrap(text, width, subsequent_indent=indent) or [""]


def is_hand(zone: Zone) -> bool:
    """Whether a zone of one's own is held in the hand."""
    return zone.secret and zone.label.startswith("Hand")


def cloth(game: Game | None, seat: int) -> tuple[str, str]:
    """The colour and the character of a seat's banner."""
    if game is None:
        colour, pattern = CLOTHS[seat % len(CLOTHS)]
        return colour, mark(pattern)
    arms = game.arms(seat)
    return arms["colour"], mark(arms["pattern"])


def side_lines(
    game: Game | None, side: Side, name: str, width: int, hands: Sequence[Zone] = (), mine: bool = False
) -> list[Line]:
    """What belongs to a seat, or to nobody."""
    colour, sign = cloth(game, side.seat) if side.seat >= 0 else ("", "")
    head = [Piece(f"{sign} {name}", f"bold {colour}")] if name else []
    head += [Piece(f"{label} {value}", "soft") for label, value in side.facts]
    lines = flowing(head, width) if head else []
    for zone in side.zones:
        if zone not in hands:
            lines += flowing(
                [Piece(f"{zone.label}:", "soft"), *zone_pieces(zone, colour, mine and zone.secret)], width, indent=4
            )
    return lines


def zone_pieces(zone: Zone, colour: str, touched: bool) -> list[Piece]:
    """The cards of a zone; what is face down is counted."""
    known = [card for card in zone.cards if card is not None]
    counts: dict[str, int] = {}
    for card in known:
        counts[card] = counts.get(card, 0) + 1
    drawn = list(counts.items()) if len(known) > MOST else [(card, 1) for card in known]
    pieces = [card_piece(card, count, colour, touched) for card, count in drawn]
    if backs := len(zone.cards) - len(known):
        pieces.append(Piece(f"{BACK} {backs} face down", "soft"))
    return pieces or [Piece("none", "soft")]


def card_piece(card: str | None, count: int, look: str, touched: bool) -> Piece:
    """A card by its name; where it may be `touched`, that is also what touching it says."""
    if card is None:
        return Piece(f"{BACK} face down", "soft")
    return Piece(card if count == 1 else f"{card} ×{count}", look, slug(card) if touched else "", slug(card))
