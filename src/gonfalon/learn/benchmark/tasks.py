"""The decision tasks of the benchmark: positions from games of levels, with what every legal action is worth.

A file for each game, JSON, one object a line. The first says what they are, each other one is a task:

    {"format": "gonfalon-tasks", "format_version": 1, "game": "feint", "rules": "2", "data": "<hash of the card data>",
     "network": "<hash of the network that judges>", "worlds": 128, "end_worlds": 32}
    {"options": {...}, "seat": 0, "decisions": [[-1, "seed:4711"], ...],
     "values": {"patriot@5": [0.61, 0.58], "pass": [0.47, 0.5]},
     "source": {"seed": 7, "number": 3, "at": 12}}

`decisions` is the record up to the position. A value is the seat's chance to win with an action, all of them in the
same `worlds` dealt from its view: first as the review judges it, as far ahead as that looks; then in `end_worlds`
others, played to the end.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from gonfalon import games
from gonfalon.core.errors import OptionError
from gonfalon.core.files import read_text
from gonfalon.core.game import Game
from gonfalon.core.record import FORMAT as RECORD
from gonfalon.core.record import FORMAT_VERSION as RECORD_VERSION
from gonfalon.core.record import load
from gonfalon.core.state import State
from gonfalon.review.course import positions

FOLDER: Final = Path(__file__).with_name("data")
FORMAT: Final = "gonfalon-tasks"
FORMAT_VERSION: Final = 1


@dataclass(frozen=True)
class Task:
    """One decision, as the file has it."""

    options: dict[str, Any]
    seat: int
    decisions: list[tuple[int, str]]
    values: dict[str, tuple[float, float]]
    source: dict[str, int]

    def line(self) -> str:
        """The line of the file."""
        return json.dumps(asdict(self), ensure_ascii=False)

    @property
    def best(self) -> str:
        """The action that the judge thinks best; of several the first one in the file."""
        return max(self.values, key=lambda answer: self.values[answer][0])

    def losses(self, answer: str) -> tuple[float, float]:
        """What an action gives away, as it is judged, and played to the end."""
        best, found = self.values[self.best], self.values[answer]
        return best[0] - found[0], best[1] - found[1]


class Tasks:
    """The tasks of a game."""

    def __init__(self, path: Path) -> None:
        """Raises OptionError for a file that cannot be read."""
        self.path = path
        try:
            text = read_text(path)
            head, *lines = text.splitlines()
            self.about: dict[str, Any] = json.loads(head)
            found = (self.about["format"], self.about["format_version"])
            self.tasks = [Task(**json.loads(line)) for line in lines]
            if not all(isinstance(task.source[what], int) for task in self.tasks for what in ("seed", "number")):
                raise ValueError
        except (OSError, ValueError, TypeError, KeyError, RecursionError):
            raise OptionError(f"{path} cannot be read as tasks of the benchmark.") from None
        if found != (FORMAT, FORMAT_VERSION):
            raise OptionError(f"{path} holds no tasks of version {FORMAT_VERSION} of their format.")
        self.hash = sha256(text.encode()).hexdigest()[:16]

    def check(self, kind: type[Game]) -> None:
        """Raises OptionError where the game has other rules than the tasks were judged by."""
        if (self.about["game"], self.about["rules"]) != (kind.name, kind.version):
            raise OptionError(f"{self.path} was judged by other rules than this {kind.title} has.")

    @cached_property
    def laid_out(self) -> list[tuple[Task, Game, State]]:
        """Each task with its game and the view of its seat. Raises RecordError."""
        return [(task, *self.position(task)) for task in self.tasks]

    def position(self, task: Task) -> tuple[Game, State]:
        """The game of a task and what its seat sees there."""
        body = {
            "format": RECORD,
            "format_version": RECORD_VERSION,
            "game": self.about["game"],
            "rules": self.about["rules"],
            "data": self.about["data"],
            "options": task.options,
            "decisions": task.decisions,
        }
        record = load(json.dumps(body), games.game)
        return record.game, positions(record)[-1].mask(task.seat)


def of_game(name: str) -> Tasks | None:
    """The tasks that ship for a game; None where there are none. Raises OptionError."""
    path = FOLDER / f"{name}.jsonl"
    return Tasks(path) if path.is_file() else None
