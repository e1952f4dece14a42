"""The part of the store by which players find each other and are reached: listed tables, and the devices to notify."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Final

import sqlalchemy as sa

from gonfalon.table.store.schema import Rows, schema
from gonfalon.table.store.shared_rows import SILENT, presences, processes, upsert

MAX_LISTED: Final = 60
"""The number of tables in the list of the lobby; newer ones come first."""
MAX_DEVICES: Final = 8
"""The number of devices that are notified for one seat."""

_tables: Final = sa.table("tables", *(sa.column(name) for name in ("key", "stage", "opened", "offer", "bot_at")))
_seats: Final = sa.table("seats", *(sa.column(name) for name in ("table", "seat", "token", "bot")))
pushes: Final = sa.Table(
    "pushes",
    schema,
    sa.Column("link", sa.String(64), primary_key=True),
    sa.Column("device", sa.String(64), primary_key=True),
    sa.Column("table", sa.String(32), nullable=False),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("endpoint", sa.Text, nullable=False),
    sa.Column("key", sa.String(128), nullable=False),
    sa.Column("secret", sa.String(32), nullable=False),
    sa.Column("page", sa.Text, nullable=False),
    # The number of the turn of which the device was notified last.
    sa.Column("told", sa.Integer, nullable=False, server_default="-1"),
    sa.Index("pushes_table", "table"),
)


@dataclass(frozen=True)
class Subscription:
    """A device that is notified of the turns of a seat."""

    link: str
    """The hash of the seat's token."""
    device: str
    """The hash of the address at the push service."""
    table: str
    seat: int
    endpoint: str
    """The address at the push service."""
    key: str
    """The public key of the browser."""
    secret: str
    """The authentication secret of the browser."""
    page: str
    """The page that a notification opens. It leads to the seat in this browser only."""


class PlayerRows(Rows):
    """Reads and writes listed tables and subscriptions."""

    # ---- listed tables --------------------------------------------------------------------------------

    def list_offers(self, now: float) -> list[str]:
        """Return the listed tables that have a free seat and a present player, the newest first."""
        lives = sa.func.abs(processes.c.beat) > now - SILENT
        here = sa.and_(presences.c.seat >= 0, sa.or_(presences.c.pages > 0, presences.c.until > now))
        joined = presences.join(processes, processes.c.process == presences.c.process)
        present = sa.select(presences.c.seat).select_from(joined).where(presences.c.table == _tables.c.key, here, lives)
        free = sa.select(_seats.c.seat).where(
            _seats.c.table == _tables.c.key, _seats.c.token.is_(None), _seats.c.bot.is_(None)
        )
        listed = sa.and_(_tables.c.offer.is_not(None), _tables.c.stage == "waiting", present.exists(), free.exists())
        query = sa.select(_tables.c.key).where(listed).order_by(_tables.c.opened.desc()).limit(MAX_LISTED)
        with self._begin() as connection:
            return list(connection.execute(query).scalars())

    def find_offer(self, offer: str) -> str | None:
        """Return the table with this public number, if it is still listed."""
        query = sa.select(_tables.c.key).where(_tables.c.offer == offer, _tables.c.stage == "waiting")
        with self._begin() as connection:
            return connection.execute(query).scalar_one_or_none()

    def withdraw(self, key: str) -> None:
        """Take a table from the list; its free seats are reached by link only."""
        with self._begin() as connection:
            self.count_change(connection, key)
            connection.execute(_tables.update().where(_tables.c.key == key).values(offer=None, bot_at=None))

    # ---- devices to notify ----------------------------------------------------------------------------

    def subscribe(self, wanted: Subscription) -> None:
        """Store that a device is notified of a seat's turns; beyond MAX_DEVICES devices of a seat nothing is stored."""
        same = {"link": wanted.link, "device": wanted.device}
        values = {name: value for name, value in vars(wanted).items() if name not in same}
        count = sa.select(sa.func.count()).where(pushes.c.link == wanted.link, pushes.c.device != wanted.device)
        with self._begin() as connection:
            if connection.execute(count).scalar_one() < MAX_DEVICES:
                upsert(connection, pushes, same, values)

    def unsubscribe(self, device: str, link: str | None = None) -> None:
        """Forget a device: for one seat, or entirely."""
        gone = pushes.delete().where(pushes.c.device == device)
        with self._begin() as connection:
            connection.execute(gone if link is None else gone.where(pushes.c.link == link))

    def is_subscribed(self, device: str, link: str) -> bool:
        """Return whether a device is notified of a seat's turns."""
        query = sa.select(pushes.c.seat).where(pushes.c.device == device, pushes.c.link == link)
        with self._begin() as connection:
            return connection.execute(query).first() is not None

    def claim_pushes(self, key: str, seats: Sequence[int], turn: int) -> list[Subscription]:
        """Return the devices to notify of a turn at a table. Each is returned once for a turn, to one process."""
        columns = [pushes.c[field.name] for field in fields(Subscription)]
        fresh = sa.and_(pushes.c.table == key, pushes.c.seat.in_(seats), pushes.c.told < turn)
        with self._begin() as connection:
            # Most tables notify nobody, and reading that locks nothing.
            if connection.execute(sa.select(pushes.c.link).where(fresh).limit(1)).first() is None:
                return []
        with self._begin() as connection:
            told = connection.execute(pushes.update().where(fresh).values(told=turn).returning(*columns))
            return [Subscription(*row) for row in told]
