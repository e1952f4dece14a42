"""Whose seat a token is, for the lobby."""

from __future__ import annotations

from alembic import op

revision = "7"
down_revision = "6"


def upgrade() -> None:
    op.create_index("seats_token", "seats", ["token"], if_not_exists=True)


def downgrade() -> None:
    """Nothing is lost."""
    op.drop_index("seats_token", "seats")
