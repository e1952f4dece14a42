"""The sentence about a game whose cards differ from the standard set."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from gonfalon.core.files.card_changes import format_value
from gonfalon.core.files.card_sets import describe_card_set, find_set_name
from gonfalon.core.rules.game import Game
from gonfalon.core.text.untrusted import isolate
from gonfalon.terminal import messages

MAX_CHANGES: Final = 6
"""Maximum number of changes that are listed before a game."""


def describe_own_cards(game: Game) -> str:
    """Return the name of a game's own cards and their changes; empty for the standard set."""
    changes = [
        (change.title, format_value(change.before), format_value(change.after)) for change in describe_card_set(game)
    ]
    return format_own_cards(find_set_name(game), changes)


def format_own_cards(name: str, changes: Sequence[tuple[str, str, str]]) -> str:
    """Return a set of cards in words: its name, and title, old and new value of its changes; empty without changes."""
    if not changes:
        return ""
    told = [messages.CARD_CHANGE.format(title=title, before=before, after=after) for title, before, after in changes]
    rest = len(told) - MAX_CHANGES
    more = [messages.MORE_CHANGES.format(count=rest)] if rest > 0 else []
    return messages.OWN_CARDS.format(
        name=isolate(name) if name else messages.UNNAMED_CARDS, changes="; ".join(told[:MAX_CHANGES] + more)
    )
