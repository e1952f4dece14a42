"""The sides, zones and cards of any board, for games without a layout of their own.

They are read from the viewer's board alone, so they can show nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from gonfalon.core.text.english import slug

HIDDEN: Final = (None, "?", "")
"""The values by which boards mark an unknown card."""


class OddBoardError(Exception):
    """A board has a value that is neither a card, a zone nor a number."""


@dataclass
class Zone:
    """A row of cards by name; None is a card that the viewer does not know."""

    id: str
    label: str
    cards: list[str | None]
    secret: bool = False


@dataclass
class Side:
    """The zones of a seat, or the shared ones (-1)."""

    seat: int
    facts: list[tuple[str, str]] = field(default_factory=list)
    marks: list[str] = field(default_factory=list)
    """What is true of the seat, such as `Out`."""
    zones: list[Zone] = field(default_factory=list)


def sides_of(board: Mapping[str, object], seats: int) -> tuple[list[Side], Side]:
    """Return the sides of the seats, and the shared zones.

    Args:
        board: A board as JSON.
        seats: The number of seats.

    Raises:
        OddBoardError: The board can only be shown as text.
    """
    sides, shared = [Side(seat) for seat in range(seats)], Side(-1)
    for key, value in board.items():
        if key != "viewer":
            place_field(sides, shared, key, value)
    if not any(side.zones or side.facts for side in (*sides, shared)):
        raise OddBoardError
    mark_secret(sides, shared)
    return sides, shared


def place_field(sides: list[Side], shared: Side, key: str, value: object) -> None:
    """Add a field of a board to the sides it belongs to. Raises OddBoardError."""
    # The order of the tests matters: a list with an entry for each seat is split before a list counts as one zone.
    each = isinstance(value, (list, tuple)) and len(value) == len(sides)
    if isinstance(value, (list, tuple)) and each and all(isinstance(one, (list, tuple)) for one in value):
        for side, one in zip(sides, value, strict=True):
            put_field(side, key, one)
    elif isinstance(value, (list, tuple)) and each and all(isinstance(one, bool) for one in value):
        for side, one in zip(sides, value, strict=True):
            put_mark(side, key, one)
    elif isinstance(value, (list, tuple)) and each and all(is_number(one) for one in value):
        for side, one in zip(sides, value, strict=True):
            side.facts.append((label_of(key), format_value(one)))
    elif isinstance(value, (list, tuple)) and each and all(isinstance(one, dict) and not is_card(one) for one in value):
        for side, fields in zip(sides, value, strict=True):
            for name, one in fields.items():
                if name not in ("name", "seat"):
                    put_field(side, name, one)
    elif isinstance(value, dict) and not is_card(value):
        for name, one in value.items():
            place_field(sides, shared, name, one)
    else:
        put_field(shared, key, value)


def put_field(side: Side, key: str, value: object) -> None:
    """Add a field to a side: a zone, several zones, or a number. Raises OddBoardError."""
    if isinstance(value, (list, tuple)):
        if value and all(is_number(one) for one in value):
            side.facts.append((label_of(key), ", ".join(format_value(one) for one in value)))
        elif value and all(isinstance(one, (list, tuple)) for one in value):
            for n, part in enumerate(value, start=1):
                put_field(side, f"{key} {n}", part)
        else:
            zone = f"z-{slug(key)}" + (f"-{side.seat}" if side.seat >= 0 else "")
            side.zones.append(Zone(zone, label_of(key, side.seat >= 0), [face_of(one) for one in value]))
    elif is_card(value):
        put_field(side, key, [value])
    elif isinstance(value, bool) and side.seat >= 0:
        put_mark(side, key, value)
    elif isinstance(value, (str, int, float)):
        side.facts.append((label_of(key), format_value(value)))
    elif value is not None:
        raise OddBoardError


def put_mark(side: Side, key: str, value: bool) -> None:
    """Add a mark to the side of a seat if it is true."""
    if value:
        side.marks.append(label_of(key))


def is_number(value: object) -> bool:
    """Return whether a field is a number or a boolean."""
    return isinstance(value, (int, float))


def is_card(value: object) -> bool:
    """Return whether a field is a card, and not the fields of a seat."""
    if not isinstance(value, dict):
        return False
    flat = not any(isinstance(one, (list, tuple, dict)) for one in value.values())
    return "back" in value or (flat and isinstance(value.get("name"), str))


def face_of(value: object) -> str | None:
    """Return the name of a card; None if it is face down. Raises OddBoardError."""
    if isinstance(value, dict) and is_card(value):
        return None if value.get("back") is True else str(value["name"]) if "name" in value else None
    if value in HIDDEN:
        return None
    if not isinstance(value, str):
        raise OddBoardError
    return value


def format_value(value: object) -> str:
    """Return a number or a word as people read it."""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def label_of(key: str, one: bool = False) -> str:
    """Return the label of a field. The `hands` of one seat have the label Hand."""
    words = key.replace("_", " ").replace("-", " ").strip()
    words = words[:-1] if one and words == "hands" else words
    return words[:1].upper() + words[1:]


def mark_secret(sides: list[Side], shared: Side) -> None:
    """Mark the zones that other players cannot see: those with a card unknown to the viewer, and hands."""
    # Zones are marked by label: if a zone of one seat hides a card, that zone is secret for every seat, even while
    # empty.
    dark = {zone.label for side in (*sides, shared) for zone in side.zones if None in zone.cards}
    for side in (*sides, shared):
        for zone in side.zones:
            zone.secret = zone.label in dark or zone.label.startswith("Hand")
