"""The eighteen Strategies, six of them Tactics: the effect of each, its limit, and the generals it does not affect."""

from __future__ import annotations

import pytest

from gonfalon.testing import rule
from tests.generals.scenario import Table, chance, pay

QUIET = ("D06", "D06")
FIVE = ("Militia", "Archers", "Feather Fan", "Red Hare", "Wooden Oxen")
"""Cards to pay with."""


def plotting(card: str, executor: str = "Xun Yu", at: str = "BORDER") -> Table:
    """May holds Tactics and their price, and has one general to execute them."""
    table = Table(commandments=QUIET)
    table.may.has(executor, at=at).holds(card, *FIVE)
    return table


# ---- Tactics - Water -------------------------------------------------------------------------------------------------


@rule("generals", 20)
def test_tactics_water_compares_wits_with_each_of_two() -> None:
    """Xun Yu's 6 against 1 and 6: one falls, the other does not. The third was no target."""
    table = plotting("Tactics - Water")
    table.david.has("Xu Chu", "Guo Jia", "Cao Ren", at="ENEMY_BORDER")
    table.may.does("tactics-water", "xun-yu#1", "xu-chu#2", "guo-jia#2")
    pay(table.may)
    assert table.david.fallen == ["Xu Chu"]
    assert sorted(table.david.field) == ["Cao Ren", "Guo Jia"]
    assert len(table.may.hand) == 3
    assert "Tactics - Water" in table.may.discards


def test_tactics_water_stays_in_one_zone_near_the_executor() -> None:
    """May's BORDER reaches its own zone and the next. David's FORTRESS is two zones away."""
    table = plotting("Tactics - Water")
    table.david.has("Xu Chu", "Cao Ren", at="ENEMY_BORDER").has("Dian Wei", at="BORDER").has("Yan Liang")
    table.may.does("tactics-water", "xun-yu#1")
    assert set(table.may.choices) == {"xu-chu#2", "cao-ren#2", "dian-wei#2"}
    table.may.does("xu-chu#2")
    assert set(table.may.choices) == {"cao-ren#2", "done"}


# ---- Tactics - Fire --------------------------------------------------------------------------------------------------


def test_tactics_fire_burns_all_in_one_border() -> None:
    """With Wits 6, those of 1 and 3 fall and those of 6 survive. Generals elsewhere are not affected."""
    table = plotting("Tactics - Fire", at="FORTRESS")
    table.david.has("Xu Chu", "Cao Ren", "Guo Jia", at="BORDER").has("Yan Liang", at="ENEMY_BORDER").has("Wen Chou")
    table.may.has("Zhou Cang", at="ENEMY_BORDER")
    table.may.does("tactics-fire", "xun-yu#1")
    assert set(table.may.choices) == {"@border", "@enemy-border"}
    table.may.does("@enemy-border")
    pay(table.may)
    assert sorted(table.david.fallen) == ["Cao Ren", "Xu Chu"]
    assert sorted(table.david.field) == ["Guo Jia", "Wen Chou", "Yan Liang"]
    assert sorted(table.may.field) == ["Xun Yu", "Zhou Cang"]
    assert len(table.may.hand) == 2


# ---- Tactics - Ambush ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("enemy", "falls"), [("Guo Jia", True), ("Sima Yi", False), ("Zhuge Liang", False)])
def test_tactics_ambush_plots_with_one_wits_more(enemy: str, falls: bool) -> None:
    """6 + 1 against 6, 7 and 8."""
    table = plotting("Tactics - Ambush")
    table.david.has(enemy, at="ENEMY_BORDER")
    table.may.does("tactics-ambush", "xun-yu#1")
    pay(table.may)
    assert table.david.fallen == ([enemy] if falls else [])


def test_tactics_ambush_is_for_one_in_the_same_zone() -> None:
    table = plotting("Tactics - Ambush")
    table.david.has("Xu Chu", at="BORDER")
    assert not table.may.may_do("tactics-ambush")
    table.david.has("Cao Ren", "Yan Liang", at="ENEMY_BORDER")
    table.may.does("tactics-ambush", "xun-yu#1")
    assert set(table.may.choices) == {"cao-ren#2", "yan-liang#2"}
    table.may.does("yan-liang#2")
    pay(table.may)
    assert table.david.fallen == ["Yan Liang"]
    assert len(table.may.hand) == 4


