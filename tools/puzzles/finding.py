"""The search for puzzles in a finished game.

Each decision passes increasingly strict filters. The best answer is chosen in a few worlds of the view, and compared
with the second best in many fresh ones; then both are played to the end, since values a few turns ahead have larger
errors than their samples show; then all other legal answers are compared. Only proved puzzles are examined with open
cards, to find the jewels (`opening.py`). If only jewels are wanted, that comes first, and hidden cards may be redealt.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import ceil
from typing import Final

from gonfalon.core.basics.rng import Rng
from gonfalon.core.files.record import Record
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import CHANCE, Action, Seat, State
from gonfalon.puzzles.files import Puzzle
from gonfalon.review.judging.budgets import Budgets, derive_seed
from gonfalon.review.judging.course import list_positions
from gonfalon.review.judging.judging import Judge, Outcomes
from gonfalon.review.judging.players import Table
from tools.puzzles.cases import Case
from tools.puzzles.opening import Opened, find_open_answer, find_redealt_answer, make_jewel
from tools.puzzles.proofs import MIN_ANSWERS, MIN_END_LEAD, MIN_LEAD, SURE_ERRORS
from tools.puzzles.sorting import find_kind
from tools.puzzles.trying import (
    FRESH_WORLDS,
    PLAYOUT_WORLDS,
    Trial,
    Worths,
    find_simultaneous_answers,
    try_until_settled,
)

FIRST_WORLDS: Final = 16
"""Number of worlds for the choice of the best answer."""
REST_WORLDS: Final = 24
"""Number of worlds for each answer that was not proposed."""
MAX_ANSWERS: Final = 40
"""Maximum number of answers of a puzzle."""
MAX_PUZZLES_PER_GAME: Final = 3
"""Maximum number of puzzles from one game."""
LATE_PART: Final = 0.25
"""Last part of a game, in which jewels are searched.

Earlier the undealt cards matter more than the hidden ones: of six jewels of Faction Wars in complete games, five were
in the last tenth.
"""
PROVING, OPENED = 7, 8
"""Uses of a decision's stream."""


@dataclass(frozen=True)
class Proof:
    """A best answer that is ahead of all others."""

    best: Action
    second: Action
    fresh: Worths
    ends: Worths
    losses: dict[Action, float]
    because: str


def find_leader(trial: Trial, chosen: Action) -> list[Action] | None:
    """Return the answers by their values in a few worlds, the best first; None unless one is far ahead."""
    view = trial.judge.view
    if not 2 <= len(view.legal(view.viewer)) <= MAX_ANSWERS:
        return None
    first = Worths()
    trial.in_worlds(first, trial.judge.list_proposals(chosen), FIRST_WORLDS)
    order = first.order()
    return None if first.ahead(order[0], order[1])[0] < MIN_LEAD else order


def prove_answer(
    trial: Trial, best: Action, second: Action, fresh: Worths | None = None, times: int = 1
) -> Proof | None:
    """Return a proof that an answer is clearly ahead of every other one, and find the second best.

    Args:
        trial: The trial of the decision.
        best: The answer.
        second: The answer that looked second best.
        fresh: Existing values of both in fresh worlds.
        times: Factor of the number of worlds.
    """
    near, losses = [second], dict[Action, float]()
    rest = [action for action in trial.judge.view.legal(trial.judge.me) if action not in (best, second)]
    if rest:
        worths = Worths()
        trial.in_worlds(worths, [best, second, *rest], REST_WORLDS)
        losses = {action: worths.ahead(best, action)[0] for action in rest}
        # All candidates for the second best are compared in the same worlds, and played to the end.
        lead, wrong = (fresh or worths).ahead(best, second)
        most = lead + SURE_ERRORS * wrong
        near += [action for action in rest if losses[action] - SURE_ERRORS * worths.ahead(best, action)[1] < most]
    if fresh is None or len(near) > 1:
        fresh = try_until_settled(trial.in_worlds, best, near, MIN_LEAD, times * FRESH_WORLDS)
    ends = (
        None if fresh is None else try_until_settled(trial.to_the_end, best, near, MIN_END_LEAD, times * PLAYOUT_WORLDS)
    )
    if fresh is None or ends is None:
        return None
    nearest = fresh.nearest(best)
    losses |= {action: fresh.ahead(best, action)[0] for action in near}
    tried = Outcomes(len(trial.judge.beliefs), fresh.rows)
    return Proof(best, nearest, fresh, ends, losses, trial.judge.explain_best(tried, best, nearest))


