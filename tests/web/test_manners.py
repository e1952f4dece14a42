"""Table manners: each rule of the page, done over HTTP. A rule without a test fails, and so does one that is gone."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from gonfalon import games
from gonfalon.core.rng import Rng
from gonfalon.table import Store, Tables, retention
from gonfalon.web import create_app
from gonfalon.web.limits import Limits
from tests.table.opening import let_pass, nonce
from tests.web.conftest import find as find_small
from tests.web.conftest import kinds
from tests.web.test_seats import open_moot

Json = dict[str, Any]
Test = Callable[..., None]
TESTED: set[int] = set()


def manner(number: int) -> Callable[[Test], Test]:
    """Marks the test of a rule."""

    def mark(test: Test) -> Test:
        TESTED.add(number)
        return test

    return mark


def find(name: str, **options: Any) -> Any:
    return games.game(name, **options) if name == "generals" else find_small(name, **options)


@contextmanager
def house(folder: Path, pace: float = 0) -> Iterator[TestClient]:
    """A server at which one is away after 0.3 seconds, and after 0.9 with a page that has no script."""
    store = Store(f"sqlite:///{folder / 'tables.db'}")
    tables = Tables(store, pace=pace, pause=(0, 0), find=find, grace=0.3, patience=0.9)
    everything = kinds() | {"generals": games.kind("generals")}
    with TestClient(create_app(tables, everything, Limits(0)), follow_redirects=False) as client:
        yield client
    store.close()


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with house(tmp_path) as client:
        yield client


class Table:
    """A table and the tokens of its seats."""

    def __init__(self, client: TestClient, game: str, *seats: str, **body: Any) -> None:
        self.client = client
        answer = client.post("/api/tables", json={"game": game, "seats": seats} | body)
        assert answer.status_code == 201, answer.text
        self.opened: Json = answer.json()
        self.key: str = self.opened["table"]
        self.tokens: dict[int, str] = {seat["seat"]: seat["token"] for seat in self.opened["seats"]}

    def sit(self, seat: int, name: str = "Bo", ready: bool = True) -> int:
        link = {"Authorization": f"Bearer {self.opened['invitation']}"}
        body = {"nonce": nonce(name), "name": name, "ready": ready}
        answer = self.client.post(f"/api/tables/{self.key}/seats", json=body, headers=link)
        if answer.status_code == 201:
            self.tokens[seat] = answer.json()["token"]
        return answer.status_code

    def send(self, seat: int | None, path: str, **body: Any) -> tuple[int, Json]:
        headers = {} if seat is None else {"Authorization": f"Bearer {self.tokens[seat]}"}
        answer = self.client.post(f"/api/tables/{self.key}{path}", json=body, headers=headers)
        return answer.status_code, answer.json()

    def view(self, seat: int | None = None) -> Json:
        headers = {} if seat is None else {"Authorization": f"Bearer {self.tokens[seat]}"}
        found: Json = self.client.get(f"/api/tables/{self.key}", headers=headers).json()
        return found

    def act(self, seat: int, pick: int = 0, **more: Any) -> int:
        """One of the legal actions of a seat."""
        view = self.view(seat)
        action = view["decision"]["actions"][pick]["id"] if view["decision"] else "k0"
        return self.send(seat, "/actions", **{"expected": view["version"], "actions": [action]} | more)[0]

    def back(self, seat: int) -> int:
        return self.send(seat, "/actions", expected=self.view(seat)["version"], take_back=True)[0]

    def ask(self, seat: int) -> int:
        return self.send(seat, "/take-back", wish="ask", expected=self.view(seat)["version"])[0]

    def answer(self, seat: int | None, wish: str = "agree") -> int:
        request = self.view()["request"]
        return self.send(seat, "/take-back", wish=wish, number=request["number"] if request else 1)[0]

    def presence(self, seat: int) -> str:
        """Here, lost or away, as a spectator's page shows it."""
        html = self.client.get(f"/t/{self.key}/watch/").text
        found = re.search(rf'id="at-{seat}" class="chair chair-(\w+)', html)
        assert found
        return found[1]

    def page(self, seat: int) -> str:
        return f"/t/{self.key}/{self.tokens[seat]}/"


def until(true: Callable[[], object], seconds: float = 5.0) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not come true"
        time.sleep(0.02)


