"""The seven Armaments and six Troops: the effect of each, its limit, and the generals it does not affect."""

from __future__ import annotations

import pytest

from gonfalon.testing import rule
from tests.generals.scenario import Table, pay, tag

QUIET = ("D06", "D06")


def bearing(name: str, *gear: str, at: str = "BORDER") -> Table:
    """May's general bears Equipment. Xun Yu beside him bears none."""
    table = Table(commandments=QUIET)
    table.may.has("Xun Yu", at=at).has(name, at=at, gear=gear)
    return table


# ---- Green Dragon Blade ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "might"), [("Guan Yu", 10), ("Xu Chu", 7), ("Zhang Fei", 9)])
def test_green_dragon_blade_is_guan_yus(name: str, might: int) -> None:
    table = bearing(name, "Green Dragon Blade")
    table.david.has("Guan Yu")
    assert table.may.might(name) == might
    assert (table.may.might("Xun Yu"), table.david.might("Guan Yu")) == (1, 7)


# ---- Sky-Piercing Halberd --------------------------------------------------------------------------------------------


def test_sky_piercing_halberd_burns_a_card_when_its_bearers_attack_wins() -> None:
    """5 + 1 against 5."""
    table = bearing("Xu Chu", "Sky-Piercing Halberd")
    table.david.has("Dian Wei", at="ENEMY_BORDER")
    assert table.may.might("Xu Chu") == 6
    table.may.does("xu-chu#1", "dian-wei#2")
    assert table.david.fallen == ["Dian Wei"]
    assert (table.david.resources, table.may.resources) == (29, 30)


# ---- Red Hare --------------------------------------------------------------------------------------------------------


@rule("generals", 9)
def test_red_hare_carries_its_bearer_into_a_fight() -> None:
    table = bearing("Xu Chu", "Red Hare", at="FORTRESS")
    table.david.has("Cao Ren", at="ENEMY_BORDER")
    table.may.does("xun-yu#1", "@border", "xu-chu#1", "@border", "xu-chu#1", "cao-ren#2")
    assert table.david.fallen == ["Cao Ren"]
    assert not table.may.may_do("xun-yu#1"), "Xun Yu went on foot"


# ---- Feather Fan -----------------------------------------------------------------------------------------------------


def test_feather_fan_gives_two_wits() -> None:
    table = bearing("Cao Ren", "Feather Fan")
    assert (table.may.wits("Cao Ren"), table.may.might("Cao Ren")) == (5, 4)
    assert table.may.wits("Xun Yu") == 6


# ---- The Art of War --------------------------------------------------------------------------------------------------


def strategist(*enemies: str) -> Table:
    table = bearing("Cao Ren", "The Art of War")
    table.may.holds("Tactics - Water", "Militia", "Archers")
    table.david.has(*enemies, at="ENEMY_BORDER")
    return table


def test_the_art_of_war_rewards_a_plot_that_defeats_a_general() -> None:
    table = strategist("Xu Chu")
    assert (table.may.wits("Cao Ren"), table.may.wits("Xun Yu")) == (4, 6)
    table.may.does("tactics-water", "cao-ren#1")
    assert table.david.fallen == ["Xu Chu"]
    assert (len(table.may.hand), table.may.resources) == (1, 29)


def test_the_art_of_war_draws_nothing_for_a_failure_or_anothers_plot() -> None:
    """4 against Zhang Liao's 4; then Xun Yu's plot."""
    failed = strategist("Zhang Liao")
    failed.may.does("tactics-water", "cao-ren#1")
    assert (failed.david.fallen, failed.may.resources) == ([], 30)
    other = strategist("Zhang Liao")
    other.may.does("tactics-water", "xun-yu#1")
    assert (other.david.fallen, other.may.resources) == (["Zhang Liao"], 30)


# ---- Imperial Seal ---------------------------------------------------------------------------------------------------


def reigning(at: str = "ENEMY_BORDER") -> Table:
    table = Table(commandments=QUIET)
    table.may.has("Xu Chu", at=at, gear=("Imperial Seal",))
    return table


@rule("generals", 64)
def test_imperial_seal_wins_with_the_third_mark() -> None:
    table = reigning()
    table.begins(table.may)
    table.begins(table.may, 5)
    assert not table.over
    table.begins(table.may, 7)
    assert table.winner is table.may


def test_imperial_seal_needs_the_enemys_border_free_of_enemies() -> None:
    table = reigning()
    table.begins(table.may)
    table.begins(table.may, 5)
    table.david.has("Xun Yu", at="BORDER")
    table.begins(table.may, 7)
    assert not table.over
    table.david.has("Lu Su", "Cao Ren")
    table.state.leave(table.david.unit("Xun Yu"), -1)
    table.begins(table.may, 9)
    assert table.winner is table.may, "two marks were kept; enemies elsewhere do not matter"


@pytest.mark.parametrize("at", ["FORTRESS", "BORDER"])
def test_imperial_seal_is_nothing_at_home_or_in_the_enemys_turn(at: str) -> None:
    home = reigning(at)
    for number in (3, 5, 7):
        home.begins(home.may, number)
    assert not home.over
    theirs = reigning()
    for number in (4, 6, 8):
        theirs.begins(theirs.david, number)
    assert not theirs.over


