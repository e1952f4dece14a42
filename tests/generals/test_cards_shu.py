"""The ten generals of Shu: what each one's text promises, how far it goes, and whom it leaves alone."""

from __future__ import annotations

import pytest

from gonfalon.testing import rule
from tests.generals.scenario import Table, pay, tag

QUIET = ("D06", "D06")


@pytest.mark.parametrize(
    ("name", "cost", "might", "wits"),
    [
        ("Liu Bei", 3, 3, 4),
        ("Guan Yu", 4, 7, 4),
        ("Zhang Fei", 4, 7, 1),
        ("Zhao Yun", 3, 5, 4),
        ("Ma Chao", 3, 5, 2),
        ("Huang Zhong", 2, 4, 2),
        ("Zhuge Liang", 4, 1, 8),
        ("Pang Tong", 3, 1, 7),
        ("Zhou Cang", 1, 4, 1),
        ("Jiang Wei", 2, 4, 5),
    ],
)
def test_what_is_printed(name: str, cost: int, might: int, wits: int) -> None:
    table = Table(commandments=QUIET)
    assert table.may.cost(name) == cost
    table.may.has(name)
    assert (table.may.might(name), table.may.wits(name)) == (might, wits)
    card = table.game.pool.find(name)
    assert card is not None
    assert (card.faction, card.upkeep) == ("SHU", 1)


# ---- Liu Bei ---------------------------------------------------------------------------------------------------------


def test_liu_bei_heartens_the_shu_generals_beside_him() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Liu Bei", "Guan Yu", "Zhou Cang", at="BORDER")
    assert (table.may.might("Guan Yu"), table.may.might("Zhou Cang")) == (8, 5)
    assert table.may.might("Liu Bei") == 3, "the others only"
    assert table.may.wits("Guan Yu") == 4


def test_liu_bei_heartens_nobody_else() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Liu Bei", "Taishi Ci", at="BORDER").has("Guan Yu", at="ENEMY_BORDER").has("Ma Chao")
    table.david.has("Zhang Fei", at="ENEMY_BORDER")
    assert table.may.might("Taishi Ci") == 6, "not of Shu"
    assert (table.may.might("Guan Yu"), table.may.might("Ma Chao")) == (7, 5), "in other zones"
    assert table.david.might("Zhang Fei") == 7, "not his"


def test_liu_bei_heartens_those_he_leaves_no_longer() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Liu Bei", "Guan Yu")
    table.may.does("liu-bei#1", "@border")
    assert table.may.might("Guan Yu") == 7
    table.may.does("guan-yu#1", "@border")
    assert table.may.might("Guan Yu") == 8


# ---- Guan Yu ---------------------------------------------------------------------------------------------------------


def test_guan_yu_burns_two_cards_when_his_attack_wins() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Guan Yu", at="BORDER")
    table.david.has("Yan Liang", at="ENEMY_BORDER")
    table.may.does("guan-yu#1", "yan-liang#2")
    assert table.david.fallen == ["Yan Liang"]
    assert (table.david.resources, len(table.david.discards)) == (28, 2)
    assert table.may.resources == 30


def test_guan_yu_burns_nothing_as_a_defender_in_a_tie_or_when_others_win() -> None:
    defence = Table(commandments=QUIET)
    defence.may.has("Guan Yu", at="BORDER")
    defence.david.has("Yan Liang", at="ENEMY_BORDER")
    defence.turn(defence.david)
    defence.david.does("yan-liang#2", "guan-yu#1")
    assert (defence.david.fallen, defence.david.resources) == (["Yan Liang"], 30)
    tie = Table(commandments=QUIET)
    tie.may.has("Guan Yu", at="BORDER")
    tie.david.has("Zhang Fei", at="ENEMY_BORDER")
    tie.may.does("guan-yu#1", "zhang-fei#2")
    assert (tie.may.fallen, tie.david.resources) == (["Guan Yu"], 30)
    other = Table(commandments=QUIET)
    other.may.has("Guan Yu", "Zhang Fei", at="BORDER")
    other.david.has("Yan Liang", at="ENEMY_BORDER")
    other.may.does("zhang-fei#1", "yan-liang#2")
    assert (other.david.fallen, other.david.resources) == (["Yan Liang"], 30)


