"""Who sits where, and the links that say so.

A seat's token is random and only its hash is stored. The links for friends follow from the token of
whoever opened the table, so that his page can show them again after a restart, and nobody else's can.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import itertools
import secrets
import unicodedata
from collections.abc import Iterable
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
class Beside:
    """A seat for somebody at the opener's device: one token holds both seats."""

    name: str = ""


@dataclass(frozen=True)
class Robot:
    """A seat for a bot of a level."""

    level: str


@dataclass(frozen=True)
class Open:
    """A seat that waits for whoever comes with an invitation to it."""


Seating = Person | Beside | Robot | Open


@dataclass(frozen=True)
class Who:
    """Whom a link stands for: a seat's owner, somebody invited, or a spectator.

    The link of a device at which several people sit holds all their `seats`; `viewer` is then the one
    at the screen, and behind the curtain nobody: SPECTATOR. An invitation names the seats it leads to.
    """

    viewer: int
    invited: bool = False
    seats: tuple[Seat, ...] = ()

    @property
    def seated(self) -> bool:
        return self.viewer >= 0

    @property
    def shares(self) -> bool:
        """Whether several people sit at the device."""
        return bool(self.seats) and not self.invited

    @property
    def holds(self) -> tuple[Seat, ...]:
        """The seats that are this link's own."""
        if self.invited:
            return ()
        return self.seats or ((self.viewer,) if self.seated else ())


WATCHER: Final = Who(SPECTATOR)


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


def invitation(token: str, seat: Seat | None = None) -> str:
    """The token of a friend's link, from the token of whoever opened the table: the link to one seat,
    or the one that leads to whichever seat is free."""
    return derived(token, "invitation" if seat is None else f"invitation:{seat}")


def clean_name(name: str, seat: Seat) -> str:
    """A name fit for a page: one line, printable, short; a plain one when nothing is left."""
    printable = "".join(c if unicodedata.category(c)[0] not in "CZ" else " " for c in name)
    name = " ".join(printable.split())[:LONGEST_NAME].strip()
    if not name or name.lower() in ("you", "chance"):
        return f"Player {seat + 1}"
    return name


def unlike(name: str, taken: Iterable[str]) -> str:
    """The name, with a number where another at the table has it already."""
    known = {other.casefold() for other in taken}
    if name.casefold() not in known:
        return name
    for number in itertools.count(2):
        tail = f" {number}"
        found = name[: LONGEST_NAME - len(tail)].rstrip() + tail
        if found.casefold() not in known:
            return found
    raise AssertionError("numbers do not end")
