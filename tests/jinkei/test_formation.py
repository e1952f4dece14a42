"""The Formation Phase: secret choice, the revealed card, secret placement."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gonfalon.core.rules.state import SPECTATOR
from gonfalon.core.text.citations import cite_rule
from gonfalon.games.jinkei import Jinkei
from gonfalon.games.jinkei.rules import events
from gonfalon.games.jinkei.rules.state import JinkeiState
from gonfalon.testing import rule
from tests.jinkei.scenario import Table

SMALL = [". # #", "T+1 # #", ". # #"]
"""Three cards: Vanguard 1, the revealed one on Rank +1 behind it, a Reinforcement."""


def small(may: list[str] | None = None, **options: Any) -> Table:
    """Return a table where both choose and place. May reveals Red 7, David Blue 3."""
    table = Table(may or SMALL, SMALL, battles=3, **options)
    table.may.holds("red1", "red5", "blue9").top_card("red7")
    table.david.holds("blue1", "blue5", "red9").top_card("blue3")
    return table.forms_up()


def open_formations(table: Table) -> Table:
    table.may.chooses("a")
    table.david.chooses("a")
    return table


def everything(view: JinkeiState, game: Jinkei, names: list[str]) -> str:
    """Return all data that leaves the core for a viewer, as one text."""
    assert view.log is not None
    parts = [json.dumps(game.board(view)), json.dumps(game.controls(view)), game.text(view, names), repr(view.dump())]
    parts += [game.prompt(view, names), *[game.words(event, view, names) for event in view.log]]
    return "\n".join(parts)


# ---- the choice ------------------------------------------------------------------------------------


def test_both_choose_a_formation_at_once() -> None:
    table = small()
    assert [(d.seat, d.prompt) for d in table.state.decisions()] == [(0, "formation"), (1, "formation")]
    before = everything(table.may.view, table.game, ["You", "David"])
    table.david.chooses("a")
    assert everything(table.may.view, table.game, ["You", "David"]) == before, "May cannot tell that he has"
    assert table.state.formation == [-1, -1]
    assert "answered" in table.david.why_not("a")
    table.may.chooses("a")
    assert table.state.formation == [0, 1]
    assert len(table.happened(events.FORMATION)) == 2


@rule("jinkei", 34)
def test_only_the_choice_is_secret() -> None:
    """All viewers see both formations a player may choose from, and later also the one not chosen."""
    game = Jinkei()
    state = game.start()
    for text in ("first:0", "seed:5"):
        state.play(-1, game.parse(text))
    state.play(1, game.parse("bow"))
    state.play(0, game.parse("sword"))
    for answers in ((), ((0, "a"), (1, "b"))):
        for seat, text in answers:
            state.play(seat, game.parse(text))
        for viewer in (0, 1, SPECTATOR):
            seats = game.board(state.mask(viewer))["seats"]
            assert [c["name"] for c in seats[0]["choices"]] == ["Sword 1 A", "Sword 1 B"]
            assert [c["name"] for c in seats[1]["choices"]] == ["Bow 1 A", "Bow 1 B"]
    seats = game.board(state.mask(SPECTATOR))["seats"]
    assert [seat["formation"] for seat in seats] == ["Sword 1 A", "Bow 1 B"]


# ---- the revealed card (Ex. 2) ---------------------------------------------------------------------


@rule("jinkei", 2)
def test_example_2_preparation() -> None:
    """Once both formations are open, the top card of each deck is revealed on its space, before hand cards are placed.
    Here the space has Rank +1."""
    table = open_formations(small())
    assert (table.may.at("rg1"), table.david.at("rg1")) == ("red7", "blue3")
    assert table.asked() == (0, "front")
    for player, other, card in ((table.may, table.david, "red7"), (table.david, table.may, "blue3")):
        assert other.sees(player, "rg1") == card, "everybody sees it"
        assert player.at("vg1") == ""
    space = table.may.board["seats"][0]["spaces"][3]
    assert (space["reveal"], space["sum"]) == (True, "7+1 = 8")
    blanks = [space["space"] for space in table.may.board["seats"][0]["spaces"] if space["blank"]]
    assert blanks == ["vg2", "vg3", "rg2", "rg3", "re2", "re3"]


# ---- placing (Ex. 3) -------------------------------------------------------------------------------


@rule("jinkei", 4)
def test_example_3_placing() -> None:
    """First come Vanguard and Rearguard, face down in secret, and both are revealed. The Reinforcements follow and stay
    face down. One card is left in the hand."""
    table = open_formations(small())
    before = everything(table.david.view, table.game, ["May", "You"])
    table.may.lays("red5-vg1")
    assert everything(table.david.view, table.game, ["May", "You"]) == before
    assert table.state.spaces[0][0] == [], "not laid before both are done"
    assert table.david.view.answers[0] == []
    table.david.lays("blue1-vg1")
    assert table.david.sees(table.may, "vg1") == "red5"
    assert table.may.sees(table.david, "vg1") == "blue1"

    assert [(d.seat, d.prompt) for d in table.state.decisions()] == [(0, "back"), (1, "back")]
    before = everything(table.david.view, table.game, ["May", "You"])
    table.may.lays("blue9-re1")
    assert everything(table.david.view, table.game, ["May", "You"]) == before
    table.david.lays("red9-re1")
    assert table.david.sees(table.may, "re1") == "?"
    assert table.may.sees(table.david, "re1") == "?"
    assert (table.may.hand, table.david.hand) == (["red1"], ["blue5"])
    assert table.asked() == (0, "lead")


@rule("jinkei", 5)
def test_only_the_owner_may_look_at_a_face_down_card() -> None:
    table = open_formations(small())
    table.may.lays("red5-vg1")
    table.david.lays("blue1-vg1")
    table.may.lays("blue9-re1")
    table.david.lays("red9-re1")
    assert table.may.sees(table.may, "re1") == "blue9"
    assert "Blue 9" in table.game.text(table.may.view, ["You", "David"])
    assert table.david.sees(table.may, "re1") == "?"
    assert table.names(table.spectator.spaces[0][6]) == ["?"]
    assert "Blue 9" not in everything(table.david.view, table.game, ["May", "You"])
    assert table.may.log()[-1] == "You lay 1 Reinforcement face down. David lays 1 Reinforcement face down."
    assert "You lay Blue 9 on Reinforcement 1." in table.may.log()
    assert not [line for line in table.david.log() if "Blue 9" in line]


def test_a_card_is_laid_once_and_only_on_its_space() -> None:
    table = Table([". . #", "T # #", "# # #"], SMALL, battles=3)
    table.may.holds("red1", "red5", "blue9").top_card("red7")
    table.david.holds("blue1", "blue5", "red9").top_card("blue3")
    open_formations(table.forms_up())
    assert table.may.legal() == ["red1-vg1", "red5-vg1", "blue9-vg1"]
    table.may.lays("red5-vg1")
    assert table.may.legal() == ["red1-vg2", "blue9-vg2"]
    assert table.may.board["seats"][0]["to_act"], "she has not finished"
    assert cite_rule(table.may.why_not("red5-vg2")) == "You have laid that card on another space (6-2)."
    assert cite_rule(table.may.why_not("red8-vg2")) == "That card is not in your hand (6-2)."
    assert "blank space" in table.may.why_not("red1-vg3")
    assert "top of your deck" in table.may.why_not("red1-rg1")
    assert table.may.why_not("red1-vg1").rule == "6-2"
    table.may.lays("blue9-vg2")
    assert table.may.legal() == []
    assert table.may.why_not("red1-vg2") == "You have already answered. Other players are still deciding."


@pytest.mark.parametrize(
    ("first", "seconds"), [("red1-re1", ["red5-re1", "blue2-re1", "blue9-re1"]), ("blue2-re1", ["blue9-re1"])]
)
def test_two_cards_on_a_space_are_a_set(first: str, seconds: list[str]) -> None:
    """Each pair has one way to be placed: the lower card, by the order of the hand, first."""
    table = Table(["T # #", "# # #", "2 # #"], SMALL, battles=3)
    table.may.holds("red1", "red5", "blue2", "blue9").top_card("red7")
    table.david.holds("blue1", "blue5", "red9").top_card("blue3")
    open_formations(table.forms_up())
    table.david.lays("blue1-vg1")
    assert table.may.legal() == ["red1-re1", "red5-re1", "blue2-re1"], "the highest cannot be the lower one"
    assert "lower one first" in table.may.why_not("blue9-re1")
    table.may.lays(first)
    assert table.may.legal() == seconds
    table.may.lays("blue9-re1")
    table.david.lays("red9-re1")
    assert sorted(table.may.at("re1").split()) == sorted([first.split("-")[0], "blue9"])
    assert table.david.sees(table.may, "re1") == "? ?"


def test_a_single_card_beside_a_set_may_be_any() -> None:
    """One card is on the first space and two are on the second. The lower-first rule covers only those two."""
    table = Table(["T # #", "# # #", ". 2 #"], ["T . #", ". # #", ". # #"], battles=4)
    table.may.holds("red1", "red5", "blue2", "blue9").top_card("red7")
    table.david.holds("blue1", "blue5", "red9", "red2").top_card("blue3")
    open_formations(table.forms_up())
    table.david.lays("blue1-vg2", "blue5-rg1")
    assert table.may.legal() == ["red1-re1", "red5-re1", "blue2-re1", "blue9-re1"]
    table.may.lays("blue9-re1")
    assert table.may.legal() == ["red1-re2", "red5-re2"]
    table.may.lays("red5-re2")
    assert table.may.legal() == ["blue2-re2"]