# ---- Tactics - Falling Rocks -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("at", ["FORTRESS", "BORDER"])
@pytest.mark.parametrize(("enemy", "falls"), [("Sima Yi", True), ("Zhuge Liang", False)])
def test_tactics_falling_rocks_plots_with_two_wits_more(at: str, enemy: str, falls: bool) -> None:
    """6 + 2 against 7 and 8."""
    table = plotting("Tactics - Falling Rocks", at=at)
    table.david.has(enemy, at="ENEMY_BORDER")
    table.may.does("tactics-falling-rocks", "xun-yu#1")
    pay(table.may)
    assert table.david.fallen == ([enemy] if falls else [])


def test_tactics_falling_rocks_are_thrown_from_home_at_the_border() -> None:
    away = plotting("Tactics - Falling Rocks", at="ENEMY_BORDER")
    away.david.has("Xu Chu", at="ENEMY_BORDER")
    assert not away.may.may_do("tactics-falling-rocks")
    far = plotting("Tactics - Falling Rocks")
    far.david.has("Xu Chu", at="BORDER").has("Cao Ren")
    assert not far.may.may_do("tactics-falling-rocks")


# ---- Tactics - Discord -----------------------------------------------------------------------------------------------


def test_tactics_discord_makes_two_enemies_fight() -> None:
    """Xu Chu has the lower Wits (1) and is fooled. His Might 5 beats Guo Jia's 1."""
    table = plotting("Tactics - Discord")
    table.david.has("Xu Chu", "Guo Jia", "Cao Ren", at="BORDER")
    table.may.does("tactics-discord", "xun-yu#1", "xu-chu#2", "guo-jia#2")
    pay(table.may)
    assert table.david.fallen == ["Guo Jia"]
    assert sorted(table.david.field) == ["Cao Ren", "Xu Chu"]
    assert len(table.may.hand) == 3


def test_tactics_discord_needs_two_in_one_zone() -> None:
    table = plotting("Tactics - Discord")
    table.david.has("Xu Chu", at="BORDER").has("Guo Jia", at="ENEMY_BORDER")
    assert not table.may.may_do("tactics-discord")
    table.david.has("Yan Liang", at="BORDER")
    table.may.does("tactics-discord", "xun-yu#1")
    assert "guo-jia#2" not in table.may.choices


@rule("generals", 15)
def test_tactics_discord_counts_as_no_victory() -> None:
    table = plotting("Tactics - Discord", executor="Cao Cao")
    table.david.has("Xiahou Dun", "Lu Su", at="BORDER").holds("Militia")
    before = table.may.resources
    table.may.does("tactics-discord", "cao-cao#1")
    while table.may.asked in ("target", "pay"):
        table.may.does(table.may.choices[0])
    assert table.david.fallen == ["Lu Su"]
    assert table.may.resources == before, "Cao Cao draws nothing"
    assert table.david.hand == ["Militia"], "Xiahou Dun does not bite his own side"


# ---- Tactics - Chained Ships -----------------------------------------------------------------------------------------


@rule("generals", 45)
def test_tactics_chained_ships_hold_up_to_three_until_the_enemys_next_turn_is_over() -> None:
    """Xun Yu's 6 against 1, 3 and 7: Zhou Yu is not fooled, and Yan Liang was no target."""
    table = plotting("Tactics - Chained Ships")
    table.david.has("Xu Chu", "Cao Ren", "Zhou Yu", "Yan Liang", at="BORDER").holds("Militia", "Archers")
    table.may.does("tactics-chained-ships", "xun-yu#1", "xu-chu#2", "cao-ren#2", "zhou-yu#2")
    pay(table.may)
    assert table.david.fallen == []
    assert [table.david.wits(name) for name in ("Xu Chu", "Cao Ren", "Zhou Yu", "Yan Liang")] == [0, 1, 7, 1]
    assert [table.david.might(name) for name in ("Xu Chu", "Cao Ren")] == [5, 4]
    table.may.ends()
    assert not table.david.may_do("xu-chu#2")
    assert not table.david.may_do("cao-ren#2")
    assert table.david.may_do("zhou-yu#2", "@fortress")
    assert table.david.may_do("yan-liang#2", "@fortress")
    table.david.ends()
    assert table.david.wits("Cao Ren") == 3
    table.may.ends()
    assert table.david.may_do("xu-chu#2", "@fortress")


# ---- Reward the Army -------------------------------------------------------------------------------------------------


