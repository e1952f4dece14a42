"""The ten generals of Wu: the effect of each text, its limit, and the generals it does not affect."""

from __future__ import annotations

import pytest

from gonfalon.testing import rule
from tests.generals.scenario import Table, chance, pay, tag

QUIET = ("D06", "D06")


# ---- Sun Quan --------------------------------------------------------------------------------------------------------


def test_sun_quan_changes_three_cards_for_three() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Sun Quan").holds("Plunder", "Red Hare", "Militia", "Archers")
    table.may.resource("Guan Yu", "Zhang Fei", "Cao Cao", "Xu Chu")
    before = table.may.resources
    table.may.does("sun-quan#1", "active:1", "plunder", "red-hare", "archers")
    assert table.may.hand == ["Cao Cao", "Guan Yu", "Militia", "Zhang Fei"]
    assert table.may.discards == ["Archers", "Plunder", "Red Hare"]
    assert table.may.resources == before - 3
    assert not table.may.may_do("sun-quan#1", "active:1")


# ---- Sun Ce ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("start", ["FORTRESS", "BORDER"])
def test_sun_ce_burns_a_card_as_he_lands(start: str) -> None:
    table = Table(commandments=QUIET)
    table.may.has("Sun Ce", at=start)
    table.may.does("sun-ce#1", "@enemy-border")
    assert (table.david.resources, table.may.resources) == (29, 30)


def test_sun_ce_burns_nothing_elsewhere_nor_do_others_for_him() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Sun Ce", "Gan Ning")
    table.may.does("sun-ce#1", "@border", "gan-ning#1", "@enemy-border")
    assert table.david.resources == 30
    home = Table(commandments=QUIET)
    home.may.has("Sun Ce", at="ENEMY_BORDER")
    home.may.does("sun-ce#1", "@fortress")
    assert home.david.resources == 30


def test_sun_ce_burns_again_after_a_forced_march() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Sun Ce").holds("Forced March", "Forced March", "Militia", "Archers")
    table.may.does("sun-ce#1", "@enemy-border", "forced-march", "militia")
    assert table.david.resources == 29
    table.may.does("sun-ce#1", "@border", "forced-march", "sun-ce#1", "@enemy-border")
    assert table.david.resources == 28


# ---- Zhou Yu ---------------------------------------------------------------------------------------------------------


def test_zhou_yu_makes_fire_cheaper_and_nothing_else() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Zhou Yu")
    names = ("Tactics - Fire", "Tactics - Water", "Tactics - Ambush", "Plunder", "Lu Su")
    assert [table.may.cost(name) for name in names] == [2, 2, 1, 1, 1], "Lu Su has Affiliation"
    assert table.david.cost("Tactics - Fire") == 3


def burning(with_zhou_yu: bool, card: str, *cost: str) -> Table:
    """Xun Yu (Wits 6) plots against a Guo Jia of the same Wits."""
    table = Table(commandments=QUIET)
    table.may.has("Xun Yu", at="BORDER").holds(card, *cost)
    if with_zhou_yu:
        table.may.has("Zhou Yu")
    table.david.has("Guo Jia", at="ENEMY_BORDER")
    table.may.does(f"tactics-{card.rpartition(' ')[2].lower()}", "xun-yu#1")
    return table


def test_zhou_yus_fire_has_one_more_wits_with_any_executor() -> None:
    assert burning(True, "Tactics - Fire", "Militia", "Archers").david.fallen == ["Guo Jia"]
    assert burning(False, "Tactics - Fire", "Militia", "Archers", "Red Hare").david.fallen == []


# ---- Lu Su -----------------------------------------------------------------------------------------------------------


def test_lu_su_draws_and_lets_the_enemy_draw() -> None:
    for answer, cards in (("yes", 1), ("no", 0)):
        table = Table(commandments=QUIET)
        table.may.has("Lu Su")
        table.may.does("lu-su#1", "active:1")
        assert (len(table.may.hand), table.may.resources) == (1, 29)
        assert set(table.david.choices) == {"yes", "no"}
        table.david.does(answer)
        assert (len(table.david.hand), table.david.resources) == (cards, 30 - cards)
        assert not table.may.may_do("lu-su#1", "active:1")


