"""Melees: rulings 12 to 16."""

from __future__ import annotations

import pytest

from gonfalon.core.text.citations import cite_rule
from gonfalon.testing import rule
from tests.generals.folk import card, plain
from tests.generals.scenario import Player, Table

SPOILS = {
    "kind": "trigger",
    "when": {"event": "defeats", "subject": {"ref": "self"}},
    "do": [{"op": "draw", "n": 1, "who": "you"}],
}
VICTOR = card("X30", "Oak", "character", SPOILS, might=4, wits=4)
"""A general that draws a card for each general it defeats."""
SNIPER = card(
    "X31",
    "Thorn",
    "character",
    {"kind": "active", "cost": {"hand": 0}, "do": [{"op": "kill", "target": {"side": "enemy", "count": 1}}]},
    {**SPOILS, "when": {"event": "defeats", "subject": {"side": "friend"}}},
    might=1,
    wits=1,
)
"""A general that kills without a comparison and draws a card for each general its side defeats."""


def cards(player: Player) -> int:
    return len(player.hand)


def at_my_border(mine: str, theirs: str, *more: dict[str, object]) -> Table:
    table = plain(*more)
    table.may.has(mine, at="BORDER")
    table.david.has(theirs, at="ENEMY_BORDER")
    return table


@pytest.mark.parametrize(
    ("mine", "theirs", "may_lose", "david_loses"),
    [
        ("Ash", "Kite", [], ["Kite"]),  # 5 against 4
        ("Kite", "Ash", ["Kite"], []),  # 4 against 5
        ("Ash", "Rook", ["Ash"], ["Rook"]),  # 5 against 5
    ],
)
@rule("generals", 14)
def test_the_lower_might_falls_and_in_a_tie_both(
    mine: str, theirs: str, may_lose: list[str], david_loses: list[str]
) -> None:
    table = at_my_border(mine, theirs)
    table.may.has("Sedge", at="BORDER")
    table.david.has("Reed", at="ENEMY_BORDER")
    table.may.does(f"{mine.lower()}#1", f"{theirs.lower()}#2")
    assert table.may.fallen == may_lose
    assert table.david.fallen == david_loses
    assert "Sedge" in table.may.field, "a bystander"
    assert "Reed" in table.david.field
    assert (table.may.resources, table.david.resources) == (30, 30)


@rule("generals", 12)
@pytest.mark.parametrize("at", ["BORDER", "ENEMY_BORDER"])
def test_a_melee_is_fought_at_either_border(at: str) -> None:
    table = plain()
    table.may.has("Ash", at=at)
    table.david.has("Kite", at="ENEMY_BORDER" if at == "BORDER" else "BORDER")
    table.may.does("ash#1", "kite#2")
    assert table.david.fallen == ["Kite"]


@rule("generals", 12)
@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        ("FORTRESS", "ENEMY_BORDER"),  # next to each other
        ("BORDER", "BORDER"),
        ("ENEMY_BORDER", "FORTRESS"),
        ("FORTRESS", "FORTRESS"),
        ("ENEMY_BORDER", "ENEMY_BORDER"),
    ],
)
def test_no_melee_between_two_zones(mine: str, theirs: str) -> None:
    table = plain()
    table.may.has("Ash", at=mine)
    table.david.has("Kite", at=theirs)
    assert cite_rule(table.may.why_not("ash#1", "kite#2")) == ("Kite is not in the zone of Ash (ruling 12).")


@rule("generals", 13)
def test_a_defender_need_not_be_ready_and_can_be_attacked_again_and_again() -> None:
    """Wolf (6) is new and defends against 5, 4 and 3. Each attacker attacks once."""
    table = plain()
    table.may.has("Ash", "Kite", "Sedge", at="BORDER")
    table.david.has("Wolf", at="ENEMY_BORDER", new=True)
    table.may.does("ash#1", "wolf#2", "kite#1", "wolf#2", "sedge#1", "wolf#2")
    assert table.may.fallen == ["Ash", "Kite", "Sedge"]
    assert table.david.field == ["Wolf"]


