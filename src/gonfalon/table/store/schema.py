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
    # What all processes derive from it is the same, and nobody outside can work it out.
    sa.Column("secret", sa.String(64), nullable=False),
    # Until when old tables are put in order by one of the processes.
    sa.Column("tidied", sa.Float, nullable=False, server_default="0"),
)
