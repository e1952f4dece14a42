"""Archives of finished games, which can be read without the rules of the game.

For each viewer and step an archive holds the board as JSON, the table in words and the log in sentences, and also the
record itself. It is text: a line of JSON for the head, then for each viewer a line with all sentences and one line for
each step, so that a reader of one step reads one line. The head and the other lines are two streams of the same
compressed file. It has 20 to 50 kB.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NotRequired, TypedDict

from gonfalon.bots import Choice
from gonfalon.bots.players.thoughts import Thought, told
from gonfalon.core.files.record import Record
from gonfalon.core.files.replay import replay_sights
from gonfalon.core.rules.game import names_for
from gonfalon.core.rules.log import Line, LogReader
from gonfalon.core.rules.state import OPEN, SPECTATOR, State
from gonfalon.table.live.views import Board, Over, add_ending_line, build_ending

FORM: Final = 1
PRESET: Final = 3
"""The effort of compression."""


class TimedThought(TypedDict):
    """The thought of a bot about a decision of the record."""

    decision: int
    seat: int
    told: Thought


@dataclass(frozen=True)
class Step:
    """A step of a game for one viewer.

    `moment` is the name of a moment between two decisions. `heard` is the place where the log continues after the step
    before. `place` is the index into `marks`, which locate each step in the record (`Sight.mark`), and into `chapters`,
    the parts of the game.
    """

    viewer: int
    board: Board
    text: str
    log: list[Line]
    heard: int
    by_chance: bool
    place: int
    marks: list[float]
    chapters: list[str]
    moment: str
    names: list[str]
    over: Over | None
    thoughts: list[TimedThought]
    """The thoughts of the bots whose decisions led here, the last one of each seat."""


class Seen(TypedDict):
    """The place of a viewer's lines, and the facts common to all of them."""

    line: int
    marks: list[float]
    chapters: NotRequired[list[str]]
    names: list[str]
    over: Over | None


class Head(TypedDict):
    """The first line of an archive."""

    form: int
    game: str
    title: str
    names: list[str]
    seats: int
    viewers: dict[str, Seen]
    record: str
    thoughts: list[TimedThought]


class Archive:
    """An open archive."""

    def __init__(self, lines: list[str]) -> None:
        self.lines: list[str] = lines
        self.head: Head = json.loads(lines[0])

    def step(self, viewer: int, upto: float | None = None) -> Step:
        """Return the last step of a viewer up to a mark; by default the very last."""
        own = self.head["viewers"][str(viewer)]
        marks = own["marks"]
        places = [place for place, mark in enumerate(marks) if upto is None or mark <= upto]
        place = places[-1] if places else 0
        sentences = json.loads(self.lines[own["line"]])
        kept = json.loads(self.lines[own["line"] + 1 + place])
        end = own["over"] if place == len(marks) - 1 else None
        log = add_ending_line([sentences[number] for number in kept["log"]], end)
        found: dict[int, TimedThought] = {}
        for thought in self.head["thoughts"]:
            if (marks[place - 1] if place else 0) <= thought["decision"] < marks[place]:
                found[thought["seat"]] = thought
        return Step(
            viewer,
            kept["board"],
            kept["text"],
            log if viewer != OPEN else open_log(log),
            kept["heard"],
            kept["by_chance"],
            place,
            marks,
            # Older archives have neither chapters nor names of moments.
            own.get("chapters") or [""] * len(marks),
            kept.get("moment") or ("moment" if marks[place] % 1 else ""),
            own["names"],
            end,
            list(found.values()),
        )


def open_log(log: list[Line]) -> list[Line]:
    """Return the log for a viewer of all cards, for whom no sentence is private."""
    return [{**line, "private": False} for line in log]


