"""Puzzles of a file proved again, in other and more worlds. Those that fail are removed."""

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
from tools.puzzles.finding import add_proof, prove_answer
from tools.puzzles.opening import explain_open_answer
from tools.puzzles.proofs import rewrite_puzzles
from tools.puzzles.sorting import find_kind
from tools.puzzles.trying import Trial
from tools.reviews.baselines import get_table

ANEW: Final = 11
"""Use of a puzzle's random stream."""


def renew_puzzle(times: int, seed: int, puzzle: Puzzle) -> Puzzle | None:
    """Return a puzzle with a new proof of its answer; None if there is no proof.

    Raises:
        PuzzleError: The puzzle is faulty.
        RecordError: Its position cannot be restored.
    """
    position = Position(puzzle, games.game)
    game, best = position.game, position.best
    table = get_table(game)
    trial = Trial(table, position.view, derive_seed(seed, len(puzzle.decisions), ANEW))
    proof = prove_answer(trial, best, game.parse(puzzle.second), None, times)
    if proof is None:
        return None
    judged = replace(puzzle, network=table.network, source=puzzle.source | {"renewed": seed})
    found = add_proof(game, position.view, judged, proof)
    if not puzzle.jewel:
        return found
    return replace(
        found,
        kind=find_kind(game, position.view, best, proof.second, True, found.agree),
        why=f"{found.why} {explain_open_answer(trial.judge, position.state)}".strip(),
    )


def renew_file(
    path: Path, numbers: Iterable[int], times: int, seed: int, workers: int
) -> Iterator[tuple[int, Puzzle | None]]:
    """Prove puzzles of a file again, selected by number or all.

    The last puzzle of the file takes the number of a removed one, so that most keep their numbers.

    Raises:
        PuzzleError: The file is damaged, or a number is unknown.
        RecordError: A position cannot be restored.
    """
    puzzles = read_puzzles(path)
    if not puzzles:
        raise PuzzleError(f"There are no puzzles in {path}.")
    wanted = sorted(set(numbers)) or list(range(1, len(puzzles) + 1))
    if wanted[0] < 1 or wanted[-1] > len(puzzles):
        raise PuzzleError(f"{path.name} has the puzzles 1 to {len(puzzles)}.")
    work: Callable[[Puzzle], Puzzle | None] = partial(renew_puzzle, times, seed)
    pool = ProcessPoolExecutor(workers, get_context("spawn")) if workers > 1 else None
    kept: list[Puzzle | None] = list(puzzles)
    with pool or nullcontext():
        some = [puzzles[number - 1] for number in wanted]
        for number, found in zip(wanted, map(work, some) if pool is None else pool.map(work, some), strict=True):
            kept[number - 1] = found
            yield number, found
    rewrite_puzzles(path, fill_gaps(kept))


def fill_gaps(kept: list[Puzzle | None]) -> list[Puzzle]:
    """Return a list whose gaps are filled from its end."""
    left = list(kept)
    for n in range(len(left)):
        while left and n < len(left) and left[n] is None:
            last = left.pop()
            if n < len(left):
                left[n] = last
    return [one for one in left if one is not None]
