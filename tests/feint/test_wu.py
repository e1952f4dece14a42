"""Tribe Wu: the effects of their cards, their limits, and the cards they do not affect."""

from __future__ import annotations

from typing import Any

import pytest

from gonfalon.core.text.citations import cite_rule
from gonfalon.games.feint.face.resolution import Resolution
from gonfalon.games.feint.rules import events
from gonfalon.testing import rule
from tests.feint.scenario import Table, card

BOMB = card("bomb", 1, "bomb-tower", tags=("tower",))
SMITH = card("smith", 1, tags=("engineer",))


def resolution(table: Table) -> Resolution:
    """Return the sums of the last round."""
    return table.resolution


# ---- Master of Fire ---------------------------------------------------------------------------------

FIRE = card("fire", 7, "master-of-fire")


@rule("feint", 56)
def test_a_master_of_fire_costs_two_morale_as_it_is_played() -> None:
    table = Table(may=[FIRE])
    table.may.holds("fire", "red-filler").scouted(3)
    table.david.holds("blue-filler").scouted(3)
    table.deploys(table.may)
    table.may.plays("fire@5")
    assert table.may.morale == 21
    assert table.david.morale == 23, "David pays nothing"
    assert table.asked() == (1, "deploy"), "and it is his turn"


# ---- Master of Wind ---------------------------------------------------------------------------------

WIND = card("wind", 6, "master-of-wind")


@rule("feint", 57)
def test_one_card_of_either_player_keeps_a_master_of_wind_away() -> None:
    """May's ox is at 2, David's hen at 3, a face-down card at 4, a stayed angel at 5, so 6 is left."""
    table = Table(
        may=[WIND, card("ox", 1), card("angel", 1, "guardian-angel"), card("veil", 0, "covert")], david=[card("hen", 0)]
    )
    table.may.holds("wind").has("ox", at=2).has("veil", at=4, down=True).has("angel", at=5)
    table.david.holds("blue-filler").has("hen", at=3)
    table.deploys(table.may)
    assert table.may.legal() == ["pass", "wind@6"]
    for number in (2, 3, 4, 5):
        assert cite_rule(table.may.why_not(f"wind@{number}")) == "Wind needs an empty Location (ruling 57)."


@rule("feint", 57)
def test_a_location_that_was_cleared_is_empty_again() -> None:
    """A bomb removes May's ox and itself. David's engineer is returned by his Trojan Bit."""
    table = Table(may=[WIND, card("ox", 1)], david=[BOMB, SMITH, card("trojan", 1, "trojan")])
    table.may.holds("wind", "red-filler").has("ox", at=5)
    table.david.holds("bomb", "trojan", "blue-filler").has("smith", at=5)
    table.deploys(table.david)
    assert not table.may.may_do("wind@5")
    table.david.plays("bomb@5")
    assert table.may.why_not("wind@5").rule == "ruling 57", "the engineer is still there"
    table.may.plays("red-filler@2")
    table.david.plays("trojan@3")
    assert table.may.may_do("wind@5")


# ---- Master of Earth --------------------------------------------------------------------------------

EARTH = card("earth", 3, "master-of-earth", morale=2)


def earthy(**options: Any) -> Table:
    """Return a table where neither player has a card at a battle. May starts, wins the tie and pays nothing."""
    table = Table(
        may=[EARTH, card("ox", 4)],
        david=[card("hen", 2), card("smoke", 1, "covert"), card("tower", 9, "tower", tags=("tower",))],
        **options,
    )
    table.may.holds("red-filler").scouted(2)
    table.david.holds("blue-filler").scouted(2)
    return table


@rule("feint", 58)
def test_a_master_of_earth_gains_the_spare_capacity_itself_included() -> None:
    """10 less 3 for itself, 4 for the ox and 2 for David's hen is one Morale."""
    table = earthy()
    table.may.has("earth", "ox", at=5)
    table.david.has("hen", at=5)
    table.deploys(table.may).both_pass()
    assert table.may.morale == 24
    assert table.david.morale == 22, "he gains nothing, and pays 1 for his hen: May won the tie"


