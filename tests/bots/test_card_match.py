"""The trained card that replaces a card unknown to a network."""

from __future__ import annotations

import pytest

from gonfalon.bots.networks.card_match import CardFeatures, CardMatch


def features(
    slug: str, *numbers: float, role: str = "unit", faction: int = 0, traits: tuple[str, ...] = ()
) -> CardFeatures:
    return CardFeatures(slug, role, faction, frozenset(traits), numbers)


OX = features("ox", 6, 2)
HEN = features("hen", 2, 1)
SPY = features("spy", 2, 1, traits=("covert",))
OWL = features("owl", 3, 1, faction=1)
RAIN = features("rain", 2, 1, role="spell")
TRAINED = [OX, HEN, SPY, OWL, RAIN]


def test_trained_cards_keep_their_places_in_any_order() -> None:
    match = CardMatch([RAIN, SPY, OX, OWL, HEN], TRAINED)
    assert match.places == [4, 2, 0, 3, 1]
    assert match.changed_share(range(5)) == 0.0


def test_a_changed_card_keeps_its_place_even_if_another_one_is_nearer() -> None:
    match = CardMatch([features("hen", 6, 2), OX, SPY], TRAINED)
    assert match.places == [1, 0, 2]
    assert match.changed_share(range(3)) == pytest.approx(1 / 3)
    assert match.changed_share([1, 2]) == 0.0


@pytest.mark.parametrize(
    ("card", "place"),
    [
        (features("elk", 5, 2), 0),
        (features("cat", 2, 2), 1),
        (features("rat", 1, 1, traits=("covert",)), 2),
        (features("fog", 6, 2, role="spell"), 4),
    ],
)
def test_a_new_card_takes_the_place_of_the_nearest_of_its_role(card: CardFeatures, place: int) -> None:
    """An elk is one point from the ox and four from the hen, whose place a cat takes. A rat shares an ability only with
    the spy, and a spell replaces no unit."""
    match = CardMatch([*TRAINED, card], TRAINED)
    assert match.places == [0, 1, 2, 3, 4, place]
    assert match.changed_share([5]) == 1.0


def test_a_new_card_stays_in_its_faction_if_the_numbers_are_close() -> None:
    """It equals the owl except for the faction. The hen of its own faction is one point away."""
    assert CardMatch([OX, HEN, features("jay", 3, 1)], TRAINED).places[2] == 1


def test_factions_are_matched_by_their_cards_not_by_number() -> None:
    """An owner's file can list factions in another order, and adds one whose cards resemble the first."""
    cards = [
        features("owl", 3, 1, faction=0),
        features("ox", 6, 2, faction=1),
        features("hen", 2, 1, faction=1),
        features("yak", 6, 2, faction=2),
    ]
    match = CardMatch(cards, TRAINED)
    assert match.factions == {0: 1, 1: 0, 2: 0}
    assert match.places == [3, 0, 1, 0]
    assert [match.changed_share([number]) for number in range(4)] == [0.0, 0.0, 0.0, 1.0]


def test_a_role_that_was_never_trained_has_no_place() -> None:
    with pytest.raises(LookupError, match="hero"):
        CardMatch([features("sun", 9, 9, role="hero")], TRAINED)
