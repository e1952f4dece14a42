"""Words: the log, prompts, descriptions, reasons, boards and the text of a terminal."""

from __future__ import annotations

import re
from typing import Any

import pytest

from gonfalon.bots.choice import Belief, Choice
from gonfalon.bots.thoughts import told
from gonfalon.core.cards import HIDDEN
from gonfalon.core.game import names_for
from gonfalon.core.rng import Rng
from gonfalon.core.state import CHANCE, OPEN, SPECTATOR
from gonfalon.core.words import describe
from gonfalon.games.factionwars import FactionWars
from gonfalon.games.factionwars.face.refusals import PLAIN
from gonfalon.games.factionwars.rules import events as ev
from gonfalon.games.factionwars.rules.actions import TO
from gonfalon.games.factionwars.rules.neutrals import NEUTRALS
from gonfalon.games.factionwars.rules.recruits import RECRUITS
from gonfalon.testing.rulings import numbered, rule
from tests.factionwars.scenario import Table

GAME = FactionWars(seats=3)

# ---- sentences ---------------------------------------------------------------------------------------------

SENTENCES: list[tuple[int, int, str | None, int, int, str, str]] = [
    # code, seat, card, a, b, as May (seat 0) reads it, as Ann (seat 2) reads it
    (ev.ROUND, -2, None, 3, 0, "Round 3.", "Round 3."),
    (ev.LINED_UP, -2, "jarl", 0, 0, "Jarl comes to place 1.", "Jarl comes to place 1."),
    (ev.DEPLETED, -2, None, 1, 2, "The recruit deck is empty, 1 of 2.", "The recruit deck is empty, 1 of 2."),
    (ev.RENEWED, -2, None, 1, 0, "Its discard pile is shuffled: 1 card.", "Its discard pile is shuffled: 1 card."),
    (ev.GOAL, 0, "clean-hands", 0, 0, "Your goal is Clean Hands: no Bystander.", ""),
    (ev.CHOSE, 0, "jarl", 1, 0, "You select place 2, Jarl.", "May selects place 2, Jarl."),
    (ev.CLAIMED, 0, "jarl", 1, ev.SOLE, "You take Jarl.", "May takes Jarl."),
    (ev.CLAIMED, 0, "jarl", 1, ev.FOUGHT, "You win Jarl.", "May wins Jarl."),
    (ev.BATTLE, -2, "jarl", 1, 0b011, "You and David fight for Jarl.", "May and David fight for Jarl."),
    (ev.BATTLE, -2, "jarl", 1, 0b111, "You, David and Ann fight for Jarl.", "You, May and David fight for Jarl."),
    (ev.SHOWN, 0, "blade", 1, 4, "You reveal Blade, value 4.", "May reveals Blade, value 4."),
    (ev.OUT, 0, None, ev.LOWER, 0, "You are out: a lower card.", "May is out: a lower card."),
    (ev.OUT, 0, None, ev.SYMBOL, 0, "You are out: the symbol loses.", "May is out: the symbol loses."),
    (ev.OUT, 0, None, ev.NO_CARD, 0, "You have no card left and are out.", "May has no card left and is out."),
    (ev.LOST, -2, "jarl", 0, ev.ALL_OUT, "Nobody gets Jarl: all who fought for it are out. It is discarded.", ""),
    (ev.LOST, -2, "jarl", 0, ev.NO_CLEAR_WINNER, "Nobody gets Jarl: no clear winner. It is discarded.", ""),
    (ev.TIED, -2, None, 0b101, ev.SAME_VALUE, "You and Ann go on: level.", "You and May go on: level."),
    (ev.TIED, -2, None, 0b011, ev.SAME_SYMBOL, "You and David go on: the same symbol.", ""),
    (ev.DREW, 0, "jarl", 0, 0, "You draw Jarl from the recruit deck.", "May draws Jarl from the recruit deck."),
    (
        ev.NOTHING,
        0,
        None,
        ev.NO_TARGET,
        ev.BUCCANEER,
        "Your Buccaneer does nothing: nobody else has a recruit.",
        "May's Buccaneer does nothing: nobody else has a recruit.",
    ),
    (
        ev.TARGET,
        0,
        None,
        2,
        ev.KUNOICHI,
        "You send your Kunoichi against Ann.",
        "May sends their Kunoichi against you.",
    ),
    (ev.TARGET, 0, None, 2, ev.PARLEY, "You parley with Ann.", "May parleys with you."),
    (
        ev.STOLE,
        0,
        "jarl",
        2,
        7,
        "You take Jarl from Ann, 1 of 7 recruits.",
        "May takes Jarl from you, 1 of 7 recruits.",
    ),
    (ev.STOLE, 0, "jarl", 2, 1, "You take Jarl from Ann, 1 of 1 recruit.", "May takes Jarl from you, 1 of 1 recruit."),
    (ev.REMOVED, 0, "jarl", 2, 3, "You lose Jarl to Ann, 1 of 3 recruits.", "May loses Jarl to you, 1 of 3 recruits."),
    (ev.DESERTED, 0, "jarl", 2, 0, "Your Jarl deserts.", "May's Jarl deserts."),
    (ev.GAVE, 0, "jarl", 2, 0, "You give Jarl to Ann.", "May gives Jarl to you."),
    (
        ev.HANDED,
        0,
        "bystander",
        2,
        0,
        "You hand Innocent Bystander to Ann.",
        "May hands Innocent Bystander to you.",
    ),
    (ev.ACTION, 0, "parley", 0, 0, "You perform Parley.", "May performs Parley."),
    (ev.ACTION_DONE, -2, "parley", 0, 0, "Parley is discarded.", "Parley is discarded."),
    (ev.CALLED, 0, "jarl", 0, 0, "You draw Jarl.", "May draws Jarl."),
    (ev.KEPT, 0, "jarl", 0, 0, "You collect Jarl.", "May collects Jarl."),
    (ev.DISMISSED, 0, "jarl", 0, 0, "You discard Jarl.", "May discards Jarl."),
    (
        ev.FREED,
        0,
        "jarl",
        0,
        0,
        "You collect Jarl from the recruit discard pile.",
        "May collects Jarl from the recruit discard pile.",
    ),
    (ev.SHUFFLED, 0, None, 4, 0, "You shuffle your battle deck: 4 cards.", "May shuffles their battle deck: 4 cards."),
    (ev.GOAL_SHOWN, 0, "clean-hands", 1, 4, "Your goal is Clean Hands: met, 4 points.", ""),
    (ev.GOAL_SHOWN, 0, "clean-hands", 0, 4, "Your goal is Clean Hands: not met.", ""),
    (ev.SCORED, 0, None, 3, -4, "Your Bystanders: -4.", "May's Bystanders: -4."),
    (ev.SCORED, 0, None, 3, 0, "", ""),
    (ev.TOTAL, 0, None, 1, 0, "You have 1 point.", "May has 1 point."),
    (ev.TOTAL, 0, None, 12, 0, "You have 12 points.", "May has 12 points."),
    (ev.OVER, 0, None, 0b001, 0, "You win.", "May wins."),
    (ev.OVER, -1, None, 0b101, 1, "You and Ann share the victory.", "You and May share the victory."),
    (ev.OVER, 0, None, 0b001, 2, "You win: level points, fewer Bystanders.", ""),
]


