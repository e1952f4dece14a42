"""Tables in Chromium: no element is covered or clipped in small windows or with long texts."""

from __future__ import annotations

import io
from typing import Final

import pytest
from PIL import Image
from playwright.sync_api import Browser, expect

from tests.browser.player import SCREEN, phone
from tests.web.served import Served
from tools.screens.camera import AT
from tools.screens.seats import Seat, is_asked

OVERLAPS: Final = """([first, second]) => {
  const boxes = (selector) => [...document.querySelectorAll(selector)].filter((el) => el.checkVisibility())
    .map((el) => [el, el.getBoundingClientRect()]).filter(([, box]) => box.width > 1);
  return boxes(first).flatMap(([a, one]) => boxes(second).filter(([b, two]) => !a.contains(b) && !b.contains(a)
    && one.left < two.right - 1 && two.left < one.right - 1 && one.top < two.bottom - 1 && two.top < one.bottom - 1)
    .map(([b]) => `${a.className} over ${b.className}`));
}"""
"""The parts of the first selection that cover the second."""


CROWDED: Final = """(side) => {
  const card = document.querySelector('.side .token');
  for (const el of document.querySelectorAll(`.side${side}`)) {
    while (el.children.length < 9) el.append(card.cloneNode(true));
  }
  document.dispatchEvent(new Event('board'));
}"""
"""Fills one side of every Location with cards."""


LOOKS: Final = """() => {
  const all = (selector) => [...document.querySelectorAll(selector)].map((el) => getComputedStyle(el));
  const look = (one, names) => names.map((name) => one[name]).join(" ").replace("none", "grayscale(0)");
  const different = (styles, names) => [...new Set(styles.map((one) => look(one, names)))];
  return [different(all(".place"), ["filter", "borderTopColor"]),
    different(all(".place > :is(.side, .sum, .place-head, .capacity)"), ["opacity"]),
    all(".morale-n strong, .vp strong").map((one) => one.opacity)];
}"""
"""The differences in color between Locations and between their contents, and the visible part of Morale and points."""


@pytest.fixture
def seat(loaded: Served) -> Seat:
    return Seat(loaded, "feint", "bot:casual", factions=["mibits", "wu"])


def home(seat: Seat) -> str:
    return f"http://127.0.0.1:{seat.served.port}"


@pytest.mark.parametrize("loaded", [8], indirect=True)
def test_a_reveal_does_not_begin_with_its_end(browser: Browser, seat: Seat) -> None:
    """While the Location Cards are face down all Locations look alike, and none is won or lost."""
    moment = seat.moment(seat.play_until(lambda view: view["moments"] > 0)["moments"])
    context = browser.new_context(viewport=SCREEN, reduced_motion="no-preference")
    page = context.new_page()
    context.new_cdp_session(page).send("Animation.setPlaybackRate", {"playbackRate": 0.001})
    page.goto(home(seat) + moment)
    looks, grounds = [], []
    for milliseconds in (250, 3500):
        page.evaluate(AT, milliseconds)
        looks.append(page.evaluate(LOOKS))
        picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
        corners = page.locator(".place").evaluate_all("(all) => all.map((el) => el.getBoundingClientRect().toJSON())")
        grounds.append([picture.getpixel((int(box["left"]) + 8, int(box["bottom"]) - 6)) for box in corners])
    (places, within, scores), (places_then, _, scores_then) = looks
    assert (len(places), len(within), len(set(grounds[0]))) == (1, 1, 1)
    assert len(places_then) > 1
    assert len(set(grounds[1])) > 1
    assert (set(scores), set(scores_then)) == ({"0"}, {"1"})
    context.close()


@pytest.mark.parametrize("loaded", [8], indirect=True)
def test_why_a_card_may_not_go_somewhere_hides_no_card(browser: Browser, seat: Seat) -> None:
    """On a phone the sentence is above the hand. On a screen it is in the Location, below its cards."""
    seat.play_until(is_asked("deploy", version=9))
    context = phone(browser)
    page = context.new_page()
    page.goto(home(seat) + seat.page)
    expect(page.locator("#net")).to_have_attribute("data-state", "on")
    page.locator('#hand input[data-why*=" has room for "]').first.evaluate("(el) => el.click()")
    expect(page.locator(".where-note:visible")).to_contain_text(" has room for ")
    assert page.evaluate(OVERLAPS, [".why", ".side .token"]) == []
    page.set_viewport_size(SCREEN)
    expect(page.locator(".why:visible").first).to_contain_text(" has room for ")
    assert page.evaluate(OVERLAPS, [".why", ".side .token"]) == []
    for side, free in ((".ours", "up"), (".theirs", "tight")):  # it goes where room is, and last of all out of sight
        page.evaluate(CROWDED, side)
        assert page.evaluate(OVERLAPS, [".why", ".side .token"]) == []
        expect(page.locator(f".why.{free}").first).to_contain_text(" has room for ")
    context.close()
