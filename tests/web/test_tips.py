"""Tips at the prompt: during the first three games of a kind on a device, with no more information than the prompt."""

from __future__ import annotations

import re
from html import unescape

import pytest

from gonfalon import games
from tests.web.every import HOUSE, Everything

TIP = re.compile(r'<div class="news-tip tip">.*?<p>([^<]*)</p>', re.DOTALL)
SHOWN = re.compile(r'<body class="at-table tips"')


@pytest.mark.parametrize("name", HOUSE)
def test_a_board_holds_the_tip_of_its_prompt_in_every_deal(server: Everything, name: str) -> None:
    """The tip is the game's text for that prompt in every deal, without any part of a view."""
    tips = games.find_game_class(name).tips
    for deal in range(1):
        table, page = server.sit(name)
        server.play(table, lambda s: s.turn == 0 and s.stack[-1].prompt in tips, seed=deal)
        decision = table.build_view(0)["decision"]
        assert decision is not None
        assert [unescape(tip) for tip in TIP.findall(server.page(page))] == [tips[decision["prompt"]]]
        assert TIP.search(server.page(f"/t/{table.key}/watch/")) is None


def test_after_three_games_of_a_kind_they_are_shown_no_more(server: Everything) -> None:
    pages = [server.sit("feint")[1] for _ in range(4)]
    assert [bool(SHOWN.search(server.page(page))) for page in pages] == [True, True, True, False]
    assert SHOWN.search(server.page(server.sit("jinkei")[1]))


def test_a_device_remembers_the_setting(server: Everything) -> None:
    pages = [server.sit("feint")[1] for _ in range(4)]
    for page in pages[:3]:
        server.page(page)
    for wish, shown in (("off", False), ("on", True)):
        answer = server.client.post(pages[0] + "tips", data={"tips": wish})
        assert (answer.status_code, answer.headers["location"]) == (303, pages[0])
        for page in pages:
            assert bool(SHOWN.search(server.page(page))) == shown
    assert server.client.post(pages[0] + "tips", data={"tips": "perhaps"}).status_code == 400
