"""Files in Chromium: records dropped on the lobby open their replay, and lists dropped on the builder their deck."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from gonfalon import games
from gonfalon.testing import random_record
from tests.browser.player import PHONE, SCREEN, Player
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


def test_a_record_is_chosen_without_scripts(browser: Browser, served: Served, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text(RECORD, "utf-8")
    context = browser.new_context(viewport=PHONE, java_script_enabled=False)
    page = context.new_page()
    page.goto(home(served))
    page.get_by_text("Open a record").click()
    page.locator("#record").set_input_files(file)
    page.get_by_role("button", name="Open it").click()
    expect(page.locator(".replay-place")).to_contain_text("Step 0 of")
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


def test_a_file_that_is_no_deck_is_refused_and_none_is_cut(browser: Browser, served: Served) -> None:
    page = browser.new_page(viewport=SCREEN, reduced_motion="reduce")
    cases = {
        "": "This file is empty.",
        "x" * 300_000: "This file is too large: 300 kB of at most 256.",
        "1 Red Hare\n" * 4_000 + "1 Nobody\n": "Line 4001: There is no card 'Nobody'.",
        "1 Red Hare\n" * 5_000: "The text is longer than 50000 characters",
    }
    for path in ("games/generals/decks", "games/generals/decks/build"):
        page.goto(home(served) + path)
        page.wait_for_selector("html.js")
        for text, sentence in cases.items():
            drop(page, text)
            expect(page.locator("#error")).to_contain_text(sentence)
            expect(page.locator("#error")).to_be_in_viewport()
    page.close()