@pytest.mark.parametrize(("code", "seat", "slug", "a", "b", "mine", "theirs"), SENTENCES)
def test_a_sentence_for_every_viewer(
    code: int, seat: int, slug: str | None, a: int, b: int, mine: str, theirs: str
) -> None:
    """Empty stands for a sentence that is not looked at (or, for both, for none)."""
    card = HIDDEN if slug is None else GAME.kind_of[slug]
    event = (code, -1, seat, card, a, b)
    view = GAME.start(log=True)
    assert GAME.words(event, view, ["You", "David", "Ann"]) == mine
    if theirs:
        assert GAME.words(event, view, ["May", "David", "You"]) == theirs


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
        "May sends their Buccaneer against David.",
        "May takes Outlaw from David, 1 of 2 recruits.",
        "David shuffles their battle deck: 4 cards.",
    ]


@pytest.mark.parametrize("options", [{"seats": 5}, {"seats": 2}, {"seats": 4, "revision": "later", "bystander": "out"}])
def test_all_that_happens_has_words_and_fits_a_terminal(options: dict[str, Any]) -> None:
    """Every sentence is one, no line is beyond 80 columns, no number or brace slipped through."""
    game = FactionWars(**options)
    people = ["Maximiliana von Hohenfels", "Bartholomew Featherstonehaugh", "Ann", "Ben", "Cleo"][: game.seats]
    state = game.start(log=True)
    rng = Rng(11)
    number = 0
    while not state.over:
        state.apply(state.turn, state.sample(rng))
        number += 1
        if number % 7 and not state.over:
            continue
        for viewer in (*range(game.seats), SPECTATOR, OPEN):
            view = state.mask(viewer)
            names = names_for(game, viewer, people)
            assert max(map(len, game.text(view, names).splitlines())) <= 80
            said = [game.prompt(view, names)]
            said += [text for event in (view.log or [])[-20:] if (text := game.words(event, view, names))]
            said += [game.describe(view, action) for action in view.legal(viewer)] if viewer >= 0 else []
            for sentence in said:
                assert re.fullmatch(r"[A-Z][^{}\[\]]*\.", sentence), sentence
                assert not re.search(r"\b[Yy]ou (is|has|\w+[^su]s)\b", sentence), sentence
    assert state.outcome() is not None


