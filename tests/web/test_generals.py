"""The page of Generals."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from gonfalon.games.generals import Generals
from gonfalon.games.generals.rules.state import BOTH
from gonfalon.table import Person, Store, Tables
from gonfalon.web import create_app
from tests.generals.scenario import Table


def seat_at(client: TestClient, tables: Tables, position: Table) -> tuple[Any, dict[int, str]]:
    """Open a table at this position and return the seats' links."""
    assert client.portal is not None
    table, tokens = client.portal.call(tables.open_table, position.game, [Person("May"), Person("Bo")])
    for out in position.state.out:
        out[:] = [card | BOTH for card in out]
    table.position.state = position.state
    table.position.update_views()
    return table, tokens


def test_a_draft_is_one_post_and_pays_in_any_order(client: TestClient, tables: Tables) -> None:
    """Guan Yu is paid for with cards in a different order. He is in play, and no question came in between."""
    position = Table()
    position.may.holds("Guan Yu", "Militia", "Archers", "Plunder", "Reward the Army", "Zhou Cang", "Pang Tong")
    table, tokens = seat_at(client, tables, position)
    cost = position.may.cost("Guan Yu")
    assert cost >= 2
    address = f"/t/{table.key}/{tokens[0]}/"
    page = client.get(address).text
    assert f'data-pays="{cost}"' in page
    assert "Least useful: copies, then cards you cannot play." in page
    expected = re.search(r'name="expected" value="(\d+)"', page)
    assert expected is not None
    pays = ["reward-the-army", "archers", "plunder", "zhou-cang", "militia"][:cost]
    for wrong in (pays[:1] * cost, [*pays, "pang-tong"]):
        refused = {"expected": expected[1], "first": f"guan-yu {cost}", "act": wrong}
        assert client.post(address + "act", data=refused).status_code == 409
        assert "guan-yu" not in [unit.get("slug") for unit in table.build_view(0)["board"]["seats"][0]["units"]]
    answer = client.post(address + "act", data={"expected": expected[1], "first": f"guan-yu {cost}", "act": pays})
    assert answer.status_code == 303
    board = table.build_view(0)["board"]
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
    assert table.seats.standing_answer(1) == "able"
    assert table.build_view(1)["decision"] is None


TACTICS = ("Tactics - Water", "Tactics - Discord", "Militia", "Archers", "Plunder", "Reward the Army", "Zhou Cang")


def drafting() -> Table:
    """May can drown up to two of Bo's generals. Only Lu Su and Gan Ning are near, and Sun Quan is one zone away."""
    position = Table(ask=True)
    position.may.has("Guan Yu", "Huang Zhong", at="BORDER").holds(*TACTICS)
    position.david.has("Lu Su", "Gan Ning", at="ENEMY_BORDER").has("Sun Quan", at="BORDER").holds("Militia")
    return position


def version(page: str) -> str:
    found = re.search(r'name="expected" value="(\d+)"', page)
    assert found is not None
    return found[1]


@pytest.mark.parametrize("aims", [["lu-su#2"], ["gan-ning#2", "lu-su#2"]])
def test_tactics_are_one_post_with_targets_and_payment(client: TestClient, tables: Tables, aims: list[str]) -> None:
    """One target of a possible two is enough, without a second question. Water costs two cards."""
    table, tokens = seat_at(client, tables, drafting())
    address = f"/t/{table.key}/{tokens[0]}/"
    sent = {"expected": version(client.get(address).text), "first": "tactics-water 2", "at": "guan-yu#1"}
    answer = client.post(address + "act", data={**sent, "aim": aims, "act": ["zhou-cang", "archers"]})
    assert answer.status_code == 303
    board = table.build_view(0)["board"]
    assert table.game.card("tactics-water")["name"] in board["act"]["text"]
    assert board["act"]["unit"] == "guan-yu#1"
    assert sorted(board["act"]["targets"]) == aims
    assert board["asked"] == "answer"
    hand = [card["slug"] for card in board["seats"][0]["hand"]]
    assert sorted(hand) == ["militia", "plunder", "reward-the-army", "tactics-discord"]


REFUSED_DRAFTS: tuple[dict[str, Any], ...] = (
    {"aim": ["lu-su#2", "sun-quan#2"], "act": ["archers", "plunder"]},  # of two zones
    {"aim": ["huang-zhong#1"], "act": ["archers", "plunder"]},  # no enemy
    {"aim": ["lu-su#2"], "act": ["archers", "sun-quan#2"]},
    {"aim": ["lu-su#2"], "act": ["archers", "tactics-water"]},  # the card itself
    {"aim": ["lu-su#2"], "act": ["archers", "archers"]},
)


