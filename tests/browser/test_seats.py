"""Many people in Chromium: on one device with a curtain between them, and on separate devices."""

from __future__ import annotations

import re
from contextlib import suppress

import pytest
from playwright.sync_api import Browser, Error, Page, Route, expect

from tests.browser.heard import heard
from tests.browser.player import PHONE, SCREEN, Player, phone
from tests.browser.test_jinkei import Commander, sit_down
from tests.web.served import Served

FORM = 'form:has(input[name="game"][value="moot"])'
CANARY = re.compile(r"CARD-(\d+)-")
CURTAIN = "#table[data-curtain]"
ANSWERED = "(was) => document.querySelector('#act input[name=\"expected\"]')?.value !== was"
"""True when another question comes, or the curtain has fallen, behind which there is none."""


def find_canaries(text: str) -> set[int]:
    return {int(number) for number in CANARY.findall(text)}


def open_moot(page: Page, served: Served, *others: str) -> str:
    """Open a table by the lobby's form and return the address of the seat."""
    page.goto(f"http://127.0.0.1:{served.port}/games/moot/new")
    form = page.locator(FORM)
    names = iter(("Bo", "Cy", "Di", "Ed"))
    for number in range(1, 5):
        who = others[number - 1] if number <= len(others) else "nobody"
        form.locator(f'select[name="who-{number}"]').select_option(who)
        if who == "beside":
            form.locator(f'input[name="name-{number}"]').fill(next(names))
    if {"friend", "beside"}.intersection(others):
        form.locator('input[name="name"]').fill("May")
    form.locator(".house-rules > summary").click()
    form.locator('input[name="seat"][value="0"]').check()
    form.locator(".go-on button.primary").click()
    page.wait_for_url("**/t/*/*/")
    return page.url


def public(page: Page, url: str = "") -> set[int]:
    """Return the cards that a spectator sees. Revealed cards stay revealed, so this is called after reading a page,
    which may be older but not newer."""
    services, _, rest = (url or page.url).partition("/t/")
    return find_canaries(page.context.request.get(f"{services}/t/{rest.split('/')[0]}/watch/").text())


class Onlooker:
    """A check of a device's data against the public cards."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.frames = heard(page)
        self.curtains = 0

    def curtain(self) -> None:
        """Raise if data about any cards is behind the curtain."""
        expect(self.page.locator(CURTAIN)).to_have_count(1)
        shown = find_canaries(self.content())
        assert find_canaries(self.page.title()) == set()
        assert (
            find_canaries(str(self.page.evaluate("JSON.stringify([Object.entries(sessionStorage), history.state])")))
            == set()
        )
        shown |= find_canaries("".join(frame for frame in self.frames if "data-curtain" in frame))
        assert shown <= public(self.page)
        self.curtains += 1

    def content(self) -> str:
        """Return the page once it has loaded. A page from the browser's cache reloads itself."""
        for _ in range(100):
            with suppress(Error):
                self.page.wait_for_load_state()
                return self.page.content()
        raise AssertionError("the page does not come to rest")

    def back(self, home: str) -> None:
        """Go back through the history, check that only the curtain appears, and return."""
        for _ in range(5):
            if self.page.go_back() is None:
                break
            self.page.wait_for_timeout(50)
            shown = find_canaries(self.content())
            assert shown <= public(self.page, home)
            if "/t/" not in self.page.url:
                break
        self.page.goto(home)
        self.curtain()


