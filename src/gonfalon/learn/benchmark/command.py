"""The command `gonfalon benchmark`."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from gonfalon import games
from gonfalon.core.errors import OptionError
from gonfalon.lab.match import game_of
from gonfalon.lab.whole import write
from gonfalon.learn.benchmark import board, making
from gonfalon.learn.benchmark.agents import agent
from gonfalon.learn.benchmark.card import Card, begun, fill, read
from gonfalon.learn.benchmark.protocol import OPTIONS
from gonfalon.learn.benchmark.tasks import Tasks
from gonfalon.vector.networks import Unlearnt


def tell(text: str) -> None:
    """How it goes, beside what is printed."""
    print(text, file=sys.stderr, flush=True)


def measure(
    text: str,
    names: Sequence[str],
    parts: Sequence[str],
    pairs: int,
    decisions: int,
    sparring: str,
    workers: int,
    speed: bool,
    path: Path | None,
) -> int:
    """Measure a player, and write its card. One that is there already is gone on with. Raises OptionError."""
    chosen = list(dict.fromkeys(names)) or learnt_by(text)
    card = new = begun(text)
    if path is not None and path.is_dir():
        raise OptionError(f"{path} is a folder; the card takes a file.")
    if path is not None and not path.parent.is_dir():
        raise OptionError(f"There is no folder {path.parent} to write into.")
    if path is not None and path.is_file():
        card = read(path)
        if card["agent"] == new["agent"] and card["file"] != new["file"]:
            raise OptionError(f"{path} was measured before the file of {card['agent']} changed. Write another card.")
        if card["agent"] != new["agent"]:
            raise OptionError(f"{path} is the card of another player, {card['agent']}.")
    measured, there = False, json.dumps(card["games"])
    try:
        for found in fill(card, chosen, parts, pairs, decisions, workers, tell, sparring):
            card, measured = found, True
            if path is not None:
                save(text_of(card), path)
        if speed:
            from gonfalon.learn.benchmark.speed import speeds

            card["machine"]["speed"] = speeds(chosen, tell)
    finally:  # what was measured is kept, whatever has happened since
        if measured:
            put(text_of(card), path)
    if path is not None and there == json.dumps(card["games"]):
        tell("Nothing was measured: all that was asked for stood there already.")
    return 0


def learnt_by(text: str) -> list[str]:
    """All games, but for those that a network has not learnt. Raises OptionError."""
    found, why = [], ""
    for name in games.names():
        try:
            agent(text, game_of(name, OPTIONS.get(name, {})))
            found.append(name)
        except Unlearnt as error:
            why = str(error)
            tell(f"{name} is left out: {why}")
    if not found:
        raise OptionError(why)
    return found


def leaderboard(paths: Sequence[Path], html: Path | None) -> int:
    """Compare cards."""
    cards = [read(path) for path in paths]
    if html is None:
        print("\n".join(board.markdown(cards)))
    else:
        put(board.page(cards).rstrip("\n"), html)
    return 0


def make_tasks(name: str, count: int, seed: int, path: Path | None) -> int:
    """Make decision tasks of a game until there are so many; a file is gone on with. Raises OptionError."""
    lines = [making.head(name)]
    first = 0
    if path is not None and path.is_file():
        there = Tasks(path)
        if json.dumps(there.about) != lines[0] or any(task.source["seed"] != seed for task in there.tasks):
            raise OptionError(
                f"{path} holds tasks of another game or seed, or judged by other rules, cards or networks."
            )
        lines += [task.line() for task in there.tasks]
        first = 1 + max((task.source["number"] for task in there.tasks), default=-1)
    elif path is None:
        print(lines[0], flush=True)
    for task in islice(making.make(name, OPTIONS.get(name, {}), seed, first), max(0, count + 1 - len(lines))):
        lines.append(task.line())
        if path is None:
            print(lines[-1], flush=True)
        else:
            save("\n".join(lines), path)
        tell(f"{name}: {len(lines) - 1} of {count} tasks, from game {task.source['number']}")
    return 0


def text_of(card: Card) -> str:
    """A card as it is written."""
    return json.dumps(card, indent=1)


def save(text: str, path: Path) -> None:
    """Write a file, whole or not at all. A device or a pipe is written to, and not replaced."""
    if path.exists() and not path.is_file():
        path.write_text(text + "\n", "utf-8")
    else:
        write(path, text + "\n")


def put(text: str, path: Path | None) -> None:
    """Print a text, or write it into a file."""
    if path is None:
        print(text)
    else:
        save(text, path)
        print(f"Wrote {path}.")