# ---- Wooden Oxen -----------------------------------------------------------------------------------------------------


@rule("generals", 54)
@pytest.mark.parametrize("name", ["Xu Chu", "Lu Bu"])
def test_wooden_oxen_feed_their_bearer(name: str) -> None:
    """The Oxen pay their bearer's whole Upkeep, even Lu Bu's 2."""
    table = Table(commandments=QUIET)
    table.may.has("Cao Ren").has(name, gear=("Wooden Oxen",))
    table.david.has("Xu Chu")
    assert (table.may.upkeep(), table.david.upkeep()) == (1, 1)


# ---- Militia ---------------------------------------------------------------------------------------------------------


def test_militia_give_one_might_for_nothing() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Xu Chu", "Cao Ren").holds("Militia")
    table.may.does("militia", "xu-chu#1")
    assert (table.may.might("Xu Chu"), table.may.might("Cao Ren"), table.may.wits("Xu Chu")) == (6, 4, 1)


# ---- Archers ---------------------------------------------------------------------------------------------------------


@rule("generals", 13)
@pytest.mark.parametrize("at", ["BORDER", "ENEMY_BORDER"])
@pytest.mark.parametrize(("enemy", "stands"), [("Yan Liang", True), ("Guan Yu", None), ("Lu Bu", False)])
def test_archers_defend_with_two_more(at: str, enemy: str, stands: bool | None) -> None:
    """Xu Chu's 5 + 2 against 6, 7 and 8, at either BORDER."""
    table = bearing("Xu Chu", "Archers", at=at)
    table.david.has(enemy, at="ENEMY_BORDER" if at == "BORDER" else "BORDER")
    table.turn(table.david)
    table.david.does(tag(table.david, enemy), "xu-chu#1")
    assert (table.may.fallen == []) is (stands is True)
    assert (table.david.fallen == []) is (stands is False)


def test_archers_are_no_help_in_an_attack_or_a_siege() -> None:
    table = bearing("Xu Chu", "Archers")
    table.david.has("Yan Liang", at="ENEMY_BORDER")
    assert table.may.might("Xu Chu") == 5
    table.may.does("xu-chu#1", "yan-liang#2")
    assert table.may.fallen == ["Xu Chu"]
    siege = bearing("Xu Chu", "Archers", at="ENEMY_BORDER")
    siege.may.does("xu-chu#1", "siege")
    assert siege.david.resources == 25


# ---- troops of one faction -------------------------------------------------------------------------------------------

FOUR = ("Xu Chu", "Guan Yu", "Gan Ning", "Yan Liang")
"""One general of each faction: Wei, Shu, Wu, Qun."""


def mustering(name: str) -> Table:
    table = Table(commandments=QUIET)
    table.may.has(*FOUR).holds(name, "Plunder", "Red Hare", "Archers")
    return table


def test_tiger_and_leopard_cavalry_rides_for_wei() -> None:
    table = mustering("Tiger and Leopard Cavalry")
    table.may.does("tiger-and-leopard-cavalry")
    assert table.may.choices == ["xu-chu#1"]
    table.may.does("xu-chu#1")
    pay(table.may)
    assert table.may.might("Xu Chu") == 7
    assert (table.may.wits("Xu Chu"), len(table.may.hand)) == (1, 1)


def test_white_feather_guard_serves_shu() -> None:
    table = mustering("White Feather Guard")
    table.may.does("white-feather-guard")
    assert table.may.choices == ["guan-yu#1"]
    table.may.does("guan-yu#1")
    pay(table.may)
    assert (table.may.might("Guan Yu"), len(table.may.hand)) == (8, 2)


def test_white_feather_guard_keeps_active_effects_off() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Zhou Cang", at="BORDER", gear=("White Feather Guard",)).has("Liu Bei", at="BORDER")
    table.david.has("Zhang Bao", "Zhang Fei", at="ENEMY_BORDER").holds("Militia", "Archers")
    table.turn(table.david)
    table.david.does("zhang-bao#2", "active:1")
    pay(table.david)
    assert table.may.might("Liu Bei") == 2, "he alone could be chosen"
    table.david.does("zhang-fei#2", "active:1")
    assert (table.may.might("Zhou Cang"), table.may.might("Liu Bei")) == (4 + 1 + 1, 1)


def test_river_fleet_sails_for_wu() -> None:
    table = mustering("River Fleet")
    table.may.does("river-fleet")
    assert table.may.choices == ["gan-ning#1"]
    table.may.does("gan-ning#1")
    pay(table.may)
    assert (table.may.might("Gan Ning"), table.may.wits("Gan Ning")) == (7, 2)
    assert (table.may.might("Xu Chu"), table.may.wits("Xu Chu")) == (5, 1)


def test_western_liang_riders_ride_for_qun_and_eat() -> None:
    table = mustering("Western Liang Riders")
    before = table.may.upkeep()
    table.may.does("western-liang-riders")
    assert table.may.choices == ["yan-liang#1"]
    table.may.does("yan-liang#1")
    pay(table.may)
    assert (table.may.might("Yan Liang"), table.may.might("Xu Chu")) == (8, 5)
    assert table.may.upkeep() == before + 1 == 5
    assert table.david.upkeep() == 0
