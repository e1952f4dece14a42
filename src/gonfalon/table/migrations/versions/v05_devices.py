"""Where each device has been."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "5"
down_revision = "4"


def upgrade() -> None:
    op.create_table(
        "links",
        sa.Column("device", sa.String(64), primary_key=True),
        sa.Column("link", sa.String(64), primary_key=True),
        sa.Column("table", sa.String(32), nullable=False),
        sa.Column("game", sa.String(64), nullable=False),
        sa.Column("sealed", sa.String(32), nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )


def downgrade() -> None:
    """Where devices have been is forgotten; who has kept a link to a seat still sits there."""
    op.drop_table("links")
