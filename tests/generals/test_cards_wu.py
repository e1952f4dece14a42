"""The ten generals of Wu: what each one's text promises, how far it goes, and whom it leaves alone."""

from __future__ import annotations

import pytest

from gonfalon.testing import rule
from tests.generals.scenario import Table, chance, pay, tag

QUIET = ("D06", "D06")


@pytest.mark.parametrize(
    ("name", "cost", "might", "wits"),
    [
        ("Sun Quan", 3, 3, 5),
        ("Sun Ce", 3, 6, 3),
        ("Zhou Yu", 4, 4, 7),
        ("Lu Su", 2, 1, 6),
        ("Lu Meng", 3, 4, 6),
        ("Lu Xun", 3, 3, 7),
        ("Gan Ning", 2, 6, 1),
        ("Taishi Ci", 2, 6, 2),
        ("Huang Gai", 2, 4, 3),
        ("Zhou Tai", 2, 5, 1),
    ],
)
def test_what_is_printed(name: str, cost: int, might: int, wits: int) -> None:
    table = Table(commandments=QUIET)
    assert table.may.cost(name) == cost
    table.may.has(name)
    assert (table.may.might(name), table.may.wits(name)) == (might, wits)
    card = table.game.pool.find(name)
    assert card is not None
    assert (card.faction, card.upkeep) == ("WU", 1)


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


def test_sun_quan_may_stop_earlier_and_draws_as_many() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Sun Quan").holds("Plunder", "Red Hare", "Militia", "Archers")
    table.may.does("sun-quan#1", "active:1", "plunder", "done")
    assert table.may.discards == ["Plunder"]
    assert (len(table.may.hand), table.may.resources) == (4, 29)


def test_sun_quan_may_change_nothing() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Sun Quan").holds("Plunder", "Red Hare")
    table.may.does("sun-quan#1", "active:1", "done")
    assert (table.may.hand, table.may.resources) == (["Plunder", "Red Hare"], 30)


@rule("generals", 49)
def test_sun_quan_with_two_cards_changes_two_at_most() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Sun Quan").holds("Plunder", "Red Hare")
    table.david.holds("Militia")
    table.may.does("sun-quan#1", "active:1", "plunder", "red-hare")
    assert table.may.asked == "main"
    assert (len(table.may.hand), table.may.resources) == (2, 28)
    assert (table.david.hand, table.david.resources) == (["Militia"], 30)


@rule("generals", 53)
def test_sun_quan_loses_when_resource_cannot_give_as_many() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Sun Quan").holds("Plunder", "Red Hare").resource(size=1)
    table.may.does("sun-quan#1", "active:1", "plunder", "red-hare")
    assert table.winner is table.david


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


@rule("generals", 62)
def test_sun_ce_landing_before_an_empty_resource_wins() -> None:
    for left, over in ((1, False), (0, True)):
        table = Table(commandments=QUIET)
        table.may.has("Sun Ce")
        table.david.resource(size=left)
        table.may.does("sun-ce#1", "@enemy-border")
        assert table.over is over


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


def test_zhou_yus_fire_burns_as_with_one_more_wits_whoever_lays_it() -> None:
    assert burning(True, "Tactics - Fire", "Militia", "Archers").david.fallen == ["Guo Jia"]
    assert burning(False, "Tactics - Fire", "Militia", "Archers", "Red Hare").david.fallen == []


def test_zhou_yu_does_nothing_for_water() -> None:
    assert burning(True, "Tactics - Water", "Militia", "Archers").david.fallen == []


def test_zhou_yus_own_wits_stay_what_they_are() -> None:
    """7 + 1 against Zhuge Liang's 8 is not enough."""
    table = Table(commandments=QUIET)
    table.may.has("Zhou Yu", at="BORDER").holds("Tactics - Fire", "Militia", "Archers")
    table.david.has("Zhuge Liang", "Sima Yi", at="ENEMY_BORDER")
    assert table.may.wits("Zhou Yu") == 7
    table.may.does("tactics-fire", "zhou-yu#1")
    assert table.david.fallen == ["Sima Yi"]
    assert table.david.field == ["Zhuge Liang"]


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


@rule("generals", 53)
def test_lu_su_must_draw_and_the_enemy_need_not() -> None:
    empty = Table(commandments=QUIET)
    empty.may.has("Lu Su").resource(size=0)
    empty.may.does("lu-su#1", "active:1")
    assert empty.winner is empty.david
    theirs = Table(commandments=QUIET)
    theirs.may.has("Lu Su")
    theirs.david.resource(size=0)
    theirs.may.does("lu-su#1", "active:1")
    assert theirs.david.asked == ""
    assert (theirs.over, len(theirs.may.hand)) == (False, 1)


def test_lu_su_works_on_the_day_he_comes_and_not_in_the_enemys_turn() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Lu Su", new=True)
    assert table.may.may_do("lu-su#1", "active:1")
    table.turn(table.david)
    assert not table.may.may_do("lu-su#1", "active:1")


