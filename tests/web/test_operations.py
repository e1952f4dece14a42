"""The server operator's settings and output: addresses, health, metrics, logs. None of it shows a token or a card."""

from __future__ import annotations

import io
import json
import logging
import math
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from prometheus_client import generate_latest
from starlette.testclient import TestClient

from gonfalon.core.basics.errors import GonfalonError
from gonfalon.table import Store, Tables
from gonfalon.table.live.retention import NOTHING
from gonfalon.table.store import store as store_module
from gonfalon.web import create_app, serve
from gonfalon.web.api import endpoints
from gonfalon.web.http import logs
from gonfalon.web.http.addresses import AddressError, ServerAddress
from gonfalon.web.http.metrics import Metrics, MetricsError
from gonfalon.web.server import server
from gonfalon.web.shared.guard import name_handler
from gonfalon.web.table import moves

BASE = "https://club.example"


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Tables]:
    store = Store(f"sqlite:///{tmp_path / 'tables.db'}")
    yield Tables(store, pace=0, pause=(0, 0))
    store.close()


@pytest.fixture
def visitor(tables: Tables) -> Iterator[TestClient]:
    with TestClient(create_app(tables, whereabouts=ServerAddress(BASE)), follow_redirects=False) as client:
        yield client


def open_table(client: TestClient, *, origin: str | None = None) -> dict[str, str]:
    """Open a table by the API and return the opener's data."""
    body = {"game": "feint", "seats": ["me", "bot:greedy"], "name": "May"}
    answer = client.post("/api/tables", json=body, headers={} if origin is None else {"origin": origin})
    assert answer.status_code == 201, answer.text
    return {**answer.json()["seats"][0], "table": answer.json()["table"]}


def test_links_begin_with_the_address_that_was_set(visitor: TestClient) -> None:
    seat = open_table(visitor)
    assert seat["page"].startswith(f"{BASE}/t/")


def test_pages_may_be_reached_by_either_address_and_by_no_other(visitor: TestClient) -> None:
    open_table(visitor, origin=BASE)
    open_table(visitor, origin="http://testserver")
    refused = visitor.post("/api/tables", json={}, headers={"origin": "https://elsewhere.example"})
    assert refused.status_code == 403


def test_behind_https_cookies_go_by_https_only(visitor: TestClient) -> None:
    named = visitor.post("/name", data={"name": "May"})
    assert "secure" in named.headers["set-cookie"].lower()


def test_behind_https_no_other_host_can_plant_the_key_of_a_device(visitor: TestClient) -> None:
    page = open_table(visitor)["page"]
    given = visitor.get(page).headers["set-cookie"]
    name, _, attributes = given.partition("=")
    assert name == "__Host-device"
    assert "; Path=/;" in attributes
    assert "Secure" in attributes
    assert "Domain" not in attributes
    key = attributes.partition(";")[0]
    assert "/mine/" in visitor.get("/", headers={"cookie": f"__Host-device={key}"}).text
    assert "/mine/" not in visitor.get("/", headers={"cookie": f"device={key}"}).text


@pytest.mark.parametrize(
    "base",
    [
        "club.example",
        "ftp://club.example",
        "https://club.example/",
        "https://a@club.example",
        "https://x:99999",
        "https://",
    ],
)
def test_an_address_that_cannot_be_one_is_refused_in_a_sentence(base: str) -> None:
    with pytest.raises(AddressError, match=r"An example is https://club\.example\."):
        ServerAddress(base)


def test_a_proxy_is_an_address_or_a_network() -> None:
    assert ServerAddress(proxies=("127.0.0.1", "10.0.0.0/8", "::1")).proxies[1] == "10.0.0.0/8"
    for proxy in ("*", "proxy.example", "10.0.0.1/8"):
        with pytest.raises(AddressError, match="not the address or network of a proxy"):
            ServerAddress(proxies=(proxy,))


def test_a_server_does_not_start_with_invalid_settings(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'tables.db'}"
    with pytest.raises(AddressError):
        serve(database_url=database, port=0, base_url="nowhere")
    with pytest.raises(MetricsError, match=r"Metrics cannot be served at 127\.0\.0\.1:text: it has no valid port\."):
        serve(database_url=database, port=0, metrics_at="127.0.0.1:text")


