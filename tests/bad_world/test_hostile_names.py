"""Names that imitate another person, look empty, or reverse the surrounding text, on page, terminal and API."""

from __future__ import annotations

import json
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from gonfalon import games
from gonfalon.core.text.untrusted import ISOLATE, POP_ISOLATE, printable
from gonfalon.table import Person
from gonfalon.testing import random_record
from tests.cli.conftest import Run, own_folder, run
from tests.table.opening import nonce
from tests.web.conftest import client, shared, tables
from tests.web.every import HOUSE, Everything, everything
from tests.web.person import open_table

__all__ = ["client", "own_folder", "run", "shared", "tables"]

DAVID = "\u05d3\u05d5\u05d3 \u05d4\u05de\u05dc\u05da"
ALI = "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627 (\u0661)"
NAMES = (DAVID, ALI, "Cy \u05d0\u05d1\u05d2", "Di", "Ed")
TOLD = ("aria-label", "title", "alt", "placeholder", "content", "label")
"""Attributes that people read or hear."""


class Reader(HTMLParser):
    """Collects the texts of a page in which a right-to-left name is not isolated."""

    def __init__(self) -> None:
        super().__init__()
        self.isolated: list[str] = []
        self.found: list[str] = []
        self.seen = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for key, value in attrs:
            if key in TOLD and value:
                self.check(value)
        if tag in ("bdi", "script", "style"):
            self.isolated.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self.isolated and self.isolated[-1] == tag:
            self.isolated.pop()

    def handle_data(self, data: str) -> None:
        if not self.isolated:
            self.check(data)
        else:
            self.seen += DAVID in data

    def check(self, text: str) -> None:
        """Record a text that holds a name outside of isolates."""
        self.seen += DAVID in text
        rest = text
        for name in NAMES[:3]:
            rest = rest.replace(f"{ISOLATE}{name}{POP_ISOLATE}", "")
        if any(name in rest for name in NAMES[:3]):
            self.found.append(text.strip())


def read(html: str) -> Reader:
    """Read a page in which every right-to-left name must be isolated."""
    reader = Reader()
    reader.feed(html)
    reader.close()
    assert reader.found == []
    return reader


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Everything]:
    with everything(tmp_path_factory.mktemp("names")) as server:
        yield server


@pytest.mark.parametrize(
    "game", ["jinkei", *(pytest.param(game, marks=pytest.mark.extended) for game in HOUSE if game != "jinkei")]
)
def test_every_page_of_a_game_isolates_the_names_at_its_table(server: Everything, game: str) -> None:
    made = server.tables.find(game)
    table, tokens = server.call(server.tables.open_table, made, [Person(name) for name in NAMES[: made.seats]])
    addresses = [f"/t/{table.key}/{token}/" for token in (tokens[0], tokens[1], "watch")]
    server.play(table, lambda state: len(state.log or ()) > 30)
    for address in addresses:
        assert read(server.page(address)).seen
    assert DAVID in "".join(table.names)
    server.play(table, lambda state: False)
    assert table.position.over
    for address in addresses:
        for page in ("", "replay", "replay?step=3", "fair"):
            answer = server.client.get(address + page)
            if answer.status_code == 200:
                assert read(answer.text).seen
    read(server.page("/"))


@pytest.mark.parametrize("game", ["feint", "factionwars"])
def test_the_api_returns_plain_names_and_isolates_them_in_sentences(server: Everything, game: str) -> None:
    made = server.tables.find(game)
    names = NAMES[: made.seats]
    table, _ = server.call(server.tables.open_table, made, [Person(name) for name in names])
    server.play(table, lambda state: len(state.log or ()) > 30)
    view = server.client.get(f"/api/tables/{table.key}").json()
    assert view["names"] == list(names)
    assert [seat["name"] for seat in view["seats"]] == list(names)
    words = server.client.get(f"/api/tables/{table.key}/words").json()["text"]
    for text in (view["prompt"], words, *(line["text"] for line in view["log"])):
        assert printable(text) == text
        read(text.replace("<", " "))
    assert any(DAVID in line["text"] for line in view["log"])


@pytest.mark.parametrize("name", ["\u3164", "Y\u043eu"])
def test_a_name_of_nothing_is_the_name_of_the_seat(client: TestClient, name: str) -> None:
    for made in (
        client.post("/api/tables", json={"game": "duel", "name": name, "seats": ["me", "me"]}).json(),
        {"table": open_table(client, game="duel", name=name, opponent="bot:random").split("/")[2]},
    ):
        assert "Guest" in client.get(f"/api/tables/{made['table']}").json()["names"]


@pytest.mark.parametrize(
    ("first", "second", "called"),
    [
        ("Jos\u00e9", "Jose\u0301", "Jos\u00e9 2"),
        ("Anna", "\u0410nna", "\u0410nna 2"),
    ],
)
def test_no_guest_is_taken_for_the_host(client: TestClient, first: str, second: str, called: str) -> None:
    made = client.post("/api/tables", json={"game": "duel", "name": first, "seats": ["me", "open"]}).json()
    invitation = made["invitation"]
    body = {"nonce": nonce("guest"), "name": second}
    answer = client.post(
        f"/api/tables/{made['table']}/seats", json=body, headers={"Authorization": f"Bearer {invitation}"}
    )
    assert answer.status_code in (200, 201), answer.text
    assert client.get(f"/api/tables/{made['table']}").json()["names"][1] == called


def test_a_right_to_left_name_in_a_record_is_isolated(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "played.json"
    played = random_record(games.game("jinkei"), 1).to_json()
    path.write_text(json.dumps(played | {"names": [DAVID, "Bo"]}), "utf-8")
    for command in (["replay", "--plain", "--all"], ["verify"]):
        _, out, _ = run(*command, path)
        assert DAVID not in out.replace(f"{ISOLATE}{DAVID}{POP_ISOLATE}", "")
    assert f"{ISOLATE}{DAVID}{POP_ISOLATE}" in run("replay", "--plain", "--all", path)[1]
