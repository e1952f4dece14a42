"""What the page of a table does in every game: where the focus goes, what closes, what passes."""

from __future__ import annotations

import re
import signal

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from gonfalon import games
from tests.browser.player import PHONE, SCREEN, Player
from tests.browser.tables import advance, open_table
from tests.web.served import Served

FOCUS = "[document.activeElement.tagName, document.activeElement.id === 'end']"
END = "document.body.insertAdjacentHTML('beforeend', '<a id=end href=#main>end</a>')"
REFUSED = "() => document.getElementById('refusal').textContent.trim() !== ''"


def live(page: Page) -> None:
    expect(page.locator("#net")).to_have_attribute("data-state", "on")


def belated(route: Route) -> None:
    """Send an answer as one to another state of the table. The page is left alone: its board may come anew."""
    route.continue_(post_data=re.sub(r"expected=\d+", "expected=9999", route.request.post_data or ""))


@pytest.mark.parametrize("height", [800, 360])
@pytest.mark.parametrize("game", sorted(games.names()))
def test_the_focus_never_falls_off_the_page(browser: Browser, served: Served, game: str, height: int) -> None:
    """By Tab from the top to the end, past cards whose texts show when they have the focus; in a low window,
    where a text has to be scrolled, as well."""
    context = browser.new_context(viewport={"width": 1280, "height": height}, reduced_motion="reduce")
    player = Player(context)
    url = open_table(player.page, served, game)
    player.page.goto(f"http://127.0.0.1:{served.port}/about")  # so that it need not show all that happens meanwhile
    advance(served, url, 8)
    player.page.goto(url)
    live(player.page)
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
    """The menu with what is unfolded in it, the standing answers, a sheet; the focus goes back to what opened it."""
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


def test_a_refusal_passes(browser: Browser, served: Served) -> None:
    """It goes as soon as another card is chosen; one that a page without the script shows, with the next page."""
    context = browser.new_context(viewport=SCREEN, reduced_motion="reduce")
    player = Player(context)
    player.quiet = True  # a refusal is an error on the console
    page = player.page
    open_table(page, served, "feint")
    live(page)
    expect(page.locator("#hand input").first).to_be_attached()
    expect(page.locator("#done, #pass").first).to_be_visible()
    page.route("**/act", belated)
    player.press("p", "Enter")
    page.wait_for_function(REFUSED)
    page.locator("#hand input").first.focus()
    player.press("Space")
    expect(page.locator("#refusal")).to_have_text("")
    context.close()


def test_a_lost_connection_is_told_while_it_lasts(browser: Browser, served: Served) -> None:
    """The server goes, an answer cannot be sent; the server comes back to the very same table, and the word goes."""
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


def test_a_refusal_without_scripts_leads_back_to_the_table(browser: Browser, moots: Served) -> None:
    """The page that tells it has the address of the answer; its own link loads the table."""
    context = browser.new_context(java_script_enabled=False, viewport=PHONE)
    page = context.new_page()
    home = open_table(page, moots, "moot")
    choice = page.locator("#choices button")
    expected = page.locator("#act [name=expected]").input_value()
    page.request.post(home + "act", form={"expected": expected, "act": choice.first.get_attribute("value") or ""})
    with page.expect_navigation():
        choice.last.click()
    assert page.url == home + "act"
    expect(page.locator("#refusal")).not_to_have_text("")
    page.get_by_role("link", name="reload").click()
    expect(page).to_have_url(home)
    expect(page.locator("#refusal")).to_have_text("")
    context.close()


def test_the_way_back_to_ones_seat_lies_above_the_table(browser: Browser, moots: Served) -> None:
    """Who has left a game of three sees the whole table, below the button that takes the seat back."""
    contexts = [browser.new_context(viewport=SCREEN, reduced_motion="reduce") for _ in range(2)]
    may, bo = (Player(context) for context in contexts)
    page = may.page
    page.goto(f"http://127.0.0.1:{moots.port}/games/factionwars/new")
    form = page.locator('form:has(input[name="game"][value="factionwars"])')
    form.locator('select[name="who-1"]').select_option("friend")
    form.locator('select[name="who-2"]').select_option("bot:casual")
    form.get_by_role("button", name="Open the table").click()
    page.wait_for_url("**/t/*/*/")
    bo.page.goto(page.locator("[id^=invite-url]").first.input_value())
    bo.press("Enter")
    bo.page.get_by_role("button", name="Sit down").click()
    bo.page.wait_for_url("**/t/*/*/")
    expect(page.locator("#prompt")).to_be_visible()
    page.get_by_text("Menu").click()
    page.get_by_text("Leave the game").click()
    page.get_by_role("button", name="Yes, leave").click()
    expect(page.locator("#stood-for")).to_be_visible()
    for width in (360, 960, 1280, 1920):
        page.set_viewport_size({"width": width, "height": 800})
        banner, table = page.locator("#stood-for").bounding_box(), page.locator(".table").bounding_box()
        assert banner is not None
        assert table is not None
        assert banner["y"] + banner["height"] <= table["y"]
        assert banner["width"] > 0.9 * width
        assert table["x"] < 0.4 * width
        assert table["width"] > 0.4 * width
        may.check_width()
    may.check_both()
    for context in contexts:
        context.close()
