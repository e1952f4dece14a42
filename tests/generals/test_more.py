"""The cards of more.toml work without code of their own: each has its printed effect, up to its limit, and does not
affect other generals."""

from __future__ import annotations

import pytest

from gonfalon.testing import rule
from tests.generals.scenario import Table, chance, pay

# ---- Deng Ai ---------------------------------------------------------------------------------------------------------


@rule("generals", 11)
def test_deng_ai_comes_over_the_mountains_at_his_second_mark() -> None:
    """He starts two of May's turns at her FORTRESS. The unblocked enemies at her BORDER do not matter."""
    table = Table()
    table.may.has("Deng Ai", "Xun Yu")
    table.david.has("Xu Chu", "Dian Wei", at="ENEMY_BORDER")
    table.begins(table.may)
    assert table.may.place("Deng Ai") == "FORTRESS"
    assert table.david.resources == 30
    table.begins(table.may, 5)
    assert table.may.place("Deng Ai") == "ENEMY_BORDER"
    assert table.may.place("Xun Yu") == "FORTRESS"
    assert table.david.resources == 28
    assert table.may.may_do("deng-ai#1", "siege"), "it was not his move of the turn"


def test_deng_ai_counts_only_his_own_turns_at_his_fortress() -> None:
    table = Table()
    table.may.has("Deng Ai")
    table.begins(table.david)
    table.begins(table.david, 5)
    assert table.may.place("Deng Ai") == "FORTRESS"
    away = Table()
    away.may.has("Deng Ai", at="BORDER")
    away.begins(away.may)
    away.begins(away.may, 5)
    assert (away.may.place("Deng Ai"), away.david.resources) == ("BORDER", 30)


def test_deng_ais_third_mark_does_nothing() -> None:
    table = Table()
    table.may.has("Deng Ai")
    table.begins(table.may)
    table.begins(table.may, 5)
    table.may.does("deng-ai#1", "@fortress")
    table.begins(table.may, 7)
    assert (table.may.place("Deng Ai"), table.david.resources) == ("FORTRESS", 28)


# ---- Huang Yueying ---------------------------------------------------------------------------------------------------


def test_huang_yueying_makes_equipment_cheaper() -> None:
    table = Table()
    before = [table.may.cost(name) for name in ("Green Dragon Blade", "Archers", "Militia", "Reward the Army", "Lu Su")]
    table.may.has("Huang Yueying")
    after = [table.may.cost(name) for name in ("Green Dragon Blade", "Archers", "Militia", "Reward the Army", "Lu Su")]
    assert before == [2, 1, 0, 1, 2]
    assert after == [1, 0, 0, 1, 2], "Equipment alone, and never below 0"
    assert table.david.cost("Green Dragon Blade") == 2


# ---- Wei Yan ---------------------------------------------------------------------------------------------------------


@rule("generals", 55)
def test_wei_yan_burns_a_card_at_the_end_of_the_turn() -> None:
    """May pays 1 for his Upkeep, and David draws a card for his turn."""
    table = Table()
    table.may.has("Wei Yan", at="ENEMY_BORDER")
    before = table.may.resources
    table.may.ends()
    assert table.david.resources == 30 - 1 - 1
    assert table.may.resources == before - 1


@pytest.mark.parametrize("at", ["FORTRESS", "BORDER"])
def test_wei_yan_elsewhere_burns_nothing(at: str) -> None:
    table = Table()
    table.may.has("Wei Yan", at=at)
    table.may.ends()
    assert table.david.resources == 30 - 1, "David drew a card"


# ---- Sun Jian --------------------------------------------------------------------------------------------------------


