"""A record with notes: what is told at which decision, what the player shall do there, and words for other tries.

The notes are a JSON file (version 1) beside the record:

    {"format": "gonfalon-notes", "format_version": 1,
     "kind": "lesson" | "exercise" | "annotated",
     "title": "...", "about": "one sentence", "minutes": 4, "order": 1,
     "seat": 0, "record": "first.record.json",
     "checked": {"record": "...", "judge": "...", "referee": "...", "network": "...", "seed": 0,
                 "scale": [0.84, 0.3, 0.035], "marks": {"17": "mistake"}},
     "notes": [{"at": 12, "text": "..."},
               {"at": 13, "text": "...", "do": ["patriot@5"], "why": {"patriot@5": "..."}, "wrong": {"pass": "..."},
                "point": ["place-5"]}]}

`at` counts the decisions of the record before the note. Several notes may stand at one place, told one after the
other. A note with `do` asks the seat: the first action is the record's own, others are as good. `wrong` has words for
legal actions that are not asked for; whoever does another one reads what is asked for and `why`: the reason for that
action of the record, or for one of those after it that belong to the same question. An exercise keeps what it asks for
to itself, so there `why` is a hint. Against the rules the rules speak.
`point` names ids of the page that are pointed at.

`checked` says by which review of the record the notes were checked (its hash, whose play it judged by, the hash of the
network, the seed, and by which `told`, `doubt` and `floor` it told losses, which may be missing), and which decisions
it has marked: notes call nothing a mistake that it did not.
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
EXERCISE: Final = "exercise"
ANNOTATED: Final = "annotated"
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
    "checked",
    "notes",
)
CHECKED_FIELDS: Final = ("record", "judge", "referee", "network", "seed", "marks")
MAY_BE_CHECKED: Final = ("scale",)
NOTE_FIELDS: Final = ("at", "text", "do", "why", "wrong", "point")

Body = dict[str, object]


class NotesError(GonfalonError):
    """Notes that cannot be read, or that do not belong to their record."""


@dataclass(frozen=True)
class Note:
    """What is told at one place of a record."""

    at: int
    text: str
    do: tuple[Action, ...]
    """What the player shall do, the record's own action first; empty where they look on."""
    why: Mapping[Action, str]
    """The reason for what the record does here and up to its next question."""
    wrong: Mapping[Action, str]
    point: tuple[str, ...]


@dataclass(frozen=True)
class Checked:
    """The review that notes were checked by."""

    record: str
    """The hash of the record."""
    judge: str
    referee: str
    network: str
    """The hash of the network, empty where none judged."""
    seed: int
    marks: Mapping[int, str]
    """By the number of the decision."""
    scale: list[float]
    """How it told losses, of which marks come; empty where that is not written down."""


@dataclass(frozen=True)
class Noted:
    """A record and its notes."""

    name: str
    kind: str
    title: str
    about: str
    minutes: int
    order: int
    seat: Seat
    record: Record
    notes: tuple[Note, ...]
    checked: Checked | None
    """None where no review stands behind the notes."""

    @property
    def game(self) -> Game:
        return self.record.game


def read(file: Path, find: Callable[..., Game]) -> Noted:
    """The notes of a file with their record; `find(name, **options)` makes the game. Raises NotesError, RecordError."""
    body = body_of(file)
    beside = string(body, "record")
    if Path(beside).name != beside:
        raise NotesError(f"{file.name}: the record lies beside the notes, and is named without a folder.")
    try:
        record = load((file.parent / beside).read_text("utf-8"), find)
    except (OSError, UnicodeError):
        raise NotesError(f"{file.name}: its record {beside} cannot be read.") from None
    kind, seat = string(body, "kind"), whole(body, "seat")
    if kind not in KINDS:
        raise NotesError(f"{file.name}: its kind is {kind!r}, and not one of {', '.join(KINDS)}.")
    if seat >= record.game.seats:
        raise NotesError(f"{file.name}: there is no seat {seat} in this record.")
    notes = body.get("notes")
    if not isinstance(notes, list) or not notes:
        raise NotesError(f"{file.name}: there are no notes in it.")
    found = tuple(note_of(record, n, note) for n, note in enumerate(notes, 1))
    check(record, seat, found)
    return Noted(
        file.stem,
        kind,
        string(body, "title"),
        string(body, "about"),
        whole(body, "minutes"),
        whole(body, "order"),
        seat,
        record,
        found,
        checked_by(body),
    )


def body_of(file: Path) -> Body:
    """The JSON of a file of notes. Raises NotesError when it is none."""
    try:
        body: object = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        raise NotesError(f"{file.name} cannot be read as JSON.") from None
    if not is_object(body) or body.get("format") != FORMAT or body.get("format_version") != FORMAT_VERSION:
        raise NotesError(f'{file.name} is no file of notes: its "format" is not "{FORMAT}", version {FORMAT_VERSION}.')
    for key in body:
        if key not in FIELDS:
            raise NotesError(f"{file.name}: notes have no field {key!r}.")
    return body


