"""Where a game can be learned, as other pages offer it."""

from __future__ import annotations

from gonfalon.core.game import Game
from gonfalon.lessons import LESSON, shelf
from gonfalon.web.render import Context


def learn_url(game: str) -> str:
    """Where a game's first game and exercises are."""
    return f"/learn/{game}/"


def first_game(kind: type[Game]) -> Context | None:
    """A game's first game; None for a game without a first game."""
    found = shelf.of_game(kind)
    lesson = next((one for one in found if one.kind == LESSON), None)
    if lesson is None:
        return None
    return {
        "url": learn_url(kind.name),
        "minutes": lesson.minutes,
    }
