"""Hidden information: taken cards, hands, decks, face-down cards."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from gonfalon.core.basics.cards import KIND
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.game import names_for
from gonfalon.core.rules.state import SPECTATOR, State
from gonfalon.games.jinkei import Jinkei
from gonfalon.games.jinkei.rules.events import ANSWERED, DREW_CARD, LED, TOOK
from gonfalon.games.jinkei.rules.state import JinkeiState
from gonfalon.testing import rule
from tests.jinkei.scenario import Table


def collect_output(game: Jinkei, view: State) -> dict[str, str]:
    """Return all data that leaves the core for a viewer, by type."""
    assert isinstance(view, JinkeiState)
    names = names_for(game, view.viewer, ["May", "David"])
    out = {"board": json.dumps(game.board(view)), "controls": json.dumps(game.controls(view))}
    out["text"] = game.text(view, names)
    out["prompt"] = game.prompt(view, names)
    out["log"] = "\n".join(game.words(event, view, names) for event in view.log or [])
    out["actions"] = "\n".join(game.notation(a) + game.describe(view, a) for a in view.legal(view.viewer))
    return out


def cards_named(text: str) -> set[str]:
    """Return the cards that a text names in any spelling: Red 5, red5."""
    return {f"{colour}{rank}".lower() for colour, rank in re.findall(r"\b(red|blue) ?(\d+)\b", text, re.IGNORECASE)}


def one_battle(**options: Any) -> Table:
    """May's Red 9 has taken David's Red 8; his Blue 3 attacks next."""
    table = Table(battles=3, rounds=2, **options)
    table.may.stands(vg1="red9", rg1="blue2", rg2="blue4")
    table.david.stands(rg1="red8", vg1="blue3", vg2="red1")
    table.attacks(table.may)
    table.may.plays("vg1:red")
    table.david.plays("rg1:red")
    return table


@rule("jinkei", 30)
def test_the_cards_of_a_battle_lie_open_until_the_next_begins() -> None:
    table = one_battle()
    for viewer in (0, 1, SPECTATOR):
        assert {"red9", "red8"} <= cards_named(collect_output(table.game, table.state.mask(viewer))["board"])
    table.david.plays("vg1:blue")
    for viewer in (0, 1, SPECTATOR):
        for what, text in collect_output(table.game, table.state.mask(viewer)).items():
            assert not {"red9", "red8"} & cards_named(text), f"viewer {viewer}: {what}"


@rule("jinkei", 30)
def test_the_log_forgets_a_battle_with_its_cards() -> None:
    table = one_battle()
    assert table.may.log()[:3] == [
        "You attack with Red 9 from Vanguard 1.",
        "David answers with Red 8 from Rearguard 1.",
        "You win the battle with the higher rank.",
    ]
    table.david.plays("vg1:blue")
    log = table.may.log()
    assert log[:3] == [
        "You attack with a card from Vanguard 1.",
        "David answers with a card from Rearguard 1.",
        "You win the battle.",
    ]
    assert log[-1] == "David attacks with Blue 3 from Vanguard 1."
    for viewer in (0, 1, SPECTATOR):
        view = table.state.mask(viewer)
        # Nor do the numbers of its events tell anything: not the called colour, nor the rank, nor why.
        numbers = [(code, b) for code, *_, b in view.log or [] if code in (LED, ANSWERED)]
        assert numbers[:2] == [(LED, -1), (ANSWERED, -1)]
        assert numbers[2][1] >= 0, "the card that attacks now lies open"
        assert [a for code, _, _, _, a, _ in view.log or [] if code == TOOK] == [-1]


@rule("jinkei", 30)
def test_with_an_open_memory_taken_cards_stay_known() -> None:
    table = one_battle(memory="open")
    table.david.plays("vg1:blue")
    table.may.plays("rg2:blue")
    for viewer in (0, 1, SPECTATOR):
        view = table.state.mask(viewer)
        assert {"red9", "red8"} <= cards_named(collect_output(table.game, view)["log"])
        taken = table.game.board(view)["seats"][0]["taken"]
        assert [card["slug"] for card in taken] == ["red9", "red8"]
    assert "You win the battle with the higher rank." in table.may.log()


@rule("jinkei", 30, 31)
@pytest.mark.parametrize("games", [1, 2])
def test_taken_cards_never_come_back(games: int) -> None:
    """Once the next battle has begun, a battle's cards are in no view, log, board, text, prompt or action of any
    viewer, up to the end of the game."""
    game = Jinkei(games=games)
    for seed in range(2):
        state = game.start(log=True)
        rng = Rng(seed)
        number = 0
        while not state.over:
            state.apply(state.turn, state.sample(rng))
            number += 1
            if number % 3:
                continue
            for viewer in (0, 1, SPECTATOR):
                view = state.mask(viewer)
                assert isinstance(view, JinkeiState)
                for zone in (*view.taken, *view.spent):
                    assert all(card & KIND == KIND for card in zone)
                named = cards_named("\n".join(collect_output(game, view).values()))
                known = [*view.hand, *view.deck, *view.spaces[0], *view.spaces[1], *view.duel]
                allowed = {game.names[card & KIND] for zone in known for card in zone if card & KIND != KIND}
                if state.game == 2 and viewer >= 0:
                    # The one card a player never used in the first game was never taken; the log knows it.
                    drew = {e[3] & KIND for e in view.log or [] if e[0] == DREW_CARD}
                    named -= {game.names[kind] for kind in drew - {KIND}}
                assert named <= allowed, f"seed {seed}, decision {number}, viewer {viewer}"


@rule("jinkei", 5, 30)
def test_a_view_holds_no_hand_deck_or_card_face_down_of_the_other() -> None:
    game = Jinkei()
    for seed in range(3):
        state = game.start(log=True)
        rng = Rng(seed)
        while not state.over:
            for viewer in (0, 1):
                view = state.mask(viewer)
                assert isinstance(view, JinkeiState)
                other = 1 - viewer
                hidden = [*view.deck, view.hand[other], *view.spaces[other][6:]]
                assert all(card & KIND == KIND for zone in hidden for card in zone)
                own = [view.hand[viewer], *view.spaces[viewer]]
                assert all(card & KIND != KIND for zone in own for card in zone)
                assert view.answers[other] == []
            state.apply(state.turn, state.sample(rng))


def test_simultaneous_answers_show_nothing() -> None:
    """Two games that differ only in May's secret choices and placements look the same to David."""
    game = Jinkei()
    for prompt in ("formation", "front", "back"):
        state = game.start(log=True)
        rng = Rng(3)
        while state.stack[-1].prompt != prompt or state.round < 2:
            state.apply(state.turn, state.sample(rng))
        before = [(collect_output(game, state.mask(viewer)), state.mask(viewer).dump()) for viewer in (1, SPECTATOR)]
        while state.legal(0) and not state.answers[1]:
            for action in state.legal(0):
                twin = state.clone()
                twin.apply(0, action)
                after = [
                    (collect_output(game, twin.mask(viewer)), twin.mask(viewer).dump()) for viewer in (1, SPECTATOR)
                ]
                assert after == before
            state.apply(0, state.legal(0)[-1])


def test_the_placeholder_of_a_face_down_card() -> None:
    """All Reinforcements on a space look alike to David. Cards of the front rows are revealed in the end."""
    table = Table([". # #", "T # #", ". # #"], [". # #", "T # #", ". # #"], battles=3)
    table.may.holds("red1", "red5", "blue9").top_card("red7")
    table.david.holds("blue1", "blue5", "red9").top_card("blue3")
    table.forms_up()
    table.may.chooses("a")
    table.david.chooses("a")
    game, state = table.game, table.state
    assert [game.public(state, 0, a, 1) for a in state.legal(0)] == state.legal(0)
    table.may.lays("red5-vg1")
    table.david.lays("blue1-vg1")
    for viewer in (1, SPECTATOR):
        assert len({game.public(state, 0, a, viewer) for a in state.legal(0)}) == 1
    assert [game.public(state, 0, a, 0) for a in state.legal(0)] == state.legal(0)
