"""Where a game can be learned, as other pages offer it."""

from __future__ import annotations

from gonfalon import games
from gonfalon.core.rules.game import Game
from gonfalon.lessons import LESSON, shelf
from gonfalon.puzzles.shelf import of_game
from gonfalon.web.shared.template_context import Context


def learn_url(game: str) -> str:
    """Where a game's first game and exercises are."""
    return f"/learn/{game}/"


def library_url(game: str) -> str:
    """Where a game's annotated games are."""
    return f"/library/{game}/"


def first_game(kind: type[Game]) -> Context | None:
    """A game's first game; None for a game without one."""
    lesson = next((one for one in shelf.of_game(kind) if one.kind == LESSON), None)
    return None if lesson is None else {"url": learn_url(kind.name), "minutes": lesson.minutes}


def puzzles_url(kind: type[Game]) -> str | None:
    """Where a game's puzzles are; None for a game without any."""
    return f"/puzzles/{kind.name}/" if of_game(kind) else None


def workshop_url(kind: type[Game]) -> str | None:
    """Where a game's numbers are changed; None for a game that no other process knows."""
    return f"/workshop/{kind.name}/" if kind.name in games.names() else None
