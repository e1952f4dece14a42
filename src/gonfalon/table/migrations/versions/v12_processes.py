"""What several processes share, and clocks."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from alembic import op

from gonfalon.table.seats import new_token

revision = "12"
down_revision = "11"

SHARED: Final = ("processes", "presences", "curtains", "hints", "news")


def upgrade() -> None:
    op.add_column("gonfalon_meta", sa.Column("secret", sa.String(64), nullable=False, server_default=""))
    op.add_column("gonfalon_meta", sa.Column("tidied", sa.Float, nullable=False, server_default="0"))
    op.add_column("tables", sa.Column("length", sa.Integer, nullable=False, server_default="0"))
    op.add_column("tables", sa.Column("due", sa.Float))
    op.add_column("tables", sa.Column("clock", sa.Text, nullable=False, server_default=""))
    op.add_column("tables", sa.Column("since", sa.Float))
    op.add_column("entries", sa.Column("spent", sa.Integer))
    _fill()
    op.create_index("tables_due", "tables", ["due"])
    _create_shared()


def _fill() -> None:
    entries = sa.table("entries", sa.column("table"))
    tables = sa.table("tables", sa.column("key"), sa.column("length"))
    count = sa.select(sa.func.count()).where(entries.c.table == tables.c.key).scalar_subquery()
    op.get_bind().execute(tables.update().values(length=count))
    op.get_bind().execute(sa.update(sa.table("gonfalon_meta", sa.column("secret"))).values(secret=new_token()))


def _create_shared() -> None:
    op.create_table(
        "processes",
        sa.Column("process", sa.String(32), primary_key=True),
        sa.Column("beat", sa.Float, nullable=False),
    )
    op.create_table(
        "presences",
        sa.Column("table", sa.String(32), primary_key=True),
        sa.Column("process", sa.String(32), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("pages", sa.Integer, nullable=False),
        sa.Column("until", sa.Float, nullable=False),
        sa.Column("reads", sa.Boolean, nullable=False),
    )
    op.create_table(
        "curtains",
        sa.Column("table", sa.String(32), primary_key=True),
        sa.Column("device", sa.String(64), primary_key=True),
        sa.Column("seat", sa.Integer),
        sa.Column("last", sa.Integer, nullable=False),
        sa.Column("rises", sa.Integer, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("moments", sa.Integer, nullable=False),
    )
    op.create_table(
        "hints",
        sa.Column("table", sa.String(32), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
    )
    op.create_table(
        "news",
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("table", sa.String(32), nullable=False),
        sa.Column("length", sa.Integer),
        sa.Column("process", sa.String(32), nullable=False),
        sqlite_autoincrement=True,
    )


def downgrade() -> None:
    """Clocks are gone with what they have counted. Hints are forgotten, and curtains are down."""
    for table in SHARED:
        op.drop_table(table)
    op.drop_index("tables_due", "tables")
    op.drop_column("entries", "spent")
    for column in ("since", "clock", "due", "length"):
        op.drop_column("tables", column)
    op.drop_column("gonfalon_meta", "tidied")
    op.drop_column("gonfalon_meta", "secret")
