"""Long studies in parts, whose results are stored part by part.

An interrupted study can continue, and a study with a time limit reports its results so far.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from itertools import takewhile
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from gonfalon.core.basics.errors import DataError, OptionError
from gonfalon.lab.run import atomic_files
from gonfalon.lab.run.workers import Team, Workers

Found: TypeAlias = dict[str, object]
FORMAT: Final = "gonfalon-notebook"
"""Format name in the first line of a file."""


class Part(NamedTuple):
    """A part of a study: its name, its position in the study from 0 to 1, and its work, for any process."""

    name: str
    place: float
    work: Callable[[], Found]


class Notebook:
    """The results so far. The first line of the file identifies the study, each other line is a part."""

    def __init__(self, path: Path | None, study: Mapping[str, object]) -> None:
        self.path: Path | None = path
        self.found: dict[str, Found] = {}
        head = json.dumps({"format": FORMAT, **study})
        if path is None:
            return
        if not path.exists():
            atomic_files.write_file(path, head + "\n")
            return
        first, *lines = path.read_text("utf-8", "replace").split("\n")
        if first != head:
            raise OptionError(f"{path} does not belong to this study and version. Name another file.")
        for number, line in enumerate(lines[:-1], 2):  # The last line is incomplete or empty.
            try:
                name, found = json.loads(line)
                self.found[name] = dict(found)
            except (ValueError, TypeError):
                raise DataError(f"Line {number} of {path} is damaged. Remove it, or name another file.") from None
        atomic_files.write_file(path, "\n".join([first, *lines[:-1], ""]))

    def add(self, name: str, found: Found) -> None:
        """Store the result of a part."""
        self.found[name] = found
        if self.path is not None:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps([name, found]) + "\n")


def run_part(part: Part) -> Found:
    """Return the result of a part."""
    return part.work()


def run_parts(
    parts: list[Part],
    notebook: Notebook,
    workers: Workers,
    seconds: float | None = None,
    report: Callable[[str, int, int], None] | None = None,
) -> dict[str, Found]:
    """Return the results of all parts, in the order of their positions.

    Args:
        parts: The parts.
        notebook: The stored results.
        workers: A number of processes, or a cluster.
        seconds: Time after which no part starts.
        report: Called after each part with its name, the number of finished parts, and their total.
    """
    until = None if seconds is None else time.monotonic() + seconds
    left = sorted((part for part in parts if part.name not in notebook.found), key=lambda part: part.place)
    in_time = takewhile(lambda _: until is None or time.monotonic() < until, left)
    done = len(parts) - len(left)

    def keep(part: Part, found: Found) -> None:
        nonlocal done
        notebook.add(part.name, found)
        done += 1
        if report is not None:
            report(part.name, done, len(parts))

    with Team(workers) as team:
        for _ in team.in_order(run_part, in_time, keep=keep, ahead=1):
            pass
    return {part.name: notebook.found[part.name] for part in parts if part.name in notebook.found}
