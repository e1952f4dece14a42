"""The seven Armaments and six Troops: what each does, how far it goes, and whom it leaves alone."""

from __future__ import annotations

import pytest

from gonfalon.testing import rule
from tests.generals.scenario import Table, pay, tag

QUIET = ("D06", "D06")


@pytest.mark.parametrize(
    ("name", "sort", "faction", "cost"),
    [
        ("Green Dragon Blade", "armament", "NONE", 2),
        ("Sky-Piercing Halberd", "armament", "NONE", 2),
        ("Red Hare", "armament", "NONE", 2),
        ("Feather Fan", "armament", "NONE", 1),
        ("The Art of War", "armament", "NONE", 2),
        ("Imperial Seal", "armament", "NONE", 3),
        ("Wooden Oxen", "armament", "NONE", 1),
        ("Militia", "troop", "NONE", 0),
        ("Archers", "troop", "NONE", 1),
        ("Tiger and Leopard Cavalry", "troop", "WEI", 2),
        ("White Feather Guard", "troop", "SHU", 1),
        ("River Fleet", "troop", "WU", 1),
        ("Western Liang Riders", "troop", "QUN", 1),
    ],
)
def test_what_is_printed(name: str, sort: str, faction: str, cost: int) -> None:
    table = Table(commandments=QUIET)
    assert table.may.cost(name) == cost
    card = table.game.pool.find(name)
    assert card is not None
    assert (card.type, list(card.subtypes), card.faction) == ("equipment", [sort], faction)


def bearing(name: str, *gear: str, at: str = "BORDER") -> Table:
    """May's general bears Equipment; beside him stands Xun Yu without any."""
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


def test_green_dragon_blade_is_taken_up_for_two_cards() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Guan Yu", "Xu Chu").holds("Green Dragon Blade", "Plunder", "Red Hare", "Militia")
    table.may.does("green-dragon-blade", "xu-chu#1", "plunder", "militia")
    assert (table.may.might("Xu Chu"), table.may.might("Guan Yu")) == (7, 7)
    assert (table.may.gear, table.may.hand) == (["Green Dragon Blade"], ["Red Hare"])


@rule("generals", 38)
def test_green_dragon_blade_is_one_of_its_kind() -> None:
    table = bearing("Guan Yu", "Green Dragon Blade")
    table.may.holds("Green Dragon Blade", "Plunder", "Red Hare", "Militia")
    assert not table.may.may_do("green-dragon-blade")
    table.turn(table.david)
    table.david.has("Xu Chu").holds("Green Dragon Blade", "Plunder", "Red Hare", "Militia")
    assert table.david.may_do("green-dragon-blade", "xu-chu#2"), "the enemy may have one too"


# ---- Sky-Piercing Halberd --------------------------------------------------------------------------------------------


def test_sky_piercing_halberd_burns_a_card_when_its_bearers_attack_wins() -> None:
    """5 + 1 against 5."""
    table = bearing("Xu Chu", "Sky-Piercing Halberd")
    table.david.has("Dian Wei", at="ENEMY_BORDER")
    assert table.may.might("Xu Chu") == 6
    table.may.does("xu-chu#1", "dian-wei#2")
    assert table.david.fallen == ["Dian Wei"]
    assert (table.david.resources, table.may.resources) == (29, 30)


def test_sky_piercing_halberd_burns_nothing_in_defence_a_tie_or_for_others() -> None:
    defence = bearing("Xu Chu", "Sky-Piercing Halberd")
    defence.david.has("Cao Ren", at="ENEMY_BORDER")
    defence.turn(defence.david)
    defence.david.does("cao-ren#2", "xu-chu#1")
    assert (defence.david.fallen, defence.david.resources) == (["Cao Ren"], 30)
    tie = bearing("Xu Chu", "Sky-Piercing Halberd")
    tie.david.has("Yan Liang", at="ENEMY_BORDER")
    tie.may.does("xu-chu#1", "yan-liang#2")
    assert (tie.may.fallen, tie.david.resources) == (["Xu Chu"], 30)
    other = bearing("Xu Chu", "Sky-Piercing Halberd")
    other.david.has("Diaochan", at="ENEMY_BORDER")
    other.may.does("xun-yu#1", "diaochan#2")
    assert (other.david.fallen, other.david.resources) == (["Diaochan"], 30)


