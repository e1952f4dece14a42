"""Sentences, text and boards."""

from __future__ import annotations

from itertools import takewhile

import pytest

from gonfalon.core.text.english import verb
from gonfalon.games.jinkei import Jinkei
from gonfalon.games.jinkei.rules import events
from tests.jinkei.scenario import Table


@pytest.mark.parametrize(
    ("name", "word", "sentence"),
    [
        ("You", "take", "You take"),
        ("May", "take", "May takes"),
        ("May", "have", "May has"),
        ("May", "are", "May is"),
        ("May", "choose", "May chooses"),
        ("May", "turn up", "May turns up"),
        ("May", "catch", "May catches"),
    ],
)
def test_verbs(name: str, word: str, sentence: str) -> None:
    assert verb(name, word) == sentence


def test_the_sentences_of_a_battle() -> None:
    table = Table([". .W .", "# . .", ". . ."], [". . .", ".+1 . .", ". . ."], battles=3, memory="open")
    table.may.stands(vg2="red5", vg1="red8", re1="blue4")
    table.david.stands(rg1="blue9", vg1="red3", vg2="red1")
    table.attacks(table.may)
    names = ["You", "David"]
    assert table.game.prompt(table.may.view, names) == "Attack with a card of your Vanguard"
    assert table.game.prompt(table.david.view, ["May", "You"]) == "May is attacking"
    described = {c["id"]: c["text"] for c in table.may.controls["choices"]}
    assert described["vg2:blue"] == "Play Red 5 from Vanguard 2, as Blue."
    assert table.may.controls["why"] == {}
    table.may.plays("vg2:blue")
    assert table.game.prompt(table.david.view, ["May", "You"]) == "Answer with a card of your Rearguard"
    assert table.david.controls["choices"][0]["text"] == "Play Blue 9 (9+1 = 10) from Rearguard 1."
    table.david.plays("rg1:blue")
    assert table.may.log() == [
        "You attack with Red 5 from Vanguard 2, as Blue.",
        "David answers with Blue 9 (9+1 = 10) from Rearguard 1.",
        "David wins the battle with the higher rank.",
    ]
    duel = table.may.board["duel"]
    assert (duel["number"], duel["winner"], duel["told"]["because"]) == (1, 1, "same color")
    table.david.plays("vg1:red")
    table.may.plays("vg1:red")
    assert table.may.log()[-1] == "You advance Blue 4 from Reinforcement 1 to Vanguard 1."


def test_each_event_has_a_number_of_its_own() -> None:
    names = takewhile(lambda name: name != "CALLED", (name for name in vars(events) if name.isupper()))
    assert [vars(events)[name] for name in names] == list(range(events.OVER + 1))


def test_reasons_beside_the_cards_that_may_not_be_played() -> None:
    table = Table()
    table.may.stands(vg1="red5")
    table.david.stands(rg1="red3", rg2="blue9", vg3="red8")
    table.attacks(table.may)
    table.may.plays("vg1:red")
    assert table.david.controls["why"] == {
        "rg2": "You have Red here, so you must answer with Red.",
        "vg3": "Answer from your Rearguard first.",
    }


def test_card_text() -> None:
    game = Jinkei()
    for text in ("red5", "Red 5", "red-5"):
        card = game.card(text)
        assert card is not None
        assert (card["name"], card["rank"], card["points"], card["shape"]) == ("Red 5", 5, 2, "triangle")
    zero = game.card("blue0")
    assert zero is not None
    assert "0 beats 12" in zero["text"]
    assert game.card("red10") is None
