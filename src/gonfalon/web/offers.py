"""Where a game can be learned, as other pages offer it."""

from __future__ import annotations

from gonfalon.core.game import Game
from gonfalon.lessons import ANNOTATED, LESSON, shelf
from gonfalon.web.render import Context


def learn_url(game: str) -> str:
    """Where a game's first game and exercises are."""
    return f"/learn/{game}/"


def library_url(game: str) -> str:
    """Where its annotated games are."""
    return f"/library/{game}/"


def first_game(kind: type[Game]) -> Context | None:
    """A game's first game, and its library if it has one; None for a game without a first game."""
    found = shelf.of_game(kind)
    lesson = next((one for one in found if one.kind == LESSON), None)
    if lesson is None:
        return None
    library = library_url(kind.name) if any(one.kind == ANNOTATED for one in found) else None
    return {
        "url": learn_url(kind.name),
        "begin_url": f"{learn_url(kind.name)}{lesson.name}/",
        "minutes": lesson.minutes,
        "title": lesson.title,
        "library_url": library,
    }
