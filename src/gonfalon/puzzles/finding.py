"""Puzzles cut from a finished game.

Each decision goes through narrower and narrower sieves. The best answer is looked for in a few worlds of the view, and
set against the second in many fresh ones; then both are played to the end, since values a few turns ahead err more than
their samples tell; then every other legal answer has its turn. Only what was proved so far is looked at with open
cards, to tell the jewels.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from gonfalon.bots.reasons import percent
from gonfalon.core.game import Game
from gonfalon.core.record import Record
from gonfalon.core.rng import Rng
from gonfalon.core.state import CHANCE, Action, Seat, State
from gonfalon.puzzles.files import END_LEAD, LEAD, SURE, Puzzle
from gonfalon.puzzles.sorting import kind_of
from gonfalon.review.baseline import network_hash
from gonfalon.review.budgets import Budgets, stream
from gonfalon.review.course import asked_together, positions
from gonfalon.review.figures import error, mean
from gonfalon.review.hindsight import hindsight
from gonfalon.review.judging import Judge, Lots
from gonfalon.review.players import Table

FIRST: Final = 16
"""Worlds in which the best answer is looked for."""
EARLY: Final = 32
"""Fresh worlds after which a lead that is too small is given up."""
FRESH: Final = 128
ENDED: Final = 128
"""Worlds that are played to the end."""
REST: Final = 24
"""Worlds for each answer that nobody had proposed."""
MOST: Final = 40
"""Answers that a puzzle may have."""
OPEN_LEAD: Final = 0.015
"""By how much the answer with open cards is ahead in a jewel."""
A_GAME: Final = 3
"""Puzzles of one game, at most."""
PROVING, OPENED = 7, 8
"""Uses of a decision's stream."""


@dataclass
class Worths:
    """What answers came to: by answer and belief, the chance to win in each world."""

    rows: dict[Action, list[list[float]]] = field(default_factory=dict)

    def add(self, found: dict[Action, list[list[float]]]) -> None:
        for action, beliefs in found.items():
            kept = self.rows.setdefault(action, [[] for _ in beliefs])
            for row, more in zip(kept, beliefs, strict=True):
                row += more

    def value(self, action: Action) -> float:
        return mean([mean(row) for row in self.rows[action]])

    def ahead(self, a: Action, b: Action) -> tuple[float, float]:
        """How far an answer is ahead of another, with the error, against the belief that is kindest to that one."""
        pairs = zip(self.rows[a], self.rows[b], strict=True)
        apart = [[x - y for x, y in zip(mine, other, strict=True)] for mine, other in pairs]
        return min((mean(row), error(row)) for row in apart)

    def agree(self, a: Action, b: Action) -> float:
        """In what part of the worlds an answer is at least as good as another."""
        rows = zip(self.rows[a], self.rows[b], strict=True)
        return mean([float(x >= y) for mine, other in rows for x, y in zip(mine, other, strict=True)])

    def order(self) -> list[Action]:
        """All answers, the best first."""
        return sorted(self.rows, key=lambda action: (-self.value(action), action))


