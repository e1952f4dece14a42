"""Long work that visitors ask for: reviews, studies. It is done by processes of its own, after everything else on the
machine, one piece at a time for each process of the server.

What the work says is written down while it goes on, so that every process shows it; and what a process that has died
was doing is done by another (`table/store/job_rows.py`).
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
from gonfalon.table.errors import StoreError, place
from gonfalon.table.store.job_rows import Claimed

logger: Final = logging.getLogger("gonfalon.web")
LEASE: Final = 15.0
"""Seconds after which a process that has told nothing of its work does it no more."""
LOOK: Final = 5.0
"""Seconds between two looks whether work waits for a process."""
TELL: Final = 1.0
"""Seconds between two looks whether there is something to tell."""
BEGUN: Final = 3
"""So many processes may begin a piece of work, lest one that ends them goes round."""


class Job(Protocol):
    """A piece of work as far as it has come; `failed` says why it could not be done."""

    failed: str


J = TypeVar("J", bound=Job)


class BackgroundJobs(ABC, Generic[J]):
    """What this process does of one kind of work. `what` names it in the log, as in `study 3f2a`."""

    what: str
    failure: str
    """What is told where the log says why."""

    def __init__(self, tables: Tables) -> None:
        self.tables: Tables = tables
        self._asked: anyio.Event = anyio.Event()

    @abstractmethod
    def new(self) -> J:
        """A piece of work that begins."""

    @abstractmethod
    def claim(self, now: float, until: float) -> Claimed | None:
        """Take what nobody does and has waited longest."""

    @abstractmethod
    async def work(self, key: str, job: J) -> str:
        """Do it; returns what came of it, nothing where that fails."""

    @abstractmethod
    def tell(self, key: str, job: J, until: float) -> bool:
        """Write down how far it is; False when it is not this process's own any more."""

    @abstractmethod
    def keep(self, key: str, text: str) -> None:
        """Write down what came of it."""

    @abstractmethod
    def fail(self, key: str, why: str) -> None:
        """Write down that nothing did."""

    @abstractmethod
    def release(self, now: float) -> None:
        """Let others go on with what this process was doing."""

    def wake(self) -> None:
        """There is work."""
        self._asked.set()

    async def run(self) -> None:
        """Do what waits, for as long as the process lives."""
        while True:
            with anyio.move_on_after(LOOK):
                await self._asked.wait()
            self._asked = anyio.Event()
            with suppress(StoreError):  # what waits is looked up again soon
                while await self.make_one():
                    pass

    async def make_one(self) -> bool:
        """Do what has waited longest; False when nothing waits. Raises StoreError."""
        now = self.tables.now()
        claimed = await run_sync(self.claim, now, now + LEASE)
        if claimed is None:
            return False
        job, text = self.new(), ""
        if claimed.begun > BEGUN:
            logger.error("%s %s was begun %s times and never ended", self.what, claimed.key[:4], BEGUN)
            job.failed = self.failure
        try:
            if not job.failed:
                text = await self._done(claimed.key, job)
        except StoreError:
            raise
        except Exception as error:
            logger.error("%s %s failed, %s", self.what, claimed.key[:4], place(error))
            job.failed = self.failure
        if text:
            await run_sync(self.keep, claimed.key, text)
        elif job.failed:
            await run_sync(self.fail, claimed.key, job.failed)
        return True

    async def _done(self, key: str, job: J) -> str:
        """What came of it; nothing where that fails, or where another process has taken it over."""
        text = ""
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._tell, key, job, tasks.cancel_scope)
            text = await self.work(key, job)
            tasks.cancel_scope.cancel()
        return text

    async def _tell(self, key: str, job: J, working: anyio.CancelScope) -> None:
        """Write down what is heard, and that the process goes on; end the work when it is another's."""
        told, ends = copy(job), self.tables.now() + LEASE
        while True:
            await anyio.sleep(TELL)
            now, heard = self.tables.now(), copy(job)
            if heard == told and not self.looks(ends - now):
                continue
            try:
                mine = await run_sync(self.tell, key, heard, now + LEASE)
            except StoreError:
                continue  # how far it is can be written down later
            if not mine:
                working.cancel()
            told, ends = heard, now + LEASE

    def looks(self, left: float) -> bool:
        """Whether the row is looked at although there is nothing new, when the claim lasts for so many seconds."""
        return left <= LEASE / 2

    def close(self) -> None:
        """The server stops: let others go on with what this process was doing."""
        with suppress(StoreError):  # the claim ends by itself
            self.release(self.tables.now())
