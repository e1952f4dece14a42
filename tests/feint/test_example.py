"""The rulebook's worked example of a Resolution: 32 against 31."""

from __future__ import annotations

from gonfalon.testing import rule
from tests.feint.scenario import Table, card


@rule("feint", 40)
def test_may_wins_thirty_two_to_thirty_one() -> None:
    cards = [card("six", 6), card("four", 4), card("three", 3), card("five", 5), card("two", 2)]
    mays = [{**c, "slug": f"may-{c['slug']}"} for c in cards]
    davids = [{**c, "slug": f"david-{c['slug']}"} for c in cards]
    table = Table(may=mays, david=davids)
    table.may.has("may-six", at=2).has("may-four", at=5).has("may-two", at=3).scouted(2).morale_is(23)
    table.david.has("david-three", at=2).has("david-five", at=5).has("david-two", at=3).has("david-four", at=6)
    table.david.scouted(5).morale_is(23)
    table.may.holds("red-filler")
    table.david.holds("blue-filler")
    table.deploys(table.may).both_pass()

    shown = table.resolution
    assert shown["battles"] == [2, 5]
    assert [part["strength"] * part["number"] for part in shown["sums"][0]["parts"]] == [12, 20]
    assert [part["strength"] * part["number"] for part in shown["sums"][1]["parts"]] == [6, 25]
    assert [side["total"] for side in shown["sums"]] == [32, 31]
    assert shown["winner"] == 0
    assert not shown["tie"]
    assert (table.may.points, table.david.points) == (1, 0)
    assert table.may.morale == 23
    assert table.david.morale == 23 - 4, "four cards of Morale 1 lay at David's Locations"
