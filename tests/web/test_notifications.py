"""Web Push: a browser's subscription, the encrypted message at a local push service, and what it may reveal."""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from queue import Queue
from typing import Any

import http_ece
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02
from starlette.testclient import TestClient

from gonfalon.table import Store, Tables
from gonfalon.table.links import derive_invitation
from gonfalon.table.store.player_rows import Subscription
from gonfalon.web.http.web_push import PADDED, Pusher, is_push_service
from tests.web.every import Everything
from tests.web.person import Person, open_table

DAYS = {"opponent": "friend", "clock": "day", "game": "duel"}


def encode(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


class Browser:
    """A browser with a subscription at the push service."""

    def __init__(self, endpoint: str) -> None:
        self.private = ec.generate_private_key(ec.SECP256R1())
        self.secret = b"0123456789abcdef"
        point = self.private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.fields = {"wish": "on", "endpoint": endpoint, "key": encode(point), "secret": encode(self.secret)}

    def read(self, body: bytes) -> dict[str, str]:
        text = http_ece.decrypt(body, private_key=self.private, auth_secret=self.secret)
        assert len(text) == PADDED
        found: dict[str, str] = json.loads(text)
        return found


class PushService:
    """A local push service that keeps what it receives and answers as told."""

    def __init__(self) -> None:
        self.received: Queue[tuple[str, dict[str, str], bytes]] = Queue()
        self.status = 201
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                self.send_response(service.status)
                self.send_header("Location", "http://127.0.0.1:9/elsewhere")
                self.end_headers()
                service.received.put((self.path, dict(self.headers.items()), body))

            def log_message(self, format: str, *args: Any) -> None:
                """Say nothing."""

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.origin = f"http://127.0.0.1:{self.server.server_port}"
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()

    def next(self) -> tuple[str, dict[str, str], bytes]:
        return self.received.get(timeout=10)


@pytest.fixture
def service() -> Iterator[PushService]:
    service = PushService()
    yield service
    service.server.shutdown()
    service.server.server_close()


@pytest.fixture
def server(own_server: Everything, service: PushService) -> Everything:
    own_server.client.app.state.pusher.allowed = lambda endpoint: endpoint.startswith(service.origin)  # type: ignore[attr-defined]
    return own_server


def play(client: TestClient, url: str) -> None:
    """Answer once at a seat that is asked."""
    person = Person(client, url)
    assert person.send(person.look().answers()[0]).status_code == 303


def start(client: TestClient, **fields: str) -> tuple[str, str]:
    """Open a table with days for each move; return the addresses of May's and Bo's seats."""
    may = open_table(client, **DAYS, **fields)
    key, token = may.split("/")[2:4]
    form = {"nonce": "friend".ljust(22, "-"), "name": "Bo"}
    bo = client.post(f"/t/{key}/{derive_invitation(token)}/sit", data=form).headers["location"]
    return may, bo


def is_asked(client: TestClient, url: str) -> bool:
    return bool(Person(client, url).look().answers())


def take_turns(client: TestClient) -> tuple[str, str]:
    """Start a game and return the seats when one of them is asked alone, that one first."""
    may, bo = start(client)
    while is_asked(client, may) == is_asked(client, bo):
        play(client, may)
    return (may, bo) if is_asked(client, may) else (bo, may)


def test_a_turn_reaches_the_device_once_and_reveals_nothing(server: Everything, service: PushService) -> None:
    client = server.client
    asked, other = take_turns(client)
    browser = Browser(f"{service.origin}/send/abc?x=1")
    assert 'id="push"' in client.get(other).text
    assert client.post(other + "notify", data={"wish": "", "endpoint": browser.fields["endpoint"]}).json() == {
        "on": False
    }
    assert client.post(other + "notify", data=browser.fields).json() == {"on": True}
    while not is_asked(client, other):
        play(client, asked)
    path, headers, body = service.next()
    assert path == "/send/abc?x=1"
    told = browser.read(body)
    assert sorted(told) == ["game", "page"]
    assert told["game"] == "Duel"
    key, token = other.split("/")[2:4]
    for secret in (key, token, "May", "Bo"):
        assert secret not in json.dumps(told)
        assert secret.encode() not in body
    client.get(other)
    assert client.get(told["page"]).headers["location"] == other  # in this browser
    client.cookies.clear()
    assert client.get(told["page"]).status_code == 404
    assert headers["Content-Encoding"] == "aes128gcm"
    assert Vapid02.verify(headers["Authorization"])
    # The same turn is not announced again, whoever looks.
    client.get(asked)
    client.get(other)
    assert service.received.empty()


def test_each_device_is_asked_and_can_be_turned_off(server: Everything, service: PushService) -> None:
    client = server.client
    asked, other = take_turns(client)
    first, second = Browser(f"{service.origin}/1"), Browser(f"{service.origin}/2")
    for browser in (first, second):
        client.post(other + "notify", data=browser.fields)
    off = {"wish": "off", "endpoint": first.fields["endpoint"]}
    assert client.post(other + "notify", data=off).json() == {"on": False}
    while not is_asked(client, other):
        play(client, asked)
    assert service.next()[0] == "/2"
    assert service.received.empty()


@pytest.mark.parametrize("status", [404, 410])
def test_a_device_that_is_gone_is_forgotten(server: Everything, service: PushService, status: int) -> None:
    client, service.status = server.client, status
    asked, other = take_turns(client)
    browser = Browser(f"{service.origin}/gone")
    client.post(other + "notify", data=browser.fields)
    while not is_asked(client, other):
        play(client, asked)
    service.next()
    for _ in range(500):
        if client.post(other + "notify", data={"endpoint": browser.fields["endpoint"]}).json() == {"on": False}:
            break
    else:
        raise AssertionError("the device is remembered")


def test_redirects_are_not_followed(server: Everything, service: PushService) -> None:
    client, service.status = server.client, 307
    asked, other = take_turns(client)
    client.post(other + "notify", data=Browser(f"{service.origin}/moved").fields)
    while not is_asked(client, other):
        play(client, asked)
    assert service.next()[0] == "/moved"
    assert client.get(other).status_code == 200


def test_only_valid_subscriptions_of_seats_with_days_are_taken(server: Everything, service: PushService) -> None:
    client = server.client
    may, _ = start(client)
    good = Browser(f"{service.origin}/x").fields
    for wrong in (
        {"endpoint": "https://elsewhere.example/x"},
        {"key": encode(b"\x04" + b"1" * 64)},
        {"key": "ä"},
        {"secret": encode(b"short")},
    ):
        refused = client.post(may + "notify", data=good | wrong, headers={"X-Live": "1"})
        assert refused.status_code == 400
        assert "This browser cannot be notified" in refused.text
    quick = open_table(client, game="duel")
    assert 'id="push"' not in client.get(quick).text
    assert client.post(quick + "notify", data=good, headers={"X-Live": "1"}).status_code == 400
    watch = f"/t/{may.split('/')[2]}/watch/"
    assert 'id="push"' not in client.get(watch).text
    assert client.post(watch + "notify", data=good, headers={"X-Live": "1"}).status_code == 403


@pytest.mark.parametrize(
    ("endpoint", "known"),
    [
        ("https://fcm.googleapis.com/fcm/send/abc", True),
        ("https://updates.push.services.mozilla.com/wpush/v2/abc", True),
        ("https://web.push.apple.com/abc", True),
        ("https://wns2-by3p.notify.windows.com/w/?token=abc", True),
        ("http://fcm.googleapis.com/fcm/send/abc", False),
        ("https://fcm.googleapis.com:8443/abc", False),
        ("https://fcm.googleapis.com.evil.example/abc", False),
        ("https://evilnotify.windows.com/abc", False),
        ("https://me@fcm.googleapis.com/abc", False),
        ("https://127.0.0.1/abc", False),
        ("https://localhost/abc", False),
        ("https://[::1]/abc", False),
        ("https://169.254.169.254/latest", False),
        ("https://10.0.0.1/abc", False),
        ("https://fcm.googleapis.com/a\r\nHost: b", False),
        ("https://fcm.googleapis.com/" + "a" * 1000, False),
        ("", False),
        ("https://[", False),
    ],
)
def test_only_known_push_services_are_reached(endpoint: str, known: bool) -> None:
    assert is_push_service(endpoint) is known


def test_all_processes_have_one_key_and_one_tells(database: str) -> None:
    here, there = Store(database), Store(database)
    keys = {Pusher(Tables(store)).public_key for store in (here, there)}
    assert len(keys) == 1
    assert len(keys.pop()) == 87  # 65 bytes
    wanted = Subscription("link", "device", "table", 1, "https://x/", "key", "secret", "/mine/1")
    here.subscribe(wanted)
    there.subscribe(wanted)
    assert here.claim_pushes("table", [0], 3) == []
    assert [store.claim_pushes("table", [1], 3) for store in (here, there)] == [[wanted], []]
    assert there.claim_pushes("table", [1], 4) == [wanted]
    for number in range(20):
        here.subscribe(Subscription("link", f"d{number}", "table", 1, "https://x/", "key", "secret", "/mine/1"))
    assert len(here.claim_pushes("table", [1], 5)) == 8
    here.unsubscribe("device")
    assert len(there.claim_pushes("table", [1], 6)) == 7
    for store in (here, there):
        store.close()


def test_the_worker_serves_all_pages_and_the_script_is_small(server: Everything) -> None:
    worker = server.client.get("/push-worker.js")
    assert worker.headers["content-type"].startswith("text/javascript")
    assert "importScripts" not in worker.text
    assert "Your turn" in worker.text
