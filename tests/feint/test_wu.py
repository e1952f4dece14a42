"""Tribe Wu: what each of their cards does, where it stops, and what it leaves alone."""

from __future__ import annotations

from typing import Any

import pytest

from gonfalon.games.feint.face.board import Resolution
from gonfalon.games.feint.rules import events
from gonfalon.testing import rule
from tests.feint.scenario import Table, card

BOMB = card("bomb", 1, "bomb-tower", tags=("tower",))
SMITH = card("smith", 1, tags=("engineer",))


def resolution(table: Table) -> Resolution:
    """The sums of the last round."""
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


@rule("feint", 56)
def test_a_master_of_fire_costs_nothing_more_in_the_resolution() -> None:
    """May wins the round, so the two Morale of the play are all she loses."""
    table = Table(may=[FIRE])
    table.may.holds("fire", "red-filler").scouted(3)
    table.david.holds("blue-filler").scouted(3)
    table.deploys(table.may)
    table.may.plays("fire@3")
    table.both_pass()
    assert resolution(table)["winner"] == 0
    assert table.may.morale == 21
    assert [event[4] for event in table.happened(events.MORALE)] == [-2]


@rule("feint", 17, 56)
@pytest.mark.parametrize(("morale", "over"), [(1, True), (2, True), (3, False)])
def test_at_two_morale_or_less_the_play_is_legal_and_loses_at_once(morale: int, over: bool) -> None:
    table = Table(may=[FIRE])
    table.may.holds("fire", "red-filler").morale_is(morale)
    table.david.holds("blue-filler").morale_is(1)
    table.deploys(table.may)
    assert table.may.may_do("fire@5")
    table.may.plays("fire@5")
    assert table.state.over is over
    if over:
        outcome = table.state.outcome()
        assert outcome is not None
        assert (outcome.winners, outcome.how) == ([1], "morale")
        assert table.may.at(5) == ["fire"], "no Cleanup any more"
    else:
        assert table.may.morale == 1
        assert table.state.outcome() is None


@rule("feint", 56, 59)
def test_a_conjured_master_of_fire_costs_two_morale_as_well() -> None:
    table = Table(may=[FIRE, card("mage", 2, "conjurer")])
    table.may.holds("mage").discarded("fire")
    table.david.holds("blue-filler")
    table.deploys(table.may)
    table.may.plays("mage@5", "fire@4")
    assert table.may.morale == 21


def test_a_master_of_fire_that_is_merely_moved_or_drawn_costs_nothing() -> None:
    table = Table(may=[card("fire", 7, "master-of-fire", tags=("gang",)), card("gangan", 1, "gangan", tags=("gang",))])
    table.may.holds("gangan").has("fire", at=5).stacked("fire")
    table.david.holds("blue-filler")
    table.deploys(table.may)
    table.may.plays("gangan@3")
    assert table.may.at(3) == ["gangan", "fire"]
    assert table.may.morale == 23


# ---- Master of Wind ---------------------------------------------------------------------------------

WIND = card("wind", 6, "master-of-wind")


def windy() -> Table:
    table = Table(may=[WIND, card("ox", 1), card("angel", 1, "guardian-angel")], david=[card("hen", 1), BOMB, SMITH])
    table.may.holds("wind")
    table.david.holds("blue-filler")
    return table


@rule("feint", 57)
def test_a_master_of_wind_goes_to_any_empty_location() -> None:
    table = windy()
    table.deploys(table.may)
    assert table.may.legal() == ["pass", "wind@2", "wind@3", "wind@4", "wind@5", "wind@6"]
    table.may.plays("wind@4")
    assert table.may.at(4) == ["wind"]


