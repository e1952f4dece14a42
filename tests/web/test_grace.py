"""The page of a grace: a button that says how long it lasts, with and without script, and no trace on other pages."""

from __future__ import annotations

import re
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.web.person import Page


def opened(client: TestClient, **body: Any) -> tuple[str, list[str]]:
    """A table of two people; its API address and the tokens of its seats."""
    answer = client.post("/api/tables", json={"game": "feint", "seats": ["me", "me"]} | body).json()
    return f"/api/tables/{answer['table']}", [seat["token"] for seat in answer["seats"]]


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def main_of(client: TestClient, address: str, token: str) -> str:
    html = client.get(f"/t/{address.rpartition('/')[2]}/{token}/").text
    return html[html.index("<main") : html.index("</main>")]


def test_the_button_tells_how_long_and_takes_back(client: TestClient) -> None:
    address, tokens = opened(client, grace=5)
    views = [client.get(address, headers=bearer(token)).json() for token in tokens]
    seat = next(view["viewer"] for view in views if view["decision"])
    mine, others = tokens[seat], [tokens[1 - seat], "watch"]
    before = [main_of(client, address, token) for token in [mine, *others]]
    move = {"expected": views[seat]["version"], "actions": [views[seat]["decision"]["actions"][0]["id"]]}
    held = client.post(address + "/actions", json=move, headers=bearer(mine)).json()
    assert held["held"]["actions"] == [views[seat]["decision"]["actions"][0]]
    assert held["decision"] is None
    page = f"/t/{address.rpartition('/')[2]}/{mine}/"
    html = client.get(page).text
    found = Page(html)
    assert found.status.startswith("You have chosen: ")
    assert [control.value for control in found.named("back")] == ["1"]
    assert not found.answers()
    left = re.search(r'data-left="(\d)" aria-hidden="true">\((\d)\)', html)
    assert left
    assert left[1] == left[2] in ("4", "5")
    assert f'<noscript><meta http-equiv="refresh" content="{int(left[1]) + 1}; url=./"></noscript>' in html
    assert [main_of(client, address, token) for token in others] == before[1:]
    answer = client.post(page + "act", data=dict(found.hidden) | {"back": "1"}, follow_redirects=False)
    assert answer.status_code == 303
    assert client.get(address, headers=bearer(mine)).json()["held"] is None
    after = main_of(client, address, mine)
    assert re.sub(r'name="expected" value="\d+"', "", after) == re.sub(r'name="expected" value="\d+"', "", before[0])


def test_a_card_that_is_held_bears_where_it_goes(client: TestClient) -> None:
    """On one's own page; nobody else's shows anything."""
    address, tokens = opened(client, grace=5)
    views = [client.get(address, headers=bearer(token)).json() for token in tokens]
    view = next(view for view in views if view["decision"])
    mine, theirs = tokens[view["viewer"]], tokens[1 - view["viewer"]]
    card = next(action["id"] for action in view["decision"]["actions"] if "@" in action["id"])
    client.post(address + "/actions", json={"expected": view["version"], "actions": [card]}, headers=bearer(mine))
    slug, _, place = card.partition("@")
    hand = re.findall(r'<li id="c-[^"]*" class="slot">.*?</li>', main_of(client, address, mine), re.DOTALL)
    marked = [slot for slot in hand if "ribbon" in slot]
    assert len(marked) == 1
    assert f'popovertarget="card-{slug}"' in marked[0]
    assert f'<span class="ribbon">to {place}</span>' in marked[0]
    assert 'class="ribbon"' not in main_of(client, address, theirs)


@pytest.mark.parametrize(("game", "has"), [("feint", True), ("duel", False)])
def test_the_form_offers_it_where_it_is(client: TestClient, game: str, has: bool) -> None:
    html = client.get(f"/games/{game}/new").text
    form = re.search(rf'<input type="hidden" name="game" value="{game}">.*?</form>', html, re.DOTALL)
    assert form
    assert re.findall(r'name="grace" value="(\d)" checked', form[0]) == (["3"] if has else [])


def test_what_the_form_chooses(client: TestClient) -> None:
    sent = {"game": "feint", "opponent": "beside", "seat": "0"}
    wrong = client.post("/tables", data=sent | {"grace": "7"})
    assert wrong.status_code == 400
    assert "0, 3 or 5 seconds" in wrong.text
    assert client.post("/tables", data=sent | {"grace": "0"}, follow_redirects=False).status_code == 303
    assert client.post("/api/tables", json={"game": "feint", "grace": 4}).status_code == 400
