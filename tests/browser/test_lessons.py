"""Lessons in a browser: each first game by touch on a phone, as its seals show, and Feint's by keys alone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect

from tests.browser.player import PHONE, Player, phone
from tests.web.served import Served

TALL: ViewportSize = {"width": 390, "height": 844}


def go_on(page: Page) -> None:
    """Follow the links until a question comes or the lesson ends."""
    while page.locator("#lesson-next").count():
        here = page.locator("#lesson").get_attribute("data-place")
        page.keyboard.press("c")
        expect(page.locator("#lesson")).not_to_have_attribute("data-place", here or "")


def lay(page: Page, card: str, place: str) -> None:
    """Play a card to a Location by keyboard."""
    page.locator("#hand .slot", has_text=card).locator("input").focus()
    page.keyboard.press("Space")
    page.locator(f'.here[value="@{place}"]').focus()
    page.keyboard.press("Enter")


def find_seal(page: Page, number: int, what: str = "") -> Locator:
    """Return what has a seal, or a part of it."""
    return page.locator(f'[data-seal="{number}"] {what}'.rstrip())


def tap_feint(page: Page) -> None:
    if find_seal(page, 2).count():
        find_seal(page, 1, "label").tap()
        find_seal(page, 2, ".here").tap()
    else:
        find_seal(page, 1).tap()


def tap_jinkei(page: Page) -> None:
    if page.locator(".mode-place").count():
        pairs = range(1, 6) if find_seal(page, 5).count() else [1]
        for n in pairs:
            find_seal(page, n, "label").tap()
            page.locator(f'.space:has([data-seal="{n}"]) .here').tap()
        page.locator("#done").tap()
    elif page.locator("[data-pointed] input").count():
        page.locator("[data-pointed] label").tap()
        page.locator("#done").tap()
    elif page.locator("[data-pointed] .answer").count():
        page.locator("[data-pointed] .answer").tap()
    else:
        # The player finds this one: two other cards do not win.
        page.locator('[value="vg2:red"]').tap()
        expect(page.locator("#refusal")).to_contain_text("takes your 3")
        page.locator('[value="vg3:blue"]').tap()


def tap_factionwars(page: Page) -> None:
    find_seal(page, 1, ".answer").tap()


def tap_generals(page: Page) -> None:
    if page.locator('#done[data-seal="1"]').count():
        page.locator("#done").tap()
        return
    find_seal(page, 1, "label:has(.lift)").tap()
    if find_seal(page, 2, ".pays").count():
        for pays in find_seal(page, 2, ".pays").all():
            pays.tap()
    if page.locator(".commit:visible").count():
        page.locator(".commit:visible").tap()
    else:
        find_seal(page, 2, ":is(.strike, .here):visible").last.tap()


TAPS = {"feint": tap_feint, "jinkei": tap_jinkei, "factionwars": tap_factionwars, "generals": tap_generals}


@pytest.mark.extended
@pytest.mark.parametrize("game", TAPS)
def test_a_first_game_is_played_by_touch_and_leads_into_a_real_one(browser: Browser, served: Served, game: str) -> None:
    page = browser.new_page(viewport=TALL, is_mobile=True, has_touch=True, reduced_motion="reduce")
    page.goto(f"http://127.0.0.1:{served.port}/learn/{game}/first/")
    page.evaluate("window.same = true")
    while not page.locator("#lesson-end").count():
        here = page.locator("#lesson").get_attribute("data-place") or ""
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        if page.locator("#lesson-next").count():
            # A tap so soon after the last one counts as meant for the step before.
            page.keyboard.press("c")
        else:
            TAPS[game](page)
        expect(page.locator("#lesson")).not_to_have_attribute("data-place", here)
    assert page.evaluate("window.same"), "no page was loaded anew"
    page.locator("#lesson-end").tap()
    expect(page.get_by_role("heading", name="You know how to play")).to_be_visible()
    page.get_by_role("button", name="Play Gentle").tap()
    expect(page.locator("#table")).to_be_visible()
    page.close()


def test_a_first_game_of_feint_is_played_by_keys(browser: Browser, served: Served) -> None:
    context = phone(browser)
    player = Player(context)
    page = player.page
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"http://127.0.0.1:{served.port}/learn/feint/")
    player.check_both()
    page.get_by_role("link", name="Start").click()
    expect(page.locator("#status")).to_have_text("Win most of seven rounds, and keep your Morale.")
    player.check_both()
    go_on(page)
    page.locator("#pass").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#refusal")).to_contain_text("After a pass you play no more cards this round.")
    page.keyboard.press("w")
    expect(page.locator("#last")).to_contain_text("Strength counts times the Location’s number.")
    for card, place in (("Knight of 6", "6"), ("Guardian Angel", "6"), ("Patriot", "2")):
        lay(page, card, place)
        expect(page.locator("#lesson-next")).to_be_visible()
        go_on(page)
    page.locator("#pass").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#status")).to_have_text("Battles at 2 and 6: Strength times the number.")
    player.check_both()
    go_on(page)
    page.locator("#done").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#lesson-next, #lesson-end")).to_be_visible()
    go_on(page)
    page.keyboard.press("c")
    expect(page.get_by_role("button", name="Play Gentle")).to_be_visible()
    player.check_both()
    assert [line for line in player.complaints if "409" not in line] == []
    context.close()


def test_a_lifted_card_is_in_the_way_of_nothing(browser: Browser, served: Served) -> None:
    """After a wrong answer the card returns to the hand, and a raised card can be put back before a pass."""
    page = browser.new_page(viewport=PHONE, is_mobile=True, has_touch=True, reduced_motion="reduce")
    lifted = page.locator("#hand :checked")
    page.goto(f"http://127.0.0.1:{served.port}/learn/feint/first/?step=4")
    page.locator("#hand li:last-child label").tap()
    expect(lifted).to_have_count(1)
    expect(page.locator("#lifted-text")).to_have_text("No ability.")
    page.locator('.here[value="@5"]').tap()
    expect(page.locator("#refusal")).to_contain_text("Your battle is at 6")
    expect(page.locator(".place .nope")).to_have_text("Not yet")
    expect(lifted).to_have_count(0)
    lay(page, "Explorer", "5")
    expect(page.locator("#hand .slot", has_text="Explorer").locator("input")).to_be_focused()
    page.goto(f"http://127.0.0.1:{served.port}/learn/feint/first/?step=13")
    page.locator("#hand li:last-child label").tap()
    page.get_by_role("button", name="Put it back").tap()
    page.locator("#pass").tap()
    expect(page.locator("#lesson")).to_have_attribute("data-place", "14")
    page.close()


def test_an_annotated_game_is_read_by_keys_on_a_phone(browser: Browser, served: Served) -> None:
    """The game is followed from note to note, and plays until the next note."""
    context = phone(browser)
    player = Player(context)
    page = player.page
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"http://127.0.0.1:{served.port}/library/feint/decoy/replay")
    page.evaluate("window.same = true")
    where = page.locator(".note-ways")
    expect(where).to_contain_text("Note 1 of 11")
    player.check_both()
    page.keyboard.press("n")
    expect(where).to_contain_text("Note 2 of 11")
    expect(page.locator("#replay-step")).to_have_value("2")
    page.keyboard.press("Space")
    # The third note stands after seven decisions, all of which Ada saw: at step 7.
    expect(where).to_contain_text("Note 3 of 11")
    expect(page.locator("#replay-step")).to_have_value("7")
    expect(page.locator("#replay-play")).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("b")
    expect(where).to_contain_text("Note 2 of 11")
    assert page.evaluate("window.same")
    assert player.complaints == []
    context.close()
