"""Two people and a spectator, each in a browser of their own: ready, the deal, a move, the end, a rematch."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.player import Player, phone
from tests.web.served import Served


def invite(page: Page, served: Served, game: str, **picks: str) -> tuple[str, str]:
    """May opens a table for a friend; the links to the free seat and to watch."""
    page.goto(f"http://127.0.0.1:{served.port}/games/{game}/new")
    form = page.locator(f'form:has(input[name="game"][value="{game}"])')
    for name, value in picks.items():
        form.locator(f'input[name="{name.replace("_", ".")}"][value="{value}"]').check()
    form.locator('input[name="opponent"][value="friend"]').check()
    form.locator('input[name="seat"][value="0"]').check()
    form.locator('input[name="name"]').fill("May")
    form.get_by_role("button", name="Open the table").click()
    expect(page.locator("#back")).to_be_visible()
    return page.locator("#invite-url-1").input_value(), page.locator("#watch-url").input_value()


def choose(page: Page, value: str) -> None:
    page.locator(f'.bring:has(input[value="{value}"])').click()


def concede(page: Page) -> None:
    page.locator(".menu > summary").click()
    page.locator("summary", has_text="Concede").click()
    page.get_by_role("button", name="Yes, concede").click()


def test_ready_deal_rematch_with_swapped_factions(browser: Browser, served: Served) -> None:
    may, bo, cy = Player(browser.new_context()), Player(phone(browser)), Player(browser.new_context())
    for player in (may, bo, cy):
        player.be_still()
    link, watch = invite(may.page, served, "feint", factions_0="wu")
    cy.page.goto(watch)
    side = cy.page.locator(".camp")
    expect(side.nth(0)).to_contain_text("leads Tribe Wu")
    expect(side.nth(0)).to_contain_text("ready")
    expect(side.nth(1)).to_contain_text("A free seat")
    may.check_both()
    may.page.locator("#back").click()
    expect(side.nth(0)).to_contain_text("still choosing")  # taken back, it is a secret again
    expect(side.nth(0)).not_to_contain_text("Wu")
    bo.page.goto(link)
    bo.check_access()
    choose(bo.page, "agents")
    bo.page.locator("#name").fill("Bo")
    bo.page.get_by_role("button", name="Sit down, ready").click()
    expect(side.nth(1)).to_contain_text("Bo")
    expect(side.nth(1)).to_contain_text("leads League of Agents")
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
        first.page.get_by_role("button", name="Pass all the same").click()
    expect(cy.page.locator("#log-list li")).not_to_have_count(before)
    concede(may.page)
    for player in (may, bo):
        expect(player.page.get_by_role("button", name="Rematch")).to_be_visible()
        expect(player.page.get_by_role("button", name="Swap factions")).to_be_visible()
    may.page.get_by_role("button", name="Swap factions").click()
    expect(may.page.locator("#seats")).to_contain_text("lead League of Agents")
    expect(cy.page.locator("#again")).to_contain_text("May offers a rematch.")
    expect(bo.page.locator("#again")).to_contain_text("May offers a rematch: you would lead Guards of Keion.")
    bo.page.get_by_role("button", name="No", exact=True).click()
    expect(may.page.locator("#seats")).to_contain_text("does not come")
    bo.page.get_by_role("button", name="Join after all").click()
    for player in (may, bo):
        expect(player.page.locator("#prompt")).to_be_visible()
    cy.page.get_by_role("link", name="Watch it").click()
    expect(cy.page.locator("#prompt")).to_be_visible()
    shown = cy.page.inner_text("#table")
    assert "Guards of Keion" in shown
    assert "League of Agents" in shown
    assert [player.complaints for player in (may, bo, cy)] == [[], [], []]


@pytest.mark.long
def test_a_rematch_with_decks_of_ones_own(browser: Browser, served: Served) -> None:
    may, bo = Player(browser.new_context()), Player(browser.new_context())
    for player in (may, bo):
        player.be_still()
    link, _ = invite(may.page, served, "generals")
    bo.page.goto(link)
    choose(bo.page, "yellow-sky")
    bo.page.get_by_role("button", name="Sit down, ready").click()
    for player in (may, bo):
        expect(player.page.locator("#prompt")).to_be_visible()
    concede(bo.page)
    bo.page.get_by_role("button", name="Rematch").click()
    expect(bo.page.locator("#ready")).to_be_visible()
    may.page.get_by_role("button", name="Join", exact=True).click()
    expect(may.page.locator("#ready")).to_be_visible()
    assert may.page.locator('input[value="vanguard-of-wei"]').is_checked()
    assert bo.page.locator('input[value="yellow-sky"]').is_checked()
    bo.page.locator(".other-deck > summary").click()
    bo.page.locator("#code").fill("no such deck")
    bo.page.locator("#ready").click()
    expect(bo.page.locator("#refusal")).to_contain_text("no deck")
    bo.check_both()
    choose(bo.page, "red-cliffs")
    bo.page.locator("#ready").click()
    expect(may.page.locator("#seats")).to_contain_text("brings Wu")
    assert "Red Cliffs" not in may.page.inner_text("#seats")
    may.page.locator("#ready").click()
    for player in (may, bo):
        expect(player.page.locator("#prompt")).to_be_visible()
    assert re.search(r"Red Cliffs", bo.page.content())
    assert [player.complaints for player in (may, bo)] == [
        [],
        ["Failed to load resource: the server responded with a status of 400 (Bad Request)"],
    ]


def test_a_game_that_is_called_off_says_so(browser: Browser, served: Served) -> None:
    may, bo = Player(browser.new_context()), Player(browser.new_context())
    link, _ = invite(may.page, served, "jinkei")
    may.page.locator("#back").click()
    bo.page.goto(link)
    bo.page.get_by_role("button", name="Sit down, ready").click()
    expect(bo.page.locator("#status")).to_contain_text("Waiting for May")
    may.page.locator(".leave > summary").click()
    may.page.get_by_role("button", name="Yes, call it off").click()
    expect(bo.page.locator("#status")).to_contain_text("whoever offered it has left")
    bo.page.get_by_role("link", name="To the lobby").press("Enter")  # who comes and goes moves it about
    expect(bo.page.locator("#mine-h")).to_be_visible()
    assert bo.complaints == []


def test_the_buttons_of_an_invitation_keep_to_one_line_each(browser: Browser, served: Served) -> None:
    """Beside each other, of one height, on phones too."""
    opening = {"game": "feint", "options": {}, "name": "May", "seats": ["me", "open"]}
    _, opened, _ = served.ask("POST", "/api/tables", opening)
    page = browser.new_page(viewport={"width": 390, "height": 844})
    page.goto(f"http://127.0.0.1:{served.port}/t/{opened['table']}/{opened['invitation']}/")
    for width in (360, 390):
        page.set_viewport_size({"width": width, "height": 844})
        sit, watch = page.locator(".sit-row :is(button, .button)").all()
        one, other = sit.bounding_box(), watch.bounding_box()
        assert one
        assert other
        assert (one["y"], one["height"]) == (other["y"], other["height"])
        assert one["height"] < 56  # two lines of its letters are higher
    page.close()
