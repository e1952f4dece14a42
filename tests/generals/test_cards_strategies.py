"""The eighteen Strategies, six of them Tactics: what each does, how far it goes, and whom it leaves alone."""

from __future__ import annotations

import pytest

from gonfalon.testing import rule
from tests.generals.scenario import Table, chance, pay

QUIET = ("D06", "D06")
FIVE = ("Militia", "Archers", "Feather Fan", "Red Hare", "Wooden Oxen")
"""Cards to pay with."""


@pytest.mark.parametrize(
    ("name", "faction", "cost"),
    [
        ("Tactics - Water", "NONE", 2),
        ("Tactics - Fire", "NONE", 3),
        ("Tactics - Ambush", "NONE", 1),
        ("Tactics - Falling Rocks", "NONE", 1),
        ("Tactics - Discord", "NONE", 2),
        ("Tactics - Chained Ships", "NONE", 1),
        ("Reward the Army", "NONE", 1),
        ("Forced March", "NONE", 1),
        ("Pincer Attack", "NONE", 1),
        ("Plunder", "NONE", 1),
        ("Burning the Granaries", "NONE", 2),
        ("Call to Arms", "NONE", 1),
        ("Three Visits", "NONE", 1),
        ("Military Farms", "WEI", 2),
        ("Peach Garden Oath", "SHU", 2),
        ("East Wind", "WU", 0),
        ("Yellow Sky Rising", "QUN", 1),
    ],
)
def test_what_is_printed(name: str, faction: str, cost: int) -> None:
    table = Table(commandments=QUIET)
    assert table.may.cost(name) == cost
    card = table.game.pool.find(name)
    assert card is not None
    assert (card.type, card.faction, card.tactics) == ("strategy", faction, name.startswith("Tactics"))


def plotting(card: str, executor: str = "Xun Yu", at: str = "BORDER") -> Table:
    """May holds Tactics and their price, and has one general to execute them."""
    table = Table(commandments=QUIET)
    table.may.has(executor, at=at).holds(card, *FIVE)
    return table


# ---- Tactics - Water -------------------------------------------------------------------------------------------------


@rule("generals", 20)
def test_tactics_water_compares_wits_with_each_of_two() -> None:
    """Xun Yu's 6 against 1 and against 6: one falls, one does not; the third was no target."""
    table = plotting("Tactics - Water")
    table.david.has("Xu Chu", "Guo Jia", "Cao Ren", at="ENEMY_BORDER")
    table.may.does("tactics-water", "xun-yu#1", "xu-chu#2", "guo-jia#2")
    pay(table.may)
    assert table.david.fallen == ["Xu Chu"]
    assert sorted(table.david.field) == ["Cao Ren", "Guo Jia"]
    assert len(table.may.hand) == 3
    assert "Tactics - Water" in table.may.discards


def test_tactics_water_may_have_one_target() -> None:
    table = plotting("Tactics - Water")
    table.david.has("Xu Chu", "Cao Ren", at="ENEMY_BORDER")
    table.may.does("tactics-water", "xun-yu#1", "xu-chu#2", "done")
    pay(table.may)
    assert table.david.fallen == ["Xu Chu"]


def test_tactics_water_stays_in_one_zone_near_the_executor() -> None:
    """From May's BORDER: there and one zone on. David's FORTRESS is two zones away."""
    table = plotting("Tactics - Water")
    table.david.has("Xu Chu", "Cao Ren", at="ENEMY_BORDER").has("Dian Wei", at="BORDER").has("Yan Liang")
    table.may.does("tactics-water", "xun-yu#1")
    assert set(table.may.choices) == {"xu-chu#2", "cao-ren#2", "dian-wei#2"}
    table.may.does("xu-chu#2")
    assert set(table.may.choices) == {"cao-ren#2", "done"}


