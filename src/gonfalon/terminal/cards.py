"""A printed card as lines of text."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from typing import Any, Final

from gonfalon.terminal.console import WIDTH

TOLD: Final = {"name", "slug", "text", "provenance", "rulings"}  # in lines of their own
OF_A_COPY: Final = {"id", "back", "down", "known", "owner", "stay", "icons"}


def card_text(card: Mapping[str, Any]) -> str:
    """What is printed on a card (as `Game.card` gives it), where each number comes from, its rulings."""
    origin = card.get("provenance") or {}
    lines = [str(card.get("name") or card.get("slug"))]
    numbers = []
    for key, value in card.items():
        if key in TOLD | OF_A_COPY or value in (None, False, []) or isinstance(value, dict):
            continue
        words = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
        words = "yes" if value is True else words
        source = f" ({origin[key]})" if key in origin else ""
        numbers.append(f"{key.replace('_', ' ').capitalize()}: {words}{source}")
    lines += textwrap.wrap("; ".join(numbers), WIDTH, initial_indent="  ", subsequent_indent="  ")
    if card.get("text"):
        lines += textwrap.wrap(str(card["text"]), WIDTH, initial_indent="  ", subsequent_indent="  ")
    rulings = card.get("rulings") or []
    if rulings:
        lines.append(f"  Rulings: {', '.join(str(ruling) for ruling in rulings)}")
    return "\n".join(lines)
