"""Of what kind a puzzle is, by the criteria of `gonfalon.puzzles.sorting`."""

from __future__ import annotations

from typing import Final

from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import SPECTATOR, TOGETHER, Action, State
from gonfalon.puzzles.sorting import BLUFF, READING, TACTICS, TEMPO

ALIKE: Final = 0.8
"""In so many of the worlds the best answer is the best one, where it does not turn on what is hidden."""
WAITS: Final = ("pass", "end", "done", "hold", "skip", "no", "stay", "retreat", "stop")
"""Words of notations for doing nothing now."""


def kind_of(game: Game, view: State, best: Action, second: Action, jewel: bool, agree: float) -> str:
    """The kind of a puzzle."""
    if hides(game, view, best):
        return BLUFF
    if waits(game, best) or waits(game, second):
        return TEMPO
    return READING if jewel or agree < ALIKE else TACTICS


def hides(game: Game, view: State, action: Action) -> bool:
    """Whether others see an answer, once all are in, as one of several that look alike."""
    if view.stack[-1].seat == TOGETHER:
        return False
    me = view.viewer
    seen = game.public(view, me, action, SPECTATOR)
    return seen != action or any(
        game.public(view, me, other, SPECTATOR) == seen for other in view.legal(me) if other != action
    )


def waits(game: Game, action: Action) -> bool:
    """Whether an answer does nothing now."""
    return game.notation(action).partition("@")[0].partition(":")[0] in WAITS
