"""A draft that is not yet sent survives a reload on the same device and is not sent before."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.player import SCREEN
from tests.browser.test_jinkei import Commander, sit_down
from tests.browser.test_seats import ANSWERED, CURTAIN
from tests.web.served import Served
from tools.screens.seats import Seat

CHOSEN = """() => ({
  checked: [...document.querySelectorAll('#table input:checked')].map((el) => el.id),
  laid: [...document.querySelectorAll('#table select')].map((el) => el.value),
})"""
KEPT = "Object.entries(sessionStorage).filter(([key, value]) => key.startsWith('draft ') && value !== 'null').length"


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    with browser.new_context(viewport=SCREEN, reduced_motion="reduce") as context:
        yield context.new_page()


def reload_kept(page: Page) -> None:
    """Reload, and check that the draft is unchanged and unsent.

    A screenshot is taken before. Like some browser extensions it leaves attributes on the page's fields.
    """
    expect(page.locator("#net")).to_have_attribute("data-state", "on")
    page.screenshot()
    assert page.locator("#act [style]").count() > 0
    chosen = page.evaluate(CHOSEN)
    assert chosen["checked"] or any(chosen["laid"])
    posts: list[str] = []
    page.on("request", lambda request: posts.append(request.url) if request.method == "POST" else None)
    page.reload()
    assert page.evaluate(CHOSEN) == chosen
    expect(page.locator("#net")).to_have_attribute("data-state", "on")
    assert page.evaluate(CHOSEN) == chosen
    assert posts == []


def at_laying(page: Page, served: Served) -> Seat:
    """Return a page of Jinkei with three cards placed, in a formation that needs more."""
    seat = Seat(served, "jinkei", "bot:random")
    seat.play_until(lambda view: view["board"]["phase"] == "front")
    page.goto(f"http://127.0.0.1:{served.port}{seat.page}")
    lay(page, 3)
    return seat


def lay(page: Page, cards: int) -> None:
    for n in range(cards):
        page.locator("#hand label").nth(n).click()
        page.locator(".lay .here").nth(n).click()
    expect(page.locator(".lay.filled")).to_have_count(cards)


def test_a_formation_that_is_laid_out_survives_a_reload(page: Page, served: Served) -> None:
    at_laying(page, served)
    reload_kept(page)
    expect(page.locator(".lay.filled [data-laid] .soldier")).to_have_count(3)
    page.locator("#hand li:not(.laid) label").first.click()
    reload_kept(page)


def test_a_draft_is_not_shown_once_the_table_has_moved_on(page: Page, served: Served) -> None:
    seat = at_laying(page, served)
    page.goto("about:blank")
    view = seat.view()
    while view["board"]["phase"] == "front":
        seat.act(view, seat.choose(view))
        view = seat.view()
    page.goto(f"http://127.0.0.1:{served.port}{seat.page}")
    expect(page.locator("#net")).to_have_attribute("data-state", "on")
    expect(page.locator(".lay.filled")).to_have_count(0)
    assert page.evaluate(KEPT) == 0


def test_a_draft_at_a_shared_device_is_its_owners_alone(browser: Browser, served: Served) -> None:
    """It survives a reload and is cleared when the curtain falls."""
    player = Commander(browser.new_context(viewport=SCREEN, reduced_motion="reduce"), 3)
    page = player.page
    sit_down(player, served, "beside")
    while page.locator(".mode-place").count() == 0:
        if page.locator("#rise").count():
            page.locator("#rise").click()
            expect(page.locator(CURTAIN)).to_have_count(0)
            expect(page.locator("#net")).to_have_attribute("data-state", "on")
        elif player.mode(board := player.look()) not in ("waiting", "moment"):
            player.press("1", "Enter")
            page.wait_for_function(ANSWERED, arg=board["expected"])
    lay(page, 2)
    reload_kept(page)
    page.locator(".menu > summary").first.click()
    page.get_by_role("button", name="Draw the curtain").click()
    expect(page.locator(CURTAIN)).to_have_count(1)
    assert page.evaluate(KEPT) == 0
    page.locator("#rise").click()
    expect(page.locator(".mode-place")).to_have_count(1)
    expect(page.locator(".lay.filled")).to_have_count(0)
    page.context.close()


def test_a_lifted_card_survives_a_reload(page: Page, served: Served) -> None:
    seat = Seat(served, "feint", "bot:random", factions=["mibits", "wu"])
    seat.play_until(lambda view: any("@" in action["id"] for action in view["decision"]["actions"]))
    page.goto(f"http://127.0.0.1:{served.port}{seat.page}")
    page.locator("#hand label.card").first.click()
    reload_kept(page)
