"""The socket of a page: its access control, its messages and its end."""

from __future__ import annotations

import json
import re
import zlib

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from gonfalon.table import Person as Guest
from gonfalon.table import Tables
from gonfalon.table.links import derive_invitation
from gonfalon.web.table.live import MOST_SAID
from tests.table.duel import Duel
from tests.table.opening import nonce
from tests.web.person import Page, Person, board, open_table, received


def check_refused(client: TestClient, path: str, **headers: str) -> None:
    with pytest.raises(WebSocketDisconnect), client.websocket_connect(path, headers=headers) as socket:
        received(socket)


def test_access_to_sockets(client: TestClient) -> None:
    url = open_table(client, game="duel")
    key, token = url.split("/")[2:4]
    check_refused(client, f"/t/{key}/guess/live")
    check_refused(client, "/t/none/watch/live")
    check_refused(client, f"/t/{key}/{derive_invitation(token)}/live")
    check_refused(client, f"{url}live", Origin="https://evil.example")
    check_refused(client, f"{url}live", Origin="null")
    with client.websocket_connect(f"{url}live", headers={"Origin": "http://testserver"}) as socket:
        assert 'id="table"' in received(socket)


@pytest.mark.parametrize(("query", "outdated"), [("", True), ("?files=4f1c", True), ("?files={}", False)])
def test_a_page_with_the_files_of_another_version_reloads(client: TestClient, query: str, outdated: bool) -> None:
    url = open_table(client, game="duel")
    query = query.format(client.get(url).text.partition("/static/")[2].partition("/")[0])
    with client.websocket_connect(f"{url}live{query}", headers={"Origin": "http://testserver"}) as socket:
        assert ('<meta http-equiv="refresh"' in received(socket)) == outdated


def test_a_frame_is_the_live_part_of_the_page(client: TestClient) -> None:
    url = open_table(client, game="duel")
    with client.websocket_connect(f"{url}live") as socket:
        frame = received(socket)
    assert frame.strip() in client.get(url).text
    assert "<html" not in frame


def test_a_frame_comes_after_each_change_and_the_newest_wins(client: TestClient) -> None:
    person = Person(client, open_table(client, game="duel"))
    with client.websocket_connect(person.url + "live") as socket:
        first = Page(board(socket))
        person.send([*first.hidden, ("act", "done")])
        second = Page(board(socket))
        assert second.hidden != first.hidden
        person.send([*second.hidden, ("back", "1")])
        third = Page(board(socket))
        assert third.named("act")


def test_a_hidden_page_is_told_only_whether_its_player_is_asked(client: TestClient) -> None:
    person = Person(client, open_table(client, game="duel"))

    def told() -> list[object]:
        found: list[object] = json.loads(zlib.decompress(socket.receive_bytes(), wbits=-zlib.MAX_WBITS))
        return found

    with client.websocket_connect(person.url + "live") as socket:
        first = Page(board(socket))
        received(socket)
        socket.send_text("hidden")
        assert told() == ["call", 0, 1, ["asked"]]
        person.send([*first.hidden, ("act", "done")])
        assert told() == ["call", 1, 0, []]
        version = str(int(dict(first.hidden)["expected"]) + 1)
        person.send([("expected", version), ("back", "1")])
        assert told() == ["call", 0, 1, ["asked"]]


def test_a_page_that_talks_without_end_is_hung_up_on(client: TestClient) -> None:
    url = open_table(client, game="duel")
    with client.websocket_connect(f"{url}live") as socket:
        board(socket)
        for _ in range(MOST_SAID):
            socket.send_text("hello")
        assert 'id="seats"' in received(socket)
        with pytest.raises(WebSocketDisconnect):
            received(socket)


def test_a_new_player_appears_at_once(client: TestClient, tables: Tables) -> None:
    url = open_table(client, game="duel", opponent="friend")
    key, token = url.split("/")[2:4]
    with client.websocket_connect(f"{url}live") as socket:
        assert "data-waits" in received(socket)
        assert "camp-free" in (waiting := received(socket))
        assert derive_invitation(token) not in waiting
        client.post(f"/t/{key}/{derive_invitation(token)}/sit", data={"name": "Bo", "nonce": nonce("Bo")})
        while "data-waits" in board(socket):
            pass  # until the game has begun
        seats = received(socket)
        assert "camp-free" not in seats
        assert ">Bo<" in seats


def test_arrivals_and_departures_are_sent_without_the_board(client: TestClient, tables: Tables) -> None:
    assert client.portal is not None
    table, tokens = client.portal.call(tables.open_table, Duel(), [Guest("May"), Guest("Bo")])

    def bo(text: str) -> str:
        found = re.search(r'<li id="at-1" class="chair chair-(\w+)', text)
        assert found is not None
        return found[1]

    with client.websocket_connect(f"/t/{table.key}/{tokens[0]}/live") as may:
        assert 'id="table"' in received(may)
        assert bo(received(may)) == "lost"
        with client.websocket_connect(f"/t/{table.key}/{tokens[1]}/live"):
            assert bo(received(may)) == "here"
        assert bo(received(may)) == "lost"
        with client.websocket_connect(f"/t/{table.key}/watch/live"):
            assert "1 watching" in received(may)
        assert "watching" not in received(may)