@rule("generals", 62)
@pytest.mark.parametrize(("left", "over"), [(2, False), (1, True)])
def test_guan_yu_burns_more_than_there_is_and_wins(left: int, over: bool) -> None:
    table = Table(commandments=QUIET)
    table.may.has("Guan Yu", at="BORDER")
    table.david.has("Yan Liang", at="ENEMY_BORDER").resource(size=left)
    table.may.does("guan-yu#1", "yan-liang#2")
    assert table.over is over
    assert table.winner is (table.may if over else None)


# ---- Zhang Fei -------------------------------------------------------------------------------------------------------


def test_zhang_fei_roars_at_the_enemies_in_his_zone() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Zhang Fei", "Liu Bei", at="BORDER").holds("Militia")
    table.david.has("Guan Yu", "Diaochan", at="ENEMY_BORDER").has("Xu Chu", at="BORDER").has("Cao Ren")
    table.may.does("zhang-fei#1", "active:1")
    assert (table.david.might("Guan Yu"), table.david.might("Diaochan")) == (6, 0), "never below 0"
    assert (table.david.might("Xu Chu"), table.david.might("Cao Ren")) == (5, 4), "elsewhere"
    assert (table.may.might("Liu Bei"), table.may.might("Zhang Fei")) == (3, 8), "his own (and Liu Bei's +1)"
    assert table.may.hand == []
    assert table.may.may_do("zhang-fei#1", "guan-yu#2"), "he may attack all the same"


@rule("generals", 45)
def test_zhang_feis_roar_dies_away_with_the_turn() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Zhang Fei", at="BORDER").holds("Militia")
    table.david.has("Guan Yu", at="ENEMY_BORDER")
    table.may.does("zhang-fei#1", "active:1").ends()
    assert table.david.might("Guan Yu") == 7


@rule("generals", 44)
def test_zhang_fei_roars_once_and_for_a_card() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Zhang Fei", at="BORDER")
    table.david.has("Guan Yu", at="ENEMY_BORDER")
    assert not table.may.may_do("zhang-fei#1", "active:1")
    table.may.holds("Militia", "Archers")
    table.may.does("zhang-fei#1", "active:1")
    pay(table.may)
    assert len(table.may.hand) == 1
    assert not table.may.may_do("zhang-fei#1", "active:1")
    assert table.david.might("Guan Yu") == 6


# ---- Zhao Yun --------------------------------------------------------------------------------------------------------


@rule("generals", 4)
def test_zhao_yun_rides_through_where_others_are_blocked() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Zhao Yun", "Guan Yu")
    table.david.has("Xu Chu", "Dian Wei", at="ENEMY_BORDER")
    assert not table.may.may_do("guan-yu#1", "@enemy-border")
    table.may.does("zhao-yun#1", "@enemy-border")
    assert table.may.place("Zhao Yun") == "ENEMY_BORDER"


def test_zhao_yun_opens_the_way_for_nobody() -> None:
    """His ride leaves two enemies and one blocker at May's BORDER: Ma Chao may not follow."""
    table = Table(commandments=QUIET)
    table.may.has("Zhao Yun", "Guan Yu", at="BORDER").has("Ma Chao")
    table.david.has("Xu Chu", "Dian Wei", at="ENEMY_BORDER")
    assert table.may.may_do("ma-chao#1", "@enemy-border")
    table.may.does("zhao-yun#1", "@enemy-border")
    assert not table.may.may_do("ma-chao#1", "@enemy-border")


def test_zhao_yun_has_one_move_and_no_attack_after_it() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Zhao Yun")
    table.david.has("Xu Chu", at="ENEMY_BORDER")
    table.may.does("zhao-yun#1", "@enemy-border")
    assert not table.may.may_do("zhao-yun#1", "siege")
    assert not table.may.may_do("zhao-yun#1", "@border")
    new = Table(commandments=QUIET)
    new.may.has("Zhao Yun", new=True)
    assert not new.may.may_do("zhao-yun#1", "@enemy-border")


