"""The text form of decks: a reader that accepts the exports of other deck builders, and a writer.

A line has a card with a number of copies before or after it. Headings, bullets, remarks, set codes and tables with a
header (CSV) are understood. Every line that cannot be read is a fault of its own.
"""

from __future__ import annotations

import csv
import difflib
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from gonfalon.core.basics.decks import MAX_TEXT_LENGTH, TOO_LONG, Deck, DeckCard, Figures, clean_deck_name
from gonfalon.core.basics.share_code import MAX_COPIES

MAX_LINE_LENGTH: Final = 300
MAX_FAULTS: Final = 30
"""The number of faults after which reading stops."""
MAIN_HEADINGS: Final = frozenset(
    {
        *("about", "card", "commander", "deck", "deck list", "decklist", "list", "main", "main deck", "maindeck"),
        *("mainboard", "starting deck", "total", "total card"),
    }
)
"""Headings that do not restrict the cards below them, without the final s of plurals."""
UNUSED_HEADINGS: Final = frozenset({"sideboard", "side board", "side deck", "maybeboard", "companion", "token"})
"""Headings of cards that are not part of a deck."""
NAME: Final = re.compile(r"\s*(?:(?:deck[ -]?)?name|deck|title)\s*:(.*)", re.IGNORECASE)
NAME_ABOUT: Final = re.compile(r"\s*name\s(.*)", re.IGNORECASE)
"""The line with the deck's name under the heading About."""
QUOTED: Final = re.compile(r'\s*"(.*(?://|#|").*)"\s*')
"""A name in quotes because it contains the beginning of a remark."""
TITLE: Final = re.compile(r"\s*###+\s*(?!#)(.*)")
REMARK: Final = re.compile(r"(?:^|\s)#(?!\d).*|^\s*#.*|//.*")
"""A remark, from `#` or `//` to the end of the line. A name may contain a number with its sign: `The #1 Road`."""
COMMENTED: Final = re.compile(r"\s*(?:#+|//+)\s*(.*)")
COMMENTED_CARD: Final = re.compile(r"\s*#\s*(\d{1,2}x\s.*)")
"""A card in a file whose lines are all remarks, which has its name after `###`."""
BULLET: Final = re.compile(r"^(?:[-*•–—+·‣◦▪]|\d{1,3}[.)])\s+")
DECORATED: Final = re.compile(r"\[(.+)\]|==+(.+?)==+|\*\*(.+)\*\*|--+(.+?)--+|__(.+)__|(.+):")
COUNTED: Final = re.compile(
    r"(?:\d{1,4}\s+)?(.*?)\s*[:=-]?\s*(?:[(\[]?\d{1,4}(?:\s+cards)?[)\]]?)?\s*:?", re.IGNORECASE
)
"""A heading with a number of cards."""
SIDE: Final = re.compile(r"sb:\s*(.*)", re.IGNORECASE)
"""A card of the sideboard, in a list without headings."""
LEADING: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(\d{1,9}) (.+)",
        r"(\d{1,9}) ?[x×*] ?(.+)",
        r"[x×] ?(\d{1,9}) (.+)",
        r"[(\[] ?[x×]? ?(\d{1,9}) ?[x×]? ?[)\]] ?(.+)",
        r"(\d{1,9}) ?[,;:|=-] ?(.+)",
    )
)
TRAILING: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(.+?) ?[(\[] ?[x×]? ?(\d{1,9}) ?[x×]? ?[)\]]",
        r"(.+?) [x×*] ?(\d{1,9})",
        r"(.+?) (\d{1,9}) ?[x×]",
        r"(.+?) ?[,;:|=-] ?[x×]? ?(\d{1,9})",
        r"(.*[^)\]]) (\d{1,9})",
    )
)
COST: Final = re.compile(r"\(\d{1,2}\) (.+)")
"""A cost between the number of copies and the name."""
PRINTING: Final = re.compile(
    r" ?(?:[(\[][a-z][a-z0-9]{1,5}[)\]] #?\w{1,6}"
    r"|\((?![x×\d ]+\))[^()]*\)|\[(?![x×\d ]+\])[^\[\]]*\]|<[^<>]*>|\*\w{1,5}\*)$",
    re.IGNORECASE,
)
"""A set with a number, or a remark in brackets, after a name."""
NAME_COLUMNS: Final = frozenset({"name", "card", "card name", "cardname", "title"})
COUNT_COLUMNS: Final = frozenset({"count", "quantity", "qty", "amount", "copies", "copy", "number", "total qty"})
SECTION_COLUMNS: Final = frozenset({"section", "board", "category", "zone"})


class Row(NamedTuple):
    """A card in a text, as it is written."""

    line: int
    text: str
    section: str = ""
    """The key of the heading above it."""
    copies: str = ""
    """The number of copies from a column of a table."""


# ---- reading -----------------------------------------------------------------------------------------------------


