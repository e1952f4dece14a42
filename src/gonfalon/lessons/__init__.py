"""Games with notes: guided first games, exercises, and annotated games of the library.

`notes.py` reads a record and its notes, `steps.py` makes steps for one seat from them and judges answers, and
`shelf.py` finds those of a game.
"""

from gonfalon.lessons.notes import ANNOTATED, EXERCISE, LESSON, Note, Noted, NotesError, read_notes
from gonfalon.lessons.shelf import find_first_lesson, find_lesson, list_lessons
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
    "find_first_lesson",
    "find_lesson",
    "list_lessons",
    "read_notes",
]
