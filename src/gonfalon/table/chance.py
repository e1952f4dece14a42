"""Chance at a table of people: the system's randomness, which nobody can foresee or repeat."""

from __future__ import annotations

import secrets
from typing import Final

from gonfalon.core.state import SEED, Action, State

SYSTEM: Final = secrets.SystemRandom()
SEED_BITS: Final = 62


def draw(state: State) -> Action:
    """An outcome of the chance decision that is due."""
    actions = state.legal(state.turn)
    if actions[0] == SEED:
        return -1 - SYSTEM.getrandbits(SEED_BITS)
    return SYSTEM.choices(actions, weights=state.weights())[0]
