"""`python -m tools.fitting.generals_weights 3000` plays twice as many games and prints `WEIGHTS` and
`FITTED` of position_value.py anew.

In these games the plan of each turn is drawn by lot among the best, the better ones more often. So what a plan
leaves more or less of a term than the average of that lot is chance, and whether the game was then won tells what
the term brings: `WEIGHTS` are a logistic regression on those differences, with what was to be expected when the
turn began (`FITTED`, a regression of its own) as given. The first half of the games is played by `PLAIN`, the other
by what the first half taught; every other game is against the rule of thumb of `greedy`, on any decks.
"""

from __future__ import annotations

from argparse import ArgumentParser
from math import exp, sqrt
from operator import mul
from typing import Final, NamedTuple

from gonfalon.bots.players.bot import Bot
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.state import CHANCE
from gonfalon.games.generals.bots.plans import Manner, Plan, Planner
from gonfalon.games.generals.bots.position_value import LETHAL, LETHAL_LATER, PLAIN, SURE, TEMPO, TERMS, balance
from gonfalon.games.generals.bots.rule_of_thumb import RuleOfThumb
from gonfalon.games.generals.bots.turns import Turns, asks_main
from gonfalon.games.generals.game import Generals
from gonfalon.games.generals.rules.state import GeneralsState

BY_HAND: Final = (LETHAL, LETHAL_LATER, TEMPO)
"""Too rare, or the same in all plans."""
TEMPERATURE: Final = 0.3
"""By how many log-odds a plan is worse that is drawn e times less often."""
LOOKS: Final = 100
AGAIN: Final = 4
"""Plans of one turn, at most: who has drawn cards thinks anew."""
PULL: Final = 20.0
"""How strongly weights are held to 0, as by so many decisions."""
ROUNDS: Final = 12
NEAR_ENOUGH: Final = 1e-6


class Drawn(NamedTuple):
    """A turn's plan that was drawn."""

    seat: int
    before: list[float]  # the terms when the turn began
    more: list[float]  # those of the plan's end, less the mean of the lot


class Row(NamedTuple):
    """The same when the game is over."""

    before: list[float]
    more: list[float]
    won: float


def played(game: Generals, weights: list[float], greedy: int, rng: Rng) -> list[Row]:
    """One game; `greedy` is the seat of the rule of thumb, or -1."""
    state = game.start()
    thumb, player = RuleOfThumb(game), Bot("lot", game)
    drawn: list[Drawn] = []
    while not state.over:
        seat = state.turn
        if seat == CHANCE:
            state.apply(seat, state.chance(rng))
        elif seat == greedy:
            state.apply(seat, thumb.choose(state.mask(seat), rng)[0])
        elif asks_main(state):
            take_turn(state, player, weights, drawn, rng)
        else:
            playing(weights, rng).finish(state, seat)
    return [Row(one.before, one.more, float(state.winner == one.seat)) for one in drawn]


def playing(weights: list[float], rng: Rng) -> Turns:
    """Who carries plans out."""
    turns = Turns(weights, rng)
    turns.wary = True
    return turns


def take_turn(state: GeneralsState, player: Bot, weights: list[float], drawn: list[Drawn], rng: Rng) -> None:
    """A turn by lot."""
    seat = state.turn
    turns = playing(weights, rng)
    before = balance(state, seat, False)
    for _ in range(AGAIN):
        view = state.mask(seat)
        assert isinstance(view, GeneralsState)
        planner = Planner(view, player.sampler(view).sample, Manner(weights, weights, width=4, depth=8, plans=8), rng)
        planner.find(LOOKS)
        plan, more = lot(planner.plans, seat, rng)
        if more:
            drawn.append(Drawn(seat, before, more))
        left = len(state.deck[seat])
        for deed in plan.deeds:
            if asks_main(state) and state.turn == seat:
                turns.perform(state, seat, deed)
        if not plan.deeds or not asks_main(state) or state.turn != seat or len(state.deck[seat]) == left:
            break
    if asks_main(state) and state.turn == seat:
        turns.end(state)