@rule("generals", 66)
def test_sun_jian_finds_an_armament_when_he_wins() -> None:
    table = Table()
    table.may.has("Sun Jian", at="BORDER").resource("Imperial Seal", "Archers", "Plunder", size=3)
    table.david.has("Cao Ren", at="ENEMY_BORDER")
    table.may.does("sun-jian#1", "cao-ren#2")
    assert table.may.asked == "search"
    assert "imperial-seal" in table.may.choices
    assert not {"archers", "plunder"} & set(table.may.choices), "no Troop and no Strategy"
    table.may.does("imperial-seal")
    chance(table)
    assert table.may.hand == ["Imperial Seal"]
    assert any("Imperial Seal" in line for line in table.david.reads()), "it is shown"
    assert table.may.resources == 2


@rule("generals", 15)
def test_a_duel_has_no_attacker_or_defender() -> None:
    """Guan Yu depletes 2 after a melee he wins as the attacker, but not after a duel, in either order of naming."""
    for first in ("guan-yu#2", "lu-su#2"):
        table = Table()
        table.may.has("Diaochan").holds("Militia", "Archers", "Plunder")
        table.david.has("Guan Yu", "Lu Su", at="BORDER")
        table.may.does("diaochan#1", "active:1", first)
        assert table.david.fallen == ["Lu Su"]
        assert (table.may.resources, table.david.resources) == (30, 30)


# ---- Meng Huo --------------------------------------------------------------------------------------------------------


def test_meng_huo_is_let_go_for_two_cards() -> None:
    table = Table()
    table.may.has("Meng Huo", at="BORDER", gear=("Militia",))
    table.may.has("Xun Yu", at="BORDER")
    table.david.has("Lu Bu", at="ENEMY_BORDER")
    table.turn(table.david)
    before = table.may.resources
    table.david.does("lu-bu#2", "meng-huo#1")
    assert set(table.may.choices) == {"meng-huo#1", "pass"}
    table.may.does("meng-huo#1")
    assert table.may.hand == ["Meng Huo"]
    assert table.may.fallen == []
    assert table.may.resources == before - 2
    assert table.may.field == ["Xun Yu"]
    assert "Militia" in table.may.discards, "his Equipment does not come along (ruling 39)"


def test_meng_huo_cannot_pay_with_one_card() -> None:
    table = Table()
    table.may.has("Meng Huo", at="BORDER").resource(size=1)
    table.david.has("Lu Bu", at="ENEMY_BORDER")
    table.turn(table.david)
    table.david.does("lu-bu#2", "meng-huo#1")
    assert table.may.fallen == ["Meng Huo"]


# ---- Hua Tuo ---------------------------------------------------------------------------------------------------------


@rule("generals", 68)
def test_hua_tuo_fills_resource_once_and_leaves_the_game() -> None:
    table = Table()
    table.may.has("Hua Tuo").holds("Militia").discarded("Archers", "Red Hare", "Guan Yu", "Zhang Fei")
    before = table.may.resources
    table.may.does("hua-tuo#1", "active:1")
    chance(table)
    assert table.may.resources == before + 3
    assert len(table.may.discards) == 4 + 1 - 3, "the card paid was one of five"
    assert table.may.exiled == ["Hua Tuo"]
    assert table.may.fallen == table.may.field == []


# ---- Stone Maze ------------------------------------------------------------------------------------------------------


@rule("generals", 20)
def test_the_stone_maze_sends_home_whom_it_fools() -> None:
    """Wits 6 against 1, 6 and 3: Xu Chu goes home, Xun Yu resists, Cao Ren was not a target."""
    table = Table()
    table.may.has("Xun Yu").holds("Tactics - Stone Maze", "Militia")
    table.david.has("Xu Chu", "Guo Jia", "Cao Ren", at="ENEMY_BORDER")
    table.may.does("tactics-stone-maze", "xun-yu#1", "xu-chu#2", "guo-jia#2")
    pay(table.may)
    assert table.david.place("Xu Chu") == "FORTRESS"
    assert table.david.place("Guo Jia") == table.david.place("Cao Ren") == "ENEMY_BORDER"
    assert table.david.fallen == []
    table.may.ends()
    chance(table)
    assert not table.david.may_do("xu-chu#2", "@border"), "he is still lost among the stones"
    assert table.david.may_do("guo-jia#2", "@border")


