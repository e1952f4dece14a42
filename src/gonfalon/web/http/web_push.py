"""Web Push: notifications that reach a player whose page is closed (RFC 8030, 8188, 8291, 8292).

A message holds the title of the game and the page to open, which leads to the seat in that browser only. It is
encrypted for the browser, all messages are equally long, and they are sent to well-known push services only, so that
no client can make the server connect to an address of its choice.
"""

from __future__ import annotations

import base64
import hmac
import json
import logging
import os
from collections.abc import Callable, Mapping
from functools import cached_property, partial
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

import anyio
from anyio.to_thread import run_sync

from gonfalon.core.rules.state import Seat
from gonfalon.table import Tables
from gonfalon.table.errors import StoreError
from gonfalon.table.shared.current import Current
from gonfalon.table.store.player_rows import Subscription

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

logger: Final = logging.getLogger("gonfalon.web")
SERVICES: Final = ("fcm.googleapis.com", "updates.push.services.mozilla.com", ".push.apple.com", ".notify.windows.com")
"""The hosts of push services; with a dot in front all hosts below that name."""
MAX_ENDPOINT: Final = 1000
"""Maximum characters of an address at a push service."""
TIMEOUT_S: Final = 10.0
SENDERS: Final = 4
"""The number of messages that a process sends at the same time."""
TTL_SECONDS: Final = 86_400
PADDED: Final = 200
"""Characters of each message, so that its length reveals nothing."""
GONE: Final = (404, 410)
"""The answers of a push service for a device that no longer wants messages."""
CONTACT: Final = "mailto:operator@example.org"
"""In place of the address of a server that has none."""
ORDER: Final = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""The order of the curve P-256."""


def is_push_service(endpoint: str) -> bool:
    """Return whether an address belongs to a well-known push service."""
    if len(endpoint) > MAX_ENDPOINT or not endpoint.isascii() or not endpoint.isprintable():
        return False
    try:
        found = urlsplit(endpoint)
        host, usual = found.hostname or "", found.port in (None, 443)
    except ValueError:
        return False
    known = any(host == name or (name[0] == "." and host.endswith(name)) for name in SERVICES)
    return found.scheme == "https" and known and usual and "@" not in found.netloc


def decode(text: str) -> bytes:
    """Return the bytes of base64 for addresses. Raises ValueError."""
    return base64.b64decode(text + "=" * (-len(text) % 4), b"-_", validate=True)


class Pusher:
    """Sends the notifications of one process.

    Args:
        tables: The live tables, whose turns it announces.
        contact: The address of the server, by which a push service can reach its operator.
        allowed: Returns whether an address belongs to a push service.
    """

    def __init__(self, tables: Tables, contact: str = "", allowed: Callable[[str], bool] = is_push_service) -> None:
        self.tables: Tables = tables
        self.contact: str = contact if contact.startswith("https://") else CONTACT
        self.allowed: Callable[[str], bool] = allowed
        self._turn: anyio.CapacityLimiter | None = None

    @cached_property
    def private_key(self) -> EllipticCurvePrivateKey:
        """The key that identifies the server to push services. It follows from the secret in the database, so that it
        is made once and equal in all processes."""
        from cryptography.hazmat.primitives.asymmetric import ec

        number = int.from_bytes(hmac.digest(self.tables.store.secret.encode(), b"web push", "sha512"))
        return ec.derive_private_key(number % (ORDER - 1) + 1, ec.SECP256R1())

    @cached_property
    def public_key(self) -> str:
        """The public part of that key, as browsers want it."""
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

        raw = self.private_key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return base64.urlsafe_b64encode(raw).decode().rstrip("=")

    def accepts(self, endpoint: str, key: str, secret: str) -> bool:
        """Return whether a browser's subscription is valid."""
        from cryptography.hazmat.primitives.asymmetric import ec

        try:
            ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decode(key))
            return len(decode(secret)) == 16 and self.allowed(endpoint)
        except ValueError:
            return False

    def announce(self, current: Current, turns: Mapping[Seat, int]) -> None:
        """Notify the devices of the seats whose turns have begun. Never waits."""
        title = current.game.title.rpartition(": ")[2]
        self.tables.spawn(partial(self._notify, current.key, title, dict(turns)))

    async def _notify(self, key: str, title: str, turns: Mapping[Seat, int]) -> None:
        self._turn = self._turn or anyio.CapacityLimiter(SENDERS)
        try:
            for seat, turn in turns.items():
                for wanted in await run_sync(self.tables.store.claim_pushes, key, [seat], turn):
                    await run_sync(self._send, wanted, title, limiter=self._turn)
        except StoreError:
            pass  # the turn is shown by the page

    def _send(self, wanted: Subscription, title: str) -> None:
        """Send a message; a device that is gone is forgotten."""
        try:
            status = self._post(wanted.endpoint, self.encrypt(wanted, title))
        except (OSError, HTTPException, ValueError) as error:
            logger.warning("a notification was not sent: %s", type(error).__name__)
            return
        if status in GONE:
            self.tables.store.unsubscribe(wanted.device)
        elif status >= 300:
            logger.warning("a notification was not sent: the push service answered %s", status)

    def encrypt(self, wanted: Subscription, title: str) -> bytes:
        """Return the encrypted message for a device. Raises ValueError."""
        import http_ece
        from cryptography.hazmat.primitives.asymmetric import ec

        text = json.dumps({"game": title, "page": wanted.page}).ljust(PADDED)
        sealed: bytes = http_ece.encrypt(
            text.encode(),
            salt=os.urandom(16),
            private_key=ec.generate_private_key(ec.SECP256R1()),
            dh=decode(wanted.key),
            auth_secret=decode(wanted.secret),
        )
        return sealed

    def _post(self, endpoint: str, body: bytes) -> int:
        """Post to a push service and return its status. Redirects are not followed. Raises OSError, HTTPException,
        ValueError."""
        from py_vapid import Vapid02

        if not self.allowed(endpoint):
            raise ValueError(endpoint)
        found = urlsplit(endpoint)
        make = HTTPSConnection if found.scheme == "https" else HTTPConnection
        claims = {"aud": f"{found.scheme}://{found.netloc}", "sub": self.contact}
        headers = {
            **Vapid02(self.private_key).sign(claims),
            "Content-Encoding": "aes128gcm",
            "TTL": str(TTL_SECONDS),
            "Urgency": "normal",
        }
        connection = make(found.netloc, timeout=TIMEOUT_S)
        try:
            connection.request("POST", found.path + (f"?{found.query}" if found.query else ""), body, headers)
            return connection.getresponse().status
        finally:
            connection.close()
