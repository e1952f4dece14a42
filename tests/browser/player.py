"""A scripted person that reads the page like a human, on a phone or a screen, and plays by keyboard alone."""

from __future__ import annotations

import time
from typing import Final, Literal

from axe_playwright_python.base import AxeResults
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, ViewportSize

from gonfalon.core.basics.rng import Rng

PHONE: Final[ViewportSize] = {"width": 360, "height": 740}
SCREEN: Final[ViewportSize] = {"width": 1280, "height": 800}
BOARD = """() => ({
  moment: 'moment' in document.getElementById('table').dataset,
  over: document.querySelector('form[action$="rematch"]') !== null,
  expected: document.querySelector('#act input[name="expected"]').value,
  choices: document.querySelectorAll('#choices button').length,
  marks: document.querySelectorAll('#hand input[type="checkbox"]:not(:disabled)').length,
  cards: [...document.querySelectorAll('#hand input[type="radio"]')].map(
    (el) => (el.dataset.places || '').split(' ').filter(Boolean).map(Number)),
  announce: [...document.querySelectorAll('#hand input[type="radio"]')].map((el) => 'announce' in el.dataset),
  pass: document.getElementById('pass') !== null,
  done: document.getElementById('done') !== null,
  refusal: document.getElementById('refusal').textContent.trim(),
  status: document.getElementById('status').textContent.trim(),
})"""
ANSWERED: Final = """(was) => document.getElementById('refusal').textContent.trim() !== ''
  || document.querySelector('#act input[name="expected"]').value !== was && document.activeElement !== document.body"""
"""True once an answer was accepted and the focus is on the next field, or it was refused."""
KINDS: Final = r"""() => {
  const spoken = /^(class|role|type|hidden|open|disabled|checked|tabindex|aria-(?!label|desc).*)$/;
  const kinds = new Map([[null, 0]]);
  for (const el of document.querySelectorAll('*')) {
    const own = [...el.attributes].map(({name, value}) => spoken.test(name) ? name + value.replace(/\d+/g, '#') : name);
    let kind = kinds.get(el.parentElement);
    for (const letter of el.tagName + own.sort()) kind = Math.imul(kind ^ letter.codePointAt(0), 16777619);
    kinds.set(el, kind);
  }
  return [...new Set(kinds.values())];
}"""
"""Returns a number for each kind of element in the page, by its type and ancestors, without its words."""
CLEAN: Final[dict[tuple[int, bool], list[set[int]]]] = {}
"""The kinds of the pages in which axe found no fault, by the window's width and colors."""


