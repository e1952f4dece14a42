"""How a deck is told in a form or an address: a ready-made one by its slug, any by its share code or by a link."""

from __future__ import annotations

from dataclasses import replace
from typing import Final
from urllib.parse import parse_qsl, urlencode

from gonfalon.core.basics.decks import Deck, DeckError, Decks
from gonfalon.core.text.untrusted import one_line, without_isolates

LONGEST_NAME: Final = 60


def link_of(decks: Decks, deck: Deck) -> str:
    """The end of a deck's link: its code, and its name."""
    fields = {"d": decks.code(deck) if deck.counts else "", "name": deck.name}
    return "?" + urlencode({key: value for key, value in fields.items() if value})


def linked_deck(decks: Decks, text: str) -> Deck | None:
    """The deck of a link, whatever server it leads to; None for another text. Raises DeckError."""
    _, _, query = text.strip().partition("?")
    fields = dict(parse_qsl(query.partition("#")[0])) if "\n" not in query else {}
    code = fields.get("d", "").strip()
    return replace(decks.decode(code), name=named(fields.get("name", ""))) if code else None


def named(text: str) -> str:
    """A deck's name as it may be."""
    return one_line(without_isolates(text))[:LONGEST_NAME].strip()


def any_deck(decks: Decks, text: str) -> Deck:
    """The deck of a slug, a ready-made deck's name, a code or a link. Raises DeckError."""
    return linked_deck(decks, text) or decks.find(text)


def told(faults: list[str]) -> str:
    """What is wrong with a deck: the first fault, and how many more there are."""
    return faults[0] + (f" And {len(faults) - 1} more." if len(faults) > 1 else "")


def word_of(decks: Decks, deck: Deck) -> str:
    """How to tell the game of a deck: by the slug when it is a ready-made one, however it came about."""
    same = [ready for ready in decks.ready() if ready.counts == deck.counts]
    return decks.named(same[0] if same else replace(deck, slug=""))


def deck_label(decks: Decks, text: str) -> str:
    """What a deck is called in a list; empty for a text that is none."""
    try:
        return any_deck(decks, text).name or "A deck of your own"
    except DeckError:
        return ""


def pasted_deck(decks: Decks, text: str) -> Deck:
    """The deck that somebody pasted: a share code, a link, the name of a ready-made deck, or a deck file.
    Raises DeckError."""
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
