"""Requests to a table at a given position, for `gonfalon check`."""

from __future__ import annotations

from gonfalon.core.basics.errors import GonfalonError
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import Action, Seat, State
from gonfalon.table.game.position import Position


def send_actions(game: Game, state: State, seat: Seat, actions: list[Action]) -> tuple[int, str]:
    """Send a seat's actions at once.

    Returns:
        The number of accepted actions, and the class and message of the refusal, if any.
    """
    position = Position(game)
    # A refused request leaves its position half applied, so it works on a copy.
    position.state = state.clone()
    position.update_views()
    try:
        entries = position.act(seat, position.version(seat), actions)
    except GonfalonError as error:
        return 0, f"{type(error).__name__}: {error}"
    return sum(entry.seat == seat for entry in entries), ""
