"""Curves and bars in characters."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from gonfalon.core.sheet import Line, Piece, clipped

DOTS: Final = ((0x01, 0x02, 0x04, 0x40), (0x08, 0x10, 0x20, 0x80))
"""The bits of a braille character, by column from the left and by row from above."""
EMPTY: Final = 0x2800
EIGHTHS: Final = " ▏▎▍▌▋▊▉█"
HEIGHTS: Final = " ▁▂▃▄▅▆▇█"


def curve(
    points: Sequence[tuple[int, float]],
    last: int,
    width: int,
    rows: int,
    signs: Mapping[int, str] | None = None,
    here: int | None = None,
    begins: Collection[int] = (),
) -> list[Line]:
    """A line through points (place, share) over the places 0 to `last`, an odd number of rows high. `signs` stand on
    it at some places; a rule goes through `here`. Where another line `begins` the one before breaks off."""
    cells = [[EMPTY] * width for _ in range(rows)]
    for x, y in dots(points, last, 2 * width, 4 * rows, begins):
        cells[y // 4][x // 2] |= DOTS[x % 2][y % 4]
    marked = {}
    for place, share in points:
        if signs and place in signs:
            marked[column(place, last, width), row(share, rows)] = signs[place]
    rule = -1 if here is None else column(here, last, width)
    return [[piece(cells[y][x], (x, y), marked, rule, 2 * y + 1 == rows) for x in range(width)] for y in range(rows)]


def piece(cell: int, at: tuple[int, int], marked: Mapping[tuple[int, int], str], rule: int, middle: bool) -> Piece:
    """A character of a curve."""
    here = at[0] == rule
    if at in marked:
        return Piece(marked[at], "bad last" if here else "bad")
    if cell != EMPTY:
        return Piece(chr(cell), "ask bold" if here else "")
    return Piece("│", "ask") if here else Piece("┈", "line") if middle else Piece(" ")


def column(place: int, last: int, width: int) -> int:
    """In which column a place is."""
    return min(width - 1, round((2 * width - 1) * place / max(last, 1)) // 2)


def row(share: float, rows: int) -> int:
    """In which row a share is."""
    return round((4 * rows - 1) * (1.0 - min(max(share, 0.0), 1.0))) // 4


def dots(
    points: Sequence[tuple[int, float]], last: int, wide: int, high: int, begins: Collection[int] = ()
) -> list[tuple[int, int]]:
    """The dots of a line without gaps but before places at which another one begins: between two points it is
    straight."""
    found: list[tuple[int, int]] = []
    before: tuple[int, int] | None = None
    for place, share in points:
        now = round((wide - 1) * place / max(last, 1)), round((high - 1) * (1.0 - min(max(share, 0.0), 1.0)))
        if before is None or place in begins:
            found.append(now)
        else:
            (x0, y0), (x1, y1) = before, now
            steps = max(x1 - x0, abs(y1 - y0), 1)
            found += [(x0 + (x1 - x0) * n // steps, y0 + (y1 - y0) * n // steps) for n in range(1, steps + 1)]
        before = now
    return found


def bar(share: float, width: int) -> str:
    """A bar of so many columns at a share of 1, in eighths."""
    eighths = round(8 * width * min(max(share, 0.0), 1.0))
    return ("█" * (eighths // 8) + EIGHTHS[eighths % 8]).strip()


def rated(label: str, share: float, width: int, look: str = "", wide: int = 0) -> Line:
    """A label, its share in percent, and that as a bar."""
    wide = wide or width // 2
    line = [Piece(clipped(label, wide).ljust(wide), look), Piece(f" {100 * share:3.0f} % ", look)]
    return [*line, Piece(bar(share, max(0, width - wide - 7)), "ask")]


def two_ways(values: Sequence[tuple[int, float]], last: int, width: int, rows: int) -> list[Line]:
    """Bars upwards and downwards from a line, at their places; so many rows to each side. Those downwards are hollow
    above the last part of them, so that they are not told by their place alone."""
    sums: dict[int, float] = {}
    for place, value in values:
        x = column(place, last, width)
        sums[x] = sums.get(x, 0.0) + value
    most = max((abs(value) for value in sums.values()), default=0.0) or 1.0
    lines: list[Line] = []
    for y in range(rows):
        low = 8 * (rows - 1 - y)
        tall = [max(0, min(8, round(8 * rows * sums.get(x, 0.0) / most) - low)) for x in range(width)]
        lines.append([Piece("".join(HEIGHTS[n] for n in tall), "good")])
    lines.append([Piece("─" * width, "line")])
    for y in range(rows):
        deep = [round(2 * rows * -sums.get(x, 0.0) / most) - 2 * y for x in range(width)]
        lines.append([Piece("".join("░" if n > 1 else "▔" if n == 1 else " " for n in deep), "bad")])
    return lines
