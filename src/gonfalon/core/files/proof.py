"""Proved shuffles, protocol 1: chance that was fixed before anybody saw a card.

    seal   The server draws a secret, and before anybody adds anything it shows the commitment to it.
    close  Each seat's device draws a share and gives `closed` of it; whoever has no device that does so adds none, and
           bots never do. When all have said, the list is shown and changes no more. Beside it stands a hash of `setup`,
           all that was chosen for the game, the decks by lot included, under the secret: it tells nothing.
    open   Devices give the shares themselves. If one does not, nothing is dealt: there is a new secret with new shares,
           and `attempt` rises for all to see. (Else leaving out a share would be a choice between two deals.)
    root   A hash of commitment, secret and shares. One share that nobody could foresee makes it unforeseeable.
    draw   The n-th decision of chance takes its bits from the HMAC of n under the root. They depend on nothing that
           seats do, for whoever knew the root could else choose a move by the shuffle that follows it; n counts every
           draw that was ever made.
    end    Only when the game is over the server shows the secret. Whoever has it and the shares can work out all draws,
           the future ones too, so until then nobody is given either.

What is hashed is a list in JSON, so that no two lists run together, of numbers, nulls and ASCII texts alone, which JSON
writes in one way in any language. The root hangs on nothing that is chosen after the commitment but the shares, and
nothing is chosen after the shares were opened: whoever knew the root could choose a deck by it.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from gonfalon.core.basics.errors import RecordError
from gonfalon.core.rules.state import SEED, Action

if TYPE_CHECKING:
    from gonfalon.core.rules.game import Game

PROTOCOL: Final = 1
TITLE: Final = f"gonfalon proof {PROTOCOL}"
SEED_BITS: Final = 62
BLOCK_BITS: Final = 256
HEX: Final = re.compile(r"[0-9a-f]{64}")
"""The form of secrets, shares and hashes: 256 bits."""
ALPHABET: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""The alphabet of signs: no two of its letters look alike, or like a digit."""


def digest(word: str, *parts: object) -> str:
    """The hash of a list, for one purpose."""
    text = json.dumps([TITLE, word, *parts], separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def commitment(game: str, attempt: int, secret: str) -> str:
    """Return the commitment to the server's secret, which is shown before any share is added."""
    return digest("commitment", game, attempt, secret)


def closed(committed: str, seat: int, share: str) -> str:
    """Return the hash of a share, which is shown before any share is opened."""
    return digest("share", committed, seat, share)


def root(committed: str, secret: str, opened: Sequence[str | None]) -> bytes:
    """Return the seed of all draws of a game."""
    return bytes.fromhex(digest("root", committed, secret, list(opened)))


def blocks(key: bytes, n: int) -> Iterator[int]:
    """The random bits of the n-th draw, 256 at a time."""
    k = 0
    while True:
        yield int.from_bytes(hmac.digest(key, f"{n}.{k}".encode(), "sha256"), "big")
        k += 1


def draw(key: bytes, n: int, actions: Sequence[Action], weights: Sequence[int]) -> Action:
    """The outcome of the n-th decision of chance, among its legal actions with their weights; a seed for SEED."""
    if actions[0] == SEED:
        return -1 - (next(blocks(key, n)) >> (BLOCK_BITS - SEED_BITS))
    total = sum(weights)
    limit = (1 << BLOCK_BITS) // total * total
    left = next(block for block in blocks(key, n) if block < limit) % total
    for action, weight in zip(actions, weights, strict=True):
        left -= weight
        if left < 0:
            return action
    raise AssertionError("the weights sum up to their total")


def setup_text(game: Game) -> str:
    """The options of a game in the one form that is hashed, but for its card data, for which there is a hash: a table
    that goes on under other data than the program's has them among its options from then on."""
    files = {option.name for option in game.options_spec if option.file}
    told = {name: value for name, value in game.shown_options().items() if name not in files}
    return json.dumps(told, sort_keys=True, separators=(",", ":"))


def setup_mark(secret: str, game: Game) -> str:
    """Return the hash of all choices of a game, which is shown before any share is opened."""
    return digest("setup", secret, game.name, game.rules_version, game.data_hash, setup_text(game))


def deal_mark(committed: str, shut: Sequence[str | None], setup: str) -> str:
    """Return a hash of everything shown before the shares were opened. Two players who compare it know that they were
    shown the same."""
    return digest("deal", committed, list(shut), setup)


def chain(before: str, seat: int, notation: str) -> str:
    """Return the hash of a game after a further decision. It is for the end: during the game it would reveal when a
    secret answer is given, and trying all answers would reveal which."""
    return digest("decision", before, seat, notation)


def signs(mark: str) -> str:
    """The first eight signs of a hash, to read to each other."""
    value = int(mark[:10], 16)
    found = "".join(ALPHABET[value >> shift & 31] for shift in range(35, -5, -5))
    return f"{found[:4]} {found[4:]}"


class Proof(NamedTuple):
    """The part of a record about its proved deal."""

    attempt: int
    commitment: str
    secret: str
    closed: tuple[str | None, ...]
    """For each seat; None where nothing was added."""
    opened: tuple[str | None, ...]
    setup: str

    @property
    def root(self) -> bytes:
        """The seed from which all draws must follow."""
        return root(self.commitment, self.secret, self.opened)

    def to_json(self) -> dict[str, object]:
        """Its form in a record."""
        return {
            "protocol": PROTOCOL,
            "attempt": self.attempt,
            "commitment": self.commitment,
            "secret": self.secret,
            "closed": list(self.closed),
            "opened": list(self.opened),
            "setup": self.setup,
        }


def read(body: dict[str, object], seats: int) -> Proof:
    """The proof of a record. Raises RecordError."""
    if body.get("protocol") != PROTOCOL:
        raise RecordError(f"This proof follows protocol {body.get('protocol')}; this program knows {PROTOCOL}.")
    attempt, committed, secret, setup = (body.get(name) for name in ("attempt", "commitment", "secret", "setup"))
    shut, opened = hashes(body.get("closed"), seats), hashes(body.get("opened"), seats)
    if type(attempt) is not int or not all(map(is_hash, (committed, secret, setup))) or shut is None or opened is None:
        raise RecordError("The proof of this record is damaged.")
    return Proof(attempt, str(committed), str(secret), shut, opened, str(setup))


def is_hash(value: object) -> bool:
    """Return whether a value has the form of a secret, a share or a hash."""
    return isinstance(value, str) and HEX.fullmatch(value) is not None


def hashes(values: object, seats: int) -> tuple[str | None, ...] | None:
    """A list of such, one or None for each seat; None if it is no such list."""
    if not isinstance(values, list) or len(values) != seats:
        return None
    return tuple(values) if all(value is None or is_hash(value) for value in values) else None
