"""Studies of what a change of a game's numbers does."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "15"
down_revision = "14"


def upgrade() -> None:
    op.create_table(
        "studies",
        sa.Column("key", sa.String(32), primary_key=True),
        sa.Column("same", sa.String(64), nullable=False, unique=True),
        sa.Column("asker", sa.String(64), nullable=False),
        sa.Column("question", sa.Text, nullable=False),
        sa.Column("asked", sa.Float, nullable=False),
        sa.Column("due", sa.Float),
        sa.Column("process", sa.String(32), nullable=False, server_default=""),
        sa.Column("begun", sa.Integer, nullable=False, server_default="0"),
        sa.Column("stop", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("answer", sa.Text, nullable=False, server_default=""),
        sa.Column("failed", sa.Text, nullable=False, server_default=""),
    )
    op.create_index("studies_asker", "studies", ["asker"])
    op.create_index("studies_due", "studies", ["due"])


def downgrade() -> None:
    """All studies are lost; they can be asked for again."""
    op.drop_table("studies")
