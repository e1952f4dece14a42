"""The reading pages of a game: its guide on a phone in the dark, its cards on a screen in the light."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from gonfalon import games
from tests.browser.player import Player, phone
from tests.web.served import Served


@pytest.mark.parametrize("game", sorted(games.names()))
def test_guide_and_cards_can_be_read(browser: Browser, served: Served, game: str) -> None:
    context = phone(browser)
    player = Player(context)
    for part in ("guide", "cards"):
        player.page.goto(f"http://127.0.0.1:{served.port}/games/{game}/{part}")
        player.check_access()
        player.turn()
        player.check_width()
    assert player.complaints == []
    context.close()