# ---- Ma Chao ---------------------------------------------------------------------------------------------------------


@rule("generals", 23)
def test_ma_chaos_siege_depletes_seven() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Ma Chao", "Zhao Yun", at="ENEMY_BORDER")
    table.may.does("ma-chao#1", "siege")
    assert table.david.resources == 23
    table.may.does("zhao-yun#1", "siege")
    assert table.david.resources == 18, "Zhao Yun's 5 are no more"


@rule("generals", 24)
@pytest.mark.parametrize(("left", "over"), [(7, False), (6, True)])
def test_ma_chaos_siege_wins_from_six(left: int, over: bool) -> None:
    table = Table(commandments=QUIET)
    table.may.has("Ma Chao", at="ENEMY_BORDER")
    table.david.resource(size=left)
    table.may.does("ma-chao#1", "siege")
    assert table.winner is (table.may if over else None)
    assert table.david.resources == 0


def test_ma_chao_gains_nothing_in_a_melee() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Ma Chao", at="BORDER")
    table.david.has("Yan Liang", at="ENEMY_BORDER")
    assert table.may.might("Ma Chao") == 5
    table.may.does("ma-chao#1", "yan-liang#2")
    assert table.may.fallen == ["Ma Chao"]


# ---- Huang Zhong -----------------------------------------------------------------------------------------------------


def shooting() -> Table:
    """Huang Zhong at May's BORDER with the cost of a shot in hand."""
    table = Table(commandments=QUIET)
    table.may.has("Huang Zhong", at="BORDER").holds("Militia", "Archers")
    return table


def test_huang_zhong_shoots_in_his_zone_and_beside_it() -> None:
    """Xun Yu with him, Guo Jia and Sima Yi one zone on, Lu Su two: he is out of reach, as is Cao Ren's Might of 4."""
    table = shooting()
    table.david.has("Xun Yu", "Cao Ren", at="ENEMY_BORDER").has("Guo Jia", "Sima Yi", at="BORDER").has("Lu Su")
    table.may.does("huang-zhong#1", "active:1")
    assert set(table.may.choices) == {"xun-yu#2", "guo-jia#2", "sima-yi#2"}
    table.may.does("sima-yi#2")
    assert table.david.fallen == ["Sima Yi"]
    assert sorted(table.david.field) == ["Cao Ren", "Guo Jia", "Lu Su", "Xun Yu"]
    assert table.may.hand == []


@rule("generals", 16)
def test_huang_zhong_measures_might_as_it_is_now() -> None:
    table = shooting()
    table.david.has("Sima Yi", at="ENEMY_BORDER", gear=("Militia",))
    assert not table.may.may_do("huang-zhong#1", "active:1")
    table.david.has("Zhang Bao", at="ENEMY_BORDER", gear=("Militia",))
    assert table.may.may_do("huang-zhong#1", "active:1")


@rule("generals", 9)
def test_huang_zhongs_shot_is_his_attack() -> None:
    table = shooting()
    table.david.has("Xun Yu", "Guo Jia", at="ENEMY_BORDER")
    table.may.does("huang-zhong#1", "active:1", "xun-yu#2")
    assert not table.may.may_do("huang-zhong#1", "guo-jia#2")
    assert not table.may.may_do("huang-zhong#1", "@fortress")
    moved = shooting()
    moved.david.has("Xun Yu", at="ENEMY_BORDER")
    moved.may.does("huang-zhong#1", "@fortress")
    assert not moved.may.may_do("huang-zhong#1", "active:1"), "he has moved"
    fresh = Table(commandments=QUIET)
    fresh.may.has("Huang Zhong", at="BORDER", new=True).holds("Militia", "Archers")
    fresh.david.has("Xun Yu", at="ENEMY_BORDER")
    assert not fresh.may.may_do("huang-zhong#1", "active:1"), "he is new"


