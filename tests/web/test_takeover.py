"""A seat belongs to the person who sat down. Links, pages, nonces and the database do not give its token to others."""

from __future__ import annotations

import base64
import re
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from gonfalon.table import Store, Tables
from gonfalon.table.errors import Broken
from gonfalon.table.links import LONGEST_NONCE, SHORTEST_NONCE, Claim, hash_token, new_token
from gonfalon.table.seats import seating
from gonfalon.web import create_app
from gonfalon.web.shared.devices import OwnSeat
from gonfalon.web.table.table_page import mine_url
from tests.table.opening import nonce
from tests.web.conftest import find, kinds
from tests.web.person import bearer, hidden, invited, open_table

Json = dict[str, Any]


def open_seats(client: TestClient, game: str = "duel", seats: int = 2) -> Json:
    answer = client.post("/api/tables", json={"game": game, "seats": ["me"] + ["open"] * (seats - 1)})
    assert answer.status_code == 201
    found: Json = answer.json()
    return found


def sits(client: TestClient, table: Json, link: str, **body: Any) -> Any:
    return client.post(f"/api/tables/{table['table']}/seats", json=body, headers=bearer(link))


@contextmanager
def server(file: Path) -> Iterator[TestClient]:
    store = Store(f"sqlite:///{file}")
    with TestClient(create_app(Tables(store, pace=0, find=find), kinds()), follow_redirects=False) as client:
        yield client
    store.close()


def twice(folder: Path) -> Iterator[Path]:
    """Yield the database and then a copy of its earlier state, so the same request can be sent to both."""
    yield folder / "tables.db"
    yield folder / "copy.db"


def test_sitting_down_needs_a_nonce_that_can_be_secret(client: TestClient) -> None:
    for nonces in ({}, {"nonce": ""}, {"nonce": "x" * (SHORTEST_NONCE - 1)}, {"nonce": "x" * (LONGEST_NONCE + 1)}):
        check_refused_nonce(client, nonces)


def check_refused_nonce(client: TestClient, body: Json) -> None:
    table = open_seats(client)
    before = client.get(f"/api/tables/{table['table']}").json()
    answer = sits(client, table, table["invitation"], **body)
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_nonce")
    assert re.fullmatch(r"A nonce must be [^.]* 22 to 128 random characters; [^.]*\.", answer.json()["detail"])
    url = f"/t/{table['table']}/{table['invitation']}/sit"
    assert client.post(url, data=body).status_code == 400
    assert client.get(f"/api/tables/{table['table']}").json() == before
    for length in (SHORTEST_NONCE, LONGEST_NONCE):
        assert sits(client, open_seats(client), table["invitation"], nonce="x" * length).status_code == 404
    assert sits(client, table, table["invitation"], nonce="x" * SHORTEST_NONCE).status_code == 201


def test_a_token_follows_from_nothing(tmp_path: Path) -> None:
    """A request to a database and to an identical copy gives two different tokens."""
    with server(tmp_path / "tables.db") as client:
        table = open_seats(client)
        friend = open_seats(client, "moot", 3)
        over = open_seats(client)
        sits(client, over, over["invitation"], nonce=nonce("Cy"))
        client.post(f"/api/tables/{over['table']}/resignation", headers=bearer(over["seats"][0]["token"]))
    shutil.copy(tmp_path / "tables.db", tmp_path / "copy.db")
    tokens = []
    for file in twice(tmp_path):
        with server(file) as client:
            tokens.append(sits(client, table, table["invitation"], nonce=nonce("Bo")).json()["token"])
            tokens.append(sits(client, friend, friend["invitation"], nonce=nonce("Bo")).json()["token"])
            seat = f"/t/{over['table']}/{over['seats'][0]['token']}/"
            again = client.post(seat + "rematch", data={"nonce": nonce("May")})
            tokens.append(again.headers["location"].split("/")[3])
            tokens.append(open_seats(client)["seats"][0]["token"])
    assert len(set(tokens)) == len(tokens) == 8
    assert all(len(base64.urlsafe_b64decode(token)) == 18 for token in tokens)


