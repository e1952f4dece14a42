"""A full server: the time from a post to the frame of the other seat, at many tables of all games at once.

    python -m tools.benchmarks.full_house [GAME ...] [--tables 1000] [--rate 100] [--seconds 600] [--workers 2]
                              [--database URL] [--beside 0] [--pauses] [--write FOLDER]

serves like `gonfalon serve --workers N`. Each table has two players with an open page socket each. Moves are posted at
a fixed rate over all tables, as pages post them, by a deciding seat at a random table. A move is timed from its post
to the next frame of the other seat's socket; answers to simultaneous decisions and windows, which may show nothing to
the other page, are played without timing. A frame that does not come is lost, unless a new page shows what the page
shows already. For comparison the same is done first with one table for each game. With `--beside`, further tables have
a player against Expert at the same time.
`--pauses` names the cause of the longest pause; it takes one process, on the event loop of Python.

A bare Starlette server then echoes frames of the same mean size to as many sockets, for comparison. CPU and memory are
those of all server processes. The program reads the answers of a seat from its page, as a person does; only for forms
of several fields it requests the view from the API. At the end all pages connect again at once.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any, Final, TextIO
from urllib.parse import urlencode

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from gonfalon import games
from gonfalon.core.basics.rng import Rng
from gonfalon.lab.run import machine
from gonfalon.lab.run.match import find_percentile
from tests.web.person import Fields, Joined, Page
from tools.strength import pages

FORM: Final = ('"act"', 'type="hidden"', "</form>")
"""Words of the lines of a page that hold its answers."""
LOST_AFTER_SECONDS: Final = 10.0
"""Seconds after which a missing frame counts as lost."""
RECONNECTED_AFTER_SECONDS: Final = 60.0
"""Seconds after which a page that has no board counts as not reconnected."""
EXPERT_PAUSE_SECONDS: Final = 2.0
"""Mean time for a move against Expert, in seconds."""
TABLES_OPENED_AT_ONCE: Final = 16
"""Number of tables opened at a time."""
TICKS_PER_SECOND: Final = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
"""Clock ticks per second in `/proc`."""


class Http:
    """Persistent connections to the server."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.idle: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []

    def close(self) -> None:
        """Close the connections."""
        for _, writer in self.idle:
            writer.close()

    async def ask(self, method: str, path: str, token: str = "", body: Any = None) -> tuple[int, Any]:
        """Send an API request."""
        data = b"" if body is None else json.dumps(body).encode()
        kind = "content-type: application/json\r\n" + (f"authorization: Bearer {token}\r\n" if token else "")
        status, text = await self.send(method, path, kind, data)
        return status, json.loads(text) if text else None

    async def press(self, path: str, form: Fields) -> int:
        """Post a form like the script of a page, and return the status."""
        kind = "content-type: application/x-www-form-urlencoded\r\nx-live: 1\r\n"
        return (await self.send("POST", path, kind, urlencode(form).encode()))[0]

    async def send(self, method: str, path: str, kind: str, data: bytes) -> tuple[int, bytes]:
        head = f"{method} {path} HTTP/1.1\r\nhost: 127.0.0.1:{self.port}\r\ncontent-length: {len(data)}\r\n{kind}"
        while True:
            kept = bool(self.idle)
            link = self.idle.pop() if kept else await asyncio.open_connection("127.0.0.1", self.port)
            try:
                status, text = await send_request(*link, head.encode() + b"\r\n" + data)
            except (OSError, asyncio.IncompleteReadError):
                link[1].close()
                if not kept:
                    raise
                continue  # The server had closed the idle connection.
            self.idle.append(link)
            return status, text


async def send_request(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, data: bytes) -> tuple[int, bytes]:
    """Send a request, and return the status and the body of the answer."""
    writer.write(data)
    lines = (await reader.readuntil(b"\r\n\r\n")).decode().lower().split("\r\n")
    sizes = [int(line.split(":")[1]) for line in lines if line.startswith("content-length:")]
    return int(lines[0].split(" ")[1]), await reader.readexactly(sizes[0] if sizes else 0)


@dataclass
class Tally:
    """The counts of a phase; times are in seconds."""

    waits: list[float] = field(default_factory=list)
    moves: int = 0
    refused: int = 0
    lost: int = 0
    unshown: int = 0
    """The moves after which a new page shows what the other player's page showed already."""
    frames: int = 0
    bytes: int = 0


