"""The ten generals of Wei: what each one's text promises, how far it goes, and whom it leaves alone.

Numbers are those printed on the cards (Might, Wits, cost); where nothing else is said both players'
Commandment is Councillors, which has no part in a battle.
"""

from __future__ import annotations

import pytest

from gonfalon.testing import rule
from tests.generals.scenario import Table, chance, pay, tag

QUIET = ("D06", "D06")


@pytest.mark.parametrize(
    ("name", "cost", "might", "wits"),
    [
        ("Cao Cao", 4, 5, 6),
        ("Xiahou Dun", 3, 6, 3),
        ("Xiahou Yuan", 3, 5, 2),
        ("Zhang Liao", 3, 6, 4),
        ("Xu Chu", 2, 5, 1),
        ("Dian Wei", 2, 5, 1),
        ("Sima Yi", 4, 3, 7),
        ("Guo Jia", 2, 1, 6),
        ("Xun Yu", 2, 1, 6),
        ("Cao Ren", 2, 4, 3),
    ],
)
def test_what_is_printed(name: str, cost: int, might: int, wits: int) -> None:
    table = Table(commandments=QUIET)
    assert table.may.cost(name) == cost
    table.may.has(name)
    assert (table.may.might(name), table.may.wits(name)) == (might, wits)
    card = table.game.pool.find(name)
    assert card is not None
    assert (card.faction, card.upkeep) == ("WEI", 1)


# ---- Cao Cao ---------------------------------------------------------------------------------------------------------


def test_cao_cao_draws_when_one_of_his_generals_defeats_an_enemy() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Cao Cao").has("Zhang Liao", at="BORDER")
    table.david.has("Xun Yu", at="ENEMY_BORDER")
    table.may.does("zhang-liao#1", "xun-yu#2")
    assert table.david.fallen == ["Xun Yu"]
    assert (len(table.may.hand), table.may.resources) == (1, 29)


@rule("generals", 15)
def test_cao_cao_draws_for_a_defender_too() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Cao Cao").has("Zhang Liao", at="BORDER")
    table.david.has("Xun Yu", at="ENEMY_BORDER")
    table.turn(table.david)
    table.david.does("xun-yu#2", "zhang-liao#1")
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


@rule("generals", 20)
def test_cao_cao_draws_one_card_for_two_victims_of_one_plot() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Cao Cao", at="BORDER").holds("Tactics - Water", "Militia", "Archers")
    table.david.has("Xu Chu", "Cao Ren", at="ENEMY_BORDER")
    table.may.does("tactics-water", "cao-cao#1", "xu-chu#2", "cao-ren#2")
    assert sorted(table.david.fallen) == ["Cao Ren", "Xu Chu"]
    assert table.may.resources == 29


@rule("generals", 14)
def test_cao_cao_draws_nothing_for_a_tie_or_a_killing_without_a_fight() -> None:
    tie = Table(commandments=QUIET)
    tie.may.has("Cao Cao").has("Zhang Liao", at="BORDER")
    tie.david.has("Sun Ce", at="ENEMY_BORDER")
    tie.may.does("zhang-liao#1", "sun-ce#2")
    assert (tie.may.fallen, tie.david.fallen) == (["Zhang Liao"], ["Sun Ce"])
    assert tie.may.resources == 30
    shot = Table(commandments=QUIET)
    shot.may.has("Cao Cao").has("Huang Zhong", at="BORDER").holds("Militia", "Archers")
    shot.david.has("Xun Yu", at="ENEMY_BORDER")
    shot.may.does("huang-zhong#1", "active:1")
    assert shot.david.fallen == ["Xun Yu"]
    assert shot.may.resources == 30


def test_cao_cao_draws_nothing_for_the_enemys_victories() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Cao Cao").has("Xun Yu", at="BORDER")
    table.david.has("Zhang Liao", at="ENEMY_BORDER")
    table.turn(table.david)
    table.david.does("zhang-liao#2", "xun-yu#1")
    assert table.may.fallen == ["Xun Yu"]
    assert (table.may.resources, table.david.resources) == (30, 30)


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


@rule("generals", 15)
def test_xiahou_dun_bites_as_a_defender() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Xiahou Dun", at="BORDER")
    table.david.has("Xun Yu", at="ENEMY_BORDER").holds("Plunder", "Archers", "Countermand")
    table.turn(table.david)
    table.david.does("xun-yu#2", "xiahou-dun#1")
    table.david.does("plunder", "archers")
    assert table.david.hand == ["Countermand"]


@rule("generals", 15)
def test_xiahou_dun_bites_for_each_general_his_tactics_defeat() -> None:
    """Wits 3 against 1 and 1: four cards of five."""
    table = Table(commandments=QUIET)
    table.may.has("Xiahou Dun", at="BORDER").holds("Tactics - Water", "Militia", "Archers")
    table.david.has("Xu Chu", "Yan Liang", at="ENEMY_BORDER")
    table.david.holds("Plunder", "Militia", "Archers", "Countermand", "Empty Fort")
    table.may.does("tactics-water", "xiahou-dun#1", "xu-chu#2", "yan-liang#2")
    while table.david.asked in ("discard", "answer"):
        table.david.does(table.david.choices[0])
    assert len(table.david.hand) == 1


