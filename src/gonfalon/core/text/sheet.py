"""Sheets: a table drawn in characters, as lines of pieces for terminals.

The game places cards and zones; the terminal decides how a piece looks and reacts. A sheet is made from a board of
`Page.board`, so it can show nothing else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

PATTERNS: Final = {
    "barry": "≡",
    "paly": "‖",
    "bendy": "/",
    "chevronny": "^",
    "lozengy": "◇",
    "checky": "▚",
    "plain": "■",
}
"""A character for each pattern of banners, so that sides are not distinguished by color alone."""
BACK: Final = "▒"
"""The beginning of a face-down card."""
FILL: Final = "\u200b"
"""A character without a column. It follows each letter of two columns, so that a text has as many characters as
columns."""


class Piece(NamedTuple):
    """Adjacent characters of a line that belong together."""

    text: str
    look: str = ""
    """Words: a color of the banners, `bold`, `soft`, `good`, `bad`, `title`, `own`."""
    touch: str = ""
    """The text that a click sends: a part of a notation (`Page.touches`)."""
    card: str = ""
    """The slug of the card that can be read here."""


Line = list[Piece]


@dataclass
class Sheet:
    """A table as lines of at most the requested width."""

    head: Line
    """The score in one line."""
    lines: list[Line]
    hand: list[Piece] = field(default_factory=list)
    """The viewer's own cards, in the order of their digits."""


class Still(NamedTuple):
    """A board that is shown for some seconds on the way to the next one."""

    board: Mapping[str, object]
    seconds: float
    words: str
    """The visible event, as a sentence."""
    ahead: Collection[str] = ()
    """The sentences of the log that are shown only after this still."""


def group_equal(pieces: Sequence[Piece]) -> list[Piece]:
    """Return each of the pieces once, with the number of equal ones."""
    counts = Counter(pieces)
    return [piece._replace(text=f"{piece.text} ×{n}") if n > 1 else piece for piece, n in counts.items()]


def text_lines(sheet: Sheet, width: int) -> list[Line]:
    """Return a sheet as lines of text, the viewer's hand last."""
    hand = [Piece("Your hand:"), *sheet.hand]
    lines = [
        *flow_pieces(sheet.head, width, gap=""),
        *sheet.lines,
        *(flow_pieces(hand, width, indent=2) if sheet.hand else []),
    ]
    # A sheet without a head begins with an empty line, which is dropped.
    return [line for n, line in enumerate(lines) if length(line) or n]


def format_text(sheet: Sheet, width: int) -> str:
    """Return a sheet as plain text."""
    lines = ("".join(piece.text for piece in line).rstrip() for line in text_lines(sheet, width))
    return "\n".join(lines).rstrip("\n")


def mark(pattern: str) -> str:
    """Return the character of a banner's pattern."""
    return PATTERNS.get(pattern, PATTERNS["plain"])


def clip_text(text: str, width: int) -> str:
    """Return a text of at most `width` characters; a longer one ends in an ellipsis."""
    if len(text) <= width:
        return text
    cut = max(width - 1, 0)
    # A letter of two columns is removed together with its FILL.
    return text[: cut - (text[cut] == FILL and cut > 0)] + "…"[:width]


def length(line: Sequence[Piece]) -> int:
    """Return the number of characters of a line."""
    return sum(len(piece.text) for piece in line)


def fit_line(line: Line, width: int, centred: bool = False) -> Line:
    """Return a line of exactly `width` characters; a longer one ends in an ellipsis."""
    out: Line = []
    left = width
    for piece in line:
        if left <= 0:
            break
        text = clip_text(piece.text, left)
        out.append(piece._replace(text=text))
        left -= len(text)
    if left > 0:
        before = left // 2 if centred else 0
        out = [*([Piece(" " * before)] if before else []), *out, Piece(" " * (left - before))]
    return out


def drop_pieces(line: Line, width: int) -> Line:
    """Return a line of exactly `width` characters. A longer one loses its last pieces, so that no number is cut."""
    while len(line) > 1 and length(line) > width:
        line = line[:-1]
    return fit_line(line, width)


def join_columns(columns: Sequence[Sequence[Line]], widths: Sequence[int], gap: Piece | None = None) -> list[Line]:
    """Return columns of lines side by side.

    Args:
        columns: The lines of each column.
        widths: The number of characters of each column.
        gap: The piece between two columns; a space by default.
    """
    out: list[Line] = []
    between = gap or Piece(" ")
    for n in range(max((len(column) for column in columns), default=0)):
        line: Line = []
        for column, width in zip(columns, widths, strict=True):
            line += [between] if line else []
            line += fit_line(column[n] if n < len(column) else [], width)
        out.append(line)
    return out


def flow_pieces(pieces: Sequence[Piece], width: int, gap: str = "  ", indent: int = 0) -> list[Line]:
    """Return pieces one after the other, on as many lines as needed.

    Args:
        pieces: The pieces.
        width: The maximum number of characters of a line.
        gap: The text between two pieces.
        indent: The number of spaces before all lines except the first.
    """
    lines: list[Line] = [[]]
    for piece in pieces:
        taken = length(lines[-1])
        if taken and taken + len(gap) + len(piece.text) > width:
            lines.append([Piece(" " * indent)] if indent else [])
        elif taken:
            lines[-1].append(Piece(gap))
        lines[-1].append(piece._replace(text=clip_text(piece.text, width - indent)))
    return lines
