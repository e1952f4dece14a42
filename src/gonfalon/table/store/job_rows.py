"""Long work that was asked for and that some process does: columns of the tables that keep it, and who has claimed it.

Work is done by whichever process claims it first. Its row says until when the claim lasts, and a process that works
renews it; so what a process that has died has left goes on elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Final, NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Connection

Beginning = Callable[[], AbstractContextManager[Connection]]
"""Begins a transaction."""


class Claimed(NamedTuple):
    """What a process is to do."""

    key: str
    begun: int
    """How many processes have begun it, this one counted."""


def columns() -> list[sa.Column[object]]:
    """What each such table has."""
    return [
        # When somebody has to see to it; null for what is done, or could not be.
        sa.Column("due", sa.Float),
        sa.Column("process", sa.String(32), nullable=False, server_default=""),
        # How many processes have begun it.
        sa.Column("begun", sa.Integer, nullable=False, server_default="0"),
    ]


class Jobs:
    """Such a table: `key` is what names a row, the columns `first` say in which order they are done, and `anew` is
    what a row holds when work on it begins."""

    def __init__(self, table: sa.Table, key: str, first: Sequence[str], anew: dict[str, object]) -> None:
        self.table: Final = table
        self.key: Final = table.c[key]
        self.first: Final = [table.c[name] for name in first]
        self.anew: Final = anew

    def claim(self, begin: Beginning, process: str, now: float, until: float) -> Claimed | None:
        """Take what nobody does and comes first."""
        row = self.table.c
        overdue = sa.select(self.key).where(row.due <= now).order_by(*self.first).limit(1)
        with begin() as connection:
            if connection.execute(overdue).first() is None:
                return None  # nothing is written to find nothing
        first = overdue.with_for_update(skip_locked=True).scalar_subquery()
        take = self.table.update().where(self.key == first, row.due <= now)
        anew = take.values(due=until, process=process, begun=row.begun + 1, **self.anew)
        with begin() as connection:
            found = connection.execute(anew.returning(self.key, row.begun)).one_or_none()
            return None if found is None else Claimed(*found)

    def own(self, key: str, process: str) -> sa.Update:
        """To write into a row that a process has claimed."""
        return self.table.update().where(self.key == key, self.table.c.process == process)

    def release(self, begin: Beginning, process: str, now: float) -> None:
        """A process stops: others may take what it was doing."""
        row = self.table.c
        own = self.table.update().where(row.process == process, row.due.is_not(None))
        with begin() as connection:
            connection.execute(own.values(due=now, process="", begun=row.begun - 1))
