"""Cards of an owner's file that change the Capacity of a Location, or the number of rounds."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from gonfalon import Rng
from gonfalon.bots import Budget, make
from gonfalon.core.basics.errors import DataError
from gonfalon.core.text.citations import cite_rule
from gonfalon.games.feint import Feint, box
from gonfalon.games.feint.rules import events
from gonfalon.testing import rule
from tests.feint.scenario import Table, card
from tests.feint.test_round import rounds_won_by

WALL = card("wall", 2, "capacity", by=3, tags=("gang",))
SWAMP = card("swamp", 1, "capacity", by=-4)
HERALD = card("herald", 1, "rounds", by=1, morale=0)
OX = card("ox", 6)


def ground(**options: Any) -> Table:
    """Return a table where May has walls (+3) and swamps (-4), and David cards of Strength 8 and 0."""
    few = ({**made, "copies": 3} for made in (WALL, SWAMP, OX, card("five", 5), card("mason", 1, "engineer")))
    table = Table(
        may=[*few, card("bit", 1, "gangan", tags=("gang",), copies=2), card("earth", 3, "master-of-earth", copies=2)],
        david=[card("eight", 8), card("mist", 0), card("wind", 1, "master-of-wind")],
        **options,
    )
    table.david.holds("blue-filler", "blue-filler")
    return table


def capacity(table: Table, number: int) -> tuple[int, int, bool]:
    """Return the public load and Capacity of a Location and whether it is closed."""
    place = next(p for p in table.game.board(table.spectator)["places"] if p["number"] == number)
    return place["load"], place["capacity"], place["closed"]


# ---- Capacity -----------------------------------------------------------------------------------------


@rule("feint", 81)
def test_a_card_changes_the_capacity_where_it_lies() -> None:
    """2 of a wall and 8 are 10 of 13. A card of 3 would fit, one of 5 does not. Other Locations do not change."""
    table = ground()
    table.may.holds("five", "wall").has("wall", at=4)
    table.david.has("eight", at=4).has("eight", at=5)
    table.deploys(table.may)
    assert capacity(table, 4) == (10, 13, False)
    assert capacity(table, 5) == (8, 10, False)
    assert table.may.may_do("wall@4")
    assert cite_rule(table.may.why_not("five@4")) == "Location 4 has room for 3. Five needs 5 (ruling 18)."
    assert "10/13" in table.game.text(table.may.view, ["You", "David"])


@rule("feint", 81)
def test_it_makes_no_room_for_itself() -> None:
    """The load is 9. With the wall's 2 it would be 11 of 10, although it would be 11 of 13 once it was there."""
    table = ground()
    table.may.holds("wall").has("red-filler", at=4)
    table.david.has("eight", at=4)
    table.deploys(table.may)
    assert table.may.why_not("wall@4") == "Location 4 has room for 1. Wall needs 2."


@rule("feint", 20, 81)
def test_it_may_leave_a_location_above_its_capacity() -> None:
    """8 and a swamp of 1 are 9 of 6. Not even Strength 0 may follow, for either player."""
    table = ground()
    table.may.holds("swamp", "red-filler")
    table.david.holds("mist").has("eight", at=4)
    table.deploys(table.may)
    table.may.plays("swamp@4")
    assert capacity(table, 4) == (9, 6, True)
    assert cite_rule(table.david.why_not("mist@4")) == "Location 4 is full (ruling 20)."


@rule("feint", 81)
def test_several_add_up_and_nothing_goes_below_zero() -> None:
    table = ground()
    table.may.holds("red-filler").has("wall", "swamp", at=4).has("swamp", "swamp", at=5)
    table.deploys(table.may)
    assert capacity(table, 4) == (3, 10 + 3 - 4, False)
    assert capacity(table, 5) == (2, 10 - 4 - 4, False)
    low = ground(capacity=5)
    low.may.holds("red-filler").has("swamp", "swamp", at=5)
    low.deploys(low.may)
    assert capacity(low, 5) == (2, 0, True), "5 - 8, but not below 0"


@rule("feint", 22, 81)
def test_a_change_goes_with_the_card_that_is_moved() -> None:
    table = ground()
    table.may.holds("bit", "red-filler").has("wall", at=4)
    table.deploys(table.may)
    table.may.plays("bit@6")
    assert capacity(table, 4) == (0, 10, False)
    assert capacity(table, 6) == (3, 13, False)


