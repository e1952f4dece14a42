"""The part of the store that holds bot accounts, their connections and their challenges."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Row
from sqlalchemy.exc import IntegrityError

from gonfalon.table import messages
from gonfalon.table.accounts import AcceptRules, Account
from gonfalon.table.errors import Conflict
from gonfalon.table.store.schema import schema
from gonfalon.table.store.shared_rows import SILENT, PresenceRow, SharedRows, presences, processes

ACCOUNT_SEAT: Final = 0
"""In place of a seat: the streams of an account are stored like the open pages of a seat."""
NEW_SECONDS: Final = 60.0
"""Seconds for which a table is new: its players may not have opened its page yet."""
MAX_FOLLOWED: Final = 64
"""The number of tables that the streams of an account report. Tables that all others have left come last."""

_tables: Final = sa.table("tables", *(sa.column(name) for name in ("key", "stage", "ended", "opened")))
_seats: Final = sa.table(
    "seats",
    *(sa.column(name) for name in ("table", "seat", "name", "token", "bot", "ready", "program", "reason")),
    sa.column("end_reported", sa.Boolean),
)
accounts: Final = sa.Table(
    "accounts",
    schema,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("name", sa.String(96), nullable=False, unique=True),
    sa.Column("token", sa.String(64), nullable=False, unique=True),
    sa.Column("about", sa.Text, nullable=False),
    sa.Column("rules", sa.Text, nullable=False),
    sa.Column("created", sa.Float, nullable=False),
)


class AccountSeat(NamedTuple):
    """A seat of an account: in a game that runs or whose end was not reported, or in a challenge that is open."""

    table: str
    seat: int
    held: bool
    """Whether the account plays there. Otherwise it is challenged."""
    active: bool
    """Whether the table has not ended, and another player is present or the table is new."""


class AccountRows(SharedRows):
    """Reads and writes bot accounts."""

    def add_account(self, account: Account) -> None:
        """Store a new account. Raises Conflict if its name is taken."""
        values = vars(account) | {"rules": account.rules.dumps()}
        try:
            with self._begin() as connection:
                connection.execute(accounts.insert().values(values))
        except IntegrityError:
            raise Conflict(messages.ACCOUNT_EXISTS.format(name=account.name)) from None

    def list_accounts(self) -> list[Account]:
        """Return all accounts by name."""
        with self._begin() as connection:
            return [_read_account(row) for row in connection.execute(sa.select(accounts).order_by(accounts.c.name))]

    def find_account(self, token: str) -> Account | None:
        """Return the account of a (hashed) token."""
        with self._begin() as connection:
            row = connection.execute(sa.select(accounts).where(accounts.c.token == token)).one_or_none()
            return None if row is None else _read_account(row)

    def change_token(self, account: Account, token: str) -> None:
        """Give an account and all its seats a new (hashed) token."""
        with self._begin() as connection:
            self._change_seats(connection, account, token)
            connection.execute(accounts.update().where(accounts.c.id == account.id).values(token=token))

    def remove_account(self, account: Account, token: str) -> None:
        """Delete an account. Its seats get a (hashed) token that no one has, and its challenges are declined."""
        with self._begin() as connection:
            self._change_seats(connection, account, token)
            challenged = sa.and_(_seats.c.program == account.id, _seats.c.token.is_(None), _seats.c.bot.is_(None))
            for key in connection.execute(sa.select(_seats.c.table).where(challenged)).scalars().all():
                self.count_change(connection, key)
            connection.execute(_seats.update().where(challenged).values(ready="no"))
            connection.execute(accounts.delete().where(accounts.c.id == account.id))

    def _change_seats(self, connection: Connection, account: Account, token: str) -> None:
        held = _seats.c.token == account.token
        keys = connection.execute(sa.select(_seats.c.table).where(held).order_by(_seats.c.table)).scalars().all()
        for key in keys:
            self.count_change(connection, key)
        connection.execute(_seats.update().where(held).values(token=token))

    # ---- connections and seats ------------------------------------------------------------------------

    def connect_account(self, account: str, process: str, streams: int) -> None:
        """Store the number of an account's streams at a process."""
        self.be_present(account, [PresenceRow(process, ACCOUNT_SEAT, streams)])

    def list_connected(self, ids: Iterable[str], now: float) -> dict[str, set[str]]:
        """Return the connected ones among some accounts, each with the processes of its streams."""
        lives = sa.func.abs(processes.c.beat) > now - SILENT
        query = sa.select(presences.c.table, presences.c.process).join(
            processes, processes.c.process == presences.c.process
        )
        found: dict[str, set[str]] = {}
        with self._begin() as connection:
            for row in connection.execute(query.where(presences.c.table.in_(ids), presences.c.pages > 0, lives)):
                found.setdefault(row.table, set()).add(row.process)
        return found

    def decline(self, key: str, seat: int, account: str, reason: str) -> None:
        """Store that an account declines the challenge to a seat."""
        free = sa.and_(_seats.c.program == account, _seats.c.token.is_(None), _seats.c.bot.is_(None))
        same = sa.and_(_seats.c.table == key, _seats.c.seat == seat, free)
        with self._begin() as connection:
            self.count_change(connection, key)
            connection.execute(_seats.update().where(same).values(ready="no", reason=reason))

    def report_end(self, key: str, seat: int) -> None:
        """Store that a stream has reported the end of a game to the account at a seat."""
        same = sa.and_(_seats.c.table == key, _seats.c.seat == seat)
        with self._begin() as connection:
            connection.execute(_seats.update().where(same).values(end_reported=True))

    def list_account_seats(self, account: Account, now: float) -> list[AccountSeat]:
        """Return the seats of an account in games that run or whose end was not reported, and its challenges at active
        tables: first the ended games, then the active ones, then the newest, at most MAX_FOLLOWED."""
        lives = sa.func.abs(processes.c.beat) > now - SILENT
        other = sa.and_(presences.c.seat >= 0, presences.c.seat != _seats.c.seat)
        here = sa.and_(presences.c.table == _seats.c.table, sa.or_(presences.c.pages > 0, presences.c.until > now))
        joined = presences.join(processes, processes.c.process == presences.c.process)
        present = sa.select(presences.c.seat).select_from(joined).where(here, other, lives).correlate(_seats).exists()
        runs = _tables.c.ended.is_(None)
        active = sa.and_(runs, sa.or_(present, _tables.c.opened > now - NEW_SECONDS))
        followed = sa.and_(sa.or_(runs, ~_seats.c.end_reported), _tables.c.stage != "closed")
        held = sa.and_(_seats.c.token == account.token, followed)
        free = sa.and_(_seats.c.token.is_(None), _seats.c.bot.is_(None), _seats.c.ready != "no")
        asked = sa.and_(_seats.c.program == account.id, free, _tables.c.stage == "waiting", active)
        query = (
            sa.select(_seats.c.table, _seats.c.seat, _seats.c.token.is_not(None), active)
            .select_from(_seats.join(_tables, _tables.c.key == _seats.c.table))
            .where(sa.or_(held, asked))
            .order_by(runs, sa.desc(active), _tables.c.opened.desc(), _seats.c.table)
            .limit(MAX_FOLLOWED)
        )
        with self._begin() as connection:
            return [AccountSeat(key, seat, bool(held), bool(on)) for key, seat, held, on in connection.execute(query)]


def _read_account(row: Row[tuple[object, ...]]) -> Account:
    return Account(row.id, row.name, row.token, row.about, AcceptRules.loads(row.rules), row.created)
