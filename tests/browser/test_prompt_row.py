"""The prompt row: a hint in place, and positions of the past from the log."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.player import PHONE, SCREEN
from tests.web.served import Served

EDGES = """() => ['#prompt', '.prompt-acts', '#hint, #why'].map((one) => {
  const seen = [...document.querySelectorAll(one)].find((el) => el.checkVisibility()).getBoundingClientRect();
  return [seen.top, seen.left, seen.width].map(Math.round);
})"""
"""Where the prompt row, its buttons and the second of them are."""
NAMES = {"feint": 1, "jinkei": 1, "factionwars": 2, "generals": 1}


def open_table(served: Served, game: str) -> str:
    """Open a table with hints against bots. Return the address of the own seat."""
    seats = ["me", *["bot:casual"] * NAMES[game]]
    opening = {"game": game, "name": "May", "seats": seats, "hints": True}
    status, made, _ = served.ask("POST", "/api/tables", opening)
    assert status == 201, made
    return f"http://127.0.0.1:{served.port}/t/{made['table']}/{made['seats'][0]['token']}/"


def show(browser: Browser, address: str, small: bool = False) -> Page:
    page = browser.new_page(viewport=PHONE if small else SCREEN, reduced_motion="reduce")
    page.goto(address)
    expect(page.locator("#net")).to_have_attribute("data-state", "on")
    expect(page.locator("#prompt.mine")).to_be_visible()
    return page


def pass_three_times(page: Page) -> None:
    for _ in range(3):
        was = page.locator('#act input[name="expected"]').input_value()
        page.locator("#done, #pass").first.click()
        expect(page.locator('#act input[name="expected"]')).not_to_have_value(was)
        expect(page.locator("#prompt.mine")).to_be_visible()
    expect(page.locator("body.behind, body.staged")).to_have_count(0)


@pytest.mark.parametrize("game", NAMES)
def test_a_hint_moves_nothing_on_a_phone(browser: Browser, served: Served, game: str) -> None:
    page = show(browser, open_table(served, game), small=True)
    before = page.evaluate(EDGES)
    page.locator("#hint").click()
    expect(page.locator(".news-hint")).to_be_visible(timeout=60_000)
    assert page.evaluate(EDGES) == before
    told = page.locator(".news-hint p").text_content() or ""
    why = page.locator(".reasons-sheet p").first.text_content() or "nothing"  # what of it has no room stands there
    assert why in told or why == "No single fact decides here."
    page.close()


@pytest.mark.parametrize("key", [False, True])
def test_on_a_phone_an_earlier_position_is_seen_behind_no_log(browser: Browser, served: Served, key: bool) -> None:
    page = show(browser, open_table(served, "feint"), small=True)
    pass_three_times(page)
    page.locator("#log-drawer > summary").click()
    page.locator("#log-list a").first.click()
    expect(page.locator("#table[data-past]")).to_have_count(1)
    expect(page.locator("#log")).to_be_hidden()
    expect(page.locator("#go-on")).to_be_focused()
    if key:
        page.keyboard.press("Escape")
    else:
        page.locator("#go-on").click()
    expect(page.locator("#table[data-past]")).to_have_count(0)
    expect(page.locator("#log")).to_be_hidden()
    expect(page.locator("#status")).to_be_focused()
    page.close()


def test_keys_are_told_only_where_there_is_a_keyboard(browser: Browser, served: Served) -> None:
    address = open_table(served, "jinkei")
    page = show(browser, address)
    page.locator(".bar .menu > summary").click()
    expect(page.locator(".menu-sheet kbd").first).to_be_visible()
    page.close()
    with browser.new_context(viewport=PHONE, is_mobile=True, has_touch=True, reduced_motion="reduce") as context:
        page = context.new_page()
        page.goto(address)
        page.locator(".bar .menu > summary").click()
        expect(page.get_by_role("button", name="Hide my secrets")).to_be_visible()
        assert page.locator(".menu-sheet kbd:visible").count() == 0
        expect(page.get_by_text("Resign …")).to_be_in_viewport()


@pytest.mark.parametrize("game", NAMES)
def test_a_hint_is_drawn_in_place_and_played(browser: Browser, served: Served, game: str) -> None:
    page = show(browser, open_table(served, game), small=game != "feint")
    page.evaluate("window.same = true")
    page.keyboard.press("h")
    expect(page.locator(".news-hint")).to_be_visible(timeout=60_000)
    expect(page.locator("#hint")).to_be_hidden()
    page.keyboard.press("w")
    expect(page.locator(".reasons-sheet")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".reasons-sheet")).to_be_hidden()
    page.keyboard.press("Escape")  # the row is as it was, and the marks are gone
    expect(page.locator(".news-hint")).to_be_hidden()
    assert page.locator(".seal1:visible").count() == 0
    page.locator("#hint").click()  # the hint is still there
    expect(page.locator(".news-hint")).to_be_visible()
    was = page.locator('#act input[name="expected"]').input_value()
    page.locator("#play-hint").click()
    expect(page.locator('#act input[name="expected"]')).not_to_have_value(was)
    assert page.evaluate("window.same")  # nothing was loaded anew
    page.close()


def test_a_hint_marks_its_card_and_its_place(browser: Browser, served: Served) -> None:
    page = show(browser, open_table(served, "feint"))
    for _ in range(6):  # until a card is to be played
        page.locator("#hint").click()
        expect(page.locator(".news-hint")).to_be_visible(timeout=60_000)
        if page.locator(".place .seal1").count():
            break
        was = page.locator('#act input[name="expected"]').input_value()
        page.locator("#play-hint").click()
        expect(page.locator('#act input[name="expected"]')).not_to_have_value(was)
        expect(page.locator("#prompt.mine")).to_be_visible()
    expect(page.locator("#hand .seal1:visible")).to_have_count(1)
    expect(page.locator(".place .seal1:visible")).to_have_count(1)
    expect(page.locator(".ghost2:visible")).to_have_count(1)
    page.close()


def test_a_sentence_of_the_log_shows_the_table_after_it(browser: Browser, served: Served) -> None:
    page = show(browser, open_table(served, "feint"))
    pass_three_times(page)
    ground = page.locator(".feint")
    before = ground.inner_text()
    page.locator("#log-list a").first.click()
    expect(page.locator("#table[data-past]")).to_have_count(1)
    expect(page.locator("#log-list [aria-current]")).to_have_count(1)
    assert page.locator("#act").evaluate("(form) => form.elements.length") < 4  # nothing can be answered there
    page.keyboard.press("Escape")
    expect(page.locator("#table[data-past]")).to_have_count(0)
    assert ground.inner_text() == before
    page.close()


def test_tips_are_hidden_by_their_cross_and_come_back_by_the_menu(browser: Browser, served: Served) -> None:
    page = show(browser, open_table(served, "factionwars"), small=True)
    tip = page.locator(".news-tip")
    expect(tip).to_be_visible()
    page.get_by_role("button", name="Hide tips").last.click()
    expect(tip).to_be_hidden()
    expect(page.locator("#status")).to_be_visible()
    page.reload()
    expect(page.locator("#prompt.mine")).to_be_visible()
    expect(tip).to_be_hidden()
    page.locator(".bar .menu > summary").click()
    page.get_by_role("button", name="Show tips").click()
    expect(tip).to_be_visible()
    page.close()