class Seat:
    """A player's page with its socket."""

    def __init__(self, address: str, tally: Tally, token: str = "") -> None:
        self.address = address
        self.token = token
        self.tally = tally
        self.came = asyncio.Event()
        self.page = Joined()
        self.socket: ClientConnection | None = None
        self.reading: asyncio.Task[None] | None = None

    async def open(self) -> None:
        self.page = Joined()
        self.socket = await connect(self.address, compression=None, max_queue=None, open_timeout=60, ping_interval=None)
        self.reading = asyncio.create_task(self.read(self.socket))

    async def read(self, socket: ClientConnection) -> None:
        with suppress(ConnectionClosed):
            async for frame in socket:
                self.tally.frames += 1
                self.tally.bytes += len(frame)
                if not frame:  # a heartbeat
                    continue
                if self.token and isinstance(frame, bytes):  # the echo has no page
                    self.page.html(frame)
                self.came.set()

    def list_answers(self) -> list[Fields]:
        """Return the forms that the page offers as answers; none if it waits."""
        lines = (line for line in self.page.lines.get("table", ()) if any(word in line for word in FORM))
        return Page("".join(lines)).answers()

    async def close(self) -> None:
        if self.socket is not None:
            await self.socket.close()


class Table:
    """A table of two players. A new table replaces it when its game is over."""

    def __init__(self, game: str, http: Http, tally: Tally, rng: Rng) -> None:
        self.game = game
        self.http = http
        self.tally = tally
        self.rng = rng
        self.busy = False
        self.seats: list[Seat] = []

    async def open(self) -> None:
        opening = {"game": self.game, "seats": ["me", "open"], "name": "May"}
        status, opened = await self.http.ask("POST", "/api/tables", body=opening)
        assert status == 201, opened
        self.key = opened["table"]
        address, sits = f"/api/tables/{self.key}/seats", {"name": "Bo", "nonce": f"{self.rng.below(1 << 30):022d}"}
        status, sat = await self.http.ask("POST", address, opened["invitation"], sits)
        assert status in (200, 201), sat
        for token in (opened["seats"][0]["token"], sat["token"]):
            await self.http.ask("POST", f"/api/tables/{self.key}/ready", token, {})
            seat = Seat(f"ws://127.0.0.1:{self.http.port}/t/{self.key}/{token}/live", self.tally, token)
            await seat.open()
            self.seats.append(seat)

    async def move(self) -> None:
        """Make a move of a deciding seat, if there is one."""
        offered = [seat.list_answers() for seat in self.seats]
        for number, answers in enumerate(offered):
            if answers:
                await self.post(self.seats[number], self.seats[1 - number], answers, not offered[1 - number])
                return
        # Formations and discards of several cards are forms of several fields, which the API splits into answers.
        for seat in self.seats:
            _, view = await self.http.ask("GET", f"/api/tables/{self.key}?log=999999", seat.token)
            if view["over"]:
                await self.again()
                return
            if view["decision"]:
                acts = [("act", action["id"]) for action in view["decision"]["actions"]]
                await self.post(seat, seat, [[("expected", str(view["version"])), act] for act in acts], alone=False)
                return

    async def post(self, seat: Seat, other: Seat, answers: list[Fields], alone: bool) -> None:
        # The answer to a window, which may be a pass, is shown at the end of the window.
        clocked = alone and not any(("act", "pass") in answer for answer in answers)
        other.came.clear()
        began = time.perf_counter()
        form = answers[int(self.rng.below(len(answers)))]
        status = await self.http.press(f"/t/{self.key}/{seat.token}/act", form)
        self.tally.moves += status == 204
        self.tally.refused += status != 204
        if status == 204 and clocked:
            try:
                await asyncio.wait_for(other.came.wait(), LOST_AFTER_SECONDS)
                self.tally.waits.append(time.perf_counter() - began)
            except TimeoutError:
                unshown = await self.shows_all(other)
                self.tally.unshown += unshown
                self.tally.lost += not unshown

    async def shows_all(self, seat: Seat) -> bool:
        """Return whether a page shows the same as a new one."""
        new = Seat(seat.address, Tally(), seat.token)
        await new.open()
        with suppress(TimeoutError):
            async with asyncio.timeout(LOST_AFTER_SECONDS):
                while new.page.lines != seat.page.lines:
                    new.came.clear()
                    await new.came.wait()
        await new.close()
        return new.page.lines == seat.page.lines

    async def again(self) -> None:
        for seat in self.seats:
            await seat.close()
        self.seats = []
        await self.open()


