"""The programs of bot accounts: which are connected, the challenges to them, and their answers.

A challenge is a free seat that is kept for an account, like the seats of a rematch for its players. So a rematch
challenges a program again, and the opener of a table can replace a silent program as they can a silent player.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Final, NamedTuple

import anyio
from anyio.to_thread import run_sync

from gonfalon.core.basics.errors import OptionError
from gonfalon.core.files.card_sets import describe_card_set
from gonfalon.core.rules.game import Game
from gonfalon.table import messages
from gonfalon.table.accounts import MAX_ABOUT_LENGTH, REASONS, AcceptRules, Account, find_reason
from gonfalon.table.errors import Conflict, NoAccount, NoChoice, NoTable, NoWay, Stale, StoreError, Withdrawn
from gonfalon.table.game.clock import Pace, load_pace
from gonfalon.table.links import LinkHolder, Program, Seating, hash_token, new_key, new_token
from gonfalon.table.live.table import Table
from gonfalon.table.live.tables import Tables
from gonfalon.table.seats.names import MAX_NAME_CHARACTERS, clean_name, find_skeletons, split_clusters
from gonfalon.table.store.account_rows import AccountSeat
from gonfalon.table.store.store import SeatRow, Store

MAX_ACCOUNT_NAME: Final = 14
"""Letters of an account's name: with the mark of a program it is no longer than other names."""


class ShownProgram(NamedTuple):
    """A bot account for a list."""

    account: Account
    connected: bool


class Programs:
    """The bot accounts of a server."""

    def __init__(self, tables: Tables) -> None:
        self.tables: Tables = tables
        self.store: Store = tables.store
        self._streams: Counter[str] = Counter()

    # ---- accounts -------------------------------------------------------------------------------------

    async def find_account(self, token: str) -> Account:
        """Return the account of a token. Raises NoAccount."""
        account = await run_sync(self.store.find_account, hash_token(token))
        if account is None:
            raise NoAccount()
        return account

    async def list_programs(self, game: str = "") -> list[ShownProgram]:
        """Return the accounts that play a game, by default all, the connected ones first."""
        found = await run_sync(self.store.list_accounts)
        wanted = [one for one in found if not game or not one.rules.games or game in one.rules.games]
        connected = await run_sync(self.store.list_connected, [one.id for one in wanted], self.tables.now())
        shown = [ShownProgram(one, one.id in connected) for one in wanted]
        return sorted(shown, key=lambda one: not one.connected)

    @asynccontextmanager
    async def connected(self, account: Account) -> AsyncIterator[None]:
        """Count a stream of an account within the block."""
        self._streams[account.id] += 1
        try:
            await self.tell_connection(account)
            yield
        finally:
            self._streams[account.id] -= 1
            with anyio.CancelScope(shield=True), suppress(StoreError):  # after a failure the heartbeat ends it
                await self.tell_connection(account)

    async def tell_connection(self, account: Account) -> None:
        """Store the number of an account's streams at this process."""
        await run_sync(self.store.connect_account, account.id, self.store.process, self._streams[account.id])

    # ---- challenges -----------------------------------------------------------------------------------

    async def invite(self, sitters: Sequence[Seating], game: Game, pace: Pace | None) -> list[Seating]:
        """Return the players of a new table with each program's account. Raises OptionError if a program does not
        accept the table."""
        known = {one.account.name: one for one in await self.list_programs()}
        found = [
            await self._find_invited(known, sitter.name, game, pace) if isinstance(sitter, Program) else sitter
            for sitter in sitters
        ]
        programs = [sitter for sitter in found if isinstance(sitter, Program)]
        for sitter in programs:
            if programs.count(sitter) > 1:
                raise OptionError(messages.PROGRAM_TWICE.format(name=sitter.name))
        return found

    async def _find_invited(
        self, known: Mapping[str, ShownProgram], name: str, game: Game, pace: Pace | None
    ) -> Program:
        shown = known.get(name)
        if shown is None:
            raise OptionError(messages.UNKNOWN_ACCOUNT.format(name=clean_name(name) or repr(name[:40])))
        account = shown.account
        if not shown.connected:
            raise OptionError(messages.NOT_CONNECTED.format(name=account.title))
        if reason := await self.find_reason(account, game, pace):
            raise OptionError(messages.PROGRAM_DECLINES.format(name=account.title, reason=REASONS[reason]))
        return Program(account.title, account.id)

    async def list_seats(self, account: Account) -> list[AccountSeat]:
        """Return the seats of an account and the challenges to it."""
        return await run_sync(self.store.list_account_seats, account, self.tables.now())

    async def find_reason(self, account: Account, game: Game, pace: Pace | None, challenged: bool = False) -> str:
        """Return the reason for which the rules of an account decline a table; empty if they accept it. Open challenges
        count like games unless the account is `challenged` to this table already."""
        seats = [seat for seat in await self.list_seats(account) if seat.active and (seat.held or not challenged)]
        return find_reason(account.rules, game, pace, bool(describe_card_set(game)), len(seats))

    async def find_challenge(self, account: Account, key: str) -> tuple[Table, SeatRow]:
        """Return the table and seat of an open challenge. Raises NoWay."""
        with suppress(NoTable):
            table = await self.tables.table(key)
            for row in table.row.seats:
                if row.program == account.id and row.expected and row.ready != "no" and table.gathering.waits:
                    return table, row
        raise NoWay(messages.NOT_CHALLENGED)

    async def accept(self, account: Account, key: str, brings: str = "") -> None:
        """Take the seat of a challenge, ready with a choice, by default the preset one. A repeated call changes
        nothing. Raises NoWay, OptionError, Stale, Withdrawn."""
        table, row = await self._find_own_seat(account, key)
        if row.token is None:
            # An invalid choice is refused before the seat is taken.
            await run_sync(table.gathering.judge, {row.seat: brings or row.brings})
            async with table.current.lock:
                taken = await run_sync(
                    self.store.sit, key, {row.seat: row.name}, account.token, account.id, "", self.tables.now()
                )
                await table.current.seats_changed()
            if not taken:
                raise NoWay(messages.NOT_CHALLENGED)
        if table.gathering.waits:
            await table.gathering.be_ready(LinkHolder(row.seat), {row.seat: brings} if brings else {})

    async def _find_own_seat(self, account: Account, key: str) -> tuple[Table, SeatRow]:
        """Return the table and seat that an account holds or is challenged to. Raises NoWay."""
        with suppress(NoTable):
            table = await self.tables.table(key)
            for row in table.row.seats:
                if row.token == account.token:
                    return table, row
        return await self.find_challenge(account, key)

    async def decline(self, account: Account, key: str, reason: str = "later") -> None:
        """Decline a challenge. Raises NoWay, NoChoice, Stale, Withdrawn."""
        if reason not in REASONS:
            raise NoChoice(messages.NO_REASON.format(choices=", ".join(REASONS)))
        table, row = await self.find_challenge(account, key)
        async with table.current.lock:
            await run_sync(self.store.decline, key, row.seat, account.id, reason)
            await table.current.seats_changed()

    async def settle(self, account: Account, seat: AccountSeat) -> Table | None:
        """Answer a challenge by the rules of an account. Return its table if the program itself has to answer."""
        with suppress(NoWay, OptionError, Stale, Withdrawn):  # another process was faster, or the opener has left
            table, _ = await self.find_challenge(account, seat.table)
            reason = await self.find_reason(account, table.game, load_pace(table.row.clock), challenged=True)
            if reason:
                await self.decline(account, seat.table, reason)
            elif account.rules.ask:
                return table
            else:
                await self.accept(account, seat.table)
        return None


