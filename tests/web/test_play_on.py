"""Playing on from a position of a finished game: the pages, the new tables, and the secrets they keep."""

from __future__ import annotations

import json
import re
import time
from dataclasses import replace
from html import unescape
from typing import Any

import pytest
from starlette.testclient import TestClient

from gonfalon.core.files.record import Record, load
from gonfalon.core.files.start_position import ANEW, DAMAGED, OTHER_SHAPE, TRUE
from gonfalon.core.rules.rules import BEGUN
from gonfalon.table import Tables
from gonfalon.table.game.entries import ACT, Entry
from gonfalon.table.links import hash_token, new_key, new_token
from gonfalon.table.store.store import SeatRow, TableRow
from tests.table.duel import Duel
from tests.table.opening import ending_of
from tests.web.conftest import find
from tests.web.person import Person, open_table
from tests.web.test_curtain import CANARY

SENTENCE = "Played on from decision 3 of a finished game, as May saw it."


@pytest.fixture
def over(client: TestClient) -> str:
    """Return May's seat, the first one, in a finished Duel."""
    url = open_table(client, game="duel", opponent="bot:random", name="May", seat="0")
    Person(client, url).play_on()
    return url


def fields(**more: str) -> dict[str, str]:
    return {"at": "2", "seat": "0", "cards": ANEW, "opponent": "bot:random"} | more


def played_on(client: TestClient, url: str, **more: str) -> str:
    answer = client.post(url + "play-on", data=fields(**more))
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def api(client: TestClient, url: str) -> dict[str, object]:
    _, _, key, token, _ = url.split("/")
    answer = client.get(f"/api/tables/{key}", headers={"authorization": f"Bearer {token}"})
    assert answer.status_code == 200
    found: dict[str, object] = answer.json()
    return found


def test_each_step_of_a_replay_leads_there_but_the_end(client: TestClient, over: str) -> None:
    last = re.search(r'id="replay-last" href="([^"]+)"', client.get(over + "replay").text)
    assert last is not None
    assert 'id="play-on"' not in client.get(over + unescape(last[1])).text
    for eyes, seat in (("0", "0"), ("1", "1"), ("watch", "0"), ("all", "0")):
        found = re.search(r'id="play-on" href="([^"]+)"', client.get(over + f"replay?at=2&as={eyes}").text)
        assert found is not None
        page = client.get(over + unescape(found[1]))
        assert page.status_code == 200
        assert f'name="seat" value="{seat}" checked' in page.text


@pytest.mark.parametrize("cards", [ANEW, TRUE])
def test_a_table_is_opened_and_played_to_its_end(client: TestClient, over: str, cards: str) -> None:
    url = played_on(client, over, cards=cards)
    told = "The cards are unchanged." if cards == TRUE else "Hidden cards were dealt again."
    shown = api(client, url)
    assert shown["begun"] == {"step": 3, "seat": 0, "cards": cards, "text": f"{SENTENCE} {told}"}
    assert f"{SENTENCE} {told}" in client.get(url).text
    assert client.get(url + "replay").status_code == 403
    Person(client, url).play_on()
    record = load(client.get(url + "record.json").text, find)
    assert record.game.options[BEGUN]["cards"] == cards
    record.replay()
    assert f"{SENTENCE} {told}" in client.get(url + "replay?at=0").text
    # The finished game is what it was, and the new one can be played on as well.
    assert BEGUN not in json.loads(client.get(over + "record.json").text)["options"]
    assert api(client, played_on(client, url, at="1"))["begun"] is not None


def test_a_friend_is_informed_before_sitting_down(client: TestClient, over: str) -> None:
    url = played_on(client, over, opponent="friend", cards=TRUE)
    waiting = unescape(client.get(url).text)
    assert "The cards are unchanged." in waiting
    link = re.search(r"http://[^\"\s]+/t/[^\"\s]+/", waiting)
    assert link is not None
    invited = unescape(client.get(link[0]).text)
    assert SENTENCE in invited
    assert not CANARY.search(invited)
    nonce = re.search(r'name="nonce" value="([^"]+)"', invited)
    assert nonce is not None
    answer = client.post(link[0] + "sit", data={"name": "Ann", "nonce": nonce[1]})
    assert answer.status_code == 303
    begun = api(client, answer.headers["location"])
    assert (begun["stage"], begun["viewer"]) == ("playing", 1)
    assert begun["names"] == ["May", "Ann"]


REFUSED = (
    ({"at": "99"}, "The game is over at this step"),
    ({"at": ""}, "the position to play on from"),
    ({"seat": "2"}, "that of a seat"),
    ({"cards": "mine"}, "Choose whether the unseen cards"),
    ({"opponent": "beside"}, "Choose the other player"),
    ({"opponent": "bot:nobody"}, "nobody"),
)


