"""Typed lines: an action by its number or notation, and the reply about a card."""

from __future__ import annotations

from collections.abc import Sequence

from gonfalon.core.basics.errors import NotationError
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import Action
from gonfalon.terminal import messages
from gonfalon.terminal.drawing.cards import format_card, mark_changes


def parse_action(game: Game, legal: Sequence[Action], line: str) -> Action:
    """Return the action in a line: its number among the legal ones, or its notation, in any case and with any spaces.
    Raises NotationError."""
    if line.removeprefix("-").isdecimal():
        # Python refuses to convert very long numbers.
        number = int(line) if len(line) < 9 else 0
        if 0 < number <= len(legal):
            return legal[number - 1]
        raise NotationError(messages.NO_ACTION.format(number=line[:20], count=len(legal)))
    try:
        return game.parse(line)
    except NotationError:
        plain = "".join(line.lower().split())
        if plain == line:
            raise
        return game.parse(plain)


def format_card_reply(game: Game, name: str) -> str:
    """Return the text of a card, or the message that there is none."""
    card = game.card(name) if name else None
    if card is not None:
        return format_card(mark_changes(game, card))
    return messages.NO_CARD.format(name=repr(name)) if name else messages.WHICH_CARD
