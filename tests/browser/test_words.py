"""No word of a page is broken, with any cards on the table and any width of the window."""

from __future__ import annotations

from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page

from gonfalon import games
from tests.browser.tables import advance, open_table
from tests.web.served import Served

WIDTHS: Final = (360, 390, 768, 960, 1024, 1280, 1920)
BROKEN: Final = r"""(root) => {
  const found = new Set();
  const texts = document.createTreeWalker(root || document.body, NodeFilter.SHOW_TEXT);
  for (let node; (node = texts.nextNode());) {
    const el = node.parentElement;
    if (!el.checkVisibility({visibilityProperty: true})) continue;
    if (getComputedStyle(el).clipPath !== "none") continue;
    if (el.closest(".vh, select, textarea, [popover]:not(:popover-open)")) continue;
    for (const word of node.data.matchAll(/[^\s\-–…/]+/g)) {
      const range = document.createRange();
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      const boxes = [...range.getClientRects()].filter((box) => box.width);
      const lines = new Set(boxes.map((box) => Math.round(box.top)));
      if (lines.size > 1) found.add(`${word[0]} in ${el.className || el.tagName}`);
    }
  }
  return [...found];
}"""
"""The words of a page, or of a part of it, that are on more than one line."""
TEXTS: Final = f"""() => [...document.querySelectorAll("[popover]")].flatMap((one) => {{
  one.showPopover();
  const found = ({BROKEN})(one);
  one.hidePopover();
  return found;
}})"""
"""The broken words in the texts of all cards, each opened."""
NAMES: Final = {".table .name": None, ".table .unit-name": "character"}
"""The places that name cards, with the type of card for those limited to one."""
CALL: Final = "([where, name]) => { for (const el of document.querySelectorAll(where)) el.textContent = name; }"


def broken(page: Page, script: str = BROKEN) -> dict[int, Any]:
    """Return the broken words at each width."""
    found = {}
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        if words := page.evaluate(script):
            found[width] = words
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    return found


def load_still_page(page: Page, url: str) -> None:
    """Load a page that receives no boards, so that it does not change."""
    page.route_web_socket("**/live", lambda _: None)
    page.goto(url)


@pytest.mark.long
@pytest.mark.parametrize("loaded", [8], indirect=True)
@pytest.mark.parametrize(("game", "moves"), [("factionwars", 0), ("feint", 12), ("generals", 2), ("jinkei", 6)])
def test_names_of_cards_stay_whole(browser: Browser, loaded: Served, game: str, moves: int) -> None:
    """The longest words of names are put in every place of the page that names a card."""
    context = browser.new_context(reduced_motion="reduce")
    page = context.new_page()
    url = open_table(page, loaded, game)
    advance(loaded, url, moves)
    load_still_page(page, url)
    assert broken(page) == {}
    assert broken(page, TEXTS) == {}
    assert page.locator("[popover]").count() >= 4
    cards = games.find_game_class(game)().catalogue()
    for where, kind in NAMES.items():
        words = {word for card in cards if kind in (None, card.get("type")) for word in str(card["name"]).split()}
        for word in sorted(words, key=lambda word: (len(word), word))[-4:]:
            page.evaluate(CALL, [where, f"{word} {word}"])
            assert broken(page) == {}
    if game != "jinkei":  # whose cards are called by their ranks
        assert page.locator(",".join(NAMES)).count() >= 3
    context.close()


def test_other_pages_keep_words_whole(browser: Browser, served: Served) -> None:
    context = browser.new_context(reduced_motion="reduce")
    page = context.new_page()
    decks = "games/generals/decks"
    for path in ("", "about", "games/feint/cards", decks, decks + "/build", "games/jinkei/guide"):
        page.goto(f"http://127.0.0.1:{served.port}/{path}")
        assert broken(page) == {}
    context.close()
