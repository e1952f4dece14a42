"""The generator outside the states: sfc32 by Chris Doty-Humphrey (PractRand).

Only adds, shifts and xors of 32-bit words, so the same numbers come out interpreted, compiled and
in any language.
"""

from __future__ import annotations

from typing import Any, Final

from mypy_extensions import i64

WORD: Final = 0xFFFFFFFF

MIX: Final = 0xFFFFFFFFFFFFFFFF
STEP: Final = 0x9E3779B97F4A7C15


def shuffle_by(seed: int, items: list[int]) -> int:
    """Shuffle in place by a seed alone; what it returns is the seed for a next list.

    For games that shuffle a few cards again and again: a quarter of the cost of `Rng(seed).shuffle`,
    since nothing is warmed up and a word gives several places (their bias is below 2**-20). The words
    are those of splitmix64 by Sebastiano Vigna.
    """
    left = len(items)
    while left > 1:
        seed = (seed + STEP) & MIX
        word = ((seed ^ seed >> 30) * 0xBF58476D1CE4E5B9) & MIX
        word = ((word ^ word >> 27) * 0x94D049BB133111EB) & MIX
        word ^= word >> 31
        stop = 1 if left < 16 else max(15, left - 44 // left.bit_length())
        while left > stop:
            at = word % left
            word //= left
            left -= 1
            kept = items[left]
            items[left] = items[at]
            items[at] = kept
    return seed


class Rng:
    """A stream of reproducible numbers. `Rng(seed)` takes any int from 0 to 2**64 - 1."""

    __slots__ = ("_a", "_b", "_c", "_count")

    def __init__(self, seed: int) -> None:
        # Twelve words are thrown away; `word` is written out, since every shuffle makes a generator.
        a: i64 = seed & WORD
        b: i64 = (seed >> 32) & WORD
        c: i64 = 0x9E3779B9
        count: i64 = 1
        while count < 13:
            word: i64 = (a + b + count) & WORD
            a = b ^ (b >> 9)
            b = (c + (c << 3)) & WORD
            c = (((c << 21) & WORD) + (c >> 11) + word) & WORD
            count += 1
        self._a: i64 = a
        self._b: i64 = b
        self._c: i64 = c
        self._count: i64 = count

    def word(self) -> i64:
        """32 random bits."""
        b: i64 = self._b
        c: i64 = self._c
        total: i64 = (self._a + b + self._count) & WORD
        self._count = (self._count + 1) & WORD
        self._a = b ^ (b >> 9)
        self._b = (c + (c << 3)) & WORD
        self._c = (((c << 21) & WORD) + (c >> 11) + total) & WORD
        return total

    def below(self, n: i64) -> i64:
        """An int from 0 to n - 1, for 0 < n < 2**31 (bias below n / 2**32).

        `word` is written out: every decision of random play draws one number.
        """
        b: i64 = self._b
        c: i64 = self._c
        word: i64 = (self._a + b + self._count) & WORD
        self._count = (self._count + 1) & WORD
        self._a = b ^ (b >> 9)
        self._b = (c + (c << 3)) & WORD
        self._c = (((c << 21) & WORD) + (c >> 11) + word) & WORD
        return (word * n) >> 32

    def seed(self) -> int:
        """A seed for somebody else: 62 random bits, too many to be guessed by trying. (Two words, written
        out.)"""
        a: i64 = self._a
        b: i64 = self._b
        c: i64 = self._c
        count: i64 = self._count
        high: i64 = (a + b + count) & WORD
        a = b ^ (b >> 9)
        b = (c + (c << 3)) & WORD
        c = (((c << 21) & WORD) + (c >> 11) + high) & WORD
        count = (count + 1) & WORD
        low: i64 = (a + b + count) & WORD
        self._a = b ^ (b >> 9)
        self._b = (c + (c << 3)) & WORD
        self._c = (((c << 21) & WORD) + (c >> 11) + low) & WORD
        self._count = (count + 1) & WORD
        return int(high >> 2 << 32 | low)

    def random(self) -> float:
        """A float from 0 to just under 1, in steps of 2**-32."""
        return float(self.word()) / 4294967296.0

    def shuffle(self, items: list[int]) -> None:
        """Fisher-Yates, in place.

        `below` is written out here with local words: half of all numbers are drawn in shuffles, and
        without the compiler this halves their cost.
        """
        cards: list[Any] = items  # swapped unread
        a: i64 = self._a
        b: i64 = self._b
        c: i64 = self._c
        count: i64 = self._count
        i: i64 = len(cards) - 1
        while i > 0:
            word: i64 = (a + b + count) & WORD
            count = (count + 1) & WORD
            a = b ^ (b >> 9)
            b = (c + (c << 3)) & WORD
            c = (((c << 21) & WORD) + (c >> 11) + word) & WORD
            j: i64 = (word * (i + 1)) >> 32
            kept = cards[i]
            cards[i] = cards[j]
            cards[j] = kept
            i -= 1
        self._a = a
        self._b = b
        self._c = c
        self._count = count

    def weighted(self, weights: list[int]) -> int:
        """An index, drawn in proportion to the weights (ints whose sum is below 2**31)."""
        left = int(self.below(sum(weights)))
        for i in range(len(weights)):
            left -= weights[i]
            if left < 0:
                return i
        raise ValueError("weights must hold a positive number")

    def clone(self) -> Rng:
        twin = Rng(0)
        twin._a = self._a
        twin._b = self._b
        twin._c = self._c
        twin._count = self._count
        return twin