def test_tactics_water_does_not_reach_two_zones() -> None:
    table = plotting("Tactics - Water", at="FORTRESS")
    table.david.has("Xu Chu", at="BORDER")
    assert not table.may.may_do("tactics-water")
    table.david.has("Cao Ren", at="ENEMY_BORDER")
    assert table.may.may_do("tactics-water", "xun-yu#1")


@rule("generals", 21)
def test_tactics_water_fails_against_equal_wits_and_the_attack_is_spent() -> None:
    table = plotting("Tactics - Water")
    table.david.has("Guo Jia", at="ENEMY_BORDER")
    table.may.does("tactics-water", "xun-yu#1")
    pay(table.may)
    assert (table.may.fallen, table.david.fallen) == ([], [])
    assert not table.may.may_do("xun-yu#1", "guo-jia#2")
    assert not table.may.may_do("xun-yu#1", "@fortress")


# ---- Tactics - Fire --------------------------------------------------------------------------------------------------


def test_tactics_fire_burns_all_in_one_border() -> None:
    """Wits 6: those of 1 and 3 fall, those of 6 stand; whoever is elsewhere is not touched."""
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


def test_tactics_fire_burns_at_home_too() -> None:
    table = plotting("Tactics - Fire", at="FORTRESS")
    table.david.has("Xu Chu", at="BORDER").has("Yan Liang", at="ENEMY_BORDER")
    table.may.does("tactics-fire", "xun-yu#1", "@border")
    pay(table.may)
    assert table.david.fallen == ["Yan Liang"]


def test_tactics_fire_needs_an_enemy_at_a_border() -> None:
    table = plotting("Tactics - Fire")
    table.david.has("Xu Chu")
    assert not table.may.may_do("tactics-fire")


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


@rule("generals", 17)
def test_tactics_ambush_needs_a_general_who_can_attack() -> None:
    new = Table(commandments=QUIET)
    new.may.has("Xun Yu", at="BORDER", new=True).holds("Tactics - Ambush", *FIVE)
    new.david.has("Xu Chu", at="ENEMY_BORDER")
    assert not new.may.may_do("tactics-ambush")
    moved = plotting("Tactics - Ambush", at="FORTRESS")
    moved.david.has("Xu Chu", at="ENEMY_BORDER")
    moved.may.does("xun-yu#1", "@border")
    assert not moved.may.may_do("tactics-ambush")


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


def test_tactics_falling_rocks_hit_one_and_spare_the_rest() -> None:
    table = plotting("Tactics - Falling Rocks", at="FORTRESS")
    table.david.has("Xu Chu", "Cao Ren", at="ENEMY_BORDER").has("Yan Liang", at="BORDER")
    table.may.does("tactics-falling-rocks", "xun-yu#1")
    assert set(table.may.choices) == {"xu-chu#2", "cao-ren#2"}
    table.may.does("cao-ren#2")
    pay(table.may)
    assert table.david.fallen == ["Cao Ren"]


# ---- Tactics - Discord -----------------------------------------------------------------------------------------------


def test_tactics_discord_makes_two_enemies_fight() -> None:
    """The one of lower Wits, Xu Chu (1), is fooled; his Might 5 beats Guo Jia's 1."""
    table = plotting("Tactics - Discord")
    table.david.has("Xu Chu", "Guo Jia", "Cao Ren", at="BORDER")
    table.may.does("tactics-discord", "xun-yu#1", "xu-chu#2", "guo-jia#2")
    pay(table.may)
    assert table.david.fallen == ["Guo Jia"]
    assert sorted(table.david.field) == ["Cao Ren", "Xu Chu"]
    assert len(table.may.hand) == 3


def test_tactics_discord_fails_when_both_see_through_it() -> None:
    """Wits 6 against 6 and 7: the lower is not below."""
    table = plotting("Tactics - Discord")
    table.david.has("Guo Jia", "Sima Yi", at="BORDER")
    table.may.does("tactics-discord", "xun-yu#1")
    while table.may.asked in ("target", "pay"):
        table.may.does(table.may.choices[0])
    assert table.david.fallen == []


