"""What one viewer is shown of a table, as JSON: the one source of pages, streams and the API.

Everything is computed from the viewer's masked state.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from gonfalon.core.game import Game, names_for
from gonfalon.core.record import result_of
from gonfalon.core.state import EVERYBODY, State
from gonfalon.table.fold import Fold

if TYPE_CHECKING:
    from gonfalon.table.store import SeatRow


def shown(key: str, fold: Fold, seats: tuple[SeatRow, ...], viewer: int) -> dict[str, Any]:
    """The table as `viewer` (a seat or SPECTATOR) may know it."""
    game = fold.game
    view = fold.state.mask(viewer)
    plain = seat_names(game, seats)
    names = names_for(game, viewer, plain)
    return {
        "table": key,
        "game": game.name,
        "title": game.title,
        "viewer": viewer if viewer >= 0 else "spectator",
        "version": fold.version(viewer),
        "names": plain,
        "seats": [
            {"seat": row.seat, "name": plain[row.seat], "by": row.by, "asked": row.seat in fold.waited_for()}
            for row in seats
        ],
        "board": game.board(view),
        "prompt": "" if fold.over else game.prompt(view, names),
        "decision": decision(game, view, names, fold),
        "can_take_back": viewer >= 0 and fold.can_take_back(viewer),
        "over": over(view, fold, names, plain),
        "log": log(game, view, names),
    }


def seat_names(game: Game, seats: tuple[SeatRow, ...]) -> list[str]:
    """The names at the table; a free seat has the game's word for it."""
    given = game.seat_names()
    return [row.name or given[row.seat] for row in seats]


def decision(game: Game, view: State, names: list[str], fold: Fold) -> dict[str, Any] | None:
    """What the viewer is asked, with every legal action; None when he is not."""
    if fold.over or view.viewer < 0:
        return None
    for asked in view.decisions():
        if asked.seat == view.viewer:
            return {
                "seat": asked.seat,
                "prompt": asked.prompt,
                "text": game.prompt(view, names),
                "actions": [{"id": game.notation(a), "text": game.describe(view, a)} for a in asked.actions],
            }
    return None


def over(view: State, fold: Fold, names: list[str], plain: list[str]) -> dict[str, Any] | None:
    """How the game ended, in words for this viewer; None while it goes on."""
    if fold.ended is not None:
        seat = fold.ended["seat"]
        text = "You conceded." if seat == view.viewer else f"{names[seat]} conceded."
        return {"text": text, "result": None, "ended": fold.ended}
    if not fold.state.over:
        return None
    result = result_of(view)
    if result is None:
        return {"text": "The game is over.", "result": None, "ended": None}
    # The rules know the seats by number only.
    text = re.sub(r"\b[Ss]eat (\d)\b", lambda found: plain[int(found[1]) - 1], result["why"])
    if view.viewer >= 0:
        alone = result["winners"] == [view.viewer]
        text = ("You win. " if alone else "" if view.viewer in result["winners"] else "You lose. ") + text
    return {"text": text, "result": result, "ended": None}


def log(game: Game, view: State, names: list[str]) -> list[dict[str, Any]]:
    """The viewer's log in words; spaces before a sentence make it a consequence of the one before."""
    lines = []
    for n, event in enumerate(view.log or ()):
        text = game.words(event, view, names)
        if text:
            indent = (len(text) - len(text.lstrip())) // 2
            lines.append({"n": n, "text": text.strip(), "indent": indent, "private": event[1] != EVERYBODY})
    return lines
