"""The seven Counters: what each one stops, what it does not, and what becomes of the rest of the turn.

David is on his turn and acts, May answers.
"""

from __future__ import annotations

import pytest

from gonfalon.testing import rule
from tests.generals.scenario import Player, Table, pay

QUIET = ("D06", "D06")


@pytest.mark.parametrize(
    ("name", "cost"),
    [
        ("See Through the Ruse", 1),
        ("Empty Fort", 2),
        ("Countermand", 1),
        ("Feigned Retreat", 1),
        ("Silence the Envoy", 1),
        ("Turned Plot", 2),
        ("Iron Discipline", 1),
    ],
)
def test_what_is_printed(name: str, cost: int) -> None:
    table = Table(commandments=QUIET)
    assert table.may.cost(name) == cost
    card = table.game.pool.find(name)
    assert card is not None
    assert (card.type, card.faction) == ("counter", "NONE")


ALL = {
    "see-through-the-ruse",
    "empty-fort",
    "countermand",
    "feigned-retreat",
    "silence-the-envoy",
    "turned-plot",
    "iron-discipline",
}
ACTS = {
    "strike": ("tactics-ambush", "xun-yu#2", "cao-ren#1", "militia"),
    "strategy": ("reward-the-army", "militia"),
    "active": ("sun-quan#2", "active:1"),
    "equip": ("militia", "xun-yu#2"),
    "melee": ("lu-bu#2", "cao-ren#1"),
    "siege": ("zhang-liao#2", "siege"),
}
"""Everything of David's that can be answered."""
RIGHT = {
    "strike": {"see-through-the-ruse", "turned-plot"},
    "strategy": {"countermand"},
    "active": {"silence-the-envoy"},
    "equip": set(),
    "melee": {"feigned-retreat"},
    "siege": {"empty-fort"},
}


def facing() -> Table:
    """David's turn, with something for every Counter; May's Cao Ren and Xu Chu stand at her BORDER, and she holds all
    seven with cards to pay."""
    table = Table(commandments=QUIET, ask=True)
    table.may.has("Cao Ren", "Xu Chu", at="BORDER")
    table.may.holds("See Through the Ruse", "Empty Fort", "Countermand", "Feigned Retreat", "Silence the Envoy")
    table.may.holds("Turned Plot", "Iron Discipline", "Plunder", "Red Hare")
    table.david.has("Xun Yu", "Lu Bu", at="ENEMY_BORDER").has("Sun Quan")
    table.david.holds("Tactics - Ambush", "Reward the Army", "Iron Discipline", "Militia", "Militia")
    return table.turn(table.david)


def besieged() -> Table:
    """The same with Zhang Liao before May's walls, and nobody of hers there."""
    table = facing()
    for name in ("Cao Ren", "Xu Chu"):
        table.state.zone[table.may.unit(name)] = 0
    table.david.has("Zhang Liao", at="ENEMY_BORDER")
    return table.turn(table.david)


def answer(player: Player, counter: str) -> None:
    """Play a Counter and pay for it, and let it happen."""
    player.does(counter)
    pay(player)
    other = player.table.david if player is player.table.may else player.table.may
    if other.asked == "answer":
        other.passes()


@rule("generals", 40)
@pytest.mark.parametrize("act", ACTS)
def test_each_act_has_its_counters(act: str) -> None:
    """Of all seven only those whose text names the act can be played."""
    table = besieged() if act == "siege" else facing()
    table.david.does(*ACTS[act])
    if not RIGHT[act]:
        assert table.may.asked == "" or not ALL & set(table.may.choices)
    else:
        assert ALL & set(table.may.choices) == RIGHT[act]


# ---- See Through the Ruse --------------------------------------------------------------------------------------------


@rule("generals", 42)
def test_see_through_the_ruse_stops_a_plot() -> None:
    table = facing()
    table.david.does(*ACTS["strike"])
    answer(table.may, "see-through-the-ruse")
    assert (table.may.fallen, table.david.fallen) == ([], [])
    assert sorted(table.david.discards) == ["Militia", "Tactics - Ambush"], "card and cost are gone"
    assert not table.david.may_do("xun-yu#2", "cao-ren#1"), "and the executor's attack"
    assert len(table.may.hand) == 7
    assert "See Through the Ruse" in table.may.discards


def test_see_through_the_ruse_let_pass_the_plot_succeeds() -> None:
    table = facing()
    table.david.does(*ACTS["strike"])
    table.may.passes()
    assert table.may.fallen == ["Cao Ren"]


