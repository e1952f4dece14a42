"""By which claim a seat was taken."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "4"
down_revision = "3"


def upgrade() -> None:
    op.add_column("seats", sa.Column("claim", sa.String(64)))
    op.add_column("seats", sa.Column("sealed", sa.String(32)))
    op.add_column("seats", sa.Column("seated", sa.Float))
    op.create_index("seats_claim", "seats", ["table", "claim"], unique=True)


def downgrade() -> None:
    """Whoever sits down and loses the answer on the way cannot ask again for the same seat."""
    op.drop_index("seats_claim", "seats")
    for column in ("seated", "sealed", "claim"):
        op.drop_column("seats", column)
