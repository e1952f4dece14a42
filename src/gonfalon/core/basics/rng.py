"""Random numbers: the generator sfc32 by Chris Doty-Humphrey (PractRand), and fast shuffles by seed.

It uses only adds, shifts and xors of 32-bit words, so interpreted and compiled code and any other language give the
same numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from math import factorial
from operator import index, itemgetter
from typing import Final

from mypy_extensions import i64

from gonfalon.core.basics.cards import Unread
from gonfalon.core.basics.errors import OptionError

WORD: Final = 0xFFFFFFFF
"""The mask of 32 bits."""

MIX: Final = 0xFFFFFFFFFFFFFFFF
"""The mask of 64 bits."""
STEP: Final = 0x9E3779B97F4A7C15
"""The increment of splitmix64."""
FIRST: Final = 0xBF58476D1CE4E5B9
"""The first factor of splitmix64."""
SECOND: Final = 0x94D049BB133111EB
"""The second factor of splitmix64."""

SEED_BITS: Final = 0x3FFFFFFFFFFFFFFF
"""The mask of 62 bits."""
SEED_STEP: Final = 0x1E3779B97F4A7C15
"""The increment of splitmix64, reduced to 62 bits."""
SEED_FIRST: Final = 0x3F58476D1CE4E5B9
"""The first factor of splitmix64, reduced to 62 bits."""
SEED_SECOND: Final = 0x14D049BB133111EB
"""The second factor of splitmix64, reduced to 62 bits."""


def has_wrapping_ints() -> bool:
    """Return whether arithmetic of i64 wraps: in compiled code it does, in plain Python an i64 is any int."""
    most: i64 = 0x7FFFFFFFFFFFFFFF
    return most + 1 < 0


WRAPS: Final[bool] = has_wrapping_ints()


def shuffle_by(seed: int, items: list[int]) -> int:
    """Shuffle a list in place by a seed.

    It costs a quarter of `Rng(seed).shuffle`, because there is no warm-up and one word gives several places (with a
    bias below 2**-20). It is meant for games that shuffle a few cards again and again. The words are those of
    splitmix64 by Sebastiano Vigna.

    Args:
        seed: 64 bits.
        items: The list, which changes.

    Returns:
        The seed for the next list.
    """
    if WRAPS:
        return shuffle_by_machine(seed, items)
    words, few, orders = plan_words(len(items))
    part = 0
    for parts in words:
        seed = (seed + STEP) & MIX
        word = ((seed ^ seed >> 30) * FIRST) & MIX
        word = ((word ^ word >> 27) * SECOND) & MIX
        word ^= word >> 31
        for ways, places in parts:
            part = word % ways
            word //= ways
            for left, last in places:
                at = part % left
                part //= left
                kept = items[last]
                items[last] = items[at]
                items[at] = kept
    if few:
        # `itemgetter` returns a tuple, so all cards are read before the slice is written.
        items[:few] = orders[part](items)
    return seed


FEW: Final = 6
"""The largest number of last cards whose order is looked up in one step."""
Parts = list[tuple[int, list[tuple[int, int]]]]
Order = Callable[[list[int]], tuple[int, ...]]
Plan = tuple[list[Parts], int, list[Order]]


def plan_words(count: int) -> Plan:
    """Return how `shuffle_by` splits its words for a number of cards.

    Each part decides as many places as fit into one digit of Python's long ints, which are divided twice as fast. A
    part is the number of its orders, and for each of its places the number of remaining cards and the index of the
    last. The last few places are decided at once: the plan has their number, and the function that takes the cards in
    each order.
    """
    if count in PLANS:
        return PLANS[count]
    words: list[Parts] = []
    left = count
    while left > 1:
        # A word decides places worth at most 44 of its 64 bits. The other 20 keep the bias below 2**-20.
        # One word is enough for the last 15 places, because 15! is below 2**41.
        stop = 1 if left < 16 else max(15, left - 44 // left.bit_length())
        parts: Parts = []
        ways = 1
        places: list[tuple[int, int]] = []
        for at in range(left, stop, -1):
            # A digit of Python's ints has 30 bits.
            if ways * at >= 1 << 30:
                parts.append((ways, places))
                ways, places = 1, []
            ways *= at
            places.append((at, at - 1))
        parts.append((ways, places))
        words.append(parts)
        left = stop
    few = 0
    if words:
        places = words[-1][-1][1]
        few = min(FEW, places[0][0])
        del places[places.index((few, few - 1)) :]
    PLANS[count] = words, few, list_orders(few)
    return PLANS[count]


PLANS: Final[dict[int, Plan]] = {}
"""The plans by the number of cards."""


def list_orders(count: int) -> list[Order]:
    """Return for each order of a few cards the function that takes them out of a list in that order."""
    if count not in ORDERS:
        orders: list[Order] = []
        for part in range(factorial(count) if count else 0):
            order = list(range(count))
            for left in range(count, 1, -1):
                at = part % left
                part //= left
                order[left - 1], order[at] = order[at], order[left - 1]
            orders.append(itemgetter(*order))
        ORDERS[count] = orders  # assigned when complete: other threads may be shuffling
    return ORDERS[count]


ORDERS: Final[dict[int, list[Order]]] = {}
"""The orders by the number of cards."""


def shuffle_by_machine(seed: int, items: list[int]) -> int:
    """Shuffle like `shuffle_by`, in machine words: five times as fast as with long ints in compiled code.

    64-bit numbers are negative from 2**63, so the first quotient of such a word is computed in two halves. The results
    are equal.
    """
    cards: Unread = items
    high: i64 = seed >> 32 & WORD
    low: i64 = seed & WORD
    state: i64 = high << 32 | low
    left: i64 = len(cards)
    while left > 1:
        state += -0x61C8864680B583EB  # STEP; FIRST and SECOND follow: all minus 2**64, to fit into an i64
        # A shift of an i64 copies its sign, so each mask keeps only the bits that a shift without sign would leave.
        word: i64 = (state ^ (state >> 30 & 0x3FFFFFFFF)) * -0x40A7B892E31B1A47
        word = (word ^ (word >> 27 & 0x1FFFFFFFFF)) * -0x6B2FB644ECCEEE15
        word ^= word >> 31 & 0x1FFFFFFFF
        bits: i64 = 4
        while left >> bits:
            bits += 1
        stop: i64 = 1
        if left >= 16:
            stop = left - 44 // bits
            if stop < 15:
                stop = 15
        while left > stop:
            at: i64
            if word < 0:
                high = word >> 32 & WORD
                low = (high % left) << 32 | (word & WORD)
                at = low % left
                word = (high // left) << 32 | low // left
            else:
                at = word % left
                word = word // left
            left -= 1
            kept = cards[left]
            cards[left] = cards[at]
            cards[at] = kept
    return int(state >> 32 & WORD) << 32 | int(state & WORD)


def next_seed(seed: int) -> int:
    """Return a seed of 62 bits that follows from another one, by the steps of splitmix64."""
    word: i64 = (seed + SEED_STEP) & SEED_BITS
    word = ((word ^ word >> 30) * SEED_FIRST) & SEED_BITS
    word = ((word ^ word >> 27) * SEED_SECOND) & SEED_BITS
    return int(word ^ word >> 31)


def check_seed(seed: object) -> int:
    """Return a seed as an int. Raises OptionError unless it is a whole number from 0 to 2**64 - 1."""
    try:
        found = index(seed)  # type: ignore[arg-type]
    except TypeError:
        found = -1
    if not 0 <= found <= MIX:
        raise OptionError(f"A seed must be a whole number from 0 to 2**64 - 1, not {seed!r:.40}.")
    return found


class Rng:
    """A reproducible stream of random numbers.

    Args:
        seed: An int from 0 to 2**64 - 1.

    Raises:
        OptionError: The seed is out of range.
    """

    __slots__ = ("_a", "_b", "_c", "_count")

    def __init__(self, seed: int) -> None:
        if not 0 <= seed <= MIX:
            check_seed(seed)
        # sfc32 discards twelve words. `word` is inlined, because every shuffle makes a generator.
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
        """Return 32 random bits."""
        b: i64 = self._b
        c: i64 = self._c
        total: i64 = (self._a + b + self._count) & WORD
        self._count += 1
        self._a = b ^ (b >> 9)
        self._b = c * 9 & WORD
        self._c = ((c << 21 | c >> 11) + total) & WORD
        return total

    def below(self, n: i64) -> i64:
        """Return an int from 0 to n - 1, with a bias below n / 2**32.

        `word` is inlined, because every decision of random play draws one number.

        Args:
            n: A number from 1 to 2**31.

        Raises:
            ValueError: `n` is out of range.
        """
        if n <= 0 or n > 0x80000000:
            raise ValueError(f"The argument of Rng.below must be from 1 to 2**31, not {n}.")
        b: i64 = self._b
        c: i64 = self._c
        word: i64 = (self._a + b + self._count) & WORD
        self._count += 1
        self._a = b ^ (b >> 9)
        self._b = c * 9 & WORD
        self._c = ((c << 21 | c >> 11) + word) & WORD
        return (word * n) >> 32

    def seed(self) -> int:
        """Return a seed for another generator: 62 random bits, too many to try. Two calls of `word` are inlined."""
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
        # 30 bits of `high` and all 32 of `low`.
        return int(high >> 2 << 32 | low)

    def random(self) -> float:
        """Return a float from 0 to just under 1, in steps of 2**-32."""
        return float(self.word()) / 4294967296.0

    def shuffle(self, items: list[int]) -> None:
        """Shuffle a list in place (Fisher-Yates).

        `below` is inlined with local words: half of all random numbers are drawn in shuffles, and without the compiler
        this halves their cost.
        """
        cards: Unread = items
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
        """Return a random index in proportion to the weights.

        Args:
            weights: Ints from 0, with a sum below 2**31.

        Raises:
            ValueError: No weight is positive.
        """
        whole = sum(weights)
        if whole <= 0:
            raise ValueError("weights must hold a positive number")
        # `left` is below the sum of the weights, so the loop ends before the list does.
        left = int(self.below(whole))
        at = 0
        while left >= weights[at]:
            left -= weights[at]
            at += 1
        return at

    def clone(self) -> Rng:
        """Return an independent copy."""
        twin = Rng(0)
        twin._a = self._a
        twin._b = self._b
        twin._c = self._c
        twin._count = self._count
        return twin

    def __repr__(self) -> str:
        return f"<Rng {int(self._a):08x} {int(self._b):08x} {int(self._c):08x} {int(self._count):08x}>"

    def __reduce__(self) -> tuple[object, ...]:
        return restore_rng, (int(self._a), int(self._b), int(self._c), int(self._count))


def restore_rng(a: i64, b: i64, c: i64, count: i64) -> Rng:
    """Return a generator with these four words."""
    rng = Rng(0)
    rng._a = a
    rng._b = b
    rng._c = c
    rng._count = count
    return rng