@rule("generals", 14)
def test_tactics_discord_may_ruin_both() -> None:
    table = plotting("Tactics - Discord")
    table.david.has("Xu Chu", "Wen Chou")
    table.may.does("tactics-discord", "xun-yu#1")
    while table.may.asked in ("target", "pay"):
        table.may.does(table.may.choices[0])
    assert sorted(table.david.fallen) == ["Wen Chou", "Xu Chu"]


def test_tactics_discord_needs_two_in_one_zone() -> None:
    table = plotting("Tactics - Discord")
    table.david.has("Xu Chu", at="BORDER").has("Guo Jia", at="ENEMY_BORDER")
    assert not table.may.may_do("tactics-discord")
    table.david.has("Yan Liang", at="BORDER")
    table.may.does("tactics-discord", "xun-yu#1")
    assert "guo-jia#2" not in table.may.choices


@rule("generals", 15)
def test_tactics_discord_is_nobodys_victory() -> None:
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
    """Xun Yu's 6 against 1, 3 and 7: Zhou Yu is not fooled; Yan Liang was no target."""
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


def test_tactics_chained_ships_lie_in_one_zone_anywhere() -> None:
    table = plotting("Tactics - Chained Ships", at="FORTRESS")
    table.david.has("Xu Chu", "Cao Ren").has("Yan Liang", at="ENEMY_BORDER")
    table.may.does("tactics-chained-ships", "xun-yu#1", "xu-chu#2")
    assert set(table.may.choices) == {"cao-ren#2", "done"}
    table.may.does("done")
    pay(table.may)
    assert (table.david.wits("Xu Chu"), table.david.wits("Cao Ren")) == (0, 3)


def test_tactics_chained_ships_have_no_fourth_target() -> None:
    table = plotting("Tactics - Chained Ships")
    table.david.has("Xu Chu", "Cao Ren", "Yan Liang", "Wen Chou", at="BORDER")
    table.may.does("tactics-chained-ships", "xun-yu#1", "xu-chu#2", "cao-ren#2", "yan-liang#2")
    assert table.may.asked == "pay"


def test_tactics_chained_ships_keep_nobody_from_plotting_back_but_from_attacking() -> None:
    """A Tactical Strike is an attack, too."""
    table = plotting("Tactics - Chained Ships")
    table.david.has("Cao Ren", at="ENEMY_BORDER").holds("Tactics - Ambush", "Militia", "Archers")
    table.may.has("Xu Chu", at="BORDER")
    table.may.does("tactics-chained-ships", "xun-yu#1")
    pay(table.may)
    table.may.ends()
    assert not table.david.may_do("tactics-ambush")


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


@rule("generals", 46)
def test_reward_the_army_adds_up() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Xu Chu").holds("Reward the Army", "Reward the Army", "Militia", "Archers")
    table.may.does("reward-the-army", "militia", "reward-the-army")
    assert table.may.might("Xu Chu") == 7


def test_reward_the_army_is_for_those_who_are_there() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Xu Chu").holds("Reward the Army", "Zhou Cang", "Militia", "Archers")
    table.may.does("reward-the-army", "militia", "zhou-cang")
    assert (table.may.might("Xu Chu"), table.may.might("Zhou Cang")) == (6, 4)


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


def test_forced_march_is_for_those_who_moved() -> None:
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


def test_forced_march_moves_nobody_by_itself() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Xu Chu").holds("Forced March", "Militia")
    table.may.does("xu-chu#1", "@border", "forced-march")
    assert table.may.place("Xu Chu") == "BORDER"
    table.may.does("xu-chu#1", "@enemy-border")
    assert not table.may.may_do("xu-chu#1"), "once"


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


@rule("generals", 46)
def test_plunder_adds_up() -> None:
    table = plunderers("Plunder", "Plunder", "Militia", "Archers")
    table.may.does("plunder", "militia", "plunder", "xu-chu#1", "siege")
    while table.may.asked == "order":
        table.may.does(table.may.choices[0])
    assert table.may.resources == 28


