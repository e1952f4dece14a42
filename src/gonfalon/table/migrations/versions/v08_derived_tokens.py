"""Tokens that older programs derived from an invitation, or from the link of another game, lead nowhere.

Whoever held the invitation could work them out, so nothing proves whose such a seat is, and nobody is given it.
"""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from alembic import op

from gonfalon.table.seats import hashed, new_token

revision = "8"
down_revision = "7"

TABLES: Final = sa.table("tables", sa.column("key"), sa.column("invitation"), sa.column("rematch"))
SEATS: Final = sa.table(
    "seats", *(sa.column(name) for name in ("table", "seat", "bot", "token", "invitation", "claim"))
)


def upgrade() -> None:
    connection = op.get_bind()
    rematches = set(connection.execute(sa.select(TABLES.c.rematch)).scalars())
    invited = set(connection.execute(sa.select(TABLES.c.key).where(TABLES.c.invitation.is_not(None))).scalars())
    seats: dict[str, list[sa.Row[tuple[object, ...]]]] = {}
    for row in connection.execute(sa.select(SEATS)):
        seats.setdefault(row.table, []).append(row)
    for key, rows in seats.items():
        claimed = {row.token for row in rows if row.claim is not None}
        # Version 1 did not write down which of two people had come by the invitation.
        either = key in invited and all(row.token and row.invitation is None and row.bot is None for row in rows)
        for row in rows:
            if row.token not in {None, *claimed} and (row.invitation or key in rematches or either):
                same = sa.and_(SEATS.c.table == key, SEATS.c.seat == row.seat)
                connection.execute(SEATS.update().where(same).values(token=hashed(new_token())))


def downgrade() -> None:
    """What led nowhere leads nowhere still."""
