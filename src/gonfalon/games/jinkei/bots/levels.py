"""The levels, from the weakest to the strongest, and the bot that plays them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from gonfalon.bots.bot import Bot
from gonfalon.bots.budget import Budget, Clock
from gonfalon.bots.choice import Choice
from gonfalon.core.game import Game
from gonfalon.core.rng import Rng
from gonfalon.core.state import State
from gonfalon.games.jinkei.bots.battles import Battle
from gonfalon.games.jinkei.bots.laying import Laying
from gonfalon.games.jinkei.bots.precomputed import Case, Tables
from gonfalon.games.jinkei.bots.skill import Skill
from gonfalon.games.jinkei.face.thoughts import because
from gonfalon.games.jinkei.face.words import JinkeiWords
from gonfalon.games.jinkei.rules.state import JinkeiState

SKILLS: Final[dict[str, tuple[int, Skill]]] = {
    # Sees the battle that is on, and lays the highest cards in front.
    "gentle": (50, Skill(horizon=1, rank_only=True)),
    # Sees two battles ahead, and knows which rank is worth what on which space.
    "casual": (50, Skill(horizon=2, worlds=2)),
    # Plays some worlds of its view to the end of the round.
    "club": (100, Skill(worlds=6)),
    # Compares ways to lay its cards by fights, and reads face-down cards.
    "strong": (400, Skill(worlds=15, tries=12, opponents=8, beliefs=True)),
    # Compares many ways and looks around the best one, expects opponents that choose well, knows what types and
    # formations are worth against each other, solves the last battles, and plays for the win.
    "expert": (
        4000,
        Skill(worlds=60, tries=48, opponents=96, climbs=2, picky=2, matrix=60, beliefs=True, endgame=5, score=True),
    ),
}
"""For each level how many fights it tries at most for a decision, and what it knows how to do."""


class JinkeiBot(Bot):
    """A level of Jinkei. An iteration is one fight: one deal of the cards, played to the end of the round
    with open cards; in the last battles one pass of learning."""

    def __init__(self, name: str, game: Game, tables: Tables, budget: Budget, skill: Skill) -> None:
        super().__init__(name, game)
        self.tables: Tables = tables
        self.budget = budget
        self.skill: Skill = skill

    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        assert isinstance(view, JinkeiState)
        if len(view.legal(view.viewer)) == 1:
            return Choice(view.legal(view.viewer)[0], "Nothing else is legal.")
        clock = Clock(budget)
        case = Case(self.tables, view, self.sampler(view).sample, rng)
        asked = view.stack[-1].prompt
        if asked == "type":
            return Laying(case, self.skill, clock).type()
        if asked == "formation":
            return Laying(case, self.skill, clock).formation()
        if asked in ("front", "back"):
            return Laying(case, self.skill, clock).place()
        return Battle(case, self.skill, clock).choose()

    def words(self, view: State, choice: Choice) -> str:
        assert isinstance(view, JinkeiState)
        return because(self.tables.game, view, choice)


def maker(iterations: int, skill: Skill, name: str, game: Game) -> Bot:
    """A bot for a game."""
    assert isinstance(game, JinkeiWords)
    return JinkeiBot(name, game, Tables(game), Budget(iterations=iterations), skill)


def players() -> dict[str, Callable[[str, Game], Bot]]:
    """For each level what makes its bot."""
    return {name: partial(maker, *level) for name, level in SKILLS.items()}
