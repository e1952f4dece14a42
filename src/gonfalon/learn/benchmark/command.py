"""The command `gonfalon benchmark`."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from gonfalon import games
from gonfalon.core.errors import OptionError
from gonfalon.learn.benchmark import board, making
from gonfalon.learn.benchmark.card import begun, fill, read
from gonfalon.learn.benchmark.protocol import OPTIONS
from gonfalon.learn.benchmark.tasks import Tasks


def tell(text: str) -> None:
    """How it goes, beside what is printed."""
    print(text, file=sys.stderr, flush=True)


def measure(
    agent: str,
    names: Sequence[str],
    parts: Sequence[str],
    pairs: int,
    decisions: int,
    workers: int,
    speed: bool,
    path: Path | None,
) -> int:
    """Measure a player, and write its card. One that is there already is gone on with. Raises OptionError."""
    chosen = list(dict.fromkeys(names)) or games.names()
    card = new = begun(agent)
    if path is not None and path.exists():
        card = read(path)
        if (card["agent"], card["file"]) != (new["agent"], new["file"]):
            raise OptionError(f"{path} is the card of another player, {card['agent']}.")
    for found in fill(card, chosen, parts, pairs, decisions, workers, tell):
        card = found
        if path is not None:
            path.write_text(json.dumps(card, indent=1) + "\n", "utf-8")
    if speed:
        from gonfalon.learn.benchmark.speed import speeds

        card["machine"]["speed"] = speeds(chosen, tell)
    put(json.dumps(card, indent=1), path)
    return 0


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
    begun = Tasks(path).tasks if path is not None and path.exists() else []
    first = max((task.source["number"] for task in begun), default=-1) + 1
    if not begun:
        add(making.head(name), path)
    wanted = max(0, count - len(begun))
    for number, task in enumerate(
        islice(making.make(name, OPTIONS.get(name, {}), seed, first), wanted), len(begun) + 1
    ):
        add(task.line(), path)
        tell(f"{name}: {number} of {count} tasks, from game {task.source['number']}")
    return 0


def add(line: str, path: Path | None) -> None:
    """Print a line, or add it to a file."""
    if path is None:
        print(line, flush=True)
        return
    with path.open("a", encoding="utf-8") as file:
        file.write(line + "\n")


def put(text: str, path: Path | None) -> None:
    """Print a text, or write it into a file."""
    if path is None:
        print(text)
    else:
        path.write_text(text + "\n", "utf-8")
        print(f"Wrote {path}.")
