"""How a game ended, as a viewer reads it."""

from __future__ import annotations

from gonfalon.core.rules.game import Game, names_for
from gonfalon.core.rules.state import State

NAMES = ["May", "David", "Ann", "Bo", "Cleo"]


def ending(state: State, viewer: int) -> str:
    game = state.rules
    assert isinstance(game, Game)
    return game.ending(state.mask(viewer), names_for(game, viewer, NAMES[: game.seats]))
