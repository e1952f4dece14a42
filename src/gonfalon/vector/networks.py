"""Networks as players: the policy of a file, asked about a view."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Final

import numpy as np

from gonfalon.bots import Bot, Budget, Choice
from gonfalon.bots.networks.batch import Batch
from gonfalon.bots.networks.network import Net, load
from gonfalon.bots.networks.network_input import NetworkInput
from gonfalon.bots.search.weighted_choice import drawn
from gonfalon.bridges.numbers import Numbers
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import Action, Seat, State
from gonfalon.review.judging.beliefs import give_turn

SUFFIX: Final = ".npz"
LAYERS = (128, 64)

UP: Final = bytes([*range(128), *[0] * 128])
DOWN: Final = bytes([*[0] * 128, *range(128, 0, -1)])
"""What is above zero in the bytes of a row, whose numbers have a sign, and what is below."""


class Unlearnt(OptionError):
    """A game that a player has not learnt, though it plays another configuration of it."""


class RowInput(NetworkInput):
    """The row that the bridges hand to learners, for a game that says nothing of networks: all of it is what the seat
    may know, so the value sees no more than the policy. The bytes of networks have no sign, so what is above zero is
    followed by what is below."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.numbers = Numbers(game)
        self.known = self.size = 2 * self.numbers.size
        self.outputs = self.numbers.count
        self.policy_layers = self.value_layers = LAYERS

    def write_row(self, s: State, seat: Seat, out: bytearray, at: int) -> None:
        row = bytearray(self.numbers.size)
        self.numbers.fill(s, seat, row)
        out[at : at + self.size] = row.translate(UP) + row.translate(DOWN)

    def answers(self, s: State) -> list[int]:
        return self.numbers.legal(s.actions)


def input_of(game: Game) -> NetworkInput:
    """What networks see of a game: its own form, else the row of the bridges."""
    found = game.network_input()
    return found if isinstance(found, NetworkInput) else RowInput(game)


class PolicyBot(Bot):
    """Plays as likely as the policy of a network says."""

    def __init__(self, name: str, game: Game, net: Net, encoder: NetworkInput | None = None) -> None:
        """`encoder` is what the network is shown, where that is not what is usual for the game. Raises Unlearnt."""
        super().__init__(name, game)
        self.net = net
        self.encoder = encoder or input_of(game)
        if not net.fits(game, self.encoder):
            raise Unlearnt(f"The network {name} has not learnt {game.title} with these cards.")
        self.scales = np.array(self.encoder.scales(), dtype=np.float32)[: self.encoder.known]

    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        legal = view.legal(view.viewer)
        if len(legal) == 1:
            return Choice(legal[0], "Nothing else is legal.")
        actions, shares = self.policy(view, rng)
        return Choice(actions[self.pick(shares, rng)], "The network's policy.")

    def mixture(self, view: State) -> list[tuple[Action, float]]:
        """Return the legal actions of the seat whose view this is, each with its probability."""
        return list(zip(*self.policy(view, Rng(0)), strict=True))

    def policy(self, view: State, rng: Rng) -> tuple[list[Action], list[float]]:
        """Return the legal actions and how likely the network takes each."""
        # The form of a network is written from a full state; what the policy reads is the same in every world.
        world = self.sampler(view).sample(rng)
        give_turn(world, view.viewer)
        batch = self.look(world, view, rng)
        said = self.net.policy(batch.rows[:, : self.encoder.known] * self.scales)
        shares: list[float] = np.exp(batch.log_probabilities(said, batch.owners())).tolist()
        return list(world.actions), shares

    def look(self, world: State, view: State, rng: Rng) -> Batch:
        """What the network is shown of a view, by one of its worlds."""
        return Batch.from_states(self.encoder, [world])

    def pick(self, shares: list[float], rng: Rng) -> int:
        """The number of the action that is taken."""
        return drawn(shares, rng)


def policy_of(path: Path, game: Game) -> Bot:
    """Return the policy of a network's file as a player. Raises OptionError."""
    player = PolicyBot(path.name, game, load(path))
    player.maker = partial(made_again, path)
    return player


def made_again(path: Path, name: str, game: Game) -> Bot:
    """The player of a file in another process."""
    return policy_of(path, game)
