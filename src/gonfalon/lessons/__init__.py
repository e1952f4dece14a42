"""Games told in notes: guided first games, exercises, and games annotated for the library.

`notes.py` reads a record with the notes beside it, `steps.py` lays both out as steps of one seat and judges answers,
`shelf.py` finds what a game brings.
"""

from gonfalon.lessons.notes import ANNOTATED, EXERCISE, LESSON, Note, Noted, NotesError, read
from gonfalon.lessons.shelf import find, of_game
from gonfalon.lessons.steps import Course, LessonStep, Ruling

__all__ = [
    "ANNOTATED",
    "EXERCISE",
    "LESSON",
    "Course",
    "LessonStep",
    "Note",
    "Noted",
    "NotesError",
    "Ruling",
    "find",
    "of_game",
    "read",
]
