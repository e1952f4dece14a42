"""Proved shuffles, protocol 1: all outcomes of chance are fixed before any card is seen.

    seal   The server draws a secret, and shows a commitment to it before any share is added.
    close  Each seat's device draws a share and sends its hash (`closed`). Devices that cannot do so, and bots, add no
           share. When all seats have answered, the list is shown and is final. With it a hash of `setup` is shown: all
           choices for the game, random decks included, hashed with the secret, so it reveals nothing.
    open   Devices send the shares themselves. If one is missing, nothing is dealt: a new attempt begins with a new
           secret and new shares, and `attempt` is public. (Otherwise leaving out a share would be a choice between
           two deals.)
    root   A hash of commitment, secret and shares. One unpredictable share makes it unpredictable.
    draw   The n-th decision of chance takes its bits from the HMAC of n under the root. They do not depend on actions,
           because a player who knew the root could otherwise choose an action by the shuffle that follows. `n` counts
           all draws, including those of undone decisions.
    end    The server shows the secret only when the game is over. Secret and shares together determine all draws, the
           future ones included, so no client gets either before.

A hash is that of a JSON list, so that two different lists never have the same text. The lists hold only numbers, nulls
and ASCII texts, which JSON writes equally in all languages. After the commitment only the shares influence the root,
and nothing is chosen after the shares were opened, because a person who knew the root could choose a deck by it.
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
"""The form of secrets, shares and hashes: 256 bits in hexadecimal."""
ALPHABET: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""The alphabet of signs: no two of its characters look alike."""


def hash_parts(word: str, *parts: object) -> str:
    """Return the hash of a list for one purpose (`word`)."""
    # Title and purpose are hashed as well, so that a hash of one purpose cannot pass for one of another.
    text = json.dumps([TITLE, word, *parts], separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def hash_commitment(game: str, attempt: int, secret: str) -> str:
    """Return the commitment to the server's secret, which is shown before any share is added."""
    return hash_parts("commitment", game, attempt, secret)


def hash_share(committed: str, seat: int, share: str) -> str:
    """Return the hash of a share, which is shown before any share is opened."""
    return hash_parts("share", committed, seat, share)


def derive_root(committed: str, secret: str, opened: Sequence[str | None]) -> bytes:
    """Return the key of all draws of a game."""
    return bytes.fromhex(hash_parts("root", committed, secret, list(opened)))


def generate_blocks(key: bytes, n: int) -> Iterator[int]:
    """Yield the random bits of the n-th draw, 256 at a time."""
    k = 0
    while True:
        # The dot keeps draw 1, block 11 apart from draw 11, block 1.
        yield int.from_bytes(hmac.digest(key, f"{n}.{k}".encode(), "sha256"), "big")
        k += 1


def derive_outcome(key: bytes, n: int, actions: Sequence[Action], weights: Sequence[int]) -> Action:
    """Return the outcome of the n-th decision of chance.

    Args:
        key: The root.
        n: The number of the draw, from 0.
        actions: The legal actions; [SEED] for a seed.
        weights: The relative probability of each action.
    """
    if actions[0] == SEED:
        # A power of two divides the block evenly, so no block has to be rejected.
        return -1 - (next(generate_blocks(key, n)) >> (BLOCK_BITS - SEED_BITS))
    total = sum(weights)
    # Blocks above the limit are rejected, because a remainder would favor the first actions.
    limit = (1 << BLOCK_BITS) // total * total
    left = next(block for block in generate_blocks(key, n) if block < limit) % total
    for action, weight in zip(actions, weights, strict=True):
        left -= weight
        if left < 0:
            return action
    raise AssertionError("the remainder is below the sum of the weights")


def format_setup(game: Game) -> str:
    """Return the options of a game as canonical JSON, without card data, which have a hash of their own.

    Card data are left out because a table that continues with data other than the program's has them among its options
    from then on.
    """
    files = {option.name for option in game.options_spec if option.file}
    told = {name: value for name, value in game.shown_options().items() if name not in files}
    return json.dumps(told, sort_keys=True, separators=(",", ":"))


def hash_setup(secret: str, game: Game) -> str:
    """Return the hash of all choices of a game, which is shown before any share is opened."""
    return hash_parts("setup", secret, game.name, game.rules_version, game.data_hash, format_setup(game))


def hash_deal(committed: str, shut: Sequence[str | None], setup: str) -> str:
    """Return a hash of everything shown before the shares were opened. Players who compare it saw the same."""
    return hash_parts("deal", committed, list(shut), setup)


def chain_decision(before: str, seat: int, notation: str) -> str:
    """Return the hash of a game after a further decision.

    It is for the end: during the game it would reveal when a secret answer is given, and trying all answers would
    reveal which.
    """
    return hash_parts("decision", before, seat, notation)


def format_signs(mark: str) -> str:
    """Return the first eight signs of a hash, to be read aloud and compared."""
    # 40 bits: eight signs of five bits each.
    value = int(mark[:10], 16)
    found = "".join(ALPHABET[value >> shift & 31] for shift in range(35, -5, -5))
    return f"{found[:4]} {found[4:]}"


class Proof(NamedTuple):
    """The part of a record about its proved deal."""

    attempt: int
    commitment: str
    secret: str
    closed: tuple[str | None, ...]
    """For each seat the hash of its share; None without one."""
    opened: tuple[str | None, ...]
    setup: str

    @property
    def root(self) -> bytes:
        """The key from which all draws must follow."""
        return derive_root(self.commitment, self.secret, self.opened)

    def to_json(self) -> dict[str, object]:
        """Return the form in a record."""
        return {
            "protocol": PROTOCOL,
            "attempt": self.attempt,
            "commitment": self.commitment,
            "secret": self.secret,
            "closed": list(self.closed),
            "opened": list(self.opened),
            "setup": self.setup,
        }


def read_proof(body: dict[str, object], seats: int) -> Proof:
    """Return the proof of a record with this number of seats. Raises RecordError."""
    if body.get("protocol") != PROTOCOL:
        raise RecordError(f"This proof has protocol {body.get('protocol')}; this program reads {PROTOCOL}.")
    attempt, committed, secret, setup = (body.get(name) for name in ("attempt", "commitment", "secret", "setup"))
    shut, opened = read_hashes(body.get("closed"), seats), read_hashes(body.get("opened"), seats)
    if type(attempt) is not int or not all(map(is_hash, (committed, secret, setup))) or shut is None or opened is None:
        raise RecordError("The proof of this record is damaged.")
    return Proof(attempt, str(committed), str(secret), shut, opened, str(setup))


def is_hash(value: object) -> bool:
    """Return whether a value has the form of a secret, a share or a hash."""
    return isinstance(value, str) and HEX.fullmatch(value) is not None


def read_hashes(values: object, seats: int) -> tuple[str | None, ...] | None:
    """Return a list of hashes, one or None for each seat; None for any other value."""
    if not isinstance(values, list) or len(values) != seats:
        return None
    return tuple(values) if all(value is None or is_hash(value) for value in values) else None
