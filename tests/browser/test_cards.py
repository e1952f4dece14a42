"""Reading a card in Chromium: by mouse, by keyboard, by touch, and without scripts."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from gonfalon import games
from tests.browser.player import PHONE, SCREEN, Player, phone
from tests.web.served import Served

NAMED = """(names) => {
  const card = document.querySelector('#hand .face'), name = card.querySelector('.name');
  const room = card.getBoundingClientRect().height - card.querySelector('.str').getBoundingClientRect().height + 1;
  const range = document.createRange();
  const rows = (from, to) => {
    range.setStart(name.firstChild, from);
    range.setEnd(name.firstChild, to);
    return range.getClientRects().length;
  };
  return names.filter((words) => {
    name.textContent = words;
    name.classList.toggle('long', words.length > 15);  // as the template does
    return [...words.matchAll(/[^ -]+/g)].some((word) => rows(word.index, word.index + word[0].length) > 1)
      || name.getBoundingClientRect().height > room;
  });
}"""
"""Writes names on a card of the hand. Returns those with a broken word or more height than their place."""

RESIZED = """(size) => {
  const hand = document.getElementById('hand'), cards = [...hand.children];
  for (const card of cards.slice(size)) card.remove();
  for (let i = 0; hand.children.length < size; i++) hand.append(cards[i % 3].cloneNode(true));
}"""
"""Reduces the hand to this number of its first three cards."""
UNSEEN = """() => [...document.querySelectorAll('#hand .name')].filter((name) => {
  const range = document.createRange(), text = name.firstChild;
  range.setStart(text, text.length - 1);
  range.setEnd(text, text.length);
  const { left, right, top, bottom } = range.getBoundingClientRect();
  const at = (x) => document.elementFromPoint(x, (top + bottom) / 2);
  return [left + 1, right - 1].some((x) => !name.closest('li').contains(at(x)));
}).map((name) => name.textContent)"""
"""The names whose last character is covered or clipped."""


def open_feint(page: Page, served: Served) -> None:
    page.goto(f"http://127.0.0.1:{served.port}/games/feint/new")
    form = page.locator('form:has(input[name="game"][value="feint"])')
    form.locator('input[value="bot:gentle"]').check(force=True)
    form.get_by_role("button", name="Play").click()
    page.wait_for_url("**/t/*/*/")
    for _ in range(100):
        if page.locator('#hand input[type="radio"]').count():
            return
        page.wait_for_timeout(50)
        page.reload()


def test_by_mouse_and_by_keyboard(browser: Browser, served: Served) -> None:
    context = browser.new_context(viewport=SCREEN, reduced_motion="reduce")
    player = Player(context)
    page = player.page
    open_feint(page, served)
    expect(page.locator("#net")).to_have_attribute("data-state", "on")
    slot = page.locator("#hand .slot").first
    card = page.locator("#" + str(slot.locator(".info").get_attribute("popovertarget")))
    expect(card).to_be_hidden()
    # The deal decides where the first card may go, or why nowhere; it stands beside the text, which is told once.
    where = (slot.locator(".where").text_content() or "").strip()
    slot.hover()
    expect(card).to_be_visible()
    expect(card.locator("[data-where]")).to_have_text(where)
    page.mouse.move(5, 5)
    expect(card).to_be_hidden()
    player.tab_to("#hand input")
    expect(page.locator(".full.peek")).to_have_count(1)
    expect(page.locator(".full.peek [data-where]")).to_have_text(where)
    player.check_access()
    player.press("Escape")
    expect(page.locator(".full.peek")).to_have_count(0)
    slot.locator(".info").focus()
    player.press("Enter")
    expect(card).to_be_visible()
    player.check_access()
    player.press("Escape")
    expect(card).to_be_hidden()
    radio = slot.locator("input")
    words = f"#{radio.get_attribute('aria-describedby')}"
    expect(radio).to_have_accessible_description((page.locator(words).text_content() or "").strip())
    assert player.complaints == []
    context.close()


def test_by_touch(browser: Browser, served: Served) -> None:
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True, reduced_motion="reduce")
    page = context.new_page()
    open_feint(page, served)
    slot = page.locator("#hand .slot").first
    read = page.get_by_role("button", name="Read card")
    expect(read).to_be_hidden()
    slot.locator(".card").tap(position={"x": 12, "y": 40})
    expect(page.locator(".prompt .status.up-only")).to_have_text(f"Where does {slot.locator('.name').inner_text()} go?")
    read.tap()
    text = page.locator(".full:popover-open")
    expect(text).to_be_visible()  # what it does, and where it may go
    expect(text.locator("[data-where]")).to_have_text((slot.locator(".where").text_content() or "").strip())
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Put it back").tap()
    expect(page.locator("#hand :checked")).to_have_count(0)
    context.close()


def test_each_name_has_room_on_its_card(browser: Browser, served: Served) -> None:
    context = phone(browser)
    page = context.new_page()
    open_feint(page, served)
    names = [card["name"] for card in games.game("feint").catalogue()]
    assert "Apprentice" in names
    for width in (PHONE["width"], 768, SCREEN["width"]):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate(NAMED, names) == []
        assert (
            page.evaluate(
                NAMED,
                ["Quartermastersandtheirquartermasters", "One of far too many words for any one card in all the world"],
            )
            != []
        )
    context.close()


@pytest.mark.parametrize("width", [360, 390, 768, 1280])
def test_a_card_is_told_from_its_like_in_a_hand_of_any_size(browser: Browser, served: Served, width: int) -> None:
    """The difference between the Knights is visible on each of them."""
    page = browser.new_page(viewport={"width": width, "height": 844}, reduced_motion="reduce")
    page.goto(f"http://127.0.0.1:{served.port}/learn/feint/first/?step=5")
    assert page.locator("#hand .name", has_text="Knight of").count() > 1
    for size in range(3, 11):
        page.evaluate(RESIZED, size)
        assert page.evaluate(UNSEEN) == [], size
    page.close()
