"""Networks as players: the policy of a file, evaluated on a view."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Final

import numpy as np

from gonfalon.bots import Bot, Budget, Choice
from gonfalon.bots.networks.batch import Batch
from gonfalon.bots.networks.network import Net, load
from gonfalon.bots.networks.network_input import NetworkInput
from gonfalon.bots.players.bot import UntrainedError as UntrainedError
from gonfalon.bots.players.messages import ONLY_ACTION
from gonfalon.bots.search.weighted_choice import drawn
from gonfalon.bridges.numbers import Numbers
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import Action, Seat, State
from gonfalon.review.judging.beliefs import give_turn

HIDDEN_LAYERS = (128, 64)
"""Hidden layers of a network without a form of its own."""

POSITIVE_BYTES: Final = bytes([*range(128), *[0] * 128])
"""Table that keeps positive signed bytes and maps others to 0."""
NEGATIVE_BYTES: Final = bytes([*[0] * 128, *range(128, 0, -1)])
"""Table that negates negative signed bytes and maps others to 0."""


class RowInput(NetworkInput):
    """The row of the bridges as network input, for games without their own.

    All of it is the seat's view, so the value sees no more than the policy. Network inputs are unsigned, so positive
    and negative numbers are separate columns.
    """

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.numbers = Numbers(game)
        self.known = self.size = 2 * self.numbers.size
        self.outputs = self.numbers.count
        self.policy_layers = self.value_layers = HIDDEN_LAYERS

    def write_row(self, s: State, seat: Seat, out: bytearray, at: int) -> None:
        row = bytearray(self.numbers.size)
        self.numbers.fill(s, seat, row)
        out[at : at + self.size] = row.translate(POSITIVE_BYTES) + row.translate(NEGATIVE_BYTES)

    def answers(self, s: State) -> list[int]:
        return self.numbers.legal(s.actions)


def find_input(game: Game) -> NetworkInput:
    """Return the network input of a game: its own, or the row of the bridges."""
    found = game.network_input()
    return found if isinstance(found, NetworkInput) else RowInput(game)


class PolicyBot(Bot):
    """A bot that plays by the probabilities of a network's policy."""

    def __init__(self, name: str, game: Game, net: Net, encoder: NetworkInput | None = None) -> None:
        """Make the bot of a network.

        Args:
            name: The name of the bot.
            game: The game that it plays.
            net: The network.
            encoder: The network input, if it is not the usual one of the game.

        Raises:
            Unlearnt: The network was not trained on the game with these cards.
        """
        super().__init__(name, game)
        self.net = net
        self.encoder = encoder or find_input(game)
        if not net.fits(game, self.encoder):
            raise UntrainedError(f"The network {name} was not trained on {game.title} with these cards.")
        self.scales = np.array(self.encoder.scales(), dtype=np.float32)[: self.encoder.known]

    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        legal = view.legal(view.viewer)
        if len(legal) == 1:
            return Choice(legal[0], ONLY_ACTION)
        actions, shares = self.policy(view, rng)
        return Choice(actions[self.pick(shares, rng)], "The network's policy.")

    def mixture(self, view: State) -> list[tuple[Action, float]]:
        """Return the legal actions of the seat whose view this is, each with its probability."""
        return list(zip(*self.policy(view, Rng(0)), strict=True))

    def policy(self, view: State, rng: Rng) -> tuple[list[Action], list[float]]:
        """Return the legal actions and their probabilities."""
        # Network inputs are written from a full state; the policy's part is the same in every world.
        world = self.sampler(view).sample(rng)
        give_turn(world, view.viewer)
        batch = self.look(world, view, rng)
        said = self.net.policy(batch.rows[:, : self.encoder.known] * self.scales)
        shares: list[float] = np.exp(batch.log_probabilities(said, batch.owners())).tolist()
        return list(world.actions), shares

    def look(self, world: State, view: State, rng: Rng) -> Batch:
        """Return the network's input for a view, from one of its worlds."""
        return Batch.from_states(self.encoder, [world])

    def pick(self, shares: list[float], rng: Rng) -> int:
        """Return the index of the chosen action."""
        return drawn(shares, rng)


def load_policy(path: Path, game: Game) -> Bot:
    """Return the policy of a network's file as a player.

    Raises:
        OptionError: The file cannot be read, or does not fit the game.
    """
    player = PolicyBot(path.name, game, load(path))
    # A bot is pickled by its maker, not with its weights.
    player.maker = partial(remake_policy, path)
    return player


def remake_policy(path: Path, name: str, game: Game) -> Bot:
    """Return the player of a file in another process."""
    return load_policy(path, game)
