"""Malformed requests, generated from the API's own description (schemathesis) and from fragments.

Every answer is a 2xx or 4xx in the described form. A rejected request changes no row of the
database. No answer holds a card that the sender may not know: the cards of the Duel are canaries.
"""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import pytest
import schemathesis
import sqlalchemy as sa
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from schemathesis import GenerationMode
from starlette.testclient import TestClient

from gonfalon.core.basics.rng import Rng
from gonfalon.table import Store, Table, Tables
from gonfalon.web import create_app
from gonfalon.web.api.openapi import OPERATIONS, build_document
from gonfalon.web.http.rate_limits import Limits
from tests.web.conftest import find, kinds
from tests.web.served import Served, serving
from tests.web.test_secrecy import seen_kinds

CANARY = re.compile(r"CARD-(\d+)-")
KEPT = ("tables", "seats", "entries")
"""The tables that a rejected request must not change. (Visits and devices are recorded for every reader.)"""
DOCUMENT = build_document(kinds().values())
PATHS: dict[str, Any] = DOCUMENT["paths"]  # type: ignore[assignment]
SCHEMA = schemathesis.openapi.from_dict(DOCUMENT)
ADDRESSES = [(method, path) for method, path in OPERATIONS if not path.endswith("/stream")]
FEW = settings(
    max_examples=6, deadline=None, database=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck)
)


class House:
    """A server with a running table of the Duel and a waiting one."""

    def __init__(self, database: str) -> None:
        self.store = Store(database)
        self.tables = Tables(self.store, pace=0, find=find)
        self.client = TestClient(create_app(self.tables, kinds(), Limits(0)), follow_redirects=False)
        self.client.__enter__()
        self.reopen()

    def reopen(self) -> None:
        """Open new tables, because the game may be over."""
        duel = self.client.post("/api/tables", json={"game": "duel", "seats": ["me", "me"], "hints": True}).json()
        self.waits = self.client.post("/api/tables", json={"game": "moot", "seats": ["me", "open"]}).json()
        self.key: str = duel["table"]
        self.tokens: list[str] = [seat["token"] for seat in duel["seats"]]

    def close(self) -> None:
        self.client.__exit__()
        self.store.close()

    def rows(self) -> list[list[Any]]:
        with self.store.engine.connect() as connection:
            return [sorted(map(repr, connection.execute(sa.text(f"SELECT * FROM {name}")))) for name in KEPT]

    def table(self) -> Table:
        assert self.client.portal
        return self.client.portal.call(self.tables.table, self.key)

    def known(self, seat: int) -> set[int]:
        """Return the kinds that a seat (or a spectator, -2) may know."""
        return seen_kinds(self.table(), seat)

    def send(self, method: str, path: str, seat: int | None, **more: Any) -> Any:
        """Send a request and check the answer. `seat` is the seat whose secrets the sender may see, or None."""
        before = self.rows()
        answer = self.client.request(method, path, **more)
        assert answer.status_code < 500, (method, path, more, answer.text[:500])
        if answer.status_code >= 400:
            assert self.rows() == before, (method, path, more)
        if not self.table().position.over:
            told = {int(kind) for kind in CANARY.findall(answer.text)}
            assert told <= self.known(-2 if seat is None else seat), (method, path, more)
        return answer


@pytest.fixture
def house(database: str) -> Iterator[House]:
    house = House(database)
    yield house
    house.close()


# ---- from the description -----------------------------------------------------------------------------------------


def conforms(answer: Any, operation: dict[str, Any]) -> None:
    """Check that an answer conforms to the description."""
    status = str(answer.status_code)
    found = operation["responses"].get(status) or operation["responses"].get(f"{status[0]}XX")
    assert found, (status, answer.text[:300])
    kind = answer.headers["content-type"].partition(";")[0]
    assert kind in found["content"], kind
    schema = found["content"][kind]["schema"] | {"components": DOCUMENT["components"]}
    Draft202012Validator(schema).validate(answer.json())


@pytest.mark.extended
@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE], ids=["as described", "otherwise"])
def test_the_api_answers_every_request_as_described(house: House, mode: GenerationMode) -> None:
    for method, path in ADDRESSES:
        described: dict[str, Any] = PATHS[path][method]
        if mode == GenerationMode.POSITIVE or "requestBody" in described:
            ask(house, method, described, SCHEMA[path][method.upper()].as_strategy(generation_mode=mode))


def ask(house: House, method: str, described: dict[str, Any], cases: Any) -> None:
    """Send some of these requests to our tables and to others that may exist."""

    @seed(1)
    @FEW
    @given(case=cases, key=st.sampled_from(["own", "waiting", "any"]), seat=st.sampled_from([0, 1, None]))
    def one(case: Any, key: str, seat: int | None) -> None:
        parts = dict(case.path_parameters or {})
        if key != "any" and "key" in parts:
            parts["key"] = house.key if key == "own" else house.waits["table"]
        address = case.path
        for name, value in parts.items():
            address = address.replace(f"{{{name}}}", quote(str(value), safe=""))
        headers = {} if seat is None else {"authorization": f"Bearer {house.tokens[seat]}"}
        body = case.body if isinstance(case.body, dict | list | str | int | float | bool | None) else None
        content = json.dumps(body) if "requestBody" in described else None
        answer = house.send(method.upper(), address, seat, headers=headers, content=content)
        conforms(answer, described)
        if house.table().position.over:
            house.reopen()

    one()


