"""What a bot is: something that chooses from a view, and says why."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import SupportsIndex

from gonfalon.bots.players.budget import Budget, Clock
from gonfalon.bots.players.calibration import Scale
from gonfalon.bots.players.choice import Choice
from gonfalon.bots.players.reasons import described, sentence
from gonfalon.core.basics.errors import GonfalonError
from gonfalon.core.basics.rng import Rng
from gonfalon.core.knowledge.worlds import Worlds, worlds
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import Action, State


class BotError(GonfalonError):
    """A bot that was asked what it cannot answer, or that answered what is not legal."""


class Bot:
    """Chooses for one seat. Its only input is that seat's view, so it cannot know more than a person
    in its place; all its chance comes from the `rng` it is given, so it can be asked again. It keeps
    nothing of one decision for the next: one bot may sit in several seats.

    A level overrides `think`; everybody else calls `choose`.
    """

    def __init__(self, name: str, game: Game) -> None:
        self.name: str = name
        self.game: Game = game
        self.budget: Budget = Budget()
        """What it may think when nobody says more: its iterations, in which its strength is measured."""
        self.patience: Budget = Budget()
        """What it may think when people wait for it."""
        self.sampler: Callable[[State], Worlds] = worlds
        """Where it gets worlds from. The only way from a view to a full state."""
        self.scale: Scale | None = None
        """What sets the chances right that it tells."""
        self.maker: Callable[[str, Game], Bot] | None = None
        """What makes it again of its name and game, for a pickle; None for a bot that pickles by itself."""

    def __reduce_ex__(self, protocol: SupportsIndex) -> str | tuple[object, ...]:
        return super().__reduce_ex__(protocol) if self.maker is None else (self.maker, (self.name, self.game))

    def __deepcopy__(self, memo: dict[int, object]) -> Bot:
        """It keeps nothing, so it is its own copy."""
        return self

    def choose(self, view: State, budget: Budget | None, rng: Rng) -> Choice:
        """The choice for the seat whose view this is. Raises BotError when that seat is not asked."""
        seat = view.viewer
        if seat < 0:
            raise BotError("A bot thinks about the view of one seat, not about an open or a public one.")
        legal = view.legal(seat)
        if not legal:
            raise BotError(f"Seat {seat} is asked nothing now.")
        choice = self.think(view, budget or self.budget, rng)
        if not is_choice(choice):
            if isinstance(choice, Choice):
                raise BotError(f"The bot {self.name} chose {choice.action!r:.60}, which is no number of an action.")
            raise BotError(f"The bot {self.name} answered {choice!r:.60}, which is no Choice of an action.")
        if choice.action not in legal:
            text = self.game.notation(choice.action)
            raise BotError(f"The bot {self.name} chose {text}, which is not legal: {view.why_not(seat, choice.action)}")
        if self.scale is not None:
            choice = self.scale.told(choice)
        return choice if choice.why else replace(choice, why=self.words(view, choice))

    def words(self, view: State, choice: Choice) -> str:
        """Why, as a sentence: from what decided and the chances as they are told, so that it agrees with them."""
        return sentence(choice, lambda action: described(self.game, view, action))

    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        """One of `view.legal(view.viewer)`. The view must be left as it is."""
        raise NotImplementedError


def is_choice(answer: object) -> bool:
    """Whether a bot has answered with an action: somebody else's may do anything."""
    return isinstance(answer, Choice) and isinstance(answer.action, int)


class ThinkingBot(Bot):
    """Tries out what it may do for as long as it may think, unless there is nothing to decide."""

    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        legal = view.legal(view.viewer)
        if len(legal) == 1:
            return Choice(legal[0], "Nothing else is legal.")
        return self.consider(view, legal, Clock(budget), rng)

    def consider(self, view: State, legal: list[Action], clock: Clock, rng: Rng) -> Choice:
        """One of several legal actions."""
        raise NotImplementedError