def test_see_through_the_ruse_is_for_tactics_only() -> None:
    for act in ("strategy", "active", "melee"):
        table = facing()
        table.david.does(*ACTS[act])
        assert not table.may.may_do("see-through-the-ruse"), act


# ---- Empty Fort ------------------------------------------------------------------------------------------------------


@rule("generals", 42)
def test_empty_fort_turns_a_siege_away() -> None:
    table = besieged()
    before = table.may.resources
    table.david.does("zhang-liao#2", "siege")
    answer(table.may, "empty-fort")
    assert table.may.resources == before
    assert not table.david.may_do("zhang-liao#2")
    assert len(table.may.hand) == 9 - 1 - 2


def test_empty_fort_turns_one_siege_away() -> None:
    table = besieged()
    table.david.has("Yan Liang", at="ENEMY_BORDER")
    before = table.may.resources
    table.david.does("zhang-liao#2", "siege")
    answer(table.may, "empty-fort")
    table.david.does("yan-liang#2", "siege")
    if table.may.asked == "answer":
        table.may.passes()
    assert table.may.resources == before - 6


def test_empty_fort_costs_two_cards_and_stops_no_melee() -> None:
    table = Table(commandments=QUIET, ask=True)
    table.may.holds("Empty Fort", "Plunder")
    table.david.has("Zhang Liao", at="ENEMY_BORDER")
    table.turn(table.david)
    table.david.does("zhang-liao#2", "siege")
    assert table.may.choices == ["pass"]
    melee = facing()
    melee.david.does(*ACTS["melee"])
    assert not melee.may.may_do("empty-fort")


# ---- Countermand -----------------------------------------------------------------------------------------------------


@rule("generals", 42)
def test_countermand_stops_a_strategy() -> None:
    table = facing()
    table.david.does(*ACTS["strategy"])
    answer(table.may, "countermand")
    assert table.david.might("Lu Bu") == 8
    assert sorted(table.david.discards) == ["Militia", "Reward the Army"]
    assert table.david.asked == "main"
    assert len(table.may.hand) == 7


def test_countermand_let_pass_the_strategy_works() -> None:
    table = facing()
    table.david.does(*ACTS["strategy"])
    table.may.passes()
    assert table.david.might("Lu Bu") == 9


def test_countermand_does_not_stop_tactics() -> None:
    table = facing()
    table.david.does(*ACTS["strike"])
    assert not table.may.may_do("countermand")


@rule("generals", 64)
def test_countermand_stops_even_an_oath() -> None:
    table = Table(commandments=QUIET, ask=True)
    table.may.holds("Countermand", "Plunder")
    table.david.has("Liu Bei", "Guan Yu", "Zhang Fei", at="ENEMY_BORDER").holds(
        "Peach Garden Oath", "Militia", "Archers"
    )
    table.turn(table.david)
    table.david.does("peach-garden-oath")
    answer(table.may, "countermand")
    assert not table.over
    assert table.david.might("Guan Yu") == 8, "Liu Bei's heart, and no oath"


# ---- Feigned Retreat -------------------------------------------------------------------------------------------------


@rule("generals", 42)
def test_feigned_retreat_takes_the_attacked_general_home() -> None:
    table = facing()
    table.david.does(*ACTS["melee"])
    answer(table.may, "feigned-retreat")
    assert table.may.place("Cao Ren") == "FORTRESS"
    assert table.may.place("Xu Chu") == "BORDER"
    assert (table.may.fallen, table.david.fallen) == ([], [])
    assert not table.david.may_do("lu-bu#2"), "his attack is spent"


def test_feigned_retreat_works_before_the_enemys_walls() -> None:
    table = Table(commandments=QUIET, ask=True)
    table.may.has("Cao Ren", at="ENEMY_BORDER").holds("Feigned Retreat", "Plunder")
    table.david.has("Lu Bu", at="BORDER")
    table.turn(table.david)
    table.david.does("lu-bu#2", "cao-ren#1")
    answer(table.may, "feigned-retreat")
    assert table.may.place("Cao Ren") == "FORTRESS"


def test_feigned_retreat_is_no_answer_to_a_siege_or_a_plot() -> None:
    siege = besieged()
    siege.david.does("zhang-liao#2", "siege")
    assert not siege.may.may_do("feigned-retreat")
    plot = facing()
    plot.david.does(*ACTS["strike"])
    assert not plot.may.may_do("feigned-retreat")


# ---- Silence the Envoy -----------------------------------------------------------------------------------------------


