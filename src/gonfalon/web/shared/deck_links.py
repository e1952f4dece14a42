"""Decks in forms and addresses: a preset deck by its slug, any deck by its share code or link."""

from __future__ import annotations

from dataclasses import replace
from typing import Final
from urllib.parse import parse_qsl, urlencode

from gonfalon.core.basics.decks import Deck, DeckError, Decks
from gonfalon.core.text.untrusted import one_line, without_isolates

LONGEST_NAME: Final = 60


def link_of(decks: Decks, deck: Deck) -> str:
    """Return the end of a deck's link: its code and its name."""
    fields = {"d": decks.code(deck) if deck.counts else "", "name": deck.name}
    return "?" + urlencode({key: value for key, value in fields.items() if value})


def linked_deck(decks: Decks, text: str) -> Deck | None:
    """Return the deck of a link to any server; None for other text. Raises DeckError."""
    _, _, query = text.strip().partition("?")
    fields = dict(parse_qsl(query.partition("#")[0])) if "\n" not in query else {}
    code = fields.get("d", "").strip()
    return replace(decks.decode(code), name=clean_deck_name(fields.get("name", ""))) if code else None


def clean_deck_name(text: str) -> str:
    """Return a valid name for a deck."""
    return one_line(without_isolates(text))[:LONGEST_NAME].strip()


def any_deck(decks: Decks, text: str) -> Deck:
    """Return the deck of a slug, a preset deck's name, a code or a link. Raises DeckError."""
    return linked_deck(decks, text) or decks.find(text)


def describe_faults(faults: list[str]) -> str:
    """Return the first fault of a deck, and the number of further faults."""
    return faults[0] + (f" And {len(faults) - 1} more." if len(faults) > 1 else "")


def word_of(decks: Decks, deck: Deck) -> str:
    """Return the text that names a deck to the game: the slug if it equals a preset deck."""
    same = [ready for ready in decks.ready() if ready.counts == deck.counts]
    return decks.named(same[0] if same else replace(deck, slug=""))


def deck_label(decks: Decks, text: str) -> str:
    """Return the name of a deck for lists; empty for text that is no deck."""
    try:
        return any_deck(decks, text).name or "A deck of your own"
    except DeckError:
        return ""


def pasted_deck(decks: Decks, text: str) -> Deck:
    """Return a pasted deck: a share code, a link, the name of a preset deck, or a deck file. Raises DeckError."""
    if not text.strip():
        raise DeckError("Paste a share code, a link or a deck file.")
    linked = linked_deck(decks, text)
    if linked is not None:
        return linked
    deck, faults = decks.parse(text)
    if deck.counts and not faults:
        return deck
    if "\n" not in text.strip():
        return decks.find(text)
    raise DeckError(" ".join(faults) or "There is no card in this text.")