def read_deck_text(text: str, cards: Sequence[DeckCard]) -> tuple[Deck, list[str]]:
    """Read a deck.

    Args:
        text: The text.
        cards: All cards of the game.

    Returns:
        The deck as far as it can be read, and the faults as sentences with their lines.
    """
    if len(text) > MAX_TEXT_LENGTH:
        return Deck("", {}), [TOO_LONG]
    reader = DeckReader(cards)
    lines = text.removeprefix("\N{BYTE ORDER MARK}").splitlines()
    for row in find_table(lines) or reader.split(lines):
        if len(reader.faults) >= MAX_FAULTS:
            reader.faults.append(f"Line {row.line} and all lines below it were not read.")
            break
        reader.add(row)
    return Deck(reader.name, dict(reader.counts)), reader.faults


def find_table(lines: Sequence[str]) -> list[Row]:
    """Return the cards of a table with a header line; none if the text is no table."""
    first = next((number for number, line in enumerate(lines) if line.strip()), 0)
    for delimiter in "\t;,":
        head = [make_key(cell) for cell in next(csv.reader(lines[first : first + 1], delimiter=delimiter), [])]
        columns = [
            next((place for place, cell in enumerate(head) if cell in known), -1)
            for known in (NAME_COLUMNS, COUNT_COLUMNS, SECTION_COLUMNS)
        ]
        if len(head) > 1 and columns[0] >= 0:
            return list(read_table(lines[first + 1 :], delimiter, first + 2, *columns))
    return []


def read_table(lines: Sequence[str], delimiter: str, first: int, name: int, count: int, section: int) -> Iterator[Row]:
    """Yield the cards of the rows below a header. A column of -1 is missing."""
    for number, line in enumerate(lines, start=first):
        cells = [" ".join(cell.split()) for cell in next(csv.reader([line], delimiter=delimiter), [])]
        if not any(cells):
            continue
        found = [cells[place] if 0 <= place < len(cells) else "" for place in (name, count, section)]
        yield Row(number, found[0], make_stem(found[2]), found[1].strip("xX× ") or "1")


class DeckReader:
    """Reads the lines of one text."""

    def __init__(self, cards: Sequence[DeckCard]) -> None:
        self.name: str = ""
        self.counts: Counter[str] = Counter()
        self.faults: list[str] = []
        self.groups: dict[str, str] = {make_stem(card.group): card.group for card in cards}
        self.cards: dict[str, DeckCard] = {}
        # Ids come last, because a name is meant if it equals the id of another card.
        for texts in ((card.name for card in cards), (card.slug for card in cards), (card.id for card in cards)):
            for text, card in zip(texts, cards, strict=True):
                self.cards.setdefault(make_key(text), card)

    def split(self, lines: Sequence[str]) -> Iterator[Row]:
        """Yield the cards of the lines of a list, and take the deck's name from it."""
        section = ""
        commented = False
        for number, raw in enumerate(lines, start=1):
            if len(raw) > MAX_LINE_LENGTH:
                self.faults.append(f"Line {number} is longer than {MAX_LINE_LENGTH} characters.")
                continue
            title, comment = TITLE.fullmatch(raw), COMMENTED.fullmatch(raw)
            if title is not None and not self.name and not self.counts:
                self.name, commented = clean_deck_name(title[1]), True
                continue
            if comment is not None and (heading := self.find_heading(comment[1])):
                section = heading
                continue
            card = COMMENTED_CARD.fullmatch(raw) if commented else None
            line = card[1] if card is not None else raw
            if self.read_name(line, section):
                continue
            line = BULLET.sub("", " ".join(self.strip_remark(line).split()), count=1).strip()
            heading = "" if self.find(line) is not None else self.find_heading(line)
            if heading:
                section = heading
            elif line and not self.read_unknown_heading(line):
                yield Row(number, line, section)

    def strip_remark(self, line: str) -> str:
        """Return a line without its remark, which a name does not have."""
        return line if self.find(line) is not None else REMARK.sub("", line)

    def read_name(self, line: str, section: str) -> bool:
        """Take the deck's name from a line. Return whether it is one."""
        found = NAME.fullmatch(line) or (NAME_ABOUT.fullmatch(line) if section == "about" else None)
        if found is None or self.find_heading(REMARK.sub("", line)):
            return False
        quoted = QUOTED.fullmatch(found[1])
        self.name = clean_deck_name(quoted[1] if quoted else REMARK.sub("", f" {found[1]}"))
        return True

    def find_heading(self, line: str) -> str:
        """Return the key of a known heading in a line; empty for another line."""
        plain = line.strip(" \t[]=*_~<>-")
        for text in (plain, (COUNTED.fullmatch(plain) or ("", ""))[1]):
            key = make_stem(text)
            if key in MAIN_HEADINGS or key in UNUSED_HEADINGS or key in self.groups:
                return key
        return ""

    def read_unknown_heading(self, line: str) -> bool:
        """Return whether a line is marked as a heading. The first one before any card is the deck's name."""
        found = DECORATED.fullmatch(line)
        if found is None or self.match(found[found.lastindex or 0]) is not None:
            return False
        if not self.name and not self.counts and not self.faults:
            self.name = clean_deck_name(found[found.lastindex or 0])
        return True

    def add(self, row: Row) -> None:
        """Add a card to the deck, or a fault."""
        text, group = row.text, ""
        side = SIDE.fullmatch(text)
        if side is not None or row.section in UNUSED_HEADINGS:
            self.faults.append(
                f"Line {row.line}: Decks of this game have no {row.section or 'sideboard'}. "
                f"Remove {(side[1] if side else text)[:60]!r}."
            )
            return
        word, colon, value = text.partition(":")
        if colon and make_stem(word) in self.groups and self.find(text) is None:
            text, group = value.strip(), self.groups[make_stem(word)]
        found = (self.find(text), row.copies) if row.copies else self.match(text)
        card, count = (None, "1") if found is None else found
        if card is None:
            self.faults.append(f"Line {row.line}: {self.describe_missing(text, group)}")
        elif group and card.group != group:
            self.faults.append(f"Line {row.line}: {card.name} belongs to {card.group}, not to {group}.")
        elif not (count.isascii() and count.isdigit() and 1 <= int(count[:9]) <= MAX_COPIES):
            self.faults.append(f"Line {row.line}: {count[:20]} is not a valid number of copies.")
        else:
            # More copies have no share code. The deck is illegal in any case.
            self.counts[card.id] = min(self.counts[card.id] + int(count), MAX_COPIES)

    def match(self, line: str) -> tuple[DeckCard, str] | None:
        """Return the card and the number of copies of a line; None if there is no such card."""
        for text in dict.fromkeys((line, strip_printing(line))):
            if card := self.find(text):
                return card, "1"
            for patterns, name, count in ((LEADING, 2, 1), (TRAILING, 1, 2)):
                for pattern in patterns:
                    found = pattern.fullmatch(text)
                    if found is not None and (card := self.find_printed(found[name])):
                        return card, found[count]
        return None

    def find_printed(self, text: str) -> DeckCard | None:
        """Return the card of a name, which a cost may precede, and a set or a remark may follow."""
        cost = COST.fullmatch(text)
        return self.find(text) or self.find(strip_printing(cost[1] if cost else text))

    def find(self, text: str) -> DeckCard | None:
        """Return the card of a name, a slug or an id."""
        return self.cards.get(make_key(text)) if text else None

    def describe_missing(self, line: str, group: str) -> str:
        """Return the message that there is no such card, with the nearest name."""
        found = next((m for m in (pattern.fullmatch(line) for pattern in LEADING) if m is not None), None)
        word = found[2] if found is not None else line
        near = difflib.get_close_matches(
            make_key(word[:60]), [key for key, card in self.cards.items() if group in ("", card.group)], 1
        )
        hint = f"; did you mean {self.cards[near[0]].name}?" if near else "."
        return f"There is no card {word[:60]!r}{hint}"


