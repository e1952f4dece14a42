"""The table as a picture, for notebooks.

A picture of a view shows the knowledge of its viewer; that of a full state shows every card. It is the game's sheet on
a grid of characters, with its cards as colored tokens.
"""

from __future__ import annotations

import textwrap
from html import escape
from typing import Final, NamedTuple

from gonfalon.core.rules.game import Game, names_for
from gonfalon.core.rules.state import OPEN, SPECTATOR, State
from gonfalon.core.text.sheet import BACK, Line, Piece, text_lines

COLUMNS: Final = 84
PAPER: Final = "#f8f4ea"
INK: Final = "#2a2420"
BANNER: Final = "#6b1f24"
TOKENS: Final = {"yellow": "#d9c27a", "blue": "#9db8d6", "green": "#b7c9a0", "red": "#d9a79b", "purple": "#c3b1d6"}
"""The fill of a card's token, by the color of the card or of its seat."""
PLAIN: Final = "#c9c4b8"
"""The fill of all other cards, and of face-down cards."""
WIDE: Final = 8.4
"""The width of a column in pixels."""
HIGH: Final = 19
"""The height of a line in pixels."""
MARGIN: Final = 14
"""The margin in pixels."""


class Span(NamedTuple):
    """A piece of a line: its first column, its characters, and the fill of a card's token (empty for other text)."""

    column: int
    text: str
    fill: str


class Picture:
    """A head line and lines of spans."""

    def __init__(self, head: str, lines: list[list[Span]]) -> None:
        self.head = head
        self.lines = lines

    def svg(self) -> str:
        """Return the picture as an SVG file without scripts and external fonts."""
        width = round(COLUMNS * WIDE + 2 * MARGIN)
        height = (len(self.lines) + 1) * HIGH + 3 * MARGIN
        out = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" role="img" font-family="monospace" font-size="14">',
            f"<title>{escape(self.head)}</title>",
            f'<rect width="{width}" height="{height}" rx="8" fill="{PAPER}"/>',
            f'<path d="M0 8a8 8 0 0 1 8-8H{width - 8}a8 8 0 0 1 8 8V{HIGH + MARGIN}H0z" fill="{BANNER}"/>',
            draw_text(0, HIGH, self.head, PAPER),
        ]
        for number, line in enumerate(self.lines):
            y = (number + 2) * HIGH + 2 * MARGIN - 5
            for span in line:
                if span.fill:
                    x = MARGIN + span.column * WIDE - 3
                    size = f'width="{len(span.text) * WIDE + 6:.1f}" height="{HIGH - 2}" rx="4"'
                    out.append(f'<rect x="{x:.1f}" y="{y - 14}" {size} fill="{span.fill}"/>')
                out.append(draw_text(span.column, y, span.text, INK))
        return "\n".join([*out, "</svg>"])


def draw_text(column: int, y: int, words: str, colour: str) -> str:
    """Return an SVG text on the grid, stretched to its columns so that it fits in any font."""
    x = f"{MARGIN + column * WIDE:.1f}"
    length = f"{len(words) * WIDE:.1f}"
    # Runs of spaces align the columns of a table. Without `xml:space` a reader of SVG may collapse them.
    return (
        f'<text x="{x}" y="{y}" fill="{colour}" textLength="{length}" xml:space="preserve">'
        f"{escape(words, quote=False)}</text>"
    )


def write_table(game: Game, state: State) -> list[str]:
    """Return the lines of the table in plain text."""
    return game.text(state, names_for(game, state.viewer)).splitlines()


def write_state(game: Game, state: State) -> list[str]:
    """Return the lines of the table in plain text, followed by the prompt or the ending."""
    return [*write_table(game, state), "", *write_closing(game, state)]


def write_closing(game: Game, state: State) -> list[str]:
    """Return the prompt, or how the game ended, in lines."""
    names = names_for(game, state.viewer)
    return textwrap.wrap(game.prompt(state, names) if state.stack else game.ending(state, names), COLUMNS)


def draw_state(state: State) -> Picture | None:
    """Return the picture of a state or view; None if its game is not known."""
    game = state.rules
    if not isinstance(game, Game):
        return None
    viewer = state.viewer
    sheet = game.sheet(game.board(state), names_for(game, viewer), COLUMNS, 0)
    who = "all open" if viewer == OPEN else "for spectators" if viewer == SPECTATOR else game.seat_names()[viewer]
    lines = [*text_lines(sheet, COLUMNS), [], *([Piece(line)] for line in write_closing(game, state))]
    return Picture(f"{game.title}: {who}", [place_spans(line) for line in lines])


def place_spans(line: Line) -> list[Span]:
    """Return the pieces of a line at their columns, without blank ones."""
    found: list[Span] = []
    column = 0
    for piece in line:
        if piece.text.strip():
            found.append(Span(column, piece.text, find_fill(piece)))
        column += len(piece.text)
    return found


def find_fill(piece: Piece) -> str:
    """Return the fill of a card's token; empty for any other piece."""
    if not piece.card and not piece.text.startswith(BACK):
        return ""
    return next((TOKENS[word] for word in piece.look.split() if word in TOKENS), PLAIN)
