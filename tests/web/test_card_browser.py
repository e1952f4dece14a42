"""The card browser: every card of every game, by addresses and a plain form, the same for all visitors."""

from __future__ import annotations

import re
from html import unescape

import pytest
from starlette.testclient import TestClient

from gonfalon import games
from tests.web.every import HOUSE
from tests.web.person import open_table


def page(client: TestClient, game: str = "generals", **fields: str) -> str:
    answer = client.get(f"/games/{game}/cards", params=fields)
    assert answer.status_code == 200
    return answer.text


def names(html: str) -> list[str]:
    return [unescape(name) for name in re.findall(r"<h3><a [^>]*>([^<]*)</a>", html)]


def card(html: str, slug: str) -> str:
    """Return the text of one card."""
    found = re.search(rf'<li id="{slug}" class="bcard.*?</div>\s*</li>', html, re.S)
    assert found is not None
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", found[0])).split())


@pytest.mark.parametrize("game", HOUSE)
def test_every_card_is_listed_once_and_every_cited_ruling_exists(client: TestClient, game: str) -> None:
    count = len(games.find_game_class(game)().catalogue())
    html = page(client, game)
    assert f"{count} of {count} cards" in html
    slugs = re.findall(r'<li id="([^"]+)" class="bcard', html)
    assert len(slugs) == len(set(slugs)) == count
    guide = client.get(f"/games/{game}/guide").text
    cited = set(re.findall(rf'href="/games/{game}/guide#(ruling-\d+)">\d+</a> \S+ \S', html))
    assert cited
    assert cited == set(re.findall(r"#(ruling-\d+)", html))
    assert all(f'id="{anchor}"' in guide for anchor in cited)


def test_filters(client: TestClient) -> None:
    wei = names(page(client, faction="cao-wei", kind="Character"))
    assert "Cao Cao" in wei
    assert "Liu Bei" not in wei
    assert names(page(client, faction="cao-wei", kind="Commandment")) == []
    counters = names(page(client, kind="Counter", q="negate SIEGE"))
    assert counters == ["Empty Fort", "Straw Boats"]
    html = page(client, kind="Counter", q="negate siege")
    assert re.search("2 of [0-9]+ cards", html)
    assert "<option selected>Counter</option>" in html
    assert 'value="negate siege"' in html
    assert "No card is like that" in page(client, q="xyzzy")
    assert names(page(client, faction="nobody")) == []


def test_queries_are_escaped(client: TestClient) -> None:
    html = page(client, q='"><script>alert(1)</script>', faction="<b>", kind="<i>")
    assert "<script>alert" not in html
    assert "&lt;script&gt;" in html
    assert len(page(client, q="a" * 5000)) < 20_000


def test_there_is_nothing_for_a_game_without_cards(client: TestClient) -> None:
    answer = client.get("/games/duel/cards")
    assert answer.status_code == 404
    assert "has no cards to look up" in answer.text
    assert client.get("/games/chess/cards").status_code == 404


def test_it_knows_nothing_of_any_table(client: TestClient) -> None:
    """The page is the same for all visitors and does not depend on tables."""
    before = page(client, "feint")
    url = open_table(client)
    assert client.get(url).status_code == 200
    assert client.cookies
    assert page(client, "feint") == before
    answer = client.get("/games/feint/cards")
    assert "set-cookie" not in answer.headers
    assert url not in before
    client.cookies.clear()
    assert page(client, "feint") == before
