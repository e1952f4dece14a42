"""Own cards in Chromium: a check while one types, and a whole evening of a box owner with a friend on a phone."""

from __future__ import annotations

from playwright.sync_api import Browser, FilePayload, Page, expect

from tests.browser.player import Player, phone
from tests.web.served import Served

CARDS = 'name = "Keion as printed"\npatriot.strength = 9\nbox.end_round = 2\n'
"""A stronger card, and a game of one round."""


def type_cards(page: Page, port: int, way: str) -> None:
    """Open the form of a new table and type own cards."""
    page.goto(f"http://127.0.0.1:{port}/games/feint/new{way}")
    page.locator(".card-sets > summary").click()
    page.locator('.choice:has(input[name="set"][value="own"])').click()


def test_own_cards_are_checked_while_one_types(browser: Browser, served: Served) -> None:
    context = phone(browser)
    player = Player(context)
    page = player.page
    type_cards(page, served.port, "")
    page.locator("#cards").fill("patriott.strength = 7\npatriot.strength = 99")
    expect(page.locator("#cards-check li")).to_have_count(2)
    expect(page.locator("#cards-check")).to_contain_text("Did you mean patriot?")
    expect(page.locator("#cards")).to_have_attribute("aria-invalid", "")
    player.check_both()
    for name, content, told in (
        ("old.txt", 'name = "Zürich"\npatriot.strength = 7'.encode("latin-1"), "old.txt is not UTF-8 text."),
        ("wide.txt", "patriot.strength = 7".encode("utf-16"), "wide.txt is not UTF-8 text."),
        ("large.txt", b"# large\n" * 9000, "This file is too large: 72 kB of at most 64."),
    ):
        page.locator("#cards-file").set_input_files({"name": name, "mimeType": "text/plain", "buffer": content})
        expect(page.locator("#cards-check")).to_have_text(told)
    page.locator("#cards").evaluate("it => { it.value = '#'.repeat(72_500); it.dispatchEvent(new Event('input')); }")
    expect(page.locator("#cards-check")).to_have_text("These cards are too large: 73 kB of at most 64.")
    file: FilePayload = {"name": "box.toml", "mimeType": "text/plain", "buffer": CARDS.encode()}
    page.locator("#cards-file").set_input_files(file)
    expect(page.locator("#cards-check")).to_contain_text("2 changes from the standard set")
    expect(page.locator("#cards")).to_have_value(CARDS)
    page.get_by_role("button", name="Keep the cards").click()
    expect(page.get_by_role("heading", name="Keion as printed")).to_be_visible()
    expect(page.get_by_role("button", name="Copy link")).to_be_visible()
    player.check_both()
    assert player.complaints == []
    context.close()