@rule("feint", 72, 81)
@pytest.mark.parametrize("there", ["wall", "swamp"])
def test_the_engineers_limit_does_not_change(there: str) -> None:
    """Their 4 is in their own text. With a swamp's 6, 4 is still the lower limit. With 2 from two swamps it is not."""
    table = ground()
    table.may.holds("mason").has(there, at=4).has("swamp", "swamp", at=5).has("red-filler", at=6)
    table.may.has("red-filler", "wall", "red-filler", at=3)
    table.deploys(table.may)
    assert table.may.may_do("mason@4")
    assert table.may.why_not("mason@3").rule == "ruling 72", "4 lie there of 13, and 5 is above 4"
    assert table.may.why_not("mason@5").rule == "ruling 18"


@rule("feint", 58, 81)
def test_a_master_of_earth_counts_the_capacity_as_it_is() -> None:
    """An earth of 3 and a wall of 2 are 5 of 13: 8 to spare."""
    table = ground()
    table.may.holds("red-filler").has("earth", "wall", at=3).scouted(2).morale_is(10)
    table.david.scouted(2)
    table.deploys(table.may)
    table.both_pass()
    assert table.may.morale == 18


@pytest.mark.extended
@pytest.mark.parametrize("level", ["club", "strong"])
def test_bots_see_the_room_that_is_left(level: str) -> None:
    """In whole games with such cards no bot stalls or chooses a card that does not fit."""
    table = ground(end_round=3)
    bots = [make(level, table.game) for _ in range(2)]
    state, rng = table.game.start(), Rng(5)
    while not state.over:
        if state.turn < 0:
            state.apply(-1, state.chance(rng))
            continue
        seat = state.turn
        state.play(seat, bots[seat].choose(state.mask(seat), Budget(iterations=8), rng).action)


# ---- rounds ----------------------------------------------------------------------------------------------


@rule("feint", 82)
@pytest.mark.parametrize(("by", "rounds"), [(1, 8), (2, 9), (3, 10), (4, 10), (-1, 6), (-6, 1), (-9, 1)])
def test_a_card_moves_the_end_marker_within_its_bounds(by: int, rounds: int) -> None:
    """Seven rounds, plus or minus more, but at most ten and at least the current one."""
    table = Table(may=[card("herald", 1, "rounds", by=by)])
    table.may.holds("herald", "red-filler")
    table.david.holds("blue-filler")
    table.deploys(table.may)
    table.may.plays("herald@2")
    assert table.state.end - 1 == rounds
    board = table.game.board(table.spectator)
    assert (board["rounds"], len(board["won"])) == (rounds, rounds)
    assert (
        table.david.log()[-1]
        == f"May's Herald moves the end marker: the game lasts {rounds} round{'s' * (rounds > 1)}."
    )


@rule("feint", 82)
def test_a_marker_at_its_bound_stays() -> None:
    table = Table(may=[HERALD], end_round=11)
    table.may.holds("herald", "red-filler")
    table.david.holds("blue-filler")
    table.deploys(table.may)
    table.may.plays("herald@2")
    assert table.state.end == 11
    assert table.happened(events.NO_EFFECT)
    assert not table.happened(events.END)


@rule("feint", 15, 82)
def test_the_game_ends_where_the_marker_stands_then() -> None:
    """Three rounds become four, won alternately: a tie, which David wins with the fourth."""
    table = Table(may=[card("ox", 6, copies=9), HERALD], david=[card("bull", 6, copies=9)], end_round=4)
    table.may.holds("herald", *["red-filler"] * 6)
    table.david.holds(*["blue-filler"] * 7)
    table.deploys(table.may)
    table.may.plays("herald@2")
    rounds_won_by(table, "MDM")
    assert table.state.outcome() is None
    rounds_won_by(table, "D")
    outcome = table.state.outcome()
    assert outcome is not None
    assert (outcome.winners, outcome.how) == ([1], "final round")


@rule("feint", 82)
def test_a_card_may_end_the_game_with_this_round() -> None:
    table = Table(may=[card("dusk", 1, "rounds", by=-9)])
    table.may.holds("dusk", "red-filler").scouted(2)
    table.david.holds("blue-filler").scouted(2)
    table.deploys(table.may)
    table.may.plays("dusk@2")
    table.both_pass()
    outcome = table.state.outcome()
    assert outcome is not None
    assert outcome.how == "rounds"
    assert len(table.state.won) == 1


