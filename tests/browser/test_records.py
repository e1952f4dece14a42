"""Files in Chromium: records dropped on the lobby open their replay, and lists dropped on the builder their deck."""

from __future__ import annotations

from playwright.sync_api import Browser, Page, expect

from gonfalon import games
from gonfalon.testing import random_record
from tests.browser.player import SCREEN, Player
from tests.browser.test_play import home
from tests.web.served import Served

RECORD = random_record(games.game("jinkei"), 1).dumps_text(remarks=True)
LIST = "### The Long Road\n3x Cao Cao\n- Red Hare (2)\n"


def drop(page: Page, text: str, as_file: bool = True) -> None:
    """Drop a file, or a text, on the page."""
    fill = "d.items.add(new File([text], 'dropped.txt'))" if as_file else "d.setData('text/plain', text)"
    data = page.evaluate_handle(f"(text) => {{ const d = new DataTransfer(); {fill}; return d; }}", text)
    for kind in ("dragenter", "dragover", "drop"):
        page.dispatch_event("main", kind, {"dataTransfer": data})


def test_a_record_is_dropped_on_the_lobby(browser: Browser, served: Served) -> None:
    context = browser.new_context(viewport=SCREEN, reduced_motion="reduce")
    player = Player(context)
    page = player.page
    for as_file in (True, False):
        page.goto(home(served))
        page.wait_for_selector("html.js")
        drop(page, RECORD, as_file)
        page.wait_for_url("**/watch/replay")
        expect(page.get_by_role("link", name="Next", exact=True)).to_be_visible()
    page.goto(home(served))
    page.wait_for_selector("html.js")
    player.quiet = True  # the browser reports the refusal as an error
    drop(page, "It was a dark and stormy night.")
    expect(page.locator("#records-error")).to_contain_text("This is not a record")
    player.quiet = False
    player.check_access()
    player.press("Escape")
    expect(page.locator("#records-error")).to_be_hidden()
    assert player.complaints == []
    context.close()


def test_a_list_is_dropped_on_the_deck_builder_and_on_the_shelf(browser: Browser, served: Served) -> None:
    context = browser.new_context(viewport=SCREEN, reduced_motion="reduce")
    player = Player(context)
    page = player.page
    page.goto(home(served) + "games/generals/decks/build")
    page.wait_for_selector("html.js")
    drop(page, LIST)
    expect(page.locator("#deck")).to_have_text("The Long Road")
    expect(page.locator("#r-W01 .dcard-n")).to_have_text("3")
    page.get_by_text("As QR code").click()
    expect(page.locator(".deck-qr")).to_be_visible()
    player.check_access()
    page.goto(home(served) + "games/generals/decks")
    page.wait_for_selector("html.js")
    drop(page, LIST)
    expect(page.locator("#found")).to_contain_text("The Long Road")
    expect(page.locator("#found")).to_be_focused()
    expect(page.locator("#found .found")).to_be_in_viewport()
    assert player.complaints == []
    context.close()
