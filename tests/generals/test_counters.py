"""Counters: rulings 40 to 43."""

from __future__ import annotations

from typing import Any

import pytest

from gonfalon.core.text.citations import cite_rule
from gonfalon.games.generals.face.fights import list_fights
from gonfalon.games.generals.rules.state import GeneralsState
from gonfalon.testing import rule
from tests.generals.folk import card, plain
from tests.generals.scenario import Table

WHISPER = card(
    "X30",
    "Whisper",
    "strategy",
    {
        "kind": "tactic",
        "do": [
            {
                "op": "plot",
                "by": {"ref": "executor"},
                "target": {"side": "enemy", "count": 1},
                "bonus": 0,
                "success": "casualty",
            }
        ],
    },
    cost=1,
    subtypes=["tactics"],
    requires=[["executor"]],
)
DRILL = {"kind": "active", "cost": {"hand": 0}, "do": [{"op": "draw", "n": 1, "who": "you"}]}
OAK = card("X31", "Oak", "character", DRILL, might=3, wits=3)
ACTS = {
    # what May does, and which Counter answers it
    "strategy": (["reward-the-army", "archers"], "Countermand"),
    "tactical_strike": (["whisper", "oak#1", "archers"], "See Through the Ruse"),
    "active": (["oak#1", "active:1"], "Silence the Envoy"),
    "equip": (["militia", "oak#1"], "Stolen Halberds"),
    "melee": (["oak#1", "reed#2"], "Feigned Retreat"),
    "siege": (["oak#1", "siege"], "Empty Fort"),
}
COUNTERS = ["Countermand", "See Through the Ruse", "Silence the Envoy", "Stolen Halberds", "Feigned Retreat"]
COUNTERS += ["Empty Fort", "Iron Discipline", "Turned Plot", "Straw Boats"]


def ready(act: str, *counters: str, **options: Any) -> Table:
    """Return a table where May can do each of the acts and David holds these Counters and cards to pay with."""
    table = plain(WHISPER, OAK, ask=True, **options)
    table.may.has("Oak", at="ENEMY_BORDER").holds("Reward the Army", "Whisper", "Militia", "Archers", "Iron Discipline")
    table.may.holds("Archers")
    table.david.has("Reed", at="FORTRESS" if act == "siege" else "BORDER")
    table.david.holds(*counters, "Red Hare", "Feather Fan", "Wooden Oxen")
    return table


def slug(act: str) -> str:
    """Return the Counter in the notation."""
    return ACTS[act][1].lower().replace(" ", "-")


def take_act(table: Table, act: str) -> None:
    table.may.does(*ACTS[act][0])


@pytest.mark.parametrize("act", ACTS)
@rule("generals", 40)
def test_the_window_opens_when_the_act_is_aimed_and_paid_and_before_it_happens(act: str) -> None:
    table = ready(act, ACTS[act][1])
    hand = len(table.may.hand)
    take_act(table, act)
    assert table.david.asked == "answer"
    assert table.may.asked == ""
    assert table.david.choices == ["pass", slug(act)]
    paid = {"strategy": 2, "tactical_strike": 2, "equip": 1}.get(act, 0)
    assert len(table.may.hand) == hand - paid
    assert (table.may.might("Oak"), table.may.gear) == (3, [])
    assert (table.david.field, table.david.resources) == (["Reed"], 30)
    table.david.passes()
    assert table.may.asked == "main"
    happened = {
        "strategy": table.may.might("Oak") == 4,
        "tactical_strike": table.david.fallen == ["Reed"],
        "active": len(table.may.hand) == hand + 1,
        "equip": table.may.gear == ["Militia"],
        "melee": table.david.fallen == ["Reed"],
        "siege": table.david.resources == 27,
    }
    assert happened[act]


