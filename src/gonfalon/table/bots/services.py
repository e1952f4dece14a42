"""The services that the bots of all tables share: workers and their queue."""

from __future__ import annotations

from collections.abc import Callable

import anyio

from gonfalon.bots import Bot
from gonfalon.core.rules.game import Game
from gonfalon.table.bots.queue import BotQueue
from gonfalon.table.bots.workers import BotRunner, InThread


class BotServices:
    """The maker of bots, their runner and their queue.

    `make(level, game)` makes a bot, which thinks in this process unless a `runner` exists for it. `pace` is the number
    of seconds that people have to see each move of a bot.
    """

    def __init__(self, make: Callable[[str, Game], Bot], runner: BotRunner | None, pace: float) -> None:
        self.make: Callable[[str, Game], Bot] = make
        self.runner: BotRunner = runner or InThread(make)
        self.queue: BotQueue = BotQueue(self.runner.at_once)
        self.limit: anyio.CapacityLimiter = anyio.CapacityLimiter(self.runner.at_once)
        self.pace: float = pace
