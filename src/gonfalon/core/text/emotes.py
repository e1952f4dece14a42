"""What people may say to each other at a table: a few greetings, and nothing of their own."""

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
"""By their names what is to be read."""
NAMES: Final = tuple(EMOTES)
"""Processes tell each other a greeting by its place here: a new one is put at the end."""
