"""Tables that wait until everybody is ready, and what each brings. Those of older programs are dealt."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "9"
down_revision = "8"


def upgrade() -> None:
    op.add_column("tables", sa.Column("stage", sa.String(8), nullable=False, server_default="dealt"))
    op.add_column("tables", sa.Column("rematch_of", sa.String(32)))
    op.add_column("seats", sa.Column("brings", sa.Text, nullable=False, server_default=""))
    op.add_column("seats", sa.Column("ready", sa.String(8), nullable=False, server_default=""))


def downgrade() -> None:
    """Tables at which the game has not begun are deleted: an older program would deal them at once."""
    connection = op.get_bind()
    tables = sa.table("tables", sa.column("key"), sa.column("stage"), sa.column("rematch"))
    waiting = sa.select(tables.c.key).where(tables.c.stage != "dealt")
    for name in ("thoughts", "entries", "kept", "seats"):
        part = sa.table(name, sa.column("table"))
        connection.execute(part.delete().where(part.c.table.in_(waiting)))
    connection.execute(tables.update().where(tables.c.rematch.in_(waiting)).values(rematch=None))
    connection.execute(tables.delete().where(tables.c.stage != "dealt"))
    op.drop_column("seats", "ready")
    op.drop_column("seats", "brings")
    op.drop_column("tables", "rematch_of")
    op.drop_column("tables", "stage")
