"""Reviews of finished games, each made in a process of its own (`stream_review`) and stored with its table.

`web/http/background_jobs.py` chooses the process that makes a review, and another one if that dies.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from contextlib import suppress
from subprocess import DEVNULL, PIPE
from typing import Final

import anyio
from anyio.streams.text import TextReceiveStream
from anyio.to_thread import run_sync
from starlette.requests import HTTPConnection

from gonfalon.lab.run.random_play import count_cores
from gonfalon.table.errors import Late
from gonfalon.table.store.jobs.job_rows import Claimed
from gonfalon.table.store.jobs.review_rows import Job
from gonfalon.web import messages
from gonfalon.web.http.background_jobs import BackgroundJobs

# Windows has no `os.nice`; there `int` takes the call in its place.
COMMAND: Final = (
    "import os, sys; getattr(os, 'nice', int)(5); from gonfalon.review.command import stream_review; "
    "stream_review(*map(int, sys.argv[1:]))"
)
MOST: Final = 20
"""The number of games that may wait for a review."""


def read_line(job: Job, line: str) -> str:
    """Take over the progress or the error in a line of the command's output. Return the review if the line has it."""
    told = json.loads(line)
    if "decision" in told:
        job.done, job.count, job.found = told["done"], told["count"], [*job.found, told["decision"]]
    job.failed = told.get("failed", "")
    return json.dumps(told["review"]) if "review" in told else ""


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
        table = await self.tables.table(key)
        record, people = await table.moves.record(), [row.seat for row in table.row.seats if row.bot is None]
        return await make_review(await run_sync(record.dumps), people, job)

    def tell(self, key: str, job: Job, until: float) -> bool:
        return self.tables.store.tell_review(key, self.tables.store.process, job, until)

    def keep(self, key: str, text: str) -> None:
        self.tables.store.keep_review(key, text)

    def fail(self, key: str, why: str) -> None:
        self.tables.store.fail_review(key, self.tables.store.process, why)

    def release(self, now: float) -> None:
        self.tables.store.release_reviews(self.tables.store.process, now)


async def make_review(record: str, people: Sequence[int], job: Job) -> str:
    """Return the review of a record, the seats of people judged first; empty if it failed, with the reason in the
    job."""
    words = [sys.executable, "-c", COMMAND, str(count_cores()), *map(str, people)]
    found = rest = ""
    async with await anyio.open_process(words, stdin=PIPE, stdout=PIPE, stderr=DEVNULL) as run:
        assert run.stdin is not None
        assert run.stdout is not None
        with suppress(anyio.BrokenResourceError):  # it has ended already, and its return code shows why
            await run.stdin.send(record.encode())
        await run.stdin.aclose()
        async for text in TextReceiveStream(run.stdout):
            # Text arrives in arbitrary pieces, so an unfinished line waits for its rest.
            *lines, rest = (rest + text).split("\n")
            for line in lines:
                found = read_line(job, line)
    if not found:
        job.failed = job.failed or messages.REVIEW_FAILED
    return found


def review_jobs_of(connection: HTTPConnection) -> ReviewJobs:
    """Return the review jobs of the server that received a request."""
    jobs: ReviewJobs = connection.app.state.review_jobs
    return jobs
