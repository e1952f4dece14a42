"""Puzzles tried again: in other worlds, ten times as many, and played to the end by the second referee."""

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
from tools.puzzles.trying import ENDED, FRESH, OpenTrial, Trial, Worths

DEEPER: Final = 10
RIVALS: Final = 2
"""Answers that the best one is set against: those that were nearest to it."""
AGAIN: Final = 9
"""Use of a puzzle's stream."""


class Tried(NamedTuple):
    """What became of a puzzle. A lead is over the nearest answer, with its standard error; that of the open answer of a
    jewel over the best one from the view."""

    number: int
    lead: float
    error: float
    end_lead: float
    end_error: float
    opened: tuple[float, float] | None
    """What the open answer is ahead by, in deals and to the end; None where it is no jewel."""
    spent: float
    """Seconds of CPU time."""

    @property
    def stands(self) -> bool:
        """Whether the answer is still the best one, to both, and so is the open one."""
        return min(self.lead, self.end_lead, *(self.opened or ())) > 0.0


def sample(kind: type[Game], count: int, seed: int, jewels: bool) -> list[int]:
    """The numbers of some puzzles of a game, or of some jewels, all of them when there are no more. Raises Unknown."""
    numbers = [n for n, puzzle in enumerate(shelf.list_puzzles(kind), 1) if puzzle.jewel or not jewels]
    if not numbers:
        raise shelf.UnknownPuzzleError(f"{kind.title} has no jewels yet." if jewels else shelf.format_no_puzzles(kind))
    Rng(seed).shuffle(numbers)
    return sorted(numbers[:count])


def try_again(name: str, seed: int, number: int) -> Tried:
    """Try one puzzle again."""
    began = process_time()
    kind = games.kind(name)
    puzzle = shelf.list_puzzles(kind)[number - 1]
    position = Position(puzzle, games.game)
    trial = Trial(Table(position.game), position.view, derive_seed(seed, number, AGAIN))
    nearest = sorted(puzzle.losses, key=lambda answer: puzzle.losses[answer])[:RIVALS]
    rivals = [position.game.parse(answer) for answer in nearest]
    found = []
    for run, worlds in ((trial.in_worlds, FRESH), (trial.to_the_end, ENDED)):
        worths = Worths()
        run(worths, [position.best, *rivals], DEEPER * worlds)
        found.append(min(worths.ahead(position.best, rival) for rival in rivals))
    (lead, wrong), (end_lead, end_wrong) = found
    open_leads = open_again(trial.judge, position) if puzzle.jewel else None
    return Tried(number, lead, wrong, end_lead, end_wrong, open_leads, process_time() - began)


def open_again(judge: Judge, position: Position) -> tuple[float, float]:
    """By how much the open answer of a jewel is ahead this time."""
    game, puzzle = position.game, position.puzzle
    trial = OpenTrial(judge, position.state, position.others)
    other = game.parse(puzzle.open_best)
    deals, ends = Worths(), Worths()
    trial.in_worlds(deals, [other, position.best], DEEPER * FRESH)
    trial.to_the_end(ends, [other, position.best], DEEPER * ENDED)
    return deals.ahead(other, position.best)[0], ends.ahead(other, position.best)[0]


def check(name: str, count: int, seed: int, workers: int, jewels: bool) -> Iterator[Tried]:
    """Try some puzzles of a game again, or some jewels. Raises Unknown."""
    numbers = sample(games.kind(name), count, seed, jewels)
    work: Callable[[int], Tried] = partial(try_again, name, seed)
    pool = ProcessPoolExecutor(workers, get_context("spawn")) if workers > 1 else None
    with pool or nullcontext():
        yield from map(work, numbers) if pool is None else pool.map(work, numbers)
