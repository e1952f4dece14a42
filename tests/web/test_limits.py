"""What one client may do: numbers and rates, guesses, slow requests; and that the others notice nothing of it."""

from __future__ import annotations

import math
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

from gonfalon.table import Tables
from gonfalon.web import context, create_app, limits
from gonfalon.web.guard import Guard
from gonfalon.web.limits import (
    ADVICE,
    AT_TABLE,
    GUESSES,
    HINTS,
    POSTED,
    RATES,
    REQUESTS,
    TABLES,
    VISITS,
    Limits,
    TooMany,
    client_of,
    link_of,
)
from tests.table.opening import nonce
from tests.web.conftest import kinds
from tests.web.person import invited, open_table
from tests.web.served import Served, serving


class Clock:
    """A clock that goes when it is told to."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize("what", [REQUESTS, TABLES, HINTS, GUESSES, VISITS])
def test_so_many_at_once_and_then_one_by_one(what: str) -> None:
    clock = Clock()
    accounts, rate = Limits(clock=clock), RATES[what]
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


def test_clients_that_were_here_long_ago_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "CLIENTS", 10)
    accounts = Limits()
    for number in range(100):
        accounts.spend(REQUESTS, str(number))
        for link in range(limits.LINKS + 100):
            accounts.found(str(number), ("key", str(link)))
    assert len(accounts._accounts) == 10
    assert all(len(account.links) <= limits.LINKS for account in accounts._accounts.values())


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
def test_who_is_one_client(host: str, client: str) -> None:
    assert client_of(Connection({"type": "http", "client": (host, 1), "headers": []})) == client


# ---- over the wire -------------------------------------------------------------------------------------------------


@pytest.fixture
def app(tables: Tables) -> Any:
    return create_app(tables, kinds())


@pytest.fixture
def client(app: Any) -> Iterator[TestClient]:
    """A client whose limits are in force."""
    with TestClient(app, follow_redirects=False) as client:
        yield client


def elsewhere(app: Any) -> TestClient:
    """A client at another address, of the same server."""
    return TestClient(app, follow_redirects=False, client=("192.0.2.7", 50000))


def is_refused(answer: Any, code: str = "too_many") -> None:
    assert answer.status_code == 429
    assert 1 <= int(answer.headers["retry-after"]) <= 60
    assert "Try again in" in answer.text
    if "json" in answer.headers["content-type"]:
        assert answer.json()["code"] == code


def test_tables(app: Any, client: TestClient) -> None:
    body = {"game": "duel", "seats": ["bot:random", "bot:random"]}
    answers = [client.post("/api/tables", json=body) for _ in range(RATES[TABLES].most + 1)]
    assert [answer.status_code for answer in answers] == [201] * RATES[TABLES].most + [429]
    is_refused(answers[-1])
    form = {"game": "duel", "opponent": "friend", "seat": "0", "name": "May"}
    page = client.post("/tables", data=form)
    assert page.status_code == 429
    assert "You have opened many tables" in page.text
    assert 'value="May"' in page.text
    assert elsewhere(app).post("/api/tables", json=body).status_code == 201


def test_requests(app: Any, client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RATES, REQUESTS, RATES[REQUESTS]._replace(most=30))
    app.state.services.limits.clock = clock = Clock()
    for _ in range(30):
        assert client.get("/healthz").status_code == 200
    is_refused(client.get("/healthz"))
    is_refused(client.get("/api/games"))
    assert elsewhere(app).get("/healthz").status_code == 200
    clock.now += 1
    assert client.get("/healthz").status_code == 200


def test_guesses(app: Any, client: TestClient) -> None:
    app.state.services.limits.clock = Clock()
    url = open_table(elsewhere(app), game="duel", opponent="friend")
    link = invited(client.get(url).text)
    with_token = {"Authorization": f"Bearer {url.split('/')[3]}"}
    key = url.split("/")[2]
    for number in range(RATES[GUESSES].most // 3):
        assert client.get(f"/t/{key}/{number}/").status_code == 404
        assert client.get(f"/t/{number}/watch/").status_code == 404
        assert client.get(f"/api/tables/{key}", headers={"Authorization": f"Bearer {number}"}).status_code == 404
    is_refused(client.get(f"/t/{key}/guess/"))
    is_refused(client.get(f"/api/tables/{key}", headers={"Authorization": "Bearer guess"}))
    with pytest.raises(WebSocketDenialResponse), client.websocket_connect(f"/t/{key}/guess/live"):
        pass
    is_refused(client.get(link))  # one that would lead somewhere is told apart from the others no more
    assert client.get(url).status_code == 200  # who plays, plays on
    assert client.get(f"/api/tables/{key}", headers=with_token).status_code == 200
    assert elsewhere(app).get(link).status_code == 200


def test_whoever_guesses_locks_nobody_at_the_same_address_out(app: Any, client: TestClient) -> None:
    """Who opens a table, whom they invite, and who plays again: links that were given out here are no guesses."""
    app.state.services.limits.clock = Clock()
    key = open_table(client, game="duel").split("/")[2]
    for number in range(RATES[GUESSES].most):
        assert client.get(f"/t/{key}/{number}/").status_code == 404
    is_refused(client.get(f"/t/{key}/guess/"))
    table = client.post("/api/tables", json={"game": "moot", "seats": ["me", "open", "open"]}).json()
    for link in (table["seats"][0]["token"], "watch"):
        assert client.get(f"/t/{table['table']}/{link}/").status_code == 200
    for number, link in enumerate((table["invitation"], table["invitations"][1]["invitation"])):
        ticket = {"Authorization": f"Bearer {link}"}
        sat = client.post(f"/api/tables/{table['table']}/seats", json={"nonce": nonce(f"{number}")}, headers=ticket)
        assert sat.status_code == 201
        assert client.get(sat.json()["page"]).status_code == 200
    own = open_table(client, game="duel", opponent="friend")
    link = invited(client.get(own).text)
    seat = client.post(link + "sit", data={"nonce": nonce("Bo")}).headers["location"]
    assert client.get(seat).status_code == 200
    client.post(seat + "concede")
    again = client.post(seat + "rematch", data={"nonce": nonce("Bo")}).headers["location"]
    assert client.get(again).status_code == 200


def test_asking_for_a_taken_seat_is_a_guess(app: Any, client: TestClient) -> None:
    app.state.services.limits.clock = Clock()
    table = client.post("/api/tables", json={"game": "duel"}).json()
    ticket = {"Authorization": f"Bearer {table['invitation']}"}
    path, form = f"/api/tables/{table['table']}/seats", f"/t/{table['table']}/{table['invitation']}/sit"
    for number in range(RATES[GUESSES].most + 1):
        answer = client.post(path, json={"nonce": nonce(f"{number}")}, headers=ticket)
        assert answer.status_code == (201 if number == 0 else 410)
    is_refused(client.get(f"/t/{table['table']}/guess/"))
    # The link itself is in use, but what is guessed by it is slowed as well.
    is_refused(client.post(path, json={"nonce": nonce("one more")}, headers=ticket))
    is_refused(client.post(form, data={"nonce": nonce("one more")}))
    # Whoever was given the seat here is given it again; a guess that is right at last is not told from the others.
    assert client.post(path, json={"nonce": nonce("0")}, headers=ticket).status_code == 201
    other = elsewhere(app)
    for number in range(RATES[GUESSES].most):
        assert other.post(path, json={"nonce": nonce(f"x{number}")}, headers=ticket).status_code == 410
    is_refused(other.post(path, json={"nonce": nonce("0")}, headers=ticket))


def test_asking_for_the_next_game_of_another_is_a_guess(app: Any, client: TestClient) -> None:
    app.state.services.limits.clock = Clock()
    old = open_table(client, game="duel", opponent="bot:random")
    client.post(old + "concede")
    new = client.post(old + "rematch", data={"nonce": nonce("May")}).headers["location"]
    for number in range(RATES[GUESSES].most):
        assert client.post(old + "rematch", data={"nonce": nonce(f"{number}")}).status_code == 410
    is_refused(client.post(old + "rematch", data={"nonce": nonce("one more")}))
    assert client.post(old + "rematch", data={"nonce": nonce("May")}).headers["location"] == new


def test_a_key_without_a_link_is_a_guess(app: Any, client: TestClient) -> None:
    app.state.services.limits.clock = Clock()
    key = open_table(elsewhere(app), game="duel").split("/")[2]
    for number in range(RATES[GUESSES].most):
        assert client.get(f"/t/{number}").status_code == 404
    is_refused(client.get("/t/guess/"))
    is_refused(client.get(f"/t/{key}"))
    assert elsewhere(app).get(f"/t/{key}").status_code == 303


def test_links_in_the_cookie_of_old_are_guesses(app: Any, client: TestClient) -> None:
    """Eight to a request; a browser that comes meanwhile keeps its own until they can be taken over."""
    app.state.services.limits.clock = clock = Clock()
    url = open_table(elsewhere(app), game="duel")
    key, token = url.split("/")[2:4]
    for number in range(math.ceil(RATES[GUESSES].most / 8)):
        client.cookies.clear()
        links = "~".join(f"{key}.{number}-{n}" for n in range(8))
        assert client.get("/", headers={"cookie": f"tables={links}"}).status_code == 200
    is_refused(client.get(f"/t/{key}/guess/"))
    client.cookies.clear()
    for known in (False, True):
        answer = client.get("/", headers={"cookie": f"tables={key}.{token}"})
        assert answer.status_code == 200
        assert ('<li class="tile' in answer.text) == known
        taken_over = [one for one in answer.headers.get_list("set-cookie") if one.startswith("tables=")]
        assert bool(taken_over) == known
        clock.now += 60


def test_sockets_and_streams(app: Any, client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_OPEN", 3)
    url = open_table(client, game="duel")
    live = url + "live"
    with client.websocket_connect(live), client.websocket_connect(live), client.websocket_connect(live):
        with pytest.raises(WebSocketDenialResponse) as refused, client.websocket_connect(live):
            pass
        is_refused(refused.value)
        is_refused(client.get(url))
    assert client.get(url).status_code == 200
    with client.websocket_connect(live):
        pass


@pytest.mark.parametrize(("method", "room"), [("GET", 4), ("HEAD", 4), ("POST", 32)])
def test_answers_are_made_for_each_client_a_few_at_a_time(method: str, room: int) -> None:
    """Whoever asks for many heavy pages waits for their own, and the others not for theirs; what lasts takes no room
    once it has begun."""
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


def test_browsers_that_keep_no_cookie_fill_no_database(client: TestClient, tables: Tables) -> None:
    url = open_table(client, game="duel")
    for number in range(RATES[VISITS].most + 20):
        client.cookies.clear()
        if number % 2:
            client.cookies.set("device", f"{number:024}")
        assert client.get(url).status_code == 200
    with tables.store.engine.connect() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM links").scalar_one() == RATES[VISITS].most


def test_a_seat_has_an_account_of_its_own_which_watchers_do_not_use_up(
    app: Any, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Behind as many addresses as one likes."""
    app.state.services.limits.clock = clock = Clock()
    monkeypatch.setitem(AT_TABLE, POSTED, AT_TABLE[POSTED]._replace(most=3, every=2.0))
    url = open_table(client, game="duel", opponent="friend")
    key, token = url.split("/")[2:4]
    path, seat = f"/api/tables/{key}/ready", {"Authorization": f"Bearer {token}"}
    for client_now in (client, elsewhere(app), client):
        assert client_now.post(path, json={"ready": False}).status_code == 403
        assert client_now.post(path, json={"ready": False}, headers=seat).status_code == 200
    for headers in ({}, seat):
        is_refused(client.post(path, json={"ready": True}, headers=headers))
        is_refused(elsewhere(app).post(path, json={"ready": True}, headers=headers))
    assert client.get(f"/api/tables/{key}").json()["seats"][0]["ready"] is False  # nothing has changed
    other = open_table(client, game="duel", opponent="friend")
    assert client.post(other + "leave").status_code == 303
    clock.now += 2
    assert client.post(path, json={"ready": True}, headers=seat).status_code == 200


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


