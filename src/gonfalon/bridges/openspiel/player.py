"""An OpenSpiel bot as a player.

It receives a position that was dealt from its seat's view, so hidden cards are random there and change with each
decision.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import pyspiel

from gonfalon.bots import Bot, Budget, Choice
from gonfalon.bots.outside import messages
from gonfalon.bots.outside.faults import FaultError
from gonfalon.bots.players.choice import Fault
from gonfalon.bridges.openspiel import SpielState, load
from gonfalon.bridges.openspiel.position import Position
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.basics.rng import Rng
from gonfalon.core.files.state_codec import StateCodec
from gonfalon.core.knowledge.worlds import worlds
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import State
from gonfalon.review.judging.beliefs import give_turn

SEED_BOUND: Final = 1 << 31
"""Upper bound of OpenSpiel's seeds."""
EXACT_OPTION: Final = "exact"


class SpielBot(Bot):
    """A bot that asks an OpenSpiel bot, made for each decision from the game, the seat and a seed."""

    def __init__(self, name: str, game: Game, maker: Callable[..., Any]) -> None:
        super().__init__(name, game)
        self.made_by = maker
        # OpenSpiel needs every outcome of chance, so the rest of the game is shuffled card by card.
        self.exact = type(game)(**{**game.options, EXACT_OPTION: True})
        self.ours, self.theirs = StateCodec(game), StateCodec(self.exact)

    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        # The view is written by one game and read by the other, because only the other one deals card by card.
        world = worlds(self.theirs.decode_view(self.ours.encode_view(view))).sample(rng)
        give_turn(world, view.viewer)
        spiel = load(self.exact.with_secrets_of(world))  # Secrets of other seats are random there too.
        state = SpielState(spiel)
        state.position = Position(spiel.home, world)
        number = self.made_by(spiel, view.viewer, rng.below(SEED_BOUND)).step(state)
        if number not in state.legal_actions():
            raise FaultError(Fault.ILLEGAL, messages.NOT_LEGAL.format(action=f"{number!r:.40}"))
        return Choice(spiel.home.actions[number], "The OpenSpiel bot chose it.")


def find_registered_bot(name: str) -> Callable[..., Any]:
    """Return the function that makes a bot that OpenSpiel knows by its name.

    Raises:
        OptionError: OpenSpiel has no such bot.
    """
    known = pyspiel.registered_bots()
    if name not in known:
        raise OptionError(messages.NO_SPIEL_BOT.format(name=repr(name[:40]), names=", ".join(known)))

    def make_registered_bot(game: Any, seat: int, seed: int) -> Any:
        # OpenSpiel's bots take their seed as a parameter, if they have any chance.
        try:
            return pyspiel.load_bot(name, game, seat, {"seed": seed})
        except pyspiel.SpielError:
            return pyspiel.load_bot(name, game, seat)

    return make_registered_bot
