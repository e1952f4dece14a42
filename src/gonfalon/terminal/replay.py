"""The replay of a record by lines, as one viewer saw the game; a row for each step (see `core/files/replay.py`).

Every row is computed from that viewer's masked state.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gonfalon.core.files.record import Record
from gonfalon.core.files.replay import replay_sights
from gonfalon.core.files.start_position import describe_start, find_start
from gonfalon.core.rules.game import names_for
from gonfalon.core.rules.log import list_lines
from gonfalon.core.rules.state import CHANCE, OPEN, SPECTATOR, State
from gonfalon.core.text.untrusted import print_json, print_text
from gonfalon.terminal import messages
from gonfalon.terminal.drawing.console import Console
from gonfalon.terminal.drawing.past import group_by_seat
from gonfalon.terminal.screens import run as screen

Row = dict[str, Any]
"""A step as JSON."""


def show_replay(record: Record, viewer: int | None, as_json: bool, plain: bool = False) -> int:
    """Run `gonfalon replay`: show a record.

    Args:
        record: The record.
        viewer: The viewer; by default open after the end, else a spectator.
        as_json: Print each step as a line of JSON.
        plain: Show it by lines, without a screen.

    Returns:
        The exit code.
    """
    if viewer is None:
        viewer = OPEN if record.over else SPECTATOR
    if not as_json and not plain and screen.can_show_screen():
        return screen.show_replay(record, viewer)
    found = build_rows(record, viewer)
    told = describe_start(find_start(record.game), list_names(record))
    if told and not as_json:
        print_text(told)
    if as_json:
        for row in found:
            print_json(row)
        return 0
    console = Console()
    if console.terminal:
        browse_rows(console, list(found))
    else:
        for row in found:
            show_row(console, row)
    return 0


def build_rows(record: Record, viewer: int) -> Iterator[Row]:
    """Yield a row for each step that a viewer saw. Row 0 is the table before the first decision."""
    game = record.game
    names = names_for(game, viewer, list_names(record))
    heard = number = 0
    more: Row = {"begun": told} if (told := describe_start(find_start(game), list_names(record))) else {}
    view: State | None = None
    shown = group_by_seat(record)
    for sight in replay_sights(record, viewer):
        # A moment belongs to the decision that led through it.
        decision = sight.decisions + bool(sight.moment) if sight.seat is None else shown[sight.seat].popleft() + 1
        view = sight.state.mask(viewer)
        said = [line["text"] for line in list_lines(game, view, names, heard)]
        heard = len(view.log or ())
        number = sight.number + 1
        yield {
            "step": sight.number,
            "viewer": {OPEN: "all", SPECTATOR: "spectator"}.get(viewer, viewer),
            "seat": sight.seat,
            "moment": sight.state.moment or None,
            "decision": decision if record.over else None,  # before the end it would show which seats have answered
            "action": None if sight.action is None else game.notation(sight.action),
            "log": said,
            "text": game.text(view, names).rstrip("\n"),
            "board": game.board(view),
            "over": sight.state.over,
            **more,
        }
        # Only the first row contains the start position.
        more = {}
    if record.over:
        words = "" if view is None else game.ending(view, names)
        yield {"step": number, "over": True, "result": record.result, "ended": record.ended, "text": words}


def list_names(record: Record) -> list[str]:
    """Return the names of the seats by the record, or else by the game."""
    names = record.names
    return names if len(names) == record.game.seats else record.game.seat_names()


def show_row(console: Console, row: Row) -> None:
    """Write a row as text."""
    if "board" not in row:
        result, ended = row["result"], row["ended"]
        if ended is not None:
            seat = ended.get("seat")
            who = "" if seat == CHANCE else f" (seat {seat})"
            console.say(messages.TABLE_CLOSED.format(reason=ended.get("how", "ended"), seat=who))
        if result is not None:
            console.head(row["text"])
        return
    who = "" if row["seat"] is None else " · chance" if row["seat"] == CHANCE else f" · seat {row['seat']}"
    what = f" · {row['action']}" if row["action"] else ""
    number = row["step"] if row.get("decision") is None else row["decision"]
    moment = " · moment" if row.get("moment") and row.get("decision") is not None else ""
    console.head(f"Step {number}{moment}{who}{what}")
    for sentence in row["log"]:
        console.say(f"* {sentence}", indent="  ")
    console.say(row["text"])
    console.say()


def browse_rows(console: Console, found: list[Row]) -> None:
    """Write row after row at the player's commands."""
    console.say(messages.REPLAY_HELP)
    at = 0
    rest = False
    while at < len(found):
        show_row(console, found[at])
        at += 1
        if rest or at == len(found):
            continue
        line = console.ask("> ")
        if line is None or line.lower() in ("q", "quit"):
            return
        if line.lower() in ("b", "back"):
            at = max(0, at - 2)
        rest = line.lower() in ("a", "all")
