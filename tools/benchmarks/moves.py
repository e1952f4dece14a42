"""The cost of a move on the server, and the bytes sent to both players, in complete games of the heuristic.

    python -m tools.benchmarks.moves [GAME ...] [--games 5] [--write FILE]

Each game is played at a live table with its own database. After each move both pages are rendered, split into lines and
compressed, as `web/table/live.py` does for two sockets. Times are CPU milliseconds for each move; nested parts count
only once, in the inner part. The bot's own thinking is not included.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from functools import wraps
from pathlib import Path
from statistics import mean
from typing import Any, Final

import anyio

from gonfalon import bots, games
from gonfalon.bots.players.budget import Budget
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.log import LogReader
from gonfalon.lab.run import machine
from gonfalon.lab.run.match import find_percentile
from gonfalon.table import Person, Store, Table, Tables
from gonfalon.table.game.position import Position
from gonfalon.table.live import table as live
from gonfalon.web.http.templates import Templates
from gonfalon.web.shared.renderer import Renderer
from gonfalon.web.table import live as live_parts
from gonfalon.web.table.live import TableFrames

MAKE_MESSAGE: Final = live_parts.encode_message
"""The original function, without timing."""


class Clock:
    """CPU time by part. Nested parts are not counted twice."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = defaultdict(float)
        self.open: list[float] = []

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        began = time.thread_time()
        self.open.append(0.0)
        try:
            yield
        finally:
            whole = time.thread_time() - began
            self.spent[name] += whole - self.open.pop()
            if self.open:
                self.open[-1] += whole

    def timed(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(call)
        def clocked(*args: Any, **named: Any) -> Any:
            with self.part(name):
                return call(*args, **named)

        return clocked


def time_parts(clock: Clock, kind: type[Game]) -> Callable[[], None]:
    """Time the parts of a move, and return a function that undoes it."""
    parts: list[tuple[Any, str, str]] = [
        (Position, "clone", "position"),
        (Position, "act", "position"),
        (Position, "look", "views"),
        (Store, "append", "store"),
        (live, "shown", "board"),
        (LogReader, "read", "log"),
        (kind, "controls", "controls"),
        (live_parts, "board_context", "context"),
        (live_parts, "seats_context", "context"),
        (Renderer, "log", "log"),
        (Templates, "draw", "template"),
        (live_parts, "cut", "lines"),
        (live_parts, "message", "lines"),
        (zlib, "compress", "pack"),
    ]
    kept = [(owner, name, getattr(owner, name)) for owner, name, _ in parts]
    for owner, name, part in parts:
        setattr(owner, name, clock.timed(part, getattr(owner, name)))

    def undo() -> None:
        for owner, name, call in kept:
            setattr(owner, name, call)

    return undo


class Viewer:
    """One of the two players, and the sizes of their frames."""

    def __init__(self, render: Renderer, table: Table, token: str) -> None:
        self.drawing, self.table, self.token = TableFrames(render), table, token
        self.last: dict[str, live_parts.Frame] = {}
        self.raw: list[int] = []
        self.packed: list[int] = []
        self.whole: list[int] = []

    def look(self) -> list[tuple[live_parts.Frame, live_parts.Frame | None]]:
        """Return the frames that the socket sends now, each with its predecessor."""
        found = []
        for draw in (self.drawing.board, self.drawing.seats):
            frame = draw(self.table, self.token)
            last = self.last.get(frame.part)
            if last is None or last.lines != frame.lines:
                frame.after(last)
                found.append((frame, last))
                self.last[frame.part] = frame
        return found

    def count(self, sent: list[tuple[live_parts.Frame, live_parts.Frame | None]]) -> None:
        for frame, last in sent:
            if last is not None and frame.part == "table":
                self.raw.append(len(MAKE_MESSAGE(frame.part, last.lines, frame.lines).encode()))
                self.packed.append(len(frame.after(last)))
                self.whole.append(len(frame.html.encode()))


async def play_and_time(name: str, seed: int, clock: Clock, total: list[float]) -> tuple[int, list[Viewer]]:
    """Play a game and add up its cost. Return the number of moves and the viewers."""
    game = (
        games.game(name, seats=2)
        if any(o.name == "seats" for o in games.find_game_class(name).options_spec)
        else games.game(name)
    )
    rng, mover = Rng(seed), bots.make("greedy", game)
    with tempfile.TemporaryDirectory() as folder:
        store = Store(f"sqlite:///{folder}/tables.db")
        async with Tables(store, pace=0, pause=(0, 0)).open() as tables:
            table, tokens = await tables.open_table(game, (Person("May"), Person("Bo")))
            drawing = Renderer({name: games.find_game_class(name)})
            viewers = [Viewer(drawing, table, token) for token in tokens.values()]
            for viewer in viewers:
                viewer.look()
            undo, moves = time_parts(clock, type(game)), 0
            try:
                while not table.position.over:
                    seat = next(seat for seat in range(game.seats) if table.position.is_asked(seat))
                    choice = mover.think(table.position.view_to_keep(seat), Budget(iterations=1), rng)
                    began = time.process_time()
                    async with table.current.lock:
                        await table.moves.act_at(seat, table.position.version(seat), [choice.action])
                    sent = [viewer.look() for viewer in viewers]
                    total[0] += time.process_time() - began
                    moves += 1
                    for viewer, found in zip(viewers, sent, strict=True):
                        viewer.count(found)
            finally:
                undo()
        store.close()
    return moves, viewers


def measure_game(name: str, count: int) -> dict[str, Any]:
    clock, total, moves = Clock(), [0.0], 0
    raw: list[int] = []
    packed: list[int] = []
    whole: list[int] = []
    anyio.run(play_and_time, name, 0, Clock(), [0.0])  # Warm up: templates are read once.
    for seed in range(1, count + 1):
        found, viewers = anyio.run(play_and_time, name, seed, clock, total)
        moves += found
        for viewer in viewers:
            raw += viewer.raw
            packed += viewer.packed
            whole += viewer.whole
    parts = {part: round(1000 * spent / moves, 3) for part, spent in sorted(clock.spent.items())}
    return {
        "game": name,
        "date": date.today().isoformat(),
        "machine": machine.describe_machine(),
        "build": machine.describe_build(),
        "games": count,
        "moves": moves,
        "ms": round(1000 * total[0] / moves, 2),
        "parts": parts | {"rest": round(1000 * (total[0] - sum(clock.spent.values())) / moves, 3)},
        "bytes": {
            kind: [round(mean(sizes)), round(find_percentile([float(size) for size in sizes], 0.95))]
            for kind, sizes in (("whole", whole), ("lines", raw), ("packed", packed))
        },
    }


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="tools.benchmarks.moves", description="Measure the cost of a move, and its frames."
    )
    parser.add_argument("names", nargs="*", metavar="GAME")
    parser.add_argument("--games", type=int, default=5, metavar="N")
    parser.add_argument("--write", type=Path, metavar="FILE", help="write all as JSON")
    args = parser.parse_args()
    found = [measure_game(name, args.games) for name in args.names or games.names()]
    for run in found:
        print(f"{run['game']}: {run['ms']} ms a move ({run['moves']} moves); bytes, mean and p95: {run['bytes']}")
        print("  " + ", ".join(f"{part} {spent}" for part, spent in run["parts"].items()), flush=True)
    if args.write:
        args.write.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
