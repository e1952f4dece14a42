"""The ten generals of Qun: what each one's text promises, how far it goes, and whom it leaves alone."""

from __future__ import annotations

import pytest

from gonfalon.testing import rule
from tests.generals.scenario import Table, pay, tag

QUIET = ("D06", "D06")


@pytest.mark.parametrize(
    ("name", "cost", "might", "wits", "upkeep"),
    [
        ("Lu Bu", 5, 8, 1, 2),
        ("Diaochan", 2, 0, 5, 1),
        ("Dong Zhuo", 4, 6, 4, 1),
        ("Zhang Jiao", 3, 2, 6, 1),
        ("Zhang Bao", 1, 2, 4, 1),
        ("Zhang Liang", 1, 3, 1, 1),
        ("Yuan Shao", 4, 4, 4, 1),
        ("Yan Liang", 2, 6, 1, 1),
        ("Wen Chou", 2, 5, 1, 1),
        ("Jia Xu", 3, 1, 7, 1),
    ],
)
def test_what_is_printed(name: str, cost: int, might: int, wits: int, upkeep: int) -> None:
    table = Table(commandments=QUIET)
    assert table.may.cost(name) == cost
    table.may.has(name)
    assert (table.may.might(name), table.may.wits(name)) == (might, wits)
    card = table.game.pool.find(name)
    assert card is not None
    assert (card.faction, card.upkeep) == ("QUN", upkeep)


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


def test_lu_bus_second_attack_may_be_a_siege() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Lu Bu", at="ENEMY_BORDER")
    table.david.has("Xu Chu", at="BORDER")
    table.may.does("lu-bu#1", "xu-chu#2", "lu-bu#1", "siege")
    assert table.david.resources == 22


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
    """Might 5 and 4 in one zone; Dong Zhuo stands alone in another and cannot be chosen."""
    table = dance()
    table.david.has("Xu Chu", "Cao Ren").has("Dong Zhuo", at="BORDER")
    table.may.does("diaochan#1", "active:1")
    assert set(table.may.choices) == {"xu-chu#2", "cao-ren#2"}
    table.may.does("xu-chu#2")
    assert table.david.fallen == ["Cao Ren"]
    assert sorted(table.david.field) == ["Dong Zhuo", "Xu Chu"]
    assert table.may.hand == []
    assert table.may.field == ["Diaochan"]


def test_diaochan_chooses_the_second_in_the_zone_of_the_first() -> None:
    table = dance()
    table.david.has("Xu Chu", "Cao Ren", "Xun Yu").has("Dong Zhuo", "Guan Yu", at="BORDER")
    table.may.does("diaochan#1", "active:1", "xu-chu#2")
    assert set(table.may.choices) == {"cao-ren#2", "xun-yu#2"}


@rule("generals", 14)
def test_diaochan_may_ruin_both() -> None:
    table = dance()
    table.david.has("Xu Chu", "Dian Wei")
    table.may.does("diaochan#1", "active:1")
    while table.may.asked == "target":
        table.may.does(table.may.choices[0])
    assert sorted(table.david.fallen) == ["Dian Wei", "Xu Chu"]


def test_diaochan_needs_two_in_one_zone_and_three_cards() -> None:
    table = dance()
    table.david.has("Xu Chu").has("Cao Ren", at="BORDER")
    assert not table.may.may_do("diaochan#1", "active:1")
    table.david.has("Xun Yu")
    assert table.may.may_do("diaochan#1", "active:1")
    poor = dance("Militia", "Archers")
    poor.david.has("Xu Chu", "Xun Yu")
    assert not poor.may.may_do("diaochan#1", "active:1")


@rule("generals", 15)
def test_diaochans_victims_defeat_no_enemy() -> None:
    table = dance()
    table.david.has("Xiahou Dun", "Xun Yu", "Cao Cao").holds("Militia")
    table.may.does("diaochan#1", "active:1", "xiahou-dun#2", "xun-yu#2")
    assert table.david.fallen == ["Xun Yu"]
    assert (table.david.hand, table.david.resources) == (["Militia"], 30), "Cao Cao draws nothing"


# ---- Dong Zhuo -------------------------------------------------------------------------------------------------------


@rule("generals", 54)
def test_dong_zhuo_makes_both_armies_dearer_by_one() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Dong Zhuo", "Cao Ren")
    table.david.has("Xu Chu", "Xun Yu")
    assert table.may.upkeep() == 3
    assert table.david.upkeep() == 2, "two generals, Xun Yu's relief, and Dong Zhuo"


