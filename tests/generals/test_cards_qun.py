"""The ten generals of Qun: the effect of each text, its limit, and the generals it does not affect."""

from __future__ import annotations

import pytest

from gonfalon.testing import rule
from tests.generals.scenario import Table

QUIET = ("D06", "D06")


# ---- Lu Bu -----------------------------------------------------------------------------------------------------------


@rule("generals", 54)
def test_lu_bu_eats_for_two() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Lu Bu", "Cao Ren")
    assert table.may.upkeep() == 3
    table.may.holds("Militia", "Archers").ends()
    assert table.may.resources == 27


def test_lu_bu_attacks_again_when_he_has_won() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Lu Bu", "Guan Yu", at="BORDER")
    table.david.has("Xu Chu", "Cao Ren", "Xun Yu", at="ENEMY_BORDER")
    table.may.does("lu-bu#1", "xu-chu#2", "lu-bu#1", "cao-ren#2")
    assert table.david.fallen == ["Xu Chu", "Cao Ren"]
    assert not table.may.may_do("lu-bu#1", "xun-yu#2"), "once per turn"
    assert not table.may.may_do("lu-bu#1", "@fortress"), "attack, not move"
    table.may.does("guan-yu#1", "xun-yu#2")
    assert not table.may.may_do("guan-yu#1")


def test_lu_bu_is_ready_again_in_his_next_turn() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Lu Bu", at="BORDER").holds("Militia", "Archers")
    table.david.has("Xu Chu", "Cao Ren", "Xun Yu", "Lu Su", at="ENEMY_BORDER").holds("Militia", "Archers")
    table.may.does("lu-bu#1", "xu-chu#2", "lu-bu#1", "cao-ren#2").ends()
    table.david.ends()
    table.may.does("lu-bu#1", "xun-yu#2", "lu-bu#1", "lu-su#2")
    assert table.david.field == []


def test_lu_bu_gains_nothing_from_a_siege_or_a_victory_in_defence() -> None:
    siege = Table(commandments=QUIET)
    siege.may.has("Lu Bu", at="ENEMY_BORDER")
    siege.may.does("lu-bu#1", "siege")
    assert not siege.may.may_do("lu-bu#1", "siege")
    defence = Table(commandments=QUIET)
    defence.may.has("Lu Bu", at="BORDER")
    defence.david.has("Xu Chu", "Cao Ren", "Xun Yu", at="ENEMY_BORDER")
    defence.turn(defence.david)
    defence.david.does("xu-chu#2", "lu-bu#1")
    defence.turn(defence.may)
    defence.may.does("lu-bu#1", "cao-ren#2", "lu-bu#1", "xun-yu#2")
    assert len(defence.david.fallen) == 3, "his defence has not used up the one time"


# ---- Diaochan --------------------------------------------------------------------------------------------------------


def dance(*held: str) -> Table:
    table = Table(commandments=QUIET)
    table.may.has("Diaochan").holds(*(held or ("Militia", "Archers", "Plunder")))
    return table


def test_diaochan_sets_two_enemies_on_each_other() -> None:
    """Might 5 and 4 are in one zone. Dong Zhuo is alone in another and cannot be chosen."""
    table = dance()
    table.david.has("Xu Chu", "Cao Ren").has("Dong Zhuo", at="BORDER")
    table.may.does("diaochan#1", "active:1")
    assert set(table.may.choices) == {"xu-chu#2", "cao-ren#2"}
    table.may.does("xu-chu#2")
    assert table.david.fallen == ["Cao Ren"]
    assert sorted(table.david.field) == ["Dong Zhuo", "Xu Chu"]
    assert table.may.hand == []
    assert table.may.field == ["Diaochan"]


# ---- Dong Zhuo -------------------------------------------------------------------------------------------------------


@rule("generals", 54)
def test_dong_zhuo_makes_both_armies_dearer_by_one() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Dong Zhuo", "Cao Ren")
    table.david.has("Xu Chu", "Xun Yu")
    assert table.may.upkeep() == 3
    assert table.david.upkeep() == 2, "two generals, Xun Yu's relief, and Dong Zhuo"


# ---- Zhang Jiao ------------------------------------------------------------------------------------------------------


def test_zhang_jiao_draws_for_a_follower() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Zhang Jiao").holds("Zhang Bao")
    table.may.does("zhang-bao")
    assert table.may.field == ["Zhang Jiao", "Zhang Bao"]
    assert (len(table.may.hand), table.may.resources) == (1, 29)


def test_zhang_jiao_draws_once_per_turn() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Zhang Jiao").holds("Zhang Bao", "Zhang Liang")
    table.may.does("zhang-bao", "zhang-liang")
    assert table.may.resources == 29