# ---- Beauty Scheme ---------------------------------------------------------------------------------------------------


def test_the_beauty_scheme_holds_one_general() -> None:
    """Dong Zhuo, Might 6 and Wits 4, has Might 4 and does not move. The enemy may draw."""
    table = Table()
    table.may.holds("Beauty Scheme", "Militia", "Archers")
    table.david.has("Dong Zhuo", "Xu Chu", at="BORDER")
    table.may.does("beauty-scheme", "dong-zhuo#2")
    pay(table.may)
    assert table.david.might("Dong Zhuo") == 4
    assert table.david.might("Xu Chu") == 5
    assert {"yes", "no"} <= set(table.david.choices)
    table.david.does("yes")
    assert len(table.david.hand) == 1
    table.may.ends()
    assert not table.david.may_do("dong-zhuo#2", "@fortress")
    assert table.david.may_do("xu-chu#2", "@fortress")
    assert table.david.might("Dong Zhuo") == 4
    table.david.ends()
    assert table.david.might("Dong Zhuo") == 6


def test_the_wise_do_not_fall_for_beauty() -> None:
    """Wits 4 is the limit. Lu Bu (1) and Dong Zhuo (4) can be chosen, Sun Quan (5) and Xun Yu (6) cannot."""
    table = Table()
    table.may.holds("Beauty Scheme", "Militia", "Archers").has("Xu Chu")
    table.david.has("Lu Bu", "Dong Zhuo", "Sun Quan", "Xun Yu")
    table.may.does("beauty-scheme")
    assert {choice for choice in table.may.choices if "#" in choice} == {"lu-bu#2", "dong-zhuo#2"}


# ---- Straw Boats -----------------------------------------------------------------------------------------------------


@rule("generals", 42)
def test_straw_boats_stop_a_melee_and_gather_the_arrows() -> None:
    table = Table(ask=True)
    table.may.has("Xun Yu", at="BORDER").holds("Straw Boats", "Militia", "Archers")
    table.david.has("Lu Bu", at="ENEMY_BORDER")
    table.turn(table.david)
    before = table.may.resources
    table.david.does("lu-bu#2", "xun-yu#1")
    table.may.does("straw-boats")
    pay(table.may)
    while table.david.asked == "answer":
        table.david.passes()
    assert table.may.field == ["Xun Yu"]
    assert table.may.fallen == table.david.fallen == []
    assert len(table.may.hand) == 1, "two were paid, one was drawn"
    assert table.may.resources == before - 1
    assert not table.david.may_do("lu-bu#2", "xun-yu#1"), "the attack is spent"


# ---- Stolen Halberds -------------------------------------------------------------------------------------------------


def test_stolen_halberds_answer_equipping() -> None:
    table = Table(ask=True)
    table.may.holds("Stolen Halberds", "Archers")
    table.david.has("Dian Wei", "Xu Chu").holds("Militia", "Plunder")
    table.turn(table.david)
    table.david.does("militia", "dian-wei#2")
    table.may.does("stolen-halberds")
    pay(table.may)
    while table.david.asked == "answer":
        table.david.passes()
    chance(table)
    assert table.david.gear == []
    assert table.david.discards == ["Militia", "Plunder"], "the Militia, and one at random: the only one left"
    assert table.david.might("Dian Wei") == 5
    assert table.may.hand == []


@rule("generals", 49)
def test_an_empty_hand_loses_nothing_to_stolen_halberds() -> None:
    table = Table(ask=True)
    table.may.holds("Stolen Halberds", "Archers")
    table.david.has("Dian Wei").holds("Militia")
    table.turn(table.david)
    table.david.does("militia", "dian-wei#2")
    table.may.does("stolen-halberds")
    pay(table.may)
    while table.david.asked == "answer":
        table.david.passes()
    assert (table.david.gear, table.david.hand, table.david.discards) == ([], [], ["Militia"])
