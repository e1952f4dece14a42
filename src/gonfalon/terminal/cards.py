"""A printed card as lines of text."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from typing import Any, Final

from gonfalon.core.sheet import Line, Piece
from gonfalon.terminal.console import WIDTH

TOLD: Final = {"name", "slug", "text", "provenance", "rulings"}  # in lines of their own
OF_RULES: Final = {"ability"}
"""By what the rules know a card; what that comes to is in its text."""
LABELS: Final = {"faction_name": "Faction", "icon_words": "Icons"}
DRAWN: Final = {"glyph", "pattern", "cost_text"}
"""What only says how a card is drawn, or says it twice."""
OF_A_COPY: Final = {"id", "back", "down", "known", "owner", "stay", "icons"}


def card_text(card: Mapping[str, Any], width: int = WIDTH) -> str:
    """What is printed on a card (as `Game.card` gives it), where each number comes from, its rulings."""
    numbers, text, rulings = parts_of(card)
    lines = [str(card.get("name") or card.get("slug"))]
    for part in (numbers, text, rulings):
        lines += textwrap.wrap(part, width, initial_indent="  ", subsequent_indent="  ")
    return "\n".join(lines)


def parts_of(card: Mapping[str, Any]) -> tuple[str, str, str]:
    """A card's numbers with their provenance, its text, and its rulings."""
    origin = card.get("provenance") or {}
    numbers = []
    named = {"faction"} if "faction_name" in card else set()
    for key, value in card.items():
        if key in TOLD | OF_A_COPY | OF_RULES | named or value in (None, False, []) or isinstance(value, dict):
            continue
        words = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
        words = "yes" if value is True else words
        source = f" ({origin[key]})" if key in origin else ""
        numbers.append(f"{LABELS.get(key, key.replace('_', ' ').capitalize())}: {words}{source}")
    rulings = card.get("rulings") or []
    told = f"Rulings: {', '.join(str(ruling) for ruling in rulings)}" if rulings else ""
    return "; ".join(numbers), str(card.get("text") or ""), told


def card_beside(card: Mapping[str, Any], width: int) -> list[Line]:
    """The same for a narrow place: what it does first."""
    numbers, text, rulings = parts_of({key: value for key, value in card.items() if key not in DRAWN})
    lines: list[Line] = [[Piece(str(card.get("name") or card.get("slug")), "title")]]
    for part, look in ((text, ""), (numbers, "soft"), (rulings, "soft")):
        lines += [[Piece(line, look)] for line in textwrap.wrap(part, width)]
    return lines
