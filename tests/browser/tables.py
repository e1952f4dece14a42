"""Tables with default options, advanced without the page."""

from __future__ import annotations

import time

from playwright.sync_api import Page

from gonfalon.core.basics.rng import Rng
from tests.web.served import Served


def open_table(page: Page, served: Served, game: str) -> str:
    """Open a table by the game's full form with its defaults."""
    page.goto(f"http://127.0.0.1:{served.port}/games/{game}/new")
    page.locator(".open-table .go-on button.primary").click()
    page.wait_for_url("**/t/*/*/")
    return page.url


def advance(served: Served, url: str, moves: int) -> None:
    """Make this number of decisions for the seat of a page by the API, without passes, until it is asked again or the
    game is over."""
    key, token = url.split("/t/")[1].split("/")[:2]
    rng, deadline = Rng(4), time.monotonic() + 60
    while time.monotonic() < deadline:
        _, table, _ = served.ask("GET", f"/api/tables/{key}", token=token)
        if table["over"]:
            return
        if table["decision"] is None:
            time.sleep(0.02)
            continue
        if not moves:
            return
        actions = [action["id"] for action in table["decision"]["actions"]]
        actions = [action for action in actions if action not in ("pass", "end")] or actions
        move = {"expected": table["version"], "actions": [actions[int(rng.below(len(actions)))]]}
        served.ask("POST", f"/api/tables/{key}/actions", move, token)
        moves -= 1
    raise AssertionError("nobody is asked")


def concede(page: Page) -> None:
    """Resign by the menu of a page."""
    page.locator(".menu > summary").click()
    page.locator("summary", has_text="Resign").click()
    page.get_by_role("button", name="Yes, resign").click()
