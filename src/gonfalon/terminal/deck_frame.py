"""The deck builder in characters: the cards and the deck side by side, the card that is looked at below them."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from typing import Final

from gonfalon.core.decks import DeckCard
from gonfalon.core.sheet import Line, Piece, clipped, fitted, length, mark
from gonfalon.terminal.columns import even
from gonfalon.terminal.curve import bar
from gonfalon.terminal.deck_builder import ANY, CARDS, DECK, Builder
from gonfalon.terminal.frame import LEAST_HEIGHT, LEAST_WIDTH, Frame, Key, Looks, Spot, keys_line
from gonfalon.terminal.picking import Picking

FILTERS: Final = (("f", "Faction", "factions"), ("g", "Group", "group"), ("c", "Cost", "cost"))
KEYS: Final = (
    ("+ -", "copies"),
    ("Tab", "deck"),
    ("/", "search"),
    ("s", "save"),
    ("o", "open"),
    ("u", "undo"),
    ("q", "leave"),
)
MORE_KEYS: Final = (
    ("?", "faults"),
    ("m", "figures"),
    ("t", "test hand"),
    ("e", "share"),
    ("i", "import"),
    ("r", "rename"),
    ("d", "delete"),
)
SEARCHING: Final = (("type", "words of a card"), ("↵", "done"), ("Esc", "all cards"))
PIPS: Final = 3
"""Up to so many copies are drawn as pips."""
TALL: Final = 36
WORDY: Final = 76
"""From so many columns on a card of the list tells what it does."""
NAME: Final = 26
FILTER: Final = "filter"


def deck_frame(builder: Builder, width: int, height: int, status: str = "", searching: bool = False) -> Frame:
    """The whole screen."""
    width, height = max(width, LEAST_WIDTH), max(height, LEAST_HEIGHT)
    frame = Frame(width, height)
    frame.lines = [head_line(builder, width), filter_line(builder, width, searching, frame.spots)]
    low = below(builder, width, 5 if height < TALL else 8, status)
    rows = (SEARCHING, ()) if searching else (KEYS, MORE_KEYS)
    low += [keys_line(Looks(Picking(), keys=row), width) for row in rows]
    room = height - len(frame.lines) - len(low) - 1
    side = min(max(30, width * 2 // 5), 44)
    wide = width - side - 1
    titles = (f" {len(builder.shown())} of {len(builder.cards)} cards ", " The deck ")
    looks = ["ask" if builder.column == column else "title" for column in (CARDS, DECK)]
    frame.lines.append(
        [*ruled(titles[0], wide, looks[0]), Piece("┬", "line"), *ruled(titles[1], side, looks[1])],
    )
    right = figures(builder, side, room) if height >= TALL else []
    cards = window(builder, CARDS, wide, room, card_row)
    deck = window(builder, DECK, side, room - len(right), deck_row)
    note(frame, cards, 0, wide)
    note(frame, deck, wide + 1, side)
    panels = [[line for line, _ in cards], [*(line for line, _ in deck), *right]]
    for n in range(room):
        left, other = (panel[n] if n < len(panel) else [] for panel in panels)
        frame.lines.append([*fitted(left, wide), Piece("│", "line"), *fitted(other, side)])
    frame.lines += [fitted(line, width) for line in low]
    return frame


def ruled(title: str, width: int, look: str) -> Line:
    """A rule with a title on it."""
    text = clipped(title, width - 3)
    return [Piece("──", "line"), Piece(text, look), Piece("─" * (width - 2 - len(text)), "line")]


def head_line(builder: Builder, width: int) -> Line:
    """What is built, and what the rules say of it."""
    verdict = Piece(f"{'✗' if builder.faults else '✓'} {builder.verdict()} ", "bad" if builder.faults else "good")
    unsaved = "" if builder.saved else "  not saved"
    left = [
        Piece(f" {builder.title}: a deck ", "banner"),
        Piece(f"  {even(builder.name())}", "bold"),
        Piece(unsaved, "ask"),
    ]
    return [*fitted(left, width - len(verdict.text) - 1), Piece(" "), verdict]


def filter_line(builder: Builder, width: int, searching: bool, spots: list[Spot]) -> Line:
    """The filters, with their keys."""
    line: Line = [Piece(" ")]
    for key, label, what in FILTERS:
        value = str(getattr(builder.sieve, what))
        text = f"{label}: {named(builder, what, value)}"
        spots.append(Spot(1, length(line), len(text) + 2, Key(FILTER, what, 0), what, ""))
        line += [Piece(f"{key} ", "key"), Piece(text, "ask" if value else "soft"), Piece("   ")]
    query = even(builder.sieve.query)
    text = f"{query}▏" if searching else query or "…"
    line += [
        Piece("/ ", "key"),
        Piece("Words: ", "soft"),
        Piece(text, "lifted" if searching else "ask" if query else "soft"),
    ]
    return fitted(line, width)


def named(builder: Builder, what: str, value: str) -> str:
    """A filter's value as people read it."""
    if value == ANY:
        return "all"
    if what == "factions":
        return next((card.faction_name for card in builder.cards if card.faction == value), value)
    return value


# ---- the two columns ---------------------------------------------------------------------------------

