"""The command `gonfalon benchmark`."""

from __future__ import annotations

import json
import platform
import sys
from collections import Counter
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Final

from gonfalon import __version__, games
from gonfalon.bench import Figure, measure_environments
from gonfalon.bots import make
from gonfalon.bots.outside.faults import describe_faults
from gonfalon.bots.outside.notation import hash_bot
from gonfalon.bots.players.bot import UntrainedError
from gonfalon.core.build import name_build
from gonfalon.core.text.untrusted import print_text
from gonfalon.lab.run.atomic_files import check_file, write_file
from gonfalon.lab.run.match import get_game
from gonfalon.learn.benchmark import figures
from gonfalon.learn.benchmark.figures import Figures, NotMeasuredError
from gonfalon.learn.benchmark.protocol import OPTIONS, SEED

BURST_SECONDS: Final = 1.0
"""Duration of each measurement of speed, in seconds of CPU time."""


def report_progress(text: str) -> None:
    """Report progress on standard error."""
    print(text, file=sys.stderr, flush=True)


def run_benchmark(
    text: str, names: Sequence[str], parts: Collection[str], pairs: int, workers: int, speed: bool, path: Path | None
) -> int:
    """Measure a player, and print the figures as JSON or write them into a file.

    Raises:
        OptionError: The player is unknown, or the file cannot be written.
    """
    if path is not None:
        check_file(path)
    chosen = find_games(text, names)
    found: Figures = {
        "agent": text,
        "file": hash_bot(text, make(text, get_game(chosen[0], OPTIONS.get(chosen[0], {})))),
        "seed": SEED,
        "games": {},
        "machine": {
            "gonfalon": __version__,
            "build": name_build(),
            "python": platform.python_version(),
            "machine": platform.machine(),
        },
    }
    try:
        for name in chosen:
            measure_game(found, name, parts, pairs, workers)
        if speed:
            found["machine"]["speed"] = {name: measure_speed(name) for name in chosen}
    finally:  # An interrupted measurement keeps its figures so far.
        if found["games"]:
            write_report(found, path)
    return 0


def measure_speed(name: str) -> dict[str, Figure]:
    """Return the speed of a game's environments and their peers."""
    return measure_environments(games.game(name, **OPTIONS.get(name, {})), 1, BURST_SECONDS)


def find_games(text: str, names: Sequence[str]) -> list[str]:
    """Return the games to measure a player in: the named ones, or all that it plays.

    Raises:
        OptionError: The player is unknown or plays none of the games.
    """
    found = []
    why = None
    for name in dict.fromkeys(names or games.names()):
        try:
            make(text, get_game(name, OPTIONS.get(name, {})))
            found.append(name)
        except UntrainedError as error:
            if names:
                raise
            why = error
            report_progress(f"Skipping {name}: {error}")
    if why is not None and not found:
        raise why
    return found


def measure_game(found: Figures, name: str, parts: Collection[str], pairs: int, workers: int) -> None:
    """Add the figures of a player in one game.

    Raises:
        OptionError: The player cannot play the game.
    """
    text, options = found["agent"], OPTIONS.get(name, {})
    entry = figures.describe_game(name, options, pairs)
    if "exact" in parts:
        report_progress(f"{name}: exploitability in solved games")
        try:
            entry["exploitability"] = figures.measure_solved_games(text, name)
        except NotMeasuredError as why:
            report_progress(f"{name}: {why}")
            entry["exploitability"], entry["why"] = None, str(why)
        found["games"][name] = entry
    if "score" in parts:
        report_progress(f"{name}: against fixed levels")
        for left_out in figures.list_opponents(name, options)[1]:
            report_progress(f"{name}: {left_out}")
        entry["against"] = figures.score_against_levels(text, name, options, pairs, workers)
        chosen = sum((Counter(score.get("chosen", {})) for score in entry["against"].values()), Counter[str]())
        if chosen:
            report_progress(f"{name}: {describe_faults(text, chosen)}")
        found["games"][name] = entry


def write_report(found: Figures, path: Path | None) -> None:
    """Print figures, or write them into a file."""
    text = json.dumps(found, indent=1)
    if path is None:
        print_text(text)
    else:
        write_file(path, text + "\n")
        print_text(f"Wrote {path}.")
