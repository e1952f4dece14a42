"""What one client may do, and what may be done at one table by one link, so that nobody takes the table away from the
others.

A client is an address, or with IPv6 the network of an address. What it may do at a time and in the long run is in
`RATES`; behind one address there may be a whole club, so there is a lot of room. Everything is kept in memory, and a
refusal (`TooMany`) says when to try again. At a table each link has an account of its own, whatever addresses it comes
from: all who watch have one together, so that they cannot use up what the players have.
"""

from __future__ import annotations

import ipaddress
import math
import time
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import Final, NamedTuple
from weakref import WeakValueDictionary

import anyio
from starlette.requests import HTTPConnection

from gonfalon.core.errors import GonfalonError
from gonfalon.table.seats import WATCH


class Rate(NamedTuple):
    """So many at once, and then one every so many seconds."""

    most: int
    every: float
    sentence: str


REQUESTS: Final = "requests"
TABLES: Final = "tables"
HINTS: Final = "hints"
GUESSES: Final = "guesses"
VISITS: Final = "visits"
STUDIES: Final = "studies"
RATES: Final = {
    REQUESTS: Rate(1000, 0.005, "These are too many requests for a short time."),
    TABLES: Rate(60, 60.0, "You have opened many tables in a short time."),
    HINTS: Rate(60, 5.0, "You have asked for many hints in a short time."),
    GUESSES: Rate(60, 5.0, "Many links were tried from your address that lead nowhere."),
    VISITS: Rate(300, 12.0, "Many browsers have come to many tables from your address."),
    STUDIES: Rate(20, 60.0, "Many studies were begun from your address in a short time."),
}
POSTED: Final = "posted"
ADVICE: Final = "advice"
AT_TABLE: Final = {
    POSTED: Rate(600, 0.02, "This seat has sent very much in a short time."),
    ADVICE: Rate(30, 10.0, "Many hints were given at this seat in a short time."),
}
"""What may be done at one table by one link."""
FOLLOWERS: Final = 300
FOLLOWED: Final = 24
"""Sockets and streams of those who watch a table, and of one seat, at a time."""
MOST_OPEN: Final = 200
"""Requests, streams and sockets of a client at a time."""
PAGES: Final = 4
POSTS: Final = 32
"""Answers that are made for a client at a time; a post may wait for the end of a window, or for a thought."""
CLIENTS: Final = 5_000
LINKS: Final = 200
"""So many clients are remembered, and of each so many links that led somewhere."""


class TooMany(GonfalonError):
    """A client does too much; it may go on after some `seconds`."""

    def __init__(self, sentence: str, seconds: float) -> None:
        self.seconds: int = max(1, math.ceil(seconds))
        again = "a second" if self.seconds == 1 else f"{self.seconds} seconds"
        super().__init__(f"{sentence} Try again in {again}.")


class Account:
    """What is left to one client, or to one link."""

    def __init__(self, now: float, factor: float, rates: Mapping[str, Rate] = RATES) -> None:
        self.left: dict[str, tuple[float, float]] = {what: (rate.most * factor, now) for what, rate in rates.items()}
        self.links: OrderedDict[int, None] = OrderedDict()
        """Links that led somewhere lately, as their hashes."""


