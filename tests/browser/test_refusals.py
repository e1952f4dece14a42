"""Refusals on a phone leave room for the next move and disappear."""

from __future__ import annotations

from typing import Final

import pytest
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect

from tests.web.served import Served

PHONE: Final[ViewportSize] = {"width": 390, "height": 844}
FREE: Final = """(el) => {
  const b = el.getBoundingClientRect();
  const over = document.elementFromPoint((b.left + b.right) / 2, (b.top + b.bottom) / 2);
  const told = document.querySelector('.news-no').getBoundingClientRect();   // touches go through it, eyes do not
  return el.contains(over) && b.right <= innerWidth && (told.bottom <= b.top || told.top >= b.bottom);
}"""
"""Whether an element is visible with an uncovered middle."""


def provoke_refusal(page: Page, served: Served, lesson: str) -> Locator:
    """Make a move that the lesson does not want, or with a missing card."""
    page.goto(f"http://127.0.0.1:{served.port}/learn/{lesson}")
    page.locator("#pass, #done").tap()
    expect(page.locator(".news-no")).to_be_in_viewport()
    return page.locator("#refusal")


@pytest.mark.parametrize("lesson", ["feint/first/?step=4", "jinkei/first/?step=4"])
def test_a_refusal_covers_nothing_that_the_next_move_needs(browser: Browser, served: Served, lesson: str) -> None:
    page = browser.new_page(viewport=PHONE, is_mobile=True, has_touch=True, reduced_motion="reduce")
    words = provoke_refusal(page, served, lesson)
    needed = [*page.locator("#hand li:last-child :is(input, .card)").all(), *page.locator(".fixed-slot button").all()]
    needed += [*page.locator(".place, .lay .here").all(), page.locator("#status")]
    assert all(button.evaluate(FREE) for button in needed)
    page.locator("#hand li:last-child label").tap()  # the next touch is done, and puts the words away
    expect(words).to_be_empty()
    expect(page.locator("#hand input:checked")).to_have_count(1)
    page.close()


def test_a_refusal_is_put_away_by_its_button_and_by_escape(browser: Browser, served: Served) -> None:
    page = browser.new_page(viewport=PHONE, is_mobile=True, has_touch=True, reduced_motion="reduce")
    words = provoke_refusal(page, served, "feint/first/?step=4")
    page.get_by_role("button", name="Close the refusal").tap()
    expect(words).to_be_empty()
    expect(page.locator(".news-no")).to_be_hidden()
    page.locator("#pass").press("Enter")
    expect(words).not_to_be_empty()
    page.keyboard.press("Escape")
    expect(words).to_be_empty()
    page.close()


def test_a_refusal_goes_by_itself_but_not_under_the_focus(browser: Browser, served: Served) -> None:
    """It disappears once its button has no focus, and the news line has its place again."""
    page = browser.new_page(viewport=PHONE, is_mobile=True, has_touch=True, reduced_motion="reduce")
    page.clock.install()
    words = provoke_refusal(page, served, "feint/first/?step=4")
    page.locator("#dismiss").focus()
    page.clock.run_for(30_000)
    expect(words).to_contain_text("After a pass you play no more cards this round.")
    page.locator("#status").focus()
    page.clock.run_for(2_000)
    expect(words).to_be_empty()
    expect(page.locator(".news-no")).to_be_hidden()
    page.close()