@rule("generals", 62)
def test_sky_piercing_halberd_is_a_generals_damage() -> None:
    table = bearing("Xu Chu", "Sky-Piercing Halberd")
    table.david.has("Dian Wei", at="ENEMY_BORDER").resource(size=0)
    table.may.does("xu-chu#1", "dian-wei#2")
    assert table.winner is table.may


# ---- Red Hare --------------------------------------------------------------------------------------------------------


@rule("generals", 9)
def test_red_hare_carries_its_bearer_into_a_fight() -> None:
    table = bearing("Xu Chu", "Red Hare", at="FORTRESS")
    table.david.has("Cao Ren", at="ENEMY_BORDER")
    table.may.does("xun-yu#1", "@border", "xu-chu#1", "@border", "xu-chu#1", "cao-ren#2")
    assert table.david.fallen == ["Cao Ren"]
    assert not table.may.may_do("xun-yu#1"), "Xun Yu went on foot"


def test_red_hare_carries_nobody_into_a_siege_or_a_plot() -> None:
    table = bearing("Cao Ren", "Red Hare", at="FORTRESS")
    table.may.holds("Tactics - Ambush", "Militia")
    table.may.does("cao-ren#1", "@enemy-border")
    assert not table.may.may_do("cao-ren#1", "siege")
    table.david.has("Xu Chu", at="BORDER")
    assert table.may.may_do("cao-ren#1", "xu-chu#2")
    assert not table.may.may_do("tactics-ambush")


def test_red_hare_does_not_carry_away_after_the_fight() -> None:
    table = bearing("Xu Chu", "Red Hare")
    table.david.has("Cao Ren", at="ENEMY_BORDER")
    table.may.does("xu-chu#1", "cao-ren#2")
    assert not table.may.may_do("xu-chu#1", "@fortress")
    assert table.may.might("Xu Chu") == 5


# ---- Feather Fan -----------------------------------------------------------------------------------------------------


def test_feather_fan_gives_two_wits() -> None:
    table = bearing("Cao Ren", "Feather Fan")
    assert (table.may.wits("Cao Ren"), table.may.might("Cao Ren")) == (5, 4)
    assert table.may.wits("Xun Yu") == 6


@pytest.mark.parametrize(("enemy", "falls"), [("Cao Cao", False), ("Dong Zhuo", True)])
def test_feather_fan_counts_in_a_plot(enemy: str, falls: bool) -> None:
    """Cao Ren's 3 + 2, and 1 for the Ambush, against 6 and 4."""
    table = Table(commandments=QUIET)
    table.may.has("Cao Ren", at="BORDER", gear=("Feather Fan",)).holds("Tactics - Ambush", "Militia")
    table.david.has(enemy, at="ENEMY_BORDER")
    table.may.does("tactics-ambush", "cao-ren#1")
    assert table.david.fallen == ([enemy] if falls else [])


def test_feather_fan_protects_as_well() -> None:
    """Xun Yu's 6 + 1 against Sun Quan's 5 + 2."""
    table = Table(commandments=QUIET)
    table.may.has("Xun Yu", at="BORDER").holds("Tactics - Ambush", "Militia")
    table.david.has("Sun Quan", at="ENEMY_BORDER", gear=("Feather Fan",))
    table.may.does("tactics-ambush", "xun-yu#1")
    assert table.david.fallen == []


# ---- The Art of War --------------------------------------------------------------------------------------------------


def strategist(*enemies: str) -> Table:
    table = bearing("Cao Ren", "The Art of War")
    table.may.holds("Tactics - Water", "Militia", "Archers")
    table.david.has(*enemies, at="ENEMY_BORDER")
    return table


def test_the_art_of_war_rewards_a_plot_that_defeats_somebody() -> None:
    table = strategist("Xu Chu")
    assert (table.may.wits("Cao Ren"), table.may.wits("Xun Yu")) == (4, 6)
    table.may.does("tactics-water", "cao-ren#1")
    assert table.david.fallen == ["Xu Chu"]
    assert (len(table.may.hand), table.may.resources) == (1, 29)


