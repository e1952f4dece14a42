"""The faults, one after the other, while people play."""

from __future__ import annotations

import asyncio
import math
import os
import re
import signal
import subprocess
import sys
import tarfile
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Final

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from gonfalon import games
from gonfalon.core.basics.rng import Rng
from gonfalon.table import Store
from gonfalon.table.game.entries import ACT, FLAG
from gonfalon.table.store.engines import open_engine
from gonfalon.table.store.migrations import SCHEMA_VERSION, lock_schema, move_schema
from gonfalon.table.store.shared_rows import LIT, processes
from tools.benchmarks.full_house import Server
from tools.faults import ROOT
from tools.faults.clients import Browser, Observed, Script, Table, match_posts
from tools.faults.databases import Control, Database, Disk
from tools.faults.server import CONTROL

STEPS_SECONDS: Final = (3600.0, -3600.0, 90.0, -90.0, 7 * 86_400.0)
"""The steps of the wall clock."""
CALM_SECONDS: Final = 60.0
"""Seconds in which play must continue after a fault."""
HEARTBEAT_SECONDS: Final = 10.0
"""Seconds in which a process writes its next heartbeat, also on a busy machine."""
PLAYED_BEFORE: Final = 5
"""The moves at each table before the upgrade."""
UNCHARGED_SECONDS: Final = 4.0
"""Seconds that a clock may run in a stop, besides the time before and after it: one late heartbeat."""


@dataclass(frozen=True)
class Settings:
    """The settings of a run."""

    port: int
    workers: int
    tables: int
    pause: float
    kills: int
    stops: int
    steps: int
    others: int
    stop_seconds: float
    outage_seconds: float
    seed: int
    minutes: float = math.inf
    """The time after which no other fault begins."""
    before: str = ""
    """The commit whose server is upgraded first; without it this version serves from the beginning."""


@dataclass
class Found:
    """The counts at the end."""

    faults: dict[str, int]
    observed: Observed
    lost: int = 0
    doubled: int = 0
    stopped: int = 0
    flags: int = 0
    clocks: int = 0

    @property
    def fails(self) -> bool:
        return bool(self.lost + self.doubled + self.stopped + self.flags + self.clocks + self.observed.stale.total())


class Clocked:
    """A table with a clock at which nobody moves."""

    def __init__(self, browser: Browser, control: Control, game: str) -> None:
        self.browser = browser
        self.control = control
        self.game = game

    async def open(self) -> None:
        clock = {"bank": 24 * 3600, "end": "lose"}
        opening = {"game": self.game, "seats": ["me", "me"], "name": "May", "clock": clock}
        opened = await self.browser.ask("POST", "/api/tables", body=opening)
        self.key = opened["table"]
        self.tokens = [seat["token"] for seat in opened["seats"]]

    async def read_left(self) -> list[float]:
        """Return the seconds that each seat sees on its clock."""
        found = []
        for seat, token in enumerate(self.tokens):
            view = await self.browser.ask("GET", f"/api/tables/{self.key}", token)
            shown = view["clock"]["seats"][seat]
            ran = 0.0 if shown["since"] is None else time.time() + self.control.ahead - shown["since"]
            found.append(shown["left"] / 1000 - max(0.0, ran))
        return found


async def wait_for_moves(tables: Sequence[Table], least: int = 1) -> int:
    """Wait until each table has had this number of moves, and return the number of tables that have not."""
    begun, before = time.monotonic(), [table.moves for table in tables]
    while True:
        waiting = sum(table.moves < was + least for table, was in zip(tables, before, strict=True))
        if not waiting or time.monotonic() - begun > CALM_SECONDS:
            return waiting
        await asyncio.sleep(0.05)


def extract_sources(commit: str, folder: Path) -> Path:
    """Write the sources of a commit into a folder, and return the one to import from."""
    archive = subprocess.run(["git", "archive", commit, "src"], cwd=ROOT, check=False, capture_output=True)
    if archive.returncode:
        raise SystemExit(f"Only a clone that has {commit} can begin with its server: {archive.stderr.decode()}")
    with tarfile.open(fileobj=BytesIO(archive.stdout)) as files:
        files.extractall(folder, filter="data")
    return folder / "src"


def read_version(sources: Path) -> str:
    """Return the version of sources."""
    found = re.search(r'^__version__ = "(.+)"', (sources / "gonfalon/__init__.py").read_text("utf-8"), re.MULTILINE)
    return found[1] if found else "another version"


