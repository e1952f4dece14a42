"""Decks in Chromium: built by keyboard alone, stored on this device's shelf, chosen in the lobby, and
without scripts."""

from __future__ import annotations

import re

from playwright.sync_api import Browser, Page, expect

from tests.browser.player import PHONE, SCREEN, Player
from tests.browser.test_play import home
from tests.web.served import Served

WEI = [f"W{n:02}" for n in range(1, 12)]
SHELF = "games/generals/decks"
BUILD = SHELF + "/build"
LOWEST = """() => [...document.querySelectorAll('.chip, .stepper button, .dock .button, .dock button, #f-q')]
    .map((el) => el.getBoundingClientRect())
    .filter((box) => box.width > 0 && (box.width < 43 || box.height < 43)).length"""
"""The number of touch targets that are too small."""
ASKED_TWICE = """async () => {
  const answers = () => performance.getEntriesByType("resource").filter((one) => one.name.endsWith("/boxes")).length;
  const before = answers();
  for (let n = 0; n < 2; n++) dispatchEvent(new Event("storage"));
  while (answers() < before + 2) await new Promise((next) => setTimeout(next, 20));
  await new Promise((next) => setTimeout(next, 100));
}"""
"""Another window changes the shelf twice, the second time during a request for its boxes. Both requests are
answered."""


def focused(player: Player) -> str:
    """Return the id of the focused element."""
    found: str = player.page.evaluate("document.activeElement.id")
    return found


def sift(player: Player, *chips: str) -> None:
    """Press chips of the filter."""
    for chip in chips:
        player.page.locator("#f-q").focus()
        was = player.page.locator(f"#{chip}").get_attribute("aria-current")
        player.tab_to(f"#{chip}")
        player.press("Enter")
        there = player.page.locator(f"#{chip}[aria-current]")
        expect(there).to_have_count(0 if was else 1)
        assert focused(player) == chip


def unfold(player: Player) -> None:
    """Open the deck, which is in a sheet on a phone."""
    way = player.page.locator(".dock a")
    if way.is_visible():
        way.focus()
        player.press("Enter")
        expect(player.page.locator(".yours")).to_be_visible()


def fold(player: Player) -> None:
    """Return to the cards."""
    way = player.page.locator(".fold")
    if way.is_visible():
        way.focus()
        player.press("Enter")
        expect(player.page.locator(".yours")).to_be_hidden()


def add(player: Player, id: str, copies: int) -> None:
    """Move to a card's button by Tab and press it this number of times."""
    player.tab_to(f"#add-{id}", 500)
    for _ in range(copies):
        player.press("Enter")
    expect(player.page.locator(f"#n-{id}")).to_contain_text(f"{copies} of")
    full = player.page.locator(f"#add-{id}").is_disabled()
    player.page.wait_for_function("(id) => document.activeElement.id === id", arg=f"take-{id}" if full else f"add-{id}")


def read_shelf(page: Page) -> list[dict[str, str]]:
    """Return the decks on this device's shelf."""
    found: list[dict[str, str]] = page.evaluate("JSON.parse(localStorage.getItem('gonfalon.decks.generals') ?? '[]')")
    return found


def test_cards_stand_above_the_fold_of_a_phone(browser: Browser, served: Served) -> None:
    context = browser.new_context(viewport=PHONE, has_touch=True)
    page = context.new_page()
    page.goto(home(served) + BUILD)
    boxes = [page.locator(".dcard").nth(n).bounding_box() for n in range(4)]
    assert all(boxes)
    tops = [round(box["y"]) for box in boxes if box]
    assert tops[0] == tops[1] == tops[2] < tops[3]
    assert tops[0] <= 110
    assert page.evaluate(LOWEST) == 0
    assert page.evaluate("document.querySelector('#filter').scrollWidth > innerWidth")
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    page.locator("#add-W01").tap()
    expect(page.locator("#n-W01")).to_have_text("1 of 3")
    expect(page.locator(".dock .size")).to_have_text("1 card")
    expect(page.locator(".dock .unready")).to_contain_text("Not ready: add at least 39 cards")
    page.locator(".dock").get_by_role("button", name="Fill up").tap()
    expect(page.locator(".dock .legal")).to_contain_text("Ready to play.")
    expect(page.locator("#n-W01")).not_to_have_text("0 of 3")
    page.locator(".dock").get_by_role("button", name="Undo").tap()
    expect(page.locator(".dock .size")).to_have_text("1 card")
    page.locator("#c-W02 .dcard-name").tap()
    expect(page.locator("#full-W02")).to_be_visible()
    expect(page.locator("#full-W02")).to_contain_text("Might")
    context.close()