@rule("feint", 57)
def test_one_card_of_either_player_keeps_a_master_of_wind_away() -> None:
    """May's ox at 2, David's hen at 3, a face-down card at 4, an angel that stayed at 5: 6 is left."""
    table = Table(
        may=[WIND, card("ox", 1), card("angel", 1, "guardian-angel"), card("veil", 0, "covert")], david=[card("hen", 0)]
    )
    table.may.holds("wind").has("ox", at=2).has("veil", at=4, down=True).has("angel", at=5)
    table.david.holds("blue-filler").has("hen", at=3)
    table.deploys(table.may)
    assert table.may.legal() == ["pass", "wind@6"]
    for number in (2, 3, 4, 5):
        assert f"Location {number} is not (ruling 57)" in table.may.why_not(f"wind@{number}")


@rule("feint", 57)
def test_a_location_that_was_cleared_is_empty_again() -> None:
    """A bomb takes May's ox and then itself; David's engineer is taken back by his Trojan Bit."""
    table = Table(may=[WIND, card("ox", 1)], david=[BOMB, SMITH, card("trojan", 1, "trojan")])
    table.may.holds("wind", "red-filler").has("ox", at=5)
    table.david.holds("bomb", "trojan", "blue-filler").has("smith", at=5)
    table.deploys(table.david)
    assert not table.may.may_do("wind@5")
    table.david.plays("bomb@5")
    assert "ruling 57" in table.may.why_not("wind@5"), "the engineer is still there"
    table.may.plays("red-filler@2")
    table.david.plays("trojan@3")
    assert table.may.may_do("wind@5")


@rule("feint", 57)
def test_other_cards_may_follow_a_master_of_wind() -> None:
    table = windy()
    table.may.holds("wind", "ox")
    table.david.holds("hen", "blue-filler")
    table.deploys(table.may)
    table.may.plays("wind@4")
    table.david.plays("hen@4")
    table.may.plays("ox@4")
    assert (table.may.at(4), table.david.at(4)) == (["wind", "ox"], ["hen"])


@rule("feint", 57, 59)
def test_a_conjured_master_of_wind_needs_an_empty_location_too() -> None:
    """The Conjurer itself lies at 6, cards lie at 2 and 3: only 4 and 5 are left."""
    table = Table(may=[WIND, card("mage", 1, "conjurer"), card("ox", 1)])
    table.may.holds("mage").discarded("wind").has("ox", at=2).has("ox", at=3)
    table.david.holds("blue-filler")
    table.deploys(table.may)
    table.may.plays("mage@6")
    assert table.may.legal() == ["wind@4", "wind@5"]


# ---- Master of Earth --------------------------------------------------------------------------------

EARTH = card("earth", 3, "master-of-earth", morale=2)


def earthy(**options: Any) -> Table:
    """May, who starts, has nothing at a battle, nor has David: she wins the tie and pays nothing."""
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
    """10 less 3 for itself, 4 for the ox and 2 for David's hen: one Morale."""
    table = earthy()
    table.may.has("earth", "ox", at=5)
    table.david.has("hen", at=5)
    table.deploys(table.may).both_pass()
    assert table.may.morale == 24
    assert table.david.morale == 22, "he gains nothing, and pays 1 for his hen: May won the tie"


@rule("feint", 58)
@pytest.mark.parametrize(("oxen", "gain"), [(0, 7), (1, 3)])
def test_it_works_at_a_battle_and_elsewhere_and_above_thirty_morale(oxen: int, gain: int) -> None:
    """10 - 3, and 10 - 3 - 4; the battle is at 2."""
    for number in (2, 6):
        table = earthy()
        table.may.has("earth", *["ox"] * oxen, at=number).morale_is(28)
        table.deploys(table.may).both_pass()
        assert table.may.morale == 28 + gain


@rule("feint", 58)
@pytest.mark.parametrize("david", ["hen", "tower"])
def test_at_capacity_or_above_it_neither_gains_nor_costs(david: str) -> None:
    """3 + 4 + 2 + 1 is 10; 3 + 4 + 9 + 1 is 17."""
    table = earthy()
    table.may.has("earth", "ox", at=5)
    table.david.has(david, "blue-filler", at=5)
    table.deploys(table.may).both_pass()
    assert table.may.morale == 23
    assert table.happened(events.EARTH) == []


