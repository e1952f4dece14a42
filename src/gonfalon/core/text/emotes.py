"""Emotes: preset greetings, the only texts that players can send each other."""

from __future__ import annotations

from typing import Final

EMOTES: Final = {
    "hello": "Hello!",
    "luck": "Good luck!",
    "think": "Let me think.",
    "well": "Well played!",
    "wow": "Wow!",
    "oops": "Oops!",
    "thanks": "Thank you!",
    "bye": "Good game!",
}
"""The texts by their names."""
NAMES: Final = tuple(EMOTES)
"""The names by their numbers, which processes send each other: add a new one at the end."""
