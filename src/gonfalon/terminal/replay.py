"""Stepping through a record, as one viewer saw the game.

Every row is computed from that viewer's masked state. What a viewer may not know of a decision is
not in it: seeds and other outcomes of chance, what others chose in secret, and even that they have
answered before the last answer of a simultaneous decision is in. So rows are numbered as the viewer
saw them come, which only with all cards open is the number of the decision.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from gonfalon.core.errors import NotationError
from gonfalon.core.game import Game, names_for
from gonfalon.core.record import Record
from gonfalon.core.state import CHANCE, OPEN, SPECTATOR, TOGETHER, Action, Seat, State
from gonfalon.terminal.console import Console

Row = dict[str, Any]
LIMIT: Final = 4096
_ACTIONS: Final[dict[Game, list[Action]]] = {}
HELP: Final = "Enter: next step · b: back · a: all the rest · q: quit"


def replay(record: Record, viewer: int | None, as_json: bool) -> int:
    """The command `gonfalon replay`. Without a viewer: all open when the game is over, else as a
    spectator."""
    over = record.result is not None or record.ended is not None
    if viewer is None:
        viewer = OPEN if over else SPECTATOR
    found = rows(record, viewer)
    if as_json:
        for row in found:
            print(json.dumps(row, ensure_ascii=False))
        return 0
    console = Console()
    if console.terminal:
        browse(console, list(found))
    else:
        for row in found:
            show(console, row)
    return 0


def rows(record: Record, viewer: int) -> Iterator[Row]:
    """What a viewer saw, a row a step; row 0 is the table before the first decision."""
    game = record.game
    names = names_for(game, viewer, names_of(record))
    heard = 0
    number = 0

    def row(state: State, seat: Seat | None, action: Action | None) -> Row:
        nonlocal heard, number
        view = state.mask(viewer)
        log = view.log or []
        said = [game.words(event, view, names) for event in log[heard:]]
        heard = len(log)
        found: Row = {
            "step": number,
            "viewer": {OPEN: "all", SPECTATOR: "spectator"}.get(viewer, viewer),
            "seat": seat,
            "action": None if action is None else game.notation(action),
            "log": [sentence for sentence in said if sentence],
            "text": game.text(view, names).rstrip("\n"),
            "board": game.board(view),
            "over": state.over,
        }
        number += 1
        return found

    # The rows that are due when the next state is there; those of secret answers wait for the last one.
    due: list[tuple[Seat | None, Action | None]] = [(None, None)]
    waiting: list[tuple[Seat | None, Action | None]] = []
    state = game.start(log=True)
    for state, seat, action in record.steps():
        for who, what in due:
            yield row(state, who, what)
        due = [(seat, shown(game, state, seat, action, viewer))]
        if viewer != OPEN and state.stack[-1].seat == TOGETHER:
            if seat != viewer:
                waiting += due
                due = []
            if is_last(state, seat, action):
                due = waiting + due
                waiting = []
    for who, what in due:
        yield row(state, who, what)
    if record.result is not None or record.ended is not None:
        yield {"step": number, "over": True, "result": record.result, "ended": record.ended}


def shown(game: Game, state: State, seat: Seat, action: Action, viewer: int) -> Action | None:
    """What a viewer sees of a decision; nothing of chance, whose seeds tell the future."""
    if viewer in (OPEN, seat):
        return action
    if seat == CHANCE:
        return None
    public = game.public(state, seat, action, viewer)
    for other in every_action(game):
        if other != action and game.public(state, seat, other, viewer) == public:
            return None  # one that stands for all that look alike would name one of them
    return public


def every_action(game: Game) -> list[Action]:
    """The actions of a game that have a notation, up to a limit."""
    if game not in _ACTIONS:
        _ACTIONS.clear()
        _ACTIONS[game] = [action for action in range(LIMIT) if is_action(game, action)]
    return _ACTIONS[game]


def is_action(game: Game, action: Action) -> bool:
    """Whether a number is an action of the game."""
    try:
        return game.parse(game.notation(action)) == action
    except (NotationError, LookupError):
        return False


def is_last(state: State, seat: Seat, action: Action) -> bool:
    """Whether this answer ends the simultaneous decision that is on."""
    after = state.clone()
    after.apply(seat, action)
    return not any(after.answers)


def names_of(record: Record) -> list[str]:
    """The names of the seats as the record gives them, or as the game does."""
    names = record.names
    return names if len(names) == record.game.seats else record.game.seat_names()


def show(console: Console, row: Row) -> None:
    """A row as text."""
    if "board" not in row:
        result, ended = row["result"], row["ended"]
        if ended is not None:
            console.say(f"The table was closed: {ended.get('how', 'ended')} (seat {ended.get('seat')}).")
        if result is not None:
            console.head(str(result.get("why")))
        return
    who = "" if row["seat"] is None else " · chance" if row["seat"] == CHANCE else f" · seat {row['seat']}"
    what = f" · {row['action']}" if row["action"] else ""
    console.head(f"Step {row['step']}{who}{what}")
    for sentence in row["log"]:
        console.say(f"* {sentence}", indent="  ")
    console.say(row["text"])
    console.say()


def browse(console: Console, found: list[Row]) -> None:
    """Row by row, as the person asks."""
    console.say(HELP)
    at = 0
    rest = False
    while at < len(found):
        show(console, found[at])
        at += 1
        if rest or at == len(found):
            continue
        line = console.ask("> ")
        if line is None or line.lower() in ("q", "quit"):
            return
        if line.lower() in ("b", "back"):
            at = max(0, at - 2)
        rest = line.lower() in ("a", "all")