@rule("feint", 58)
def test_several_at_one_place_each_gain() -> None:
    """Two of Strength 3 leave 4 spare: 4 for each."""
    table = earthy()
    table.may.has("earth", "earth", at=5)
    table.deploys(table.may).both_pass()
    assert table.may.morale == 23 + 4 + 4


@rule("feint", 25, 58)
def test_a_face_down_card_counts_its_true_strength_for_it() -> None:
    """While it lies face down it takes 3; in the Resolution it is a 1: 10 - 3 - 1 are spare."""
    table = earthy()
    table.may.has("earth", at=5)
    table.david.has("smoke", at=5, down=True)
    assert table.load(5) == 6
    table.deploys(table.may).both_pass()
    assert table.may.morale == 23 + 6


@rule("feint", 40, 58)
def test_the_gain_comes_before_the_loss_of_the_same_round() -> None:
    """May has 2 Morale and loses the round with a card worth 2; the earth gave her 7 before that."""
    table = earthy()
    table.may.has("earth", at=5).morale_is(2)
    table.david.has("hen", at=2)
    table.deploys(table.may).both_pass()
    assert resolution(table)["winner"] == 1
    assert not table.state.over
    assert table.may.morale == 2 + 7 - 2


@rule("feint", 58)
def test_it_measures_the_capacity_of_the_game() -> None:
    table = earthy(capacity=12)
    table.may.has("earth", at=5)
    table.deploys(table.may).both_pass()
    assert table.may.morale == 23 + 9, "12 - 3"


@rule("feint", 45, 58)
def test_a_master_of_earth_that_was_taken_back_gains_nothing() -> None:
    table = Table(may=[EARTH, card("trojan", 1, "trojan")])
    table.may.holds("trojan", "red-filler").has("earth", at=5)
    table.david.holds("blue-filler")
    table.deploys(table.may)
    table.may.plays("trojan@3")
    assert table.may.morale == 23, "and nothing happens before the Resolution"
    table.both_pass()
    assert table.happened(events.EARTH) == []


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
    assert "no Hen in your discard pile" in table.may.why_not("hen@3")
    assert "no Red Filler in your discard pile" in table.may.why_not("red-filler@3"), "that is in her hand"
    table.may.plays("cow@6")
    assert table.may.at(6) == ["cow"]
    assert sorted(table.may.discard) == ["ox", "ox"]
    assert table.may.hand == ["red-filler"]
    assert table.asked() == (1, "deploy"), "one card, one turn"
    assert table.david.discard == ["hen"]


@rule("feint", 59)
def test_conjuring_is_mandatory() -> None:
    table = Table(may=[MAGE, card("ox", 6)])
    table.may.holds("mage", "red-filler").discarded("ox")
    table.david.holds("blue-filler")
    table.deploys(table.may)
    table.may.plays("mage@2")
    assert "ruling 59" in table.may.why_not("pass")
    assert "ruling 59" in table.may.why_not("done")


@rule("feint", 59)
@pytest.mark.parametrize(("held", "fits"), [(2, True), (3, False)])
def test_the_conjurer_itself_takes_room_already(held: int, fits: bool) -> None:
    """2 or 3 lie there, the Conjurer makes it 4 or 5: a 6 fits on 4 and not on 5."""
    table = Table(may=[MAGE, card("ox", 6)], david=[card("hen", held)])
    table.may.holds("mage").discarded("ox")
    table.david.holds("blue-filler").has("hen", at=5)
    table.deploys(table.may)
    table.may.plays("mage@5")
    assert table.may.may_do("ox@5") is fits
    if not fits:
        assert "11 of 10 (ruling 18)" in table.may.why_not("ox@5")


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
    """A chain of two: the one from the discard pile fetches in its turn. Neither fetches itself, for it
    lies in play."""
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


