"""Tables of a server from the terminal, with a real server in its own process."""

from __future__ import annotations

import asyncio
import io
import json
import signal
import socket
import threading
import time
from collections.abc import Callable
from email.message import Message
from email.utils import formatdate
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import pytest

from gonfalon import cli
from gonfalon.core.files import proof
from gonfalon.terminal.drawing.viewport import Sight
from gonfalon.terminal.games import joined
from gonfalon.terminal.games.joined import JoinedDesk
from gonfalon.terminal.games.own_cards import make_rules
from gonfalon.terminal.games.server import CONNECTION_ERRORS, Remote, ServerAwayError, ServerError
from gonfalon.terminal.messages import LOST_CONNECTION
from gonfalon.terminal.screens.table import TableApp
from tests.terminal.playing import SMALL, frame_of, press, screen_of, wait_for, words
from tests.web.served import Served, serving
from tools.screens.seats import Seat


def opened(served: Served, game: str = "jinkei") -> tuple[str, str, str]:
    """Open a table with a free seat. Return its key, the other seat's token, and the invitation link."""
    status, table, _ = served.ask("POST", "/api/tables", {"game": game, "seats": ["me", "open"], "name": "Bo"})
    assert status == 201
    link = f"http://127.0.0.1:{served.port}/t/{table['table']}/{table['invitation']}/"
    return table["table"], table["seats"][0]["token"], link


class Friend(threading.Thread):
    """A player at the other seat that takes the first legal action until the game is over."""

    def __init__(self, served: Served, key: str, token: str) -> None:
        super().__init__(daemon=True)
        self.served, self.path, self.token = served, f"/api/tables/{key}", token
        self.over = ""

    def run(self) -> None:
        while not self.over:
            try:
                _, view, _ = self.served.ask("GET", self.path, None, self.token)
                if view["over"]:
                    self.over = view["over"]["text"]
                elif view["decision"]:
                    body = {"expected": view["version"], "actions": [view["decision"]["actions"][0]["id"]]}
                    self.served.ask("POST", f"{self.path}/actions", body, self.token)
                else:
                    time.sleep(0.02)
            except CONNECTION_ERRORS:
                time.sleep(0.05)


served_apart = pytest.mark.extended
"""A setting for tests with a server in its own process."""


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))


@served_apart
def test_a_game_to_its_end_while_the_server_is_killed_and_comes_back(
    tmp_path: Path, free_port: Callable[[], int]
) -> None:
    with serving(tmp_path, free_port()) as served:
        key, token, link = opened(served)
        friend = Friend(served, key, token)
        friend.start()
        desk = JoinedDesk(Remote(link), make_rules("jinkei"), "Ada")

        async def play() -> str:
            app = TableApp(desk, motion=False)
            async with app.run_test(size=SMALL) as pilot:
                screen = screen_of(pilot)
                keys = 0
                while not screen.sight.over or screen.moment_end is not None:
                    await wait_for(
                        pilot, lambda: bool(screen.sight.answers or screen.sight.over or screen.moment_end is not None)
                    )
                    await press(pilot, "enter")
                    frame_of(pilot)
                    keys += 1
                    if keys == 12:
                        await asyncio.to_thread(served.stop, signal.SIGKILL)
                        await wait_for(pilot, lambda: desk.gone)
                        assert LOST_CONNECTION in words(pilot)
                        await asyncio.to_thread(served.start)
                        await wait_for(pilot, lambda: not desk.gone)
                return words(pilot)

        try:
            shown = asyncio.run(play())
        except AssertionError:
            print(desk.view, desk.gone, friend.over, friend.is_alive(), served.log)
            raise
        friend.join(20)
    assert friend.over
    assert desk.view["names"] == ["Bo", "Ada"]
    assert desk.sight().over.split(".")[0] in " ".join(shown.split())
    assert LOST_CONNECTION not in shown


