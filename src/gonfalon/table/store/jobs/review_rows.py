"""The part of the store that keeps reviews of finished games, and the jobs that make them.

The job row (`job_rows.py`) names the process that makes a review, and holds its progress.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final, cast

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from gonfalon.review.files import JudgedDecision
from gonfalon.table.store.jobs.job_rows import Claimed, Jobs, job_columns
from gonfalon.table.store.schema import Rows, schema

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
    *job_columns(),
    sa.Column("done", sa.Integer, nullable=False, server_default="0"),
    sa.Column("count", sa.Integer, nullable=False, server_default="0"),
    sa.Column("found", sa.Text, nullable=False, server_default=NOTHING),
    sa.Column("failed", sa.Text, nullable=False, server_default=""),
)
_row: Final = reviewing.c
_jobs: Final = Jobs(reviewing, "table", ["due"], {"done": 0, "count": 0, "found": NOTHING})


@dataclass
class Job:
    """A review in progress, or one that failed."""

    done: int = 0
    count: int = 0
    """The number of decisions, once it is known."""
    found: list[JudgedDecision] = field(default_factory=list)
    """The decisions judged so far."""
    failed: str = ""


class ReviewRows(Rows):
    """Reads and writes reviews."""

    def keep_review(self, key: str, text: str) -> None:
        """Store the review of a game, unless there is one or the table is gone."""
        with suppress(IntegrityError), self._begin() as connection:
            connection.execute(reviews.insert().values(table=key, text=text))
        with self._begin() as connection:
            # The job ends even if another process has stored the review before.
            connection.execute(reviewing.delete().where(_row.table == key))

    def review(self, key: str) -> str | None:
        """Return the review of a game, if any."""
        with self._begin() as connection:
            query = sa.select(reviews.c.text).where(reviews.c.table == key)
            text: str | None = connection.execute(query).scalar_one_or_none()
            return text

    def ask_review(self, key: str, now: float, most: int) -> bool:
        """Request a review, unless it is in progress. Return False if too many are waiting."""
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
        """Return the progress of a requested review that is not finished."""
        query = sa.select(_row.done, _row.count, _row.found, _row.failed).where(_row.table == key)
        with self._begin() as connection:
            row = connection.execute(query).one_or_none()
        if row is None:
            return None
        done, count, found, failed = row
        # Rows of earlier versions list the marks as pairs.
        decisions = [cast("JudgedDecision", one) for one in json.loads(found) if isinstance(one, dict)]
        return Job(done, count, decisions, failed)

    def claim_review(self, process: str, now: float, until: float) -> Claimed | None:
        """Claim the review that no process makes and that has waited longest."""
        return _jobs.claim(self._begin, process, now, until)

    def tell_review(self, key: str, process: str, job: Job, until: float) -> bool:
        """Store the progress of this process. Return False if the review is no longer its own."""
        told = _jobs.own(key, process).values(due=until, done=job.done, count=job.count, found=json.dumps(job.found))
        with self._begin() as connection:
            return connection.execute(told).rowcount == 1

    def fail_review(self, key: str, process: str, why: str) -> None:
        """Store that a review failed, until it is requested again."""
        with self._begin() as connection:
            connection.execute(_jobs.own(key, process).values(due=None, failed=why))

    def release_reviews(self, process: str, now: float) -> None:
        """Release the reviews of a process that stops."""
        _jobs.release(self._begin, process, now)