Row = tuple[Line, str]
"""A line, and the card that it is; none for a heading."""


def window(
    builder: Builder, column: str, width: int, room: int, row: Callable[[Builder, DeckCard, int], Line]
) -> list[Row]:
    """As many lines of a column as there is room for, around its cursor."""
    rows: list[Row] = []
    group = ""
    for card in builder.shown() if column == CARDS else builder.rows():
        if card.group != group:
            group = card.group
            rows.append(([Piece(f" {group}", "soft")], ""))
        line = fitted(row(builder, card, width), width)
        here = builder.column == column and builder.at[column] == card.id
        rows.append(([Piece("".join(piece.text for piece in line))] if here else line, card.id))
    if not rows:
        said = "No card is like that." if column == CARDS else "No cards yet: + adds one."
        return [([Piece(f" {said}", "soft")], "")]
    at = next((n for n, (_, id) in enumerate(rows) if id == builder.at[column]), 0)
    first = max(0, min(at - room // 2, len(rows) - room))
    return rows[first : first + room]


def pips(card: DeckCard, count: int) -> str:
    """The copies of a card in the deck, of those that it may have."""
    most = max(card.most, 1)
    if count > most or most > PIPS:
        return f"{count:>{PIPS}}"
    return ("●" * count + "○" * (most - count)).ljust(PIPS)


def card_row(builder: Builder, card: DeckCard, width: int) -> Line:
    """A card of the list: copies, faction, name, cost and figures."""
    count = builder.deck.counts.get(card.id, 0)
    right = f"{card.cost_text or '-':>9} {strengths(card):>5} "
    wordy = width >= WORDY
    left: Line = [
        Piece(f" {pips(card, count)} ", "bad" if count > card.most else "ask" if count else "soft"),
        Piece(f"{mark(card.pattern)} ", card.colour),
        Piece(card.name.ljust(NAME if wordy else 0), f"bold {card.colour}" if count else ""),
        Piece(f" {card.text}" if wordy else "", "soft"),
    ]
    return [*fitted(left, width - len(right)), Piece(right, "soft")]


def deck_row(builder: Builder, card: DeckCard, width: int) -> Line:
    """A card of the deck: how many, faction, name, cost."""
    count = builder.deck.counts[card.id]
    look = "bad" if count > card.most else "ask"
    right = f"{card.cost_text or '-':>3} "
    left: Line = [Piece(f" {count} ", look), Piece(f"{mark(card.pattern)} ", card.colour), Piece(card.name)]
    return [*fitted(left, width - len(right)), Piece(right, "soft")]


def strengths(card: DeckCard) -> str:
    """The numbers printed beside a card's cost, as 6/3."""
    return "/".join(value for _, value in card.facts[:2] if value.isdecimal())


def note(frame: Frame, rows: Sequence[Row], x: int, width: int) -> None:
    """Where the cards of a column are; the one under the cursor is in one piece."""
    column = CARDS if x == 0 else DECK
    for n, (line, id) in enumerate(rows):
        if id:
            frame.spots.append(Spot(len(frame.lines) + n, x, width, Key(column, id, 0), "", id, None, len(line) == 1))


def figures(builder: Builder, width: int, room: int) -> list[Line]:
    """The cost curve, for a screen that has room for it."""
    bars = builder.figures.curve
    if not bars or room < 3 * len(bars):
        return []
    most = max((count for _, count in bars), default=0) or 1
    lines: list[Line] = [[Piece("─" * width, "line")], [Piece(f" {builder.decks.curve_title}", "title")]]
    for label, count in bars:
        drawn = bar(count / most, width - 17)
        lines.append([Piece(f" {label:<9} {count:>3} ", "soft"), Piece(drawn, "ask")])
    return lines


# ---- below -------------------------------------------------------------------------------------------


def below(builder: Builder, width: int, most: int, status: str) -> list[Line]:
    """The card under the cursor, and what the rules say of the deck, or what has just been done."""
    card = builder.card
    lines: list[Line] = [[Piece("─" * width, "line")]]
    told: list[Line] = []
    if card is not None:
        facts = ", ".join(f"{label} {value}" for label, value in card.facts)
        cost = f"Cost {card.cost_text}" if card.cost_text else ""
        about = "  ".join(part for part in (card.group, card.faction_name, cost, facts) if part)
        told = [[Piece(f" {mark(card.pattern)} {card.name}  ", f"bold {card.colour}"), Piece(about, "soft")]]
        told += [[Piece(f" {line}")] for line in textwrap.wrap(card.text, width - 2)]
    lines += [*told[:most], *([] for _ in range(most - len(told)))]
    if status:
        return [*lines, [Piece(f" {even(status)}", "ask")]]
    if not builder.faults:
        facts = ", ".join(f"{label} {value}" for label, value in builder.figures.facts[1:])
        return [*lines, [Piece(" This deck is legal. ", "good"), Piece(facts, "soft")]]
    more = f" And {len(builder.faults) - 1} more: ? tells them." if len(builder.faults) > 1 else ""
    return [*lines, [Piece(f" {clipped(builder.faults[0], width - 2 - len(more))}{more}", "bad")]]
