"""Clocks on pages, in the form and for programs."""

from __future__ import annotations

import re
import time

import pytest
from starlette.testclient import TestClient

from gonfalon import games
from gonfalon.core.basics.errors import OptionError
from gonfalon.table.game.clock import DAY, Pace
from gonfalon.web.shared.clocks import format_own_time, read_pace, seat_clock, time_left
from tests.web.person import bearer


def open_table(
    client: TestClient, clock: object = None, seats: tuple[str, ...] = ("me", "me")
) -> tuple[str, list[str]]:
    body = {"game": "duel", "clock": clock or {"bank": 600, "step": 5}, "seats": seats, "name": "May"}
    answer = client.post("/api/tables", json=body)
    assert answer.status_code == 201, answer.text
    return answer.json()["table"], [seat["token"] for seat in answer.json()["seats"]]


def view(client: TestClient, key: str, token: str) -> dict[str, object]:
    found: dict[str, object] = client.get(f"/api/tables/{key}", headers=bearer(token)).json()
    return found


@pytest.mark.parametrize(
    ("milliseconds", "text"),
    [
        (401_000, "6:41"),
        (400_001, "6:41"),
        (59_999, "1:00"),
        (1, "0:01"),
        (0, "0:00"),
        (-5000, "0:00"),
        (3_600_000, "1:00:00"),
        (3_599_000, "59:59"),
        (3_920_000, "1:05:20"),
        (DAY * 1000, "1 d 0 h"),
        (2 * DAY * 1000 + 4 * 3_600_000, "2 d 4 h"),
    ],
)
def test_remaining_time_in_figures(milliseconds: float, text: str) -> None:
    assert time_left(milliseconds) == text


def test_time_controls_of_the_form() -> None:
    feint = games.find_game_class("feint")
    fields = {"clock": "quick", "at-zero": "lose", "minutes": "20", "step": "10", "name": "May"}
    assert read_pace(feint, fields) == Pace(300, 5, "lose")
    assert fields == {"name": "May"}
    assert read_pace(feint, {}) is None
    assert read_pace(feint, {"clock": "own", "minutes": "12", "step": "3"}) == Pace(720, 3)
    assert read_pace(feint, {"clock": "days"}) == Pace(3 * DAY, days=3)
    for wrong in (
        {"clock": "fast"},
        {"clock": "own", "minutes": "x"},
        {"clock": "own", "minutes": "0"},
        {"clock": "own", "minutes": "1441"},
        {"clock": "own", "minutes": "5", "step": "3601"},
        {"clock": "own", "minutes": "5", "step": ""},
        {"clock": "own", "minutes": "5", "step": "-1"},
        {"clock": "quick", "at-zero": "win"},
    ):
        with pytest.raises(OptionError):
            read_pace(feint, dict(wrong))


def test_pushes_stay_the_same_and_a_page_shows_the_current_time() -> None:
    seat = {"left": 60_000, "since": 1000.0, "runs": True, "out": False}
    pushed, now = seat_clock(seat, None), seat_clock(seat, 1045.0)  # type: ignore[arg-type]
    assert pushed is not None
    assert now is not None
    assert (pushed["text"], pushed["low"]) == ("1:00", False)
    assert (now["text"], now["low"]) == ("0:15", True)
    assert {"left", "since"} <= pushed.keys()
    assert format_own_time({"clock": {"seats": [seat]}, "viewer": "spectator"}) == ""


def test_the_page_shows_both_clocks_and_the_free_time(client: TestClient) -> None:
    key, tokens = open_table(client)
    before = time.time()
    html = client.get(f"/t/{key}/{tokens[0]}/").text
    assert len(re.findall(r'<span class="clock runs">', html)) == 2
    clocks = re.findall(r'role="timer"[^>]*data-ms="(\d+)"[^>]*>([\d:]+)</span>', html)
    assert [ms for ms, _ in clocks] == ["60000", "600000", "600000"]
    assert [text for _, text in clocks][1:] == ["10:00", "10:00"]
    born = re.search(r'<body[^>]* data-now="([\d.]+)"', html)
    assert born
    assert before - 1 < float(born[1]) < time.time() + 1
    assert '<p id="time-left" class="vh" role="status"></p>' in html
    plain = client.post("/api/tables", json={"game": "duel", "seats": ["me", "me"]}).json()
    page = client.get(f"/t/{plain['table']}/{plain['seats'][0]['token']}/").text
    assert "data-now" not in page
    assert 'class="clock' not in page


def test_a_claim_is_a_button_and_its_win_a_post(client: TestClient) -> None:
    key, tokens = open_table(client, {"bank": 600, "end": "claim"})
    for token in tokens:
        mine = view(client, key, token)
        decision = mine["decision"]
        assert isinstance(decision, dict)
        move = {"expected": mine["version"], "actions": [decision["actions"][-1]["id"]]}
        client.post(f"/api/tables/{key}/actions", json=move, headers=bearer(token))
    table = client.portal.call(client.app.state.services.tables.table, key)  # type: ignore[attr-defined,union-attr]
    late = next(seat for seat in (0, 1) if table.position.is_asked(seat))
    early = client.post(f"/t/{key}/{tokens[1 - late]}/seats/{late}/win")
    assert early.status_code == 409
    table.position.clock.since -= 700
    client.portal.call(table.clocks.serve)  # type: ignore[union-attr]
    page = client.get(f"/t/{key}/{tokens[1 - late]}/").text
    assert "time is up" in page
    assert "Your time is up. You can still play" in client.get(f"/t/{key}/{tokens[late]}/").text
    assert "You can still play" not in page
    assert f'formaction="seats/{late}/win"' in page.replace("&#x2f;", "/")
    assert "/win" not in client.get(f"/t/{key}/{tokens[late]}/").text.replace("&#x2f;", "/")
    assert "/win" not in client.get(f"/t/{key}/watch/").text.replace("&#x2f;", "/")
    claimed = client.post(f"/api/tables/{key}/seats/{late}", json={"by": "nobody"}, headers=bearer(tokens[1 - late]))
    assert claimed.json()["over"]["ended"] == {"seat": late, "how": "time"}
    assert view(client, key, tokens[late])["log"][-1]["text"] == "You ran out of time."  # type: ignore[index]
    name = view(client, key, tokens[late])["names"][late]  # type: ignore[index]
    assert claimed.json()["log"][-1]["text"] == f"{name} ran out of time."


def test_the_lobby_shows_the_visitors_remaining_time(client: TestClient) -> None:
    sent = {"game": "duel", "opponent": "bot:random", "seat": "0", "clock": "steady"}
    client.post("/tables", data=sent, follow_redirects=True)
    assert re.search(r"1[45]:\d\d left", client.get("/").text)
