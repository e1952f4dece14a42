"""Background jobs that visitors request: reviews and studies.

They run in processes of their own with the lowest priority, one job at a time for each server process. Progress is
stored, so that every process can show it, and the job of a dead process is continued by another
(`table/store/jobs/job_rows.py`).
"""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from contextlib import suppress
from copy import copy
from typing import Final, Generic, Protocol, TypeVar

import anyio
from anyio.to_thread import run_sync

from gonfalon.table import Tables
from gonfalon.table.errors import StoreError, locate_error
from gonfalon.table.store.jobs.job_rows import Claimed

logger: Final = logging.getLogger("gonfalon.web")
LEASE: Final = 15.0
"""Seconds without progress after which a process loses its job."""
LOOK: Final = 5.0
"""Seconds between two checks for waiting jobs."""
TELL: Final = 1.0
"""Seconds between two checks for progress to store."""
BEGUN: Final = 3
"""The number of processes that may start a job, so that a job that crashes them ends."""


class Job(Protocol):
    """A job and its progress; `failed` is the reason of a failure."""

    failed: str


J = TypeVar("J", bound=Job)


class BackgroundJobs(ABC, Generic[J]):
    """The jobs of one kind in this process. `kind` names one in the log, as in `study 3f2a`."""

    kind: str
    failure: str
    """The message to people about an error whose reason is in the log."""

    def __init__(self, tables: Tables) -> None:
        self.tables: Tables = tables
        self._asked: anyio.Event = anyio.Event()

    @abstractmethod
    def new(self) -> J:
        """Return a new job."""

    @abstractmethod
    def claim(self, now: float, until: float) -> Claimed | None:
        """Claim the job that has waited longest."""

    @abstractmethod
    async def work(self, key: str, job: J) -> str:
        """Do a job, and return its result; empty if it failed."""

    @abstractmethod
    def tell(self, key: str, job: J, until: float) -> bool:
        """Store the progress of a job. Return False if this process has lost it."""

    @abstractmethod
    def keep(self, key: str, text: str) -> None:
        """Store the result of a job."""

    @abstractmethod
    def fail(self, key: str, why: str) -> None:
        """Store that a job failed."""

    @abstractmethod
    def release(self, now: float) -> None:
        """Release the jobs of this process."""

    def wake(self) -> None:
        """Take note of a new job."""
        self._asked.set()

    async def run(self) -> None:
        """Do waiting jobs for the life of the process."""
        while True:
            with anyio.move_on_after(LOOK):
                await self._asked.wait()
            # Replaced before the search, so that a request during it is not missed.
            self._asked = anyio.Event()
            with suppress(StoreError):  # the next check finds the waiting jobs
                while await self.make_one():
                    pass

    async def make_one(self) -> bool:
        """Do the job that has waited longest. Return False if there is none. Raises StoreError."""
        now = self.tables.now()
        claimed = await run_sync(self.claim, now, now + LEASE)
        if claimed is None:
            return False
        job, text = self.new(), ""
        if claimed.begun > BEGUN:
            logger.error("%s %s was begun %s times and never ended", self.kind, claimed.key[:4], BEGUN)
            job.failed = self.failure
        try:
            if not job.failed:
                text = await self._done(claimed.key, job)
        except StoreError:
            raise
        except Exception as error:
            logger.error("%s %s failed, %s", self.kind, claimed.key[:4], locate_error(error))
            job.failed = self.failure
        if text:
            await run_sync(self.keep, claimed.key, text)
        elif job.failed:
            await run_sync(self.fail, claimed.key, job.failed)
        return True

    async def _done(self, key: str, job: J) -> str:
        """Return the result of a job; empty if it failed, or another process has taken it over."""
        text = ""
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._tell, key, job, tasks.cancel_scope)
            text = await self.work(key, job)
            tasks.cancel_scope.cancel()
        return text

    async def _tell(self, key: str, job: J, working: anyio.CancelScope) -> None:
        """Store progress, and stop the job if another process has taken it over."""
        # A copy, because the work changes the job meanwhile.
        told, ends = copy(job), self.tables.now() + LEASE
        while True:
            await anyio.sleep(TELL)
            now, heard = self.tables.now(), copy(job)
            if heard == told and not self.looks(ends - now):
                continue
            try:
                mine = await run_sync(self.tell, key, heard, now + LEASE)
            except StoreError:
                continue  # the next check stores the progress
            if not mine:
                working.cancel()
            told, ends = heard, now + LEASE

    def looks(self, left: float) -> bool:
        """Return whether the row is read although there is no progress, with this many seconds of the claim left."""
        return left <= LEASE / 2

    def close(self) -> None:
        """Release the jobs, as the server stops."""
        with suppress(StoreError):  # the claim ends by itself
            self.release(self.tables.now())
