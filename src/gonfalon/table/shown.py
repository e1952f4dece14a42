"""What one viewer is shown of a table, as JSON: the one source of pages, streams and the API.

Everything is computed from the viewer's masked state.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gonfalon.core.game import Game, names_for
from gonfalon.core.record import result_of
from gonfalon.core.state import EVERYBODY, Event, State
from gonfalon.table.position import ABANDONED, Position
from gonfalon.table.seats import plain_name

if TYPE_CHECKING:
    from gonfalon.table.store import SeatRow


def shown(key: str, position: Position, seats: tuple[SeatRow, ...], viewer: int) -> dict[str, Any]:
    """The table as `viewer` (a seat or SPECTATOR) may know it."""
    game = position.game
    view = position.state.mask(viewer)
    plain = seat_names(seats)
    names = names_for(game, viewer, plain)
    return {
        "table": key,
        "game": game.name,
        "title": game.title,
        "viewer": viewer if viewer >= 0 else "spectator",
        "version": position.version(viewer),
        "names": plain,
        "seats": [
            {"seat": row.seat, "name": plain[row.seat], "by": row.by, "asked": row.seat in position.waited_for()}
            for row in seats
        ],
        "board": game.board(view),
        "prompt": "" if position.over else game.prompt(view, names),
        "decision": decision(game, view, names, position),
        "can_take_back": viewer >= 0 and position.can_take_back(viewer),
        "over": over(game, view, position.ended, names, plain),
        "log": log(game, view, names),
    }


def seat_names(seats: tuple[SeatRow, ...]) -> list[str]:
    """The names at the table; at a free seat what somebody without a name would be called."""
    return [row.name or plain_name(row.seat) for row in seats]


def decision(game: Game, view: State, names: list[str], position: Position) -> dict[str, Any] | None:
    """What the viewer is asked, with every legal action; None when they are not."""
    if position.over or view.viewer < 0:
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


def over(
    game: Game, view: State, ended: dict[str, Any] | None, names: list[str], plain: list[str]
) -> dict[str, Any] | None:
    """How the game ended, in words for this viewer; None while it goes on. `ended` says why the table stopped before
    the rules ended the game."""
    if ended is not None:
        seat = ended["seat"]
        if ended["how"] == ABANDONED:
            text = f"Nobody moved for {ended['days']} days, so the game ended without a result."
        else:
            text = "You conceded." if seat == view.viewer else f"{names[seat]} conceded."
        return {"text": text, "result": None, "ended": ended}
    if not view.over:
        return None
    return {"text": game.ending(view, names), "result": result_of(game, view, plain), "ended": None}


def log(game: Game, view: State, names: list[str]) -> list[dict[str, Any]]:
    """The viewer's log in words; spaces before a sentence make it a consequence of the one before."""
    found = (sentence(game, n, event, view, names) for n, event in enumerate(view.log or ()))
    return [line for line in found if line is not None]


def sentence(game: Game, n: int, event: Event, view: State, names: list[str]) -> dict[str, Any] | None:
    """A line of the log; None for an event that has no sentence."""
    text = game.words(event, view, names)
    if not text:
        return None
    indent = (len(text) - len(text.lstrip())) // 2
    return {"n": n, "text": text.strip(), "indent": indent, "private": event[1] != EVERYBODY}
