"""A page with a swallowed connection: no data arrives, and no error."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.bad_world.swallowing import SwallowingProxy, swallowing
from tests.bad_world.tables import Two
from tests.browser.conftest import chromium, launched
from tests.web.served import Served, serving

__all__ = ["chromium"]

pytestmark = pytest.mark.extended

QUICK = """import sys
from gonfalon.web import serve
from gonfalon.web.server import server
from gonfalon.web.table import live
live.HEARTBEAT_S = server.HEARTBEAT_S = 0.2
serve(port=int(sys.argv[1]), database_url=sys.argv[2], pace=0)"""
"""A server that drops silent pages after 0.4 seconds instead of 40."""


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    with launched(chromium) as running:
        yield running


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory, free_port: Callable[[], int]) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("served"), free_port()) as served:
        yield served


@pytest.fixture
def proxy(served: Served) -> Iterator[SwallowingProxy]:
    with swallowing(served.port) as proxy:
        yield proxy


@pytest.fixture
def page(browser: Browser, proxy: SwallowingProxy) -> Iterator[Page]:
    """A page with the test's clock."""
    with browser.new_context(reduced_motion="reduce") as context:
        page = context.new_page()
        page.clock.install()
        yield page


def go_to(page: Page, proxy: SwallowingProxy, table: Two) -> None:
    page.goto(f"http://127.0.0.1:{proxy.port}{table.page}")
    expect(page.locator("#net")).to_have_attribute("data-state", "on")


def pass_time(page: Page, seconds: int, what: Locator, name: str, value: str) -> None:
    """Advance time in the page until an expression has a value."""
    for _ in range(seconds // 4):
        page.clock.fast_forward(4000)
        with suppress(AssertionError):
            expect(what).to_have_attribute(name, value, timeout=300)
            break
    expect(what).to_have_attribute(name, value, timeout=1)


def version_of(page: Page) -> Locator:
    return page.locator('#act input[name="expected"]')


def test_a_silent_page_says_that_it_is_not_live_and_catches_up(
    page: Page, proxy: SwallowingProxy, served: Served
) -> None:
    table = Two(served)
    go_to(page, proxy, table)
    proxy.swallow()
    table.act()
    pass_time(page, 60, page.locator("#net"), "data-state", "lost")
    proxy.forward()
    pass_time(page, 60, page.locator("#net"), "data-state", "on")
    expect(version_of(page)).to_have_value(str(table.view()["version"]))


@pytest.mark.parametrize("event", ["online", "focus", "visibilitychange"])
def test_a_page_that_is_looked_at_again_is_up_to_date(
    page: Page, proxy: SwallowingProxy, served: Served, event: str
) -> None:
    table = Two(served)
    go_to(page, proxy, table)
    proxy.swallow(only_sockets=True)
    table.act()
    page.clock.fast_forward(4000)
    page.evaluate("(name) => (name === 'visibilitychange' ? document : window).dispatchEvent(new Event(name))", event)
    expect(version_of(page)).to_have_value(str(table.view()["version"]))
    expect(page.locator("#net")).to_have_attribute("data-state", "on")


def test_a_players_own_move_appears_although_the_socket_is_dead(
    page: Page, proxy: SwallowingProxy, served: Served
) -> None:
    table = Two(served)
    while not table.view()["decision"]:
        table.act()
    go_to(page, proxy, table)
    proxy.swallow(only_sockets=True)
    before = table.view()["version"]
    with page.expect_response("**/act") as answer:
        page.locator("button.answer, .prompt-acts button.primary").first.click()
    after = table.view()["version"]
    assert answer.value.headers["x-version"] == str(after)
    assert after > before
    pass_time(page, 16, version_of(page), "value", str(after))
    expect(page).not_to_have_title("Your turn")


def test_a_post_that_is_swallowed_is_reported(page: Page, proxy: SwallowingProxy, served: Served) -> None:
    table = Two(served)
    while not table.view()["decision"]:
        table.act()
    go_to(page, proxy, table)
    proxy.swallow()
    with page.expect_request(lambda request: request.method == "POST"):
        page.locator("button.answer, .prompt-acts button.primary").first.click()
    # Time stands still after the limit of 20 seconds, so that the refusal, which goes by itself, is there to be read.
    page.clock.pause_at(page.evaluate("Date.now()") + 20_500)
    for _ in range(30):
        page.clock.run_for(100)
        with suppress(AssertionError):
            expect(page.locator("#refusal")).to_contain_text("No connection", timeout=300)
            break
    expect(page.locator("#refusal")).to_contain_text("No connection", timeout=1)


def test_a_player_waiting_for_the_deal_reaches_the_table(page: Page, proxy: SwallowingProxy, served: Served) -> None:
    table = Two(served, ready=False)
    go_to(page, proxy, table)
    proxy.swallow(only_sockets=True)
    table.sit()
    pass_time(page, 60, page.locator("body"), "class", "at-table tips")
    expect(page.locator("#table .jinkei")).to_have_count(1)


def test_others_see_that_a_swallowed_page_is_gone(
    browser: Browser, tmp_path_factory: pytest.TempPathFactory, free_port: Callable[[], int]
) -> None:
    folder = tmp_path_factory.mktemp("quick")
    with serving(folder, free_port(), QUICK) as served, swallowing(served.port) as proxy:
        table = Two(served)
        with browser.new_context() as context:
            page = context.new_page()
            go_to(page, proxy, table)
            assert served.ask("GET", f"{table.path}/company")[1]["seats"][0] == "here"
            proxy.swallow()
            for _ in range(1000):
                if served.ask("GET", f"{table.path}/company")[1]["seats"][0] != "here":
                    return
                page.wait_for_timeout(20)
    raise AssertionError("the page is still there")
