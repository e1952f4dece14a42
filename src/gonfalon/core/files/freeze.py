"""Frozen states: full states as bytes, for files of any age and origin.

They contain every card, so they are not views. They are data and not pickles. Damaged bytes, and those of another game,
are refused.
"""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache
from typing import Any, Final

from gonfalon.core.basics.errors import RecordError
from gonfalon.core.files.state_codec import codec_of, game_of, is_consistent, shape_of
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import OPEN, State

FORMAT: Final = b"gonfalon-frozen"
FORMAT_VERSION: Final = b"1"
DAMAGED: Final = "This frozen state is damaged."
# The order is that of `stamp_of`. The first difference is the one that is reported.
DIFFERENCES: Final = {
    "game": "in another game",
    "rules": "by another version of the rules",
    "data": "with other card data",
    "options": "in a game with other options",
    "shape": "by another version of this program",
}


def freeze(state: State, more: object = None) -> bytes:
    """Return a full state as bytes, which `thaw` reads back.

    Args:
        state: A full state.
        more: JSON to be stored with it.

    Raises:
        ValueError: The state is a view.
        TypeError: The state was not started by a game.
    """
    if state.viewer != OPEN:
        raise ValueError("This is a view; only full states are frozen.")
    game = game_of(state)
    body = {**stamp_of(game), "more": more, "position": codec_of(game).encode(state)}
    text = json.dumps(body, separators=(",", ":")).encode()
    return b" ".join((FORMAT, FORMAT_VERSION, hash_text(text))) + b"\n" + text


def thaw(game: Game, data: bytes) -> State:
    """Return a frozen state.

    Args:
        game: A game with the options with which the state was frozen.
        data: The bytes.

    Raises:
        RecordError: The bytes are damaged, or belong to another game, rules, cards or options.
    """
    return thaw_with_extra(game, data)[0]


def thaw_with_extra(game: Game, data: bytes) -> tuple[State, Any]:
    """Return a frozen state, and the JSON that was stored with it. Raises RecordError."""
    body = read_body(data)
    known = game.without_secrets()
    for name, expected in stamp_of(known).items():
        if body.get(name) != expected:
            raise RecordError(f"This state was frozen {DIFFERENCES[name]}.")
    try:
        state = codec_of(known).decode(body["position"])
        if state.viewer != OPEN or not is_consistent(state):
            raise RecordError(DAMAGED)
    except Exception:  # bytes of any origin can cause any error
        raise RecordError(DAMAGED) from None
    return state, body.get("more")


def read_body(data: bytes) -> dict[str, Any]:
    """Return the JSON of frozen bytes. Raises RecordError."""
    head, _, text = bytes(data).partition(b"\n")
    words = head.split(b" ")
    if words[0] != FORMAT or len(words) != 3:
        raise RecordError("This is not a frozen state.")
    if words[1] != FORMAT_VERSION:
        raise RecordError("This state was frozen by another version of this program.")
    # Accidental damage ends here, before anything is parsed. The hash is no protection against forgery.
    if words[2] != hash_text(text):
        raise RecordError(DAMAGED)
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        raise RecordError(DAMAGED) from None
    if not isinstance(body, dict):
        raise RecordError(DAMAGED)
    return body


def hash_text(text: bytes) -> bytes:
    """Return a hash that detects damage."""
    return hashlib.sha256(text).hexdigest()[:32].encode()


@lru_cache(maxsize=8)
def stamp_of(game: Game) -> dict[str, str]:
    """Return the facts that a game must share with a frozen state: name, rules, cards, options, and the shape of its
    states."""
    # The options may include all card data, so only their hash is stored.
    options = json.dumps(game.pinned(), sort_keys=True)
    facts = (game.name, game.rules_version, game.data_hash, hashlib.sha256(options.encode()).hexdigest()[:16])
    return dict(zip(DIFFERENCES, (*facts, shape_of(game)), strict=True))