@pytest.mark.parametrize("act", ACTS)
@rule("generals", 40)
def test_each_counter_answers_exactly_its_printed_acts(act: str) -> None:
    """The texts: Countermand answers a Strategy that is not Tactics, See Through the Ruse and Turned Plot a Tactical
    Strike, Silence the Envoy an active effect, Stolen Halberds equipping, Feigned Retreat a melee, Empty Fort a
    Siege, Straw Boats a melee or a Siege, Iron Discipline a Counter."""
    table = ready(act, *COUNTERS)
    take_act(table, act)
    also = {"tactical_strike": {"turned-plot"}, "melee": {"straw-boats"}, "siege": {"straw-boats"}}.get(act, set())
    assert set(table.david.choices) == {"pass", slug(act), *also}
    assert cite_rule(table.david.why_not("iron-discipline")) == "Iron Discipline does not answer this (ruling 40)."


@rule("generals", 40)
def test_recruiting_moving_and_the_phases_cannot_be_answered() -> None:
    table = ready("active", *COUNTERS)
    table.may.holds("Sedge").does("sedge")
    assert table.may.asked == "main"
    table.may.does("oak#1", "@border")
    assert table.may.asked == "main"
    table.may.ends()
    assert table.david.asked == "main"


@pytest.mark.parametrize("act", ACTS)
@rule("generals", 42)
def test_a_negated_act_does_nothing_and_all_is_spent(act: str) -> None:
    table = ready(act, ACTS[act][1])
    take_act(table, act)
    before = len(table.may.hand)
    table.david.does(slug(act), "red-hare")
    if table.david.asked == "pay":
        table.david.does("wooden-oxen")
    while table.may.asked == "answer":
        table.may.passes()
    if table.state.turn == -1:
        table.chance("archers")
    assert table.may.asked == "main"
    assert (table.may.might("Oak"), table.may.gear) == (3, [])
    assert (table.david.fallen, table.david.resources) == ([], 30)
    lost = {"strategy": "Reward the Army", "tactical_strike": "Whisper", "equip": "Militia"}.get(act)
    if lost:
        assert lost in table.may.discards
    assert len(table.may.hand) == before - (act == "equip"), "Stolen Halberds cost her one more card"
    if act in ("tactical_strike", "melee", "siege"):
        assert cite_rule(table.may.why_not("oak#1", "siege" if act == "siege" else "@border")) == (
            "Oak has already attacked this turn (ruling 9)."
            if act == "siege"
            else "Oak has attacked this turn. A general can move or attack, not both (ruling 9)."
        )
    if act == "active":
        assert (
            cite_rule(table.may.why_not("oak#1", "active:1")) == "Oak has already used an effect this turn (ruling 44)."
        )
    else:
        assert table.may.may_do("oak#1", "active:1")
    # The Counter and what paid for it lie in David's DISCARD.
    assert len(table.david.discards) == (3 if act == "siege" else 2)


@rule("generals", 41, 43)
def test_a_counter_can_be_countered_and_the_last_is_resolved_first() -> None:
    """May's Siege, David's Empty Fort, May's Iron Discipline, David's Iron Discipline: the Siege is negated. Without
    the last one it resolves."""
    for last in (True, False):
        table = ready("siege", "Empty Fort", "Iron Discipline")
        take_act(table, "siege")
        table.david.does("empty-fort", "red-hare", "feather-fan")
        assert table.may.asked == "answer"
        assert table.may.choices == ["pass", "iron-discipline"], "the only Counter of one's own turn"
        table.may.does("iron-discipline", "archers")
        assert table.david.choices == ["pass", "iron-discipline"]
        if last:
            table.david.does("iron-discipline")
            table.may.passes()  # his Iron Discipline stands
            assert table.may.asked == "answer", "hers is gone, and Empty Fort is still there to be answered"
            table.may.passes()
        else:
            table.david.passes()
            assert table.david.asked == "answer", "the act is still there to be answered"
            table.david.passes()
        assert table.may.asked == "main"
        assert table.david.resources == (30 if last else 27)


