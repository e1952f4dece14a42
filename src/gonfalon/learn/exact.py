"""The exact best response to a player, in games so small that every line can be walked.

The player is frozen: how it answers follows from its view alone. The one who responds knows how it plays, sees what
their own seat sees, remembers all of it, and takes what is best on average.

A player that states its probabilities, or always answers alike, has one exact figure. Any other is asked again and
again in each view. The best response to a sample of its answers gains too much there, since it exploits the chance of
the sample as well, and too little against another sample, which it does not know: the truth lies between the two on
average. Several pairs of samples give both figures with their errors, and they grow until the interval is narrow.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable
from typing import Final, TypeAlias

from gonfalon.bots import Bot, Budget, Choice
from gonfalon.bots.players.uniform import RandomBot
from gonfalon.bots.search.weighted_choice import drawn
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import CHANCE, SEED, Action, Seat, State
from gonfalon.lab.run.sequential import Track
from gonfalon.vector.networks import PolicyBot

MOST: Final = 3_000_000
"""So many positions are walked at most."""
CLOSE: Final = 0.05
"""Samples grow until the interval is as narrow as this."""
PAIRS: Final = 8
"""Pairs of samples."""
MAX_ANSWERS: Final = 50_000
"""So many answers are asked for at most, unless it takes more to hear each view's once in each sample."""
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


Node: TypeAlias = tuple[State, float, float]
"""A position, with its weight in each of two samples of the player."""


def key(state: State) -> bytes:
    """A short name for a position or a view."""
    return hashlib.blake2b(repr(state.dump()).encode(), digest_size=16).digest()


def known_mixture(bot: Bot) -> Player | None:
    """Return the probabilities that a bot states, or None for a bot that can only be asked."""
    while isinstance(inner := getattr(bot, "bot", None), Bot):  # a bot that another one wraps
        bot = inner
    if isinstance(bot, RandomBot):
        return lambda view: [(action, 1 / len(view.legal(view.viewer))) for action in view.legal(view.viewer)]
    return bot.mixture if isinstance(bot, MixedBot) or type(bot) is PolicyBot else None


class Sample:
    """A bot as a player, by its answers: in each view it is asked `draws` times, with streams that follow from the
    seed and the view."""

    def __init__(self, bot: Bot, seed: int, draws: int = 1) -> None:
        self.bot = bot
        self.seed = seed
        self.draws = draws
        self.streams: dict[bytes, Rng] = {}
        self.answers: dict[bytes, list[Action]] = {}

    def __call__(self, view: State) -> Mixture:
        name = key(view)
        rng = self.streams.setdefault(name, Rng(int.from_bytes(name[:8], "big") ^ self.seed))
        answers = self.answers.setdefault(name, [])
        while len(answers) < self.draws:
            answers.append(self.bot.choose(view, None, Rng(rng.seed())).action)
        return [(action, count / self.draws) for action, count in sorted(Counter(answers).items())]


def exploitability(game: Game, player: Player) -> float:
    """What the best responses to a player win a game on average, over all seats: 0 of an equilibrium in a game for two,
    1 of a player that always loses. Raises OptionError."""
    return held_out(game, player, player)[0]


def exploitability_of(game: Game, bot: Bot, seed: int) -> tuple[float, float]:
    """Return the ends of the 95 % interval of a bot's exploitability; they are equal where it is exact.

    Raises OptionError.
    """
    stated = known_mixture(bot)
    if stated is not None:
        found = exploitability(game, stated)
        return found, found
    first = Sample(bot, seed, draws=2 * PAIRS)
    found = exploitability(game, first)
    if all(len(set(answers)) == 1 for answers in first.answers.values()):
        return found, found
    streams = Rng(seed)
    pairs = [(Sample(bot, streams.seed()), Sample(bot, streams.seed())) for _ in range(PAIRS)]
    while True:
        low, high = Track(grain=0.0), Track(grain=0.0)
        for one, two in pairs:
            there, back = held_out(game, one, two), held_out(game, two, one)
            low.add((there[1] + back[1]) / 2)
            high.add((there[0] + back[0]) / 2)
        ends = low.mean - low.half(), high.mean + high.half()
        samples = [sample for pair in pairs for sample in pair]
        answers = sum(len(found) for sample in samples for found in sample.answers.values())
        if ends[1] - ends[0] <= CLOSE or 4 * answers > MAX_ANSWERS:
            return ends
        for sample in samples:
            sample.draws *= 4


def held_out(game: Game, player: Player, other: Player) -> tuple[float, float]:
    """Return what the best responses to a player win against it, and against another, on average over all seats."""
    found = [Response(game, player, other, seat).value([(game.start(), 1.0, 1.0)]) for seat in range(game.seats)]
    return sum(own for own, _ in found) / game.seats, sum(held for _, held in found) / game.seats


class Response:
    """The best response of one seat to a player in all others, judged against another player as well."""

    def __init__(self, game: Game, player: Player, other: Player, seat: Seat) -> None:
        self.game = game
        self.player = player
        self.other = other
        self.seat = seat
        self.walked = 0

    def value(self, nodes: list[Node]) -> tuple[float, float]:
        """What the seat gets from positions that it cannot tell apart, against the player and against the other."""
        own = held = 0.0
        asked: dict[bytes, dict[bytes, Node]] = {}
        while nodes:
            state, weight, other = nodes.pop()
            self.walked += 1
            if self.walked > MOST:
                raise OptionError(f"{self.game.title} is too large for an exact best response.")
            if not state.stack:
                won = state.returns()[self.seat]
                own += weight * won
                held += other * won
            elif state.turn == self.seat:
                alike = asked.setdefault(key(state.mask(self.seat)), {})
                name = key(state)
                _, before, before_other = alike.get(name, (state, 0.0, 0.0))
                alike[name] = (state, before + weight, before_other + other)
            else:
                nodes += self.following(state, weight, other)
        for alike in asked.values():
            first = next(iter(alike.values()))[0]
            options = [self.value([(after(s, action), w, v) for s, w, v in alike.values()]) for action in first.actions]
            best = max(options, key=lambda option: option[0])
            own += best[0]
            held += best[1]
        return own, held

    def following(self, state: State, weight: float, other: float) -> list[Node]:
        """What chance or the player makes of a position."""
        if state.turn == CHANCE:
            chances = likely(self.game, state)
            return [(after(state, action), weight * share, other * share) for action, share in chances]
        view = state.mask(state.turn)
        shares = dict(self.player(view))
        others = shares if self.other is self.player else dict(self.other(view))
        return [
            (after(state, action), weight * shares.get(action, 0.0), other * others.get(action, 0.0))
            for action in {**shares, **others}
        ]


def likely(game: Game, state: State) -> Mixture:
    """What chance does in a position that waits for it. Raises OptionError where it shuffles by a seed."""
    if state.actions[0] == SEED:
        raise OptionError(f"{game.title} shuffles by seeds here; an exact best response needs `exact`.")
    whole = sum(state.weights())
    return [(action, weight / whole) for action, weight in zip(state.actions, state.weights(), strict=True)]


def after(state: State, action: Action) -> State:
    """Return the position after an action of the seat that is asked."""
    twin = state.clone()
    twin.apply(state.turn, action)
    return twin
