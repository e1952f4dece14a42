"""The levels of Jinkei."""

from __future__ import annotations

from typing import Final

from gonfalon.bots.level_settings import LevelSettings

LEVELS: Final = {
    "gentle": LevelSettings(noise=3.0),
    "casual": LevelSettings(noise=1.0),
    "club": LevelSettings(iterations=20),
    "strong": LevelSettings(iterations=100),
    "expert": LevelSettings(iterations=1000),
}
