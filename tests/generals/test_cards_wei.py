"""The ten generals of Wei: the effect of each text, its limit, and the generals it does not affect.

Numbers are those printed on the cards (Might, Wits, cost). By default both players' Commandment is
Councillors, which does not affect battles.
"""

from __future__ import annotations

import pytest

from gonfalon.core.text.citations import cite_rule
from gonfalon.testing import rule
from tests.generals.scenario import Table, chance, tag

QUIET = ("D06", "D06")


# ---- Cao Cao ---------------------------------------------------------------------------------------------------------


def test_cao_cao_draws_when_one_of_his_generals_defeats_an_enemy() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Cao Cao").has("Zhang Liao", at="BORDER")
    table.david.has("Xun Yu", at="ENEMY_BORDER")
    table.may.does("zhang-liao#1", "xun-yu#2")
    assert table.david.fallen == ["Xun Yu"]
    assert (len(table.may.hand), table.may.resources) == (1, 29)


def test_cao_cao_draws_once_per_turn() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Cao Cao").has("Zhang Liao", "Yan Liang", at="BORDER").holds("Militia")
    table.david.has("Xun Yu", "Lu Su", at="ENEMY_BORDER")
    table.may.does("zhang-liao#1", "xun-yu#2", "yan-liang#1", "lu-su#2")
    assert table.david.fallen == ["Xun Yu", "Lu Su"]
    assert table.may.resources == 29
    table.david.has("Cao Ren", at="ENEMY_BORDER")
    table.may.ends()
    table.david.ends()
    assert table.may.resources == 29 - 3 - 1, "Upkeep, and the Draw Phase"
    table.may.does("zhang-liao#1", "cao-ren#2")
    assert table.may.resources == 24, "another turn, another card"


# ---- Xiahou Dun ------------------------------------------------------------------------------------------------------


def test_xiahou_dun_costs_the_enemy_two_cards_of_his_choice() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Xiahou Dun", at="BORDER").holds("Militia")
    table.david.has("Xun Yu", at="ENEMY_BORDER").holds("Plunder", "Militia", "Archers", "Countermand")
    table.may.does("xiahou-dun#1", "xun-yu#2")
    assert table.david.asked == "discard"
    table.david.does("plunder", "archers")
    assert table.david.hand == ["Countermand", "Militia"]
    assert table.david.discards == ["Archers", "Plunder"]
    assert table.may.hand == ["Militia"]


def test_xiahou_dun_watches_while_others_win() -> None:
    other = Table(commandments=QUIET)
    other.may.has("Xiahou Dun", "Zhang Liao", at="BORDER")
    other.david.has("Xun Yu", at="ENEMY_BORDER").holds("Plunder", "Archers")
    other.may.does("zhang-liao#1", "xun-yu#2")
    assert other.david.hand == ["Archers", "Plunder"]


# ---- Xiahou Yuan -----------------------------------------------------------------------------------------------------


@rule("generals", 9)
def test_xiahou_yuan_moves_and_fights_in_one_turn() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Xiahou Yuan", "Zhang Liao")
    table.david.has("Xun Yu", "Cao Ren", at="ENEMY_BORDER")
    table.may.does("xiahou-yuan#1", "@border", "zhang-liao#1", "@border")
    assert not table.may.may_do("zhang-liao#1", "xun-yu#2")
    table.may.does("xiahou-yuan#1", "xun-yu#2")
    assert table.david.fallen == ["Xun Yu"]
    assert not table.may.may_do("xiahou-yuan#1", "cao-ren#2"), "one attack all the same"


@rule("generals", 9)
def test_a_refusal_says_that_xiahou_yuan_may_fight_after_his_move() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Xiahou Yuan", "Zhang Liao")
    table.may.does("xiahou-yuan#1", "@border", "zhang-liao#1", "@border")
    lonely = "Xiahou Yuan may still fight in melee, but no enemy is in this zone (rulings 9, 12)."
    assert cite_rule(table.may.why_not("xiahou-yuan#1")) == lonely
    assert cite_rule(table.may.why_not("zhang-liao#1")) == "Zhang Liao has no act left this turn (ruling 9)."


