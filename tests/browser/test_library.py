"""Annotated games on a phone: nothing that is told is cut, and nothing lies over a name."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.player import phone
from tests.web.served import Served

NAMES_COVERED = """() => [...document.querySelectorAll('.unit')].filter((unit) => {
  const name = unit.querySelector('.unit-name').getBoundingClientRect();
  return [...unit.querySelectorAll('.gear, .note')].some((mark) => mark.getBoundingClientRect().bottom > name.top + 1);
}).length"""


@pytest.mark.parametrize("step", ["feint/decoy/replay?at=31", "factionwars/thieves/replay?at=9"])
def test_between_notes_the_sentence_is_not_cut(browser: Browser, served: Served, step: str) -> None:
    """Both take more than three lines."""
    with phone(browser) as context:
        page = context.new_page()
        page.goto(f"http://127.0.0.1:{served.port}/library/{step}")
        expect(page.locator("#status")).to_be_visible()
        cut = page.locator("#status").evaluate("(el) => el.scrollHeight - el.clientHeight")
        assert cut <= 2


def test_a_note_stands_in_place_of_the_sentence(browser: Browser, served: Served) -> None:
    with phone(browser) as context:
        page = context.new_page()
        page.goto(f"http://127.0.0.1:{served.port}/library/feint/decoy/replay")
        expect(page.locator("[data-fresh] .annotation")).to_be_visible()
        assert page.locator("#prompt").evaluate("(el) => el.offsetHeight") <= 1


def test_nothing_lies_over_a_generals_name(browser: Browser, served: Served) -> None:
    """Xiahou Yuan bears a Troop, is attacked, and has a name of two lines."""
    with phone(browser) as context:
        page = context.new_page()
        page.goto(f"http://127.0.0.1:{served.port}/library/generals/gate/replay?at=38")
        expect(page.locator(".unit .gear")).to_have_count(1)
        assert page.evaluate(NAMES_COVERED) == 0