def moot(client: TestClient, others: int = 1, bots: int = 0) -> Table:
    """A Moot in which everybody has chosen, so that May speaks."""
    table = Table(client, "moot", *["me"] * (1 + others), *["bot:random"] * bots)
    for seat in range(1 + others):
        assert table.act(seat) == 200
    until(lambda: table.view(0)["decision"])
    return table


def test_the_page_has_a_test_for_each_rule(client: TestClient) -> None:
    html = client.get("/manners").text
    numbers = [int(number) for number in re.findall(r'id="rule-(\d+)"', html)]
    assert numbers == list(range(1, len(numbers) + 1))
    assert set(numbers) == TESTED
    assert "{" not in re.sub(r"<(script|style).*?</\1>", "", html[html.index("<main") :])


def test_everybody_finds_the_page(client: TestClient) -> None:
    table = Table(client, "duel", "me", "open")
    link = 'href="/manners"'
    assert link in client.get("/").text
    assert link in client.get(f"/t/{table.key}/{table.opened['invitation']}/").text
    assert client.get(table.page(0)).text.count(link) == 1  # waiting
    table.sit(1)
    menu = client.get(table.page(0)).text
    assert link in menu[menu.index('class="menu-sheet"') : menu.index("<main")]
    assert "/manners" in Path("docs/pages/learn/play.md").read_text("utf-8")


# ---- sitting down -----------------------------------------------------------------------------------------------


@manner(1)
def test_a_seat_is_whose_it_is(client: TestClient) -> None:
    table = Table(client, "duel", "me", "open")
    assert table.sit(1) == 201
    assert table.sit(1, "Thief") == 410
    with client.websocket_connect(table.page(1) + "live"):
        assert table.send(0, "/seats/1", by="bot")[0] == 409
        assert table.send(0, "/seats/1", by="me")[0] == 400
    assert table.view()["names"] == ["Player 1", "Bo"]
    assert table.view()["seats"][1]["by"] == "person"


@manner(2)
def test_before_the_deal_one_may_get_up(client: TestClient) -> None:
    table = Table(client, "moot", "me", "open", "open")
    table.sit(1)
    assert table.send(1, "/leave")[0] == 200
    assert [seat["by"] for seat in table.view()["seats"]] == ["person", "nobody", "nobody"]
    assert table.view()["stage"] == "waiting"
    assert table.send(0, "/leave")[0] == 200
    assert table.view()["stage"] == "closed"


@manner(3)
def test_before_the_deal_the_opener_alone_lets_bots_sit(client: TestClient) -> None:
    table = Table(client, "moot", "me", "open", "open")
    table.sit(1, ready=False)
    assert table.send(1, "/seats/2", by="bot")[0] == 403
    assert table.send(0, "/seats/1", by="bot")[0] == 409  # they have just come
    assert table.send(0, "/seats/2", by="bot")[0] == 200
    until(lambda: table.send(0, "/seats/1", by="bot")[0] == 200)  # not ready, and away by now
    assert [seat["by"] for seat in table.view()["seats"]] == ["person", "bot", "bot"]
    assert table.view()["stage"] == "playing"


@manner(4)
def test_who_watches_only_watches(client: TestClient) -> None:
    table = moot(client, others=2)
    table.act(0)
    table.ask(0)
    before = table.view()
    for path, body in (
        ("/actions", {"expected": before["version"], "actions": ["k0"]}),
        ("/resignation", {}),
        ("/seats/1", {"by": "bot"}),
        ("/seats/1", {"by": "me"}),
        ("/take-back", {"wish": "agree", "number": 1}),
        ("/take-back", {"wish": "refuse", "number": 1}),
        ("/take-back", {"wish": "ask", "expected": before["version"]}),
        ("/answers", {"answers": "never"}),
        ("/leave", {}),
        ("/rematch", {"nonce": nonce("watcher")}),
    ):
        assert table.send(None, path, **body)[0] in (400, 403), path
    assert table.view() == before


# ---- being away -------------------------------------------------------------------------------------------------


@manner(5)
def test_who_is_here(client: TestClient) -> None:
    table = moot(client)
    with client.websocket_connect(table.page(1) + "live"):
        time.sleep(0.5)
        assert table.presence(1) == "here"
    assert table.presence(1) == "lost"
    until(lambda: table.presence(1) == "away")
    client.get(table.page(1))
    begun = time.monotonic()
    assert table.presence(1) == "here"
    until(lambda: table.presence(1) == "away")
    assert time.monotonic() - begun > 0.6
    assert "away after 0 seconds; where scripts are off, 1 second after" in client.get("/manners").text


