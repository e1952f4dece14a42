"""Records of files, opened by a visitor: replayed, reviewed and played on from; and files that are refused in one
sentence."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any

import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

from gonfalon import games
from gonfalon.core.basics.rng import Rng
from gonfalon.core.files.play_on import continue_record
from gonfalon.core.files.record import Record, load
from gonfalon.core.files.start_position import ANEW
from gonfalon.core.rules.state import CHANCE
from gonfalon.games.feint import box as feint
from gonfalon.table.errors import NoTable
from gonfalon.table.live.retention import DAY
from gonfalon.testing import random_record
from tests.web.conftest import find
from tests.web.every import Everything

Answer = Any


def post(client: TestClient, text: str | bytes, name: str = "game.json") -> Answer:
    return client.post("/records", files={"record": (name, text)})


def opened(client: TestClient, record: Record, text: str | None = None) -> str:
    """Open a record and return the address of its table."""
    answer = post(client, record.dumps() if text is None else text)
    assert answer.status_code == 303, refusal(answer)
    url = answer.headers["location"]
    assert re.fullmatch(r"/t/[\w-]{16}/watch/replay", url)
    return str(url.removesuffix("replay"))


def refusal(answer: Answer) -> str:
    found = re.search(r'<p class="refusal" role="alert">(.*?)</p>', answer.text)
    return unescape(found[1]) if found else ""


@pytest.mark.parametrize("name", ["factionwars", "feint", "generals", "jinkei"])
@pytest.mark.parametrize("form", ["json", "text"])
def test_a_record_opens_its_replay(client: TestClient, name: str, form: str) -> None:
    record = random_record(games.game(name), 3)
    url = opened(client, record, record.dumps() if form == "json" else "\ufeff" + record.dumps_text(remarks=True))
    page = client.get(f"{url}replay").text
    assert f"Step 0 of {len(record.decisions)}" in page
    last = client.get(f"{url}replay?at={len(record.decisions)}").text
    assert record.result is not None
    assert str(record.result["why"]) in unescape(last)
    assert client.get(url).status_code == 200
    again = load(client.get(f"{url}record.json").text, find)
    assert (again.decisions, again.names, again.result) == (record.decisions, record.names, record.result)


def test_an_opened_record_can_be_reviewed_and_played_on(client: TestClient) -> None:
    url = opened(client, random_record(games.game("jinkei"), 2))
    assert "review" in client.get(f"{url}review").text
    answer = client.post(f"{url}play-on", data={"at": "10", "seat": "0", "cards": "anew", "opponent": "bot:greedy"})
    assert answer.status_code == 303
    assert client.get(answer.headers["location"]).status_code == 200


@pytest.mark.parametrize(
    ("ended", "sentence"),
    [
        ({"seat": 1, "how": "resigned"}, "David resigned."),
        ({"seat": 0, "how": "time"}, "May ran out of time."),
        (
            {"seat": CHANCE, "how": "abandoned", "days": 90},
            "The game ended without a result after 90 days without a move.",
        ),
    ],
)
def test_a_game_that_stopped_early_ends_as_it_did(client: TestClient, ended: dict[str, object], sentence: str) -> None:
    record = random_record(games.game("feint"), 2, 12)
    record.ended = ended
    url = opened(client, record)
    assert sentence in unescape(client.get(f"{url}replay?at=12").text)
    assert load(client.get(f"{url}record.json").text, find).ended == ended


def test_a_record_with_cards_of_its_own_is_shown_with_them(client: TestClient) -> None:
    raw = feint.read_standard_box()
    raw["faction"][0]["cards"][0]["strength"] = 9
    record = random_record(games.game("feint", cards=raw), 4)
    url = opened(client, record, record.dumps_text())
    assert load(client.get(f"{url}record.json").text, find).game.data_hash == record.game.data_hash
    assert '<small class="begun">Own cards</small></h1>' in client.get(f"{url}replay").text


def test_a_game_that_was_played_on_can_be_opened(client: TestClient) -> None:
    before = random_record(games.game("feint"), 5)
    game = continue_record(before, 0, 8, ANEW, Rng(1))
    url = opened(client, random_record(game, 6))
    assert "Played on from decision 9" in client.get(f"{url}replay").text


@pytest.mark.parametrize(("name", "event", "place", "value"), [("feint", 6, 1, []), ("jinkei", 4, 2, 10**9)])
def test_a_start_position_that_cannot_be_shown_is_refused(
    client: TestClient, name: str, event: int, place: int, value: object
) -> None:
    """Its log has an invalid number, which no rule reads, but every page."""
    game = continue_record(random_record(games.game(name), 5), 0, 8, ANEW, Rng(1))
    body: Any = json.loads(random_record(game, 6).dumps())
    position = json.loads(body["options"]["begun"]["position"])
    position["log"][event]["tuple"][place] = value
    body["options"]["begun"]["position"] = json.dumps(position)
    answer = post(client, json.dumps(body))
    assert (answer.status_code, refusal(answer)) == (400, "This record is damaged: its game cannot be replayed.")


def test_names_are_made_fit_for_a_page(client: TestClient) -> None:
    record = random_record(games.game("feint"), 1)
    record.names = ["<b>May</b>" + "y" * 200, "<b>May</b>" + "y" * 200]
    url = opened(client, record)
    page = client.get(f"{url}replay").text
    assert "<b>May" not in page
    names = load(client.get(f"{url}record.json").text, find).names
    assert len(set(names)) == 2
    assert all(len(name) <= 30 for name in names)


def change(**parts: object) -> str:
    body = random_record(games.game("feint"), 1).to_json()
    return json.dumps({**body, **parts})


BEGUN = {"seat": 0, "step": 1, "cards": "anew", "shape": "x", "position": "[]"}
DECISIONS = random_record(games.game("feint"), 1).written()
HOSTILE: dict[str, tuple[str | bytes, str]] = {
    "nothing": ("", "This file is empty."),
    "spaces": (" \n ", "This file is empty."),
    "prose": ("It was a dark and stormy night.", "This is not a record of a finished game."),
    "deck": ("3 Cao Cao\n2 Red Hare\n", "This looks like a deck of Generals. Open it at Decks."),
    "cards": ("patriot.strength = 7\n", "This looks like cards of Warriors of Jogu: Feint. Open them in the form"),
    "bytes": (b"\xff\xfe\x00", "This file is not UTF-8 text."),
    "picture": (b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "This file is not UTF-8 text."),
    "nested": ("[" * 100_000, "This is not a record"),
    "number": ("9" * 5_000, "This is not a record"),
    "other JSON": ('{"format": "other"}', 'its "format" is not'),
    "newer": (change(format_version=2), "format version 2"),
    "no game": (change(game="chess"), "There is no game 'chess'."),
    "no options": (change(options=7), "damaged"),
    "unknown option": (change(options={"colour": 1}), "no option 'colour'"),
    "file": (change(options={"cards": "/etc/passwd"}), "Option cards must be the content of a file"),
    "odd cards": (change(options={"cards": {"form": 1, "faction": [1]}}), "cannot be set up"),
    "old rules": (change(rules="0"), "rules version 0"),
    "begun": (change(options={"begun": BEGUN}), "start position"),
    "begun wrongly": (change(options={"begun": [[]]}), "start position of this game is damaged"),
    "no decisions": (change(decisions=[], result=None), "The game of this record is not over."),
    "unfinished": (change(decisions=DECISIONS[:-3], result=None), "The game of this record is not over."),
    "illegal": (change(decisions=[DECISIONS[1], *DECISIONS[1:]]), "is not legal"),
    "odd seat": (change(decisions=[[10**30, "pass"]]), "is not legal"),
    "wrong seat": (change(decisions=[DECISIONS[0], [-7, DECISIONS[1][1]]]), "is not legal"),
    "no end": (change(ended={"how": "tired"}), "damaged"),
    "wrong end": (change(ended={"seat": 9, "how": "resigned"}), "damaged"),
    "endless": (change(ended={"seat": -1, "how": "abandoned", "days": 10**18}), "damaged"),
    "wrong result": (change(result={"winners": [7], "how": "luck", "why": ""}), "another result"),
    "no name": (change(names=["\x1b[2J", "B"]), "control character"),
    "text": ("Format: gonfalon-record 1\nGame: feint\nnonsense", "Line 3 of this record"),
    "large": (b" " * 300_000, "too large"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_a_file_that_is_no_record_is_refused_in_one_sentence(client: TestClient, case: str) -> None:
    text, reason = HOSTILE[case]
    answer = post(client, text)
    assert 400 <= answer.status_code < 500
    sentence = refusal(answer) or unescape(answer.text)
    assert reason in sentence
    scripted = client.post("/records", files={"record": ("x", text)}, headers={"x-live": "1"})
    assert (scripted.status_code, scripted.text.count("\n")) == (answer.status_code, 0)


def test_other_forms_are_refused(client: TestClient) -> None:
    assert refusal(client.post("/records")) == "Choose the file of a record."
    assert refusal(client.post("/records", data={"record": "nothing"})).startswith("This is not a record")
    two = [("record", ("a", "x")), ("record", ("b", "x"))]
    assert client.post("/records", files=two).status_code == 400
    assert client.post("/records", content=b"x", headers={"content-type": "text/plain"}).status_code == 400
    assert client.get("/records").headers["location"] == "/"


def test_our_script_gets_the_address(client: TestClient) -> None:
    text = random_record(games.game("jinkei"), 1).dumps()
    answer = client.post("/records", files={"record": ("x", text)}, headers={"x-live": "1"})
    assert answer.status_code == 204
    assert answer.headers["location"].endswith("/watch/replay")


def test_an_opened_record_is_kept_for_a_day(own_server: Everything) -> None:
    own_client, own_tables = own_server.client, own_server.tables
    keys = [opened(own_client, random_record(games.game("feint"), seed)).split("/")[2] for seed in (1, 2)]
    played = own_client.post("/tables", data={"game": "feint", "opponent": "bot:greedy"}).headers["location"]
    own_client.post(f"{played}concede", data={"sure": "yes"})
    with own_tables.store.engine.begin() as connection:
        old = sa.text("UPDATE tables SET opened = opened - :day WHERE key IN (:one, :two)")
        connection.execute(old, {"day": 2 * DAY, "one": keys[0], "two": played.split("/")[2]})
    portal = own_client.portal
    assert portal is not None
    portal.call(own_tables.housekeeper.clean_up)
    with pytest.raises(NoTable):
        portal.call(own_tables.table, keys[0])
    for key in (keys[1], played.split("/")[2]):
        portal.call(own_tables.table, key)


def test_a_finished_game_is_saved_as_text(client: TestClient) -> None:
    record = random_record(games.game("feint"), 1)
    url = opened(client, record)
    answer = client.get(f"{url}record.txt")
    assert answer.headers["content-disposition"].endswith('.txt"')
    assert load(answer.text, find).dumps() == client.get(f"{url}record.json").text
    assert 'href="record.txt"' in client.get(url).text
    api = client.get(f"/api/tables/{url.split('/')[2]}/record?form=text")
    assert (api.headers["content-type"], api.text) == ("text/plain; charset=utf-8", answer.text)


def test_a_program_opens_a_record(client: TestClient) -> None:
    record = random_record(games.game("jinkei"), 1)
    answer = client.post("/api/records", json={"record": record.dumps_text()})
    assert answer.status_code == 201
    assert client.get(answer.json()["replay"]).status_code == 200
    assert client.get(answer.headers["location"]).json()["stage"] == "over"


@pytest.mark.parametrize("case", [case for case, (text, _) in HOSTILE.items() if isinstance(text, str)])
def test_a_program_is_refused_in_one_sentence(client: TestClient, case: str) -> None:
    text, _ = HOSTILE[case]
    answer = client.post("/api/records", json={"record": text})
    assert 400 <= answer.status_code < 500
    assert "\n" not in answer.json()["detail"]


@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("/tables", "/"),
        ("/games/feint/cards/keep", "/games/feint/new"),
        ("/games/generals/decks/build/play", "/games/generals/decks/build"),
        ("/t/key/token/sit", "/t/key/token/"),
    ],
)
def test_an_address_of_posts_leads_back_to_its_form(client: TestClient, path: str, form: str) -> None:
    """A refusal is shown at this address, and browsers open it again."""
    answer = client.get(path)
    assert (answer.status_code, answer.headers["location"]) == (303, form)


def test_a_deck_in_place_of_a_record_is_linked(client: TestClient) -> None:
    answer = post(client, "3 Cao Cao\n2 Red Hare\n")
    assert '<a href="/games/generals/decks">Go there</a>' in answer.text
    files = {"record": ("x", "patriot.strength = 7\n")}
    scripted = client.post("/records", files=files, headers={"x-live": "1"})
    assert scripted.headers["x-link"] == "/games/feint/new"
