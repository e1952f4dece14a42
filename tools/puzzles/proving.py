"""Puzzles checked again: in ten times as many other worlds, and in complete playouts by the second judge."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from functools import partial
from multiprocessing import get_context
from time import process_time
from typing import Final, NamedTuple

from gonfalon import games
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.game import Game
from gonfalon.puzzles import shelf
from gonfalon.puzzles.files import Position
from gonfalon.review.judging.budgets import derive_seed
from gonfalon.review.judging.judging import Judge
from gonfalon.review.judging.players import Table
from tools.puzzles.trying import FRESH_WORLDS, PLAYOUT_WORLDS, OpenTrial, Trial, Worths

WORLD_FACTOR: Final = 10
"""Factor of the number of worlds."""
RIVAL_COUNT: Final = 2
"""Number of other answers to compare with: the closest ones."""
AGAIN: Final = 9
"""Use of a puzzle's random stream."""


class CheckResult(NamedTuple):
    """The result of a check. Leads are over the closest answer, with standard errors."""

    number: int
    lead: float
    error: float
    end_lead: float
    end_error: float
    opened: tuple[float, float] | None
    """Lead of a jewel's open answer, in deals and in complete playouts; None for other puzzles."""
    spent: float
    """CPU seconds."""

    @property
    def stands(self) -> bool:
        """Whether the answer is still the best one in both, and so is the open one."""
        return min(self.lead, self.end_lead, *(self.opened or ())) > 0.0


def sample_puzzles(kind: type[Game], count: int, seed: int, jewels: bool) -> list[int]:
    """Return the numbers of some puzzles or jewels of a game.

    Raises:
        Unknown: There are none.
    """
    numbers = [n for n, puzzle in enumerate(shelf.list_puzzles(kind), 1) if puzzle.jewel or not jewels]
    if not numbers:
        raise shelf.UnknownPuzzleError(f"{kind.title} has no jewels yet." if jewels else shelf.format_no_puzzles(kind))
    Rng(seed).shuffle(numbers)
    return sorted(numbers[:count])


def try_again(name: str, seed: int, number: int) -> CheckResult:
    """Check one puzzle again."""
    began = process_time()
    kind = games.find_game_class(name)
    puzzle = shelf.list_puzzles(kind)[number - 1]
    position = Position(puzzle, games.game)
    trial = Trial(Table(position.game), position.view, derive_seed(seed, number, AGAIN))
    nearest = sorted(puzzle.losses, key=lambda answer: puzzle.losses[answer])[:RIVAL_COUNT]
    rivals = [position.game.parse(answer) for answer in nearest]
    found = []
    for run, worlds in ((trial.in_worlds, FRESH_WORLDS), (trial.to_the_end, PLAYOUT_WORLDS)):
        worths = Worths()
        run(worths, [position.best, *rivals], WORLD_FACTOR * worlds)
        found.append(min(worths.ahead(position.best, rival) for rival in rivals))
    (lead, wrong), (end_lead, end_wrong) = found
    open_leads = measure_open(trial.judge, position) if puzzle.jewel else None
    return CheckResult(number, lead, wrong, end_lead, end_wrong, open_leads, process_time() - began)


def measure_open(judge: Judge, position: Position) -> tuple[float, float]:
    """Return the new leads of a jewel's open answer."""
    game, puzzle = position.game, position.puzzle
    trial = OpenTrial(judge, position.state, position.others)
    other = game.parse(puzzle.open_best)
    deals, ends = Worths(), Worths()
    trial.in_worlds(deals, [other, position.best], WORLD_FACTOR * FRESH_WORLDS)
    trial.to_the_end(ends, [other, position.best], WORLD_FACTOR * PLAYOUT_WORLDS)
    return deals.ahead(other, position.best)[0], ends.ahead(other, position.best)[0]


def check_puzzles(name: str, count: int, seed: int, workers: int, jewels: bool) -> Iterator[CheckResult]:
    """Check some puzzles or jewels of a game again.

    Raises:
        Unknown: There are none.
    """
    numbers = sample_puzzles(games.find_game_class(name), count, seed, jewels)
    work: Callable[[int], CheckResult] = partial(try_again, name, seed)
    pool = ProcessPoolExecutor(workers, get_context("spawn")) if workers > 1 else None
    with pool or nullcontext():
        yield from map(work, numbers) if pool is None else pool.map(work, numbers)
