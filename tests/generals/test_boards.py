"""Full boards: Affiliation, Siegecraft, blockers and plots with many generals, counted by hand."""

from __future__ import annotations

from itertools import permutations

import pytest

from gonfalon.core.text.citations import cite_rule
from gonfalon.testing import rule
from tests.generals.folk import card, plain
from tests.generals.scenario import Table, pay, tag

ELDER = card("X50", "Elder", "character", cost=5, faction="SHU", might=1, wits=1)
SIX = ("Militia", "Archers", "Red Hare", "Feather Fan", "Plunder", "Forced March")


# ---- Affiliation -----------------------------------------------------------------------------------------------------


@rule("generals", 30)
@pytest.mark.parametrize(
    ("mine", "cost"),
    [
        ({}, 5),
        ({"Ash": "FORTRESS"}, 4),
        ({"Ash": "BORDER", "Birch": "ENEMY_BORDER"}, 3),
        ({"Ash": "FORTRESS", "Birch": "BORDER", "Cedar": "ENEMY_BORDER"}, 2),
    ],
)
def test_affiliation_on_a_full_board(mine: dict[str, str], cost: int) -> None:
    """Each own Shu general in play takes 1 off Elder's cost of 5, in any zone. The enemy's, other factions', neutral
    and fallen generals do not count."""
    table = plain(ELDER)
    for name, at in mine.items():
        table.may.has(name, at=at)
    table.may.has("Rook", at="BORDER").has("Wolf", "Reed").holds("Elder", *SIX)
    table.may.lost(*[name for name in ("Birch", "Cedar") if name not in mine])
    table.david.has("Ash", at="ENEMY_BORDER").has("Birch", at="BORDER").has("Cedar", "Sedge")
    table.may.does("elder")
    paid = 0
    while table.may.asked == "pay":
        table.may.does(table.may.choices[0])
        paid += 1
    assert paid == cost
    assert (len(table.may.hand), len(table.may.discards)) == (6 - cost, cost)
    assert table.may.place("Elder") == "FORTRESS"


@rule("generals", 30, 54)
def test_each_recruit_helps_the_next_and_all_are_paid_for_at_the_end() -> None:
    """Cedar costs 1, Birch 2 - 1, Ash 3 - 2 and Elder 5 - 3 cards, 5 in total. Four generals need an Upkeep of 4."""
    table = plain(ELDER)
    table.may.holds("Cedar", "Birch", "Ash", "Elder", *SIX)
    for name, cost in (("Cedar", 1), ("Birch", 1), ("Ash", 1), ("Elder", 2)):
        assert table.may.cost(name) == cost
        held = len(table.may.hand)
        table.may.does(name.lower())
        for _ in range(cost):
            table.may.does(next(choice for choice in table.may.choices if choice not in ("ash", "birch", "elder")))
        assert len(table.may.hand) == held - 1 - cost
    table.may.ends()
    assert (table.may.resources, len(table.may.discards)) == (26, 9)


# ---- Siegecraft ------------------------------------------------------------------------------------------------------


BESIEGERS = {"Ash": 5, "Reed": 2, "Ma Chao": 7}
"""The depletion by each besieger: its Might, plus 2 with Ma Chao."""


@rule("generals", 22, 23)
@pytest.mark.parametrize("order", list(permutations(BESIEGERS)))
def test_siegecraft_adds_to_the_first_siege_of_the_turn_alone(order: tuple[str, ...]) -> None:
    table = plain(commandments=("D03", "D03"))
    table.may.has(*BESIEGERS, at="ENEMY_BORDER").has("Rook", at="BORDER")
    table.david.has("Kite", "Sedge")
    left = 30
    for number, name in enumerate(order):
        table.may.does(tag(table.may, name), "siege")
        left -= BESIEGERS[name] + (number == 0)
        assert table.david.resources == left
    assert (table.may.resources, left) == (30, 15)


@rule("generals", 22, 42)
def test_a_siege_that_was_negated_was_the_first() -> None:
    table = plain(commandments=("D03", "X99"))
    table.ask = True
    table.may.has("Ash", "Reed", at="ENEMY_BORDER")
    table.david.holds("Empty Fort", "Militia", "Archers")
    table.may.does("ash#1", "siege")
    table.david.does("empty-fort")
    pay(table.david)
    assert table.david.resources == 30
    table.may.does("reed#1", "siege")
    assert table.david.resources == 28


@rule("generals", 22)
def test_siegecraft_begins_anew_with_each_turn_and_is_its_owners() -> None:
    """May has Siegecraft and David does not: 5 + 1, then David's 3, then 5 + 1 again, with two draws and an Upkeep of 1
    each in between."""
    table = plain(commandments=("D03", "X99"))
    table.may.has("Ash", at="ENEMY_BORDER")
    table.david.has("Sedge", at="ENEMY_BORDER")
    table.may.does("ash#1", "siege").ends()
    assert (table.may.resources, table.david.resources) == (29, 23)
    table.david.does("sedge#2", "siege").ends()
    assert (table.may.resources, table.david.resources) == (25, 22)
    table.may.does("ash#1", "siege")
    assert table.david.resources == 16


# ---- blocking --------------------------------------------------------------------------------------------------------


FOES = ("Rook", "Kite", "Wolf", "Reed")
FRIENDS = ("Birch", "Cedar", "Sedge", "Kite")


