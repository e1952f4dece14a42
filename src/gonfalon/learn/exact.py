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
from typing import Final

from gonfalon.bots import Bot
from gonfalon.bots.outside.process_bot import ProcessBot
from gonfalon.bots.players.uniform import RandomBot
from gonfalon.bots.search.mixed_bot import MixedBot as MixedBot
from gonfalon.bots.search.mixed_bot import Mixture
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import Action, State
from gonfalon.lab.run.sequential import RunningMean
from gonfalon.learn.sequence_form import Player, SequenceForm
from gonfalon.vector.networks import PolicyBot

TARGET_WIDTH: Final = 0.05
"""Width of the interval at which samples stop growing."""
SAMPLE_PAIRS: Final = 8
"""Number of pairs of samples."""
MAX_ANSWERS: Final = 50_000
"""Maximum number of sampled answers, unless one answer for each view and sample needs more."""


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


def measure_exact(form: SequenceForm, player: Player) -> float:
    """Return the average gain of the best responses to a player, over both seats.

    It is 0 for an equilibrium, and 1 for a player that always loses.
    """
    return sum(form.best_responses([treeplex.ask(player) for treeplex in form.seats])) / 2


def measure_exploitability(game: Game, bot: Bot, seed: int) -> tuple[float, float]:
    """Return the ends of the 95 % interval of a bot's exploitability; they are equal if it is exact.

    Raises:
        OptionError: The game is not for two, is too large, or has no exact chance.
    """
    form = SequenceForm(game)
    stated = known_mixture(bot)
    if stated is not None:
        found = measure_exact(form, stated)
        return found, found
    first = SampledPlayer(bot, seed, draws=2 * SAMPLE_PAIRS)
    found = measure_exact(form, first)
    # A bot that always answers alike is deterministic for this purpose.
    if all(len(set(answers)) == 1 for answers in first.answers.values()):
        return found, found
    streams = Rng(seed)
    pairs = [(SampledPlayer(bot, streams.seed()), SampledPlayer(bot, streams.seed())) for _ in range(SAMPLE_PAIRS)]
    while True:
        low, high = RunningMean(grain=0.0), RunningMean(grain=0.0)
        for one, two in pairs:
            held_out, known = measure_pair(form, one, two)
            low.add(held_out)
            high.add(known)
        ends = low.mean - low.half_width(), high.mean + high.half_width()
        samples = [sample for pair in pairs for sample in pair]
        answers = sum(len(found) for sample in samples for found in sample.answers.values())
        if ends[1] - ends[0] <= TARGET_WIDTH or 4 * answers > MAX_ANSWERS:
            return ends
        for sample in samples:
            # Quadrupling the sample halves its error.
            sample.draws *= 4


def measure_pair(form: SequenceForm, one: Player, two: Player) -> tuple[float, float]:
    """Return the average gain of the best responses to each of two samples, over both seats.

    Returns:
        The gain against the other sample, and against the sample itself.
    """
    plans = [[treeplex.plan(treeplex.ask(player)) for treeplex in form.seats] for player in (one, two)]
    held_out = known = 0.0
    for seat, treeplex in enumerate(form.seats):
        for own, other in (plans, plans[::-1]):
            value, response = treeplex.respond(form.gains(seat, own[1 - seat]))
            known += value / 4
            held_out += float(treeplex.plan(response) @ form.gains(seat, other[1 - seat])) / 4
    return held_out, known
