"""Bad input gets the right 4xx status and one clear sentence, changes nothing and reveals no hidden card."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from starlette.testclient import TestClient
from starlette.types import Message

from gonfalon.table import Store, Table, Tables
from gonfalon.web.shared import failures
from tests.table.opening import nonce
from tests.web.person import Page, Person, invited, open_table


def sentence(html: str) -> str:
    found = re.search(r'<p class="lead">(.*?)</p>', html, re.S)
    assert found is not None, html
    return found[1]


REFUSED_TABLES = (
    ({"game": "chess"}, "Choose one of the games"),
    ({"game": ""}, "Choose one of the games"),
    ({"factions.0": "orcs"}, "Unknown faction"),
    ({"factions.0": "agents"}, "mirror"),
    ({"opponent": "bot:genius"}, "genius"),
    ({"opponent": "nobody"}, "Choose the other player"),
    ({"seat": "7"}, "seats 0 to 1"),
    ({"seat": "-1"}, "seats 0 to 1"),
    ({"seat": "²"}, "seats 0 to 1"),
    ({"scrambler": "sideways"}, "must be one of"),
    ({"capacity": "lots"}, "whole number"),
    ({"capacity": "1" * 30}, "from 0 to 99"),
    ({"exact": "yes"}, "no option"),
    ({"cards": "/etc/passwd"}, "Your cards cannot be used yet"),
    ({"nonsense": "1"}, "no option"),
    ({"factions.2": "wu"}, "two factions"),
)


def test_a_table_that_cannot_be_set_up(client: TestClient) -> None:
    form = {"game": "feint", "factions.0": "keion", "factions.1": "agents", "opponent": "bot:greedy", "seat": "0"}
    for fields, says in REFUSED_TABLES:
        answer = client.post("/tables", data=form | fields)
        assert answer.status_code == 400
        refusal = re.search(r'<p class="refusal" role="alert">(.*?)</p>', answer.text)
        assert refusal is not None
        assert says in refusal[1]
        assert 'action="/tables"' in answer.text


def test_addresses_that_lead_nowhere(client: TestClient) -> None:
    url = open_table(client)
    key = url.split("/")[2]
    for path in (
        "/nothing",
        "/t/none",
        "/t/none/watch/",
        f"/t/{key}/guess/",
        url[:-2] + "/",
        url[:-1] + "x/",
        url + "nothing",
        "/games/chess/guide",
        "/games/chess/table.css",
        "/games/../guide",
        "/static/old/gonfalon.css",
        "/static/../app.py",
        "/t/%00/%ff/",
        "/t/" + "x" * 5000,
    ):
        answer = client.get(path)
        assert answer.status_code == 404, path
        assert sentence(answer.text)


def test_wrong_methods(client: TestClient) -> None:
    url = open_table(client)
    for method, path in (
        ("DELETE", "/tables"),
        ("POST", "/"),
        ("DELETE", url),
        ("GET", url + "act"),
        ("PUT", "/api/tables"),
    ):
        answer = client.request(method, path)
        assert answer.status_code == 405
        assert "allow" in answer.headers


def acted(client: TestClient, url: str, fields: dict[str, Any], status: int, says: str) -> None:
    """Check that this post is rejected in all three forms and changes nothing."""
    before = client.get(url).text
    page = client.post(url + "act", data=fields)
    assert page.status_code == status, page.text
    shown = Page(page.text).refusal or sentence(page.text)
    assert says in shown
    line = client.post(url + "act", data=fields, headers={"X-Live": "1"})
    assert line.status_code == status
    assert line.headers["content-type"].startswith("text/plain")
    assert says in line.text
    assert "\n" not in line.text
    problem = client.post(url + "act", data=fields, headers={"Accept": "application/json"})
    assert client.get(url).text == before
    assert problem.headers["content-type"].startswith(("application/problem+json", "text/html"))


def test_actions_that_cannot_be(client: TestClient) -> None:
    url = open_table(client, opponent="friend")
    sit = {"nonce": "friend".ljust(22, "-"), "brings": "agents"}
    client.post(invited(client.get(url).text) + "sit", data=sit)
    person = Person(client, url)
    (expected,) = [value for _, value in person.look().hidden]
    good = {"expected": expected}
    acted(client, person.url, good, 409, "Choose an action first")
    acted(client, person.url, {"then": "done"}, 400, "Load the page again")
    acted(client, person.url, {"expected": "x", "then": "done"}, 400, "Load the page again")
    acted(client, person.url, {"expected": "-1", "then": "done"}, 400, "Load the page again")
    acted(client, person.url, {"expected": "9" * 40, "then": "done"}, 400, "Load the page again")
    acted(client, person.url, {"expected": "999", "then": "done"}, 409, "has changed")
    acted(client, person.url, good | {"act": "gibberish"}, 400, "no action of Feint")
    acted(client, person.url, good | {"act": "x" * 1000}, 400, "far too long")
    acted(client, person.url, good | {"act": "seed:1"}, 409, "")
    acted(client, person.url, good | {"act": "pass"}, 409, "")
    acted(client, person.url, good | {"part1": "patriot", "part2": "@5"}, 409, "")
    acted(client, person.url, good | {"part1": "patriot", "part2": "@99"}, 400, "no action of Feint")
    acted(client, person.url, good | {"act": ["gibberish", "done"]}, 400, "no action of Feint")
    acted(client, person.url, good | {"act": ["\x00", "\u202e"]}, 400, "no action")
    acted(client, person.url, good | {"back": "1"}, 409, "no move to undo")
    acted(client, person.url, good | {"act": ["done"] * 65}, 409, "")


def test_acting_for_a_seat_that_is_not_yours(client: TestClient) -> None:
    url = open_table(client)
    key = url.split("/")[2]
    for who, status in (("watch", 403), ("guess", 404)):
        for what in ("act", "concede", "rematch"):
            answer = client.post(f"/t/{key}/{who}/{what}", data={"expected": "1", "act": "pass"})
            assert answer.status_code == status
    assert client.post(url + "sit", data={"name": "Bo", "nonce": nonce("Bo")}).status_code == 404
    assert client.post(url + "rematch").status_code == 409


def test_the_record_stays_secret_during_the_game(client: TestClient) -> None:
    url = open_table(client)
    for path in (url, f"/t/{url.split('/')[2]}/watch/"):
        answer = client.get(path + "record.json")
        assert answer.status_code == 403
        assert "after the game" in sentence(answer.text)
        assert "seed" not in answer.text


def test_too_much(client: TestClient) -> None:
    url = open_table(client)
    big = "expected=1&act=" + "x" * 70_000
    form = {"content-type": "application/x-www-form-urlencoded"}
    for path in (url + "act", "/api/bot/challenges/none"):
        assert client.post(path, content=big, headers=form).status_code == 413
    for path in ("/tables", "/api/tables"):  # which take whole card files
        assert client.post(path, content=4 * big, headers=form).status_code == 413

    def drip() -> Any:
        for _ in range(80):
            yield b"a=" + b"x" * 1000

    assert client.post(url + "act", content=drip(), headers=form).status_code == 413
    many = "&".join(f"act={n}" for n in range(1000))
    assert client.post(url + "act", content=many, headers=form).status_code == 400


def test_forms_that_are_none(client: TestClient) -> None:
    url = open_table(client)
    wrong: list[tuple[str, bytes, int]] = [
        ("application/json", b"{}", 400),
        ("text/plain", b"hello", 400),
        ("multipart/form-data", b"hello", 400),
        ("multipart/form-data; boundary=x", b"hello", 400),
        ("application/x-www-form-urlencoded", b"%ff%fe=&;;;=%", 400),
    ]
    for kind, body, status in wrong:
        assert client.post(url + "act", content=body, headers={"content-type": kind}).status_code == status
    file = client.post(url + "act", files={"act": ("a", b"pass")})
    assert file.status_code == 400


FOREIGN = (
    {"Origin": "https://evil.example"},
    {"Origin": "null"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site", "Origin": "http://testserver"},
)


def test_posts_from_other_sites_are_refused(client: TestClient) -> None:
    url = open_table(client, game="duel")
    for headers in FOREIGN:
        for path in ("/tables", url + "concede", "/api/tables", "/games/generals/decks/build"):
            assert client.post(path, headers=headers).status_code == 403
    assert Page(client.get(url).text).answers()
    ours = {"Origin": "http://testserver", "Sec-Fetch-Site": "same-origin"}
    assert client.post(url + "concede", headers=ours).status_code == 303


def test_an_unforeseen_error_says_nothing_secret(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    url = open_table(client)

    def explode(*_: Any) -> Any:
        raise RuntimeError("the hidden card is the Patriot")

    monkeypatch.setattr(Table, "build_view", explode)
    for headers in ({}, {"Accept": "application/json"}, {"X-Live": "1"}):
        answer = client.get(url, headers=headers)
        assert answer.status_code == 500
        assert "Patriot" not in answer.text
        assert "Traceback" not in answer.text
        assert answer.headers["content-security-policy"]
    assert "RuntimeError at" in caplog.text
    assert "Patriot" not in caplog.text
    assert url.split("/")[3] not in caplog.text


@pytest.mark.parametrize(
    ("for_author", "words"), [(False, "names the place"), (True, "RuntimeError ("), (True, "line ")]
)
def test_a_fault_of_an_installed_game_is_one_sentence(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, for_author: bool, words: str
) -> None:
    """Its place is for the author alone, and its text, which could quote a card, for no one."""
    url = open_table(client)

    def explode(*_: Any) -> Any:
        raise RuntimeError("the hidden card is the Patriot")

    monkeypatch.setattr(Table, "build_view", explode)
    monkeypatch.setattr(failures, "list_author_packages", lambda: ["tests"])
    state = client.app.state  # type: ignore[attr-defined]
    monkeypatch.setitem(state._state, "services", replace(state.services, for_author=for_author))
    answer = client.get(url)
    assert answer.status_code == 500
    assert "This game has a fault" in answer.text
    assert words in answer.text
    assert "Patriot" not in answer.text
    assert for_author or "test_bad_input" not in answer.text
    assert client.get("/").status_code == 200


def test_a_client_that_leaves_in_the_middle_of_a_post_is_no_error(
    client: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    sent: list[Message] = []
    arrived: list[Message] = [{"type": "http.request", "body": b"ga", "more_body": True}, {"type": "http.disconnect"}]

    async def receive() -> Message:
        return arrived.pop(0)

    async def send(message: Message) -> None:
        sent.append(message)

    kind = (b"content-type", b"application/x-www-form-urlencoded")
    scope = {"type": "http", "method": "POST", "path": "/tables", "headers": [kind], "query_string": b""}
    assert client.portal is not None
    client.portal.call(client.app, scope, receive, send)
    assert (sent, caplog.messages) == ([], [])


def test_a_store_that_fails(client: TestClient, tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    from sqlalchemy.exc import OperationalError

    person = Person(client, open_table(client, game="duel"))
    page = person.look()

    def full(*_: Any) -> Any:
        raise OperationalError("INSERT ... 'secret'", {}, Exception("disk full"))

    monkeypatch.setattr("gonfalon.table.store.store._insert_rows", full)
    answer = person.send(page.answers()[0])
    assert answer.status_code == 503
    assert "not saved" in sentence(answer.text)
    assert "secret" not in answer.text
    monkeypatch.undo()
    assert isinstance(tables.store, Store)
    assert person.send(page.answers()[0]).status_code == 303
