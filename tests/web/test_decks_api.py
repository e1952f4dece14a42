"""Decks in the API: read in any form, and written in every form."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.testclient import TestClient

from gonfalon.core.basics.decks import Deck
from gonfalon.games.generals.cards import files
from gonfalon.games.generals.cards.decks import GeneralsDecks

DECKS = GeneralsDecks(files.load())
CODE = DECKS.code(Deck("", {"W01": 3, "A03": 1}))
SHORT = "Add at least 36 cards: RESOURCE needs 40 to 60."
NO_COMMANDMENT = "Add a Commandment: a deck has exactly one."


def read(client: TestClient, deck: object, game: str = "generals", status: int = 200) -> Any:
    answer = client.post("/api/decks", json={"game": game, "deck": deck})
    assert answer.status_code == status, answer.text
    return answer.json()


@pytest.mark.parametrize("text", ["[Mine]\n3x Cao Cao\nRed Hare", f"https://example.org/x?d={CODE}&name=Mine", CODE])
def test_a_deck_is_answered_in_every_form(client: TestClient, text: str) -> None:
    found = read(client, text)
    name = "" if text == CODE else "Mine"
    assert (found["name"], found["cards"], found["size"]) == (name, {"W01": 3, "A03": 1}, 4)
    assert (found["code"], found["faults"]) == (CODE, [SHORT, NO_COMMANDMENT])
    assert read(client, found["text"]) == read(client, found["link"]) == found
    assert client.get(found["link"]).status_code == 200
    assert client.get(found["qr"]).headers["content-type"] == "image/svg+xml"


def test_faults_are_listed_by_line(client: TestClient) -> None:
    found = read(client, "3 Cao Cao\n1 Red Hair")
    assert found["cards"] == {"W01": 3}
    assert found["faults"][0] == "Line 2: There is no card 'Red Hair'; did you mean Red Hare?"
    assert read(client, "red-clifs")["faults"][0] == "There is no deck 'red-clifs'; did you mean red-cliffs?"
    assert read(client, "x" * 50_001 + "\n")["size"] == 0


def test_a_preset_deck_has_no_faults(client: TestClient) -> None:
    assert read(client, "red-cliffs")["faults"] == []


@pytest.mark.parametrize(
    ("deck", "game", "status"),
    [("x", "chess", 400), ("x", "feint", 404), (7, "generals", 400), (None, "generals", 400)],
)
def test_other_requests_are_refused(client: TestClient, deck: object, game: str, status: int) -> None:
    assert read(client, deck, game, status)["detail"].count("\n") == 0