@manner(6)
def test_anybody_seated_lets_a_bot_play_for_who_is_away(client: TestClient) -> None:
    table = moot(client, others=2)
    until(lambda: all(table.presence(seat) == "away" for seat in (0, 1)))
    time.sleep(0.3)
    assert [seat["by"] for seat in table.view()["seats"]] == ["person"] * 3  # none has come by itself
    assert table.send(2, "/seats/1", by="bot")[0] == 409  # the game does not wait for them
    assert table.send(None, "/seats/0", by="bot")[0] == 403
    assert table.send(2, "/seats/0", by="bot")[0] == 200
    assert table.view()["seats"][0]["by"] == "bot"


@manner(7)
def test_who_comes_back_takes_their_seat(client: TestClient) -> None:
    table = moot(client)
    until(lambda: table.send(1, "/seats/0", by="bot")[0] == 200)
    assert table.send(1, "/seats/0", by="me")[0] == 400
    assert table.send(0, "/seats/0", by="me")[0] == 200
    assert table.view()["seats"][0]["by"] == "person"


@manner(8)
def test_being_away_loses_nothing(client: TestClient) -> None:
    table = moot(client)
    until(lambda: table.presence(0) == "away")
    before = table.view(1)
    time.sleep(0.3)
    assert table.view(1) == before
    assert table.view()["over"] is None
    assert table.act(0) == 200


# ---- ending -----------------------------------------------------------------------------------------------------


@manner(9)
def test_of_two_who_gives_up_has_lost(client: TestClient) -> None:
    waiting = Table(client, "duel", "me", "open")
    assert waiting.send(0, "/resignation")[0] == 409
    table = moot(client)
    assert table.send(1, "/resignation")[0] == 200  # though it is May's turn
    assert table.view()["over"]["text"] == "Player 2 conceded."
    assert table.view()["over"]["ended"] == {"seat": 1, "how": "resigned"}


@manner(10)
def test_of_more_a_bot_plays_on(client: TestClient) -> None:
    table = moot(client, others=2)
    assert table.send(1, "/resignation")[0] == 200
    assert table.view()["over"] is None
    assert table.view()["seats"][1]["by"] == "bot"
    assert table.send(1, "/seats/1", by="me")[0] == 200
    alone = moot(client, others=0, bots=2)
    assert alone.send(0, "/resignation")[0] == 200
    assert alone.view()["over"]


def tidied(client: TestClient, monkeypatch: pytest.MonkeyPatch, days: float) -> None:
    """What the house does after so many days."""
    tables: Tables = client.app.state.services.tables  # type: ignore[attr-defined]
    time.sleep(0.4)  # until nobody is there any more
    now = tables.now() + days * retention.DAY
    with monkeypatch.context() as patch:
        patch.setattr(tables, "now", lambda: now)
        assert client.portal
        client.portal.call(tables.housekeeper.tidy)


