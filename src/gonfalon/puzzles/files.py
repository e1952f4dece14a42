"""The file of a game's puzzles: JSON, one puzzle a line (version 1).

    {"format": "gonfalon-puzzle", "format_version": 1,
     "game": "feint", "options": {...}, "rules": "1", "data": "<hash of the card data>",
     "seat": 0, "decisions": [[-1, "seed:4711"], ...],
     "best": "patriot@5", "second": "pass", "kind": "tactics", "jewel": false,
     "open_best": "patriot@5", "open_lead": 0.0, "why": "...",
     "value": 0.61, "lead": 0.14, "error": 0.01, "end_lead": 0.1, "end_error": 0.03, "agree": 0.9,
     "losses": {"pass": 0.14, ...}, "worlds": 128, "end_worlds": 128,
     "judge": "...", "network": "...", "source": {...},
     "others": [], "dealt": null, "cards": "",
     "open_error": 0.0, "open_end_lead": 0.0, "open_end_error": 0.0}

`decisions` is the record up to the position. Every figure is a chance to win, from 0 to 1, of the seat: `value` with
the best answer, `lead` by how much that is ahead of the `second`, the best of all others, with its standard `error` in
`worlds` fresh worlds, `end_lead` the least lead where all that come near are played to the end, `losses` what each
other answer gives away. What is judged against several beliefs has the figures of the one that is kindest to the other
answer. `agree` is the share of the worlds in which the best answer is at least as good as the second.

`open_best` is best with all hands open; a jewel is a puzzle where that is another, and by how much it is ahead of the
best one from the view is told as above (in `worlds` deals of what nobody has seen, and to the end in `end_worlds`).
`others` is what the other seats answer there to the same question. `dealt` is null where the cards lie as they did in
the game. Else it is the seed by which what the seat cannot see was dealt anew (`opening.py`), and `cards` stands for
the deal that comes of it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Final

from gonfalon.core.cards import KIND
from gonfalon.core.errors import GonfalonError
from gonfalon.core.files import FileError, read_text
from gonfalon.core.game import Game
from gonfalon.core.record import FORMAT as RECORD
from gonfalon.core.record import FORMAT_VERSION as RECORD_VERSION
from gonfalon.core.record import Record, load
from gonfalon.core.rng import Rng
from gonfalon.core.state import Action, Seat, State
from gonfalon.core.words import NUMBERED, OPPONENT
from gonfalon.core.worlds import worlds
from gonfalon.puzzles.sorting import KINDS

FORMAT: Final = "gonfalon-puzzle"
FORMAT_VERSION: Final = 1
LEAD: Final = 0.08
"""By how much the best answer is ahead of the second in fresh worlds, at least."""
END_LEAD: Final = 0.04
"""The same where both are played to the end."""
OPEN_LEAD: Final = 0.03
"""By how much the open answer of a jewel is ahead of the best one from the view, at least."""
SURE: Final = 2.0
"""So many standard errors below a lead half of what it has to be is left at least."""
ROUNDED: Final = 0.001
"""Losses are written down with three digits."""

Find = Callable[..., Game]


class PuzzleError(GonfalonError):
    """A puzzle that cannot be read, or whose proof does not hold."""


@dataclass(frozen=True)
class Puzzle:
    """A position with its answer and the proof of that, as the file has it."""

    game: str
    options: dict[str, object]
    rules: str
    data: str
    seat: Seat
    decisions: list[list[Seat | str]]
    best: str
    second: str
    kind: str
    jewel: bool
    open_best: str
    open_lead: float
    why: str
    value: float
    lead: float
    error: float
    end_lead: float
    end_error: float
    agree: float
    losses: dict[str, float]
    worlds: int
    end_worlds: int
    judge: str
    network: str
    source: dict[str, object]
    others: list[list[Seat | str]] = field(default_factory=list)
    dealt: int | None = None
    cards: str = ""
    open_error: float = 0.0
    open_end_lead: float = 0.0
    open_end_error: float = 0.0

    def line(self) -> str:
        """The line of the file."""
        return json.dumps({"format": FORMAT, "format_version": FORMAT_VERSION} | asdict(self), ensure_ascii=False)

    def called(self, why: str) -> Puzzle:
        """The same with another sentence."""
        return replace(self, why=why)


class Position:
    """A puzzle laid out: the full position, and what its seat sees of it.

    What a seat sees is the same whether the cards lie as they did or were dealt anew."""

    def __init__(self, puzzle: Puzzle, find: Find) -> None:
        """Raises PuzzleError, RecordError."""
        self.puzzle: Puzzle = puzzle
        self.record: Record = record_of(puzzle, find)
        self.game: Game = self.record.game
        self.seat: Seat = puzzle.seat
        stood = self.record.replay()
        self.state: State = stood if puzzle.dealt is None else deal(stood.mask(puzzle.seat), puzzle.dealt)
        self.best: Action = self.game.parse(puzzle.best)
        self.others: list[tuple[Seat, Action]] = [(int(seat), self.game.parse(str(one))) for seat, one in puzzle.others]

    @cached_property
    def view(self) -> State:
        return self.state.mask(self.seat)


def deal(view: State, seed: int) -> State:
    """A position of a view, with what cannot be seen dealt by a seed."""
    return worlds(view).sample(Rng(seed))


def cards_of(state: State) -> str:
    """Stands for how the cards lie."""
    lie = [[card & KIND for card in zone] for zone in state.zones()]
    return hashlib.sha256(json.dumps(lie).encode()).hexdigest()[:16]


def record_of(puzzle: Puzzle, find: Find) -> Record:
    """The record up to the position. Raises RecordError."""
    body = {
        "format": RECORD,
        "format_version": RECORD_VERSION,
        "game": puzzle.game,
        "options": puzzle.options,
        "rules": puzzle.rules,
        "data": puzzle.data,
        "decisions": puzzle.decisions,
    }
    record = load(json.dumps(body), find)
    record.names = names_of(record.game, puzzle.seat)
    return record


def names_of(game: Game, seat: Seat) -> list[str]:
    """What a puzzle calls the seats of its game."""
    names = game.seat_names()
    if game.seats == 2 and NUMBERED.fullmatch(names[1 - seat]):
        names[1 - seat] = OPPONENT.capitalize()
    return names


def read(path: Path) -> list[Puzzle]:
    """The puzzles of a file, none where there is no such file. Raises PuzzleError."""
    try:
        lines = read_text(path).splitlines()
    except FileNotFoundError:
        return []
    except (OSError, FileError):
        raise PuzzleError(f"{path.name} cannot be read.") from None
    return [puzzle_of(f"{path.name}, line {n}", line) for n, line in enumerate(lines, 1)]


def puzzle_of(where: str, line: str) -> Puzzle:
    """The puzzle of a line. Raises PuzzleError."""
    try:
        body = json.loads(line)
        if (body.pop("format"), body.pop("format_version")) != (FORMAT, FORMAT_VERSION):
            raise ValueError
        return Puzzle(**body)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise PuzzleError(f"{where}: this is no puzzle of version {FORMAT_VERSION}.") from None


def write(path: Path, puzzles: Iterable[Puzzle]) -> None:
    """Add puzzles to a file."""
    text = "".join(puzzle.line() + "\n" for puzzle in puzzles)
    if text:
        with path.open("a", encoding="utf-8") as file:
            file.write(text)


def rewrite(path: Path, puzzles: Iterable[Puzzle]) -> None:
    """Write a file anew, whole or not at all."""
    part = path.with_suffix(path.suffix + ".part")
    part.write_text("".join(puzzle.line() + "\n" for puzzle in puzzles), "utf-8")
    part.replace(path)


def check(puzzle: Puzzle, find: Find) -> Position:
    """A puzzle laid out, its answer being legal and its figures a proof. Raises PuzzleError, RecordError."""
    position = Position(puzzle, find)
    state, seat = position.state, puzzle.seat
    if puzzle.kind not in KINDS:
        raise PuzzleError(f"There is no kind {puzzle.kind!r} of puzzles.")
    if seat not in range(state.seats) or len(position.view.legal(seat)) < 2:
        raise PuzzleError("The seat of this puzzle has nothing to choose.")
    for answer in (puzzle.best, puzzle.second, puzzle.open_best, *puzzle.losses):
        if not state.is_legal(seat, position.game.parse(answer)):
            raise PuzzleError(f"{answer} is not legal in this puzzle.")
    if not proved(puzzle):
        raise PuzzleError("The figures of this puzzle do not prove its answer.")
    if puzzle.jewel != (puzzle.open_best != puzzle.best):
        raise PuzzleError("This puzzle is called a jewel without being one, or the other way round.")
    if puzzle.jewel and not proved_open(puzzle):
        raise PuzzleError("The figures of this jewel do not prove its open answer.")
    if puzzle.dealt is not None and puzzle.cards != cards_of(state):
        raise PuzzleError("The cards of this puzzle are dealt otherwise by this version.")
    return position


def is_clear(lead: float, error: float, least: float) -> bool:
    """Whether a lead is so large, and no less than half of that where it is as small as chance may have made it."""
    return lead > least and lead - SURE * error > least / 2.0


def proved(puzzle: Puzzle) -> bool:
    """Whether the best answer is clearly ahead of every other one, in fresh worlds and to the end."""
    return (
        is_clear(puzzle.lead, puzzle.error, LEAD)
        and is_clear(puzzle.end_lead, puzzle.end_error, END_LEAD)
        and puzzle.best not in puzzle.losses
        and min(puzzle.losses.values(), default=0.0) >= puzzle.lead - ROUNDED
    )


def proved_open(puzzle: Puzzle) -> bool:
    """Whether the open answer of a jewel is ahead of the best one from the view by as much and as surely."""
    return (
        puzzle.open_lead > OPEN_LEAD
        and puzzle.open_lead > SURE * puzzle.open_error
        and puzzle.open_end_lead > SURE * puzzle.open_end_error
    )
