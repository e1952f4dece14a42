"""The jobs of studies, each run in its own process (`lab/studies/whatif/request_process.py`).

`web/http/background_jobs.py` decides which server process runs a study, and takes it over when a process dies. A study
knows the game's rules and cards, and nothing of any table.
"""

from __future__ import annotations

import json
import sys
import time
from base64 import b64decode
from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass, field
from math import ceil, inf
from pathlib import Path
from shutil import rmtree
from subprocess import PIPE
from tempfile import gettempdir
from typing import Final

import anyio
from anyio.abc import ByteSendStream, Process
from anyio.streams.text import TextReceiveStream
from anyio.to_thread import run_sync
from starlette.requests import HTTPConnection

from gonfalon.core.basics.errors import GonfalonError
from gonfalon.lab.studies.whatif.request_process import PACE_KEY, STOP_LINE, StudyRequest
from gonfalon.table import Tables
from gonfalon.table.errors import Late
from gonfalon.table.links import hash_token, new_token
from gonfalon.table.store.jobs.job_rows import Claimed
from gonfalon.table.store.jobs.study_rows import StudyRow
from gonfalon.web import messages
from gonfalon.web.http import logs
from gonfalon.web.http.background_jobs import BackgroundJobs, logger
from gonfalon.web.http.metrics import Metrics
from gonfalon.web.workshop.queue import Askers

SECONDS: Final = 120.0
"""The default CPU time of a study."""
COMMAND: Final = "import sys; from gonfalon.lab.studies.whatif.request_process import main; main()"
MOST: Final = 20
"""The number of studies that may wait."""
EACH: Final = 10
"""The number of studies that may wait or run for one address, which a club may share."""
DRAWN: Final = 16
"""The number of studies whose charts are cached."""
REFUSED: Final = "gonfalon: "
FOLDER: Final = "gonfalon-study-{}"
LEFT: Final = 86_400.0
"""Seconds after which the games of a stopped study are dropped."""
ASKED: Final = "asked"
TURNED_DOWN: Final = "refused"
BEGUN: Final = "begun"
ENDED: Final = "ended"
STOPPED: Final = "stopped"
BROKEN: Final = "failed"
BROKEN_OFF: Final = "broken off"
"""The events of studies for metrics and the log."""


class Crowded(GonfalonError):
    """Too many studies of one address are waiting."""


@dataclass
class Job:
    """A running study: its answer so far as JSON, and whether it was stopped."""

    answer: str = ""
    failed: str = ""
    pace: float = 0.0
    """CPU seconds a game; 0 while unknown."""
    stop: anyio.Event = field(default_factory=anyio.Event, compare=False)


class StudyJobs(BackgroundJobs[Job]):
    """The studies of this process. Each may take this number of CPU `seconds`; 0 disables studies."""

    kind = "study"
    failure = messages.STUDY_FAILED

    def __init__(
        self, tables: Tables, metrics: Metrics | None = None, seconds: float = SECONDS, factor: float = 1.0
    ) -> None:
        """Create the jobs with `factor` times the usual number for each address; 0 for no limit."""
        super().__init__(tables)
        self.seconds: float = seconds
        self.most: float = ceil(EACH * factor) if factor else inf
        self.metrics: Metrics = metrics or Metrics()
        self.paces: dict[tuple[str, str], float] = {}
        """The CPU seconds of recent games, by game and players."""
        self.askers: Askers = Askers()
        self._asking: anyio.Lock = anyio.Lock()
        self.turn: anyio.CapacityLimiter = anyio.CapacityLimiter(1)
        """A lock for the computations of the Workshop's pages."""
        self._drawn: OrderedDict[str, dict[str, bytes]] = OrderedDict()
        self._drawing: anyio.Lock = anyio.Lock()

    async def ask(self, asked: StudyRequest, same: str, client: str, bare: bool) -> tuple[str, str]:
        """Request a study.

        Args:
            asked: The question.
            same: The text that identifies equal questions.
            client: The asker's address.
            bare: Whether the asker has no cookies.

        Returns:
            Its key, and the token by which it can be stopped; no token if an equal study exists.

        Raises:
            Late, Crowded: Too many studies are waiting.
        """
        store, key, token = self.tables.store, new_token(), new_token()
        # Counting and adding are one step; otherwise simultaneous requests could exceed the limit.
        async with self._asking:
            asker = self.askers.of(client)
            left = await run_sync(store.studies_left, asker.studies)
            asker.studies = {one: asker.studies[one] for one in left}
            if len(left) >= self.most:
                self.note(TURNED_DOWN, asked)
                raise Crowded(messages.MANY_STUDIES_HERE.format(count=len(left)))
            # Each further request of an address gets a later turn, behind the first ones of others.
            turn = max(await run_sync(store.latest_turn), asker.turn + 1)
            words = (key, same, hash_token(token), asked.dumps(), self.tables.now(), MOST, turn)
            found = await run_sync(store.ask_study, *words)
            if not found:
                self.note(TURNED_DOWN, asked)
                raise Late(messages.MANY_STUDIES)
            if found != key:
                return found, ""
            asker.turn, asker.studies[key] = turn, bare
        self.note(ASKED, asked, key)
        self.wake()
        return key, token

    def new(self) -> Job:
        return Job()

    def claim(self, now: float, until: float) -> Claimed | None:
        return self.tables.store.claim_study(self.tables.store.process, now, until)

    async def work(self, key: str, job: Job) -> str:
        row = await run_sync(self.tables.store.study, key)
        if row is None:
            return ""
        asked, began, how = StudyRequest.loads(row.question), time.monotonic(), BROKEN_OFF
        self.note(BEGUN, asked, key)
        try:
            text = await make_answer(row, job)
            how = BROKEN if job.failed else STOPPED if job.stop.is_set() else ENDED
        finally:
            self.note(how, asked, key, time.monotonic() - began)
        if job.pace:
            self.paces[asked.game, asked.players] = job.pace
        await run_sync(forget_games, key)
        return text

    def note(self, how: str, asked: StudyRequest, key: str = "", seconds: float = 0.0) -> None:
        """Count and log an event of a study."""
        self.metrics.studied(how)
        logs.log_study(how, asked.game, asked.players, key, seconds)

    def tell(self, key: str, job: Job, until: float) -> bool:
        stop = self.tables.store.tell_study(key, self.tables.store.process, job.answer, until)
        if stop:
            # This runs in a worker thread, but events belong to the event loop.
            anyio.from_thread.run_sync(job.stop.set)
        return stop is not None

    def looks(self, left: float) -> bool:
        return True  # the row says whether the study was stopped

    def keep(self, key: str, text: str) -> None:
        self.tables.store.end_study(key, self.tables.store.process, text)

    def fail(self, key: str, why: str) -> None:
        self.tables.store.end_study(key, self.tables.store.process, "", why)

    def release(self, now: float) -> None:
        self.tables.store.release_studies(self.tables.store.process, now)

    async def drawn(self, key: str, answer: str) -> dict[str, bytes]:
        """Return the report and charts of a finished study by file name. Raises GonfalonError if they cannot be drawn.

        Charts are drawn only once, and for one study at a time.
        """
        async with self._drawing:
            if key not in self._drawn:
                self._drawn[key] = await draw_charts(answer)
                if len(self._drawn) > DRAWN:
                    self._drawn.popitem(last=False)
            self._drawn.move_to_end(key)
            return self._drawn[key]


