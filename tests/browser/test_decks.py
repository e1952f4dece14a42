"""The deck builder in Chromium: a whole deck by keyboard alone, on a phone and on a screen, and without scripts."""

from __future__ import annotations

from playwright.sync_api import Browser, expect

from tests.browser.player import PHONE, SCREEN, Player, phone
from tests.browser.test_play import home
from tests.web.served import Served

WEI = [f"W{n:02}" for n in range(1, 12)]
NEUTRAL = ["T01", "T03", "P01"]


def focused(player: Player) -> str:
    """The id of what has the focus."""
    found: str = player.page.evaluate("document.activeElement.id")
    return found


def choose(player: Player, select: str, label: str) -> None:
    """Choose an entry of a select that has the focus, by its first letters."""
    player.tab_to(select)
    player.page.keyboard.type(label)
    expect(player.page.locator(f"{select} option:checked")).to_have_text(label)


def add(player: Player, id: str, copies: int) -> None:
    """Go to a card's button by Tab and press it so often."""
    player.tab_to(f"#add-{id}", 400)
    for _ in range(copies):
        player.press("Enter")
    expect(player.page.locator(f"#n-{id}")).to_contain_text(f"{copies} of")
    assert focused(player) == f"add-{id}"


def test_a_deck_is_built_by_keyboard_and_played(browser: Browser, served: Served) -> None:
    context = phone(browser)
    player = Player(context)
    page = player.page
    page.goto(home(served))
    player.tab_to('a[href="/games/generals/decks"]', 200)
    player.press("Enter")
    page.wait_for_url("**/games/generals/decks")
    player.check_both()

    player.tab_to("#name")
    page.keyboard.type("The Long Road")
    player.press("Enter")
    expect(page.locator("#deck")).to_have_text("The Long Road")
    choose(player, "#f-faction", "Wei")
    expect(page.locator("#shown")).to_have_text("13 of 95 cards")
    player.check_both()
    for id in WEI:
        add(player, id, 3)
    expect(page.locator("#said")).to_contain_text("33 cards. 2 faults")

    page.keyboard.press("Control+Home")
    page.locator("#f-faction").focus()
    page.keyboard.type("Neutral")
    expect(page.locator("#shown")).to_have_text("41 of 95 cards")
    for id in NEUTRAL:
        add(player, id, 3)
    expect(page.locator("#said")).to_contain_text("1 fault: There is no Commandment")
    add(player, "D01", 1)
    expect(page.locator("#said")).to_contain_text("42 cards. This deck is legal.")
    expect(page.locator("#said")).to_have_attribute("role", "status")
    player.check_both()
    for _ in range(2):
        assert page.evaluate(
            "(() => { const el = document.querySelector('.yours'); return el.scrollWidth <= el.clientWidth; })()"
        )
        player.turn()

    page.reload()
    expect(page.locator("#said")).to_contain_text("42 cards. This deck is legal.")
    page.locator("#clear").focus()
    player.tab_to("#deal")
    player.press("Enter")
    expect(page.locator(".test-hand li")).to_have_count(5)
    assert focused(player) == "deal"
    player.tab_to("#draw")
    player.press("Enter", "Enter")
    expect(page.locator(".test-hand li")).to_have_count(7)
    player.check_both()

    assert player.complaints == []
    player.quiet = True
    player.tab_to("#against")
    page.keyboard.type("Red")
    player.tab_to("button.primary")
    player.press("Enter")
    page.wait_for_url("**/t/*/*/")
    context.close()


def test_the_focus_goes_where_the_work_is(browser: Browser, served: Served) -> None:
    """What was pressed away leaves the focus on the nearest thing that is left."""
    context = browser.new_context(viewport=SCREEN)
    player = Player(context)
    page = player.page
    page.goto(home(served) + "games/generals/decks")
    add(player, "W01", 2)
    player.press("Tab", "Enter", "Enter")
    expect(page.locator("#n-W01")).to_have_text("0 of 3")
    assert focused(player) == "add-W01"
    add(player, "W02", 1)
    page.locator("#less-W02").focus()
    player.press("Enter")
    expect(page.locator("#r-W02")).to_have_count(0)
    assert focused(player) == "deck"
    assert player.complaints == []
    context.close()


def test_a_pasted_deck_with_faults_stays_to_be_mended(browser: Browser, served: Served) -> None:
    context = browser.new_context(viewport=SCREEN)
    player = Player(context)
    page = player.page
    page.goto(home(served) + "games/generals/decks")
    player.tab_to("#text")
    page.keyboard.type("3 Cao Coa\n2 Red Hare")
    player.quiet = True  # a 400 is an error on the console
    player.tab_to('button[value="open"]')
    player.press("Enter")
    expect(page.locator("#error")).to_contain_text("did you mean Cao Cao?")
    expect(page.locator("#text")).to_have_value("3 Cao Coa\n2 Red Hare")
    player.check_both()
    page.locator("#text").fill("3 Cao Cao\n2 Red Hare")
    player.tab_to('button[value="open"]')
    player.press("Enter")
    expect(page.locator("#said")).to_contain_text("5 cards")
    expect(page.locator("#error")).to_have_text("")
    context.close()


def test_without_scripts_a_deck_is_built_all_the_same(browser: Browser, served: Served) -> None:
    context = browser.new_context(java_script_enabled=False, viewport=PHONE)
    page = context.new_page()
    page.goto(home(served) + "games/generals/decks")
    page.locator("#f-q").fill("oath")
    page.get_by_role("button", name="Show", exact=True).click()
    expect(page.locator("#shown")).to_have_text("1 of 95 cards")
    for count in (1, 2, 3):
        page.locator("#add-P10").click()
        expect(page.locator("#n-P10")).to_have_text(f"{count} of 3")
    assert page.url.endswith("#c-P10")
    page.go_back()
    expect(page.locator("#n-P10")).to_have_text("2 of 3")
    context.close()
