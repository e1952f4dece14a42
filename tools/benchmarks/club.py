"""A busy evening: several server processes, and API clients that play at many tables at once.

    python -m tools.benchmarks.club kill --database URL [--kills 200] [--tables 60] [--workers 2]
    python -m tools.benchmarks.club away --database URL [--seconds 60] [--tables 60] [--workers 2]
    python -m tools.benchmarks.club answers --database URL [--answers 10000]

`kill` ends server processes with SIGKILL while clients play against bots, and then compares the acknowledged decisions
with the records: lost decisions, tables with stopped bots, the longest pause. `away` does the same while the database,
PostgreSQL, is unreachable, and reports the answers that clients received. `answers` lets two processes accept the two
answers to the same question at the same moment, repeatedly: none may be lost or doubled. All traffic stays on this
machine, and the commands end by themselves.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeVar

import httpx2 as httpx

from gonfalon.core.basics.rng import Rng
from gonfalon.lab.run.match import find_percentile
from gonfalon.table import LinkHolder, Person, Store, Table, Tables
from tests.databases import nobody_reaches
from tests.table.moot import Moot
from tests.table.opening import find

SERVE: Final = """
import sys
from gonfalon.web import serve
serve(port=int(sys.argv[1]), database_url=sys.argv[2], workers=int(sys.argv[3]), pace=0, limits=0)
"""
GAMES: Final = ("feint", "jinkei", "generals", "factionwars")
LEVEL: Final = "greedy"
T = TypeVar("T")
SETTLE_SECONDS: Final = 15.0
"""Seconds within which a bot must answer after the last kill."""
MAX_RUN_SECONDS: Final = 1800.0
"""Maximum number of seconds of a run."""


@dataclass
class Seat:
    """A client at a table, and the accepted notations by version of the view."""

    table: str
    token: str
    accepted: dict[int, list[str]] = field(default_factory=dict)
    waits_since: float | None = None
    pauses: list[float] = field(default_factory=list)
    refused: Counter[int] = field(default_factory=Counter)
    """Number of answers by status, except 200."""
    over: bool = False

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}


# ---- kill and away -------------------------------------------------------------------------------------------


def find_children(parent: int) -> list[int]:
    """Return the server processes started by this process."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            owner = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            if owner == parent and "spawn_main" in (folder / "cmdline").read_text():
                found.append(int(folder.name))
        except OSError:
            continue
    return found


async def open_table(client: httpx.AsyncClient, number: int) -> Seat:
    """Open a table of one of the games, against a bot."""
    game = GAMES[number % len(GAMES)]
    options = {"seats": 2} if game == "factionwars" else {}
    body = {"game": game, "seats": ["me", f"bot:{LEVEL}"], "name": "May", "options": options}
    answer = await client.post("/api/tables", json=body)
    answer.raise_for_status()
    opened = answer.json()
    return Seat(opened["table"], opened["seats"][0]["token"])


def pick_one(things: list[T], rng: Rng) -> T:
    """Return a random element."""
    return things[int(rng.below(len(things)))]


async def play_table(client: httpx.AsyncClient, seat: Seat, until: asyncio.Event, rng: Rng) -> None:
    """Take random legal actions until `until` is set or the game is over."""
    address = f"/api/tables/{seat.table}"
    while not until.is_set() and not seat.over:
        try:
            answer = await client.get(address, headers=seat.headers)
            if answer.status_code != 200:
                seat.refused[answer.status_code] += 1
                await asyncio.sleep(0.1)
                continue
            view = answer.json()
            now = time.monotonic()
            if view["over"]:
                seat.over = True
            elif view["decision"] is None:
                seat.waits_since = seat.waits_since or now
                await asyncio.sleep(0.05)
                continue
            if seat.waits_since is not None:
                seat.pauses.append(now - seat.waits_since)
                seat.waits_since = None
            if seat.over:
                return
            action = pick_one(view["decision"]["actions"], rng)["id"]
            post = {"expected": view["version"], "actions": [action]}
            answer = await client.post(f"{address}/actions", json=post, headers=seat.headers)
            if answer.status_code == 200:
                seat.accepted[view["version"]] = [action]
            else:
                seat.refused[answer.status_code] += 1
        except httpx.TransportError:
            await asyncio.sleep(0.02)  # Killed. The next view shows whether the action counted.
        await asyncio.sleep(rng.random() * 0.2)


async def run_kills(args: argparse.Namespace) -> int:
    """Play while processes are killed."""
    return await run_evening(args, kill_processes)


async def run_outage(args: argparse.Namespace) -> int:
    """Play while the database is unreachable for some seconds."""
    return await run_evening(args, cut_database)