def test_ready_names_missing_parts(visitor: TestClient, tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    assert visitor.get("/healthz").text == "ok"
    assert (visitor.get("/readyz").status_code, visitor.get("/readyz").json()) == (200, {"ready": True, "wanting": []})
    monkeypatch.setattr(store_module, "LEAST_ROOM", 1 << 62)
    assert visitor.get("/readyz").json() == {"ready": False, "wanting": ["room"]}
    monkeypatch.undo()
    monkeypatch.setattr(tables.bots.runner, "alive", lambda: False)
    assert visitor.get("/readyz").json() == {"ready": False, "wanting": ["workers"]}
    monkeypatch.undo()

    def gone() -> bool:
        raise GonfalonError("not told to anybody")

    monkeypatch.setattr(tables.store, "reach", gone)
    answer = visitor.get("/readyz")
    assert (answer.status_code, answer.json()) == (503, {"ready": False, "wanting": ["database", "room"]})
    assert "not told" not in answer.text
    monkeypatch.undo()
    monkeypatch.setattr(store_module, "SCHEMA_VERSION", 99)  # as if the database had been brought to another
    assert "database" in visitor.get("/readyz").json()["wanting"]
    monkeypatch.undo()
    tables.closing = True
    assert "serving" in visitor.get("/readyz").json()["wanting"]
    tables.closing = False


def test_metrics_count_the_server_as_a_whole_and_are_no_page(tables: Tables) -> None:
    metrics = Metrics()
    with TestClient(create_app(tables, metrics=metrics), follow_redirects=False) as client:
        seat = open_table(client)
        assert client.get("/metrics").status_code == 404
        refused = client.post(
            f"/api/tables/{seat['table']}/actions",
            json={"expected": 99, "actions": ["pass"]},
            headers={"authorization": f"Bearer {seat['token']}"},
        )
        assert refused.status_code == 409
        told = generate_latest(metrics.registry).decode()
    assert 'gonfalon_requests_total{handler="endpoints.handle_tables",status="201"} 1.0' in told
    assert 'gonfalon_requests_total{handler="none",status="404"} 1.0' in told
    assert 'gonfalon_requests_total{handler="endpoints.apply_actions",status="409"} 1.0' in told
    assert "gonfalon_moves_total 0.0" in told
    assert "gonfalon_live_tables 1.0" in told
    assert "gonfalon_backup_timestamp_seconds 0.0" in told
    assert 0 < float(re.findall(r"^gonfalon_disk_free_bytes (\S+)$", told, re.MULTILINE)[0]) < math.inf
    assert seat["token"] not in told
    assert seat["table"] not in told


def test_moves_are_counted_by_pages_and_programs() -> None:
    metrics = Metrics()
    for act in (moves.apply_actions, endpoints.apply_actions, moves.give_hint):
        metrics.answered(name_handler({"endpoint": act}), 200, 0.1)
    assert "gonfalon_moves_total 2.0" in generate_latest(metrics.registry).decode()


@pytest.fixture
def written() -> Iterator[io.StringIO]:
    """Capture the log as lines of JSON."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(logs.Json())
    root, level = logging.getLogger(), logs.requests.level
    root.addHandler(handler)
    logs.requests.setLevel(logging.INFO)
    yield stream
    root.removeHandler(handler)
    logs.requests.setLevel(level)


def test_a_line_for_each_request_names_its_handler_and_no_token(tables: Tables, written: io.StringIO) -> None:
    with TestClient(create_app(tables), follow_redirects=False) as client:
        seat = open_table(client)
        page = client.get(f"/t/{seat['table']}/{seat['token']}/")
    lines = [json.loads(line) for line in written.getvalue().splitlines()]
    asked = [line for line in lines if line["logger"] == "gonfalon.requests"]
    assert [(line["method"], line["handler"], line["status"]) for line in asked] == [
        ("POST", "endpoints.handle_tables", 201),
        ("GET", "table_page.show_page", 200),
    ]
    assert asked[1]["request"] == page.headers["x-request-id"] != asked[0]["request"]
    assert seat["token"] not in written.getvalue()
    assert seat["table"] not in written.getvalue()


def test_a_fault_bears_the_id_of_its_request_and_quotes_nothing(
    tables: Tables, written: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails() -> bool:
        raise RuntimeError("hidden-patriot")

    with TestClient(create_app(tables), follow_redirects=False, raise_server_exceptions=False) as client:
        monkeypatch.setattr(tables.bots.runner, "alive", fails)
        answer = client.get("/readyz")
    assert answer.status_code == 500
    faults = [json.loads(line) for line in written.getvalue().splitlines() if json.loads(line)["level"] == "error"]
    assert [line["request"] for line in faults] == [answer.headers["x-request-id"]]
    assert "RuntimeError" in faults[0]["message"]
    assert "hidden-patriot" not in written.getvalue()


def test_the_address_is_a_line_of_the_log_where_lines_are_json(
    caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    server.print_address("http://127.0.0.1:8000/", False, NOTHING)
    with caplog.at_level(logging.INFO, logs.requests.name):
        server.print_address("http://127.0.0.1:9000/", False, NOTHING)
    printed = capsys.readouterr().out
    assert ":8000/" in printed
    assert ":9000/" not in printed
    assert ":9000/" in caplog.text
