"""The metadata of the database, to which each module of the store adds its tables, and the base of these modules."""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import AbstractContextManager
from typing import Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

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


class Rows(ABC):
    """A part of the store."""

    process: str

    @abstractmethod
    def _begin(self) -> AbstractContextManager[Connection]:
        """Open a transaction."""

    @abstractmethod
    def notify(self, connection: Connection, key: str, length: int | None = None) -> None:
        """Notify the other processes of a change of a table, within this transaction.

        Args:
            connection: The transaction.
            key: The table.
            length: The new length of its record; None for a change beside it.
        """

    @abstractmethod
    def count_change(self, connection: Connection, key: str) -> None:
        """Announce a change beside the record and count it, so that every later request sees it (`Store.stamp`).

        Locks the row of the table: transactions call it before they lock a row of a seat.
        """