async def play_against_expert(game: str, http: Http, rng: Rng) -> None:
    """Play against Expert, one game after the other, with a pause before each move."""
    while True:
        opening = {"game": game, "seats": ["me", "bot:expert"], "name": "Cy"}
        _, opened = await http.ask("POST", "/api/tables", body=opening)
        address, token = f"/api/tables/{opened['table']}", opened["seats"][0]["token"]
        while not (view := (await http.ask("GET", address, token))[1])["over"]:
            await asyncio.sleep(EXPERT_PAUSE_SECONDS * 2 * rng.random())
            if view["decision"]:
                actions = view["decision"]["actions"]
                action = actions[int(rng.below(len(actions)))]["id"]
                await http.ask("POST", f"{address}/actions", token, {"expected": view["version"], "actions": [action]})


async def play_tables(tables: list[Table], rate: float, seconds: float, rng: Rng) -> None:
    """Post moves at a fixed rate at random tables."""
    begun, started, tasks = time.perf_counter(), 0, set[asyncio.Task[None]]()

    async def once(table: Table) -> None:
        try:
            await table.move()
        finally:
            table.busy = False

    while (passed := time.perf_counter() - begun) < seconds:
        while started < passed * rate:
            started += 1
            free = [table for table in (tables[int(rng.below(len(tables)))] for _ in range(8)) if not table.busy]
            if free:
                free[0].busy = True
                task = asyncio.create_task(once(free[0]))
                tasks.add(task)
                task.add_done_callback(tasks.discard)
        await asyncio.sleep(0.005)
    await asyncio.gather(*tasks)


class Server:
    """The processes of a server, which a module starts."""

    def __init__(
        self,
        *arguments: object,
        module: str = "tools.benchmarks.full_house_servers",
        errors: TextIO | None = None,
        **variables: str,
    ) -> None:
        command, environment = [sys.executable, "-m", module, *map(str, arguments)], os.environ | variables
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True, env=environment)
        assert self.process.stdout is not None
        if not self.process.stdout.readline():
            raise SystemExit("The server did not start. See above.")

    def family(self) -> list[int]:
        """Return the numbers of all processes."""
        parents: dict[int, list[int]] = {}
        for path in Path("/proc").glob("[0-9]*/stat"):
            with suppress(OSError):
                fields = path.read_text().rpartition(")")[2].split()
                parents.setdefault(int(fields[1]), []).append(int(path.parent.name))
        found = [self.process.pid]
        for pid in found:
            found += parents.get(pid, [])
        return found

    def spent(self) -> float:
        """Return the CPU seconds so far."""
        total = 0
        for pid in self.family():
            with suppress(OSError):
                fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
                total += int(fields[11]) + int(fields[12])
        return total / TICKS_PER_SECOND

    def memory(self) -> float:
        """Return the memory in megabytes; shared memory counts in parts."""
        total = 0
        for pid in self.family():
            with suppress(OSError):
                lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
                total += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
        return total / 1024

    def handles(self) -> int:
        """Return the number of open files and sockets."""
        total = 0
        for pid in self.family():
            with suppress(OSError):
                total += sum(1 for _ in Path(f"/proc/{pid}/fd").iterdir())
        return total

    def stop(self) -> str:
        """Stop the server, and return the rest of its output."""
        self.process.terminate()
        return self.process.communicate(timeout=30)[0]


