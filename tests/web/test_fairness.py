"""Proved deals over the network: without scripts, by the API, and the page that shows whether a deal was fair."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any

import pytest
from starlette.testclient import TestClient

from gonfalon.core.basics.rng import Rng
from gonfalon.core.files import proof
from gonfalon.core.files.record import Record, load
from gonfalon.core.files.verify import DeviceData, ShownGame, find_proof, is_proved, verify_record
from gonfalon.table import Tables
from gonfalon.web.table.fairness import check_record
from tests.core.test_verify import a_share_exchanged, honest
from tests.table.opening import nonce
from tests.web.conftest import find
from tests.web.person import bearer

R, S = "a1" * 32, "b2" * 32


def open_proved(client: TestClient, **fields: str) -> str:
    """Open a table with a proved deal by the lobby's form. Return the opener's address."""
    form = {"game": "duel", "opponent": "bot:random", "seat": "0", "name": "May", "proved": "yes", **fields}
    answer = client.post("/tables", data=form)
    assert answer.status_code == 303, answer.text
    location: str = answer.headers["location"]
    return location


def words(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", html)).split())


def api_table(client: TestClient) -> tuple[str, list[str]]:
    """Open a proved table of two programs, both ready."""
    answer = client.post("/api/tables", json={"game": "duel", "seats": ["me", "open"], "proved": True}).json()
    key, may = answer["table"], answer["seats"][0]["token"]
    link = bearer(answer["invitation"])
    taken = client.post(f"/api/tables/{key}/seats", json={"nonce": nonce("bo")}, headers=link).json()
    return key, [may, taken["token"]]


def say(client: TestClient, key: str, token: str, **body: Any) -> dict[str, Any]:
    answer = client.post(f"/api/tables/{key}/share", json=body, headers=bearer(token))
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def deal(client: TestClient, key: str, tokens: list[str]) -> None:
    seal = client.get(f"/api/tables/{key}").json()["proof"]["commitment"]
    for seat, share in enumerate((R, S)):
        say(client, key, tokens[seat], attempt=1, closed=proof.hash_share(seal, seat, share))
    say(client, key, tokens[0], attempt=1, opened=R)
    assert say(client, key, tokens[1], attempt=1, opened=S)["stage"] == "playing"


def test_without_scripts_a_player_adds_no_share_and_is_informed(client: TestClient) -> None:
    url = open_proved(client)
    page = client.get(url).text
    assert "You not sealed yet" in words(page)
    assert "Random adds nothing, as bots do" in words(page)
    assert "Without scripts this device cannot seal a share." in words(page)
    assert client.post(url + "share", data={"attempt": "1", "none": "1"}).status_code == 303
    assert 'id="prompt"' in client.get(url).text
    assert client.post(url + "share", data={"attempt": "1", "none": "1"}).status_code == 303  # pressed twice
    told = words(client.get(url + "fair").text)
    assert "when the game is over" in told
    assert "You adds nothing Random adds nothing, as bots do" in told
    assert "No player added a share to this deal" in told
    client.post(url + "concede")
    told = words(client.get(url + "fair").text)
    assert "Not proved." in told
    assert "Fails: No player added a share" in told


def test_programs_deal_a_proved_game_and_its_record_verifies(client: TestClient) -> None:
    key, tokens = api_table(client)
    shown = client.get(f"/api/tables/{key}").json()
    assert shown["stage"] == "waiting"
    assert shown["proof"]["seats"] == [{"said": False, "closed": None, "opened": False}] * 2
    deal(client, key, tokens)
    client.post(f"/api/tables/{key}/resignation", headers=bearer(tokens[0]))
    record = load(client.get(f"/api/tables/{key}/record").text, find)
    assert is_proved(verify_record(record))
    told = words(client.get(f"/t/{key}/watch/fair").text)
    assert "Yes. Every shuffle was fixed before any player saw a card." in told
    assert "All 2 draws of chance follow from the secret and the shares." in told


def test_a_spectator_adds_no_share(client: TestClient) -> None:
    key, _ = api_table(client)
    answer = client.post(f"/api/tables/{key}/share", json={"attempt": 1, "closed": None})
    assert answer.status_code == 403
    assert client.post(f"/t/{key}/watch/share", data={"attempt": "1", "none": "1"}).status_code == 403


def test_no_page_or_frame_reveals_secret_share_or_draw_before_the_end(client: TestClient, tables: Tables) -> None:
    """Pages and views of all viewers before the deal, while it is opened, and in play contain no secret."""
    key, tokens = api_table(client)

    def everything() -> str:
        found = []
        for token in (*tokens, "watch"):
            headers = {} if token == "watch" else bearer(token)
            found += [client.get(f"/t/{key}/{token}/{page}").text for page in ("", "fair")]
            found.append(client.get(f"/api/tables/{key}", headers=headers).text)
            assert client.get(f"/t/{key}/{token}/record.json").status_code == 403
        return "".join(found)

    texts = [everything()]
    seal = client.get(f"/api/tables/{key}").json()["proof"]["commitment"]
    for seat, share in enumerate((R, S)):
        say(client, key, tokens[seat], attempt=1, closed=proof.hash_share(seal, seat, share))
    say(client, key, tokens[0], attempt=1, opened=R)
    texts.append(everything())
    say(client, key, tokens[1], attempt=1, opened=S)
    texts.append(everything())
    kept = tables.store.proof(key, 2)
    assert kept is not None
    draws = [entry.text.partition(":")[2] for entry in tables.store.entries(key)]
    assert len(draws) == 2
    for text in texts:
        for hidden in (kept.secret, kept.root.hex(), R, S, *draws):
            assert hidden not in text
        assert seal in text
    client.post(f"/api/tables/{key}/resignation", headers=bearer(tokens[0]))
    over = client.get(f"/t/{key}/watch/fair").text
    assert all(hidden in over for hidden in (kept.secret, R, S, *draws))


def test_the_shown_proof_does_not_depend_on_cards(client: TestClient, tables: Tables) -> None:
    """Two tables with the same commitment and shares but other cards show the same proof, except the hash of the
    options under the secret. (Only a test can give two tables one commitment and then another root.)"""
    shown = []
    for other in ("", "x"):
        key, tokens = api_table(client)
        with tables.store.engine.begin() as connection:
            commitment = proof.hash_commitment("duel", 1, "5e" * 32)
            connection.exec_driver_sql(
                'UPDATE proofs SET secret = ?, commitment = ? WHERE "table" = ?', ("5e" * 32, commitment, key)
            )
        client.portal.call(tables._alive[key].current.seats_changed)  # type: ignore[union-attr]
        if other:
            with tables.store.engine.begin() as connection:
                connection.exec_driver_sql('UPDATE proofs SET secret = ? WHERE "table" = ?', ("77" * 32, key))
        deal(client, key, tokens)
        entries = [entry.text for entry in tables.store.entries(key)]
        told = client.get(f"/api/tables/{key}").json()["proof"]
        assert told.pop("setup")
        assert told.pop("signs")
        shown.append((entries, told))
    assert shown[0][0] != shown[1][0]
    assert shown[0][1] == shown[1][1]


def test_the_page_of_a_table_without_proof_says_so(client: TestClient) -> None:
    url = open_proved(client, proved="no")
    assert "Check that the shuffle is fair" not in client.get(url).text
    assert "Nothing was sealed before this deal" in words(client.get(url + "fair").text)
    assert client.post(url + "share", data={"attempt": "1", "none": "1"}).status_code == 303
    assert client.get(url + "fair").text.count("Nothing was sealed") == 1


@pytest.mark.parametrize("name", ["feint"])
def test_the_page_is_given_every_draw_as_a_browser_can_count_it(name: str) -> None:
    record = honest(name)
    found = check_record(record)
    assert found["verdict"]
    assert [draw["number"] for draw in found["draws"]] == [
        number for number, (seat, _) in enumerate(record.decisions, start=1) if seat == -1
    ]
    for draw in found["draws"]:
        assert 0 <= draw["given"] < (1 << 62 if draw["seed"] else len(draw["weights"]))
    a_share_exchanged(record)
    assert not check_record(record)["verdict"]


# ---- what a device keeps of the game -----------------------------------------------------------------------------


def told_by_api(view: dict[str, Any]) -> ShownGame:
    """Return the parts of a view that a program keeps."""
    log = tuple(line["text"] for line in view["log"])
    return ShownGame(view["viewer"], tuple(view["names"]), tuple(view["decided"]), log, view["over"] is not None)


def told_by_page(html: str) -> ShownGame:
    """Return the parts of a table's page that its script keeps (`told.js`)."""
    body = json.loads(unescape(re.findall(r'data-told="([^"]*)"', html)[0]))
    lines = re.findall(r'<li id="log-\d+"[^>]*>(.*?)</li>', html)
    log = tuple(unescape(re.sub(r"<small.*?</small>|<[^>]*>", "", line)).strip() for line in lines)
    return ShownGame(body["seat"], tuple(body["names"]), tuple(body["decisions"]), log, body["over"])


