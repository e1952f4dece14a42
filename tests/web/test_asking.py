"""The pages of a take-back request: its recipients, its words and its possible answers."""

from __future__ import annotations

import re
from typing import Any

from starlette.testclient import TestClient

from tests.web.person import bearer


def open_moot(client: TestClient, people: int) -> tuple[str, list[str]]:
    """Return the key and tokens of a Moot in which all seats have chosen and the first one speaks."""
    table = client.post("/api/tables", json={"game": "moot", "seats": ["me"] * people}).json()
    key, tokens = table["table"], [seat["token"] for seat in table["seats"]]
    for token in (*tokens, tokens[0]):
        view = view_of(client, key, token)
        act = {"expected": view["version"], "actions": [view["decision"]["actions"][0]["id"]]}
        assert client.post(f"/api/tables/{key}/actions", json=act, headers=bearer(token)).status_code == 200
    return key, tokens


def view_of(client: TestClient, key: str, token: str) -> Any:
    return client.get(f"/api/tables/{key}", headers=bearer(token)).json()


def test_a_request_is_answered_on_the_pages_of_the_others(client: TestClient) -> None:
    for wish in ("agree", "refuse"):
        key, tokens = open_moot(client, 3)
        pages = [f"/t/{key}/{token}/" for token in tokens]
        assert 'id="ask-back" form="asking"' in client.get(pages[0]).text
        assert 'id="ask-back"' not in client.get(pages[1]).text
        form = {"wish": "ask", "expected": view_of(client, key, tokens[0])["version"]}
        assert client.post(pages[0] + "take-back", data=form, follow_redirects=False).status_code == 303
        assert re.search("Guest asks to undo: “Guest spoke for [^.”]+[.]”", client.get(pages[1]).text)
        assert "Waiting for Guest 2 and Guest 3." in client.get(pages[0]).text
        answer = {"wish": wish, "number": 1}
        assert client.post(pages[0] + "take-back", data=answer | {"wish": "agree"}).status_code == 409
        assert client.post(pages[1] + "take-back", data=answer, follow_redirects=False).status_code == 303
        if wish == "refuse":
            assert "You declined the undo" in client.get(pages[1]).text
            assert "Guest 2 declined the undo. Your move stands." in client.get(pages[0]).text
            continue
        client.post(pages[2] + "take-back", data=answer)
        for page in pages:
            assert "was undone." in client.get(page).text