# ---- from pieces ---------------------------------------------------------------------------------------------------

ODD = (
    "",
    "0",
    "-1",
    "1",
    "999999999999",
    "²",
    "\0",
    "\ud800",
    "'; DROP TABLE seats; --",
    "%00",
    "k0",
    "done",
    "x" * 3000,
)
FIELDS = ("expected", "act", "back", "seat", "first", "then", "wish", "number", "answers", "nonce", "name", "brings")
PLACES = ("act", "hint", "concede", "return", "screen", "answers", "take-back", "seats/1/bot", "seats/9/bot", "rematch")
MORE = ("sit", "ready", "share", "leave", "moment?n=1", "replay", "record.json", "fair", "next", "")
NAMES = (
    "actions",
    "resignation",
    "take-back",
    "hint",
    "seats",
    "seats/0",
    "ready",
    "leave",
    "share",
    "answers",
    "rematch",
)
CONTENT = ("application/json", "application/x-www-form-urlencoded", "multipart/form-data", "text/plain", "")
FOREIGN = ({"origin": "https://evil.example"}, {"sec-fetch-site": "cross-site"}, {"origin": "null"})


def pick(rng: Rng, some: Any) -> Any:
    return some[int(rng.below(len(some)))]


def body_of(rng: Rng, kind: str) -> bytes:
    """Return a body, sometimes with a wrong content type, truncated, or not text."""
    fields = {pick(rng, FIELDS): pick(rng, ODD) for _ in range(int(rng.below(4)))}
    if rng.below(8) == 0:
        return bytes(int(rng.below(256)) for _ in range(40))
    values = {name: pick(rng, [value, [value], {value: None}, 3, None, True, 1e300]) for name, value in fields.items()}
    form = {name: value.encode("utf-8", "surrogatepass") for name, value in fields.items()}
    text = json.dumps(values) if kind == "application/json" or rng.below(4) == 0 else urlencode(form)
    return text.encode()[: len(text) - (int(rng.below(3)) if rng.below(4) == 0 else 0)]


def test_requests_made_of_fragments(house: House) -> None:
    """Forged tokens, foreign sites, wrong content types, odd characters, truncated bodies and repeated requests."""
    rng, refused = Rng(11), 0
    for _ in range(160):
        seat = pick(rng, [0, 1, None])
        token = "watch" if seat is None else house.tokens[seat]
        if forged := rng.below(4) == 0:
            token = pick(rng, [token[:-1], token + "A", token.swapcase(), "", quote(pick(rng, ODD), errors="replace")])
            seat = None
        kind, foreign = pick(rng, CONTENT), pick(rng, FOREIGN) if rng.below(4) == 0 else {}
        headers = {"content-type": kind, **foreign} | ({"x-live": "1"} if rng.below(3) == 0 else {})
        if rng.below(2):
            path = f"/t/{house.key}/{token}/{pick(rng, PLACES + MORE)}"
        else:
            path = f"/api/tables/{house.key}/{pick(rng, NAMES)}"
            if token.isascii():
                headers["authorization"] = f"Bearer {token}"
        method, body = pick(rng, ["POST", "POST", "POST", "GET", "PUT", "DELETE"]), body_of(rng, kind)
        before = house.rows()
        answer = house.send(method, path, seat, headers=headers, content=body)
        refused += answer.status_code >= 400
        if foreign and method != "GET":
            assert answer.status_code == 403, (path, headers)
        if forged or seat is None:
            assert house.rows() == before, (path, headers, body)
        if house.table().position.over:
            house.reopen()
    assert refused > 50


# ---- NUL characters, which PostgreSQL stores in no text --------------------------------------------------------------


def test_null_characters_in_addresses(house: House) -> None:
    """Null characters in each part of each address, in a query, in bodies and in cookies."""
    parts = {
        "key": house.key,
        "table": house.key,
        "token": house.tokens[0],
        "game": "feint",
        "seat": "0",
        "number": "1",
    }
    addresses = set()
    for route in house.client.app.routes:  # type: ignore[attr-defined]
        names = re.findall(r"{(\w+)(?::\w+)?}", path := route.path)
        for wrong in names:
            address = path
            for name in names:
                address = re.sub(f"{{{name}(:\\w+)?}}", "a%00" if name == wrong else parts.get(name, "a"), address)
            addresses.add(address)
    assert {"/workshop/feint/a%00/", "/workshop/feint/a%00/stop", f"/t/{house.key}/a%00/"} <= addresses
    for address in sorted(addresses):
        for method in ("GET", "POST"):
            assert house.send(method, address, 0).status_code == 404, address
    for address in ("/", f"/t/{house.key}/{house.tokens[0]}/", "/workshop/feint/", f"/api/tables/{house.key}"):
        assert house.send("GET", f"{address}?log=%00", 0).status_code in (200, 400), address


