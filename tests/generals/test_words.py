"""Log sentences, boards, controls, previews, reasons and text."""

from __future__ import annotations

import re

import pytest

from gonfalon.core.basics.cards import HIDDEN, KIND, SEEN
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.game import names_for
from gonfalon.core.rules.log import list_lines
from gonfalon.core.rules.state import OPEN, SPECTATOR
from gonfalon.games.generals import Generals
from gonfalon.games.generals.cards.decks import GeneralsDecks, random_deck
from gonfalon.games.generals.face.controls import Controls
from gonfalon.games.generals.rules import events
from gonfalon.games.generals.ruleset import compile_standard
from gonfalon.testing import rule
from tests.generals.folk import plain
from tests.generals.scenario import Player, Table

SHORT = re.compile(r"[A-Z0-9][^{}\[\]]*\.", re.DOTALL)
NAMED = {0: ["You", "David"], 1: ["May", "You"]}


def controls(table: Table, seat: int) -> Controls:
    return table.game.controls(table.state.mask(seat))


def prompts(table: Table) -> list[str]:
    return [
        table.game.prompt(table.state.mask(v), names_for(table.game, v, ["May", "David"])) for v in (0, 1, SPECTATOR)
    ]


def test_a_hand_lies_in_the_order_in_which_it_is_paid_with() -> None:
    """Cards are sorted in ascending order, including those the other seat has seen."""
    table = Table()
    table.may.holds("Lu Bu", "Cao Cao", "Guan Yu")
    hand = table.state.hand[0]
    hand[:] = [card | SEEN[1] if card & KIND == 0 else card for card in hand]  # Cao Cao, the first card of all
    table.refresh()
    assert [card["name"] for card in table.may.board["seats"][0]["hand"]] == ["Cao Cao", "Guan Yu", "Lu Bu"]
    their = table.david.board["seats"][0]["hand"]
    assert [card.get("name") for card in their] == ["Cao Cao", None, None]


def test_where_a_general_takes_the_field_is_asked_in_the_zones() -> None:
    """The zone is chosen on the board, not in the prompt bar, which places and confirms items in turn."""
    vanguard = compile_standard().pool.find("Vanguard")
    assert vanguard is not None
    table = Table(commandments=(vanguard.id, "D05"))
    table.may.holds("Cao Cao", "Militia", "Archers", "Red Hare", "Plunder").does("cao-cao")
    shown = controls(table, 0)
    assert shown["mode"] == "zone"
    assert [choice["id"] for choice in shown["choices"]] == ["@fortress", "@border"]


def test_a_turn_in_sentences() -> None:
    table = plain()
    table.may.has("Ash", at="BORDER").holds("Reed", "Militia", "Archers", "Reward the Army")
    table.david.has("Kite", at="ENEMY_BORDER").has("Wolf", at="FORTRESS")
    table.may.does("reed", "militia", "reed#1", "reward-the-army", "ash#1", "kite#2").ends()
    expected = [
        "{May} recruit{s} Reed.",
        "{May} play{s} Militia.",
        "{Your} Reed bears Militia.",
        "{May} play{s} Reward the Army.",
        "{May} pay{s} 1 card.",
        "{Your} Ash: Might +1.",
        "{Your} Reed: Might +1.",
        "{Your} Ash attacks {david's} Kite.",
        "6 against 4: {your} Ash wins.",
        "{David's} Kite falls.",
        "{May} pay{s} 2 cards of RESOURCE as Upkeep.",
        "Turn 4. {David's} turn.",
    ]
    may = {"May": "You", "s": "", "your": "your", "Your": "Your", "their": "your"}
    may |= {"david's": "David's", "David's": "David's", "fortress": "FORTRESS"}
    david = {"May": "May", "s": "s", "your": "May's", "Your": "May's", "their": "their"}
    david |= {"david's": "your", "David's": "Your", "fortress": "ENEMY'S FORTRESS"}
    assert table.may.reads()[: len(expected)] == [line.format(**may) for line in expected]
    assert table.david.reads()[: len(expected)] == [line.format(**david) for line in expected]


