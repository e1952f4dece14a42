"""A scene is shown for a few seconds or until the viewer continues: Feint's reveal, an enemy's acts in Generals."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.loaded import load
from tests.browser.player import SCREEN, phone
from tests.web.served import Served
from tools.screens.seats import NeverComesError, Seat, View

UNSEEN: Final = """const key = 'moments ' + location.pathname.split('/').slice(0, 4).join('/');
if (sessionStorage.getItem(key) === null) sessionStorage.setItem(key, '0');"""
"""Removes the record of seen moments, as for a new viewer of the table."""
REVEAL: Final = 'body.staged #table[data-moment="resolution"]'
MOVING: Final = """() => document.getAnimations().some(
  (one) => one.playState === 'running' && one.effect.getTiming().iterations !== Infinity)"""
LASTS: Final = """() => Math.max(...document.getAnimations().map((one) => one.effect.getComputedTiming().endTime)
  .filter(Number.isFinite))"""
"""The time in milliseconds when the last animation ends."""
DEEDS: Final = """() => {
  window.told = [];
  const look = () => {
    const now = document.querySelector('.ribbon .deed:last-child')?.id;
    if (now && now !== window.told.at(-1)?.[0]) window.told.push([now, performance.now()]);
  };
  const all = {subtree: true, childList: true, attributes: true};
  new MutationObserver(look).observe(document.getElementById('main'), all);
}"""


def at_main_phase(view: View) -> bool:
    """Return whether the seat is asked for an action on its own turn."""
    return bool(view["decision"]) and view["decision"]["prompt"] == "main"


def revealed(browser: Browser, loaded: Served, motion: bool, rate: float = 1) -> Page:
    """Return the page of a just-resolved round of Feint at the start of its scene, played at this rate."""
    seat = Seat(loaded, "feint", "bot:casual", factions=["mibits", "wu"])
    seat.play_until(lambda view: view["moments"] > 0)
    context = browser.new_context(viewport=SCREEN, reduced_motion="no-preference" if motion else "reduce")
    page = context.new_page()
    context.new_cdp_session(page).send("Animation.setPlaybackRate", {"playbackRate": rate})
    page.add_init_script(UNSEEN)
    page.goto(f"http://127.0.0.1:{loaded.port}{seat.page}")
    expect(page.locator(REVEAL)).to_have_count(1)
    return page


@pytest.mark.parametrize("loaded", [8], indirect=True)
def test_a_reveal_moves_for_three_seconds_and_is_left_by_a_key(browser: Browser, loaded: Served) -> None:
    page = revealed(browser, loaded, motion=True, rate=0.05)
    assert page.evaluate(MOVING)
    assert 3000 <= page.evaluate(LASTS) <= 3500
    page.evaluate("document.getAnimations().forEach((one) => one.updatePlaybackRate(100))")
    page.wait_for_function(f"() => !({MOVING})()")
    expect(page.locator("#go-on")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(REVEAL)).to_have_count(0)
    page.context.close()


@pytest.mark.parametrize("loaded", [8], indirect=True)
def test_a_reveal_is_ended_by_a_key_and_then_left_by_a_click(browser: Browser, loaded: Served) -> None:
    page = revealed(browser, loaded, motion=True, rate=0.05)
    assert page.evaluate(MOVING)
    page.keyboard.press("Enter")
    assert not page.evaluate(MOVING)
    assert page.locator(REVEAL).count() == 1
    assert page.locator(".verdict:visible").count() == 1
    page.locator(".places").click(position={"x": 4, "y": 4})
    expect(page.locator(REVEAL)).to_have_count(0)
    page.context.close()


def watching(browser: Browser, loaded: Served, most: int) -> Page:
    """Return the page of a new spectator at a table of Feint after some scenes. Its clock stands still."""
    seat = Seat(loaded, "feint", "bot:casual", factions=["mibits", "wu"])
    seat.play_until(lambda view: view["moments"] >= most or bool(view["over"]))
    page = browser.new_context(viewport=SCREEN, reduced_motion="reduce").new_page()
    page.clock.install(time=0)
    page.clock.pause_at(1)
    page.add_init_script(UNSEEN)
    page.goto(f"http://127.0.0.1:{loaded.port}/t/{seat.key}/watch/")
    expect(page.locator("#net")).to_have_attribute("data-state", "on")
    return page


@pytest.mark.parametrize("loaded", [8], indirect=True)
def test_scenes_advance_by_themselves(browser: Browser, loaded: Served) -> None:
    page = watching(browser, loaded, 1)
    expect(page.locator(REVEAL)).to_have_count(1)
    page.clock.fast_forward(3000)
    expect(page.locator(REVEAL)).to_have_count(1)
    page.clock.fast_forward(6000)
    expect(page.locator("body.staged")).to_have_count(0)
    page.context.close()


@pytest.mark.parametrize("loaded", [8], indirect=True)
def test_a_scene_stays_while_a_card_is_read(browser: Browser, loaded: Served) -> None:
    page = watching(browser, loaded, 1)
    expect(page.locator(REVEAL)).to_have_count(1)
    page.evaluate("document.querySelector('[id^=\"card-\"][popover]').showPopover()")
    page.clock.fast_forward(60_000)
    expect(page.locator(REVEAL)).to_have_count(1)
    page.evaluate("document.querySelector(':popover-open').hidePopover()")
    page.clock.fast_forward(2000)
    expect(page.locator("body.staged")).to_have_count(0)
    page.context.close()


@pytest.mark.parametrize("loaded", [8], indirect=True)
def test_live_jumps_to_the_present(browser: Browser, loaded: Served) -> None:
    """One click skips all scenes still to come."""
    page = watching(browser, loaded, 2)
    expect(page.locator('body.staged #table[data-moments="1"]')).to_have_count(1)
    page.get_by_role("button", name="Live", exact=True).click()
    expect(page.locator("body.staged, body.behind")).to_have_count(0)
    expect(page.locator("#table")).to_have_attribute("data-moments", "2")
    page.context.close()


# On a busy machine several acts come in one frame, and no game of these shows two.
@pytest.mark.long
@pytest.mark.parametrize("loaded", [4], indirect=True)
def test_an_enemys_acts_come_one_by_one(browser: Browser, loaded: Served) -> None:
    """Each is shown for at least six tenths of a second."""
    for seed in range(4, 12):  # a game may be over too soon
        load(loaded, seed)
        context = phone(browser, moving=True)
        try:
            told_one_by_one(context.new_page(), loaded)
            return
        except NeverComesError:
            continue
        finally:
            context.close()
    raise NeverComesError


def told_one_by_one(page: Page, loaded: Served) -> None:
    """Watch at least two acts of one turn. Raises NeverComes."""
    seat = Seat(loaded, "generals", "bot:greedy")
    seat.play_until(at_main_phase)
    page.goto(f"http://127.0.0.1:{loaded.port}{seat.page}")
    expect(page.locator("#net")).to_have_attribute("data-state", "on")
    told: list[tuple[str, float]] = []
    while len({deed for deed, _ in told}) < 2:
        view = seat.play_until(at_main_phase)
        expect(page.locator("#prompt.mine .end")).to_have_count(1)
        page.evaluate(DEEDS)
        seat.act(view, "end")
        seat.view()
        expect(page.locator("body.behind")).to_have_count(0)
        told = page.evaluate("window.told")
    assert all(later - earlier > 550 for (_, earlier), (_, later) in pairwise(told))
