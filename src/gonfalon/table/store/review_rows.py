"""The part of the store that keeps the reviews of finished games, and what is known of those that are being made.

Who makes a review is told by its row (`job_rows.py`), which also holds how far it is.
"""

from __future__ import annotations

import json
from abc import abstractmethod
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field
from typing import Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection
from sqlalchemy.exc import IntegrityError

from gonfalon.table.store.job_rows import Claimed, Jobs, columns
from gonfalon.table.store.schema import schema

NOTHING: Final = "[]"

reviews: Final = sa.Table(
    "reviews",
    schema,
    sa.Column("table", sa.String(32), sa.ForeignKey("tables.key"), primary_key=True),
    sa.Column("text", sa.Text, nullable=False),
)
reviewing: Final = sa.Table(
    "reviewing",
    schema,
    sa.Column("table", sa.String(32), sa.ForeignKey("tables.key"), primary_key=True),
    *columns(),
    sa.Column("done", sa.Integer, nullable=False, server_default="0"),
    sa.Column("count", sa.Integer, nullable=False, server_default="0"),
    sa.Column("found", sa.Text, nullable=False, server_default=NOTHING),
    sa.Column("failed", sa.Text, nullable=False, server_default=""),
)
_row: Final = reviewing.c
_jobs: Final = Jobs(reviewing, "table", ["due"], {"done": 0, "count": 0, "found": NOTHING})


@dataclass
class Job:
    """A review that is being made, or could not be."""

    done: int = 0
    count: int = 0
    """Decisions, once they have been counted."""
    found: list[tuple[int, str]] = field(default_factory=list)
    """The marked ones so far, by their number among those judged."""
    failed: str = ""


class ReviewRows:
    """Reads and writes them."""

    @abstractmethod
    def _begin(self) -> AbstractContextManager[Connection]:
        """A transaction."""

    def keep_review(self, key: str, text: str) -> None:
        """Write down the review of a table's game, unless there is one, or no such table any more."""
        with suppress(IntegrityError), self._begin() as connection:
            connection.execute(reviews.insert().values(table=key, text=text))
        with self._begin() as connection:
            connection.execute(reviewing.delete().where(_row.table == key))

    def review(self, key: str) -> str | None:
        """The review of a table's game, if there is one."""
        with self._begin() as connection:
            query = sa.select(reviews.c.text).where(reviews.c.table == key)
            text: str | None = connection.execute(query).scalar_one_or_none()
            return text

    def ask_review(self, key: str, now: float, most: int) -> bool:
        """Have a review made, unless that is under way; False when so many are already asked for."""
        with suppress(IntegrityError), self._begin() as connection:
            asked = connection.execute(sa.select(_row.table).where(_row.failed == "")).scalars().all()
            if key in asked:
                return True
            if len(asked) >= most:
                return False
            connection.execute(reviewing.delete().where(_row.table == key))
            connection.execute(reviewing.insert().values(table=key, due=now))
        return True

    def review_job(self, key: str) -> Job | None:
        """How far a table's review is, if one was asked for and is not kept yet."""
        query = sa.select(_row.done, _row.count, _row.found, _row.failed).where(_row.table == key)
        with self._begin() as connection:
            row = connection.execute(query).one_or_none()
        if row is None:
            return None
        done, count, found, failed = row
        return Job(done, count, [(number, text) for number, text in json.loads(found)], failed)

    def claim_review(self, process: str, now: float, until: float) -> Claimed | None:
        """Take the review that nobody makes and that has waited longest."""
        return _jobs.claim(self._begin, process, now, until)

    def tell_review(self, key: str, process: str, job: Job, until: float) -> bool:
        """Write down how far a process is, and that it goes on; False when the review is not its own any more."""
        told = _jobs.own(key, process).values(due=until, done=job.done, count=job.count, found=json.dumps(job.found))
        with self._begin() as connection:
            return connection.execute(told).rowcount == 1

    def fail_review(self, key: str, process: str, why: str) -> None:
        """A process could not make a review: that stands until somebody asks again."""
        with self._begin() as connection:
            connection.execute(_jobs.own(key, process).values(due=None, failed=why))

    def release_reviews(self, process: str, now: float) -> None:
        """A process stops: others may take what it was making."""
        _jobs.release(self._begin, process, now)
