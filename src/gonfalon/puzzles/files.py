"""The file of a game's puzzles: JSON, one puzzle in each line (version 1).

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

`decisions` is the record up to the position. `why` has the reason in the game's words, if there is one, and the fact
that makes a jewel. Every figure is a chance of the seat to win, from 0 to 1:

- `value`: the chance with the best answer
- `lead`: its lead over the `second`, the best of all others, in `worlds` fresh worlds
- `error`: the standard error of `lead`
- `end_lead`, `end_error`: the smallest lead over the close answers when played to the end, in `end_worlds` worlds
- `losses`: the loss with each other answer
- `agree`: the share of worlds in which the best answer is at least as good as the second

A simultaneous decision is judged against several beliefs. Its figures are those of the belief with the smallest lead.

`open_best` is the best answer with all hands open. A puzzle is a jewel if it differs from `best`. Its lead over `best`
is `open_lead` in `worlds` deals of the unseen cards, and `open_end_lead` when played to the end. `others` are the other
seats' answers to the same question. `dealt` is null if the cards are those of the game, else the seed by which the
hidden cards were dealt anew; `cards` identifies that deal.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Final

from gonfalon.core.basics.errors import GonfalonError
from gonfalon.core.basics.rng import Rng
from gonfalon.core.files.reading import FileError, read_text
from gonfalon.core.files.record import FORMAT as RECORD
from gonfalon.core.files.record import FORMAT_VERSION as RECORD_VERSION
from gonfalon.core.files.record import Record, load
from gonfalon.core.knowledge.worlds import worlds
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import Action, Seat, State
from gonfalon.core.rules.words import NUMBERED
from gonfalon.core.text.english import OPPONENT

FORMAT: Final = "gonfalon-puzzle"
FORMAT_VERSION: Final = 1
Find = Callable[..., Game]
"""Returns the game with a name and options."""


class PuzzleError(GonfalonError):
    """A puzzle that cannot be read, or whose proof does not hold."""


@dataclass(frozen=True)
class Puzzle:
    """A position with its answer and the proof, as in the file."""

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


class Position:
    """A puzzle's full position and its seat's view. Another deal of the hidden cards leaves the view unchanged."""

    def __init__(self, puzzle: Puzzle, find: Find) -> None:
        """Set up the position.

        Args:
            puzzle: The puzzle.
            find: Returns the game.

        Raises:
            RecordError: The decisions do not fit the game.
        """
        self.puzzle: Puzzle = puzzle
        self.record: Record = build_record(puzzle, find)
        self.game: Game = self.record.game
        self.seat: Seat = puzzle.seat
        stood = self.record.replay()
        self.state: State = stood if puzzle.dealt is None else deal_hidden(stood.mask(puzzle.seat), puzzle.dealt)
        self.best: Action = self.game.parse(puzzle.best)
        self.others: list[tuple[Seat, Action]] = [(int(seat), self.game.parse(str(one))) for seat, one in puzzle.others]

    @cached_property
    def view(self) -> State:
        """The seat's view."""
        return self.state.mask(self.seat)


def deal_hidden(view: State, seed: int) -> State:
    """Return a position that fits a view, with the hidden cards dealt by a seed."""
    return worlds(view).sample(Rng(seed))


def build_record(puzzle: Puzzle, find: Find) -> Record:
    """Return the record up to the position. Raises RecordError."""
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
    # The names of the people who played are not part of a puzzle.
    record.names = list_names(record.game, puzzle.seat)
    return record


def list_names(game: Game, seat: Seat) -> list[str]:
    """Return the names of the seats in a puzzle."""
    names = game.seat_names()
    if game.seats == 2 and NUMBERED.fullmatch(names[1 - seat]):
        names[1 - seat] = OPPONENT.capitalize()
    return names


def read_puzzles(path: Path) -> list[Puzzle]:
    """Return the puzzles of a file; none if there is no such file. Raises PuzzleError."""
    try:
        lines = read_text(path).splitlines()
    except FileNotFoundError:
        return []
    except (OSError, FileError):
        raise PuzzleError(f"{path.name} cannot be read.") from None
    return [parse_puzzle(f"{path.name}, line {n}", line) for n, line in enumerate(lines, 1)]


def parse_puzzle(where: str, line: str) -> Puzzle:
    """Return the puzzle in a line.

    Args:
        where: The file and line, for the error.
        line: The text of the line.

    Raises:
        PuzzleError: The line is not a puzzle.
    """
    try:
        body = json.loads(line)
        # The remaining keys must be exactly the fields of a puzzle.
        if (body.pop("format"), body.pop("format_version")) != (FORMAT, FORMAT_VERSION):
            raise ValueError
        return Puzzle(**body)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        # Broken JSON, missing or unknown fields and wrong types are all reported in one way.
        raise PuzzleError(f"{where}: this is not a puzzle of version {FORMAT_VERSION}.") from None
