"""The seven Counters: the acts each one stops, the acts it does not stop, and the rest of the turn.

David is on his turn and acts, May answers.
"""

from __future__ import annotations

from gonfalon.testing import rule
from tests.generals.scenario import Player, Table, pay

QUIET = ("D06", "D06")


ACTS = {
    "strike": ("tactics-ambush", "xun-yu#2", "cao-ren#1", "militia"),
    "strategy": ("reward-the-army", "militia"),
    "active": ("sun-quan#2", "active:1"),
    "equip": ("militia", "xun-yu#2"),
    "melee": ("lu-bu#2", "cao-ren#1"),
    "siege": ("zhang-liao#2", "siege"),
}
"""All acts of David that can be answered."""


def open_counter_table() -> Table:
    """Return David's turn with an act for every Counter. May's Cao Ren and Xu Chu are at her BORDER, and she holds all
    seven Counters with cards to pay."""
    table = Table(commandments=QUIET, ask=True)
    table.may.has("Cao Ren", "Xu Chu", at="BORDER")
    table.may.holds("See Through the Ruse", "Empty Fort", "Countermand", "Feigned Retreat", "Silence the Envoy")
    table.may.holds("Turned Plot", "Iron Discipline", "Plunder", "Red Hare")
    table.david.has("Xun Yu", "Lu Bu", at="ENEMY_BORDER").has("Sun Quan")
    table.david.holds("Tactics - Ambush", "Reward the Army", "Iron Discipline", "Militia", "Militia")
    return table.turn(table.david)


def open_siege_table() -> Table:
    """Return the `facing` table with Zhang Liao before May's walls and none of her generals there."""
    table = open_counter_table()
    for name in ("Cao Ren", "Xu Chu"):
        table.state.zone[table.may.unit(name)] = 0
    table.david.has("Zhang Liao", at="ENEMY_BORDER")
    return table.turn(table.david)


def answer(player: Player, counter: str) -> None:
    """Play a Counter, pay for it, and let it resolve."""
    player.does(counter)
    pay(player)
    other = player.table.david if player is player.table.may else player.table.may
    if other.asked == "answer":
        other.passes()


# ---- See Through the Ruse --------------------------------------------------------------------------------------------


@rule("generals", 42)
def test_see_through_the_ruse_stops_a_plot() -> None:
    table = open_counter_table()
    table.david.does(*ACTS["strike"])
    answer(table.may, "see-through-the-ruse")
    assert (table.may.fallen, table.david.fallen) == ([], [])
    assert sorted(table.david.discards) == ["Militia", "Tactics - Ambush"], "card and cost are gone"
    assert not table.david.may_do("xun-yu#2", "cao-ren#1"), "and the executor's attack"
    assert len(table.may.hand) == 7
    assert "See Through the Ruse" in table.may.discards


# ---- Empty Fort ------------------------------------------------------------------------------------------------------


@rule("generals", 42)
def test_empty_fort_turns_a_siege_away() -> None:
    table = open_siege_table()
    before = table.may.resources
    table.david.does("zhang-liao#2", "siege")
    answer(table.may, "empty-fort")
    assert table.may.resources == before
    assert not table.david.may_do("zhang-liao#2")
    assert len(table.may.hand) == 9 - 1 - 2


# ---- Countermand -----------------------------------------------------------------------------------------------------


@rule("generals", 42)
def test_countermand_stops_a_strategy() -> None:
    table = open_counter_table()
    table.david.does(*ACTS["strategy"])
    answer(table.may, "countermand")
    assert table.david.might("Lu Bu") == 8
    assert sorted(table.david.discards) == ["Militia", "Reward the Army"]
    assert table.david.asked == "main"
    assert len(table.may.hand) == 7


# ---- Feigned Retreat -------------------------------------------------------------------------------------------------


@rule("generals", 42)
def test_feigned_retreat_takes_the_attacked_general_home() -> None:
    table = open_counter_table()
    table.david.does(*ACTS["melee"])
    answer(table.may, "feigned-retreat")
    assert table.may.place("Cao Ren") == "FORTRESS"
    assert table.may.place("Xu Chu") == "BORDER"
    assert (table.may.fallen, table.david.fallen) == ([], [])
    assert not table.david.may_do("lu-bu#2"), "his attack is spent"


# ---- Silence the Envoy -----------------------------------------------------------------------------------------------


@rule("generals", 44)
def test_silence_the_envoy_stops_an_active_effect() -> None:
    table = open_counter_table()
    table.david.does(*ACTS["active"])
    answer(table.may, "silence-the-envoy")
    assert table.david.asked == "main"
    assert (len(table.david.hand), table.david.discards) == (5, [])
    assert not table.david.may_do("sun-quan#2", "active:1"), "its use is spent"
    assert table.david.may_do("sun-quan#2", "@border")


# ---- Turned Plot -----------------------------------------------------------------------------------------------------


def open_plot_table(executor: str, *targets: str) -> Table:
    """David's general plays a flood against May's generals, and she holds a Turned Plot."""
    table = Table(commandments=QUIET, ask=True)
    table.may.has(*targets, "Zhang Fei", at="BORDER").holds("Turned Plot", "Plunder", "Red Hare")
    table.david.has(executor, "Lu Bu", at="ENEMY_BORDER").holds("Tactics - Water", "Militia", "Archers")
    table.turn(table.david)
    slug = executor.lower().replace(" ", "-")
    table.david.does("tactics-water", f"{slug}#2")
    return table


def test_turned_plot_stops_the_plot_and_strikes_its_executor() -> None:
    """Guo Jia's 6 against Cao Ren's 3."""
    table = open_plot_table("Cao Ren", "Guo Jia")
    table.david.does("guo-jia#1", "done")
    answer(table.may, "turned-plot")
    assert (table.may.fallen, table.david.fallen) == ([], ["Cao Ren"])
    assert table.david.field == ["Lu Bu"]
    assert table.may.hand == []


# ---- Iron Discipline -------------------------------------------------------------------------------------------------


@rule("generals", 41, 43)
def test_iron_discipline_answers_a_counter_on_the_owners_turn() -> None:
    table = open_counter_table()
    table.david.does("tactics-ambush", "xun-yu#2", "cao-ren#1", "militia")
    table.may.does("see-through-the-ruse")
    pay(table.may)
    assert table.david.asked == "answer"
    assert "iron-discipline" in table.david.choices
    answer(table.david, "iron-discipline")
    while table.may.asked == "answer":
        table.may.passes()
    assert table.may.fallen == ["Cao Ren"], "the plot goes on"
    assert "Iron Discipline" in table.david.discards
    assert "See Through the Ruse" in table.may.discards
