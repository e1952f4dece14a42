"""Generals in Chromium: a deck is built, a whole game is played with it and a Counter in it, by keyboard alone."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from tests.browser.player import Player, phone
from tests.browser.test_decks import WEI, add, fold, sift, unfold
from tests.web.served import Served

COUNTERS = ["C02", "C03", "C04"]
"""Empty Fort, Countermand, Feigned Retreat: they answer Sieges, Strategies and melees."""
FIRST = (r"^Lay siege", r"^Attack .*Melee (\d+) against (\d+)", r"^Move to ENEMY'S BORDER", r"^Move to BORDER")
"""Acts of generals, the best first; with two numbers the first must be larger."""
TABLE = """() => ({
  over: document.querySelector('form[action$="rematch"]') !== null,
  live: document.getElementById('net').dataset.state === 'on',
  expected: document.querySelector('#act input[name="expected"]').value,
  mode: [...document.querySelector('.generals').classList].find((c) => c.startsWith('mode-')).slice(5),
  hand: [...document.querySelectorAll('.hand .play')].filter((el) => el.querySelector('button.answer')).map((el) => ({
    n: Number(el.querySelector('button.answer kbd')?.textContent ?? 0),
    does: el.querySelector('button.answer').textContent.replace(/\\s+/g, ' ').trim(),
    name: el.querySelector('.name').textContent, kind: el.querySelector('.play-kind').textContent.trim()})),
  bare: document.querySelectorAll('.hand .play:not(:has(button.answer, .reason))').length,
  held: document.querySelectorAll('.hand .play').length,
  acts: [...document.querySelectorAll('details.acts')].flatMap((el) => [...el.querySelectorAll('button')].map((b) => ({
    unit: el.id, n: Number(el.querySelector('summary kbd')?.textContent ?? 0), value: b.value,
    text: b.textContent.replace(/\\s+/g, ' ').trim()}))),
  choices: [...document.querySelectorAll('#choices button[name="act"], .field button.answer')].filter(
    (el) => el.checkVisibility()).map((el) => el.value),
  answers: [...document.querySelectorAll('button.answer, #choices button')].filter((el) => el.checkVisibility()).length,
  back: document.getElementById('back') !== null,
  pass: document.getElementById('pass') !== null,
  refusal: document.getElementById('refusal').textContent.trim(),
})"""


class General(Player):
    """A scripted person who reads his page and fights as simply as can be: he keeps his Counters and something to
    pay them with, goes forward, besieges, and attacks whoever is weaker."""

    def __init__(self, context: BrowserContext) -> None:
        super().__init__(context)
        self.countered: list[str] = []
        self.took_back = False

    def read(self) -> dict[str, Any]:
        found: dict[str, Any] = self.page.evaluate(TABLE)
        return found

    def play_until_over(self, most: int) -> bool:
        """Answer whatever is asked until the game is over, or so often, and check each new situation. Whether it is
        over."""
        deadline = time.monotonic() + 240
        for _ in range(most):
            table = self.read()
            while not table["over"] and (table["mode"] == "none" or not table["live"]):
                assert time.monotonic() < deadline, f"the game stands still: {table}"
                self.page.wait_for_timeout(15)
                table = self.read()
            mode = "over" if table["over"] else table["mode"]
            if mode not in self.modes:
                self.modes.add(mode)
                self.check_both()
            if mode == "over":
                return True
            self.answer(mode, table)
            self.moves += 1
            self.page.wait_for_function(
                "(was) => document.querySelector('#act input[name=\"expected\"]').value !== was"
                " || document.getElementById('refusal').textContent.trim() !== ''",
                arg=table["expected"],
            )
            assert self.page.locator("#refusal").inner_text() == ""
        return False

    def answer(self, mode: str, table: dict[str, Any]) -> None:
        hand = table["hand"]
        if mode == "main":
            self.act(table)
        elif mode == "answer":
            if not hand:
                self.press("p", "Enter")
                return
            self.nth(hand[0]["n"])
            self.countered.append(hand[0]["name"])
        elif mode in ("pay", "discard", "excess") and hand:
            if table["back"] and not self.took_back:
                self.took_back = True
                self.tab_to("#back", 200)
                self.press("Enter")
                return
            assert table["bare"] == 0, "a card that cannot go now does not say why"
            # Counters are the last to go.
            self.nth(min(hand, key=lambda card: ("Counter" in card["kind"], card["n"]))["n"])
        else:
            self.nth(1)

    def act(self, table: dict[str, Any]) -> None:
        """The Main Phase: a Siege, a melee that is won, an advance, a general from the hand, or the turn's end."""
        for wanted in FIRST:
            for found in table["acts"]:
                match = re.search(wanted, found["text"])
                if match and found["n"] and (not match.groups() or int(match[1]) > int(match[2])):
                    self.nth(found["n"])
                    if self.page.locator(f"#{found['unit']}").get_attribute("open") is None:
                        self.press("Enter")
                    self.tab_to(f'#{found["unit"]} button[value="{found["value"]}"]')
                    self.press("Enter")
                    return
        for card in table["hand"]:
            if card["does"].endswith(f"Recruit {card['name']}") and card["n"] and table["held"] > 4:
                self.nth(card["n"])
                return
        confirm = self.page.locator("#end-confirm").count()  # counted first: the next board may come at any time
        self.press("p", "Enter")
        if confirm:
            self.press("Tab", "Enter")

    def nth(self, n: int) -> None:
        self.press(str(n), "Enter")


def build(player: General, served: Served) -> None:
    """A deck of Wei with nine Counters, card by card."""
    page = player.page
    page.goto(f"http://127.0.0.1:{served.port}/games/generals/decks/build")
    unfold(player)
    player.tab_to("#name", 400)
    page.keyboard.type("Feints and Walls")
    player.press("Enter")
    expect(page.locator("#deck")).to_have_text("Feints and Walls")
    fold(player)
    sift(player, "by-cao-wei")
    expect(page.locator("#shown")).to_have_text("13 of 95 cards")
    for id in WEI:
        add(player, id, 3)
    sift(player, "by-cao-wei", "by-neutral", "of-5")
    expect(page.locator("#shown")).to_have_text("9 of 95 cards")
    for id in COUNTERS:
        add(player, id, 3)
    expect(page.locator("#said")).to_contain_text("42 cards. 1 fault: There is no Commandment")
    sift(player, "of-6")
    expect(page.locator("#add-D02")).to_be_attached()
    add(player, "D02", 1)
    expect(page.locator("#said")).to_contain_text("42 cards. This deck is legal.")


@pytest.mark.parametrize("loaded", [4], indirect=True)
def test_a_deck_of_ones_own_a_whole_game_and_a_counter(browser: Browser, loaded: Served) -> None:
    context = phone(browser)
    player = General(context)
    page = player.page
    build(player, loaded)
    unfold(player)
    player.tab_to("#against", 400)
    page.keyboard.type("Red")
    player.tab_to("button.primary")
    player.press("Enter")
    page.wait_for_url("**/t/*/*/")
    expect(page.locator("#net")).to_have_attribute("data-state", "on")

    assert player.play_until_over(400)
    assert {"main", "pay", "answer"} <= player.modes
    assert player.moves > 10
    assert player.countered
    assert player.took_back
    assert page.locator("#log-list").get_by_text("is negated.").count() == len(player.countered)
    expect(page.locator("#status")).to_contain_text("You ")
    assert player.complaints == []
    context.close()