def test_links_of_long_ago_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "CLIENTS", 10)
    accounts = Limits()
    for number in range(100):
        accounts.spend_at(POSTED, f"key {number}")
    assert len(accounts._links) == 10
    for _ in range(10 * AT_TABLE[ADVICE].most):
        Limits(0).spend_at(ADVICE, "key 0")


def test_hints_at_a_seat(client: TestClient) -> None:
    """However many addresses it comes from; the other seat has its own."""
    limits_now: Limits = client.app.state.services.limits  # type: ignore[attr-defined]
    url = open_table(client, game="duel", hints="yes")
    key, token = url.split("/")[2:4]
    for _ in range(AT_TABLE[ADVICE].most):
        limits_now.spend_at(ADVICE, link_of(key, (0,)))
    page = client.post(url + "hint", data={"expected": "3"})
    assert page.status_code == 429
    assert "Many hints were given at this seat" in page.text
    is_refused(client.post(f"/api/tables/{key}/hint", headers={"Authorization": f"Bearer {token}"}))
    limits_now.spend_at(ADVICE, link_of(key, (1,)))


def test_hints(client: TestClient) -> None:
    limits_now: Limits = client.app.state.services.limits  # type: ignore[attr-defined]
    url = open_table(client, game="duel", hints="yes")
    for _ in range(RATES[HINTS].most):
        limits_now.spend(HINTS, "testclient")
    page = client.post(url + "hint", data={"expected": "3"})
    assert page.status_code == 429
    assert "You have asked for many hints" in page.text
    token = {"Authorization": f"Bearer {url.split('/')[3]}"}
    is_refused(client.post(f"/api/tables/{url.split('/')[2]}/hint", headers=token))


