"""Costs, Affiliation, names and CASUALTY: rulings 27 to 36."""

from __future__ import annotations

import pytest

from gonfalon.core.text.citations import cite_rule
from gonfalon.testing import rule
from tests.generals.folk import card, plain
from tests.generals.scenario import Table


@rule("generals", 29, 30)
@pytest.mark.parametrize("shu", [0, 1, 2, 3, 4])
def test_liu_bei_costs_3_less_1_for_each_shu_general(shu: int) -> None:
    """The rulebook's example: with three he costs nothing, and a fourth refunds nothing."""
    table = plain()
    table.may.has(*["Zhou Cang", "Ash", "Birch", "Cedar"][:shu]).holds("Liu Bei", "Militia", "Archers", "Feather Fan")
    assert table.may.cost("Liu Bei") == max(0, 3 - shu)
    table.may.does("liu-bei")
    for name in ("feather-fan", "militia"):
        if table.may.asked == "pay":
            table.may.does(name)
    assert "Liu Bei" in table.may.field
    assert len(table.may.hand) == 3 - max(0, 3 - shu)
    assert len(table.may.discards) == max(0, 3 - shu)


@rule("generals", 30)
def test_affiliation_counts_own_generals_in_any_zone_only() -> None:
    """Ash costs 3. He himself, other factions, the fallen and enemies do not count. Neutral generals have no
    faction."""
    table = plain()
    table.may.holds("Ash")
    assert table.may.cost("Ash") == 3
    table.may.has("Rook", "Wolf", "Reed").lost("Guan Yu").holds("Guan Yu")
    table.david.has("Birch", "Cedar", at="ENEMY_BORDER")
    assert table.may.cost("Ash") == 3
    for cost, at in ((2, "FORTRESS"), (1, "BORDER"), (0, "ENEMY_BORDER")):
        table.may.has({"FORTRESS": "Birch", "BORDER": "Cedar", "ENEMY_BORDER": "Zhou Cang"}[at], at=at)
        assert table.may.cost("Ash") == cost
    neutral = card("X30", "Oak", "character", cost=2, might=1, wits=1)
    alone = plain(neutral)
    alone.may.has("Reed", "Sedge")
    assert alone.may.cost("Oak") == 2


@rule("generals", 31)
def test_all_reductions_are_added_and_then_floored() -> None:
    """Recruit -1, one Shu general -1: 3 - 2 = 1. With three more the cost is 0, not negative."""
    table = plain(commandments=("D01", "D05"))
    table.may.has("Birch").holds("Ash", "Militia")
    assert table.may.cost("Ash") == 1
    price = next(face["price"] for face in table.may.board["seats"][0]["hand"] if face["name"] == "Ash")
    assert price["text"] == "3 - 1 Affiliation - 1 Recruit = 1"
    assert price["parts"] == [{"what": "Affiliation", "by": -1}, {"what": "Recruit", "by": -1}]
    table.may.has("Cedar", "Zhou Cang", "Liu Bei")
    assert table.may.cost("Ash") == 0
    dearer = card(
        "X31",
        "Famine",
        "commandment",
        {
            "kind": "static",
            "do": [{"op": "modify", "stat": "recruit_cost", "by": 2, "target": ALL_GENERALS, "until": "while"}],
        },
    )
    both = plain(dearer, commandments=("X31", "X99"))
    both.may.has("Birch", "Cedar", "Zhou Cang", "Liu Bei")
    assert both.may.cost("Ash") == 1, "3 + 2 - 4: the floor comes last"


ALL_GENERALS = {"ref": "your_cards", "type": "character"}


@rule("generals", 27)
def test_other_cards_of_the_hand_pay_and_the_owner_chooses_which() -> None:
    table = plain()
    table.may.holds("Rook", "Militia", "Archers", "Feather Fan")
    table.may.does("rook", "feather-fan")
    assert table.may.why_not("feather-fan") != ""
    table.may.does("archers")
    assert table.may.discards == ["Archers", "Feather Fan"]
    assert table.may.hand == ["Militia"]
    assert table.may.field == ["Rook"]


