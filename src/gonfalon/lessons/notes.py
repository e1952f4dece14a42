"""A record with notes: texts at decisions, the actions that the player shall take, and replies to other actions.

The notes are a JSON file (version 1) next to the record:

    {"format": "gonfalon-notes", "format_version": 1,
     "kind": "lesson" | "exercise" | "annotated",
     "title": "...", "about": "one sentence", "minutes": 4, "order": 1, "learned": ["...", "..."],
     "seat": 0, "record": "first.record.json",
     "notes": [{"at": 12, "text": "..."}, {"at": 12.01, "news": "...", "text": "...", "point": ["place-5"]},
               {"at": 13, "text": "...", "do": ["patriot@5"], "why": {"patriot@5": "..."}, "wrong": {"pass": "..."}}]}

`at` is the number of decisions of the record before the note, or a moment: 12.01 is the first moment that the
thirteenth decision caused. Several notes may be at one place, shown one after the other. `news` tells what happened in
one line; without it the page shows the last events. A note with `do` asks the seat for an action: the first one is the
record's own, others are as good. `wrong` has replies to other legal actions. The reply to any other action names the
requested one and `why`: the reason for that action of the record, or for a later one that belongs to the same question.
An exercise does not name the requested action, so `why` is a hint there. An illegal action is refused by the rules.
`point` lists ids of elements that the page highlights; "1:c-7" adds a seal with the number 1. `learned` sums up a
lesson at its end.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeGuard

from gonfalon.core.basics.errors import GonfalonError
from gonfalon.core.files.record import Record, load
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import Action, Seat

FORMAT: Final = "gonfalon-notes"
FORMAT_VERSION: Final = 1
LESSON: Final = "lesson"
"""A guided game."""
EXERCISE: Final = "exercise"
"""A position whose best action is asked for."""
ANNOTATED: Final = "annotated"
"""A game of the library, without questions."""
KINDS: Final = (LESSON, EXERCISE, ANNOTATED)
FIELDS: Final = (
    "format",
    "format_version",
    "kind",
    "title",
    "about",
    "minutes",
    "order",
    "seat",
    "record",
    "learned",
    "notes",
)
"""Fields of a file of notes."""
NOTE_FIELDS: Final = ("at", "news", "text", "do", "why", "wrong", "point")
"""Fields of a note."""

Body = dict[str, object]
"""A JSON object."""


class NotesError(GonfalonError):
    """Notes that cannot be read, or that do not belong to their record."""


@dataclass(frozen=True)
class Note:
    """A note at one place of a record."""

    at: float
    """Number of decisions before it, or a moment (`Sight.mark`)."""
    news: str
    """What happened, in one line; empty if the events tell it."""
    text: str
    do: tuple[Action, ...]
    """The requested actions, the record's own first; empty if nothing is asked."""
    why: Mapping[Action, str]
    """Reasons for the record's actions from here to its next question."""
    wrong: Mapping[Action, str]
    """Replies to other legal actions."""
    point: tuple[str, ...]
    """Ids of elements that the page highlights."""


@dataclass(frozen=True)
class Noted:
    """A record and its notes."""

    name: str
    """Name of the file without its ending."""
    kind: str
    title: str
    about: str
    minutes: int
    """Estimated duration in minutes."""
    order: int
    """Place in lists."""
    seat: Seat
    record: Record
    notes: tuple[Note, ...]
    learned: tuple[str, ...] = ()
    """What a lesson has taught."""

    @property
    def game(self) -> Game:
        """The game of the record."""
        return self.record.game


def read_notes(file: Path, find: Callable[..., Game]) -> Noted:
    """Return the notes in a file with their record.

    Args:
        file: The path of the notes.
        find: Returns the game with a name and options.

    Raises:
        NotesError: The notes are invalid or do not fit the record.
        RecordError: The record is invalid.
    """
    body = read_body(file)
    record = read_record(file, body, find)
    kind, seat = get_text(body, "kind"), get_number(body, "seat")
    if kind not in KINDS:
        raise NotesError(f"{file.name}: the kind {kind!r} is not one of {', '.join(KINDS)}.")
    if seat >= record.game.seats:
        raise NotesError(f"{file.name}: there is no seat {seat} in this record.")
    notes = body.get("notes")
    if not isinstance(notes, list) or not notes:
        raise NotesError(f"{file.name}: the file has no notes.")
    found = tuple(parse_note(record, n, note) for n, note in enumerate(notes, 1))
    check_notes(record, seat, found)
    return Noted(
        file.stem,
        kind,
        get_text(body, "title"),
        get_text(body, "about"),
        get_number(body, "minutes"),
        get_number(body, "order"),
        seat,
        record,
        found,
        tuple(get_texts(body, "learned")),
    )


def read_record(file: Path, body: Body, find: Callable[..., Game]) -> Record:
    """Return the record of notes, which is in the same folder. Raises NotesError or RecordError."""
    beside = get_text(body, "record")
    # A path could lead out of the game's folder.
    if Path(beside).name != beside:
        raise NotesError(f'{file.name}: "record" must name a file in the same folder, without a path.')
    try:
        return load((file.parent / beside).read_text("utf-8"), find)
    except (OSError, UnicodeError):
        raise NotesError(f"{file.name}: its record {beside} cannot be read.") from None


