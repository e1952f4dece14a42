"""Faction Wars in Chromium: three people in three browsers and two bots play a whole game."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, ViewportSize, expect

from gonfalon import games
from gonfalon.core.rng import Rng
from gonfalon.puzzles import shelf
from tests.browser.heard import heard
from tests.browser.player import PHONE, SCREEN, Player
from tests.browser.tables import advance
from tests.web.served import Served

FORM = 'form:has(input[name="game"][value="factionwars"])'
END = 'action="rematch"'
"""Stands in a page when its game is over."""
OVER = f"form[{END}]"
STANDS = f"""() => {{
  const there = (selector) => document.querySelector(selector) !== null;
  if (there('body.staged')) return 'staged';
  if (there('form[{END}]')) return 'over';
  return there('button.answer, #choices button') ? 'asked' : 'waits';
}}"""


class Warlord(Player):
    """A scripted person who keeps all that his page got."""

    def __init__(self, context: BrowserContext, seed: int) -> None:
        super().__init__(context, seed)
        self.read = 0
        self.frames = heard(self.page)

    @property
    def stands(self) -> str:
        """Whether the game is over, a moment is shown, or something is asked; read at once."""
        found: str = self.page.evaluate(STANDS)
        return found

    def goal(self) -> str:
        """The name of his own goal."""
        return self.page.locator(".goal strong").inner_text()

    def news(self) -> str:
        """Everything that has come to this browser since the last time, and what it shows now."""
        read, self.read = self.read, len(self.frames)
        return "".join(self.frames[read:]) + self.page.content()

    def table(self) -> str:
        return self.page.locator("#table").inner_html()

    def answer(self) -> None:
        expected = self.page.locator('#act input[name="expected"]').input_value()
        answers = self.page.locator("button.answer, #choices button").count()
        self.press(str(1 + self.below(min(9, answers))), "Enter")
        self.page.wait_for_function(
            "(was) => document.querySelector('#act input[name=\"expected\"]').value !== was"
            " || document.getElementById('refusal').textContent.trim() !== ''",
            arg=expected,
        )


def sit_down(served: Served, may: Warlord, *guests: Warlord) -> None:
    """May opens a table for five, the others come by their own links."""
    page = may.page
    page.goto(f"http://127.0.0.1:{served.port}/games/factionwars/new")
    form = page.locator(FORM)
    for number, who in enumerate(("friend", "bot:gentle", "friend", "bot:casual"), start=1):
        form.locator(f'select[name="who-{number}"]').select_option(who)
    form.locator('input[name="seat"][value="0"]').check()
    form.locator('input[name="name"]').fill("May")
    form.get_by_role("button", name="Open the table").click()
    page.wait_for_url("**/t/*/*/")
    links = [page.locator(f"#invite-url{n}").input_value() for n in ("-1", "-3")]
    for guest, link, name in zip(guests, links, ("Bo", "Cy"), strict=True):
        guest.page.goto(link)
        guest.page.fill("#name", name)
        guest.press("Enter")
        guest.page.wait_for_url("**/t/*/*/")
    for player in (may, *guests):
        expect(player.page.locator("#net")).to_have_attribute("data-state", "on")
        expect(player.page.locator(".chair-here")).to_have_count(3)


@pytest.mark.long
def test_three_people_and_two_bots(browser: Browser, served: Served) -> None:
    contexts = [browser.new_context(viewport=SCREEN, reduced_motion="reduce") for _ in range(3)]
    may, bo, cy = (Warlord(context, seed) for seed, context in enumerate(contexts, start=3))
    sit_down(served, may, bo, cy)
    people = [may, bo, cy]
    goals = {player: player.goal() for player in people}
    assert len(set(goals.values())) == 3
    may.check_access()
    tops = may.page.locator(".lineup > li").evaluate_all("cards => cards.map(card => card.offsetTop)")
    assert (len(tops), len(set(tops))) == (6, 1)

    def secret() -> None:
        """Nobody has got another's goal, unless the game has ended meanwhile, which tells them all."""
        told = {player: player.news() for player in people}
        if any(END in news for news in told.values()):
            return
        for player, news in told.items():
            assert not [other for other in people if other is not player and goals[other] in news]

    # A selector is nobody's business before the last one lies: what the others see does not even change.
    assert all(player.stands == "asked" for player in people)
    before = {player: (player.table(), len(player.frames)) for player in (bo, cy)}
    may.answer()
    may.page.wait_for_timeout(300)
    for player, (table, frames) in before.items():
        assert player.table() == table
        assert len(player.frames) == frames
    expect(may.page.locator("#back")).to_be_visible()  # and it can be taken back
    may.check_access()
    assert END not in may.page.content()
    secret()
    for turn in range(600):
        stand = [player.stands for player in people]
        if set(stand) == {"over"}:
            break
        for player, stands in zip(people, stand, strict=True):
            if stands == "asked":
                player.answer()
            elif stands == "staged":
                player.press("Escape")  # what is shown between two decisions is not waited for
        if turn == 6:
            # Cy's device breaks; he comes back by his own link on another one, to the same hand.
            home = cy.page.url
            contexts[2].close()
            expect(may.page.locator("#at-3")).to_have_class(re.compile("chair-(lost|away)"))
            contexts[2] = browser.new_context(viewport=PHONE, reduced_motion="reduce")
            goal = goals.pop(cy)
            cy = Warlord(contexts[2], 9)
            cy.page.goto(home)
            expect(cy.page.locator("#net")).to_have_attribute("data-state", "on")
            expect(may.page.locator("#at-3")).to_have_class(re.compile("chair-here"))
            people[2] = cy
            goals[cy] = cy.goal()
            assert goals[cy] == goal
            cy.check_access()
        if "asked" in stand and "over" not in stand:
            secret()
        may.page.wait_for_timeout(20)
    for player in people:
        expect(player.page.locator("table.final")).to_be_visible()
        assert all(goal in player.page.content() for goal in goals.values())  # at the end all goals are told
        player.check_access()
        assert player.complaints == []
    for context in contexts:
        context.close()


