"""The address of a server, and the proxies that it trusts.

Neither is guessed. The headers of an unknown proxy are ignored, and links begin with the address that the browser asked
for only if no address is configured.
"""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection

from gonfalon.core.basics.errors import GonfalonError
from gonfalon.web import messages


class AddressError(GonfalonError):
    """An address is invalid for a server or a proxy."""


@dataclass(frozen=True)
class ServerAddress:
    """The address of a server and its proxies.

    `base` is an address without a path (`https://club.example`), or empty for the address that the browser asked for.
    `proxies` are addresses and networks whose headers name the visitor's address and scheme. Raises AddressError.
    """

    base: str = ""
    proxies: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.base and not is_base(self.base):
            raise AddressError(messages.BAD_ADDRESS.format(address=repr(self.base)))
        for proxy in self.proxies:
            try:
                ipaddress.ip_network(proxy)
            except ValueError:
                raise AddressError(messages.BAD_PROXY.format(address=repr(proxy))) from None

    def base_url(self, connection: HTTPConnection) -> str:
        """Return the beginning of links to this server, for this visitor."""
        url = connection.url
        # The scheme of a socket is `ws` or `wss`, but links lead to pages.
        return self.base or f"{url.scheme.replace('ws', 'http', 1)}://{url.netloc}"

    def hosts(self, asked: str | None) -> tuple[str | None, ...]:
        """Return the hosts of our own pages: the requested one, and the one in links."""
        return (asked, self.base.partition("://")[2]) if self.base else (asked,)


def is_base(text: str) -> bool:
    """Return whether a text is a scheme and a host, with or without a port."""
    try:
        found = urlsplit(text)
        # Reading an invalid port raises ValueError.
        told = found.scheme in ("http", "https") and found.hostname and (found.port or 1)
    except ValueError:
        return False
    return bool(told) and "@" not in found.netloc and text == f"{found.scheme}://{found.netloc}"
