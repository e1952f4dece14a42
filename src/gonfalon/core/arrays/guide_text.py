"""A game's guide with its tables of cards and of the observation, which are generated so that they cannot be
outdated."""

from __future__ import annotations

import re
from typing import Final

from gonfalon.core.arrays.layout import Layout
from gonfalon.core.rules.game import Game

PLACE: Final = re.compile(r"^<!-- ([\w -]+) -->$", re.MULTILINE)
"""A line of a guide that is replaced by a table."""
RULING: Final = re.compile(r"^\*\*(\d+)\.(?:\\\*)?\*\* ", re.MULTILINE)
"""The beginning of a ruling in a guide."""
OBSERVATION: Final = (
    "A learning program reads the table as a row of whole numbers in named parts, and chooses from numbered actions. "
    "All numbers follow from what the observer may know, and seats are counted from the observer on. Public parts come "
    "first and are the same for every viewer of that side."
)


def guide_text(kind: type[Game]) -> str:
    """Return the guide of a game in Markdown, with all tables."""
    text = (kind.folder / "guide.md").read_text("utf-8")
    if not PLACE.search(text):
        return text  # numbering the actions of a game can take long
    tables = made_tables(kind)
    return PLACE.sub(lambda place: tables.get(place[1], place[0]), text)


def split_guide(text: str) -> dict[str, str]:
    """Return the sections of a guide by their headings, in order. The first is what precedes them all."""
    first, *rest = re.split(r"^## ", text, flags=re.MULTILINE)
    pairs = [part.partition("\n") for part in ("\n" + first, *rest)]
    return {heading.strip(): body.strip() for heading, _, body in pairs}


def find_ruling(text: str, number: int) -> str:
    """Return the paragraph of a ruling in a guide; empty if there is no such ruling."""
    begins = [(int(found[1]), found.start()) for found in RULING.finditer(text)]
    start = next((at for ruling, at in begins if ruling == number), None)
    return "" if start is None else re.split(r"\n\n(?=\*\*\d|#|\||<!--)", text[start:], maxsplit=1)[0].strip()


def made_tables(kind: type[Game]) -> dict[str, str]:
    """Return the tables of a game's guide in Markdown, by the names of their places."""
    game = kind()
    tables = {name: format_table(rows) for name, rows in game.guide_tables().items()}
    return {**tables, "numbers": f"{OBSERVATION}\n\n{format_table(observation_rows(game))}"}


def observation_rows(game: Game) -> list[list[str]]:
    """Return the table of the parts of a game's observation tensor."""
    layout = Layout(game)
    rows = [["Part", "Shape", "What it counts"]]
    for part, (title, shape, meaning) in zip(layout.parts, layout.table(), strict=True):
        rows.append([f"`{title}`", str(shape), meaning if part.public else f"{meaning} (private)"])
    return [*rows, ["all parts", f"{layout.size:,}", f"the whole observation; there are {len(layout.actions)} actions"]]


def format_table(rows: list[list[str]]) -> str:
    """Return a table in Markdown, of its head and its rows."""
    head, *body = rows
    return "\n".join(f"| {' | '.join(cells)} |" for cells in [head, ["---"] * len(head), *body])
