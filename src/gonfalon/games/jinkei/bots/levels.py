"""The levels, from the weakest to the strongest, and the bot that plays them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from gonfalon.bots.players.bot import Bot, ThinkingBot
from gonfalon.bots.players.budget import Budget, Clock
from gonfalon.bots.players.choice import Choice
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import Action, State
from gonfalon.games.jinkei.bots.battles import Battle
from gonfalon.games.jinkei.bots.laying import Laying
from gonfalon.games.jinkei.bots.precomputed import Case, Tables
from gonfalon.games.jinkei.bots.settings import LEVELS, Settings
from gonfalon.games.jinkei.face.thoughts import because
from gonfalon.games.jinkei.face.words import JinkeiWords
from gonfalon.games.jinkei.rules.state import JinkeiState


class JinkeiBot(ThinkingBot):
    """A level of Jinkei. An iteration is one fight: one deal of the cards, played to the end of the round
    with open cards; in the last battles one pass of learning."""

    def __init__(self, name: str, game: Game, tables: Tables, settings: Settings) -> None:
        super().__init__(name, game)
        self.tables: Tables = tables
        self.budget = Budget(iterations=settings.iterations)
        self.settings: Settings = settings

    def consider(self, view: State, legal: list[Action], clock: Clock, rng: Rng) -> Choice:
        assert isinstance(view, JinkeiState)
        case = Case(self.tables, view, self.sampler(view).sample, rng)
        asked = view.stack[-1].prompt
        if asked == "type":
            return Laying(case, self.settings, clock).type()
        if asked == "formation":
            return Laying(case, self.settings, clock).formation()
        if asked in ("front", "back"):
            return Laying(case, self.settings, clock).place()
        return Battle(case, self.settings, clock).choose()

    def words(self, view: State, choice: Choice) -> str:
        assert isinstance(view, JinkeiState)
        return because(self.tables.game, view, choice)


def maker(settings: Settings, name: str, game: Game) -> Bot:
    """A bot for a game."""
    assert isinstance(game, JinkeiWords)
    return JinkeiBot(name, game, Tables(game), settings)


def players() -> dict[str, Callable[[str, Game], Bot]]:
    """For each level what makes its bot."""
    return {name: partial(maker, settings) for name, settings in LEVELS.items()}