@served_apart
def test_the_same_link_leads_back_to_the_same_seat(tmp_path: Path, free_port: Callable[[], int]) -> None:
    with serving(tmp_path, free_port()) as served:
        _, _, link = opened(served, "feint")
        first, again, stranger = Remote(link), Remote(link), Remote(link)
        assert first.sit("Ada", "") == again.sit("Ada", "") == 1
        assert first.token == again.token
        for kept in (tmp_path / "home" / "gonfalon" / "seats").iterdir():
            assert kept.stat().st_mode & 0o077 == 0
            kept.unlink()
        with pytest.raises(ServerError):
            stranger.sit("Eve", "")


@served_apart
def test_a_spectator_sees_public_information(tmp_path: Path, free_port: Callable[[], int]) -> None:
    with serving(tmp_path, free_port()) as served:
        key, token, link = opened(served, "feint")
        Remote(link).sit("Ada", "")
        _, own, _ = served.ask("GET", f"/api/tables/{key}", None, token)
        hand = {card["name"] for card in own["board"]["seats"][0]["hand"]}
        remote = Remote(f"127.0.0.1:{served.port}/t/{key}")
        desk = JoinedDesk(remote, make_rules("feint"), watch=True)

        async def look() -> str:
            app = TableApp(desk, motion=False)
            async with app.run_test(size=(160, 50)) as pilot:
                await wait_for(pilot, lambda: bool(desk.view))
                await pilot.pause()
                shown = words(pilot)
                for key in ("h", "u", "t"):
                    screen_of(pilot).status = ""
                    await screen_of(pilot).command(key)
                    assert "You are a spectator." in words(pilot)
                return shown

        shown = asyncio.run(look())
    assert "Bo" in shown
    assert shown.rstrip().endswith("↑ ↓ Tab cards  l log  / card  q leave")
    assert hand
    assert not [name for name in hand if name in shown]


