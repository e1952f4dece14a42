"""The operator: bans, maintenance and the notice act at once, in all processes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest
from starlette.testclient import TestClient, WebSocketDenialResponse

from gonfalon.table import Store, Tables, administration
from gonfalon.table.links import hash_token
from gonfalon.web import create_app
from tests.web.conftest import find, kinds

MAY, BO = {"name": "May"}, {"name": "Bo"}
BANNED = "The operator of this server has excluded you. You cannot open tables, sit down or play."
MAINTENANCE = "This server opens no new tables at the moment. Running games continue."


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Tables]:
    store = Store(f"sqlite:///{tmp_path / 'tables.db'}")
    yield Tables(store, pace=0, pause=(0, 0), find=find)
    store.close()


@pytest.fixture
def visitor(tables: Tables) -> Iterator[TestClient]:
    with TestClient(create_app(tables, kinds()), follow_redirects=False) as client:
        yield client


@pytest.fixture
def operator(tmp_path: Path, visitor: TestClient) -> Iterator[Store]:
    """The database as another process opens it."""
    store = Store(f"sqlite:///{tmp_path / 'tables.db'}")
    yield store
    store.close()


def open_table(client: TestClient, **body: object) -> dict[str, str]:
    answer = client.post("/api/tables", json={"game": "duel", "seats": ["me", "bot:random"], "name": "May", **body})
    assert answer.status_code == 201, answer.text
    return {**answer.json()["seats"][0], "table": answer.json()["table"]}


def wait_for(client: TestClient, tables: Tables, said: str) -> None:
    """Wait until this process has heard of a change."""

    async def heard() -> None:
        with anyio.fail_after(5):
            while said not in repr(tables.state):
                await anyio.sleep(0.005)

    assert client.portal is not None
    client.portal.call(heard)


def test_a_notice_is_on_all_pages_and_escaped(visitor: TestClient, tables: Tables, operator: Store) -> None:
    seat = open_table(visitor)
    administration.set_notice(operator, "Pause at <b>8</b>\nsharp")
    wait_for(visitor, tables, "sharp")
    for page in ("/", "/help", seat["page"]):
        assert "Pause at &lt;b&gt;8&lt;/b&gt; sharp" in visitor.get(page).text
    administration.set_notice(operator, "")
    wait_for(visitor, tables, "notice=''")
    assert "sharp" not in visitor.get("/").text


def test_maintenance_refuses_new_tables_and_lets_games_go_on(
    visitor: TestClient, tables: Tables, operator: Store
) -> None:
    seat = open_table(visitor)
    administration.set_maintenance(operator, True)
    wait_for(visitor, tables, "maintenance=True")
    assert MAINTENANCE in visitor.get("/").text
    refused = visitor.post("/api/tables", json={"game": "duel", "seats": ["me", "bot:random"]})
    assert (refused.status_code, refused.json()["detail"]) == (503, MAINTENANCE)
    form = visitor.post("/tables", data={"game": "duel", "opponent": "bot:random"})
    assert form.status_code == 503
    assert MAINTENANCE in form.text
    bearer = {"authorization": f"Bearer {seat['token']}"}
    resigned = visitor.post(f"/api/tables/{seat['table']}/resignation", headers=bearer)
    assert resigned.status_code < 300
    administration.set_maintenance(operator, False)
    wait_for(visitor, tables, "maintenance=False")
    open_table(visitor)


def test_a_banned_device_reads_and_does_no_more(visitor: TestClient, tables: Tables, operator: Store) -> None:
    seat = open_table(visitor)
    visitor.get(seat["page"])  # the device visits its seat
    (device,) = operator.devices_of([hash_token(seat["token"])])[hash_token(seat["token"])]
    administration.ban(operator, device[:8])
    wait_for(visitor, tables, device)
    assert visitor.get(seat["page"]).status_code == 200
    for address, data in (("/tables", {"game": "duel", "opponent": "bot:random"}), (f"{seat['page']}concede", {})):
        refused = visitor.post(address, data=data)
        assert refused.status_code == 403
        assert BANNED in refused.text
    with pytest.raises(WebSocketDenialResponse), visitor.websocket_connect(f"/t/{seat['table']}/{seat['token']}/live"):
        pass
    # Without the cookie the device is a new one, but its links stay closed.
    visitor.cookies.clear()
    bearer = {"authorization": f"Bearer {seat['token']}"}
    for way in (
        lambda: visitor.post(f"/api/tables/{seat['table']}/resignation", headers=bearer),
        lambda: visitor.get(f"/api/tables/{seat['table']}/stream", headers=bearer),
    ):
        answer = way()
        assert (answer.status_code, answer.json()["detail"]) == (403, BANNED)
    open_table(visitor)
    administration.unban(operator, device)
    wait_for(visitor, tables, "devices=frozenset()")
    assert visitor.post(f"/api/tables/{seat['table']}/resignation", headers=bearer).status_code < 300


@pytest.mark.parametrize(
    ("network", "banned"),
    [("192.0.2.7", True), ("192.0.2.0/24", True), ("198.51.100.0/24", False), ("2001:db8::/32", False)],
)
def test_a_network_is_banned(tables: Tables, network: str, banned: bool) -> None:
    administration.ban(tables.store, network)
    with TestClient(create_app(tables, kinds()), client=("192.0.2.7", 1)) as client:
        answer = client.post("/api/tables", json={"game": "duel", "seats": ["me", "bot:random"]})
    assert answer.status_code == (403 if banned else 201)


@pytest.mark.parametrize(
    ("subject", "sentence"),
    [
        ("0.0.0.0/0", "too large"),
        ("10.0.0.1/8", "Name the hash of a device"),
        ("nobody", "Name the hash of a device"),
        ("abcdef", "Name the hash of a device"),
        ("abcdef01", "No device with this hash"),
        ("\0'; --", "Name the hash of a device"),
    ],
)
def test_a_ban_names_a_known_device_or_a_network(tables: Tables, subject: str, sentence: str) -> None:
    with pytest.raises(Exception, match=sentence):
        administration.ban(tables.store, subject)