# ---- the operator's commands --------------------------------------------------------------------------


def create_account(store: Store, name: str, about: str, rules: AcceptRules) -> tuple[Account, str]:
    """Store a new account. Return it and its token, which is reported only here. Raises OptionError, Conflict."""
    cleaned = clean_name(name)
    title = messages.PROGRAM_NAME.format(name=cleaned)
    if not cleaned or len(split_clusters(cleaned)) > MAX_ACCOUNT_NAME or len(title) > MAX_NAME_CHARACTERS:
        raise OptionError(messages.NO_ACCOUNT_NAME.format(most=MAX_ACCOUNT_NAME))
    about = " ".join(about.split())
    if len(about) > MAX_ABOUT_LENGTH or not about.isprintable():
        raise OptionError(messages.ABOUT_TOO_LONG.format(most=MAX_ABOUT_LENGTH))
    if any(find_skeletons(one.name) & find_skeletons(cleaned) for one in store.list_accounts()):
        raise Conflict(messages.ACCOUNT_EXISTS.format(name=cleaned))
    token = new_token()
    account = Account(new_key(), cleaned, hash_token(token), about, rules, time.time())
    store.add_account(account)
    return account, token


def find_named(store: Store, name: str) -> Account:
    """Return the account with a name. Raises OptionError."""
    for account in store.list_accounts():
        if account.name == name:
            return account
    raise OptionError(messages.UNKNOWN_ACCOUNT.format(name=clean_name(name) or repr(name[:40])))


def renew_token(store: Store, name: str) -> str:
    """Give an account a new token and return it; the old one is void. Raises OptionError."""
    token = new_token()
    store.change_token(find_named(store, name), hash_token(token))
    return token


def remove_account(store: Store, name: str) -> None:
    """Delete an account. Its running games go on without it. Raises OptionError."""
    store.remove_account(find_named(store, name), hash_token(new_token()))