def test_null_characters_in_bodies_and_cookies(house: House) -> None:
    seat = {"authorization": f"Bearer {house.tokens[0]}"}
    for (method, path), operation in OPERATIONS.items():
        if operation.body is None:
            continue
        for field in operation.body.__annotations__:
            for text in ("\0", "\ud800"):
                address = path.replace("{key}", house.key).replace("{seat}", "0")
                for value in (text, [text], {text: text}):
                    house.send(method.upper(), address, 0, content=json.dumps({field: value}), headers=seat)
    page = f"/t/{house.key}/{house.tokens[0]}/"
    for path in ("act", "answers", "emotes", "share", "ready"):
        house.send("POST", f"{page}{path}", 0, data=dict.fromkeys(FIELDS, "a\0") | {"expected": "3", "attempt": "1"})
    for path in ("/", page, "/puzzles/", "/workshop/feint/", "/workshop/feint/a/"):
        for name in ("device", "likes", "study", "puzzles"):
            house.send("GET", path, 0, headers={"cookie": f'{name}="\\000.\\000"'})
    house.send("POST", "/workshop/feint/", 0, data={}, headers={"cookie": 'device="\\000"; study="\\000.\\000"'})


# ---- from the wire -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def wired(tmp_path_factory: pytest.TempPathFactory, free_port: Callable[[], int]) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("wired"), free_port()) as served:
        yield served


HEADS = (
    b"GET / HTTP/9.9\r\n\r\n",
    b"GET  / HTTP/1.1\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\0" * 200,
    b"GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\x00: 1\r\n\r\n",
    b"POST /tables HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n",
    b"POST /tables HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef",
    b"POST /tables HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    b"POST /tables HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n",
    b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\n",
    b"GET /" + b"a" * 70_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET / HTTP/1.1\r\n" + b"".join(b"X-%d: y\r\n" % n for n in range(9000)) + b"\r\n",
    b"GET /t/a/watch/live HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
    b"CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n",
    b"GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\n\r\n",
)


def read_until_closed(port: int, sent: bytes, half: bool = True) -> bytes:
    """Return the server's output until it closes the connection. With `half` our side of the connection closes after
    sending."""
    said = b""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as wire:
        with suppress(OSError):
            wire.sendall(sent)
            if half:
                wire.shutdown(socket.SHUT_WR)
        with suppress(ConnectionError):
            while part := wire.recv(65536):
                said += part
    return said


@pytest.mark.extended
def test_malformed_http(wired: Served) -> None:
    """The server rejects them or closes the connection, also a half-open one, and serves others meanwhile."""
    for head in HEADS:
        for sent in (head, head[: len(head) // 2]):
            said = read_until_closed(wired.port, sent)
            status = re.match(rb"HTTP/1\.1 (\d{3})", said)
            assert not said or status, (sent[:60], said[:60])
            assert status is None or status[1][:1] in b"234", (sent[:60], said[:60])
            assert b"Traceback" not in said
        assert wired.ask("GET", "/healthz")[0] == 200


KEY = b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n"
FRAMES = (
    b"\x81\x84\0\0\0\0text",  # a text: nothing is to be said here, so it is passed over
    b"\x82\xff" + (1 << 40).to_bytes(8, "big") + b"\0\0\0\0",  # announces a terabyte
    b"\x81\xfe\x10\x00\0\0\0\0" + b"x" * 4096,  # longer than anything that a page says
    b"\x81\x04text",  # not masked
    b"\xff\xff\xff\xff",
    b"\x88\x80\0\0\0\0",
    b"\x81\x81\0\0\0\0x" * 100,  # far too many
)


@pytest.mark.extended
def test_a_socket_with_invalid_messages_is_closed(wired: Served) -> None:
    _, table, _ = wired.ask("POST", "/api/tables", {"game": "feint", "seats": ["me", "me"]})
    live = f"/t/{table['table']}/{table['seats'][0]['token']}/live"

    def upgrade(path: str, origin: bytes = b"") -> bytes:
        head = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{wired.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        return head.encode() + KEY + origin + b"\r\n"

    for frame in FRAMES:
        assert not read_until_closed(wired.port, upgrade(live) + frame).startswith(b"HTTP/1.1 5")
    for sent in (
        upgrade(live, b"Origin: https://evil.example\r\n"),
        upgrade(live[:-6] + "A/live"),
        upgrade(live.replace(table["table"], "guess")),
    ):
        assert read_until_closed(wired.port, sent, half=False).startswith(b"HTTP/1.1 4")
    token = table["seats"][0]["token"]
    assert wired.ask("GET", f"/api/tables/{table['table']}", token=token)[1]["over"] is None
    log = Path(wired.folder, "log").read_text()
    assert "Traceback" not in log
    assert token not in log
