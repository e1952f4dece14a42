"""Reviews that are being made."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "14"
down_revision = "13"


def upgrade() -> None:
    op.create_table(
        "reviewing",
        sa.Column("table", sa.String(32), sa.ForeignKey("tables.key"), primary_key=True),
        sa.Column("due", sa.Float),
        sa.Column("process", sa.String(32), nullable=False, server_default=""),
        sa.Column("begun", sa.Integer, nullable=False, server_default="0"),
        sa.Column("done", sa.Integer, nullable=False, server_default="0"),
        sa.Column("count", sa.Integer, nullable=False, server_default="0"),
        sa.Column("found", sa.Text, nullable=False, server_default="[]"),
        sa.Column("failed", sa.Text, nullable=False, server_default=""),
    )


def downgrade() -> None:
    """Reviews that are being made are broken off; they can be asked for again."""
    op.drop_table("reviewing")