@rule("generals", 1)
def test_zones_are_called_as_the_reader_calls_them() -> None:
    """May's BORDER is David's ENEMY'S BORDER on the board and in the log. A spectator reads the owner's name."""
    table = plain()
    table.david.has("Kite")
    table.may.has("Ash").does("ash#1", "@border").ends()
    table.david.does("kite#2", "@border")
    assert table.may.reads()[0] == "Your Ash moves to BORDER."
    assert table.may.reads()[-1] == "David's Kite moves to ENEMY'S BORDER."
    assert table.david.reads()[0] == "May's Ash moves to ENEMY'S BORDER."
    assert table.david.reads()[-1] == "Your Kite moves to BORDER."
    view = table.state.mask(SPECTATOR)
    log = [table.game.words(event, view, ["May", "David"]) for event in view.log or []]
    assert log[0] == "May's Ash moves to May's BORDER."
    assert log[-1] == "David's Kite moves to David's BORDER."


def test_what_is_asked() -> None:
    table = plain(ask=True)
    table.may.has("Ash", "Birch", at="BORDER").holds("Rook", "Militia", "Archers", "Kite", "Tactics - Ambush")
    table.david.has("Reed", "Sedge", at="ENEMY_BORDER").holds("Feigned Retreat", "Red Hare")
    assert prompts(table) == ["Play a card or move a general", "May's turn", "May's turn"]
    table.may.does("ash#1")
    assert prompts(table)[:2] == ["What does Ash do?", "May is moving Ash"]
    table.may.does("reed#2")
    assert prompts(table)[:2] == ["David may play a Counter", "May's Ash attacks your Reed. Counter?"]
    table.david.passes()
    table.may.does("rook")
    assert prompts(table)[:2] == ["Pay 2 cards from your hand", "May is paying 2 cards"]
    table.may.does("militia", "archers")
    table.may.does("tactics-ambush")
    assert prompts(table)[:2] == [
        "Which general executes Tactics - Ambush?",
        "May is choosing who executes Tactics - Ambush",
    ]


def test_the_controls_show_costs_with_their_parts_and_reasons() -> None:
    table = plain(commandments=("D01", "X99"))
    table.may.has("Birch", at="BORDER").holds("Ash", "Empty Fort", "Green Dragon Blade")
    shown = controls(table, 0)
    assert shown["mode"] == "main"
    ash = shown["cards"]["ash"]
    assert (ash["why"], ash["cost"]["text"]) == (None, "3 - 1 Affiliation - 1 Recruit = 1")
    assert ash["draft"] is not None
    assert ash["draft"]["pays"] == 1
    assert shown["cards"]["empty-fort"]["why"] == ("Empty Fort is a Counter: it answers an act of the enemy.")
    assert [choice["id"] for choice in shown["choices"]] == table.may.choices
    assert controls(table, 1)["mode"] is None
    assert controls(table, 1)["choices"] == []


def test_the_controls_show_the_effect_of_each_act() -> None:
    """A melee of 5 against 4, a Siege of 5, and one more blocker required."""
    table = plain()
    table.may.has("Ash", at="BORDER").has("Wolf", at="ENEMY_BORDER")
    table.david.has("Kite", "Heron", at="ENEMY_BORDER")
    units = controls(table, 0)["units"]
    acts = {entry["id"]: entry for entry in units["ash#1"]["acts"]}
    assert acts["kite#2"]["preview"] == "Melee 5 against 4"
    assert acts["kite#2"]["why"] is None
    assert acts["@enemy-border"]["preview"] == "2 more needed at your BORDER"
    assert "block your BORDER" in (acts["@enemy-border"]["why"] or "")
    siege = {entry["id"]: entry for entry in units["wolf#1"]["acts"]}["siege"]
    assert (siege["preview"], siege["why"]) == ("Siege depletes 6 of 30", None)
    n = units["ash#1"]["n"]
    reach = controls(table, 0)["reach"]
    wins = {"n": n, "text": "Ash: Attack Kite", "score": "5 vs 4", "result": "wins", "best": True}
    assert reach["kite#2"][0] == wins
    assert [entry["n"] for entry in controls(table, 0)["barred"]["@enemy-border"]] == [n]
    poor = plain()
    poor.may.has("Wolf", at="ENEMY_BORDER")
    poor.david.resource(size=5)
    siege = {entry["id"]: entry for entry in controls(poor, 0)["units"]["wolf#1"]["acts"]}["siege"]
    assert siege["preview"] == "Siege depletes 6 of 5 and wins"


