"""The picture that the README shows: `python -m tests.docs.pictures` draws it anew."""

from __future__ import annotations

from pathlib import Path

import gonfalon
from gonfalon.bots import make
from gonfalon.bots.driver import Driver

PATH = Path(__file__).resolve().parents[2] / "docs" / "jinkei.svg"


def draw() -> str:
    """A view in the midst of a battle, out of a game between two bots."""
    game = gonfalon.game("jinkei")
    table = Driver(gonfalon.Record(game), [make("greedy", game), make("greedy", game)], seed=2)
    table.advance()
    [view] = [state.mask(1) for number, (state, _, _) in enumerate(table.record.steps()) if number == 49]
    picture = view._repr_svg_()
    assert picture is not None
    return picture + "\n"


if __name__ == "__main__":
    PATH.write_text(draw(), "utf-8")
