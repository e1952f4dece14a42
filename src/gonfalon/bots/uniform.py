"""The level `random`: every legal action is equally likely."""

from __future__ import annotations

from typing import ClassVar

from gonfalon.bots.bot import Bot, Choice
from gonfalon.core.rng import Rng
from gonfalon.core.state import State


class RandomBot(Bot):
    """Any legal action."""

    title: ClassVar[str] = "Random"
    about: ClassVar[str] = "plays any legal card: for the first steps"
    icon: ClassVar[str] = "perspective-dice-six-faces-random"

    def think(self, view: State, rng: Rng) -> Choice:
        legal = view.legal(view.viewer)
        return Choice(legal[int(rng.below(len(legal)))], "Any legal action was as good to me as another.")
