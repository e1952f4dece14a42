"""Studies bear no trace of the device that asked for them; whose turn it is, is a number."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "16"
down_revision = "15"


def upgrade() -> None:
    op.drop_index("studies_asker", "studies")
    op.execute("ALTER TABLE studies RENAME COLUMN asker TO token")
    op.execute("UPDATE studies SET token = ''")
    op.add_column("studies", sa.Column("turn", sa.Integer, nullable=False, server_default="0"))


def downgrade() -> None:
    """Studies that are being made can be stopped by nobody."""
    op.drop_column("studies", "turn")
    op.execute("UPDATE studies SET token = ''")
    op.execute("ALTER TABLE studies RENAME COLUMN token TO asker")
    op.create_index("studies_asker", "studies", ["asker"])
