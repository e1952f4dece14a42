"""Reasons of bots of any game, ready for translation."""

from __future__ import annotations

from typing import Final

CARD_TEXT: Final = "{card}: “{text}”"
"""The printed text of a card."""
ONLY_ACTION: Final = "No other action is legal."
SECOND_CHOICE: Final = "This level varies its moves; its first choice was {first}."
