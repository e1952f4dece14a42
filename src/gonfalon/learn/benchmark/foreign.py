"""A player that is not ours, and what it is kept from: the stream of chance that it is handed tells nothing of the
deal, and whatever goes wrong in it is one sentence."""

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

DOMAIN: Final = b"gonfalon benchmark, chance of a player: "


def apart(rng: Rng) -> Rng:
    """A stream that follows from another one and does not lead back to it, as the words of our generator would: from a
    few of them all others can be worked out, before and after."""
    return Rng(int.from_bytes(hashlib.sha256(DOMAIN + str(rng.seed()).encode()).digest()[:8], "big"))


class Foreign(Bot):
    """A bot whose code is somebody else's."""

    def __init__(self, bot: Bot) -> None:
        super().__init__(bot.name, bot.game)
        self.bot = bot
        self.budget = bot.budget
        self.patience = bot.patience

    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        try:
            return self.bot.choose(view, budget, apart(rng))
        except GonfalonError:
            raise
        except Exception as error:  # whatever a stranger's code may do
            where = extract_tb(error.__traceback__)[-1]
            place = f"{Path(where.filename).name}, line {where.lineno}"
            raise BotError(f"{self.name} failed in a decision ({type(error).__name__}: {error}; {place}).") from error