def test_a_deck_is_pasted_kept_shared_mended_and_dropped(browser: Browser, served: Served) -> None:
    context = browser.new_context(viewport=SCREEN, reduced_motion="reduce")
    player = Player(context)
    player.quiet = True  # half a word is no deck: a 400, which is an error on the console
    page = player.page
    page.goto(home(served) + SHELF)
    expect(page.locator("#mine")).to_be_hidden()
    player.check_both()
    page.locator(".paste > summary").focus()
    player.press("Enter")
    player.tab_to("#text")
    page.keyboard.type("4 Cao Cao")
    expect(page.locator("#found")).to_contain_text("RESOURCE needs 40 to 60")
    player.check_both()
    page.get_by_role("button", name="Keep in my decks").click()
    box = page.locator(".box")
    expect(box).to_have_count(1)
    page.evaluate(ASKED_TWICE)
    expect(box).to_have_count(1)
    expect(box).to_have_class(re.compile("illegal"))
    expect(box.get_by_role("button", name="Play")).to_have_count(0)
    player.check_both()
    share = box.locator(".share")
    share.locator("summary").click()
    expect(share.get_by_label("Link")).to_have_value(re.compile(r"/games/generals/decks/build\?d="))
    player.check_access()
    player.press("Escape")
    expect(share).not_to_have_attribute("open", "")
    expect(share.locator("summary")).to_be_focused()

    box.get_by_role("link", name="Repair").click()
    page.wait_for_url(f"**/{BUILD}?*#check")
    expect(page.locator(".faults li")).to_have_count(2)
    page.locator("#trim").focus()
    player.press("Enter")
    expect(page.locator(".faults li")).to_have_count(1)
    expect(page.locator("#n-W01")).to_have_text("3 of 3")
    assert focused(player) == "deck"
    keep = page.locator("#keep")
    expect(keep).to_have_attribute("aria-pressed", "true")
    before = read_shelf(page)
    keep.click()
    expect(keep).to_have_text("Keep in my decks")
    assert read_shelf(page) == []
    keep.click()
    expect(keep).to_have_text("In my decks")
    assert [deck["d"] for deck in read_shelf(page)] == [deck["d"] for deck in before]
    player.press("Tab")
    page.locator("#less-W01").click()
    expect(page.locator("#n-W01")).to_have_text("2 of 3")
    assert len(read_shelf(page)) == 1
    assert read_shelf(page)[0]["d"] != before[0]["d"]

    page.goto(home(served) + SHELF)
    box.locator(".share summary").click()
    box.get_by_role("button", name="Remove from my decks").click()
    expect(box).to_have_count(0)
    expect(page.locator("#said")).to_contain_text("was removed")
    expect(page.locator("#new")).to_be_focused()
    assert read_shelf(page) == []
    context.close()


def test_a_kept_deck_is_chosen_in_the_lobby(browser: Browser, served: Served) -> None:
    context = browser.new_context(viewport=SCREEN, reduced_motion="reduce")
    player = Player(context)
    page = player.page
    page.goto(home(served) + SHELF)
    page.locator(".preset").first.click()
    page.locator("#less-W01").click()
    expect(page.locator("#n-W01")).to_have_text("2 of 3")
    assert read_shelf(page) == []
    page.locator("#name").fill("Two of Cao Cao")
    page.get_by_role("button", name="Keep the name").click()
    expect(page.locator("h1")).to_contain_text("Two of Cao Cao")
    page.locator("#keep").click()
    page.goto(home(served))
    page.locator("#g-generals .set-up").click()
    page.get_by_label("Your deck").first.select_option(label="Two of Cao Cao")
    page.get_by_role("button", name="Play").click()
    page.wait_for_url("**/t/*/*/")
    assert "Two of Cao Cao" in page.content()
    assert player.complaints == []
    context.close()


def test_the_cards_are_searched_while_one_types(browser: Browser, served: Served) -> None:
    page = browser.new_page(viewport=SCREEN)
    page.goto(home(served) + BUILD)
    page.locator("#f-q").press_sequentially("lay siege")
    expect(page.locator(".dcard:visible").filter(has_not_text=re.compile("siege", re.I))).to_have_count(0)
    expect(page.locator("#f-q")).to_be_focused()
    expect(page.locator("#f-q")).to_have_value("lay siege")
    page.close()


def test_a_shelf_that_is_damaged_or_not_allowed_is_told(browser: Browser, served: Served) -> None:
    context = browser.new_context(viewport=SCREEN, reduced_motion="reduce")
    page = context.new_page()
    page.goto(home(served) + SHELF)
    for rubbish in ("{", '{"a": 1}', "[1, null]"):
        page.evaluate("(text) => localStorage.setItem('gonfalon.decks.generals', text)", rubbish)
        page.reload()
        expect(page.locator("#mine")).to_be_hidden()
    page.evaluate(
        "localStorage.setItem('gonfalon.decks.generals', JSON.stringify([{id: 'a', d: '1gryen7d', name: 'Old'}]))"
    )
    page.reload()
    expect(page.locator(".box .why")).to_contain_text("typing error")
    page.goto(home(served) + BUILD)
    page.evaluate("() => { Storage.prototype.setItem = () => { throw new Error('full'); }; }")
    page.locator("#keep").click()
    expect(page.locator("#error")).to_contain_text("keeps nothing")
    context.close()


def test_the_focus_goes_where_the_work_is(browser: Browser, served: Served) -> None:
    """Removing an item moves the focus to the nearest remaining one."""
    context = browser.new_context(viewport=SCREEN)
    player = Player(context)
    page = player.page
    page.goto(home(served) + BUILD)
    add(player, "W01", 2)
    player.press("Shift+Tab", "Enter", "Enter")
    expect(page.locator("#n-W01")).to_have_text("0 of 3")
    page.wait_for_function("document.activeElement.id === 'add-W01'")
    add(player, "W02", 1)
    page.locator("#less-W02").focus()
    player.press("Enter")
    expect(page.locator("#r-W02")).to_have_count(0)
    page.wait_for_function("document.activeElement.id === 'deck'")
    assert player.complaints == []
    context.close()