# ---- what is asked -------------------------------------------------------------------------------------------


def test_prompts_name_who_is_asked_what() -> None:
    table = Table(seats=3)
    assert table.may.prompt == "Select a card of the line-up."
    table.may.does("take:1")
    assert table.may.prompt == "Waiting for the others."
    assert table.david.prompt == "Select a card of the line-up."
    assert table.game.prompt(table.spectator, table.people_for(SPECTATOR)) == "Everybody chooses."
    table = Table(seats=3)
    table.collects(table.may, "bystander")
    assert table.may.prompt == "Hand the Bystander to another player."
    assert table.david.prompt == "May is to hand on a Bystander."
    table = Table(seats=2)
    table.david.owns("outlaw", "jarl")
    table.collects(table.may, "kunoichi")
    assert table.may.prompt == table.david.prompt == "Chance picks a recruit."
    table.chance("steal:jarl")
    table.lines_up("jarl", "blade", "gunner").select(1, 1)
    assert table.may.prompt == "Battle cards are being revealed."


def test_what_an_action_means() -> None:
    table = Table(seats=3).lines_up("jarl", "bystander", "parley", "blade")
    assert [choice["text"] for choice in table.may.controls["choices"]] == [
        "Select place 1: Jarl.",
        "Select place 2: Innocent Bystander.",
        "Select place 3: Parley.",
        "Select place 4: Blade.",
    ]
    table.may.owns("outlaw", "gunner")
    table.david.owns("deckhand", "captain")
    table.ann.owns("marshal")
    table.collects(table.may, "parley")
    assert [choice["text"] for choice in table.may.controls["choices"]] == [
        "Parley with Player 2.",
        "Parley with Player 3.",
    ]
    table.may.does("to:1")
    assert [choice["text"] for choice in table.may.controls["choices"]] == ["Give Outlaw.", "Give Gunner."]


def test_another_player_is_called_by_name() -> None:
    """In a choice, on the table and in a hint; between two the other is the opponent."""
    for seats, other in ((2, "your opponent"), (3, "Bo")):
        table = Table(seats=seats).lines_up(*("jarl", "bystander", "parley", "blade")[: seats + 1])
        game, view, people = table.game, table.state.mask(0), ["Ann", "Bo", "Cy"][:seats]
        names = names_for(game, 0, people)
        assert describe(game, view, TO + 1, names) == f"Take from {other}."
        hint = told(
            game, view, Choice(TO + 1, "Player 2 has most to lose.", beliefs=(Belief("Player 2's goal", ()),)), people
        )
        assert (hint["text"], hint["why"], hint["beliefs"][0]["about"]) == (
            f"Take from {other}.",
            "Bo has most to lose.",
            "Bo's goal",
        )
        text = game.text(view, names)
        assert "\nBo:" in text
        assert "Player" not in text