@rule("feint", 58)
@pytest.mark.parametrize(("oxen", "gain"), [(0, 7), (1, 3)])
def test_it_works_at_a_battle_and_elsewhere_and_above_thirty_morale(oxen: int, gain: int) -> None:
    """10 - 3, and 10 - 3 - 4. The battle is at 2."""
    for number in (2, 6):
        table = earthy()
        table.may.has("earth", *["ox"] * oxen, at=number).morale_is(28)
        table.deploys(table.may).both_pass()
        assert table.may.morale == 28 + gain


@rule("feint", 58)
@pytest.mark.parametrize("david", ["hen", "tower"])
def test_at_capacity_or_above_it_neither_gains_nor_costs(david: str) -> None:
    """3 + 4 + 2 + 1 is 10, and 3 + 4 + 9 + 1 is 17."""
    table = earthy()
    table.may.has("earth", "ox", at=5)
    table.david.has(david, "blue-filler", at=5)
    table.deploys(table.may).both_pass()
    assert table.may.morale == 23
    assert table.happened(events.EARTH) == []


@rule("feint", 58)
def test_several_at_one_place_each_gain() -> None:
    """Two of Strength 3 leave 4 spare, which each gains."""
    table = earthy()
    table.may.has("earth", "earth", at=5)
    table.deploys(table.may).both_pass()
    assert table.may.morale == 23 + 4 + 4


@rule("feint", 25, 58)
def test_a_face_down_card_counts_its_true_strength_for_it() -> None:
    """Face down it counts 3, in the Resolution 1, so 10 - 3 - 1 are spare."""
    table = earthy()
    table.may.has("earth", at=5)
    table.david.has("smoke", at=5, down=True)
    assert table.load(5) == 6
    table.deploys(table.may).both_pass()
    assert table.may.morale == 23 + 6


# ---- Conjurer ---------------------------------------------------------------------------------------

MAGE = card("mage", 2, "conjurer")


@rule("feint", 59)
def test_a_conjurer_plays_a_card_of_the_own_discard_pile_of_free_choice() -> None:
    table = Table(may=[MAGE, card("ox", 6), card("cow", 5)], david=[card("hen", 1)])
    table.may.holds("mage", "red-filler").discarded("ox", "cow", "ox")
    table.david.holds("blue-filler").discarded("hen")
    table.deploys(table.may)
    table.may.plays("mage@2")
    assert table.asked() == (0, "conjure")
    assert table.may.legal() == [f"{slug}@{number}" for slug in ("ox", "cow") for number in (2, 3, 4, 5, 6)]
    assert table.may.why_not("hen@3") == "Hen is not in your discard pile."
    assert table.may.why_not("red-filler@3") == "Red Filler is not in your discard pile.", "that is in her hand"
    table.may.plays("cow@6")
    assert table.may.at(6) == ["cow"]
    assert sorted(table.may.discard) == ["ox", "ox"]
    assert table.may.hand == ["red-filler"]
    assert table.asked() == (1, "deploy"), "one card, one turn"
    assert table.david.discard == ["hen"]


@rule("feint", 59)
def test_without_a_playable_card_a_conjurer_does_nothing() -> None:
    empty = Table(may=[MAGE])
    empty.may.holds("mage", "red-filler")
    empty.david.holds("blue-filler").discarded("blue-filler")
    empty.deploys(empty.may)
    empty.may.plays("mage@2")
    assert empty.asked() == (1, "deploy"), "an empty discard pile"
    assert [event[2] for event in empty.happened(events.NO_EFFECT)] == [0]

    full = Table(may=[MAGE, card("giant", 11)])
    full.may.holds("mage", "red-filler").discarded("giant")
    full.david.holds("blue-filler")
    full.deploys(full.may)
    full.may.plays("mage@2")
    assert full.asked() == (1, "deploy"), "a card that fits nowhere"
    assert full.may.discard == ["giant"]


