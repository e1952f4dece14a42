"""`python -m tools.fitting.factionwars_opponents 12` prints `KINDS` of opponents.py anew, and
how far what Expert expects of the others comes true.

In so many games for each of the five levels and the rule of thumb these have all seats but one, from which somebody of
the rule of thumb looks on. Each level counts alike, however many picks it has made. Another seed gives games that
nothing was fitted to.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import dataclass
from math import log
from typing import Final

from gonfalon import games
from gonfalon.bots import Budget, levels, make
from gonfalon.bots.players.budget import Clock
from gonfalon.core.basics.cards import KIND
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.state import CHANCE
from gonfalon.games.factionwars.bots.inference import Guess, Pool
from gonfalon.games.factionwars.bots.opponents import KINDS, mixed
from gonfalon.games.factionwars.bots.search_levels import Question, TrialBot
from gonfalon.games.factionwars.bots.trial_round import Trial
from gonfalon.games.factionwars.rules.actions import TAKE
from gonfalon.games.factionwars.rules.state import FactionState

LEVELS: Final = [level for level in levels() if level != "random"]
FEW: Final = Budget(iterations=120)
"""Expert picks much the same with more."""
LEAST: Final = 0.1
"""Of those who do anything: nobody knows who sits there."""
ROUNDS: Final = 60
BINS: Final = 10


@dataclass(frozen=True)
class Pick:
    """What somebody picked, and what each kind of player would have picked there."""

    level: str
    kinds: dict[str, list[float]]
    cards: list[int]
    place: int


def picks(seats: int, count: int, seed: int) -> Iterator[Pick]:
    """What everybody picks."""
    game = games.game("factionwars", seats=seats)
    onlooker = make("expert", game)
    assert isinstance(onlooker, TrialBot)
    simple = make("greedy", game)
    rng = Rng(seed)
    for level in LEVELS:
        other = make(level, game)
        for _ in range(count):
            state = game.start()
            waiting: dict[int, dict[str, list[float]]] = {}
            while not state.over:
                seat = state.turn
                if seat == CHANCE:
                    state.apply(seat, state.chance(rng))
                    continue
                view = state.mask(seat)
                assert isinstance(view, FactionState)
                select = view.stack[-1].prompt == "select"
                if select and seat == 0:
                    waiting = expected(onlooker, view, rng)
                bot = simple if seat == 0 else other
                action = bot.choose(view, FEW if level == "expert" and bot is other else None, rng).action
                if select and seat in waiting:
                    cards = [card & KIND for card in view.lineup]
                    yield Pick(level, waiting.pop(seat), cards, action - TAKE)
                state.apply(seat, action)


def expected(bot: TrialBot, view: FactionState, rng: Rng) -> dict[int, dict[str, list[float]]]:
    """For each other seat what each kind of player would pick."""
    pool = Pool(bot.sampler(view).sample, Guess(bot.table, view, True), rng, bot.settings.worlds)
    trial = Trial(bot.table.setup, bot.valuer, view)
    asked = Question(bot.table, view, trial, pool, Clock(Budget(iterations=1)), rng)
    own = bot.sight(asked)
    return {seat: asked.people().kinds(seat, own[seat]) for seat in range(view.seats) if seat != view.viewer}


def weights(found: list[Pick]) -> list[float]:
    """What each pick counts, so that each level counts alike."""
    count = {level: sum(pick.level == level for pick in found) for level in LEVELS}
    return [1.0 / (len(LEVELS) * count[pick.level]) for pick in found]


def fitted(found: list[Pick]) -> dict[str, float]:
    """The shares of the kinds that explain these picks best, by expectation maximisation."""
    shares = dict.fromkeys(KINDS, 1.0 / len(KINDS))
    for _ in range(ROUNDS):
        sums = dict.fromkeys(KINDS, 0.0)
        for pick, weight in zip(found, weights(found), strict=True):
            likely = {name: shares[name] * pick.kinds[name][pick.place] for name in KINDS}
            for name in KINDS:
                sums[name] += weight * likely[name] / sum(likely.values())
        rest = sum(sums.values()) - sums["any"]
        any_ = max(LEAST, sums["any"])
        shares = {name: any_ if name == "any" else (1.0 - any_) * sums[name] / rest for name in KINDS}
    return shares


def told(pick: Pick, shares: dict[str, float]) -> list[tuple[float, bool]]:
    """The chances that are told of a pick, card by card, and whether they came true."""
    found: dict[int, tuple[float, bool]] = {}
    for place, (kind, chance) in enumerate(zip(pick.cards, mixed(shares, pick.kinds), strict=True)):
        before, came = found.get(kind, (0.0, False))
        found[kind] = (before + chance, came or place == pick.place)
    return list(found.values())


def error_of(chances: list[tuple[float, float, bool]]) -> float:
    """The expected calibration error: the mean distance, in ten bins, of chances from what came true. Each comes with
    what it counts."""
    bins = [[0.0, 0.0, 0.0] for _ in range(BINS)]
    for weight, chance, came in chances:
        found = bins[min(BINS - 1, int(BINS * chance))]
        found[0] += weight
        found[1] += weight * chance
        found[2] += weight * came
    return sum(abs(chance - came) for _, chance, came in bins) / sum(weight for weight, _, _ in bins)


def measured(found: list[Pick], shares: dict[str, float]) -> float:
    """How far what is told of these picks is from what came true."""
    weighed = zip(found, weights(found), strict=True)
    return error_of([(weight, chance, came) for pick, weight in weighed for chance, came in told(pick, shares)])


def main() -> None:
    """The command."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("games", type=int)
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    found = list(picks(args.seats, args.games, args.seed))
    best = fitted(found)
    print("KINDS =", {name: round(share, 3) for name, share in best.items()})
    for name, shares in (("as it is", KINDS), ("fitted anew", best)):
        weighed = zip(found, weights(found), strict=True)
        surprise = -sum(weight * log(mixed(shares, pick.kinds)[pick.place]) for pick, weight in weighed)
        print(f"{name}: {len(found)} picks, error {measured(found, shares):.3f}, {surprise:.3f} nats a pick")
        for level in LEVELS:
            chances = [(1.0, *one) for pick in found if pick.level == level for one in told(pick, shares)]
            print(f"  {level}: {error_of(chances):.3f}")


if __name__ == "__main__":
    main()