@rule("generals", 49)
@pytest.mark.parametrize("held", [(), ("Plunder",), ("Plunder", "Archers")])
def test_xiahou_dun_takes_what_there_is(held: tuple[str, ...]) -> None:
    table = Table(commandments=QUIET)
    table.may.has("Xiahou Dun", at="BORDER")
    table.david.has("Xun Yu", at="ENEMY_BORDER").holds(*held)
    table.may.does("xiahou-dun#1", "xun-yu#2")
    assert table.david.hand == []
    assert table.may.asked == "main"


def test_xiahou_dun_watches_while_others_win_or_he_only_ties() -> None:
    other = Table(commandments=QUIET)
    other.may.has("Xiahou Dun", "Zhang Liao", at="BORDER")
    other.david.has("Xun Yu", at="ENEMY_BORDER").holds("Plunder", "Archers")
    other.may.does("zhang-liao#1", "xun-yu#2")
    assert other.david.hand == ["Archers", "Plunder"]
    tie = Table(commandments=QUIET)
    tie.may.has("Xiahou Dun", at="BORDER")
    tie.david.has("Sun Ce", at="ENEMY_BORDER").holds("Plunder", "Archers")
    tie.may.does("xiahou-dun#1", "sun-ce#2")
    assert tie.may.fallen == ["Xiahou Dun"]
    assert tie.david.hand == ["Archers", "Plunder"]


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


def test_xiahou_yuan_who_moved_neither_besieges_nor_plots() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Xiahou Yuan").holds("Tactics - Ambush", "Militia")
    table.may.does("xiahou-yuan#1", "@enemy-border")
    assert not table.may.may_do("xiahou-yuan#1", "siege")
    table.david.has("Xu Chu", at="BORDER")
    assert table.may.may_do("xiahou-yuan#1", "xu-chu#2")
    assert not table.may.may_do("tactics-ambush", "xiahou-yuan#1")


def test_xiahou_yuan_does_not_move_after_a_fight() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Xiahou Yuan", at="BORDER")
    table.david.has("Xun Yu", at="ENEMY_BORDER")
    table.may.does("xiahou-yuan#1", "xun-yu#2")
    assert not table.may.may_do("xiahou-yuan#1", "@fortress")


def test_xiahou_yuan_waits_when_he_is_new() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Xiahou Yuan", at="BORDER", new=True)
    table.david.has("Xun Yu", at="ENEMY_BORDER")
    assert not table.may.may_do("xiahou-yuan#1", "xun-yu#2")


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


@rule("generals", 49)
def test_zhang_liao_finds_an_empty_hand() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Zhang Liao", at="ENEMY_BORDER")
    table.may.does("zhang-liao#1", "siege")
    assert (table.david.hand, table.david.resources, table.may.asked) == ([], 24, "main")


def test_zhang_liao_scares_only_by_his_own_siege() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Zhang Liao", at="BORDER").has("Xu Chu", at="ENEMY_BORDER")
    table.david.has("Xun Yu", at="ENEMY_BORDER").holds("Plunder", "Archers")
    table.may.does("xu-chu#1", "siege", "zhang-liao#1", "xun-yu#2")
    assert table.david.resources == 25
    assert table.david.hand == ["Archers", "Plunder"]


@rule("generals", 42)
def test_zhang_liao_scares_nobody_from_before_an_empty_fort() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Zhang Liao", at="ENEMY_BORDER")
    table.david.holds("Empty Fort", "Plunder", "Archers", "Red Hare")
    table.may.does("zhang-liao#1")
    table.ask = True
    table.may.does("siege")
    table.david.does("empty-fort")
    pay(table.david)
    chance(table)
    assert len(table.david.hand) == 1, "the Counter and its cost of 2 went, nothing else"
    assert table.david.resources == 30


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
    """David's turn: his Lu Bu stands before May's Xun Yu and others, Dian Wei is `at`."""
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


def test_dian_wei_need_not() -> None:
    table = guarded()
    table.david.does("lu-bu#2", "xun-yu#1")
    table.may.passes()
    assert table.may.fallen == ["Xun Yu"]
    assert table.may.field == ["Dian Wei"]


@pytest.mark.parametrize("at", ["FORTRESS", "ENEMY_BORDER"])
def test_dian_wei_must_stand_in_the_same_zone(at: str) -> None:
    table = guarded(at=at)
    table.david.does("lu-bu#2", "xun-yu#1")
    assert table.may.asked == ""
    assert table.may.fallen == ["Xun Yu"]


def test_dian_wei_cannot_save_himself_or_an_enemy() -> None:
    table = guarded()
    table.david.does("lu-bu#2", "dian-wei#1")
    assert (table.may.asked, table.may.fallen) == ("", ["Dian Wei"])
    enemy = Table(commandments=QUIET)
    enemy.may.has("Dian Wei", "Zhang Liao", at="BORDER")
    enemy.david.has("Xun Yu", at="ENEMY_BORDER")
    enemy.may.does("zhang-liao#1", "xun-yu#2")
    assert enemy.david.fallen == ["Xun Yu"]


