"""Isolation of players from outside.

Their stream of chance reveals nothing of the deal, and their errors become one sentence.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from traceback import extract_tb
from typing import Final

from gonfalon.bots import Bot, Budget, Choice
from gonfalon.bots.players.bot import BotError
from gonfalon.core.basics.errors import GonfalonError
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.state import State

HASH_PREFIX: Final = b"gonfalon benchmark, chance of a player: "
"""Prefix that separates these hashes from others."""


def derive_stream(rng: Rng) -> Rng:
    """Return a stream that follows from another one without revealing it.

    The numbers of the core's generator would reveal its state, and with it all numbers before and after.
    """
    return Rng(int.from_bytes(hashlib.sha256(HASH_PREFIX + str(rng.seed()).encode()).digest()[:8], "big"))


class ForeignBot(Bot):
    """A bot with code from outside."""

    def __init__(self, bot: Bot) -> None:
        super().__init__(bot.name, bot.game)
        self.bot = bot
        self.budget = bot.budget
        self.patience = bot.patience

    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        try:
            return self.bot.choose(view, budget, derive_stream(rng))
        except GonfalonError:
            raise
        except Exception as error:  # User code may raise anything.
            where = extract_tb(error.__traceback__)[-1]
            place = f"{Path(where.filename).name}, line {where.lineno}"
            raise BotError(f"{self.name} failed in a decision ({type(error).__name__}: {error}; {place}).") from error
