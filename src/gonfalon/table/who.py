"""Who sits where, and the links that say so.

A seat's token is random and only its hash is stored. The link for a friend follows from the token of
whoever opened the table, so that his page can show it again after a restart, and nobody else's can.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
import unicodedata
from dataclasses import dataclass
from typing import Final

from gonfalon.core.state import SPECTATOR, Seat

WATCH: Final = "watch"
"""In place of a token: whoever has the table's key, which cannot be guessed either, may watch."""
LONGEST_NAME: Final = 24


@dataclass(frozen=True)
class Person:
    """A seat for a person whose token is given out when the table is opened."""

    name: str = ""


@dataclass(frozen=True)
class Robot:
    """A seat for a bot of a level."""

    level: str


@dataclass(frozen=True)
class Open:
    """A seat that waits for whoever comes with the invitation."""


Seating = Person | Robot | Open


@dataclass(frozen=True)
class Who:
    """Whom a link stands for: a seat's owner, somebody invited, or a spectator."""

    viewer: int
    invited: bool = False

    @property
    def seated(self) -> bool:
        return self.viewer >= 0


WATCHER: Final = Who(SPECTATOR)
GUEST: Final = Who(SPECTATOR, invited=True)


def new_key() -> str:
    """A table's key: 96 random bits, enough to keep strangers from watching."""
    return secrets.token_urlsafe(12)


def new_token() -> str:
    """A seat's token: 144 random bits."""
    return secrets.token_urlsafe(18)


def derived(token: str, purpose: str) -> str:
    """A token that follows from another: same input, same link, and no way back."""
    digest = hmac.new(token.encode(), purpose.encode(), hashlib.sha256).digest()
    return base64.urlsafe_b64encode(digest[:18]).decode()


def hashed(token: str) -> str:
    """What the store keeps of a token. The tokens are random, so a plain hash cannot be reversed."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def invitation(token: str) -> str:
    """The token of the friend's link, from the token of whoever opened the table."""
    return derived(token, "invitation")


def clean_name(name: str, seat: Seat) -> str:
    """A name fit for a page: one line, printable, short; a plain one when nothing is left."""
    printable = "".join(c if unicodedata.category(c)[0] not in "CZ" else " " for c in name)
    name = " ".join(printable.split())[:LONGEST_NAME].strip()
    if not name or name.lower() in ("you", "chance"):
        return f"Player {seat + 1}"
    return name