# ---- the form ---------------------------------------------------------------------------------------------

MINE = """form = 1
[[faction]]
slug = "mine"
name = "Mine"
initiative = 9
cards = [
  { slug = "wall", name = "Wall", copies = 3, strength = 4, morale = 2, ability = "capacity", by = 3 },
  { slug = "cry", name = "Cry", copies = 2, strength = 1, morale = 1, ability = "rounds", by = -1, inferred = ["by"] },
]
"""


@pytest.mark.parametrize(
    ("old", "new", "line", "reason"),
    [
        (", by = 3", "", 7, "the ability 'capacity' needs the number by"),
        ("by = 3", "by = 0", 7, "by must be from -20 to 20 and not 0, not 0"),
        ("by = 3", "by = 21", 7, "by must be from -20 to 20 and not 0, not 21"),
        ("by = 3", "by = 1.5", 7, "by must be a whole number, not 1.5"),
        ("by = -1", "by = -10", 8, "by must be from -9 to 9 and not 0, not -10"),
        ('"capacity"', '"patriot"', 7, "only the abilities capacity and rounds have the number by"),
        ("by = 3", "tokens = 2, by = 3", 7, "only a guardian-angel has tokens"),
        ('"capacity", by = 3', '"guardian-angel", tokens = 9', 7, "tokens must be from 1 to 8, not 9"),
        (', ability = "capacity"', "", 7, "only the abilities capacity and rounds have the number by"),
    ],
)
def test_a_wrong_number_is_refused_with_its_line(tmp_path: Path, old: str, new: str, line: int, reason: str) -> None:
    assert old in MINE
    file = tmp_path / "own.toml"
    file.write_text(MINE.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(DataError, match=re.escape(reason)) as caught:
        box.read_box(file)
    assert f"Line {line}" in str(caught.value)


def test_what_is_printed_tells_the_number_and_where_it_comes_from() -> None:
    game = Feint(cards=tomllib.loads(MINE), factions=("mine", "wu"))
    wall, cry = game.card("wall"), game.card("cry")
    assert wall is not None
    assert cry is not None
    assert wall["text"] == "The Capacity of its Location is 3 higher."
    assert cry["text"] == "The game lasts 1 round shorter."
    assert (wall["by"], wall["provenance"]["by"]) == (3, "reconstructed")
    assert (cry["by"], cry["provenance"]["by"]) == (-1, "inferred")


def test_the_example_of_the_guide_is_good() -> None:
    guide = (Feint.folder / "guide.md").read_text("utf-8")
    (example,) = re.findall(r"```toml\n(.+?)```", guide, re.DOTALL)
    assert Feint(cards=tomllib.loads(example), factions=("wardens", "wu")).setup.shifts


# ---- what the kit plays ------------------------------------------------------------------------------------


def mine(slug: str, initiative: int, ox: str) -> dict[str, Any]:
    return {"slug": slug, "name": slug.title(), "initiative": initiative, "cards": [card(ox, 6, copies=20)]}


def pairs(raw: dict[str, Any], **options: Any) -> list[tuple[Any, ...]]:
    games = Feint.samples_with({"cards": {"form": 1, **raw}, **options})
    return [(*game.options["factions"], game.options["scrambler"], game.options["gang"]) for game in games]


def test_the_kit_plays_the_factions_of_a_file_in_both_readings() -> None:
    """One new faction and one that replaces ours. A copy of ours is left out."""
    copied = next(faction for faction in box.read_standard_box()["faction"] if faction["slug"] == "keion")
    own = [mine("herd", 77, "herd-ox"), mine("wu", 78, "wu-ox"), copied]
    found = pairs({"faction": own})
    assert {pair[0] for pair in found} == {"herd", "wu"}
    assert all(pair[0] != pair[1] for pair in found)
    assert [pair[2:] for pair in found] == [("itself", "tag"), ("played", "faction")] * 2


def test_a_faction_that_stands_alone_plays_against_itself() -> None:
    alone = {"alone": True, "box": box.read_standard_box()["box"], "faction": [mine("herd", 77, "herd-ox")]}
    assert {pair[:2] for pair in pairs(alone)} == {("herd", "herd")}
