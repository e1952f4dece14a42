"""Proved deals."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "11"
down_revision = "10"


def upgrade() -> None:
    op.create_table(
        "proofs",
        sa.Column("table", sa.String(32), sa.ForeignKey("tables.key"), primary_key=True),
        sa.Column("attempt", sa.Integer, nullable=False),
        sa.Column("commitment", sa.String(64), nullable=False),
        sa.Column("secret", sa.String(64), nullable=False),
        sa.Column("opening", sa.Boolean, nullable=False),
        sa.Column("setup", sa.String(64)),
        sa.Column("options", sa.Text),
        if_not_exists=True,
    )
    op.create_table(
        "shares",
        sa.Column("table", sa.String(32), sa.ForeignKey("tables.key"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("closed", sa.String(64), nullable=False),
        sa.Column("opened", sa.String(64)),
        if_not_exists=True,
    )


def downgrade() -> None:
    """Proved games go on, and nothing proves their shuffles any more."""
    op.drop_table("shares")
    op.drop_table("proofs")
