"""The description of the database, to which each module of the store adds its tables."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

schema: Final = sa.MetaData()
