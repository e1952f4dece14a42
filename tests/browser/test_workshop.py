"""The Workshop in a browser: a number is turned by keys, and the effect arrives on the page that stays."""

from __future__ import annotations

import re
from typing import Final

from playwright.sync_api import Browser, expect

from tests.browser.player import Player, phone
from tests.web.served import Served

STOPPED: Final = re.compile("deals, each played both ways|stopped before it could")
"""A slow machine may have played too few deals by then."""


def test_a_slider_is_turned_by_keys_and_the_effect_arrives(browser: Browser, served: Served) -> None:
    context = phone(browser)
    player = Player(context)
    page = player.page
    page.goto(f"http://127.0.0.1:{served.port}/workshop/feint/?on=patriot&players=random&points=1")
    player.check_both()
    slider = page.get_by_role("slider", name="strength, slider")
    slider.focus()
    for _ in range(4):
        page.keyboard.press("ArrowLeft")
    expect(page.get_by_label("Strength", exact=True)).to_have_value("2")
    expect(page.locator(".knob.changed")).to_have_count(1)
    expect(page).to_have_url(re.compile(r"\?on=patriot&n\.patriot\.strength=2&players=random&points=1$"))
    rows = page.locator("#yours .diff tbody tr")
    expect(rows).to_have_count(1)  # what is changed is told on the page as it stands
    expect(rows).to_contain_text(re.compile(r"strength.*6.*2"))
    player.quiet = True  # what is refused is an error on the console
    page.get_by_label("Strength", exact=True).fill("99")
    page.keyboard.press("Tab")
    expect(page.locator("#bench .refusal")).to_contain_text("99")
    player.quiet = False
    page.get_by_label("Strength", exact=True).fill("2")
    expect(page.locator("#bench .refusal")).to_have_text("")
    page.keyboard.press("Tab")
    expect(rows).to_have_count(1)
    page.reload()
    expect(page.get_by_label("Strength", exact=True)).to_have_value("2")
    page.get_by_role("button", name="Play it out").press("Enter")
    expect(page.locator("h1")).to_have_text("Patriot: strength 6 → 2")
    page.evaluate("window.same = true")
    expect(page.locator("#who-loses")).to_be_visible()
    player.check_both()
    page.get_by_role("button", name="Stop here").click()
    expect(page.locator(".stand")).to_contain_text(STOPPED)
    player.check_both()
    assert player.complaints == []
    context.close()


def test_a_study_says_when_the_server_is_gone_and_when_it_is_back(browser: Browser, served: Served) -> None:
    context = phone(browser)
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{served.port}/workshop/feint/?set=patriot.strength=3&players=random&points=1")
    page.get_by_role("button", name="Play it out").click()
    net = page.locator("#net")
    expect(net).to_have_text("live")
    page.route("**/workshop/feint/**", lambda route: route.abort())
    expect(net).to_have_text("connection lost, reconnecting …")
    page.unroute("**/workshop/feint/**")
    expect(net).to_have_text("live", timeout=15_000)
    page.get_by_role("button", name="Stop here").click()
    expect(page.locator(".stand")).to_contain_text(STOPPED)
    expect(net).to_have_count(0)
    context.close()