class Limits:
    """Everybody's accounts. With `factor` times as much room as usual; 0: without any limits."""

    def __init__(self, factor: float = 1.0, clock: Callable[[], float] = time.monotonic) -> None:
        self.factor: float = factor
        self.clock: Callable[[], float] = clock
        self._accounts: OrderedDict[str, Account] = OrderedDict()
        self._links: OrderedDict[str, Account] = OrderedDict()
        self._open: Counter[str] = Counter()
        self._turns: WeakValueDictionary[tuple[str, int], anyio.Semaphore] = WeakValueDictionary()

    def spend(self, what: str, client: str) -> None:
        """Take one from a client's account. Raises TooMany."""
        if wait := self._wait(what, client):
            raise TooMany(RATES[what].sentence, wait)
        if self.factor:
            left = self._account(client).left
            left[what] = (left[what][0] - 1, left[what][1])

    def spend_at(self, what: str, link: str) -> None:
        """Take one from the account of a link at its table (`link_of`). Raises TooMany."""
        if not self.factor:
            return
        if link not in self._links:
            self._links[link] = Account(self.clock(), self.factor, AT_TABLE)
            if len(self._links) > CLIENTS:
                self._links.popitem(last=False)
        self._links.move_to_end(link)
        account, rate = self._links[link], AT_TABLE[what]
        if wait := self._wait_of(account, what, rate):
            raise TooMany(rate.sentence, wait)
        account.left[what] = (account.left[what][0] - 1, account.left[what][1])

    @contextmanager
    def followed(self, link: str, most: int) -> Iterator[None]:
        """A socket or stream by which a link follows its table. Raises TooMany."""
        if self.factor and self._open[link] >= most * self.factor:
            raise TooMany("This table is followed on too many pages and streams by this link.", 5)
        with self._counted(link):
            yield

    @contextmanager
    def opened(self, client: str) -> Iterator[None]:
        """Something that lasts. Raises TooMany."""
        if self.factor and self._open[client] >= MOST_OPEN * self.factor:
            raise TooMany("Your address has too many pages, streams or requests open.", 5)
        with self._counted(client):
            yield

    @contextmanager
    def _counted(self, name: str) -> Iterator[None]:
        self._open[name] += 1
        try:
            yield
        finally:
            self._open[name] -= 1
            if not self._open[name]:
                del self._open[name]

    @asynccontextmanager
    async def turn(self, client: str, method: str) -> AsyncIterator[None]:
        """Wait until an answer can be made for a client: a few at a time, or whoever asks for many heavy pages at once
        would have everybody else wait for them."""
        if not self.factor:
            yield
            return
        most = PAGES if method in ("GET", "HEAD") else POSTS
        places = self._turns.get((client, most))
        if places is None:
            places = self._turns[client, most] = anyio.Semaphore(math.ceil(most * self.factor))
        async with places:
            yield

    def try_link(self, client: str, link: tuple[str, str]) -> None:
        """Before a link is followed: whoever has guessed too often waits, but for the links that they have in use.
        Raises TooMany."""
        if (wait := self._wait(GUESSES, client)) and hash(link) not in self._account(client).links:
            raise TooMany(RATES[GUESSES].sentence, wait)

    def found(self, client: str, link: tuple[str, str]) -> None:
        """A link has led somewhere."""
        if self.factor:
            links = self._account(client).links
            links[hash(link)] = None
            links.move_to_end(hash(link))
            if len(links) > LINKS:
                links.popitem(last=False)

    def missed(self, client: str) -> None:
        """A link has led nowhere, or somebody asked for a seat that is another's."""
        if not self._wait(GUESSES, client):
            self.spend(GUESSES, client)

    def _wait(self, what: str, client: str) -> float:
        """Seconds until the client may do this; 0 for now."""
        if not self.factor:
            return 0.0
        return self._wait_of(self._account(client), what, RATES[what])

    def _wait_of(self, account: Account, what: str, rate: Rate) -> float:
        now = self.clock()
        left, since = account.left[what]
        every = rate.every / self.factor
        left = min(rate.most * self.factor, left + (now - since) / every)
        account.left[what] = (left, now)
        return 0.0 if left >= 1 else (1 - left) * every

    def _account(self, client: str) -> Account:
        if client not in self._accounts:
            self._accounts[client] = Account(self.clock(), self.factor)
            if len(self._accounts) > CLIENTS:
                self._accounts.popitem(last=False)
        self._accounts.move_to_end(client)
        return self._accounts[client]


def link_of(key: str, seats: Sequence[int]) -> str:
    """The name of a link's account at its table: those who watch have one together."""
    return f"{key} {seats[0] if seats else WATCH}"


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
