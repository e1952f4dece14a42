"""Reasons of bots of any game, ready for translation. `{0}` is the fact: a comparison of two actions."""

from __future__ import annotations

from typing import Final

CHANCE: Final = "% to win the game"
WINS_LESS: Final = "{0.other} wins less often: {0.than} %, against {0.value} %."
