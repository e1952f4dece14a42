"""Games that begin in the middle: at a position of another game, as one seat saw it there.

Such a beginning is an option of the game, so records, tables and workers carry it as they carry the others:

    "begun": {"seat": 0, "step": 41, "cards": "anew", "shape": "<hash>", "position": "<JSON>"}

`step` is the number of the decision that is taken again. With `cards` "anew" the position is a world dealt from the
seat's view, so nothing in it is from the other game but what the view held; with "true" it is the other game's own.
The position is text of the state codec. Views and bots hold the game without it (`Rules.without_secrets`).
"""

from __future__ import annotations

import json
from typing import Any, Final, TypedDict, TypeVar, cast

from gonfalon.core.basics.errors import OptionError
from gonfalon.core.files.state_codec import codec_of, is_consistent, shape_of, state_to_text
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.rules import BEGUN
from gonfalon.core.rules.state import OPEN, State
from gonfalon.core.text.untrusted import isolate

G = TypeVar("G", bound=Game)
ANEW: Final = "anew"
TRUE: Final = "true"
DAMAGED: Final = "The position from which this game was played on is damaged."
OTHER_SHAPE: Final = "The position from which this game was played on was written by another version of this program."


class Begun(TypedDict):
    """The value of the option."""

    seat: int
    step: int
    cards: str
    shape: str
    position: str


def begin_at(game: G, state: State, seat: int, step: int, cards: str) -> G:
    """Return a game that begins at a full state, which is decision `step` of another game as a seat saw it."""
    told: Begun = {
        "seat": seat,
        "step": step,
        "cards": cards,
        "shape": shape_of(game),
        "position": state_to_text(state)[1],
    }
    return type(game)(**{**game.options, BEGUN: told})


def begun(game: Game) -> Begun | None:
    """Return the start of a game; None for the usual one."""
    told: Begun | None = game.options.get(BEGUN)
    return told


def in_words(told: Begun | None, names: list[str]) -> str:
    """Return the start of a game in public words; empty for the usual one."""
    if told is None:
        return ""
    seen = f"as it was seen from the seat of {isolate(names[told['seat']])}"
    cards = "The cards lie as they did." if told["cards"] == TRUE else "What could not be known there was dealt anew."
    return f"Played on from decision {told['step']} of a finished game, {seen}. {cards}"


def position(game: Game, log: bool) -> State:
    """Return the position at which a game begins. Raises OptionError."""
    told = checked(game.options[BEGUN], game.seats)
    if told["shape"] != shape_of(game):
        raise OptionError(OTHER_SHAPE)
    try:
        state = codec_of(game.without_secrets()).decode(json.loads(told["position"]))
        if not sound(state):
            raise OptionError(DAMAGED)
    except Exception:  # whatever a stranger's file may hold
        raise OptionError(DAMAGED) from None
    if not log:
        state.log = None
    return state


def checked(told: Any, seats: int) -> Begun:
    """Return the checked value of the option. Raises OptionError."""
    if not isinstance(told, dict) or told.keys() != Begun.__annotations__.keys():
        raise OptionError(DAMAGED)
    numbers = type(told["seat"]) is int and type(told["step"]) is int and 0 <= told["seat"] < seats
    if not numbers or told["step"] < 0 or told["cards"] not in (ANEW, TRUE) or not isinstance(told["position"], str):
        raise OptionError(DAMAGED)
    return cast(Begun, told)


def sound(state: State) -> bool:
    """Return whether a position is complete and consistent."""
    if state.viewer != OPEN or state.over or state.moment or state.moments is not None or state.log is None:
        return False
    return is_consistent(state)
