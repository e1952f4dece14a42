"""The stream of a bot account: one line for each event at all its tables.

A new stream first reports the present state of everything: open challenges, running games, questions to the account,
and games that ended while it had no stream. So a program that was killed loses nothing. The stream also is the
account's presence, and accepts challenges by the account's rules.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Container, Sequence
from contextlib import suppress
from typing import Final, cast

import anyio
from anyio.to_thread import run_sync

from gonfalon.core.basics.errors import GonfalonError
from gonfalon.core.files.state_codec import StateCodec
from gonfalon.table.accounts import Account
from gonfalon.table.errors import Closing, NoAccount, StoreError
from gonfalon.table.game.clock import load_pace
from gonfalon.table.live.programs import Programs
from gonfalon.table.live.table import Table
from gonfalon.table.live.views import PaceShown
from gonfalon.table.store.account_rows import AccountSeat
from gonfalon.web.api.program_events import Event, ShownAccount, TableFacts, TurnEvent
from gonfalon.web.lobby.offers import find_house_rules

READ_SECONDS: Final = 1.0
"""Seconds between two reads of the account's seats. Challenges of this process are read at once."""


class FollowedSeat:
    """A seat of the account, or a challenge, and the events that its stream has sent."""

    def __init__(self, table: Table, seat: int, held: bool) -> None:
        self.table: Table = table
        self.seat: int = seat
        self.held: bool = held
        """Whether the account plays there."""
        self.begun: bool = False
        self.version: int | None = None
        """The version of the last question that was sent."""
        self.replaced: bool = False
        """Whether a bot plays for the program."""
        self.done: bool = False
        self.end_stored: bool = False
        """Whether the store knows that the end was reported."""
        self._codec: StateCodec | None = None
        table.presence.enter((seat,))

    def leave(self) -> None:
        """End the presence of the program."""
        self.table.presence.leave((self.seat,))

    def list_events(self, states: bool) -> list[Event]:
        """Return the events since the last call; with `states` questions hold the encoded view."""
        if self.done or not self.held or self.table.gathering.waits:
            return []
        if self.table.gathering.closed:
            self.done = True
            return [{"type": "withdrawn", "table": self.table.key}]
        found: list[Event] = []
        if not self.begun:
            self.begun = True
            options = self.table.game.without_secrets().shown_options()
            found.append({"type": "begun", **self.describe(), "options": options})
        replaced = self.table.row.seats[self.seat].stood_for
        if replaced and not self.replaced:
            found.append({"type": "replaced", "table": self.table.key, "seat": self.seat})
        # When the program has returned, its question is sent again.
        self.replaced, self.version = replaced, None if replaced else self.version
        view = self.table.build_view(self.seat)
        decision, version = view["decision"], view["version"]
        if view["over"] is not None:
            self.done = True
            found.append({"type": "ended", "table": self.table.key, "seat": self.seat, "over": view["over"]})
        elif decision is not None and version != self.version and not replaced:
            self.version = version
            actions = [action["id"] for action in decision["actions"]]
            turn: TurnEvent = {
                "type": "turn",
                "table": self.table.key,
                "seat": self.seat,
                "version": version,
                "actions": actions,
                "view": view,
            }
            if states:
                turn["state"] = self.encode_state()
            found.append(turn)
        return found

    def encode_state(self) -> dict[str, object]:
        """Return the view of the seat as bots receive it."""
        if self._codec is None:
            self._codec = StateCodec(self.table.game)
        return self._codec.encode_view(self.table.view(self.seat))

    def describe(self) -> TableFacts:
        """Return the facts of the table."""
        pace = load_pace(self.table.row.clock)
        return {
            "table": self.table.key,
            "seat": self.seat,
            "game": self.table.game.name,
            "names": list(self.table.facts.names),
            "clock": None if pace is None else cast(PaceShown, pace.to_json()),
            "rematch_of": self.table.row.rematch_of,
        }


