"""Rate limits, by which one visitor leaves room for the others.

A whole club may share one address. So a request with the link of a seat counts at that seat alone, and no visitor can
limit anything that another needs to play on (`Guard.account`). All other requests count at the address (for IPv6 at its
network), with room for some hundred people. Expensive requests (new tables, studies, wrong links) have limits of their
own. All counts are kept in memory, and a refusal (`TooMany`) says when to retry. Each of several processes has its
share of the limits (`divide_limits`), so that together they allow no more than one.
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
from gonfalon.core.text.english import many
from gonfalon.web import messages


class Rate(NamedTuple):
    """A limit: `most` at once, then one every `every` seconds."""

    most: int
    every: float
    sentence: str


REQUESTS: Final = "requests"
TABLES: Final = "tables"
GUESSES: Final = "guesses"
STUDIES: Final = "studies"
OFFERS: Final = "offers"
SITTING: Final = "sitting down at open tables"
TABLES_OF_DEVICE: Final = "tables of a device"
REMATCHES: Final = "rematches"
SEAT_REQUESTS: Final = "requests of a seat"
HINTS: Final = "hints"
CARD_SETS: Final = "sets of cards"
VISITS: Final = "visits"
REPORTS: Final = "reports"
RATES: Final = {
    # of an address
    REQUESTS: Rate(3000, 0.002, messages.MANY_REQUESTS),
    TABLES: Rate(600, 2.0, messages.MANY_TABLES),
    GUESSES: Rate(300, 1.0, messages.MANY_GUESSES),
    CARD_SETS: Rate(300, 1.0, messages.MANY_CARD_SETS),
    STUDIES: Rate(60, 20.0, messages.MANY_STUDIES_STARTED),
    SITTING: Rate(60, 10.0, messages.MANY_SITTING),
    # of a device, or of an address if it has no key
    OFFERS: Rate(10, 60.0, messages.MANY_OFFERS),
    REPORTS: Rate(5, 300.0, messages.MANY_REPORTS),
    # of a device
    TABLES_OF_DEVICE: Rate(60, 60.0, messages.MANY_TABLES_OF_DEVICE),
    # of a table and its rematches
    REMATCHES: Rate(20, 10.0, messages.MANY_REMATCHES),
    # of a seat
    SEAT_REQUESTS: Rate(1000, 0.01, messages.MANY_REQUESTS_OF_SEAT),
    HINTS: Rate(30, 10.0, messages.MANY_HINTS),
    VISITS: Rate(30, 60.0, messages.MANY_VISITS),
}
FOLLOWERS: Final = 1000
FOLLOWED: Final = 24
"""The number of simultaneous sockets and streams of a table's spectators, and of one seat."""
MAX_OPEN: Final = 1000
MAX_OPEN_OF_SEAT: Final = 64
"""The number of simultaneous requests, streams and sockets of an address, and of one seat."""
PAGES: Final = 4
POSTS: Final = 32
"""The number of responses that are computed at once for an address or a seat. A post may wait for the end of a window,
or for a hint."""
MAX_ACCOUNTS: Final = 20_000
MAX_SEATS: Final = 20_000
"""The number of accounts, and of links of seats, that are remembered."""


class TooMany(GonfalonError):
    """A client exceeds a limit. It may retry after this number of `seconds`."""

    def __init__(self, sentence: str, seconds: float) -> None:
        self.seconds: int = max(1, math.ceil(seconds))
        super().__init__(messages.TRY_AGAIN.format(reason=sentence, time=many(self.seconds, "second")))


class Limits:
    """The accounts of addresses, devices, tables and seats, with `factor` times the usual limits; 0 for no limits."""

    def __init__(self, factor: float = 1.0, clock: Callable[[], float] = time.monotonic) -> None:
        self.factor: float = factor
        self.clock: Callable[[], float] = clock
        self._accounts: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()
        """For each account the rest of its limit, and the time of that count."""
        self._seats: OrderedDict[str, None] = OrderedDict()
        """The accounts of seats, which are the hashes of their links."""
        self._open: Counter[str] = Counter()
        # A semaphore lives as long as a request holds it or waits for it.
        self._turns: WeakValueDictionary[tuple[str, int], anyio.Semaphore] = WeakValueDictionary()

    def spend(self, what: str, account: str) -> None:
        """Count one against an account. Raises TooMany."""
        if not self.factor:
            return
        rate, now, whose = RATES[what], self.clock(), (what, account)
        # A share of a small limit still allows one.
        most, every = max(1.0, rate.most * self.factor), rate.every / self.factor
        left, since = self._accounts.get(whose, (most, now))
        # A token bucket: it is refilled by time, up to its size.
        left = min(most, left + (now - since) / every)
        spent = left >= 1
        self._accounts[whose] = left - spent, now
        self._accounts.move_to_end(whose)
        # The account that was idle longest has most likely recovered all of its limit.
        if len(self._accounts) > MAX_ACCOUNTS:
            self._accounts.popitem(last=False)
        if not spent:
            raise TooMany(rate.sentence, (1 - left) * every)

    def inherit(self, what: str, account: str, heir: str) -> None:
        """Start a new account with the rest of another, unless it has started."""
        if (what, account) in self._accounts:
            self._accounts.setdefault((what, heir), self._accounts[what, account])

    def is_seat(self, account: str) -> bool:
        """Return whether an account is known to be that of a seat."""
        return account in self._seats

    def add_seat(self, account: str) -> None:
        """Note that an account is that of a seat."""
        self._seats[account] = None
        if len(self._seats) > MAX_SEATS:
            self._seats.popitem(last=False)

    def count_request(self, account: str) -> None:
        """Count a request of an address or a seat. Raises TooMany."""
        self.spend(SEAT_REQUESTS if self.is_seat(account) else REQUESTS, account)

    @contextmanager
    def opened(self, account: str) -> Iterator[None]:
        """Count an open request, stream or socket of an address or a seat within the block. Raises TooMany."""
        if self.is_seat(account):
            most, sentence = MAX_OPEN_OF_SEAT, messages.MANY_OPEN_OF_SEAT
        else:
            most, sentence = MAX_OPEN, messages.MANY_OPEN
        with self._counted(account, most, sentence):
            yield

    @contextmanager
    def followed(self, link: str, most: int) -> Iterator[None]:
        """Count a socket or stream of a link within the block. Raises TooMany."""
        with self._counted(link, most, messages.MANY_FOLLOWERS):
            yield

    @contextmanager
    def _counted(self, name: str, most: int, sentence: str) -> Iterator[None]:
        if self.factor and self._open[name] >= max(1.0, most * self.factor):
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
        """Wait until a response can be computed for an address or a seat. Only a few are computed at a time, so that
        many heavy pages delay no other visitor."""
        if not self.factor:
            yield
            return
        most = PAGES if method in ("GET", "HEAD") else POSTS
        places = self._turns.get((account, most))
        if places is None:
            places = self._turns[account, most] = anyio.Semaphore(math.ceil(most * self.factor))
        async with places:
            yield


def divide_limits(factor: float, processes: int) -> float:
    """Return the factor for the limits of each of several processes, which count apart."""
    return factor / processes


def client_of(connection: HTTPConnection) -> str:
    """Return the address of a client; for IPv6 its network, for one client has all its addresses."""
    host = connection.client.host if connection.client is not None else ""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv6Address):
        # Sockets for both protocols write IPv4 addresses in this form.
        mapped = address.ipv4_mapped
        return str(mapped or ipaddress.ip_network((int(address) >> 64 << 64, 64)))
    return host
