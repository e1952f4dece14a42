"""What the tasks of `gonfalon puzzles` print."""

from __future__ import annotations

import sys
from pathlib import Path

from gonfalon.core.options import Options
from gonfalon.core.record import Record
from gonfalon.puzzles.course import points
from gonfalon.puzzles.files import Puzzle, PuzzleError, read, write
from gonfalon.puzzles.mining import deal_anew, mine, of_record
from gonfalon.puzzles.proving import check
from gonfalon.puzzles.renewing import renew


def find_in(records: list[Record], seed: int, path: Path | None, jewels: bool) -> int:
    """Look through finished games. Raises PuzzleError for one that is not over."""
    for record in records:
        if record.result is None:
            raise PuzzleError("This game is not over: puzzles are cut from finished ones.")
    for record in records:
        told(of_record(record, seed, jewels), path, True)
    return 0


def find_for(name: str, options: Options, count: int, seed: int, workers: int, path: Path | None, jewels: bool) -> int:
    """Let levels play so many games, and look through them. Raises OptionError, PuzzleError."""
    found, spent = 0, 0.0
    for mined in mine(name, options, count, seed, workers, path, jewels):
        told(mined.puzzles, path, False)
        found, spent = found + len(mined.puzzles), spent + mined.spent
        print(f"game {mined.number + 1} of {count}: {found} puzzles, {spent:.0f} s of CPU time", file=sys.stderr)
    return 0


def told(puzzles: list[Puzzle], path: Path | None, keep: bool) -> None:
    """Print puzzles, or a line on each where they go into a file."""
    for puzzle in puzzles:
        if path is None:
            print(puzzle.line())
        else:
            jewel = ", a jewel" if puzzle.jewel else ""
            print(f"{puzzle.kind}{jewel}: {puzzle.best}, ahead by {points(puzzle.lead, puzzle.error)}")
    if path is not None and keep:
        write(path, puzzles)


def deal_in(path: Path, wanted: int) -> int:
    """Deal puzzles of a file anew until it has so many jewels; 1 where it cannot. Raises PuzzleError, RecordError."""
    for jewel in deal_anew(path, wanted):
        told([jewel], path, False)
    count = sum(puzzle.jewel for puzzle in read(path))
    print(f"{count} jewels are in {path.name}.")
    return 0 if count >= wanted else 1


def renew_in(path: Path, numbers: list[int], times: int, seed: int, workers: int) -> int:
    """Prove puzzles of a file anew, and strike those that fall. Raises PuzzleError, RecordError."""
    struck = 0
    for number, found in renew(path, numbers, times, seed, workers):
        struck += found is None
        words = "FALLS" if found is None else f"stands; ahead by {points(found.lead, found.error)}"
        print(f"puzzle {number}: {words}", flush=True)
    print(f"{struck} struck, {len(read(path))} are in {path.name}")
    return 0


def check_again(name: str, count: int, seed: int, workers: int, jewels: bool) -> int:
    """Try some puzzles again; 1 when more than one in twenty does not stand. Raises Unknown."""
    every = stands = 0
    spent = 0.0
    for one in check(name, count, seed, workers, jewels):
        every, stands, spent = every + 1, stands + one.stands, spent + one.spent
        told_ = "stands" if one.stands else "FALLS"
        lead, end = points(one.lead, one.error), points(one.end_lead, one.end_error)
        open_leads = ", to the end by ".join(f"{100 * each:.0f}" for each in one.opened or ())
        opened = f"; open by {open_leads}" if open_leads else ""
        print(f"puzzle {one.number}: {told_}; ahead by {lead}, to the end by {end}{opened}", flush=True)
    print(f"{stands} of {every} stand; seed {seed}, {spent:.0f} s of CPU time")
    return 0 if 20 * stands >= 19 * every else 1
