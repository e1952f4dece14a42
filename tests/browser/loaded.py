"""A server with fixed chance in its own process: the same answers lead to the same game at each of its tables.

The chance of a table begins with the seed in the file `seed` beside the database when it is dealt. Reviews are quick
stand-ins.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

import gonfalon.web.server.server
from gonfalon import bots
from gonfalon.bots import Bot
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import Action, State
from gonfalon.table import Store, Tables, chance
from gonfalon.table.bots.workers import BotRunner
from gonfalon.table.game import position
from gonfalon.table.live.retention import POLICY, Policy
from gonfalon.web.history import review_jobs
from gonfalon.web.lobby import open_table
from tests.browser import judged
from tests.web.served import Served

SCRIPT = "import sys; from tests.browser.loaded import main; main(int(sys.argv[1]), sys.argv[2])"
SEED = "seed"


class Steady:
    """Random numbers that are the same every time, independent of the order of callers."""

    def uniform(self, low: float, _: float) -> float:
        return low

    def getrandbits(self, _: int) -> int:
        return 0

    def shuffle(self, seats: list[int]) -> None:
        """Keep all people in their named seats."""

    def choice(self, things: Sequence[Any]) -> Any:
        """Return the first item."""
        return things[0]


class QuickTables(Tables):
    """Tables with short windows. Bots think in this process without a time limit."""

    def __init__(
        self, store: Store, pace: float = 0.0, *, bot_runner: BotRunner | None = None, policy: Policy = POLICY
    ) -> None:
        super().__init__(store, pace, make_bot=unhurried, pause=(0.02, 0.02), policy=policy)


def unhurried(level: str, game: Game) -> Bot:
    """Return a bot that thinks in iterations without a time limit."""
    bot = bots.make(level, game)
    bot.patience = bot.budget
    return bot


def main(port: int, database: str, quick_reviews: bool = True) -> None:
    seed = Path(database.removeprefix("sqlite:///")).with_name(SEED)
    dice: WeakKeyDictionary[Game, Rng] = WeakKeyDictionary()

    def draw(state: State, root: bytes | None, nth: int) -> Action:
        game = state.rules
        assert isinstance(game, Game)
        if game not in dice:
            dice[game] = Rng(int(seed.read_text("utf-8")))
        return state.chance(dice[game])

    vars(position).update(draw_outcome=draw)
    vars(chance).update(SYSTEM=Steady())
    vars(open_table).update(DICE=Steady())
    if quick_reviews:
        vars(review_jobs).update(COMMAND=judged.COMMAND)
    vars(gonfalon.web.server.server).update(Tables=QuickTables)
    gonfalon.web.server.server.serve(port=port, database_url=database, pace=0, limits=0)


def load(server: Served, seed: int) -> None:
    """Set the seed of the server's next deals."""
    (server.folder / SEED).write_text(str(seed), "utf-8")
