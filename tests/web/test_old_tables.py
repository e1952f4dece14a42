"""Pages and API of a table whose rules this server no longer has."""

from __future__ import annotations

import json
import lzma
import re
import time
from html import unescape
from typing import Any

import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

from gonfalon.core.basics.errors import OptionError
from gonfalon.core.rules.game import Game
from gonfalon.table import Tables
from tests.table.duel import Duel
from tests.web.conftest import find
from tests.web.every import Everything
from tests.web.person import Person, invited, open_table


class Newer(Duel):
    version = "2"


def newer(name: str, **options: Any) -> Game:
    return Newer(**options) if name == "duel" else find(name, **options)


def gone(name: str, **options: Any) -> Game:
    raise OptionError(f"There is no game {name!r}.")


def change_rules(tables: Tables, rules: Any = newer) -> None:
    """Restart the server with another version of the rules."""
    tables._alive.clear()
    tables._recent.clear()
    tables.stored._games.clear()
    tables.find = tables.stored.find = rules


@pytest.fixture
def client(own_client: TestClient) -> TestClient:
    return own_client


@pytest.fixture
def tables(own_server: Everything) -> Tables:
    return own_server.tables


@pytest.fixture
def over(client: TestClient, tables: Tables) -> str:
    """Return the address of May's seat in a duel that she has played to its end."""
    url = open_table(client, game="duel", opponent="bot:random")
    assert Person(client, url).play_on() > 2
    deadline = time.monotonic() + 120
    while tables.store.kept(url.split("/")[2]) is None and time.monotonic() < deadline:
        time.sleep(0.01)
    client.get(url)
    return url


@pytest.fixture
def running(client: TestClient) -> str:
    """Return the address of May's seat in a running duel."""
    url = open_table(client, game="duel", opponent="bot:random")
    person = Person(client, url)
    person.send(person.look().answers()[0])
    client.get(url)
    return url


def ending(tables: Tables, url: str) -> str:
    """Return the end of a game as May's archive describes it."""
    head, _ = tables.store.kept(url.split("/")[2]) or ("", b"")
    found: str = json.loads(head)["over"]["0"]
    return found


def normalize_page(html: str) -> str:
    """Return a page without the notes on its origin and the link to play on, for which the rules are required."""
    html = re.sub(r'<div id="replay-note">.*?</div>|<p class="bar-links">.*?</p>', "", html)
    html = re.sub(r'<a class="button" id="play-on".*?</a>', "", html)
    return re.sub(r"\s+", " ", html)


def test_a_replay_looks_as_it_did(client: TestClient, tables: Tables, over: str) -> None:
    pages = [
        f"{over}replay{query}"
        for query in ("", "?step=1&as=all", "?at=2&as=0", "?at=4&as=1", "?at=3&as=watch", "?as=all", "?at=0")
    ]
    before = [client.get(page).text for page in pages]
    change_rules(tables)
    for page, html in zip(pages, before, strict=True):
        answer = client.get(page)
        assert answer.status_code == 200
        assert "This game was played under version 1 of its rules." in answer.text
        assert normalize_page(answer.text) == normalize_page(html)
    for bad in ("?at=x", "?at=9999", "?step=99999", "?step=x", "?step=-1"):
        assert client.get(f"{over}replay{bad}").status_code == 404
    for bad in ("?as=7", "?as=x"):
        assert client.get(f"{over}replay{bad}").status_code == 400