@manner(11)
def test_a_game_in_which_nobody_moves_ends(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "nobody has moved for 90 days ends without a result" in client.get("/manners").text
    table = moot(client)
    table.act(0)
    tidied(client, monkeypatch, 89)
    assert table.view()["over"] is None
    time.sleep(0.4)
    tidied(client, monkeypatch, 91)
    over = table.view()["over"]
    assert (over["result"], over["ended"]["how"]) == (None, "abandoned")


@manner(12)
def test_a_table_at_which_nobody_plays_is_cleared_away(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "nobody has played for 30 days is cleared away" in client.get("/manners").text
    table = Table(client, "duel", "me", "open")
    tidied(client, monkeypatch, 29)
    assert table.view()["stage"] == "waiting"
    tidied(client, monkeypatch, 31)
    assert client.get(f"/api/tables/{table.key}").status_code == 404


@manner(13)
def test_what_is_over_is_over(client: TestClient) -> None:
    table = moot(client)
    table.act(0)
    table.send(1, "/resignation")
    for status in (table.act(0), table.back(0), table.ask(0), table.answer(1), table.answer(1, "refuse")):
        assert status == 409
    assert client.get(f"/api/tables/{table.key}/record").status_code == 200
    status, there = table.send(0, "/rematch", nonce=nonce("May"))
    assert status == 201
    following = client.get(f"/api/tables/{there['table']}").json()
    assert following["stage"] == "waiting"
    assert [seat["by"] for seat in following["seats"]] == ["nobody", "person"]


# ---- taking back ------------------------------------------------------------------------------------------------


@manner(14)
def test_what_nobody_has_seen_is_taken_back(client: TestClient) -> None:
    table = Table(client, "feint", "me", "me", grace=5)
    seat = next(seat for seat in (0, 1) if table.view(seat)["decision"])
    before = table.view(1 - seat)
    mine = table.view(seat)["board"]
    assert table.act(seat) == 200
    assert table.view(1 - seat) == before
    assert table.view(seat)["held"]
    assert table.back(seat) == 200
    assert (table.view(seat)["held"], table.view(seat)["board"]) == (None, mine)


@manner(15)
def test_where_all_decide_at_once_one_may_change_ones_mind(client: TestClient) -> None:
    table = Table(client, "moot", "me", "me")
    before = table.view(1)
    assert table.act(0) == 200
    assert table.back(0) == 200
    assert table.act(0, pick=1) == 200
    assert table.view(1) == before
    assert table.act(1) == 200
    assert table.back(0) == 409


@manner(16)
def test_alone_with_bots_one_goes_back_until_something_is_new(tmp_path: Path) -> None:
    with house(tmp_path, pace=60) as client:
        table = Table(client, "duel", "me", "bot:random")
        table.act(0, pick=-1)  # keeps all
        until(lambda: (table.view(0)["decision"] or {}).get("prompt") == "play")
        before = table.view(0)["board"]
        table.act(0)
        assert not table.view(0)["can_ask_back"]
        assert table.back(0) == 200
        assert table.view(0)["board"] == before
    with house(tmp_path) as client:
        table = moot(client, others=0, bots=1)
        table.act(0)
        until(lambda: not table.view(0)["seats"][1]["asked"])  # the bot has vetoed, or let it pass
        assert table.back(0) == 409


@manner(17)
def test_what_told_nobody_anything_is_taken_back_without_asking(client: TestClient) -> None:
    assert "In Generals you may take back without asking" in client.get("/manners").text
    decks = {"decks": ["little-conqueror", "yellow-sky"]}
    table = Table(client, "generals", "me", "me", options=decks)
    rng, seat, before = Rng(1), 0, None
    for _ in range(200):
        seat = next(seat for seat in (0, 1) if table.view(seat)["decision"])
        before = table.view(seat)["board"]
        table.act(seat, pick=rng.below(len(table.view(seat)["decision"]["actions"])))
        if table.view(seat)["can_take_back"]:
            break
    assert not table.view(seat)["can_ask_back"]
    assert table.back(seat) == 200
    assert table.view(seat)["board"] == before


@manner(18)
def test_what_others_have_seen_is_asked_for_while_it_is_ones_own_choice_alone(client: TestClient) -> None:
    """May speaks; a secret choice of all comes before, and Bo's answer after it."""
    table = moot(client)
    assert table.ask(0) == 409  # her last decision was a secret answer
    before = table.view()["board"]
    table.act(0)
    assert table.back(0) == 409
    assert [table.view(seat)["can_ask_back"] for seat in (0, 1)] == [True, False]
    page = client.get(table.page(0)).text
    assert 'id="ask-back" form="asking"' in page
    assert 'id="ask-back"' not in client.get(table.page(1)).text
    form = {"wish": "ask", "expected": table.view(0)["version"]}
    assert client.post(table.page(0) + "take-back", data=form).status_code == 303
    strip = client.get(table.page(1)).text
    assert re.search("Player 1 asks to take back: “Player 1 spoke for [^.”]+[.]”", strip)
    assert client.post(table.page(1) + "take-back", data={"wish": "agree", "number": 1}).status_code == 303
    assert table.view()["board"] == before
    for seat in (0, 1):
        assert "is taken back." in client.get(table.page(seat)).text
    table.act(0)
    table.act(1, pick=-1)  # Bo lets it pass
    assert table.ask(0) == 409


@manner(19)
def test_all_who_are_here_must_agree(client: TestClient) -> None:
    table = moot(client, others=2, bots=1)
    before = table.view()["board"]
    for last in ("agree", "refuse"):
        table.act(0)
        after = table.view()["board"]
        with client.websocket_connect(table.page(1) + "live"), client.websocket_connect(table.page(2) + "live"):
            assert table.ask(0) == 200
            assert table.answer(0) == 409
            assert table.answer(1) == 200
            assert table.view()["board"] == after
            assert "Waiting for Player 3." in client.get(table.page(0)).text
            assert table.answer(2, last) == 200
        assert table.view()["board"] == (before if last == "agree" else after)
    assert "You do not agree" in client.get(table.page(2)).text
    assert "Player 3 does not agree: what you decided stays." in client.get(table.page(0)).text


@manner(19)
def test_people_at_one_screen_settle_it_among_themselves(client: TestClient) -> None:
    url = open_moot(client, "beside", **{"name-1": "Bo"})
    for seat in ("0", "1", "0"):
        client.post(url + "screen", data={"seat": seat})
        page = client.get(url).text
        expected = re.search(r'name="expected" value="(\d+)"', page)
        action = re.search(r'name="act" value="(k\d+)"', page)
        assert expected
        assert action
        sent = {"expected": expected[1], "seat": seat, "act": action[1]}
        assert client.post(url + "act", data=sent).status_code == 303
    client.post(url + "screen", data={"seat": "0"})
    page = client.get(url).text
    expected = re.search(r'name="expected" value="(\d+)"', page)
    assert expected
    wish = {"wish": "ask", "expected": expected[1]}
    assert client.post(url + "take-back", data=wish | {"seat": "1"}).status_code == 409
    assert client.post(url + "take-back", data=wish | {"seat": "0"}).status_code == 303
    assert "All agreed" in client.get(url).text


@manner(20)
def test_who_is_away_is_not_waited_for(client: TestClient) -> None:
    table = moot(client, others=2)
    until(lambda: table.presence(2) == "away")
    table.act(0)
    with client.websocket_connect(table.page(1) + "live"):
        table.ask(0)
        assert table.answer(1) == 200
    assert table.view()["request"]["answer"] == "agreed"
    table.act(0)
    until(lambda: table.presence(1) == table.presence(2) == "away")
    assert table.ask(0) == 200
    time.sleep(0.3)
    assert table.view()["request"]["answer"] == ""
    assert table.answer(2) == 200  # they are back
    assert table.view()["request"]["answer"] == "agreed"


@manner(21)
def test_what_is_asked_is_past_when_the_game_goes_on(client: TestClient) -> None:
    table = moot(client, others=2)
    table.act(0)
    assert table.ask(0) == 200
    assert table.ask(0) == 409
    table.act(1, pick=-1)
    assert table.view()["request"] is None
    assert table.answer(2) == 409
    table.act(1)
    assert table.ask(1) == 200
    assert table.answer(0, "refuse") == 200
    assert table.ask(1) == 409  # once is enough
    assert "each may ask 5 times in a game" in client.get("/manners").text


@manner(21)
def test_each_may_ask_so_often_and_bots_wait(client: TestClient) -> None:
    table = moot(client, others=1, bots=1)
    with client.websocket_connect(table.page(1) + "live"):
        table.act(0)
        table.act(1, pick=-1)  # lets it pass; then it is Bo's turn, and the bot may veto
        table.act(1)
        if table.ask(1) == 200:  # the bot was not faster
            before = table.view()
            time.sleep(0.5)
            assert table.view() == before
    duo = moot(client)
    for _ in range(5):
        duo.act(0)
        assert duo.ask(0) == 200
        assert duo.answer(1) == 200
    duo.act(0)
    assert duo.ask(0) == 409


@manner(22)
def test_the_record_keeps_what_stands(client: TestClient) -> None:
    table = moot(client)
    table.act(0, pick=0)
    table.ask(0)
    table.answer(1)
    other = table.view(0)["decision"]["actions"][1]["id"]
    table.act(0, pick=1)
    table.send(1, "/resignation")
    headers = {"Authorization": f"Bearer {table.tokens[0]}"}
    record = client.get(f"/api/tables/{table.key}/record", headers=headers).json()
    assert [seat for seat, _ in record["decisions"]] == [-1, -1, 0, 1, 0]
    assert record["decisions"][-1] == [0, other]


# ---- clocks -----------------------------------------------------------------------------------------------------


def timed(client: TestClient, end: str = "bot", others: int = 1) -> Table:
    """A Moot of ten minutes and a step of ten seconds, in which May has to speak."""
    clock = {"bank": 600, "step": 10, "end": end}
    table = Table(client, "moot", *["me"] * (1 + others), clock=clock)
    for seat in range(1 + others):
        assert table.act(seat) == 200
    until(lambda: table.view(0)["decision"])
    return table


def pass_time(table: Table, seconds: float) -> None:
    """Let so much time pass for whoever's clock runs."""
    tables: Tables = table.client.app.state.services.tables  # type: ignore[attr-defined]
    assert table.client.portal
    live = table.client.portal.call(tables.table, table.key)
    let_pass(tables, seconds)
    table.client.portal.call(live.chores.wake)


def left(table: Table, viewer: int | None = None) -> list[float]:
    """The seconds of the clocks."""
    return [seat["left"] / 1000 for seat in table.view(viewer)["clock"]["seats"]]


@manner(23)
def test_a_clock_runs_while_the_game_waits(client: TestClient) -> None:
    table = timed(client)
    pass_time(table, 100)
    assert table.act(0) == 200
    assert left(table) == pytest.approx([510, 600], abs=3)  # 100 less, 10 more
    assert table.act(1) == 200
    assert left(table)[1] == 600  # never more than at the beginning


@manner(24)
def test_where_all_decide_at_once_clocks_tell_nothing(client: TestClient) -> None:
    table = Table(client, "moot", "me", "me", clock={"bank": 600, "step": 10})
    assert table.view()["clock"]["free_until"] - time.time() == pytest.approx(60, abs=5)
    pass_time(table, 90)
    before = table.view()["clock"]
    assert table.act(0) == 200
    assert table.view()["clock"] == before
    assert table.act(1) == 200
    assert left(table) == pytest.approx([570, 570], abs=3)  # 90 seconds, 60 of them free, and no step


@manner(25)
def test_at_zero_a_bot_plays_on_and_waits_if_it_is_left_alone(client: TestClient) -> None:
    table = timed(client)
    pass_time(table, 601)
    until(lambda: table.view()["seats"][0]["by"] == "bot")
    until(lambda: table.view(1)["decision"])
    pass_time(table, 601)
    until(lambda: table.view()["seats"][1]["by"] == "bot")
    before = table.view()["version"]
    time.sleep(0.5)
    assert table.view()["version"] == before
    assert table.send(0, "/seats/0", by="me")[0] == 200
    assert table.view()["clock"]["seats"][0]["left"] == pytest.approx(10_000, abs=2000)
    until(lambda: table.view(0)["decision"])  # the other's bot has moved


@manner(26)
@pytest.mark.parametrize("others", [1, 2])
def test_at_zero_the_game_may_be_lost(client: TestClient, others: int) -> None:
    table = timed(client, "lose", others)
    pass_time(table, 601)
    if others == 1:
        until(lambda: table.view()["over"])
        assert table.view()["over"]["ended"] == {"seat": 0, "how": "time"}
        return
    until(lambda: table.view()["seats"][0]["by"] == "bot")
    assert table.send(0, "/seats/0", by="me")[0] == 409


@manner(27)
@pytest.mark.parametrize("wish", ["bot", "nobody"])
def test_at_zero_the_others_may_claim(client: TestClient, wish: str) -> None:
    table = timed(client, "claim")
    assert table.send(1, "/seats/0", by=wish)[0] == 409
    pass_time(table, 601)
    until(lambda: table.view()["clock"]["seats"][0]["out"])
    assert table.view()["over"] is None
    assert table.view()["seats"][0]["by"] == "person"
    assert table.send(1, "/seats/0", by=wish)[0] == 200
    view = table.view()
    assert view["seats"][0]["by"] == "bot" if wish == "bot" else view["over"]["ended"]["how"] == "time"


@manner(28)
def test_taking_back_gives_no_time_back(client: TestClient) -> None:
    table = timed(client)
    pass_time(table, 100)
    assert table.act(0) == 200
    assert table.ask(0) == 200
    assert table.answer(1) == 200
    assert table.view(0)["decision"]
    pass_time(table, 50)
    assert table.act(0) == 200
    assert left(table)[0] < 465  # 150 seconds in all, and a step
