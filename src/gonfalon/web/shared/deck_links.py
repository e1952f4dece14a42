"""Decks in forms and addresses: a preset deck by its slug, any deck by its share code or link."""

from __future__ import annotations

from dataclasses import replace
from typing import Final
from urllib.parse import parse_qsl, urlencode

from gonfalon.core.basics.decks import Deck, DeckError, Decks
from gonfalon.core.text.untrusted import one_line, without_isolates
from gonfalon.web import messages

LONGEST_NAME: Final = 60


def format_link(decks: Decks, deck: Deck) -> str:
    """Return the end of a deck's link: its code and its name."""
    fields = {"d": decks.code(deck) if deck.counts else "", "name": deck.name}
    return "?" + urlencode({key: value for key, value in fields.items() if value})


def parse_link(decks: Decks, text: str) -> Deck | None:
    """Return the deck of a link to any server; None for other text. Raises DeckError."""
    # The host is ignored, because a deck is the same on every server.
    _, _, query = text.strip().partition("?")
    fields = dict(parse_qsl(query.partition("#")[0])) if "\n" not in query else {}
    code = fields.get("d", "").strip()
    return replace(decks.decode(code), name=clean_deck_name(fields.get("name", ""))) if code else None


def clean_deck_name(text: str) -> str:
    """Return a valid name for a deck."""
    return one_line(without_isolates(text))[:LONGEST_NAME].strip()


def find_deck(decks: Decks, text: str) -> Deck:
    """Return the deck of a slug, a preset deck's name, a code or a link. Raises DeckError."""
    return parse_link(decks, text) or decks.find(text)


def describe_faults(faults: list[str]) -> str:
    """Return the first fault of a deck, and the number of further faults."""
    if len(faults) == 1:
        return faults[0]
    return messages.MORE_FAULTS.format(fault=faults[0], count=len(faults) - 1)


def name_deck(decks: Decks, deck: Deck) -> str:
    """Return the text that names a deck to the game: the slug if it equals a preset deck."""
    same = [ready for ready in decks.ready() if ready.counts == deck.counts]
    return decks.named(same[0] if same else replace(deck, slug=""))


def deck_label(decks: Decks, text: str) -> str:
    """Return the name of a deck for lists; empty for text that is no deck."""
    try:
        return find_deck(decks, text).name or messages.A_DECK_OF_YOUR_OWN
    except DeckError:
        return ""


def parse_pasted(decks: Decks, text: str) -> Deck:
    """Return a pasted deck: a share code, a link, the name of a preset deck, or a deck file. Raises DeckError."""
    if not text.strip():
        raise DeckError(messages.PASTE_DECK)
    linked = parse_link(decks, text)
    if linked is not None:
        return linked
    deck, faults = decks.parse(text)
    if deck.counts and not faults:
        return deck
    if "\n" not in text.strip():
        return decks.find(text)
    raise DeckError(" ".join(faults) or messages.NO_CARD_IN_TEXT)