def test_plunder_is_over_with_the_turn() -> None:
    table = plunderers("Plunder", "Militia")
    table.david.holds("Militia", "Archers")
    table.may.does("plunder").ends()
    table.david.ends()
    before = table.may.resources
    table.may.does("xu-chu#1", "siege")
    assert table.may.resources == before


def test_plunder_is_no_good_for_the_enemy_or_at_a_melee() -> None:
    table = plunderers("Plunder", "Militia")
    table.may.has("Guan Yu", at="BORDER")
    table.david.has("Yan Liang", at="ENEMY_BORDER")
    table.may.does("plunder", "guan-yu#1", "yan-liang#2")
    assert (table.may.resources, table.david.hand) == (30, [])


@rule("generals", 24)
def test_plunder_finds_nothing_in_an_empty_city() -> None:
    """5 cards against Might 5: RESOURCE 0, one card drawn. Zhou Tai then wins the game, and nothing is drawn."""
    table = plunderers("Plunder", "Militia")
    table.david.resource(size=5)
    table.may.does("plunder", "xu-chu#1", "siege")
    assert (table.may.resources, table.david.resources, table.over) == (29, 0, False)
    table.may.does("zhou-tai#1", "siege")
    assert (table.winner, table.may.resources) == (table.may, 29)


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


@rule("generals", 62)
@pytest.mark.parametrize("left", [0, 2])
def test_burning_the_granaries_takes_what_there_is(left: int) -> None:
    table = Table(commandments=QUIET)
    table.may.has("Xun Yu", at="ENEMY_BORDER").holds("Burning the Granaries", *FIVE)
    table.david.resource(size=left)
    table.may.does("burning-the-granaries")
    pay(table.may)
    assert (table.over, table.david.resources) == (False, 0)


# ---- Call to Arms, Three Visits --------------------------------------------------------------------------------------


def test_call_to_arms_finds_a_cheap_general() -> None:
    """Printed cost 2 or less: Xu Chu (2) and Zhou Cang (1), not Liu Bei (3), nor a Militia (0)."""
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


def test_call_to_arms_reads_what_is_printed() -> None:
    """With four generals of Shu Liu Bei costs nothing, but 3 is printed on him."""
    table = Table(commandments=QUIET)
    table.may.has("Guan Yu", "Ma Chao", "Zhao Yun", "Zhang Fei")
    table.may.holds("Call to Arms", "Archers").resource("Liu Bei", size=1)
    table.may.does("call-to-arms")
    assert "liu-bei" not in table.may.choices


@rule("generals", 66)
def test_call_to_arms_may_come_back_empty() -> None:
    table = Table(commandments=QUIET)
    table.may.holds("Call to Arms", "Archers").resource("Xu Chu", "Liu Bei", size=2)
    table.may.does("call-to-arms", "done")
    chance(table)
    assert (table.may.hand, table.may.resources) == ([], 2)


def test_three_visits_find_a_wise_general() -> None:
    """Printed Wits 6 or more: Cao Cao (6) and Zhuge Liang (8), not Sun Quan (5); no Strategy either."""
    table = Table(commandments=QUIET)
    table.may.holds("Three Visits", "Archers").resource("Cao Cao", "Sun Quan", "Plunder", "Zhuge Liang", size=4)
    table.may.does("three-visits")
    assert set(table.may.choices) == {"done", "cao-cao", "zhuge-liang"}
    table.may.does("zhuge-liang")
    chance(table)
    assert (table.may.hand, table.may.resources) == (["Zhuge Liang"], 3)
    assert any("Zhuge Liang" in line for line in table.david.reads()), "he was shown"
    assert (table.david.hand, table.david.resources) == ([], 30)


@rule("generals", 66)
def test_three_visits_may_be_in_vain() -> None:
    table = Table(commandments=QUIET)
    table.may.holds("Three Visits", "Archers").resource("Xu Chu", "Sun Quan", size=2)
    table.may.does("three-visits")
    assert table.may.choices == ["done"]
    table.may.does("done")
    chance(table)
    assert (table.may.hand, table.may.resources) == ([], 2)