REACH = """() => {
  const page = document.documentElement, scrolls = page.scrollHeight > innerHeight || page.scrollWidth > innerWidth;
  const wrong = [...document.querySelectorAll('button.answer, #go-on, #back, #done')].filter((el) => {
    const sheet = el.closest('.ask.raised');
    if (sheet && sheet.scrollHeight > sheet.clientHeight) return false;      // many chips scroll within their sheet
    const box = el.getBoundingClientRect();
    const out = box.top < 0 || box.left < 0 || box.bottom > innerHeight + 1 || box.right > innerWidth + 1;
    return out || box.height < 44 || box.width < 44;
  });
  const own = document.querySelector('.ask.raised') ? [...document.querySelectorAll('.own .troop, .own .goal')] : [];
  const covered = own.filter((el) => {
    const box = el.getBoundingClientRect(), y = (box.top + box.bottom) / 2;
    return [box.left + 4, box.right - 4].some((x) => !document.elementFromPoint(x, y)?.closest('.own'));
  });
  return [scrolls, ...[...wrong, ...covered].map((el) => el.textContent.trim())];
}"""
"""Whether the page scrolls, which buttons are out of sight or too small for a finger, and what of one's own army and
goal is covered by a question."""
SIZES: list[ViewportSize] = [
    {"width": width, "height": height}
    for width, height in ((360, 740), (390, 844), (740, 360), (640, 400), (1280, 800), (1920, 1080))
]


def open_for(page: Page, served: Served, *others: str) -> str:
    """A table against these, who are bots or seats that stay open."""
    opening = {"game": "factionwars", "options": {"seats": len(others) + 1}, "seats": ["me", *others]}
    status, table, _ = served.ask("POST", "/api/tables", opening)
    assert status == 201, table
    page.goto(f"http://127.0.0.1:{served.port}/t/{table['table']}/{table['seats'][0]['token']}/")
    return page.url


