"""The rulings of a game that a test proves. `make rules` lists the rulings without tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest


def rule(game: str, *numbers: int) -> pytest.MarkDecorator:
    """Declare that the decorated test proves these rulings of the game."""
    import pytest  # installed where tests run

    return pytest.mark.rule(game, *numbers)
