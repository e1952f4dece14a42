"""Reviews of finished games."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "13"
down_revision = "12"


def upgrade() -> None:
    op.create_table(
        "reviews",
        sa.Column("table", sa.String(32), sa.ForeignKey("tables.key"), primary_key=True),
        sa.Column("text", sa.Text, nullable=False),
    )


def downgrade() -> None:
    """Reviews are gone; they can be made again."""
    op.drop_table("reviews")
