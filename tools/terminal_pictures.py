"""Pictures of the terminal's screens for the documentation: `python -m tools.terminal_pictures` redraws them."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Final, NamedTuple

from rich.style import Style

import gonfalon
from gonfalon.bots import make
from gonfalon.bots.players.driver import Driver
from gonfalon.core.rules.game import names_for
from gonfalon.core.rules.log import list_lines
from gonfalon.terminal.drawing.cards import format_card_panel, mark_changes
from gonfalon.terminal.drawing.frame import Frame, Looks, Spot, build_frame
from gonfalon.terminal.drawing.picking import Picking
from gonfalon.terminal.drawing.viewport import build_sight
from gonfalon.terminal.screens.palette import HERE, PAPER, build_style
from tests.terminal.playing import LARGE, SMALL

FOLDER: Final = Path(__file__).resolve().parents[1] / "docs" / "pictures" / "terminal"
WIDE: Final = 8.4
HIGH: Final = 18


class Shot(NamedTuple):
    """A moment of a game between two bots, from the view of the deciding seat, and whether a card is lifted."""

    game: str
    seed: int
    moment: int
    size: tuple[int, int] = SMALL
    lifts: bool = False


SHOTS: Final = {
    "factionwars": Shot("factionwars", seed=3, moment=40),
    "feint": Shot("feint", seed=3, moment=33, lifts=True),
    "feint-large": Shot("feint", seed=3, moment=33, size=LARGE),
    "generals": Shot("generals", seed=3, moment=60),
    "jinkei": Shot("jinkei", seed=2, moment=49),
}


def build_shot(shot: Shot) -> tuple[Frame, Looks]:
    """Return the screen at that moment."""
    game = gonfalon.game(shot.game)
    driver = Driver(gonfalon.Record(game), [make("greedy", game) for _ in range(game.seats)], seed=shot.seed)
    driver.advance()
    for number, (state, _, _) in enumerate(driver.record.steps()):
        if number >= shot.moment and state.turn >= 0 and len(state.actions) > 1:
            break
    view, names = state.mask(state.turn), game.seat_names()
    sight = build_sight(game, view, names, list(list_lines(game, view, names_for(game, view.viewer, list(names)))))
    looks = Looks(Picking(sight.answers))
    frame = build_frame(game, sight, looks, *shot.size)
    spot = frame.find_first()
    if shot.lifts and spot is not None:
        looks.picking.touch(spot.touch)
        frame = build_frame(game, sight, looks, *shot.size)
        spot = frame.find_first(region="board")
    looks.at = spot.key if spot else None
    card = game.card(spot.card) if spot and spot.card else None
    looks.reading = format_card_panel(mark_changes(game, card), max(24, shot.size[0] // 4) - 2) if card else ()
    return build_frame(game, sight, looks, *shot.size), looks


def draw_picture(name: str) -> str:
    """Return a self-contained picture."""
    frame, looks = build_shot(SHOTS[name])
    return render_frame(frame, frame.find_spot(looks.at), f"{SHOTS[name].game} in a terminal")


def render_frame(frame: Frame, here: Spot | None, title: str) -> str:
    """Return a frame as a picture, with the cursor at a spot."""
    width, height = round(frame.width * WIDE), frame.height * HIGH
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        'role="img" font-family="monospace" font-size="14">',
        f"<title>{title}</title>",
        f'<rect width="{width}" height="{height}" rx="6" fill="{PAPER}"/>',
    ]
    for y, line in enumerate(frame.lines):
        may = {spot.x for spot in frame.spots if spot.y == y and spot.may}
        x = 0
        for piece in line:
            style = build_style(piece.look, x in may and piece.look != "button")
            if here is not None and (here.y, here.x) == (y, x):
                style = HERE
            out += draw_text(x, y, piece.text, style)
            x += len(piece.text)
    return "\n".join([*out, "</svg>"]) + "\n"


def draw_text(x: int, y: int, text: str, style: Style) -> list[str]:
    """Return some characters, with a background unless it is the paper."""
    out: list[str] = []
    ground = style.bgcolor.name if style.bgcolor else PAPER
    if ground != PAPER:
        out.append(
            f'<rect x="{x * WIDE:.1f}" y="{y * HIGH}" width="{len(text) * WIDE:.1f}" height="{HIGH}" fill="{ground}"/>'
        )
    if text.strip():
        begin = len(text) - len(text.lstrip())
        words = text.strip()
        bold = ' font-weight="bold"' if style.bold else ""
        under = ' text-decoration="underline"' if style.underline else ""
        ink = style.color.name if style.color else "#efe8da"
        place = f'x="{(x + begin) * WIDE:.1f}" y="{y * HIGH + 13}" textLength="{len(words) * WIDE:.1f}"'
        out.append(f'<text {place} fill="{ink}"{bold}{under} xml:space="preserve">{escape(words, quote=False)}</text>')
    return out


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in SHOTS:
        (FOLDER / f"{name}.svg").write_text(draw_picture(name), "utf-8")