def lot(plans: list[Plan], seat: int, rng: Rng) -> tuple[Plan, list[float]]:
    """A plan by lot, and what it leaves more of each term than the mean; nothing where there is no choice. A plan
    that wins is no matter of chance."""
    open_plans = [plan for plan in plans if plan.after.winner < 0 and plan.value > 1 - SURE]
    if plans[0].value >= SURE or len(open_plans) < 2:
        return plans[0], []
    shares = [exp((plan.value - open_plans[0].value) / TEMPERATURE) for plan in open_plans]
    total = sum(shares)
    at, point = 0, rng.random() * total
    while at < len(shares) - 1 and point >= shares[at]:
        point -= shares[at]
        at += 1
    ends = [balance(plan.after, seat, asks_main(plan.after)) for plan in open_plans]
    means = [sum(map(mul, shares, (end[i] for end in ends))) / total for i in range(TERMS)]
    return open_plans[at], [ends[at][i] - means[i] for i in range(TERMS)]


# ---- learning -----------------------------------------------------------------------------------


def learned(rows: list[Row]) -> tuple[list[float], list[float]]:
    """The weights to strive for, and those that tell who will win."""
    won = [row.won for row in rows]
    fitted = regression([row.before for row in rows], [0.0] * len(rows), won)
    given = [sum(map(mul, row.before, fitted)) for row in rows]
    return regression([row.more for row in rows], given, won), fitted


def regression(rows: list[list[float]], given: list[float], won: list[float]) -> list[float]:
    """Logistic, by Newton's steps; each term as it varies, `BY_HAND` as in `PLAIN`."""
    count = len(rows)
    free = [i for i in range(TERMS) if i not in BY_HAND and any(row[i] for row in rows)]
    base = [given[n] + sum(rows[n][i] * PLAIN[i] for i in BY_HAND) for n in range(count)]
    scales = [sqrt(sum(row[i] * row[i] for row in rows) / count) for i in free]
    columns = [[row[i] / scale for row in rows] for i, scale in zip(free, scales, strict=True)]
    found = [0.0] * len(free)
    told = base
    for _ in range(ROUNDS):
        chances = [1 / (1 + exp(-max(-30.0, min(30.0, value)))) for value in told]
        misses = [came - chance for came, chance in zip(won, chances, strict=True)]
        slopes = [sum(map(mul, column, misses)) - PULL * now for column, now in zip(columns, found, strict=True)]
        spreads = [chance * (1 - chance) for chance in chances]
        matrix = [[0.0] * len(free) for _ in free]
        for i, column in enumerate(columns):
            weighed = list(map(mul, column, spreads))
            for j in range(i + 1):
                matrix[i][j] = matrix[j][i] = sum(map(mul, weighed, columns[j]))
            matrix[i][i] += PULL
        step = solved(matrix, slopes)
        found = [now + change for now, change in zip(found, step, strict=True)]
        told = base[:]
        for column, weight in zip(columns, found, strict=True):
            told = [value + weight * term for value, term in zip(told, column, strict=True)]
        if max(map(abs, step)) < NEAR_ENOUGH:
            break
    weights = [PLAIN[i] if i in BY_HAND else 0.0 for i in range(TERMS)]
    for i, weight, scale in zip(free, found, scales, strict=True):
        weights[i] = weight / scale
    return weights


def solved(matrix: list[list[float]], right: list[float]) -> list[float]:
    """The solution of linear equations whose matrix is positive definite."""
    size = len(right)
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for i in range(size):
        for j in range(i + 1, size):
            part = rows[j][i] / rows[i][i]
            rows[j] = [a - part * b for a, b in zip(rows[j], rows[i], strict=True)]
    found = [0.0] * size
    for i in reversed(range(size)):
        found[i] = (rows[i][size] - sum(rows[i][j] * found[j] for j in range(i + 1, size))) / rows[i][i]
    return found


def made(games: int, seed: int = 1) -> tuple[list[float], list[float]]:
    """`WEIGHTS` and `FITTED`, from twice so many games."""
    rng = Rng(seed)
    decks = Generals().decks()
    words = [decks.word(deck) for deck in decks.ready()]
    tables: dict[tuple[str, str], Generals] = {}
    rows: list[Row] = []
    weights = PLAIN
    fitted = PLAIN
    for _ in range(2):
        for _ in range(games):
            chosen = (words[rng.below(len(words))], words[rng.below(len(words))])
            if chosen not in tables:
                tables[chosen] = Generals(decks=chosen)
            rows += played(tables[chosen], weights, (-1, 0, -1, 1)[rng.below(4)], rng)
        weights, fitted = learned(rows)
    return weights, fitted


def main() -> None:
    """The command."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("games", type=int)
    for name, weights in zip(("WEIGHTS", "FITTED"), made(parser.parse_args().games), strict=True):
        print(f"{name} = {[round(weight, 4) for weight in weights]}")


if __name__ == "__main__":
    main()
