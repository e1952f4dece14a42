"""The table as a picture: what notebooks show of a state, a view or a record.

A picture shows what the state holds and no more: a view's picture is what its viewer may know, a full
state's shows every card. It is the game's own table in words, on a grid of characters, with the cards
that it names as coloured tokens.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from html import escape
from typing import Final, NamedTuple

from gonfalon.core.rules.game import Game, names_for
from gonfalon.core.rules.state import OPEN, SPECTATOR, State

COLUMNS: Final = 84
PAPER: Final = "#f8f4ea"
INK: Final = "#2a2420"
BANNER: Final = "#6b1f24"
TOKENS: Final = ("#d9c27a", "#9db8d6", "#b7c9a0", "#d9a79b", "#c3b1d6", "#c9c4b8")
"""The colours of a card's token: by the seat whose card it is, last for nobody's and for backs."""
PLAIN: Final = len(TOKENS) - 1
PRINTED: Final = {"yellow": 0, "blue": 1, "green": 2, "red": 3, "purple": 4}
"""Of a card that has a colour of its own, that."""
BACK: Final = "face down"
WIDE: Final = 8.4
HIGH: Final = 19
MARGIN: Final = 14


class Span(NamedTuple):
    """A piece of a line: where it begins, its characters, and for a card its colour's number, else -1."""

    column: int
    text: str
    token: int


class Picture:
    """A head line and lines of spans."""

    def __init__(self, head: str, lines: list[list[Span]]) -> None:
        self.head = head
        self.lines = lines

    def svg(self) -> str:
        """The picture as a file of its own, without scripts or fonts from elsewhere."""
        width = round(COLUMNS * WIDE + 2 * MARGIN)
        height = (len(self.lines) + 1) * HIGH + 3 * MARGIN
        out = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" role="img" font-family="monospace" font-size="14">',
            f"<title>{escape(self.head)}</title>",
            f'<rect width="{width}" height="{height}" rx="8" fill="{PAPER}"/>',
            f'<path d="M0 8a8 8 0 0 1 8-8H{width - 8}a8 8 0 0 1 8 8V{HIGH + MARGIN}H0z" fill="{BANNER}"/>',
            text(0, HIGH, self.head, PAPER),
        ]
        for number, line in enumerate(self.lines):
            y = (number + 2) * HIGH + 2 * MARGIN - 5
            for span in line:
                if span.token >= 0:
                    x = MARGIN + span.column * WIDE - 3
                    size = f'width="{len(span.text) * WIDE + 6:.1f}" height="{HIGH - 2}" rx="4"'
                    out.append(f'<rect x="{x:.1f}" y="{y - 14}" {size} fill="{TOKENS[span.token]}"/>')
                out.append(text(span.column, y, span.text, INK))
        return "\n".join([*out, "</svg>"])


def text(column: int, y: int, words: str, colour: str) -> str:
    """Characters on the grid, stretched to it whatever the font."""
    x = f"{MARGIN + column * WIDE:.1f}"
    length = f"{len(words) * WIDE:.1f}"
    return (
        f'<text x="{x}" y="{y}" fill="{colour}" textLength="{length}" xml:space="preserve">'
        f"{escape(words, quote=False)}</text>"
    )


def table_in_words(game: Game, state: State) -> list[str]:
    """The table of a state or view as the game tells it; its numbers, where the game has no words."""
    try:
        return game.text(state, names_for(game, state.viewer)).splitlines()
    except NotImplementedError:
        return textwrap.wrap(repr(state.data()), COLUMNS)


def in_words(game: Game, state: State) -> list[str]:
    """The table in words, the secrets of an open one too, and what is asked or how it ended."""
    names = names_for(game, state.viewer)
    words = table_in_words(game, state)
    if state.viewer == OPEN:
        words += secrets(game, state, names, set(words))
    last = game.prompt(state, names) if state.stack else game.ending(state, names)
    return [*words, "", *textwrap.wrap(last, COLUMNS)]


def of_state(state: State) -> Picture | None:
    """The table of a state or view; None where it is not known of which game it is."""
    game = state.rules
    if not isinstance(game, Game):
        return None
    tokens: dict[str, int] = {}
    try:
        for name, token in cards(game.board(state)):
            tokens[name] = token if tokens.get(name, token) == token else PLAIN
    except NotImplementedError:
        pass
    viewer = state.viewer
    who = "all open" if viewer == OPEN else "for spectators" if viewer == SPECTATOR else game.seat_names()[viewer]
    return Picture(f"{game.title}: {who}", [spans(line[:COLUMNS], tokens) for line in in_words(game, state)])


def secrets(game: Game, state: State, names: list[str], shown: set[str]) -> Iterator[str]:
    """What each seat sees beside what is shown: an open table in words does not show the hands."""
    try:
        for seat in range(state.seats):
            lines = [line for line in game.text(state.mask(seat), names).splitlines() if line not in shown]
            if lines and not state.over:
                yield from ("", f"{names[seat]} sees:", *(f"  {line}" for line in lines))
    except NotImplementedError:
        return


def cards(board: object) -> Iterator[tuple[str, int]]:
    """The cards on a board, each with its token: whatever has a name and a back."""
    if isinstance(board, dict):
        if board.get("back") is True:
            yield BACK, PLAIN
        elif board.get("back") is False and isinstance(board.get("name"), str):
            owner = board.get("owner", -1)
            yield board["name"], PRINTED.get(board.get("colour", ""), owner if 0 <= owner < PLAIN else PLAIN)
        for value in board.values():
            yield from cards(value)
    elif isinstance(board, list):
        for value in board:
            yield from cards(value)


def spans(line: str, tokens: dict[str, int]) -> list[Span]:
    """A line cut where cards are named."""
    if not tokens:
        return [Span(0, line, -1)] if line.strip() else []
    names = "|".join(re.escape(name) for name in sorted(tokens, key=len, reverse=True))
    out: list[Span] = []
    at = 0
    for match in re.finditer(rf"(?<!\w)(?:{names})(?!\w)", line):
        if line[at : match.start()].strip():
            out.append(Span(at, line[at : match.start()], -1))
        out.append(Span(match.start(), match[0], tokens[match[0]]))
        at = match.end()
    if line[at:].strip():
        out.append(Span(at, line[at:], -1))
    return out