def test_the_same_again_is_known_after_a_restart_but_not_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with server(tmp_path / "tables.db") as client:
        table = open_seats(client)
        first = sits(client, table, table["invitation"], nonce=nonce("Bo")).json()
    with server(tmp_path / "tables.db") as client:
        assert sits(client, table, table["invitation"], nonce=nonce("Bo")).json() == first
        monkeypatch.setattr(seating, "REPEAT", 0.0)
        late = sits(client, table, table["invitation"], nonce=nonce("Bo"))
        assert late.status_code == 410
        assert "own link" in late.json()["detail"]


def test_the_database_holds_no_key_to_a_seat(tmp_path: Path) -> None:
    with server(tmp_path / "tables.db") as client:
        table = open_seats(client)
        token = sits(client, table, table["invitation"], nonce=nonce("secret of Bo")).json()["token"]
        own = table["seats"][0]["token"]
    with sqlite3.connect(tmp_path / "tables.db") as connection:
        rows = "\n".join(connection.iterdump())
        mark, sealed = connection.execute("SELECT claim, sealed FROM seats WHERE claim IS NOT NULL").fetchone()
    connection.close()
    for secret in (token, own, table["invitation"], nonce("secret of Bo")):
        assert secret not in rows
    assert sealed != token
    with server(tmp_path / "tables.db") as client:
        for found in (mark, sealed, mark + sealed):
            assert sits(client, table, table["invitation"], nonce=found).status_code in (400, 410)


def test_a_claim_opens_only_its_own_seals() -> None:
    token = new_token()
    claim = Claim("table", "link", "n" * 22, "device")
    sealed = claim.seal(token)
    assert Claim("table", "link", "n" * 22, "device").open(sealed, hash_token(token)) == token
    others = [("other", "link", "n" * 22, "device"), ("table", "other", "n" * 22, "device")]
    others += [("table", "link", "m" * 22, "device"), ("table", "link", "n" * 22, "")]
    # No two claims run together, wherever one part ends and the next begins.
    others += [("tabl", "elink", "n" * 22, "device"), ("table", "link", "n" * 22 + "d", "evice")]
    others += [("table", "link", "n" * 22 + "\0device", ""), ("table", "link", "n" * 22, "device\0")]
    for other in others:
        assert Claim(*other).mark != claim.mark
        assert Claim(*other).seal(sealed) != token
        with pytest.raises(Broken):
            Claim(*other).open(sealed, hash_token(token))


def test_a_copied_page_does_not_give_the_seat(client: TestClient) -> None:
    """A shared screenshot or source of the page to sit down does not give the seat."""
    link = invited(client.get(open_table(client, game="duel", opponent="friend")).text)
    client.cookies.clear()
    page = client.get(link).text
    copied = {"name": "Bo", "nonce": hidden(page, "nonce")}
    seat = client.post(link + "sit", data=copied).headers["location"]
    assert client.post(link + "sit", data=copied).headers["location"] == seat
    cookies = dict(client.cookies)
    client.cookies.clear()
    for other in ({}, {"device": "d" * 46}, {"device": "x"}):
        client.cookies.clear()
        for name, value in other.items():
            client.cookies.set(name, value)
        thief = client.post(link + "sit", data=copied)
        assert thief.status_code == 410
        assert seat not in thief.text
    client.cookies.clear()
    for name, value in cookies.items():
        client.cookies.set(name, value)
    assert client.post(link + "sit", data=copied).headers["location"] == seat


def test_each_page_has_its_own_unstored_nonce(client: TestClient) -> None:
    link = invited(client.get(open_table(client, game="duel", opponent="friend")).text)
    client.cookies.clear()
    pages = [client.get(link) for _ in range(3)]
    assert len({hidden(page.text, "nonce") for page in pages}) == 3
    assert all("no-store" in page.headers["cache-control"] for page in pages)
    assert "httponly" in pages[0].headers["set-cookie"].lower()
    assert hidden(pages[0].text, "nonce") not in str(pages[0].url)