def test_a_draft_that_cannot_be_is_refused_whole(client: TestClient, tables: Tables) -> None:
    table, tokens = seat_at(client, tables, drafting())
    address = f"/t/{table.key}/{tokens[0]}/"
    before = table.build_view(0)
    sent = {"expected": version(client.get(address).text), "first": "tactics-water 2", "at": "guan-yu#1"}
    for wrong in REFUSED_DRAFTS:
        refused = client.post(address + "act", data={**sent, **wrong}, headers={"X-Live": "1"})
        assert refused.status_code == 409
        assert refused.text == "Some of these choices are no longer possible. Choose again."
        assert table.build_view(0) == before


@pytest.mark.parametrize("able", [True, False], ids=["could", "could not"])
def test_all_viewers_see_the_same_end_of_a_window(tmp_path: Path, able: bool) -> None:
    """The window's end does not depend on the hand or the viewer. People who share a device have no window and see no
    end."""
    store = Store(f"sqlite:///{tmp_path / 'windows.db'}")
    tables = Tables(store, pace=0, pause=(2.5, 2.5))
    with TestClient(create_app(tables, {"generals": Generals})) as client:
        position = Table(ask=True)
        position.may.has("Guan Yu", at="BORDER")
        position.david.has("Lu Su", at="ENEMY_BORDER").holds("Feigned Retreat" if able else "Archers", "Militia")
        position.may.does("guan-yu#1", "lu-su#2")
        table, tokens = seat_at(client, tables, position)
        for token in (*tokens.values(), "watch"):
            assert 'data-fuse="2.5"' in client.get(f"/t/{table.key}/{token}/").text
        assert "Answers count after 3 seconds" in client.get(f"/t/{table.key}/{tokens[1]}/").text
    store.close()


def find_zones(page: str) -> dict[str, str]:
    """Return the classes of each zone that tell how it is used."""
    zones = re.findall(r'<section data-id="@[\w-]+" class="zone zone-([\w-]+) t-\w+ p-\w+ ([^"]*)"', page)
    return dict(zones)


def test_zones_print_how_they_are_used(client: TestClient, tables: Tables) -> None:
    """An empty zone is k0, one with both sides k2. Four generals on a side are stacked instead of facing the others."""
    position = Table()
    position.may.has("Guan Yu", "Zhang Fei", "Zhao Yun", at="BORDER").has("Liu Bei", at="ENEMY_BORDER")
    position.david.has("Lu Su", at="ENEMY_BORDER").resource(size=22)
    table, tokens = seat_at(client, tables, position)
    page = client.get(f"/t/{table.key}/{tokens[0]}/").text
    assert find_zones(page) == {"enemy-fortress": "k0", "enemy-border": "k1", "border": "k2", "fortress": "k0"}
    assert '<section class="field q2 r3"' in page
    assert "Raise your banner" not in page
    position.may.has("Pang Tong", at="BORDER").has("Huang Zhong")
    table, tokens = seat_at(client, tables, position)
    page = client.get(f"/t/{table.key}/{tokens[0]}/").text
    assert find_zones(page) == {"enemy-fortress": "k0", "enemy-border": "k1", "border": "k2 many", "fortress": "k1"}
    assert '<section class="field q3 r4 packed"' in page


def test_a_seat_shows_the_turns_left_and_its_opening(client: TestClient, tables: Tables) -> None:
    """RESOURCE 30 lasts 30 turns without Upkeep, and 10 turns with an Upkeep of 2: each turn costs a draw, too."""
    position = Table()
    position.may.resource(size=30).holds("Guan Yu")
    position.david.has("Lu Su", "Gan Ning").resource(size=32)
    table, tokens = seat_at(client, tables, position)
    page = client.get(f"/t/{table.key}/{tokens[0]}/").text
    assert re.findall(r'<p class="lasts">lasts (\d+) turns', page) == ["10", "30"]
    assert "Raise your banner" in page


def test_a_siege_that_can_be_answered_shows_what_it_would_leave(client: TestClient, tables: Tables) -> None:
    """Zhao Yun's Might of 5 would leave 22 of 27 RESOURCE. The seat, the besieger and the answering card are marked."""
    position = Table(ask=True)
    position.may.holds("Empty Fort", "Militia", "Archers").resource(size=27)
    position.david.has("Zhao Yun", at="ENEMY_BORDER")
    position.turn(position.david)
    position.david.does("zhao-yun#2", "siege")
    table, tokens = seat_at(client, tables, position)
    page = client.get(f"/t/{table.key}/{tokens[0]}/").text
    assert re.search(r'<section class="lord lord-low [^"]* hurt"', page)
    assert re.search(r'<span class="after">.*?<b>22</b></span>', page)
    assert re.findall(r'data-id="([\w#-]+)" class="unit [^"]* acting', page) == ["zhao-yun#2"]
    assert len(re.findall(r'class="slot [^"]* saves', page)) == 1
