"""Two processes at one database without notifications: each still reads all changes acknowledged by the other."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from itertools import cycle
from typing import Any

import pytest
from starlette.testclient import TestClient

from gonfalon.table import Store, Tables
from gonfalon.table.store.notifications import Listener
from gonfalon.web import create_app
from gonfalon.web.http.rate_limits import Limits
from tests.web.conftest import find, kinds
from tests.web.person import Page

NONCE = "a-nonce-of-22-letters-"


class Balanced:
    """Sends requests alternately to both processes."""

    def __init__(self, *clients: TestClient) -> None:
        self.clients: cycle[TestClient] = cycle(clients)

    def ask(self, method: str, path: str, token: str = "", **more: Any) -> Any:
        headers = {"authorization": f"Bearer {token}"} if token else {}
        return next(self.clients).request(method, path, headers=headers, **more)

    def get(self, path: str, token: str = "") -> Any:
        answer = self.ask("GET", path, token)
        assert answer.status_code == 200, answer.text
        return answer

    def post(self, path: str, token: str = "", **body: Any) -> Any:
        answer = self.ask("POST", path, token, json=body)
        assert answer.status_code in (200, 201), answer.text
        return answer.json()

    def click(self, path: str, **form: Any) -> str:
        """Post a form without scripts and follow the redirect at the other process."""
        answer = self.ask("POST", path, data=form)
        assert answer.status_code == 303, answer.text
        page: str = self.get(answer.headers["location"]).text
        return page


@pytest.fixture
def two(database: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Balanced]:
    for method in ("start", "close"):
        monkeypatch.setattr(Listener, method, lambda self: None)
    with ExitStack() as stack:
        clients = []
        for _ in range(2):
            store = Store(database)
            stack.callback(store.close)
            app = create_app(Tables(store, pace=0, pause=(0, 0), find=find), kinds(), Limits(0))
            clients.append(stack.enter_context(TestClient(app, follow_redirects=False)))
        yield Balanced(*clients)


def open_duel(two: Balanced) -> tuple[str, list[str]]:
    opened = two.post("/api/tables", game="duel", seats=["me", "me"], name="May")
    return opened["table"], [seat["token"] for seat in opened["seats"]]


def answer(two: Balanced, api: str, token: str) -> dict[str, Any]:
    """Take the first legal action of one process's question at the other. Return its view."""
    view = two.get(api, token).json()
    action = view["decision"]["actions"][0]["id"]
    after: dict[str, Any] = two.post(f"{api}/actions", token, expected=view["version"], actions=[action])
    return after


def test_a_move_is_seen_by_the_next_request(two: Balanced) -> None:
    key, tokens = open_duel(two)
    api = f"/api/tables/{key}"
    for _ in range(10):
        views = [two.get(api, token).json() for token in tokens for _ in range(2)]
        turn = next(seat for seat in (0, 1) if views[2 * seat]["decision"])
        assert answer(two, api, tokens[turn]) == two.get(api, tokens[turn]).json()
        if two.get(api).json()["over"]:
            break
    two.post(f"{api}/resignation", tokens[0])
    assert two.get(api, tokens[1]).json()["over"]
    assert "decisions" in two.get(f"{api}/record", tokens[1]).json()


def test_the_page_after_a_click_without_script_asks_the_next_question(two: Balanced) -> None:
    key, tokens = open_duel(two)
    asked = set()
    for _ in range(6):
        pages = {token: Page(two.get(f"/t/{key}/{token}/").text) for token in tokens for _ in range(2)}
        token = next(token for token in tokens if pages[token].answers())
        form = dict([*pages[token].hidden, *pages[token].answers()[0]])
        assert (token, form["expected"]) not in asked, "an old question"
        asked.add((token, form["expected"]))
        page = two.click(f"/t/{key}/{token}/act", **form)
        assert dict(Page(page).hidden).get("expected") != form["expected"]


def test_sitting_down_and_the_deal(two: Balanced) -> None:
    opened = two.post("/api/tables", game="duel", seats=["me", "open"], name="May")
    api, mine = f"/api/tables/{opened['table']}", opened["seats"][0]["token"]
    for _ in range(2):
        assert two.get(api, mine).json()["stage"] == "waiting"
    theirs = two.post(f"{api}/seats", opened["invitation"], nonce=NONCE, name="Bo", ready=False)["token"]
    assert two.get(api, theirs).json()["names"] == ["May", "Bo"]
    two.post(f"{api}/ready", theirs)
    assert two.get(api, mine).json()["stage"] == "playing"


def test_resigning_and_the_rematch(two: Balanced) -> None:
    key, tokens = open_duel(two)
    api = f"/api/tables/{key}"
    for token in tokens:
        two.get(api, token)
    two.post(f"{api}/resignation", tokens[0])
    offered = two.post(f"{api}/rematch", tokens[0], nonce=NONCE)
    assert "offers a rematch" in two.get(f"/t/{key}/{tokens[1]}/").text
    two.post(f"{api}/rematch/refusal", tokens[1])
    assert "You declined" in two.get(f"/t/{key}/{tokens[1]}/").text
    joined = two.post(f"{api}/rematch", tokens[1], nonce=NONCE)
    assert joined["table"] == offered["table"]
    assert two.get(f"/api/tables/{joined['table']}", offered["token"]).json()["names"] == ["May 2", "May"]


def test_curtains_and_standing_answers(two: Balanced) -> None:
    opened = two.ask("POST", "/tables", data={"game": "moot", "who-1": "beside", "name": "May", "name-1": "Bo"})
    assert opened.status_code == 303, opened.text
    page = opened.headers["location"]
    for seat in ("0", "1", "0"):
        for _ in range(2):
            two.get(page)
        shown = two.click(f"{page}screen", seat=seat)
        assert f'name="seat" value="{seat}"' in shown
    for choice in ("able", "never"):
        shown = two.click(f"{page}answers", seat="0", answers=choice)
        assert f'value="{choice}" checked' in shown


def test_a_table_that_another_process_has_deleted(two: Balanced, database: str) -> None:
    key, tokens = open_duel(two)
    for _ in range(2):
        two.get(f"/api/tables/{key}", tokens[0])
    store = Store(database)
    store.clear(key)
    store.close()
    for path in (f"/api/tables/{key}", f"/t/{key}/{tokens[0]}/"):
        for _ in range(2):
            assert two.ask("GET", path, tokens[0]).status_code == 404
