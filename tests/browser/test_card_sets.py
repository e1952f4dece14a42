"""Own cards in Chromium: a check while one types, and a whole evening of a box owner with a friend on a phone."""

from __future__ import annotations

import re
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, FilePayload, Page, expect

from tests.browser.dealt import SCRIPT
from tests.browser.player import SCREEN, Player, phone
from tests.web.served import Served, serving

CARDS = 'name = "Keion as printed"\npatriot.strength = 9\nbox.end_round = 2\n'
"""A stronger card, and a game of one round."""


@pytest.fixture
def alone(tmp_path: Path, free_port: Callable[[], int]) -> Iterator[Served]:
    """A server that is restarted."""
    with serving(tmp_path, free_port(), SCRIPT) as served:
        yield served


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


def play_both(players: tuple[Player, Player]) -> None:
    """Play until the game is over, each player at the own page."""
    for _ in range(2_000):
        for player in players:
            mode = player.mode(player.look())
            if mode == "over":
                return
            if mode == "waiting":
                player.page.wait_for_timeout(20)
            else:
                player.play_on(1)
    raise AssertionError("the game does not end")


def read_card(player: Player) -> None:
    """Raise unless the sheet of the changed card names both numbers."""
    sheet = player.page.locator("#card-patriot .full-changed").evaluate("(el) => el.textContent")
    assert re.sub(r"\s+", " ", sheet) == "Changed from the standard cardStrength: was 6 (inferred) →, now 9"


@pytest.mark.extended
def test_a_box_owner_and_a_friend_play_with_the_numbers_of_the_box(browser: Browser, alone: Served) -> None:
    may = Player(browser.new_context(viewport=SCREEN, reduced_motion="reduce"), 3)
    bo = Player(phone(browser), 5)
    type_cards(may.page, alone.port, "?opponent=friend")
    may.page.locator("#cards").fill(CARDS)
    expect(may.page.locator("#cards-check")).to_contain_text("2 changes")
    may.page.locator('.bring:has(input[name="factions.0"][value="keion"])').click()
    may.page.locator('.open-table input[name="name"]').fill("May")
    may.page.get_by_role("button", name="Ready, get the link").click()
    expect(may.page.locator(".set-notice")).to_contain_text("Keion as printed")
    may.check_access()
    bo.page.goto(may.page.locator("#invite-url").input_value())
    expect(bo.page.locator(".set-notice")).to_contain_text("Patriot: strength was 6 (inferred) →, now 9")
    bo.check_both()
    bo.page.locator("#name").fill("Bo")
    bo.page.get_by_role("button", name="Ready", exact=True).click()
    for player in (may, bo):
        expect(player.page.locator("#prompt")).to_be_visible()
        read_card(player)
    # The server restarts in the middle of the game, and the pages return by themselves.
    for player in (may, bo):
        player.quiet = True
    alone.stop(signal.SIGTERM)
    alone.start()
    for player in (may, bo):
        player.page.reload()
        expect(player.page.locator("#net")).to_have_attribute("data-state", "on")
        player.quiet = False
        read_card(player)
    play_both((may, bo))
    for player in (may, bo):
        expect(player.page.get_by_role("link", name="Played with Keion as printed")).to_be_visible()
        player.check_width()
    old = may.page.url
    may.page.get_by_role("button", name="Rematch").click()
    expect(may.page.locator(".set-notice")).to_contain_text("Keion as printed")
    bo.page.get_by_role("button", name="Accept rematch").click()
    for player in (may, bo):
        expect(player.page.locator("#prompt")).to_be_visible()
        read_card(player)
    may.page.goto(f"{old}replay")
    read_card(may)
    may.page.goto(f"{old}review")
    expect(may.page.locator(".bar-title")).to_contain_text(" · Keion as printed")
    assert [may.complaints, bo.complaints] == [[], []]
