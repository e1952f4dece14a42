"""Deals under constraints, on a state with only cards."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from typing import Any

import pytest

from gonfalon.check.statistics import compare_with_weights
from gonfalon.core.basics.cards import FLAG, HIDDEN, KIND, SEEN
from gonfalon.core.basics.outcome import Outcome
from gonfalon.core.basics.rng import Rng
from gonfalon.core.knowledge.worlds import deal_decks, deal_unseen, find_unseen
from gonfalon.core.rules.state import State

DOWN = FLAG


class Cards(State):
    """A deck, a hand, and a row in which face-down cards can only be of a kind above `least`."""

    def __init__(self, deck: list[int], hand: list[int], pile: list[int], row: list[int], least: int) -> None:
        super().__init__(1, [])
        self.full, self.hand, self.pile, self.row, self.least = deck, hand, pile, row, least

    def clone(self) -> Cards:
        twin = Cards(self.full, self.hand[:], self.pile[:], self.row[:], self.least)
        self.copy_flow(twin)
        return twin

    def ordered_zones(self) -> list[list[int]]:
        return [self.pile, self.row]

    def unordered_zones(self) -> list[list[int]]:
        return [self.hand]

    def pools(self) -> list[tuple[list[int], list[list[int]]]]:
        return [(self.full, [self.hand, self.pile, self.row])]

    def binding(self) -> int:
        return DOWN

    def admits(self, flags: int, kind: int) -> bool:
        return kind >= self.least

    def data(self) -> list[Any]:
        return [self.hand, self.pile, self.row]

    def outcome(self) -> Outcome | None:
        return None

    def returns(self) -> list[float]:
        return [0.0]


@pytest.mark.parametrize(("hand", "down"), [(2, 0), (2, 1), (2, 2), (1, 0)])
def test_every_deal_that_fits_is_equally_likely(hand: int, down: int) -> None:
    deck = [0, 1, 2, 3, 3]
    row = [HIDDEN | DOWN] * down
    start = Cards(deck, [HIDDEN] * hand, [HIDDEN] * (5 - hand - down), row, least=2)  # 4: dealt as a whole
    rng = Rng(11)
    counts: Counter[Any] = Counter()
    for _ in range(12_000):
        state = start.clone()
        deal_unseen(state, SEEN[0], rng)
        counts[tuple(card & KIND for card in [*state.hand, *state.pile, *state.row])] += 1
    fitting: Counter[Any] = Counter()
    for order in permutations(deck):
        if all(kind >= 2 for kind in order[5 - down :]):
            fitting[order] += 1
    assert set(counts) == set(fitting)
    assert compare_with_weights(counts, {order: float(weight) for order, weight in fitting.items()}) > 1e-6


def test_two_zones_that_are_one_list_are_dealt_apart() -> None:
    zone = [HIDDEN, HIDDEN]
    start = Cards([0, 1, 2, 3], zone, zone, [], least=0)
    twin = start.clone()
    deal_decks(twin, find_unseen(start, SEEN[0]), Rng(1))
    assert sorted(twin.hand + twin.pile) == [0, 1, 2, 3]


def test_a_pool_must_be_made_of_the_zones_of_the_state() -> None:
    class Strange(Cards):
        def pools(self) -> list[tuple[list[int], list[list[int]]]]:
            return [(self.full, [self.hand[:]])]

    with pytest.raises(ValueError, match="none of the state's"):
        deal_unseen(Strange([0], [HIDDEN], [], [], least=0), SEEN[0], Rng(1))


def test_seen_cards_and_flags_stay() -> None:
    start = Cards([0, 1, 2, 3], [1 | SEEN[0]], [HIDDEN], [HIDDEN | DOWN, 2 | SEEN[0] | DOWN], least=2)
    state = start.clone()
    deal_unseen(state, SEEN[0], Rng(1))
    assert state.hand == [1 | SEEN[0]]
    assert state.row == [3 | DOWN, 2 | SEEN[0] | DOWN]
    assert state.pile == [0]


def test_a_place_that_nothing_fits_is_an_error() -> None:
    state = Cards([0, 1], [HIDDEN], [], [HIDDEN | DOWN], least=2)
    with pytest.raises(ValueError, match="fits"):
        deal_unseen(state, SEEN[0], Rng(1))


def test_the_result_depends_on_the_seen_part_alone() -> None:
    one = Cards([0, 1, 2, 3], [0, 1], [2, 3], [], least=0)
    two = Cards([0, 1, 2, 3], [3, 2], [1, 0], [], least=0)
    deal_unseen(one, SEEN[0], Rng(9))
    deal_unseen(two, SEEN[0], Rng(9))
    assert one.data() == two.data()
