"""The table of a guide's section "For programs": `python -m tests.docs.tensors GAME` prints it."""

from __future__ import annotations

import sys

from gonfalon import games
from gonfalon.core.arrays.layout import Layout

HEADING = "## For programs"


def table(name: str) -> str:
    """The parts of a game's tensor, as the guide shows them."""
    layout = Layout(games.game(name))
    lines = ["| Part | Shape | What it counts |", "|---|---|---|"]
    for part, (title, shape, meaning) in zip(layout.parts, layout.table(), strict=True):
        lines.append(f"| `{title}` | {shape} | {meaning}{'' if part.public else ' (private)'} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(table(sys.argv[1]), end="")
