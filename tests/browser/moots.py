"""A server in its own process with the Moot and a third-party game among its games."""

from __future__ import annotations

import gonfalon.web.server.server
from gonfalon import games
from gonfalon.core.rules.game import Game
from gonfalon.table import Store, Tables
from gonfalon.table.bots.workers import BotRunner
from gonfalon.table.live.retention import POLICY, Policy
from tests.stranger.gonfalon_duel import Duel
from tests.table.moot import Moot

GRACE = 1.0
"""Seconds after which a person is away."""
SCRIPT = "import sys; from tests.browser.moots import main; main(int(sys.argv[1]), sys.argv[2])"


class MootTables(Tables):
    """Tables with short windows. No other process knows these games, so their bots think in this process."""

    def __init__(
        self, store: Store, pace: float = 0.0, *, bot_runner: BotRunner | None = None, policy: Policy = POLICY
    ) -> None:
        super().__init__(store, pace, pause=(0.05, 0.1), grace=GRACE, policy=policy)


def main(port: int, database: str) -> None:
    kind = games.find_game_class
    more: dict[str, type[Game]] = {"duel": Duel, "moot": Moot}

    def find(name: str) -> type[Game]:
        return more.get(name) or kind(name)

    names = [*games.names(), *more]
    vars(games).update(find_game_class=find, names=lambda: names)
    vars(gonfalon.web.server.server).update(Tables=MootTables)
    gonfalon.web.server.server.serve(port=port, database_url=database, pace=0, limits=0)
