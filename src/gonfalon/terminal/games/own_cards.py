"""Own cards in a terminal: their changes in words, and the rules with them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from gonfalon import games
from gonfalon.core.basics.errors import DataError, OptionError
from gonfalon.core.files.card_changes import format_value
from gonfalon.core.files.card_sets import describe_card_set, find_set_name, read_card_set, write_changes
from gonfalon.core.rules.game import Game
from gonfalon.core.text.untrusted import isolate
from gonfalon.terminal import messages
from gonfalon.terminal.games.server import Json

MAX_CHANGES: Final = 4
"""Maximum number of changes that are listed before a game."""


def describe_own_cards(game: Game) -> str:
    """Return the name of a game's own cards and their changes; empty for the standard set."""
    changes = describe_card_set(game)
    told = [(change.title, change.before, change.after) for change in changes[:MAX_CHANGES]]
    return format_own_cards(find_set_name(game), told, len(changes))


def describe_table_cards(cards: Json | None) -> str:
    """Return the name and the changes of the own cards that a server reports; empty for the standard set."""
    if cards is None:
        return ""
    told = [(str(change["title"]), change["before"], change["after"]) for change in cards["changes"][:MAX_CHANGES]]
    return format_own_cards(str(cards["name"]), told, int(cards["count"]))


def format_own_cards(name: str, changes: Sequence[tuple[str, object, object]], count: int) -> str:
    """Return a set of cards in words.

    Args:
        name: Its name; empty if it has none.
        changes: Title, old and new value of its first changes.
        count: The number of all changes; for 0 the text is empty.
    """
    if not count:
        return ""
    told = [
        messages.CARD_CHANGE.format(title=isolate(title), before=format_value(before), after=format_value(after))
        for title, before, after in changes
    ]
    more = [messages.MORE_CHANGES.format(count=count - len(told))] if count > len(told) else []
    return messages.OWN_CARDS.format(
        name=isolate(name) if name else messages.UNNAMED_CARDS, changes="; ".join(told + more)
    )


def make_rules(name: str, cards: Json | None = None) -> Game | None:
    """Return the rules of a game with the own cards that a server reports, as far as its changes express them; None if
    the game is not installed."""
    if name not in games.names():
        return None
    kind = games.find_game_class(name)
    if cards is not None:
        text = write_changes("", [(str(change["path"]), change["after"]) for change in cards["changes"]])
        with suppress(DataError, OptionError):
            return kind(**read_card_set(kind, text).options)
    return kind()
