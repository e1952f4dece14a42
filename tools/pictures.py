"""Pictures of README and documentation: `python -m tools.pictures` redraws them."""

from __future__ import annotations

from pathlib import Path
from typing import Final, NamedTuple

import gonfalon
from gonfalon.bots import make
from gonfalon.bots.players.driver import Driver

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "pictures"


class Shot(NamedTuple):
    """A moment of a game between two bots, and the seat whose view the picture shows."""

    seed: int
    moment: int
    seat: int


SHOTS: Final = {
    "factionwars": Shot(seed=3, moment=40, seat=0),
    "feint": Shot(seed=3, moment=33, seat=0),
    "generals": Shot(seed=3, moment=47, seat=0),
    "jinkei": Shot(seed=2, moment=49, seat=1),
}


def draw_picture(name: str) -> str:
    """Return a view of a running game as SVG."""
    shot = SHOTS[name]
    game = gonfalon.game(name)
    table = Driver(gonfalon.Record(game), [make("greedy", game) for _ in range(game.seats)], seed=shot.seed)
    table.advance()
    steps = enumerate(table.record.steps())  # One state that advances by a decision each time.
    [view] = [state.mask(shot.seat) for number, (state, _, _) in steps if number == shot.moment]
    picture = view._repr_svg_()
    assert picture is not None
    return picture + "\n"


if __name__ == "__main__":
    for name in SHOTS:
        (FOLDER / f"{name}.svg").write_text(draw_picture(name), "utf-8")
