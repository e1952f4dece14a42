"""A deck list is its owner's secret until the game is over. No page, link or answer names the other deck or a card that
was not shown."""

from __future__ import annotations

import json
import re
import time

import pytest
from starlette.testclient import TestClient

from gonfalon.games.generals import Generals
from gonfalon.table import Tables
from gonfalon.web.lobby import open_table
from tests.web.person import invited

OWN, OTHER = "Plans of Wei", "Alliance of Shu and Wu"


def open_generals(client: TestClient, **fields: str) -> str:
    """Return the opener's page of a table with a friend: Plans of Wei against the Alliance."""
    wishes = {"game": "generals", "opponent": "friend", "seat": "0", "name": "May", "decks.0": "plans-of-wei"}
    answer = client.post("/tables", data={**wishes, "decks.1": "alliance", **fields})
    assert answer.status_code == 303, answer.text
    location: str = answer.headers["location"]
    return location


def only_in(name: str, other: str) -> list[str]:
    """Return the names of RESOURCE cards that only one of two preset decks holds and that no other card mentions."""
    pool = Generals().pool
    counts = {deck.name: deck.counts for deck in pool.decks}
    found = [pool.by_id[id] for id in counts[name] if id not in counts[other]]
    texts = {card.name: card.text + card.story for card in pool.cards}
    return [
        card.name
        for card in found
        if card.type != "commandment" and not any(card.name in text for one, text in texts.items() if one != card.name)
    ]


def test_each_side_sees_its_own_deck_and_the_factions_of_the_other(client: TestClient) -> None:
    """The page and the API agree for players, invited people and spectators."""
    url = open_generals(client)
    link = invited(client.get(url).text)
    asked = client.get(link).text
    sits = {"name": "Bo", "nonce": "n" * 32, "brings": "alliance"}
    friend = client.post(link + "sit", data=sits).headers["location"]
    _, _, key, token, _ = url.split("/")
    for page, own, other in ((url, OWN, OTHER), (friend, OTHER, OWN)):
        html = client.get(page).text
        shown = client.get(f"/api/tables/{key}", headers={"authorization": f"Bearer {page.split('/')[3]}"}).text
        for text in (html, shown):
            assert own in text
            assert not [name for name in (other, *only_in(other, own)) if name in text]
        assert "Your deck" in html
    waiting = re.sub(r'<label class="bring.*?</label>', "", asked, flags=re.DOTALL)  # the preset decks of the form
    for text in (waiting, client.get(f"/t/{key}", follow_redirects=True).text, client.get(f"/api/tables/{key}").text):
        assert not [name for name in (OWN, OTHER, *only_in(OWN, OTHER), *only_in(OTHER, OWN)) if name in text]
    assert "Shu · Wu" in client.get(url).text
    assert token not in asked


def test_a_hint_names_nothing_of_the_other_list_that_was_not_shown(client: TestClient) -> None:
    """Three decisions follow Expert's advice. The answers and pages hold only names that the seat has read."""
    url = open_generals(client, hints="yes", opponent="bot:random")
    _, _, key, token, _ = url.split("/")
    table, headers = f"/api/tables/{key}", {"authorization": f"Bearer {token}"}
    secret = [OTHER, *only_in(OTHER, OWN)]
    unseen, hints = secret, 0
    while hints < 3:
        before = client.get(table, headers=headers).json()
        if before.get("decision") is None:
            time.sleep(0.02)
            continue
        shown = json.dumps(before, ensure_ascii=False)
        unseen = [name for name in secret if name not in shown]
        advised = client.post(f"{table}/hint", headers=headers)
        assert advised.status_code == 200, advised.text
        assert [name for name in unseen if name in advised.text + client.get(url).text] == []
        action = {"actions": [advised.json()["action"]], "expected": before["version"]}
        assert client.post(f"{table}/actions", headers=headers, json=action).status_code == 200
        hints += 1
    assert len(unseen) > 1, "and much of the list has not been shown"


def test_a_deck_may_be_drawn_by_lot(client: TestClient, tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    """A random preset deck goes to the seat it was requested for. The lobby requests it for the opponent."""
    monkeypatch.setattr(
        open_table.DICE, "choice", lambda decks: next(deck for deck in decks if deck.slug == "red-cliffs")
    )
    for seat, expected in (("0", ["plans-of-wei", "red-cliffs"]), ("1", ["red-cliffs", "plans-of-wei"])):
        key = open_generals(client, **{"decks.1": "lot", "seat": seat, "opponent": "bot:random"}).split("/")[2]
        table = client.portal.call(tables.table, key)  # type: ignore[union-attr]
        assert list(table.game.options["decks"]) == expected
    body = {"game": "generals", "options": {"decks": ["alliance", "lot"]}, "seats": ["me", "bot:random"]}
    key = client.post("/api/tables", json=body).json()["table"]
    table = client.portal.call(tables.table, key)  # type: ignore[union-attr]
    assert list(table.game.options["decks"]) == ["alliance", "red-cliffs"]
    assert '<option value="lot" selected>' in client.get("/games/generals/new").text
