"""A day's puzzle in a browser: solved by keys on a phone."""

from __future__ import annotations

from datetime import UTC, datetime

from playwright.sync_api import Browser, expect

from gonfalon import games
from gonfalon.puzzles import shelf
from tests.browser.player import Player, phone
from tests.web.served import Served


def test_a_days_puzzle_is_solved_by_keys_on_a_phone(browser: Browser, served: Served) -> None:
    """Jinkei's battles are answered with a card by its number, on every day's puzzle."""
    context = phone(browser)
    player = Player(context)
    page = player.page
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"http://127.0.0.1:{served.port}/puzzles/")
    player.check_both()
    kind = games.find_game_class("jinkei")
    number = shelf.choose_daily_puzzle(kind, datetime.now(UTC).date())
    course = shelf.load_course(kind, number)
    page.goto(f"http://127.0.0.1:{served.port}/puzzles/jinkei/{number}/")
    page.evaluate("window.same = true")
    player.check_both()
    for answer, says in ((course.position.puzzle.second, "in 100."), (course.position.puzzle.best, "")):
        page.locator(f'[name="act"][value="{answer}"]').focus()
        page.keyboard.press("Enter")
        expect(page.locator("#refusal")).to_contain_text(says)
    expect(page.locator("#last")).to_contain_text("Right.")
    expect(page.get_by_role("link", name="Next puzzle")).to_be_visible()
    player.check_both()
    page.keyboard.press("c")
    expect(page.locator("#status")).to_contain_text("Best move, first deal")
    player.check_both()
    page.locator("#lesson-back").press("Enter")
    expect(page.locator("#status")).to_contain_text("Best: ")
    assert page.evaluate("window.same"), "no page was loaded anew"
    page.goto(f"http://127.0.0.1:{served.port}/puzzles/jinkei/")
    expect(page.locator("a.solved")).to_have_count(1)
    player.check_both()
    assert [line for line in player.complaints if "409" not in line] == []
    context.close()
