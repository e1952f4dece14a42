"""The part of the store that holds proved deals: the server's secret, and the shares of the seats.

`Sealing`, which is read along with a table, is public. The secret and the opened shares are read for the deal, after a
restart, and after the end of the game.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from gonfalon.core.files.proof import Proof, format_signs, hash_commitment, hash_deal
from gonfalon.table import chance
from gonfalon.table.store.schema import Rows, schema

proofs: Final = sa.Table(
    "proofs",
    schema,
    sa.Column("table", sa.String(32), sa.ForeignKey("tables.key"), primary_key=True),
    sa.Column("attempt", sa.Integer, nullable=False),
    sa.Column("commitment", sa.String(64), nullable=False),
    sa.Column("secret", sa.String(64), nullable=False),
    sa.Column("opening", sa.Boolean, nullable=False),
    sa.Column("setup", sa.String(64)),
    sa.Column("options", sa.Text),
)
shares: Final = sa.Table(
    "shares",
    schema,
    sa.Column("table", sa.String(32), sa.ForeignKey("tables.key"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("closed", sa.String(64), nullable=False),
    sa.Column("opened", sa.String(64)),
)


@dataclass(frozen=True)
class Share:
    """The share of a seat: closed, or none; and whether it was opened."""

    closed: str | None
    opened: bool


@dataclass(frozen=True)
class Sealing:
    """The public part of a proved deal."""

    attempt: int
    commitment: str
    opening: bool
    """Whether all seats have added a share or none, so that shares are opened."""
    setup: str | None
    """Once opening: the hash of all choices of the game."""
    shares: Mapping[int, Share]

    def signs(self, seats: int) -> str | None:
        """Once opening: the signs that people compare."""
        shut = [self.shares[seat].closed if seat in self.shares else None for seat in range(seats)]
        return None if self.setup is None else format_signs(hash_deal(self.commitment, shut, self.setup))


def new_secret() -> str:
    """Return a new secret of the server: 256 random bits."""
    return f"{chance.SYSTEM.getrandbits(256):064x}"


class ProofRows(Rows):
    """Reads and writes proved deals."""

    def add_share(self, key: str, attempt: int, said: Mapping[int, str | None]) -> bool:
        """Store closed shares of seats, or none. Return False if it is too late."""
        with self._begin() as connection:
            if not _is_at(connection, key, attempt, opening=False):
                return False
            _forget_shares(connection, key, said)
            connection.execute(
                shares.insert(),
                [{"table": key, "seat": seat, "closed": shut or "", "opened": None} for seat, shut in said.items()],
            )
            self.count_change(connection, key)
        return True

    def forget_shares(self, key: str, seats: Collection[int]) -> None:
        """Delete the shares of these seats."""
        with self._begin() as connection:
            _forget_shares(connection, key, seats)
            self.count_change(connection, key)

    def begin_opening(self, key: str, attempt: int, seats: Collection[int], setup: str, options: str) -> bool:
        """Fix the closed shares of these seats and the options of the game. Return False if they are fixed already."""
        with self._begin() as connection:
            if not _is_at(connection, key, attempt, opening=False):
                return False
            others = sa.and_(shares.c.table == key, shares.c.seat.not_in(list(seats)))
            connection.execute(shares.delete().where(others))
            connection.execute(
                proofs.update().where(proofs.c.table == key).values(opening=True, setup=setup, options=options)
            )
            self.count_change(connection, key)
        return True

    def open_shares(self, key: str, attempt: int, opened: Mapping[int, str]) -> bool:
        """Store opened shares, each once. Return False if it is too late."""
        with self._begin() as connection:
            if not _is_at(connection, key, attempt, opening=True):
                return False
            for seat, share in opened.items():
                same = sa.and_(shares.c.table == key, shares.c.seat == seat, shares.c.opened.is_(None))
                connection.execute(shares.update().where(same).values(opened=share))
            self.count_change(connection, key)
        return True

    def seal_again(self, key: str, game: str, attempt: int) -> None:
        """After a failed attempt, start the next one with a new secret and without shares."""
        secret = new_secret()
        fresh = {"attempt": attempt + 1, "secret": secret, "opening": False, "setup": None, "options": None}
        fresh["commitment"] = hash_commitment(game, attempt + 1, secret)
        with self._begin() as connection:
            if _is_at(connection, key, attempt, opening=True):
                connection.execute(proofs.update().where(proofs.c.table == key).values(fresh))
                connection.execute(shares.delete().where(shares.c.table == key))
                self.count_change(connection, key)

    def secret_of(self, key: str) -> str:
        """Return the server's secret at a table with a proved deal."""
        with self._begin() as connection:
            found: str = connection.execute(sa.select(proofs.c.secret).where(proofs.c.table == key)).scalar_one()
            return found

    def options_of(self, key: str) -> str:
        """Return the options of a game whose shares are being opened."""
        with self._begin() as connection:
            return connection.execute(sa.select(proofs.c.options).where(proofs.c.table == key)).scalar_one() or "{}"

    def proof(self, key: str, seats: int) -> Proof | None:
        """Return the secret and the shares of a table, from the opening on. They determine all draws, including future
        ones."""
        with self._begin() as connection:
            row = connection.execute(sa.select(proofs).where(proofs.c.table == key)).one_or_none()
            if row is None or not row.opening:
                return None
            found = {share.seat: share for share in connection.execute(sa.select(shares).where(shares.c.table == key))}
        shut = tuple(found[seat].closed or None if seat in found else None for seat in range(seats))
        opened = tuple(found[seat].opened if seat in found else None for seat in range(seats))
        return Proof(row.attempt, row.commitment, row.secret, shut, opened, row.setup)


def store_secret(connection: Connection, key: str, game: str) -> None:
    """Store the first secret of a new table."""
    secret = new_secret()
    connection.execute(
        proofs.insert().values(
            table=key, attempt=1, commitment=hash_commitment(game, 1, secret), secret=secret, opening=False
        )
    )


def read_sealing(connection: Connection, key: str) -> Sealing | None:
    """Return the public part of a table's proved deal; None if there is none."""
    columns = proofs.c.attempt, proofs.c.commitment, proofs.c.opening, proofs.c.setup
    row = connection.execute(sa.select(*columns).where(proofs.c.table == key)).one_or_none()
    if row is None:
        return None
    # This part is public, so it says whether a share was opened and not what it is.
    told = sa.select(shares.c.seat, shares.c.closed, shares.c.opened.is_not(None).label("is_open"))
    found = connection.execute(told.where(shares.c.table == key).order_by(shares.c.seat))
    # An empty text is stored for a seat that adds no share.
    said = {share.seat: Share(share.closed or None, bool(share.is_open)) for share in found}
    return Sealing(row.attempt, row.commitment, row.opening, row.setup, said)


def _is_at(connection: Connection, key: str, attempt: int, opening: bool) -> bool:
    """Return whether a deal is at this attempt and stage. It stays there until this transaction ends."""
    same = sa.and_(proofs.c.table == key, proofs.c.attempt == attempt, proofs.c.opening.is_(opening))
    # The update changes nothing but locks the row.
    return connection.execute(proofs.update().where(same).values(attempt=attempt)).rowcount == 1


def _forget_shares(connection: Connection, key: str, seats: Collection[int]) -> None:
    connection.execute(shares.delete().where(shares.c.table == key, shares.c.seat.in_(list(seats))))
