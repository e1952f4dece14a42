"""Protected cards are immune to the effects of other cards, but to no other rule."""

from __future__ import annotations

import pytest

from gonfalon.testing import rule
from tests.feint.scenario import Table, card

SAINT = card("saint", 4, protected=True)
OX = card("ox", 4)
COW = card("cow", 3)
BUILDER = card("builder", 1, "engineer", tags=("engineer",))
MINE = card("mine", 1, "bomb-tower", tags=("tower",))
HORSE = card("horse", 2, "trojan", protected=True)
DIRK = card("dirk", 2, "assassin")
BIT = card("bit", 2, "gangan", tags=("gang",))
IDLER = card("idler", 1, "good-for-something")
WITCH = card("witch", 2, "conjurer")
JUDGE = card("judge", 2, "punisher")


def ready(table: Table) -> Table:
    """Start May's turn, with a card in David's hand if the test gave him none."""
    if not table.state.hand[1]:
        table.david.holds("blue-filler", "blue-filler")
    return table.deploys(table.may)


# ---- where it protects -----------------------------------------------------------------------------


@rule("feint", 30)
def test_protected_in_play() -> None:
    """The Bomb Tower can hit David's cow at Location 4, not his saint beside it."""
    table = Table(may=[MINE, BUILDER], david=[SAINT, COW])
    table.may.has("builder", at=4).holds("mine", "red-filler")
    table.david.has("saint", "cow", "blue-filler", at=4)
    ready(table)
    table.may.plays("mine@4")
    assert table.may.legal() == ["#4.2", "#4.3"]
    assert "not Protected" in table.may.why_not("#4.1")
    table.may.answers("#4.2")
    assert (table.david.at(4), table.david.discard) == (["saint", "blue-filler"], ["cow"])


@rule("feint", 30)
def test_protected_from_kind_effects_too() -> None:
    """ "Immune to effects (positive and negative)": a player's own Gangan Bit does not gather a Protected card."""
    table = Table(may=[BIT, card("saint-bit", 2, tags=("gang",), protected=True)])
    table.may.has("saint-bit", at=2).has("bit", at=3).holds("bit", "red-filler")
    ready(table)
    table.may.plays("bit@6")
    assert (table.may.at(6), table.may.at(2)) == (["bit", "bit"], ["saint-bit"])


# ---- what it does not touch ------------------------------------------------------------------------


@rule("feint", 32)
def test_reinforcement_may_discard_a_protected_card() -> None:
    table = Table(may=[SAINT])
    table.may.holds("saint", "red-filler")
    table.david.holds("blue-filler")
    table.reinforces()
    table.may.does("saint", "done")
    table.david.does("done")
    assert table.may.discard == ["saint"]


@rule("feint", 32)
def test_cleanup_takes_a_protected_card() -> None:
    table = Table(may=[SAINT])
    table.may.has("saint", at=2).holds("red-filler")
    ready(table).both_pass()
    assert (table.may.at(2), table.may.discard) == ([], ["saint"])


@rule("feint", 33)
def test_a_protected_card_may_be_drawn_and_played_by_effects() -> None:
    """Good-for-Something draws the saint and plays it."""
    table = Table(may=[IDLER, SAINT])
    table.may.holds("idler").stacked("saint")
    ready(table)
    table.may.plays("idler@2")
    assert table.may.hand == ["saint"]
    table.may.plays("saint@3")
    assert table.may.at(3) == ["saint"]


@rule("feint", 34)
def test_a_punisher_beside_a_protected_card() -> None:
    """The battles are at 2 and 5. David's Punisher is at 5, so May's saint there adds nothing: 0 to 2 x 2 = 4."""
    table = Table(may=[SAINT], david=[JUDGE])
    table.may.has("saint", at=5).scouted(5).holds("red-filler")
    table.david.has("judge", at=5).has("blue-filler", "blue-filler", at=2).scouted(2)
    ready(table).both_pass()
    shown = table.resolution
    assert shown["battles"] == [2]
    assert [side["total"] for side in shown["sums"]] == [0, 4]
    assert shown["winner"] == 1


@rule("feint", 35)
def test_an_assassin_that_hits_a_protected_card_gets_no_second_choice() -> None:
    table = Table(may=[DIRK], david=[SAINT, COW])
    table.may.holds("dirk", "red-filler")
    table.david.holds("saint", "saint", "cow")
    ready(table)
    table.may.plays("dirk@2")
    assert table.asked() == (-1, "assassinate")
    assert [table.game.notation(a) for a in table.state.actions] == ["saint", "cow"]
    assert table.state.weights() == [2, 1], "two saints and one cow"
    table.chance("saint")
    assert sorted(table.david.hand) == ["cow", "saint", "saint"]
    assert table.david.discard == []
    assert table.asked() == (1, "deploy"), "that was all"


