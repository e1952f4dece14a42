"""The lobby in Chromium: on one screen, by mouse and keyboard; and the form of a table."""

from __future__ import annotations

from playwright.sync_api import Browser, Page, expect

from tests.browser.player import SCREEN, Player, phone
from tests.web.served import Served

SMALL = """() => [...document.querySelectorAll('.go > *, .bar a, .bar summary, .tile')]
    .map((el) => [el.className || el.tagName, el.getBoundingClientRect()])
    .filter(([, box]) => box.width > 1 && box.height > 1 && box.height < 43.5)
    .map(([name, box]) => `${name} ${box.height}`)"""
"""The elements that are too low for a finger."""
LETTERS = """() => Math.min(...[...document.querySelectorAll('main *, header *')]
    .filter((el) => [...el.childNodes].some((one) => one.nodeType === 3 && one.data.trim()) && el.checkVisibility()
      && el.closest('.art') === null)
    .map((el) => parseFloat(getComputedStyle(el).fontSize)))"""


def home(served: Served) -> str:
    return f"http://127.0.0.1:{served.port}/"


def play(page: Page, served: Served, game: str) -> None:
    """Go from the lobby to a table with one click."""
    page.goto(home(served))
    page.locator(f"#g-{game}").get_by_role("button", name="Play").click()
    page.wait_for_url("**/t/*/*/")


def height(page: Page) -> int:
    found: int = page.evaluate("document.documentElement.scrollHeight")
    return found


def test_it_fits_one_screen_with_ones_tables_on_top(browser: Browser, served: Served) -> None:
    context = browser.new_context(viewport=SCREEN, reduced_motion="reduce")
    player = Player(context)
    page = player.page
    for game in ("feint", "jinkei", "generals", "factionwars", "feint"):
        play(page, served, game)
    page.goto(home(served))
    expect(page.locator(".tile")).to_have_count(4)
    expect(page.get_by_role("link", name="1 more of my tables")).to_be_visible()
    assert height(page) <= 800
    assert page.evaluate(LETTERS) >= 11
    player.check_access()
    player.turn()
    assert page.evaluate(SMALL) == []
    assert page.evaluate(LETTERS) >= 11
    assert height(page) < 1750
    expect(page.get_by_role("navigation", name="Main").get_by_role("link", name="Puzzles")).to_be_visible()
    player.check_access()
    page.locator(".tile").first.click()
    page.wait_for_url("**/t/*/*/")
    assert player.complaints == []
    context.close()


def test_by_keys_a_level_is_chosen_and_remembered(browser: Browser, served: Served) -> None:
    context = phone(browser)
    player = Player(context)
    page = player.page
    page.goto(home(served))
    player.check_both()
    for _ in range(2):
        player.tab_to(".me summary")
        player.press("Enter")
        expect(page.locator("#player")).to_be_visible()
        player.press("Escape")
        expect(page.locator("#player")).to_be_hidden()
        expect(page.locator(".me summary")).to_be_focused()
        page.locator(".mark").focus()
    player.tab_to(".me summary")
    player.press("Enter")
    player.tab_to("#player")
    page.keyboard.type("May")
    player.press("Enter")
    expect(page.locator(".me summary")).to_contain_text("May")
    player.tab_to("#g-jinkei .level")
    page.keyboard.type("Cl")
    expect(page.locator("#g-jinkei .level option:checked")).to_have_text("Club")
    player.press("Shift+Tab", "Enter")
    page.wait_for_url("**/t/*/*/")
    expect(page.locator(".chairs")).to_contain_text("Club")
    expect(page.locator(".chairs")).to_contain_text("May")
    page.goto(home(served))
    expect(page.locator("#g-jinkei .level option:checked")).to_have_text("Club")
    expect(page.locator("#g-feint .level option:checked")).to_have_text("Gentle")
    assert player.complaints == []
    context.close()


def test_the_form_of_a_table_is_one_click_away(browser: Browser, served: Served) -> None:
    context = phone(browser)
    player = Player(context)
    page = player.page
    for game in ("generals", "feint", "factionwars"):
        page.goto(home(served))
        page.locator(f"#g-{game} .set-up").click()
        expect(page.locator(".open-table")).to_be_visible()
        player.check_both()
    page.goto(home(served) + "games/feint/new")
    against = page.get_by_role("group", name="Against")
    expect(against).to_be_visible()
    page.locator('input[name="opponent"][value="friend"]').check()
    expect(against).to_be_hidden()
    expect(page.get_by_text("Your friend chooses their own faction.")).to_be_visible()
    page.locator('input[name="opponent"][value="bot:club"]').check()
    expect(against).to_be_visible()
    page.locator('input[name="factions.0"][value="wu"]').check(force=True)
    page.get_by_role("button", name="Play").click()
    page.wait_for_url("**/t/*/*/")
    assert player.complaints == []
    context.close()


def test_the_form_does_not_offer_ones_own_faction_to_the_opponent(browser: Browser, served: Served) -> None:
    """A mirror match is a house rule."""
    context = browser.new_context(viewport=SCREEN, reduced_motion="reduce")
    page = context.new_page()
    page.goto(home(served) + "games/feint/new")
    form = page.locator(".open-table")
    barred = form.locator('input[name="factions.1"]:disabled')
    for own in form.locator('input[name="factions.0"]').all():
        own.check()
        expect(barred).to_have_value(own.input_value())
        expect(form.locator('input[name="factions.1"]:checked:enabled')).to_have_count(1)
    form.locator("summary", has_text="House rules").click()
    for mirror, count in (("true", 0), ("false", 1)):
        form.locator('select[name="mirror"]').select_option(mirror)
        expect(barred).to_have_count(count)
    page.get_by_role("button", name="Play").click()
    page.wait_for_url("**/t/*/*/")
    context.close()
