"""The input of a network: how a game writes positions as rows of bytes, and which output each action has."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from mypy_extensions import mypyc_attr

from gonfalon.bots.networks.card_match import CardFeatures
from gonfalon.bots.networks.layout import Layout
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.basics.rng import Rng
from gonfalon.core.knowledge.worlds import Worlds, worlds
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import CHANCE, Action, Seat, State

Key: TypeAlias = tuple[Seat, bytes, tuple[Action, ...]]
"""A seat, what it knows of a position, and its actions."""


@mypyc_attr(allow_interpreted_subclasses=True)
class NetworkInput:
    """Writes a position as a row of bytes, from the side of one seat.

    Positions are full states: worlds, or games in training. The first `known` bytes may contain only what the seat
    knows, and the policy reads these alone. The remaining bytes are hidden from the seat. Only the value reads them,
    and only in worlds that were sampled from a view.
    """

    def __init__(self, game: Game) -> None:
        self.game: Game = game
        self.known: int = 0
        self.size: int = 0
        self.outputs: int = 0  # number of outputs of the policy
        self.row: Layout = Layout()
        self.answer_layout: Layout = Layout()
        self.rules: tuple[str, ...] = (game.version,)
        """Versions of the rules whose networks can be used: this one, and earlier ones that play much the same."""
        # Settings of a training that takes at most an hour of two cores:
        self.updates: int = 1800
        self.policy_layers: tuple[int, ...] = (128, 96)  # units of the hidden layers
        self.value_layers: tuple[int, ...] = (96, 48)
        self.rule_of_thumb_share: float = 0.15  # part of the games with the rule of thumb in one seat
        self.decay: float = 0.95  # lambda of the generalized advantage estimation
        self.sampler: Callable[[State], Worlds] = worlds
        """Samples a world of a view, for priors that look ahead."""

    def scales(self) -> list[float]:
        """Return the factor of each byte, so that most inputs are of the size of 1."""
        return self.row.factors or [1.0] * self.size

    def features(self) -> list[CardFeatures]:
        """Return the features of each kind of card, by which networks read cards that they were not trained with."""
        return []

    def kinds_in_play(self) -> list[int]:
        """Return the kinds that can come into this game."""
        return list(range(len(self.features())))

    def write_row(self, s: State, seat: Seat, out: bytearray, at: int) -> None:
        """Write a position into `out`, which is zero there, from index `at` on."""
        raise NotImplementedError

    def answers(self, s: State) -> list[int]:
        """Return the policy output of each of `s.actions`; actions may share one."""
        raise NotImplementedError

    def priors(self, s: State) -> list[float]:
        """Return log-odds of `s.actions`, to which the policy adds its own. Called after `write_row`."""
        return [0.0] * len(s.actions)


def write_rows(encoder: NetworkInput, states: list[State], out: bytearray) -> tuple[list[int], list[float], list[int]]:
    """Write each position from the side of the seat that decides.

    Args:
        encoder: The input of the network.
        states: The positions.
        out: Zeros, `encoder.size` for each position.

    Returns:
        The outputs of the actions of all positions in one list, their priors, and the number of actions of each
        position.
    """
    answers: list[int] = []
    priors: list[float] = []
    counts: list[int] = []
    at = 0
    for s in states:
        encoder.write_row(s, s.turn, out, at)
        at += encoder.size
        found = encoder.answers(s)
        answers += found
        priors += encoder.priors(s)
        counts.append(len(found))
    return answers, priors, counts


def write_new_rows(
    encoder: NetworkInput, states: list[State], out: bytearray, numbers: dict[Key, int]
) -> tuple[list[int], list[int], list[float], list[int]]:
    """Write only the positions whose deciding seat sees something new.

    Args:
        encoder: The input of the network.
        states: The positions.
        out: Zeros, `encoder.size` for each position. The new rows are written at its beginning.
        numbers: The number of each row written before, by what its seat knows and its actions. New rows are added.

    Returns:
        The number of each position's row, followed by the results of `write_rows` for the new rows.
    """
    found: list[int] = []
    answers: list[int] = []
    priors: list[float] = []
    counts: list[int] = []
    blank = bytes(encoder.size)
    at = 0
    for s in states:
        encoder.write_row(s, s.turn, out, at)
        key = (s.turn, bytes(out[at : at + encoder.known]), tuple(s.actions))
        number = numbers.get(key, -1)
        if number < 0:
            number = len(numbers)
            numbers[key] = number
            outputs = encoder.answers(s)
            answers += outputs
            priors += encoder.priors(s)
            counts.append(len(outputs))
            at += encoder.size
        else:
            # `write_row` expects zeros, so the row is cleared for the next position.
            out[at : at + encoder.size] = blank
        found.append(number)
    return found, answers, priors, counts


def advance_to_choice(s: State, rng: Rng) -> bool:
    """Apply chance and forced actions until a seat has a choice. Return False at the end of the game."""
    while s.stack:
        seat = s.turn
        if seat == CHANCE:
            s.apply(seat, s.chance(rng))
        elif len(s.actions) == 1:
            s.apply(seat, s.actions[0])
        else:
            return True
    return False


def network_input_of(game: Game) -> NetworkInput:
    """Return the game's network input.

    Raises:
        OptionError: The game has none.
    """
    found = game.network_input()
    if not isinstance(found, NetworkInput):
        raise OptionError(f"{game.title} has no network input, so no network can be trained for it.")
    return found
