"""The real server in its own process: logs, ports, bad arguments."""

from __future__ import annotations

import signal
import socket
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from gonfalon.core.basics.errors import GonfalonError
from gonfalon.web import serve
from tests.web.served import Served


def open_table(served: Served) -> tuple[str, str]:
    body = {"game": "feint", "seats": ["me", "bot:greedy"], "name": "May"}
    status, answer, _ = served.ask("POST", "/api/tables", body)
    assert status == 201
    return f"/api/tables/{answer['table']}", answer["seats"][0]["token"]


@pytest.mark.extended
def test_no_token_and_no_card_gets_into_the_log(served: Served) -> None:
    address, token = open_table(served)
    key = address.rsplit("/", 1)[1]
    for method, path in (
        ("GET", f"/t/{key}/{token}/"),
        ("GET", f"/t/{key}/{token}/nothing"),
        ("GET", f"/t/{key}/{token}x"),
        ("POST", f"/t/{key}/{token}/act"),
        ("DELETE", f"/t/{key}/{token}/"),
        ("GET", f"/t/{key}/{token}/record.json"),
        ("GET", f"/t/{key}/{token}/live"),
        ("POST", f"/t/{key}/{token}/concede"),
    ):
        served.ask(method, path)
    with socket.create_connection(("127.0.0.1", served.port)) as raw:
        raw.sendall(f"GET /t/{key}/{token} NONSENSE\r\n\r\n".encode())
        raw.recv(1000)
    served.stop(signal.SIGTERM)
    assert token not in served.log
    assert key not in served.log
    assert "Traceback" not in served.log


@pytest.mark.extended
def test_it_stops_at_once_even_with_an_open_stream(served: Served) -> None:
    address, token = open_table(served)
    connection = HTTPConnection("127.0.0.1", served.port, timeout=20)
    connection.request("GET", address + "/stream", headers={"Authorization": f"Bearer {token}"})
    assert connection.getresponse().readline().startswith(b"{")
    process = served.process
    assert process is not None
    live = HTTPConnection("127.0.0.1", served.port, timeout=20)
    upgrade = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13"}
    path = address.replace("/api/tables", "/t") + f"/{token}/live"
    live.request("GET", path, headers=upgrade | {"Sec-WebSocket-Key": "x" * 22 + "=="})
    assert live.getresponse().status == 101
    served.stop(signal.SIGTERM)
    assert process.returncode == 0
    assert served.log == ""  # nothing had to be cut off after a while
    connection.close()
    live.close()


@pytest.mark.extended
def test_it_stops_in_order_during_a_partial_request(served: Served) -> None:
    open_table(served)
    with (
        socket.create_connection(("127.0.0.1", served.port)) as head,
        socket.create_connection(("127.0.0.1", served.port), timeout=20) as body,
    ):
        head.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n")
        body.sendall(
            b"POST /tables HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n"
            b"Content-Type: application/x-www-form-urlencoded\r\n\r\nga"
        )
        assert served.ask("GET", "/healthz")[0] == 200  # then it has read what came before
        process = served.process
        assert process is not None
        served.stop(signal.SIGTERM)
        assert process.returncode == 0
        assert b" 503 " in body.recv(1000)
    assert "Traceback" not in served.log


def test_a_port_that_is_taken(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(GonfalonError, match=f"^Port {port} of 127.0.0.1 cannot be used: [^\n]+$"):
            serve(port=port, database_url=f"sqlite:///{tmp_path / 'tables.db'}")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"port": -1}, "from 0 to 65535"),
        ({"port": 70_000}, "from 0 to 65535"),
        ({"host": "no.such.host.invalid", "port": 0}, "cannot be used"),
        ({"workers": 0}, "at least one process"),
        ({"database_url": "nonsense"}, "not the address of a database"),
        ({"export": Path("/dev/null/exports")}, "The folder /dev/null/exports for exports cannot be created"),
    ],
)
def test_a_server_that_cannot_start(tmp_path: Path, arguments: dict[str, Any], says: str) -> None:
    given = {"database_url": f"sqlite:///{tmp_path / 'tables.db'}"} | arguments
    with pytest.raises(GonfalonError, match=says) as told:
        serve(**given)
    assert "\n" not in str(told.value)