def read_body(file: Path) -> Body:
    """Return the JSON of a file of notes. Raises NotesError."""
    try:
        body: object = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        raise NotesError(f"{file.name} cannot be read as JSON.") from None
    if not is_object(body) or body.get("format") != FORMAT or body.get("format_version") != FORMAT_VERSION:
        raise NotesError(
            f'{file.name} is not a file of notes: its "format" is not "{FORMAT}", version {FORMAT_VERSION}.'
        )
    for key in body:
        if key not in FIELDS:
            raise NotesError(f"{file.name}: notes have no field {key!r}.")
    return body


def is_object(value: object) -> TypeGuard[Body]:
    """Return whether a value is a JSON object."""
    return isinstance(value, dict)


def get_text(body: Body, key: str) -> str:
    """Return a text of notes. Raises NotesError."""
    value = body.get(key)
    if not isinstance(value, str) or not value:
        raise NotesError(f'Notes need a text "{key}".')
    return value


def get_number(body: Body, key: str) -> int:
    """Return a number of notes, 0 if it is missing. Raises NotesError."""
    value = body.get(key, 0)
    # `bool` is a subclass of `int`, and JSON has `true`.
    if type(value) is not int or value < 0:
        raise NotesError(f'"{key}" of notes must be a whole number from 0 up.')
    return value


def get_place(note: Body) -> float:
    """Return the place of a note: a number of decisions, or a moment in hundredths. Raises NotesError."""
    value = note.get("at", 0)
    if not isinstance(value, float):
        return get_number(note, "at")
    decisions, moment = divmod(round(100 * value), 100)
    # Computed like the marks of a replay, so that both are equal.
    return decisions + moment / 100


def get_texts(body: Body, key: str) -> list[str]:
    """Return a list of texts, empty if it is missing. Raises NotesError."""
    value = body.get(key, [])
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise NotesError(f'"{key}" of a note must be a list of texts.')
    return value


def parse_note(record: Record, n: int, note: object) -> Note:
    """Return the note number `n`. Raises NotesError."""
    if not is_object(note) or not set(note) <= set(NOTE_FIELDS):
        raise NotesError(f"Note {n} is not an object with {', '.join(NOTE_FIELDS)}.")
    at, parse = get_place(note), record.game.parse
    if at > len(record.decisions):
        raise NotesError(f"Note {n} is at decision {at:g}, but its record has {len(record.decisions)} decisions.")
    try:
        done = tuple(parse(one) for one in get_texts(note, "do"))
        why, wrong = (parse_replies(note, key, parse) for key in ("why", "wrong"))
    except GonfalonError as error:
        # The error of a notation does not name the note.
        raise NotesError(f"Note {n}: {error}") from None
    news = get_text(note, "news") if "news" in note else ""
    return Note(at, news, get_text(note, "text"), done, why, wrong, tuple(get_texts(note, "point")))


def parse_replies(note: Body, key: str, parse: Callable[[str], Action]) -> dict[Action, str]:
    """Return a text for each of some actions; none if the field is missing. Raises NotesError or NotationError."""
    value = note.get(key, {})
    if not is_object(value):
        raise NotesError(f'"{key}" must map actions to texts.')
    return {parse(one): get_text(value, one) for one in value}


def check_notes(record: Record, seat: Seat, notes: tuple[Note, ...]) -> None:
    """Check that notes fit a record: they are in order, and the requested actions are legal and those of the record.

    Raises:
        NotesError: The notes do not fit.
        RecordError: The record is invalid.
    """
    if [note.at for note in notes] != sorted(note.at for note in notes):
        raise NotesError("Notes must be in the order of their record.")
    if notes[-1].do:
        raise NotesError("The last note asks for an action; add a note that ends the lesson.")
    asks: dict[float, Note] = {}
    for n, note in enumerate(notes, 1):
        if note.at in asks:
            raise NotesError(f"Note {n} comes after a question at the same place.")
        if note.do:
            asks[note.at] = note
        elif note.wrong or note.why:
            raise NotesError(f"Note {n} has texts for actions, but asks for none.")
    for number, (state, by, action) in enumerate(record.steps()):
        asked = asks.pop(number, None)
        if asked is None:
            continue
        if by != seat or asked.do[0] != action:
            raise NotesError(f"The note at decision {number} does not ask for the record's action there.")
        for one in (*asked.do, *asked.wrong):
            if not state.is_legal(seat, one):
                raise NotesError(
                    f"The note at decision {number} names {record.game.notation(one)}, which is illegal there."
                )
        if not set(asked.do).isdisjoint(asked.wrong):
            raise NotesError(f"The note at decision {number} calls a requested action wrong.")
        # Only later questions remain in `asks`, so the reasons end at the earliest of them.
        check_reasons(record, seat, asked, min(asks, default=len(record.decisions)))
    if asks:
        raise NotesError("A note asks for an action where its record has no decision.")


def check_reasons(record: Record, seat: Seat, asked: Note, until: float) -> None:
    """Check that a question gives reasons only for actions of the record before the next question.

    Args:
        record: The record.
        seat: The player's seat.
        asked: The note with the question.
        until: The number of the next question's decision.

    Raises:
        NotesError: A reason belongs to another action.
    """
    # A question covers all actions of the player up to the next one, such as a second card of the same play.
    done = {action for by, action in record.decisions[int(asked.at) : int(until)] if by == seat}
    for action in asked.why:
        if action not in done:
            raise NotesError(
                f"The note at decision {asked.at:g} has a reason for {record.game.notation(action)}, "
                "which is not played."
            )
