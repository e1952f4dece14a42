"""The seven Commandments: what each gives its owner, how far it goes, and that the other has nothing of it."""

from __future__ import annotations

import pytest

from gonfalon.testing import rule
from tests.generals.scenario import Table, tag

QUIET = "D06"


def under(commandment: str) -> Table:
    """May's Commandment, and Councillors for David."""
    return Table(commandments=(commandment, QUIET))


# ---- Recruit ---------------------------------------------------------------------------------------------------------


@rule("generals", 31)
@pytest.mark.parametrize(
    ("friends", "mine", "theirs"),
    [((), 3, 4), (("Xu Chu",), 2, 3), (("Xu Chu", "Cao Ren", "Dian Wei", "Xun Yu"), 0, 0)],
)
def test_recruit_makes_every_general_one_cheaper(friends: tuple[str, ...], mine: int, theirs: int) -> None:
    """Sima Yi's 4, less Affiliation, less 1, never below 0."""
    table = under("D01")
    table.may.has(*friends)
    table.david.has(*friends)
    assert (table.may.cost("Sima Yi"), table.david.cost("Sima Yi")) == (mine, theirs)


def test_recruit_makes_nothing_else_cheaper() -> None:
    table = under("D01")
    assert [table.may.cost(name) for name in ("Plunder", "Tactics - Water", "Red Hare", "Empty Fort")] == [1, 2, 2, 2]


def test_recruit_leaves_a_card_in_the_hand() -> None:
    table = under("D01")
    table.may.holds("Xu Chu", "Plunder", "Red Hare")
    table.may.does("xu-chu", "plunder")
    assert (table.may.field, table.may.hand) == (["Xu Chu"], ["Red Hare"])
    dearer = Table(commandments=(QUIET, "D01"))
    dearer.may.holds("Xu Chu", "Plunder")
    assert not dearer.may.may_do("xu-chu"), "2 cards without the Commandment"


# ---- Provisions ------------------------------------------------------------------------------------------------------


@rule("generals", 54)
@pytest.mark.parametrize(("army", "mine", "theirs"), [((), 0, 0), (("Xu Chu",), 0, 1), (("Xu Chu", "Lu Bu"), 2, 3)])
def test_provisions_feed_one(army: tuple[str, ...], mine: int, theirs: int) -> None:
    table = under("D02")
    table.may.has(*army)
    table.david.has(*army)
    assert (table.may.upkeep(), table.david.upkeep()) == (mine, theirs)


def test_provisions_are_paid_out_of_nothing_but_resource() -> None:
    table = under("D02")
    table.may.has("Xu Chu", "Cao Ren", "Zhang Liao").holds("Militia")
    table.may.ends()
    assert (table.may.resources, table.may.hand) == (28, ["Militia"])


def test_provisions_add_to_xun_yus_care() -> None:
    table = under("D02")
    table.may.has("Xun Yu", "Cao Ren", "Zhang Liao")
    assert table.may.upkeep() == 1


# ---- Siegecraft ------------------------------------------------------------------------------------------------------


def test_siegecraft_adds_one_to_the_first_siege_of_a_turn() -> None:
    table = under("D03")
    table.may.has("Xu Chu", "Cao Ren", at="ENEMY_BORDER")
    table.may.does("xu-chu#1", "siege")
    assert table.david.resources == 24
    table.may.does("cao-ren#1", "siege")
    assert table.david.resources == 20


def test_siegecraft_counts_anew_each_turn() -> None:
    table = under("D03")
    table.may.has("Xu Chu", at="ENEMY_BORDER").holds("Militia", "Archers")
    table.david.holds("Militia", "Archers")
    table.may.does("xu-chu#1", "siege").ends()
    table.david.ends()
    table.may.does("xu-chu#1", "siege")
    assert table.david.resources == 30 - 6 - 1 - 6, "and a card drawn"


def test_siegecraft_is_no_use_to_the_enemy_or_in_a_melee() -> None:
    table = under("D03")
    table.may.has("Xu Chu", at="BORDER")
    table.david.has("Dian Wei", at="ENEMY_BORDER")
    table.may.does("xu-chu#1", "dian-wei#2")
    assert table.may.fallen == ["Xu Chu"], "5 against 5"
    table.turn(table.david)
    table.david.has("Cao Ren", at="ENEMY_BORDER")
    table.david.does("cao-ren#2", "siege")
    assert table.may.resources == 26


@rule("generals", 24)
def test_siegecraft_may_decide_the_game() -> None:
    for left, over in ((6, False), (5, True)):
        table = under("D03")
        table.may.has("Xu Chu", at="ENEMY_BORDER")
        table.david.resource(size=left)
        table.may.does("xu-chu#1", "siege")
        assert table.over is over


# ---- Stratagems ------------------------------------------------------------------------------------------------------


@rule("generals", 29)
@pytest.mark.parametrize(
    ("name", "cost"),
    [
        ("Tactics - Water", 2),
        ("Tactics - Fire", 3),
        ("Tactics - Ambush", 1),
        ("Tactics - Falling Rocks", 1),
        ("Tactics - Discord", 2),
        ("Tactics - Chained Ships", 1),
    ],
)
def test_stratagems_make_tactics_cheaper(name: str, cost: int) -> None:
    table = under("D04")
    assert (table.may.cost(name), table.david.cost(name)) == (cost - 1, cost)


