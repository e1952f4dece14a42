"""Has finished games reviewed by the command `gonfalon review`, and keeps the reviews with their tables.

The command runs in a process of its own, after everything else on the machine, one game at a time. What it says while
it works is shown. Whichever process of the server was asked does it; the others show the review when it is kept.
"""

from __future__ import annotations

import logging
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path
from subprocess import DEVNULL, PIPE
from tempfile import TemporaryDirectory
from typing import Final

import anyio
from anyio.streams.text import TextReceiveStream
from anyio.to_thread import run_sync

from gonfalon.table import Table
from gonfalon.table.errors import Late, place

logger: Final = logging.getLogger("gonfalon.web")
COMMAND: Final = (
    "import os, sys; getattr(os, 'nice', int)(5); from gonfalon.cli import main; sys.exit(main(sys.argv[1:]))"
)
MOST: Final = 20
"""So many games may wait to be reviewed."""
BUSY: Final = "Many games are being reviewed just now; ask again in some minutes."
FAILED: Final = "The review could not be made; the server's log says where."
DECISION: Final = re.compile(r"decision (\d+) of (\d+)(?:: (.+))?")


@dataclass
class Job:
    """A review that is being made, or could not be."""

    done: int = 0
    count: int = 0
    """Decisions, once they have been counted."""
    found: list[tuple[int, str]] = field(default_factory=list)
    """The marked ones so far, by their number among those judged."""
    failed: str = ""

    def hear(self, line: str) -> None:
        """A line that the command has said."""
        if match := DECISION.match(line.strip()):
            self.done, self.count = int(match[1]), int(match[2])
            if match[3]:
                self.found.append((self.done, match[3].strip()))
        elif line.startswith("gonfalon: "):
            self.failed = line.removeprefix("gonfalon: ").strip()


class Reviewing:
    """The reviews that this process makes."""

    def __init__(self) -> None:
        self.jobs: dict[str, Job] = {}
        """By table; those that failed stay until they are asked for again."""
        self._turn: anyio.Lock = anyio.Lock()

    def ask(self, table: Table, record: str) -> None:
        """Have a table's game reviewed, unless that is under way. Raises Late."""
        job = self.jobs.get(table.key)
        if job is not None and not job.failed:
            return
        if sum(not one.failed for one in self.jobs.values()) >= MOST:
            raise Late(BUSY)
        job = self.jobs[table.key] = Job()

        async def work() -> None:
            async with self._turn:
                await self._make(table, record, job)

        table.backend.spawn(work)

    async def _make(self, table: Table, record: str, job: Job) -> None:
        try:
            text = await made(record, job)
            if text:
                await run_sync(table.backend.store.keep_review, table.key, text)
                del self.jobs[table.key]
        except Exception as error:
            logger.error("table %s: its review failed, %s", table.key[:4], place(error))
            job.failed = FAILED


async def made(record: str, job: Job) -> str:
    """The review of a record as the command makes it; empty where that fails, of which the job then tells."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "game.json"
        file.write_text(record, "utf-8")
        words = [sys.executable, "-c", COMMAND, "review", str(file), "--json"]
        async with await anyio.open_process(words, stdin=DEVNULL, stdout=DEVNULL, stderr=PIPE) as run:
            assert run.stderr is not None
            rest = ""
            async for text in TextReceiveStream(run.stderr):
                *lines, rest = (rest + text).split("\n")
                for line in lines:
                    job.hear(line)
        if run.returncode != 0:
            job.failed = job.failed or FAILED
            return ""
        return file.with_name("game.review.json").read_text("utf-8")