@rule("feint", 36)
def test_a_support_tower_may_bottom_a_protected_card() -> None:
    table = Table(may=[card("crane", 3, "support-tower", tags=("tower",), protected=True), BUILDER, SAINT, OX])
    table.may.has("builder", at=4).holds("crane", "red-filler").stacked("ox", "saint", "red-filler", "ox")
    ready(table)
    table.may.plays("crane@4")
    assert table.may.may_do("saint")
    table.may.answers("saint")
    assert table.may.deck[:3] == ["ox", "red-filler", "ox"]
    assert table.may.deck[-1] == "saint"


@rule("feint", 80)
@pytest.mark.parametrize(
    ("cows", "down", "asked"),
    [(["cow"], False, False), (["cow"], True, False), (["cow", "cow"], False, False), (["cow", "cow"], True, True)],
)
def test_the_only_card_that_a_bomb_can_take_goes_unasked(cows: list[str], down: bool, asked: bool) -> None:
    """Equal open cards are one answer. Each face-down card is an answer of its own."""
    table = Table(may=[MINE, BUILDER], david=[SAINT, COW])
    table.may.has("builder", at=4).holds("mine", "red-filler")
    table.david.has("saint", at=4).has(*cows, at=4, down=down)
    ready(table)
    table.may.plays("mine@4")
    assert table.asked() == ((0, "bomb") if asked else (1, "deploy"))
    assert table.david.discard == ([] if asked else ["cow"])


@rule("feint", 80)
@pytest.mark.parametrize(("others", "asked"), [([], False), (["red-filler"], True)])
def test_the_only_card_that_a_trojan_bit_can_take_back_returns_unasked(others: list[str], asked: bool) -> None:
    table = Table(may=[HORSE, SAINT, OX])
    table.may.has("saint", at=3).has("ox", *others, at=4).holds("horse", "red-filler")
    ready(table)
    table.may.plays("horse@2")
    assert table.asked() == ((0, "trojan") if asked else (1, "deploy"))
    assert table.may.at(4) == (["ox", *others] if asked else [])


@rule("feint", 80)
@pytest.mark.parametrize(("others", "asked"), [([], False), (["saint"], True)])
def test_a_conjurers_only_play_is_made_unasked(others: list[str], asked: bool) -> None:
    """The Knight can only go to 3. The saint could go anywhere."""
    table = Table(may=[WITCH, SAINT, card("knight", 4, "knight", location=3)])
    table.may.holds("witch", "red-filler").discarded("knight", *others)
    ready(table)
    table.may.plays("witch@2")
    assert table.asked() == ((0, "conjure") if asked else (1, "deploy"))
    assert table.may.at(3) == ([] if asked else ["knight"])


@rule("feint", 80)
@pytest.mark.parametrize(("full", "asked"), [((2, 3, 5, 6), False), ((2, 3, 5), True)])
def test_a_storm_prodigys_only_location_is_taken_unasked(full: tuple[int, ...], asked: bool) -> None:
    """On a load of 5 a Strength of 6 would make 11."""
    table = Table(may=[card("storm", 6, "storm-prodigy"), card("wall", 5)])
    table.may.holds("storm", "red-filler")
    for place in full:
        table.may.has("wall", at=place)
    ready(table)
    table.may.plays("storm")
    assert table.asked() == (1, "storm" if asked else "deploy")
    assert table.may.at(4) == ([] if asked else ["storm"])


@rule("feint", 80)
def test_a_good_for_somethings_only_play_is_asked() -> None:
    """The opponent does not know that May's only card is the Knight, which can only go to 3."""
    table = Table(may=[IDLER, card("knight", 4, "knight", location=3)])
    table.may.holds("idler").stacked("knight")
    ready(table)
    table.may.plays("idler@2")
    assert table.asked() == (0, "play-one")
    assert table.may.legal() == ["knight@3"]


@rule("feint", 37)
def test_with_nothing_but_protected_cards_the_trojan_bit_takes_and_draws_none() -> None:
    table = Table(may=[HORSE, SAINT])
    table.may.has("saint", at=3).holds("horse", "red-filler")
    ready(table)
    table.may.plays("horse@2")
    assert table.asked() == (1, "deploy")
    assert table.may.at(3) == ["saint"]
    assert table.may.hand == ["red-filler"], "no draw without a return"