# ---- Lu Meng ---------------------------------------------------------------------------------------------------------


@rule("generals", 11)
def test_lu_meng_lands_behind_the_enemy_and_besieges_him() -> None:
    """Two enemies and no blocker at May's BORDER: it does not matter, and it was not his move."""
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


def test_lu_meng_may_still_move_after_his_landing() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Lu Meng").holds("Militia")
    table.may.does("lu-meng#1", "active:1", "lu-meng#1", "@border")
    assert table.may.place("Lu Meng") == "BORDER"


@rule("generals", 10)
def test_lu_meng_does_not_land_on_the_day_he_comes() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Lu Meng", new=True).holds("Militia")
    assert not table.may.may_do("lu-meng#1", "active:1")


def test_lu_meng_needs_a_card() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Lu Meng")
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


def test_lu_xun_is_a_target_of_all_else() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Huang Zhong", "Zhou Tai", at="BORDER").holds("Militia", "Archers", "Pincer Attack")
    table.david.has("Lu Xun", at="ENEMY_BORDER")
    assert table.may.may_do("zhou-tai#1", "lu-xun#2")
    assert table.may.may_do("pincer-attack")
    table.may.does("huang-zhong#1", "active:1")
    pay(table.may)
    assert table.david.fallen == ["Lu Xun"]


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


@rule("generals", 49)
def test_gan_ning_raids_an_empty_hand() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Gan Ning", at="ENEMY_BORDER").holds("Militia")
    table.may.does("gan-ning#1", "active:1")
    assert (table.may.asked, table.may.hand, table.david.discards) == ("main", [], [])


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


def test_taishi_ci_has_six_as_a_defender_and_in_a_siege() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Taishi Ci", at="BORDER")
    table.david.has("Yan Liang", at="ENEMY_BORDER")
    table.turn(table.david)
    table.david.does("yan-liang#2", "taishi-ci#1")
    assert (table.may.fallen, table.david.fallen) == (["Taishi Ci"], ["Yan Liang"])
    siege = Table(commandments=QUIET)
    siege.may.has("Taishi Ci", at="ENEMY_BORDER")
    siege.david.has("Guan Yu")
    siege.may.does("taishi-ci#1", "siege")
    assert siege.david.resources == 24


def test_taishi_ci_gives_nothing_to_his_comrades() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Taishi Ci", "Gan Ning", at="BORDER")
    table.david.has("Yan Liang", at="ENEMY_BORDER")
    table.may.does("gan-ning#1", "yan-liang#2")
    assert table.may.fallen == ["Gan Ning"]


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


@rule("generals", 45)
def test_huang_gai_is_himself_the_next_turn() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Huang Gai")
    table.may.does("huang-gai#1", "active:1").ends()
    assert (table.may.might("Huang Gai"), table.may.wits("Huang Gai")) == (4, 3)


@rule("generals", 28)
@pytest.mark.parametrize(("left", "possible"), [(2, True), (1, False)])
def test_huang_gai_cannot_pay_with_what_is_not_there(left: int, possible: bool) -> None:
    table = Table(commandments=QUIET)
    table.may.has("Huang Gai").resource(size=left)
    assert table.may.may_do("huang-gai#1", "active:1") is possible
    if possible:
        table.may.does("huang-gai#1", "active:1")
        assert (table.over, table.may.resources) == (False, 0)


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


def test_zhou_tai_may_fall() -> None:
    table = wounded("Plunder", "Red Hare", "Archers")
    table.may.passes()
    assert (table.may.fallen, len(table.may.hand)) == (["Zhou Tai"], 3)


def test_zhou_tai_with_one_card_falls() -> None:
    table = wounded("Plunder")
    assert (table.may.fallen, table.may.hand) == (["Zhou Tai"], ["Plunder"])


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


@rule("generals", 14)
def test_zhou_tai_survives_a_tie_too() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Zhou Tai", at="BORDER").holds("Plunder", "Archers")
    table.david.has("Xu Chu", at="ENEMY_BORDER")
    table.may.does("zhou-tai#1", "xu-chu#2", "zhou-tai#1")
    assert (table.may.fallen, table.may.hand) == ([], [])
    assert table.david.fallen == ["Xu Chu"]


def test_zhou_tai_does_not_escape_a_plot_and_saves_nobody_else() -> None:
    table = Table(commandments=QUIET)
    table.may.has("Zhou Tai", "Cao Ren", at="BORDER").holds("Plunder", "Red Hare")
    table.david.has("Sima Yi", "Lu Bu", at="ENEMY_BORDER").holds("Tactics - Ambush", "Militia")
    table.turn(table.david)
    table.david.does("lu-bu#2", "cao-ren#1")
    assert table.may.fallen == ["Cao Ren"]
    table.david.does("tactics-ambush", "sima-yi#2")
    assert table.may.fallen == ["Cao Ren", "Zhou Tai"]
    assert table.may.hand == ["Plunder", "Red Hare"]
