"""The part of the store that holds the leases: the column `due` of the tables.

It is the time at which the timers of a table have to be served. A time in the past may be claimed by any process. A
time in the future is the end of a lease, or follows from the record, so that all processes compute the same.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, NamedTuple

import sqlalchemy as sa

from gonfalon.table.store.schema import Rows

MOST: Final = 50
"""The number of tables that are claimed at once."""
_tables: Final = sa.table("tables", sa.column("key", sa.String), sa.column("length"), sa.column("due", sa.Float))
_due: Final = _tables.c.due
_now: Final = sa.column("due", sa.Float)
"""The value before an update, through either description of the table."""


_lasts: Final = sa.and_(
    _now > sa.bindparam("seen", type_=sa.Float), _now.not_in(sa.bindparam("given_up", type_=sa.Float, expanding=True))
)
WRITTEN_DUE: Final = sa.case((_lasts, _now), else_=sa.bindparam("next", type_=sa.Float))
"""The values written when a table is claimed (`Due.values`)."""
_CLAIM: Final = (
    _tables.update().where(_tables.c.key == sa.bindparam("own")).values(due=WRITTEN_DUE).returning(_tables.c.due)
)


_ANY_OVERDUE: Final = sa.select(_tables.c.key).where(_due <= sa.bindparam("now", type_=sa.Float)).limit(1)


class Due(NamedTuple):
    """The time to store after a change. A lease of another process stays, but the `over` values do not."""

    at: float | None = None
    over: tuple[float, ...] = ()

    def values(self, now: float) -> dict[str, object]:
        """Return the parameters of WRITTEN_DUE."""
        return {"seen": now, "given_up": self.over, "next": self.at}


class ClaimRows(Rows):
    """Reads and writes leases."""

    def claim(self, key: str, now: float, due: Due) -> float | None:
        """Claim a table, and return the stored time."""
        own = _tables.c.key == key
        with self._begin() as connection:
            # Most claims find a valid lease, and reading it locks nothing.
            stands: float | None = connection.execute(sa.select(_due).where(own)).scalar_one_or_none()
        if stands is None or stands <= now or stands in due.over:
            with self._begin() as connection:
                stands = connection.execute(_CLAIM, {"own": key, **due.values(now)}).scalar_one_or_none()
        return stands

    def claim_overdue(self, now: float, until: float) -> list[str]:
        """Claim overdue tables, and return their keys."""
        overdue = sa.select(_tables.c.key).where(_due <= now).order_by(_due).limit(MOST)
        with self._begin() as connection:
            if connection.execute(_ANY_OVERDUE, {"now": now}).first() is None:
                return []  # nothing is written to find nothing
        # Processes that sweep at the same time skip each other's rows instead of waiting for them.
        take = _tables.update().where(_tables.c.key.in_(overdue.with_for_update(skip_locked=True)), _due <= now)
        with self._begin() as connection:
            return list(connection.execute(take.values(due=until).returning(_tables.c.key)).scalars())

    def renew(self, leases: Collection[tuple[str, float]], until: float) -> set[str]:
        """Renew leases, and return the keys of those that still exist."""
        keys, ends = [key for key, _ in leases], {end for _, end in leases}
        same = _tables.update().where(_tables.c.key.in_(keys), _due.in_(ends))
        with self._begin() as connection:
            return set(connection.execute(same.values(due=until).returning(_tables.c.key)).scalars())

    def release(self, key: str, end: float, due: float | None) -> None:
        """Give up a lease before its end. Others may claim it from that time on."""
        same = _tables.update().where(_tables.c.key == key, _due == end)
        with self._begin() as connection:
            if connection.execute(same.values(due=due)).rowcount:
                self.notify(connection, key)