# ---- controls and reasons ---------------------------------------------------------------------------------------


def test_controls_belong_to_who_is_asked() -> None:
    table = Table(seats=3)
    assert table.may.controls["mode"] == "select"
    assert table.may.controls["kind"] == "place"
    table.may.does("take:1")
    assert table.may.controls == {"mode": None, "kind": None, "choices": [], "why": {}}
    table = Table(seats=3)
    table.collects(table.may, "bystander")
    assert table.may.controls["kind"] == "seat"
    assert [choice["seat"] for choice in table.may.controls["choices"]] == [1, 2]
    assert table.may.controls["why"] == {"to:0": "You cannot keep a Bystander (ruling 13)."}
    assert table.david.controls["choices"] == []


def test_reasons_stand_beside_everything_that_may_not_be_chosen() -> None:
    table = Table(seats=3)
    table.david.owns("outlaw", "jarl")
    table.may.owns("bystander", "captain", "gunner")
    table.collects(table.may, "buccaneer")
    table.settle_chance()
    table.collects(table.ann, "desertion")
    assert table.may.controls["why"] == {"bystander": "That is no recruit (ruling 17)."}
    table = Table(seats=3)
    table.may.owns("captain")
    table.david.owns("outlaw")
    table.ann.owns("blade")
    table.collects(table.may, "kunoichi")
    assert table.may.controls["why"] == {"to:0": "It has to be another player (ruling 16)."}
    table = Table(seats=2).discarded("jarl", "blade", "bystander", "parley")
    table.collects(table.may, "prisoner-exchange")
    assert table.may.controls["why"] == {
        "bystander": "That is no recruit (ruling 17).",
        "parley": "That is no recruit (ruling 17).",
    }


def test_reasons_of_refusals() -> None:
    table = Table(seats=3)
    assert table.may.why_not("jarl") == PLAIN["select"]
    table.collects(table.may, "bystander")
    assert table.may.why_not("take:1") == PLAIN["bystander"]
    assert table.david.why_not("to:0") == "It is not your decision now."
    table = Table(seats=2).on_top("jarl", "blade", "captain")
    table.collects(table.may, "call-to-arms")
    assert table.may.why_not("outlaw") == "That card is not among those you have drawn (ruling 22)."
    assert table.may.why_not("to:1") == PLAIN["keep"]
    table = Table(seats=2)
    table.david.owns("outlaw", "jarl")
    table.collects(table.may, "buccaneer")
    assert table.may.why_not("steal:jarl") == "It is not your decision now."
    assert table.state.why_not(CHANCE, table.game.parse("steal:blade")) == PLAIN["steal"]
    assert table.state.why_not(CHANCE, -5) == "There is no such action in Faction Wars."


@rule("factionwars", 32)
def test_a_place_that_does_not_exist() -> None:
    table = Table(seats=2)
    assert table.state.why_not(0, 6) == "There is no such place in the line-up (ruling 32)."


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
    """With two Berserkers a third brings 9 - 4 = 5, with Odin's Favor a point more; a goal of two is met already."""
    table = Table(seats=3)
    table.may.owns("berserker", "berserker", "odins-favor").has_goal("shield-biters")
    table.ann.has_goal("clean-hands")
    table.lines_up("berserker", "jarl", "bystander", "gambler")
    worth = [place["worth"] for place in table.may.board["lineup"]]
    assert [entry["points"] for entry in worth] == [6, 6, 0, 1]
    assert [entry["kept"] for entry in worth] == [True, True, False, True]
    assert [entry["ability"] for entry in worth] == [False, False, True, True]
    assert worth[0]["goal"] == {"have": 3, "need": 2, "had": 2}
    worth = [place["worth"] for place in table.david.board["lineup"]]
    assert [entry["points"] for entry in worth][1] == 5 + (4 if table.david.goal == "great-hall" else 0)


