"""The lessons of a game: `lessons/` in its folder holds notes and records, `library/` annotated games."""

from __future__ import annotations

from functools import partial
from typing import Final

from gonfalon.core.basics.errors import GonfalonError
from gonfalon.core.rules.game import Game
from gonfalon.lessons.notes import ANNOTATED, Noted, read
from gonfalon.lessons.steps import Course

FOLDERS: Final = ("lessons", "library")
"""Folders with notes, in a game's folder."""
NO_NOTES: Final = (".record.json", ".review.json")
"""Endings of other files in these folders: records, and reviews that a user has made of them."""
_FOUND: Final[dict[type[Game], tuple[Noted, ...]]] = {}
"""Cache of `of_game`."""
_COURSES: Final[dict[tuple[type[Game], str], Course]] = {}
"""Cache of `course`."""


class Unknown(GonfalonError):
    """There is no such lesson."""


def of_game(kind: type[Game]) -> tuple[Noted, ...]:
    """Return all lessons and annotated games of a game, in order, from a cache. Raises NotesError or RecordError."""
    if kind not in _FOUND:
        _FOUND[kind] = read_all(kind)
    return _FOUND[kind]


def read_all(kind: type[Game]) -> tuple[Noted, ...]:
    """Return all lessons, exercises and annotated games in a game's folders. Raises NotesError or RecordError."""
    files = [file for folder in FOLDERS for file in sorted((kind.folder / folder).glob("*.json"))]
    found = [read(file, partial(made, kind)) for file in files if not file.name.endswith(NO_NOTES)]
    return tuple(sorted(found, key=lambda one: (one.kind != "lesson", one.kind, one.order)))


def made(kind: type[Game], name: str, **options: object) -> Game:
    """Return the game of a record in a game's folder. Raises Unknown if the record is of another game."""
    if name != kind.name:
        raise Unknown(f"The records of {kind.name} include one of {name}.")
    return kind(**options)


def find(kind: type[Game], name: str, annotated: bool = False) -> Noted:
    """Return a lesson or exercise of a game, or an annotated game of its library. Raises Unknown."""
    for one in of_game(kind):
        if one.name == name and (one.kind == ANNOTATED) == annotated:
            return one
    what = "annotated game" if annotated else "lesson"
    raise Unknown(f"{kind.title} has no {what} named {name[:40]!r}.")


def course(kind: type[Game], name: str) -> Course:
    """Return the steps of a lesson or exercise, from a cache. Raises Unknown."""
    noted = find(kind, name)
    if (kind, name) not in _COURSES:
        _COURSES[kind, name] = Course(noted)
    return _COURSES[kind, name]
