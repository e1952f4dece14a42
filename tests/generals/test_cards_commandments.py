"""The seven Commandments: their effect for the owner, its limit, and no effect for the other seat."""

from __future__ import annotations

import pytest

from gonfalon.testing import rule
from tests.generals.scenario import Table, tag

QUIET = "D06"


def under(commandment: str) -> Table:
    """Return a table with May's Commandment, and Councillors for David."""
    return Table(commandments=(commandment, QUIET))


# ---- Recruit ---------------------------------------------------------------------------------------------------------


@rule("generals", 31)
@pytest.mark.parametrize(
    ("friends", "mine", "theirs"),
    [((), 3, 4), (("Xu Chu",), 2, 3), (("Xu Chu", "Cao Ren", "Dian Wei", "Xun Yu"), 0, 0)],
)
def test_recruit_makes_every_general_one_cheaper(friends: tuple[str, ...], mine: int, theirs: int) -> None:
    """Sima Yi's 4, minus Affiliation, minus 1, never below 0."""
    table = under("D01")
    table.may.has(*friends)
    table.david.has(*friends)
    assert (table.may.cost("Sima Yi"), table.david.cost("Sima Yi")) == (mine, theirs)


# ---- Provisions ------------------------------------------------------------------------------------------------------


@rule("generals", 54)
@pytest.mark.parametrize(("army", "mine", "theirs"), [((), 0, 0), (("Xu Chu",), 0, 1), (("Xu Chu", "Lu Bu"), 2, 3)])
def test_provisions_feed_one(army: tuple[str, ...], mine: int, theirs: int) -> None:
    table = under("D02")
    table.may.has(*army)
    table.david.has(*army)
    assert (table.may.upkeep(), table.david.upkeep()) == (mine, theirs)


def test_provisions_are_paid_out_of_nothing_but_resource() -> None:
    table = under("D02")
    table.may.has("Xu Chu", "Cao Ren", "Zhang Liao").holds("Militia")
    table.may.ends()
    assert (table.may.resources, table.may.hand) == (28, ["Militia"])


# ---- Siegecraft ------------------------------------------------------------------------------------------------------


def test_siegecraft_adds_one_to_the_first_siege_of_a_turn() -> None:
    table = under("D03")
    table.may.has("Xu Chu", "Cao Ren", at="ENEMY_BORDER")
    table.may.does("xu-chu#1", "siege")
    assert table.david.resources == 24
    table.may.does("cao-ren#1", "siege")
    assert table.david.resources == 20


# ---- Stratagems ------------------------------------------------------------------------------------------------------


@rule("generals", 29)
def test_stratagems_make_tactics_cheaper() -> None:
    table = under("D04")
    names = ("Tactics - Water", "Tactics - Ambush", "Plunder", "East Wind", "Turned Plot", "Lu Su")
    assert [table.may.cost(name) for name in names] == [1, 0, 1, 0, 2, 2]
    assert [table.david.cost(name) for name in names] == [2, 1, 1, 0, 2, 2]


# ---- Bulwark ---------------------------------------------------------------------------------------------------------


@rule("generals", 13)
@pytest.mark.parametrize(("enemy", "stands"), [("Dian Wei", True), ("Yan Liang", None), ("Guan Yu", False)])
def test_bulwark_defends_ones_own_border(enemy: str, stands: bool | None) -> None:
    """Xu Chu's 5 + 1 against 5, 6 and 7."""
    table = under("D05")
    table.may.has("Xu Chu", at="BORDER")
    table.david.has(enemy, at="ENEMY_BORDER")
    table.turn(table.david)
    table.david.does(tag(table.david, enemy), "xu-chu#1")
    assert (table.may.fallen == []) is (stands is True)
    assert (table.david.fallen == []) is (stands is False)


def test_bulwark_is_no_use_abroad_nor_to_the_enemy() -> None:
    abroad = under("D05")
    abroad.may.has("Xu Chu", at="ENEMY_BORDER")
    abroad.david.has("Dian Wei", at="BORDER")
    abroad.turn(abroad.david)
    abroad.david.does("dian-wei#2", "xu-chu#1")
    assert (abroad.may.fallen, abroad.david.fallen) == (["Xu Chu"], ["Dian Wei"])
    enemy = under("D05")
    enemy.may.has("Xu Chu", at="ENEMY_BORDER")
    enemy.david.has("Dian Wei", at="BORDER")
    enemy.may.does("xu-chu#1", "dian-wei#2")
    assert (enemy.may.fallen, enemy.david.fallen) == (["Xu Chu"], ["Dian Wei"])


# ---- Councillors -----------------------------------------------------------------------------------------------------


@rule("generals", 55)
@pytest.mark.parametrize(("held", "drawn"), [((), 1), (("Militia",), 1), (("Militia", "Archers"), 0)])
def test_councillors_draw_for_a_poor_hand(held: tuple[str, ...], drawn: int) -> None:
    table = Table(commandments=("D06", "D05"))
    table.may.holds(*held)
    table.may.ends()
    assert (len(table.may.hand), table.may.resources) == (len(held) + drawn, 30 - drawn)


# ---- Vanguard --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("word", "place"), [("@border", "BORDER"), ("@fortress", "FORTRESS")])
def test_vanguard_lets_recruits_appear_at_the_border(word: str, place: str) -> None:
    table = under("D07")
    table.may.holds("Zhou Cang", "Militia")
    table.may.does("zhou-cang")
    assert set(table.may.choices) == {"@fortress", "@border"}
    table.may.does(word)
    assert table.may.place("Zhou Cang") == place
    assert table.may.hand == []
