"""Faction Wars in Chromium: by touch, at every size, with its scenes."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect

from gonfalon import games
from gonfalon.puzzles import shelf
from tests.browser.player import PHONE, SCREEN, Player
from tests.browser.tables import advance
from tests.web.served import Served


class Warlord(Player):
    """A scripted person at a table of Faction Wars."""

    def answer(self) -> None:
        expected = self.page.locator('#act input[name="expected"]').input_value()
        answers = self.page.locator("button.answer, #choices button").count()
        self.press(str(1 + self.below(min(9, answers))), "Enter")
        self.page.wait_for_function(
            "(was) => document.querySelector('#act input[name=\"expected\"]').value !== was"
            " || document.getElementById('refusal').textContent.trim() !== ''",
            arg=expected,
        )


REACH = """() => {
  const page = document.documentElement, scrolls = page.scrollHeight > innerHeight || page.scrollWidth > innerWidth;
  const wrong = [...document.querySelectorAll('button.answer, #go-on, #back, #done')].filter((el) => {
    const sheet = el.closest('.offered');
    if (sheet && sheet.scrollHeight > sheet.clientHeight) return false;      // many chips scroll within their sheet
    const box = el.getBoundingClientRect();
    const out = box.top < 0 || box.left < 0 || box.bottom > innerHeight + 1 || box.right > innerWidth + 1;
    return out || box.height < 44 || box.width < 44;
  });
  const own = document.querySelector('.offered') ? [...document.querySelectorAll('.own .troop, .own .goal')] : [];
  const covered = own.filter((el) => {
    const box = el.getBoundingClientRect(), y = (box.top + box.bottom) / 2;
    return [box.left + 4, box.right - 4].some((x) => !document.elementFromPoint(x, y)?.closest('.own'));
  });
  return [scrolls, ...[...wrong, ...covered].map((el) => el.textContent.trim())];
}"""
"""Returns whether the page scrolls, the buttons that are out of sight or too small for a finger, and the parts of the
player's army and goal covered by a question."""
SIZES: list[ViewportSize] = [
    {"width": width, "height": height}
    for width, height in ((360, 740), (390, 844), (740, 360), (640, 400), (1280, 800), (1920, 1080))
]


def open_for(page: Page, served: Served, *others: str) -> str:
    """Open a table against these bots or open seats."""
    opening = {"game": "factionwars", "options": {"seats": len(others) + 1}, "seats": ["me", *others]}
    status, table, _ = served.ask("POST", "/api/tables", opening)
    assert status == 201, table
    page.goto(f"http://127.0.0.1:{served.port}/t/{table['table']}/{table['seats'][0]['token']}/")
    return page.url


@pytest.mark.journey
def test_a_game_is_begun_by_touch_without_a_scroll(browser: Browser, served: Served) -> None:
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True, reduced_motion="reduce")
    player = Player(context)
    page = player.page
    open_for(page, served, *["bot:gentle"] * 4)
    taps = 0
    while taps < 5:
        if page.locator("body.staged [data-skip]").count():
            assert page.evaluate(REACH) == [False]
            page.evaluate("document.querySelector('[data-skip]')?.click()")
        elif page.locator("button.answer").count() and not page.locator("body.staged").count():
            assert page.evaluate(REACH) == [False]
            expected = page.locator('#act input[name="expected"]').input_value()
            page.locator("button.answer").first.tap()
            taps += 1
            page.wait_for_function(
                "(was) => document.querySelector('#act input[name=\"expected\"]').value !== was", arg=expected
            )
        else:
            page.wait_for_timeout(15)
    assert player.complaints == []
    context.close()


@pytest.mark.parametrize("seats", [2, 5])
def test_it_is_one_screen_at_every_size(browser: Browser, served: Served, seats: int) -> None:
    context = browser.new_context(viewport=SCREEN, reduced_motion="reduce")
    context.add_init_script("localStorage.setItem('pace', 'fast')")
    url = open_for(context.new_page(), served, *["bot:gentle"] * (seats - 1))
    advance(served, url, 4)
    page = context.new_page()  # what was to be seen meanwhile is not told to a tab that comes later
    page.goto(url)
    expect(page.locator("button.answer").first).to_be_visible()
    for size in SIZES:
        page.set_viewport_size(size)
        assert page.evaluate(REACH) == [False], size
        small = page.evaluate(
            "() => [...document.querySelectorAll('.table *')].filter((el) => el.checkVisibility()"
            " && [...el.childNodes].some((node) => node.nodeType === 3 && node.data.trim())"
            " && !el.closest('.drawer') && parseFloat(getComputedStyle(el).fontSize) < 11).map((el) => el.outerHTML)"
        )
        assert small == [], size
    context.close()


