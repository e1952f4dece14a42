"""Challenging a bot account from the lobby's form and by the API, and what people are told about it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from gonfalon.table import Store, Table, Tables
from gonfalon.table.accounts import AcceptRules, Account
from gonfalon.table.live.programs import Programs, create_account
from gonfalon.web import create_app
from tests.web.conftest import find, kinds
from tests.web.every import Everything

ROOK = "program:Rook"
ASKS = AcceptRules(ask=True)
MARKED = re.compile(
    r'<span class="cut-head">Rook</span><span class="program" title="program">\s*<svg [^>]*aria-hidden="true">'
    r'<use href="[^"]*"/></svg><span class="vh"> \(program\)</span></span>'
)
"""The name of a program: an icon, which is never cut, and words for screen readers."""


class Rook:
    """An account whose program holds a stream, and its token."""

    def __init__(self, server: Everything, rules: AcceptRules = ASKS) -> None:
        self.account: Account
        self.server = server
        self.programs = Programs(server.tables)
        self.account, self.token = create_account(server.tables.store, "Rook", "Plays at <random>.", rules)

    def connect(self, streams: int = 1) -> None:
        self.server.tables.store.connect_account(self.account.id, self.server.tables.store.process, streams)


@pytest.fixture
def rook(own_server: Everything) -> Rook:
    return Rook(own_server)


def table_at(server: Everything, link: str) -> Table:
    table: Table = server.call(server.tables.table, link.split("/")[2])
    return table


def challenge(server: Everything, **fields: str) -> Any:
    return server.client.post("/tables", data={"game": "duel", "name": "May", "opponent": ROOK, "seat": "0"} | fields)


def test_the_form_offers_programs_and_says_whether_they_are_connected(own_server: Everything, rook: Rook) -> None:
    page = own_server.page("/games/duel/new")
    assert 'value="program:Rook" disabled' in page
    assert MARKED.search(page)
    assert "<small>not connected</small>" in page
    rook.connect()
    page = own_server.page("/games/duel/new")
    assert 'value="program:Rook" disabled' not in page
    assert "Plays at &lt;random&gt;." in page
    several = own_server.page("/games/moot/new")
    assert several.count('<option value="program:Rook"') == several.count('<option value="friend"') > 1


def test_a_challenge_waits_in_words_until_the_program_answers(own_server: Everything, rook: Rook) -> None:
    refused = challenge(own_server)
    assert refused.status_code == 400
    assert "Rook (program) is not connected." in refused.text
    rook.connect()
    opened = challenge(own_server)
    assert opened.status_code == 303
    link = opened.headers["location"]
    page = own_server.page(link)
    assert MARKED.search(page)
    assert "Not connected" in page, "the stream of this account is at no table"
    assert "Let a bot play" in page
    table = table_at(own_server, link)
    own_server.call(rook.programs.decline, rook.account, table.key, "busy")
    assert "Declines: it plays at too many tables already." in own_server.page(link)


def test_a_program_that_is_gone_can_be_replaced_by_a_bot(own_server: Everything, rook: Rook) -> None:
    rook.connect()
    link = challenge(own_server).headers["location"]
    table = table_at(own_server, link)
    own_server.call(rook.programs.accept, rook.account, table.key)
    own_server.play(table, lambda state: state.turn == 1 and 0 not in state.asked())
    table.presence.grace = 0.0
    page = own_server.page(link)
    assert "Rook (program) is not connected." in page
    assert own_server.client.post(link + "seats/1/bot").status_code == 303
    assert table.row.seats[1].stood_for


def test_a_seat_that_is_kept_for_a_program_is_not_listed_as_free(own_server: Everything, rook: Rook) -> None:
    rook.connect()
    body = {"game": "moot", "name": "May", "seats": ["me", ROOK, "open"], "listed": True}
    opened = own_server.client.post("/api/tables", json=body)
    assert opened.status_code == 201
    bearer = {"Authorization": f"Bearer {opened.json()['seats'][0]['token']}"}
    own_server.client.get(f"/api/tables/{opened.json()['table']}", headers=bearer)  # May is present
    answers = (own_server.client.get("/api/open-tables").json()["tables"] for _ in range(500))
    (shown,) = next(tables for tables in answers if tables)
    assert (shown["players"], shown["free"]) == (["May", "Rook (program)"], 1)


def test_a_rematch_waits_for_the_program_in_words(own_server: Everything, rook: Rook) -> None:
    rook.connect()
    link = challenge(own_server).headers["location"]
    table = table_at(own_server, link)
    own_server.call(rook.programs.accept, rook.account, table.key)
    rook.connect(streams=0)
    assert own_server.client.post(link + "concede").status_code == 303
    offered = own_server.client.post(link + "rematch", data={"nonce": "n" * 22})
    assert offered.status_code == 303
    page = own_server.page(offered.headers["location"])
    assert "Waiting for Rook (program)" in page
    assert "Not connected" in page
    assert "Let a bot play" in page


def test_a_program_uses_the_addresses_of_tables_with_its_own_token(own_server: Everything, rook: Rook) -> None:
    rook.connect()
    client = own_server.client
    body = {"game": "duel", "name": "May", "seats": ["me", ROOK]}
    opened = client.post("/api/tables", json=body)
    assert opened.status_code == 201
    key, bearer = opened.json()["table"], {"Authorization": f"Bearer {rook.token}"}
    assert opened.json()["invitations"] == []
    assert opened.json()["invitation"] is None
    answer = client.post(f"/api/bot/challenges/{key}", json={"accept": True}, headers=bearer)
    assert answer.json() == {"table": key, "accepted": True}
    view = client.get(f"/api/tables/{key}", headers=bearer).json()
    assert (view["viewer"], view["names"]) == (1, ["May", "Rook (program)"])
    assert client.post(f"/api/bot/challenges/{key}", json={"accept": True}, headers=bearer).status_code == 200
    late = client.post(f"/api/bot/challenges/{key}", json={"accept": False}, headers=bearer)
    assert late.status_code == 404
    assert client.post(f"/api/tables/{key}/resignation", headers=bearer).json()["stage"] == "over"


def test_the_list_of_programs_holds_no_secret(own_server: Everything, rook: Rook) -> None:
    rook.connect()
    answer = own_server.client.get("/api/programs")
    (shown,) = answer.json()["programs"]
    assert shown["rules"] == {"games": [], "seats": [], "clocks": "any", "cards": False, "tables": 4, "ask": True}
    assert (shown["name"], shown["title"], shown["connected"]) == ("Rook", "Rook (program)", True)
    for secret in (rook.token, rook.account.token, rook.account.id):
        assert secret not in answer.text


@pytest.mark.parametrize("token", ["", "x", "an-unknown-but-whole-token"])
def test_a_wrong_token_is_refused(own_server: Everything, rook: Rook, token: str) -> None:
    for method, path, body in (("GET", "/api/bot/stream", None), ("POST", "/api/bot/challenges/k", {"accept": True})):
        answer = own_server.client.request(method, path, json=body, headers={"Authorization": f"Bearer {token}"})
        assert answer.status_code == 401
        assert answer.json()["code"] == "no_account"
        assert rook.account.name not in answer.text


def test_a_challenge_to_another_account_cannot_be_answered(own_server: Everything, rook: Rook) -> None:
    rook.connect()
    key = challenge(own_server).headers["location"].split("/")[2]
    _, token = create_account(own_server.tables.store, "Bishop", "", AcceptRules())
    bearer = {"Authorization": f"Bearer {token}"}
    for accept in (True, False):
        answer = own_server.client.post(f"/api/bot/challenges/{key}", json={"accept": accept}, headers=bearer)
        assert answer.status_code == 404
    assert own_server.client.get(f"/api/tables/{key}", headers=bearer).status_code == 404


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 400),
        ({"accept": "yes"}, 400),
        ({"accept": True, "brings": "x" * 30_000}, 400),
        ({"accept": True, "brings": "nothing of the kind"}, 400),
        ({"accept": False, "reason": "x" * 100}, 400),
        ({"accept": False, "reason": "later", "more": 1}, 400),
    ],
)
def test_malformed_answers_change_nothing(
    own_server: Everything, rook: Rook, body: dict[str, object], status: int
) -> None:
    rook.connect()
    key = challenge(own_server).headers["location"].split("/")[2]
    bearer = {"Authorization": f"Bearer {rook.token}"}
    answer = own_server.client.post(f"/api/bot/challenges/{key}", content=json.dumps(body), headers=bearer)
    assert answer.status_code == status
    assert own_server.call(own_server.tables.table, key).row.seats[1].expected


@pytest.fixture
def closed(tmp_path: Path) -> Iterator[TestClient]:
    """A server whose operator does not allow bot accounts."""
    store = Store(f"sqlite:///{tmp_path / 'closed.db'}")
    create_account(store, "Rook", "", AcceptRules())
    with TestClient(create_app(Tables(store, find=find), kinds()), follow_redirects=False) as client:
        yield client
    store.close()


def test_without_the_operators_leave_there_are_no_programs(closed: TestClient) -> None:
    for path in ("/api/programs", "/api/bot/stream"):
        answer = closed.get(path)
        assert answer.status_code == 404
        assert "--bot-accounts" in answer.json()["detail"]
    assert "program:Rook" not in closed.get("/games/duel/new").text
    body = {"game": "duel", "seats": ["me", ROOK]}
    assert "--bot-accounts" in closed.post("/api/tables", json=body).json()["detail"]


def test_a_connected_program_is_not_called_away_after_the_end(own_server: Everything, rook: Rook) -> None:
    """The stream leaves a table at its end; the program is connected still and answers a rematch."""
    rook.connect()
    link = challenge(own_server).headers["location"]
    table = table_at(own_server, link)
    own_server.call(rook.programs.accept, rook.account, table.key)
    table.presence.grace = 0.0
    assert "Not connected" in own_server.page(link).replace("not connected", "Not connected")
    assert own_server.client.post(link + "concede").status_code == 303
    page = own_server.page(link)
    assert MARKED.search(page)
    assert "not connected" not in page
    tile = re.search(r'<span class="tile-who">.*?</small>', own_server.page("/"), re.S)
    assert tile is not None
    assert MARKED.search(tile[0])
