"""Puzzles found in many games: those of files, or games that levels play for it."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from functools import partial
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path
from time import process_time
from typing import Final, NamedTuple

from gonfalon import games
from gonfalon.core.basics.options import Options
from gonfalon.core.basics.rng import Rng
from gonfalon.core.files.record import Record
from gonfalon.lab.run.match import MIX, WORD, matchups
from gonfalon.puzzles.files import Position, Puzzle, PuzzleError, read_puzzles
from gonfalon.review.judging.budgets import Budgets, derive_seed
from gonfalon.review.judging.judging import Judge
from tools.puzzles.finding import Finder
from tools.puzzles.opening import dealt_anew, set_open
from tools.puzzles.proofs import rewrite, write
from tools.reviews.baselines import ordinary_game, table_of

DEALT: Final = 10
"""Use of a puzzle's stream."""


class Mined(NamedTuple):
    """What was found in one game, and the seconds of CPU time that it took."""

    number: int
    puzzles: list[Puzzle]
    spent: float


def of_record(record: Record, seed: int, jewels: bool = False) -> list[Puzzle]:
    """The puzzles of a finished game, or the jewels alone."""
    source: dict[str, object] = {"record": sha256(record.dumps().encode()).hexdigest()[:32]}
    return list(Finder(record, source, seed, jewels=jewels).find())


def of_game(name: str, setups: list[Options], seed: int, jewels: bool, number: int) -> Mined:
    """The puzzles of a game that two ordinary levels play; its number is its deal."""
    began = process_time()
    record = ordinary_game(name, setups, seed, number)
    source: dict[str, object] = {"seed": seed, "number": number}
    own = (seed + (number + 1) * MIX) & WORD
    found = list(Finder(record, source, own, table_of(record.game), jewels).find())
    return Mined(number, found, process_time() - began)


def mine(
    name: str, options: Options, count: int, seed: int, workers: int, path: Path | None, jewels: bool = False
) -> Iterator[Mined]:
    """Look through so many games, in their order; a file that has some of them is gone on with. Raises OptionError,
    PuzzleError."""
    setups = matchups(name, options)
    begun = first_new(path, seed)
    work = partial(of_game, name, setups, seed, jewels)
    pool = ProcessPoolExecutor(workers, get_context("spawn")) if workers > 1 else None
    with pool or nullcontext():
        numbers = range(begun, count)
        for mined in map(work, numbers) if pool is None else pool.map(work, numbers):
            if path is not None:
                write(path, mined.puzzles)
            yield mined


def first_new(path: Path | None, seed: int) -> int:
    """The number of the first game that a file has not been given yet, as far as it can tell."""
    if path is None:
        return 0
    numbers = [puzzle.source.get("number") for puzzle in read_puzzles(path) if puzzle.source.get("seed") == seed]
    return max((number for number in numbers if isinstance(number, int)), default=-1) + 1


def deal_anew(path: Path, wanted: int) -> Iterator[Puzzle]:
    """Lay puzzles of a file out with other cards until it has so many jewels; each is written in its place at once.
    Those that turn most on what is hidden come first. Raises PuzzleError, RecordError."""
    if not path.exists():
        raise PuzzleError(f"There is no file {path}.")
    puzzles = read_puzzles(path)
    missing = wanted - sum(puzzle.jewel for puzzle in puzzles)
    for n in sorted(range(len(puzzles)), key=lambda n: puzzles[n].agree):
        if missing <= 0:
            return
        jewel = None if puzzles[n].jewel else as_jewel(puzzles[n])
        if jewel is not None:
            puzzles[n] = jewel
            rewrite(path, puzzles)
            missing -= 1
            yield jewel


def as_jewel(puzzle: Puzzle) -> Puzzle | None:
    """A puzzle with other cards, likely ones, that make it a jewel. Raises PuzzleError, RecordError."""
    at, seed = len(puzzle.decisions), puzzle.source.get("proof_seed")
    if not isinstance(seed, int):
        raise PuzzleError("A puzzle of this file does not say by which seed it was proved (`proof_seed`).")
    position = Position(puzzle, games.game)
    judge = Judge(table_of(position.game), position.view, Budgets(), Rng(derive_seed(seed, at, DEALT)))
    losses = {position.game.parse(answer): loss for answer, loss in puzzle.losses.items()}
    found = dealt_anew(judge, position.best, sorted(losses, key=lambda answer: losses[answer]))
    return None if found is None else set_open(judge, puzzle, position.state, found)
