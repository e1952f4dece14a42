"""Every game at twice the size of everything, where a screen of 1280 by 800 is a window of 640 by 400: a whole game by
mouse, in a deal that is known."""

from __future__ import annotations

from typing import Any, Final

import pytest
from playwright.sync_api import Browser, TimeoutError, ViewportSize, expect

from tests.browser.player import Player
from tests.browser.tables import open_table
from tests.browser.test_generals import Finger
from tests.browser.test_jinkei import Commander
from tests.web.served import Served

ZOOMED: Final[ViewportSize] = {"width": 640, "height": 400}


class Mouse(Player):
    """A scripted person with a mouse, who looks at each kind of situation once, in this window only. Plays Feint."""

    def check_both(self) -> None:
        self.check_access()

    def go_on(self) -> None:
        self.page.evaluate("document.querySelector('#go-on')?.click()")  # it may pass by itself meanwhile

    def click(self, where: str, n: int = 0) -> None:
        self.page.locator(where).nth(n).click()

    def move(self, board: dict[str, object], mode: str) -> None:
        if mode == "choice":
            self.click("#choices button", self.below(int(str(board["choices"]))))
        elif mode == "reinforce":
            self.click("#done")
        else:
            self.card_or_pass(board)

    def card_or_pass(self, board: dict[str, object]) -> None:
        cards = board["cards"]
        assert isinstance(cards, list)
        if may := [n for n, places in enumerate(cards) if places]:
            card = may[self.below(len(may))]
            self.click("#hand label:has(input[type=radio])", card)
            expect(self.page.locator("#hand input[type=radio]").nth(card)).to_be_checked()
            self.click(f"#here-{cards[card][0]}")
            return
        confirm = self.page.locator("#pass-confirm").count()
        self.click("#pass")
        if confirm:
            self.click("#pass-confirm button")


class FactionWarsMouse(Mouse):
    """Plays Faction Wars."""

    def mode(self, board: dict[str, object]) -> str:
        mode = super().mode(board)
        return "play" if mode == "waiting" and self.page.locator("button.answer").count() else mode

    def card_or_pass(self, board: dict[str, object]) -> None:
        self.click("button.answer", self.below(self.page.locator("button.answer").count()))


class JinkeiMouse(Mouse, Commander):
    """Plays Jinkei."""

    def move(self, board: dict[str, object], mode: str) -> None:
        if board["asked"] == "place":
            while self.look()["open"]:
                self.click("#hand li:not(.laid) label")
                self.click(".lay:not(.filled) .here")
            self.click("#done")
        else:
            self.click("#choices button, button.answer", self.below(int(str(board["answers"]))))

    def mode(self, board: dict[str, object]) -> str:
        return Commander.mode(self, board)

    def look(self) -> dict[str, object]:
        return Commander.look(self)


class GeneralsMouse(Finger):
    """Plays Generals."""

    check_both = Player.check_access
    go_on = Mouse.go_on

    def tap(self, selector: str) -> None:
        self.page.locator(selector).first.click(timeout=5_000)

    def look(self) -> dict[str, Any]:
        return super().look() | {"table": self.read()}

    def mode(self, board: dict[str, Any]) -> str:
        if board["moment"] or board["over"]:
            return super().mode(board)
        asked = str(board["table"]["mode"])
        return "waiting" if asked == "none" else asked

    def move(self, board: dict[str, Any], mode: str) -> None:
        try:
            self.answer(mode, board["table"])
        except TimeoutError:
            # The table went on while they looked: like anybody, they look again.
            assert self.look()["expected"] != board["expected"], f"not to be clicked: {board['table']}"


@pytest.mark.long
@pytest.mark.parametrize("loaded", [4], indirect=True)
@pytest.mark.parametrize(
    ("game", "person", "kinds"),
    [
        ("factionwars", FactionWarsMouse, {"play", "moment"}),
        ("feint", lambda context: Mouse(context, 2), {"play", "reinforce", "choice", "moment"}),
        ("generals", GeneralsMouse, {"main", "answer"}),
        ("jinkei", JinkeiMouse, {"type", "formation", "front", "back", "lead", "moment"}),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_whole_game_by_mouse(browser: Browser, loaded: Served, game: str, person: Any, kinds: set[str]) -> None:
    """All that stands there passes axe and fits the width, and the focus is never lost."""
    context = browser.new_context(viewport=ZOOMED, device_scale_factor=2, reduced_motion="reduce")
    player: Player = person(context)
    open_table(player.page, loaded, game)
    expect(player.page.locator("#net")).to_have_attribute("data-state", "on")
    assert player.play_on(check=True)
    assert player.modes >= kinds | {"over"}
    assert player.complaints == []
    context.close()
