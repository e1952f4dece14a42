"""The operator: bans, maintenance and the notice act at once, in all processes."""

from __future__ import annotations

from collections.abc import Iterator

import anyio
import pytest
from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from gonfalon.table import Store, Tables, administration
from gonfalon.table.links import hash_token
from gonfalon.web import create_app
from gonfalon.web.http.rate_limits import Limits
from gonfalon.web.shared.devices import BANNED_CODE
from tests.web.conftest import find, kinds
from tests.web.person import received

MAY, BO = {"name": "May"}, {"name": "Bo"}
BANNED = "The operator of this server has excluded you. You cannot open tables, sit down or play."
MAINTENANCE = "This server begins no new games at the moment. Running games continue."


@pytest.fixture
def tables(database: str) -> Iterator[Tables]:
    store = Store(database)
    yield Tables(store, pace=0, pause=(0, 0), find=find)
    store.close()


@pytest.fixture
def visitor(tables: Tables) -> Iterator[TestClient]:
    with TestClient(create_app(tables, kinds()), follow_redirects=False) as client:
        yield client


@pytest.fixture
def operator(database: str, visitor: TestClient) -> Iterator[Store]:
    """The database as another process opens it."""
    store = Store(database)
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
    waiting = visitor.post("/api/tables", json={"game": "duel", "seats": ["me", "open"], "name": "May"}).json()
    administration.set_maintenance(operator, True)
    wait_for(visitor, tables, "maintenance=True")
    assert MAINTENANCE in visitor.get("/").text
    refused = visitor.post("/api/tables", json={"game": "duel", "seats": ["me", "bot:random"]})
    assert (refused.status_code, refused.json()["detail"]) == (503, MAINTENANCE)
    form = visitor.post("/tables", data={"game": "duel", "opponent": "bot:random"})
    assert form.status_code == 503
    assert MAINTENANCE in form.text
    sits = ("seats", waiting["invitation"], {"name": "Bo", "nonce": "n" * 22})
    for address, token, body in (sits, ("ready", waiting["seats"][0]["token"], {})):
        bearer = {"authorization": f"Bearer {token}"}
        refused = visitor.post(f"/api/tables/{waiting['table']}/{address}", json=body, headers=bearer)
        assert (refused.status_code, refused.json()["detail"]) == (503, MAINTENANCE)
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
    with (
        visitor.websocket_connect(f"/t/{seat['table']}/{seat['token']}/live") as socket,
        pytest.raises(WebSocketDisconnect) as closed,
    ):
        socket.receive_text()
    assert (closed.value.code, closed.value.reason) == (BANNED_CODE, BANNED)
    # Without the cookie the device is a new one, but its links stay closed.
    visitor.cookies.clear()
    bearer = {"authorization": f"Bearer {seat['token']}"}
    for method, address in (("POST", "resignation"), ("GET", "stream")):
        answer = visitor.request(method, f"/api/tables/{seat['table']}/{address}", headers=bearer)
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


# ---- the operator's page ----------------------------------------------------------------------------


@pytest.fixture
def page(operator: Store) -> str:
    return f"/admin/{administration.make_link(operator)}/"


def test_the_page_is_behind_a_secret_link(visitor: TestClient, tables: Tables, page: str) -> None:
    shown = visitor.get(page)
    assert shown.status_code == 200
    assert shown.headers["x-robots-tag"] == "noindex, nofollow"
    assert 'name="referrer" content="strict-origin"' in shown.text
    token = page.split("/")[2]
    assert token not in shown.text
    for wrong in (f"/admin/{'x' * 24}/", "/admin/x/", f"/admin/{token[:-1]}/", f"/admin/{token}x/"):
        assert visitor.get(wrong).status_code == 404
        assert visitor.post(f"{wrong}notice", data={"text": "x"}).status_code == 404
    foreign = visitor.post(f"{page}notice", data={"text": "x"}, headers={"origin": "https://elsewhere.example"})
    assert foreign.status_code == 403
    assert tables.state.notice == ""
    new = administration.make_link(tables.store, new=True)
    assert visitor.get(page).status_code == 404
    assert visitor.get(f"/admin/{new}/").status_code == 200