@rule("feint", 33, 59)
def test_a_conjurer_plays_protected_cards_and_their_abilities_work() -> None:
    table = Table(may=[MAGE, card("trojan", 1, "trojan", protected=True), card("ox", 1), card("cow", 1)])
    table.may.holds("mage").discarded("trojan").has("ox", at=6).stacked("cow")
    table.david.holds("blue-filler")
    table.deploys(table.may)
    table.may.plays("mage@2", "trojan@3")
    assert table.asked() == (0, "trojan"), "just as if played from the hand"
    table.may.answers("#6.1")
    assert table.may.hand == ["cow"]


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
    assert "ruling 60" in table.may.why_not("storm@3"), "May does not choose"
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
    assert "ruling 60" in table.david.why_not("@4")
    assert "ruling 60" in table.david.why_not("pass")


@rule("feint", 60)
def test_a_storm_prodigy_with_one_legal_place_goes_there_by_itself() -> None:
    table = stormy()
    for number in (2, 3, 5, 6):
        table.david.has("cock", at=number)
    table.deploys(table.may)
    table.may.plays("storm")
    assert table.may.at(4) == ["storm"]
    assert table.asked() == (1, "deploy")


@rule("feint", 60)
def test_a_storm_prodigy_without_a_legal_place_cannot_be_played() -> None:
    """Not from the hand, and not by a Conjurer, who then plays something else or nothing."""
    table = Table(may=[STORM, MAGE, card("ox", 5, copies=5)])
    table.may.holds("storm", "mage", "red-filler").discarded("storm")
    table.david.holds("blue-filler")
    for number in (2, 3, 4, 5, 6):
        table.may.has("ox", at=number)
    table.deploys(table.may)
    assert "ruling 60" in table.may.why_not("storm")
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
    """David's choice of its Location is its own text. His bomb must pass it by."""
    table = stormy()
    table.david.holds("bomb", "blue-filler").has("smith", at=3)
    table.deploys(table.may)
    table.may.plays("storm")
    table.david.answers("@3")
    assert table.may.at(3) == ["storm"]
    table.david.plays("bomb@3")
    assert table.david.discard == ["bomb"], "nothing to hit"
    assert table.may.at(3) == ["storm"]


# ---- cards without an ability -----------------------------------------------------------------------


@pytest.mark.parametrize("strength", [3, 4, 5])
def test_novice_warrior_and_elder_do_nothing_but_count(strength: int) -> None:
    table = Table(may=[card("wu", strength, morale=3), card("ox", 1)], david=[card("hen", 1, morale=1)])
    table.may.holds("wu", "red-filler").scouted(4).discarded("ox")
    table.david.holds("hen", "blue-filler").scouted(4)
    table.deploys(table.may)
    table.may.plays("wu@4")
    assert table.asked() == (1, "deploy")
    assert table.may.discard == ["ox"]
    assert table.may.morale == 23
    table.david.plays("hen@4")
    table.both_pass()
    assert [side["total"] for side in resolution(table)["sums"]] == [strength * 4, 4]
    assert (table.may.morale, table.david.morale) == (23, 22)


def test_the_loser_pays_the_morale_of_a_plain_card() -> None:
    table = Table(may=[card("elder", 5, morale=3)], david=[card("hen", 2)])
    table.may.holds("red-filler").scouted(4).has("elder", at=5)
    table.david.holds("blue-filler").scouted(4).has("hen", at=4)
    table.deploys(table.may).both_pass()
    assert (table.may.morale, table.david.morale) == (20, 23), "the elder lay at no battle"


@rule("feint", 18)
@pytest.mark.parametrize(("held", "fits"), [(5, True), (6, False)])
def test_a_plain_elder_stops_at_capacity(held: int, fits: bool) -> None:
    table = Table(may=[card("elder", 5)], david=[card("hen", held)])
    table.may.holds("elder")
    table.david.has("hen", at=3)
    table.deploys(table.may)
    assert table.may.may_do("elder@3") is fits