@rule("generals", 27)
def test_a_card_never_pays_for_itself_and_nothing_is_paid_in_part() -> None:
    """Rook costs 2. He can be recruited with two other cards in hand, not with one."""
    table = plain()
    table.may.holds("Rook", "Militia")
    assert cite_rule(table.may.why_not("rook")) == "Rook costs 2 cards. You have 1 (ruling 27)."
    table.may.holds("Rook")
    table.may.does("rook")
    assert (table.may.field, table.may.hand) == (["Rook"], []), "his second copy paid"
    assert table.may.discards == ["Militia", "Rook"]


@rule("generals", 27)
def test_a_set_of_cards_is_one_payment() -> None:
    """Cards are paid in the order of the card list, so a set of cards has one way to be paid."""
    table = plain()
    table.may.holds("Rook", "Militia", "Archers", "Feather Fan")
    table.may.does("rook")
    assert table.may.choices == ["feather-fan", "militia"], "after Archers, the last, there is no second card"
    table.may.does("militia")
    assert table.may.choices == ["archers"]


TOLL = card(
    "X30", "Toll", "strategy", {"kind": "play", "do": [{"op": "draw", "n": 1, "who": "you"}]}, cost={"resource": 2}
)


@rule("generals", 28)
def test_a_card_may_print_another_cost() -> None:
    table = plain(TOLL)
    table.may.holds("Toll").resource("Guan Yu", size=3)
    table.may.does("toll")
    assert (table.may.resources, len(table.may.hand), len(table.may.discards)) == (0, 1, 3)
    assert table.may.hand != ["Guan Yu"], "he was paid with"
    poor = plain(TOLL)
    poor.may.holds("Toll").resource(size=1)
    assert cite_rule(poor.may.why_not("toll")) == "Toll costs 2 cards of RESOURCE. You have 1 (ruling 28)."
    nobody = plain()
    nobody.may.holds("Lure the Tiger")
    nobody.david.has("Ash")
    assert (
        cite_rule(nobody.may.why_not("lure-the-tiger"))
        == "Lure the Tiger costs 1 general. You have too few (ruling 28)."
    )


@rule("generals", 28)
@pytest.mark.parametrize("type", ["equipment", "strategy"])
def test_a_general_that_bears_or_executes_is_not_the_price(type: str) -> None:
    """With a general as the cost, a second one is required."""
    if type == "equipment":
        might = {"op": "modify", "stat": "might", "by": 1, "target": {"ref": "host"}, "until": "while"}
        made = card("X30", "Altar", type, {"kind": "static", "do": [might]}, cost={"sacrifice": 1}, subtypes=["troop"])
    else:
        target = {"side": "enemy", "count": 1}
        plot = {"op": "plot", "by": {"ref": "executor"}, "target": target, "bonus": 0, "success": "casualty"}
        parts = {"cost": {"sacrifice": 1}, "subtypes": ["tactics"], "requires": [["executor"]]}
        made = card("X30", "Altar", type, {"kind": "tactic", "do": [plot]}, **parts)
    table = plain(made)
    table.may.has("Cedar").holds("Altar")
    table.david.has("Reed")
    assert cite_rule(table.may.why_not("altar")) == "Altar costs 1 other general. You have too few (ruling 28)."
    table.may.has("Sedge")
    table.may.does("altar", "cedar#1")
    assert table.may.fallen == ["Sedge"]
    assert table.may.field == ["Cedar"]


@rule("generals", 29)
def test_the_printed_cost_never_changes() -> None:
    """Birch (printed 2) costs nothing now, but Zhang Jiao requires a printed cost of 1 or less, and so does the card
    that recruits such generals. Diaochan is Qun and printed 2, Zhang Bao 1."""
    table = Table()
    table.may.has("Zhang Jiao", "Lu Bu").holds("Diaochan", "Zhang Bao")
    assert (table.may.cost("Diaochan"), table.may.cost("Zhang Bao")) == (0, 0)
    table.may.does("diaochan")
    assert len(table.may.hand) == 1, "no card for her"
    table.may.does("zhang-bao")
    assert len(table.may.hand) == 1, "a card for him"
    swarm = Table()
    swarm.may.has("Lu Bu", "Zhang Jiao").holds("Yellow Sky Rising", "Diaochan", "Zhang Liang", "Militia")
    swarm.may.does("yellow-sky-rising", "militia")
    assert swarm.may.choices == ["done", "zhang-liang"]