@rule("generals", 14)
def test_a_tie_counts_as_no_defeat() -> None:
    table = at_my_border("Oak", "Kite", VICTOR)
    table.may.does("oak#1", "kite#2")
    assert (table.may.fallen, table.david.fallen) == (["Oak"], ["Kite"])
    assert cards(table.may) == 0


@rule("generals", 15)
def test_the_winner_defeats_attacking_or_defending() -> None:
    attacking = at_my_border("Oak", "Reed", VICTOR)
    attacking.may.does("oak#1", "reed#2")
    assert cards(attacking.may) == 1
    defending = at_my_border("Reed", "Oak", VICTOR)
    defending.may.does("reed#1", "oak#2")
    assert (cards(defending.may), cards(defending.david)) == (0, 1)
    losing = at_my_border("Oak", "Ash", VICTOR)
    losing.may.does("oak#1", "ash#2")
    assert (cards(losing.may), cards(losing.david)) == (0, 0)


@rule("generals", 15)
def test_xiahou_dun_makes_the_enemy_discard_when_he_defends_and_wins() -> None:
    """The publisher's note: the effect also applies when he is attacked and wins."""
    table = plain()
    table.may.has("Reed", at="BORDER").holds("Militia", "Archers", "Feather Fan")
    table.david.has("Xiahou Dun", at="ENEMY_BORDER")
    table.may.does("reed#1", "xiahou-dun#2")
    assert table.may.asked == "discard"
    table.may.does("militia", "archers") if "militia" in table.may.choices else table.may.does("feather-fan", "militia")
    assert cards(table.may) == 1


@rule("generals", 15)
def test_tactics_defeat_each_general_they_kill() -> None:
    """Oak (4) plots against Reed (2), Sedge (3) and Cedar (5): two defeats, two cards."""
    table = plain(VICTOR)
    table.may.has("Oak").holds("Tactics - Fire", "Militia", "Archers", "Feather Fan")
    table.david.has("Reed", "Sedge", "Cedar", at="BORDER")
    table.may.does("tactics-fire", "oak#1")
    assert sorted(table.david.fallen) == ["Reed", "Sedge"]
    assert cards(table.may) == 4 - 1 - 3 + 2


@rule("generals", 15)
def test_other_ways_to_casualty_are_no_defeats() -> None:
    table = plain(SNIPER)
    table.may.has("Thorn").holds("Lure the Tiger").has("Reed")
    table.david.has("Kite", "Wolf")
    table.may.does("thorn#1", "active:1", "kite#2")
    assert table.david.fallen == ["Kite"]
    table.may.does("lure-the-tiger", "reed#1")
    assert table.may.fallen == ["Reed"]
    assert cards(table.may) == 0
    fight = at_my_border("Thorn", "Reed", SNIPER)
    fight.may.has("Ash", at="BORDER").does("ash#1", "reed#2")
    assert cards(fight.may) == 1, "and a melee is one"


ONE_OF_MINE = {"side": "friend", "count": 1}
WEAKEN = card(
    "X32",
    "Rain",
    "strategy",
    {"kind": "play", "do": [{"op": "modify", "stat": "might", "by": -9, "target": ONE_OF_MINE, "until": "turn"}]},
)


@rule("generals", 16)
def test_might_is_never_below_0() -> None:
    """Reed at 2 - 9 has Might 0, as does Heron: a tie."""
    table = at_my_border("Reed", "Heron", WEAKEN)
    table.may.holds("Rain")
    table.may.does("rain")
    assert table.may.might("Reed") == 0
    table.may.does("reed#1", "heron#2")
    assert (table.may.fallen, table.david.fallen) == (["Reed"], ["Heron"])
    assert "0 against 0: both generals fall." in table.may.reads()


@rule("generals", 16)
def test_all_changes_are_added_before_the_floor() -> None:
    """2 - 9 + 1 is 0, not 1."""
    table = at_my_border("Reed", "Heron", WEAKEN)
    table.may.holds("Rain", "Militia")
    table.may.does("rain", "militia", "reed#1")
    assert table.may.might("Reed") == 0
