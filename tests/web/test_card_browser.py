"""The card browser: every card of every game, by addresses and a plain form, the same for everybody."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from gonfalon import games
from gonfalon.core.game import Game
from gonfalon.table import Store, Tables
from gonfalon.web import create_app
from tests.table.duel import Duel
from tests.web.person import open_table

CARDS = {"factionwars": 44, "feint": 42, "generals": 95, "jinkei": 22}
"""As the data has them: Feint 8, 7, 8, 7 and 12 of its factions; Generals 85 and ten more; Jinkei two colours of 0 to 9
and 12."""


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Tables]:
    store = Store(f"sqlite:///{tmp_path / 'tables.db'}")
    yield Tables(store, pace=0)
    store.close()


@pytest.fixture
def client(tables: Tables) -> Iterator[TestClient]:
    kinds: dict[str, type[Game]] = {"duel": Duel, **{name: games.kind(name) for name in CARDS}}
    with TestClient(create_app(tables, kinds), follow_redirects=False) as client:
        yield client


def page(client: TestClient, game: str = "generals", **fields: str) -> str:
    answer = client.get(f"/games/{game}/cards", params=fields)
    assert answer.status_code == 200
    return answer.text


def names(html: str) -> list[str]:
    return [unescape(name) for name in re.findall(r'<h3 class="dcard-name"><a [^>]*>([^<]*)</a>', html)]


def card(html: str, slug: str) -> str:
    """What stands on one card, as words."""
    found = re.search(rf'<li id="{slug}" class="dcard.*?</div>\s*</li>', html, re.S)
    assert found is not None
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", found[0])).split())


@pytest.mark.parametrize(("game", "count"), CARDS.items())
def test_every_card_is_there_once_and_every_ruling_has_its_place(client: TestClient, game: str, count: int) -> None:
    html = page(client, game)
    assert f"{count} of {count} cards" in html
    slugs = re.findall(r'<li id="([^"]+)" class="dcard', html)
    assert len(slugs) == len(set(slugs)) == count
    guide = client.get(f"/games/{game}/guide").text
    cited = set(re.findall(rf'href="/games/{game}/guide#(ruling-\d+)">\d+</a> \S+ \S', html))
    assert cited
    assert cited == set(re.findall(r"#(ruling-\d+)", html))
    assert all(f'id="{anchor}"' in guide for anchor in cited)


def test_a_card_tells_all_that_is_known_of_it(client: TestClient) -> None:
    html = page(client)
    cao_cao = card(html, "cao-cao")
    assert "Cost 4 ours Might 5 ours Wits 6 ours Upkeep 1 ours" in cao_cao
    assert "Once per turn, when one of your generals defeats an enemy general, draw 1." in cao_cao
    assert "15 Who defeats? The winner of a melee" in cao_cao
    assert "Name: publisher. Text: publisher." in card(html, "xiahou-dun")
    assert "Cost 2 ours" in card(html, "empty-fort")
    assert "Cost" not in card(html, "recruit")  # a Commandment costs nothing
    assert "Strength 6 inferred Morale 3 reconstructed" in card(page(client, "feint"), "patriot")


def test_filters(client: TestClient) -> None:
    wei = names(page(client, faction="cao-wei", kind="Character"))
    assert "Cao Cao" in wei
    assert "Liu Bei" not in wei
    assert names(page(client, faction="cao-wei", kind="Commandment")) == []
    counters = names(page(client, kind="Counter", q="negate SIEGE"))
    assert counters == ["Empty Fort", "Straw Boats"]
    html = page(client, kind="Counter", q="negate siege")
    assert "2 of 95 cards" in html
    assert "<option selected>Counter</option>" in html
    assert 'value="negate siege"' in html
    assert "No card is like that" in page(client, q="xyzzy")
    assert "0 of 95 cards" in page(client, faction="nobody")


def test_what_is_asked_for_is_nobodys_markup(client: TestClient) -> None:
    html = page(client, q='"><script>alert(1)</script>', faction="<b>", kind="<i>")
    assert "<script>alert" not in html
    assert "&lt;script&gt;" in html
    assert len(page(client, q="a" * 5000)) < 20_000


def test_there_is_nothing_for_a_game_without_cards(client: TestClient) -> None:
    answer = client.get("/games/duel/cards")
    assert answer.status_code == 404
    assert "has no cards to look up" in answer.text
    assert client.get("/games/chess/cards").status_code == 404


def test_it_is_found_from_all_sides(client: TestClient) -> None:
    for game in CARDS:
        assert f'<a href="/games/{game}/cards">the cards</a>' in client.get(f"/games/{game}/new").text
        assert f'<a href="/games/{game}/cards">All cards</a>' in client.get(f"/games/{game}/guide").text
    assert "/games/duel/cards" not in client.get("/games/duel/new").text
    assert '"/games/generals/cards"' in client.get("/games/generals/decks/build").text
    assert '"/games/feint/cards"' in client.get(open_table(client)).text


def test_it_knows_nothing_of_any_table(client: TestClient) -> None:
    """The page is the same whoever asks and whatever is played."""
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
