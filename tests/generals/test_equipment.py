"""Equipment: rulings 37 to 39."""

from __future__ import annotations

import pytest

from gonfalon.core.text.citations import cite_rule
from gonfalon.testing import rule
from tests.generals.folk import card, plain


@rule("generals", 37)
def test_a_general_bears_one_armament_and_one_troop() -> None:
    table = plain()
    table.may.has("Ash", gear=("Feather Fan",)).holds("Militia", "Green Dragon Blade", "Archers", "Red Hare")
    assert cite_rule(table.may.why_not("green-dragon-blade")) == (
        "No general is free to bear Green Dragon Blade: each bears one Armament (ruling 37)."
    )
    table.may.does("militia", "ash#1")
    assert table.may.gear == ["Feather Fan", "Militia"]
    assert (
        cite_rule(table.may.why_not("archers"))
        == "No general is free to bear Archers: each bears one Troop (ruling 37)."
    )


@rule("generals", 37)
def test_nothing_is_exchanged_and_another_general_may_bear_it() -> None:
    table = plain()
    table.may.has("Ash", gear=("Feather Fan", "Militia")).has("Birch").holds("Archers", "Red Hare", "Kite", "Kite")
    table.may.does("archers")
    assert table.may.choices == ["birch#1"]
    assert "one Armament and one Troop" in table.may.why_not("ash#1")


@rule("generals", 38)
def test_two_armaments_of_a_name_are_refused_and_two_troops_are_not() -> None:
    table = plain()
    table.may.has("Ash", gear=("Feather Fan", "Militia")).has("Birch").holds("Feather Fan", "Militia", "Archers")
    assert cite_rule(table.may.why_not("feather-fan")) == (
        "One of your generals already bears Feather Fan. An Armament is unique (ruling 38)."
    )
    table.may.does("militia", "birch#1")
    assert table.may.gear == ["Feather Fan", "Militia", "Militia"]
    assert (table.may.might("Ash"), table.may.might("Birch")) == (6, 5)


@rule("generals", 38)
def test_an_armament_whose_bearer_left_is_free_again() -> None:
    table = plain()
    table.may.has("Reed", at="BORDER", gear=("Feather Fan",)).has("Ash").holds("Feather Fan", "Archers")
    table.david.has("Wolf", at="ENEMY_BORDER")
    table.may.does("reed#1", "wolf#2", "feather-fan", "ash#1")
    assert table.may.gear == ["Feather Fan"]
    assert table.may.discards == ["Archers", "Feather Fan"]


RETIRE = {"op": "exile", "target": {"side": "friend", "count": 1}}
HERMITAGE = card("X30", "Hermitage", "strategy", {"kind": "play", "do": [RETIRE]})


@rule("generals", 39)
@pytest.mark.parametrize("way", ["melee", "bounce", "cost", "exile"])
def test_equipment_goes_to_discard_however_its_general_leaves(way: str) -> None:
    table = plain(HERMITAGE)
    if way == "melee":
        table.may.has("Zhou Cang", at="BORDER", gear=("Feather Fan", "Militia"))
        table.david.has("Lu Bu", at="ENEMY_BORDER")
        table.may.does("zhou-cang#1", "lu-bu#2")
        assert table.may.fallen == ["Zhou Cang"]
    elif way == "bounce":
        table.may.has("Zhou Cang", gear=("Feather Fan", "Militia"))
        table.turn(table.david)
        table.david.has("Lu Bu").holds("Lure the Tiger").does("lure-the-tiger")
        assert table.may.hand == ["Zhou Cang"]
    elif way == "cost":
        table.may.has("Zhou Cang", gear=("Feather Fan", "Militia")).holds("Lure the Tiger")
        table.david.has("Lu Bu")
        table.may.does("lure-the-tiger")
        assert table.may.fallen == ["Zhou Cang"]
    else:
        table.may.has("Zhou Cang", gear=("Feather Fan", "Militia")).holds("Hermitage")
        table.may.does("hermitage")
        assert table.may.exiled == ["Zhou Cang"]
    assert table.may.gear == []
    assert {"Feather Fan", "Militia"} <= set(table.may.discards)
