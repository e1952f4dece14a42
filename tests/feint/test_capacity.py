"""Capacity, moved cards and face-down cards."""

from __future__ import annotations

import pytest

from gonfalon.core.basics.cards import KIND
from gonfalon.core.rules.state import SPECTATOR
from gonfalon.games.feint.rules import events
from gonfalon.testing import rule
from tests.feint.scenario import Table, card

OX, COW, HEN = card("ox", 4), card("cow", 3), card("hen", 3)
MIST = card("mist", 0)
SPY = card("spy", 5, "covert")
SHADE = card("shade", 1, "covert")
GANG = card("bit", 2, "gangan", tags=("gang",))
BUILDER = card("builder", 1, "engineer", tags=("engineer",))
MASON = card("mason", 2, "engineer", tags=("engineer",))
KEEP = card("keep", 5, "tower", tags=("tower",))


def ready(table: Table) -> Table:
    """Start May's turn, with a card in David's hand."""
    table.david.holds("blue-filler", "blue-filler")
    return table.deploys(table.may)


# ---- the test of a play ----------------------------------------------------------------------------


@rule("feint", 18)
def test_ten_fits_and_eleven_does_not() -> None:
    """Location 5 holds May's 4 and David's 3, in total 7. A 3 makes it 10, a 4 would make it 11."""
    table = Table(may=[OX, COW, card("ass", 4)], david=[HEN])
    table.may.has("ox", at=5).holds("cow", "ass")
    table.david.has("hen", at=5)
    ready(table)
    assert table.load(5) == 7
    assert table.may.may_do("cow@5")
    reason = table.may.why_not("ass@5")
    assert reason.rule == "ruling 18"
    assert reason == "Location 5 has room for 3. Ass needs 4."
    assert reason.tag == "No room"
    for number in (2, 3, 4, 6):
        assert table.may.may_do(f"ass@{number}"), "the other Locations are empty"
    table.may.plays("cow@5")
    assert table.load(5) == 10


@rule("feint", 18)
def test_the_rulebooks_patriot() -> None:
    """The Patriot (6) may be played into Location 2 (3 there, then 9), not into 5 (9 there, then 15)."""
    table = Table(may=[card("patriot-6", 6), OX], david=[HEN, card("five", 5)])
    table.may.has("ox", at=5).holds("patriot-6")
    table.david.has("hen", at=2).has("five", at=5)
    ready(table)
    assert (table.load(2), table.load(5)) == (3, 9)
    assert table.may.may_do("patriot-6@2")
    assert table.may.why_not("patriot-6@5") == "Location 5 has room for 1. Patriot 6 needs 6."


@rule("feint", 18)
@pytest.mark.parametrize(("held", "fits"), [(6, True), (7, False), (11, False)])
def test_cards_with_a_rule_of_their_own_obey_capacity_as_well(held: int, fits: bool) -> None:
    """Strength 4 on 6 makes 10, on 7 it makes 11. This applies to the Knight of 4 and to a Storm Prodigy, with every
    other Location too full for it."""
    table = Table(
        may=[card("knight", 4, "knight", location=4), card("storm", 4, "storm-prodigy", protected=True)],
        david=[card("held", held), card("ten", 10)],
    )
    table.may.holds("knight", "storm")
    table.david.has("held", at=4)
    for number in (2, 3, 5, 6):
        table.david.has("ten", at=number)
    ready(table)
    assert table.may.legal() == (["pass", "knight@4", "storm"] if fits else ["pass"])
    if not fits:
        assert table.may.why_not("knight@4").rule == f"ruling {18 if held == 7 else 20}"
        assert table.may.why_not("storm").rule == "ruling 60"


@rule("feint", 18)
def test_a_page_gets_the_same_reasons_as_the_rules() -> None:
    """The page gets, for each card in hand, the legal Locations and the reasons against the others."""
    table = Table(may=[COW, OX, SPY], david=[card("seven", 7)])
    table.may.holds("cow", "ox", "spy")
    table.david.has("seven", at=5)
    ready(table)
    controls = table.game.controls(table.may.view)
    assert controls["mode"] == "play"
    assert {slug: shown["places"] for slug, shown in controls["cards"].items()} == {
        "cow": [2, 3, 4, 5, 6],
        "ox": [2, 3, 4, 6],
        "spy": [2, 3, 4, 5, 6],
    }
    assert list(controls["cards"]["ox"]["why"]) == ["5"]
    assert controls["cards"]["ox"]["why"]["5"] == "Location 5 has room for 3. Ox needs 4."


