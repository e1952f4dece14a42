"""Limits per client: numbers and rates, wrong guesses, slow requests, without effect on other clients."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from http.client import HTTPConnection
from typing import Any

import anyio
import pytest
from starlette.requests import HTTPConnection as Connection
from starlette.testclient import TestClient, WebSocketDenialResponse
from starlette.types import Message, Receive, Scope, Send
from starlette.websockets import WebSocketDisconnect

from gonfalon.table import Tables
from gonfalon.web import create_app
from gonfalon.web.http import rate_limits
from gonfalon.web.http.rate_limits import (
    GUESSES,
    HINTS,
    RATES,
    REMATCHES,
    REPORTS,
    REQUESTS,
    SEAT_REQUESTS,
    TABLES,
    TABLES_OF_DEVICE,
    VISITS,
    Limits,
    TooMany,
    client_of,
    divide_limits,
)
from gonfalon.web.shared import context
from gonfalon.web.shared.guard import Guard
from tests.table.opening import nonce
from tests.web.conftest import kinds
from tests.web.person import invited, open_table
from tests.web.served import Served, serving


class Clock:
    """A clock that only advances on request."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_a_burst_is_allowed_and_then_one_by_one() -> None:
    clock, what = Clock(), TABLES
    accounts, rate = Limits(clock=clock), RATES[TABLES]
    for _ in range(rate.most):
        accounts.spend(what, "a")
    with pytest.raises(TooMany, match=r"^[A-Z][^.]*\. Try again in [^.]*\.$") as refused:
        accounts.spend(what, "a")
    assert refused.value.seconds == max(1, round(rate.every))
    accounts.spend(what, "b")  # somebody else
    clock.now += rate.every * 2.5
    accounts.spend(what, "a")
    accounts.spend(what, "a")
    with pytest.raises(TooMany):
        accounts.spend(what, "a")
    clock.now += rate.every * rate.most * 10
    for _ in range(rate.most):
        accounts.spend(what, "a")
    with pytest.raises(TooMany):
        accounts.spend(what, "a")


def test_more_room_and_no_limits() -> None:
    wide, free = Limits(2, Clock()), Limits(0, Clock())
    for _ in range(2 * RATES[TABLES].most):
        wide.spend(TABLES, "a")
    with pytest.raises(TooMany):
        wide.spend(TABLES, "a")
    for _ in range(10 * RATES[TABLES].most):
        free.spend(TABLES, "a")


@pytest.mark.parametrize("what", [TABLES, REQUESTS, HINTS])
def test_two_processes_allow_no_more_than_one(what: str) -> None:
    clock, allowed = Clock(), 0
    for process in [Limits(divide_limits(1.0, 2), clock) for _ in range(2)]:
        with suppress(TooMany):
            while True:
                process.spend(what, "a")
                allowed += 1
    assert allowed == RATES[what].most


def test_a_share_of_a_small_limit_allows_one() -> None:
    process = Limits(divide_limits(1.0, 64), Clock())
    process.spend(REPORTS, "a")
    with pytest.raises(TooMany):
        process.spend(REPORTS, "a")
    with process.followed("seat", 24), pytest.raises(TooMany), process.followed("seat", 24):
        pass
    assert divide_limits(0, 4) == 0


def test_accounts_of_long_ago_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "MAX_ACCOUNTS", 10)
    monkeypatch.setattr(rate_limits, "MAX_SEATS", 10)
    accounts = Limits()
    for number in range(100):
        accounts.spend(REQUESTS, str(number))
        accounts.add_seat(str(number))
    assert len(accounts._accounts) == len(accounts._seats) == 10


@pytest.mark.parametrize(
    ("host", "client"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::9", "2001:db8:1:3::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("testclient", "testclient"),
    ],
)
def test_the_identity_of_a_client(host: str, client: str) -> None:
    assert client_of(Connection({"type": "http", "client": (host, 1), "headers": []})) == client


# ---- over the wire -------------------------------------------------------------------------------------------------


@pytest.fixture
def app(own_tables: Tables) -> Any:
    return create_app(own_tables, kinds())