@rule("generals", 41)
def test_any_number_of_counters_answers_one_act() -> None:
    """The first is countered, and David plays a second."""
    table = ready("siege", "Empty Fort", "Straw Boats")
    table.david.holds("Archers", "Militia")
    take_act(table, "siege")
    table.david.does("straw-boats", "red-hare", "feather-fan")
    table.may.does("iron-discipline", "archers")
    while table.david.asked == "answer" and "empty-fort" not in table.david.choices:
        table.david.passes()
    table.david.does("empty-fort", "wooden-oxen", "militia")
    table.may.passes()
    assert table.david.resources == 30
    assert table.may.asked == "main"


@rule("generals", 41)
def test_without_the_chain_counters_cannot_be_countered() -> None:
    table = ready("siege", "Empty Fort", "Iron Discipline", counter_chain=False)
    take_act(table, "siege")
    table.david.does("empty-fort", "red-hare", "feather-fan")
    assert table.may.asked == "main", "May was not asked"
    assert table.david.resources == 30
    assert "Iron Discipline" in table.may.hand


@rule("generals", 43)
def test_counters_are_not_played_in_the_owners_main_phase() -> None:
    table = ready("siege")
    assert cite_rule(table.may.why_not("iron-discipline")) == (
        "Iron Discipline is a Counter: it answers an act of the enemy (ruling 43)."
    )
    take_act(table, "siege")
    table.david.passes()
    assert "iron-discipline" not in table.may.choices


@rule("generals", 43)
def test_nothing_but_counters_is_played_in_the_enemys_turn() -> None:
    table = ready("siege", "Empty Fort", "Reward the Army")
    take_act(table, "siege")
    assert cite_rule(table.david.why_not("reward-the-army")) == (
        "Reward the Army is not a Counter. In the enemy's turn you can only play Counters (ruling 43)."
    )


@rule("generals", 42)
def test_a_negated_card_of_tactics_keeps_no_effect_on_the_next_card() -> None:
    """East Wind applies to the next Fire or Water, even if it is countered."""
    table = plain(ask=True)
    table.may.has("Heron", at="BORDER").holds("East Wind", "Tactics - Water", "Tactics - Water", "Militia", "Archers")
    table.may.has("Cedar", at="BORDER")
    table.david.has("Reed", at="ENEMY_BORDER").holds("See Through the Ruse", "Red Hare")
    table.may.does("east-wind")
    table.david.passes()
    assert table.may.cost("Tactics - Water") == 0
    table.may.does("tactics-water", "heron#1")
    table.david.does("see-through-the-ruse")
    table.may.passes()
    assert table.david.field == ["Reed"]
    assert table.may.cost("Tactics - Water") == 2


@rule("generals", 40)
def test_all_targets_are_named_before_anything_is_paid() -> None:
    """Diaochan's two targets are named in turn, then her price is paid, then the other player is asked."""
    table = plain(ask=True)
    table.may.has("Diaochan").holds("Militia", "Archers", "Red Hare", "Feather Fan")
    table.david.has("Reed", "Sedge", "Ash").holds("Silence the Envoy", "Red Hare")
    table.may.does("diaochan#1", "active:1")
    asked = []
    for choice in ("reed#2", "ash#2", "red-hare", "feather-fan", "militia"):
        asked.append(table.may.asked)
        table.may.does(choice)
    assert asked == ["target", "target", "pay", "pay", "pay"]
    assert table.david.asked == "answer"
    table.david.passes()
    assert table.david.fallen == ["Reed"]


@pytest.mark.parametrize(("act", "score"), [("melee", [3, 2]), ("siege", [3])])
def test_an_attack_with_a_negated_counter_is_logged_as_fought(act: str, score: list[int]) -> None:
    """The log reports Oak's 3 Might against Reed's 2, or the damage, and neither if the attack itself is negated."""
    for saved in (True, False):
        table = ready(act, ACTS[act][1])
        take_act(table, act)
        table.david.does(slug(act), "red-hare", *(["feather-fan"] if act == "siege" else []))
        if saved:
            table.may.does("iron-discipline", "archers")
        while asked := [player for player in (table.may, table.david) if player.asked == "answer"]:
            asked[0].passes()
        view = table.state.mask(0)
        assert isinstance(view, GeneralsState)
        told = list_fights(table.game, view)
        assert [one["score"] for one in told] == ([score] if saved else [])
