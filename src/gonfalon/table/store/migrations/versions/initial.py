"""The tables of release 1.0."""

from __future__ import annotations

import secrets

import sqlalchemy as sa
from alembic import op

revision = "1"
down_revision = None


def upgrade() -> None:
    # The columns are written out here, because the store's own metadata changes with later versions.
    meta = op.create_table(
        "gonfalon_meta",
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("secret", sa.String(64), nullable=False),
        sa.Column("tidied", sa.Float, nullable=False, server_default="0"),
    )
    # The secret is created once: bots and windows of running games are derived from it.
    op.bulk_insert(meta, [{"version": 1, "secret": secrets.token_urlsafe(18)}])
    _create_tables()
    _create_records()
    _create_proofs()
    _create_archives()
    _create_shared()
    _create_notifications()
    _create_jobs()


def _create_tables() -> None:
    """Create the tables of live games and their seats."""
    op.create_table(
        "tables",
        sa.Column("key", sa.String(32), primary_key=True),
        sa.Column("game", sa.String(64), nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("rules", sa.String(32), nullable=False),
        sa.Column("data", sa.String(128), nullable=False),
        sa.Column("invitation", sa.String(64)),
        sa.Column("rematch", sa.String(32)),
        sa.Column("opened", sa.Float, nullable=False),
        sa.Column("hints", sa.Boolean, nullable=False),
        sa.Column("ended", sa.Float),
        sa.Column("stage", sa.String(8), nullable=False),
        sa.Column("rematch_of", sa.String(32)),
        sa.Column("length", sa.Integer, nullable=False, server_default="0"),
        sa.Column("due", sa.Float),
        sa.Column("clock", sa.Text, nullable=False),
        sa.Column("since", sa.Float),
        sa.Column("changes", sa.Integer, nullable=False, server_default="0"),
        sa.Column("ending", sa.Text, nullable=False, server_default=""),
        sa.Index("tables_due", "due"),
    )
    op.create_table(
        "seats",
        sa.Column("table", sa.String(32), sa.ForeignKey("tables.key"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("bot", sa.String(64)),
        sa.Column("token", sa.String(64)),
        sa.Column("invitation", sa.String(64)),
        sa.Column("standing", sa.String(32), nullable=False),
        sa.Column("claim", sa.String(64)),
        sa.Column("sealed", sa.String(32)),
        sa.Column("seated", sa.Float),
        sa.Column("brings", sa.Text, nullable=False),
        sa.Column("ready", sa.String(8), nullable=False),
        sa.Index("seats_claim", "table", "claim", unique=True),
        sa.Index("seats_token", "token"),
    )


def _create_records() -> None:
    """Create the tables of records, thoughts of bots, and links."""
    op.create_table(
        "entries",
        sa.Column("table", sa.String(32), sa.ForeignKey("tables.key"), primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("spent", sa.Integer),
    )
    op.create_table(
        "thoughts",
        sa.Column("table", sa.String(32), sa.ForeignKey("tables.key"), primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("text", sa.Text, nullable=False),
    )
    op.create_table(
        "links",
        sa.Column("device", sa.String(64), primary_key=True),
        sa.Column("link", sa.String(64), primary_key=True),
        sa.Column("table", sa.String(32), nullable=False),
        sa.Column("game", sa.String(64), nullable=False),
        sa.Column("sealed", sa.String(32), nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )


def _create_proofs() -> None:
    """Create the tables of proved deals."""
    op.create_table(
        "proofs",
        sa.Column("table", sa.String(32), sa.ForeignKey("tables.key"), primary_key=True),
        sa.Column("attempt", sa.Integer, nullable=False),
        sa.Column("commitment", sa.String(64), nullable=False),
        sa.Column("secret", sa.String(64), nullable=False),
        sa.Column("opening", sa.Boolean, nullable=False),
        sa.Column("setup", sa.String(64)),
        sa.Column("options", sa.Text),
    )
    op.create_table(
        "shares",
        sa.Column("table", sa.String(32), sa.ForeignKey("tables.key"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("closed", sa.String(64), nullable=False),
        sa.Column("opened", sa.String(64)),
    )


def _create_archives() -> None:
    """Create the tables of finished games and of card data."""
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
    op.create_table(
        "reviews",
        sa.Column("table", sa.String(32), sa.ForeignKey("tables.key"), primary_key=True),
        sa.Column("text", sa.Text, nullable=False),
    )


def _create_shared() -> None:
    """Create the tables by which the processes of a server know of each other."""
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


def _create_notifications() -> None:
    """Create the table of notifications between processes."""
    op.create_table(
        "news",
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("table", sa.String(32), nullable=False),
        sa.Column("length", sa.Integer),
        sa.Column("process", sa.String(32), nullable=False),
        sqlite_autoincrement=True,
    )


def _create_jobs() -> None:
    """Create the tables of reviews and studies that are being made."""
    op.create_table(
        "reviewing",
        sa.Column("table", sa.String(32), sa.ForeignKey("tables.key"), primary_key=True),
        sa.Column("due", sa.Float),
        sa.Column("process", sa.String(32), nullable=False, server_default=""),
        sa.Column("begun", sa.Integer, nullable=False, server_default="0"),
        sa.Column("done", sa.Integer, nullable=False, server_default="0"),
        sa.Column("count", sa.Integer, nullable=False, server_default="0"),
        sa.Column("found", sa.Text, nullable=False, server_default="[]"),
        sa.Column("failed", sa.Text, nullable=False, server_default=""),
    )
    op.create_table(
        "studies",
        sa.Column("key", sa.String(32), primary_key=True),
        sa.Column("same", sa.String(64), nullable=False, unique=True),
        sa.Column("token", sa.String(64), nullable=False),
        sa.Column("question", sa.Text, nullable=False),
        sa.Column("asked", sa.Float, nullable=False),
        sa.Column("due", sa.Float),
        sa.Column("process", sa.String(32), nullable=False, server_default=""),
        sa.Column("begun", sa.Integer, nullable=False, server_default="0"),
        sa.Column("stop", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("answer", sa.Text, nullable=False, server_default=""),
        sa.Column("failed", sa.Text, nullable=False, server_default=""),
        sa.Column("turn", sa.Integer, nullable=False, server_default="0"),
        sa.Index("studies_due", "due"),
    )