# ---- Lu Meng ---------------------------------------------------------------------------------------------------------


@rule("generals", 11)
def test_lu_meng_lands_behind_the_enemy_and_besieges_him() -> None:
    """Two enemies and no blocker at May's BORDER do not matter, and he was not moved by an action."""
    table = Table(commandments=QUIET)
    table.may.has("Lu Meng", "Sun Ce").holds("Militia")
    table.david.has("Xu Chu", "Cao Ren", at="ENEMY_BORDER")
    assert not table.may.may_do("sun-ce#1", "@enemy-border")
    table.may.does("lu-meng#1", "active:1")
    assert table.may.place("Lu Meng") == "ENEMY_BORDER"
    assert table.may.hand == []
    table.may.does("lu-meng#1", "siege")
    assert table.david.resources == 26
    assert table.may.place("Sun Ce") == "FORTRESS"


@rule("generals", 10)
def test_lu_meng_does_not_land_on_the_day_he_comes() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Lu Meng", new=True).holds("Militia")
    assert not table.may.may_do("lu-meng#1", "active:1")


# ---- Lu Xun ----------------------------------------------------------------------------------------------------------


def test_lu_xun_is_no_target_of_enemy_tactics() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Zhuge Liang", at="BORDER").holds("Tactics - Ambush", "Militia")
    table.david.has("Lu Xun", at="ENEMY_BORDER")
    assert not table.may.may_do("tactics-ambush")
    table.david.has("Xu Chu", "Cao Ren", at="ENEMY_BORDER")
    table.may.does("tactics-ambush", "zhuge-liang#1")
    assert set(table.may.choices) == {"xu-chu#2", "cao-ren#2"}


def test_lu_xun_walks_through_the_fire() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Zhuge Liang", at="BORDER").holds("Tactics - Fire", "Militia", "Archers")
    table.david.has("Lu Xun", "Xu Chu", "Sima Yi", at="ENEMY_BORDER")
    table.may.does("tactics-fire", "zhuge-liang#1")
    assert table.david.field == ["Lu Xun"]
    assert sorted(table.david.fallen) == ["Sima Yi", "Xu Chu"]


# ---- Gan Ning --------------------------------------------------------------------------------------------------------


def test_gan_ning_raids_from_the_enemys_border() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Gan Ning", at="ENEMY_BORDER").holds("Militia", "Archers")
    table.david.holds("Plunder", "Red Hare", "Countermand")
    table.may.does("gan-ning#1", "active:1")
    pay(table.may)
    chance(table)
    assert (len(table.david.hand), len(table.david.discards)) == (2, 1)
    assert len(table.may.hand) == 1
    assert not table.may.may_do("gan-ning#1", "active:1")
    assert table.may.may_do("gan-ning#1", "siege")


@pytest.mark.parametrize("at", ["FORTRESS", "BORDER"])
def test_gan_ning_cannot_raid_from_home(at: str) -> None:
    table = Table(commandments=QUIET)
    table.may.has("Gan Ning", at=at).holds("Militia", "Archers")
    table.david.holds("Plunder")
    assert not table.may.may_do("gan-ning#1", "active:1")


# ---- Taishi Ci -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("enemy", "wins"), [("Yan Liang", True), ("Guan Yu", None), ("Lu Bu", False)])
def test_taishi_ci_has_seven_against_the_strong(enemy: str, wins: bool | None) -> None:
    """Against printed Might 6, 7 and 8."""
    table = Table(commandments=QUIET)
    table.may.has("Taishi Ci", at="BORDER")
    table.david.has(enemy, at="ENEMY_BORDER")
    table.may.does("taishi-ci#1", tag(table.david, enemy))
    assert (table.may.fallen == []) is (wins is True)
    assert (table.david.fallen == []) is (wins is False)