@rule("generals", 45)
def test_reward_the_army_gives_every_general_one_might_for_the_turn() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Xu Chu").has("Cao Ren", at="BORDER").holds("Reward the Army", *FIVE)
    table.david.has("Dian Wei", at="ENEMY_BORDER")
    table.may.does("reward-the-army")
    pay(table.may)
    assert [table.may.might(name) for name in ("Xu Chu", "Cao Ren")] == [6, 5]
    assert (table.may.wits("Xu Chu"), table.david.might("Dian Wei")) == (1, 5)
    assert len(table.may.hand) == 4
    table.may.ends()
    assert table.may.might("Xu Chu") == 5


# ---- Forced March ----------------------------------------------------------------------------------------------------


@rule("generals", 9)
def test_forced_march_lets_a_general_who_moved_act_again() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Xu Chu", "Guan Yu").holds("Forced March", *FIVE)
    table.david.has("Cao Ren", at="ENEMY_BORDER")
    table.may.does("xu-chu#1", "@border")
    assert not table.may.may_do("xu-chu#1")
    table.may.does("forced-march")
    pay(table.may)
    assert table.may.may_do("xu-chu#1", "@fortress")
    table.may.does("xu-chu#1", "cao-ren#2")
    assert table.david.fallen == ["Cao Ren"]
    assert not table.may.may_do("xu-chu#1", "@fortress"), "move or attack, not both"


def test_forced_march_needs_a_general_that_moved() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Xu Chu", at="BORDER").has("Guan Yu", "Zhao Yun").holds("Forced March", *FIVE)
    table.david.has("Cao Ren", at="ENEMY_BORDER")
    assert not table.may.may_do("forced-march")
    table.may.does("xu-chu#1", "cao-ren#2")
    assert not table.may.may_do("forced-march"), "he attacked"
    table.may.does("guan-yu#1", "@border", "zhao-yun#1", "@border", "forced-march")
    assert set(table.may.choices) == {"guan-yu#1", "zhao-yun#1"}
    table.may.does("guan-yu#1")
    pay(table.may)
    assert table.may.may_do("guan-yu#1", "@enemy-border")
    assert not table.may.may_do("zhao-yun#1")


# ---- Pincer Attack ---------------------------------------------------------------------------------------------------


def test_pincer_attack_weakens_one_enemy_between_two_of_yours() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Xu Chu", "Cao Ren", at="BORDER").holds("Pincer Attack", *FIVE)
    table.david.has("Guan Yu", "Zhou Tai", at="ENEMY_BORDER")
    table.may.does("pincer-attack", "guan-yu#2")
    pay(table.may)
    assert (table.david.might("Guan Yu"), table.david.might("Zhou Tai")) == (4, 5)
    assert table.may.might("Xu Chu") == 5
    table.may.does("xu-chu#1", "guan-yu#2")
    assert table.david.fallen == ["Guan Yu"]


def test_pincer_attack_needs_two_of_yours_in_the_zone() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Xu Chu", at="BORDER").has("Cao Ren", at="ENEMY_BORDER").holds("Pincer Attack", *FIVE)
    table.david.has("Guan Yu", at="ENEMY_BORDER").has("Zhou Tai", at="BORDER").has("Yan Liang")
    assert not table.may.may_do("pincer-attack")
    table.may.has("Xun Yu", at="ENEMY_BORDER")
    table.may.does("pincer-attack")
    pay(table.may)
    assert [table.david.might(name) for name in ("Guan Yu", "Zhou Tai", "Yan Liang")] == [7, 2, 6]


@rule("generals", 46)
def test_pincer_attack_adds_up_and_lasts_the_turn() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Xu Chu", "Cao Ren", at="BORDER")
    table.may.holds("Pincer Attack", "Pincer Attack", "Militia", "Archers")
    table.david.has("Zhou Tai", at="ENEMY_BORDER")
    table.may.does("pincer-attack", "militia", "pincer-attack")
    assert table.david.might("Zhou Tai") == 0, "5 less 3 less 3, never below 0"
    table.may.ends()
    assert table.david.might("Zhou Tai") == 5


# ---- Plunder ---------------------------------------------------------------------------------------------------------


def plunderers(*held: str) -> Table:
    table = Table(commandments=QUIET)
    table.may.has("Xu Chu", "Cao Ren", "Zhou Tai", at="ENEMY_BORDER").holds(*held)
    return table


def test_plunder_draws_after_each_siege_twice_at_most() -> None:
    table = plunderers("Plunder", "Militia")
    table.may.does("plunder", "xu-chu#1", "siege")
    assert (len(table.may.hand), table.may.resources) == (1, 29)
    table.may.does("cao-ren#1", "siege")
    assert table.may.resources == 28
    table.may.does("zhou-tai#1", "siege")
    assert table.may.resources == 28
    assert table.david.resources == 30 - 5 - 4 - 5


