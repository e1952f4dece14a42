"""The players of `tools.faults`: pages with sockets that reconnect as the script of a page does, which load again when
they are outdated, and posts that are repeated until they are answered, as by a player who presses the button again."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode

from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException
from websockets.typing import Origin

from gonfalon.core.basics.rng import Rng
from tests.web.person import Joined
from tools.faults import ROOT

SCRIPT: Final = "gonfalon/web/static/connection.js"
OUTDATED: Final = '<meta http-equiv="refresh" content="1">'
RELOAD_SECONDS: Final = 1.0
ANSWER_SECONDS: Final = 20.0
"""Seconds after which the script of a page gives a post up."""
AGAIN_SECONDS: Final = 0.5
"""Seconds after which a player presses the button again."""
GIVEN_UP_SECONDS: Final = 60.0
FRESH: Final = count(1)


@dataclass(frozen=True)
class Script:
    """The script of a page, which reconnects."""

    silence: float
    """Seconds without a heartbeat after which it does."""
    longest_pause: float
    """Maximum seconds between two attempts."""

    @staticmethod
    def read(sources: Path) -> Script:
        """Return the script of a version."""
        text = (sources / SCRIPT).read_text("utf-8")
        found = [re.findall(pattern, text)[0] for pattern in (r"SILENCE = (\d+)", r"wait \* 2, (\d+)")]
        return Script(*(int(milliseconds) / 1000 for milliseconds in found))


@dataclass(order=True)
class Silence:
    """A time in which a page showed nothing new, and the fault before it."""

    seconds: float
    fault: str
    kind: str

    def __str__(self) -> str:
        return f"{self.seconds:.1f} s ({self.kind})"


@dataclass
class Observed:
    """Everything the players have noticed."""

    acknowledged: int = 0
    stale: Counter[str] = field(default_factory=Counter)
    """The number of stale reads after each fault."""
    unanswered: int = 0
    refused: Counter[int] = field(default_factory=Counter)
    silences: list[Silence] = field(default_factory=list)
    fault: str = "none"
    absent: bool = False
    """Whether the database is away, so that each process shows the positions that it knows."""
    standing_until: float = 0.0
    """The end of the latest time in which no server or database was there; infinity while it lasts."""

    def note_silence(self, since: float, kind: str) -> None:
        """Note that something came now, or was given up, that a player waited for since a time."""
        seconds = time.monotonic() - max(since, self.standing_until)
        self.silences.append(Silence(seconds, self.fault, kind))


@dataclass
class Post:
    """A move that a player has sent. Its effect is unknown if no answer came."""

    text: str
    certain: bool
    expected: int = 0
    """The version that it answers."""


@dataclass(frozen=True)
class Answer:
    """The answer to a request."""

    status: int
    version: int
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Browser:
    """Sends requests, each over a connection of its own, so that any process gets it."""

    def __init__(self, port: int, observed: Observed) -> None:
        self.port = port
        self.observed = observed
        self.script = Script.read(ROOT / "src")
        """The script of the pages that are opened now."""

    async def send(self, method: str, path: str, kind: str, data: bytes) -> Answer:
        """Send a request. Raises OSError, EOFError, TimeoutError."""
        head = f"{method} {path} HTTP/1.1\r\nhost: 127.0.0.1:{self.port}\r\nconnection: close\r\n"
        async with asyncio.timeout(ANSWER_SECONDS):
            reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
            try:
                writer.write(f"{head}{kind}content-length: {len(data)}\r\n\r\n".encode() + data)
                found, _, body = (await reader.read(-1)).partition(b"\r\n\r\n")
            finally:
                writer.close()
        if not found:
            raise EOFError
        lines = found.decode().lower()
        version = re.search(r"\r\nx-version: (\d+)", lines)
        return Answer(int(lines.split(" ")[1]), int(version[1]) if version else 0, body)

    async def insist(self, method: str, path: str, kind: str, data: bytes) -> tuple[Answer, bool]:
        """Send a request until an answer comes that is no outage. Return whether it was the first answer, too."""
        tries, begun = 0, time.monotonic()
        while True:
            tries += 1
            with suppress(OSError, EOFError, TimeoutError):
                answer = await self.send(method, path, kind, data)
                if answer.status < 500:
                    self.observed.note_silence(begun, "answer")
                    return answer, tries == 1
            self.observed.unanswered += 1
            await asyncio.sleep(AGAIN_SECONDS)

    async def ask(self, method: str, path: str, token: str = "", body: Any = None) -> Any:
        """Ask the API until it answers."""
        kind = "content-type: application/json\r\n" + (f"authorization: Bearer {token}\r\n" if token else "")
        data = b"" if body is None else json.dumps(body).encode()
        answer, _ = await self.insist(method, path, kind, data)
        if answer.status not in (200, 201):
            raise AssertionError(f"{method} {answer.status}: {answer.body[:300]!r}")
        return answer.json


class Page:
    """An open page of a seat, which knows the version that it shows."""

    def __init__(self, browser: Browser, key: str, token: str, rng: Rng) -> None:
        self.browser = browser
        self.path = f"/t/{key}/{token}/"
        self.token = token
        self.rng = rng
        self.observed = browser.observed
        self.script = browser.script
        self.version = -1
        self.waits_since: float | None = None
        """While a bot moves: the time of the latest board."""
        self.came = asyncio.Event()
        self.posts: list[Post] = []
        self.task = asyncio.create_task(self.keep_open())

    async def keep_open(self) -> None:
        """Load the page, and load it again when the server asks for it."""
        while True:
            answer, _ = await self.browser.insist("GET", self.path, "", b"")
            html, self.script = answer.body.decode(), self.browser.script
            self.show(html)
            files = re.findall(r"/static/(\w+)/", html)[0]
            await self.follow(f"ws://127.0.0.1:{self.browser.port}{self.path}live?files={files}")
            await asyncio.sleep(RELOAD_SECONDS)

    async def follow(self, address: str) -> None:
        """Read frames, and reconnect after a lost connection. Return when the page is outdated."""
        wait, origin = 0.25, Origin(f"http://127.0.0.1:{self.browser.port}")
        while True:
            with suppress(OSError, WebSocketException, TimeoutError, EOFError):
                async with connect(
                    address, origin=origin, compression=None, open_timeout=10, ping_interval=None
                ) as socket:
                    wait, joined = 0.25, Joined()
                    while True:
                        frame = await asyncio.wait_for(socket.recv(), self.script.silence)
                        if isinstance(frame, bytes) and frame:
                            html = joined.html(frame)
                            if OUTDATED in html:
                                return
                            self.show(html)
            await asyncio.sleep(wait * (0.7 + 0.6 * self.rng.random()))
            wait = min(2 * wait, self.script.longest_pause)

    def show(self, html: str) -> None:
        """Note the version of a new part of the page."""
        if shown := re.search(r'name="expected" value="(\d+)"', html):
            if self.waits_since is not None and int(shown[1]) > self.version:
                self.observed.note_silence(self.waits_since, "turn")
                self.waits_since = time.monotonic()
            self.version = int(shown[1])
            self.came.set()

    async def wait_for(self, version: int) -> bool:
        """Wait until the page shows this version. Return False if it never does."""
        with suppress(TimeoutError):
            async with asyncio.timeout(GIVEN_UP_SECONDS):
                while self.version < version:
                    self.came.clear()
                    await self.came.wait()
                return True
        return False


class Table:
    """A table that people play at, and the tables of its earlier games."""

    def __init__(self, browser: Browser, game: str, bot: bool, clocked: bool, rng: Rng) -> None:
        self.browser = browser
        self.observed = browser.observed
        self.game = game
        self.bot = bot
        self.clocked = clocked
        self.rng = rng
        self.key = ""
        self.pages: list[Page] = []
        self.played: list[tuple[str, list[list[Post]]]] = []
        """The keys of all tables, with the posts of each seat."""
        self.moves = 0

    async def open(self) -> None:
        """Open a table, seat its players, and open their pages."""
        other = "bot:greedy" if self.bot else "me"
        opening: dict[str, Any] = {"game": self.game, "seats": ["me", other], "name": "May"}
        if self.clocked:
            opening |= {"clock": {"bank": 30, "step": 30, "end": "lose"}}
        # An opening that was not answered may leave a table that nobody sits at.
        opened = await self.browser.ask("POST", "/api/tables", body=opening)
        self.key = opened["table"]
        tokens = [seat["token"] for seat in opened["seats"] if "token" in seat]
        self.close()
        self.pages = [Page(self.browser, self.key, token, Rng(next(FRESH))) for token in tokens]
        self.played.append((self.key, [page.posts for page in self.pages]))

    def close(self) -> None:
        """Close the pages."""
        for page in self.pages:
            page.task.cancel()

    async def play(self, pause: float) -> None:
        """Play games with a pause between two moves until cancelled."""
        await self.open()
        while True:
            await asyncio.sleep(pause * 2 * self.rng.random())
            await self.move()

    async def move(self) -> None:
        """Make a move of a seat that has to decide, or open the next table after the end."""
        for page in self.pages:
            view = await self.browser.ask("GET", f"/api/tables/{self.key}", page.token)
            if view["over"]:
                await self.open()
                self.moves += 1
                return
            if view["decision"]:
                await self.post(page, view)
                return

    async def post(self, page: Page, view: dict[str, Any]) -> None:
        """Post a move, and look whether all pages and the next reader see it."""
        await page.wait_for(view["version"])
        page.waits_since = None
        actions, begun = view["decision"]["actions"], time.monotonic()
        text = actions[int(self.rng.below(len(actions)))]["id"]
        form = urlencode({"expected": view["version"], "act": text}).encode()
        post, last = Post(text, False, view["version"]), page.posts[-1:]
        # Players who read an older position while the database is away may repeat a move, which is applied once.
        repeats = [(one.text, one.expected) for one in last] == [(text, post.expected)]
        post = page.posts.pop() if repeats else post
        page.posts.append(post)
        kind = "content-type: application/x-www-form-urlencoded\r\nx-live: 1\r\n"
        answer, first = await self.browser.insist("POST", f"{page.path}act", kind, form)
        if answer.status != 204:
            self.observed.refused[answer.status] += 1
            if first and not repeats:
                page.posts.pop()
            return
        post.certain = True
        self.observed.acknowledged += 1
        self.moves += 1
        await self.check_readers(page, answer.version, begun)
        page.waits_since = time.monotonic() if self.bot else None

    async def check_readers(self, page: Page, version: int, begun: float) -> None:
        """Check that a new reader sees an acknowledged move, and that all pages show it."""
        for one in self.pages:
            view = await self.browser.ask("GET", f"/api/tables/{self.key}", one.token)
            if view["over"]:
                return
            stale = one is page and view["version"] < version and not self.observed.absent
            self.observed.stale[self.observed.fault] += stale
            await one.wait_for(view["version"])
            self.observed.note_silence(begun, "page")


def match_posts(entries: list[str], posts: list[Post]) -> tuple[int, int]:
    """Return the numbers of lost and of doubled moves of a seat.

    All certain posts must be among the entries once, in their order, and no entry may come from elsewhere.
    """
    reached = {0}
    for text in entries:
        found = set[int]()
        for start in reached:
            for place in range(start, len(posts)):
                if posts[place].text == text:
                    found.add(place + 1)
                if posts[place].certain:
                    break
        reached = found
    if any(not any(post.certain for post in posts[place:]) for place in reached):
        return 0, 0
    stored, certain = Counter(entries), Counter(post.text for post in posts if post.certain)
    lost, doubled = certain - stored, stored - Counter(post.text for post in posts)
    return lost.total(), max(doubled.total(), 0 if lost else 1)
