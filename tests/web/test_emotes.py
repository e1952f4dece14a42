"""Greetings on the page, sent with and without scripts, and visible to all people at the table."""

from __future__ import annotations

import re
import time

import pytest
from starlette.testclient import TestClient

from gonfalon.core.text.emotes import EMOTES
from gonfalon.table import Person, Tables
from gonfalon.table.links import WATCH
from gonfalon.table.seats.emotes import LASTS, PAUSE
from tests.table.duel import Duel
from tests.web.person import Page, received


def greeted(html: str) -> list[str]:
    return re.findall(r'<q class="chair-says"[^>]*>([^<]*)</q>', html)


def test_a_greeting_is_read_beside_the_name_and_by_a_screen_reader(
    client: TestClient, tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert client.portal is not None
    at = time.time()
    monkeypatch.setattr(tables, "now", lambda: at)
    table, tokens = client.portal.call(tables.open_table, Duel(), [Person("May"), Person("Bo")])
    may, bo, crowd = (f"/t/{table.key}/{token}/" for token in (tokens[0], tokens[1], WATCH))
    assert all(f'value="{name}">{text}</button>' in client.get(may).text for name, text in EMOTES.items())
    with client.websocket_connect(f"{crowd}live") as socket:
        answer = client.post(may + "emotes", data={"emote": "well"})
        assert (answer.status_code, answer.headers["location"]) == (303, may)
        while not (found := greeted(received(socket))):
            pass
    assert found == ["Well played!"]
    page = Page(client.get(bo).text)
    assert (page.text("said"), greeted(page.html)) == ("May: Well played!", ["Well played!"])
    own = Page(client.get(may).text)
    assert (own.text("said"), greeted(own.html)) == ("", ["Well played!"])
    again = client.post(may + "emotes", data={"emote": "wow"}, headers={"x-live": "1"})
    assert (again.status_code, again.text) == (409, "One greeting every 5 seconds.")
    at += LASTS
    assert greeted(client.get(bo).text) == []
    assert client.post(may + "emotes", data={"emote": "wow"}, headers={"x-live": "1"}).status_code == 409
    at += PAUSE - LASTS
    assert client.post(may + "emotes", data={"emote": "wow"}, headers={"x-live": "1"}).status_code == 204
    assert greeted(client.get(bo).text) == ["Wow!"]
