"""Whole games in Chromium, by keyboard alone, on a phone and on a screen."""

from __future__ import annotations

import re
import signal

import pytest
from playwright.sync_api import APIResponse, Browser, Route, expect

from tests.browser.heard import heard
from tests.browser.player import PHONE, SCREEN, Player, phone
from tests.browser.tables import concede
from tests.web.served import Served


def home(served: Served) -> str:
    return f"http://127.0.0.1:{served.port}/"


def sit_down(player: Player, served: Served, opponent: str = "bot:casual", sides: str = "keion agents") -> None:
    """Go to a table by its full form, by keyboard."""
    page = player.page
    page.goto(home(served) + "games/feint/new")
    for name, value in zip(("factions.0", "factions.1", "opponent"), (*sides.split(), opponent), strict=True):
        player.tab_to(f'input[name="{name}"]')
        player.press_until("ArrowDown", value)
    player.tab_to("button.primary")
    player.press("Enter")
    page.wait_for_url("**/t/*/*/")
    expect(page.locator("#net")).to_have_attribute("data-state", "on")


@pytest.mark.journey
@pytest.mark.parametrize("loaded", [8], indirect=True)
def test_a_game_is_begun_and_conceded_on_a_phone(browser: Browser, loaded: Served) -> None:
    context = phone(browser)
    player = Player(context, 14)
    sit_down(player, loaded, sides="mibits wu")
    player.check_access()
    assert not player.play_on(8)
    concede(player.page)
    expect(player.page.locator("#end-h")).to_have_text("Defeat")
    player.check_width()
    assert player.complaints == []
    context.close()


@pytest.mark.parametrize("loaded", [8], indirect=True)
def test_a_game_by_keyboard_alone(browser: Browser, loaded: Served) -> None:
    """The first rounds are played with animations, the rest without."""
    context = phone(browser, moving=True)
    player = Player(context, 14)
    player.page.goto(home(loaded))
    player.check_both()
    sit_down(player, loaded, sides="mibits wu")
    assert not player.play_on(12, check=True)
    player.be_still()
    assert player.play_on(check=True)
    expect(player.page.locator("#end-h")).to_have_text(re.compile("Victory|Defeat"))
    assert {"play", "reinforce"} <= player.modes
    for path in ("about", "nothing"):
        player.quiet = path == "nothing"  # a 404 is an error on the console
        player.page.goto(home(loaded) + path)
        player.check_both()
    assert player.complaints == []
    context.close()


def test_the_log_opens_where_there_is_room(browser: Browser, served: Served) -> None:
    """A phone folds it. A window that grows or turns shows it, and one that shrinks folds it again."""
    context = phone(browser)
    player = Player(context)
    sit_down(player, served)
    log = player.page.locator("#log-list li").first
    for shown in (False, True, False):
        expect(log).to_be_visible(visible=shown)
        player.turn()
    assert player.complaints == []
    context.close()


def test_a_killed_server_loses_nothing(browser: Browser, served: Served) -> None:
    """After kill -9 in mid-game the page returns to the same table by itself, and the game continues."""
    context = browser.new_context(viewport=SCREEN, reduced_motion="reduce")
    player = Player(context, 7)
    sit_down(player, served)
    player.play_on(5)
    log = player.page.locator("#log-list li").all_text_contents()
    player.quiet = True  # a lost connection is an error on the console
    frames = heard(player.page)
    served.stop(signal.SIGKILL)
    expect(player.page.locator("#net")).to_have_attribute("data-state", "lost")
    served.start()
    expect(player.page.locator("#net")).to_have_attribute("data-state", "on")
    while not any('id="table"' in frame for frame in frames):  # the board of the new server
        player.page.wait_for_timeout(20)
    after = player.page.locator("#log-list li").all_text_contents()
    assert after[: len(log)] == log
    player.page.reload()
    assert player.page.locator("#log-list li").all_text_contents()[: len(log)] == log
    player.quiet = False
    moves = player.moves
    player.play_on(5)
    assert player.moves > moves
    assert player.complaints == []
    context.close()


@pytest.mark.parametrize("loaded", [8], indirect=True)
def test_one_goes_on_before_the_word_on_the_last_answer_has_come(browser: Browser, loaded: Served) -> None:
    """The board can arrive before the reply to an answer. The next answer is sent, and its draft stays when the earlier
    reply arrives."""
    context = browser.new_context(viewport=SCREEN, reduced_motion="reduce")
    player = Player(context, 7)
    page = player.page
    sit_down(player, loaded, sides="mibits wu")
    late: list[tuple[Route, APIResponse]] = []
    page.route("**/act", lambda route: late.append((route, route.fetch())))
    player.play_on(3)
    assert len(late) >= 2
    page.locator("#hand label.card").first.click()
    for route, answer in late:
        route.fulfill(response=answer)
    page.wait_for_timeout(200)
    expect(page.locator("#hand input:checked")).to_have_count(1)
    assert player.complaints == []
    context.close()


@pytest.mark.parametrize("loaded", [8], indirect=True)
def test_on_a_phone_the_others_moves_are_told_for_a_while(browser: Browser, loaded: Served) -> None:
    """The folded log shows the others' moves, not the player's own, and none during a scene."""
    opening = {"game": "feint", "seats": ["me", "open"]}
    _, made, _ = loaded.ask("POST", "/api/tables", opening)
    key, page_of_may = made["table"], made["seats"][0]["page"]
    _, bo, _ = loaded.ask("POST", f"/api/tables/{key}/seats", {"name": "Bo", "nonce": "n" * 40}, made["invitation"])

    def passes(token: str) -> None:
        _, table, _ = loaded.ask("GET", f"/api/tables/{key}", token=token)
        if table["decision"]:
            move = {"expected": table["version"], "actions": ["pass"]}
            assert loaded.ask("POST", f"/api/tables/{key}/actions", move, token)[0] == 200

    _, table, _ = loaded.ask("GET", f"/api/tables/{key}", token=bo["token"])
    may_begins = table["decision"] is None
    context = browser.new_context(viewport=PHONE, reduced_motion="reduce")
    page = context.new_page()
    page.goto(page_of_may)
    expect(page.locator("#net")).to_have_attribute("data-state", "on")
    toast, lines = page.locator(".toast"), page.locator("#log-list li")
    if may_begins:
        number = lines.count()
        page.locator("#pass").click()
        expect(lines).to_have_count(number + 1)
        expect(toast).to_have_count(0)
    passes(bo["token"])
    if may_begins:
        expect(page.locator("body.staged")).to_have_count(1)
        expect(toast).to_be_hidden()
    else:
        expect(toast).to_have_text("Bo passes.")
        expect(toast).to_have_count(0)  # after four seconds
    context.close()