async def run_evening(args: argparse.Namespace, disturb: Callable[[argparse.Namespace, int], Awaitable[str]]) -> int:
    """Play at many tables during a disturbance of the server. A finished game is followed by another."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    words = [sys.executable, "-c", SERVE, str(port), args.database, str(args.workers)]
    server = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert server.stdout is not None
    server.stdout.readline()
    rng, until, seats = Rng(args.seed), asyncio.Event(), list[Seat]()
    no_keeping = httpx.Limits(max_keepalive_connections=0)  # Each request may reach another process.
    begun = time.monotonic()
    try:
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=30, limits=no_keeping) as client:
            people = [asyncio.create_task(play_games(client, n, seats, until, rng)) for n in range(args.tables)]
            happened = await disturb(args, server.pid)
            over = time.monotonic()
            await asyncio.sleep(SETTLE_SECONDS)
            stopped = [seat for seat in seats if seat.waits_since is not None and seat.waits_since < over]
            until.set()
            await asyncio.gather(*people)
    finally:
        server.terminate()
        server.wait(30)
    return report_losses(args, happened, seats, len(stopped), time.monotonic() - begun)


async def kill_processes(args: argparse.Namespace, server: int) -> str:
    """Kill one process after the other, each time when all are running again."""
    kills, rng, begun = 0, Rng(args.seed), time.monotonic()
    while kills < args.kills and time.monotonic() - begun < MAX_RUN_SECONDS:
        await asyncio.sleep(args.every * (0.5 + rng.random()))
        pids = find_children(server)
        if len(pids) == args.workers:
            os.kill(pick_one(pids, rng), signal.SIGKILL)
            kills += 1
    return f"{kills} kills"


async def cut_database(args: argparse.Namespace, server: int) -> str:
    """Make the database unreachable for some seconds, with half a minute of play before and after."""
    await asyncio.sleep(SETTLE_SECONDS * 2)
    with nobody_reaches(args.database):
        await asyncio.sleep(args.seconds)
    await asyncio.sleep(SETTLE_SECONDS * 2)
    return f"Database unreachable for {args.seconds:.0f} s"


async def play_games(client: httpx.AsyncClient, number: int, seats: list[Seat], until: asyncio.Event, rng: Rng) -> None:
    """Play one game after the other."""
    while not until.is_set():
        try:
            seat = await open_table(client, number)
        except httpx.HTTPError:
            await asyncio.sleep(0.2)
            continue
        seats.append(seat)
        await play_table(client, seat, until, rng)


def report_losses(args: argparse.Namespace, happened: str, seats: list[Seat], stopped: int, seconds: float) -> int:
    """Compare the acknowledged decisions with the records, and print the result."""
    store = Store(args.database)
    lost = accepted = 0
    for seat in seats:
        stored = iter([entry.text for entry in store.entries(seat.table) if entry.seat == 0 and entry.kind == "act"])
        for version in sorted(seat.accepted):
            for text in seat.accepted[version]:
                accepted += 1
                lost += text not in stored
    store.close()
    pauses = [pause for seat in seats for pause in seat.pauses]
    refused = sum((seat.refused for seat in seats), Counter[int]())
    print(
        f"{happened} in {seconds:.0f} s, {len(seats)} tables, {args.workers} processes; {accepted} decisions "
        f"acknowledged, {lost} lost; {stopped} tables with stopped bots; a bot's turn took "
        f"{find_percentile(pauses, 0.5):.2f} s (median), {find_percentile(pauses, 0.99):.2f} s (p99), "
        f"{max(pauses):.2f} s at most; refused by status: {dict(refused)}; load {os.getloadavg()[0]:.0f}."
    )
    return int(bool(lost or stopped))


# ---- answers ----------------------------------------------------------------------------------------


@asynccontextmanager
async def open_process(database: str) -> AsyncIterator[Tables]:
    store = Store(database)
    try:
        async with Tables(store, pace=0, pause=(0, 0), find=find).open() as tables:
            yield tables
    finally:
        store.close()


async def run_answers(args: argparse.Namespace) -> int:
    """Let both seats of a table answer at the same moment, each through another process's live tables."""
    given, keys, begun = 0, list[str](), time.monotonic()
    async with open_process(args.database) as one, open_process(args.database) as other:
        while given < args.answers:
            table, _ = await one.open_table(Moot(seats=2, rounds=2), [Person("May"), Person("Bo")])
            keys.append(table.key)
            sides = (table, await other.table(table.key))
            while given < args.answers and not any(side.position.over for side in sides):
                for side in sides:
                    await side.refresh()
                asked = [(side, seat) for seat, side in enumerate(sides) if side.position.is_asked(seat)]
                await asyncio.gather(*(answer_twice(side, seat) for side, seat in asked))
                given += len(asked)
        stored = sum(entry.seat >= 0 for key in keys for entry in one.store.entries(key))
        for key in keys:
            one.stored.load(key)  # Raises an error for an inconsistent record.
    print(
        f"{given} answers from two processes, each sent twice, in {time.monotonic() - begun:.0f} s: "
        f"{max(0, given - stored)} lost, {max(0, stored - given)} doubled."
    )
    return int(stored != given)


async def answer_twice(table: Table, seat: int) -> None:
    """Send the first legal answer twice at once, like a double click."""
    version, action = table.position.version(seat), table.view(seat).legal(seat)[0]
    await asyncio.gather(*(table.moves.act(LinkHolder(seat), version, [action]) for _ in range(2)))


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="tools.benchmarks.club", description="Stress several processes at one database."
    )
    commands = parser.add_subparsers(required=True)
    for name, run in (("kill", run_kills), ("away", run_outage), ("answers", run_answers)):
        sub = commands.add_parser(name)
        sub.add_argument("--database", required=True, metavar="URL")
        sub.set_defaults(run=run)
        if run in (run_kills, run_outage):
            sub.add_argument("--tables", type=int, default=60)
            sub.add_argument("--workers", type=int, default=2)
            sub.add_argument("--seed", type=int, default=1)
        if run is run_kills:
            sub.add_argument("--kills", type=int, default=200)
            sub.add_argument("--every", type=float, default=6.0, help="seconds between two kills, on the mean")
        elif run is run_outage:
            sub.add_argument("--seconds", type=float, default=60.0, help="seconds without database")
        else:
            sub.add_argument("--answers", type=int, default=10_000)
    args = parser.parse_args()
    found: int = asyncio.run(args.run(args))
    return found


if __name__ == "__main__":
    raise SystemExit(main())
