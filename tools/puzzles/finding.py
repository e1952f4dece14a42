"""Puzzles cut from a finished game.

Each decision goes through narrower and narrower sieves. The best answer is looked for in a few worlds of the view, and
set against the second in many fresh ones; then both are played to the end, since values a few turns ahead err more than
their samples tell; then every other legal answer has its turn. Only what was proved so far is looked at with open
cards, to tell the jewels (`opening.py`). Where jewels alone are wanted that comes first, and the cards may be dealt
anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import ceil
from typing import Final

from gonfalon.bots.players.reasons import percent
from gonfalon.core.basics.rng import Rng
from gonfalon.core.files.record import Record
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import CHANCE, Action, Seat, State
from gonfalon.puzzles.files import Puzzle
from gonfalon.review.judging.budgets import Budgets, derive_seed
from gonfalon.review.judging.course import find_simultaneous_answers, list_positions
from gonfalon.review.judging.judging import Judge
from gonfalon.review.judging.players import Table
from tools.puzzles.cases import Case
from tools.puzzles.opening import Opened, dealt_anew, opened, set_open
from tools.puzzles.proofs import END_LEAD, LEAD, SURE
from tools.puzzles.sorting import kind_of
from tools.puzzles.trying import ENDED, FRESH, Trial, Worths, settled

FIRST: Final = 16
"""Worlds in which the best answer is looked for."""
REST: Final = 24
"""Worlds for each answer that nobody had proposed."""
MOST: Final = 40
"""Answers that a puzzle may have."""
A_GAME: Final = 3
"""Puzzles of one game, at most."""
LATE: Final = 0.25
"""The last part of a game, where jewels are looked for. Earlier on, what chance has still to deal weighs more than what
lies hidden: of six jewels of Faction Wars that were found in whole games five lay in the last tenth."""
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


def leader(trial: Trial, chosen: Action) -> list[Action] | None:
    """The answers by how they look in a few worlds, the best first, where one is far ahead."""
    view = trial.judge.view
    if not 2 <= len(view.legal(view.viewer)) <= MOST:
        return None
    first = Worths()
    trial.in_worlds(first, trial.judge.proposals(chosen), FIRST)
    order = first.order()
    return None if first.ahead(order[0], order[1])[0] < LEAD else order


def prove(trial: Trial, best: Action, second: Action, fresh: Worths | None = None, times: int = 1) -> Proof | None:
    """The proof that an answer is far ahead of every other one for certain; which of them is the next best is found on
    the way. `fresh`: where it was set against the one that looked the second best; `times`: in so many times the
    worlds."""
    near, losses = [second], dict[Action, float]()
    rest = [action for action in trial.judge.view.legal(trial.judge.me) if action not in (best, second)]
    if rest:
        worths = Worths()
        trial.in_worlds(worths, [best, second, *rest], REST)
        losses = {action: worths.ahead(best, action)[0] for action in rest}
        # All that may be the next best are set against the best one in the same worlds, and played to the end.
        lead, wrong = (fresh or worths).ahead(best, second)
        most = lead + SURE * wrong
        near += [action for action in rest if losses[action] - SURE * worths.ahead(best, action)[1] < most]
    if fresh is None or len(near) > 1:
        fresh = settled(trial.in_worlds, best, near, LEAD, times * FRESH)
    ends = None if fresh is None else settled(trial.to_the_end, best, near, END_LEAD, times * ENDED)
    if fresh is None or ends is None:
        return None
    nearest = fresh.nearest(best)
    losses |= {action: fresh.ahead(best, action)[0] for action in near}
    return Proof(best, nearest, fresh, ends, losses, because(trial, best, nearest))


def because(trial: Trial, best: Action, second: Action) -> str:
    """What speaks for the best answer, in the game's own words; empty where nothing tells."""
    mine, theirs = trial.outcomes.noted(best), trial.outcomes.noted(second)
    return trial.judge.table.insight.because(mine, theirs) if mine and theirs else ""


class Finder:
    """Looks for puzzles in one finished game."""

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
        """Whether only jewels are wanted; then the cards may be dealt anew."""
        self.positions: list[State] = list_positions(record)

    def find(self) -> Iterator[Puzzle]:
        """The puzzles of the game, each as soon as it is proved."""
        ats = [at for at, (seat, _) in enumerate(self.record.decisions) if seat != CHANCE]
        ats = ats[-ceil(LATE * len(ats)) :] if self.jewels else ats
        Rng(self.seed).shuffle(ats)
        count = 0
        for at in ats:
            puzzle = self.puzzle(at)
            if puzzle is not None:
                yield puzzle
                count += 1
                if count == A_GAME:
                    return

    def puzzle(self, at: int) -> Puzzle | None:
        """The puzzle at a decision, if it is one."""
        seat, chosen = self.record.decisions[at]
        view = self.positions[at].mask(seat)
        if len(view.legal(seat)) < 2 or not self.table.insight.judges(view):
            return None
        trial = Trial(self.table, view, derive_seed(self.seed, at, PROVING))
        found = leader(trial, chosen)
        if found is None:
            return None
        best, second, *rest = found
        fresh = settled(trial.in_worlds, best, [second], LEAD, FRESH)
        if fresh is None:
            return None
        judge = Judge(self.table, view, Budgets(), Rng(derive_seed(self.seed, at, OPENED)))
        # Where jewels alone are wanted the open look comes before the dearer half of the proof: most fail it.
        jewel = self.opened(judge, at, best, [second, *rest]) if self.jewels else None
        if self.jewels and jewel is None:
            return None
        proof = prove(trial, best, second, fresh)
        if proof is None:
            return None
        jewel = jewel or self.opened(judge, at, best, [])
        puzzle = self.written(at, seat, view, proof)
        return puzzle if jewel is None else set_open(judge, puzzle, self.positions[at], jewel)

    def opened(self, judge: Judge, at: int, best: Action, rivals: list[Action]) -> Opened | None:
        """The open answer, where it is another one: as the cards lie, or dealt anew if jewels alone are wanted."""
        true = Case(None, self.positions[at], find_simultaneous_answers(self.record, self.positions, at))
        return dealt_anew(judge, best, rivals, true) if self.jewels else opened(judge, true, best)

    def written(self, at: int, seat: Seat, view: State, proof: Proof) -> Puzzle:
        """A puzzle in the form of the file, no jewel yet."""
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
        return with_proof(game, view, puzzle, proof)


def with_proof(game: Game, view: State, puzzle: Puzzle, proof: Proof) -> Puzzle:
    """A puzzle with the figures and words of a proof of its answer."""
    best, second, fresh, ends = proof.best, proof.second, proof.fresh, proof.ends
    lead, wrong = fresh.ahead(best, second)
    end_lead, end_wrong = min(ends.ahead(best, other) for other in ends.rows if other != best)
    agree = fresh.agree(best, second)
    return replace(
        puzzle,
        second=game.notation(second),
        kind=kind_of(game, view, best, second, puzzle.jewel, agree),
        why=told(game, view, proof),
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


def told(game: Game, view: State, proof: Proof) -> str:
    """Why the best answer is the best one."""
    wins, other = proof.fresh.both(proof.best, proof.second)
    best, second = (game.describe(view, action).rstrip(".") for action in (proof.best, proof.second))
    text = (
        f"“{best}” wins in {percent(wins)} of the cases that you have to reckon with, the next best, “{second}”, in "
        f"{percent(other)}."
    )
    return f"{text} {proof.because}" if proof.because else text