def make_archive(record: Record, thoughts: dict[int, Choice], file: str | None = None) -> bytes:
    """Return the archive of a finished game. `thoughts` are by the number of the decision, `file` is the text of the
    record."""
    game = record.game
    viewers: dict[str, Seen] = {}
    count = 1
    # Boards of all steps together can take hundreds of megabytes, so each viewer's lines are compressed at once.
    # More effort takes five times as long and saves nearly nothing.
    body = lzma.LZMACompressor(preset=PRESET)
    packed: list[bytes] = []
    for viewer in (*range(game.seats), SPECTATOR, OPEN):
        names = names_for(game, viewer, record.names)
        sentences: list[Line] = []
        marks, chapters, steps, end = collect_steps(record, viewer, names, sentences)
        viewers[str(viewer)] = {
            "line": count,
            "marks": marks,
            "chapters": chapters,
            "names": names,
            "over": build_ending(record.game, end, record.ended, names, record.names),
        }
        packed += [body.compress(encode_line(line)) for line in (to_json_line(sentences), *steps)]
        count += 1 + len(steps)
    head: Head = {
        "form": FORM,
        "game": game.name,
        "title": game.title,
        "names": record.names,
        "seats": game.seats,
        "viewers": viewers,
        "record": record.dumps() if file is None else file,
        "thoughts": list(describe_thoughts(record, thoughts)),
    }
    # The head needs the line numbers of all viewers, and is read alone, so it is a stream of its own.
    return b"".join([lzma.compress(encode_line(to_json_line(head)), preset=PRESET), *packed, body.flush()])


def read_head(packed: bytes) -> Head:
    """Return the head of an archive without its boards, if they are a stream of their own."""
    head: Head = json.loads(lzma.LZMADecompressor().decompress(packed).partition(b"\n")[0])
    return head


def open_archive(packed: bytes) -> Archive:
    """Open an archive. Raises ValueError if the text is none."""
    try:
        return Archive(lzma.decompress(packed).decode().split("\n"))
    except lzma.LZMAError as error:
        raise ValueError(str(error)) from None


def collect_steps(
    record: Record, viewer: int, names: list[str], sentences: list[Line]
) -> tuple[list[float], list[str], list[str], State]:
    """Return a viewer's marks, chapters and lines of steps, and the last view. Adds their sentences to the given
    list."""
    game = record.game
    numbers: dict[tuple[object, ...], int] = {}
    reader = LogReader()
    marks: list[float] = []
    chapters: list[str] = []
    steps: list[str] = []
    heard = events = 0
    view = record.game.start(log=True)
    for sight in replay_sights(record, viewer, actions=False):
        view = sight.state.mask(viewer)
        if marks and marks[-1] == sight.mark:
            steps.pop()
            chapters.pop()
        else:
            marks.append(sight.mark)
            heard = events
        chapters.append(game.chapter(view))
        lines = reader.read(game, view, names)
        for line in lines:
            # A line may be seen otherwise later on.
            if numbers.setdefault(tuple(line.values()), len(sentences)) == len(sentences):
                sentences.append(line)
        events = len(view.log or ())
        step = {
            "board": game.board(view),
            "text": game.text(view, names),
            "log": [numbers[tuple(line.values())] for line in lines],
            "heard": heard,
            "by_chance": sight.seat is not None and sight.seat < 0,
            "moment": view.moment,
        }
        steps.append(to_json_line(step))
    return marks, chapters, steps, view


def describe_thoughts(record: Record, thoughts: dict[int, Choice]) -> Iterator[TimedThought]:
    """Return the thoughts of bots in words."""
    names = record.names if len(record.names) == record.game.seats else record.game.seat_names()
    for number, (state, seat, _) in enumerate(record.steps()):
        if number in thoughts:
            yield {
                "decision": number,
                "seat": seat,
                "told": told(record.game, state.mask(seat), thoughts[number], names),
            }


def encode_line(line: str) -> bytes:
    """Return a line with its end as UTF-8. Lone surrogates, which a player's name may hold, are replaced."""
    return f"{line}\n".encode("utf-8", "replace")


def to_json_line(value: object) -> str:
    """Return JSON in one line."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