def test_the_best_act_of_a_general_is_suggested() -> None:
    """Ash 5 beats Kite 4 and Reed 2, ties with Rook 5 and loses to Wolf 6. A Siege comes before a melee, and a general
    without a good act has no suggestion."""
    table = plain()
    table.may.has("Ash", at="BORDER").has("Wolf", at="ENEMY_BORDER").has("Sedge", at="BORDER")
    table.david.has("Reed", "Kite", "Rook", "Wolf", at="ENEMY_BORDER").resource(size=6)
    shown = controls(table, 0)
    results = {id: (entry["score"], entry["result"], entry["best"]) for id, (entry, *_) in shown["reach"].items()}
    assert results["reed#2"] == ("5 vs 2", "wins", False)
    assert results["kite#2"] == ("5 vs 4", "wins", True)
    assert results["rook#2"] == ("5 vs 5", "both fall", False)
    assert results["wolf#2"] == ("5 vs 6", "loses", False)
    assert results["siege"] == ("Siege \u22126", "0 left", True)
    assert shown["units"]["ash#1"]["best"] == {"id": "kite#2", "text": "Attack Kite", "score": "5 vs 4 · wins"}
    assert shown["units"]["wolf#1"]["best"] == {"id": "siege", "text": "Lay siege", "score": "Siege \u22126 · 0 left"}
    only_losses = plain()
    only_losses.may.has("Reed", at="BORDER")
    only_losses.david.has("Kite", at="ENEMY_BORDER")
    assert controls(only_losses, 0)["units"]["reed#1"]["best"] is None


def test_the_board_names_the_enemy_that_a_general_would_fall_to() -> None:
    """Kite 4 and Rook 5 beat Reed 2, and Rook is the stronger. Rook ties with Ash 5, whom only Wolf 6 beats. Birch is
    in another zone. Viewers see the threats on their own generals alone."""
    table = plain()
    table.may.has("Ash", "Reed", at="BORDER").has("Birch", at="FORTRESS")
    table.david.has("Kite", "Rook", at="ENEMY_BORDER")

    def find_threats(player: Player) -> dict[str, str]:
        units = [unit for seat in player.board["seats"] for unit in seat["units"] if unit["falls_to"]]
        return {unit["slug"]: f"{unit['falls_to']['name']} {unit['falls_to']['might']}" for unit in units}

    assert find_threats(table.may) == {"reed": "Rook 5"}
    assert find_threats(table.david) == {"kite": "Ash 5"}
    table.david.has("Wolf", at="ENEMY_BORDER")
    assert find_threats(table.may) == {"ash": "Wolf 6", "reed": "Wolf 6"}


def test_the_log_marks_its_lines() -> None:
    """A turn is a heading. Recruits, marches, melees and Upkeep have icons, and so has each other kind of card."""
    table = plain()
    table.may.has("Ash", at="BORDER").holds("Reed")
    table.david.has("Kite", at="ENEMY_BORDER")
    table.may.does("reed", "ash#1", "kite#2").ends()
    marks = [line["mark"] for line in list_lines(table.game, table.state.mask(0), ["You", "David"])]
    assert marks[:2] == ["knight-banner", "crossed-swords"]
    assert {"tombstone", "hourglass", "turn"} <= set(marks)