def test_wrong_links_are_limited(tables: Tables) -> None:
    limits = Limits(1 / 300)  # one wrong link
    with TestClient(create_app(tables, kinds(), limits)) as client:
        assert client.get(f"/admin/{'x' * 24}/").status_code == 404
        assert client.get(f"/admin/{'y' * 24}/").status_code == 429


def test_the_page_sets_notice_and_maintenance(visitor: TestClient, tables: Tables, page: str) -> None:
    assert visitor.post(f"{page}notice", data={"text": "Tea at 4"}).headers["location"].startswith(page)
    assert "<p>Tea at 4</p>" in visitor.get("/").text
    for wish in ("on", "off"):
        visitor.post(f"{page}maintenance", data={"wish": wish})
        assert tables.state.maintenance is (wish == "on")
    long = visitor.post(f"{page}notice", data={"text": "x" * 301})
    assert long.status_code == 400
    assert "at most 300 characters" in long.text
    assert '<a class="button" href="./">Back</a>' in long.text
    assert "Back</a>" not in visitor.post(f"/admin/{'x' * 24}/notice", data={"text": "x"}).text


def test_the_page_closes_renames_and_bans(visitor: TestClient, tables: Tables, page: str) -> None:
    seat = open_table(visitor)
    visitor.get(seat["page"])
    at = f"{page}tables/{seat['table'][:6]}/"
    assert seat["table"][:6] in visitor.get(page, params={"name": "may", "game": "duel", "days": "3"}).text
    assert seat["table"][:6] not in visitor.get(page, params={"name": "nobody"}).text
    assert visitor.get(f"{at}record.json").status_code == 403
    assert visitor.post(f"{at}rename", data={"seat": "0", "name": "June"}).headers["location"] == at
    assert "June" in visitor.get(seat["page"]).text
    (device,) = tables.store.devices_of([hash_token(seat["token"])])[hash_token(seat["token"])]
    assert device in visitor.get(at).text
    visitor.post(f"{page}bans", data={"subject": device, "note": "Rude"})
    assert visitor.post(f"{seat['page']}concede").status_code == 403
    assert "Rude" in visitor.get(page).text  # the operator's own ban does not close the page
    visitor.post(f"{page}bans", data={"unban": device})
    visitor.post(f"{at}close")
    assert "The operator of the server ended the game without a result." in visitor.get(seat["page"]).text
    assert visitor.get(f"{at}record.json").json()["ended"]["how"] == "abandoned"
    again = visitor.post(f"{at}close")
    assert (again.status_code, "over already" in again.text) == (409, True)


def test_a_table_that_waits_is_closed(visitor: TestClient, page: str) -> None:
    body = {"game": "duel", "seats": ["me", "open"], "name": "May"}
    seat = visitor.post("/api/tables", json=body).json()
    at = f"{page}tables/{seat['table'][:6]}/"
    assert "waiting for players" in visitor.get(page).text
    assert visitor.post(f"{at}close").status_code == 303
    assert "Closed" in visitor.get(at).text


@pytest.mark.parametrize(
    ("address", "data"),
    [
        ("bans", {"subject": "\0"}),
        ("bans", {"subject": "x" * 5000}),
        ("bans", {"unban": "\ud800"}),
        ("reports", {"id": ""}),
        ("reports", {"id": "%"}),
        ("nothing", {}),
        ("tables/xxxx/close", {}),
        ("tables/%00%00%00%00/close", {}),
        ("tables/..%2f..%2fx/rename", {"seat": "-1"}),
        ("maintenance", {"wish": "\0" * 100}),
        ("notice", {"text": "\u202e\0\x1b[31m"}),
    ],
)
def test_hostile_input_is_refused_or_cleaned(
    visitor: TestClient, page: str, address: str, data: dict[str, str]
) -> None:
    raw = {name: value.encode("utf-8", "surrogatepass").decode("latin-1") for name, value in data.items()}
    assert visitor.post(f"{page}{address}", data=raw).status_code < 500
    for query in ({"name": "\0", "days": "9" * 400}, {"game": "'; --", "days": "-1"}, {"days": "²"}):
        assert visitor.get(page, params=query).status_code == 200


def test_the_pages_show_nothing_hidden(visitor: TestClient, page: str) -> None:
    """The same pages for two deals, which differ in every hidden card."""
    texts = []
    for _ in range(2):
        seat = open_table(visitor)
        texts.append(visitor.get(f"{page}tables/{seat['table'][:6]}/").text.replace(seat["table"][:6], "KEY"))
    assert [line for line in texts[0].splitlines() if "UTC" not in line] == [
        line for line in texts[1].splitlines() if "UTC" not in line
    ]


