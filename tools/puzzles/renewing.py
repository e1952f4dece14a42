"""Puzzles of a file proved anew, in other worlds and more of them; what does not stand is struck."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Final

from gonfalon import games
from gonfalon.puzzles.files import Position, Puzzle, PuzzleError, read_puzzles
from gonfalon.review.judging.budgets import derive_seed
from tools.puzzles.finding import prove, with_proof
from tools.puzzles.opening import Opened, open_words
from tools.puzzles.proofs import rewrite
from tools.puzzles.sorting import kind_of
from tools.puzzles.trying import Trial, Worths
from tools.reviews.baselines import table_of

ANEW: Final = 11
"""Use of a puzzle's stream."""


def renewed(times: int, seed: int, puzzle: Puzzle) -> Puzzle | None:
    """A puzzle with a new proof of its answer; None where there is none. Raises PuzzleError, RecordError."""
    position = Position(puzzle, games.game)
    game, best = position.game, position.best
    table = table_of(game)
    trial = Trial(table, position.view, derive_seed(seed, len(puzzle.decisions), ANEW))
    proof = prove(trial, best, game.parse(puzzle.second), None, times)
    if proof is None:
        return None
    judged = replace(puzzle, network=table.network, source=puzzle.source | {"renewed": seed})
    found = with_proof(game, position.view, judged, proof)
    if not puzzle.jewel:
        return found
    told = Opened(game.parse(puzzle.open_best), position.others, Worths(), Worths(), puzzle.dealt)
    return replace(
        found,
        kind=kind_of(game, position.view, best, proof.second, True, found.agree),
        why=f"{found.why} {open_words(trial.judge, position.state, told)}",
    )


def renew(
    path: Path, numbers: Iterable[int], times: int, seed: int, workers: int
) -> Iterator[tuple[int, Puzzle | None]]:
    """Prove puzzles of a file anew by their numbers, all where none are given. Each that is struck leaves its number to
    the last one, so that most stay what they were. Raises PuzzleError, RecordError."""
    puzzles = read_puzzles(path)
    if not puzzles:
        raise PuzzleError(f"There are no puzzles in {path}.")
    wanted = sorted(set(numbers)) or list(range(1, len(puzzles) + 1))
    if wanted[0] < 1 or wanted[-1] > len(puzzles):
        raise PuzzleError(f"{path.name} has the puzzles 1 to {len(puzzles)}.")
    work: Callable[[Puzzle], Puzzle | None] = partial(renewed, times, seed)
    pool = ProcessPoolExecutor(workers, get_context("spawn")) if workers > 1 else None
    kept: list[Puzzle | None] = list(puzzles)
    with pool or nullcontext():
        some = [puzzles[number - 1] for number in wanted]
        for number, found in zip(wanted, map(work, some) if pool is None else pool.map(work, some), strict=True):
            kept[number - 1] = found
            yield number, found
    rewrite(path, filled(kept))


def filled(kept: list[Puzzle | None]) -> list[Puzzle]:
    """What is left of a list whose gaps the last ones fill."""
    left = list(kept)
    for n in range(len(left)):
        while left and n < len(left) and left[n] is None:
            last = left.pop()
            if n < len(left):
                left[n] = last
    return [one for one in left if one is not None]
