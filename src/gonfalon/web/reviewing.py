"""Has finished games reviewed by the command `gonfalon review`, and keeps the reviews with their tables.

The command runs in a process of its own, after everything else on the machine, one game at a time for each process of
the server. What it says while it works is written down, so that every process shows it; and what a process that has
died was making is made by another.
"""

from __future__ import annotations

import logging
import re
import sys
import time
from copy import copy
from pathlib import Path
from subprocess import DEVNULL, PIPE
from tempfile import TemporaryDirectory
from typing import Final

import anyio
from anyio.streams.text import TextReceiveStream
from anyio.to_thread import run_sync

from gonfalon.table import Tables
from gonfalon.table.errors import Late, StoreError, place
from gonfalon.table.review_rows import Job

logger: Final = logging.getLogger("gonfalon.web")
COMMAND: Final = (
    "import os, sys; getattr(os, 'nice', int)(5); from gonfalon.cli import main; sys.exit(main(sys.argv[1:]))"
)
MOST: Final = 20
"""So many games may wait to be reviewed."""
LEASE: Final = 15.0
"""Seconds after which a process that has told nothing of a review makes it no more."""
LOOK: Final = 5.0
"""Seconds between two looks whether a review waits for a process."""
TELL: Final = 1.0
"""Seconds between two looks whether there is something to tell."""
BEGUN: Final = 3
"""So many processes may begin a review, lest one that ends them goes round."""
BUSY: Final = "Many games are being reviewed just now; ask again in some minutes."
FAILED: Final = "The review could not be made; the server's log says where."
JUDGED: Final = re.compile(r"judged (\d+) of (\d+)(?:, decision (\d+): (.+))?")


def hear(job: Job, line: str) -> None:
    """A line that the command has said."""
    if match := JUDGED.match(line.strip()):
        job.done, job.count = int(match[1]), int(match[2])
        if match[3]:
            job.found.append((int(match[3]), match[4].strip()))
    elif line.startswith("gonfalon: "):
        job.failed = line.removeprefix("gonfalon: ").strip()


class Reviewing:
    """What this process does for reviews."""

    def __init__(self, tables: Tables) -> None:
        self.tables: Tables = tables
        self._asked: anyio.Event = anyio.Event()

    async def ask(self, key: str) -> None:
        """Have a table's game reviewed, unless that is under way. Raises Late."""
        if not await run_sync(self.tables.store.ask_review, key, time.time(), MOST):
            raise Late(BUSY)
        self._asked.set()

    async def run(self) -> None:
        """Make what waits, for as long as the process lives."""
        while True:
            with anyio.move_on_after(LOOK):
                await self._asked.wait()
            self._asked = anyio.Event()
            try:
                while await self.make_one():
                    pass
            except StoreError as error:
                logger.error("reviews cannot be looked up: %s", error)

    async def make_one(self) -> bool:
        """Make the review that has waited longest; False when none waits. Raises StoreError."""
        store, now = self.tables.store, time.time()
        claimed = await run_sync(store.claim_review, store.process, now, now + LEASE)
        if claimed is None:
            return False
        job = Job(failed="" if claimed.begun <= BEGUN else FAILED)
        text = ""
        try:
            if not job.failed:
                text = await self._made(claimed.table, job)
        except StoreError:
            raise
        except Exception as error:
            logger.error("table %s: its review failed, %s", claimed.table[:4], place(error))
            job.failed = FAILED
        if text:
            await run_sync(store.keep_review, claimed.table, text)
        elif job.failed:
            await run_sync(store.fail_review, claimed.table, store.process, job.failed)
        return True

    async def _made(self, key: str, job: Job) -> str:
        """A table's review; empty where that fails, or where another process has taken it over."""
        text, record = "", await (await self.tables.table(key)).moves.record()
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._tell, key, job, tasks.cancel_scope)
            text = await made(record.dumps(), job)
            tasks.cancel_scope.cancel()
        return text

    async def _tell(self, key: str, job: Job, working: anyio.CancelScope) -> None:
        """Write down what is heard, and that the process goes on; end the work when it is another's."""
        store, told, ends = self.tables.store, copy(job), time.time() + LEASE
        while True:
            await anyio.sleep(TELL)
            now, heard = time.time(), Job(job.done, job.count, job.found[:])
            if heard == told and ends > now + LEASE / 2:
                continue
            try:
                mine = await run_sync(store.tell_review, key, store.process, heard, now + LEASE)
            except StoreError as error:
                logger.error("table %s: how far its review is cannot be written down: %s", key[:4], error)
                continue
            if not mine:
                working.cancel()
            told, ends = heard, now + LEASE

    def close(self) -> None:
        """The server stops: let others go on with what this process was making."""
        try:
            self.tables.store.release_reviews(self.tables.store.process, time.time())
        except StoreError as error:
            logger.error("a review is not handed on: %s", error)


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
                    hear(job, line)
        if run.returncode != 0:
            job.failed = job.failed or FAILED
            return ""
        return file.with_name("game.review.json").read_text("utf-8")