@rule("feint", 19)
@pytest.mark.parametrize("slug", ["spy", "shade"])
def test_a_face_down_card_counts_three_for_its_own_play(slug: str) -> None:
    """A card of Strength 5 or 1 counts 3 face down. It fits on 7 (10), not on 8 (11)."""
    table = Table(may=[SPY, SHADE], david=[card("seven", 7), card("eight", 8)])
    table.may.holds(slug)
    table.david.has("seven", at=4).has("eight", at=5)
    ready(table)
    assert table.may.may_do(f"{slug}@4")
    reason = table.may.why_not(f"{slug}@5")
    assert reason == f"Location 5 has room for 2. {slug.title()} needs 3 face down."
    assert reason.rule == "ruling 18"


@rule("feint", 19)
def test_a_face_down_card_counts_three_for_later_plays() -> None:
    """Two spies of Strength 5 take 6 of 10: a card of 4 fits beside them, one of 5 does not."""
    table = Table(may=[SPY, OX, card("five", 5)])
    table.may.has("spy", "spy", at=5, down=True).holds("ox", "five")
    ready(table)
    assert table.load(5) == 6
    assert table.may.may_do("ox@5")
    assert table.may.why_not("five@5") == "Location 5 has room for 4. Five needs 5."


@rule("feint", 19)
def test_a_face_down_card_counts_three_for_the_engineers_limit() -> None:
    """With David's face-down card: 3 + 1 = 4 is allowed, 3 + 2 = 5 is not."""
    table = Table(may=[BUILDER, MASON], david=[SHADE, SPY])
    table.may.holds("builder", "mason")
    table.david.has("shade", at=4, down=True).has("spy", at=5, down=True)
    ready(table)
    for number in (4, 5):
        assert table.may.may_do(f"builder@{number}")
        assert table.may.why_not(f"mason@{number}").tag == "Limit 4"
    assert table.may.may_do("mason@2")


@rule("feint", 20)
@pytest.mark.parametrize(("held", "open_"), [(10, True), (11, False)])
def test_above_capacity_nothing_more_may_be_played(held: int, open_: bool) -> None:
    """ "You may NOT play any card (even one with Strength 0) into that Location"."""
    table = Table(may=[MIST, card("six", 6)], david=[card("rest", held - 6)])
    table.may.has("six", at=3).holds("mist")
    table.david.has("rest", at=3)
    ready(table)
    assert table.load(3) == held
    assert table.may.may_do("mist@3") is open_
    if not open_:
        assert table.may.why_not("mist@3").rule == "ruling 20"
    assert table.may.may_do("mist@2")
    assert table.game.board(table.open)["places"][1]["closed"] is not open_


@rule("feint", 21)
def test_towers_go_where_capacity_is_full_or_broken() -> None:
    """Two Engineers and 8 fill it to 10. A Tower of 5 makes it 15, a second one 20."""
    table = Table(may=[BUILDER, KEEP, MIST], david=[card("eight", 8)])
    table.may.has("builder", "builder", at=4).holds("keep", "keep", "keep", "mist", "red-filler")
    table.david.has("eight", at=4)
    ready(table)
    assert table.load(4) == 10
    assert table.may.may_do("keep@4")
    assert table.may.why_not("red-filler@4") == "Location 4 is full.", "a plain card does not fit"
    table.may.plays("keep@4")
    assert table.load(4) == 15
    table.david.plays("blue-filler@2")
    assert table.may.why_not("mist@4").rule == "ruling 20"
    table.may.plays("keep@4")
    assert table.load(4) == 20
    table.david.passes()
    assert table.may.why_not("keep@4").rule == "ruling 73", "two Engineers carry two Towers"


# ---- moves -----------------------------------------------------------------------------------------


