"""A friend in Chromium and a friend in a terminal, at one table of one server."""

from __future__ import annotations

import asyncio
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from gonfalon.terminal.joined import GONE, JoinedDesk
from gonfalon.terminal.screen.run import rules_of
from gonfalon.terminal.screen.table import TableApp
from gonfalon.terminal.server import Remote
from tests.browser.dealt import SCRIPT
from tests.browser.player import SCREEN, Player
from tests.browser.test_play import sit_down
from tests.terminal.playing import SMALL, press, screen_of, words
from tests.web.served import serving


class Friend(threading.Thread):
    """Sits before a terminal of 80 columns and presses Enter whenever something is asked or only shown."""

    def __init__(self, link: str) -> None:
        super().__init__(daemon=True)
        self.desk = JoinedDesk(Remote(link), rules_of("feint"), "Ada")
        self.keys = 0
        self.missed = ""
        """What was to be read while there was no connection."""
        self.end = ""

    def run(self) -> None:
        asyncio.run(self.play())

    async def play(self) -> None:
        async with TableApp(self.desk, motion=False).run_test(size=SMALL) as pilot:
            screen = screen_of(pilot)
            while not screen.sight.over or screen.going_on is not None:
                if self.desk.gone:
                    self.missed = self.missed or words(pilot)
                if screen.going_on is not None or screen.sight.answers:
                    await press(pilot, "enter")
                    self.keys += 1
                await asyncio.sleep(0.005)
            self.end = words(pilot)


@pytest.mark.long
def test_a_friend_in_chromium_and_one_in_a_terminal_play_to_the_end(
    browser: Browser, tmp_path: Path, free_port: Callable[[], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server is killed in mid-game and comes back; nobody does anything about it."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    with (
        serving(tmp_path, free_port(), SCRIPT) as served,
        browser.new_context(viewport=SCREEN, reduced_motion="reduce") as context,
    ):
        may = Player(context, 3)
        sit_down(may, served, "friend")
        ada = Friend(may.page.locator("[id^=invite-url]").input_value())
        ada.start()
        expect(may.page.locator("#table:not([data-waits])")).to_be_visible()
        deadline, killed = time.monotonic() + 120, False
        while may.mode(may.look()) != "over":
            assert time.monotonic() < deadline, (may.look(), ada.desk.view.get("prompt"))
            if not killed and may.moves > 4 and ada.keys > 4:
                killed = may.quiet = True  # a lost connection is an error on the console
                served.stop(signal.SIGKILL)
                expect(may.page.locator("#net")).to_have_attribute("data-state", "lost")
                served.start()
                expect(may.page.locator("#net")).to_have_attribute("data-state", "on")
                may.quiet = False
            if may.mode(may.look()) == "waiting":
                may.page.wait_for_timeout(10)
            else:
                may.play_on(1)
        status = may.page.locator("#status").text_content() or ""
        ada.join(20)
        log = may.page.locator("#log-list li").count()
        assert may.complaints == []
    assert killed
    assert GONE in ada.missed
    assert {" ".join(end.split()[:2]).strip(":") for end in (status, ada.desk.sight().over)} == {"You win", "You lose"}
    assert ada.desk.sight().over.split(".")[0] in " ".join(ada.end.split())
    assert sorted(ada.desk.view["names"]) == ["Ada", "May"]
    assert log > 10