class Finder:
    """A search for puzzles in one finished game."""

    def __init__(
        self,
        record: Record,
        source: dict[str, object],
        seed: int,
        table: Table | None = None,
        jewels: bool = False,
    ) -> None:
        self.record: Record = record
        self.source: dict[str, object] = source
        self.seed: int = seed
        self.table: Table = table or Table(record.game)
        self.jewels: bool = jewels
        """Whether only jewels are wanted; hidden cards may be redealt then."""
        self.positions: list[State] = list_positions(record)

    def find(self) -> Iterator[Puzzle]:
        """Yield the puzzles of the game, each as soon as it is proved."""
        ats = [at for at, (seat, _) in enumerate(self.record.decisions) if seat != CHANCE]
        ats = ats[-ceil(LATE_PART * len(ats)) :] if self.jewels else ats
        Rng(self.seed).shuffle(ats)
        count = 0
        for at in ats:
            puzzle = self.puzzle(at)
            if puzzle is not None:
                yield puzzle
                count += 1
                if count == MAX_PUZZLES_PER_GAME:
                    return

    def puzzle(self, at: int) -> Puzzle | None:
        """Return the puzzle at a decision, if it is one."""
        seat, chosen = self.record.decisions[at]
        view = self.positions[at].mask(seat)
        if len(view.legal(seat)) < 2 or not self.table.insight.judges(view):
            return None
        trial = Trial(self.table, view, derive_seed(self.seed, at, PROVING))
        found = find_leader(trial, chosen)
        if found is None:
            return None
        best, second, *rest = found
        fresh = try_until_settled(trial.in_worlds, best, [second], MIN_LEAD, FRESH_WORLDS)
        if fresh is None:
            return None
        judge = Judge(self.table, view, Budgets(), Rng(derive_seed(self.seed, at, OPENED)))
        # If only jewels are wanted, the open look comes before the expensive half of the proof: most fail it.
        jewel = self.opened(judge, at, best, [second, *rest]) if self.jewels else None
        if self.jewels and jewel is None:
            return None
        proof = prove_answer(trial, best, second, fresh)
        if proof is None:
            return None
        jewel = jewel or self.opened(judge, at, best, [])
        if jewel is None and len(view.legal(seat)) < MIN_ANSWERS:
            return None
        puzzle = self.written(at, seat, view, proof)
        return puzzle if jewel is None else make_jewel(judge, puzzle, self.positions[at], jewel)

    def opened(self, judge: Judge, at: int, best: Action, rivals: list[Action]) -> Opened | None:
        """Return the open answer if it differs: with the true cards, or redealt if only jewels are wanted."""
        true = Case(None, self.positions[at], find_simultaneous_answers(self.record, self.positions, at))
        return find_redealt_answer(judge, best, rivals, true) if self.jewels else find_open_answer(judge, true, best)

    def written(self, at: int, seat: Seat, view: State, proof: Proof) -> Puzzle:
        """Return a puzzle in the form of the file, not yet as a jewel."""
        game = self.record.game
        best = game.notation(proof.best)
        puzzle = Puzzle(
            game=game.name,
            options=game.shown_options(),
            rules=game.rules_version,
            data=game.data_hash,
            seat=seat,
            decisions=self.record.written()[:at],
            best=best,
            second="",
            kind="",
            jewel=False,
            open_best=best,
            open_lead=0.0,
            why="",
            value=0.0,
            lead=0.0,
            error=0.0,
            end_lead=0.0,
            end_error=0.0,
            agree=0.0,
            losses={},
            worlds=0,
            end_worlds=0,
            judge=self.table.insight.judge or f"the play of {self.table.player.name}",
            network=self.table.network,
            source=self.source | {"at": at, "proof_seed": self.seed},
        )
        return add_proof(game, view, puzzle, proof)


def add_proof(game: Game, view: State, puzzle: Puzzle, proof: Proof) -> Puzzle:
    """Return a puzzle with the figures and the explanation of a proof."""
    best, second, fresh, ends = proof.best, proof.second, proof.fresh, proof.ends
    lead, wrong = fresh.ahead(best, second)
    end_lead, end_wrong = min(ends.ahead(best, other) for other in ends.rows if other != best)
    agree = fresh.agree(best, second)
    return replace(
        puzzle,
        second=game.notation(second),
        kind=find_kind(game, view, best, second, puzzle.jewel, agree),
        why=proof.because,
        value=round(fresh.both(best, second)[0], 4),
        lead=round(lead, 4),
        error=round(wrong, 4),
        end_lead=round(end_lead, 4),
        end_error=round(end_wrong, 4),
        agree=round(agree, 3),
        losses={game.notation(action): round(loss, 3) for action, loss in proof.losses.items()},
        worlds=len(fresh.rows[best][0]),
        end_worlds=len(ends.rows[best][0]),
    )