@pytest.mark.parametrize("name", ["Yan Liang", "Zhou Cang", "Wen Chou"])
def test_zhang_jiao_draws_for_no_other_recruit(name: str) -> None:
    """Zhang Jiao draws for a Qun general for 2 cards (Affiliation does not change the printed cost), not for a Shu
    general for 1."""
    table = Table(commandments=QUIET)
    table.may.has("Zhang Jiao").holds(name, "Militia")
    table.may.does(name.lower().replace(" ", "-"))
    assert name in table.may.field
    assert table.may.resources == 30


# ---- Zhang Bao -------------------------------------------------------------------------------------------------------


def test_zhang_bao_bewilders_one_enemy_beside_him() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Zhang Bao", at="BORDER").holds("Militia")
    table.david.has("Cao Ren", "Xun Yu", at="ENEMY_BORDER").has("Zhang Liao", at="BORDER")
    table.may.does("zhang-bao#1", "active:1")
    assert set(table.may.choices) == {"cao-ren#2", "xun-yu#2"}
    table.may.does("cao-ren#2")
    assert (table.david.might("Cao Ren"), table.david.wits("Cao Ren")) == (3, 1)
    assert (table.david.might("Xun Yu"), table.david.wits("Xun Yu")) == (1, 6)
    assert (table.may.might("Zhang Bao"), table.may.wits("Zhang Bao")) == (2, 4)
    assert table.may.hand == []


# ---- Zhang Liang -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("brothers", "might"), [((), 3), (("Zhang Jiao",), 4), (("Zhang Bao",), 4), (("Zhang Jiao", "Zhang Bao"), 5)]
)
def test_zhang_liang_is_great_beside_his_brothers(brothers: tuple[str, ...], might: int) -> None:
    table = Table(commandments=QUIET)
    table.may.has("Zhang Liang").has(*brothers, at="ENEMY_BORDER").has("Lu Bu")
    assert table.may.might("Zhang Liang") == might
    assert (table.may.might("Lu Bu"), table.may.wits("Zhang Liang")) == (8, 1)


# ---- Yuan Shao -------------------------------------------------------------------------------------------------------


def test_yuan_shao_commands_a_siege_by_three() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Yuan Shao", "Yan Liang", "Wen Chou", at="ENEMY_BORDER")
    table.may.does("yuan-shao#1", "siege")
    assert table.david.resources == 25
    table.may.does("yan-liang#1", "siege")
    assert table.david.resources == 18
    table.may.does("wen-chou#1", "siege")
    assert table.david.resources == 12


def test_yuan_shao_with_two_is_only_two() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Yuan Shao", "Yan Liang", at="ENEMY_BORDER").has("Wen Chou", at="BORDER")
    table.may.does("yuan-shao#1", "siege", "yan-liang#1", "siege")
    assert table.david.resources == 30 - 4 - 6


# ---- Yan Liang -------------------------------------------------------------------------------------------------------


@rule("generals", 18)
def test_yan_liang_executes_no_tactics() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Yan Liang", at="BORDER").holds("Tactics - Ambush", "Militia")
    table.david.has("Xu Chu", at="ENEMY_BORDER")
    assert not table.may.may_do("tactics-ambush")


# ---- Wen Chou --------------------------------------------------------------------------------------------------------


def test_wen_chou_rides_out_for_yan_liang() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Wen Chou", "Lu Bu").lost("Yan Liang")
    assert (table.may.might("Wen Chou"), table.may.might("Lu Bu")) == (7, 8)


def test_wen_chou_is_himself_while_yan_liang_lives_or_only_the_enemys_fell() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Wen Chou", "Yan Liang")
    table.david.lost("Yan Liang")
    assert table.may.might("Wen Chou") == 5


# ---- Jia Xu ----------------------------------------------------------------------------------------------------------


def scheming() -> Table:
    """May's Xun Yu and Jia Xu face two generals of Might 5. David holds cards that could stop a plot."""
    table = Table(commandments=QUIET, ask=True)
    table.may.has("Jia Xu", "Xun Yu", at="BORDER")
    table.may.holds("Tactics - Ambush", "Tactics - Ambush", "Reward the Army", "Militia", "Militia", "Archers")
    table.david.has("Xu Chu", "Yan Liang", at="ENEMY_BORDER")
    table.david.holds("See Through the Ruse", "Silence the Envoy", "Countermand", "Militia")
    return table


def test_jia_xus_plot_cannot_be_countered() -> None:
    table = scheming()
    table.may.does("jia-xu#1", "active:1", "militia")
    table.david.passes()
    table.may.does("tactics-ambush", "xun-yu#1", "xu-chu#2", "militia")
    assert table.david.asked == ""
    assert table.david.fallen == ["Xu Chu"]


def test_jia_xu_covers_one_plot_only() -> None:
    table = scheming()
    table.may.does("jia-xu#1", "active:1", "militia")
    table.david.passes()
    table.may.does("tactics-ambush", "xun-yu#1", "xu-chu#2", "militia")
    table.may.does("tactics-ambush", "jia-xu#1", "archers")
    assert "see-through-the-ruse" in table.david.choices