class Suite:
    """A server, its players, and the faults."""

    def __init__(self, settings: Settings, database: Database, disk: Disk, control: Control, log: Path) -> None:
        self.settings = settings
        self.database = database
        self.disk = disk
        self.control = control
        self.log = log
        self.earlier = extract_sources(settings.before, log.parent / "earlier") if settings.before else None
        """The sources of the version that is upgraded, until it is."""
        self.rng = Rng(settings.seed)
        self.observed = Observed()
        self.browser = Browser(settings.port, self.observed)
        self.found = Found({}, self.observed)
        names = games.names()
        self.tables = [
            Table(self.browser, names[n % len(names)], n // len(names) % 2 == 1, n % 2 == 0, Rng(n))
            for n in range(settings.tables)
        ]
        self.clocked = [Clocked(self.browser, control, name) for name in names]
        if self.earlier:
            self.browser.script = Script.read(self.earlier)
        self.server = self.start_server()
        self.engine = open_engine(database.url)
        self.stood = 0.0
        """The seconds for which the latest fault has stopped all processes."""

    # ---- the server -----------------------------------------------------------------------------------

    def start_server(self) -> Server:
        """Start the server, and wait until all its processes serve."""
        os.environ[CONTROL] = str(self.control.path)
        paths = [str(self.earlier)] if self.earlier else []
        paths += filter(None, [os.environ.get("PYTHONPATH")])
        with self.log.open("a") as log:
            arguments = (self.settings.port, self.database.url, self.settings.workers)
            return Server(*arguments, module="tools.faults.server", errors=log, PYTHONPATH=os.pathsep.join(paths))

    def list_workers(self) -> list[int]:
        """Return the serving processes."""
        found = []
        for pid in self.server.family()[1:]:
            with suppress(OSError):
                fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
                command = Path(f"/proc/{pid}/cmdline").read_text()
                if int(fields[1]) == self.server.process.pid and "resource_tracker" not in command:
                    found.append(pid)
        return found

    def send(self, sign: signal.Signals, *pids: int) -> None:
        """Send a signal to processes, some of which may have ended."""
        for pid in pids:
            with suppress(ProcessLookupError):
                os.kill(pid, sign)

    @contextmanager
    def standing(self) -> Iterator[None]:
        """Count no silence while no server or database is there."""
        self.observed.standing_until = float("inf")
        try:
            yield
        finally:
            self.observed.standing_until = time.monotonic()

    # ---- the faults -----------------------------------------------------------------------------------

    async def kill_worker(self) -> None:
        if workers := self.list_workers():
            self.send(signal.SIGKILL, workers[int(self.rng.below(len(workers)))])

    async def kill_all(self) -> None:
        self.send(signal.SIGKILL, *self.server.family())
        self.server.stop()
        self.server = await asyncio.to_thread(self.start_server)

    async def stop_worker(self) -> None:
        workers = self.list_workers()
        pid = workers[int(self.rng.below(len(workers)))]
        self.send(signal.SIGSTOP, pid)
        await asyncio.sleep(self.settings.stop_seconds)
        self.send(signal.SIGCONT, pid)

    async def stop_all(self) -> None:
        family = self.server.family()
        with self.standing():
            self.send(signal.SIGSTOP, *family)
            stopped = time.monotonic()
            try:
                await asyncio.sleep(self.settings.stop_seconds)
            finally:  # an interrupted run leaves no process behind
                self.stood = time.monotonic() - stopped
                self.send(signal.SIGCONT, *family)

    async def step_clock(self) -> None:
        step = STEPS_SECONDS[int(self.rng.below(len(STEPS_SECONDS)))]
        self.control.set(self.control.ahead + step)

    async def restart(self) -> None:
        await asyncio.to_thread(self.server.stop)
        self.server = await asyncio.to_thread(self.start_server)

    async def upgrade(self) -> None:
        """Stop the server of the earlier version, and start this one, which migrates the database."""
        await asyncio.to_thread(self.server.stop)
        self.earlier, self.browser.script = None, Script.read(ROOT / "src")
        self.server = await asyncio.to_thread(self.start_server)

    async def migrate(self) -> None:
        """Stop the server, take the database back to the schema before, and start the server, which migrates it."""
        await asyncio.to_thread(self.server.stop)
        # The command would wait until the killed processes have been silent for long.
        with lock_schema(self.engine) as connection:
            move_schema(connection, SCHEMA_VERSION, SCHEMA_VERSION - 1)
        self.server = await asyncio.to_thread(self.start_server)

    async def hold(self, fault: AbstractContextManager[None], stands: bool = True) -> None:
        """Keep a fault of the database for a while."""
        if not stands:
            with fault:
                await asyncio.sleep(self.settings.outage_seconds)
            return
        with self.standing():
            await asyncio.to_thread(fault.__enter__)
            try:
                await asyncio.sleep(self.settings.outage_seconds)
            finally:
                await asyncio.to_thread(fault.__exit__, None, None, None)
                await asyncio.to_thread(self.database.recover)

    async def lose_database(self) -> None:
        self.observed.absent = True
        try:
            await self.hold(self.database.away())
        finally:
            self.observed.absent = False

    def list_faults(self) -> list[tuple[str, Callable[[], Awaitable[None]]]]:
        """Return all faults of the run in a random order, after the upgrade."""
        asked, database = self.settings, self.database
        faults: list[tuple[str, Callable[[], Awaitable[None]]]] = []
        faults += [("kill of all", self.kill_all)] * (asked.kills // 10)
        faults += [("kill of a worker", self.kill_worker)] * (asked.kills - asked.kills // 10)
        faults += [("stop of all", self.stop_all)] * (asked.stops - asked.stops // 2)
        faults += [("stop of a worker", self.stop_worker)] * (asked.stops // 2)
        faults += [("step of the clock", self.step_clock)] * asked.steps
        others: list[tuple[str, Callable[[], Awaitable[None]]]] = [
            ("restart", self.restart),
            ("migration", self.migrate),
            ("read-only database", lambda: self.hold(database.read_only())),
            ("slow database", lambda: self.hold(database.busy(), stands=False)),
        ]
        if self.disk.small:
            others.append(("full disk", lambda: self.hold(self.disk.filled())))
        if database.can_leave:
            others.append(("absent database", self.lose_database))
        faults += others * asked.others
        for last in range(len(faults) - 1, 0, -1):
            other = int(self.rng.below(last + 1))
            faults[last], faults[other] = faults[other], faults[last]
        if self.earlier:
            faults.insert(0, (f"upgrade from {read_version(self.earlier)}", self.upgrade))
        return faults

    # ---- the run --------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Play, cause all faults, and count, also if the run is interrupted."""
        for clocked in self.clocked:
            await clocked.open()
        ends = time.monotonic() + 60 * self.settings.minutes
        playing = [asyncio.create_task(table.play(self.settings.pause)) for table in self.tables]
        try:
            await wait_for_moves(self.tables, PLAYED_BEFORE if self.earlier else 1)
            for number, (name, fault) in enumerate(faults := self.list_faults(), start=1):
                if time.monotonic() > ends:
                    break
                self.observed.fault, first = name, len(self.observed.silences)
                await self.cause(fault)
                longest = max(self.observed.silences[first:], default="no silence")
                print(f"{number} of {len(faults)}: {name}, {longest}", file=sys.stderr, flush=True)
                self.found.faults[name] = self.found.faults.get(name, 0) + 1
            self.observed.fault = "end"
            # Between two moves a bot has answered.
            self.found.stopped = await wait_for_moves(self.tables, 2)
        finally:
            for task in playing:
                task.cancel()
            for table in self.tables:
                table.close()
            done = await asyncio.gather(*playing, return_exceptions=True)
            self.server.stop()
            self.engine.dispose()
            self.check_records()
        broken = [error for error in done if isinstance(error, Exception)]
        if broken:
            raise broken[0]

    async def cause(self, fault: Callable[[], Awaitable[None]]) -> None:
        """Cause a fault, wait until play continues, and compare the clocks."""
        # The clocks run while they are read, which takes seconds on a busy machine.
        self.stood, begun, ahead = 0.0, time.monotonic(), self.control.ahead
        before = [await one.read_left() for one in self.clocked]
        await fault()
        await asyncio.gather(wait_for_moves(self.tables), self.wait_for_processes())
        if not self.stood and self.control.ahead == ahead:
            return
        for one, left in zip(self.clocked, before, strict=True):
            allowed = UNCHARGED_SECONDS - begun - self.stood
            self.found.clocks += not await self.agrees(one, left, allowed)

    async def agrees(self, one: Clocked, before: list[float], allowed: float) -> bool:
        """Return whether the clocks of a table have not moved by more than allowed. After a step of the wall clock
        they may be wrong until the next heartbeat."""
        ends = time.monotonic() + HEARTBEAT_SECONDS
        while True:
            now = await one.read_left()
            if all(abs(was - left) <= allowed + time.monotonic() for was, left in zip(before, now, strict=True)):
                return True
            if time.monotonic() > ends:
                return False
            await asyncio.sleep(0.2)

    async def wait_for_processes(self) -> None:
        """Wait until all processes serve, as new heartbeats say, so that the next fault leaves one that serves."""
        begun, reached = time.monotonic(), math.inf
        while time.monotonic() - begun < CALM_SECONDS:
            with suppress(SQLAlchemyError):
                beats = await asyncio.to_thread(self.read_heartbeats)
                # The last heartbeat of a killed process is never later than the others of its time.
                reached = min(reached, max(beats))
                if sum(beat > reached for beat in beats) == self.settings.workers:
                    return
            await asyncio.sleep(0.2)

    def read_heartbeats(self) -> list[float]:
        """Return the table times of the last heartbeats of all processes."""
        with self.engine.connect() as connection:
            query = sa.select(processes.c.beat).where(processes.c.process != LIT)
            return [abs(beat) for beat in connection.execute(query).scalars()]

    def check_records(self) -> None:
        """Compare the stored records with everything that players have sent, and look for fallen flags."""
        store = Store(self.database.url)
        try:
            for key, seats in (played for table in self.tables for played in table.played):
                entries = store.entries(key)
                for before, entry in pairwise(entries):
                    if entry.kind == FLAG:
                        self.found.flags += 1
                        print(f"{key}: a flag after {entry.at - before.at:.1f} s", file=sys.stderr)
                for seat, posts in enumerate(seats):
                    texts = [entry.text for entry in entries if entry.kind == ACT and entry.seat == seat]
                    lost, doubled = match_posts(texts, posts)
                    self.found.lost += lost
                    self.found.doubled += doubled
        finally:
            store.close()
