"""The faults that the scripted person finds, and the pages it can skip."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.browser import player
from tests.browser.player import Player, phone

PAGE = "<!doctype html><html lang=en><title>A page</title><main><h1>A page</h1><p>{}</p></main>"


def test_each_kind_of_page_is_looked_at(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(player, "CLEAN", {})
    context = phone(browser)
    person = Player(context)
    for words, pages in (("One", 1), ("Two", 1), ("Two <b>more</b>", 2), ("Three", 2)):
        person.page.set_content(PAGE.format(words))
        person.check_access()
        assert sum(map(len, player.CLEAN.values())) == pages
    person.turn()
    person.check_access()  # as it was, but not in this window
    assert sum(map(len, player.CLEAN.values())) == 3
    person.page.set_content(PAGE.format("<img src='data:,'>"))
    with pytest.raises(AssertionError, match="image-alt"):
        person.check_access()
    person.page.set_content(PAGE.format("<span style='color: #ddd'>pale</span>"))
    with pytest.raises(AssertionError, match="color-contrast"):
        person.check_access()
    context.close()
