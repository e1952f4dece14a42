"""The player of worlds: the network that has learned the game, else its rule of thumb, else chance."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from gonfalon.bots.insight import Insight
from gonfalon.bots.networks.evaluator import Evaluator
from gonfalon.bots.networks.network import load
from gonfalon.bots.networks.network_input import NetworkInput, advance_to_choice
from gonfalon.bots.search.search import softmax
from gonfalon.bots.search.weighted_choice import drawn
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.players import RuleOfThumb
from gonfalon.core.rules.state import Action, Seat, State
from gonfalon.review.data_files import NETWORK, find_data_file, hash_data_file

MAX_DECISIONS: Final = 4000
"""Maximum number of decisions for which a world is played."""


class Player:
    """A player that chooses at random, in any game."""

    name: str = "chance"

    def forget(self) -> None:
        """Clear caches, so that answers do not depend on earlier questions."""

    def policies(self, states: list[State]) -> list[list[float]]:
        """Return the probabilities of the actions for the seat in turn in each position, in the order of `actions`."""
        return [[1.0 / len(s.actions)] * len(s.actions) for s in states]

    def choose(self, states: list[State], rng: Rng) -> list[Action]:
        """Return an action for the seat in turn in each position."""
        return [s.actions[drawn(share, rng)] for s, share in zip(states, self.policies(states), strict=True)]


class HeuristicPlayer(Player):
    """The game's rule of thumb."""

    name = "the rule of thumb"

    def __init__(self, rule: RuleOfThumb, insight: Insight) -> None:
        self.rule = rule
        self.heuristic = insight.heuristic

    def policies(self, states: list[State]) -> list[list[float]]:
        return [softmax(self.heuristic.scores(s), len(s.actions)) for s in states]

    def choose(self, states: list[State], rng: Rng) -> list[Action]:
        return [self.rule.choose(s.mask(s.turn), rng)[0] for s in states]


class NetworkPlayer(Player):
    """A network, whose policy plays and whose value estimates chances."""

    name = "the network"

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator

    def forget(self) -> None:
        self.evaluator.clear_cache()

    def policies(self, states: list[State]) -> list[list[float]]:
        return self.evaluator.policies(states)


class Table:
    """A game and its judges, one for each process."""

    def __init__(self, game: Game) -> None:
        self.game = game.without_secrets()
        self.insight = load_insight(self.game)
        self.learnt = load_network_player(self.game)
        self.network: str = hash_data_file(self.game, NETWORK) if self.learnt is not None else ""
        """Hash of the network; empty without one."""
        rule = self.insight.rule_of_thumb()
        self.thumb: Player = Player() if rule is None else HeuristicPlayer(rule, self.insight)
        self.player: Player = self.learnt or self.thumb

    def estimate_chances(self, states: list[State], seat: Seat) -> list[float]:
        """Return a seat's chance to win in each position, or its share of the victory.

        The chance is estimated by the network, or else by the heuristic.
        """
        found = [compute_share(s, seat) for s in states]
        # One batch for the network: many small calls take far longer.
        going = [i for i, s in enumerate(states) if s.stack]
        if self.learnt is not None:
            values = self.learnt.evaluator.values([states[i] for i in going], seat)
            for i, value in zip(going, values, strict=True):
                found[i] = value
        else:
            for i in going:
                found[i] = self.insight.heuristic.win_chances(states[i])[seat]
        return found

    def play_on(self, states: list[State], over: Callable[[State], bool], rng: Rng) -> None:
        """Play positions in place, side by side, until each of them is over.

        Args:
            states: The positions.
            over: Whether a position has been played far enough.
            rng: Random numbers for players and chance.
        """
        waiting = [s for s in states if advance_to_decision(s, over, rng)]
        for _ in range(MAX_DECISIONS):
            if not waiting:
                return
            for s, action in zip(waiting, self.player.choose(waiting, rng), strict=True):
                s.apply(s.turn, action)
            waiting = [s for s in waiting if advance_to_decision(s, over, rng)]


def advance_to_decision(s: State, over: Callable[[State], bool], rng: Rng) -> bool:
    """Advance a position to the next choice. Return False if it is over before."""
    return not over(s) and advance_to_choice(s, rng) and not over(s)


def compute_share(s: State, seat: Seat) -> float:
    """Return a seat's share of the victory; 0 before the end."""
    outcome = s.outcome()
    return 1.0 / len(outcome.winners) if outcome is not None and seat in outcome.winners else 0.0


def load_insight(game: Game) -> Insight:
    """Return the game's own insight for reviews, or the default."""
    found = game.insight()
    return found if isinstance(found, Insight) else Insight(game)


def load_network_player(game: Game) -> NetworkPlayer | None:
    """Return the network in the game's folder, if it has learned this very game for two seats."""
    path = find_data_file(game, NETWORK)
    # A network reads the game of two seats with the cards that it has learned.
    encoder = game.network_input() if path is not None and game.seats == 2 else None
    if path is None or not isinstance(encoder, NetworkInput):
        return None
    net = load(path)
    return NetworkPlayer(Evaluator(net, encoder)) if net.fits(game, encoder) else None