@served_apart
def test_scenes_advance_by_themselves_at_a_server(
    tmp_path: Path, free_port: Callable[[], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The players do not wait for a spectator, with or without animations."""
    monkeypatch.setattr(joined, "SCENE_SECONDS", 0.01)
    with serving(tmp_path, free_port()) as served:
        seat = Seat(served, "feint", "bot:random", factions=["mibits", "wu"])
        desk = JoinedDesk(Remote(f"127.0.0.1:{served.port}/t/{seat.key}"), make_rules("feint"), watch=True)

        async def look() -> None:
            async with TableApp(desk, motion=False).run_test(size=SMALL) as pilot:
                await wait_for(pilot, lambda: bool(desk.view))
                await asyncio.to_thread(seat.play_until, lambda view: view["moments"] > desk.view["moments"])
                await wait_for(pilot, lambda: bool(desk.moments))
                await wait_for(pilot, lambda: screen_of(pilot).sight.version == desk.view["version"])
                await wait_for(pilot, lambda: screen_of(pilot).moment_end is None)

        asyncio.run(look())


@pytest.mark.parametrize("link", ["", "http://example.org/", "ftp://example.org/t/a/b/", "file:///t/a/b/"])
def test_invalid_links_are_refused(link: str) -> None:
    with pytest.raises(ServerError, match="not a link to a table"):
        Remote(link)


@pytest.mark.parametrize("sent", [b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n40\r\n{", b"what\r\n\r\n"])
def test_every_broken_connection_gives_the_same_message(sent: bytes) -> None:
    """The connection breaks in the middle of a chunk, or before a readable answer."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def answer() -> None:
            for _ in range(2):
                link, _ = listener.accept()
                with link:
                    link.recv(65536)
                    link.sendall(sent)

        thread = threading.Thread(target=answer)
        thread.start()
        remote = Remote(f"http://127.0.0.1:{listener.getsockname()[1]}/t/key/token/")
        with pytest.raises(ServerAwayError):
            remote.ask()
        with pytest.raises(ServerAwayError):
            list(remote.views())
        thread.join()


@served_apart
def test_presence_and_greetings_are_beside_the_hand(tmp_path: Path, free_port: Callable[[], int]) -> None:
    with serving(tmp_path, free_port()) as served:
        key, token, link = opened(served, "feint")
        desk = JoinedDesk(Remote(link), make_rules("feint"), "Ada")
        table = f"/api/tables/{key}"

        async def ask(path: str, body: object = None) -> dict[str, Any]:
            found = await asyncio.to_thread(served.ask, "POST" if body else "GET", table + path, body, token)
            return dict(found[1])

        async def play() -> None:
            async with TableApp(desk, motion=False).run_test(size=SMALL) as pilot:
                await wait_for(pilot, lambda: bool(screen_of(pilot).sight.company))
                assert (await ask("/company"))["seats"] == ["here", "here"]
                await wait_for(pilot, lambda: "● Bo" in words(pilot))
                await ask("/emotes", {"emote": "well"})
                await wait_for(pilot, lambda: "Bo: Well played!" in words(pilot))
                await pilot.press("t")
                await wait_for(pilot, lambda: pilot.app.screen is not screen_of(pilot))
                await pilot.press("1")
                while (await ask("/company"))["says"][1] != "hello":
                    await asyncio.sleep(0.02)
                await wait_for(pilot, lambda: "You: Hello!" in words(pilot))
                await pilot.press("t", "9")
                await wait_for(pilot, lambda: "Well played!" not in words(pilot))

        asyncio.run(play())


@served_apart
def test_the_end_names_the_winner_and_offers_a_rematch(tmp_path: Path, free_port: Callable[[], int]) -> None:
    """With two players the one that concedes loses. The next table is the one where the other has a seat too."""
    with serving(tmp_path, free_port()) as served:
        key, token, link = opened(served, "feint")
        desk = JoinedDesk(Remote(link), make_rules("feint"), "Ada")

        async def play() -> str:
            async with TableApp(desk, motion=False).run_test(size=SMALL) as pilot:
                await wait_for(pilot, lambda: bool(desk.view) and desk.view["stage"] == "playing")
                assert "play again" not in words(pilot)
                await asyncio.to_thread(served.ask, "POST", f"/api/tables/{key}/resignation", {}, token)
                await wait_for(pilot, lambda: bool(screen_of(pilot).sight.over))
                shown = words(pilot)
                await screen_of(pilot).command("r")
                await wait_for(pilot, lambda: bool(desk.rematch_link))
                return shown

        shown = asyncio.run(play())
        assert "Bo resigned. You win." in shown
        assert "r play again" in shown
        assert "undo" not in shown
        _, found, _ = served.ask("POST", f"/api/tables/{key}/rematch", {"nonce": "another-device-of-somebody"}, token)
        assert desk.rematch_link.split("/")[4] == found["table"]
        assert JoinedDesk(Remote(desk.rematch_link), None).remote.ask()["names"] == ["Ada", "Bo"]


def test_a_clock_of_a_server_whose_time_differs_is_right_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server's clock is ten minutes ahead. A clock that started there a minute ago also started a minute
    ago here."""
    now = 1_800_000_000.0
    monkeypatch.setattr(time, "time", lambda: now)
    remote = Remote("http://example.org/t/key/token/")
    headers = Message()
    headers["Date"] = formatdate(now + 600, usegmt=True)
    remote.compare_clocks(headers)
    assert remote.ahead == 600
    desk = JoinedDesk(remote, None)
    shown = desk.clock({"left": 90_000, "since": now + 600 - 60})
    assert shown.left == 90
    assert shown.since == now - 60
    headers.replace_header("Date", formatdate(now + 1, usegmt=True))
    remote.compare_clocks(headers)
    assert remote.ahead == 0


def test_a_name_for_a_seat_that_has_one_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    remote = Remote("http://example.org/t/key/token/")
    monkeypatch.setattr(remote, "ask", lambda: {"viewer": 1, "stage": "playing", "names": ["Bo", "Ada"]})
    for name, note in (("Ada", ""), ("", ""), ("Eve", "This seat is yours already, under the name Ada.")):
        desk = JoinedDesk(remote, None, name)
        desk.take_seat()
        assert desk.note == note


class Player:
    """A stage that takes the first legal answer and shows nothing."""

    def __init__(self, desk: JoinedDesk, most: int) -> None:
        self.desk, self.most = desk, most

    def show(self, sight: Sight) -> None:
        """There is no screen."""

    async def hold(self, sight: Sight, seconds: float | None, live: bool = False) -> None:
        """Skip the pause."""

    async def show_change(self, sight: Sight, seconds: float = 0.0) -> None:
        self.desk.seen = self.desk.view
        if sight.answers and self.most:
            self.most -= 1
            assert await self.desk.act(sight.answers[0].id) == ""
        elif sight.answers:
            await self.desk.send("/resignation", {})


class Sealer(Friend):
    """A friend that also adds a share to a proved deal."""

    def run(self) -> None:
        opened = False
        while not opened:
            _, view, _ = self.served.ask("GET", self.path, None, self.token)
            told, share = view["proof"], "b2" * 32
            row, body = told["seats"][0], {"attempt": told["attempt"]}
            if not row["said"]:
                body["closed"] = proof.hash_share(told["commitment"], 0, share)
            elif told["opening"]:
                body["opened"], opened = share, True
            if len(body) == 2:
                self.served.ask("POST", f"{self.path}/share", body, self.token)
            else:
                time.sleep(0.02)
        super().run()


@served_apart
def test_a_terminal_seals_a_share_and_its_file_proves_the_game(
    tmp_path: Path, free_port: Callable[[], int], capsys: pytest.CaptureFixture[str]
) -> None:
    """The file also detects a record with other moves or a truncated one."""
    with serving(tmp_path, free_port()) as served:
        opening = {"game": "jinkei", "seats": ["me", "open"], "name": "Bo", "proved": True}
        _, table, _ = served.ask("POST", "/api/tables", opening)
        link = f"http://127.0.0.1:{served.port}/t/{table['table']}/{table['invitation']}/"
        friend = Sealer(served, table["table"], table["seats"][0]["token"])
        friend.start()
        desk = JoinedDesk(Remote(link), make_rules("jinkei"), "Ada")
        asyncio.run(desk.run(Player(desk, 4)))
        friend.join(20)
        _, body, _ = served.ask("GET", f"/api/tables/{table['table']}/record")
    assert desk.proof_file is not None
    assert desk.proof_file.stat().st_mode & 0o077 == 0
    game = tmp_path / "game.json"
    told = json.loads(desk.proof_file.read_text())["told"][0]
    assert (told["seat"], told["names"], told["over"]) == (1, ["Bo", "Ada"], True)

    def verify(record: dict[str, Any]) -> tuple[int, str]:
        game.write_text(json.dumps(record))
        code = cli.main(["verify", str(game), "--mine", str(desk.proof_file)])
        return code, capsys.readouterr().out

    code, said = verify(body)
    assert code == 0, said
    assert "holds The share that your device added for Ada is in the deal." in said
    assert "holds The record agrees with your device at the seat of Ada: " in said
    gone = {"seat": 0, "how": "resigned"}
    for lie in (
        body | {"decisions": body["decisions"][:-3], "result": None, "ended": gone},
        body | {"names": ["Ada", "Bo"]},
    ):
        code, said = verify(lie)
        assert code == 1, said
        assert "FAILS" in said


@pytest.mark.parametrize(
    ("code", "body", "said"),
    [
        (429, b'{"detail": "Wait 5 seconds."}', "Wait 5 seconds."),
        (429, b"", "The server does not answer (429)."),
        (503, b"[]", "The server does not answer (503)."),
    ],
)
def test_a_limit_or_a_restart_is_tried_again(code: int, body: bytes, said: str) -> None:
    error = HTTPError("http://example.org/", code, "", Message(), io.BytesIO(body))
    found = Remote("http://example.org/t/a/b/").build_error(error)
    assert isinstance(found, ServerAwayError)
    assert str(found) == said
