"""Decks on the command line, for any game: by file, slug, share code or link."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Final

from gonfalon.core.basics.decks import MAX_DECK_BYTES, Deck, DeckCard, DeckError, Decks
from gonfalon.core.files.reading import NOT_ORDINARY, read_text
from gonfalon.core.rules.game import Game
from gonfalon.core.text.english import many
from gonfalon.core.text.untrusted import print_json, print_text
from gonfalon.terminal import messages
from gonfalon.terminal.drawing.console import WIDTH

TURNS: Final = (1, 2, 3, 5, 8, 12)
"""Turns for which the chance of holding a card is shown."""
MAX_CODE_LENGTH: Final = 4000
"""The number of characters of a file that are read as a share code or a link."""
BAR_COLUMNS: Final = 40
"""Columns of the longest bar of the curve."""


def read_deck(decks: Decks, word: str) -> tuple[Deck, list[str]]:
    """Return the deck of a file, slug, code or link, and a sentence for each line of the file that is not a card.

    Raises:
        DeckError: The word names no deck.
        OSError: The file cannot be read.
    """
    text = read_file(word)
    if text is None:
        return decks.find(word), []
    deck, faults = decks.parse(text)
    if deck.counts:
        return deck, faults
    # A file may hold a share code or a link instead of cards.
    try:
        return decks.find(text[:MAX_CODE_LENGTH]), []
    except DeckError:
        if faults:
            raise DeckError(messages.NO_CARDS.format(file=word, fault=faults[0])) from None
        return deck, faults


def read_file(word: str) -> str | None:
    """Return the text of a deck file; None for a slug, a code or a link.

    Raises:
        DeckError: The word is a path without a file.
        OSError: The file cannot be read.
    """
    if "://" in word:
        return None
    path = Path(word)
    if not path.is_file():
        if path.is_dir():
            raise DeckError(messages.DECK_IS_FOLDER.format(file=word))
        if path.exists():
            raise DeckError(NOT_ORDINARY.format(word))
        # Such a word was meant as a path, so the missing file is reported instead of an unknown slug.
        if path.suffix in (".deck", ".txt") or path.parent != Path():
            raise DeckError(messages.NO_FILE.format(file=word))
        return None
    return read_text(path, MAX_DECK_BYTES)


def read_brought_deck(rules: Game | None, word: str) -> str:
    """Return the text of the deck file that a word of the command line names, else the word itself.

    Raises:
        DeckError: The word is a path without a file.
        OSError: The file cannot be read.
    """
    return word if not word or rules is None or not rules.has_decks() else read_file(word) or word


def read_whole(decks: Decks, word: str) -> Deck:
    """Return the deck of a file, slug or code. Raises DeckError if any line of the file is not a card."""
    deck, faults = read_deck(decks, word)
    if faults:
        raise DeckError(messages.DECK_FAULTS.format(deck=word, faults=" ".join(faults)))
    return deck


def check_decks(decks: Decks, words: list[str]) -> int:
    """Run `gonfalon deck check`. Return 1 if a deck is not legal."""
    bad = 0
    # All decks are read before the first result is printed, so that a missing file is reported at once.
    for word, (deck, unread) in [(word, read_deck(decks, word)) for word in words]:
        faults = unread + decks.check(deck)
        name = deck.name or word
        if faults:
            bad = 1
            print_text(messages.ILLEGAL_DECK.format(deck=name))
            for fault in faults:
                print_text(textwrap.fill(fault, WIDTH, initial_indent="  - ", subsequent_indent="    "))
        else:
            facts = "; ".join(f"{label[:1].lower()}{label[1:]} {value}" for label, value in decks.figures(deck).facts)
            text = messages.LEGAL_DECK.format(deck=name, facts=facts)
            print_text(textwrap.fill(text, WIDTH, subsequent_indent="  "))
    return bad


def show_deck(decks: Decks, word: str, hold: str | None, as_json: bool) -> int:
    """Run `gonfalon deck show`: print the deck file with its cost curve and the chance of holding a card.

    Args:
        decks: The decks of the game.
        word: A file, slug or share code.
        hold: A card whose chances are shown.
        as_json: Print JSON.

    Returns:
        The exit code.

    Raises:
        DeckError: There is no such deck or card.
        OSError: The file cannot be read.
    """
    deck = read_whole(decks, word)
    card = None if hold is None else find_card(decks, deck, hold)
    if as_json:
        print_json(build_data(decks, deck, card), indent=1)
        return 0
    lines = textwrap.wrap(deck.style, WIDTH - len(decks.remark)) if deck.style else []
    lines += ["", *format_curve(decks, deck)]
    if card is not None:
        copies = many(deck.counts[card.id], "card")
        lines += ["", messages.DRAWN_BY_TURN.format(card=card.name, copies=copies)]
        for turn in TURNS:
            first, second = (decks.chance(deck, card.id, turn, first) for first in (True, False))
            lines.append(
                messages.DRAW_CHANCES.format(turn=f"{turn:>2}", first=f"{first:>4.0%}", second=f"{second:>4.0%}")
            )
    lines += ["", messages.SHARE_CODE.format(code=decks.code(deck))]
    print_text(decks.text(deck))
    print_text("\n".join(f"{decks.remark}{line}".rstrip() for line in lines))
    return 0


def format_curve(decks: Decks, deck: Deck) -> list[str]:
    """Return the cost curve in lines."""
    bars = decks.figures(deck).curve
    width = max(len(label) for label, _ in bars)
    most = max(count for _, count in bars) or 1
    return [decks.curve_title] + [
        f"  {label:<{width}}  {count:>2}  {'=' * round(BAR_COLUMNS * count / most)}".rstrip() for label, count in bars
    ]


def print_code(decks: Decks, word: str) -> int:
    """Run `gonfalon deck code`: print the share code of a deck."""
    print_text(decks.code(read_whole(decks, word)))
    return 0


def print_link(decks: Decks, word: str, builder: str, qr: bool) -> int:
    """Run `gonfalon deck link`: print the link to a deck.

    Args:
        decks: The decks of the game.
        word: A file, slug, share code or link.
        builder: The address of the deck builder.
        qr: Whether to print the QR code of the link.
    """
    deck = read_whole(decks, word)
    link = builder + decks.link(deck)
    print_text(link)
    if qr:
        import segno  # an extra has it

        segno.make_qr(link, error="l").terminal(compact=True)
    return 0


def list_ready(decks: Decks) -> int:
    """Run `gonfalon deck list`: print the preset decks."""
    for deck in decks.ready():
        print_text(f"{deck.slug}: {deck.name}")
        if deck.style:
            print_text(textwrap.fill(deck.style, WIDTH, initial_indent="  ", subsequent_indent="  "))
    return 0


def find_card(decks: Decks, deck: Deck, word: str) -> DeckCard:
    """Return the card of a deck by its name, slug or id. Raises DeckError."""
    wanted = word.strip().lower()
    for card in decks.cards():
        if wanted in (card.name.lower(), card.slug, card.id.lower()):
            if deck.counts.get(card.id):
                return card
            raise DeckError(messages.NOT_IN_DECK.format(card=card.name))
    raise DeckError(messages.UNKNOWN_CARD.format(card=repr(word)))


def build_data(decks: Decks, deck: Deck, card: DeckCard | None) -> dict[str, object]:
    """Return a deck in the form of `deck show --json`."""
    figures = decks.figures(deck)
    data: dict[str, object] = {
        "name": deck.name,
        "code": decks.code(deck),
        "cards": deck.counts,
        "size": figures.size,
        "facts": dict(figures.facts),
        "groups": dict(figures.groups),
        "curve": dict(figures.curve),
        "faults": decks.check(deck),
    }
    if card is not None:
        data["hold"] = {
            "card": card.id,
            "first": {str(turn): decks.chance(deck, card.id, turn, True) for turn in TURNS},
            "second": {str(turn): decks.chance(deck, card.id, turn, False) for turn in TURNS},
        }
    return data