@pytest.mark.journey
def test_a_whole_game_by_touch_without_a_scroll(browser: Browser, served: Served) -> None:
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True, reduced_motion="reduce")
    context.add_init_script("localStorage.setItem('pace', 'fast')")
    page = context.new_page()
    open_for(page, served, *["bot:gentle"] * 4)
    rng, taps, kinds = Rng(5), 0, set()
    for _ in range(2000):
        if page.locator(OVER).count():
            break
        if page.locator("body.staged [data-skip]").count():
            assert page.evaluate(REACH) == [False]
            page.evaluate("document.querySelector('[data-skip]')?.click()")
        elif (count := page.locator("button.answer").count()) and not page.locator("body.staged").count():
            kinds.add(page.evaluate("document.querySelector('.fw').className.match(/mode-(\\w+)/)[1]"))
            assert page.evaluate(REACH) == [False]
            expected = page.locator('#act input[name="expected"]').input_value()
            page.locator("button.answer").nth(int(rng.below(count))).tap()
            taps += 1
            page.wait_for_function(
                "(was) => document.querySelector('#act input[name=\"expected\"]').value !== was", arg=expected
            )
        else:
            page.wait_for_timeout(15)
    assert page.evaluate(REACH) == [False]
    assert taps > 8
    assert len(kinds) > 1
    context.close()


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
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


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size['width']}x{size['height']}")
def test_ones_army_and_goal_stay_in_sight_where_a_card_is_chosen(
    browser: Browser, served: Served, size: ViewportSize
) -> None:
    context = browser.new_context(viewport=size, reduced_motion="reduce")
    page = context.new_page()
    number = next(n for n, one in enumerate(shelf.of_game(games.kind("factionwars")), 1) if one.second == "lookout")
    page.goto(f"http://127.0.0.1:{served.port}/puzzles/factionwars/{number}/")
    expect(page.locator(".ask.raised button.answer")).to_have_count(2)
    assert page.evaluate(REACH) == [False]
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
    expect(page.locator("#status")).to_contain_text("The flags land.")
    begun = page.evaluate("performance.now()")
    expect(staged(page, "flags")).to_have_count(0)
    assert page.evaluate("performance.now()") - begun > 600
    assert staged(page).count() == 1
    page.locator("#go-on").click()
    expect(page.locator("#table[data-moment]")).to_have_count(0)
    expect(page.locator("button.answer").first).to_be_visible()
    page.wait_for_timeout(600)
    assert staged(page).count() == 0  # nothing of it comes after all
    pick_first(page)
    expect(staged(page)).to_have_count(1)
    page.keyboard.press("Space")
    expect(page.locator("#table[data-moment]")).to_have_count(0)
    page.wait_for_timeout(300)
    assert staged(page).count() == 0
    context.close()


@pytest.mark.parametrize("loaded", [8], indirect=True)
def test_a_battle_is_shown_before_who_won_it(browser: Browser, loaded: Served) -> None:
    """What came of a fight is in no moment before its own: neither on the stage nor in the log."""
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
                found["won"] = page.locator(".lane.won").count() + page.locator("#status", has_text="Nobody").count()
        if found.keys() == {"cards", "won"}:
            assert found == {"cards": 0, "won": 1}
            break
    else:
        raise AssertionError("no battle in eight rounds")
    context.close()


def test_without_motion_a_moment_is_still_and_whole(browser: Browser, served: Served) -> None:
    context = browser.new_context(viewport=PHONE, reduced_motion="reduce")
    page = context.new_page()
    open_for(page, served, "bot:gentle", "bot:random")
    pick_first(page)
    expect(staged(page, "flags")).to_have_count(1)
    assert page.locator(".pickers li").count() == 3
    assert page.evaluate("[...document.querySelectorAll('.pickers li')].every((el) => el.getAnimations().length === 0)")
    context.close()


def test_ones_pick_stays_marked_while_one_waits(browser: Browser, served: Served) -> None:
    context = browser.new_context(viewport=PHONE, reduced_motion="reduce")
    page = context.new_page()
    opening = {"game": "factionwars", "options": {"seats": 2}, "seats": ["me", "open"]}
    _, table, _ = served.ask("POST", "/api/tables", opening)
    friend = {"name": "Bo", "nonce": "n" * 40}  # who sits down is ready, and then chooses nothing
    assert served.ask("POST", f"/api/tables/{table['table']}/seats", friend, table["invitation"])[0] == 201
    page.goto(table["seats"][0]["page"])
    page.locator("button.answer").nth(1).click()
    mine = page.locator(".place.my-pick")
    expect(mine).to_have_count(1)
    expect(mine).to_contain_text("your pick")
    expect(mine.locator(".flag")).to_be_visible()
    page.reload()
    expect(mine).to_have_count(1)
    page.locator("#back").click()
    expect(mine).to_have_count(0)
    expect(page.locator("button.answer").first).to_be_visible()
    context.close()


def test_a_round_without_scripts(browser: Browser, served: Served) -> None:
    context = browser.new_context(viewport=SCREEN, java_script_enabled=False)
    page = context.new_page()
    open_for(page, served, "bot:gentle", "bot:random")
    with page.expect_navigation():
        page.locator("button.answer").first.click()
    link = page.get_by_role("link", name="What was to be seen")
    for _ in range(100):
        page.reload()
        if link.count():
            break
        page.wait_for_timeout(50)
    link.click()
    expect(page.locator("#table")).to_have_attribute("data-moment", re.compile("round|effect|won|claimed|lost"))
    page.locator("#go-on").click()
    expect(page.locator("button.answer").first).to_be_visible()
    context.close()