def test_dong_zhuo_taxes_an_enemy_without_an_army() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Dong Zhuo", at="ENEMY_BORDER")
    assert table.david.upkeep() == 1
    table.turn(table.david)
    table.david.holds("Militia", "Archers").ends()
    assert table.david.resources == 29


def test_dong_zhuo_on_both_sides_counts_twice_and_fallen_not_at_all() -> None:
    both = Table(commandments=QUIET)
    both.may.has("Dong Zhuo")
    both.david.has("Dong Zhuo")
    assert (both.may.upkeep(), both.david.upkeep()) == (3, 3)
    fallen = Table(commandments=QUIET)
    fallen.may.lost("Dong Zhuo").has("Cao Ren")
    assert (fallen.may.upkeep(), fallen.david.upkeep()) == (1, 0)


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
def test_zhang_jiao_draws_for_nobody_else(name: str) -> None:
    """Of Qun for 2 cards (his Affiliation does not change what is printed), of Shu for 1."""
    table = Table(commandments=QUIET)
    table.may.has("Zhang Jiao").holds(name, "Militia")
    table.may.does(name.lower().replace(" ", "-"))
    assert name in table.may.field
    assert table.may.resources == 30


def test_zhang_jiao_draws_neither_for_himself_nor_for_the_enemys_recruits() -> None:
    table = Table(commandments=QUIET)
    table.may.holds("Zhang Jiao", "Militia", "Archers", "Plunder")
    table.may.does("zhang-jiao")
    assert (table.may.field, table.may.resources) == (["Zhang Jiao"], 30)
    table.turn(table.david)
    table.david.holds("Zhang Bao", "Militia").does("zhang-bao")
    assert (table.may.resources, table.david.resources) == (30, 30)


def test_zhang_jiao_draws_when_a_card_recruits() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Zhang Jiao").holds("Yellow Sky Rising", "Zhang Bao", "Militia")
    table.may.does("yellow-sky-rising", "militia", "zhang-bao")
    assert table.may.resources == 29


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


@rule("generals", 45)
def test_zhang_baos_spell_lasts_for_the_turn_and_stops_at_zero() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Zhang Bao", at="BORDER").holds("Militia")
    table.david.has("Xu Chu", at="ENEMY_BORDER")
    table.may.does("zhang-bao#1", "active:1")
    assert (table.david.might("Xu Chu"), table.david.wits("Xu Chu")) == (4, 0)
    table.may.ends()
    assert (table.david.might("Xu Chu"), table.david.wits("Xu Chu")) == (5, 1)


def test_zhang_bao_needs_an_enemy_and_a_card() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Zhang Bao", "Zhang Liang", at="BORDER").holds("Militia")
    table.david.has("Xu Chu", at="BORDER")
    assert not table.may.may_do("zhang-bao#1", "active:1")
    poor = Table(commandments=QUIET)
    poor.may.has("Zhang Bao", at="BORDER")
    poor.david.has("Xu Chu", at="ENEMY_BORDER")
    assert not poor.may.may_do("zhang-bao#1", "active:1")


# ---- Zhang Liang -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("brothers", "might"), [((), 3), (("Zhang Jiao",), 4), (("Zhang Bao",), 4), (("Zhang Jiao", "Zhang Bao"), 5)]
)
def test_zhang_liang_is_great_beside_his_brothers(brothers: tuple[str, ...], might: int) -> None:
    table = Table(commandments=QUIET)
    table.may.has("Zhang Liang").has(*brothers, at="ENEMY_BORDER").has("Lu Bu")
    assert table.may.might("Zhang Liang") == might
    assert (table.may.might("Lu Bu"), table.may.wits("Zhang Liang")) == (8, 1)


def test_zhang_liang_counts_neither_the_enemys_brothers_nor_the_fallen() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Zhang Liang").lost("Zhang Bao")
    table.david.has("Zhang Jiao", "Zhang Bao")
    assert table.may.might("Zhang Liang") == 3
    assert table.david.might("Zhang Bao") == 2


def test_zhang_liang_loses_what_a_brother_gave_when_he_falls() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Zhang Liang").has("Zhang Bao", at="BORDER")
    table.david.has("Xu Chu", at="ENEMY_BORDER")
    table.may.does("zhang-bao#1", "xu-chu#2")
    assert table.may.fallen == ["Zhang Bao"]
    assert table.may.might("Zhang Liang") == 3


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


def test_yuan_shao_may_command_from_his_fortress() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Yuan Shao").has("Xu Chu", "Yan Liang", "Wen Chou", at="ENEMY_BORDER")
    table.may.does("xu-chu#1", "siege")
    assert table.david.resources == 24


