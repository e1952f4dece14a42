"""Links to seats.

The token of a seat is random, and only its hash is stored. The links for friends are derived from the opener's token.
So the opener's page can show them again after a restart, and no other page can.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import secrets
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from gonfalon.core.rules.state import SPECTATOR, Seat
from gonfalon.table import messages
from gonfalon.table.errors import BadNonce, Broken, NotSeated, NoWay

if TYPE_CHECKING:
    from gonfalon.table.store.store import SeatRow

WATCH: Final = "watch"
"""The link of spectators. It needs the key of the table only, which cannot be guessed either."""
TOKEN_BYTES: Final = 18
# Base64 encodes 18 bytes in 24 characters without padding.
TOKEN: Final = re.compile(r"[\w-]{24}", re.ASCII)
SHORTEST_NONCE: Final = 22
"""Characters of a nonce: 128 random bits in base64."""
LONGEST_NONCE: Final = 128


@dataclass(frozen=True)
class Person:
    """A seat for a person, whose token is returned when the table is opened."""

    name: str = ""


@dataclass(frozen=True)
class Beside:
    """A seat for a second person at the opener's device. One token holds both seats."""

    name: str = ""


@dataclass(frozen=True)
class Robot:
    """A seat for a bot of a level."""

    level: str


@dataclass(frozen=True)
class Open:
    """A seat for the first player to use an invitation to it."""


@dataclass(frozen=True)
class Program:
    """A seat for a bot account, which is challenged to it."""

    name: str
    """The name of the account; once it is invited, its name at the table."""
    account: str = ""
    """The id of the account, once it is invited."""


Seating = Person | Beside | Robot | Open | Program


@dataclass(frozen=True)
class LinkHolder:
    """The person that a link stands for: the owner of a seat, an invited visitor, or a spectator.

    The link of a shared device holds all its `seats`. `viewer` is then the person at the screen, and SPECTATOR behind
    the curtain. An invitation names the seats that it leads to.
    """

    viewer: int
    invited: bool = False
    seats: tuple[Seat, ...] = ()

    @property
    def seated(self) -> bool:
        return self.viewer >= 0

    @property
    def shares(self) -> bool:
        """Whether several people share the device."""
        return bool(self.seats) and not self.invited

    @property
    def holds(self) -> tuple[Seat, ...]:
        """The seats that belong to this link."""
        return () if self.invited else self.seats or ((self.viewer,) if self.seated else ())


WATCHER: Final = LinkHolder(SPECTATOR)


def require_seat(who: LinkHolder) -> Seat:
    """Return the seat for which a link acts now. Raises NotSeated."""
    if who.seated:
        return who.viewer
    if who.shares:
        raise NotSeated(messages.CHOOSE_PERSON)
    raise NotSeated(messages.NOT_SEATED)


def find_seated(rows: Sequence[SeatRow], token: str) -> LinkHolder:
    """Return the person that a link stands for at a finished game. Raises NoWay."""
    if token == WATCH:
        return WATCHER
    held = [row.seat for row in rows if row.token == hash_token(token)]
    if not held:
        raise NoWay(messages.NO_SEAT)
    return LinkHolder(held[0], seats=tuple(held) if len(held) > 1 else ())


def list_seat_names(seats: Sequence[SeatRow]) -> list[str]:
    """Return the names at the table."""
    return [row.name or messages.FREE_SEAT for row in seats]


def new_key() -> str:
    """Return a key for a table: 96 random bits, enough to keep strangers from watching."""
    return _draw_word(12)


def new_token() -> str:
    """Return a token for a seat: 144 random bits."""
    return _draw_word(TOKEN_BYTES)


def _draw_word(size: int) -> str:
    """Return random bytes as a word that a command line does not take for an option."""
    while (word := secrets.token_urlsafe(size)).startswith("-"):
        pass
    return word


def new_nonce() -> str:
    """Return a nonce for the form of a page: 144 random bits."""
    return secrets.token_urlsafe(18)


def hash_token(token: str) -> str:
    """Return the hash of a token for the store. Tokens are random, so a plain hash cannot be reversed."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def derive_invitation(token: str, seat: Seat | None = None) -> str:
    """Return the token of a friend's link, derived from the opener's token: a link to one seat, or to any free seat."""
    # The purpose keeps derived tokens different from each other, although the key is the same.
    purpose = "invitation" if seat is None else f"invitation:{seat}"
    digest = hmac.new(token.encode(), purpose.encode(), hashlib.sha256).digest()
    return base64.urlsafe_b64encode(digest[:TOKEN_BYTES]).decode()


class Claim:
    """A client's claim to a seat by a link.

    Its secret is the client's nonce, or the key of its device. The store keeps `mark`, a hash of the secret, and the
    token of the seat sealed under the secret. So a repeated request gets the same answer, and link, mark and sealed
    token together reveal nothing without the secret. Raises BadNonce.
    """

    def __init__(self, table: str, link: str, nonce: str, device: str = "") -> None:
        if not SHORTEST_NONCE <= len(nonce) <= LONGEST_NONCE:
            raise BadNonce(messages.BAD_NONCE.format(least=SHORTEST_NONCE, most=LONGEST_NONCE, length=len(nonce)))
        # Hashed, because HMAC takes a short key for the same with zeros behind it.
        secret = hashlib.sha512(f"{len(nonce)}:{nonce}{device}".encode("utf-8", "surrogatepass")).digest()
        # The pad is used once: for a table and a link, one secret claims one token.
        digest = hmac.new(secret, f"{table}\0{link}".encode("utf-8", "surrogatepass"), hashlib.sha512).digest()
        self.mark: str = digest[:32].hex()
        self._pad: bytes = digest[32 : 32 + TOKEN_BYTES]

    def seal(self, token: str) -> str:
        """Return a token in its stored form."""
        raw = base64.urlsafe_b64decode(token)
        return base64.urlsafe_b64encode(bytes(a ^ b for a, b in zip(raw, self._pad, strict=True))).decode()

    def open(self, sealed: str, digest: str | None) -> str:
        """Return the token with this hash that was sealed under the same secret. Raises Broken."""
        with suppress(ValueError):
            # Sealing is an XOR, so sealing twice opens.
            token = self.seal(sealed)
            if hash_token(token) == digest:
                return token
        raise Broken(messages.DAMAGED)
