"""The command `gonfalon benchmark`."""

from __future__ import annotations

import json
import platform
import sys
from collections.abc import Collection, Sequence
from pathlib import Path

from gonfalon import __version__, games
from gonfalon.core.build import sentence
from gonfalon.core.text.untrusted import print_text
from gonfalon.lab.run.atomic_files import check_file, write
from gonfalon.lab.run.match import game_of
from gonfalon.learn.benchmark import figures
from gonfalon.learn.benchmark.agents import agent, file_of
from gonfalon.learn.benchmark.figures import Figures, NotMeasuredError
from gonfalon.learn.benchmark.protocol import OPTIONS, SEED
from gonfalon.vector.networks import Unlearnt


def tell(text: str) -> None:
    """Report progress on standard error."""
    print(text, file=sys.stderr, flush=True)


def run(
    text: str,
    names: Sequence[str],
    parts: Collection[str],
    pairs: int,
    workers: int,
    speed: bool,
    path: Path | None,
) -> int:
    """Measure a player, and print the figures as JSON or write them into a file. Raises OptionError."""
    if path is not None:
        check_file(path)
    chosen = find_games(text, names)
    found: Figures = {
        "agent": text,
        "file": file_of(text),
        "seed": SEED,
        "games": {},
        "machine": {
            "gonfalon": __version__,
            "build": sentence(),
            "python": platform.python_version(),
            "machine": platform.machine(),
        },
    }
    try:
        for name in chosen:
            measure(found, name, parts, pairs, workers)
        if speed:
            from gonfalon.learn.benchmark.speed import speeds

            found["machine"]["speed"] = speeds(chosen, tell)
    finally:  # a long measurement that breaks off keeps the figures it has
        if found["games"]:
            report(found, path)
    return 0


def find_games(text: str, names: Sequence[str]) -> list[str]:
    """Return the games to measure a player in: those named, or all that it plays. Raises OptionError."""
    found = []
    why = None
    for name in dict.fromkeys(names or games.names()):
        try:
            agent(text, game_of(name, OPTIONS.get(name, {})))
            found.append(name)
        except Unlearnt as error:
            if names:
                raise
            why = error
            tell(f"{name} is left out: {error}")
    if why is not None and not found:
        raise why
    return found


def measure(found: Figures, name: str, parts: Collection[str], pairs: int, workers: int) -> None:
    """Add the figures of a player in one game to what has been found. Raises OptionError."""
    text, options = found["agent"], OPTIONS.get(name, {})
    entry = figures.describe_game(name, options, pairs)
    if "exact" in parts:
        tell(f"{name}: what a perfect opponent gains in tiny games")
        try:
            entry["exploitability"] = figures.exact(text, name)
        except NotMeasuredError as why:
            tell(f"{name}: {why}")
            entry["exploitability"], entry["why"] = None, str(why)
        found["games"][name] = entry
    if "score" in parts:
        tell(f"{name}: against fixed levels")
        entry["against"] = figures.against_levels(text, name, options, pairs, workers)
        found["games"][name] = entry


def report(found: Figures, path: Path | None) -> None:
    """Print figures, or write them into a file."""
    text = json.dumps(found, indent=1)
    if path is None:
        print_text(text)
    else:
        write(path, text + "\n")
        print_text(f"Wrote {path}.")
