"""The table page of every game: its focus, its dialogs, its transient messages."""

from __future__ import annotations

import signal
from typing import Final

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from gonfalon import games
from tests.browser.player import SCREEN, Player
from tests.browser.tables import advance, open_table
from tests.web.served import Served

ZOOMED: Final[ViewportSize] = {"width": 640, "height": 400}
"""A screen of 1280 by 800 at 200 % zoom."""
FOCUS = "[document.activeElement.tagName, document.activeElement.id === 'end']"
END = "document.body.insertAdjacentHTML('beforeend', '<a id=end href=#main>end</a>')"


def live(page: Page) -> None:
    expect(page.locator("#net")).to_have_attribute("data-state", "on")


@pytest.mark.parametrize("size", [SCREEN, ZOOMED], ids=["screen", "zoomed"])
@pytest.mark.parametrize("game", sorted(games.names()))
def test_the_focus_never_falls_off_the_page(browser: Browser, served: Served, game: str, size: ViewportSize) -> None:
    """Tab goes from the top to the end, past cards that show their text on focus, also at 200 % zoom, where a text has
    to be scrolled."""
    context = browser.new_context(viewport=size, reduced_motion="reduce")
    player = Player(context)
    url = open_table(player.page, served, game)
    player.page.goto(f"http://127.0.0.1:{served.port}/about")  # so that it need not show all that happens meanwhile
    advance(served, url, 8)
    player.page.goto(url)
    live(player.page)
    player.check_access()
    player.page.evaluate(END)
    stops = 0
    for _ in range(200):
        player.press("Tab")
        tag, end = player.page.evaluate(FOCUS)
        assert tag != "BODY", f"after {stops} stops"
        stops += 1
        if end:
            break
    else:
        raise AssertionError("Tab does not lead to the end")
    assert stops >= 3  # the menu and what lies in it, the table
    assert player.complaints == []
    context.close()


def test_escape_closes_what_is_open(browser: Browser, moots: Served) -> None:
    """The menu with its unfolded parts, the standing answers, a sheet. The focus returns to the element that
    opened it."""
    context = browser.new_context(viewport=SCREEN, reduced_motion="reduce")
    player = Player(context)
    page = player.page
    open_table(page, moots, "moot")
    live(page)
    menu, concede = page.locator("details.menu"), page.locator("details.menu details.confirm").last
    for opened in (menu.locator("> summary"), concede.locator("summary")):
        opened.focus()
        player.press("Enter")
    expect(concede).to_have_attribute("open", "")
    player.press("Tab", "Escape")
    expect(concede).not_to_have_attribute("open", "")
    expect(concede.locator("summary")).to_be_focused()
    player.press("Escape")
    expect(menu).not_to_have_attribute("open", "")
    expect(menu.locator("> summary")).to_be_focused()
    answers = page.locator("#answers-drawer")
    answers.locator("summary").focus()
    player.press("Enter", "Tab", "Escape")
    expect(answers).not_to_have_attribute("open", "")
    expect(answers.locator("summary")).to_be_focused()
    # A dialog over the menu is closed first.
    menu.locator("> summary").focus()
    player.press("Enter", "?")
    expect(page.locator("#help")).to_have_attribute("open", "")
    player.press("Escape")
    expect(page.locator("#help")).not_to_have_attribute("open", "")
    expect(menu).to_have_attribute("open", "")
    assert player.complaints == []
    context.close()


def test_a_lost_connection_is_told_while_it_lasts(browser: Browser, served: Served) -> None:
    """The server stops, and an answer cannot be sent. The server returns to the same table, and the message
    disappears."""
    context = browser.new_context(viewport=SCREEN, reduced_motion="reduce")
    player = Player(context)
    player.quiet = True
    page = player.page
    open_table(page, served, "feint")
    live(page)
    expect(page.locator("#done, #pass").first).to_be_visible()
    served.stop(signal.SIGKILL)
    expect(page.locator("#net")).to_have_attribute("data-state", "lost")
    player.press("p", "Enter")
    expect(page.locator("#refusal")).to_contain_text("No connection")
    served.start()
    expect(page.locator("#net")).to_have_attribute("data-state", "on")
    expect(page.locator("#refusal")).to_have_text("")
    context.close()
