"""Texts: the log, prompts, descriptions, reasons, boards and the text of a terminal."""

from __future__ import annotations

from itertools import takewhile

from gonfalon.bots.players.choice import Belief, Choice
from gonfalon.bots.players.thoughts import told
from gonfalon.core.basics.cards import HIDDEN
from gonfalon.core.rules.game import names_for
from gonfalon.core.rules.words import describe_action
from gonfalon.core.text.citations import cite_rule
from gonfalon.games.factionwars import FactionWars
from gonfalon.games.factionwars.rules import events as ev
from gonfalon.games.factionwars.rules.actions import TO
from gonfalon.games.factionwars.rules.neutrals import NEUTRALS
from gonfalon.games.factionwars.rules.recruits import RECRUITS
from gonfalon.testing import rule
from tests.factionwars.scenario import Table
from tools.rulings import list_rulings

GAME = FactionWars(seats=3)

# ---- sentences ---------------------------------------------------------------------------------------------


def test_each_event_has_a_number_of_its_own() -> None:
    names = takewhile(lambda name: name != "SOLE", (name for name in vars(ev) if name.isupper()))
    numbers = sorted(vars(ev)[name] for name in names)
    assert numbers == list(range(len(numbers)))


def test_a_card_that_is_not_known_has_no_name() -> None:
    event = (ev.DREW, -1, 0, HIDDEN, 0, 0)
    assert GAME.words(event, GAME.start(), ["May", "David", "Ann"]) == "May draws a card from the recruit deck."


def test_the_log_of_a_chain() -> None:
    table = Table(seats=3).on_top("buccaneer")
    table.david.owns("outlaw", "jarl")
    table.collects(table.may, "gambler")
    table.chance("steal:outlaw")
    assert table.said == [
        "May draws Buccaneer from the recruit deck.",
        "May uses Buccaneer on David.",
        "May takes Outlaw from David at random.",
        "David shuffles their battle deck (4 cards).",
    ]


# ---- what is asked -------------------------------------------------------------------------------------------


def test_another_player_is_called_by_name() -> None:
    """In a choice, on the table and in a hint. With two players the other is "the opponent"."""
    for seats, other in ((2, "your opponent"), (3, "Bo")):
        table = Table(seats=seats).lines_up(*("jarl", "bystander", "parley", "blade")[: seats + 1])
        game, view, people = table.game, table.state.mask(0), ["Ann", "Bo", "Cy"][:seats]
        names = names_for(game, 0, people)
        assert describe_action(game, view, TO + 1, names) == f"Take from {other}."
        hint = told(
            game, view, Choice(TO + 1, "Player 2 has most to lose.", beliefs=(Belief("Player 2's goal", ()),)), people
        )
        assert (hint["text"], hint["why"], hint["beliefs"][0]["about"]) == (
            f"Take from {other}.",
            "Bo has most to lose.",
            "Bo's goal",
        )
        text = game.text(view, names)
        assert "\nBo  " in text
        assert "Player" not in text


# ---- controls and reasons ---------------------------------------------------------------------------------------


def test_controls_belong_to_the_deciding_seat() -> None:
    table = Table(seats=3)
    assert table.may.controls["mode"] == "select"
    assert table.may.controls["kind"] == "place"
    table.may.does("take:1")
    assert table.may.controls == {"mode": None, "kind": None, "choices": [], "why": {}}
    table = Table(seats=3)
    table.collects(table.may, "bystander")
    assert table.may.controls["kind"] == "seat"
    assert [choice["seat"] for choice in table.may.controls["choices"]] == [1, 2]
    assert table.may.controls["why"] == {"to:0": "Give the Bystander to another player."}
    assert table.david.controls["choices"] == []


@rule("factionwars", 32)
def test_a_place_that_does_not_exist() -> None:
    table = Table(seats=2)
    assert cite_rule(table.state.why_not(0, 6) or "") == "The line-up has no such place (ruling 32)."


# ---- the board --------------------------------------------------------------------------------------------------