def test_a_browser_without_cookies_sits_down_too(client: TestClient) -> None:
    link = invited(client.get(open_table(client, game="duel", opponent="friend")).text)
    client.cookies.clear()
    form = {"name": "Bo", "nonce": hidden(client.get(link).text, "nonce")}
    client.cookies.clear()
    seat = client.post(link + "sit", data=form).headers["location"]
    assert client.get(seat).status_code == 200
    client.cookies.clear()
    assert client.post(link + "sit", data=form).headers["location"] == seat


def test_a_planted_key_is_not_adopted(client: TestClient) -> None:
    """A device key planted in a browser by another person is replaced when the browser sits down."""
    planted = "A" * 46
    client.cookies.set("device", planted)
    url = open_table(client, game="duel", opponent="friend")
    visited = client.get(url)
    again = client.get(url, headers={"cookie": f"device={planted}"})
    for answer in (visited, again):
        assert re.search(r"device=[\w-]{46};", answer.headers["set-cookie"])
        assert planted not in answer.headers["set-cookie"]
    client.cookies.clear()
    client.cookies.set("device", planted)
    token = url.split("/")[3]
    assert "/mine/" not in client.get("/").text
    assert client.get(mine_url(OwnSeat(url.split("/")[2], token, "duel", hash_token(token)))).status_code == 404


# ---- the next game -------------------------------------------------------------------------------------------------


def test_the_link_of_a_game_that_is_over_does_not_give_the_seat_at_the_next(client: TestClient) -> None:
    """People show each other their finished games, so the link must not give a seat."""
    old = open_table(client, game="duel")
    client.get(old)
    client.post(old + "concede")
    new = client.post(old + "rematch").headers["location"]
    assert client.post(old + "rematch").headers["location"] == new
    client.cookies.clear()
    form = client.get(old).text
    assert new.split("/")[3] not in form
    thief = client.post(old + "rematch", data={"nonce": nonce("thief")})
    assert thief.status_code == 410
    assert new.split("/")[3] not in thief.text


def test_the_first_table_says_when_the_next_game_is_over(client: TestClient) -> None:
    old = open_table(client, game="duel", opponent="bot:random")
    client.get(old)
    client.post(old + "concede")
    new = client.post(old + "rematch").headers["location"]
    assert "The next game has started." in client.get(old).text
    client.post(new + "concede")
    page = client.get(old).text
    assert "The next game is over." in page
    assert "To the next table" in page


