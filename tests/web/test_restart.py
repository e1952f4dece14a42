"""A server stopped and restarted during play: requests in progress are finished, pages are asked to reconnect, and no
acknowledged action is lost."""

from __future__ import annotations

import json
import signal
import socket
import sqlite3
import time
from contextlib import closing
from http.client import HTTPConnection
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tests.web.person import Joined
from tests.web.served import Served

pytestmark = pytest.mark.extended
RESTARTING = 1012
"""The code of RFC 6455's registry for a restarting server."""


def open_table(served: Served, *seats: str) -> tuple[str, list[str]]:
    """Return a table's key and its people's tokens."""
    status, answer, _ = served.ask("POST", "/api/tables", {"game": "feint", "seats": list(seats), "name": "May"})
    assert status == 201
    return answer["table"], [seat["token"] for seat in answer["seats"] if "token" in seat]


def live(served: Served, key: str, token: str) -> ClientConnection:
    return connect(f"ws://127.0.0.1:{served.port}/t/{key}/{token}/live")


def board(page: ClientConnection) -> bool:
    """Return whether a page gets a board."""
    frame = page.recv(timeout=20)
    assert isinstance(frame, bytes)
    return Joined().html(frame).startswith('<div id="table"')


def close_code(page: ClientConnection) -> int | None:
    """Return the code of a page's close frame, skipping all frames before it."""
    try:
        while True:
            page.recv(timeout=20)
    except ConnectionClosed as closed:
        return None if closed.rcvd is None else closed.rcvd.code


def wait_for_question(served: Served, key: str, token: str) -> dict[str, Any]:
    """Return a seat's view once it has to decide or the game is over."""
    while True:
        _, view, _ = served.ask("GET", f"/api/tables/{key}", token=token)
        if view["over"] or view["decision"] is not None:
            found: dict[str, Any] = view
            return found
        time.sleep(0.01)


def terminate(served: Served) -> None:
    """Ask the server to stop and wait until it accepts no more connections."""
    assert served.process is not None
    served.process.send_signal(signal.SIGTERM)
    while True:
        try:
            socket.create_connection(("127.0.0.1", served.port), timeout=5).close()
        except ConnectionError:
            return
        time.sleep(0.02)


def test_a_decision_that_is_under_way_is_finished(served: Served) -> None:
    """The database delays the decision until the server accepts no more connections."""
    key, (token,) = open_table(served, "me", "bot:greedy")
    view = wait_for_question(served, key, token)
    move = {"expected": view["version"], "actions": [view["decision"]["actions"][0]["id"]]}
    process, asking = served.process, HTTPConnection("127.0.0.1", served.port, timeout=60)
    assert process is not None
    with closing(sqlite3.connect(served.folder / "tables.db", isolation_level=None)) as other, closing(asking):
        other.execute("BEGIN IMMEDIATE")
        asking.request("POST", f"/api/tables/{key}/actions", json.dumps(move), {"Authorization": f"Bearer {token}"})
        assert served.ask("GET", "/healthz")[0] == 200  # then it has read what was asked before
        terminate(served)
        other.execute("COMMIT")
        assert asking.getresponse().status == 200
    process.communicate(timeout=60)
    assert process.returncode == 0
    served.start()
    _, record, _ = served.ask("GET", f"/api/tables/{key}", token=token)
    assert record["version"] > view["version"]
    assert served.log == ""


def test_pages_reconnect_to_the_same_table(served: Served) -> None:
    key, (token,) = open_table(served, "me", "bot:greedy")
    with live(served, key, token) as page:
        assert board(page)
        served.stop(signal.SIGTERM)
        assert close_code(page) == RESTARTING
    served.start()
    with live(served, key, token) as page:
        assert board(page)
    assert served.log == ""
