"""The five levels of Generals: what each has in mind, and how far it looks."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from gonfalon.bots.networks.network import Net
from gonfalon.bots.networks.network_level import NetworkLevel
from gonfalon.bots.networks.planner import Planner, PlannerSettings
from gonfalon.bots.players.bot import Bot
from gonfalon.bots.players.budget import Budget
from gonfalon.core.rules.game import Game
from gonfalon.games.generals.bots.heuristic import GeneralsHeuristic
from gonfalon.games.generals.bots.network_input import GeneralsNetworkInput
from gonfalon.games.generals.bots.planner import PlannerBot
from gonfalon.games.generals.bots.plans import Manner
from gonfalon.games.generals.bots.position_value import FITTED, PLAIN, THRIFTY, TIMID, WEIGHTS

if TYPE_CHECKING:
    from gonfalon.games.generals.rules.setup import Setup

LEVELS: Final[dict[str, tuple[int, Manner]]] = {
    # The next deed, by what lies on the table; generals, moves, attacks and Equipment only.
    "gentle": (1, Manner(TIMID, TIMID, simple=True)),
    # The same with an eye on the Siege that would be the last, and a freer hand.
    "casual": (1, Manner(THRIFTY, THRIFTY, simple=True)),
    # The next deed, by all that counts.
    "club": (1, Manner(PLAIN, FITTED)),
    # From here on by what games have taught: a few plans of a few deeds, and their answer.
    "strong": (16, Manner(WEIGHTS, FITTED, width=2, depth=4, plans=4, horizon=2, worlds=12, trust=4.0)),
    # More and longer plans, more worlds, and a turn further on.
    "expert": (240, Manner(WEIGHTS, FITTED, width=6, depth=10, plans=6, horizon=3, worlds=96, trust=4.0)),
}
"""For each level its tries for a decision, and its manner; Expert's where it has no network."""
TRAINED: Final = Path(__file__).with_name("network.npz")
HORIZON: Final = 3  # turns that Expert's network plays on
SETTINGS: Final = PlannerSettings(iterations=240, infers=False)


def players() -> dict[str, Callable[[str, Game], Bot]]:
    """What makes the bot of each level."""
    found: dict[str, Callable[[str, Game], Bot]] = {}
    for name, (tries, manner) in LEVELS.items():
        found[name] = partial(maker, tries, manner)
    return found | {"expert": NetworkLevel(TRAINED, asking, found["expert"])}


def asking(name: str, game: Game, net: Net, encoder: GeneralsNetworkInput) -> Bot:
    """Asks the network and tries out what it proposes."""
    return Planner(name, game, net, encoder, GeneralsHeuristic(game, HORIZON), SETTINGS)


def network_input(game: Game, setup: Setup) -> GeneralsNetworkInput:
    """Return how networks read this game."""
    return GeneralsNetworkInput(game, setup, WEIGHTS)


def maker(tries: int, manner: Manner, name: str, game: Game) -> Bot:
    """A bot for a game."""
    return PlannerBot(name, game, Budget(iterations=tries), manner)