def test_three_visits_do_not_count_what_a_general_gains() -> None:
    """Jiang Wei's printed Wits are 5, whatever he has learned."""
    table = Table(commandments=QUIET)
    table.may.lost("Zhuge Liang").holds("Three Visits", "Archers").resource("Jiang Wei", size=1)
    table.may.does("three-visits")
    assert "jiang-wei" not in table.may.choices


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


@rule("generals", 36)
def test_lure_the_tiger_sets_nothing_off_with_its_bait() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Guo Jia").holds("Lure the Tiger")
    table.david.has("Lu Bu", "Xu Chu")
    table.may.does("lure-the-tiger", "xu-chu#2")
    assert (table.may.fallen, table.may.hand) == (["Guo Jia"], [])
    assert table.david.field == ["Lu Bu"]


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


def test_military_farms_lay_them_under_what_is_there() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Lu Su").holds("Military Farms", "Militia", "Archers").discarded("Red Hare")
    table.may.resource("Cao Cao", size=1)
    table.may.does("military-farms")
    chance(table)
    assert table.may.resources == 4, "three cards lay there, no more"
    table.may.does("lu-su#1", "active:1")
    assert table.may.hand == ["Cao Cao"], "the top is what it was"


def test_military_farms_cost_two_cards() -> None:
    table = Table(commandments=QUIET)
    table.may.holds("Military Farms", "Militia").discarded("Red Hare")
    assert not table.may.may_do("military-farms")


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


def test_peach_garden_oath_is_not_sworn_by_the_enemys_brothers() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Guan Yu", "Zhang Fei", at="ENEMY_BORDER").holds("Peach Garden Oath", "Militia", "Archers")
    table.david.has("Liu Bei", "Zhang Fei", at="ENEMY_BORDER")
    table.may.does("peach-garden-oath")
    assert not table.over
    assert table.david.might("Zhang Fei") == 8, "Liu Bei's heart alone"


# ---- East Wind -------------------------------------------------------------------------------------------------------


def test_east_wind_fans_the_next_fire() -> None:
    """Cost 3 less 2; Xun Yu's Wits 6 + 1 against 6."""
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


def test_east_wind_drives_ships_and_waits_for_them() -> None:
    table = plotting("Tactics - Ambush")
    table.may.has("Sima Yi", at="BORDER").holds("East Wind", "Tactics - Chained Ships")
    table.david.has("Guo Jia", "Xu Chu", at="ENEMY_BORDER")
    table.may.does("east-wind", "tactics-ambush", "sima-yi#1", "xu-chu#2", "militia")
    assert table.may.cost("Tactics - Chained Ships") == 0, "1 less 2 is 0; an Ambush is neither fire nor water"
    table.may.does("tactics-chained-ships", "xun-yu#1")
    assert table.david.wits("Guo Jia") == 4, "7 against 6"


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


def test_yellow_sky_rising_may_bring_fewer() -> None:
    table = Table(commandments=QUIET)
    table.may.holds("Yellow Sky Rising", "Zhang Bao", "Zhang Liang", "Militia")
    table.may.does("yellow-sky-rising", "militia", "zhang-liang", "done")
    assert (table.may.field, table.may.hand) == (["Zhang Liang"], ["Zhang Bao"])


@rule("generals", 32)
def test_yellow_sky_rising_brings_no_name_twice() -> None:
    table = Table(commandments=QUIET)
    table.may.lost("Zhang Bao").has("Zhang Liang")
    table.may.holds("Yellow Sky Rising", "Zhang Bao", "Zhang Liang", "Militia")
    table.may.does("yellow-sky-rising", "militia")
    assert table.may.choices == ["done"]
    table.may.does("done")
    assert table.may.hand == ["Zhang Bao", "Zhang Liang"]
