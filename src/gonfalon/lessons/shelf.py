"""What a game brings to learn from: `lessons/` in its folder holds notes and records, `library/` annotated games."""

from __future__ import annotations

from functools import partial
from typing import Final

from gonfalon.core.basics.errors import GonfalonError
from gonfalon.core.rules.game import Game
from gonfalon.lessons.notes import ANNOTATED, Noted, read
from gonfalon.lessons.steps import Course

FOLDERS: Final = ("lessons", "library")
NO_NOTES: Final = (".record.json", ".review.json")
"""How those files end that lie beside the notes: records, and the reviews that somebody has had made of them."""
_FOUND: Final[dict[type[Game], tuple[Noted, ...]]] = {}
_COURSES: Final[dict[tuple[type[Game], str], Course]] = {}


class Unknown(GonfalonError):
    """There is no such lesson."""


def of_game(kind: type[Game]) -> tuple[Noted, ...]:
    """All that a game brings, in order, read once. Raises NotesError, RecordError."""
    if kind not in _FOUND:
        _FOUND[kind] = read_all(kind)
    return _FOUND[kind]


def read_all(kind: type[Game]) -> tuple[Noted, ...]:
    """All that lies in a game's folders. Raises NotesError, RecordError."""
    files = [file for folder in FOLDERS for file in sorted((kind.folder / folder).glob("*.json"))]
    found = [read(file, partial(made, kind)) for file in files if not file.name.endswith(NO_NOTES)]
    return tuple(sorted(found, key=lambda one: (one.kind != "lesson", one.kind, one.order)))


def made(kind: type[Game], name: str, **options: object) -> Game:
    """The game of a record that lies with its rules. Raises Unknown for another's."""
    if name != kind.name:
        raise Unknown(f"A record of {name} lies among those of {kind.name}.")
    return kind(**options)


def find(kind: type[Game], name: str, annotated: bool = False) -> Noted:
    """A lesson or exercise of a game, or an annotated game of its library. Raises Unknown."""
    for one in of_game(kind):
        if one.name == name and (one.kind == ANNOTATED) == annotated:
            return one
    what = "annotated game" if annotated else "lesson"
    raise Unknown(f"{kind.title} has no {what} {name[:40]!r}.")


def course(kind: type[Game], name: str) -> Course:
    """The steps of a lesson or exercise, laid out once. Raises Unknown."""
    noted = find(kind, name)
    if (kind, name) not in _COURSES:
        _COURSES[kind, name] = Course(noted)
    return _COURSES[kind, name]
