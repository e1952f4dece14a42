"""Preparing the next battle: advancing past blanks, turning up, two cards, effects of spaces."""

from __future__ import annotations

import pytest

from gonfalon.core.text.citations import cite_rule
from gonfalon.games.jinkei.rules import events
from gonfalon.testing import rule
from tests.jinkei.scenario import Player, Table


def battle(table: Table, attack: str, defense: str) -> Table:
    """May attacks, David defends."""
    table.attacks(table.may)
    table.may.plays(attack)
    table.david.plays(defense)
    return table


def column(player: Player, number: int = 1) -> list[str]:
    """Return a column's cards, the Vanguard first."""
    return [player.at(f"{row}{number}") for row in ("vg", "rg", "re")]


@rule("jinkei", 21)
def test_a_gap_in_the_vanguard_draws_the_whole_column_forward() -> None:
    table = Table()
    table.may.stands(vg1="red5", rg1="blue7", re1="red9", vg2="red1", rg2="red2", re2="red3")
    table.david.stands(vg1="blue1", rg1="red1")
    battle(table, "vg1:red", "rg1:red")
    assert column(table.may) == ["blue7", "red9", ""]
    assert column(table.may, 2) == ["red1", "red2", "red3"], "the other columns stay"
    assert table.david.sees(table.may, "rg1") == "red9", "flipped face up"
    assert table.david.sees(table.may, "re2") == "?"


@rule("jinkei", 21)
def test_example_9_a_gap_in_the_rearguard_is_filled_from_the_reinforcements() -> None:
    """After one battle the attacker's column closes up to the Vanguard, and the defender's Reinforcement moves to the
    Rearguard."""
    table = Table()
    table.may.stands(vg2="red5", rg2="blue7", re2="red9")
    table.david.stands(vg2="blue1", rg2="red1", re2="blue8")
    battle(table, "vg2:red", "rg2:red")
    assert column(table.may, 2) == ["blue7", "red9", ""]
    assert column(table.david, 2) == ["blue1", "blue8", ""]
    assert table.may.sees(table.david, "rg2") == "blue8"


@rule("jinkei", 19, 21)
def test_example_10_the_bonus_stays_with_its_space() -> None:
    """Blue 9 on a Rearguard Rank +1 counts 10 there. In the Vanguard it is a 9 again, and the card from the
    Reinforcements has the bonus."""
    table = Table(david=[". . .", ".+1 . .", ". . ."])
    table.may.stands(vg1="blue1", vg2="blue2", rg1="blue3", rg2="blue4")
    table.david.stands(vg1="red2", rg1="blue9", re1="blue5")
    rear = table.may.board["seats"][1]["spaces"][3]
    assert rear["sum"] == "9+1 = 10"
    table.attacks(table.david)
    table.david.plays("vg1:red")
    table.may.plays("rg1:blue")
    assert column(table.david) == ["blue9", "blue5", ""]
    front, _, _, rear = table.may.board["seats"][1]["spaces"][:4]
    assert (front["sum"], rear["sum"]) == (None, "5+1 = 6")


@rule("jinkei", 22)
def test_special_example_1_past_a_blank_straight_to_the_vanguard() -> None:
    """May's Blue 8 on Rank +2 has a Blank Card behind it and a Reinforcement behind that: the Blue 12
    advances directly to the Vanguard, flips face up, and is worth 14."""
    table = Table(may=[".+2 . .", "# . .", ". . ."], david=[". . .", ".+1 . .", ". . ."])
    table.may.stands(vg1="blue8", vg2="red1", re1="blue12")
    table.david.stands(vg1="red2", rg1="blue9")
    battle(table, "vg1:blue", "rg1:blue")
    assert column(table.may) == ["blue12", "", ""]
    assert table.david.sees(table.may, "vg1") == "blue12"
    assert table.may.board["seats"][0]["spaces"][0]["sum"] == "12+2 = 14"


@rule("jinkei", 23)
def test_a_blank_in_the_vanguard_stops_the_cards_behind_it() -> None:
    """FAQ 3: a Blank Card never has a card in its space. The Rearguard is refilled from behind. Offense may use it only
    when the Vanguard is completely empty."""
    table = Table(may=["# . .", ". . .", ". . ."])
    table.may.stands(vg2="red5", vg3="red6", rg1="blue7", re1="red9")
    table.david.stands(rg1="red1", rg2="red2")
    battle(table, "vg2:red", "rg1:red")
    assert column(table.may) == ["", "blue7", "red9"], "nothing moves into the blank"
    table.attacks(table.may)
    assert table.may.legal() == ["vg3:red"], "the Rearguard waits"
    table.may.plays("vg3:red")
    table.david.plays("rg2:red")
    table.attacks(table.may)
    assert table.may.legal() == ["rg1:blue"]


