"""The public API: a program plays a game with only HTTP and JSON."""

from __future__ import annotations

import asyncio
import json
import re
import time
from pathlib import Path
from typing import Any, cast

import anyio
import jsonschema
import pytest
from starlette.testclient import TestClient

from gonfalon import games
from gonfalon.core.basics.rng import Rng
from gonfalon.core.files.record import load
from gonfalon.core.rules.rules import starts_game
from gonfalon.table import LinkHolder, Person, Store, Tables
from gonfalon.table.errors import Present
from gonfalon.table.seats.emotes import LASTS
from gonfalon.table.seats.presence import AWAY, HERE
from gonfalon.web import create_app
from gonfalon.web.api.endpoints import write_lines
from gonfalon.web.api.openapi import OPERATIONS
from gonfalon.web.http.rate_limits import Limits
from tests.table.duel import Duel
from tests.table.opening import nonce
from tests.web.conftest import OWN, find
from tests.web.every import Everything
from tests.web.person import bearer


def open_duel(client: TestClient, **body: Any) -> dict[str, Any]:
    answer = client.post("/api/tables", json={"game": "duel", "name": "Ann", "seats": ["me", "me"]} | body)
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_a_program_plays_a_game_by_its_stream(client: TestClient) -> None:
    table = open_duel(client, seats=["me", "bot:random"])
    address, seat = f"/api/tables/{table['table']}", bearer(table["seats"][0]["token"])
    views: list[dict[str, Any]] = []
    while not views or not views[-1]["over"]:
        view = client.get(address, headers=seat).json()
        views.append(view)
        if view["decision"]:
            move = {"expected": view["version"], "actions": [view["decision"]["actions"][0]["id"]]}
            answer = client.post(address + "/actions", json=move, headers=seat)
            assert answer.status_code in (200, 409)
    with client.stream("GET", address + "/stream", headers=seat) as stream:
        lines = [json.loads(line) for line in stream.iter_lines() if line]
    assert stream.headers["content-type"] == "application/x-ndjson"
    assert lines == [views[-1]]
    events = client.get(address + "/stream", headers=seat | {"Accept": "text/event-stream"}).text
    assert events.startswith(f"id: {views[-1]['version']}\nevent: view\ndata: {{")
    record = client.get(address + "/record", headers=seat)
    assert load(record.text, find).replay().over


