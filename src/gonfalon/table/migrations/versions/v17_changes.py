"""Each table counts the changes beside its record, so that a process can see that it lacks some."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "17"
down_revision = "16"


def upgrade() -> None:
    op.add_column("tables", sa.Column("changes", sa.Integer, nullable=False, server_default="0"))


def downgrade() -> None:
    """Nothing is lost."""
    op.drop_column("tables", "changes")
