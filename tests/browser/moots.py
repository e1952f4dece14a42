"""A server that has the Moot among its games, in a process of its own."""

from __future__ import annotations

import gonfalon.web.server
from gonfalon import games
from gonfalon.core.game import Game
from gonfalon.table import Hall, Store
from gonfalon.table.minds import Mind
from tests.table.moot import Moot

GRACE = 1.0
"""Seconds after which somebody is away."""
SCRIPT = "import sys; from tests.browser.moots import main; main(int(sys.argv[1]), sys.argv[2])"


class MootHall(Hall):
    """A hall in which windows close soon. No other process knows the Moot, so its bots think here."""

    def __init__(self, store: Store, pace: float, mind: Mind) -> None:
        super().__init__(store, pace, pause=(0.05, 0.1), grace=GRACE)


def main(port: int, database: str) -> None:
    kind = games.kind

    def find(name: str) -> type[Game]:
        return Moot if name == "moot" else kind(name)

    names = [*games.names(), "moot"]
    vars(games).update(kind=find, names=lambda: names)
    vars(gonfalon.web.server).update(Hall=MootHall)
    gonfalon.web.server.serve(port=port, database_url=database, pace=0)