def test_invalid_requests_are_refused(client: TestClient, over: str) -> None:
    for more, sentence in REFUSED:
        answer = client.post(over + "play-on", data=fields(**more))
        assert answer.status_code == 400
        assert sentence in unescape(answer.text)


def test_a_running_game_cannot_be_played_on(client: TestClient) -> None:
    url = open_table(client, game="duel", opponent="friend", name="May")
    for answer in (client.get(url + "play-on?at=1"), client.post(url + "play-on", data=fields())):
        assert answer.status_code == 403
        assert not CANARY.search(answer.text)


def test_a_beginning_is_no_option_of_a_form(client: TestClient) -> None:
    answer = client.post("/api/tables", json={"game": "duel", "options": {BEGUN: {}}, "seats": []})
    assert answer.status_code == 400
    assert DAMAGED not in answer.text


def open_fixed_duel(tables: Tables, second: str) -> str:
    """Return May's seat in a finished Duel of fixed cards. David's cards depend on the seed."""
    game, key, token = Duel(), new_key(), new_token()
    decisions = [(-1, "seed:1"), (-1, second), (0, "done"), (1, "done")]
    state = Record(game, [], [(seat, game.parse(text)) for seat, text in decisions]).replay()
    entries = [Entry(ACT, seat, text) for seat, text in decisions]
    while not state.over:
        seat, action = state.turn, state.actions[0]
        state.apply(seat, action)
        entries.append(Entry(ACT, seat, game.notation(action)))
    entries[-1] = replace(entries[-1], ending=ending_of(game, entries, ["May", "David"]))
    seats = (SeatRow(0, "May", token=hash_token(token)), SeatRow(1, "David", bot="random"))
    tables.store.create(
        TableRow(key, "duel", game.shown_options(), "1", "none", None, None, time.time(), seats), entries
    )
    return f"/t/{key}/{token}/"


def test_two_games_that_looked_alike_to_the_seat_lead_to_the_same(
    client: TestClient, tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = open_fixed_duel(tables, "seed:2"), open_fixed_duel(tables, "seed:3")
    assert client.get(one + "replay?at=4&as=all").text != client.get(other + "replay?at=4&as=all").text, "the control"
    for address in ("replay?at=4&as=0", "play-on?at=4&as=0"):
        assert client.get(one + address).text == client.get(other + address).text
    monkeypatch.setattr("secrets.randbits", lambda _: 7)
    views, options = [], []
    for url in (one, other):
        new = played_on(client, url, at="4")
        found = api(client, new)
        views.append({name: part for name, part in found.items() if name != "table"})
        options.append(tables.store.table(new.split("/")[2]).options)
    assert views[0] == views[1]
    assert options[0] == options[1], "nothing else of the finished game lies in the new one"


def test_a_position_of_another_version_is_not_read(client: TestClient, tables: Tables, over: str) -> None:
    url = played_on(client, over)
    row = tables.store.table(url.split("/")[2])
    options = row.options | {BEGUN: row.options[BEGUN] | {"shape": "0" * 16}}
    key, token = new_key(), new_token()
    seats = (SeatRow(0, "May", token=hash_token(token)), SeatRow(1, "David", bot="random"))
    tables.store.create(replace(row, key=key, options=options, seats=seats), [])
    for address in (f"/t/{key}/{token}/", f"/t/{key}/{token}/replay", f"/t/{key}/{token}/play-on?at=0"):
        answer = client.get(address)
        assert answer.status_code == 409
        assert OTHER_SHAPE in unescape(answer.text)
        assert not CANARY.search(answer.text)


def test_programs_play_on_as_well(client: TestClient, over: str) -> None:
    _, _, key, token, _ = over.split("/")
    bearer = {"authorization": f"Bearer {token}"}

    def asks(**body: object) -> Any:
        return client.post(f"/api/tables/{key}/play-on", json=body, headers=bearer)

    answer = asks(at=2, seats=["bot:random", "me"], cards=TRUE)
    assert answer.status_code == 201
    assert [one["seat"] for one in answer.json()["seats"]] == [1]
    begun = api(client, f"/t/{answer.json()['table']}/{answer.json()['seats'][0]['token']}/")["begun"]
    assert isinstance(begun, dict)
    assert (begun["seat"], begun["cards"]) == (1, TRUE)
    assert len(asks(at=2).json()["invitations"]) == 1
    for body in (
        {},
        {"at": -1},
        {"at": 2, "seat": 2},
        {"at": 2, "cards": "mine"},
        {"at": 99},
        {"at": 2, "seats": ["me"]},
    ):
        assert asks(**body).status_code == 400
    running = open_table(client, game="duel", opponent="friend", name="May").split("/")
    bearer["authorization"] = f"Bearer {running[3]}"
    assert client.post(f"/api/tables/{running[2]}/play-on", json={"at": 0}, headers=bearer).status_code == 403
