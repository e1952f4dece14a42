"""Corrupt rows: each is reported in one true sentence to pages and programs, and other tables continue."""

from __future__ import annotations

import re
import time
from typing import Any

import sqlalchemy as sa
from starlette.testclient import TestClient

from gonfalon.table import Tables
from gonfalon.table.messages import DAMAGED
from tests.table.opening import nonce
from tests.web.person import Person, open_table

KEYS = {"tables": "key", "seats": "table", "entries": "table", "kept": "table", "links": "table"}
OF_A_TABLE = [
    "UPDATE tables SET options = 'nothing'",
    "UPDATE tables SET options = '[1]'",
    "UPDATE seats SET seat = 7 WHERE seat = 1",
    "DELETE FROM seats WHERE seat = 1",
    "UPDATE entries SET seat = 9 WHERE seq = 2",
    "UPDATE entries SET kind = 'nonsense' WHERE seq = 2",
    "UPDATE entries SET text = 'k' WHERE seq = 2",
    "DELETE FROM entries WHERE seq = 1",
]
SEALS = ["'nonsense'", "'ü'", "''", f"'{'A' * 24}'"]
"""Invalid seals, and the sealed token of another seat."""
SAID = re.compile(rf"{DAMAGED}|Entry \d+ of this table (is|has|undoes)[^<]*\.")
HEADS = ["'nonsense'", "'[]'", "'{}'", '\'{"title": 1, "names": 2, "over": 3}\'']


def damage(tables: Tables, key: str, how: str) -> None:
    """Alter the rows of a table and drop it from the server's memory."""
    where = f'{"AND" if "WHERE" in how else "WHERE"} "{KEYS[re.findall(r"[a-z]+", how)[0]]}" = :key'
    with tables.store.engine.begin() as connection:
        assert connection.execute(sa.text(f"{how} {where}"), {"key": key}).rowcount
    tables._alive.clear()
    tables._recent.clear()


def start_duel(client: TestClient) -> str:
    """Return May's seat in a duel after one move."""
    url = open_table(client, game="duel", opponent="bot:random")
    person = Person(client, url)
    person.send(person.look().answers()[0])
    return url


def list_tables(client: TestClient) -> list[str]:
    """Return the visitor's own tables from the lobby."""
    answer = client.get("/")
    assert answer.status_code == 200
    return re.findall(r'<li class="tile[^"]*">(.*?)</li>', answer.text, re.S)


def is_damaged(answer: Any) -> None:
    """Check that a page or a problem reports the damage in a sentence."""
    assert answer.status_code == 500
    if "json" in answer.headers["content-type"]:
        assert answer.json()["code"] == "damaged"
        assert SAID.search(answer.json()["detail"])
    else:
        assert "<h1>This table is damaged</h1>" in answer.text
        assert SAID.search(answer.text)


def test_a_damaged_table_is_reported_to_all_visitors(client: TestClient, tables: Tables) -> None:
    for how in OF_A_TABLE:
        client.cookies.clear()
        check_damaged_table(client, tables, how)


def check_damaged_table(client: TestClient, tables: Tables, how: str) -> None:
    sound, url = start_duel(client), start_duel(client)
    key, token = url.split("/")[2:4]
    damage(tables, key, how)
    for page in (url, f"/t/{key}/watch/", f"/t/{key}", url + "replay"):
        is_damaged(client.get(page))
    is_damaged(client.get(f"/api/tables/{key}", headers={"Authorization": f"Bearer {token}"}))
    is_damaged(client.post(f"/api/tables/{key}/resignation", headers={"Authorization": f"Bearer {token}"}))
    assert SAID.search(list_tables(client)[1])  # where nothing can be done it stands behind what is still played
    assert "<bdi>Random</bdi></strong>" in list_tables(client)[0]
    assert client.get(sound).status_code == 200


def test_device_data_may_be_damaged(client: TestClient, tables: Tables) -> None:
    for sealed in SEALS:
        client.cookies.clear()
        check_damaged_link(client, tables, sealed)


def check_damaged_link(client: TestClient, tables: Tables, sealed: str) -> None:
    sound, url = start_duel(client), start_duel(client)
    key = url.split("/")[2]
    damage(tables, key, f"UPDATE links SET sealed = {sealed}")
    second, first = list_tables(client)[:2]
    assert DAMAGED in first
    assert ">Duel<" in first
    assert "<a" not in first  # it would lead nowhere
    assert "/mine/" in second
    for page in (f"/t/{key}/watch/", f"/t/{sound.split('/')[2]}/watch/", url, sound):
        assert client.get(page).status_code == 200
    assert client.get(f"/t/{key}/guess/").status_code == 404


def test_the_head_of_an_archive_may_be_damaged(client: TestClient, tables: Tables) -> None:
    for head in HEADS:
        client.cookies.clear()
        check_damaged_head(client, tables, head)


def check_damaged_head(client: TestClient, tables: Tables, head: str) -> None:
    url = open_table(client, game="duel", opponent="bot:random")
    client.get(url)
    client.post(url + "concede")
    deadline = time.monotonic() + 120
    while tables.store.kept(url.split("/")[2]) is None and time.monotonic() < deadline:
        time.sleep(0.01)
    damage(tables, url.split("/")[2], f"UPDATE kept SET head = {head}")
    assert DAMAGED in list_tables(client)[0]
    assert ">Duel<" in list_tables(client)[0]
    assert client.get(url).status_code == 200  # while its rules are known it needs no archive
    damage(tables, url.split("/")[2], "UPDATE tables SET rules = 'old'")
    is_damaged(client.get(url + "replay"))
    is_damaged(client.get(f"/api/tables/{url.split('/')[2]}"))


def test_the_seal_of_a_seat_may_be_damaged(client: TestClient, tables: Tables) -> None:
    """Sitting down again with a damaged seal returns no token and an explanation."""
    for sealed in SEALS:
        client.cookies.clear()
        check_damaged_seal(client, tables, sealed)


def check_damaged_seal(client: TestClient, tables: Tables, sealed: str) -> None:
    table = client.post("/api/tables", json={"game": "duel"}).json()
    key, link = table["table"], table["invitation"]
    ticket, body = {"Authorization": f"Bearer {link}"}, {"nonce": nonce("Bo")}
    seat = client.post(f"/api/tables/{key}/seats", json=body, headers=ticket).json()["page"]
    damage(tables, key, f"UPDATE seats SET sealed = {sealed} WHERE seat = 1")
    is_damaged(client.post(f"/api/tables/{key}/seats", json=body, headers=ticket))
    is_damaged(client.post(f"/t/{key}/{link}/sit", data=body))
    assert client.get(seat).status_code == 200