@rule("feint", 22)
def test_moved_cards_ignore_the_limits_of_their_own_play() -> None:
    """Gathered to Location 6, which holds 8: an Engineer (limit 4), a Knight of 2, a Master of Wind."""
    table = Table(
        may=[
            GANG,
            card("gang-mason", 2, "engineer", tags=("gang", "engineer")),
            card("gang-knight", 4, "knight", location=2, tags=("gang",)),
            card("gang-wind", 3, "master-of-wind", tags=("gang",)),
        ],
        david=[card("eight", 8)],
    )
    table.may.has("gang-knight", at=2).has("gang-wind", at=3).has("gang-mason", at=4).holds("bit", "red-filler")
    table.david.has("eight", at=6)
    ready(table)
    table.may.plays("bit@6")
    assert sorted(table.may.at(6)) == ["bit", "gang-knight", "gang-mason", "gang-wind"]
    assert table.load(6) == 19, "8 + 2 + 4 + 3 + 2"
    assert [table.load(number) for number in (2, 3, 4, 5)] == [0, 0, 0, 0]


@rule("feint", 23)
def test_a_move_is_no_play_for_the_moved_cards_own_text() -> None:
    """A Master of Fire that is moved does not cost 2 Morale a second time."""
    table = Table(may=[GANG, card("fire", 3, "master-of-fire", tags=("gang",))])
    table.may.has("fire", at=2).holds("bit", "fire").morale_is(20)
    ready(table)
    table.may.plays("bit@6")
    assert table.may.at(6) == ["bit", "fire"]
    assert table.may.morale == 20
    table.david.passes()
    table.may.plays("fire@3")
    assert table.may.morale == 18, "played, it does"


# ---- face down -------------------------------------------------------------------------------------


@rule("feint", 24)
def test_all_face_down_cards_turn_up_everywhere_at_the_resolution() -> None:
    """The battles are at 2 and 5. The spies at 3 and 6 turn up like those at 2 and 5."""
    table = Table(may=[SPY], david=[SHADE])
    table.may.has("spy", at=2, down=True).has("spy", at=3, down=True).scouted(2).holds("red-filler")
    table.david.has("shade", at=5, down=True).has("shade", at=6, down=True).scouted(5).holds("blue-filler")
    table.deploys(table.may)
    table.may.passes()
    assert table.happened(events.TURNED) == [], "not before the Resolution"
    assert table.may.sees(table.may.view.at(1, 3)) == ["?"]
    table.david.passes()
    turned = [(event[2], table.game.box.locations[event[4]]) for event in table.happened(events.TURNED)]
    assert turned == [(0, 2), (0, 3), (1, 5), (1, 6)]
    assert "You turn up Shade at 5 and Shade at 6." in table.david.log()
    assert "David turns up Shade at 5 and Shade at 6." in table.may.log()


@rule("feint", 24)
def test_a_face_down_card_is_shown_when_it_leaves_play_for_the_discard_pile() -> None:
    table = Table(may=[card("mine", 1, "bomb-tower", tags=("tower",)), BUILDER], david=[SPY])
    table.may.has("builder", at=4).holds("mine", "red-filler")
    table.david.has("spy", at=4, down=True).has("spy", at=5, down=True)
    ready(table)
    table.may.plays("mine@4")
    for view in (table.may.view, table.spectator):
        assert table.may.sees(view.discard[1]) == ["spy"]
        assert table.may.sees(view.at(1, table.place(5))) == ["?"], "the other one stays hidden"


@rule("feint", 25)
def test_printed_strength_counts_at_the_resolution() -> None:
    """The battles are at 2 and 5. May's spy (5) at 2 is worth 10, not 6, and David's shade (1) at 5 is worth 5, not 15.
    May wins 10 to 5. By threes David would win 15 to 6."""
    table = Table(may=[SPY], david=[SHADE])
    table.may.has("spy", at=2, down=True).scouted(2).holds("red-filler")
    table.david.has("shade", at=5, down=True).scouted(5).holds("blue-filler")
    table.deploys(table.may).both_pass()
    shown = table.resolution
    assert [side["total"] for side in shown["sums"]] == [10, 5]
    assert shown["winner"] == 0


