"""The exact best response to a player, in games whose complete tree can be walked.

The player is frozen: its answers follow from its view alone. The responding seat knows how the player plays, sees its
own view, remembers all of it, and chooses the best action on average.

A player that states its probabilities, or always answers alike, has one exact figure. Other players are sampled
repeatedly in each view. The best response to one sample wins too much against it, since it exploits its random errors,
and too little against another sample, which it does not know: the true value is between the two on average. Several
pairs of samples give both figures with their errors, and they grow until the interval is narrow.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable
from typing import Final, TypeAlias

from gonfalon.bots import Bot
from gonfalon.bots.outside.process_bot import ProcessBot
from gonfalon.bots.players.uniform import RandomBot
from gonfalon.bots.search.mixed_bot import MixedBot as MixedBot
from gonfalon.bots.search.mixed_bot import Mixture
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import CHANCE, SEED, Action, Seat, State
from gonfalon.lab.run.sequential import RunningMean
from gonfalon.vector.networks import PolicyBot

MAX_POSITIONS: Final = 3_000_000
"""Maximum number of walked positions."""
TARGET_WIDTH: Final = 0.05
"""Width of the interval at which samples stop growing."""
SAMPLE_PAIRS: Final = 8
"""Number of pairs of samples."""
MAX_ANSWERS: Final = 50_000
"""Maximum number of sampled answers, unless one answer for each view and sample needs more."""
Player: TypeAlias = Callable[[State], Mixture]
"""A function from the view of the deciding seat to its mixture."""


Node: TypeAlias = tuple[State, float, float]
"""A position, with its weight in each of two samples of the player."""


def state_hash(state: State) -> bytes:
    """Return a short hash of a position or a view."""
    return hashlib.blake2b(repr(state.dump()).encode(), digest_size=16).digest()


def known_mixture(bot: Bot) -> Player | None:
    """Return the probabilities that a bot states, or None for a bot that has to be sampled."""
    if isinstance(bot, RandomBot):
        return lambda view: [(action, 1 / len(view.legal(view.viewer))) for action in view.legal(view.viewer)]
    if isinstance(bot, ProcessBot):
        return bot.mixture if bot.mixed else None
    return bot.mixture if isinstance(bot, MixedBot) or type(bot) is PolicyBot else None


class SampledPlayer:
    """A bot as a player, by sampled answers.

    In each view it is asked `draws` times, with streams that follow from the seed and the view.
    """

    def __init__(self, bot: Bot, seed: int, draws: int = 1) -> None:
        self.bot = bot
        self.seed = seed
        self.draws = draws
        self.streams: dict[bytes, Rng] = {}
        self.answers: dict[bytes, list[Action]] = {}

    def __call__(self, view: State) -> Mixture:
        name = state_hash(view)
        rng = self.streams.setdefault(name, Rng(int.from_bytes(name[:8], "big") ^ self.seed))
        answers = self.answers.setdefault(name, [])
        while len(answers) < self.draws:
            answers.append(self.bot.choose(view, None, Rng(rng.seed())).action)
        return [(action, count / self.draws) for action, count in sorted(Counter(answers).items())]


def measure_exact(game: Game, player: Player) -> float:
    """Return the average gain of the best responses to a player, over all seats.

    It is 0 for an equilibrium in a game for two, and 1 for a player that always loses.

    Raises:
        OptionError: The game is too large, or has no exact chance.
    """
    return measure_held_out(game, player, player)[0]


def measure_exploitability(game: Game, bot: Bot, seed: int) -> tuple[float, float]:
    """Return the ends of the 95 % interval of a bot's exploitability; they are equal if it is exact.

    Raises:
        OptionError: The game is too large, or has no exact chance.
    """
    stated = known_mixture(bot)
    if stated is not None:
        found = measure_exact(game, stated)
        return found, found
    first = SampledPlayer(bot, seed, draws=2 * SAMPLE_PAIRS)
    found = measure_exact(game, first)
    # A bot that always answers alike is deterministic for this purpose.
    if all(len(set(answers)) == 1 for answers in first.answers.values()):
        return found, found
    streams = Rng(seed)
    pairs = [(SampledPlayer(bot, streams.seed()), SampledPlayer(bot, streams.seed())) for _ in range(SAMPLE_PAIRS)]
    while True:
        low, high = RunningMean(grain=0.0), RunningMean(grain=0.0)
        for one, two in pairs:
            there, back = measure_held_out(game, one, two), measure_held_out(game, two, one)
            low.add((there[1] + back[1]) / 2)
            high.add((there[0] + back[0]) / 2)
        ends = low.mean - low.half_width(), high.mean + high.half_width()
        samples = [sample for pair in pairs for sample in pair]
        answers = sum(len(found) for sample in samples for found in sample.answers.values())
        if ends[1] - ends[0] <= TARGET_WIDTH or 4 * answers > MAX_ANSWERS:
            return ends
        for sample in samples:
            # Quadrupling the sample halves its error.
            sample.draws *= 4


def measure_held_out(game: Game, player: Player, other: Player) -> tuple[float, float]:
    """Return the average gain of the best responses to a player, over all seats.

    Returns:
        The gain against the player itself, and against the other player.
    """
    found = [BestResponse(game, player, other, seat).value([(game.start(), 1.0, 1.0)]) for seat in range(game.seats)]
    return sum(own for own, _ in found) / game.seats, sum(held for _, held in found) / game.seats


class BestResponse:
    """The best response of one seat to a player in all others, also evaluated against another player."""

    def __init__(self, game: Game, player: Player, other: Player, seat: Seat) -> None:
        self.game = game
        self.player = player
        self.other = other
        self.seat = seat
        self.walked = 0

    def value(self, nodes: list[Node]) -> tuple[float, float]:
        """Return the gain of the seat from positions that it cannot distinguish.

        Returns:
            The gain against the player, and against the other player.
        """
        own = held = 0.0
        asked: dict[bytes, dict[bytes, Node]] = {}
        while nodes:
            state, weight, other = nodes.pop()
            self.walked += 1
            if self.walked > MAX_POSITIONS:
                raise OptionError(f"{self.game.title} is too large for an exact best response.")
            if not state.stack:
                won = state.returns()[self.seat]
                own += weight * won
                held += other * won
            elif state.turn == self.seat:
                # Positions with the same view must get the same answer.
                alike = asked.setdefault(state_hash(state.mask(self.seat)), {})
                name = state_hash(state)
                _, before, before_other = alike.get(name, (state, 0.0, 0.0))
                alike[name] = (state, before + weight, before_other + other)
            else:
                nodes += self.following(state, weight, other)
        for alike in asked.values():
            first = next(iter(alike.values()))[0]
            options = [
                self.value([(next_state(s, action), w, v) for s, w, v in alike.values()]) for action in first.actions
            ]
            best = max(options, key=lambda option: option[0])
            own += best[0]
            held += best[1]
        return own, held

    def following(self, state: State, weight: float, other: float) -> list[Node]:
        """Return the positions after an action of chance or the player."""
        if state.turn == CHANCE:
            chances = chance_mixture(self.game, state)
            return [(next_state(state, action), weight * share, other * share) for action, share in chances]
        view = state.mask(state.turn)
        shares = dict(self.player(view))
        others = shares if self.other is self.player else dict(self.other(view))
        return [
            (next_state(state, action), weight * shares.get(action, 0.0), other * others.get(action, 0.0))
            for action in {**shares, **others}
        ]


def chance_mixture(game: Game, state: State) -> Mixture:
    """Return the mixture of chance in a position.

    Raises:
        OptionError: The game shuffles by seeds.
    """
    if state.actions[0] == SEED:
        raise OptionError(f"{game.title} shuffles by seeds here. An exact best response needs the option `exact`.")
    whole = sum(state.weights())
    return [(action, weight / whole) for action, weight in zip(state.actions, state.weights(), strict=True)]


def next_state(state: State, action: Action) -> State:
    """Return the position after an action of the deciding seat."""
    twin = state.clone()
    twin.apply(state.turn, action)
    return twin