@rule("generals", 4, 5, 6)
@pytest.mark.parametrize("foes", range(5))
@pytest.mark.parametrize("friends", range(5))
@pytest.mark.parametrize("start", ["FORTRESS", "BORDER"])
def test_as_many_stay_at_border_as_there_are_enemies(foes: int, friends: int, start: str) -> None:
    """A passing general does not count, and neither do generals at FORTRESS or ENEMY'S BORDER or enemies elsewhere."""
    table = plain()
    table.may.has("Ash", at=start)
    table.may.has(*FRIENDS[:friends], at="BORDER", new=True).has("Reed", at="ENEMY_BORDER").has("Wolf")
    table.david.has(*FOES[:foes], at="ENEMY_BORDER").has("Birch", at="BORDER").has("Cedar")
    assert table.may.may_do("ash#1", "@enemy-border") is (friends >= foes)
    if friends < foes:
        who = "An enemy blocks" if foes == 1 else f"{foes} enemies block"
        more = "1 more general" if foes - friends == 1 else f"{foes - friends} more generals"
        assert cite_rule(table.may.why_not("ash#1", "@enemy-border")) == (
            f"{who} your BORDER. Bring {more} first (ruling 4)."
        )


@rule("generals", 4, 5)
def test_three_enemies_are_blocked_one_by_one() -> None:
    """Three move up to BORDER before the fourth can pass. After an enemy has fallen, two are enough."""
    table = plain()
    table.may.has("Ash", "Birch", "Cedar", "Sedge")
    table.david.has("Rook", "Kite", "Reed", at="ENEMY_BORDER")
    for name in ("birch", "cedar", "sedge"):
        assert not table.may.may_do("ash#1", "@enemy-border")
        table.may.does(f"{name}#1", "@border")
    assert table.may.may_do("ash#1", "@enemy-border")
    fewer = plain()
    fewer.may.has("Ash").has("Wolf", "Sedge", at="BORDER")
    fewer.david.has("Rook", "Kite", "Reed", at="ENEMY_BORDER")
    assert not fewer.may.may_do("ash#1", "@enemy-border")
    fewer.may.does("wolf#1", "rook#2")
    assert fewer.may.may_do("ash#1", "@enemy-border")


# ---- plots -----------------------------------------------------------------------------------------------------------


@rule("generals", 20, 21)
@pytest.mark.parametrize("wits", range(1, 8))
def test_fire_takes_any_number_of_generals_with_less_wits(wits: int) -> None:
    """Five generals at one BORDER have Wits of 1 to 5. Those with less Wits than the executor fall."""
    table = plain(card("X50", "Sage", "character", might=1, wits=wits))
    table.may.has("Sage").holds("Tactics - Fire", *SIX)
    at_border = {"Wolf": 1, "Birch": 2, "Ash": 3, "Kite": 4, "Cedar": 5}
    table.david.has(*at_border, at="BORDER").has("Heron").has("Reed", at="ENEMY_BORDER")
    table.may.does("tactics-fire")
    if table.may.asked == "executor":
        table.may.does("sage#1")
    if table.may.asked == "target":
        table.may.does("@enemy-border")
    pay(table.may)
    assert sorted(table.david.fallen) == sorted(name for name, theirs in at_border.items() if theirs < wits)
    assert table.may.fallen == []
    assert {"Heron", "Reed"} <= set(table.david.field)


@rule("generals", 20)
def test_four_targets_of_one_plot_are_four() -> None:
    """Pang Tong, Wits 7, adds a target to the three of Chained Ships. The fifth general there is not affected."""
    table = plain()
    table.may.has("Pang Tong").holds("Tactics - Chained Ships", *SIX)
    table.david.has("Wolf", "Birch", "Ash", "Kite", "Cedar", at="BORDER")
    table.may.does("tactics-chained-ships", "pang-tong#1", *sorted(TARGETS, key=table.game.parse))
    pay(table.may)
    table.may.ends()
    wits = {name: table.david.wits(name) for name in ("Wolf", "Birch", "Ash", "Kite", "Cedar")}
    assert wits == {"Wolf": 0, "Birch": 0, "Ash": 1, "Kite": 2, "Cedar": 5}
    held = [name for name in wits if not table.david.may_do(tag(table.david, name), "@fortress")]
    assert held == ["Wolf", "Birch", "Ash", "Kite"]


TARGETS = ("wolf#2", "birch#2", "ash#2", "kite#2")


@rule("generals", 15, 20)
def test_four_fallen_by_one_plot_count_four_times() -> None:
    """Xiahou Dun with the Fan burns four generals. The enemy discards two cards for each, eight of nine."""
    table = Table()
    table.may.has("Xiahou Dun", gear=("Feather Fan",)).holds("Tactics - Fire", *SIX)
    table.david.has("Xu Chu", "Dian Wei", "Lu Bu", "Zhou Tai", at="BORDER")
    table.david.holds(*SIX, "Wooden Oxen", "Iron Discipline", "Countermand")
    table.may.does("tactics-fire")
    if table.may.asked == "executor":
        table.may.does("xiahou-dun#1")
    pay(table.may)
    assert len(table.david.fallen) == 4
    while table.may.asked == "order":
        table.may.does(table.may.choices[0])
    for _ in range(8):
        table.david.does(table.david.choices[0])
    assert len(table.david.hand) == 1
    assert table.may.asked == "main"
