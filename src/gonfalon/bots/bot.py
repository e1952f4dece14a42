"""What a bot is: something that chooses from a view, and says why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gonfalon.core.errors import GonfalonError
from gonfalon.core.game import Game
from gonfalon.core.rng import Rng
from gonfalon.core.state import Action, State


@dataclass(frozen=True)
class Choice:
    """A bot's answer: the action, the reason as a sentence, and its chance of winning if it has one."""

    action: Action
    why: str = ""
    value: float | None = None


class BotError(GonfalonError):
    """A bot that was asked what it cannot answer, or that answered what is not legal."""


class Bot:
    """Chooses for one seat. Its only input is that seat's view, so it cannot know more than a person
    in its place; all its chance comes from the `rng` it is given, so it can be asked again.

    A level overrides `think`; everybody else calls `choose`.
    """

    title: ClassVar[str] = "Bot"
    about: ClassVar[str] = ""
    """What to expect of it, for people who choose an opponent."""
    icon: ClassVar[str] = "vintage-robot"

    def __init__(self, name: str, game: Game) -> None:
        self.name: str = name
        self.game: Game = game

    def choose(self, view: State, rng: Rng) -> Choice:
        """The choice for the seat whose view this is. Raises BotError when that seat is not asked."""
        seat = view.viewer
        if seat < 0:
            raise BotError("A bot thinks about the view of one seat, not about an open or a public one.")
        legal = view.legal(seat)
        if not legal:
            raise BotError(f"Seat {seat} is asked nothing now.")
        choice = self.think(view, rng)
        if choice.action not in legal:
            text = self.game.notation(choice.action)
            raise BotError(f"The bot {self.name} chose {text}, which is not legal: {view.why_not(seat, choice.action)}")
        return choice

    def think(self, view: State, rng: Rng) -> Choice:
        """One of `view.legal(view.viewer)`."""
        raise NotImplementedError