def test_the_board_counts_every_army_by_faction() -> None:
    table = Table(seats=3)
    table.david.owns("berserker", "berserker", "jarl", "outlaw", "odins-favor", "bystander").draws("jarl", "rock")
    table.david.has_goal("clean-hands")
    table.may.has_goal("great-host")
    seat = table.may.board["seats"][1]
    assert {f["slug"]: f["count"] for f in seat["factions"]} == {"cowboys": 1, "ninjas": 0, "pirates": 0, "vikings": 4}
    assert (seat["recruits"], seat["pool"], seat["bystanders"]) == (5, 5, 1)
    assert (seat["berserkers"], seat["berserker_points"]) == (2, 4)
    # Jarl 5, Outlaw 4; Berserkers 4; Odin's Favor 4; a Bystander -2. The goal is not known to May.
    assert (seat["points"], seat["points_complete"]) == (15, False)
    assert (seat["battle_deck"], seat["pile_count"]) == (2, 7)
    assert table.david.board["seats"][1]["points_complete"] is True
    assert seat["goal"] is None
    assert table.david.board["seats"][1]["goal"]["met"] is False


def test_the_worth_of_a_card_to_me() -> None:
    """With two Berserkers a third brings 9 - 4 = 5, with Odin's Favor one more. A goal of two is already met."""
    table = Table(seats=3)
    table.may.owns("berserker", "berserker", "odins-favor").has_goal("shield-biters")
    table.ann.has_goal("clean-hands")
    table.lines_up("berserker", "jarl", "bystander", "gambler")
    worth = [place["worth"] for place in table.may.board["lineup"]]
    assert [entry["points"] for entry in worth] == [6, 6, 0, 1]
    assert [entry["kept"] for entry in worth] == [True, True, False, True]
    assert [entry["ability"] for entry in worth] == [False, False, True, True]
    assert worth[0]["goal"] == {"have": 3, "need": 2}
    worth = [place["worth"] for place in table.david.board["lineup"]]
    assert [entry["points"] for entry in worth][1] == 5 + (4 if table.david.goal == "great-hall" else 0)


def test_scenes_show_a_battle_reveal_by_reveal() -> None:
    table = Table(seats=3)
    table.may.draws("outlaw", "rock", "paper")
    table.david.draws("huscarl", "deputy", "paper")
    table.lines_up("jarl", "blade", "bystander", "captain").select(1, 1, 3)
    table.ann.does("to:0")
    first, second = table.may.board["scenes"]
    assert (first["place"], first["seats"], first["winner"], first["battle"]) == (1, [0, 1], 1, True)
    assert [[shown["value"] for shown in reveal["shown"]] for reveal in first["reveals"]] == [[4, 4], [1, 3]]
    assert first["reveals"][0]["tied"] == {"seats": [0, 1], "why": "tied"}
    assert first["reveals"][1]["out"] == [{"seat": 0, "why": "lower card"}]
    assert (second["place"], second["winner"], second["battle"]) == (3, 2, False)
    assert [(step["what"], step["seat"], step["other"]) for step in second["then"]] == [("handed", 2, 0)]


def test_a_cards_text_matches_the_revision_in_play() -> None:
    """There an open Bonus Card has no owner, so it is not your card, and conscripts have no symbols."""
    later = FactionWars(revision="later")
    card = later.card("odins-favor")
    assert card is not None
    assert card["text"] == "Open: 1 point for each of your Vikings, for all players."
    assert 41 in card["rulings"]
    assert 28 not in card["rulings"]
    sets = later.card("common-cause")
    assert sets is not None
    assert sets["text"] == "Open: 2 points for each set of one card of every faction, for all players."
    rock = later.card("conscript-rock")
    assert rock is not None
    assert rock["text"] == "Never a recruit, no points. Tied Conscripts continue like other cards."
    assert rock["rulings"] == [3]
    mine = FactionWars().card("conscript-rock")
    assert mine is not None
    assert "rock, paper, scissors" in mine["text"]
    said = " ".join(face["text"] for face in later.catalogue())
    assert "this card included" not in said
    assert "scissors" not in said


def test_every_ability_has_a_text_and_rulings_that_exist() -> None:
    assert all(bool(ability.text) == bool(name) for name, ability in {**RECRUITS, **NEUTRALS}.items())
    last = list_rulings((FactionWars.folder / "guide.md").read_text("utf-8"))[0][-1]
    for options in ({}, {"revision": "later"}):
        for face in FactionWars(**options).catalogue():
            assert all(1 <= number <= last for number in face["rulings"])
            assert face["text"] == "" or face["text"].endswith(".")
