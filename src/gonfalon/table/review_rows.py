"""The part of the store that keeps the reviews of finished games."""

from __future__ import annotations

from abc import abstractmethod
from contextlib import AbstractContextManager, suppress
from typing import Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection
from sqlalchemy.exc import IntegrityError

from gonfalon.table.schema import schema

reviews: Final = sa.Table(
    "reviews",
    schema,
    sa.Column("table", sa.String(32), sa.ForeignKey("tables.key"), primary_key=True),
    sa.Column("text", sa.Text, nullable=False),
)


class ReviewRows:
    """Reads and writes them."""

    @abstractmethod
    def _begin(self) -> AbstractContextManager[Connection]:
        """A transaction."""

    def keep_review(self, key: str, text: str) -> None:
        """Write down the review of a table's game, unless there is one, or no such table any more."""
        with suppress(IntegrityError), self._begin() as connection:
            connection.execute(reviews.insert().values(table=key, text=text))

    def review(self, key: str) -> str | None:
        """The review of a table's game, if there is one."""
        with self._begin() as connection:
            query = sa.select(reviews.c.text).where(reviews.c.table == key)
            text: str | None = connection.execute(query).scalar_one_or_none()
            return text