def strip_printing(text: str) -> str:
    """Return a name without the sets and remarks after it."""
    while (found := PRINTING.search(text)) is not None and found.start():
        text = text[: found.start()]
    return text


def make_key(text: str) -> str:
    """Return a text in a form for comparison: without case, diacritics, apostrophes and punctuation."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    letters = (c for c in plain if not unicodedata.combining(c) and c not in "'’‘ʼ`´")
    return " ".join("".join(c if c.isalnum() else " " for c in letters).split())


def make_stem(text: str) -> str:
    """Return the key of a heading, the same for singular and plural."""
    key = make_key(text)
    return f"{key[:-3]}y" if key.endswith("ies") else key.removesuffix("s")


# ---- writing -----------------------------------------------------------------------------------------------------


def write_deck_text(deck: Deck, cards: Sequence[DeckCard], figures: Figures, faults: Sequence[str]) -> str:
    """Return the text of a deck, which `read_deck_text` reads back."""
    facts = [f"{label[:1].lower()}{label[1:]} {value}" for label, value in figures.facts]
    lines = [f"# {'; '.join(facts)}".rstrip(), *(f"# {fault}" for fault in faults)]
    if deck.name:
        unclear = REMARK.search(f" {deck.name}") or deck.name.startswith('"')
        lines.append(f'Name: "{deck.name}"' if unclear else f"Name: {deck.name}")
    here = [card for card in cards if deck.counts.get(card.id, 0) > 0]
    groups = list(dict.fromkeys(card.group for card in here))
    # Groups of which a deck has a single card need no heading.
    alone = {group for group in groups if all(card.most == 1 for card in cards if card.group == group)}
    for card in here:
        if card.group in alone:
            lines += [f"{make_stem(card.group).capitalize()}: {card.name}"] * deck.counts[card.id]
    for group in groups:
        if group not in alone:
            rows = [f"{deck.counts[card.id]} {card.name}" for card in here if card.group == group]
            size = sum(deck.counts[card.id] for card in here if card.group == group)
            lines += ["", f"# {group}: {size}", *rows]
    return "\n".join(lines) + "\n"