# ---- Burning the Granaries -------------------------------------------------------------------------------------------


def test_burning_the_granaries_depletes_three() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Xun Yu", at="ENEMY_BORDER").holds("Burning the Granaries", *FIVE)
    table.may.does("burning-the-granaries")
    pay(table.may)
    assert (table.david.resources, len(table.david.discards)) == (27, 3)
    assert (table.may.resources, len(table.may.hand)) == (30, 3)


@pytest.mark.parametrize("at", ["FORTRESS", "BORDER"])
def test_burning_the_granaries_needs_a_general_at_the_enemys_border(at: str) -> None:
    table = Table(commandments=QUIET)
    table.may.has("Xun Yu", at=at).holds("Burning the Granaries", *FIVE)
    table.david.has("Xu Chu", at="ENEMY_BORDER")
    assert not table.may.may_do("burning-the-granaries")


# ---- Call to Arms, Three Visits --------------------------------------------------------------------------------------


def test_call_to_arms_finds_a_cheap_general() -> None:
    """Printed cost 2 or less includes Xu Chu (2) and Zhou Cang (1), but not Liu Bei (3), and no Militia (0)."""
    table = Table(commandments=QUIET)
    table.may.holds("Call to Arms", "Archers").resource("Xu Chu", "Liu Bei", "Militia", "Zhou Cang", size=4)
    table.may.does("call-to-arms")
    assert set(table.may.choices) == {"done", "xu-chu", "zhou-cang"}
    table.may.does("zhou-cang")
    chance(table)
    assert (table.may.hand, table.may.resources) == (["Zhou Cang"], 3)
    assert any("Zhou Cang" in line for line in table.david.reads()), "it was shown"
    assert not any("Liu Bei" in line for line in table.david.reads())
    assert table.david.resources == 30


def test_three_visits_find_a_wise_general() -> None:
    """Printed Wits 6 or more includes Cao Cao (6) and Zhuge Liang (8), but not Sun Quan (5) and no Strategy."""
    table = Table(commandments=QUIET)
    table.may.holds("Three Visits", "Archers").resource("Cao Cao", "Sun Quan", "Plunder", "Zhuge Liang", size=4)
    table.may.does("three-visits")
    assert set(table.may.choices) == {"done", "cao-cao", "zhuge-liang"}
    table.may.does("zhuge-liang")
    chance(table)
    assert (table.may.hand, table.may.resources) == (["Zhuge Liang"], 3)
    assert any("Zhuge Liang" in line for line in table.david.reads()), "he was shown"
    assert (table.david.hand, table.david.resources) == ([], 30)


# ---- Lure the Tiger --------------------------------------------------------------------------------------------------


@rule("generals", 39)
def test_lure_the_tiger_sends_an_enemy_back_to_his_owners_hand() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Zhou Cang", "Xu Chu").holds("Lure the Tiger", "Militia")
    table.david.has("Lu Bu", at="ENEMY_BORDER", gear=("Red Hare",)).has("Cao Ren")
    table.may.does("lure-the-tiger", "lu-bu#2", "zhou-cang#1")
    assert (table.may.fallen, table.may.field) == (["Zhou Cang"], ["Xu Chu"])
    assert (table.david.hand, table.david.field, table.david.fallen) == (["Lu Bu"], ["Cao Ren"], [])
    assert table.david.discards == ["Red Hare"]
    assert table.may.hand == ["Militia"], "the general was the whole price"


def test_lure_the_tiger_needs_bait_and_a_tiger() -> None:
    table = Table(commandments=QUIET)
    table.may.holds("Lure the Tiger", "Militia")
    table.david.has("Lu Bu")
    assert not table.may.may_do("lure-the-tiger")
    table.may.has("Zhou Cang")
    assert table.may.may_do("lure-the-tiger")
    none = Table(commandments=QUIET)
    none.may.holds("Lure the Tiger", "Militia").has("Zhou Cang")
    assert not none.may.may_do("lure-the-tiger")


# ---- Military Farms --------------------------------------------------------------------------------------------------


