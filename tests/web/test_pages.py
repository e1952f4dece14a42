"""Pages: lobby, table, invitation, guide; all of it works without scripts."""

from __future__ import annotations

import re

import pytest
from starlette.testclient import TestClient

from gonfalon.table import Hall
from gonfalon.web.guard import CSP
from tests.web.person import Page, Person, invited, open_table


def test_the_lobby_offers_every_game(client: TestClient) -> None:
    html = client.get("/").text
    assert "Warriors of Jogu: Feint" in html
    assert 'value="keion"' in html
    assert 'action="/tables"' in html
    assert 'name="cards"' not in html
    links = re.findall(r'href="#(g-\w+)"', html)
    assert len(links) == html.count('action="/tables"')
    assert links == re.findall(r'<h2 id="(g-\w+)"', html)


@pytest.mark.parametrize("seed", [1, 2])
def test_a_whole_game_without_scripts(client: TestClient, seed: int) -> None:
    person = Person(client, open_table(client, seat="random"), seed)
    assert person.play_on() > 5
    end = person.look()
    assert re.search(r"You (win|lose)\. (May|Greedy) wins", end.status)
    assert not end.answers()
    record = client.get(person.url + "/record.json")
    assert record.json()["result"]["winners"] in ([0], [1])
    assert "attachment" in record.headers["content-disposition"]


def test_a_friend_comes_by_the_link(client: TestClient) -> None:
    url = open_table(client, opponent="friend")
    page = client.get(url).text
    invitation = invited(page)
    friend = client.get(invitation)
    assert friend.status_code == 200
    assert "May has a seat for you" in friend.text
    sit = re.search(r'action="([^"]+/sit\?nonce=[^"]+)"', friend.text)
    assert sit is not None
    first = client.post(sit[1], data={"name": "Bo"})
    again = client.post(sit[1], data={"name": "Bo"})
    assert first.status_code == again.status_code == 303
    assert first.headers["location"] == again.headers["location"] != url
    assert "Bo" in client.get(url).text
    assert 'id="invite"' not in client.get(url).text
    client.cookies.clear()
    gone = client.get(invitation)
    assert gone.status_code == 410
    late = client.post(invitation + "/sit?nonce=other", data={"name": "Cy"})
    assert late.status_code == 410
    assert "taken" in late.text


def test_two_friends_play_to_the_end(client: TestClient, hall: Hall) -> None:
    url = open_table(client, game="duel")
    key, token = url.split("/")[2:]
    other = client.post(invited(client.get(url).text) + "/sit?nonce=1", data={"name": "Bo"}).headers["location"]
    people = [Person(client, url), Person(client, other)]
    while not (pages := [person.look() for person in people])[0].status.startswith(("You win", "You lose", "Both")):
        person, page = next((person, page) for person, page in zip(people, pages, strict=True) if page.answers())
        assert person.send(page.answers()[-1]).status_code == 303
    for person in people:
        answer = client.post(person.url + "/rematch")
        assert answer.status_code == 303
        assert answer.headers["location"].split("/")[2] != key
        assert client.get(answer.headers["location"]).status_code == 200
    assert token not in client.get(other).text


def test_a_second_device_is_the_same_link(client: TestClient) -> None:
    url = open_table(client, game="duel")
    client.cookies.clear()
    assert Page(client.get(url).text).answers()


def test_the_lobby_remembers_ones_tables(client: TestClient) -> None:
    url = open_table(client)
    answer = client.get(url)
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    assert url in client.get("/").text
    client.cookies.clear()
    client.cookies.set("tables", "no.such~rubbish~.~" + "x" * 500)
    assert client.get("/").status_code == 200


def test_watching(client: TestClient) -> None:
    url = open_table(client)
    key = url.split("/")[2]
    there = client.get(f"/t/{key}")
    assert there.headers["location"] == f"/t/{key}/watch"
    page = Page(client.get(f"/t/{key}/watch").text)
    assert not page.answers()
    assert "concede" not in page.html.lower()
    assert url.split("/")[3] not in page.html


def test_conceding(client: TestClient) -> None:
    url = open_table(client)
    assert client.post(url + "/concede").status_code == 303
    assert client.post(url + "/concede").status_code == 303
    page = Page(client.get(url).text)
    assert page.status == "You conceded."
    again = client.post(url + "/rematch")
    assert again.status_code == 303
    assert Person(client, again.headers["location"]).play_on()


def test_taking_an_answer_back(client: TestClient) -> None:
    person = Person(client, open_table(client, game="duel"))
    page = person.look()
    card = page.named("act")[0].value
    assert person.send([*page.hidden, ("act", card), ("then", "done")]).status_code == 303
    waiting = person.look()
    assert not waiting.named("act")
    (back,) = waiting.named("back")
    assert person.send([*waiting.hidden, (back.name, back.value)]).status_code == 303
    assert person.look().named("act")[0].value == card


def test_the_guide_has_anchors(client: TestClient) -> None:
    html = client.get("/games/duel/guide").text
    assert "<h1>Duel</h1>" in html
    assert '<h2 id="the-exchange">The exchange</h2>' in html


def test_every_ruling_of_the_guide_can_be_linked_to(client: TestClient) -> None:
    html = client.get("/games/feint/guide").text
    for number in range(1, 78):
        assert html.count(f'id="ruling-{number}"') == 1


def test_other_pages(client: TestClient) -> None:
    assert client.get("/about").status_code == 200
    assert client.get("/healthz").text == "ok"
    assert client.head("/").status_code == 200
    css = client.get("/games/duel/table.css?v=1")
    assert css.headers["content-type"].startswith("text/css")
    assert "immutable" in css.headers["cache-control"]


def test_all_that_a_page_loads_is_there_and_lasts(client: TestClient) -> None:
    html = client.get(open_table(client)).text
    links = re.findall(r'(?:src|href)="(/(?:static|games)/[^"#]+)', html)
    assert len(set(links)) > 4
    for link in set(links):
        answer = client.get(link)
        assert answer.status_code == 200, link
        if link.startswith("/static") or ".css" in link:
            assert "immutable" in answer.headers["cache-control"]


def test_security_headers_are_on_every_answer(client: TestClient) -> None:
    for path in ("/", "/about", "/nothing", "/healthz", "/api/games", open_table(client)):
        headers = client.get(path).headers
        assert headers["content-security-policy"] == CSP
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
        assert headers["cache-control"] == "no-store"
    assert "unsafe" not in CSP


def test_pages_have_no_inline_script_or_style(client: TestClient) -> None:
    for path in ("/", "/about", "/nothing", open_table(client)):
        html = client.get(path).text
        assert not re.search(r"<script(?![^>]* src=)[^>]*>|<style|\sstyle=|\son[a-z]+=", html)


def test_markup_in_a_name_is_only_text(client: TestClient) -> None:
    html = client.get(open_table(client, name="<b>May</b>")).text
    assert "<b>May" not in html
    assert "&lt;b&gt;May" in html