class Trial:
    """Tries the answers to one decision in worlds of its view."""

    def __init__(self, table: Table, view: State, seed: int) -> None:
        self.judge: Judge = Judge(table, view, Budgets(), Rng(seed))
        self.lots: Lots = Lots(len(self.judge.beliefs))

    def in_worlds(self, worths: Worths, actions: Sequence[Action], worlds: int) -> None:
        """As far as the review looks ahead."""
        judge, tried = self.judge, list(actions)
        for some in self.dealt(worlds):
            if judge.solver is not None:
                solved = [judge.solver(world) for world in some]
                worths.add({action: [[chances[action] for chances in solved]] for action in tried})
            else:
                worths.add(judge.play(self.lots, some, judge.others(some), tried, judge.pilot.over))

    def to_the_end(self, worths: Worths, actions: Sequence[Action], worlds: int) -> None:
        """Played to the end."""
        for some in self.dealt(worlds):
            worths.add(self.judge.play(Lots(len(self.judge.beliefs)), some, self.judge.others(some), list(actions)))

    def dealt(self, worlds: int) -> Iterator[list[State]]:
        """So many fresh worlds, in lots."""
        size = self.judge.budgets.lot
        for _ in range(max(1, worlds // size)):
            yield [self.judge.worlds.next() for _ in range(size)]


@dataclass(frozen=True)
class Proof:
    """A best answer that is ahead of all others."""

    best: Action
    second: Action
    fresh: Worths
    ends: Worths
    losses: dict[Action, float]
    because: str


def prove(table: Table, view: State, chosen: Action, seed: int) -> Proof | None:
    """The best answer of a view, where it is far ahead of every other one for certain."""
    legal = view.legal(view.viewer)
    if not 2 <= len(legal) <= MOST or not table.insight.judges(view):
        return None
    trial = Trial(table, view, seed)
    first = Worths()
    trial.in_worlds(first, trial.judge.proposals(chosen), FIRST)
    best, second, *_ = first.order()
    if first.ahead(best, second)[0] < LEAD:
        return None
    fresh = Worths()
    trial.in_worlds(fresh, [best, second], EARLY)
    if fresh.ahead(best, second)[0] < LEAD:
        return None
    trial.in_worlds(fresh, [best, second], FRESH - EARLY)
    if not clear(fresh, best, second, LEAD):
        return None
    ends = Worths()
    trial.to_the_end(ends, [best, second], EARLY)
    if ends.ahead(best, second)[0] < END_LEAD:
        return None
    trial.to_the_end(ends, [best, second], ENDED - EARLY)
    if not clear(ends, best, second, END_LEAD):
        return None
    losses = others(trial, best, second, fresh)
    return None if losses is None else Proof(best, second, fresh, ends, losses, because(trial, best, second))


def clear(worths: Worths, best: Action, second: Action, least: float) -> bool:
    """Whether the best answer is ahead by so much, and by more than its error."""
    lead, wrong = worths.ahead(best, second)
    return lead > least and lead > SURE * wrong


def others(trial: Trial, best: Action, second: Action, fresh: Worths) -> dict[Action, float] | None:
    """What each other answer gives away; None where one of them may be the best or the second."""
    rest = [action for action in trial.judge.view.legal(trial.judge.me) if action not in (best, second)]
    found = {second: fresh.ahead(best, second)[0]}
    if rest:
        worths = Worths()
        trial.in_worlds(worths, [best, *rest], REST)
        for action in rest:
            lead, wrong = worths.ahead(best, action)
            if lead < LEAD and lead + SURE * wrong < 2.0 * LEAD:
                return None
            found[action] = lead
        near = [action for action in rest if found[action] < found[second]]
        if near:
            again = Worths()
            trial.in_worlds(again, [best, *near], FRESH)
            if not all(clear(again, best, action, LEAD) for action in near):
                return None
            found |= {action: again.ahead(best, action)[0] for action in near}
    return found


def because(trial: Trial, best: Action, second: Action) -> str:
    """What speaks for the best answer, in the game's own words; empty where nothing tells."""
    mine, theirs = trial.lots.noted(best), trial.lots.noted(second)
    return trial.judge.table.insight.because(mine, theirs) if mine and theirs else ""


class Finder:
    """Looks for puzzles in one finished game."""

    def __init__(self, record: Record, source: dict[str, object], seed: int, table: Table | None = None) -> None:
        self.record: Record = record
        self.source: dict[str, object] = source
        self.seed: int = seed
        self.table: Table = table or Table(record.game)
        self.positions: list[State] = positions(record)

    def find(self) -> Iterator[Puzzle]:
        """The puzzles of the game, each as soon as it is proved."""
        ats = [at for at, (seat, _) in enumerate(self.record.decisions) if seat != CHANCE]
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
        proof = prove(self.table, view, chosen, stream(self.seed, at, PROVING))
        if proof is None:
            return None
        opened = self.opened(at, view, proof.best)
        return self.written(at, seat, view, proof, opened)

    def opened(self, at: int, view: State, best: Action) -> tuple[Action, float]:
        """What is best with open cards, and by how much; the same answer unless two looks agree on another."""
        others = asked_together(self.record, self.positions, at)
        state = self.positions[at]
        looks = [
            hindsight(self.table, state, view, best, others, Budgets(hindsight=64), stream(self.seed, at, OPENED + n))
            for n in range(2)
        ]
        change = min(look.change for look in looks)
        if looks[0].open_best == looks[1].open_best and change > OPEN_LEAD:
            return looks[0].open_best, change
        return best, 0.0

    def written(self, at: int, seat: Seat, view: State, proof: Proof, opened: tuple[Action, float]) -> Puzzle:
        """A puzzle in the form of the file."""
        game = self.record.game
        lead, wrong = proof.fresh.ahead(proof.best, proof.second)
        end_lead, end_wrong = proof.ends.ahead(proof.best, proof.second)
        agree = proof.fresh.agree(proof.best, proof.second)
        jewel = opened[0] != proof.best
        return Puzzle(
            game=game.name,
            options=game.shown_options(),
            rules=game.rules_version,
            data=game.data_hash,
            seat=seat,
            decisions=self.record.written()[:at],
            best=game.notation(proof.best),
            second=game.notation(proof.second),
            kind=kind_of(game, view, proof.best, proof.second, jewel, agree),
            jewel=jewel,
            open_best=game.notation(opened[0]),
            open_lead=round(opened[1], 4),
            why=told(game, view, proof, opened[0]),
            value=round(proof.fresh.value(proof.best), 4),
            lead=round(lead, 4),
            error=round(wrong, 4),
            end_lead=round(end_lead, 4),
            end_error=round(end_wrong, 4),
            agree=round(agree, 3),
            losses={game.notation(action): round(loss, 3) for action, loss in proof.losses.items()},
            worlds=FRESH,
            end_worlds=ENDED,
            judge=self.table.insight.judge or f"the play of {self.table.player.name}",
            network=network_hash(game) if self.table.learnt is not None else "",
            source=self.source | {"at": at, "proof_seed": self.seed},
        )


def told(game: Game, view: State, proof: Proof, opened: Action) -> str:
    """Why the best answer is the best one."""
    fresh = proof.fresh
    best, second = (game.describe(view, action).rstrip(".") for action in (proof.best, proof.second))
    text = (
        f"“{best}” wins in {percent(fresh.value(proof.best))} of the cases that you have to reckon with, "
        f"“{second}” in {percent(fresh.value(proof.second))}."
    )
    if proof.because:
        text += f" {proof.because}"
    if opened != proof.best:
        other = game.describe(view, opened).rstrip(".")
        text += f" With all cards open “{other}” would be better, but from your seat nobody can know that."
    return text
