"""The interface of bots: they choose from a view, and give reasons."""

from __future__ import annotations

from collections.abc import Callable
from typing import SupportsIndex

from gonfalon.bots.players import messages
from gonfalon.bots.players.budget import Budget, Clock
from gonfalon.bots.players.calibration import Scale
from gonfalon.bots.players.choice import Choice
from gonfalon.bots.players.reasons import explain
from gonfalon.core.basics.errors import GonfalonError, OptionError
from gonfalon.core.basics.rng import Rng
from gonfalon.core.knowledge.worlds import Worlds, worlds
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import Action, State


class BotError(GonfalonError):
    """A bot was asked a question that it cannot answer, or gave an illegal answer."""


class UntrainedError(OptionError):
    """A configuration of a game that a player was not trained on, though it plays another one."""


class Bot:
    """A player for one seat.

    Its only input is the view of that seat, so it cannot know more than a person in its place. All its randomness comes
    from the `rng` argument, so a decision can be repeated. It keeps nothing between decisions: one bot may play several
    seats. A level overrides `think`; callers use `choose`.
    """

    def __init__(self, name: str, game: Game) -> None:
        self.name: str = name
        self.game: Game = game
        self.budget: Budget = Budget()
        """The default budget: the iterations at which its strength is measured."""
        self.patience: Budget = Budget()
        """The budget when people wait for it."""
        self.sampler: Callable[[State], Worlds] = worlds
        """The sampler of worlds, which is the only way from a view to a full state."""
        self.scale: Scale | None = None
        """The calibration of its reported chances."""
        self.maker: Callable[[str, Game], Bot] | None = None
        """Makes the bot again from its name and game, for pickles; None for a bot with its own pickling."""

    def __reduce_ex__(self, protocol: SupportsIndex) -> str | tuple[object, ...]:
        return super().__reduce_ex__(protocol) if self.maker is None else (self.maker, (self.name, self.game))

    def __deepcopy__(self, memo: dict[int, object]) -> Bot:
        """Return the bot itself: it keeps nothing that a copy would have to separate."""
        return self

    def choose(self, view: State, budget: Budget | None, rng: Rng) -> Choice:
        """Return the choice of the seat whose view this is. Raises BotError if the seat has no decision to make."""
        seat = view.viewer
        if seat < 0:
            raise BotError("A bot thinks about the view of one seat, not about an open or a public one.")
        legal = view.legal(seat)
        if not legal:
            raise BotError(f"Seat {seat} is asked nothing now.")
        choice = self.think(view, budget or self.budget, rng)
        if not is_choice(choice):
            if isinstance(choice, Choice):
                raise BotError(f"The bot {self.name} chose {choice.action!r:.60}, which is not an action's number.")
            raise BotError(f"The bot {self.name} answered {choice!r:.60}, which is not a Choice of an action.")
        if choice.action not in legal:
            text = self.game.notation(choice.action)
            raise BotError(f"The bot {self.name} chose {text}, which is not legal: {view.why_not(seat, choice.action)}")
        choice = choice.hold_alternatives()
        # Chances are calibrated before they are put into words, so that the sentence quotes the reported ones.
        if self.scale is not None:
            choice = self.scale.told(choice)
        return choice if choice.why else self.explain(view, choice)

    def begin_game(self) -> Bot:
        """Return the bot for a new game. Only a bot that counts what happens in a game returns another one."""
        return self

    def explain(self, view: State, choice: Choice) -> Choice:
        """Return a choice with its reason, made of facts of the view and the reported chances."""
        return explain(choice, [], self.game.describe(view, choice.action))

    def words(self, view: State, choice: Choice) -> str:
        """Return the reason for a choice in words."""
        return self.explain(view, choice).why

    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        """Return a choice of one of `view.legal(view.viewer)`. The view must not be changed."""
        raise NotImplementedError


def is_choice(answer: object) -> bool:
    """Return whether a bot has answered with an action. A bot from another package may return anything."""
    return isinstance(answer, Choice) and isinstance(answer.action, int)


class ThinkingBot(Bot):
    """A bot that uses its whole budget, unless there is only one action."""

    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        legal = view.legal(view.viewer)
        if len(legal) == 1:
            return Choice(legal[0], messages.ONLY_ACTION)
        return self.consider(view, legal, Clock(budget), rng)

    def consider(self, view: State, legal: list[Action], clock: Clock, rng: Rng) -> Choice:
        """Return a choice of one of several legal actions."""
        raise NotImplementedError
