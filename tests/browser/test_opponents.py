"""Two people on phones find each other: an open seat comes into the list, is taken, and both play; and a curtain."""

from __future__ import annotations

from playwright.sync_api import Browser, expect

from tests.browser.player import Player, phone
from tests.web.served import Served


def home(served: Served) -> str:
    return f"http://127.0.0.1:{served.port}/"


def test_an_open_seat_is_found_and_taken(browser: Browser, served: Served) -> None:
    may, bo = Player(phone(browser)), Player(phone(browser))
    bo.page.goto(home(served))
    expect(bo.page.locator(".no-offers")).to_be_visible()
    may.page.goto(home(served) + "opponents")
    may.check_both()
    may.page.locator("#offer").get_by_role("link", name="Feint").click()
    may.check_access()
    may.page.locator('.bring:has(input[name="factions.0"][value="wu"])').click()
    may.page.get_by_label("Your name (required)").fill("May")
    may.page.get_by_role("button", name="Offer the seat").click()
    expect(may.page.locator(".send-link")).to_contain_text("The lobby shows your seat to all visitors.")
    may.check_both()
    row = bo.page.locator(".offer-row", has_text="May")
    expect(row).to_contain_text("Feint · No clock · Tribe Wu")  # without loading the page again
    bo.check_both()
    row.get_by_role("link", name="Sit down").click()
    bo.check_both()
    bo.page.locator("#name").fill("Bo")
    bo.page.get_by_role("button", name="Ready", exact=True).click()
    for player, name in ((may, "Bo"), (bo, "May")):
        expect(player.page.locator("#prompt")).to_be_visible()
        expect(player.page.locator("#seats")).to_contain_text(name)
    look = Player(phone(browser))
    look.page.goto(home(served) + "opponents")
    expect(look.page.locator(".no-offers")).to_be_visible()
    assert [player.complaints for player in (may, bo)] == [[], []]


def test_notifications_are_offered_for_days_and_off(browser: Browser, served: Served) -> None:
    may = Player(phone(browser))
    page = may.page
    page.goto(home(served) + "games/feint/new?opponent=friend&clock=days")
    page.get_by_label("Your name (required)").fill("May")
    page.get_by_role("button", name="Ready, get the link").click()
    box = page.get_by_label("Notify me on this device when it is my turn")
    expect(box).to_be_visible()
    expect(box).not_to_be_checked()
    assert may.complaints == []


def test_the_curtain_covers_the_window(browser: Browser, served: Served) -> None:
    may = Player(phone(browser))
    page = may.page
    page.goto(home(served) + "games/feint/new")
    page.locator('input[name="opponent"][value="beside"]').check()
    page.get_by_label("Your name", exact=True).fill("May")
    page.get_by_label("Their name").fill("Bo")
    page.locator(".go-on button.primary").click()
    expect(page.get_by_role("dialog")).to_contain_text("Hand the device to")
    may.check_both()
    assert page.evaluate("document.elementFromPoint(5, 5).closest('.curtain') !== null")
    expect(page.locator(".bar")).to_be_hidden()
    page.locator("#rise").click()
    expect(page.locator("#prompt")).to_be_visible()
    expect(page.locator(".bar")).to_be_visible()
    assert may.complaints == []
