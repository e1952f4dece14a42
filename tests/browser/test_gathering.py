"""Two people and a spectator, each in a browser of their own: ready, the deal, a move, the end, a rematch."""

from __future__ import annotations

from playwright.sync_api import Browser, Page, expect

from tests.browser.player import Player, phone
from tests.browser.tables import concede
from tests.web.served import Served


def invite(page: Page, served: Served, game: str, **picks: str) -> tuple[str, str]:
    """May opens a table for a friend; the links to the free seat and to watch."""
    page.goto(f"http://127.0.0.1:{served.port}/games/{game}/new?opponent=friend")
    form = page.locator(".open-table")
    form.locator(".house-rules > summary").click()
    for name, value in picks.items():
        form.locator(f'input[name="{name.replace("_", ".")}"][value="{value}"]').check()
    form.locator('input[name="seat"][value="0"]').check()
    form.locator('input[name="name"]').fill("May")
    form.get_by_role("button", name="Ready, get the link").click()
    expect(page.locator("#back")).to_be_visible()
    return page.locator("#invite-url").input_value(), page.locator("#watch-url").input_value()


def choose(page: Page, value: str) -> None:
    page.locator(f'.bring:has(input[value="{value}"])').click()


def test_ready_deal_rematch_with_swapped_factions(browser: Browser, served: Served) -> None:
    may, bo, cy = Player(browser.new_context()), Player(phone(browser)), Player(browser.new_context())
    for player in (may, bo, cy):
        player.be_still()
    link, watch = invite(may.page, served, "feint", factions_0="wu")
    cy.page.goto(watch)
    side = cy.page.locator(".camp")
    expect(side.nth(0)).to_contain_text("Tribe Wu")
    expect(side.nth(0)).to_contain_text("Ready")
    expect(side.nth(1)).to_contain_text("Free seat")
    may.check_both()
    may.page.locator("#back").click()
    expect(side.nth(0)).to_contain_text("Choosing")  # taken back, it is a secret again
    expect(side.nth(0)).not_to_contain_text("Wu")
    bo.page.goto(link)
    bo.check_access()
    bo.page.get_by_text("Other factions").click()
    choose(bo.page, "agents")
    bo.page.get_by_role("button", name="Ready", exact=True).click()
    expect(bo.page.locator(".name-missing")).to_have_text("Enter your name: the other players see it.")
    expect(bo.page.get_by_label("Your name (required)")).to_be_focused()
    bo.check_access()
    bo.page.locator("#name").fill("Bo")
    expect(bo.page.locator(".name-missing")).to_be_hidden()
    bo.page.get_by_role("button", name="Ready", exact=True).click()
    expect(side.nth(1)).to_contain_text("Bo")
    expect(side.nth(1)).to_contain_text("League of Agents")
    bo.check_access()
    expect(may.page.locator(".bring.gone")).to_have_count(1)  # Bo leads it
    choose(may.page, "keion")
    may.page.locator("#ready").click()
    for player in (may, bo, cy):
        expect(player.page.locator("#prompt")).to_be_visible()
    first = may if may.page.locator("#prompt.mine").count() else bo
    first.page.locator('label.card:has(input[name="part1"])').first.wait_for()
    before = cy.page.locator("#log-list li").count()
    pass_button = first.page.locator("#pass")
    pass_button.click()
    if first.page.locator("#pass-confirm").count():
        first.page.get_by_role("button", name="Pass anyway").click()
    expect(cy.page.locator("#log-list li")).not_to_have_count(before)
    concede(may.page)
    for player in (may, bo):
        expect(player.page.get_by_role("button", name="Rematch")).to_be_visible()
        expect(player.page.get_by_role("button", name="Swap factions")).to_be_visible()
    may.page.get_by_role("button", name="Swap factions").click()
    expect(may.page.locator("#seats")).to_contain_text("League of Agents")
    expect(cy.page.locator("#again")).to_contain_text("May offers a rematch.")
    expect(bo.page.locator("#again")).to_contain_text("May offers a rematch. You would lead Guards of Keion.")
    expect(bo.page.get_by_role("button", name="Accept rematch")).to_be_visible()
    bo.page.get_by_role("button", name="No", exact=True).click()
    expect(may.page.locator("#seats")).to_contain_text("Does not come")
    bo.page.get_by_role("button", name="Join anyway").click()
    for player in (may, bo):
        expect(player.page.locator("#prompt")).to_be_visible()
    cy.page.get_by_role("link", name="Watch it").click()
    expect(cy.page.locator("#prompt")).to_be_visible()
    shown = cy.page.inner_text("#table")
    assert "Guards of Keion" in shown
    assert "League of Agents" in shown
    assert [player.complaints for player in (may, bo, cy)] == [[], [], []]
