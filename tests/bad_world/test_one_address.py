"""A club of 200 people behind one address, with a neighbor that uses up the address's limits."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from gonfalon.table import Store, Tables
from gonfalon.web import create_app
from gonfalon.web.http import rate_limits
from gonfalon.web.http.rate_limits import RATES, Limits
from tests.table.opening import nonce
from tests.web.conftest import find, kinds
from tests.web.served import serving

PEOPLE = 200
PAGES = 600
UNLIMITED = """
import sys
from gonfalon.web import serve
serve(port=int(sys.argv[1]), database_url=sys.argv[2], pace=0, limits=0)
"""


@pytest.fixture
def restarted(tmp_path: Path) -> Iterator[Callable[[], TestClient]]:
    """Restart the server on the same database. Its limits see no time pass."""
    with ExitStack() as stack:

        def start() -> TestClient:
            store = Store(f"sqlite:///{tmp_path / 'tables.db'}")
            stack.callback(store.close)
            tables = Tables(store, pace=0, pause=(0, 0), find=find)
            app = create_app(tables, kinds(), Limits(clock=lambda: 0.0))
            return stack.enter_context(TestClient(app, follow_redirects=False))

        yield start


def test_a_club_opens_tables(restarted: Callable[[], TestClient]) -> None:
    """Each opens three within a moment. Most are counted without being opened, because that is slow."""
    club = restarted()
    accounts: Limits = club.app.state.services.limits  # type: ignore[attr-defined]
    for _ in range(3 * PEOPLE - 70):
        accounts.spend(rate_limits.TABLES, "testclient")
    for number in range(70):
        opened = club.post("/api/tables", json={"game": "duel", "seats": ["me", "me"]})
        assert opened.status_code == 201, number


def test_a_greedy_neighbor_does_not_block_a_seat(
    restarted: Callable[[], TestClient], monkeypatch: pytest.MonkeyPatch
) -> None:
    """This also holds after a restart, when the server knows no seat yet."""
    monkeypatch.setattr(rate_limits, "MAX_OPEN", 2)
    for what in (rate_limits.REQUESTS, rate_limits.TABLES, rate_limits.GUESSES, rate_limits.STUDIES):
        monkeypatch.setitem(RATES, what, RATES[what]._replace(most=4))
    opened = restarted().post("/api/tables", json={"game": "duel", "seats": ["me", "me"], "hints": True}).json()
    key = opened["table"]
    pages = [f"/t/{key}/{seat['token']}/" for seat in opened["seats"]]
    api = f"/api/tables/{key}"
    seats = [{"Authorization": f"Bearer {seat['token']}"} for seat in opened["seats"]]
    club = restarted()
    with ExitStack() as neighbor:
        for _ in range(2):
            neighbor.enter_context(club.websocket_connect(f"/t/{key}/watch/live"))
        for _ in range(2):
            for page, seat in zip(pages, seats, strict=True):
                assert club.get("/").status_code == 429
                assert club.post("/api/tables", json={"game": "duel"}).status_code == 429
                assert club.get(page).status_code == 200
                with club.websocket_connect(f"{page}live") as live:
                    assert live.receive_bytes()
                if (view := club.get(api, headers=seat).json())["decision"] is None:
                    continue
                assert club.post(f"{api}/hint", headers=seat).status_code == 200
                answer = {"expected": view["version"], "actions": [view["decision"]["actions"][0]["id"]]}
                assert club.post(f"{api}/actions", json=answer, headers=seat).status_code == 200
        assert club.post(f"{api}/resignation", headers=seats[0]).status_code == 200
        for number, seat in enumerate(seats):
            again = club.post(f"{api}/rematch", json={"nonce": nonce(f"{number}")}, headers=seat)
            assert again.status_code == 201
            assert club.get(again.json()["page"]).status_code == 200


@pytest.mark.extended
def test_pages_that_reconnect_at_once_to_a_server_without_limits(tmp_path: Path, free_port: Callable[[], int]) -> None:
    with serving(tmp_path, free_port(), UNLIMITED) as served, ExitStack() as stack:
        pages = [socket.create_connection(("127.0.0.1", served.port), 60) for _ in range(PAGES)]
        for page in pages:
            stack.enter_context(closing(page))
        for page in pages:
            page.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        assert {page.recv(12) for page in pages} == {b"HTTP/1.1 200"}
