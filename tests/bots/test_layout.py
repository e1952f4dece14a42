"""A network that reads rows of other cards gives each number the weights of the card it replaces."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from gonfalon.bots.networks.card_match import CardFeatures, CardMatch
from gonfalon.bots.networks.layout import Layout
from gonfalon.bots.networks.network import Layers, Net


def card(slug: str, number: float, faction: int = 0) -> CardFeatures:
    return CardFeatures(slug, "unit", faction, frozenset(), (number,))


OX, HEN, OWL = card("ox", 6), card("hen", 2), card("owl", 3, faction=1)


def layout_of(cards: int, factions: int = 2) -> Layout:
    """Two plain numbers, two numbers of each card, one of each faction."""
    layout = Layout()
    assert layout.add([1.0, 0.5]) == 0
    assert layout.add_cards(range(cards), 0.1, each=2) == 2
    assert layout.add_factions(factions) == 2 + 2 * cards
    assert layout.size == 2 + 2 * cards + factions
    return layout


def test_a_layout_has_the_factor_of_each_number() -> None:
    assert layout_of(3).factors == [1.0, 0.5, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 1.0, 1.0]


def test_the_trained_cards_keep_their_numbers() -> None:
    match = CardMatch([OX, HEN, OWL], [OX, HEN, OWL])
    assert layout_of(3).gather(layout_of(3), match) == list(range(10))


def test_cards_and_factions_take_their_numbers_along() -> None:
    """The owl's faction is listed first, the ox is gone, and a similar elk is added."""
    cards = [card("owl", 3, faction=0), card("hen", 2, faction=1), card("elk", 5, faction=1)]
    match = CardMatch(cards, [OX, HEN, OWL])
    assert layout_of(3).gather(layout_of(3), match) == [0, 1, 6, 7, 4, 5, 2, 3, 9, 8]


def test_more_cards_may_share_the_numbers_of_one() -> None:
    match = CardMatch([OX, HEN, OWL, card("cow", 6)], [OX, HEN, OWL])
    assert layout_of(4).gather(layout_of(3), match) == [0, 1, 2, 3, 4, 5, 6, 7, 2, 3, 8, 9]


def test_other_plain_numbers_cannot_be_read() -> None:
    other = Layout()
    other.add([1.0] * 3)
    with pytest.raises(LookupError):
        layout_of(3).gather(other, CardMatch([OX], [OX]))


def test_a_rearranged_network_reads_a_row_like_the_trained_row_with_the_same_cards() -> None:
    """A cow replaces an ox. One cow is one more ox, and both have the ox's outputs."""
    rng = np.random.default_rng(1)

    def layers(*sizes: int) -> Layers:
        pairs = list(pairwise(sizes))
        weights = [rng.normal(size=pair).astype(np.float32) for pair in pairs]
        return Layers(weights, [rng.normal(size=out).astype(np.float32) for _, out in pairs])

    # Of a hen, an ox and a hidden number, the policy reads the first two.
    net = Net(layers(2, 4, 2), layers(3, 4, 1), {})
    other = net.rearrange([0, 1, 1, 2], 3, [1, 0, 1])
    assert other.widths == (3, 3, 4)
    hens, oxen, cows, hidden = 1.0, 2.0, 3.0, 5.0
    policy = other.policy(np.array([[hens, oxen, cows]], dtype=np.float32))[0]
    trained = net.policy(np.array([[hens, oxen + cows]], dtype=np.float32))[0]
    assert policy == pytest.approx([trained[1], trained[0], trained[1]], rel=1e-5)
    value = other.value(np.array([[hens, oxen, cows, hidden]], dtype=np.float32))
    assert value == pytest.approx(net.value(np.array([[hens, oxen + cows, hidden]], dtype=np.float32)), rel=1e-5)
    assert net.widths == (2, 2, 3), "the trained network is unchanged"
