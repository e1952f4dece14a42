"""Feint with one finger on a small phone: every tapped element is visible and is the one selected."""

from __future__ import annotations

from typing import Final

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.player import PHONE, Player
from tests.browser.tables import open_table
from tests.web.served import Served

SPOT: Final = """(el) => {
  const b = el.getBoundingClientRect(), next = el.closest('li')?.nextElementSibling?.querySelector('label, .card');
  const over = next?.getBoundingClientRect();
  const right = over && over.top < b.bottom && over.left > b.left ? Math.min(b.right, over.left) : b.right;
  const x = (b.left + right) / 2, y = (b.top + Math.min(b.bottom, innerHeight)) / 2;
  return {x, y, wide: right - b.left, high: b.height, free: el.contains(document.elementFromPoint(x, y))};
}"""
"""The middle of the visible part of an element, which the next card of the hand may cover."""


def tap(page: Page, target: Locator, wide: float = 44) -> None:
    target.wait_for()
    spot = target.evaluate(SPOT)
    assert spot["free"], f"something lies over {target}"
    assert 0 < spot["x"] < PHONE["width"]
    assert 0 < spot["y"] < PHONE["height"]
    assert spot["wide"] >= wide - 0.5
    assert spot["high"] >= 43.5
    page.touchscreen.tap(spot["x"], spot["y"])
    assert page.evaluate("scrollY || document.querySelector('.table').scrollTop") == 0


def take(page: Page, number: int) -> None:
    """Tap a card of the hand with at least 36 visible pixels and check that it is the one selected."""
    card = page.locator("#hand li").nth(number)
    tap(page, card.locator("label"), 36)
    expect(card.locator("input")).to_be_checked()


@pytest.mark.long
@pytest.mark.parametrize("loaded", [8], indirect=True)
def test_on_a_phone_a_game_is_played_by_touch_without_scrolling(browser: Browser, loaded: Served) -> None:
    context = browser.new_context(viewport=PHONE, is_mobile=True, has_touch=True, reduced_motion="reduce")
    player = Player(context, 3)
    page = player.page
    page.goto(open_table(page, loaded, "feint"))
    expect(page.locator("#net")).to_have_attribute("data-state", "on")
    kinds: set[str] = set()
    hinted = False
    while (mode := player.mode(board := player.look())) != "over":
        if mode == "waiting":
            page.wait_for_timeout(10)
            continue
        kinds.add(mode)
        was = str(board["expected"])
        if mode == "moment":
            tap(page, page.locator("#go-on"))
            page.wait_for_timeout(50)
            continue
        places = board["cards"]
        assert isinstance(places, list)
        fits = [number for number, there in enumerate(places) if there]
        if board["marks"]:
            take(page, 0)
            tap(page, page.locator("#done"))
        elif board["choices"]:
            tap(page, page.locator("#choices button").first)
        elif fits:
            number = fits[player.below(len(fits))]
            if not hinted:
                hinted = True
                page.locator("#hint").tap()
                expect(page.locator("#hint-box")).to_be_visible()
                page.locator("#hint-box [data-do=unhint]").tap()
                expect(page.locator("#hint-box")).to_be_hidden()
            take(page, number)
            tap(page, page.locator(f"#here-{places[number][0]}"))
        else:
            tap(page, page.locator("#pass"))
            if page.locator("#pass-confirm[open]").count():
                tap(page, page.locator("#pass-confirm .danger"))
        expect(page.locator('#act input[name="expected"]')).not_to_have_value(was)
    assert {"moment", "play"} <= kinds
    assert player.complaints == []
    context.close()