def test_a_preview_matches_the_result() -> None:
    table = plain(commandments=("D03", "D05"))
    table.may.has("Ash", at="ENEMY_BORDER", gear=("Militia",)).has("Wolf", at="ENEMY_BORDER")
    table.david.has("Rook", at="BORDER", gear=("Archers",))
    acts = {entry["id"]: entry for entry in controls(table, 0)["units"]["ash#1"]["acts"]}
    assert acts["rook#2"]["preview"] == "Melee 6 against 8", "5 and Archers 2 and Bulwark 1"
    table.may.does("ash#1", "rook#2")
    assert table.may.fallen == ["Ash"]
    siege = plain(commandments=("D03", "X99"))
    siege.may.has("Wolf", "Reed", at="ENEMY_BORDER")
    for name, amount in (("wolf", 7), ("reed", 2)):  # Siegecraft adds 1 to the first
        left = siege.david.resources
        acts = {entry["id"]: entry for entry in controls(siege, 0)["units"][f"{name}#1"]["acts"]}
        assert acts["siege"]["preview"] == f"Siege depletes {amount} of {left}"
        siege.may.does(f"{name}#1", "siege")
        assert siege.david.resources == left - amount


def test_the_page_warns_of_losing_actions() -> None:
    table = plain()
    table.may.has("Ash", "Birch").resource(size=2)
    assert controls(table, 0)["end"] == [
        "After your Upkeep your RESOURCE is empty: your next draw would lose the game."
    ]
    table.may.resource(size=1)
    assert controls(table, 0)["end"] == ["Your Upkeep is 2 and your RESOURCE 1: ending your turn loses the game."]
    danger = plain()
    danger.may.resource(size=10)
    danger.david.has("Ash", "Wolf", at="ENEMY_BORDER")
    assert danger.may.board["seats"][0]["warnings"] == ["Enemy Sieges could deplete 11, and your RESOURCE is 10."]
    assert danger.david.board["seats"][0]["warnings"] == [], "a warning is for its owner"


def test_the_board_shows_an_act_that_may_be_answered() -> None:
    table = plain(ask=True)
    table.may.has("Ash", at="BORDER")
    table.david.has("Kite", at="ENEMY_BORDER").holds("Militia")
    table.may.does("ash#1", "kite#2")
    act = table.david.board["act"]
    assert act is not None
    assert (act["unit"], act["targets"]) == ("ash#1", ["kite#2"])
    assert act["preview"]["text"] == "Melee 5 against 4"
    text = table.game.text(table.state.mask(1), ["May", "You"])
    assert "Declared by May: Ash attacks Kite (Melee 5 against 4)." in text


@pytest.mark.parametrize(("beside", "follows"), [((), "Kite falls, then 11 can besiege"), (("Heron",), "Kite falls")])
def test_the_result_of_an_attack_is_previewed(beside: tuple[str, ...], follows: str) -> None:
    """Ash 5 defeats Kite 4. Then the Sieges of Ash and of Wolf (Might 6) are unblocked, unless Heron blocks."""
    table = plain(ask=True)
    table.may.has("Ash", "Wolf", at="ENEMY_BORDER")
    table.david.has("Kite", *beside, at="BORDER").holds("Militia")
    table.may.does("ash#1", "kite#2")
    act = table.david.board["act"]
    assert act is not None
    assert act["preview"]["follows"] == follows


