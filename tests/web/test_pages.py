"""Pages: lobby, table, invitation and guide, all without scripts."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import urljoin

from starlette.testclient import TestClient

from gonfalon import games
from gonfalon.table import Tables
from gonfalon.table.links import hash_token
from gonfalon.web.lobby.guide_page import render_markdown
from gonfalon.web.shared.guard import CSP
from tests.table.opening import nonce
from tests.web.person import Page, Person, hidden, invited, open_table


def test_the_lobby_offers_every_game(client: TestClient) -> None:
    html = client.get("/").text
    games = re.findall(r'<li class="game" id="g-(\w+)"', html)
    assert {"feint", "generals", "duel"} <= set(games)
    assert html.count('action="/tables"') == len(games)
    for game in games:
        card = html.partition(f'id="g-{game}"')[2].partition("</li>")[0]
        assert f'href="/games/{game}/new"' in card
        whole = client.get(f"/games/{game}/new").text
        assert f'id="o-{game}-cards"' not in whole
        assert whole.count('action="/tables"') == 1
    assert 'value="keion"' in client.get("/games/feint/new").text
    assert client.get("/games/chess/new").status_code == 404


def test_a_whole_game_without_scripts(client: TestClient) -> None:
    person = Person(client, open_table(client, seat="random"))
    assert person.play_on() > 5
    end = person.look()
    assert re.search(r"Greedy has no|You win \d|You have no|Greedy wins \d", end.status)
    assert not end.answers()
    record = client.get(person.url + "record.json")
    assert record.json()["result"]["winners"] in ([0], [1])
    assert "attachment" in record.headers["content-disposition"]


def test_a_friend_comes_by_the_link(client: TestClient) -> None:
    url = open_table(client, opponent="friend")
    page = client.get(url).text
    invitation = invited(page)
    friend = client.get(invitation)
    assert friend.status_code == 200
    assert "May invites you" in friend.text
    form = {"name": "Bo", "nonce": hidden(friend.text, "nonce")}
    first = client.post(invitation + "sit", data=form)
    again = client.post(invitation + "sit", data=form)
    assert first.status_code == again.status_code == 303
    assert first.headers["location"] == again.headers["location"] != url
    assert "Bo" in client.get(url).text
    assert 'id="invite"' not in client.get(url).text
    client.cookies.clear()
    gone = client.get(invitation)
    assert gone.status_code == 410
    late = client.post(invitation + "sit", data={"name": "Cy", "nonce": nonce("Cy")})
    assert late.status_code == 410
    assert "taken" in late.text


def mine_of(html: str) -> list[str]:
    """Return the links to the visitor's own tables from the lobby."""
    return re.findall(r'<a href="(/mine/\w+)"><strong>', html)


def test_the_lobby_remembers_the_visitors_tables(client: TestClient) -> None:
    url = open_table(client)
    answer = client.get(url)
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    mine = re.findall(r'href="(/mine/[^"]+)"', client.get("/").text)
    assert [client.get(link).headers["location"] for link in mine] == [url]
    client.cookies.clear()
    assert 'id="mine-h"' not in client.get("/").text
    for rubbish in ("x" * 24, "x", "ü" * 24, "a" * 5000):
        assert client.get("/", headers=[(b"cookie", f"device={rubbish}".encode())]).status_code == 200


def test_the_lobby_forgets_none_of_many_tables(client: TestClient) -> None:
    urls = [open_table(client, game="duel", name=f"May {n}") for n in range(8)]
    for url in urls:
        client.get(url)
    html = client.get("/").text
    assert html.count('<li class="tile') == 4
    assert [client.get(link).headers["location"] for link in mine_of(html)] == urls[:-5:-1]
    assert "4 more of my tables" in html
    every = client.get("/?tables=all").text
    assert [client.get(link).headers["location"] for link in mine_of(every)] == urls[::-1]
    assert "more of my tables" not in every
    assert len(client.headers.get("cookie", "")) < 100
    assert len("; ".join(f"{c.name}={c.value}" for c in client.cookies.jar)) < 100


def test_the_database_alone_does_not_open_device_data(client: TestClient, tables: Tables) -> None:
    url = open_table(client, game="duel")
    client.get(url)
    device = client.cookies["device"]
    (link,) = tables.store.remembered(hash_token(device))
    assert url.split("/")[3] not in repr(link)
    assert device not in repr(link)
    assert tables.store.remembered(device) == []


def test_watching(client: TestClient) -> None:
    url = open_table(client)
    key = url.split("/")[2]
    there = client.get(f"/t/{key}")
    assert there.headers["location"] == f"/t/{key}/watch/"
    assert client.get(f"/t/{key}/watch").headers["location"] == f"/t/{key}/watch/"
    page = Page(client.get(f"/t/{key}/watch").text)
    assert not page.answers()
    assert "resign" not in page.html.lower()
    assert url.split("/")[3] not in page.html


def test_code_blocks_of_a_guide_scroll_by_keyboard() -> None:
    _, html = render_markdown("# A game\n\n```\nA < B\n```\n\n```toml\na = 1\n```\n")
    assert re.findall('<pre tabindex="0" role="group" aria-label="([^"]*)">([^<]*)</pre>', html) == [
        ("A picture in letters", "A &lt; B\n"),
        ("An example in TOML", "a = 1\n"),
    ]


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


def test_every_link_of_a_guide_leads_somewhere(client: TestClient) -> None:
    """A guide is also read in the source, where its links name files beside it."""
    for game in games.names():
        guide = f"/games/{game}/guide"
        for link in sorted(set(re.findall(r'href="([^"#]+)', client.get(guide).text))):
            if not link.startswith("http"):
                answer = client.get(urljoin(guide, unescape(link)), follow_redirects=True)
                assert answer.status_code == 200, (game, link)
