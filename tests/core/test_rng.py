"""sfc32 and the shuffles by seed: the same numbers everywhere."""

from __future__ import annotations

import sys
import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import permutations
from math import factorial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gonfalon.check.statistics import SIGNIFICANCE_LEVEL, compare_with_weights
from gonfalon.core.basics import rng
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.basics.rng import Rng, next_seed, shuffle_by

seeds = st.integers(0, 2**64 - 1)


def sfc32(seed: int) -> Iterator[int]:
    """A second implementation of the generator after PractRand's C source: three words and a counter, with twelve
    numbers discarded."""
    mask = 2**32 - 1
    a, b, c, counter = seed & mask, seed >> 32 & mask, 0x9E3779B9, 1
    made = 0
    while True:
        tmp = (a + b + counter) & mask
        counter = (counter + 1) & mask
        a = b ^ b >> 9
        b = (c + (c << 3)) & mask
        c = ((c << 21 | c >> 11) + tmp) & mask
        made += 1
        if made > 12:
            yield tmp


@pytest.mark.parametrize("seed", [0, 1, 7, 2**32 - 1, 2**32, 2**64 - 1, 0x0123456789ABCDEF])
def test_known_words(seed: int) -> None:
    expected = sfc32(seed)
    rng = Rng(seed)
    assert [int(rng.word()) for _ in range(100)] == [next(expected) for _ in range(100)]


def test_written_down_words() -> None:
    # These numbers are part of the record format: a seed in a file must deal the same cards for ever.
    rng = Rng(7)
    assert [int(rng.word()) for _ in range(4)] == WORDS_OF_SEVEN


WORDS_OF_SEVEN = [100587536, 2849664703, 2976894644, 2427842431]


@given(seeds, st.integers(1, 2**31))
def test_below_stays_below(seed: int, n: int) -> None:
    rng = Rng(seed)
    assert all(0 <= rng.below(n) < n for _ in range(10))


@pytest.mark.parametrize("seed", [-1, 2**64, 2**70])
def test_a_seed_that_would_be_cut_is_refused(seed: int) -> None:
    with pytest.raises(OptionError, match=rf"A seed must be a whole number from 0 to 2\*\*64 - 1, not {seed}\."):
        Rng(seed)


@pytest.mark.parametrize("n", [0, -1, 2**31 + 1, -(2**40)])
def test_below_rejects_invalid_counts(n: int) -> None:
    rng = Rng(1)
    with pytest.raises(ValueError, match=rf"must be from 1 to 2\*\*31, not {n}\."):
        rng.below(n)


@given(seeds, st.integers(0, 30))
def test_a_clone_goes_the_same_way_apart(seed: int, ahead: int) -> None:
    rng = Rng(seed)
    for _ in range(ahead):
        rng.word()
    twin = rng.clone()
    first = [rng.word() for _ in range(8)]
    assert [twin.word() for _ in range(8)] == first


@given(seeds, st.lists(st.integers(0, 9), min_size=1, max_size=8).filter(any))
def test_weighted_never_draws_a_weight_of_zero(seed: int, weights: list[int]) -> None:
    rng = Rng(seed)
    assert all(weights[rng.weighted(weights)] for _ in range(10))


def test_weighted_by_weight() -> None:
    rng = Rng(2)
    counts = [0, 0, 0]
    for _ in range(6_000):
        counts[rng.weighted([1, 2, 3])] += 1
    assert counts[0] == pytest.approx(1000, abs=150)
    assert counts[1] == pytest.approx(2000, abs=150)


def test_a_shuffle_by_seed_uses_the_published_words_of_splitmix64() -> None:
    """From seed 0 the first word is 0xE220A8397B1DCDAF: 1 modulo 3, and a third of it is even."""
    items = [0, 1, 2]
    assert 0xE220A8397B1DCDAF % 3 == 1
    assert 0xE220A8397B1DCDAF // 3 % 2 == 0
    assert shuffle_by(0, items) == 0x9E3779B97F4A7C15
    assert items == [2, 0, 1]


def splitmix_shuffle(seed: int, items: list[int]) -> int:
    """A second implementation of the shuffle, with ints of any length."""
    left = len(items)
    while left > 1:
        seed = (seed + 0x9E3779B97F4A7C15) % 2**64
        word = (seed ^ seed // 2**30) * 0xBF58476D1CE4E5B9 % 2**64
        word = (word ^ word // 2**27) * 0x94D049BB133111EB % 2**64
        word ^= word // 2**31
        # Up to 15 items a word suffices; of more, it gives as many places as fit into 44 bits.
        several = left - 1 if left < 16 else min(44 // left.bit_length(), left - 15)
        for _ in range(several):
            word, at = divmod(word, left)
            left -= 1
            items[left], items[at] = items[at], items[left]
    return seed


@given(seeds, st.integers(0, 300))
def test_a_shuffle_by_seed_is_the_same_in_either_build(seed: int, length: int) -> None:
    items, again = list(range(length)), list(range(length))
    assert shuffle_by(seed, items) == splitmix_shuffle(seed, again)
    assert items == again


def test_a_shuffle_by_seed_gives_every_order_equally_often() -> None:
    counts: Counter[tuple[int, ...]] = Counter()
    for seed in range(24_000):
        items = [0, 1, 2, 3]
        shuffle_by(seed, items)
        counts[tuple(items)] += 1
    assert compare_with_weights(counts, dict.fromkeys(permutations(range(4)), 1.0)) > SIGNIFICANCE_LEVEL


def test_a_next_seed_has_62_bits_and_all_of_them_change() -> None:
    """No two of 2,000 consecutive seeds have the same successor, and each of its 62 bits is set for half of them,
    within 5 standard deviations of 22.4."""
    found = [next_seed(seed) for seed in range(2000)]
    assert len(set(found)) == 2000
    assert max(found) < 2**62
    for bit in range(62):
        assert abs(sum(seed >> bit & 1 for seed in found) - 1000) < 112


def test_threads_that_begin_to_shuffle_at_once_shuffle_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other threads see the tables for shuffles by seed completely or not at all. A server reads several tables at once
    when it starts."""
    before = [shuffle_by(seed, list(range(21))) for seed in range(4)]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for _ in range(15):
            monkeypatch.setattr(rng, "PLANS", {})
            monkeypatch.setattr(rng, "ORDERS", {})
            start = threading.Barrier(4)

            def shuffled(seed: int, start: threading.Barrier = start) -> int:
                start.wait()
                return shuffle_by(seed, list(range(21)))

            with ThreadPoolExecutor(4) as threads:
                assert list(threads.map(shuffled, range(4))) == before
            assert all(len(orders) == factorial(count) for count, orders in rng.ORDERS.items() if count)
    finally:
        sys.setswitchinterval(interval)
