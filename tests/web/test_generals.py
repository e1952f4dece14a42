"""The page of Generals."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from gonfalon.games.generals import Generals
from gonfalon.games.generals.rules.state import BOTH
from gonfalon.table import Person, Store, Tables
from gonfalon.web import create_app
from tests.generals.scenario import Table


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Tables]:
    store = Store(f"sqlite:///{tmp_path / 'tables.db'}")
    yield Tables(store, pace=0, pause=(0, 0))
    store.close()


@pytest.fixture
def client(tables: Tables) -> Iterator[TestClient]:
    with TestClient(create_app(tables, {"generals": Generals}), follow_redirects=False) as client:
        yield client


def test_what_would_do_nothing_says_so_before_it_is_paid(client: TestClient, tables: Tables) -> None:
    """Zhang Fei with nobody to hear him, and a reward for an army that is not there; then with both."""
    assert client.portal is not None
    for heard in (False, True):
        position = Table()
        position.may.holds("Reward the Army", "Militia", "Archers")
        if heard:
            position.may.has("Zhang Fei", at="BORDER")
            position.david.has("Lu Su", at="ENEMY_BORDER")
        table, tokens = client.portal.call(tables.open_table, position.game, [Person("May"), Person("Bo")])
        for out in position.state.out:  # where what a table is laid without lies, unseen
            out[:] = [card | BOTH for card in out]
        table.position.state = position.state
        table.position.look()
        render = client.app.state.services.render  # type: ignore[attr-defined]
        page = render.board(table, tokens[0])
        assert ("Would do nothing now" in page) is not heard
        if heard:
            continue
        position.may.has("Zhang Fei", at="BORDER")
        table.position.look()
        page = render.board(table, tokens[0])
        assert "<small>Cost 1; would do nothing now</small>" in page
        assert "Would do nothing now" not in page


def seat_at(client: TestClient, tables: Tables, position: Table) -> tuple[Any, dict[int, str]]:
    """A table of this position, and the seats' links."""
    assert client.portal is not None
    table, tokens = client.portal.call(tables.open_table, position.game, [Person("May"), Person("Bo")])
    for out in position.state.out:
        out[:] = [card | BOTH for card in out]
    table.position.state = position.state
    table.position.look()
    return table, tokens


def test_a_draft_is_one_post_and_pays_in_any_order(client: TestClient, tables: Tables) -> None:
    """Guan Yu for cards given in the wrong order: he stands there, and nobody was asked in between."""
    position = Table()
    position.may.holds("Guan Yu", "Militia", "Archers", "Plunder", "Reward the Army", "Zhou Cang", "Pang Tong")
    table, tokens = seat_at(client, tables, position)
    cost = position.may.cost("Guan Yu")
    assert cost >= 2
    address = f"/t/{table.key}/{tokens[0]}/"
    page = client.get(address).text
    assert f'data-pays="{cost}"' in page
    expected = re.search(r'name="expected" value="(\d+)"', page)
    assert expected is not None
    pays = ["reward-the-army", "archers", "plunder", "zhou-cang", "militia"][:cost]
    for wrong in (pays[:1] * cost, [*pays, "pang-tong"]):
        refused = {"expected": expected[1], "first": f"guan-yu {cost}", "act": wrong}
        assert client.post(address + "act", data=refused).status_code == 409
        assert "guan-yu" not in [unit.get("slug") for unit in table.shown(0)["board"]["seats"][0]["units"]]
    answer = client.post(address + "act", data={"expected": expected[1], "first": f"guan-yu {cost}", "act": pays})
    assert answer.status_code == 303
    board = table.shown(0)["board"]
    assert [unit["slug"] for unit in board["seats"][0]["units"]] == ["guan-yu"]
    assert board["seats"][0]["hand_count"] == 6 - cost


def test_pass_until_i_can_answer_passes_and_stands(client: TestClient, tables: Tables) -> None:
    position = Table(ask=True)
    position.may.has("Guan Yu", at="BORDER")
    position.david.has("Lu Su", at="ENEMY_BORDER").holds("Militia", "Plunder")
    position.may.does("guan-yu#1", "lu-su#2")
    table, tokens = seat_at(client, tables, position)
    address = f"/t/{table.key}/{tokens[1]}/"
    page = client.get(address).text
    assert "Pass until I can answer" in page
    expected = re.search(r'name="expected" value="(\d+)"', page)
    assert expected is not None
    sent = {"expected": expected[1], "act": "pass", "answers": "able"}
    assert client.post(address + "act", data=sent).status_code == 303
    assert table.seats.standing(1) == "able"
    assert table.shown(1)["decision"] is None


def test_every_general_that_may_be_chosen_is_a_button_on_the_table(client: TestClient, tables: Tables) -> None:
    """Who executes Tactics, then whom they are for."""
    position = Table()
    position.may.has("Guan Yu", "Pang Tong", at="BORDER").holds("Tactics - Ambush", "Militia", "Archers", "Plunder")
    position.david.has("Lu Su", "Lu Xun", at="ENEMY_BORDER")
    table, tokens = seat_at(client, tables, position)
    address = f"/t/{table.key}/{tokens[0]}/"
    for answer in ("tactics-ambush", "pang-tong#1"):
        page = client.get(address).text
        expected = re.search(r'name="expected" value="(\d+)"', page)
        assert expected is not None
        sent = {"expected": expected[1], "act": answer}
        assert client.post(address + "act", data=sent).status_code == 303
        page = client.get(address).text
        asked = [action["id"] for action in table.shown(0)["decision"]["actions"] if "#" in action["id"]]
        found = re.findall(r'<button class="strike on" form="act" name="act" value="([^"]+)"', page)
        assert sorted(found) == sorted(asked)
