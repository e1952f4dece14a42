"""The command `gonfalon benchmark`."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from gonfalon import games
from gonfalon.learn.benchmark import board, making
from gonfalon.learn.benchmark.card import card_of, read
from gonfalon.learn.benchmark.protocol import OPTIONS


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
    """Measure a player, and write its card."""
    chosen = list(dict.fromkeys(names)) or games.names()
    card = card_of(agent, chosen, parts, pairs, decisions, workers, tell)
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
    """Make new decision tasks of a game."""
    lines = [making.head(name)]
    for number, task in enumerate(islice(making.make(name, OPTIONS.get(name, {}), seed, 0), count), 1):
        lines.append(task.line())
        tell(f"{name}: {number} of {count} tasks, from game {task.source['number']}")
    put("\n".join(lines), path)
    return 0


def put(text: str, path: Path | None) -> None:
    """Print a text, or write it into a file."""
    if path is None:
        print(text)
    else:
        path.write_text(text + "\n", "utf-8")
        print(f"Wrote {path}.")
