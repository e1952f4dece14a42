"""For how long decisions are held."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "10"
down_revision = "9"


def upgrade() -> None:
    op.add_column("tables", sa.Column("grace", sa.Integer, nullable=False, server_default="0"))


def downgrade() -> None:
    """No table holds decisions any more. Where one has been held, an older program cannot read the record."""
    op.drop_column("tables", "grace")
