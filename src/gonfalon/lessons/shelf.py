"""The lessons of a game: `lessons/` in its folder holds notes and records, `library/` annotated games."""

from __future__ import annotations

from functools import cache, partial
from pathlib import Path
from typing import Final

from gonfalon.core.basics.errors import GonfalonError
from gonfalon.core.rules.game import Game
from gonfalon.lessons.notes import ANNOTATED, LESSON, Noted, get_number, read_body, read_notes
from gonfalon.lessons.steps import Course

FOLDERS: Final = ("lessons", "library")
"""Folders with notes, in a game's folder."""
OTHER_ENDINGS: Final = (".record.json", ".review.json")
"""Endings of other files in these folders: records, and reviews that a user has made of them."""
_FOUND: Final[dict[type[Game], tuple[Noted, ...]]] = {}
"""Cache of `list_lessons`."""
_COURSES: Final[dict[tuple[type[Game], str], Course]] = {}
"""Cache of `load_course`."""


class UnknownLessonError(GonfalonError):
    """There is no such lesson."""


def list_lessons(kind: type[Game]) -> tuple[Noted, ...]:
    """Return all lessons and annotated games of a game, in order, from a cache. Raises NotesError or RecordError."""
    if kind not in _FOUND:
        _FOUND[kind] = read_lessons(kind)
    return _FOUND[kind]


def find_first_lesson(kind: type[Game]) -> int | None:
    """Return the minutes of a game's first lesson; None if it has none. Records are not read, for that may take a
    second. Raises NotesError."""
    return _find_minutes(tuple(list_files(kind)))


@cache
def _find_minutes(files: tuple[Path, ...]) -> int | None:
    heads = (read_body(file) for file in files)
    found = [(get_number(head, "order"), get_number(head, "minutes")) for head in heads if head.get("kind") == LESSON]
    return min(found)[1] if found else None


def list_files(kind: type[Game]) -> list[Path]:
    """Return the files of notes in a game's folders."""
    files = [file for folder in FOLDERS for file in sorted((kind.folder / folder).glob("*.json"))]
    return [file for file in files if not file.name.endswith(OTHER_ENDINGS)]


def read_lessons(kind: type[Game]) -> tuple[Noted, ...]:
    """Return all lessons, exercises and annotated games in a game's folders. Raises NotesError or RecordError."""
    found = [read_notes(file, partial(make_game, kind)) for file in list_files(kind)]
    # Lessons come first, because newcomers start with them.
    return tuple(sorted(found, key=lambda one: (one.kind != "lesson", one.kind, one.order)))


def make_game(kind: type[Game], name: str, **options: object) -> Game:
    """Return the game of a record in a game's folder. Raises UnknownLessonError if the record is of another game."""
    # A lesson uses the game it is filed under; another game would have other rules and pages.
    if name != kind.name:
        raise UnknownLessonError(f"The records of {kind.name} include one of {name}.")
    return kind(**options)


def find_lesson(kind: type[Game], name: str, annotated: bool = False) -> Noted:
    """Return a lesson or exercise of a game, or an annotated game of its library. Raises UnknownLessonError."""
    for one in list_lessons(kind):
        if one.name == name and (one.kind == ANNOTATED) == annotated:
            return one
    what = "annotated game" if annotated else "lesson"
    raise UnknownLessonError(f"{kind.title} has no {what} {name[:40]!r}.")


def load_course(kind: type[Game], name: str) -> Course:
    """Return the steps of a lesson or exercise, from a cache. Raises UnknownLessonError."""
    noted = find_lesson(kind, name)
    if (kind, name) not in _COURSES:
        _COURSES[kind, name] = Course(noted)
    return _COURSES[kind, name]
