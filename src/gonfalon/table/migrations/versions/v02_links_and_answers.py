"""A link for each seat, and standing answers."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "2"
down_revision = "1"


def upgrade() -> None:
    op.add_column("seats", sa.Column("invitation", sa.String(64)))
    op.add_column("seats", sa.Column("standing", sa.String(32), nullable=False, server_default=""))


def downgrade() -> None:
    """Links to single seats lead nowhere any more, and standing answers are forgotten."""
    op.drop_column("seats", "standing")
    op.drop_column("seats", "invitation")
