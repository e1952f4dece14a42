"""Decks in forms and addresses: a preset deck by its slug, any deck by its share code or link."""

from __future__ import annotations

from dataclasses import replace

from gonfalon.core.basics.decks import Deck, DeckError, Decks
from gonfalon.web import messages


def describe_faults(faults: list[str]) -> str:
    """Return the first fault of a deck, and the number of further faults."""
    return faults[0] if len(faults) == 1 else messages.MORE_FAULTS.format(fault=faults[0], count=len(faults) - 1)


def name_deck(decks: Decks, deck: Deck) -> str:
    """Return the text that names a deck to the game: the slug if it equals a preset deck."""
    same = [ready for ready in decks.ready() if ready.counts == deck.counts]
    return decks.named(same[0] if same else replace(deck, slug=""))


def deck_label(decks: Decks, text: str) -> str:
    """Return the name of a deck for lists; empty for text that is no deck."""
    try:
        return decks.find(text).name or messages.A_DECK_OF_YOUR_OWN
    except DeckError:
        return ""
