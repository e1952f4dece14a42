"""Several people share a device: no page, frame, header or JSON behind the curtain contains a seat's view."""

from __future__ import annotations

import re
from typing import Any

from starlette.testclient import TestClient

from gonfalon.core.rules.state import SPECTATOR
from gonfalon.table import Beside, Seating, Table, Tables
from gonfalon.table import Person as Guest
from tests.web.person import Page, board
from tests.web.test_secrecy import seen_kinds

CANARY = re.compile(r"CARD-(\d+)-")


def told(text: str) -> set[int]:
    return {int(number) for number in CANARY.findall(text)}


def rise(client: TestClient, url: str, seat: int | str) -> Any:
    return client.post(url + "screen", data={"seat": str(seat)})


def devices(client: TestClient, tables: Tables) -> tuple[Table, str, str]:
    """Open a table with May, Bo and Di on one device and Cy on another."""
    assert client.portal is not None
    seating: list[Seating] = [Guest("May"), Beside("Bo"), Guest("Cy"), Beside("Di")]
    table, tokens = client.portal.call(tables.open_table, tables.find("moot", seats=4), seating)
    return table, f"/t/{table.key}/{tokens[0]}/", f"/t/{table.key}/{tokens[2]}/"


def test_nothing_of_any_seat_goes_over_the_wire_behind_the_curtain(client: TestClient, tables: Tables) -> None:
    """In a game of three people on one device and one on another, pages, frames and answers name only cards that the
    viewer may know."""
    table, shared, cy = devices(client, tables)
    seen: dict[str, int] = {"curtains": 0, "views": 0, "secrets": 0}
    own = {seat: set[int]() for seat in range(4)}
    public: set[int] = set()
    token = shared.split("/")[3]
    headers = {"Authorization": f"Bearer {token}"}

    def look() -> Page:
        for seat in range(4):
            own[seat].update(seen_kinds(table, seat))
        public.update(seen_kinds(table, SPECTATOR))
        at = table.seats.find_holder(token).viewer
        text = client.get(shared).text
        assert told(text) <= (public if at == SPECTATOR else own[at])
        seen["secrets"] += all(own[seat] - public for seat in (0, 1, 3))
        seen["curtains" if at == SPECTATOR else "views"] += 1
        if at == SPECTATOR:
            assert "My answers" not in text
            assert "expected" not in text
        assert told(client.get(f"/api/tables/{table.key}", headers=headers).text) <= public
        assert told(client.get("/").text) <= public
        assert told(client.get(cy).text) <= own[2]
        return Page(text)

    while not table.position.over:
        page = look()
        if table.position.is_asked(2):
            answers = Page(client.get(cy).text).answers()
            assert client.post(cy + "act", data=dict(answers[0])).status_code == 303
            continue
        if not page.answers():
            following = table.seats.find_next_person(token)
            assert following is not None
            assert rise(client, shared, following).status_code == 303
            page = look()
        answers = page.answers()
        assert client.post(shared + "act", data=dict(answers[-1])).status_code == 303
    assert seen["curtains"] > 8
    assert seen["views"] > 8
    assert seen["secrets"] > 8


def test_frames_behind_the_curtain_hold_nothing(client: TestClient, tables: Tables) -> None:
    table, shared, cy = devices(client, tables)
    with client.websocket_connect(f"{shared}live") as socket:
        frame = board(socket)
        assert "data-curtain" in frame
        assert told(frame) == set()
        rise(client, shared, 1)
        frame = board(socket)
        assert told(frame) == seen_kinds(table, 1)
        answers = Page(frame).answers()
        assert client.post(shared + "act", data=dict(answers[0])).status_code == 303
        frame = board(socket)
        assert "Hand the device to Di." in frame
        assert told(frame) == set()
        # Cy's secret answer sends nothing: the next frame is the one for Di.
        there = Page(client.get(cy).text)
        client.post(cy + "act", data=dict(there.answers()[0]))
        rise(client, shared, 3)
        frame = board(socket)
        assert told(frame) == seen_kinds(table, 3)
        assert seen_kinds(table, 3).isdisjoint(seen_kinds(table, 1))


def test_an_answer_meant_for_one_seat_is_not_given_for_another(client: TestClient, tables: Tables) -> None:
    table, shared, _ = devices(client, tables)
    rise(client, shared, 0)
    form = Page(client.get(shared).text)
    assert 'name="seat" value="0"' in form.html
    old = dict(form.answers()[0])
    rise(client, shared, 1)  # the page of May is still open in another window
    length = table.position.length
    answer = client.post(shared + "act", data=old)
    assert answer.status_code == 409
    assert told(answer.text) <= seen_kinds(table, 1)
    rise(client, shared, "")
    answer = client.post(shared + "act", data=old)
    assert answer.status_code == 409
    assert told(answer.text) == set()
    for path, data in (("answers", {"answers": "able", "seat": "0"}), ("concede", {}), ("return", {})):
        answer = client.post(shared + path, data=data)
        assert answer.status_code in (403, 409), path
        assert told(answer.text) == set()
    assert table.position.length == length
    assert client.post(shared + "act", data=old, headers={"X-Live": "1"}).status_code == 409


def test_only_seats_of_the_device_rise(client: TestClient, tables: Tables) -> None:
    _, shared, cy = devices(client, tables)
    assert rise(client, shared, 2).status_code == 403
    assert rise(client, shared, 4).status_code == 404
    assert rise(client, shared, "x").status_code == 404
    assert rise(client, cy, 2).status_code == 404
    assert "Hand the device to May." in client.get(shared).text