def test_huang_zhong_needs_two_cards_and_a_target() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Huang Zhong", "Zhuge Liang", at="BORDER").holds("Militia")
    table.david.has("Xun Yu", at="ENEMY_BORDER")
    assert not table.may.may_do("huang-zhong#1", "active:1")
    lonely = shooting()
    lonely.may.has("Zhuge Liang", at="BORDER")
    assert not lonely.may.may_do("huang-zhong#1", "active:1"), "his own are no targets"


# ---- Zhuge Liang -----------------------------------------------------------------------------------------------------

COSTS = {
    "Tactics - Water": 2,
    "Tactics - Fire": 3,
    "Tactics - Ambush": 1,
    "Tactics - Falling Rocks": 1,
    "Tactics - Discord": 2,
    "Tactics - Chained Ships": 1,
}


@pytest.mark.parametrize(("name", "cost"), COSTS.items())
def test_zhuge_liang_makes_every_tactics_cheaper(name: str, cost: int) -> None:
    table = Table(commandments=QUIET)
    table.may.has("Zhuge Liang")
    assert (table.may.cost(name), table.david.cost(name)) == (cost - 1, cost)


def test_zhuge_liang_makes_nothing_else_cheaper() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Zhuge Liang")
    assert [table.may.cost(name) for name in ("Plunder", "Feather Fan", "Empty Fort", "Lu Su")] == [1, 1, 2, 2]


@rule("generals", 29)
def test_zhuge_liang_goes_not_below_zero() -> None:
    table = Table(commandments=("D04", "D06"))
    table.may.has("Zhuge Liang")
    assert table.may.cost("Tactics - Ambush") == 0, "1, less 1, less 1 for Stratagems"
    assert table.may.cost("Tactics - Water") == 0
    assert table.may.cost("Tactics - Fire") == 1


def test_zhuge_liang_in_casualty_teaches_nobody() -> None:
    table = Table(commandments=QUIET)
    table.may.lost("Zhuge Liang")
    assert table.may.cost("Tactics - Water") == 2


def test_zhuge_liang_saves_a_card_of_the_hand() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Zhuge Liang", at="BORDER").holds("Tactics - Ambush", "Militia")
    table.david.has("Xu Chu", at="ENEMY_BORDER")
    table.may.does("tactics-ambush", "zhuge-liang#1")
    assert table.david.fallen == ["Xu Chu"]
    assert table.may.hand == ["Militia"]


# ---- Pang Tong -------------------------------------------------------------------------------------------------------


def test_pang_tong_ambushes_two() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Pang Tong", at="BORDER").holds("Tactics - Ambush", "Militia")
    table.david.has("Xu Chu", "Cao Ren", "Guan Yu", at="ENEMY_BORDER")
    table.may.does("tactics-ambush", "pang-tong#1", "xu-chu#2", "cao-ren#2")
    assert table.may.asked != "target", "two, not three"
    assert sorted(table.david.fallen) == ["Cao Ren", "Xu Chu"]
    assert table.david.field == ["Guan Yu"]


def test_pang_tong_may_be_content_with_one() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Pang Tong", at="BORDER").holds("Tactics - Ambush", "Militia")
    table.david.has("Xu Chu", "Cao Ren", at="ENEMY_BORDER")
    table.may.does("tactics-ambush", "pang-tong#1", "xu-chu#2", "done")
    assert table.david.fallen == ["Xu Chu"]


def test_pang_tongs_third_target_of_water_is_in_the_same_zone() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Pang Tong", at="BORDER").holds("Tactics - Water", "Militia", "Archers")
    table.david.has("Xu Chu", "Cao Ren", "Guan Yu", at="ENEMY_BORDER").has("Yan Liang", at="BORDER")
    table.may.does("tactics-water", "pang-tong#1", "xu-chu#2")
    assert set(table.may.choices) == {"cao-ren#2", "guan-yu#2", "done"}
    table.may.does("cao-ren#2", "guan-yu#2")
    assert sorted(table.david.fallen) == ["Cao Ren", "Guan Yu", "Xu Chu"]