def test_yuan_shao_with_two_is_only_two() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Yuan Shao", "Yan Liang", at="ENEMY_BORDER").has("Wen Chou", at="BORDER")
    table.may.does("yuan-shao#1", "siege", "yan-liang#1", "siege")
    assert table.david.resources == 30 - 4 - 6


def test_yuan_shao_helps_no_enemy_siege_and_no_melee() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Yuan Shao", "Yan Liang", "Wen Chou", at="ENEMY_BORDER")
    table.david.has("Xu Chu", at="ENEMY_BORDER")
    assert table.may.might("Yan Liang") == 6
    table.turn(table.david)
    table.david.does("xu-chu#2", "siege")
    assert table.may.resources == 25


# ---- Yan Liang -------------------------------------------------------------------------------------------------------


@rule("generals", 18)
@pytest.mark.parametrize("name", ["Tactics - Ambush", "Tactics - Fire", "Tactics - Falling Rocks"])
def test_yan_liang_executes_no_tactics(name: str) -> None:
    table = Table(commandments=QUIET)
    table.may.has("Yan Liang", at="BORDER").holds(name, "Militia", "Archers", "Plunder")
    table.david.has("Xu Chu", at="ENEMY_BORDER")
    slug = name.lower().replace(" - ", "-").replace(" ", "-")
    assert not table.may.may_do(slug)
    table.may.has("Cao Ren", at="BORDER")
    assert table.may.may_do(slug, "cao-ren#1")
    assert not table.may.may_do(slug, "yan-liang#1")


def test_yan_liang_does_all_else() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Yan Liang", at="BORDER")
    table.david.has("Xu Chu", at="ENEMY_BORDER")
    assert table.may.may_do("yan-liang#1", "@fortress")
    table.may.does("yan-liang#1", "xu-chu#2")
    assert table.david.fallen == ["Xu Chu"]


def test_yan_liang_may_be_plotted_against_and_stops_no_enemy_plot() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Yan Liang", at="BORDER")
    table.david.has("Xun Yu", at="ENEMY_BORDER").holds("Tactics - Ambush", "Militia")
    table.turn(table.david)
    table.david.does("tactics-ambush", "xun-yu#2")
    assert table.may.fallen == ["Yan Liang"]


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


def test_wen_chou_sees_his_friend_fall() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Wen Chou", "Yan Liang", at="BORDER")
    table.david.has("Guan Yu", at="ENEMY_BORDER")
    table.may.does("yan-liang#1", "guan-yu#2", "wen-chou#1", "guan-yu#2")
    assert (sorted(table.may.fallen), table.david.fallen) == (["Wen Chou", "Yan Liang"], ["Guan Yu"]), "7 against 7"


def test_wen_chou_executes_no_tactics() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Wen Chou", at="BORDER").holds("Tactics - Ambush", "Militia").lost("Yan Liang")
    table.david.has("Xu Chu", at="ENEMY_BORDER")
    assert not table.may.may_do("tactics-ambush")


# ---- Jia Xu ----------------------------------------------------------------------------------------------------------


def scheming() -> Table:
    """May's Xun Yu and Jia Xu face two Might 5s; David holds what could stop a plot."""
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


def test_jia_xu_covers_no_other_card() -> None:
    table = scheming()
    table.may.does("jia-xu#1", "active:1", "militia")
    table.david.passes()
    table.may.does("reward-the-army", "militia")
    assert "countermand" in table.david.choices
    table.david.passes()
    table.may.does("tactics-ambush", "xun-yu#1", "xu-chu#2", "archers")
    assert table.david.fallen == ["Xu Chu"], "the Tactics is still covered"


@rule("generals", 42)
def test_jia_xus_own_word_can_be_countered() -> None:
    table = scheming()
    table.may.does("jia-xu#1", "active:1", "militia")
    table.david.does("silence-the-envoy")
    pay(table.david)
    table.may.passes()
    table.may.does("tactics-ambush", "xun-yu#1", "xu-chu#2", "militia")
    assert "see-through-the-ruse" in table.david.choices


@rule("generals", 45)
def test_jia_xus_word_is_forgotten_with_the_turn() -> None:
    table = scheming()
    table.may.does("jia-xu#1", "active:1", "militia")
    table.david.passes()
    table.may.ends()
    table.david.ends()
    table.may.does("tactics-ambush", "xun-yu#1", tag(table.david, "Xu Chu"), "militia")
    assert "see-through-the-ruse" in table.david.choices
