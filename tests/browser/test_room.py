"""Tables in Chromium: no element is covered or clipped in small windows or with long texts."""

from __future__ import annotations

import io
import re
from typing import Final

import pytest
from PIL import Image
from playwright.sync_api import Browser, expect

from tests.browser.player import SCREEN, phone
from tests.web.served import Served
from tools.screens.camera import AT
from tools.screens.seats import Seat, is_asked

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
def test_a_refusal_is_tagged_at_its_location(browser: Browser, seat: Seat) -> None:
    """Closed Locations have a padlock. One that is pressed tells why, and the card stays lifted."""
    seat.play_until(is_asked("deploy", version=9))
    context = phone(browser)
    page = context.new_page()
    page.goto(home(seat) + seat.page)
    expect(page.locator("#net")).to_have_attribute("data-state", "on")
    card = page.locator('#hand input:not([data-places*="2 3 4 5 6"])').first
    card.evaluate("(el) => el.click()")
    places = (card.get_attribute("data-places") or "").split()
    closed = page.locator(", ".join(f"#here-{n}" for n in "23456" if n not in places)).first
    expect(closed.locator(".icon")).to_be_visible()
    closed.click()
    expect(page.locator(".place .nope")).to_be_visible()
    expect(page.locator("#refusal")).not_to_be_empty()
    expect(page.locator("#rule")).to_be_visible()
    expect(page.locator("#hand :checked")).to_have_count(1)
    page.locator("#rule summary").click()
    expect(page.locator("#rule a")).to_have_attribute("href", re.compile(r"/games/feint/guide#ruling-\d+$"))
    context.close()
