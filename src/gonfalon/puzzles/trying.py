"""Answers to one decision, tried in worlds of its view, or with all hands open."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from gonfalon.core.rng import Rng
from gonfalon.core.state import Action, State
from gonfalon.puzzles.files import SURE
from gonfalon.review.beliefs import Answers
from gonfalon.review.budgets import Budgets
from gonfalon.review.figures import error, mean
from gonfalon.review.hindsight import asked_anew
from gonfalon.review.judging import Judge, Lots
from gonfalon.review.players import Table
from gonfalon.review.worlds import Undealt

EARLY: Final = 32
"""Worlds after which a lead that is too small is given up."""
FRESH: Final = 128
ENDED: Final = 128
"""Worlds that are played to the end."""


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


Way = Callable[[Worths, Sequence[Action], int], None]
"""A way to try answers in so many worlds."""


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
                worths.add(judge.play(self.lots, some, self.others(some), tried, judge.pilot.over))

    def to_the_end(self, worths: Worths, actions: Sequence[Action], worlds: int) -> None:
        """Played to the end."""
        for some in self.dealt(worlds):
            worths.add(self.judge.play(Lots(self.lots.beliefs), some, self.others(some), list(actions)))

    def dealt(self, worlds: int) -> Iterator[list[State]]:
        """So many fresh worlds, in lots."""
        size = self.judge.budgets.lot
        for _ in range(max(1, worlds // size)):
            yield [self.fresh() for _ in range(size)]

    def fresh(self) -> State:
        """A fresh world."""
        return self.judge.worlds.next()

    def others(self, some: list[State]) -> list[list[Answers]]:
        """What the others answer to the same decision: by belief, in each of some worlds."""
        return self.judge.others(some)


class OpenTrial(Trial):
    """The same with all hands open, and with what the others answer there. What nobody has seen is dealt anew."""

    def __init__(self, judge: Judge, state: State, answers: Answers) -> None:
        self.judge: Judge = judge
        self.lots: Lots = Lots(1)
        self.answers: Answers = answers
        self.undealt: Undealt = Undealt(asked_anew(state, judge.me))

    def fresh(self) -> State:
        return self.undealt.sample(self.judge.rng)

    def others(self, some: list[State]) -> list[list[Answers]]:
        return [[self.answers] * len(some)]


def settled(way: Way, best: Action, second: Action, least: float, worlds: int) -> Worths | None:
    """Both in so many worlds, where one is ahead by so much for certain; given up as soon as it does not look so."""
    worths = Worths()
    way(worths, [best, second], EARLY)
    if worths.ahead(best, second)[0] < least:
        return None
    way(worths, [best, second], worlds - EARLY)
    return worths if clear(worths, best, second, least) else None


def clear(worths: Worths, best: Action, second: Action, least: float) -> bool:
    """Whether the best answer is ahead by so much, and by more than its error."""
    lead, wrong = worths.ahead(best, second)
    return lead > least and lead > SURE * wrong