def test_xiahou_yuan_after_a_move_neither_besieges_nor_plots() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Xiahou Yuan").holds("Tactics - Ambush", "Militia")
    table.may.does("xiahou-yuan#1", "@enemy-border")
    assert not table.may.may_do("xiahou-yuan#1", "siege")
    table.david.has("Xu Chu", at="BORDER")
    assert table.may.may_do("xiahou-yuan#1", "xu-chu#2")
    assert not table.may.may_do("tactics-ambush", "xiahou-yuan#1")


# ---- Zhang Liao ------------------------------------------------------------------------------------------------------


def test_zhang_liao_scares_a_card_out_of_the_enemys_hand() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Zhang Liao", at="ENEMY_BORDER").holds("Militia")
    table.david.holds("Plunder", "Archers", "Red Hare")
    table.may.does("zhang-liao#1", "siege")
    chance(table)
    assert table.david.resources == 24
    assert len(table.david.hand) == 2
    assert len(table.david.discards) == 7
    assert table.may.hand == ["Militia"]


# ---- Xu Chu ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("at", ["FORTRESS", "BORDER", "ENEMY_BORDER"])
def test_xu_chu_guards_his_lord(at: str) -> None:
    table = Table(commandments=QUIET)
    table.may.has("Xu Chu").has("Cao Cao", at=at).has("Dian Wei")
    assert table.may.might("Xu Chu") == 7
    assert table.may.might("Dian Wei") == 5
    assert table.may.wits("Xu Chu") == 1


def test_xu_chu_is_himself_without_a_cao_cao_of_his_own() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Xu Chu").lost("Cao Cao")
    table.david.has("Cao Cao")
    assert table.may.might("Xu Chu") == 5


@rule("generals", 18)
def test_xu_chu_executes_no_tactics() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Xu Chu", at="BORDER").holds("Tactics - Ambush", "Militia")
    table.david.has("Yan Liang", at="ENEMY_BORDER")
    assert not table.may.may_do("tactics-ambush")
    table.may.has("Cao Ren", at="BORDER")
    assert table.may.may_do("tactics-ambush", "cao-ren#1")
    assert not table.may.may_do("tactics-ambush", "xu-chu#1")


# ---- Dian Wei --------------------------------------------------------------------------------------------------------


def guarded(*others: str, at: str = "BORDER") -> Table:
    """David's turn. His Lu Bu faces May's Xun Yu and others, and Dian Wei is `at`."""
    table = Table(commandments=QUIET)
    table.may.has("Xun Yu", *others, at="BORDER").has("Dian Wei", at=at)
    table.david.has("Lu Bu", at="ENEMY_BORDER")
    return table.turn(table.david)


def test_dian_wei_falls_for_another() -> None:
    table = guarded("Cao Cao")
    table.david.does("lu-bu#2", "xun-yu#1")
    assert table.may.asked == "replace"
    assert set(table.may.choices) == {"dian-wei#1", "pass"}
    table.may.does("dian-wei#1")
    assert table.may.fallen == ["Dian Wei"]
    assert sorted(table.may.field) == ["Cao Cao", "Xun Yu"]
    assert table.may.place("Xun Yu") == "BORDER"


@pytest.mark.parametrize("at", ["FORTRESS", "ENEMY_BORDER"])
def test_dian_wei_must_stand_in_the_same_zone(at: str) -> None:
    table = guarded(at=at)
    table.david.does("lu-bu#2", "xun-yu#1")
    assert table.may.asked == ""
    assert table.may.fallen == ["Xun Yu"]


def test_dian_wei_saves_one_of_two_from_tactics() -> None:
    """Cao Cao's Wits 6 fool Cao Ren (3) and Zhang Liao (4); Dian Wei was not a target."""
    table = Table(commandments=QUIET)
    table.may.has("Cao Ren", "Zhang Liao", "Dian Wei", at="BORDER")
    table.david.has("Cao Cao", at="ENEMY_BORDER").holds("Tactics - Water", "Militia", "Archers")
    table.turn(table.david)
    table.david.does("tactics-water", "cao-cao#2", "zhang-liao#1", "cao-ren#1")
    assert table.may.asked == "replace"
    table.may.does("dian-wei#1")
    assert table.may.asked == "", "he falls once"
    assert len(table.may.fallen) == 2
    assert "Dian Wei" in table.may.fallen
    assert len(table.may.field) == 1


