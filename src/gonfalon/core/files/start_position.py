"""Games that begin at a position of another game, as one seat saw it.

The start position is an option of the game, so records, tables and workers include it like any option:

    "begun": {"seat": 0, "step": 41, "cards": "anew", "shape": "<hash>", "position": "<JSON>"}

`step` is the number of the decision that is taken again. With `cards` "anew" the position is a world dealt from the
seat's view, so it contains nothing of the other game except that view; with "true" it is the other game's own position.
`position` is text of the state codec. Views and bots hold the game without it (`Rules.without_secrets`).
"""

from __future__ import annotations

import json
from typing import Final, TypedDict, TypeVar, cast

from gonfalon.core.basics.errors import OptionError
from gonfalon.core.files.state_codec import codec_of, is_consistent, shape_of, state_to_text
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.rules import BEGUN
from gonfalon.core.rules.state import OPEN, State
from gonfalon.core.text.untrusted import isolate

G = TypeVar("G", bound=Game)
ANEW: Final = "anew"
"""Hidden cards are dealt again from the seat's view."""
TRUE: Final = "true"
"""Hidden cards stay as they were."""
DAMAGED: Final = "The start position of this game is damaged."
OTHER_SHAPE: Final = "The start position of this game was written by another version of this program."


class StartPosition(TypedDict):
    """The value of the option `begun`."""

    seat: int
    step: int
    cards: str
    shape: str
    position: str


def begin_at(game: G, state: State, seat: int, step: int, cards: str) -> G:
    """Return a game that begins at a full state, which is decision `step` of another game as a seat saw it."""
    told: StartPosition = {
        "seat": seat,
        "step": step,
        "cards": cards,
        "shape": shape_of(game),
        "position": state_to_text(state)[1],
    }
    return type(game)(**{**game.options, BEGUN: told})


def find_start(game: Game) -> StartPosition | None:
    """Return the start position of a game; None for the usual start."""
    told: StartPosition | None = game.options.get(BEGUN)
    return told


def describe_start(told: StartPosition | None, names: list[str]) -> str:
    """Return the start position as a public sentence; empty for the usual start."""
    if told is None:
        return ""
    seen = f"as {isolate(names[told['seat']])} saw it"
    cards = "The cards are unchanged." if told["cards"] == TRUE else "Hidden cards were dealt again."
    return f"Played on from decision {told['step']} of a finished game, {seen}. {cards}"


def decode_position(game: Game, log: bool) -> State:
    """Return the position at which a game begins, with or without its log. Raises OptionError."""
    told = check_start(game.options[BEGUN], game.seats)
    if told["shape"] != shape_of(game):
        raise OptionError(OTHER_SHAPE)
    try:
        state = codec_of(game.without_secrets()).decode(json.loads(told["position"]))
        if not is_sound(state):
            raise OptionError(DAMAGED)
    except Exception:  # a file of any origin can cause any error
        raise OptionError(DAMAGED) from None
    # The stored position always has its log, which searches do without.
    if not log:
        state.log = None
    return state


def check_start(told: object, seats: int) -> StartPosition:
    """Return the checked value of the option. Raises OptionError."""
    if not isinstance(told, dict) or told.keys() != StartPosition.__annotations__.keys():
        raise OptionError(DAMAGED)
    numbers = type(told["seat"]) is int and type(told["step"]) is int and 0 <= told["seat"] < seats
    if not numbers or told["step"] < 0 or told["cards"] not in (ANEW, TRUE) or not isinstance(told["position"], str):
        raise OptionError(DAMAGED)
    return cast(StartPosition, told)


def is_sound(state: State) -> bool:
    """Return whether a position is complete and consistent."""
    if state.viewer != OPEN or state.over or state.moment or state.moments is not None or state.log is None:
        return False
    return is_consistent(state)
