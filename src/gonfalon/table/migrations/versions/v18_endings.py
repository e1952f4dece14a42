"""How a game ended is stored with its last entry, so that its record can be written without its rules."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "18"
down_revision = "17"


def upgrade() -> None:
    op.add_column("tables", sa.Column("ending", sa.Text, nullable=False, server_default=""))


def downgrade() -> None:
    """Records of finished games can be written only by a program that has their rules."""
    op.drop_column("tables", "ending")
