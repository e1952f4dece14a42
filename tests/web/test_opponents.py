"""Finding an opponent: the list, its live updates, sitting down, *Play a person now*, and the same by the API."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from starlette.testclient import TestClient, WebSocketTestSession

from gonfalon.table.links import derive_invitation
from tests.table.opening import let_pass
from tests.web.every import Everything
from tests.web.person import bearer, board, hidden, open_table

LISTED = {"opponent": "friend", "listed": "yes"}


@pytest.fixture(autouse=True)
def at_once(own_client: TestClient) -> None:
    """Read the list without pauses."""
    own_client.app.state.offer_feed.pause = 0.01  # type: ignore[attr-defined]


@contextmanager
def waiting(client: TestClient, **fields: str) -> Iterator[str]:
    """Open a listed table and wait at it with an open page."""
    url = open_table(client, **LISTED, **fields)
    with client.websocket_connect(f"{url}live") as socket:
        board(socket)
        client.cookies.clear()
        yield url


def rows(html: str) -> list[str]:
    """Return the text of each listed table, without the time."""
    found = re.findall(r'<li class="offer-row".*?<p>(.*?)</p>', html, re.S)
    return [" ".join(re.sub(r"<[^>]*>", " ", row).split()) for row in found]


def offers(client: TestClient) -> list[str]:
    """Return the addresses of the listed tables as soon as there are some."""
    for _ in range(200):
        if found := re.findall(r'href="(/opponents/\w+/)"', client.get("/opponents").text):
            return found
    raise AssertionError("nothing is listed")


def received(socket: WebSocketTestSession, count: int) -> str:
    """Return the first pushed list with this number of tables."""
    while len(rows(html := socket.receive_text())) != count:
        pass
    return html


def test_a_listed_table_is_shown_and_any_visitor_sits_down(own_client: TestClient) -> None:
    client = own_client
    assert "No open seats now." in client.get("/").text
    with waiting(client, clock="own", minutes="12", step="0", mirror="true", **{"factions.0": "mibits"}) as url:
        (offer,) = offers(client)
        assert (
            rows(client.get("/").text) == ["May Feint · 12 min + 0 s · Mirror match: True · Gang of Mibits"]
            or "Gang of Mibits" in rows(client.get("/").text)[0]
        )
        page = client.get(offer).text
        assert "May offers a seat" in page
        key, token = url.split("/")[2:4]
        for secret in (key, token, derive_invitation(token)):
            assert secret not in page
            assert secret not in client.get("/opponents").text
        nameless = client.post(offer, data={"nonce": hidden(page, "nonce"), "brings": "wu"})
        assert nameless.status_code == 400
        assert "Enter your name" in nameless.text
        form = {"nonce": hidden(page, "nonce"), "brings": "wu", "name": "Bo"}
        seat = client.post(offer, data=form).headers["location"]
        assert seat.startswith(f"/t/{key}/")
        assert 'id="prompt"' in client.get(seat).text
        assert ">Bo</strong>" in client.get("/").text.partition("</header>")[0]
        assert client.get(offer).status_code == 410
        client.cookies.clear()
        assert client.post(offer, data=form | {"name": "Cy"}).status_code == 410


def test_own_cards_are_named_and_not_joined_unseen(own_client: TestClient) -> None:
    cards = 'name = "Keion as printed"\npatriot.strength = 9'
    with waiting(own_client, set="own", cards=cards) as url:
        (offer,) = offers(own_client)
        assert "Cards: Keion as printed" in rows(own_client.get("/opponents").text)[0]
        assert "Keion as printed" in own_client.get(offer).text
        (listed,) = own_client.get("/api/open-tables").json()["tables"]
        assert listed["cards"]["name"] == "Keion as printed"
        assert [change["path"] for change in listed["cards"]["changes"]] == ["patriot.strength"]
        seat = own_client.post("/opponents", data={"game": "feint", "name": "Bo"}).headers["location"]
        assert seat.split("/")[2] != url.split("/")[2]


def test_the_list_is_pushed_when_it_changes_and_holds_no_secret(own_client: TestClient) -> None:
    with own_client.websocket_connect("/opponents/live") as socket:
        received(socket, 0)
        with waiting(own_client, name="May") as may, waiting(own_client, name="<b>Ann</b>") as ann:
            html = received(socket, 2)
            assert rows(html)[1].startswith("May Feint")
            assert "<b>Ann" not in html
            for url in (may, ann):
                key, token = url.split("/")[2:4]
                for secret in (key, token, derive_invitation(token), derive_invitation(token, 1)):
                    assert secret not in html
            own_client.post(f"{may}leave")
            assert rows(received(socket, 1))[0].startswith("&lt;b&gt;Ann&lt;")


def test_a_seat_that_is_no_longer_offered_leads_back_to_the_list(own_client: TestClient) -> None:
    gone = own_client.get("/opponents/00000000/")
    assert gone.status_code in (404, 409, 410)
    assert 'href="/opponents">Open seats</a>' in gone.text


def test_a_hidden_choice_does_not_show_in_the_list(own_client: TestClient) -> None:
    """Two decks of the same factions, and a player that is not ready, give equal rows."""
    seen = []
    for deck in ("red", "blue"):
        form = {"game": "duel", "sides.0": deck, "sides.1": "blue", "seat": "0"}
        with waiting(own_client, **form) as url:
            offers(own_client)
            seen.append(rows(own_client.get("/opponents").text))
            own_client.post(f"{url}leave")
    assert seen[0] == seen[1]


def test_the_opener_is_led_back_to_their_own_table(own_client: TestClient) -> None:
    client = own_client
    url = open_table(client, **LISTED)
    with client.websocket_connect(f"{url}live") as socket:
        board(socket)
        client.get(url)
        (offer,) = offers(client)
        assert client.get(client.get(offer).headers["location"]).headers["location"] == url
        assert "The lobby shows your seat to all visitors." in client.get(url).text


def test_play_person_now_joins_a_fitting_table_or_opens_one(own_server: Everything) -> None:
    client, tables = own_server.client, own_server.tables
    form = {"game": "feint", "wait": "3", "level": "bot:gentle", "name": "Bo"}
    assert client.post("/opponents", data=form | {"name": ""}).status_code == 400
    assert client.post("/opponents", data=form | {"wait": "999"}).status_code == 400
    with waiting(client, clock="own", minutes="5", step="0"):  # no fitting one: it has a clock
        offers(client)
        opened = client.post("/opponents", data=form).headers["location"]
        page = client.get(opened).text
        assert "Gentle sits down if no player comes in 3 minutes." in page
        assert "Waiting for a player" in page, "whoever comes is no friend yet"
        with client.websocket_connect(f"{opened}live") as socket:
            board(socket)
            client.cookies.clear()
            while len(offers(client)) < 2:
                pass
            joined = client.post("/opponents", data=form | {"name": "Cy"}).headers["location"]
            assert joined.split("/")[2] == opened.split("/")[2]
            assert 'id="prompt"' in client.get(joined).text
            assert client.portal is not None
            assert sorted(client.portal.call(tables.table, opened.split("/")[2]).names) == ["Bo", "Cy"]


def test_a_bot_sits_down_after_the_chosen_time(own_server: Everything) -> None:
    client, tables = own_server.client, own_server.tables
    with waiting(client, game="feint", **{"bot-after": "1", "bot-level": "bot:gentle"}) as url:
        offers(client)
        let_pass(tables, 61.0)
        for _ in range(500):
            if 'id="prompt"' in client.get(url).text:
                break
        assert "Gentle" in client.get(url).text


def test_a_device_lists_few_tables_and_an_address_not_many_in_a_row(own_server: Everything) -> None:
    client = own_server.client
    sockets = []
    for _ in range(3):
        url = open_table(client, **LISTED)
        client.get(url)
        sockets.append(client.websocket_connect(f"{url}live").__enter__())
        board(sockets[-1])
    while len(offers(client)) < 3:
        pass
    form = {"game": "feint", "factions.0": "wu", "seat": "0", "name": "May", **LISTED}
    refused = client.post("/tables", data=form)
    assert refused.status_code == 400
    assert "You offer 3 seats already." in refused.text
    for socket in sockets:
        socket.__exit__(None, None, None)
    client.cookies.clear()
    client.app.state.services.limits.factor = 1.0  # type: ignore[attr-defined]
    answers = [client.post("/tables", data=form) for _ in range(11)]
    assert [answer.status_code for answer in answers[-2:]] == [303, 429]
    client.app.state.services.limits.factor = 0.0  # type: ignore[attr-defined]


def test_programs_list_offer_and_take_seats(own_client: TestClient) -> None:
    client = own_client
    body = {"game": "feint", "name": "Ann", "listed": True, "options": {"factions": ["wu", "keion"]}}
    assert client.post("/api/tables", json=body | {"bot": {"after": 0, "level": "gentle"}}).status_code == 400
    made = client.post("/api/tables", json=body | {"bot": {"after": 60, "level": "gentle"}}).json()
    ann = bearer(made["seats"][0]["token"])
    client.get(f"/api/tables/{made['table']}", headers=ann)
    while not (found := client.get("/api/open-tables").json()["tables"]):
        pass
    offer = found[0].pop("id")
    assert found[0].pop("opened") > 0
    assert found == [
        {"game": "feint", "options": {}, "cards": None, "clock": None, "players": ["Ann"], "seats": 2, "free": 1}
    ]
    seats = f"/api/open-tables/{offer}/seats"
    wrong = client.post(seats, json={"nonce": "b".ljust(22, "-"), "brings": "nobody"})
    assert (wrong.status_code, wrong.json()["code"]) == (400, "bad_option")
    sat = client.post(seats, json={"nonce": "b".ljust(22, "-"), "brings": "keion", "name": "Bob"})
    assert sat.status_code == 201
    assert sat.json()["table"] == made["table"]
    view = client.get(f"/api/tables/{made['table']}", headers=bearer(sat.json()["token"])).json()
    assert view["stage"] == "playing"
    assert client.post(seats, json={"nonce": "c".ljust(22, "-")}).json()["code"] == "seat_taken"
    assert client.post("/api/open-tables/nothing/seats", json={"nonce": "c".ljust(22, "-")}).status_code == 410
