"""The end of a game and its replay, in Chromium: on a phone and a screen, by keyboard, by touch, without scripts."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from gonfalon import games
from tests.browser.layout import find_faults_in_windows
from tests.browser.player import Player, phone
from tests.browser.tables import advance
from tests.web.served import Served

SIZES = ((1280, 800), (360, 740), (740, 360))
MEASURES = """() => {
  const box = (el) => el.getBoundingClientRect(), all = (selector) => [...document.querySelectorAll(selector)];
  const table = document.querySelector('.table');
  return {
    wide: Math.max(document.documentElement.scrollWidth - innerWidth, table.scrollWidth - table.clientWidth),
    hidden: all('.end-does :is(a, button), #status').filter((el) => box(el).top < 0 || box(el).bottom > innerHeight)
      .map((el) => el.textContent),
    dark: all('.end .primary, .end-more .primary, .decisive .primary').length,
    low: all('.end-does a, .end-does button, .pick .button, .end-more a, .end-panel button')
      .filter((el) => box(el).height < 43.9).map((el) => el.textContent),
    moving: document.getAnimations().filter((one) => one.effect.target?.closest('.end')).length,
    text: all('.end svg text').map((el) => box(el).height).filter((high) => high < 10.99),
  };
}"""
"""Returns the parts of the end page that do not fit."""
SHARED = """() => {
  const crest = document.querySelector('.end-crest');
  crest.append(crest.querySelector('.banner').cloneNode(true));
  document.getElementById('status').textContent =
    'Greedy and Greedy 2 share the win with 33 points. You have 29 points, Wilhelmina has 27.';
  document.querySelector('.again').classList.add('offered');
  document.querySelector('.again-says').textContent = 'Wilhelmina offers a rematch: you would lead Keion.';
}"""
"""Shows two joint winners, a longer sentence and a rematch offered by another player."""
STILL = """() => !document.getAnimations().some(
  (one) => one.effect.target?.closest('.end') && one.playState !== 'finished')"""
DRAGGED = """() => {
  const slider = document.getElementById('replay-step');
  for (let n = 0; n < 100; n++) {
    slider.value = n % 5;
    slider.dispatchEvent(new Event('input', { bubbles: true }));
  }
}"""


def play_to_end(served: Served, game: str) -> str:
    """Return the page of a person that has played to the end against bots."""
    seats = ["me"] + ["bot:greedy"] * (2 if game == "factionwars" else 1)
    _, table, _ = served.ask("POST", "/api/tables", {"game": game, "seats": seats, "name": "Ann"})
    url: str = table["seats"][0]["page"]
    advance(served, url, 10_000)
    return url


def fits(page: Page) -> None:
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        found = page.evaluate(MEASURES)
        assert found == {"wide": 0, "hidden": [], "dark": 1, "low": [], "moving": 0, "text": []}, (width, height)


@pytest.mark.parametrize("loaded", [8], indirect=True)
@pytest.mark.parametrize("game", sorted(games.names()))
def test_the_end_is_one_scene(browser: Browser, loaded: Served, game: str) -> None:
    context = phone(browser)
    player = Player(context)
    page = player.page
    page.goto(play_to_end(loaded, game))
    expect(page.locator("#end-h")).to_have_text(re.compile("[Vv]ictory|Defeat"))
    # The page requests the review by itself, and shows three decisions with the same numbers on the curve.
    expect(page.get_by_role("heading", name="Three decisions that mattered")).to_be_visible()
    assert page.locator(".pick-points b").all_inner_texts() == ["−14 %", "+19 %", "−6 %"]
    assert page.locator(".end-chart .turn text").all_text_contents() == ["1", "2", "3"]
    assert page.locator(".end-rounds, .end table.final, .end .stood").count() == 1
    expect(page.locator("#log-list")).to_be_hidden()
    player.check_both()
    fits(page)
    assert find_faults_in_windows(page, game) == []
    page.evaluate(SHARED)
    fits(page)
    page.reload()
    expect(page.locator(".pick")).to_have_count(3)
    # By keyboard: from the first decision the game can be played on.
    page.locator(".pick .button").first.focus()
    player.press("Enter")
    page.wait_for_url("**/play-on?at=*")
    assert player.complaints == []
    context.close()


PLACES = """() => [...document.querySelectorAll('#end :is(a, button)')]
  .filter((el) => el.checkVisibility() && !el.closest('.pick'))
  .map((el) => [el.textContent.trim(), el.getBoundingClientRect().top])"""
"""Returns where the buttons of the end are, but for those of the decisions."""


@pytest.mark.parametrize("loaded", [8], indirect=True)
def test_nothing_moves_under_a_finger_while_the_decisions_arrive(browser: Browser, loaded: Served) -> None:
    context = phone(browser)
    page = context.new_page()
    held: list[Route] = []
    opened: list[bool] = []
    page.route("**/decisions", lambda route: route.continue_() if opened else held.append(route))
    page.goto(play_to_end(loaded, "jinkei"))
    expect(page.locator(".pick-blank")).to_have_count(3)
    before, top = page.evaluate(PLACES), page.locator(".decisive").evaluate("(el) => el.getBoundingClientRect().top")
    assert {"Full review", "Replay", "The table at the end"} <= {name for name, _ in before}
    opened.append(True)
    for route in held:
        route.continue_()
    expect(page.locator(".pick .button")).to_have_count(3)
    expect(page.locator(".pick-blank, .end-looking")).to_have_count(0)
    assert page.evaluate(PLACES) == before
    assert page.locator(".decisive").evaluate("(el) => el.getBoundingClientRect().top") == top
    context.close()


@pytest.mark.parametrize("loaded", [8], indirect=True)
def test_a_rematch_offered_by_another_leaves_the_decisions_in_place(browser: Browser, loaded: Served) -> None:
    _, table, _ = loaded.ask("POST", "/api/tables", {"game": "jinkei", "name": "Ann"})
    place, ann = f"/api/tables/{table['table']}", table["seats"][0]["token"]
    _, bo, _ = loaded.ask("POST", f"{place}/seats", {"nonce": "b" * 22, "name": "Bo"}, table["invitation"])
    loaded.ask("POST", f"{place}/resignation", {}, ann)
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(bo["page"])
        expect(page.get_by_role("button", name="Rematch with Ann")).to_be_visible()
        expect(page.locator("#decisions:not([data-look])")).to_contain_text("There was nothing to judge in this game.")
        before = page.locator("#decisions").inner_text()
        loaded.ask("POST", f"{place}/rematch", {"nonce": "a" * 22}, ann)
        expect(page.locator(".again.offered .again-says")).to_contain_text("Ann offers a rematch")
        assert page.locator("#decisions").inner_text() == before
        assert page.locator(".end .primary").count() == 1


@pytest.mark.parametrize("loaded", [8], indirect=True)
def test_any_key_ends_the_moving_of_the_end(browser: Browser, loaded: Served) -> None:
    context = phone(browser, moving=True)
    page = context.new_page()
    url = play_to_end(loaded, "feint")
    page.goto(url)
    expect(page.locator("#end")).to_be_visible()
    page.keyboard.press("Shift")
    assert page.evaluate(STILL), "any key is enough"
    context.close()


def stands(page: Page, step: int) -> None:
    expect(page.locator("#replay-step")).to_have_value(str(step))


@pytest.mark.parametrize("loaded", [8], indirect=True)
def test_a_replay_is_slid_through(browser: Browser, loaded: Served) -> None:
    context = phone(browser)
    player = Player(context)
    page = player.page
    url = play_to_end(loaded, "feint")
    page.goto(url + "replay")
    stands(page, 0)
    rounds = [
        int(one) for one in page.locator("#replay-parts option").evaluate_all("(all) => all.map((one) => one.value)")
    ]
    player.check_both()
    # The slider itself, by its own keys, and the whole page by the same.
    page.locator("#replay-step").focus()
    player.press("Home", "ArrowRight", "ArrowRight")
    stands(page, 2)
    page.evaluate("document.activeElement.blur()")
    player.press("Shift+ArrowRight")
    stands(page, next(one for one in rounds if one > 2))
    player.press("End", "Shift+ArrowLeft")
    stands(page, rounds[-1])
    page.get_by_role("link", name="Part before").click()
    stands(page, rounds[-2])
    # Dragged over a hundred places it asks for a few.
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.evaluate(DRAGGED)
    stands(page, 4)
    assert len([one for one in asked if "place=" in one]) <= 3
    # The address holds the step, and whose eyes: a new page shows the same.
    player.press("o")
    expect(page.locator("#replay-open")).to_have_attribute("aria-checked", "true")
    board = page.locator("#table").inner_text()
    page.goto(page.url)
    expect(page.locator("#replay-open")).to_have_attribute("aria-checked", "true")
    assert page.locator("#table").inner_text() == board
    assert player.complaints == []
    context.close()


@pytest.mark.parametrize("loaded", [8], indirect=True)
def test_a_replay_plays_by_itself(browser: Browser, loaded: Served) -> None:
    context = phone(browser)
    player = Player(context)
    page = player.page
    page.goto(play_to_end(loaded, "feint") + "replay?step=0")
    button = page.get_by_role("button", name="Play", exact=True)
    expect(button).to_have_attribute("aria-pressed", "false")
    player.press(" ")
    expect(page.get_by_role("button", name="Pause")).to_have_attribute("aria-pressed", "true")
    page.wait_for_function("() => Number(document.getElementById('replay-step').value) > 2")
    player.press("Home")
    stands(page, 0)
    expect(button).to_have_attribute("aria-pressed", "false")
    # At the end it begins anew.
    player.press("End")
    expect(page.locator(".replay-place")).to_have_text(re.compile(r"Step (\d+) of \1$"))
    page.evaluate("document.activeElement.blur()")
    player.press(" ")
    page.wait_for_function("() => Number(document.getElementById('replay-step').value) < 30")
    player.press(" ")
    expect(button).to_have_attribute("aria-pressed", "false")
    assert player.complaints == []
    context.close()
