"""Tables of many seats in the browser, without scripts: the lobby's form, links, bots in place of people, leaving."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from starlette.testclient import TestClient

from gonfalon.table import Person, Robot, Seating, Tables
from gonfalon.table.links import WATCH, derive_invitation
from tests.table.opening import nonce
from tests.web.person import Page
from tests.web.person import Person as Guest

MOOT = {"game": "moot", "seat": "0", "name": "May"}
CHAIR = re.compile(
    r'<li id="at-(\d)" class="chair chair-(\w+)( [^"]*)?">.*?<span class="chair-name"><bdi>(.*?)</bdi></span>',
    re.DOTALL,
)


def open_moot(client: TestClient, *others: str, **more: str) -> str:
    fields = {f"who-{n}": who for n, who in enumerate(others, start=1)}
    answer = client.post("/tables", data=MOOT | fields | more)
    assert answer.status_code == 303, answer.text
    location: str = answer.headers["location"]
    return location


def chairs(html: str) -> list[tuple[str, str]]:
    """The names at the table and how each is there."""
    return [(unescape(name), sign) for _, sign, _, name in CHAIR.findall(html)]


def links(html: str) -> list[str]:
    """The paths of all links in a page that invite friends."""
    return re.findall(r'id="invite-url"[^>]* value="http://testserver(/t/[^"]+)"', html)


def test_the_lobby_asks_for_the_other_players(client: TestClient) -> None:
    html = client.get("/games/moot/new").text
    form = re.search(r'<input type="hidden" name="game" value="moot">.*?</form>', html, re.DOTALL)
    assert form is not None
    rows = re.findall(r'<select id="[^"]+" name="who-(\d)">(.*?)</select>', form[0], re.DOTALL)
    assert [number for number, _ in rows] == ["1", "2", "3", "4"]
    chosen = [re.findall(r'value="([^"]+)" selected', options) for _, options in rows]
    assert chosen == [["bot:random"], ["bot:random"], ["nobody"], ["nobody"]]  # three seats are the default
    assert ["nobody" in options for _, options in rows] == [False, True, True, True]
    assert 'name="seats"' not in form[0]
    assert re.search(r'<input [^>]*name="rounds"[^>]* type="number" [^>]*min="1" max="2"', form[0])
    two = re.search(
        r'<input type="hidden" name="game" value="duel">.*?</form>', client.get("/games/duel/new").text, re.DOTALL
    )
    assert two is not None
    assert 'name="who-1"' not in two[0]
    assert 'value="beside"' in two[0]


def test_the_seats_go_round_from_the_openers(client: TestClient) -> None:
    html = client.get(open_moot(client, "beside", "bot:random", seat="2", **{"name-1": "Bo"})).text
    assert [name for name, _ in chairs(html)] == ["Bo", "Random", "May"]


def test_a_table_that_cannot_be_set_up_keeps_the_form(client: TestClient) -> None:
    wrong: tuple[tuple[dict[str, str], str], ...] = (
        ({}, "must be one of 2, 3, 4, 5"),
        ({"who-1": "somebody"}, "Choose the other player"),
        ({"who-1": "bot:genius"}, "genius"),
        ({"who-1": "friend", "seat": "2"}, "seats 0 to 1"),
    )
    for fields, says in wrong:
        answer = client.post("/tables", data=MOOT | fields)
        assert answer.status_code == 400
        assert says in answer.text
        assert 'value="May"' in answer.text


def test_one_link_leads_all_friends_to_the_free_seats(client: TestClient) -> None:
    url = open_moot(client, "friend", "bot:random", "friend", "friend")
    html = client.get(url).text
    (link,) = links(html)
    assert "One link for all seats" in html
    assert html.count("Your friend") == 3
    offer = client.get(link).text
    assert "May invites you" in offer
    assert re.findall(r"<h2>(.*?)</h2>", offer) == ["May", "You", "Random", "Free seat", "Free seat"]
    bo = client.post(link + "sit", data={"name": "Bo", "nonce": nonce("Bo")}).headers["location"]
    assert re.findall(r"<h2>(.*?)</h2>", client.get(bo).text) == ["May", "Bo", "Random", "Free seat", "Free seat"]
    assert links(client.get(url).text) == [link]
    cy = client.post(link + "sit", data={"name": "Cy", "nonce": nonce("Cy")}).headers["location"]
    assert re.findall(r"<h2>(.*?)</h2>", client.get(cy).text) == ["May", "Bo", "Random", "Cy", "Free seat"]
    assert "Send this link" in client.get(url).text
    # Only the opener sees the link.
    assert links(client.get(bo).text) == []
    assert derive_invitation(url.split("/")[3]) not in client.get(cy).text
    di = client.post(link + "sit", data={"name": "Di", "nonce": nonce("Di")}).headers["location"]
    assert 'id="invite-url"' not in client.get(url).text
    client.cookies.clear()
    assert client.get(link).status_code == 410
    people = [Guest(client, path) for path in (url, bo, cy, di)]
    for _ in range(60):
        for person in people:
            page = person.look()
            if page.answers():
                assert person.send(page.answers()[0]).status_code == 303
        if 'action="rematch"' in people[0].look().html:
            break
    assert all('href="replay"' in person.look().html for person in people)


def test_the_invitation_leads_back_to_the_players_own_seat(client: TestClient) -> None:
    url = open_moot(client, "friend", "friend")
    html = client.get(url).text
    client.cookies.clear()
    bo = client.post(links(html)[0] + "sit", data={"name": "Bo", "nonce": nonce("Bo")}).headers["location"]
    client.get(bo)
    other = client.get(links(html)[0]).text  # it leads to one more seat
    found = re.search(r'class="offer">.*?href="([^"]+)"', other)
    assert found is not None
    assert client.get(found[1]).headers["location"] == bo
    assert "already" in other


def test_a_bot_replaces_a_player_that_returns_on_another_device(client: TestClient, tables: Tables) -> None:
    assert client.portal is not None
    table, tokens = client.portal.call(tables.open_table, tables.find("moot"), [Person(n) for n in ("May", "Bo", "Cy")])
    may, bo = (f"/t/{table.key}/{tokens[seat]}/" for seat in (0, 1))
    table.presence.grace = table.presence.patience = 60.0
    client.get(bo)
    html = client.get(may).text
    assert "/bot" not in html
    assert client.post(f"{may}seats/1/bot").status_code == 409
    table.presence.grace = 0.0
    assert chairs(client.get(may).text)[1] == ("Bo", "here")  # and thinks, before a page without script
    table.presence.patience = 0.0
    html = client.get(may).text
    assert chairs(html)[1] == ("Bo", "away")
    assert "The game waits for Bo, who is away." in html
    assert client.post(f"{may}seats/1/bot").status_code == 303
    assert "bot plays" in client.get(may).text
    client.cookies.clear()
    table.presence.patience = 60.0
    page = client.get(bo).text
    assert "A bot plays in your place." in page
    assert not Page(page).answers()
    assert client.post(bo + "act", data={"expected": "1", "act": "k10"}).status_code == 409
    assert client.post(bo + "return").status_code == 303
    page = client.get(bo).text
    assert "A bot plays in your place." not in page
    assert chairs(page)[1] == ("Bo", "here")


def test_a_lost_link(client: TestClient) -> None:
    url = open_moot(client, "bot:random")
    key = url.split("/")[2]
    client.get(url)
    broken = url[:-4] + "/"
    answer = client.get(broken)
    assert answer.status_code == 404
    own = re.findall(r'href="(/mine/[^"]+)"', answer.text)[0]  # this browser knows the seat
    assert client.get(own).headers["location"] == url
    assert f'href="{own}"' in client.get(f"/t/{key}/{WATCH}/").text
    client.cookies.clear()
    answer = client.get(broken)
    assert answer.status_code == 404
    assert "may be incomplete" in answer.text
    assert "your own link" in answer.text
    assert own not in answer.text
    assert own not in client.get(f"/t/{key}/{WATCH}/").text
    assert client.get(own).status_code == 404
    assert "keep it to yourself" in client.get(url).text
    # Of a link that ends with the table's own part, the table can be watched at least.
    for cut in (f"/t/{key}", f"/t/{key}/"):
        assert client.get(cut).headers["location"] == f"/t/{key}/{WATCH}/"


def test_answers_by_themselves(client: TestClient) -> None:
    url = open_moot(client, "bot:random")
    html = client.get(url).text
    assert "My answers: always ask" in html
    assert client.post(url + "answers", data={"answers": "able"}).status_code == 303
    html = client.get(url).text
    assert "My answers: ask if I could" in html
    assert re.search(r'value="able" checked', html)
    assert client.post(url + "answers", data={"answers": "sometimes"}).status_code == 400
    watch = client.get(f"/t/{url.split('/')[2]}/{WATCH}/").text
    assert "My answers" not in watch
    assert client.post(f"/t/{url.split('/')[2]}/{WATCH}/answers", data={"answers": "able"}).status_code == 403


def test_invalid_requests_of_a_seat(client: TestClient) -> None:
    url = open_moot(client, "bot:random")
    for path in ("seats/7/bot", "seats/x/bot", "seats/²/bot", "screen"):
        assert client.post(url + path).status_code == 404, path
    assert client.post(url + "seats/1/bot").status_code == 303  # a bot sits there already
    assert client.post(url + "return").status_code == 303
    watch = f"/t/{url.split('/')[2]}/{WATCH}/"
    for path in ("seats/1/bot", "return"):
        assert client.post(watch + path).status_code == 403, path


def test_the_same_for_programs(client: TestClient) -> None:
    answer = client.post("/api/tables", json={"game": "moot", "seats": ["me", "open", "bot:random", "open"]}).json()
    assert [row["seat"] for row in answer["invitations"]] == [1, 3]
    me = {"Authorization": f"Bearer {answer['seats'][0]['token']}"}
    table = f"/api/tables/{answer['table']}"
    ticket = {"Authorization": f"Bearer {answer['invitations'][1]['invitation']}"}
    sat = client.post(f"{table}/seats", json={"name": "Di", "nonce": nonce("di")}, headers=ticket).json()
    assert sat["seat"] == 3
    seats = client.post(f"{table}/seats/1", json={"by": "bot"}, headers=me).json()["seats"]
    assert [row["by"] for row in seats] == ["person", "bot", "bot", "person"]
    assert all(row["asked"] for row in seats)
    assert client.post(f"{table}/answers", json={"answers": "able"}, headers=me).json() == {"answers": "able"}
    assert client.post(f"{table}/resignation", headers=me).json()["over"] is None
    assert client.post(f"{table}/seats/0", json={"by": "me"}, headers=me).json()["seats"][0]["by"] == "person"
    for seat, by in ((0, "you"), (1, "me")):
        assert client.post(f"{table}/seats/{seat}", json={"by": by}, headers=me).status_code == 400
    assert client.post(f"{table}/seats/9", json={"by": "bot"}, headers=me).status_code == 404
    assert client.post(f"{table}/seats/1", json={"by": "bot"}).status_code == 403


@pytest.mark.parametrize(("options", "said"), [({"cards": {"form": 1, "box": {"morale": 30}}}, 1), ({}, 0)])
def test_the_page_says_that_a_bot_was_trained_with_other_cards(
    client: TestClient, tables: Tables, options: dict[str, Any], said: int
) -> None:
    assert client.portal is not None
    game = tables.find("feint", **options)
    seating: list[Seating] = [Person("May"), Robot("expert")]
    table, tokens = client.portal.call(tables.open_table, game, seating)
    page = client.get(f"/t/{table.key}/{tokens[0]}/").text
    assert page.count("Expert was trained with other cards") == said