def test_stratagems_make_nothing_else_cheaper() -> None:
    table = under("D04")
    assert [table.may.cost(name) for name in ("Plunder", "East Wind", "Feather Fan", "Turned Plot", "Lu Su")] == [
        1,
        0,
        1,
        2,
        2,
    ]


def test_stratagems_let_an_ambush_be_laid_with_an_empty_hand() -> None:
    table = under("D04")
    table.may.has("Xun Yu", at="BORDER").holds("Tactics - Ambush")
    table.david.has("Xu Chu", at="ENEMY_BORDER")
    table.may.does("tactics-ambush", "xun-yu#1")
    assert table.david.fallen == ["Xu Chu"]


# ---- Bulwark ---------------------------------------------------------------------------------------------------------


@rule("generals", 13)
@pytest.mark.parametrize(("enemy", "stands"), [("Dian Wei", True), ("Yan Liang", None), ("Guan Yu", False)])
def test_bulwark_defends_ones_own_border(enemy: str, stands: bool | None) -> None:
    """Xu Chu's 5 + 1 against 5, 6 and 7."""
    table = under("D05")
    table.may.has("Xu Chu", at="BORDER")
    table.david.has(enemy, at="ENEMY_BORDER")
    table.turn(table.david)
    table.david.does(tag(table.david, enemy), "xu-chu#1")
    assert (table.may.fallen == []) is (stands is True)
    assert (table.david.fallen == []) is (stands is False)


def test_bulwark_is_no_use_in_an_attack() -> None:
    table = under("D05")
    table.may.has("Xu Chu", at="BORDER")
    table.david.has("Yan Liang", at="ENEMY_BORDER")
    assert table.may.might("Xu Chu") == 5
    table.may.does("xu-chu#1", "yan-liang#2")
    assert table.may.fallen == ["Xu Chu"]
    assert table.david.fallen == []


def test_bulwark_is_no_use_abroad_nor_to_the_enemy() -> None:
    abroad = under("D05")
    abroad.may.has("Xu Chu", at="ENEMY_BORDER")
    abroad.david.has("Dian Wei", at="BORDER")
    abroad.turn(abroad.david)
    abroad.david.does("dian-wei#2", "xu-chu#1")
    assert (abroad.may.fallen, abroad.david.fallen) == (["Xu Chu"], ["Dian Wei"])
    enemy = under("D05")
    enemy.may.has("Xu Chu", at="ENEMY_BORDER")
    enemy.david.has("Dian Wei", at="BORDER")
    enemy.may.does("xu-chu#1", "dian-wei#2")
    assert (enemy.may.fallen, enemy.david.fallen) == (["Xu Chu"], ["Dian Wei"])


# ---- Councillors -----------------------------------------------------------------------------------------------------


@rule("generals", 55)
@pytest.mark.parametrize(("held", "drawn"), [((), 1), (("Militia",), 1), (("Militia", "Archers"), 0)])
def test_councillors_draw_for_a_poor_hand(held: tuple[str, ...], drawn: int) -> None:
    table = Table(commandments=("D06", "D05"))
    table.may.holds(*held)
    table.may.ends()
    assert (len(table.may.hand), table.may.resources) == (len(held) + drawn, 30 - drawn)


@rule("generals", 55)
def test_councillors_come_before_upkeep() -> None:
    """One card in RESOURCE: it is drawn, and nothing is left for Xu Chu."""
    table = Table(commandments=("D06", "D05"))
    table.may.has("Xu Chu").resource(size=1)
    table.may.ends()
    assert table.winner is table.david


def test_councillors_do_not_serve_the_enemy_nor_in_his_turn() -> None:
    table = Table(commandments=("D06", "D05"))
    table.turn(table.david)
    table.david.ends()
    assert table.david.hand == []
    assert len(table.may.hand) == 1, "the Draw Phase of her turn"


# ---- Vanguard --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("word", "place"), [("@border", "BORDER"), ("@fortress", "FORTRESS")])
def test_vanguard_lets_recruits_appear_at_the_border(word: str, place: str) -> None:
    table = under("D07")
    table.may.holds("Zhou Cang", "Militia")
    table.may.does("zhou-cang")
    assert set(table.may.choices) == {"@fortress", "@border"}
    table.may.does(word)
    assert table.may.place("Zhou Cang") == place
    assert table.may.hand == []


@rule("generals", 10)
def test_vanguard_makes_nobody_ready() -> None:
    table = under("D07")
    table.may.holds("Zhou Cang", "Plunder")
    table.david.has("Xun Yu", at="ENEMY_BORDER")
    table.may.does("zhou-cang", "@border")
    assert not table.may.may_do("zhou-cang#1", "xun-yu#2")
    assert not table.may.may_do("zhou-cang#1", "@fortress")


def test_vanguard_is_for_its_owner_and_nobody_who_is_there_already() -> None:
    table = under("D07")
    table.may.has("Xu Chu")
    table.turn(table.david)
    table.david.holds("Zhou Cang", "Plunder").does("zhou-cang")
    assert table.david.place("Zhou Cang") == "FORTRESS"
    assert table.may.place("Xu Chu") == "FORTRESS"
