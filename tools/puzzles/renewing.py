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
from gonfalon.review.judging.judging import Judge
from tools.puzzles.cases import Case
from tools.puzzles.finding import add_proof, prove_answer
from tools.puzzles.opening import explain_open_answer, find_redealt_answer, make_jewel, prove_open_answer
from tools.puzzles.proofs import MIN_ANSWERS, MIN_END_LEAD, rewrite_puzzles
from tools.puzzles.trying import PLAYOUT_WORLDS, OpenTrial, Trial, try_until_settled
from tools.reviews.baselines import get_table

ANEW: Final = 11
"""Use of a puzzle's random stream."""
RIVAL_COUNT: Final = 2
"""Number of other answers that are played to the end again: the closest ones."""


def renew_puzzle(times: int, seed: int, puzzle: Puzzle) -> Puzzle | None:
    """Return a puzzle with a new proof of its answer; None if there is no proof.

    The open answer of a jewel is proved again too. If it fails, other cards that make a jewel are tried.

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
    found = add_proof(game, position.view, drop_open_answer(judged), proof)
    if not puzzle.jewel:
        return found
    case = Case(puzzle.dealt, position.state, position.others)
    jewel = prove_open_answer(trial.judge, case, game.parse(puzzle.open_best), best, times)
    jewel = jewel or find_redealt_answer(trial.judge, best, sorted(proof.losses, key=proof.losses.__getitem__))
    if jewel is not None:
        return make_jewel(trial.judge, found, position.state, jewel)
    return found if len(found.losses) + 1 >= MIN_ANSWERS else None


def drop_open_answer(puzzle: Puzzle) -> Puzzle:
    """Return a puzzle that is no jewel, with the cards of its game."""
    plain = replace(puzzle, jewel=False, open_best=puzzle.best, dealt=None, cards="", others=[])
    return replace(plain, open_lead=0.0, open_error=0.0, open_end_lead=0.0, open_end_error=0.0)


def renew_ends(times: int, seed: int, puzzle: Puzzle) -> Puzzle | None:
    """Return a puzzle with new games played to the end, against its nearest rivals and of its open answer.

    Nothing else changes with the second judge. None if they do not confirm the answer; a jewel whose open answer alone
    is not confirmed gets other cards or becomes an ordinary puzzle.
    """
    position = Position(puzzle, games.game)
    game, best = position.game, position.best
    trial = Trial(get_table(game), position.view, derive_seed(seed, len(puzzle.decisions), ANEW))
    nearest = sorted(puzzle.losses, key=lambda one: puzzle.losses[one])[:RIVAL_COUNT]
    rivals = [game.parse(one) for one in nearest]
    ends = try_until_settled(trial.to_the_end, best, rivals, MIN_END_LEAD, times * PLAYOUT_WORLDS)
    if ends is None:
        return None
    end_lead, end_wrong = min(ends.ahead(best, rival) for rival in rivals)
    found = replace(
        puzzle,
        end_lead=round(end_lead, 4),
        end_error=round(end_wrong, 4),
        end_worlds=len(ends.rows[best][0]),
        why=explain_answer(trial.judge, puzzle),
        source=puzzle.source | {"renewed": seed},
    )
    if not puzzle.jewel:
        return found
    open_trial, other = OpenTrial(trial.judge, position.state, position.others), game.parse(puzzle.open_best)
    opened = try_until_settled(open_trial.to_the_end, other, [best], 0.0, times * PLAYOUT_WORLDS)
    if opened is None:
        plain = drop_open_answer(found)
        jewel = find_redealt_answer(trial.judge, best, rivals)
        if jewel is not None:
            return make_jewel(trial.judge, plain, position.state, jewel)
        return plain if len(plain.losses) + 1 >= MIN_ANSWERS else None
    open_lead, open_wrong = opened.ahead(other, best)
    why = f"{found.why} {explain_open_answer(trial.judge, position.state)}".strip()
    return replace(found, why=why, open_end_lead=round(open_lead, 4), open_end_error=round(open_wrong, 4))


def explain_answer(judge: Judge, puzzle: Puzzle) -> str:
    """Return the reasons for an answer in sentences, from the proved chances; empty if there is none."""
    game = judge.table.game
    losses = {puzzle.best: 0.0} | puzzle.losses
    chances = {game.parse(one): puzzle.value - loss for one, loss in losses.items()}
    return judge.explain_by_chances(game.parse(puzzle.best), chances)


def explain_file(path: Path) -> Iterator[tuple[int, Puzzle]]:
    """Explain the answers of a file again, as needed after a change of reasons.

    Raises:
        PuzzleError: The file is damaged.
        RecordError: A position cannot be restored.
    """
    kept = []
    for number, puzzle in enumerate(read_puzzles(path), 1):
        position = Position(puzzle, games.game)
        judge = Trial(get_table(position.game), position.view, 0).judge
        why = explain_answer(judge, puzzle)
        if puzzle.jewel:
            why = f"{why} {explain_open_answer(judge, position.state)}".strip()
        kept.append(replace(puzzle, why=why))
        yield number, kept[-1]
    rewrite_puzzles(path, kept)


def renew_file(
    path: Path, numbers: Iterable[int], times: int, seed: int, workers: int, ends: bool = False
) -> Iterator[tuple[int, Puzzle | None]]:
    """Prove puzzles of a file again, selected by number or all.

    With `ends` only games are played to the end, as needed after a change of the second judge. The last puzzle of the
    file takes the number of a removed one, so that most keep their numbers.

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
    work: Callable[[Puzzle], Puzzle | None] = partial(renew_ends if ends else renew_puzzle, times, seed)
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
