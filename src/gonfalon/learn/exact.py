"""The exact best response to a player, in games so small that every line can be walked.

The player is frozen: what it answers follows from its view alone, so it is asked once for each view. The one who
responds knows how it plays, sees what their own seat sees, remembers all of it, and takes what is best on average.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Final, TypeAlias

from gonfalon.bots import Bot, Budget, Choice
from gonfalon.bots.uniform import RandomBot
from gonfalon.bots.weights import drawn
from gonfalon.core.errors import OptionError
from gonfalon.core.game import Game
from gonfalon.core.rng import Rng
from gonfalon.core.state import CHANCE, SEED, Action, Seat, State

MOST: Final = 3_000_000
"""So many positions are walked at most."""
Mixture: TypeAlias = list[tuple[Action, float]]
Player: TypeAlias = Callable[[State], Mixture]
"""From the view of the seat that is asked how likely it takes which action."""


class MixedBot(Bot):
    """Takes each action as often as it says."""

    def mixture(self, view: State) -> Mixture:
        """Of the seat whose view this is."""
        raise NotImplementedError

    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        mixture = self.mixture(view)
        action, _ = mixture[drawn([share for _, share in mixture], rng)]
        return Choice(action, "Drawn by lot, as often as it is right.", policy=tuple(mixture))


Node: TypeAlias = tuple[State, float]


def key(state: State) -> bytes:
    """A short name for a position or a view."""
    return hashlib.blake2b(repr(state.dump()).encode(), digest_size=16).digest()


def frozen(bot: Bot, seed: int) -> Player:
    """A bot as a player: in each view it is asked once, with a stream of chance that follows from seed and view. Who
    plays at random has all actions, and who draws by lot says how often which."""
    answers: dict[bytes, Mixture] = {}

    def play(view: State) -> Mixture:
        if isinstance(bot, RandomBot):
            legal = view.legal(view.viewer)
            return [(action, 1 / len(legal)) for action in legal]
        if isinstance(bot, MixedBot):
            return bot.mixture(view)
        name = key(view)
        if name not in answers:
            rng = Rng(int.from_bytes(name[:8], "big") ^ seed)
            answers[name] = [(bot.choose(view, None, rng).action, 1.0)]
        return answers[name]

    return play


def exploitability(game: Game, player: Player) -> float:
    """What the best responses to a player win a game on average, over all seats: 0 of an equilibrium in a game for two,
    1 of a player that always loses. Raises OptionError."""
    found = [Response(game, player, seat).value([(game.start(), 1.0)]) for seat in range(game.seats)]
    return sum(found) / game.seats


class Response:
    """The best response of one seat to a player in all others."""

    def __init__(self, game: Game, player: Player, seat: Seat) -> None:
        self.game = game
        self.player = player
        self.seat = seat
        self.walked = 0

    def value(self, nodes: list[Node]) -> float:
        """What the seat gets from positions that it cannot tell apart, each with its weight."""
        total = 0.0
        asked: dict[bytes, dict[bytes, Node]] = {}
        while nodes:
            state, weight = nodes.pop()
            self.walked += 1
            if self.walked > MOST:
                raise OptionError(f"{self.game.title} is too large for an exact best response.")
            if not state.stack:
                total += weight * state.returns()[self.seat]
            elif state.turn == self.seat:
                alike = asked.setdefault(key(state.mask(self.seat)), {})
                name = key(state)
                alike[name] = (state, weight + (alike[name][1] if name in alike else 0.0))
            else:
                nodes += self.following(state, weight)
        for alike in asked.values():
            first = next(iter(alike.values()))[0]
            total += max(self.value([after(s, action, w) for s, w in alike.values()]) for action in first.actions)
        return total

    def following(self, state: State, weight: float) -> list[Node]:
        """What chance or the player makes of a position."""
        mixture = likely(self.game, state) if state.turn == CHANCE else self.player(state.mask(state.turn))
        return [after(state, action, weight * share) for action, share in mixture]


def likely(game: Game, state: State) -> Mixture:
    """What chance does in a position that waits for it. Raises OptionError where it shuffles by a seed."""
    if state.actions[0] == SEED:
        raise OptionError(f"{game.title} shuffles by seeds here; an exact best response needs `exact`.")
    whole = sum(state.weights())
    return [(action, weight / whole) for action, weight in zip(state.actions, state.weights(), strict=True)]


def after(state: State, action: Action, weight: float) -> Node:
    """What comes of an action of the seat that is asked."""
    twin = state.clone()
    twin.apply(state.turn, action)
    return twin, weight
