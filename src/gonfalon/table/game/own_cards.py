"""The own cards of a table as JSON, equal for all viewers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Annotated, Final, TypedDict

from gonfalon.core.basics.options import Options
from gonfalon.core.files.card_changes import Change
from gonfalon.core.files.card_sets import describe_card_set, find_set_name, has_own_cards
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.rules import CARD_SET

MAX_CHANGES: Final = 100
"""The number of differences from the standard cards in a view."""
MAX_LENGTH: Final = 16_000
"""The maximum length of these differences as JSON."""


class ShownChange(TypedDict):
    """A difference from the standard cards."""

    path: Annotated[str, "Its place, as a set of cards names it: `patriot.strength`."]
    title: Annotated[str, "Its name for people."]
    slug: Annotated[str, "The changed card; empty for another part of the game."]
    before: Annotated[object, "The standard value; null if it is new."]
    after: Annotated[object, "The value in this game; null if it is missing."]
    origin: Annotated[str, "The origin of the standard value, such as `rulebook`."]


class ShownCards(TypedDict):
    """The own cards of a table."""

    name: Annotated[str, "The name of the set; may be empty."]
    changes: Annotated[list[ShownChange], f"The first differences from the standard cards, at most {MAX_CHANGES}."]
    count: Annotated[int, "The number of all differences."]


def build_cards(game: Game) -> ShownCards | None:
    """Return the own cards of a game; None for the standard ones."""
    return list_changes(find_set_name(game), describe_card_set(game)) if has_own_cards(game) else None


def build_old_cards(options: Options) -> ShownCards | None:
    """Return the name of the own cards of a game whose rules are gone; None if they have none."""
    return list_changes(str(options[CARD_SET]), ()) if CARD_SET in options else None


def list_changes(name: str, changes: Sequence[Change]) -> ShownCards:
    """Return a set of own cards with the first of its changes."""
    shown: list[ShownChange] = []
    left = MAX_LENGTH
    for change in map(show_change, changes[:MAX_CHANGES]):
        # Every view holds these changes, and a card file can change long texts.
        left -= len(json.dumps(change))
        if left < 0:
            break
        shown.append(change)
    return {"name": name, "changes": shown, "count": len(changes)}


def show_change(change: Change) -> ShownChange:
    """Return a difference from the standard cards as JSON."""
    return {
        "path": change.path,
        "title": change.title,
        "slug": change.slug,
        "before": change.before,
        "after": change.after,
        "origin": change.origin,
    }
