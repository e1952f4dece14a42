"""Proved shuffles: the hashes by hand, and draws distributed by their weights."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gonfalon.core.basics.errors import RecordError
from gonfalon.core.files import proof
from gonfalon.core.files.proof import Proof
from gonfalon.core.rules.state import SEED
from tests.table.duel import Duel

SECRET, MINE, YOURS = "5e" * 32, "a1" * 32, "b2" * 32


def sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def test_the_hash_input_is_a_json_list_without_spaces() -> None:
    committed = sha(f'["gonfalon proof 1","commitment","feint",1,"{SECRET}"]')
    assert proof.hash_commitment("feint", 1, SECRET) == committed
    assert proof.hash_share(committed, 0, MINE) == sha(f'["gonfalon proof 1","share","{committed}",0,"{MINE}"]')
    game = Duel(open=True, cards={})
    assert proof.format_setup(game) == '{"open":true,"sides":["red","blue"]}'
    told = r"{\"open\":true,\"sides\":[\"red\",\"blue\"]}"
    setup = sha(f'["gonfalon proof 1","setup","{SECRET}","duel","1","{game.data_hash}","{told}"]')
    assert proof.hash_setup(SECRET, game) == setup
    text = f'["gonfalon proof 1","root","{committed}","{SECRET}",["{MINE}",null]]'
    assert proof.derive_root(committed, SECRET, [MINE, None]).hex() == sha(text)


def test_a_seed_is_the_first_62_bits_of_an_hmac() -> None:
    key = b"k" * 32
    bits = bin(int.from_bytes(hmac.digest(key, b"7.0", "sha256"), "big") | 1 << 256)[3:]
    assert -1 - proof.derive_outcome(key, 7, [SEED], [1]) == int(bits[:62], 2)


def test_a_weighted_outcome_is_the_remainder_of_the_bits() -> None:
    """With weights 1, 2 and 3 the remainder 0 means the first, 1 and 2 the second, 3 to 5 the third."""
    key = b"k" * 32
    for n in range(20):
        rest = int.from_bytes(hmac.digest(key, f"{n}.0".encode(), "sha256"), "big") % 6
        assert proof.derive_outcome(key, n, [10, 20, 30], [1, 2, 3]) == [10, 20, 20, 30, 30, 30][rest]


def test_bits_that_would_favour_an_outcome_are_passed_over() -> None:
    """With a total of 2**255 + 1 any block above it is drawn again, about every second one."""
    total, half = (1 << 255) + 1, 1 << 254
    key, again = b"k" * 32, 0
    for n in range(40):
        found = [int.from_bytes(hmac.digest(key, f"{n}.{k}".encode(), "sha256"), "big") for k in range(40)]
        first = next(block for block in found if block < total)
        again += first != found[0]
        assert proof.derive_outcome(key, n, [0, 1], [half, total - half]) == (0 if first < half else 1)
    assert 8 <= again <= 32


def test_outcomes_fall_as_their_weights_say() -> None:
    """Of 6,000 draws at 1:2:3 each count is within five standard deviations (at most 39) of the expected one."""
    key = proof.derive_root("c", "s", [MINE])
    fell = Counter(proof.derive_outcome(key, n, [0, 1, 2], [1, 2, 3]) for n in range(6000))
    for outcome, expected in enumerate((1000, 2000, 3000)):
        assert abs(fell[outcome] - expected) < 5 * 39


@given(st.integers(0, 1), st.integers(1, 3))
def test_every_part_changes_the_root(seat: int, attempt: int) -> None:
    shares: list[str | None] = [MINE, YOURS]
    committed = proof.hash_commitment("feint", attempt, SECRET)
    key = proof.derive_root(committed, SECRET, shares)
    assert key != proof.derive_root(proof.hash_commitment("feint", attempt + 1, SECRET), SECRET, shares)
    assert key != proof.derive_root(committed, "00" * 32, shares)
    shares[seat] = None
    assert key != proof.derive_root(committed, SECRET, shares)


def test_signs_are_forty_bits_five_at_a_time() -> None:
    assert proof.format_signs("0" * 64) == "0000 0000"
    assert proof.format_signs("f" * 64) == "ZZZZ ZZZZ"
    # 00001 00010 00011 00100 00101 00110 00111 01000 are 0x08 0x86 0x42 0x98 0xE8.
    assert proof.format_signs("08864298e8" + "0" * 54) == "1234 5678"


def test_a_proof_comes_back_from_its_json() -> None:
    found = Proof(2, "c0" * 32, SECRET, (None, "d1" * 32), (None, MINE), "e0" * 32)
    assert proof.read_proof(found.to_json(), 2) == found


@pytest.mark.parametrize(
    "change",
    [
        {"attempt": "1"},
        {"commitment": None},
        {"secret": "5e"},
        {"secret": "5E" * 32},
        {"closed": None},
        {"setup": None},
        {"closed": [None]},
        {"opened": [None, 1]},
    ],
)
def test_a_damaged_proof_is_refused(change: dict[str, object]) -> None:
    body = Proof(1, "c0" * 32, SECRET, (None, None), (None, None), "e0" * 32).to_json()
    with pytest.raises(RecordError, match="damaged"):
        proof.read_proof(body | change, 2)


def test_a_proof_of_another_protocol_is_refused() -> None:
    body = Proof(1, "c0" * 32, SECRET, (None, None), (None, None), "e0" * 32).to_json()
    with pytest.raises(RecordError, match="protocol 2"):
        proof.read_proof(body | {"protocol": 2}, 2)
