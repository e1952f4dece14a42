"""Chance at a table of people.

Draws come from the system's randomness, which no player can foresee or repeat. Where the deal is proved, they follow
from a secret of the server and from shares of the seats.
"""

from __future__ import annotations

import secrets
from typing import Final

from gonfalon.core.files import proof
from gonfalon.core.rules.state import SEED, Action, State

SYSTEM: Final = secrets.SystemRandom()
SEED_BITS: Final = 62


def draw_outcome(state: State, root: bytes | None = None, nth: int = 0) -> Action:
    """Return an outcome of the chance decision that is due, the `nth` of its game."""
    actions = state.legal(state.turn)
    if root is not None:
        return proof.derive_outcome(root, nth, actions, state.weights())
    if actions[0] == SEED:
        return -1 - SYSTEM.getrandbits(SEED_BITS)
    return SYSTEM.choices(actions, weights=state.weights())[0]
