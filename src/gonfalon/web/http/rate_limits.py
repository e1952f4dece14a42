"""Rate limits: one visitor leaves room for the others.

A whole club may come from one address. So a request with the link of a seat counts at that seat alone, and nothing that
a seat needs to play on is limited by others (`Guard.account`). Everything else counts at the address (with IPv6 at its
network), with room for some hundred people. What costs much (tables, studies, links that lead nowhere) has rates of its
own. Everything is kept in memory, and a refusal (`TooMany`) says when to try again.
"""

from __future__ import annotations

import ipaddress
import math
import time
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Final, NamedTuple
from weakref import WeakValueDictionary

import anyio
from starlette.requests import HTTPConnection

from gonfalon.core.basics.errors import GonfalonError


class Rate(NamedTuple):
    """At most `most` at once, then one every `every` seconds."""

    most: int
    every: float
    sentence: str


REQUESTS: Final = "requests"
TABLES: Final = "tables"
GUESSES: Final = "guesses"
STUDIES: Final = "studies"
TABLES_OF_DEVICE: Final = "tables of a device"
REMATCHES: Final = "rematches"
SEAT_REQUESTS: Final = "requests of a seat"
HINTS: Final = "hints"
VISITS: Final = "visits"
RATES: Final = {
    # of an address
    REQUESTS: Rate(3000, 0.002, "Too many requests came from your address in a short time."),
    TABLES: Rate(600, 2.0, "Too many tables were opened from your address in a short time."),
    GUESSES: Rate(300, 1.0, "Many links were tried from your address that lead nowhere."),
    STUDIES: Rate(60, 20.0, "Too many studies were started from your address in a short time."),
    # of a device
    TABLES_OF_DEVICE: Rate(60, 60.0, "You opened too many tables in a short time."),
    # of a table and its rematches
    REMATCHES: Rate(20, 10.0, "Too many rematches were offered at this table in a short time."),
    # of a seat
    SEAT_REQUESTS: Rate(1000, 0.01, "Your seat sent too many requests in a short time."),
    HINTS: Rate(30, 10.0, "Your seat asked for too many hints in a short time."),
    VISITS: Rate(30, 60.0, "Your seat was opened on too many devices in a short time."),
}
FOLLOWERS: Final = 1000
FOLLOWED: Final = 24
"""Sockets and streams of the spectators of a table, and of one seat, at a time."""
MAX_OPEN: Final = 1000
MAX_OPEN_OF_SEAT: Final = 64
"""Requests, streams and sockets of an address, and of one seat, at a time."""
PAGES: Final = 4
POSTS: Final = 32
"""Answers that are made for an address or a seat at a time; a post may wait for the end of a window, or for a hint."""
MAX_ACCOUNTS: Final = 20_000
MAX_SEATS: Final = 20_000
"""The accounts and the links of seats that are remembered."""


class TooMany(GonfalonError):
    """A client does too much; it may go on after some `seconds`."""

    def __init__(self, sentence: str, seconds: float) -> None:
        self.seconds: int = max(1, math.ceil(seconds))
        again = "a second" if self.seconds == 1 else f"{self.seconds} seconds"
        super().__init__(f"{sentence} Try again in {again}.")


class Limits:
    """The accounts of addresses, devices, tables and seats, with `factor` times the usual room; 0: without any
    limits."""

    def __init__(self, factor: float = 1.0, clock: Callable[[], float] = time.monotonic) -> None:
        self.factor: float = factor
        self.clock: Callable[[], float] = clock
        self._accounts: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()
        """How much is left of a rate, and since when."""
        self._seats: OrderedDict[str, None] = OrderedDict()
        """The accounts of seats: the hashes of their links."""
        self._open: Counter[str] = Counter()
        self._turns: WeakValueDictionary[tuple[str, int], anyio.Semaphore] = WeakValueDictionary()

    def spend(self, what: str, account: str) -> None:
        """Take one from an account. Raises TooMany."""
        if not self.factor:
            return
        rate, now, whose = RATES[what], self.clock(), (what, account)
        most, every = rate.most * self.factor, rate.every / self.factor
        left, since = self._accounts.get(whose, (most, now))
        left = min(most, left + (now - since) / every)
        spent = left >= 1
        self._accounts[whose] = left - spent, now
        self._accounts.move_to_end(whose)
        if len(self._accounts) > MAX_ACCOUNTS:
            self._accounts.popitem(last=False)
        if not spent:
            raise TooMany(rate.sentence, (1 - left) * every)

    def inherit(self, what: str, account: str, heir: str) -> None:
        """Let a new account begin with what is left to another, unless it has begun."""
        if (what, account) in self._accounts:
            self._accounts.setdefault((what, heir), self._accounts[what, account])

    def is_seat(self, account: str) -> bool:
        """Whether this account is known to be that of a seat."""
        return account in self._seats

    def add_seat(self, account: str) -> None:
        """Note that this is the account of a seat."""
        self._seats[account] = None
        if len(self._seats) > MAX_SEATS:
            self._seats.popitem(last=False)

    def count_request(self, account: str) -> None:
        """Count a request at an address or a seat. Raises TooMany."""
        self.spend(SEAT_REQUESTS if self.is_seat(account) else REQUESTS, account)

    @contextmanager
    def opened(self, account: str) -> Iterator[None]:
        """A request, stream or socket of an address or a seat. Raises TooMany."""
        if self.is_seat(account):
            most, sentence = MAX_OPEN_OF_SEAT, "Your seat has too many pages, streams or requests open."
        else:
            most, sentence = MAX_OPEN, "Your address has too many pages, streams or requests open."
        with self._counted(account, most, sentence):
            yield

    @contextmanager
    def followed(self, link: str, most: int) -> Iterator[None]:
        """A socket or stream by which a link follows its table. Raises TooMany."""
        with self._counted(link, most, "This table is followed on too many pages and streams by this link."):
            yield

    @contextmanager
    def _counted(self, name: str, most: int, sentence: str) -> Iterator[None]:
        if self.factor and self._open[name] >= most * self.factor:
            raise TooMany(sentence, 5)
        self._open[name] += 1
        try:
            yield
        finally:
            self._open[name] -= 1
            if not self._open[name]:
                del self._open[name]

    @asynccontextmanager
    async def turn(self, account: str, method: str) -> AsyncIterator[None]:
        """Wait until an answer can be made for an address or a seat: a few at a time, so that many heavy pages keep
        nobody else waiting."""
        if not self.factor:
            yield
            return
        most = PAGES if method in ("GET", "HEAD") else POSTS
        places = self._turns.get((account, most))
        if places is None:
            places = self._turns[account, most] = anyio.Semaphore(math.ceil(most * self.factor))
        async with places:
            yield


def client_of(connection: HTTPConnection) -> str:
    """Who asks: the address, of IPv6 its network, in which one client has all addresses."""
    host = connection.client.host if connection.client is not None else ""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv6Address):
        mapped = address.ipv4_mapped
        return str(mapped or ipaddress.ip_network((int(address) >> 64 << 64, 64)))
    return host
