"""Whether games are over, archives of them, and the card data of tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from gonfalon.table.schema import UNKNOWN

revision = "6"
down_revision = "5"


def upgrade() -> None:
    op.add_column("tables", sa.Column("ended", sa.Float))
    op.get_bind().execute(sa.update(sa.table("tables", sa.column("ended"))).values(ended=UNKNOWN))
    op.create_table(
        "card_data",
        sa.Column("game", sa.String(64), primary_key=True),
        sa.Column("hash", sa.String(128), primary_key=True),
        sa.Column("text", sa.Text, nullable=False),
    )
    op.create_table(
        "kept",
        sa.Column("table", sa.String(32), sa.ForeignKey("tables.key"), primary_key=True),
        sa.Column("head", sa.Text, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
    )


def downgrade() -> None:
    """Archives are lost, which are made again of games whose rules and cards are those of now; and tables whose card
    data have changed since cannot be opened any more."""
    op.drop_table("kept")
    op.drop_table("card_data")
    op.drop_column("tables", "ended")
