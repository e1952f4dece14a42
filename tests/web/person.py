"""A person with a browser without scripts that reads the page's form, posts it and follows the redirect."""

from __future__ import annotations

import json
import re
import time
import zlib
from dataclasses import dataclass, field
from html import unescape
from typing import Any
from weakref import WeakKeyDictionary

from starlette.testclient import TestClient, WebSocketTestSession

from gonfalon.core.basics.rng import Rng
from gonfalon.table.links import derive_invitation
from gonfalon.web.table.live import Run

Fields = list[tuple[str, str]]
TAG = re.compile(r"<(input|button)\b([^>]*)>")
ATTRIBUTE = re.compile(r"""([a-z][a-z0-9-]*)(?:=["']([^"']*)["'])?""")


@dataclass
class Control:
    """An input or button of the form #act."""

    kind: str
    name: str
    value: str
    attrs: dict[str, str] = field(default_factory=dict)


class Page:
    """The part of a table's page that a person can use."""

    def __init__(self, html: str) -> None:
        self.html = html
        self.hidden: Fields = []
        self.controls: list[Control] = []
        form = re.search(r'<form id="act".*?</form>', html, re.DOTALL)
        for name, value in re.findall(r'<input type="hidden" name="(\w+)" value="(\w+)">', form[0] if form else ""):
            self.hidden.append((name, value))
        for tag, inside in TAG.findall(html):
            attrs = {name: unescape(value) for name, value in ATTRIBUTE.findall(inside)}
            if attrs.get("form") == "act" and "disabled" not in attrs and "name" in attrs:
                kind = tag if tag == "button" else attrs.get("type", "text")
                self.controls.append(Control(kind, attrs["name"], attrs.get("value", ""), attrs))

    def text(self, id: str) -> str:
        """The words of the paragraph with this id."""
        found = re.search(rf'<p[^>]* id="{id}"[^>]*>(.*?)</p>|<p id="{id}"[^>]*>(.*?)</p>', self.html, re.S)
        return " ".join(unescape(found[1] or found[2] or "").split()) if found else ""

    @property
    def status(self) -> str:
        return self.text("status")

    @property
    def refusal(self) -> str:
        return self.text("refusal")

    def named(self, name: str, kind: str = "") -> list[Control]:
        return [c for c in self.controls if c.name == name and kind in ("", c.kind)]

    def answers(self) -> list[Fields]:
        """All forms that the page offers as legal actions."""
        found: list[Fields] = []
        for card in self.named("part1"):
            places = card.attrs.get("data-places", "").split()
            found += [[("part1", card.value), ("part2", f"@{place}")] for place in places]
            if "data-announce" in card.attrs:
                found.append([("part1", card.value), ("part2", "")])
        marks = self.named("act", "checkbox")
        for done in self.named("then"):
            found.append([("then", done.value)])
            found += [[("act", mark.value), ("then", done.value)] for mark in marks]
            found.append([*(("act", mark.value) for mark in marks), ("then", done.value)])
        found += [[("act", button.value)] for button in self.named("act", "button") + self.named("act", "radio")]
        return [self.hidden + answer for answer in found]


class Person:
    """A person with a link to a seat."""

    def __init__(self, client: TestClient, url: str, seed: int = 1) -> None:
        self.client = client
        self.url = url
        self.rng = Rng(seed)
        self.seen: list[str] = []

    def look(self) -> Page:
        answer = self.client.get(self.url)
        assert answer.status_code == 200, answer.text
        self.seen.append(answer.text)
        return Page(answer.text)

    def send(self, fields: Fields, **more: Any) -> Any:
        body: dict[str, list[str]] = {}
        for name, value in fields:
            body.setdefault(name, []).append(value)
        return self.client.post(self.url + "act", data=body, **more)

    def play_on(self, most: int = 2000) -> int:
        """Play the page's first offers until the game is over. Return the number of posts."""
        posts = 0
        deadline = time.monotonic() + 120
        while posts < most and time.monotonic() < deadline:
            page = self.look()
            if not (answers := page.answers()):
                if 'action="rematch"' in page.html:
                    return posts
                time.sleep(0.002)
                continue
            answer = self.send(answers[int(self.rng.below(len(answers)))])
            assert answer.status_code == 303, Page(answer.text).refusal
            assert answer.headers["location"] == self.url
            posts += 1
        raise AssertionError("the game did not end")


def join_runs(old: list[str], found: list[Run | str]) -> list[str]:
    """Return the new lines, as the browser joins them."""
    new: list[str] = []
    for run in found:
        new += [run] if isinstance(run, str) else old[run[0] : run[0] + run[1]]
    return new


class Joined:
    """The frames of one socket, joined as in the browser."""

    def __init__(self) -> None:
        self.lines: dict[str, list[str]] = {}

    def html(self, frame: bytes) -> str:
        """Return the part of the page after a frame."""
        part, had, has, runs = json.loads(zlib.decompress(frame, wbits=-zlib.MAX_WBITS))
        old = self.lines[part] if had else []
        new = self.lines[part] = join_runs(old, runs)
        assert (len(old), len(new)) == (had, has)
        html = "".join(new)
        assert html.startswith((f'<div id="{part}"', f'<section id="{part}"'))
        return html


_JOINED: WeakKeyDictionary[WebSocketTestSession, Joined] = WeakKeyDictionary()


def received(socket: WebSocketTestSession) -> str:
    """Return the next part of the page from a socket."""
    while not (frame := socket.receive_bytes()):
        pass  # a heartbeat
    return _JOINED.setdefault(socket, Joined()).html(frame)


def board(socket: WebSocketTestSession) -> str:
    """Return the next board from a socket. Seat updates arrive separately."""
    while 'id="table"' not in (text := received(socket)):
        assert 'id="seats"' in text
    return text


def invited(html: str) -> str:
    """Return the path of the first invitation link in a page."""
    found = re.search(r'id="invite-url"[^>]* value="http://testserver(/t/[^"]+)"', html)
    assert found is not None
    return found[1]


def hidden(html: str, name: str) -> str:
    """Return the value of a page's hidden field."""
    found = re.search(rf'<input type="hidden" name="{name}" value="([^"]+)"', html)
    assert found is not None
    return found[1]


def bearer(token: str) -> dict[str, str]:
    """Return the headers that identify a program's seat."""
    return {"Authorization": f"Bearer {token}"}


def open_table(client: TestClient, **fields: str) -> str:
    """Open a table by the lobby's form and return the address of the seat. A game of the Duel is dealt: a nameless
    friend has joined, unless the test passes `opponent="friend"` and adds one itself."""
    form = {"game": "feint", "factions.0": "keion", "factions.1": "agents", "opponent": "bot:greedy", "seat": "0"}
    if fields.get("game") == "duel":
        form = {"game": "duel", "sides.0": "red", "sides.1": "blue", "opponent": "friend", "seat": "0"}
    answer = client.post("/tables", data=form | {"name": "May"} | fields)
    assert answer.status_code == 303, answer.text
    location: str = answer.headers["location"]
    if fields.get("game") == "duel" and "opponent" not in fields:
        _, _, key, token, _ = location.split("/")
        client.post(f"/t/{key}/{derive_invitation(token)}/sit", data={"nonce": "friend".ljust(22, "-")})
    return location