@rule("feint", 59)
def test_a_conjurer_may_fetch_a_conjurer_and_never_itself() -> None:
    """In a chain of two, the one from the discard pile fetches in its turn. Neither fetches itself, because it is in
    play."""
    table = Table(may=[MAGE, card("ox", 6)])
    table.may.holds("mage", "red-filler").discarded("mage", "ox")
    table.david.holds("blue-filler")
    table.deploys(table.may)
    table.may.plays("mage@2", "mage@3")
    assert table.asked() == (0, "conjure")
    assert table.may.legal() == ["ox@2", "ox@3", "ox@4", "ox@5", "ox@6"]
    table.may.plays("ox@6")
    assert table.may.discard == []
    assert table.asked() == (1, "deploy")


# ---- Storm Prodigy ----------------------------------------------------------------------------------

STORM = card("storm", 6, "storm-prodigy", protected=True)


def stormy() -> Table:
    table = Table(may=[STORM, MAGE, card("ox", 5)], david=[card("hen", 4), card("cock", 5), BOMB, SMITH])
    table.may.holds("storm", "red-filler")
    table.david.holds("blue-filler")
    return table


@rule("feint", 60)
def test_the_opponent_picks_the_location_of_a_storm_prodigy() -> None:
    table = stormy()
    table.deploys(table.may)
    assert table.may.legal() == ["pass", "storm", *(f"red-filler@{n}" for n in (2, 3, 4, 5, 6))]
    assert table.may.why_not("storm@3").rule == "ruling 60", "May does not choose"
    table.may.plays("storm")
    assert table.asked() == (1, "storm")
    assert table.may.legal() == []
    assert table.david.legal() == ["@2", "@3", "@4", "@5", "@6"], "however useless"
    table.david.answers("@2")
    assert table.may.at(2) == ["storm"]
    assert table.may.hand == ["red-filler"]
    assert table.asked() == (1, "deploy"), "then it is David's turn"


@rule("feint", 60)
def test_the_opponent_must_respect_capacity() -> None:
    """6 fit on David's hen of 4, not on his cock of 5."""
    table = stormy()
    table.david.has("hen", at=3).has("cock", at=4)
    table.deploys(table.may)
    table.may.plays("storm")
    assert table.david.legal() == ["@2", "@3", "@5", "@6"]
    assert table.david.why_not("@4").rule == "ruling 60"
    assert table.david.why_not("pass").rule == "ruling 60"


@rule("feint", 60)
def test_a_storm_prodigy_without_a_legal_place_cannot_be_played() -> None:
    """Neither the hand nor a Conjurer can play it. The Conjurer then plays another card or none."""
    table = Table(may=[STORM, MAGE, card("ox", 5, copies=5)])
    table.may.holds("storm", "mage", "red-filler").discarded("storm")
    table.david.holds("blue-filler")
    for number in (2, 3, 4, 5, 6):
        table.may.has("ox", at=number)
    table.deploys(table.may)
    assert table.may.why_not("storm").rule == "ruling 60"
    table.may.plays("mage@2")
    assert table.asked() == (1, "deploy")
    assert table.may.discard == ["storm"]


@rule("feint", 59, 60)
def test_a_conjured_storm_prodigy_is_placed_by_the_opponent_too() -> None:
    table = stormy()
    table.may.holds("mage", "storm").discarded("storm")
    table.deploys(table.may)
    table.may.plays("mage@2")
    assert table.asked() == (1, "storm"), "there is nothing else to conjure"
    table.david.answers("@6")
    assert table.may.at(6) == ["storm"]
    assert table.may.discard == [], "the one of the discard pile"
    assert table.may.hand == ["storm"], "not the one of the hand"


@rule("feint", 31, 37)
def test_a_storm_prodigy_in_play_is_protected_from_others_not_from_its_own_text() -> None:
    """David chooses its Location by its own text. His bomb cannot hit it."""
    table = stormy()
    table.david.holds("bomb", "blue-filler").has("smith", at=3)
    table.deploys(table.may)
    table.may.plays("storm")
    table.david.answers("@3")
    assert table.may.at(3) == ["storm"]
    table.david.plays("bomb@3")
    assert table.david.discard == ["bomb"], "nothing to hit"
    assert table.may.at(3) == ["storm"]
