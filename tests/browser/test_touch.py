"""Feint with one finger on a small phone: whatever is tapped lies in sight, and is what is taken."""

from __future__ import annotations

from typing import Final

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.player import PHONE, Player
from tests.browser.tables import open_table
from tests.web.served import Served
from tools.screens.seats import Seat

SPOT: Final = """(el) => {
  const b = el.getBoundingClientRect(), next = el.closest('li')?.nextElementSibling?.querySelector('label, .card');
  const right = next ? Math.min(b.right, next.getBoundingClientRect().left) : b.right;
  const x = (b.left + right) / 2, y = (b.top + Math.min(b.bottom, innerHeight)) / 2;
  return {x, y, wide: right - b.left, high: b.height, free: el.contains(document.elementFromPoint(x, y))};
}"""
"""The middle of what can be seen of something, where in a hand the next card lies over it."""


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
    """Tap a card of the hand, of which 36 pixels or more can be seen; it is the one that is taken up."""
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
            if not hinted:  # a hint lies over the hand until it is folded
                hinted = True
                page.locator("#hint").tap()  # which leads to the page with it
                expect(page.locator("#hint-box[open]")).to_have_count(1)
                tap(page, page.locator("#hint-box[open] > summary"))
                expect(page.locator("#hint-box[open]")).to_have_count(0)
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


@pytest.mark.parametrize("tips", [True, False])
@pytest.mark.parametrize("loaded", [8], indirect=True)
def test_a_prompt_with_many_buttons_keeps_lines_of_several_words(browser: Browser, loaded: Served, tips: bool) -> None:
    """Its words get a line of their own where the buttons leave no room, and the Locations keep theirs."""
    seat = Seat(loaded, "feint", "bot:random")
    view = seat.play_until(lambda view: not view["over"] and view["decision"]["prompt"] == "reinforce")
    seat.act(view, next(action["id"] for action in view["decision"]["actions"] if action["id"] != "done"))
    with browser.new_context(viewport=PHONE, is_mobile=True, has_touch=True, reduced_motion="reduce") as context:
        page = context.new_page()
        page.goto(f"http://127.0.0.1:{loaded.port}{seat.page}")
        page.evaluate("(on) => document.body.classList.toggle('tips', on)", tips)
        expect(page.locator("#hint, #back, #done")).to_have_count(3)
        words = page.locator(".tip" if tips else "#status").bounding_box()
        prompt = page.locator("#prompt").bounding_box()
        assert words is not None
        assert prompt is not None
        assert words["width"] >= 88
        assert prompt["height"] <= 130
        for button in page.locator("#hint, #back, #done").all():
            assert button.evaluate(SPOT)["free"]


@pytest.mark.parametrize("game", ["feint", "jinkei"])
def test_live_covers_no_words_of_the_prompt_on_a_phone(browser: Browser, served: Served, game: str) -> None:
    """The button that skips what bots have done names no key and lies beside the words."""
    seat = Seat(served, game, "bot:random")
    watch = f"http://127.0.0.1:{served.port}/t/{seat.key}/watch/"
    with browser.new_context(viewport=PHONE, is_mobile=True, has_touch=True, reduced_motion="reduce") as context:
        page = context.new_page()
        page.goto(watch)
        expect(page.locator("#prompt.theirs")).to_have_count(1)
        page.evaluate("document.body.classList.add('behind')")
        live = page.locator("#skip")
        expect(live).to_have_text("Live", use_inner_text=True)
        button, words = live.bounding_box(), page.locator("#status").bounding_box()
        assert button is not None
        assert words is not None
        assert words["x"] + words["width"] <= button["x"] or words["y"] + words["height"] <= button["y"]
