"""First games in a browser: by keys alone, on a phone in the dark and on a screen in the light."""

from __future__ import annotations

from playwright.sync_api import Browser, Page, expect

from tests.browser.player import PHONE, Player, phone
from tests.web.served import Served


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


def test_a_first_game_of_feint_is_played_by_keys(browser: Browser, served: Served) -> None:
    context = phone(browser)
    player = Player(context)
    page = player.page
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"http://127.0.0.1:{served.port}/learn/feint/")
    player.check_both()
    page.get_by_role("link", name="Begin").click()
    expect(page.locator("#lesson-note")).to_be_visible()
    player.check_both()
    go_on(page)
    page.locator("#pass").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#refusal")).to_contain_text("You have not begun yet.")
    for card, place in (("Knight of 6", "6"), ("Guardian Angel", "6"), ("Patriot", "2")):
        lay(page, card, place)
        expect(page.locator(".lesson-turn")).to_have_count(0)
        go_on(page)
    page.locator("#pass").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#lesson-next")).to_be_visible()
    go_on(page)
    page.locator("#done").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".lesson-turn")).to_have_count(0)
    go_on(page)
    expect(page.get_by_role("link", name="Play a real game now")).to_be_visible()
    player.check_both()
    assert [line for line in player.complaints if "409" not in line] == []
    context.close()


def test_a_lifted_card_is_in_the_way_of_nothing(browser: Browser, served: Served) -> None:
    """A player with a raised card can still pass. If passing is wrong here, the card returns to the hand."""
    page = browser.new_page(viewport=PHONE, is_mobile=True, has_touch=True, reduced_motion="reduce")
    lifted = page.locator("#hand :checked")
    page.goto(f"http://127.0.0.1:{served.port}/learn/feint/first/?step=4")
    page.locator("#hand li:last-child label").tap()
    expect(lifted).to_have_count(1)
    page.locator("#pass").tap()
    expect(page.locator("#refusal")).to_contain_text("You have not begun yet.")
    expect(lifted).to_have_count(0)
    lay(page, "Explorer", "5")
    expect(page.locator("#refusal")).not_to_be_empty()
    expect(lifted).to_have_count(0)
    expect(page.locator("#hand .slot", has_text="Explorer").locator("input")).to_be_focused()
    page.goto(f"http://127.0.0.1:{served.port}/learn/feint/first/?step=12")
    page.locator("#hand li:last-child label").tap()
    page.locator("#pass").tap()
    expect(page.locator("#lesson")).to_have_attribute("data-place", "13")
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
