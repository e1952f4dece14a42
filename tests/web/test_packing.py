"""Compression of answers. No compressed answer holds a link to a seat, because its length would reveal repetitions."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urljoin

import pytest
from starlette.testclient import TestClient, WebSocketTestSession

from gonfalon.web.shared.static_files import STATIC
from tests.web.every import HOUSE, Everything
from tests.web.person import Person, hidden, invited, received
from tests.web.test_seats import open_moot


def fetch_compressed(client: TestClient, address: str) -> str | None:
    """Return the answer of an address if it is compressed."""
    answer = client.get(address)
    assert answer.status_code == 200, answer.text
    return answer.text if answer.headers.get("content-encoding") == "gzip" else None


def files_of(html: str) -> str:
    """Return the addresses of a page's files."""
    found = re.search(r'href="(/static/[^/"]+)/gonfalon.css"', html)
    assert found is not None
    return found[1]


def css(client: TestClient) -> str:
    """Return the styles of every page."""
    return client.get(files_of(client.get("/").text) + "/gonfalon.css").text


def test_the_first_visit_to_the_lobby_costs_little(client: TestClient) -> None:
    page = client.get("/")
    files = {file.partition("#")[0] for file in re.findall(r'(?:href|src)="(/static/[^"]+)"', page.text)}
    assert {file.rpartition("/")[2] for file in files} >= {"gonfalon.css", "icons.svg"}
    answers = [page, *(client.get(file) for file in files)]
    big = [answer for answer in answers if int(answer.headers["content-length"]) > 500]
    assert {answer.headers["content-encoding"] for answer in big} == {"gzip"}
    fonts = [client.get(f"{files_of(page.text)}/{font}") for font in re.findall(r"url\((fonts/[^)]+)\)", css(client))]
    assert len(fonts) == 3
    assert sum(int(answer.headers["content-length"]) for answer in answers) < 60_000, "without the tables of four games"
    # It is the same for who takes nothing packed.
    for answer, file in zip(answers, ("/", *files), strict=True):
        plain = client.get(file, headers={"accept-encoding": "identity"})
        assert "content-encoding" not in plain.headers
        assert plain.content == answer.content
        assert "Accept-Encoding" in answer.headers["vary"]
        assert "Accept-Encoding" in plain.headers["vary"]


def test_a_missing_file_is_missed(client: TestClient) -> None:
    root = files_of(client.get("/").text)
    assert client.get(f"{root}/nothing.css").status_code == 404
    assert client.post(f"{root}/gonfalon.css").status_code == 405
    assert client.head(f"{root}/gonfalon.css").content == b""


@contextmanager
def open_sockets(client: TestClient, *urls: str) -> Iterator[list[WebSocketTestSession]]:
    """Open the sockets of some pages."""
    if not urls:
        yield []
        return
    with client.websocket_connect(urls[0] + "live") as first, open_sockets(client, *urls[1:]) as others:
        yield [first, *others]


def test_no_link_to_a_seat_is_packed(client: TestClient) -> None:
    """No compressed page or push contains a seat's token, an invitation or the table's key at any time of a game."""
    may = open_moot(client, "friend", "friend")
    key = may.split("/")[2]
    waiting = client.get(may)
    links = re.findall(r'value="http://testserver/t/[^/]+/([^/"]+)/"', waiting.text)
    secrets = {key, may.split("/")[3], *links} - {"watch"}
    assert len(secrets) == 3  # the key, May's, and an invitation to all seats
    assert "content-encoding" not in waiting.headers
    assert "no-transform" in waiting.headers["cache-control"]
    seen: list[str] = []

    def look(*urls: str) -> None:
        for url in (*urls, f"/t/{key}/watch/", "/"):
            found = fetch_compressed(client, url)
            if found is not None:
                seen.append(found)

    with open_sockets(client, may) as (socket,):
        seen += [received(socket), received(socket)]
        people = [may]
        for name in ("Bo", "Cy"):
            guest = invited(client.get(may).text)
            sitting = client.get(guest)
            assert "content-encoding" not in sitting.headers
            form = {"name": name, "nonce": hidden(sitting.text, "nonce")}
            answer = client.post(guest + "sit", data=form)
            people.append(answer.headers["location"])
            secrets.add(people[-1].split("/")[3])
            look(*people)
            seen.append(received(socket))
    assert len(secrets) == 5
    look(*people)
    for url in people:
        with open_sockets(client, url) as (socket,):
            seen += [received(socket), received(socket)]
    seats = [Person(client, url, seed) for seed, url in enumerate(people)]
    while 'action="rematch"' not in client.get(may).text:
        for seat in seats:
            if answers := seat.look().answers():
                seat.send(answers[0])
        look(*people)
    look(*(url + "replay" for url in people))
    assert len(seen) > 20
    for text in seen:
        assert not [secret for secret in secrets if secret in text]
    # The lobby leads there all the same.
    mine = re.findall(r'href="(/mine/[0-9a-f]+)"', client.get("/").text)
    assert client.get(mine[0]).headers["location"] in people
    assert client.get("/mine/0123456789abcdef").status_code == 404


def scripts_of(client: TestClient, html: str) -> dict[str, str]:
    """Return all scripts that a page loads, including imported ones."""
    scripts: dict[str, str] = {}
    due = re.findall(r'<script [^>]*src="(/static/[^"]+)"', html)
    while due:
        address = due.pop()
        if address not in scripts:
            answer = client.get(address)
            assert answer.status_code == 200, address
            scripts[address] = answer.text
            due += [urljoin(address, name) for name in re.findall(r'\bfrom ?"(\./[^"]+)"', answer.text)]
    return scripts


@pytest.mark.parametrize("game", HOUSE)
def test_the_scripts_of_a_page_weigh_little(server: Everything, game: str) -> None:
    _, may = server.sit(game, **({"seats": 2} if game == "factionwars" else {}))
    pages = {"table": server.page(may)}
    assert server.client.post(may + "concede").status_code == 303
    pages["replay"] = server.page(may + "replay")
    pages |= {part: server.page(f"/games/{game}/{part}") for part in ("new", "cards", "guide")}
    if game == "generals":
        pages |= {part: server.page(f"/games/{game}/{part}") for part in ("decks", "decks/build")}
    for part, html in pages.items():
        scripts = scripts_of(server.client, html)
        assert sum(len(gzip.compress(text.encode(), 6)) for text in scripts.values()) <= 15_000, (part, list(scripts))
        assert not [text for text in scripts.values() if re.search(r"^\s*//|^ |/\*\*", text, re.MULTILINE)], part
    names = {address.rpartition("/")[2] for address in scripts_of(server.client, pages["table"])}
    # A game's own script comes with its own page alone.
    own = f"{game}-table.js" if (STATIC / f"{game}.js").is_file() else "table.js"
    assert names == {own}


@pytest.mark.parametrize("game", HOUSE)
def test_a_table_draws_its_own_icons_and_those_of_all(server: Everything, game: str) -> None:
    _, may = server.sit(game, **({"seats": 2} if game == "factionwars" else {}))
    used = set(re.findall(r'<use href="/static/\w+/([\w-]+\.svg)#([\w-]+)"', server.page(may)))
    assert {file for file, _ in used if not re.match(rf"{game}(-\w+)*\.svg", file)} <= {"icons.svg", "cards.svg"}
    root = files_of(server.page("/"))
    for file, icon in used:
        assert f'<symbol id="{icon}"' in server.client.get(f"{root}/{file}").text