@rule("feint", 26)
def test_only_its_owner_may_look_at_a_face_down_card() -> None:
    table = Table(may=[SPY, SHADE])
    table.may.holds("spy", "shade", "red-filler")
    ready(table)
    table.may.plays("spy@4")
    place = table.place(4)
    for viewer, seen in ((0, "spy"), (1, "?"), (SPECTATOR, "?"), (-3, "spy")):
        view = table.state.mask(viewer)
        assert table.may.sees(view.clone().ordered_zones()[10 + place]) == [seen], "the board comes after ten piles"
        face = table.game.board(view)["places"][place]["sides"][0]["cards"][0]
        assert face["back"] is (seen == "?")
        assert face["down"] is True
        if face["back"] is True:
            assert face["weight"] == 3
            assert "slug" not in face
    assert "You play Spy face down to 4." in table.may.log()
    assert "May plays a card face down to 4." in table.david.log()
    assert not any("Spy" in sentence for sentence in table.david.log())
    side = table.game.board(table.david.view)["places"][place]["sides"][0]
    assert (side["strength"], side["hidden"]) == (0, 1)
    table.david.passes()
    assert not table.game.board(table.may.view)["places"][place]["sides"][0]["cards"][0]["back"], "at any time"


@rule("feint", 27)
def test_an_effect_may_strike_a_face_down_card_unseen() -> None:
    """The Bomb Tower offers both backs, May chooses blindly, and the card hit is revealed."""
    table = Table(may=[card("mine", 1, "bomb-tower", tags=("tower",)), BUILDER], david=[SPY, SHADE])
    table.may.has("builder", at=4).holds("mine", "red-filler")
    table.david.has("spy", "shade", at=4, down=True)
    ready(table)
    table.may.plays("mine@4")
    assert table.may.legal() == ["#4.1", "#4.2"]
    choices = [choice["text"] for choice in table.game.controls(table.may.view)["choices"]]
    assert not any("Spy" in text or "Shade" in text for text in choices)
    table.may.answers("#4.2")
    assert table.may.sees(table.may.view.discard[1]) == ["shade"]
    assert table.may.sees(table.may.view.at(1, table.place(4))) == ["?"]
    assert table.david.at(4) == ["spy"]


@rule("feint", 28)
def test_a_moved_card_keeps_its_facing() -> None:
    """A gathered face-down gang card stays face down, counts 3 for Capacity, and stays unseen."""
    table = Table(may=[GANG, card("mask", 5, "covert", tags=("gang",))])
    table.may.has("mask", at=2, down=True).holds("bit", "red-filler")
    ready(table)
    assert table.load(2) == 3
    table.may.plays("bit@6")
    assert (table.load(2), table.load(6)) == (0, 5), "2 of the Gangan Bit and 3, not 2 + 5"
    assert table.may.at(6) == ["bit", "mask"]
    assert table.david.sees(table.david.view.at(0, table.place(6))) == ["bit", "?"]
    assert not any("Mask" in sentence for sentence in table.david.log())


@rule("feint", 28)
def test_a_card_that_stays_lies_face_up_after_the_resolution() -> None:
    table = Table(may=[SPY])
    table.may.has("spy", at=4, down=True, stay=True).has("spy", at=5, down=True).holds("red-filler")
    table.david.holds("blue-filler")
    table.deploys(table.may)
    assert table.load(4) == 3
    table.both_pass()
    assert (table.may.at(4), table.may.at(5)) == (["spy"], []), "only the one with the token stays"
    assert table.david.sees(table.david.view.at(0, table.place(4))) == ["spy"]
    assert table.load(4) == 5, "and takes its printed Strength of the Capacity"
    assert table.game.board(table.open)["places"][2]["sides"][0]["cards"][0]["down"] is False


@rule("feint", 29)
def test_a_covert_card_cannot_be_played_face_up() -> None:
    """Each Location has one way to play it, face down."""
    table = Table(may=[SPY])
    table.may.holds("spy", "red-filler")
    ready(table)
    ways = [action for action in table.may.legal() if action.startswith("spy")]
    assert ways == ["spy@2", "spy@3", "spy@4", "spy@5", "spy@6"]
    table.may.plays("spy@2")
    card_down = table.state.at(0, 0)[0]
    assert table.game.board(table.may.view)["places"][0]["sides"][0]["cards"][0]["down"] is True
    assert table.david.view.at(0, 0)[0] & KIND == KIND
    assert card_down & KIND == table.game.kind_of["spy"].id