def is_object(value: object) -> TypeGuard[Body]:
    """Whether this is a JSON object."""
    return isinstance(value, dict)


def string(body: Body, key: str) -> str:
    """A text of notes. Raises NotesError."""
    value = body.get(key)
    if not isinstance(value, str) or not value:
        raise NotesError(f'Notes need a text "{key}".')
    return value


def whole(body: Body, key: str) -> int:
    """A number of notes, 0 when it is missing. Raises NotesError."""
    value = body.get(key, 0)
    if type(value) is not int or value < 0:
        raise NotesError(f'"{key}" of notes is a number from 0.')
    return value


def checked_by(body: Body) -> Checked | None:
    """The review that notes were checked by. Raises NotesError."""
    found = body.get("checked")
    if found is None:
        return None
    if not is_object(found) or set(found) - set(MAY_BE_CHECKED) != set(CHECKED_FIELDS):
        raise NotesError(f'"checked" of notes is an object with {", ".join(CHECKED_FIELDS)}.')
    scale = found.get("scale", [])
    if not isinstance(scale, list) or not all(isinstance(one, float) for one in scale):
        raise NotesError('"scale" of what notes were checked by is a list of numbers.')
    marks, network = found["marks"], found["network"]
    if not is_object(marks) or not all(at.isdecimal() for at in marks) or not isinstance(network, str):
        raise NotesError('"checked" of notes names a network, and the marks of decisions by their numbers.')
    judged = {int(at): string(marks, at) for at in marks}
    record, judge, referee = (string(found, key) for key in ("record", "judge", "referee"))
    return Checked(record, judge, referee, network, whole(found, "seed"), judged, scale)


def texts(body: Body, key: str) -> list[str]:
    """A list of texts, empty when it is missing. Raises NotesError."""
    value = body.get(key, [])
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise NotesError(f'"{key}" of a note is a list of texts.')
    return value


def note_of(record: Record, n: int, note: object) -> Note:
    """The note number `n`. Raises NotesError."""
    if not is_object(note) or not set(note) <= set(NOTE_FIELDS):
        raise NotesError(f"Note {n} is no object with {', '.join(NOTE_FIELDS)}.")
    at, parse = whole(note, "at"), record.game.parse
    if at > len(record.decisions):
        raise NotesError(f"Note {n} stands at decision {at}, but its record has {len(record.decisions)}.")
    try:
        done = tuple(parse(one) for one in texts(note, "do"))
        why, wrong = (words(note, key, parse) for key in ("why", "wrong"))
    except GonfalonError as error:
        raise NotesError(f"Note {n}: {error}") from None
    return Note(at, string(note, "text"), done, why, wrong, tuple(texts(note, "point")))


def words(note: Body, key: str, parse: Callable[[str], Action]) -> dict[Action, str]:
    """A text for each of some actions, none when it is missing. Raises NotesError, NotationError."""
    value = note.get(key, {})
    if not is_object(value):
        raise NotesError(f'"{key}" is not a text for each action.')
    return {parse(one): string(value, one) for one in value}


def check(record: Record, seat: Seat, notes: tuple[Note, ...]) -> None:
    """Whether notes belong to a record: in its order, and what is asked for is legal and done in it. Raises
    NotesError, RecordError."""
    if [note.at for note in notes] != sorted(note.at for note in notes):
        raise NotesError("Notes stand in the order of their record.")
    if notes[-1].do:
        raise NotesError("The last note asks for something; another one has to end it.")
    asks: dict[int, Note] = {}
    for n, note in enumerate(notes, 1):
        if note.at in asks:
            raise NotesError(f"Note {n} comes after a question at the same place.")
        if note.do:
            asks[note.at] = note
        elif note.wrong or note.why:
            raise NotesError(f"Note {n} has words for actions, but asks for none.")
    for number, (state, by, action) in enumerate(record.steps()):
        asked = asks.pop(number, None)
        if asked is None:
            continue
        if by != seat or asked.do[0] != action:
            raise NotesError(f"The note at decision {number} does not ask for what the record does there.")
        for one in (*asked.do, *asked.wrong):
            if not state.is_legal(seat, one):
                raise NotesError(f"The note at decision {number} names {record.game.notation(one)}: not legal there.")
        if not set(asked.do).isdisjoint(asked.wrong):
            raise NotesError(f"The note at decision {number} calls wrong what it asks for.")
        check_reasons(record, seat, asked, min(asks, default=len(record.decisions)))
    if asks:
        raise NotesError("A note asks for something after the end of its record.")


def check_reasons(record: Record, seat: Seat, asked: Note, until: int) -> None:
    """Whether a question gives reasons for nothing but what the record does before the next one. Raises NotesError."""
    done = {action for by, action in record.decisions[asked.at : until] if by == seat}
    for action in asked.why:
        if action not in done:
            raise NotesError(
                f"The note at decision {asked.at} says why {record.game.notation(action)}, which is not done."
            )