class ProgramStream:
    """The events of an account for one connection."""

    def __init__(self, programs: Programs, account: Account, states: bool) -> None:
        self.programs: Programs = programs
        self.account: Account = account
        self.states: bool = states
        self.followed: dict[str, FollowedSeat] = {}
        self.unreadable: set[str] = set()
        """The tables that cannot be opened."""
        self._read: tuple[anyio.Event, float] | None = None
        """The news of challenges at the last read, and its time."""

    async def events(self, keep_alive: float) -> AsyncGenerator[Event | None, None]:
        """Yield the events; None after some seconds of silence."""
        async with self.programs.connected(self.account):
            try:
                yield {"type": "account", "account": describe_account(self.account, True)}
                spoke = anyio.current_time()
                with suppress(Closing, NoAccount):
                    while True:
                        news = self.list_news()
                        for event in [*await self.read_seats(), *self.look()]:
                            spoke = anyio.current_time()
                            yield event
                        await self.store_ends()
                        if anyio.current_time() - spoke >= keep_alive:
                            spoke = anyio.current_time()
                            yield None
                        await wait_for_any(news, READ_SECONDS)
            finally:
                for followed in self.followed.values():
                    followed.leave()

    def list_news(self) -> list[anyio.Event]:
        """Return the events of everything that may concern the account. They are taken before the reading, so that no
        change in between is missed."""
        tables = [one.table.current.news for one in self.followed.values()]
        return [*tables, self.programs.tables.challenged]

    async def store_ends(self) -> None:
        """Store the ends that were reported, so that no later stream reports them again."""
        for followed in self.followed.values():
            if followed.held and followed.done and not followed.end_stored:
                with suppress(StoreError):  # tried again in the next round
                    await run_sync(self.programs.store.report_end, followed.table.key, followed.seat)
                    followed.end_stored = True

    async def read_seats(self) -> list[Event]:
        """Read the seats of the account if they may have changed, answer challenges by its rules, and return the events
        of challenges. Raises Closing, NoAccount."""
        tables, now = self.programs.tables, anyio.current_time()
        tables.check_open()
        if self._read is not None and self._read[0] is tables.challenged and now - self._read[1] < READ_SECONDS:
            return []
        self._read = tables.challenged, now
        try:
            return await self._read_seats()
        except StoreError:  # while the database is away the stream waits
            return []

    async def _read_seats(self) -> list[Event]:
        store, found = self.programs.store, list[Event]()
        account = await run_sync(store.find_account, self.account.token)
        if account is None:
            raise NoAccount()
        connected = await run_sync(store.list_connected, [account.id], self.programs.tables.now())
        if store.process not in connected.get(account.id, ()):  # another process took this one for dead
            await self.programs.tell_connection(account)
        self.account = account
        seats = {seat.table: seat for seat in await self.programs.list_seats(account)}
        for key in [key for key in seats if key not in self.unreadable]:
            try:
                found += await self.read_seat(seats[key])
            except StoreError:
                raise
            except GonfalonError:  # one broken table must not hide the others
                self.unreadable.add(key)
        return found + self.drop_gone(seats.keys())

    async def read_seat(self, seat: AccountSeat) -> list[Event]:
        """Follow a seat or challenge that is new. Return the event of a challenge."""
        followed = self.followed.get(seat.table)
        if followed is None and not seat.held:
            return await self.meet_challenge(seat)
        if followed is None:
            await self.follow(seat)
        elif seat.held:
            followed.held = True
        return []

    async def meet_challenge(self, seat: AccountSeat) -> list[Event]:
        """Answer a challenge by the rules, or pass it on to the program."""
        table = await self.programs.settle(self.account, seat)
        if table is None:
            for one in await self.programs.list_seats(self.account):
                if one.table == seat.table and one.held:
                    await self.follow(one)
            return []
        followed = await self.follow(seat)
        return [{"type": "challenge", **followed.describe(), "options": find_house_rules(table.game)}]

    async def follow(self, seat: AccountSeat) -> FollowedSeat:
        """Follow a seat from now on. Raises GonfalonError if its table cannot be opened."""
        table = await self.programs.tables.table(seat.table)
        if seat.held and table.gathering.waits and table.row.seats[seat.seat].ready == "":
            # A server that was killed had seated the program, and no more.
            await self.programs.accept(self.account, seat.table)
        self.followed[seat.table] = FollowedSeat(table, seat.seat, seat.held)
        return self.followed[seat.table]

    def drop_gone(self, known: Container[str]) -> list[Event]:
        """Stop to follow the seats that ended or are lost. Return the events about challenges that are gone."""
        found: list[Event] = []
        for key in [key for key in self.followed if key not in known]:
            followed = self.followed[key]
            if followed.held and not followed.done and followed.table.position.over:
                continue  # its end is reported first
            followed.leave()
            del self.followed[key]
            if not followed.done:
                found.append({"type": "withdrawn", "table": key})
        return found

    def look(self) -> list[Event]:
        """Return the events at the tables of the account."""
        return [event for followed in self.followed.values() for event in followed.list_events(self.states)]


def describe_account(account: Account, connected: bool) -> ShownAccount:
    """Return an account for programs."""
    rules = account.rules
    return {
        "name": account.name,
        "title": account.title,
        "about": account.about,
        "connected": connected,
        "rules": {
            "games": list(rules.games),
            "seats": list(rules.seats),
            "clocks": rules.clocks,
            "cards": rules.cards,
            "tables": rules.tables,
            "ask": rules.ask,
        },
    }


async def wait_for_any(events: Sequence[anyio.Event], seconds: float) -> None:
    """Wait until one of these events is set, at most for some seconds."""

    async def wait(event: anyio.Event) -> None:
        await event.wait()
        tasks.cancel_scope.cancel()

    with anyio.move_on_after(seconds):
        async with anyio.create_task_group() as tasks:
            for event in events:
                tasks.start_soon(wait, event)