def test_ones_army_and_goal_stay_in_sight_where_a_card_is_chosen(browser: Browser, served: Served) -> None:
    context = browser.new_context(reduced_motion="reduce")
    page = context.new_page()
    number = next(
        n
        for n, one in enumerate(shelf.list_puzzles(games.find_game_class("factionwars")), 1)
        if one.best == "buccaneer"
    )
    page.goto(f"http://127.0.0.1:{served.port}/puzzles/factionwars/{number}/")
    expect(page.locator(".offered button.answer").first).to_be_visible()
    for size in SIZES:
        page.set_viewport_size(size)
        assert page.evaluate(REACH) == [False], size
    context.close()


def staged(page: Page, name: str = "") -> Locator:
    return page.locator(f"body.staged #table[data-moment{f'={name}' if name else ''}]")


def pick_first(page: Page) -> None:
    page.locator("button.answer").first.click()


def test_a_round_is_shown_and_can_be_skipped_as_a_whole(browser: Browser, served: Served) -> None:
    context = browser.new_context(viewport=SCREEN)
    page = context.new_page()
    open_for(page, served, "bot:gentle")
    pick_first(page)
    expect(staged(page, "flags")).to_have_count(1)
    expect(page.locator("#status")).to_contain_text("All picks are shown.")
    begun = page.evaluate("performance.now()")
    expect(staged(page, "flags")).to_have_count(0)
    assert page.evaluate("performance.now()") - begun > 600
    assert staged(page).count() == 1
    shown = page.locator("#table").get_attribute("data-moments")
    expect(page.locator("#go-on")).to_have_text("Continue")
    page.locator("#go-on").click()
    expect(page.locator("#table")).not_to_have_attribute("data-moments", shown or "")
    page.get_by_role("button", name="Live", exact=True).click()
    expect(page.locator("#table[data-moment]")).to_have_count(0)
    expect(page.locator("button.answer").first).to_be_visible()
    page.wait_for_timeout(600)
    assert staged(page).count() == 0  # nothing of it comes after all
    pick_first(page)
    expect(staged(page)).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator("#table[data-moment]")).to_have_count(0)
    page.wait_for_timeout(300)
    assert staged(page).count() == 0
    context.close()


@pytest.mark.parametrize("loaded", [8], indirect=True)
def test_a_battle_is_shown_before_who_won_it(browser: Browser, loaded: Served) -> None:
    """Neither the stage nor the log of an earlier moment shows the result of a fight."""
    context = browser.new_context(viewport=SCREEN)
    page = context.new_page()
    url = open_for(page, loaded, *["bot:gentle"] * 4)
    page.route_web_socket("**/live", lambda socket: None)  # the board of now would take the moment's place
    for _ in range(8):
        advance(loaded, url, 1)
        count = page.request.get(url).text().split('data-moments="')[1].split('"')[0]
        found = {}
        for number in range(max(1, int(count) - 8), int(count) + 1):
            page.goto(f"{url}moment?n={number}")
            name = page.locator("#table").get_attribute("data-moment")
            if name == "cards":
                found["cards"] = page.locator(".lane.won").count()
                delays = page.evaluate(
                    "() => ['.turning', '.verdict'].map((what) => [...document.querySelectorAll(`.arena ${what}`)]"
                    ".map((el) => parseFloat(getComputedStyle(el).animationDelay)))"
                )
                if delays[0]:  # nobody may have a card left
                    assert max(delays[0]) < min(delays[1])  # who is out is said after the last card
            if name in ("won", "lost") and "cards" in found:
                found["won"] = page.locator(".lane.won").count() + page.locator("#status", has_text="No winner").count()
        if found.keys() == {"cards", "won"}:
            assert found == {"cards": 0, "won": 1}
            break
    else:
        raise AssertionError("no battle in eight rounds")
    context.close()
