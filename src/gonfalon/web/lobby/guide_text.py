"""A game's guide with the tables that are made of its cards and its observation, so that no copy of them gets old."""

from __future__ import annotations

import re
from typing import Final

from gonfalon.core.arrays.layout import Layout
from gonfalon.core.rules.game import Game

PLACE: Final = re.compile(r"^<!-- ([\w -]+) -->$", re.MULTILINE)
"""A line of a guide in whose place a table appears."""
_MADE: Final[dict[type[Game], dict[str, str]]] = {}


def guide_text(kind: type[Game]) -> str:
    """Return the guide of a game in Markdown, with all tables."""
    text = (kind.folder / "guide.md").read_text("utf-8")
    return PLACE.sub(lambda place: made_tables(kind).get(place[1], place[0]), text)


def made_tables(kind: type[Game]) -> dict[str, str]:
    """Return the tables of a game's guide in Markdown, by the names of their places."""
    if kind in _MADE:
        return _MADE[kind]
    game = kind()
    tables = {**game.guide_tables(), "numbers": observation_rows(game)}
    _MADE[kind] = {name: markdown(rows) for name, rows in tables.items()}
    return _MADE[kind]


def observation_rows(game: Game) -> list[list[str]]:
    """Return the table of the parts of a game's observation tensor."""
    layout = Layout(game)
    rows = [["Part", "Shape", "What it counts"]]
    for part, (title, shape, meaning) in zip(layout.parts, layout.table(), strict=True):
        rows.append([f"`{title}`", str(shape), meaning if part.public else f"{meaning} (private)"])
    return [*rows, ["all parts", f"{layout.size:,}", f"the whole observation; there are {len(layout.actions)} actions"]]


def markdown(rows: list[list[str]]) -> str:
    """Return a table in Markdown, of its head and its rows."""
    head, *body = rows
    return "\n".join(f"| {' | '.join(cells)} |" for cells in [head, ["---"] * len(head), *body])
