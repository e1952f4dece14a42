"""Jinkei in Chromium: whole matches by keyboard alone, placing cards with and without scripts, undo."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.player import PHONE, SCREEN, Player, phone
from tests.browser.tables import concede
from tests.web.served import Served

FORM = 'form.open-table:has(input[name="game"][value="jinkei"])'
LOOK = """() => {
  // The end has a page of its own.
  const field = document.querySelector('.jinkei')?.className ?? 'phase-over mode-none';
  return {
    phase: field.match(/phase-(\\S+)/)[1],
    asked: field.match(/mode-(\\S+)/)[1],
    wild: document.querySelectorAll('.soldier.both').length,
    answers: document.querySelectorAll('#choices button, button.answer, .pickf input').length,
    dimmed: document.querySelectorAll('.token.blocked').length,
    left: [...document.querySelectorAll('#hand li')].flatMap((el, i) => el.classList.contains('laid') ? [] : [i + 1]),
    open: document.querySelectorAll('.lay:not(.filled)').length,
    kept: document.querySelectorAll('.strip .term').length,
  };
}"""


class Commander(Player):
    """A scripted person at a table of Jinkei."""

    def look(self) -> dict[str, object]:
        found: dict[str, object] = self.page.evaluate(LOOK)
        return super().look() | found

    def mode(self, board: dict[str, object]) -> str:
        if board["moment"]:
            return "moment"
        if board["over"]:
            return "over"
        if board["asked"] == "none":
            return "waiting"
        return f"{board['phase']}{' wild' if board['wild'] else ''}"

    def move(self, board: dict[str, object], mode: str) -> None:
        if board["asked"] == "place":
            self.lay_all()
            self.press("p", "Enter")
        else:
            self.press(str(1 + self.below(int(str(board["answers"])))), "Enter")

    def lay_all(self) -> None:
        """Place each card by its number, then Enter twice. The focus follows."""
        while (board := self.look())["open"]:
            left = board["left"]
            assert isinstance(left, list)
            self.press(str(left[self.below(len(left))]), "Enter")
            if board["open"] == 1:
                assert self.page.evaluate("document.activeElement.matches('.here')")
            self.press("Enter")
        expect(self.page.locator("#progress")).to_have_text("All laid")
        expect(self.page.locator("#done")).to_be_focused()


def sit_down(player: Player, served: Served, opponent: str = "bot:gentle", games: int = 1) -> None:
    """Go from the lobby to a table by keyboard."""
    page = player.page
    page.goto(f"http://127.0.0.1:{served.port}/")
    player.tab_to("#g-jinkei .set-up")
    player.press("Enter")
    expect(page.locator(FORM)).to_be_visible()
    player.tab_to(f'{FORM} input[name="opponent"]')
    player.press_until("ArrowDown", opponent)
    if opponent == "beside":
        for field, name in (("name", "May"), ("name-1", "Bo")):
            page.locator(f'{FORM} input[name="{field}"]').fill(name)
    if games > 1:
        player.tab_to(f"{FORM} .house-rules > summary")
        player.press("Enter")
        player.tab_to(f'{FORM} select[name="games"]')
        player.press("ArrowDown")
    player.tab_to(f"{FORM} button.primary")
    player.press("Enter")
    page.wait_for_url("**/t/*/*/")
    expect(page.locator("#net")).to_have_attribute("data-state", "on")


def until(phase: str, *players: Commander) -> None:
    """Play for all asked players until one is asked for this kind of decision."""
    for _ in range(2000):
        boards = [player.look() for player in players]
        if any(board["phase"] == phase and board["asked"] != "none" for board in boards):
            return
        for player, board in zip(players, boards, strict=True):
            if player.mode(board) not in ("waiting", "over"):
                player.play_on(1)
        players[0].page.wait_for_timeout(10)
    raise AssertionError(f"{phase} never comes")


@pytest.mark.journey
def test_a_game_is_begun_and_conceded_by_keyboard(browser: Browser, served: Served) -> None:
    context = browser.new_context(viewport=SCREEN, reduced_motion="reduce")
    player = Commander(context, 5)
    sit_down(player, served)
    assert not player.play_on(7)
    assert {"type", "formation", "front", "back"} <= player.modes
    player.check_access()
    concede(player.page)
    expect(player.page.locator("#end-h")).to_have_text("Defeat")
    assert player.complaints == []
    context.close()


@pytest.mark.long
def test_a_match_by_keyboard_alone(browser: Browser, served: Served) -> None:
    """A round and a half is played with animations, the rest without."""
    context = phone(browser, moving=True)
    player = Commander(context, 5)
    page = player.page
    page.goto(f"http://127.0.0.1:{served.port}/")
    player.check_both()
    sit_down(player, served, games=2)
    assert not player.play_on(15, check=True)
    player.be_still()
    assert player.play_on(check=True)
    assert player.moves >= 2 * (1 + 3 * (1 + 2 + 7))  # a type, a formation, two placements, seven battles
    expect(page.locator("#end-h")).to_have_text(re.compile("Victory|Defeat|Both win"))
    expect(page.locator("#end-rounds-h")).to_have_text("Points of each round")
    assert {"type", "formation", "front", "back", "lead", "answer"} <= player.modes
    assert player.complaints == []
    context.close()


def test_cards_are_laid_swapped_and_taken_up_again_by_mouse(browser: Browser, served: Served) -> None:
    context = browser.new_context(viewport=SCREEN, reduced_motion="reduce")
    player = Commander(context, 2)
    page = player.page
    sit_down(player, served)
    until("front", player)
    hand, spaces = page.locator("#hand label"), page.locator(".lay .here")
    names = [hand.nth(n).locator(".word").inner_text() for n in range(2)]
    for n in range(2):
        hand.nth(n).click()
        spaces.nth(n).click()
    expect(page.locator("#hand .laid")).to_have_count(2)
    for n in range(2):
        expect(spaces.nth(n).locator(".word")).to_have_text(names[n], use_inner_text=True)
    spaces.nth(0).click()  # a laid card is taken up
    expect(page.locator(".lay.carried")).to_have_count(1)
    spaces.nth(1).click()  # and changes places with another
    for n in range(2):
        expect(spaces.nth(1 - n).locator(".word")).to_have_text(names[n], use_inner_text=True)
    page.locator("#done").click()  # not all are laid: the page says which are missing, and nothing is sent
    expect(page.locator("#refusal")).to_contain_text("still open: ")
    expect(spaces.nth(2)).to_be_focused()
    spaces.nth(0).focus()
    player.press("Delete")
    expect(page.locator("#hand .laid")).to_have_count(1)
    page.get_by_role("button", name="Clear").click()
    expect(page.locator("#hand .laid")).to_have_count(0)
    expect(page.locator("#progress")).to_have_text("5 more to lay")
    player.lay_all()
    player.press("Enter")
    expect(page.locator(".phase-back.mode-place")).to_have_count(1)
    assert player.complaints == []
    context.close()


def test_a_placement_can_be_taken_back_until_the_other_is_ready(browser: Browser, served: Served) -> None:
    contexts = [browser.new_context(viewport=SCREEN, reduced_motion="reduce") for _ in range(2)]
    may, bo = (Commander(context, seed) for seed, context in enumerate(contexts))
    sit_down(may, served, "friend")
    bo.page.goto(may.page.locator("#invite-url").input_value())
    bo.tab_to("#name")
    bo.page.keyboard.type("Bo")
    bo.press("Enter")
    bo.page.wait_for_url("**/t/*/*/")
    for player in (may, bo):
        expect(player.page.locator("#prompt")).to_be_visible()
    until("front", may, bo)
    for player in (may, bo):
        expect(player.page.locator(".phase-front.mode-place")).to_have_count(1)
    before = bo.page.locator("#table").inner_html()
    may.lay_all()
    laid = may.page.locator(".ours .lays").all_inner_texts()
    may.press("Enter")
    back = may.page.get_by_role("button", name="Change", exact=True)
    expect(back).to_be_visible()
    expect(may.page.locator("#status")).to_contain_text("Waiting")
    may.check_access()
    assert may.page.locator(".ours .lays").all_inner_texts() == laid
    assert bo.page.locator("#table").inner_html() == before  # nobody learns that, or what, May has laid
    back.press("Enter")
    expect(may.page.locator("#progress")).to_have_text("All laid")  # where they lay, to be changed
    assert may.page.locator(".ours .lays").all_inner_texts() == laid
    may.press("p", "Enter")
    expect(back).to_be_visible()
    bo.play_on(1)
    expect(may.page.locator(".phase-back.mode-place")).to_have_count(1)
    expect(may.page.locator(".lay.filled")).to_have_count(0)
    # Reinforcements: their owner reads them, nobody else does.
    expect(bo.page.locator(".phase-back.mode-place")).to_have_count(1)
    for player in (may, bo):
        player.play_on(1)
    for player in (may, bo):
        expect(player.page.locator(".ours .row-2 .down")).not_to_have_count(0)
        assert player.page.locator(".theirs .row-2 .soldier:not(.back)").count() == 0
        assert player.complaints == []
    for context in contexts:
        context.close()


def test_a_dimmed_card_says_why(browser: Browser, served: Served) -> None:
    context = browser.new_context(viewport=SCREEN, reduced_motion="reduce")
    player = Commander(context, 4)
    sit_down(player, served)
    until("lead", player)
    dimmed = player.page.locator(".token.blocked").first
    button = dimmed.get_by_role("button")
    expect(button).to_have_accessible_description("Attack from your Vanguard first.")
    expect(dimmed.locator(".reason")).to_be_hidden()
    button.focus()
    expect(dimmed.locator(".reason")).to_be_visible()
    button.press("Enter")
    expect(dimmed.locator(".full")).to_be_visible()
    expect(dimmed.locator(".full")).to_contain_text("Not now:")
    assert player.complaints == []
    context.close()


@pytest.mark.long
def test_on_a_phone_a_game_is_played_by_touch_without_scrolling(browser: Browser, served: Served) -> None:
    """Every card to be placed or played, every space and every button can be tapped in its position."""
    context = browser.new_context(viewport=PHONE, is_mobile=True, has_touch=True, reduced_motion="reduce")
    player = Commander(context, 8)
    page = player.page
    sit_down(player, served)
    kinds: set[str] = set()
    while (mode := player.mode(board := player.look())) != "over":
        if mode == "waiting":
            page.wait_for_timeout(10)
            continue
        kinds.add(str(board["phase"]))
        was = str(board["expected"])
        if mode == "moment":
            tap(page, page.locator("#go-on"))
            page.wait_for_timeout(50)
            continue
        if board["asked"] == "place":
            while player.look()["open"]:
                tap(page, page.locator("#hand li:not(.laid) label").first)
                tap(page, page.locator(".lay:not(.filled) .here").first)
            tap(page, page.locator("#done"))
        elif board["asked"] == "choice":
            tap(page, page.locator("#choices button").first)
        elif board["asked"] in ("type", "formation"):
            tap(page, page.locator(".pickf label").last)
            tap(page, page.locator("#done"))
        else:
            if not page.locator("button.answer").count():
                continue
            tap(page, page.locator("button.answer").first)
        expect(page.locator('#act input[name="expected"]')).not_to_have_value(was)
    assert {"type", "formation", "front", "back", "lead", "answer", "duel"} <= kinds
    assert player.complaints == []
    context.close()


def tap(page: Page, button: Locator) -> None:
    """Touch a button in its middle, which must be uncovered, without scrolling."""
    box = button.bounding_box()
    assert box is not None
    name = button.evaluate("(el) => el.id || el.className")
    assert box["height"] >= 43.5, f"{name} is too low to be touched: {box}"
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    assert 0 < x < PHONE["width"], name
    assert 0 < y < PHONE["height"], name
    free = "(el, [x, y]) => { const at = document.elementFromPoint(x, y); return el.contains(at) || at.contains(el); }"
    assert button.evaluate(free, [x, y]), f"something lies over {name}"
    page.touchscreen.tap(x, y)
    assert page.evaluate("scrollY || document.querySelector('.table').scrollTop") == 0


def test_without_scripts_the_lists_lay_the_cards(browser: Browser, served: Served) -> None:
    context = browser.new_context(java_script_enabled=False, viewport=PHONE)
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{served.port}/games/jinkei/new")
    page.locator(f'{FORM} input[value="bot:gentle"]').check(force=True)
    page.locator(f"{FORM} button.primary").click()
    page.wait_for_url("**/t/*/*/")
    seen: list[str] = []
    for _ in range(200):
        lists = page.locator(".lay select")
        if lists.count():
            phase = "front" if page.locator(".phase-front").count() else "back"
            refused = "same" not in seen and lists.count() > 1
            for n in range(lists.count()):
                lists.nth(n).select_option(index=1 if refused else n + 1)  # one card twice: refused, with the reason
            with page.expect_navigation():
                page.locator("#done").click()
            if refused:
                seen.append("same")
                expect(page.locator("#refusal")).not_to_be_empty()
            else:
                seen.append(phase)
        elif page.locator("button.answer").count():
            seen.append("answer")
            with page.expect_navigation():
                page.locator("button.answer").first.click()
        elif page.locator(".pickf input").count():
            with page.expect_navigation():
                page.locator("#done").click()
        else:
            page.reload()
        if seen.count("answer") > 4:
            break
    assert {"same", "front", "back", "answer"} <= set(seen)
    for _ in range(200):  # while others play, a duel may be past before it is looked at
        if page.locator("#prompt.mine").count():
            break
        page.reload()
    page.get_by_role("link", name="What just happened").click()
    expect(page.locator(".jinkei.moment")).to_have_count(1)
    page.locator("#go-on").click()
    expect(page.locator(".jinkei.moment")).to_have_count(0)
    context.close()