@rule("generals", 36)
def test_dian_wei_does_not_stand_in_for_a_price() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Dian Wei", "Xun Yu").holds("Lure the Tiger")
    table.david.has("Lu Bu")
    table.may.does("lure-the-tiger", "xun-yu#1")
    assert table.may.fallen == ["Xun Yu"]
    assert table.david.hand == ["Lu Bu"]


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


def test_dian_wei_who_falls_as_well_saves_nobody() -> None:
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


def test_sima_yi_finds_nothing_of_the_kind() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Sima Yi").holds("Militia", "Archers")
    table.david.holds("Xu Chu", "Red Hare")
    table.may.does("sima-yi#1", "active:1")
    assert table.david.hand == ["Red Hare", "Xu Chu"]
    assert table.may.asked == "main"


@rule("generals", 44)
def test_sima_yi_costs_two_cards_and_works_once() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Sima Yi", new=True).holds("Militia")
    table.david.holds("Plunder", "Countermand")
    assert not table.may.may_do("sima-yi#1", "active:1")
    table.may.holds("Archers", "Red Hare", "Plunder", "Militia")
    table.may.does("sima-yi#1", "active:1")
    pay(table.may)
    table.may.does("plunder")
    assert len(table.may.hand) == 3
    assert not table.may.may_do("sima-yi#1", "active:1")


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


def test_guo_jia_sent_by_tactics_a_shot_or_a_tie() -> None:
    plot = Table(commandments=QUIET)
    plot.may.has("Guo Jia", at="BORDER")
    plot.david.has("Sima Yi", at="ENEMY_BORDER").holds("Tactics - Ambush", "Militia")
    plot.turn(plot.david)
    plot.david.does("tactics-ambush", "sima-yi#2")
    assert len(plot.may.hand) == 2
    shot = Table(commandments=QUIET)
    shot.may.has("Guo Jia", at="BORDER")
    shot.david.has("Huang Zhong", at="ENEMY_BORDER").holds("Plunder", "Militia")
    shot.turn(shot.david)
    shot.david.does("huang-zhong#2", "active:1")
    assert len(shot.may.hand) == 2
    tie = Table(commandments=QUIET)
    tie.may.has("Guo Jia", at="BORDER")
    tie.david.has("Xun Yu", at="ENEMY_BORDER")
    tie.may.does("guo-jia#1", "xun-yu#2")
    assert (tie.may.fallen, tie.david.fallen) == (["Guo Jia"], ["Xun Yu"])
    assert len(tie.may.hand) == 2


@rule("generals", 36)
def test_guo_jia_spent_as_a_price_writes_nothing() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Guo Jia").holds("Lure the Tiger")
    table.david.has("Xu Chu")
    table.may.does("lure-the-tiger")
    assert table.may.fallen == ["Guo Jia"]
    assert (table.may.hand, table.may.resources) == ([], 30)


def test_guo_jia_writes_nothing_for_another() -> None:
    table = guarded("Guo Jia", at="FORTRESS")
    table.david.does("lu-bu#2", "xun-yu#1")
    assert table.may.fallen == ["Xun Yu"]
    assert table.may.hand == []


# ---- Xun Yu ----------------------------------------------------------------------------------------------------------


@rule("generals", 54)
def test_xun_yu_feeds_one() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Zhang Liao", "Cao Ren", "Xun Yu")
    table.david.has("Zhang Liao", "Cao Ren")
    assert (table.may.upkeep(), table.david.upkeep()) == (2, 2)
    table.may.holds("Militia", "Archers").ends()
    assert table.may.resources == 28


def test_xun_yu_alone_is_free_and_no_more_than_that() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Xun Yu")
    assert table.may.upkeep() == 0
    table.may.has("Lu Su", gear=("Wooden Oxen",))
    assert table.may.upkeep() == 0, "1 for himself, 0 for Lu Su, 1 less"
    table.may.has("Cao Ren")
    assert table.may.upkeep() == 1


def test_xun_yu_fallen_feeds_nobody() -> None:
    table = Table(commandments=QUIET)
    table.may.lost("Xun Yu").has("Cao Ren")
    assert table.may.upkeep() == 1


# ---- Cao Ren ---------------------------------------------------------------------------------------------------------


@rule("generals", 16)
@pytest.mark.parametrize(("enemy", "stands"), [("Xu Chu", True), ("Sun Ce", None), ("Guan Yu", False)])
def test_cao_ren_holds_the_border_with_might_six(enemy: str, stands: bool | None) -> None:
    """Against Might 5 he wins, with 6 both fall, 7 is too much."""
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


def test_cao_ren_helps_nobody_beside_him() -> None:
    """Dong Zhuo's 6 against Xu Chu's 5."""
    table = Table(commandments=QUIET)
    table.may.has("Cao Ren", "Xu Chu", at="BORDER")
    table.david.has("Dong Zhuo", at="ENEMY_BORDER")
    table.turn(table.david)
    table.david.does("dong-zhuo#2", "xu-chu#1")
    assert table.may.fallen == ["Xu Chu"]