@rule("generals", 32)
def test_a_name_is_free_unless_it_is_on_the_own_side_or_fallen() -> None:
    fresh = plain()
    fresh.may.holds("Reed")
    fresh.david.has("Reed").lost("Sedge")
    fresh.may.holds("Sedge").discarded("Reed")
    assert fresh.may.may_do("reed"), "the enemy's Reed and a Reed in DISCARD do not matter"
    assert fresh.may.may_do("sedge"), "nor does one in the enemy's CASUALTY"
    standing = plain()
    standing.may.has("Reed", at="ENEMY_BORDER").holds("Reed")
    assert cite_rule(standing.may.why_not("reed")) == "Reed is already on your side of the field (ruling 32)."
    fallen = plain()
    fallen.may.lost("Reed").holds("Reed")
    assert cite_rule(fallen.may.why_not("reed")) == ("Reed has fallen and cannot be recruited again (ruling 32).")


@rule("generals", 32)
def test_a_general_out_of_game_leaves_his_name_free() -> None:
    retire = {"op": "exile", "target": {"side": "friend", "count": 1}}
    table = plain(card("X30", "Hermitage", "strategy", {"kind": "play", "do": [retire]}))
    table.may.has("Reed").holds("Reed", "Hermitage")
    assert not table.may.may_do("reed")
    table.may.does("hermitage")
    assert table.may.exiled == ["Reed"]
    table.may.does("reed")
    assert table.may.field == ["Reed"]


@rule("generals", 34)
def test_nothing_comes_back_from_casualty() -> None:
    """No payment, recruiting card, search or return to a hand reaches CASUALTY."""
    table = Table()
    table.may.lost("Zhang Liang", "Zhang Bao").holds("Zhang Liang", "Yellow Sky Rising", "Militia", "Archers")
    assert "cannot be recruited again" in table.may.why_not("zhang-liang")
    table.may.does("yellow-sky-rising", "archers")
    assert table.may.choices == ["done"]
    assert cite_rule(table.may.why_not("zhang-liang")) == (
        "Zhang Liang has fallen and cannot be recruited again (ruling 32)."
    )
    table.may.does("done")
    assert table.may.fallen == ["Zhang Liang", "Zhang Bao"]


@rule("generals", 35)
def test_a_general_discarded_or_depleted_never_fell() -> None:
    """One copy pays and one is depleted. The third card of the name can still be recruited."""
    table = plain()
    table.may.has("Sedge", at="ENEMY_BORDER").holds("Rook", "Kite", "Reed")
    table.david.resource("Reed", size=10)
    table.may.does("rook")
    table.may.does("sedge#1", "siege")
    assert table.may.discards == ["Kite", "Reed"]
    assert "Reed" in table.david.discards
    assert (table.may.fallen, table.david.fallen) == ([], [])
    table.may.holds("Reed").does("reed")
    table.may.ends()
    table.david.holds("Reed").does("reed")
    assert "Reed" in table.may.field
    assert table.david.field == ["Reed"]


MOURNED = card(
    "X30",
    "Oak",
    "character",
    {
        "kind": "trigger",
        "when": {"event": "to_casualty", "subject": {"ref": "self"}},
        "do": [{"op": "draw", "n": 1, "who": "you"}],
    },
    might=1,
    wits=1,
)


@rule("generals", 36)
def test_a_general_spent_as_a_cost_falls_and_sets_off_nothing() -> None:
    fallen = plain(MOURNED)
    fallen.may.has("Oak", at="BORDER")
    fallen.david.has("Ash", at="ENEMY_BORDER")
    fallen.may.does("oak#1", "ash#2")
    assert (fallen.may.fallen, len(fallen.may.hand)) == (["Oak"], 1)
    spent = plain(MOURNED)
    spent.may.has("Oak", gear=("Militia",)).holds("Lure the Tiger")
    spent.david.has("Ash")
    spent.may.does("lure-the-tiger")
    assert (spent.may.fallen, spent.may.hand) == (["Oak"], [])
    assert spent.may.discards == ["Lure the Tiger", "Militia"], "what he bore goes to DISCARD all the same"
    assert spent.david.hand == ["Ash"]