def test_own_goal_with_progress() -> None:
    table = Table(seats=3)
    table.may.has_goal("wild-west").owns("outlaw", "deputy")
    table.ann.owns("gambler", "ranch-hand", "marshal")
    goal = table.may.board["seats"][0]["goal"]
    assert (goal["have"], goal["need"], goal["met"], goal["bonus"]) == (2, 4, False, 3)
    text = table.game.text(table.may.view, table.people_for(0))
    assert "Your goal, Wild West: more Cowboys than anybody else (2 of 4, not met; 3" in text


def test_scenes_tell_a_battle_reveal_by_reveal() -> None:
    table = Table(seats=3)
    table.may.draws("outlaw", "rock", "paper")
    table.david.draws("huscarl", "deputy", "paper")
    table.lines_up("jarl", "blade", "bystander", "captain").select(1, 1, 3)
    table.ann.does("to:0")
    first, second = table.may.board["scenes"]
    assert (first["place"], first["seats"], first["winner"], first["battle"]) == (1, [0, 1], 1, True)
    assert [[shown["value"] for shown in reveal["shown"]] for reveal in first["reveals"]] == [[4, 4], [1, 3]]
    assert first["reveals"][0]["tied"] == {"seats": [0, 1], "why": "level"}
    assert first["reveals"][1]["out"] == [{"seat": 0, "why": "a lower card"}]
    assert (second["place"], second["winner"], second["battle"]) == (3, 2, False)
    assert [(step["what"], step["seat"], step["other"]) for step in second["then"]] == [("handed", 2, 0)]
    assert [(entry["seat"], entry["place"]) for entry in table.may.board["revealed"]] == [(0, 1), (1, 1), (2, 3)]


def test_what_is_printed_on_a_card() -> None:
    card = GAME.card("Odin's Favor")
    assert card is not None
    assert card["slug"] == "odins-favor"
    assert card["text"] == "1 point for each of your Vikings, this card included."
    assert (card["battle"], card["provenance"]["points"], card["provenance"]["battle"]) == (
        2,
        "rulebook",
        "reconstructed",
    )
    assert GAME.card("odins favor") == GAME.card("odins-favor")
    assert GAME.card("nobody") is None
    goal = GAME.card("Grand Alliance")
    assert goal is not None
    assert goal["text"] == "Goal: at least 2 of every faction."
    specialists = GAME.card("Specialists")
    assert specialists is not None
    assert specialists["text"] == "Goal: at least 3 of Gambler / Kunoichi / Buccaneer."
    action = GAME.card("parley")
    assert action is not None
    assert "battle" not in action
    rock = GAME.card("Conscript (Rock)")
    assert rock is not None
    assert (rock["symbol"], rock["kind"], rock["points"]) == ("rock", "conscript", 0)


def test_a_card_says_what_it_does_in_the_revision_that_is_played() -> None:
    """There an open Bonus Card belongs to nobody, so it is no card of yours, and conscripts have no symbols."""
    later = FactionWars(revision="later")
    card = later.card("odins-favor")
    assert card is not None
    assert card["text"] == "It lies open: 1 point for each of your Vikings, for everybody."
    assert 41 in card["rulings"]
    assert 28 not in card["rulings"]
    sets = later.card("common-cause")
    assert sets is not None
    assert sets["text"] == "It lies open: 2 points for each set of one card of every faction, for everybody."
    rock = later.card("conscript-rock")
    assert rock is not None
    assert rock["text"] == "Never a recruit, no points. Level conscripts go on like any other cards."
    assert rock["rulings"] == [3]
    mine = FactionWars().card("conscript-rock")
    assert mine is not None
    assert "rock, paper, scissors" in mine["text"]
    said = " ".join(face["text"] for face in later.catalogue())
    assert "this card included" not in said
    assert "scissors" not in said


def test_every_ability_has_a_text_and_rulings_that_exist() -> None:
    assert all(bool(ability.text) == bool(name) for name, ability in {**RECRUITS, **NEUTRALS}.items())
    last = numbered((FactionWars.folder / "guide.md").read_text("utf-8"))[0][-1]
    for options in ({}, {"revision": "later"}):
        for face in FactionWars(**options).catalogue():
            assert all(1 <= number <= last for number in face["rulings"])
            assert face["text"] == "" or face["text"].endswith(".")