def test_the_table_as_text() -> None:
    table = plain()
    table.may.has("Ash", at="BORDER", gear=("Militia",)).holds("Liu Bei").lost("Guan Yu")
    table.david.has("Kite", at="ENEMY_BORDER", new=True)
    text = table.game.text(table.state.mask(0), ["You", "David"])
    lines = [" ".join(line.split()) for line in text.splitlines()]
    border, fortress = (n for n, line in enumerate(lines) if line.strip("─ ") in ("BORDER", "FORTRESS"))
    assert [line[2:] for line in lines[border + 1 : fortress]] == ["Kite 4/4 new", "Ash 6/3 +Militia"]
    assert lines[0] == "Turn 3 Your turn"
    assert "RESOURCE 30 Upkeep 1 hand 0 DISCARD 0" in lines[1]
    assert "Quiet † Guan Yu" in lines
    assert lines[-1] == "Your hand: Liu Bei 3/4 (2)"
    assert "David, seen of the deck: Kite ×1" in lines


def lots(seed: int) -> Generals:
    """Return random decks that cover every card."""
    pool = compile_standard().pool
    tools = GeneralsDecks(pool)
    rng = Rng(seed)
    pair = tuple(tools.code(random_deck(pool, rng)) for _ in (0, 1))
    return Generals(decks=pair, mulligan=bool(seed % 2), counter_chain=True)


@pytest.mark.parametrize("seed", range(3))
def test_all_that_happens_has_words_and_fits_a_terminal(seed: int) -> None:
    """Every event has a sentence of at most 80 columns without leftover numbers or braces."""
    game = lots(seed)
    state = game.start(log=True)
    rng = Rng(seed)
    told = 0
    number = 0
    while not state.over:
        busy = len(state.actions) > 1 and state.stack[-1].prompt == "main" and rng.below(4)
        action = state.actions[1 + int(rng.below(len(state.actions) - 1))] if busy else state.sample(rng)
        state.apply(state.turn, action)
        number += 1
        if number % 3:
            continue
        assert state.log is not None
        fresh = len(state.log) - told
        told = len(state.log)
        for viewer in (0, 1, SPECTATOR, OPEN):
            view = state.mask(viewer)
            names = names_for(game, viewer, ["Maximiliana", "Bartholomew"])
            assert max(map(len, game.text(view, names).splitlines())) <= 80
            assert re.fullmatch(r"[A-Z][^{}\[\]]*", game.prompt(view, names))
            lines = [game.words(event, view, names) for event in (view.log or [])[-fresh:]]
            said = [line for line in lines if line]
            if viewer >= 0:
                said += [game.describe(view, action) for action in view.legal(viewer)]
            for sentence in said:
                assert SHORT.fullmatch(sentence), sentence
                assert not re.search(r"\bYou is\b|\byou is\b|\bYou \w+s\b(?<!pass)| 1 cards| a the ", sentence), (
                    sentence
                )
                assert "None" not in sentence, sentence
    outcome = state.outcome()
    assert outcome is not None
    for viewer in (0, 1, SPECTATOR):
        assert SHORT.fullmatch(game.ending(state.mask(viewer), names_for(game, viewer)))


def test_payments_in_a_row_take_one_line() -> None:
    game = plain().game
    paid = (events.PAID, 3, 0, HIDDEN, 1, 0)
    assert game.continues(paid, paid)
    assert not game.continues((events.PAID, 3, 1, HIDDEN, 1, 0), paid)
    assert game.line([paid] * 3, plain().state.mask(0), NAMED[0]) == "You pay 3 cards."


def test_draws_and_upkeep_take_one_line_each() -> None:
    """May, who has one general, pays 1 card. The cards of a draw are named to their owner alone."""
    table = plain()
    table.may.has("Ash").ends()
    state = table.state
    lines = {
        viewer: [line["text"] for line in list_lines(table.game, state.mask(viewer), NAMED[viewer])]
        for viewer in (0, 1)
    }
    assert "You pay 1 card of RESOURCE as Upkeep." in lines[0]
    assert "May pays 1 card of RESOURCE as Upkeep." in lines[1]
    assert [line for line in lines[0] if "draw" in line] == ["David draws 1 card."]
    [own] = [line for line in lines[1] if "draw" in line]
    assert own.startswith("You draw ")
    assert "card" not in own
