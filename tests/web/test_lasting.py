"""The strip of a duel of Jinkei stays until the next one is decided, and holds that duel alone."""

from __future__ import annotations

import re
from html import unescape

from gonfalon.core.basics.cards import KIND
from gonfalon.core.rules.state import State
from gonfalon.games.jinkei import Jinkei
from gonfalon.games.jinkei.rules.state import JinkeiState
from tests.web.every import Everything


def strip(html: str) -> str | None:
    """The words of the strip about a battle."""
    found = [
        " ".join(unescape(re.sub("<[^>]*>", " ", one)).split())
        for one in re.findall(r'<p class="strip">(.*?)</p>', html, re.S)
    ]
    return next((words for words in found if words.startswith("Battle")), None)


def answering(state: State) -> bool:
    return bool(state.stack) and state.stack[-1].prompt == "answer"


def test_the_strip_stays_until_the_next_duel_is_decided(server: Everything) -> None:
    table, may = server.sit("jinkei")
    told: list[list[int]] = []
    for number in range(3):
        server.play(table, answering)
        words = strip(server.page(may))
        if number == 0:
            assert words is None
        else:
            assert words is not None
            assert words.startswith(f"Battle {number}: ")
            assert ranks(words) == sorted(told[-1])
        seat = table.position.state.turn
        server.call(table.moves.act_at, seat, table.position.version(seat), table.position.state.legal(seat)[:1])
        fought = table.position.moment(table.position.moment_count)
        assert isinstance(fought, JinkeiState)
        game = table.game
        assert isinstance(game, Jinkei)
        told.append([game.setup.rank[fought.duel[one][0] & KIND] for one in (0, 1)])
        assert len(told) == number + 1
        words = strip(server.page(may))
        assert words is not None
        assert words.startswith(f"Battle {number + 1}: ")
        assert ranks(words) == sorted(told[-1])


def ranks(words: str) -> list[int]:
    """The ranks that a strip names, without the bonus of a space."""
    return sorted(int(rank) for rank in re.findall(r"(?:Red|Blue) (\d+)", words)[:2])