@rule("jinkei", 23)
def test_behind_a_blank_vanguard_the_rearguard_is_refilled() -> None:
    table = Table(may=["# . .", ". . .", ". . ."])
    table.may.stands(rg1="blue7", re1="red9")
    table.david.stands(vg1="blue1", rg1="red1")
    battle(table, "rg1:blue", "rg1:red")
    assert column(table.may) == ["", "red9", ""]


@rule("jinkei", 24)
def test_a_blank_among_the_reinforcements_has_nothing_behind() -> None:
    table = Table(may=[". . .", ". . .", "# . ."])
    table.may.stands(vg1="red5", rg1="blue7", re2="red9")
    table.david.stands(rg1="red1")
    battle(table, "vg1:red", "rg1:red")
    assert column(table.may) == ["blue7", "", ""]
    assert column(table.may, 2) == ["", "", "red9"], "that is another column"


@rule("jinkei", 25)
def test_both_sides_advance_before_the_next_attack() -> None:
    table = Table()
    table.may.stands(vg1="red5", re1="red9", rg1="blue7")
    table.david.stands(vg1="blue1", rg1="red1", re1="blue8")
    battle(table, "vg1:red", "rg1:red")
    assert table.asked() == (1, "lead")
    moves = [(seat, a, b) for _, _, seat, _, a, b in table.happened(events.ADVANCED)]
    assert sorted(moves) == [(0, 3, 0), (0, 6, 3), (1, 6, 3)]


# ---- 2 Cards ---------------------------------------------------------------------------------------

PAIR = [". . .", ".W . .", "2 . ."]


def special_example_2() -> Table:
    """David has played Red 5 from his Wild Rearguard. Behind it are Blue 1 and Red 8."""
    table = Table(david=PAIR)
    table.may.stands(vg1="blue4", rg1="blue7", re1="red9")
    table.david.stands(vg1="red3", rg1="red5", rg2="red2", re1="blue1 red8")
    return battle(table, "vg1:blue", "rg1:blue")


@rule("jinkei", 26)
def test_special_example_2_the_owner_chooses_which_card_advances() -> None:
    table = special_example_2()
    assert table.asked() == (1, "advance")
    assert table.david.legal() == ["advance:red8", "advance:blue1"]
    assert table.may.legal() == []
    table.david.chooses("advance:blue1")
    assert column(table.david) == ["red3", "blue1", "red8"]
    assert table.may.sees(table.david, "rg1") == "blue1", "flipped face up"
    assert table.may.sees(table.david, "re1") == "?", "the other stays face down"
    assert table.may.board["seats"][1]["spaces"][3]["wild"], "the card now has the Wild effect"


@rule("jinkei", 26)
def test_the_second_card_advances_when_the_space_in_front_is_free_again() -> None:
    table = special_example_2()
    table.david.chooses("advance:blue1")
    assert table.asked() == (1, "lead")
    table.david.plays("vg1:red")
    table.may.plays("rg1:red")
    assert column(table.david) == ["blue1", "red8", ""], "without being asked: there is one card left"
    assert table.may.sees(table.david, "rg1") == "red8"


@rule("jinkei", 27)
def test_the_choice_comes_before_the_others_flip() -> None:
    """May's Red 9 is not turned up before David has chosen, although she attacked."""
    table = special_example_2()
    assert table.may.at("re1") == "red9"
    assert table.david.sees(table.may, "re1") == "?"
    assert not table.happened(events.ADVANCED)
    table.david.chooses("advance:red8")
    assert table.david.sees(table.may, "rg1") == "red9"


@rule("jinkei", 27)
def test_the_attackers_choice_comes_first_as_well() -> None:
    table = Table(may=[". . .", ". . .", "2 . ."])
    table.may.stands(vg1="red5", rg1="blue7", re1="red9 blue2")
    table.david.stands(vg1="blue1", rg1="red1", re1="blue8")
    battle(table, "vg1:red", "rg1:red")
    assert table.asked() == (0, "advance")
    assert table.may.sees(table.david, "re1") == "?"
    table.may.chooses("advance:blue2")
    assert column(table.may) == ["blue7", "blue2", "red9"]
    assert table.may.sees(table.david, "rg1") == "blue8"


@rule("jinkei", 26)
@pytest.mark.parametrize("wrong", ["advance:red3", "advance:blue9"])
def test_only_one_of_the_two_may_be_chosen(wrong: str) -> None:
    assert (
        cite_rule(special_example_2().david.why_not(wrong))
        == "Choose one of the two cards that can step forward (ruling 26)."
    )
