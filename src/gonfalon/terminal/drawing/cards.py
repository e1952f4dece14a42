"""A printed card as lines of text."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from itertools import groupby
from typing import Any, Final

from gonfalon.core.files.card_changes import format_value, map_side_names
from gonfalon.core.files.card_sets import describe_card_set
from gonfalon.core.rules.game import Game
from gonfalon.core.text.sheet import Line, Piece
from gonfalon.terminal import messages
from gonfalon.terminal.drawing.console import WIDTH

Card = Mapping[str, Any]
"""A card as returned by `Game.card`."""
OWN_LINE_FIELDS: Final = {"name", "slug", "text", "provenance", "rulings"}
"""Fields of a card that have their own lines."""
RULE_FIELDS: Final = {"ability"}
"""Fields by which the rules identify a card. Their effect is in its text."""
LABELS: Final = {"faction_name": "Faction", "icon_words": "Icons"}
"""Labels of fields whose names are not words."""
PICTURE_FIELDS: Final = {"glyph", "pattern", "cost_text"}
"""Fields that only affect the picture, or repeat another field."""
TEXT_FIELDS: Final = {"icon_words", "protected"}
"""Fields that repeat the text of a card."""
FIXED_SPACE: Final = "\xa0"
"""A space at which a line must not be broken."""
COPY_FIELDS: Final = {"id", "back", "down", "known", "owner", "stay", "icons"}
"""Fields that belong to one copy of a card."""


def format_card(card: Card, width: int = WIDTH) -> str:
    """Return a printed card as text: its numbers with their provenance, its text, and its rulings.

    Args:
        card: The card as returned by `Game.card`.
        width: Maximum width in columns.
    """
    numbers, text, rulings = split_card(card)
    lines = [str(card.get("name") or card.get("slug"))]
    for part in (numbers, text, rulings):
        lines += textwrap.wrap(part, width, initial_indent="  ", subsequent_indent="  ")
    return "\n".join(lines)


def mark_changes(game: Game, card: Card) -> dict[str, Any]:
    """Return a card of a game with the name of its faction. Changed numbers have the standard value in place of a
    provenance."""
    faction = card.get("faction")
    card = {**card, "faction": map_side_names(game).get(faction, faction)} if isinstance(faction, str) else card
    told = {
        change.path.rpartition(".")[2]: messages.CHANGED_FROM.format(before=format_value(change.before))
        for change in describe_card_set(game)
        if change.slug and change.slug == card.get("slug") and change.before is not None
    }
    return {**card, "provenance": {**(card.get("provenance") or {}), **told}} if told else dict(card)


def split_card(card: Card) -> tuple[str, str, str]:
    """Return a card's numbers with their provenance, its text, and its rulings."""
    numbers = [f"{label}: {words}{f' ({origin})' * bool(origin)}" for label, words, origin in list_facts(card)]
    rulings = card.get("rulings") or []
    told = f"Rulings: {', '.join(str(ruling) for ruling in rulings)}" if rulings else ""
    return "; ".join(numbers), str(card.get("text") or ""), told


def list_facts(card: Card) -> list[tuple[str, str, str]]:
    """Return the printed facts of a card without its text: label, value and provenance of each."""
    origin = card.get("provenance") or {}
    named = {"faction"} if "faction_name" in card else set()
    found: list[tuple[str, str, str]] = []
    for key, value in card.items():
        if key in OWN_LINE_FIELDS | COPY_FIELDS | RULE_FIELDS | named or isinstance(value, dict):
            continue
        if value is None or value is False or value == []:  # a 0 is shown
            continue
        words = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
        label = LABELS.get(key, key.replace("_", " ").capitalize())
        found.append((label, "yes" if value is True else words, str(origin.get(key, ""))))
    return found


def format_card_panel(card: Card, width: int) -> list[Line]:
    """Return a printed card as lines for a narrow panel: first its text, then its numbers grouped by provenance."""
    left_out = PICTURE_FIELDS | TEXT_FIELDS | ({"colour"} if "pattern" in card else set())
    shown = {key: value for key, value in card.items() if key not in left_out}
    _, text, rulings = split_card(shown)
    numbers = []
    for origin, facts in groupby(list_facts(shown), lambda fact: fact[2]):
        told = ", ".join(f"{label}:{FIXED_SPACE}{words}" for label, words, _ in facts)
        numbers.append(f"{told} ({origin})" if origin else told)
    lines: list[Line] = [[Piece(str(card.get("name") or card.get("slug")), "title")]]
    for part, look in ((text, ""), ("; ".join(numbers), "soft"), (rulings, "soft")):
        lines += [[Piece(line.replace(FIXED_SPACE, " "), look)] for line in textwrap.wrap(part, width)]
    return lines