async def measure_server(args: argparse.Namespace, server: Server) -> dict[str, Any]:
    """Measure one table for each game, then all tables."""
    rng, http, tally = Rng(args.seed), Http(args.port), Tally()
    names = args.games or games.names()
    tables = [Table(names[number % len(names)], http, tally, Rng(number)) for number in range(args.tables)]
    first = tables[: len(names)]
    for table in first:
        await table.open()
    await play_tables(first, 20, args.alone, rng)
    alone, before = list(tally.waits), server.memory()
    for start in range(len(names), len(tables), TABLES_OPENED_AT_ONCE):
        await asyncio.gather(*(table.open() for table in tables[start : start + TABLES_OPENED_AT_ONCE]))
    await asyncio.sleep(5)
    full = server.memory()
    begun, cpu, handles, since = time.perf_counter(), server.spent(), server.handles(), time.time()
    for name in ("waits", "moves", "refused", "lost", "unshown", "frames", "bytes"):
        setattr(tally, name, type(getattr(tally, name))())
    beside = [asyncio.create_task(play_against_expert(names[n % len(names)], http, Rng(n))) for n in range(args.beside)]
    await play_tables(tables, args.rate, args.seconds, rng)
    for task in beside:
        task.cancel()
    passed, spent = time.perf_counter() - begun, server.spent() - cpu
    memory, handled = server.memory(), server.handles()
    reconnected = await reconnect_pages([seat for table in tables for seat in table.seats])
    http.close()
    return reconnected | {
        "alone_p50": find_percentile(alone, 0.5),
        "alone_p99": find_percentile(alone, 0.99),
        "since": since,
        "p50": find_percentile(tally.waits, 0.5),
        "p95": find_percentile(tally.waits, 0.95),
        "p99": find_percentile(tally.waits, 0.99),
        "most": max(tally.waits, default=0.0),
        "clocked": len(tally.waits),
        "moves": tally.moves,
        "refused": tally.refused,
        "lost": tally.lost,
        "unshown": tally.unshown,
        "frames": tally.frames,
        "bytes": tally.bytes,
        "seconds": passed,
        "cpu": spent,
        "memory_before": before,
        "memory_full": full,
        "memory_after": memory,
        "handles_full": handles,
        "handles_after": handled,
    }


async def reconnect_pages(seats: list[Seat]) -> dict[str, Any]:
    """Close all pages, connect them again at once, and close them when each has its board."""
    for seat in seats:
        await seat.close()
        seat.came.clear()
    begun = time.perf_counter()

    async def connect_again(seat: Seat) -> bool:
        try:
            await seat.open()
            await asyncio.wait_for(seat.came.wait(), RECONNECTED_AFTER_SECONDS)
        except (OSError, TimeoutError, WebSocketException):
            return False
        return True

    live = sum(await asyncio.gather(*map(connect_again, seats)))
    seconds = time.perf_counter() - begun
    for seat in seats:
        await seat.close()
    return {"pages": len(seats), "reconnected": live, "reconnect_seconds": seconds}


async def measure_echo(port: int, server: Server, tables: int, moves: int, size: int) -> dict[str, Any]:
    """Measure posts that are echoed to two sockets of a table, one after the other."""
    http, tally = Http(port), Tally()
    seats = [[Seat(f"ws://127.0.0.1:{port}/{key}", tally) for _ in range(2)] for key in range(tables)]
    for seat in (seat for pair in seats for seat in pair):
        await seat.open()
    cpu = server.spent()
    for number in range(moves):
        other = seats[number % tables][1]
        other.came.clear()
        began = time.perf_counter()
        await http.press(f"/{number % tables}?size={size}", [("expected", str(number)), ("act", "pass")])
        await asyncio.wait_for(other.came.wait(), LOST_AFTER_SECONDS)
        tally.waits.append(time.perf_counter() - began)
    spent = server.spent() - cpu
    for seat in (seat for pair in seats for seat in pair):
        await seat.close()
    http.close()
    return {"echo_cpu": spent / moves, "echo_p99": find_percentile(tally.waits, 0.99)}


def find_longest_pause(output: str, since: float) -> dict[str, Any]:
    """Return the longest pause that a server has reported since a time."""
    lines = [line for line in output.splitlines() if line.startswith("[")]
    pauses = [pause for pause in json.loads(lines[-1]) if pause[0] >= since] if lines else []
    _, seconds, cause = max(pauses, key=lambda pause: pause[1], default=(0.0, 0.0, ""))
    return {"pause": seconds, "cause": cause}


def format_pause(run: dict[str, Any]) -> str:
    """Return the longest pause as a sentence, if pauses were watched."""
    if not run["pauses"]:
        return ""
    if not run["cause"]:
        return "No pause took 20 ms of CPU. "
    return f"Longest pause: {1000 * run['pause']:.0f} ms of CPU in {run['cause']}. "


