"""States, views and games in pickles and copies, the same in both builds.

A compiled class has no empty instance that could be filled. So a game is pickled as its class and its
options, and a state as its game and the text that `gonfalon.core.wire` makes of it: of a view that text holds
what the view holds, and nothing of the position behind it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import lru_cache

from gonfalon.core.game import Game
from gonfalon.core.rules import Rules
from gonfalon.core.state import State
from gonfalon.core.wire import Wire


@lru_cache(maxsize=8)
def wire_of(game: Game) -> Wire:
    """What packs and unpacks the positions of a game; the last few are kept, for it looks through all its tables."""
    return Wire(game)


def freeze(state: State) -> tuple[Game, str]:
    """A state or view as its game and a text. Raises TypeError where it is not known of which game it is."""
    game = state.rules
    if not isinstance(game, Game):
        raise TypeError("This state was not started by a game, so nothing could be made of it elsewhere.")
    return game, json.dumps(wire_of(game).body(state), separators=(",", ":"))


def thaw(game: Game, text: str) -> State:
    """The state or view again."""
    return wire_of(game).state(json.loads(text))


def options_of(game: Rules) -> str:
    """The options of a game as a text."""
    return json.dumps(game.shown_options(), separators=(",", ":"))


@lru_cache(maxsize=8)
def made_again(kind: Callable[..., Game], options: str) -> Game:
    """A game of its class and options; for many states of one game it is made once."""
    return kind(**json.loads(options))