def test_taishi_ci_has_six_against_the_weaker_however_equipped() -> None:
    """Xu Chu's printed Might is 5; with Militia he has 6, and they fall together."""
    table = Table(commandments=QUIET)
    table.may.has("Taishi Ci", at="BORDER")
    table.david.has("Xu Chu", at="ENEMY_BORDER", gear=("Militia",))
    table.may.does("taishi-ci#1", "xu-chu#2")
    assert (table.may.fallen, table.david.fallen) == (["Taishi Ci"], ["Xu Chu"])


# ---- Huang Gai -------------------------------------------------------------------------------------------------------


def test_huang_gai_suffers_for_his_strength() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Huang Gai", "Gan Ning").holds("Militia")
    table.may.does("huang-gai#1", "active:1")
    assert (table.may.might("Huang Gai"), table.may.wits("Huang Gai")) == (6, 4)
    assert (table.may.might("Gan Ning"), table.may.wits("Gan Ning")) == (6, 1)
    assert (table.may.resources, len(table.may.discards)) == (28, 2)
    assert (table.may.hand, table.david.resources) == (["Militia"], 30)
    assert not table.may.may_do("huang-gai#1", "active:1")


# ---- Zhou Tai --------------------------------------------------------------------------------------------------------


def wounded(*held: str) -> Table:
    """David's Lu Bu attacks May's Zhou Tai, who bears Militia."""
    table = Table(commandments=QUIET)
    table.may.has("Xun Yu", at="BORDER").has("Zhou Tai", at="BORDER", gear=("Militia",)).holds(*held)
    table.david.has("Lu Bu", "Guan Yu", at="ENEMY_BORDER")
    table.turn(table.david)
    table.david.does("lu-bu#2", "zhou-tai#1")
    return table


@rule("generals", 39)
def test_zhou_tai_gets_away_with_his_wounds() -> None:
    table = wounded("Plunder", "Red Hare", "Archers")
    assert set(table.may.choices) == {"zhou-tai#1", "pass"}
    table.may.does("zhou-tai#1", "plunder", "archers")
    assert table.may.place("Zhou Tai") == "FORTRESS"
    assert (table.may.fallen, table.may.hand) == ([], ["Red Hare"])
    assert table.may.gear == ["Militia"], "he never left the BATTLEFIELD"
    assert table.may.place("Xun Yu") == "BORDER"


def test_zhou_tai_gets_away_once_a_turn() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Zhou Tai", at="BORDER").holds("Plunder", "Plunder", "Red Hare", "Forced March", "Militia", "Archers")
    table.david.has("Lu Bu", "Guan Yu", at="ENEMY_BORDER")
    table.may.does("zhou-tai#1", "lu-bu#2", "zhou-tai#1", "plunder", "plunder")
    assert table.may.place("Zhou Tai") == "FORTRESS"
    unit = table.may.unit("Zhou Tai")
    table.state.zone[unit] = 1
    table.state.flags[unit] = 0
    table.refresh()
    table.may.does("zhou-tai#1", "guan-yu#2")
    assert (table.may.asked, table.may.fallen) == ("main", ["Zhou Tai"])
    assert len(table.may.hand) == 4


def test_zhou_tai_does_not_escape_a_plot_and_saves_no_other_general() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Zhou Tai", "Cao Ren", at="BORDER").holds("Plunder", "Red Hare")
    table.david.has("Sima Yi", "Lu Bu", at="ENEMY_BORDER").holds("Tactics - Ambush", "Militia")
    table.turn(table.david)
    table.david.does("lu-bu#2", "cao-ren#1")
    assert table.may.fallen == ["Cao Ren"]
    table.david.does("tactics-ambush", "sima-yi#2")
    assert table.may.fallen == ["Cao Ren", "Zhou Tai"]
    assert table.may.hand == ["Plunder", "Red Hare"]