# ---- reports ----------------------------------------------------------------------------------------


def seat_two(client: TestClient) -> tuple[str, str, str]:
    """Open a table of two people. Return its key and both tokens."""
    answer = client.post("/api/tables", json={"game": "duel", "seats": ["me", "me"], "name": "May"}).json()
    return answer["table"], answer["seats"][0]["token"], answer["seats"][1]["token"]


def test_a_player_reports_another(visitor: TestClient, tables: Tables, page: str) -> None:
    key, may, _ = seat_two(visitor)
    at = f"/t/{key}/{may}/"
    assert 'href="report"' in visitor.get(at).text
    assert 'maxlength="300"' in visitor.get(f"{at}report").text
    sent = visitor.post(f"{at}report", data={"seat": "1", "reason": "Says <rude> things\n\0"})
    assert "Thank you" in sent.text
    (report,) = tables.store.list_reports()
    assert (report.reporter, report.seat, report.reason) == (0, 1, "Says <rude> things")
    shown = visitor.get(page).text
    assert "Says &lt;rude&gt; things" in shown
    assert "sealed until the game is over" in shown
    visitor.post(f"{page}reports", data={"id": report.id[:6]})
    assert tables.store.list_reports() == []


@pytest.mark.parametrize(
    ("seat", "reason", "sentence"),
    [
        ("0", "x", "Choose another player"),
        ("9", "x", "Choose another player"),
        ("1", " \0 ", "Write a reason"),
        ("1", "x" * 301, "at most 300 characters"),
        ("1", "x" * 9000, "at most 300 characters"),
    ],
)
def test_a_report_names_another_player_and_a_reason(
    visitor: TestClient, tables: Tables, seat: str, reason: str, sentence: str
) -> None:
    key, may, _ = seat_two(visitor)
    refused = visitor.post(f"/t/{key}/{may}/report", data={"seat": seat, "reason": reason})
    assert refused.status_code == 400
    assert sentence in refused.text
    assert tables.store.list_reports() == []


def test_reports_of_a_device_are_limited_and_spectators_send_none(visitor: TestClient) -> None:
    key, may, _ = seat_two(visitor)
    assert visitor.post(f"/t/{key}/watch/report", data={"seat": "1", "reason": "x"}).status_code == 403
    assert visitor.get(f"/t/{key}/watch/report").status_code == 403
    codes = [visitor.post(f"/t/{key}/{may}/report", data={"seat": "1", "reason": "x"}).status_code for _ in range(6)]
    assert codes == [200] * 5 + [429]


def read_forever(socket: WebSocketTestSession) -> None:
    while True:
        received(socket)


def test_an_open_page_of_a_banned_device_loses_its_connection(
    visitor: TestClient, tables: Tables, operator: Store
) -> None:
    seat = open_table(visitor)
    visitor.get(seat["page"])
    (device,) = operator.devices_of([hash_token(seat["token"])])[hash_token(seat["token"])]
    with visitor.websocket_connect(f"/t/{seat['table']}/{seat['token']}/live") as socket:
        received(socket)
        administration.ban(operator, device)
        with pytest.raises(WebSocketDisconnect) as closed:
            read_forever(socket)
        assert (closed.value.code, closed.value.reason) == (BANNED_CODE, BANNED)


def test_a_notice_reaches_open_pages(visitor: TestClient, operator: Store) -> None:
    seat = open_table(visitor)
    with visitor.websocket_connect(f"/t/{seat['table']}/{seat['token']}/live") as socket:
        administration.set_notice(operator, "Tea at 4")
        while "<p>Tea at 4</p>" not in received(socket):
            pass
        administration.set_notice(operator, "")
        while not (html := received(socket)).startswith('<div id="notice"'):
            pass
        assert "<p>" not in html


def test_a_notice_reaches_the_lobby(visitor: TestClient, operator: Store) -> None:
    with visitor.websocket_connect("/opponents/live") as socket:
        administration.set_notice(operator, "Tea at 4")
        while "<p>Tea at 4</p>" not in socket.receive_text():
            pass
