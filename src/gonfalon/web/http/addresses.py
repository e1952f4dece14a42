"""How a server is reached: the address that its links begin with, and the proxies whose word it takes.

Neither is guessed: a proxy that is not named may say of nobody who they are, and links begin with what the visitor's
browser asked for only where no address was set.
"""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection

from gonfalon.core.basics.errors import GonfalonError


class AddressError(GonfalonError):
    """An address that cannot be one of this server, or of a proxy."""


@dataclass(frozen=True)
class Whereabouts:
    """`base` is an address without a path (`https://club.example`), empty for whatever the browser asked for.

    `proxies` are addresses and networks; what they say of the visitor's address and scheme is believed. Raises
    AddressError.
    """

    base: str = ""
    proxies: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.base and not is_base(self.base):
            raise AddressError(f"{self.base!r} is no address to begin links with; one looks like https://club.example.")
        for proxy in self.proxies:
            try:
                ipaddress.ip_network(proxy)
            except ValueError:
                raise AddressError(
                    f"{proxy!r} is no address or network of a proxy; one looks like 10.0.0.0/8."
                ) from None

    def base_url(self, connection: HTTPConnection) -> str:
        """What links to this server begin with, for this visitor."""
        url = connection.url
        return self.base or f"{url.scheme.replace('ws', 'http', 1)}://{url.netloc}"

    def hosts(self, asked: str | None) -> tuple[str | None, ...]:
        """The hosts of our own pages: the one asked for, and the one that links lead to."""
        return (asked, self.base.partition("://")[2]) if self.base else (asked,)


def is_base(text: str) -> bool:
    """Whether this is a scheme, a host and perhaps a port."""
    try:
        found = urlsplit(text)
        told = found.scheme in ("http", "https") and found.hostname and (found.port or 1)
    except ValueError:
        return False
    return bool(told) and "@" not in found.netloc and text == f"{found.scheme}://{found.netloc}"
