"""States, views and games in pickles, copies and bytes, the same in both builds.

A compiled class has no empty instance that could be filled. So a game is pickled as its class and its
options, and a state as its game and the text that `gonfalon.core.files.wire` makes of it: of a view that text holds
what the view holds, and nothing of the position behind it.

`freeze` and `thaw` keep a full state as bytes that may lie in a file for years, and come from anybody: they are data,
no pickle, and whatever was damaged or belongs to another game is refused. They hold every card.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

from gonfalon.core.basics.cards import KIND
from gonfalon.core.basics.errors import RecordError
from gonfalon.core.files.wire import Wire, held, name_of
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.rules import Rules
from gonfalon.core.rules.state import OPEN, State

FORMAT: Final = b"gonfalon-frozen"
FORM: Final = b"1"
DAMAGED: Final = "This frozen state is damaged."


@lru_cache(maxsize=8)
def wire_of(game: Game) -> Wire:
    """What packs and unpacks the positions of a game; the last few are kept, for it looks through all its tables."""
    return Wire(game)


def game_of(state: State) -> Game:
    """The game that started a state. Raises TypeError where it is not known."""
    game = state.rules
    if not isinstance(game, Game):
        raise TypeError("This state was not started by a game, so nothing could be made of it elsewhere.")
    return game


def written(state: State) -> tuple[Game, str]:
    """A state or view as its game and a text. Raises TypeError where it is not known of which game it is."""
    game = game_of(state)
    return game, json.dumps(wire_of(game).body(state), separators=(",", ":"))


def read_again(game: Game, text: str) -> State:
    """The state or view again."""
    return wire_of(game).state(json.loads(text))


# ---- bytes ------------------------------------------------------------------------------------------------------


def freeze(state: State, more: object = None) -> bytes:
    """A full state as bytes, from which `thaw` makes it again: with every card, so they are no view, and nothing for a
    player. `more` is kept beside it, as JSON. Raises ValueError for a view, TypeError for a state of no game."""
    if state.viewer != OPEN:
        raise ValueError("This is a view; only full states are frozen.")
    game = game_of(state)
    body = {**stamp_of(game), "more": more, "position": wire_of(game).body(state)}
    text = json.dumps(body, separators=(",", ":")).encode()
    return b" ".join((FORMAT, FORM, digest(text))) + b"\n" + text


def thaw(game: Game, data: bytes) -> State:
    """The state again, of a game with the options that it was frozen with. Raises RecordError, in a sentence."""
    return thawed(game, data)[0]


def thawed(game: Game, data: bytes) -> tuple[State, Any]:
    """The state again, and what was kept beside it. Raises RecordError."""
    body = body_of(data)
    known = game.without_secrets()
    for name, told in stamp_of(known).items():
        if body.get(name) != told:
            raise RecordError(f"This state was frozen {OTHERWISE[name]}.")
    try:
        state = wire_of(known).state(body["position"])
        if state.viewer != OPEN or not whole(state):
            raise RecordError(DAMAGED)
    except Exception:  # whatever a stranger's bytes may hold
        raise RecordError(DAMAGED) from None
    return state, body.get("more")


def body_of(data: bytes) -> dict[str, Any]:
    """What stands in frozen bytes. Raises RecordError."""
    head, _, text = bytes(data).partition(b"\n")
    words = head.split(b" ")
    if words[0] != FORMAT or len(words) != 3:
        raise RecordError("These bytes are no frozen state.")
    if words[1] != FORM:
        raise RecordError("This state was frozen by another version of this program.")
    if words[2] != digest(text):
        raise RecordError(DAMAGED)
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        raise RecordError(DAMAGED) from None
    if not isinstance(body, dict):
        raise RecordError(DAMAGED)
    return body


def digest(text: bytes) -> bytes:
    """What tells that bytes are still those that were written."""
    return hashlib.sha256(text).hexdigest()[:32].encode()


OTHERWISE: Final = {
    "game": "in another game",
    "rules": "by another version of the rules",
    "data": "with other card data",
    "options": "in a game of other options",
    "shape": "by another version of this program",
}


@lru_cache(maxsize=8)
def stamp_of(game: Game) -> dict[str, str]:
    """What a game must be to go on from a state: its name, rules, cards and options, and how its states are made
    inside."""
    options = json.dumps(game.pinned(), sort_keys=True)
    told = (game.name, game.rules_version, game.data_hash, hashlib.sha256(options.encode()).hexdigest()[:16])
    return dict(zip(OTHERWISE, (*told, shape_of(game)), strict=True))


def shape_of(game: Game) -> str:
    """Stands for how states of a game are made inside: what was written by another shape cannot be read."""
    wire = wire_of(game.without_secrets())
    first = wire.game.start(log=True)
    parts = [[name_of(type(one)), sorted(held(one))] for one in [first, *wire.shared]]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]


def whole(state: State) -> bool:
    """Whether a full state has no card too many, and asks what its steps ask."""
    for deck, zones in state.pools():
        if Counter(card & KIND for zone in zones for card in zone) - Counter(deck):
            return False
    again = state.clone()
    again.settle()
    return again.dump() == state.dump()


# ---- games ------------------------------------------------------------------------------------------------------


def options_of(game: Rules) -> str:
    """The options of a game as a text."""
    return json.dumps(game.shown_options(), separators=(",", ":"))


@lru_cache(maxsize=8)
def made_again(kind: Callable[..., Game], options: str) -> Game:
    """A game of its class and options; for many states of one game it is made once."""
    return kind(**json.loads(options))