@pytest.mark.long
def test_three_people_at_one_device_and_a_bot_by_keyboard(browser: Browser, moots: Served) -> None:
    context = phone(browser)
    player = Player(context)
    page = player.page
    look = Onlooker(page)
    page.goto(f"http://127.0.0.1:{moots.port}/")
    player.check_both()
    home = open_moot(page, moots, "beside", "bot:random", "beside")
    order: list[str] = []
    before = ""
    for _ in range(200):
        expect(page.locator("#net")).to_have_attribute("data-state", "on")
        if page.locator('form[action$="rematch"]').count():
            break
        if page.locator(CURTAIN).count():
            look.curtain()
            if look.curtains == 2:
                player.check_both()
                look.back(home)
                expect(page.locator("#net")).to_have_attribute("data-state", "on")
            rise = page.locator("#rise")
            if not rise.count():
                page.wait_for_timeout(20)  # the bot thinks
                continue
            order.append(rise.inner_text())
            rise.focus()
            player.press("Enter")
            expect(page.locator(CURTAIN)).to_have_count(0)
            expect(page.locator("#net")).to_have_attribute("data-state", "on")
            assert page.evaluate("window.before") is None  # nothing of the page of the one before is left
            page.evaluate("window.before = 1")
            if len(order) == 1:
                player.check_both()
            seat = page.locator('#act input[name="seat"]').input_value()
            assert seat != before
            assert find_canaries(page.locator(f"#hand-{seat}").inner_html()) - public(page) or look.curtains > 3
            before = seat
        elif page.locator("#choices button").count():
            expected = page.locator('#act input[name="expected"]').input_value()
            player.press("1", "Enter")
            page.wait_for_function(ANSWERED, arg=expected)
        else:
            page.wait_for_timeout(20)
    assert order[:3] == ["I’m May, show my cards", "I’m Bo, show my cards", "I’m Cy, show my cards"]
    assert look.curtains > 6
    expect(page.locator("#status")).to_contain_text("(sum)")
    player.check_both()
    assert player.complaints == []
    context.close()


def test_standing_answers(browser: Browser, moots: Served) -> None:
    context = browser.new_context(viewport=PHONE, reduced_motion="reduce")
    player = Player(context, 3)
    page = player.page
    open_moot(page, moots, "bot:random")
    summary = page.locator("#answers-drawer > summary")
    player.tab_to("#answers-drawer > summary")
    player.press("Enter")
    player.check_access()
    player.press("Tab", "ArrowDown")
    expect(summary).to_contain_text("ask if I could")
    player.press("ArrowDown")
    expect(summary).to_contain_text("pass this turn")
    page.reload()
    expect(summary).to_contain_text("pass this turn")
    assert player.play_on()
    assert player.complaints == []
    context.close()


def test_of_two_quick_changes_the_latest_counts(browser: Browser, moots: Served) -> None:
    """The second change comes during the request of the first, and again after its reply."""
    context = browser.new_context(viewport=PHONE, reduced_motion="reduce")
    player = Player(context, 3)
    page = player.page
    open_moot(page, moots, "bot:random")
    expect(page.locator("#net")).to_have_attribute("data-state", "on")
    held: list[Route] = []
    page.route("**/answers", lambda route: held.append(route) if not held else route.continue_())
    player.tab_to("#answers-drawer > summary")
    player.press("Enter", "Tab", "ArrowDown", "ArrowDown")
    expect(page.locator('#answers [value="never"]')).to_be_checked()
    while not held:
        page.wait_for_timeout(10)
    with page.expect_request("**/answers"):
        held[0].continue_()
    expect(page.locator("#answers-drawer > summary")).to_contain_text("pass this turn")
    page.reload()
    expect(page.locator('#answers [value="never"]')).to_be_checked()
    assert player.complaints == []
    context.close()


def test_cards_laid_by_one_do_not_lie_there_for_the_next(browser: Browser, served: Served) -> None:
    """Jinkei's script remembers a layout for undo. On a shared device no other player may find it."""
    context = browser.new_context(viewport=SCREEN, reduced_motion="reduce")
    player = Commander(context, 4)
    page = player.page
    sit_down(player, served, "beside")
    laid: list[list[str]] = []
    for _ in range(100):
        if page.locator(CURTAIN).count():
            page.locator("#rise").click()
            expect(page.locator(CURTAIN)).to_have_count(0)
            expect(page.locator("#net")).to_have_attribute("data-state", "on")
        board = player.look()
        if board["phase"] == "front" and board["asked"] == "place":
            expect(page.locator(".lay.filled")).to_have_count(0)
            if len(laid) == 1:
                page.reload()
                expect(page.locator(".lay.filled")).to_have_count(0)
                break
            player.lay_all()
            laid.append(page.locator(".ours .lays").all_inner_texts())
            player.press("Enter")
        else:
            player.press("1", "Enter")
        page.wait_for_function(ANSWERED, arg=board["expected"])
    assert len(laid) == 1
    assert page.locator(".ours .lays").all_inner_texts() != laid[0]
    assert player.complaints == []
    context.close()