@rule("generals", 44)
def test_silence_the_envoy_stops_an_active_effect() -> None:
    table = facing()
    table.david.does(*ACTS["active"])
    answer(table.may, "silence-the-envoy")
    assert table.david.asked == "main"
    assert (len(table.david.hand), table.david.discards) == (5, [])
    assert not table.david.may_do("sun-quan#2", "active:1"), "its use is spent"
    assert table.david.may_do("sun-quan#2", "@border")


def test_silence_the_envoy_does_not_give_the_price_back() -> None:
    table = Table(commandments=QUIET, ask=True)
    table.may.holds("Silence the Envoy", "Plunder")
    table.david.has("Huang Gai")
    table.turn(table.david)
    table.david.does("huang-gai#2", "active:1")
    answer(table.may, "silence-the-envoy")
    assert (table.david.might("Huang Gai"), table.david.resources) == (4, 28)


def test_silence_the_envoy_silences_no_card() -> None:
    for act in ("strategy", "strike", "melee"):
        table = facing()
        table.david.does(*ACTS[act])
        assert not table.may.may_do("silence-the-envoy"), act


# ---- Turned Plot -----------------------------------------------------------------------------------------------------


def plotted(executor: str, *targets: str) -> Table:
    """David's general lays a flood for May's generals; she holds a Turned Plot."""
    table = Table(commandments=QUIET, ask=True)
    table.may.has(*targets, "Zhang Fei", at="BORDER").holds("Turned Plot", "Plunder", "Red Hare")
    table.david.has(executor, "Lu Bu", at="ENEMY_BORDER").holds("Tactics - Water", "Militia", "Archers")
    table.turn(table.david)
    slug = executor.lower().replace(" ", "-")
    table.david.does("tactics-water", f"{slug}#2")
    return table


def test_turned_plot_stops_the_plot_and_strikes_its_executor() -> None:
    """Guo Jia's 6 against Cao Ren's 3."""
    table = plotted("Cao Ren", "Guo Jia")
    table.david.does("guo-jia#1", "done")
    answer(table.may, "turned-plot")
    assert (table.may.fallen, table.david.fallen) == ([], ["Cao Ren"])
    assert table.david.field == ["Lu Bu"]
    assert table.may.hand == []


@rule("generals", 21)
def test_turned_plot_fails_against_equal_wits_but_still_negates() -> None:
    table = plotted("Xun Yu", "Guo Jia")
    table.david.does("guo-jia#1", "done")
    answer(table.may, "turned-plot")
    assert (table.may.fallen, table.david.fallen) == ([], [])


def test_turned_plot_is_plotted_by_one_of_the_targets() -> None:
    """Xu Chu (1) and Guo Jia (6) were targets, Zhang Fei was not."""
    table = plotted("Cao Ren", "Guo Jia", "Xu Chu")
    table.david.does("xu-chu#1", "guo-jia#1")
    table.may.does("turned-plot")
    seen = set()
    while table.may.asked in ("target", "pay"):
        if table.may.asked == "target":
            seen = set(table.may.choices)
            table.may.does("xu-chu#1")
        else:
            table.may.does(table.may.choices[0])
    if table.david.asked == "answer":
        table.david.passes()
    assert seen == {"xu-chu#1", "guo-jia#1"}
    assert (table.may.fallen, table.david.fallen) == ([], []), "1 against 3"


def test_turned_plot_is_for_tactics_only() -> None:
    table = facing()
    table.david.does(*ACTS["strategy"])
    assert not table.may.may_do("turned-plot")


# ---- Iron Discipline -------------------------------------------------------------------------------------------------


@rule("generals", 41, 43)
def test_iron_discipline_answers_a_counter_on_ones_own_turn() -> None:
    table = facing()
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


def test_iron_discipline_is_no_card_for_the_main_phase() -> None:
    table = facing()
    assert not table.david.may_do("iron-discipline")
    assert "Counter" in table.david.why_not("iron-discipline")


@rule("generals", 41)
def test_iron_discipline_can_be_answered_by_another() -> None:
    table = facing()
    table.david.does("reward-the-army", "militia")
    table.may.does("countermand")
    pay(table.may)
    table.david.does("iron-discipline")
    pay(table.david)
    assert "iron-discipline" in table.may.choices
    table.may.does("iron-discipline")
    pay(table.may)
    while table.david.asked == "answer":
        table.david.passes()
    assert table.david.might("Lu Bu") == 8, "Countermand stands"


def test_iron_discipline_does_not_stop_the_act_itself() -> None:
    for act in ("strategy", "strike", "melee", "active"):
        table = facing()
        table.david.does(*ACTS[act])
        assert not table.may.may_do("iron-discipline"), act
