"""Faction Wars in Chromium: three people in three browsers and two bots play a whole game."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from tests.browser.player import PHONE, SCREEN, Player
from tests.browser.tables import advance, open_table
from tests.web.served import Served

FORM = 'form:has(input[name="game"][value="factionwars"])'
END = 'action="rematch"'
"""Stands in a page when its game is over."""
OVER = f"form[{END}]"


class Warlord(Player):
    """A scripted person who keeps all that his page got."""

    def __init__(self, context: BrowserContext, seed: int) -> None:
        super().__init__(context, seed)
        self.frames: list[str] = []
        self.read = 0
        self.page.on("websocket", lambda s: s.on("framereceived", lambda payload: self.frames.append(str(payload))))

    @property
    def asked(self) -> bool:
        return self.page.locator("button.answer, #choices button").count() > 0

    @property
    def over(self) -> bool:
        return self.page.locator(OVER).count() > 0

    def goal(self) -> str:
        """The name of his own goal."""
        return self.page.locator(".goal strong").inner_text()

    def news(self) -> str:
        """Everything that has come to this browser since the last time, and what it shows now."""
        read, self.read = self.read, len(self.frames)
        return "".join(self.frames[read:]) + self.page.content()

    def table(self) -> str:
        return self.page.locator("#table").inner_html()

    def answer(self) -> None:
        expected = self.page.locator('#act input[name="expected"]').input_value()
        answers = self.page.locator("button.answer, #choices button").count()
        self.press(str(1 + self.below(min(9, answers))), "Enter")
        self.page.wait_for_function(
            "(was) => document.querySelector('#act input[name=\"expected\"]').value !== was"
            " || document.getElementById('refusal').textContent.trim() !== ''",
            arg=expected,
        )


def sit_down(served: Served, may: Warlord, *guests: Warlord) -> None:
    """May opens a table for five, the others come by their own links."""
    page = may.page
    page.goto(f"http://127.0.0.1:{served.port}/games/factionwars/new")
    form = page.locator(FORM)
    for number, who in enumerate(("friend", "bot:random", "friend", "bot:casual"), start=1):
        form.locator(f'select[name="who-{number}"]').select_option(who)
    form.locator('input[name="seat"][value="0"]').check()
    form.locator('input[name="name"]').fill("May")
    form.get_by_role("button", name="Open the table").click()
    page.wait_for_url("**/t/*/*/")
    links = [page.locator(f"#invite-url{n}").input_value() for n in ("-1", "-3")]
    for guest, link, name in zip(guests, links, ("Bo", "Cy"), strict=True):
        guest.page.goto(link)
        guest.page.fill("#name", name)
        guest.press("Enter")
        guest.page.wait_for_url("**/t/*/*/")
    for player in (may, *guests):
        expect(player.page.locator("#net")).to_have_attribute("data-state", "on")
        expect(player.page.locator(".chair-here")).to_have_count(3)


def test_three_people_and_two_bots(browser: Browser, served: Served) -> None:
    contexts = [browser.new_context(viewport=SCREEN, reduced_motion="reduce") for _ in range(3)]
    may, bo, cy = (Warlord(context, seed) for seed, context in enumerate(contexts, start=3))
    sit_down(served, may, bo, cy)
    people = [may, bo, cy]
    goals = {player: player.goal() for player in people}
    assert len(set(goals.values())) == 3
    may.check_access()
    tops = may.page.locator(".lineup > li").evaluate_all("cards => cards.map(card => card.offsetTop)")
    assert (len(tops), len(set(tops))) == (6, 1)

    def secret() -> None:
        """Nobody has got another's goal, unless the game has ended meanwhile, which tells them all."""
        told = {player: player.news() for player in people}
        if any(END in news for news in told.values()):
            return
        for player, news in told.items():
            assert not [other for other in people if other is not player and goals[other] in news]

    # A selector is nobody's business before the last one lies: what the others see does not even change.
    assert all(player.asked for player in people)
    before = {player: (player.table(), len(player.frames)) for player in (bo, cy)}
    may.answer()
    may.page.wait_for_timeout(300)
    for player, (table, frames) in before.items():
        assert player.table() == table
        assert len(player.frames) == frames
    expect(may.page.locator("#back")).to_be_visible()  # and it can be taken back
    may.check_access()
    assert END not in may.page.content()
    secret()
    for turn in range(600):
        asked = [player for player in people if not player.over and player.asked]
        for player in asked:
            player.answer()
        if all(player.over for player in people):
            break
        if turn == 6:
            # Cy's device breaks; he comes back by his own link on another one, to the same hand.
            home = cy.page.url
            contexts[2].close()
            expect(may.page.locator("#at-3")).to_have_class(re.compile("chair-(lost|away)"))
            contexts[2] = browser.new_context(viewport=PHONE, reduced_motion="reduce")
            goal = goals.pop(cy)
            cy = Warlord(contexts[2], 9)
            cy.page.goto(home)
            expect(cy.page.locator("#net")).to_have_attribute("data-state", "on")
            expect(may.page.locator("#at-3")).to_have_class(re.compile("chair-here"))
            people[2] = cy
            goals[cy] = cy.goal()
            assert goals[cy] == goal
            cy.check_access()
        if asked and not any(player.over for player in people):
            secret()
        may.page.wait_for_timeout(20)
    for player in people:
        expect(player.page.locator("table.final")).to_be_visible()
        assert all(goal in player.page.content() for goal in goals.values())  # at the end all goals are told
        player.check_access()
        assert player.complaints == []
    for context in contexts:
        context.close()


@pytest.mark.parametrize("loaded", [8], indirect=True)
def test_a_battle_is_shown_before_who_won_it(browser: Browser, loaded: Served) -> None:
    """What came of a fight turns up after its last card, between two fighters as well."""
    context = browser.new_context(viewport=SCREEN)
    page = context.new_page()
    advance(loaded, open_table(page, loaded, "factionwars"), 6)
    page.reload()
    scenes = page.evaluate(
        """() => [...document.querySelectorAll(".scene.fight")].map((scene) => {
             const begins = (selector) => [...scene.querySelectorAll(selector)].map(
               (el) => parseFloat(getComputedStyle(el).animationDelay) * 1000);
             return [Math.max(...begins(".fighter")), Math.min(...begins(".result, .then"))];
           })"""
    )
    assert scenes
    for last_card, result in scenes:
        assert result >= last_card + 350
    context.close()
