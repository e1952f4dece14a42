"""The board of a game without its own page, as sides, zones and cards: its contents, and no more."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from gonfalon.core.basics.rng import Rng
from gonfalon.core.knowledge.worlds import worlds
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import SPECTATOR
from gonfalon.core.text.default_sheet import default_sheet
from gonfalon.table import Person, Store, Tables
from gonfalon.table.live.views import ShownAction
from gonfalon.web import create_app
from gonfalon.web.shared.generic_board import build_table, mark_answers
from tests.core.test_simple import Draft, DraftState
from tests.core.test_templates import Aim, Inquiry
from tests.stranger.gonfalon_duel import NAMES, Duel

ANSWERS: list[ShownAction] = [{"id": "hill-folk", "text": "Play them."}, {"id": "end", "text": "End your turn."}]
TWO = ["May", "Bo"]


def drawn(board: dict[str, Any], me: int | None = 0, answers: list[ShownAction] = ANSWERS) -> dict[str, Any]:
    found = build_table(None, board, me, TWO, answers)
    assert found is not None
    return found


def zone(side: dict[str, Any], label: str) -> dict[str, Any]:
    found: dict[str, Any] = next(zone for zone in side["zones"] if zone["label"] == label)
    return found


def names(found: dict[str, Any]) -> list[str]:
    """Return the cards of a zone and the number of face-down cards."""
    backs = found["pile"] or len(found["backs"])
    return [card["name"] for card in found["cards"]] + ["?"] * backs


def test_each_seats_zones_are_at_its_side_and_the_rest_between() -> None:
    board = {
        "viewer": 0,
        "score": [3, 1],
        "round": 2,
        "open": True,
        "hands": [["Hill Folk", "Page"], [None, None, None]],
        "deck": [None] * 7,
        "discard": ["Page", "Hill Folk"],
        "chosen": None,
    }
    table = drawn(board)
    assert [side["name"] for side in table["others"]] == ["Bo"]
    assert table["others"][0]["facts"] == [("Score", "1")]
    assert table["mine"]["facts"] == [("Score", "3")]
    assert table["shared"]["facts"] == [("Round", "2"), ("Open", "yes")]
    assert names(zone(table["mine"], "Hand")) == ["Hill Folk", "Page"]
    assert names(zone(table["others"][0], "Hand")) == ["?", "?", "?"]
    assert (zone(table["shared"], "Deck")["pile"], len(zone(table["shared"], "Deck")["backs"])) == (7, 1)
    assert names(zone(table["shared"], "Discard")) == ["Page", "Hill Folk"]
    watched = drawn(board | {"hands": [[None], [None]]}, None, [])
    assert [side["name"] for side in watched["others"]] == TWO
    assert watched["mine"] is None


def test_only_cards_of_the_own_hand_give_their_answers() -> None:
    table = drawn(
        {"hands": [["Hill Folk", "Page"], [None]], "played": [["Hill Folk"], ["Hill Folk"]], "deck": ["Hill Folk"]}
    )
    may = {
        card["id"]: card["answer"]
        for side in (table["mine"], *table["others"], table["shared"])
        for z in side["zones"]
        for card in z["cards"]
        if card["answer"]
    }
    assert list(may.values()) == ["hill-folk"]
    assert zone(table["mine"], "Hand")["cards"][0]["id"] in may
    assert [(one["id"], one["mark"]) for one in mark_answers(ANSWERS)] == [("hill-folk", ""), ("end", "done")]
    assert mark_answers([{"id": "pass", "text": "Pass."}])[0]["mark"] == "pass"


def test_a_question_about_other_hands_leaves_the_own_hand_alone() -> None:
    """A guess names every card; a card of the hand with the same name is not played by it."""
    game = Draft()
    board = {"hand": [["Old Knight", "Page"], [None]]}
    play: list[ShownAction] = [{"id": "old-knight", "text": "Play it."}, {"id": "page", "text": "Play it."}]
    guess: list[ShownAction] = [*play, {"id": "baron", "text": "Name the Baron."}]
    for answers, clickable in ((play, ["old-knight", "page"]), (guess, [None, None])):
        table = build_table(game, board, 0, TWO, answers)
        assert table is not None
        assert [card["answer"] for card in zone(table["mine"], "Hand")["cards"]] == clickable


def test_players_have_marks_and_can_be_chosen() -> None:
    board = {"out": [False, True], "seats": [{"safe": True}, {"safe": False}], "hand": [[None], []], "deck": []}
    table = drawn(board, answers=[{"id": "seat-2", "text": "Choose Bo."}])
    [bo] = table["others"]
    assert (table["mine"]["marks"], bo["marks"]) == (["Safe"], ["Out"])
    assert (table["mine"]["facts"], bo["facts"]) == ([], [])
    assert (table["mine"]["answer"], bo["answer"]) == (None, "seat-2")
    lines = ["".join(piece.text for piece in line) for line in default_sheet(board, 0, TWO, 80, [("red", "")]).lines]
    assert any("Bo" in line and "Out" in line and "Safe" not in line for line in lines)


def test_nothing_is_drawn_that_the_board_of_the_viewer_does_not_hold() -> None:
    """For every viewer at any moment, a card is drawn as often as the board names it, and two positions that look alike
    give the same page."""
    game = Duel()
    for seed in range(6):
        rng, state = Rng(seed), game.start()
        while not state.over:
            for viewer in (0, 1, SPECTATOR):
                view = state.mask(viewer)
                board = game.board(view)
                me = viewer if viewer >= 0 else None
                table = build_table(game, board, me, TWO, [])
                assert table is not None
                told = json.dumps(table)
                cards = [
                    card
                    for side in (*table["others"], table["shared"], table["mine"] or {"zones": []})
                    for z in side["zones"]
                    for card in z["cards"]
                ]
                for name in NAMES:
                    assert sum(card["count"] for card in cards if card["name"] == name) == json.dumps(board).count(
                        f'"{name}"'
                    )
                    assert (name in told) == (name in json.dumps(board))
                ids = re.findall(r'"id": "(c-[^"]+)"', told) + re.findall(r'"(c-[^"]+-back-\d+)"', told)
                assert len(set(ids)) == len(ids)
                world = worlds(view).sample(rng)
                assert build_table(game, game.board(world.mask(viewer)), me, TWO, []) == table, "it looks alike"
            decision = state.decisions()[0]
            state.apply(decision.seat, decision.sample(rng))


def test_the_page_of_a_strangers_game_shows_its_cards_and_their_texts(tmp_path: Path) -> None:
    class Told(Duel):
        def all_cards(self) -> list[dict[str, str]]:
            return [{"slug": name.lower(), "name": name, "text": f"Strength {n}."} for n, name in enumerate(NAMES)]

    kinds: dict[str, type[Game]] = {"duel": Told}
    store = Store(f"sqlite:///{tmp_path / 'plain.db'}")
    tables = Tables(store, pace=0, find=lambda _, **options: Told(**options))
    with TestClient(create_app(tables, kinds), follow_redirects=False) as client:
        assert client.portal is not None
        table, tokens = client.portal.call(tables.open_table, Told(), [Person("May"), Person("Bo")])
        page = client.get(f"/t/{table.key}/{tokens[0]}/").text
        assert page.count('class="pcard-act"') == 3, "as many as there are cards in the hand"
        assert 'popovertarget="card-' in page
        assert re.search(r'id="card-baron" popover>.*?Strength 4\.', page, re.S)
        watched = client.get(f"/t/{table.key}/watch/").text
        assert 'class="pcard-name"' not in watched, "nothing lies face up yet"
        assert watched.count("card face down") == 6
    store.close()


def test_the_side_of_a_player_is_a_button_where_players_are_chosen(tmp_path: Path) -> None:
    class Asking(Inquiry):
        def set_up(self, s: DraftState) -> None:
            s.deck = list(s.full)
            s.stack = [Aim(0)]

    kinds: dict[str, type[Game]] = {"draft": Asking}
    store = Store(f"sqlite:///{tmp_path / 'plain.db'}")
    tables = Tables(store, pace=0, find=lambda _, **options: Asking(**options))
    with TestClient(create_app(tables, kinds), follow_redirects=False) as client:
        assert client.portal is not None
        people = [Person("May"), Person("Bo"), Person("Cid")]
        table, tokens = client.portal.call(tables.open_table, Asking(), people)
        page = client.get(f"/t/{table.key}/{tokens[0]}/").text
        for seat, name in ((2, "Bo"), (3, "Cid")):
            side = re.search(rf'class="plain-side theirs aim".*?>{name}</h2>.*?value="seat-{seat}"', page, re.S)
            assert side is not None
            assert f"Ask {name} about {name}&#x27;s hand." in page.replace("&#39;", "&#x27;")
        other = client.get(f"/t/{table.key}/{tokens[1]}/").text
        assert "plain-side theirs aim" not in other
    store.close()