@pytest.fixture
def client(app: Any) -> Iterator[TestClient]:
    """A client with its limits in force."""
    with TestClient(app, follow_redirects=False) as client:
        yield client


def move_client(client: TestClient) -> TestClient:
    """A client at another address, on the same server and event loop."""
    other = TestClient(client.app, follow_redirects=False, client=("192.0.2.7", 50000))
    other.portal = client.portal
    return other


def is_refused(answer: Any, code: str = "too_many") -> None:
    assert answer.status_code == 429
    assert 1 <= int(answer.headers["retry-after"]) <= 60
    assert "Try again in" in answer.text
    if "json" in answer.headers["content-type"]:
        assert answer.json()["code"] == code


def rate(monkeypatch: pytest.MonkeyPatch, what: str, most: int, every: float = 2.0) -> None:
    monkeypatch.setitem(RATES, what, RATES[what]._replace(most=most, every=every))


def bearer(url: str) -> dict[str, str]:
    """Return the headers that identify the seat of a page."""
    return {"Authorization": f"Bearer {url.split('/')[3]}"}


@pytest.mark.parametrize(
    ("what", "sentence"), [(TABLES, "from your address"), (TABLES_OF_DEVICE, "Too many new tables. Try again")]
)
def test_tables(app: Any, client: TestClient, monkeypatch: pytest.MonkeyPatch, what: str, sentence: str) -> None:
    rate(monkeypatch, what, 3)
    app.state.services.limits.clock = Clock()
    client.get(open_table(client, game="duel"))  # it gives the device its key
    body = {"game": "duel", "seats": ["bot:random", "bot:random"]}
    answers = [client.post("/api/tables", json=body) for _ in range(4)]
    assert [answer.status_code for answer in answers[:2]] == [201, 201]
    is_refused(answers[-1])
    form = {"game": "duel", "opponent": "friend", "seat": "0", "name": "May"}
    page = client.post("/tables", data=form)
    assert page.status_code == 429
    assert sentence in page.text
    assert 'value="May"' in page.text
    assert move_client(client).post("/api/tables", json=body).status_code == 201
    client.cookies.clear()
    assert client.post("/api/tables", json=body).status_code == (429 if what == TABLES else 201)