# ---- slow requests -------------------------------------------------------------------------------------------------

HURRY = """
import sys
{without}
from gonfalon.web import connections, guard, serve
guard.BODY_SECONDS = connections.HEAD_SECONDS = 0.5
connections.MOST_WAITING = 8
serve(port=int(sys.argv[1]), database_url=sys.argv[2], pace=0)
"""
PARSERS = {"httptools": "", "h11": "sys.modules['httptools'] = None"}


@pytest.fixture(scope="module", params=PARSERS)
def hurried(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, free_port: Callable[[], int]
) -> Iterator[Served]:
    """A server that waits for half a second only."""
    script = HURRY.format(without=PARSERS[request.param])
    with serving(tmp_path_factory.mktemp("hurried"), free_port(), script) as served:
        yield served


def closed_after(connection: socket.socket, trickle: bytes = b"") -> tuple[float, bytes]:
    """When the server closes a connection, and what it has said; meanwhile a byte goes there again and again."""
    begun, said = time.monotonic(), b""
    connection.settimeout(0.05)
    while time.monotonic() < begun + 10:
        try:
            heard = connection.recv(4096)
        except TimeoutError:
            if trickle:
                connection.sendall(trickle)
            continue
        except ConnectionError:
            heard = b""
        if not heard:
            return time.monotonic() - begun, said
        said += heard
    raise AssertionError("the connection was not closed")


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
        seconds, said = closed_after(slow, trickle)
    assert seconds < 8
    assert b" 408 " in said
    assert hurried.ask("GET", "/healthz")[0] == 200


def test_a_head_without_end_is_cut_off(hurried: Served) -> None:
    with socket.create_connection(("127.0.0.1", hurried.port)) as endless:
        endless.sendall(b"GET / HTTP/1.1\r\nX: " + b"x" * 80_000)
        _, said = closed_after(endless)
    assert said.startswith(b"HTTP/1.1 4")


def test_one_address_keeps_few_connections_waiting(hurried: Served) -> None:
    waiting = [socket.create_connection(("127.0.0.1", hurried.port)) for _ in range(9)]
    _, said = closed_after(waiting[-1])
    assert said.startswith(b"HTTP/1.1 429 ")
    assert b"retry-after: " in said
    for connection in waiting:
        connection.close()
    time.sleep(0.1)
    assert hurried.ask("GET", "/healthz")[0] == 200


def test_what_is_meant_to_last_lasts(hurried: Served) -> None:
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
