"""Decks of one's own, kept as deck files in a folder of this user's: by name in the menu and on the command line."""

from __future__ import annotations

import difflib
import os
from pathlib import Path
from typing import NamedTuple

from gonfalon.core.decks import MAX_DECK_BYTES, Deck, DeckError, Decks
from gonfalon.core.files import read_text
from gonfalon.core.folders import own


class Shelved(NamedTuple):
    """A deck that is kept, as far as it can be read."""

    path: Path
    deck: Deck
    faults: list[str]
    """All that forbids to play with it."""


def folder(game: str) -> Path:
    """Where the decks of a game are."""
    return own("decks", game)


def slug_of(name: str) -> str:
    """What a deck of this name is called by, and its file."""
    return "-".join("".join(c if c.isalnum() else " " for c in name.lower()).split())


def place_of(game: str, name: str) -> Path:
    """The file of a deck of this name. Raises DeckError where a name has neither letters nor digits."""
    slug = slug_of(name)
    if not slug:
        raise DeckError(f"{name[:60]!r} is no name for a deck: it has no letter and no digit.")
    return folder(game) / f"{slug}.deck"


def text_of(game: str, word: str) -> str | None:
    """The deck file of a name; None where no such deck is kept."""
    path = folder(game) / f"{slug_of(word)}.deck"
    try:
        return read_text(path, MAX_DECK_BYTES)
    except (OSError, ValueError):
        return None


def paths(game: str) -> list[Path]:
    """The files of the decks that are kept."""
    try:
        return sorted(folder(game).glob("*.deck"))
    except OSError:
        return []


def shelf(game: str, decks: Decks) -> list[Shelved]:
    """The decks that are kept, by name; files that cannot be read are passed over."""
    found: list[Shelved] = []
    for path in paths(game):
        try:
            deck, unread = decks.parse(read_text(path, MAX_DECK_BYTES))
        except (OSError, ValueError):
            continue
        found.append(Shelved(path, deck, unread + decks.check(deck)))
    return sorted(found, key=lambda one: one.deck.name.lower())


def tell_near(game: str, decks: Decks, word: str) -> None:
    """Raise DeckError where a word names no deck, but nearly one that is kept."""
    own = [path.stem for path in paths(game)]
    near = difflib.get_close_matches(slug_of(word), [*own, *(ready.slug for ready in decks.ready())], 1)
    if not near or near[0] not in own:
        return
    try:
        decks.find(word)
    except DeckError:
        raise DeckError(f"There is no deck {word!r}; did you mean {near[0]}?") from None


def save(game: str, decks: Decks, deck: Deck) -> Path:
    """Keep a deck under its name, in the place of one that is called so. Raises DeckError and OSError."""
    path = place_of(game, deck.name)
    if path.stem in {ready.slug for ready in decks.ready()}:
        raise DeckError(f"A ready-made deck is called {deck.name}; choose another name.")
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    beside.write_text(decks.text(deck), encoding="utf-8")
    beside.replace(path)
    return path