class Player:
    """A player of one table in one page, with the page's error messages."""

    def __init__(self, context: BrowserContext, seed: int = 1) -> None:
        self.page: Page = context.new_page()
        self.page.add_init_script("try { localStorage.setItem('pace', 'fast'); } catch {}")
        self.rng = Rng(seed)
        self.complaints: list[str] = []
        self.modes: set[str] = set()
        self.moves = 0
        self.page.on("console", self.heard)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("requestfailed", self.failed)
        self.quiet = False

    def heard(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not self.quiet:
            self.complaints.append(message.text)

    def failed(self, request: Request) -> None:
        # A browser ends by itself what it no longer needs when it goes to another page.
        if not self.quiet and request.failure != "net::ERR_ABORTED":
            self.complaints.append(f"{request.url}: {request.failure}")

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def press_until(self, key: str, value: str, most: int = 40) -> None:
        """Press a key until the focus is on the field with this value."""
        for _ in range(most):
            if self.page.evaluate("(value) => document.activeElement.value === value", value):
                return
            self.press(key)
        raise AssertionError(f"{key} does not lead to {value}")

    def tab_to(self, selector: str, most: int = 80) -> None:
        """Move the focus there by Tab, as for a user without a mouse."""
        for _ in range(most):
            self.press("Tab")
            if self.page.evaluate("(s) => document.activeElement.matches(s)", selector):
                return
        raise AssertionError(f"Tab does not lead to {selector}")

    def turn(self) -> None:
        """Continue with a window of the other size and colors: on a phone in the dark, or on a screen in the light."""
        if self.page.viewport_size == SCREEN:
            self.page.set_viewport_size(PHONE)
            self.page.emulate_media(color_scheme="dark")
        else:
            self.page.set_viewport_size(SCREEN)
            self.page.emulate_media(color_scheme="light")

    def be_still(self) -> None:
        """Disable animations from here on. Moving cards are slow in a browser, and a long game has many."""
        self.page.emulate_media(reduced_motion="reduce")

    def check_both(self) -> None:
        """Check the page as it is and turned. It stays turned, so that play alternates between both."""
        self.check_access()
        self.turn()
        self.check_access()

    def check_access(self) -> None:
        """Raise if axe finds a fault or the page is wider than the window. Axe is slow, so it skips a page whose kinds
        of elements were all on one clean page."""
        # Cards in flight, or fading in since the page was turned, have the contrast of neither place.
        self.page.evaluate("Promise.allSettled(document.getAnimations().map((one) => one.finished)).then(() => null)")
        self.check_width()
        width, dark = self.page.evaluate("[innerWidth, matchMedia('(prefers-color-scheme: dark)').matches]")
        clean, kinds = CLEAN.setdefault((width, dark), []), set(self.page.evaluate(KINDS))
        if any(kinds <= page for page in clean):
            return
        axe = Axe()
        if not self.page.evaluate("'axe' in window"):
            self.page.evaluate(axe.axe_script)
        results = AxeResults(self.page.evaluate("axe.run({resultTypes: ['violations'], preload: false})"))
        assert results.violations_count == 0, results.generate_report()
        clean.append(kinds)

    def check_width(self) -> None:
        """Raise if the page is wider than the window."""
        window = self.page.viewport_size
        assert window is not None
        assert self.page.evaluate("document.documentElement.scrollWidth") <= window["width"]

    def look(self) -> dict[str, object]:
        found: dict[str, object] = self.page.evaluate(BOARD)
        return found

    def play_on(self, most: int = 400, check: bool = False) -> bool:
        """Play until the game is over or up to a number of moves. Return whether it is over."""
        stop = self.moves + most
        deadline = time.monotonic() + 240
        while self.moves < stop:
            assert time.monotonic() < deadline, f"the game stands still: {self.look()}"
            board = self.look()
            mode = self.mode(board)
            if check and mode not in self.modes:
                self.page.wait_for_timeout(400)  # cards in flight have the contrast of neither place
                self.check_both()
            self.modes.add(mode)
            if mode == "over":
                return True
            if mode == "moment":
                self.go_on()
                self.moves += 1  # whoever goes on may be asked nothing then
                continue
            if mode == "waiting" or self.page.evaluate("document.getElementById('net').dataset.state") != "on":
                self.page.wait_for_timeout(20)
                continue
            self.move(board, mode)
            self.moves += 1
            self.page.wait_for_function(ANSWERED, arg=board["expected"])
            after = self.look()
            assert not after["refusal"] or "has changed" in str(after["refusal"]), after["refusal"]
        return False

    def go_on(self) -> None:
        """Continue from a display without a question."""
        self.press("Enter")

    def mode(self, board: dict[str, object]) -> str:
        if board["moment"]:
            return "moment"
        if board["over"]:
            return "over"
        if board["choices"]:
            return "choice"
        if board["cards"]:
            return "play"
        return "reinforce" if board["done"] else "pass" if board["pass"] else "waiting"

    def move(self, board: dict[str, object], mode: str) -> None:
        if mode == "choice":
            self.press(str(1 + self.below(min(9, int(str(board["choices"]))))), "Enter")
        elif mode == "reinforce":
            if board["marks"] and self.below(2):
                self.press("1")
            self.press("p", "Enter")
        else:
            self.card_or_pass(board)

    def card_or_pass(self, board: dict[str, object]) -> None:
        cards, announce = board["cards"], board["announce"]
        assert isinstance(cards, list)
        assert isinstance(announce, list)
        may = [n for n, places in enumerate(cards) if (places or announce[n]) and n < 9]
        if not may or (board["pass"] and self.below(4) == 0):
            confirm = self.page.locator("#pass-confirm").count()  # counted first: the next board may come at any time
            self.press("p", "Enter")
            if confirm:
                self.press("Tab", "Enter")
            return
        card = may[self.below(len(may))]
        self.press(str(card + 1), "Enter")
        if not announce[card] and len(cards[card]) > 1 and self.below(2):
            self.press(str(cards[card][-1]))
        self.press("Enter")

    def below(self, n: int) -> int:
        return int(self.rng.below(n))


def phone(browser: Browser, moving: bool = False) -> BrowserContext:
    """Return a phone window as in `Player.turn`. Cards are animated if `moving`."""
    motion: Literal["no-preference", "reduce"] = "no-preference" if moving else "reduce"
    return browser.new_context(viewport=PHONE, color_scheme="dark", reduced_motion=motion)