def test_dian_wei_falling_too_saves_no_general() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Dian Wei", "Cao Ren", at="BORDER")
    table.david.has("Cao Cao", at="ENEMY_BORDER").holds("Tactics - Water", "Militia", "Archers")
    table.turn(table.david)
    table.david.does("tactics-water", "cao-cao#2", "dian-wei#1", "cao-ren#1")
    assert table.may.asked == ""
    assert sorted(table.may.fallen) == ["Cao Ren", "Dian Wei"]


# ---- Sima Yi ---------------------------------------------------------------------------------------------------------


def test_sima_yi_takes_a_strategy_or_a_counter() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Sima Yi").holds("Militia", "Archers")
    table.david.holds("Plunder", "Xu Chu", "Red Hare", "Countermand")
    table.may.does("sima-yi#1", "active:1")
    assert table.may.asked == "take-away"
    assert set(table.may.choices) == {"plunder", "countermand"}
    table.may.does("countermand")
    assert table.david.hand == ["Plunder", "Red Hare", "Xu Chu"]
    assert table.david.discards == ["Countermand"]
    assert table.may.hand == []
    assert any("Red Hare" in line for line in table.may.reads()), "he looked at the whole hand"


# ---- Guo Jia ---------------------------------------------------------------------------------------------------------


def test_guo_jia_leaves_a_letter() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Guo Jia", at="BORDER")
    table.david.has("Zhang Liao", at="ENEMY_BORDER")
    table.turn(table.david)
    table.david.does("zhang-liao#2", "guo-jia#1")
    assert table.may.fallen == ["Guo Jia"]
    assert (len(table.may.hand), table.may.resources) == (2, 28)
    assert table.david.hand == []


# ---- Xun Yu ----------------------------------------------------------------------------------------------------------


@rule("generals", 54)
def test_xun_yu_feeds_one() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Zhang Liao", "Cao Ren", "Xun Yu")
    table.david.has("Zhang Liao", "Cao Ren")
    assert (table.may.upkeep(), table.david.upkeep()) == (2, 2)
    table.may.holds("Militia", "Archers").ends()
    assert table.may.resources == 28


# ---- Cao Ren ---------------------------------------------------------------------------------------------------------


@rule("generals", 16)
@pytest.mark.parametrize(("enemy", "stands"), [("Xu Chu", True), ("Sun Ce", None), ("Guan Yu", False)])
def test_cao_ren_holds_the_border_with_might_six(enemy: str, stands: bool | None) -> None:
    """He wins against Might 5, both fall against 6, and he loses against 7."""
    table = Table(commandments=QUIET)
    table.may.has("Cao Ren", at="BORDER")
    table.david.has(enemy, at="ENEMY_BORDER")
    table.turn(table.david)
    table.david.does(tag(table.david, enemy), "cao-ren#1")
    assert (table.may.fallen == []) is (stands is True)
    assert (table.david.fallen == []) is (stands is False)


def test_cao_ren_has_four_in_an_attack_or_abroad() -> None:
    attack = Table(commandments=QUIET)
    attack.may.has("Cao Ren", at="BORDER")
    attack.david.has("Xu Chu", at="ENEMY_BORDER")
    attack.may.does("cao-ren#1", "xu-chu#2")
    assert attack.may.fallen == ["Cao Ren"]
    abroad = Table(commandments=QUIET)
    abroad.may.has("Cao Ren", at="ENEMY_BORDER")
    abroad.david.has("Xu Chu", at="BORDER")
    abroad.turn(abroad.david)
    abroad.david.does("xu-chu#2", "cao-ren#1")
    assert abroad.may.fallen == ["Cao Ren"]
