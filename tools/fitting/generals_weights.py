"""`python -m tools.fitting.generals_weights 6000` plays games, and prints `WEIGHTS` and `FITTED` of position_value.py.

In these games the heuristic draws each action of a Main Phase at random, the better ones more often. The difference
that an action makes to a term, compared with the average of the draw, is therefore chance, and the result of the game
tells the value of the term: `WEIGHTS` are a logistic regression on those differences, given the expected result when
the turn began (`FITTED`, a regression of its own). Every other game is against the rule of thumb, with any preset
decks. Run it again with the new numbers until they settle.
"""

from __future__ import annotations

from argparse import ArgumentParser
from math import exp, sqrt
from operator import mul
from typing import Final, NamedTuple

from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.state import CHANCE, Action, Seat
from gonfalon.games.generals.bots.heuristic import GeneralsHeuristic
from gonfalon.games.generals.bots.look_ahead import Line, asks_main
from gonfalon.games.generals.bots.position_value import (
    LETHAL,
    LETHAL_LATER,
    MAX_LOG_ODDS,
    TEMPO,
    TERM_COUNT,
    WEIGHTS,
    compute_balance,
)
from gonfalon.games.generals.game import Generals

BY_HAND: Final = (LETHAL, LETHAL_LATER, TEMPO)
"""Terms that are too rare, or equal after all actions."""
TEMPERATURE: Final = 0.3
"""The log-odds of winning by which an action is worse that is drawn e times less often."""
PULL: Final = 20.0
"""The strength with which weights are held to 0, in decisions."""
ROUNDS: Final = 12
NEAR_ENOUGH: Final = 1e-6


class Drawn(NamedTuple):
    """An action that was drawn."""

    seat: int
    before: list[float]  # the terms when the turn began
    more: list[float]  # the terms after the action, less the mean of the draw


class Row(NamedTuple):
    """An action of a finished game."""

    before: list[float]
    more: list[float]
    won: float


def play_game(game: Generals, greedy: int, rng: Rng) -> list[Row]:
    """Return the actions drawn in one game; `greedy` is the seat of the rule of thumb, or -1."""
    state = game.start()
    rule, heuristic = game.rule_of_thumb(), GeneralsHeuristic(game)
    drawn: list[Drawn] = []
    turn, before = 0, [0.0] * TERM_COUNT
    while not state.over:
        seat = state.turn
        if seat == CHANCE:
            state.apply(seat, state.chance(rng))
        elif seat == greedy or not asks_main(state):
            state.apply(seat, rule.choose(state.mask(seat), rng)[0])
        else:
            if state.number != turn:
                turn, before = state.number, compute_balance(state, seat, False)
            action, more = draw_line(heuristic.lines(state, 1), seat, rng)
            if more:
                drawn.append(Drawn(seat, before, more))
            state.apply(seat, action)
    return [Row(one.before, one.more, float(state.winner == one.seat)) for one in drawn]


def draw_line(lines: list[Line], seat: int, rng: Rng) -> tuple[Action, list[float]]:
    """Draw the action of a line by its value.

    Returns:
        The action, and the differences of its terms from the mean; an empty list if there was no choice. A winning line
        is
        always chosen.
    """
    best = max(lines, key=lambda line: line.value)
    lines = [line for line in lines if line.end.winner < 0 and line.value > 1 - MAX_LOG_ODDS]
    if best.value >= MAX_LOG_ODDS or len(lines) < 2:
        return best.actions[0], []
    shares = [exp((line.value - best.value) / TEMPERATURE) for line in lines]
    total = sum(shares)
    at, point = 0, rng.random() * total
    while at < len(shares) - 1 and point >= shares[at]:
        point -= shares[at]
        at += 1
    ends = [compute_terms_after(line, seat) for line in lines]
    means = [sum(map(mul, shares, (end[i] for end in ends))) / total for i in range(TERM_COUNT)]
    return lines[at].actions[0], [ends[at][i] - means[i] for i in range(TERM_COUNT)]


def compute_terms_after(line: Line, seat: Seat) -> list[float]:
    """Return the terms of the position after a line."""
    end = line.end
    return compute_balance(end, seat, asks_main(end)) if end.winner < 0 else [0.0] * TERM_COUNT


# ---- learning -----------------------------------------------------------------------------------


def learn_weights(rows: list[Row]) -> tuple[list[float], list[float]]:
    """Return the weights of actions, and the weights that predict the winner."""
    won = [row.won for row in rows]
    fitted = fit_regression([row.before for row in rows], [0.0] * len(rows), won)
    given = [sum(map(mul, row.before, fitted)) for row in rows]
    return fit_regression([row.more for row in rows], given, won), fitted


def fit_regression(rows: list[list[float]], given: list[float], won: list[float]) -> list[float]:
    """Return the weights of a logistic regression by Newton's method.

    Terms are normalized, and those of `BY_HAND` keep their values in `WEIGHTS`.
    """
    count = len(rows)
    free = [i for i in range(TERM_COUNT) if i not in BY_HAND and any(row[i] for row in rows)]
    base = [given[n] + sum(rows[n][i] * WEIGHTS[i] for i in BY_HAND) for n in range(count)]
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
        step = solve_equations(matrix, slopes)
        found = [now + change for now, change in zip(found, step, strict=True)]
        told = base[:]
        for column, weight in zip(columns, found, strict=True):
            told = [value + weight * term for value, term in zip(told, column, strict=True)]
        if max(map(abs, step)) < NEAR_ENOUGH:
            break
    weights = [WEIGHTS[i] if i in BY_HAND else 0.0 for i in range(TERM_COUNT)]
    for i, weight, scale in zip(free, found, scales, strict=True):
        weights[i] = weight / scale
    return weights


def solve_equations(matrix: list[list[float]], right: list[float]) -> list[float]:
    """Return the solution of linear equations with a positive definite matrix."""
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


def fit_weights(games: int, seed: int = 1) -> tuple[list[float], list[float]]:
    """Return `WEIGHTS` and `FITTED` from games."""
    rng = Rng(seed)
    decks = Generals().decks()
    words = [decks.word(deck) for deck in decks.ready()]
    tables: dict[tuple[str, str], Generals] = {}
    rows: list[Row] = []
    for _ in range(games):
        chosen = (words[rng.below(len(words))], words[rng.below(len(words))])
        if chosen not in tables:
            tables[chosen] = Generals(decks=chosen)
        rows += play_game(tables[chosen], (-1, 0, -1, 1)[rng.below(4)], rng)
    return learn_weights(rows)


def main() -> None:
    """Run the command."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("games", type=int)
    for name, weights in zip(("WEIGHTS", "FITTED"), fit_weights(parser.parse_args().games), strict=True):
        print(f"{name} = {[round(weight, 4) for weight in weights]}")


if __name__ == "__main__":
    main()
