"""The kinds of puzzles, by the criteria of `gonfalon.puzzles.sorting`."""

from __future__ import annotations

from typing import Final

from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import SPECTATOR, TOGETHER, Action, State
from gonfalon.puzzles.sorting import BLUFF, READING, TACTICS, TEMPO

MIN_AGREEMENT: Final = 0.8
"""Share of the worlds in which the best answer must be best, if it does not depend on hidden cards."""
WAITING_WORDS: Final = ("pass", "end", "done", "hold", "skip", "no", "stay", "retreat", "stop")
"""Words of notations for inaction."""


def find_kind(game: Game, view: State, best: Action, second: Action, jewel: bool, agree: float) -> str:
    """Return the kind of a puzzle."""
    if is_hidden(game, view, best):
        return BLUFF
    if is_waiting(game, best) or is_waiting(game, second):
        return TEMPO
    return READING if jewel or agree < MIN_AGREEMENT else TACTICS


def is_hidden(game: Game, view: State, action: Action) -> bool:
    """Return whether others see an answer as one of several that look alike, after all have answered."""
    if view.stack[-1].seat == TOGETHER:
        return False
    me = view.viewer
    seen = game.public(view, me, action, SPECTATOR)
    return seen != action or any(
        game.public(view, me, other, SPECTATOR) == seen for other in view.legal(me) if other != action
    )


def is_waiting(game: Game, action: Action) -> bool:
    """Return whether an answer is inaction."""
    return game.notation(action).partition("@")[0].partition(":")[0] in WAITING_WORDS
