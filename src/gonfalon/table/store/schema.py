"""The metadata of the database, to which each module of the store adds its tables."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

schema: Final = sa.MetaData()

meta: Final = sa.Table(
    "gonfalon_meta",
    schema,
    # Databases of before 1.0 have no column of this name.
    sa.Column("version", sa.Integer, nullable=False),
    # All processes derive the same values from it, and no outsider can.
    sa.Column("secret", sa.String(64), nullable=False),
    # Until when one process alone cleans up old tables.
    sa.Column("tidied", sa.Float, nullable=False, server_default="0"),
)
