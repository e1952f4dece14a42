"""A game's guide with its tables of cards and of the observation, which are generated so that they cannot be
outdated."""

from __future__ import annotations

import re
from typing import Final

from gonfalon.core.arrays.layout import Layout
from gonfalon.core.rules.game import Game

PLACE: Final = re.compile(r"^<!-- ([\w -]+) -->$", re.MULTILINE)
"""A line of a guide that is replaced by a table."""
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