@rule("generals", 68)
def test_military_farms_put_four_cards_under_resource_and_leave() -> None:
    table = Table(commandments=QUIET)
    table.may.holds("Military Farms", "Militia", "Archers").discarded("Guan Yu", "Zhang Fei", "Plunder", "Red Hare")
    table.may.does("military-farms")
    chance(table)
    assert (table.may.resources, len(table.may.discards)) == (34, 2), "six lay there, the price of two among them"
    assert table.may.exiled == ["Military Farms"]
    assert (table.david.resources, table.david.discards) == (30, [])


# ---- Peach Garden Oath -----------------------------------------------------------------------------------------------

BROTHERS = ("Liu Bei", "Guan Yu", "Zhang Fei")


@rule("generals", 64)
def test_peach_garden_oath_wins_with_three_brothers_alone_before_the_enemy() -> None:
    table = Table(commandments=QUIET)
    table.may.has(*BROTHERS, at="ENEMY_BORDER").holds("Peach Garden Oath", "Militia", "Archers")
    table.david.has("Xu Chu").has("Cao Ren", at="ENEMY_BORDER")
    table.may.does("peach-garden-oath")
    assert table.winner is table.may


@pytest.mark.parametrize("hindrance", ["an enemy", "a brother elsewhere", "a brother missing"])
def test_peach_garden_oath_otherwise_gives_the_brothers_two_might(hindrance: str) -> None:
    table = Table(commandments=QUIET)
    table.may.has("Guan Yu", "Zhang Fei", "Ma Chao", at="ENEMY_BORDER")
    table.may.holds("Peach Garden Oath", "Militia", "Archers")
    if hindrance != "a brother missing":
        table.may.has("Liu Bei", at="ENEMY_BORDER" if hindrance == "an enemy" else "BORDER")
    if hindrance == "an enemy":
        table.david.has("Xu Chu", at="BORDER")
    heart = 1 if hindrance == "an enemy" else 0
    table.may.does("peach-garden-oath")
    assert not table.over
    assert [table.may.might(name) for name in ("Guan Yu", "Zhang Fei")] == [9 + heart, 9 + heart]
    assert table.may.might("Ma Chao") == 5 + heart, "Liu Bei's heart alone"
    if hindrance != "a brother missing":
        assert table.may.might("Liu Bei") == 5
    table.may.ends()
    assert table.may.might("Guan Yu") == 7 + heart


# ---- East Wind -------------------------------------------------------------------------------------------------------


def test_east_wind_fans_the_next_fire() -> None:
    """The cost is 3 - 2. Xun Yu's Wits 6 + 1 meet 6."""
    table = plotting("Tactics - Fire")
    table.may.holds("East Wind", "Tactics - Fire")
    table.david.has("Guo Jia", "Sima Yi", at="ENEMY_BORDER")
    table.may.does("east-wind")
    assert (table.may.cost("Tactics - Fire"), table.may.cost("Tactics - Water")) == (1, 0)
    assert (table.may.cost("Tactics - Ambush"), table.david.cost("Tactics - Fire")) == (1, 3)
    table.may.does("tactics-fire", "xun-yu#1")
    pay(table.may)
    assert (table.david.fallen, table.david.field) == (["Guo Jia"], ["Sima Yi"])
    assert table.may.cost("Tactics - Fire") == 3, "the next one only"


@rule("generals", 46)
def test_east_wind_adds_up_for_one_card_and_dies_with_the_turn() -> None:
    table = Table(commandments=QUIET)
    table.may.holds("East Wind", "East Wind", "Militia", "Archers")
    table.may.does("east-wind")
    assert table.may.cost("Tactics - Fire") == 1
    table.may.does("east-wind")
    assert table.may.cost("Tactics - Fire") == 0
    table.may.ends()
    assert table.may.cost("Tactics - Fire") == 3


# ---- Yellow Sky Rising -----------------------------------------------------------------------------------------------


@rule("generals", 10)
def test_yellow_sky_rising_brings_two_for_nothing() -> None:
    table = Table(commandments=QUIET)
    table.may.holds("Yellow Sky Rising", "Zhang Bao", "Zhang Liang", "Yan Liang", "Zhou Cang", "Militia")
    table.may.does("yellow-sky-rising", "militia")
    assert set(table.may.choices) == {"done", "zhang-bao", "zhang-liang"}
    table.may.does("zhang-bao", "zhang-liang")
    assert sorted(table.may.field) == ["Zhang Bao", "Zhang Liang"]
    assert table.may.place("Zhang Bao") == table.may.place("Zhang Liang") == "BORDER"
    assert table.may.hand == ["Yan Liang", "Zhou Cang"]
    assert table.may.asked == "main"
    assert not table.may.may_do("zhang-liang#1"), "they are new"
