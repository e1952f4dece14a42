"""The part of the store that is about who serves a table's machine: the column `due` of the tables.

It says when the machine has to be served. A time that has come is for whoever claims it first; one to come is the end
of somebody's lease, or a time that follows from the record, which everybody works out alike.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection
from contextlib import AbstractContextManager
from typing import Final, NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Connection

MOST: Final = 50
"""So many tables are claimed at once."""
_tables: Final = sa.table("tables", sa.column("key", sa.String), sa.column("length"), sa.column("due", sa.Float))
_due: Final = _tables.c.due
_now: Final = sa.column("due", sa.Float)
"""The value before an update, whichever description of the table that goes by."""


_lasts: Final = sa.and_(
    _now > sa.bindparam("seen", type_=sa.Float),
    _now.not_in(sa.bindparam("given_up", type_=sa.Float, expanding=True)),
)
WRITTEN_DUE: Final = sa.case((_lasts, _now), else_=sa.bindparam("next", type_=sa.Float))
"""What is written when a table's machine is claimed (`Due.values`)."""
_CLAIM: Final = (
    _tables.update().where(_tables.c.key == sa.bindparam("own")).values(due=WRITTEN_DUE).returning(_tables.c.due)
)


class Due(NamedTuple):
    """When the machine has to be served after a change; a lease of somebody else stays, but these values do not."""

    at: float | None = None
    over: tuple[float, ...] = ()

    def values(self, now: float) -> dict[str, object]:
        """What WRITTEN_DUE is given."""
        return {"seen": now, "given_up": self.over, "next": self.at}


class ClaimRows:
    """Reads and writes when machines are due."""

    @abstractmethod
    def _begin(self) -> AbstractContextManager[Connection]:
        """A transaction."""

    @abstractmethod
    def ring(self, connection: Connection, key: str, length: int | None = None) -> None:
        """Let the other processes hear that something has changed at a table."""

    def claim(self, key: str, now: float, due: Due) -> float | None:
        """Take a table's machine; returns what stands there now."""
        own = _tables.c.key == key
        with self._begin() as connection:
            stands: float | None = connection.execute(sa.select(_due).where(own)).scalar_one_or_none()
        if stands is None or stands <= now or stands in due.over:
            with self._begin() as connection:
                stands = connection.execute(_CLAIM, {"own": key, **due.values(now)}).scalar_one_or_none()
        return stands

    def claim_overdue(self, now: float, until: float) -> list[str]:
        """Take those machines that nobody serves in time; returns the keys of their tables."""
        overdue = sa.select(_tables.c.key).where(_due <= now).order_by(_due).limit(MOST)
        with self._begin() as connection:
            if connection.execute(overdue.limit(1)).first() is None:
                return []  # nothing is written to find nothing
        take = _tables.update().where(_tables.c.key.in_(overdue.with_for_update(skip_locked=True)), _due <= now)
        with self._begin() as connection:
            return list(connection.execute(take.values(due=until).returning(_tables.c.key)).scalars())

    def renew(self, leases: Collection[tuple[str, float]], until: float) -> set[str]:
        """Make leases last longer; returns the keys of those that still are."""
        keys, ends = [key for key, _ in leases], {end for _, end in leases}
        same = _tables.update().where(_tables.c.key.in_(keys), _due.in_(ends))
        with self._begin() as connection:
            return set(connection.execute(same.values(due=until).returning(_tables.c.key)).scalars())

    def release(self, key: str, end: float, due: float | None) -> None:
        """Give a lease up before its end; others may take it from then on."""
        same = _tables.update().where(_tables.c.key == key, _due == end)
        with self._begin() as connection:
            if connection.execute(same.values(due=due)).rowcount:
                self.ring(connection, key)
