"""Jobs: columns of the tables that keep long work, and the claims of the processes that do it.

A job is done by the process that claims it first. Its row holds the end of the claim, which a working process renews.
So the job of a dead process continues elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Final, NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Connection

Beginning = Callable[[], AbstractContextManager[Connection]]
"""A function that opens a transaction."""


class Claimed(NamedTuple):
    """A job to do."""

    key: str
    begun: int
    """The number of processes that have started it, including this one."""


def job_columns() -> list[sa.Column[object]]:
    """Return the columns that each table of jobs has."""
    return [
        # When a process has to claim it; null for a job that is done or has failed.
        sa.Column("due", sa.Float),
        sa.Column("process", sa.String(32), nullable=False, server_default=""),
        # The number of processes that have started it.
        sa.Column("begun", sa.Integer, nullable=False, server_default="0"),
    ]


class Jobs:
    """A table of jobs.

    Args:
        table: The table.
        key: The column that names a row.
        first: The columns that give the order of jobs.
        start_values: The values of a row when its job is started.
    """

    def __init__(self, table: sa.Table, key: str, first: Sequence[str], start_values: dict[str, object]) -> None:
        self.table: Final = table
        self.key: Final = table.c[key]
        self.first: Final = [table.c[name] for name in first]
        self.start_values: Final = start_values

    def claim(self, begin: Beginning, process: str, now: float, until: float) -> Claimed | None:
        """Claim the first job that no process does."""
        row = self.table.c
        overdue = sa.select(self.key).where(row.due <= now).order_by(*self.first).limit(1)
        with begin() as connection:
            if connection.execute(overdue).first() is None:
                return None  # nothing is written to find nothing
        first = overdue.with_for_update(skip_locked=True).scalar_subquery()
        # SQLite has no row locks, so the update itself checks again that the job is due.
        take = self.table.update().where(self.key == first, row.due <= now)
        started = take.values(due=until, process=process, begun=row.begun + 1, **self.start_values)
        with begin() as connection:
            found = connection.execute(started.returning(self.key, row.begun)).one_or_none()
            return None if found is None else Claimed(*found)

    def own(self, key: str, process: str) -> sa.Update:
        """Return an update of a row that this process has claimed."""
        return self.table.update().where(self.key == key, self.table.c.process == process)

    def release(self, begin: Beginning, process: str, now: float) -> None:
        """Release the jobs of a process that stops."""
        row = self.table.c
        own = self.table.update().where(row.process == process, row.due.is_not(None))
        with begin() as connection:
            # An orderly stop is not a failed attempt, so it does not count as a start.
            connection.execute(own.values(due=now, process="", begun=row.begun - 1))
