"""Numbers that follow from a game's set-up."""

from __future__ import annotations

from gonfalon.games.generals.setup import Setup


def bound_of(setup: Setup) -> int:
    """A number of decisions that no game exceeds."""
    return 100_000
