"""Every page obeys the law of layout, with the longest names, absent people and any number of seats."""

from __future__ import annotations

import time
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from gonfalon import games
from gonfalon.core.basics.rng import Rng
from tests.browser.layout import find_faults, find_faults_in_windows
from tests.web.served import Served

NAMES: Final = tuple(f"{'W' * 23}{n}" for n in range(5))
"""Names of maximum width that differ only at the end."""
TABLES: Final = (("factionwars", 5), ("feint", 2), ("generals", 2), ("jinkei", 2))
OTHER_PAGES: Final = (
    *("", "about", "help", "learn/", "puzzles/", "library/", "workshop/feint/", "no-such-page"),
    *("library/feint/decoy/replay?at=31", "library/generals/gate/replay?at=38"),
    *("puzzles/feint/4/", "puzzles/feint/4/?answer=shown", "puzzles/jinkei/9/", "puzzles/jinkei/9/?answer=shown"),
    *(f"games/{game}/{part}" for game in games.names() for part in ("guide", "new", "cards")),
    *("games/generals/decks", "games/generals/decks/build"),
)
STATES: Final = (("on", "live"), ("off", "not live"), ("lost", "reconnecting …"))
SAY: Final = """([state, words]) => {
  const net = document.getElementById('net');
  net.dataset.state = state;
  net.querySelector('.net-words').textContent = words;
}"""
"""Shows this connection status in the page."""


class Company:
    """People at a table, all played by the API, without an open page."""

    def __init__(self, served: Served, game: str, seats: int, **more: object) -> None:
        options = {"seats": seats} if game == "factionwars" else {}
        opening = {"game": game, "name": NAMES[0], "seats": ["me", *["open"] * (seats - 1)], "options": options}
        status, opened, _ = served.ask("POST", "/api/tables", opening | more)
        assert status == 201, opened
        self.served, self.key, self.rng = served, opened["table"], Rng(4)
        self.tokens: list[str] = [opened["seats"][0]["token"]]
        for name in NAMES[1:seats]:
            sitter = {"name": name, "nonce": name[-1].ljust(22, "-"), "ready": True}
            _, sat, _ = served.ask("POST", f"/api/tables/{self.key}/seats", sitter, opened["invitation"])
            self.tokens.append(sat["token"])

    def url(self, who: int | str) -> str:
        """Return the address of a seat's page, or of the spectators' (`watch`)."""
        token = self.tokens[who] if isinstance(who, int) else who
        return f"http://127.0.0.1:{self.served.port}/t/{self.key}/{token}/"

    def view(self, seat: int) -> dict[str, Any]:
        view: dict[str, Any]
        _, view, _ = self.served.ask("GET", f"/api/tables/{self.key}", token=self.tokens[seat])
        return view

    def asked(self) -> tuple[int, dict[str, Any]] | None:
        """Return a seat to decide and its view, or None when the game is over."""
        until = time.monotonic() + 60
        while time.monotonic() < until:
            for seat in range(len(self.tokens)):
                view = self.view(seat)
                if view["over"]:
                    return None
                if view["decision"]:
                    return seat, view
        raise AssertionError("nobody is asked")

    def act(self, seat: int, view: dict[str, Any]) -> None:
        """Make any decision of a seat except a pass."""
        ids = [action["id"] for action in view["decision"]["actions"]]
        ids = [id for id in ids if id not in ("pass", "end")] or ids
        move = {"expected": view["version"], "actions": [ids[int(self.rng.below(len(ids)))]]}
        self.served.ask("POST", f"/api/tables/{self.key}/actions", move, self.tokens[seat])

    def concede(self) -> None:
        """Let the players leave until the game is over."""
        for token in self.tokens:
            self.served.ask("POST", f"/api/tables/{self.key}/concede", {}, token)


def visit(context: BrowserContext, url: str) -> Page:
    """Return a page after its first message from the server, if there is one."""
    page = context.new_page()
    page.goto(url)
    if "?" not in url:
        expect(page.locator("#net")).to_have_attribute("data-state", "on")
    return page