def test_the_table_leads_to_its_replay_and_the_lobby_knows_how_it_ended(
    client: TestClient, tables: Tables, over: str
) -> None:
    lobby = client.get("/").text
    change_rules(tables)
    key = over.split("/")[2]
    answer = client.get(over)
    assert (answer.status_code, answer.headers["location"]) == (303, "replay")
    assert client.get(f"/t/{key}/watch/").status_code == 303
    for bare in (f"/t/{key}", f"/t/{key}/"):
        assert client.get(bare).headers["location"] == f"/t/{key}/watch/"
    assert client.get(f"/t/{key}/guess/").status_code == 404
    for what in ("act", "concede", "rematch", "hint"):
        assert client.post(over + what, data={"expected": "1"}).status_code == 409
    assert client.get(over + "record.json").json()["rules"] == "1"
    assert ending(tables, over) in lobby
    assert client.get("/").text == lobby
    mine = re.search(r'href="(/mine/\w+)"', lobby)
    assert mine is not None
    assert client.get(mine[1]).headers["location"] == over


@pytest.mark.parametrize("rules", [newer, gone], ids=["newer", "gone"])
def test_programs_read_it_too(client: TestClient, tables: Tables, over: str, rules: Any) -> None:
    key, token = over.split("/")[2:4]
    address, seat = f"/api/tables/{key}", {"Authorization": f"Bearer {token}"}
    answers = {path: client.get(address + path, headers=seat).json() for path in ("", "/record", "/thoughts")}
    change_rules(tables, rules)
    for path, before in answers.items():
        after = client.get(address + path, headers=seat)
        assert after.status_code == 200
        assert after.json() | {"version": 0} == before | {"version": 0}
    assert client.get(address, headers={"Authorization": "Bearer guess"}).status_code == 404
    assert client.get(address).json()["viewer"] == "spectator"
    refused = client.post(address + "/resignation", headers=seat)
    assert (refused.status_code, refused.json()["code"]) == (409, "other_rules")


def without_a_board(tables: Tables, key: str) -> None:
    """Replace an archive by one whose board format the current templates cannot draw."""
    head, body = tables.store.kept(key) or ("", b"")
    lines = lzma.decompress(body).decode().split("\n")
    lines = [json.dumps(json.loads(line) | {"board": {}}) if line.startswith('{"board"') else line for line in lines]
    with tables.store.engine.begin() as connection:
        body = lzma.compress("\n".join(lines).encode())
        connection.execute(sa.text("UPDATE kept SET body = :body"), {"body": body})
    assert head


@pytest.mark.parametrize("why", ["no such game", "another form of the board"])
def test_an_undrawable_board_is_described_in_words(client: TestClient, tables: Tables, over: str, why: str) -> None:
    if why == "no such game":
        change_rules(tables, gone)
    else:
        without_a_board(tables, over.split("/")[2])
        change_rules(tables)
    for query in ("?at=3", "?at=2&as=0", "?at=3&as=all"):
        answer = client.get(f"{over}replay{query}")
        assert answer.status_code == 200
        assert '<pre class="plain-text' in answer.text
        assert "CARD-" in answer.text
    last = re.search(r'id="replay-last" href="([^"]+)"', client.get(f"{over}replay").text)
    assert last is not None
    status = re.search(r'id="status"[^>]*>([^<]*)<', client.get(over + unescape(last[1])).text)
    assert status is not None
    assert status[1] == ending(tables, over)


def test_a_running_game_ends_with_a_clear_word(client: TestClient, tables: Tables, running: str) -> None:
    link = open_table(client, game="duel")
    waits = open_table(client, game="duel", opponent="friend")
    invitation = invited(client.get(waits).text)
    change_rules(tables)
    word = (
        "This game was started under version 1 of the rules of Duel; this server has version 2. Only an older version "
        "of Gonfalon can open it."
    )
    for page in (running, running + "replay", running + "record.json", link):
        answer = client.get(page)
        assert answer.status_code == 409
        assert word in answer.text
    assert word in client.post(running + "act", data={"expected": "1"}, headers={"X-Live": "1"}).text
    for page in (waits, invitation):  # this game will begin by the rules of the day
        assert client.get(page).status_code == 200
    problem = client.get(f"/api/tables/{running.split('/')[2]}").json()
    assert (problem["code"], problem["status"]) == ("other_rules", 409)
    assert word in client.get("/").text