def test_the_art_of_war_draws_one_card_for_two_victims() -> None:
    table = strategist("Xu Chu", "Yan Liang")
    table.may.does("tactics-water", "cao-ren#1", "xu-chu#2", "yan-liang#2")
    assert len(table.david.fallen) == 2
    assert table.may.resources == 29


def test_the_art_of_war_draws_nothing_for_a_failure_or_anothers_plot() -> None:
    """4 against Zhang Liao's 4; then Xun Yu's plot."""
    failed = strategist("Zhang Liao")
    failed.may.does("tactics-water", "cao-ren#1")
    assert (failed.david.fallen, failed.may.resources) == ([], 30)
    other = strategist("Zhang Liao")
    other.may.does("tactics-water", "xun-yu#1")
    assert (other.david.fallen, other.may.resources) == (["Zhang Liao"], 30)


def test_the_art_of_war_draws_nothing_for_a_melee_won() -> None:
    table = bearing("Cao Ren", "The Art of War")
    table.david.has("Lu Su", at="ENEMY_BORDER")
    table.may.does("cao-ren#1", "lu-su#2")
    assert (table.david.fallen, table.may.resources) == (["Lu Su"], 30)


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


def test_imperial_seal_loses_its_marks_with_its_bearer() -> None:
    table = reigning()
    table.begins(table.may)
    table.begins(table.may, 5)
    table.state.leave(table.may.unit("Xu Chu"), -2)
    assert table.may.gear == []
    table.may.has("Cao Ren", at="ENEMY_BORDER", gear=("Imperial Seal",))
    table.begins(table.may, 7)
    assert not table.over


# ---- Wooden Oxen -----------------------------------------------------------------------------------------------------


@rule("generals", 54)
@pytest.mark.parametrize("name", ["Xu Chu", "Lu Bu"])
def test_wooden_oxen_feed_their_bearer(name: str) -> None:
    """Whatever he eats: Lu Bu's Upkeep is 2."""
    table = Table(commandments=QUIET)
    table.may.has("Cao Ren").has(name, gear=("Wooden Oxen",))
    table.david.has("Xu Chu")
    assert (table.may.upkeep(), table.david.upkeep()) == (1, 1)


def test_wooden_oxen_feed_riders_too() -> None:
    """Western Liang Riders make their bearer dearer; with the Oxen he still needs nothing."""
    table = Table(commandments=QUIET)
    table.may.has("Lu Bu", gear=("Western Liang Riders", "Wooden Oxen"))
    assert table.may.upkeep() == 0


def test_wooden_oxen_pay_for_nobody_else() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Cao Ren", "Zhang Liao").has("Xu Chu", gear=("Wooden Oxen",))
    table.may.holds("Plunder", "Red Hare").ends()
    assert table.may.resources == 28


# ---- Militia ---------------------------------------------------------------------------------------------------------


def test_militia_give_one_might_for_nothing() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Xu Chu", "Cao Ren").holds("Militia")
    table.may.does("militia", "xu-chu#1")
    assert (table.may.might("Xu Chu"), table.may.might("Cao Ren"), table.may.wits("Xu Chu")) == (6, 4, 1)


@rule("generals", 37, 38)
def test_militia_may_serve_two_generals_but_a_general_has_one_troop() -> None:
    table = bearing("Xu Chu", "Militia")
    table.may.holds("Militia")
    table.may.does("militia")
    assert table.may.choices == ["xun-yu#1"]
    table.may.does("xun-yu#1")
    assert (table.may.might("Xu Chu"), table.may.might("Xun Yu")) == (6, 2)


def test_militia_march_with_an_armament() -> None:
    table = bearing("Xu Chu", "Militia", "Green Dragon Blade")
    assert table.may.might("Xu Chu") == 8


# ---- Archers ---------------------------------------------------------------------------------------------------------


@rule("generals", 13)
@pytest.mark.parametrize("at", ["BORDER", "ENEMY_BORDER"])
@pytest.mark.parametrize(("enemy", "stands"), [("Yan Liang", True), ("Guan Yu", None), ("Lu Bu", False)])
def test_archers_defend_with_two_more(at: str, enemy: str, stands: bool | None) -> None:
    """Xu Chu's 5 + 2 against 6, 7 and 8, at whichever BORDER."""
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