async def make_answer(row: StudyRow, job: Job) -> str:
    """Return the answer to a study's question; empty if it failed, with the reason in the job."""
    words = [sys.executable, "-c", COMMAND, "ask", str(await run_sync(folder_of, row.key))]
    job.answer = row.answer
    async with await anyio.open_process(words, stdin=PIPE, stderr=PIPE) as run:
        assert run.stdin is not None
        with suppress(anyio.BrokenResourceError):  # it has ended already, and its exit code says why
            await run.stdin.send(row.question.encode() + b"\n")
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(pass_on, job.stop, run.stdin)
            await read_messages(run, job)
            tasks.cancel_scope.cancel()
    if run.returncode != 0 and not job.failed:
        logger.error("study %s: its process ended with %s", row.key[:4], run.returncode)
        job.failed = messages.STUDY_FAILED
    return "" if job.failed else job.answer


def folder_of(key: str) -> Path:
    """Return the folder of a study's games until it is finished, so that another process of this machine can continue
    it. Old folders are deleted."""
    folders = Path(gettempdir())
    for left in folders.glob(FOLDER.format("*")):
        with suppress(OSError):
            if time.time() - left.stat().st_mtime > LEFT:
                rmtree(left, ignore_errors=True)
    folder = folders / FOLDER.format(key)
    # Other users of this machine share the temporary folder.
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def forget_games(key: str) -> None:
    """Delete the games of a finished study."""
    rmtree(Path(gettempdir()) / FOLDER.format(key), ignore_errors=True)


async def pass_on(stop: anyio.Event, stream: ByteSendStream) -> None:
    """Send the process of a study the line that stops it."""
    await stop.wait()
    await stream.send(f"{STOP_LINE}\n".encode())


async def read_messages(run: Process, job: Job) -> None:
    """Take over the messages of the process until it ends: answers, and perhaps an error."""
    assert run.stdout is not None
    assert run.stderr is not None
    rest = ""
    async for text in TextReceiveStream(run.stdout):
        *lines, rest = (rest + text).split("\n")
        for line in lines:
            if line.startswith(f'{{"{PACE_KEY}"'):
                job.pace = float(json.loads(line)[PACE_KEY])
            else:
                job.answer = choose_further(job.answer, line)
    said = "".join([text async for text in TextReceiveStream(run.stderr)]).strip().rpartition("\n")[2]
    if said.startswith(REFUSED):
        job.failed = said.removeprefix(REFUSED)


def choose_further(known: str, told: str) -> str:
    """Return the answer to show, which never has fewer games than the last one.

    A process that continues a study repeats its first games.
    """
    if not known:
        return told
    before, now = json.loads(known), json.loads(told)
    return told if now["digest"] or now["games"] >= before["games"] else known


async def draw_charts(answer: str) -> dict[str, bytes]:
    """Return the report and the charts of an answer. Raises GonfalonError."""
    words = [sys.executable, "-c", COMMAND, "draw"]
    run = await anyio.run_process(words, input=answer.encode() + b"\n", check=False, stderr=PIPE)
    if run.returncode != 0:
        said = run.stderr.decode().strip().rpartition("\n")[2]
        raise NotDrawn(said.removeprefix(REFUSED) if said.startswith(REFUSED) else messages.STUDY_FAILED)
    return {name: b64decode(body) for name, body in json.loads(run.stdout).items()}


class NotDrawn(GonfalonError):
    """Charts cannot be drawn on this server."""


def study_jobs_of(connection: HTTPConnection) -> StudyJobs:
    """Return the study jobs of the server that received a request."""
    jobs: StudyJobs = connection.app.state.study_jobs
    return jobs