def format_page(run: dict[str, Any]) -> str:
    """Return the run as a Markdown page."""
    moves, frames = max(1, run["moves"]), max(1, run["frames"])
    lines = [
        "# A full server",
        "",
        f"{run['date']}; {run['machine']}, {run['build']}.",
        "",
        f"{run['tables']} tables of {', '.join(run['games'])} with two players each, and {run['beside']} tables "
        f"against Expert; {run['workers']} processes, {run['kind']}. Requested: {run['rate']:g} moves per "
        f"second for {run['seconds']:.0f} s; achieved: {run['moves'] / run['seconds']:.1f}.",
        "",
        "| | p50 | p95 | p99 | most |",
        "|---|---|---|---|---|",
        f"| post to the other's frame, one table of each game | {1000 * run['alone_p50']:.0f} ms | "
        f"| {1000 * run['alone_p99']:.0f} ms | |",
        f"| post to the other's frame, all tables ({run['clocked']:,} clocked, {run['lost']} lost, "
        f"{run['unshown']} without a change to show, {run['refused']} refused) | {1000 * run['p50']:.0f} ms "
        f"| {1000 * run['p95']:.0f} ms "
        f"| {1000 * run['p99']:.0f} ms | {1000 * run['most']:.0f} ms |",
        f"| the same by a bare echo | | | {1000 * run['echo_p99']:.0f} ms | |",
        "",
        f"CPU of all processes: {1000 * run['cpu'] / moves:.1f} ms per move; {1000 * run['echo_cpu']:.2f} ms for an "
        "echo. "
        f"{format_pause(run)}"
        f"A frame has {run['bytes'] / frames:,.0f} bytes. "
        f"Memory: {run['memory_before']:.0f} MB with a table of each game, {run['memory_full']:.0f} MB with all, "
        f"{run['memory_after']:.0f} MB at the end. Open files: {run['handles_full']:,}, then "
        f"{run['handles_after']:,}. Of {run['pages']:,} pages that connected again at once {run['reconnected']:,} had "
        f"their board within {run['reconnect_seconds']:.0f} s.",
    ]
    return "\n".join(lines) + "\n"


def measure_both(args: argparse.Namespace) -> dict[str, Any]:
    """Measure a full server, then the echo."""
    with tempfile.TemporaryDirectory() as folder:
        database, pauses = args.database or f"sqlite:///{folder}/tables.db", ["pauses"] if args.pauses else []
        server = Server("gonfalon", args.port, database, args.workers, *pauses)
        try:
            found = asyncio.run(measure_server(args, server))
        finally:
            output = server.stop()
    echo = Server("echo", args.port)
    try:
        size = found["bytes"] // max(1, found["frames"])
        found |= asyncio.run(measure_echo(args.port, echo, args.tables, max(1, found["moves"]), size))
    finally:
        echo.stop()
    return found | find_longest_pause(output, found["since"]) | {"pauses": args.pauses}


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="tools.benchmarks.full_house", description="From a post to the other's frame."
    )
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--tables", type=int, default=1000, metavar="N")
    parser.add_argument("--rate", type=float, default=100.0, metavar="N", help="moves a second in all")
    parser.add_argument("--seconds", type=float, default=600.0, metavar="N")
    parser.add_argument("--alone", type=float, default=20.0, metavar="SECONDS", help="with a table of each game")
    parser.add_argument("--workers", type=int, default=2, metavar="N")
    parser.add_argument("--database", metavar="URL", help="a SQLite file of its own by default")
    parser.add_argument("--beside", type=int, default=0, metavar="N", help="tables against Expert beside them")
    parser.add_argument("--pauses", action="store_true", help="report the longest pause, with --workers 1")
    parser.add_argument("--port", type=int, default=8974)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", type=Path, metavar="FOLDER", help="write full_house.json and .md into a folder")
    args = parser.parse_args()
    found = measure_both(args)
    kind = "PostgreSQL" if (args.database or "").startswith("postgresql") else "SQLite"
    found |= {
        "date": date.today().isoformat(),
        "machine": machine.describe_machine(),
        "build": machine.describe_build(),
    }
    found |= {
        "commit": machine.read_commit(),
        "tables": args.tables,
        "workers": args.workers,
        "rate": args.rate,
        "beside": args.beside,
    }
    found |= {"games": args.games or games.names(), "kind": kind}
    print(format_page(found), flush=True)
    if args.write:
        pages.write_page(args.write, "full_house", format_page(found))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
