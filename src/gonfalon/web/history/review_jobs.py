"""Reviews of finished games, made by the command `gonfalon review` and stored with their tables.

`web/http/background_jobs.py` chooses the process that makes a review, and another one if that dies.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from subprocess import DEVNULL, PIPE
from tempfile import TemporaryDirectory
from typing import Final

import anyio
from anyio.streams.text import TextReceiveStream
from anyio.to_thread import run_sync
from starlette.requests import HTTPConnection

from gonfalon.table.errors import Late
from gonfalon.table.store.job_rows import Claimed
from gonfalon.table.store.review_rows import Job
from gonfalon.web import messages
from gonfalon.web.http.background_jobs import BackgroundJobs

# Windows has no `os.nice`; there `int` takes the call in its place.
COMMAND: Final = (
    "import os, sys; getattr(os, 'nice', int)(5); from gonfalon.cli import main; sys.exit(main(sys.argv[1:]))"
)
MOST: Final = 20
"""The number of games that may wait for a review."""
JUDGED: Final = re.compile(r"judged (\d+) of (\d+)(?:, decision (\d+): (.+))?")


def parse_line(job: Job, line: str) -> None:
    """Take over the progress or the error in a line of the command's output."""
    if match := JUDGED.match(line.strip()):
        job.done, job.count = int(match[1]), int(match[2])
        if match[3]:
            job.found = [*job.found, (int(match[3]), match[4].strip())]
    elif line.startswith("gonfalon: "):
        job.failed = line.removeprefix("gonfalon: ").strip()


class ReviewJobs(BackgroundJobs[Job]):
    """The review jobs of this process."""

    kind = "review"
    failure = messages.REVIEW_FAILED

    async def ask(self, key: str) -> None:
        """Request a review of a table's game, unless it is in progress. Raises Late."""
        if not await run_sync(self.tables.store.ask_review, key, self.tables.now(), MOST):
            raise Late(messages.MANY_REVIEWS)
        self.wake()

    def new(self) -> Job:
        return Job()

    def claim(self, now: float, until: float) -> Claimed | None:
        return self.tables.store.claim_review(self.tables.store.process, now, until)

    async def work(self, key: str, job: Job) -> str:
        record = await (await self.tables.table(key)).moves.record()
        return await make_review(record.dumps(), job)

    def tell(self, key: str, job: Job, until: float) -> bool:
        return self.tables.store.tell_review(key, self.tables.store.process, job, until)

    def keep(self, key: str, text: str) -> None:
        self.tables.store.keep_review(key, text)

    def fail(self, key: str, why: str) -> None:
        self.tables.store.fail_review(key, self.tables.store.process, why)

    def release(self, now: float) -> None:
        self.tables.store.release_reviews(self.tables.store.process, now)


async def make_review(record: str, job: Job) -> str:
    """Return the review of a record, made by the command; empty if it failed, with the reason in the job."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "game.json"
        file.write_text(record, "utf-8")
        words = [sys.executable, "-c", COMMAND, "review", str(file), "--json"]
        async with await anyio.open_process(words, stdin=DEVNULL, stdout=DEVNULL, stderr=PIPE) as run:
            assert run.stderr is not None
            rest = ""
            async for text in TextReceiveStream(run.stderr):
                # Text arrives in arbitrary pieces, so an unfinished line waits for its rest.
                *lines, rest = (rest + text).split("\n")
                for line in lines:
                    parse_line(job, line)
        if run.returncode != 0:
            job.failed = job.failed or messages.REVIEW_FAILED
            return ""
        return file.with_name("game.review.json").read_text("utf-8")


def review_jobs_of(connection: HTTPConnection) -> ReviewJobs:
    """Return the review jobs of the server that received a request."""
    jobs: ReviewJobs = connection.app.state.review_jobs
    return jobs
