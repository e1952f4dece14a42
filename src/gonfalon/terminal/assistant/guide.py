"""Rules and cards in words, from the installed games."""

from __future__ import annotations

from gonfalon import games
from gonfalon.core.arrays.guide_text import find_ruling, guide_text, split_guide
from gonfalon.core.rules.game import Game
from gonfalon.terminal.assistant import messages
from gonfalon.terminal.drawing.cards import format_card, mark_changes
from gonfalon.terminal.games.server import ServerError

GUIDE: str = "guide.md"


def read_rules(kind: type[Game], text: str, rules: Game | None = None) -> str:
    """Return a section of the rules, a ruling by its number, or a card by its name.

    Args:
        kind: The game.
        text: The heading, the number or the name; empty for the first section and the list of all.
        rules: The game with the cards of a table; None for the standard cards.

    Raises:
        ServerError: The game has no such section, ruling or card.
    """
    guide = guide_text(kind) if (kind.folder / GUIDE).is_file() else ""
    sections = split_guide(guide)
    headings = [heading for heading in sections if heading]
    if not text:
        if not headings:
            raise ServerError(messages.NO_GUIDE.format(game=kind.title))
        told = messages.SECTIONS.format(sections=", ".join(headings))
        return "\n\n".join((sections[""], sections[headings[0]], told)).strip()
    number = text.removeprefix("ruling").strip()
    if number.isdecimal() and len(number) < 9:
        if ruling := find_ruling(guide, int(number)):
            return ruling
        raise ServerError(messages.NO_RULING.format(game=kind.title, number=number))
    heading = next((one for one in headings if one.casefold() == text.casefold()), None)
    if heading is not None:
        return sections[heading]
    rules = rules or games.game(kind.name)
    card = rules.card(text)
    if card is None:
        raise ServerError(
            messages.NOTHING_FOUND.format(game=kind.title, text=repr(text[:40]), sections=", ".join(headings))
        )
    return format_card(mark_changes(rules, card))