def test_pang_tong_lends_his_gift_to_nobody() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Pang Tong", "Zhuge Liang", at="BORDER").holds("Tactics - Ambush", "Militia")
    table.david.has("Xu Chu", "Cao Ren", at="ENEMY_BORDER")
    table.may.does("tactics-ambush", "zhuge-liang#1", "xu-chu#2")
    assert table.david.fallen == ["Xu Chu"]
    assert table.david.field == ["Cao Ren"]


def test_pang_tong_sows_no_more_discord_than_others() -> None:
    """A melee is between two: Discord has no third target."""
    table = Table(commandments=QUIET)
    table.may.has("Pang Tong").holds("Tactics - Discord", "Militia", "Archers")
    table.david.has("Xu Chu", "Cao Ren", "Guan Yu", at="ENEMY_BORDER")
    table.may.does("tactics-discord", "pang-tong#1", "xu-chu#2", "cao-ren#2")
    assert table.may.asked != "target"


# ---- Zhou Cang -------------------------------------------------------------------------------------------------------


@rule("generals", 44)
def test_zhou_cang_gains_one_might_once_a_turn() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Zhou Cang", "Guan Yu", at="BORDER").holds("Militia", "Archers", "Plunder")
    table.may.does("zhou-cang#1", "active:1")
    pay(table.may)
    assert (table.may.might("Zhou Cang"), table.may.wits("Zhou Cang")) == (5, 1)
    assert table.may.might("Guan Yu") == 7
    assert len(table.may.hand) == 2
    assert not table.may.may_do("zhou-cang#1", "active:1")


@rule("generals", 45)
def test_zhou_cang_tires_at_the_end_of_the_turn() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Zhou Cang").holds("Militia")
    table.may.does("zhou-cang#1", "active:1").ends()
    assert table.may.might("Zhou Cang") == 4


def test_zhou_cang_needs_a_card_and_his_own_turn() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Zhou Cang")
    assert not table.may.may_do("zhou-cang#1", "active:1")
    table.may.holds("Militia")
    assert table.may.may_do("zhou-cang#1", "active:1")
    table.turn(table.david)
    assert not table.may.may_do("zhou-cang#1", "active:1")


@rule("generals", 10)
def test_zhou_cang_may_swell_on_the_day_he_comes() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Zhou Cang", new=True).holds("Militia")
    table.may.does("zhou-cang#1", "active:1")
    assert table.may.might("Zhou Cang") == 5


# ---- Jiang Wei -------------------------------------------------------------------------------------------------------


def test_jiang_wei_takes_up_his_teachers_war() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Jiang Wei", "Huang Zhong").lost("Zhuge Liang")
    assert (table.may.might("Jiang Wei"), table.may.wits("Jiang Wei")) == (5, 7)
    assert (table.may.might("Huang Zhong"), table.may.wits("Huang Zhong")) == (4, 2)


def test_jiang_wei_learns_while_his_teacher_lives() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Jiang Wei", "Zhuge Liang").lost("Pang Tong")
    table.david.lost("Zhuge Liang").has("Jiang Wei")
    assert (table.may.might("Jiang Wei"), table.may.wits("Jiang Wei")) == (4, 5), "it is the enemy's that fell"
    assert (table.david.might("Jiang Wei"), table.david.wits("Jiang Wei")) == (5, 7)


@rule("generals", 35)
def test_jiang_wei_does_not_mourn_a_discarded_card() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Jiang Wei").discarded("Zhuge Liang")
    assert (table.may.might("Jiang Wei"), table.may.wits("Jiang Wei")) == (4, 5)


def test_jiang_wei_fights_with_five() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Jiang Wei", at="BORDER").lost("Zhuge Liang")
    table.david.has("Cao Ren", at="ENEMY_BORDER")
    table.may.does("jiang-wei#1", tag(table.david, "Cao Ren"))
    assert table.david.fallen == ["Cao Ren"]
    assert table.may.field == ["Jiang Wei"]