def test_wrong_links(app: Any, client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wrong links are eventually rejected, and right ones never."""
    rate(monkeypatch, GUESSES, 6)
    app.state.services.limits.clock = clock = Clock()
    url = open_table(move_client(client), game="duel", opponent="friend")
    link, key = invited(client.get(url).text), url.split("/")[2]
    wrong = {"Authorization": "Bearer guess"}
    for number in range(2):
        assert client.get(f"/t/{key}/{number}/").status_code == 404
        assert client.get(f"/t/{number}/watch/").status_code == 404
        assert client.get(f"/api/tables/{key}", headers=wrong).status_code == 404
    is_refused(client.get(f"/t/{key}/guess/"))
    is_refused(client.get("/t/guess/"))
    is_refused(client.get(f"/api/tables/{key}", headers=wrong))
    with pytest.raises(WebSocketDenialResponse), client.websocket_connect(f"/t/{key}/guess/live"):
        pass
    for right in (link, url, f"/t/{key}/watch/"):
        assert client.get(right).status_code == 200
    assert client.post(link + "sit", data={"nonce": nonce("Bo")}).status_code == 303
    clock.now += 2
    assert client.get(f"/t/{key}/guess/").status_code == 404


def test_a_seat_has_an_account_of_its_own(app: Any, client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit of a seat covers all of its addresses. The other seat, spectators and the lobby have their
    own limits."""
    rate(monkeypatch, SEAT_REQUESTS, 3)
    app.state.services.limits.clock = clock = Clock()
    url = open_table(client, game="duel", opponent="friend")
    key, path = url.split("/")[2], f"/api/tables/{url.split('/')[2]}"
    theirs = client.post(invited(client.get(url).text) + "sit", data={"nonce": nonce("Bo")}).headers["location"]
    for client_now in (move_client(client), client):
        assert client_now.get(path, headers=bearer(url)).status_code == 200
    for client_now in (move_client(client), client):
        is_refused(client_now.post(f"{path}/actions", json={}, headers=bearer(url)))
        is_refused(client_now.get(url))
        for free in (theirs, f"/t/{key}/watch/", "/"):
            assert client_now.get(free).status_code == 200
        clock.now += 2
        assert client_now.get(url).status_code == 200


def test_hints(app: Any, client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit of a seat covers all of its addresses, and another seat has its own."""
    rate(monkeypatch, HINTS, 1)
    app.state.services.limits.clock = Clock()
    url, other = (open_table(client, game="duel", hints="yes") for _ in range(2))
    ask = [f"/api/tables/{one.split('/')[2]}/hint" for one in (url, other)]
    assert client.post(ask[0], headers=bearer(url)).status_code == 200
    page = move_client(client).post(url + "hint", data={"expected": "3"})
    assert page.status_code == 429
    assert "Too many hints in a short time" in page.text
    is_refused(client.post(ask[0], headers=bearer(url)))
    assert client.post(ask[1], headers=bearer(other)).status_code == 200


def test_rematches_count_at_the_table_and_its_rematches(
    app: Any, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    rate(monkeypatch, REMATCHES, 3)
    app.state.services.limits.clock = Clock()
    chains = [open_table(client, game="duel", opponent="bot:random") for _ in range(2)]
    for left in (3, 2, 1, 0):
        for n, url in enumerate(chains):
            client.post(url + "concede")
            client_now = move_client(client) if left % 2 else client
            again = client_now.post(url + "rematch", data={"nonce": nonce(f"{left} {n}")})
            if left:
                chains[n] = again.headers["location"]
                same = client_now.post(url + "rematch", data={"nonce": nonce(f"{left} {n}")})
                assert same.headers["location"] == chains[n]
            else:
                is_refused(again)


def test_requests_that_last(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "MAX_OPEN_OF_SEAT", 2)
    monkeypatch.setattr(rate_limits, "MAX_OPEN", 1)
    url = open_table(client, game="duel")
    live, watch = url + "live", f"/t/{url.split('/')[2]}/watch/"
    with client.websocket_connect(live), client.websocket_connect(live):
        with pytest.raises(WebSocketDenialResponse) as refused, client.websocket_connect(live):
            pass
        is_refused(refused.value)
        is_refused(client.get(url))
        assert client.get(watch).status_code == 200
    with client.websocket_connect(watch + "live"):
        is_refused(client.get(watch))
        assert client.get(url).status_code == 200
    assert client.get(watch).status_code == 200


def test_browsers_that_keep_no_cookie_fill_no_database(
    app: Any, client: TestClient, own_tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    rate(monkeypatch, VISITS, 5)
    app.state.services.limits.clock = Clock()
    for url in [open_table(client, game="duel") for _ in range(2)]:
        for _ in range(7):
            client.cookies.clear()
            assert client.get(url).status_code == 200
    with own_tables.store.engine.connect() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM links").scalar_one() == 2 * 5


def test_requests(app: Any, client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RATES, REQUESTS, RATES[REQUESTS]._replace(most=30))
    app.state.services.limits.clock = clock = Clock()
    for _ in range(30):
        assert client.get("/healthz").status_code == 200
    is_refused(client.get("/healthz"))
    is_refused(client.get("/api/games"))
    assert move_client(client).get("/healthz").status_code == 200
    clock.now += 1
    assert client.get("/healthz").status_code == 200


@pytest.mark.parametrize(("method", "room"), [("GET", 4), ("HEAD", 4), ("POST", 32)])
def test_answers_are_made_for_each_client_a_few_at_a_time(method: str, room: int) -> None:
    """A client that requests many heavy pages waits for its own, and others do not. A streaming answer takes no slot
    after it has begun."""
    busy: list[str] = []
    done, streams = anyio.Event(), anyio.Event()

    async def slow(scope: Scope, receive: Receive, send: Send) -> None:
        if method == "POST":
            await receive()
        busy.append(scope["client"][0])
        begun = {"type": "http.response.start", "status": 200, "headers": []}
        if scope["path"] == "/stream":
            await send(begun)
            await streams.wait()
        else:
            await done.wait()
            await send(begun)
        await send({"type": "http.response.body", "body": b""})

    async def failing(_: Any, error: Exception) -> Any:
        raise error

    guard = Guard(slow, failing, Limits())

    async def ask(host: str, path: str = "/") -> None:
        async def body() -> Message:
            return {"type": "http.request", "body": b""}

        async def heard(message: Message) -> None:
            pass

        scope = {"type": "http", "method": method, "path": path, "headers": [], "client": (host, 1)}
        await guard(scope, body, heard)

    async def look() -> None:
        async with anyio.create_task_group() as tasks:
            for _ in range(2 * room):
                tasks.start_soon(ask, "many", "/stream")
            await anyio.wait_all_tasks_blocked()
            assert busy == ["many"] * 2 * room
            busy.clear()
            for _ in range(3 * room):
                tasks.start_soon(ask, "many")
            await anyio.wait_all_tasks_blocked()
            tasks.start_soon(ask, "one")
            await anyio.wait_all_tasks_blocked()
            assert busy == ["many"] * room + ["one"]
            done.set()
            await anyio.wait_all_tasks_blocked()
            assert busy == ["many"] * room + ["one"] + ["many"] * 2 * room
            streams.set()

    anyio.run(look)


def test_so_many_follow_a_table_by_one_link(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(context, "FOLLOWED", 2)
    monkeypatch.setattr(context, "FOLLOWERS", 1)
    url = open_table(client, game="duel")
    key, token = url.split("/")[2:4]
    with client.websocket_connect(url + "live"), client.websocket_connect(url + "live"):
        with pytest.raises(WebSocketDenialResponse) as refused, client.websocket_connect(url + "live"):
            pass
        is_refused(refused.value)
        seat = {"Authorization": f"Bearer {token}"}
        is_refused(client.get(f"/api/tables/{key}/stream", headers=seat))
        with client.websocket_connect(f"/t/{key}/watch/live"):  # whoever watches is counted apart
            is_refused(client.get(f"/api/tables/{key}/stream"))
    with client.websocket_connect(url + "live"):
        pass


# ---- slow requests -------------------------------------------------------------------------------------------------

HURRY = """
import sys
{without}
from gonfalon.web import serve
from gonfalon.web.http import connections
from gonfalon.web.shared import guard
guard.BODY_SECONDS = connections.HEAD_SECONDS = 0.5
connections.MAX_WAITING = 8
serve(port=int(sys.argv[1]), database_url=sys.argv[2], pace=0)
"""
PARSERS = {"httptools": "", "h11": "sys.modules['httptools'] = None"}


@pytest.fixture(scope="module", params=PARSERS)
def hurried(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, free_port: Callable[[], int]
) -> Iterator[Served]:
    """A server with a timeout of half a second."""
    script = HURRY.format(without=PARSERS[request.param])
    with serving(tmp_path_factory.mktemp("hurried"), free_port(), script) as served:
        yield served


def said_until_closed(connection: socket.socket, trickle: bytes = b"") -> bytes:
    """Return the server's output until it closes the connection. With `trickle` a byte is sent again and again."""
    begun, said = time.monotonic(), b""
    connection.settimeout(0.05)
    while time.monotonic() < begun + 60:
        try:
            heard = connection.recv(4096)
        except TimeoutError:
            if trickle:
                connection.sendall(trickle)
            continue
        except ConnectionError:
            heard = b""
        if not heard:
            return said
        said += heard
    raise AssertionError("the connection was not closed")


@pytest.mark.extended
@pytest.mark.parametrize(
    ("sent", "trickle"),
    [
        (b"", b""),
        (b"GET / HTTP/1.1\r\nHost: x\r\n", b""),
        (b"GET / HTTP/1.1\r\nX: ", b"x"),
        (b"POST /tables HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n"
         b"Content-Type: application/x-www-form-urlencoded\r\n\r\nga", b""),
        (b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Length: 99999\r\n\r\n{", b" "),
        (b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\nGET /healthz HTTP/1.1\r\nX: ", b"x"),
    ],
    ids=["nothing", "head", "trickled head", "body", "trickled body", "second head"],
)  # fmt: skip
def test_a_slow_request_is_cut_off(hurried: Served, sent: bytes, trickle: bytes) -> None:
    with socket.create_connection(("127.0.0.1", hurried.port)) as slow:
        slow.sendall(sent)
        assert b" 408 " in said_until_closed(slow, trickle)
    assert hurried.ask("GET", "/healthz")[0] == 200


@pytest.mark.extended
def test_a_head_without_end_is_cut_off(hurried: Served) -> None:
    with socket.create_connection(("127.0.0.1", hurried.port)) as endless:
        endless.sendall(b"GET / HTTP/1.1\r\nX: " + b"x" * 80_000)
        assert said_until_closed(endless).startswith(b"HTTP/1.1 4")


@pytest.mark.extended
def test_one_address_keeps_few_connections_waiting(hurried: Served) -> None:
    waiting = [socket.create_connection(("127.0.0.1", hurried.port)) for _ in range(9)]
    said = said_until_closed(waiting[-1])
    assert said.startswith(b"HTTP/1.1 429 ")
    assert b"retry-after: " in said
    for connection in waiting:
        connection.close()
    until = time.monotonic() + 60
    while hurried.ask("GET", "/healthz")[0] != 200:  # until the server has noticed that they are gone
        assert time.monotonic() < until


@pytest.mark.extended
def test_long_answers_have_no_timeout(hurried: Served) -> None:
    _, table, _ = hurried.ask("POST", "/api/tables", {"game": "feint", "seats": ["me", "me"]})
    token = table["seats"][0]["token"]
    stream = HTTPConnection("127.0.0.1", hurried.port, timeout=20)
    stream.request("GET", f"/api/tables/{table['table']}/stream", headers={"Authorization": f"Bearer {token}"})
    lines = stream.getresponse()
    assert lines.readline().startswith(b"{")
    live = HTTPConnection("127.0.0.1", hurried.port, timeout=20)
    upgrade = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13"}
    live.request("GET", f"/t/{table['table']}/{token}/live", headers=upgrade | {"Sec-WebSocket-Key": "x" * 22 + "=="})
    socketed = live.getresponse()
    assert socketed.status == 101
    kept = HTTPConnection("127.0.0.1", hurried.port, timeout=20)
    kept.request("GET", "/healthz")
    kept.getresponse().read()
    time.sleep(1.2)
    assert live.sock is not None
    live.sock.settimeout(0.3)
    with suppress(TimeoutError):
        while live.sock.recv(100_000):
            """What was sent so far."""
    hurried.ask("POST", f"/api/tables/{table['table']}/resignation", token=token)
    assert b'"over":{' in lines.readline()
    live.sock.settimeout(20)
    assert live.sock.recv(100_000)
    kept.request("GET", "/healthz")
    assert kept.getresponse().status == 200
    for connection in (stream, live, kept):
        connection.close()


@pytest.mark.parametrize(
    ("error", "is_logged"),
    [
        (OSError(), False),
        (WebSocketDisconnect(1006), False),
        (BaseExceptionGroup("", [OSError(), ExceptionGroup("", [WebSocketDisconnect(1006)])]), False),
        (ValueError(), True),
        (ExceptionGroup("", [OSError(), ValueError()]), True),
    ],
)
def test_a_page_that_leaves_is_no_error(caplog: pytest.LogCaptureFixture, error: Exception, is_logged: bool) -> None:
    """Uvicorn raises an OSError from `accept` if the browser closes the socket during the handshake."""

    async def run() -> None:
        async def app(scope: Scope, receive: Receive, send: Send) -> None:
            raise error

        async def failing(_: Any, error: Exception) -> Any:
            raise error

        async def receive() -> Message:
            return {"type": "websocket.connect"}

        async def send(message: Message) -> None:
            raise OSError

        scope = {"type": "websocket", "path": "/live", "headers": [], "client": ("one", 1)}
        await Guard(app, failing, Limits())(scope, receive, send)

    anyio.run(run)
    assert [record.message[:14] for record in caplog.records] == ["in a live page"] * is_logged
