"""A bot of OpenSpiel as a player. It is shown a position of the bridge that was dealt from its seat's view, so what it
cannot know is there at random, and changes with each decision."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from gonfalon.bots import Bot, Budget, Choice
from gonfalon.bots.players.bot import BotError
from gonfalon.bridges import missing

try:
    from gonfalon.bridges.openspiel import SpielState, load
    from gonfalon.bridges.openspiel.position import Position
except ImportError as error:
    raise missing(error) from error

from gonfalon.core.basics.rng import Rng
from gonfalon.core.files.state_codec import StateCodec
from gonfalon.core.knowledge.worlds import worlds
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import State
from gonfalon.review.judging.beliefs import give_turn

SEEDS: Final = 1 << 31
EXACT: Final = "exact"


class SpielBot(Bot):
    """Asks a bot that `maker` makes anew for each decision, of the game, the seat and a seed."""

    def __init__(self, name: str, game: Game, maker: Callable[..., Any]) -> None:
        super().__init__(name, game)
        self.made_by = maker
        # OpenSpiel needs every outcome of chance, so the rest of the game is shuffled card by card.
        self.exact = type(game)(**{**game.options, EXACT: True})
        self.ours, self.theirs = StateCodec(game), StateCodec(self.exact)

    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        legal = view.legal(view.viewer)
        if len(legal) == 1:
            return Choice(legal[0], "Nothing else is legal.")
        world = worlds(self.theirs.decode_view(self.ours.encode_view(view))).sample(rng)
        give_turn(world, view.viewer)
        spiel = load(self.exact.with_secrets_of(world))  # what others keep to themselves is at random there too
        state = SpielState(spiel)
        state.position = Position(spiel.home, world)
        number = self.made_by(spiel, view.viewer, rng.below(SEEDS)).step(state)
        if number not in state.legal_actions():
            raise BotError(f"{self.name} answered {number!r:.40}, which is no legal action.")
        return Choice(spiel.home.actions[number], "The bot of OpenSpiel said so.")
