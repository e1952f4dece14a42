"""The search for puzzles in many games, from files or played by levels."""

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
from gonfalon.lab.run.match import SEED_FACTOR, WORD_MASK, list_matchups
from gonfalon.puzzles.files import Position, Puzzle, PuzzleError, read_puzzles
from gonfalon.review.judging.budgets import Budgets, derive_seed
from gonfalon.review.judging.judging import Judge
from tools.puzzles.finding import Finder
from tools.puzzles.opening import find_redealt_answer, make_jewel
from tools.puzzles.proofs import append_puzzles, rewrite_puzzles
from tools.reviews.baselines import get_table, play_ordinary_game

DEALT: Final = 10
"""Use of a puzzle's random stream."""


class Mined(NamedTuple):
    """The puzzles of one game, and its CPU seconds."""

    number: int
    puzzles: list[Puzzle]
    spent: float


def find_in_record(record: Record, seed: int, jewels: bool = False) -> list[Puzzle]:
    """Return the puzzles of a finished game, or only its jewels."""
    source: dict[str, object] = {"record": sha256(record.dumps().encode()).hexdigest()[:32]}
    return list(Finder(record, source, seed, jewels=jewels).find())


def find_in_game(name: str, setups: list[Options], seed: int, jewels: bool, number: int) -> Mined:
    """Return the puzzles of a game between two ordinary levels. Its number is its deal."""
    began = process_time()
    record = play_ordinary_game(name, setups, seed, number)
    source: dict[str, object] = {"seed": seed, "number": number}
    own = (seed + (number + 1) * SEED_FACTOR) & WORD_MASK
    found = list(Finder(record, source, own, get_table(record.game), jewels).find())
    return Mined(number, found, process_time() - began)


def mine_games(
    name: str, options: Options, count: int, seed: int, workers: int, path: Path | None, jewels: bool = False
) -> Iterator[Mined]:
    """Search games in order, and continue an existing file.

    Raises:
        OptionError: An option is unknown.
        PuzzleError: The file is damaged.
    """
    setups = list_matchups(name, options)
    begun = find_first_new(path, seed)
    work = partial(find_in_game, name, setups, seed, jewels)
    pool = ProcessPoolExecutor(workers, get_context("spawn")) if workers > 1 else None
    with pool or nullcontext():
        numbers = range(begun, count)
        for mined in map(work, numbers) if pool is None else pool.map(work, numbers):
            if path is not None:
                append_puzzles(path, mined.puzzles)
            yield mined


def find_first_new(path: Path | None, seed: int) -> int:
    """Return the number of the first game after those in a file."""
    if path is None:
        return 0
    numbers = [puzzle.source.get("number") for puzzle in read_puzzles(path) if puzzle.source.get("seed") == seed]
    return max((number for number in numbers if isinstance(number, int)), default=-1) + 1


def redeal_puzzles(path: Path, wanted: int) -> Iterator[Puzzle]:
    """Redeal puzzles of a file until it has enough jewels, and write each at once.

    Puzzles that depend most on hidden cards come first.

    Raises:
        PuzzleError: The file is damaged or missing.
        RecordError: A position cannot be restored.
    """
    if not path.exists():
        raise PuzzleError(f"There is no file {path}.")
    puzzles = read_puzzles(path)
    missing = wanted - sum(puzzle.jewel for puzzle in puzzles)
    for n in sorted(range(len(puzzles)), key=lambda n: puzzles[n].agree):
        if missing <= 0:
            return
        jewel = None if puzzles[n].jewel else redeal_as_jewel(puzzles[n])
        if jewel is not None:
            puzzles[n] = jewel
            rewrite_puzzles(path, puzzles)
            missing -= 1
            yield jewel


def redeal_as_jewel(puzzle: Puzzle) -> Puzzle | None:
    """Return a puzzle with other likely cards that make it a jewel; None if there are none.

    Raises:
        PuzzleError: The puzzle has no seed of its proof.
        RecordError: Its position cannot be restored.
    """
    at, seed = len(puzzle.decisions), puzzle.source.get("proof_seed")
    if not isinstance(seed, int):
        raise PuzzleError("A puzzle of this file has no `proof_seed`, the seed of its proof.")
    position = Position(puzzle, games.game)
    judge = Judge(get_table(position.game), position.view, Budgets(), Rng(derive_seed(seed, at, DEALT)))
    losses = {position.game.parse(answer): loss for answer, loss in puzzle.losses.items()}
    found = find_redealt_answer(judge, position.best, sorted(losses, key=lambda answer: losses[answer]))
    return None if found is None else make_jewel(judge, puzzle, position.state, found)