@pytest.mark.anyio
async def test_a_stream_reports_presence_but_no_secret_answer(
    own_tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = time.time()
    monkeypatch.setattr(own_tables, "now", lambda: at)
    async with own_tables.open():
        table, _ = await own_tables.open_table(Duel(), [Person("Ann"), Person("Bo")])
        table.presence.grace = 0.0
        at += 1
        watches = write_lines(table.watch(1), [1], False, None, True)
        assert json.loads(await anext(watches))["viewer"] == 1
        assert json.loads(await anext(watches)) == {
            "company": {"seats": ["away", "here"], "says": [None, None], "watching": 0}
        }
        following = asyncio.ensure_future(anext(watches))
        first = table.view(0).legal(0)[0]
        await table.moves.act(LinkHolder(0), table.position.version(0), [first])
        await anyio.wait_all_tasks_blocked()
        assert not following.done()
        table.presence.enter([0])
        assert json.loads(await following)["company"]["seats"] == ["here", "here"]
        await table.say(LinkHolder(0), "well")
        assert json.loads(await anext(watches))["company"]["says"] == ["well", None]
        at += LASTS
        table.presence.leave([0])
        assert json.loads(await anext(watches))["company"]["says"] == [None, None]
        await watches.aclose()


def test_a_program_asks_for_the_log_from_a_line_on(client: TestClient) -> None:
    table = open_duel(client)
    address, seat = f"/api/tables/{table['table']}", bearer(table["seats"][0]["token"])
    whole = client.get(address, headers=seat).json()
    assert [line["n"] for line in whole["log"]][:2] == [0, 1]
    later = client.get(f"{address}?log=1", headers=seat).json()
    assert later == whole | {"log": whole["log"][1:]}
    assert client.get(f"{address}?log=999999", headers=seat).json() == whole | {"log": []}
    for wrong in ("", "-1", "x", "1" * 9, "\u0663"):
        refused = client.get(address, params={"log": wrong}, headers=seat)
        assert refused.status_code == 400
        assert refused.json()["detail"] == '"log" is the number of the line with which the log begins.'


def test_sending_again_and_taking_back(client: TestClient) -> None:
    table = open_duel(client)
    address, seat = f"/api/tables/{table['table']}", bearer(table["seats"][0]["token"])
    version = client.get(address, headers=seat).json()["version"]
    move = {"expected": version, "actions": ["done"]}
    first = client.post(address + "/actions", json=move, headers=seat).json()
    assert first["can_take_back"]
    assert client.post(address + "/actions", json=move, headers=seat).json() == first
    back = client.post(
        address + "/actions", json={"expected": first["version"], "take_back": True}, headers=seat
    ).json()
    assert back["decision"]
    gone = client.post(address + "/resignation", headers=seat).json()
    assert gone["over"]["ended"] == {"seat": 0, "how": "resigned"}


@pytest.mark.anyio
async def test_a_program_that_holds_a_stream_is_there(own_tables: Tables) -> None:
    async with own_tables.open():
        table, _ = await own_tables.open_table(Duel(), [Person("Ann"), Person("Bo")])
        table.presence.grace = 0.0
        assert table.presence.state_of(1) == AWAY
        stream = write_lines(table.watch(1), [1], False)
        assert json.loads(await anext(stream))["viewer"] == 1
        assert table.presence.state_of(1) == HERE
        with pytest.raises(Present):
            await table.seats.give_to_bot(LinkHolder(0), 1)
        await stream.aclose()
        assert table.presence.state_of(1) == AWAY
        await table.seats.give_to_bot(LinkHolder(0), 1)


def test_quotes_in_refusals_are_short(client: TestClient) -> None:
    long = "x" * 50_000
    for body in ({"seats": ["me", f"bot:{long}"]}, {"game": long}, {"options": {long: 1}}, {"options": {"open": long}}):
        answer = client.post("/api/tables", json={"game": "duel"} | body)
        assert answer.status_code == 400
        assert len(answer.text) < 700
        page = client.post("/tables", data={"game": "duel", "opponent": f"bot:{long}", "seat": "0"})
        assert "x" * 500 not in re.sub(r"<input[^>]*>", "", page.text)


REFUSED_ACTIONS = (
    (b"{", 400, "malformed"),
    (b"[]", 400, "malformed"),
    (b"\xff", 400, "malformed"),
    (b"[" * 30_000, 400, "malformed"),
    (b"{}", 400, "malformed"),
    (b'{"expected": true, "actions": []}', 400, "malformed"),
    (b'{"expected": "1", "actions": []}', 400, "malformed"),
    (b'{"expected": 1e400, "actions": []}', 400, "malformed"),
    (b'{"expected": 3}', 400, "malformed"),
    (b'{"expected": 3, "actions": "done"}', 400, "malformed"),
    (b'{"expected": 3, "actions": [7]}', 400, "malformed"),
    (b'{"expected": 3, "actions": ["zzz"]}', 400, "bad_notation"),
    (b'{"expected": 3, "actions": []}', 409, "illegal_action"),
    (b'{"expected": 3, "actions": ["seed:1"]}', 409, "illegal_action"),
    (b'{"expected": 3, "actions": ["k19"]}', 409, "illegal_action"),
    (b'{"expected": 2, "actions": ["done"]}', 409, "stale"),
    (b'{"expected": 99999999999999999999, "actions": ["done"]}', 409, "stale"),
)


def test_refused_actions_change_nothing(client: TestClient) -> None:
    table = open_duel(client)
    address, seat = f"/api/tables/{table['table']}", bearer(table["seats"][0]["token"])
    before = client.get(address, headers=seat).json()
    assert before["version"] == 3
    for body, status, code in REFUSED_ACTIONS:
        answer = client.post(address + "/actions", content=body, headers=seat)
        assert (answer.status_code, answer.json()["code"]) == (status, code), body
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.json()["detail"].endswith((".", "?"))
        assert client.get(address, headers=seat).json() == before


REFUSED_TABLES: tuple[tuple[dict[str, Any], str], ...] = (
    ({"game": "chess"}, "Name one of the games"),
    ({"game": 5}, '"game" must be a text'),
    ({"seats": ["me"]}, "needs 2 seats"),
    ({"seats": ["me", "king"]}, "A seat is"),
    ({"seats": ["me", "bot:genius"]}, "genius"),
    ({"seats": {"a": 1}}, "a list"),
    ({"options": {"cards": "/etc/passwd"}}, "no option"),
    ({"options": {"open": "maybe"}}, "yes or no"),
    ({"options": []}, "an object"),
    ({"game": "moot", "options": {"rounds": 10_000_000}}, "must be a number from 1 to 2"),
    ({"name": ["May"]}, "a text"),
)


def test_tables_that_cannot_be_set_up(client: TestClient) -> None:
    for body, says in REFUSED_TABLES:
        answer = client.post("/api/tables", json={"game": "duel"} | body)
        assert answer.status_code == 400
        assert says in answer.json()["detail"]


class FailsWhenMade(Duel):
    """A third-party game with a bug in its constructor."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        if self.options["open"]:
            raise IndexError("pop from an empty list of secrets")


class FailsWhenStarted(Duel):
    """A third-party game with a bug in its set-up."""

    @starts_game
    def start(self, log: bool = False) -> Any:
        raise KeyError("secret")


@pytest.mark.parametrize(("kind", "options"), [(FailsWhenMade, {"open": True}), (FailsWhenStarted, {})])
def test_a_game_that_fails_when_a_table_is_opened_is_refused_and_logged(
    tmp_path: Path, kind: type[Duel], options: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    store = Store(f"sqlite:///{tmp_path / 'tables.db'}")
    tables = Tables(store, pace=0, find=lambda _, **options: kind(**options))
    with TestClient(create_app(tables, {"duel": kind}, Limits(0)), follow_redirects=False) as client:
        answer = client.post("/api/tables", json={"game": "duel", "options": options})
        page = client.post("/tables", data={"game": "duel", "opponent": "friend", "seat": "0", **options})
    store.close()
    assert (answer.status_code, answer.json()["code"], page.status_code) == (400, "bad_option", 400)
    assert "fails when a table is set up with these options" in answer.json()["detail"]
    assert "fails when a table is set up with these options" in page.text
    assert len([line for line in caplog.messages if "duel cannot be set up" in line and "Error at" in line]) == 2
    assert "secret" not in caplog.text + answer.text + page.text


def test_unauthorized_requests(client: TestClient) -> None:
    table = open_duel(client)
    address = f"/api/tables/{table['table']}"
    move = {"expected": 3, "actions": ["done"]}
    assert client.post(address + "/actions", json=move).json()["code"] == "not_seated"
    assert client.post(address + "/actions", json=move, headers=bearer("guess")).json()["code"] == "no_seat"
    assert client.get(address, headers={"Authorization": "Basic abc"}).status_code == 400
    assert client.get(address + "/record").json()["code"] == "secret"
    assert client.get("/api/tables/none").json()["code"] == "no_table"
    assert client.get("/api/nothing").headers["content-type"] == "application/problem+json"


def test_the_description_names_every_route_and_no_other(client: TestClient) -> None:
    document = client.get("/openapi.json").json()
    assert document["openapi"].startswith("3.1")
    described = {
        (path, method.upper()) for path, item in document["paths"].items() for method in item if method != "parameters"
    }
    routes = {
        (route.path, method)
        for route in client.app.routes  # type: ignore[attr-defined]
        for method in getattr(route, "methods", None) or ()
        if route.path.startswith("/api/") and method != "HEAD"
    }
    assert described == routes


class Described:
    """A program's client that checks each answer against the API description."""

    def __init__(self, client: TestClient) -> None:
        self.client = client
        self.document = client.get("/openapi.json").json()

    def ask(self, method: str, path: str, token: str = "", body: dict[str, Any] | None = None) -> Any:
        """Return the answer after checking it against the schema of its address and status."""
        headers = bearer(token) if token else {}
        answer = self.client.request(method, path, json=body, headers=headers)
        [described] = [
            item
            for address, item in self.document["paths"].items()
            if re.fullmatch(re.sub(r"{\w+}", r"[^/]+", address), path)
        ]
        responses = described[method.lower()]["responses"]
        response = responses.get(str(answer.status_code)) or responses[f"{answer.status_code // 100}XX"]
        form = answer.headers["content-type"].partition(";")[0]
        schema = response["content"][form]["schema"] | {"components": self.document["components"]}
        found = json.loads(answer.text)
        jsonschema.validate(found, schema, jsonschema.Draft202012Validator)
        return found


@pytest.mark.parametrize("game", ["factionwars", "feint", "generals", "jinkei", "duel"])
def test_every_answer_of_a_game_is_as_described(tmp_path: Path, game: str) -> None:
    """A program plays against itself, uses every endpoint, and sends invalid requests in between."""
    kind = OWN.get(game) or games.find_game_class(game)
    store = Store(f"sqlite:///{tmp_path / 'tables.db'}")
    tables = Tables(store, pace=0, pause=(0, 0), find=lambda _, **options: kind(**options))
    with TestClient(create_app(tables, {game: kind}, Limits(0)), follow_redirects=False) as client:
        program = Described(client)
        program.ask("GET", "/api/games")
        made = program.ask("POST", "/api/tables", body={"game": game, "seats": ["me", "open"], "hints": True})
        address, invitation = f"/api/tables/{made['table']}", made["invitation"]
        sat = program.ask("POST", f"{address}/seats", invitation, {"name": "Bo", "nonce": nonce("bo")})
        tokens = [made["seats"][0]["token"], sat["token"]]
        assert program.ask("GET", f"{address}/words")
        assert program.ask("POST", f"{address}/emotes", tokens[0], {"emote": "hello"})["says"] == ["hello", None]
        assert program.ask("GET", f"{address}/company")["watching"] == 0
        assert program.ask("POST", f"{address}/emotes", body={"emote": "hello"})["code"] == "not_seated"
        assert program.ask("POST", f"{address}/hint")["code"] == "not_seated"
        assert program.ask("GET", f"{address}/record")["code"] == "secret"
        rng, number, view = Rng(7), 0, program.ask("GET", address)
        while view["over"] is None and number < 20:
            for token in tokens:
                view = program.ask("GET", address, token)
                if view["decision"] is not None:
                    actions = view["decision"]["actions"]
                    move = {"expected": view["version"], "actions": [actions[rng.below(len(actions))]["id"]]}
                    view = program.ask("POST", f"{address}/actions", token, move)
                    number += 1
        program.ask("GET", address)
        program.ask("POST", f"{address}/resignation", tokens[0])
        program.ask("GET", f"{address}/record", tokens[0])
        program.ask("GET", f"{address}/thoughts", tokens[0])
        described = program.document["paths"]["/api/tables/{key}/stream"]["get"]["responses"]["200"]["content"]
        schema = described["application/x-ndjson"]["schema"] | {"components": program.document["components"]}
        form = jsonschema.Draft202012Validator(schema)
        for line in client.get(f"{address}/stream", headers=bearer(tokens[1])).text.split("\n"):
            if line:
                form.validate(json.loads(line))
        form.validate({"company": program.ask("GET", f"{address}/company")})
        assert not form.is_valid({"company": {}})
    store.close()


def test_an_answer_of_another_form_is_noticed(client: TestClient) -> None:
    components = client.get("/openapi.json").json()["components"]
    view = client.get(f"/api/tables/{open_duel(client)['table']}").json()
    form = jsonschema.Draft202012Validator({"$ref": "#/components/schemas/View", "components": components})
    assert form.is_valid(view)
    for field, wrong in (("version", "1"), ("names", [1]), ("seats", [{"seat": 0}]), ("over", {"text": "May wins."})):
        assert not form.is_valid(view | {field: wrong})


def test_unknown_fields_are_refused(client: TestClient) -> None:
    """Every request rejects unknown fields, because a misspelled field would otherwise be ignored silently."""
    table = open_duel(client)
    seat = bearer(table["seats"][0]["token"])
    for method, path in OPERATIONS:
        if method == "post":
            address = path.replace("{key}", table["table"]).replace("{seat}", "0")
            answer = client.post(address, json={"nmae": "May"}, headers=seat)
            assert answer.json()["code"] in ("malformed", "secret"), path
            if answer.json()["code"] == "malformed":
                assert "There is no field 'nmae': " in answer.json()["detail"], path
            body = client.get("/openapi.json").json()["paths"][path]["post"].get("requestBody")
            if body is not None:
                name = body["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
                schema = client.get("/openapi.json").json()["components"]["schemas"][name]
                assert schema["additionalProperties"] is False, name


def test_a_program_finds_the_tables_of_its_token(client: TestClient) -> None:
    table = open_duel(client)
    mine = table["seats"][0]
    found = client.get("/api/tables", headers=bearer(mine["token"])).json()["tables"]
    assert found == [{"table": table["table"], "game": "duel", "seat": mine["seat"], "page": mine["page"]}]
    for headers in ({}, bearer("watch"), bearer(table["table"])):
        assert client.get("/api/tables", headers=headers).json() == {"tables": []}


def test_a_program_whose_game_is_over_is_not_expected_back(client: TestClient) -> None:
    table = open_duel(client)
    address, seats = f"/api/tables/{table['table']}", [bearer(seat["token"]) for seat in table["seats"]]
    client.post(f"{address}/resignation", headers=seats[0])
    client.get(f"{address}/stream", headers=seats[0])  # to its end
    assert client.get(f"{address}/company", headers=seats[1]).json()["seats"][0] == "away"
    page = client.get(f"/t/{table['table']}/{table['seats'][1]['token']}/").text
    assert "reconnecting" not in re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL)


def test_the_text_names_the_cards_of_the_last_battle(server: Everything) -> None:
    """The log of Jinkei names no card of a battle. Both seats see its cards on the page until the next one."""
    table, tokens = server.call(server.tables.open_table, games.game("jinkei"), [Person("May"), Person("Bo")])

    def text(seat: int) -> str:
        found = server.client.get(f"/api/tables/{table.key}/words", headers=bearer(tokens[seat])).json()
        return str(found["text"])

    assert "The last moment" not in text(0)
    server.play(table, lambda state: len(cast("Any", state).battles) == 1 and state.turn >= 0)
    duel: Any = table.build_view(0)["board"]["duel"]
    lines = [text(seat).splitlines()[-1] for seat in (0, 1)]
    for line in lines:
        assert line.startswith("The last moment: ")
        assert all(duel[side]["name"].split()[-1] in line for side in ("lead", "answer")), line
    server.client.post(f"/api/tables/{table.key}/resignation", headers=bearer(tokens[0]))
    assert "The last moment" not in text(0)