def test_archers_shoot_for_their_bearer_only() -> None:
    table = bearing("Xu Chu", "Archers")
    table.david.has("Lu Su", at="ENEMY_BORDER")
    table.turn(table.david)
    table.david.does("lu-su#2", "xun-yu#1")
    assert (table.may.fallen, table.david.fallen) == (["Xun Yu"], ["Lu Su"]), "1 against 1"


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


def test_tiger_and_leopard_cavalry_stays_away_without_wei() -> None:
    table = Table(commandments=QUIET)
    table.may.has(*FOUR[1:]).holds("Tiger and Leopard Cavalry", "Plunder", "Red Hare")
    table.david.has("Xu Chu")
    assert not table.may.may_do("tiger-and-leopard-cavalry")


def test_tiger_and_leopard_cavalry_helps_no_comrade() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Cao Ren").has("Xu Chu", gear=("Tiger and Leopard Cavalry",))
    assert (table.may.might("Cao Ren"), table.may.might("Xu Chu")) == (4, 7)


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


def test_white_feather_guard_stops_nothing_else() -> None:
    """Tactics, melees, Strategies, and his own side's effects."""
    table = Table(commandments=QUIET)
    table.may.has("Zhou Cang", at="BORDER", gear=("White Feather Guard",)).has("Liu Bei").holds("Plunder")
    table.may.does("zhou-cang#1", "active:1")
    assert table.may.might("Zhou Cang") == 6
    table.turn(table.david)
    table.david.has("Xun Yu", "Lu Bu", at="ENEMY_BORDER").holds("Tactics - Ambush", "Pincer Attack", "Militia")
    assert table.david.may_do("lu-bu#2", "zhou-cang#1")
    assert table.david.may_do("tactics-ambush", "xun-yu#2")
    assert table.david.may_do("pincer-attack")
    table.david.does("tactics-ambush", "xun-yu#2")
    pay(table.david)
    assert table.may.fallen == ["Zhou Cang"]


def test_river_fleet_sails_for_wu() -> None:
    table = mustering("River Fleet")
    table.may.does("river-fleet")
    assert table.may.choices == ["gan-ning#1"]
    table.may.does("gan-ning#1")
    pay(table.may)
    assert (table.may.might("Gan Ning"), table.may.wits("Gan Ning")) == (7, 2)
    assert (table.may.might("Xu Chu"), table.may.wits("Xu Chu")) == (5, 1)


def test_river_fleet_finds_no_captain_elsewhere() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Xu Chu", "Guan Yu", "Yan Liang").holds("River Fleet", "Plunder")
    table.david.has("Gan Ning")
    assert not table.may.may_do("river-fleet")


@rule("generals", 39)
def test_river_fleet_is_lost_with_its_captain() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Gan Ning", at="BORDER", gear=("River Fleet",))
    table.david.has("Lu Bu", at="ENEMY_BORDER")
    table.may.does("gan-ning#1", "lu-bu#2")
    assert table.may.fallen == ["Gan Ning"], "6 + 1 against 8"
    assert (table.may.gear, table.may.discards) == ([], ["River Fleet"])


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


def test_western_liang_riders_eat_no_more_when_they_are_gone() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Cao Ren").has("Lu Bu", at="BORDER", gear=("Western Liang Riders",))
    table.david.has("Yan Liang", "Wen Chou", at="ENEMY_BORDER", gear=("Western Liang Riders",))
    assert (table.may.upkeep(), table.david.upkeep()) == (1 + 3, 1 + 2)
    table.turn(table.david)
    table.david.does("wen-chou#2", "lu-bu#1")
    assert table.david.fallen == ["Wen Chou"], "5 + 2 against 8 + 2"
    assert (table.may.upkeep(), table.david.upkeep()) == (4, 1)


def test_western_liang_riders_follow_nobody_of_another_faction() -> None:
    table = Table(commandments=QUIET)
    table.may.has(*FOUR[:3]).holds("Western Liang Riders", "Plunder")
    assert not table.may.may_do("western-liang-riders")
