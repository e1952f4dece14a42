"""A temporary database outage shows all visitors one clear sentence, and play resumes without losses."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from gonfalon.table import Store, Tables
from gonfalon.web import create_app
from gonfalon.web.messages import NO_READING, NO_WRITING
from tests.databases import nobody_reaches, postgres_database

pytestmark = pytest.mark.extended


@pytest.fixture
def url(postgres: str) -> Iterator[str]:
    yield from postgres_database(postgres)


def test_a_clear_word_and_then_all_goes_on(url: str, caplog: pytest.LogCaptureFixture) -> None:
    store = Store(url)
    with TestClient(create_app(Tables(store, pace=0))) as client:

        def view() -> Any:
            return client.get(address, headers=bearer).json()

        def asked() -> Any:
            until = time.monotonic() + 30
            while (now := view())["decision"] is None:
                assert time.monotonic() < until
                time.sleep(0.05)
            return now

        opened = client.post("/api/tables", json={"game": "feint", "seats": ["me", "bot:greedy"], "name": "May"})
        address = f"/api/tables/{opened.json()['table']}"
        bearer = {"Authorization": f"Bearer {opened.json()['seats'][0]['token']}"}
        before = asked()
        answer = {"expected": before["version"], "actions": [before["decision"]["actions"][-1]["id"]]}
        with client.websocket_connect(f"{address.replace('/api/tables', '/t')}/watch/live") as page:
            page.receive_bytes()
            with nobody_reaches(url):
                refused = client.post(f"{address}/actions", json=answer, headers=bearer)
                assert (refused.status_code, refused.json()["detail"]) == (503, NO_WRITING)
                unread = client.get("/api/tables/another").json()
                assert (unread["status"], unread["title"], unread["detail"]) == (
                    503,
                    "The database does not answer",
                    NO_READING,
                )
                for page_away in ("/", "/t/another/watch/"):
                    shown = client.get(page_away)
                    assert shown.status_code == 503
                    assert NO_READING in shown.text
                    assert "saved" not in shown.text
                assert "database" in client.get("/readyz").json()["wanting"]
                assert view()["version"] == before["version"], "what is in memory is shown all the same"
            assert client.post(f"{address}/actions", json=answer, headers=bearer).status_code == 200
            assert asked()["version"] > before["version"]
            assert client.post(f"{address}/resignation", headers=bearer).status_code == 200
            assert page.receive_bytes(), "the page of whoever looks on has stayed, and sees the end"
        until = time.monotonic() + 30
        while store.outage.failures:
            assert time.monotonic() < until
            time.sleep(0.05)
    store.close()
    assert all(record.levelno < logging.CRITICAL and not record.exc_info for record in caplog.records)
    own = [record.getMessage() for record in caplog.records if record.name.startswith("gonfalon")]
    assert len(own) == 2, "one line for the outage, and one for its end"
    assert own[0].startswith(("The database did not answer: ", "The connection for notifications "))
    assert own[1].startswith("The database works again after ")