def check_menu(page: Page, what: str) -> list[str]:
    """Check that each opened confirmation of the menu is visible and can be pressed."""
    page.locator(".menu > summary").click()
    found = find_faults_in_windows(page, f"{what} with its menu")
    for one in page.locator(".menu .confirm").all():
        one.locator("summary").click()
        found += find_faults_in_windows(page, f"{what} with {one.locator('summary').inner_text().strip()}")
        expect(one.locator("button:visible").last).to_be_in_viewport(ratio=1)
        one.locator("summary").click()
    page.locator(".menu > summary").click()
    return found


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_a_table_at_its_beginning_and_its_end(browser: Browser, served: Served, game: str, seats: int) -> None:
    """The views of a seat to decide, of one that has answered, and of a spectator, connected and not."""
    context = browser.new_context(reduced_motion="reduce")
    company = Company(served, game, seats)
    found = []
    asked = company.asked()
    assert asked
    page = visit(context, company.url(asked[0]))
    for state in STATES:
        page.evaluate(SAY, state)
        found += find_faults_in_windows(page, f"the beginning, {state[1]}")
    found += check_menu(page, "the beginning")
    page.close()
    company.act(*asked)
    for who in (asked[0], "watch"):
        page = visit(context, company.url(who))
        found += find_faults_in_windows(
            page, f"after a decision, {'of a spectator' if who == 'watch' else 'of a player'}"
        )
        page.close()
    company.concede()
    for who, query in ((0, ""), (seats - 1, ""), ("watch", ""), (0, "replay?as=all&at=20")):
        page = visit(context, company.url(who) + query)
        found += find_faults_in_windows(page, f"the end, {who} {query}")
        page.close()
    assert not found, "\n".join(found)
    context.close()


@pytest.mark.long
@pytest.mark.parametrize(("game", "seats"), [*TABLES, ("factionwars", 3), ("factionwars", 4)])
def test_every_question_and_scene(browser: Browser, served: Served, game: str, seats: int) -> None:
    """Each kind of question is checked once, for the player asked, for another one, and after the answer. Each scene is
    checked too."""
    context = browser.new_context(reduced_motion="reduce")
    company = Company(served, game, seats)
    found: list[str] = []
    seen: set[str] = set()
    scenes = 0

    def see(kind: str, who: int, query: str = "") -> None:
        page = visit(context, company.url(who) + query)
        found.extend(find_faults_in_windows(page, kind))
        page.close()

    for _ in range(150):
        if not (asked := company.asked()):
            break
        seat, view = asked
        kind = view["decision"]["prompt"]
        fresh = kind not in seen
        if fresh:
            seen.add(kind)
            see(f"asked {kind}", seat)
            see(f"waiting for {kind}", (seat + 1) % seats)
        company.act(seat, view)
        if fresh:
            see(f"answered {kind}", seat)
        moments = company.view(0)["moments"]
        for number in range(scenes + 1, moments + 1):
            _, scene, _ = served.ask("GET", f"/api/tables/{company.key}/moments/{number}", token=company.tokens[0])
            if scene.get("name") not in seen:
                seen.add(scene.get("name"))
                see(f"scene {scene.get('name')}", 0, f"moment?n={number}")
        scenes = moments
    assert len(seen) >= 3
    assert not found, "\n".join(found)
    context.close()


def test_the_law_finds_what_breaks_it(page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    page.set_content("""
        <body style="margin: 0; overflow: hidden; font: 16px/20px sans-serif">
        <p id="fine" style="margin: 0; height: 40px">Nothing is wrong with this.</p>
        <p id="beside" style="position: absolute; left: 300px; margin: 0; white-space: nowrap">Too far at the right.</p>
        <p id="below" style="position: absolute; top: 735px; margin: 0">Too far down.</p>
        <p id="cut" style="margin: 40px 0 0; width: 60px; overflow: hidden; white-space: nowrap">Cut at a side.</p>
        <p id="flat" style="margin: 0; height: 6px; overflow: hidden">Cut below.</p>
        <p id="under" style="margin: 40px 0 0; height: 20px">Covered</p>
        <p id="over" style="margin: -20px 0 0; height: 20px; background: white; position: relative">by this.</p>
    """)
    faults = find_faults(page)
    assert {(fault.split()[1], " ".join(fault.split()[2:4])) for fault in faults} == {
        ("#beside", "lies beside"),
        ("#below", "lies below"),
        ("#cut", "is cut"),
        ("#flat", "is cut"),
        ("#under", "is covered"),
        ("#over", "lies over"),
    }


def test_the_law_finds_text_without_room(page: Page) -> None:
    """In a wide window a sentence that has no room breaks after each letter."""
    page.set_viewport_size({"width": 1280, "height": 800})
    page.set_content("""
        <body style="margin: 0; font: 16px/20px sans-serif">
        <p id="thin" style="margin: 0; width: 0; overflow-wrap: anywhere">Play it.</p>
        <p id="fine" style="margin: 0; width: 9em">Each line has room for a word, or for two short ones.</p>
    """)
    assert find_faults(page) == ["text #thin is squeezed into 7 lines"]


@pytest.mark.long
@pytest.mark.parametrize("path", OTHER_PAGES)
def test_other_pages(browser: Browser, served: Served, path: str) -> None:
    """A page with all sections unfolded."""
    context = browser.new_context(reduced_motion="reduce")
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{served.port}/{path}")
    page.evaluate("for (const one of document.querySelectorAll('main details')) one.open = true")
    found = find_faults_in_windows(page, path)
    assert not found, "\n".join(found)
    context.close()