def test_a_late_return_leads_to_the_players_own_seat(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """Old pages keep the buttons. Two people of one browser each find their own seat."""
    may = open_table(client, game="duel", opponent="friend")
    link = invited(client.get(may).text)
    form = {"nonce": hidden(client.get(link).text, "nonce")}
    bo = client.post(link + "sit", data=form).headers["location"]
    for old in (may, bo):
        client.get(old)
    client.post(may + "concede")
    new = {old: client.post(old + "rematch").headers["location"] for old in (may, bo)}
    monkeypatch.setattr(seating, "REPEAT", 0.0)
    for old in (may, bo):
        late = client.post(old + "rematch")
        assert late.status_code == 410  # this browser has not been there
        assert "some time ago" in late.text
    for seat in new.values():
        client.get(seat)
    for old in (may, bo):
        own = client.post(old + "rematch")
        assert own.status_code == 303
        assert client.get(own.headers["location"]).headers["location"] == new[old]
    again = client.post(link + "sit", data=form)
    assert again.status_code == 303
    assert client.get(again.headers["location"]).headers["location"] == bo


# ---- who may give a free seat to a bot -----------------------------------------------------------------------------


def bot_sits(client: TestClient, table: Json, seat: int, token: str) -> Any:
    return client.post(f"/api/tables/{table['table']}/seats/{seat}", json={"by": "bot"}, headers=bearer(token))


def test_a_guest_cannot_give_away_a_reserved_seat(client: TestClient) -> None:
    table = open_seats(client, "moot", 4)
    guest = sits(client, table, table["invitations"][0]["invitation"], nonce=nonce("Bo")).json()["token"]
    refused = bot_sits(client, table, 2, guest)
    assert (refused.status_code, refused.json()["code"]) == (403, "not_host")
    assert client.post(f"/t/{table['table']}/{guest}/seats/2/bot").status_code == 403
    assert 'action="seats/2/bot"' not in client.get(f"/t/{table['table']}/{guest}/").text
    friend = sits(client, table, table["invitations"][1]["invitation"], nonce=nonce("Cy"))
    assert friend.json()["seat"] == 2
    assert bot_sits(client, table, 3, table["seats"][0]["token"]).status_code == 200


def test_an_expected_players_seat_at_the_rematch_is_kept(client: TestClient, tables: Tables) -> None:
    """A player that offers a rematch has no special rights at its table."""
    assert client.portal is not None
    data = open_seats(client)
    own = data["seats"][0]["token"]
    guest = sits(client, data, data["invitation"], nonce=nonce("Bo")).json()["token"]
    client.post(f"/api/tables/{data['table']}/resignation", headers=bearer(guest))
    first = client.post(f"/t/{data['table']}/{guest}/rematch", data={"nonce": nonce("Bo")}).headers["location"]
    _, _, key, token, _ = first.split("/")
    refused = bot_sits(client, data | {"table": key}, 1, token)
    assert (refused.status_code, refused.json()["code"]) == (409, "present")
    assert client.post(f"{first}seats/1/bot").status_code == 409
    assert "seats/1/bot" not in client.get(first).text
    table = client.portal.call(tables.table, key)
    table.presence.grace = 0.0
    assert 'action="seats/1/bot"' in client.get(first).text
    table.presence.grace = 60.0
    again = client.post(f"/t/{data['table']}/{own}/rematch", data={"nonce": nonce("May")})
    assert client.get(again.headers["location"]).status_code == 200


def test_a_used_invitation_leads_nowhere_but_to_its_seat(client: TestClient) -> None:
    """A used invitation opens no page below its own link or the API's link. An unused one shows the
    spectator's view."""
    table = open_seats(client, "duel", 2)
    ticket = table["invitation"]
    link, api = f"/t/{table['table']}/{ticket}/", f"/api/tables/{table['table']}"
    routes = {route.path: route for route in client.app.routes}  # type: ignore[attr-defined]
    seats = "/t/{key}/{token}/"
    below = [path.removeprefix(seats) for path in routes if path.startswith(seats) and path[-1] != "}"]
    assert {"fair", "replay", "record.json", "moment"} <= set(below)
    assert client.get(link + "fair").status_code == 200
    assert client.get(api, headers=bearer(ticket)).status_code == 200
    assert sits(client, table, ticket, nonce=nonce("Bo")).status_code == 201
    for path in set(below) - {"sit", "live", ""}:
        for method in ("GET", "POST"):
            address = link + path.replace("{seat}", "0")
            assert client.request(method, address, params={"n": "1"}).status_code in (405, 410), (method, path)
    for path in routes:
        if path.startswith("/api/tables/{key}/") and path != "/api/tables/{key}/seats":
            address = path.replace("{key}", table["table"]).replace("{seat}", "0").replace("{number}", "1")
            answers = [client.request(method, address, json={}, headers=bearer(ticket)) for method in ("GET", "POST")]
            assert {answer.status_code for answer in answers} <= {405, 410}, path
    assert sits(client, table, ticket, nonce=nonce("Bo")).status_code == 201, "the same request again"
    assert client.get(link).status_code in (303, 410)
