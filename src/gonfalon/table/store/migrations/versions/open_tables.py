"""Tables are listed, and devices are notified; sets of cards, bot accounts, bans and reports are kept."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "2"
down_revision = "1"


def upgrade() -> None:
    op.add_column("tables", sa.Column("offer", sa.String(16)))
    op.add_column("tables", sa.Column("bot_at", sa.Float))
    op.add_column("tables", sa.Column("bot_level", sa.String(64), nullable=False, server_default=""))
    op.create_index("tables_offer", "tables", ["offer"], unique=True)
    op.create_table(
        "pushes",
        sa.Column("link", sa.String(64), primary_key=True),
        sa.Column("device", sa.String(64), primary_key=True),
        sa.Column("table", sa.String(32), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("endpoint", sa.Text, nullable=False),
        sa.Column("key", sa.String(128), nullable=False),
        sa.Column("secret", sa.String(32), nullable=False),
        sa.Column("page", sa.Text, nullable=False),
        sa.Column("told", sa.Integer, nullable=False, server_default="-1"),
        sa.Index("pushes_table", "table"),
    )
    op.create_table(
        "card_sets",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("game", sa.String(64), nullable=False),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("data", sa.String(64), nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("device", sa.String(64), nullable=False),
        sa.Column("house", sa.Boolean, nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("used", sa.Float, nullable=False),
        sa.Index("card_sets_device", "device", "used"),
    )
    op.create_table(
        "accounts",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("name", sa.String(96), nullable=False, unique=True),
        sa.Column("token", sa.String(64), nullable=False, unique=True),
        sa.Column("about", sa.Text, nullable=False),
        sa.Column("rules", sa.Text, nullable=False),
        sa.Column("created", sa.Float, nullable=False),
    )
    _create_operator_tables()
    # SQLite ignores the length of a text and cannot change it.
    if op.get_bind().dialect.name == "postgresql":
        op.alter_column("seats", "name", type_=sa.String(96))
    op.add_column("seats", sa.Column("program", sa.String(32)))
    op.add_column("seats", sa.Column("reason", sa.String(8), nullable=False, server_default=""))
    op.add_column("seats", sa.Column("end_reported", sa.Boolean, nullable=False, server_default=sa.false()))
    op.create_index("seats_program", "seats", ["program"])


def _create_operator_tables() -> None:
    op.create_table(
        "operation",
        sa.Column("name", sa.String(16), primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
    )
    op.create_table(
        "bans",
        sa.Column("subject", sa.String(64), primary_key=True),
        sa.Column("note", sa.Text, nullable=False),
        sa.Column("created", sa.Float, nullable=False),
    )
    op.create_table(
        "reports",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("table", sa.String(32), nullable=False),
        sa.Column("reporter", sa.Integer, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("name", sa.String(96), nullable=False),
        sa.Column("device", sa.String(64), nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("decisions", sa.Integer, nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("settled", sa.Float),
        sa.Index("reports_device", "device"),
    )


def downgrade() -> None:
    """Tables are no longer listed in the lobby: their free seats are reached by link only. No device is notified of a
    turn any more. Sets of cards are no longer kept; tables keep their cards. Bot accounts are deleted; their seats are
    those of people whose link is lost. Reports of players, bans, the notice and the operator's link are deleted."""
    for table in ("reports", "bans", "operation", "card_sets"):
        op.drop_table(table)
    if op.get_bind().dialect.name == "postgresql":
        op.alter_column("seats", "name", type_=sa.String(64), postgresql_using="left(name, 64)")
    op.drop_index("seats_program", "seats")
    for column in ("program", "reason", "end_reported"):
        op.drop_column("seats", column)
    op.drop_table("accounts")
    op.drop_table("pushes")
    op.drop_index("tables_offer", "tables")
    for column in ("offer", "bot_at", "bot_level"):
        op.drop_column("tables", column)
