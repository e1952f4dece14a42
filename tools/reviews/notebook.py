"""Long studies in parts: what is found is written down part by part, so that a study that was broken off goes on, and
one whose time is up tells what it has."""

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


class Part(NamedTuple):
    """A part of a study: its name, how far in the study it stands, and what finds it out, in any process."""

    name: str
    place: float
    work: Callable[[], Found]


class Notebook:
    """What has been found so far. The first line says of which study, each other one is a part."""

    def __init__(self, path: Path | None, study: Mapping[str, object]) -> None:
        self.path: Path | None = path
        self.found: dict[str, Found] = {}
        head = json.dumps({"format": FORMAT, **study})
        if path is None:
            return
        if not path.exists():
            atomic_files.write(path, head + "\n")
            return
        first, *lines = path.read_text("utf-8", "replace").split("\n")
        if first != head:
            raise OptionError(f"{path} holds another study, or one of another version, or none; name another file.")
        for number, line in enumerate(lines[:-1], 2):  # the last one was not finished, or is empty
            try:
                name, found = json.loads(line)
                self.found[name] = dict(found)
            except (ValueError, TypeError):
                raise DataError(f"{path} is damaged in line {number}: take it out, or name another file.") from None
        atomic_files.write(path, "\n".join([first, *lines[:-1], ""]))

    def add(self, name: str, found: Found) -> None:
        """Write a part down."""
        self.found[name] = found
        if self.path is not None:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps([name, found]) + "\n")


def find_out(part: Part) -> Found:
    """What a part finds."""
    return part.work()


def work_through(
    parts: list[Part],
    notebook: Notebook,
    workers: Workers,
    seconds: float | None = None,
    report: Callable[[str, int, int], None] | None = None,
) -> dict[str, Found]:
    """What all parts have found, those that lie first in the study first. After so many seconds no part is begun any
    more. `report` hears of each: its name, how many are done, of how many."""
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
        for _ in team.in_order(find_out, in_time, keep=keep, ahead=1):
            pass
    return {part.name: notebook.found[part.name] for part in parts if part.name in notebook.found}
