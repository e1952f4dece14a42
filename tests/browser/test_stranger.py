"""A third-party game without its own page, in Chromium: its words, its answers, its log and its bots."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.moots import SCRIPT
from tests.browser.player import Player, phone
from tests.browser.tables import open_table
from tests.web.served import Served, serving

H: Final = """() => document.querySelector('#help button').dispatchEvent(
    new KeyboardEvent('keydown', {key: 'v', bubbles: true, cancelable: true}))"""
"""The key v while the focus is still in the just-closed help."""


@pytest.fixture(scope="module")
def strange(tmp_path_factory: pytest.TempPathFactory, free_port: Callable[[], int]) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("strange"), free_port(), SCRIPT) as served:
        yield served


@pytest.mark.long
def test_a_game_by_keyboard_on_both_screens(browser: Browser, strange: Served) -> None:
    """The opponent is the search that plays any game. It is played on a phone in the dark and on a screen in
    the light."""
    context = phone(browser)
    player = Player(context, 2)
    page = player.page
    page.goto(f"http://127.0.0.1:{strange.port}/games/duel/new")
    form = page.locator('form:has(input[name="game"][value="duel"])')
    levels = form.locator('input[name="opponent"]').evaluate_all("all => all.map((one) => one.value)")
    assert levels == ["bot:expert", "bot:club", "bot:gentle", "friend", "beside"]
    assert form.locator('input[name="opponent"]:checked').get_attribute("value") == "bot:gentle"
    open_table(page, strange, "duel")
    expect(page.locator("#net")).to_have_attribute("data-state", "on")
    sheet = str(page.locator("#plain-text").text_content())
    assert "You  Score 0" in sheet
    assert "8 face down" in sheet
    assert page.locator("#z-deck .pile .pcard-n").inner_text() == "8"
    assert page.locator(".plain-mine .pcard.may").count() == 3
    assert page.locator(".theirs .pback").count() == 3
    assert "reconstructed" not in page.content()
    assert page.locator(".bar a", has_text="Rules of Duel").count() == 0  # there are none
    player.press("?")
    expect(page.locator("#help")).to_be_visible()
    expect(page.locator("#help")).to_contain_text("to the answer with this number")
    player.press("Escape")
    expect(page.locator("#help")).to_be_hidden()
    page.evaluate(H)
    expect(page.locator(".plain-mine .hand")).to_be_hidden()
    player.press("v")
    expect(page.locator(".plain-mine .hand")).to_be_visible()
    player.press("l")
    expect(page.locator("#log")).to_be_focused()
    page.locator("#log-drawer > summary").click()
    page.locator(".plain-mine .pcard-act").first.click()
    expect(page.locator("#table[data-moment=cards] :is(#z-table-0, #z-table-1) .pcard-name")).to_have_count(2)
    assert page.locator(".plain-mine .pcard-act").count() == 0
    player.check_both()
    assert player.play_on(check=True)
    expect(page.locator("#status")).to_contain_text("(rounds)")
    player.check_both()
    page.get_by_role("link", name="Replay", exact=True).first.focus()
    player.press("Enter")
    page.wait_for_url("**/replay")
    player.check_both()
    page.get_by_role("switch", name="All hands open").click()
    expect(page.get_by_role("switch", name="All hands open")).to_have_attribute("aria-checked", "true")
    player.press("End")
    where = page.locator(".replay-place")
    for _ in range(3):  # whoever showed a Scout at last was asked once more when the cards lay open
        before = where.inner_text()
        player.press("ArrowLeft")
        expect(where).not_to_have_text(before)
        if "moment" in where.inner_text():
            break
    expect(where).to_have_text(re.compile(r"^Step (\d+) of \d+, moment 1$"))
    expect(page.locator("#plain-text")).to_contain_text("Score")
    expect(page.locator("#plain-text")).not_to_contain_text("?")
    assert player.complaints == []
    context.close()
