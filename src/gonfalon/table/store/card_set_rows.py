"""The part of the store that keeps sets of own cards, each under an unguessable id.

Tables hold the whole data of their cards, so no table refers to a set. House sets belong to the server and are listed;
all others are found by their id alone.
"""

from __future__ import annotations

import hmac
import json
import re
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Final

import sqlalchemy as sa

from gonfalon.core.basics.options import Options
from gonfalon.core.files.card_sets import CardSet
from gonfalon.table import messages
from gonfalon.table.errors import NoRoom
from gonfalon.table.store.schema import Rows, schema
from gonfalon.table.store.shared_rows import upsert

MAX_SETS: Final = 5_000
"""The number of sets that a server keeps, without house sets."""
MAX_SETS_OF_DEVICE: Final = 50
"""The number of sets that a device keeps. The one that was not used for the longest time is deleted first."""
ID_BYTES: Final = 15
ID: Final = re.compile(r"[\w-]{1,32}", re.ASCII)
"""The form of an id."""
USE_SECONDS: Final = 86_400.0
"""Seconds after which a use is stored again."""

card_sets: Final = sa.Table(
    "card_sets",
    schema,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("game", sa.String(64), nullable=False),
    sa.Column("name", sa.String(64), nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    # The hash of the cards.
    sa.Column("data", sa.String(64), nullable=False),
    sa.Column("options", sa.Text, nullable=False),
    # The hash of the device that keeps it; empty for a house set.
    sa.Column("device", sa.String(64), nullable=False),
    sa.Column("house", sa.Boolean, nullable=False),
    sa.Column("created", sa.Float, nullable=False),
    sa.Column("used", sa.Float, nullable=False),
    sa.Index("card_sets_device", "device", "used"),
)
_row: Final = card_sets.c


@dataclass(frozen=True)
class StoredCardSet:
    """A stored set of own cards."""

    id: str
    game: str
    name: str
    text: str
    data: str
    """The hash of the cards."""
    options: Options
    """The options that make a game with these cards."""
    house: bool
    created: float


class CardSetRows(Rows):
    """Reads and writes sets of own cards."""

    secret: str

    def keep_card_set(self, card_set: CardSet, text: str, device: str, now: float) -> str:
        """Store a set for a (hashed) device, and return its id: that of an equal set, if the device has one.

        Raises:
            NoRoom: The server keeps too many sets.
        """
        own = _row.device == device
        same = sa.and_(own, _row.game == card_set.game, _row.name == card_set.name, _row.data == card_set.data)
        with self._begin() as connection:
            known: str | None = connection.execute(sa.select(_row.id).where(same)).scalar()
            if known is not None:
                latest_text = {"text": text} if text else {}
                connection.execute(card_sets.update().where(_row.id == known).values(used=now, **latest_text))
                return known
            latest = sa.select(_row.id).where(own).order_by(_row.used.desc(), _row.id).limit(MAX_SETS_OF_DEVICE - 1)
            connection.execute(card_sets.delete().where(own, _row.id.not_in(latest)))
            count = sa.select(sa.func.count()).where(sa.not_(_row.house)).select_from(card_sets)
            if connection.execute(count).scalar_one() >= MAX_SETS:
                raise NoRoom(messages.NO_ROOM_FOR_SETS)
            id = secrets.token_urlsafe(ID_BYTES)
            values = _describe(card_set, text) | {"device": device, "house": False, "created": now, "used": now}
            connection.execute(card_sets.insert().values(id=id, **values))
            return id

    def set_house_sets(self, sets: Mapping[str, tuple[CardSet, str]], now: float) -> dict[str, str]:
        """Make these sets the house sets. All processes of a server give the same sets the same ids.

        Args:
            sets: Sets and their texts, by a name that is stable on this server, such as that of a file.
            now: The time.

        Returns:
            The ids by these names.
        """
        ids = {name: self._derive_id(card_set.game, name) for name, (card_set, _) in sets.items()}
        with self._begin() as connection:
            connection.execute(card_sets.update().where(_row.id.not_in(ids.values())).values(house=False))
            for name, (card_set, text) in sets.items():
                changed = _describe(card_set, text) | {"device": "", "house": True, "used": now}
                upsert(connection, card_sets, {"id": ids[name]}, changed | {"created": now}, changed)
        return ids

    def _derive_id(self, game: str, name: str) -> str:
        mark = hmac.digest(self.secret.encode(), f"cards {game} {name}".encode(), "sha256")[:ID_BYTES]
        return urlsafe_b64encode(mark).decode()

    def card_set(self, id: str, now: float | None = None) -> StoredCardSet | None:
        """Return a set by its id; None if there is none. With a time, the set counts as used at that time."""
        # A client may send any text, and PostgreSQL refuses some.
        if not ID.fullmatch(id):
            return None
        with self._begin() as connection:
            row = connection.execute(sa.select(card_sets).where(_row.id == id)).mappings().one_or_none()
            if row is None:
                return None
            if now is not None and row["used"] < now - USE_SECONDS:
                connection.execute(card_sets.update().where(_row.id == id).values(used=now))
            return _read_row(row)

    def house_card_sets(self, game: str = "") -> list[StoredCardSet]:
        """Return the house sets, of one game or of all, by name."""
        query = sa.select(card_sets).where(_row.house, *([_row.game == game] if game else []))
        with self._begin() as connection:
            found = map(_read_row, connection.execute(query).mappings())
            return sorted(found, key=lambda one: (one.game, one.name, one.id))

    def forget_card_sets(self, since: float) -> None:
        """Delete the sets, except house sets, that were not used since a time."""
        with self._begin() as connection:
            connection.execute(card_sets.delete().where(_row.used < since, sa.not_(_row.house)))


def _describe(card_set: CardSet, text: str) -> dict[str, object]:
    words = {"game": card_set.game, "name": card_set.name, "text": text, "data": card_set.data}
    return {**words, "options": json.dumps(card_set.options)}


def _read_row(row: sa.RowMapping) -> StoredCardSet:
    columns = {field.name: row[field.name] for field in fields(StoredCardSet)}
    return StoredCardSet(**columns | {"options": json.loads(row["options"])})