@pytest.mark.parametrize("game", ["duel", "feint"])
def test_device_data_matches_the_record(client: TestClient, game: str) -> None:
    """Page and API agree at every step, including undone answers, and no seat sees another's secret decision."""
    opening = {"game": game, "seats": ["me", "open"], "proved": True}
    answer = client.post("/api/tables", json=opening).json()
    key, tokens = answer["table"], [answer["seats"][0]["token"]]
    link = bearer(answer["invitation"])
    tokens.append(client.post(f"/api/tables/{key}/seats", json={"nonce": nonce("bo")}, headers=link).json()["token"])
    if game == "feint":
        client.post(f"/api/tables/{key}/ready", json={"brings": "keion"}, headers=bearer(tokens[1]))
    deal(client, key, tokens)
    seal = client.get(f"/api/tables/{key}").json()["proof"]["commitment"]
    kept: list[ShownGame] = []
    rng = Rng(5)
    for step in range(12):
        views = [client.get(f"/api/tables/{key}", headers=bearer(token)).json() for token in tokens]
        for view, token in zip(views, tokens, strict=True):
            kept.append(told_by_api(view))
            assert told_by_page(client.get(f"/t/{key}/{token}/").text) == kept[-1]
        if views[0]["over"]:
            break
        asked = [seat for seat, view in enumerate(views) if view["decision"]]
        seat = asked[rng.below(len(asked))]
        actions = views[seat]["decision"]["actions"]
        body = {"expected": views[seat]["version"], "actions": [actions[rng.below(len(actions))]["id"]]}
        after = client.post(f"/api/tables/{key}/actions", json=body, headers=bearer(tokens[seat])).json()
        if after["can_take_back"] and step % 3 == 0:
            body = {"expected": after["version"], "take_back": True}
            client.post(f"/api/tables/{key}/actions", json=body, headers=bearer(tokens[seat]))
    else:
        client.post(f"/api/tables/{key}/resignation", headers=bearer(tokens[1]))
        kept += [told_by_api(client.get(f"/api/tables/{key}", headers=bearer(token)).json()) for token in tokens]
    assert client.get(f"/api/tables/{key}").json()["decided"] is None
    record = load(client.get(f"/api/tables/{key}/record").text, find)
    found = find_proof(record)
    for one in kept:
        mine = DeviceData(seal, found.closed, found.setup, ((one.seat, (R, S)[one.seat]),), (one,))
        assert [finding for finding in verify_record(record, mine) if finding.holds is False] == []
    assert [one.over for one in kept].count(True) == 2
    own = words(client.get(f"/t/{key}/{tokens[0]}/fair").text)
    assert kept[-2].log[-1] in own
    cut = Record(record.game, record.names, record.decisions[:-3], None, {"seat": 1, "how": "resigned"}, record.proof)
    assert not is_proved(verify_record(cut, DeviceData(seal, found.closed, found.setup, ((0, R),), (kept[-2],))))
