"""The ten generals of Shu: the effect of each text, its limit, and the generals it does not affect."""

from __future__ import annotations

from gonfalon.testing import rule
from tests.generals.scenario import Table, pay

QUIET = ("D06", "D06")


# ---- Liu Bei ---------------------------------------------------------------------------------------------------------


def test_liu_bei_heartens_the_shu_generals_beside_him() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Liu Bei", "Guan Yu", "Zhou Cang", at="BORDER")
    assert (table.may.might("Guan Yu"), table.may.might("Zhou Cang")) == (8, 5)
    assert table.may.might("Liu Bei") == 3, "the others only"
    assert table.may.wits("Guan Yu") == 4


def test_liu_bei_heartens_no_other_general() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Liu Bei", "Taishi Ci", at="BORDER").has("Guan Yu", at="ENEMY_BORDER").has("Ma Chao")
    table.david.has("Zhang Fei", at="ENEMY_BORDER")
    assert table.may.might("Taishi Ci") == 6, "not of Shu"
    assert (table.may.might("Guan Yu"), table.may.might("Ma Chao")) == (7, 5), "in other zones"
    assert table.david.might("Zhang Fei") == 7, "not his"


# ---- Guan Yu ---------------------------------------------------------------------------------------------------------


def test_guan_yu_burns_two_cards_when_his_attack_wins() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Guan Yu", at="BORDER")
    table.david.has("Yan Liang", at="ENEMY_BORDER")
    table.may.does("guan-yu#1", "yan-liang#2")
    assert table.david.fallen == ["Yan Liang"]
    assert (table.david.resources, len(table.david.discards)) == (28, 2)
    assert table.may.resources == 30


def test_guan_yu_burns_nothing_as_a_defender_or_when_others_win() -> None:
    defence = Table(commandments=QUIET)
    defence.may.has("Guan Yu", at="BORDER")
    defence.david.has("Yan Liang", at="ENEMY_BORDER")
    defence.turn(defence.david)
    defence.david.does("yan-liang#2", "guan-yu#1")
    assert (defence.david.fallen, defence.david.resources) == (["Yan Liang"], 30)
    other = Table(commandments=QUIET)
    other.may.has("Guan Yu", "Zhang Fei", at="BORDER")
    other.david.has("Yan Liang", at="ENEMY_BORDER")
    other.may.does("zhang-fei#1", "yan-liang#2")
    assert (other.david.fallen, other.david.resources) == (["Yan Liang"], 30)


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


# ---- Zhao Yun --------------------------------------------------------------------------------------------------------


@rule("generals", 4)
def test_zhao_yun_rides_through_where_others_are_blocked() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Zhao Yun", "Guan Yu")
    table.david.has("Xu Chu", "Dian Wei", at="ENEMY_BORDER")
    assert not table.may.may_do("guan-yu#1", "@enemy-border")
    table.may.does("zhao-yun#1", "@enemy-border")
    assert table.may.place("Zhao Yun") == "ENEMY_BORDER"


# ---- Ma Chao ---------------------------------------------------------------------------------------------------------


@rule("generals", 23)
def test_ma_chaos_siege_depletes_seven() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Ma Chao", "Zhao Yun", at="ENEMY_BORDER")
    table.may.does("ma-chao#1", "siege")
    assert table.david.resources == 23
    table.may.does("zhao-yun#1", "siege")
    assert table.david.resources == 18, "Zhao Yun's 5 are no more"


# ---- Huang Zhong -----------------------------------------------------------------------------------------------------


def shooting() -> Table:
    """Huang Zhong at May's BORDER with the cost of a shot in hand."""
    table = Table(commandments=QUIET)
    table.may.has("Huang Zhong", at="BORDER").holds("Militia", "Archers")
    return table


def test_huang_zhong_shoots_in_his_zone_and_beside_it() -> None:
    """Xun Yu is with him, Guo Jia and Sima Yi are one zone away, and Lu Su is two zones away, out of reach. Cao Ren's
    Might of 4 is too high."""
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


# ---- Zhuge Liang -----------------------------------------------------------------------------------------------------


def test_zhuge_liang_makes_tactics_alone_cheaper() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Zhuge Liang")
    names = ("Tactics - Water", "Tactics - Ambush", "Plunder", "Feather Fan", "Empty Fort", "Lu Su")
    assert [table.may.cost(name) for name in names] == [1, 0, 1, 1, 2, 2]
    assert [table.david.cost(name) for name in names] == [2, 1, 1, 1, 2, 2]


# ---- Pang Tong -------------------------------------------------------------------------------------------------------


def test_pang_tong_ambushes_two() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Pang Tong", at="BORDER").holds("Tactics - Ambush", "Militia")
    table.david.has("Xu Chu", "Cao Ren", "Guan Yu", at="ENEMY_BORDER")
    table.may.does("tactics-ambush", "pang-tong#1", "xu-chu#2", "cao-ren#2")
    assert table.may.asked != "target", "two, not three"
    assert sorted(table.david.fallen) == ["Cao Ren", "Xu Chu"]
    assert table.david.field == ["Guan Yu"]


def test_pang_tong_gives_his_gift_to_no_other_general() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Pang Tong", "Zhuge Liang", at="BORDER").holds("Tactics - Ambush", "Militia")
    table.david.has("Xu Chu", "Cao Ren", at="ENEMY_BORDER")
    table.may.does("tactics-ambush", "zhuge-liang#1", "xu-chu#2")
    assert table.david.fallen == ["Xu Chu"]
    assert table.david.field == ["Cao Ren"]


def test_pang_tong_sows_no_more_discord_than_others() -> None:
    """A melee has two generals, so Discord has no third target."""
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
