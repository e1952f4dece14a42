"""Luck, and analyzed games."""

from __future__ import annotations

import pytest

from gonfalon.core.files.record import Record
from gonfalon.core.rules.state import CHANCE, TOGETHER, State
from gonfalon.review.judging.baseline import Baseline, FittedBaseline, load_baseline
from gonfalon.review.judging.course import list_positions, split_strides
from gonfalon.review.judging.luck import Line, measure_luck, sum_lines
from gonfalon.review.judging.players import Table
from gonfalon.testing import random_record
from tests.measured import measured
from tests.review.guess import DAVID, Guess, GuessState
from tests.table.duel import Duel
from tools.puzzles.trying import find_simultaneous_answers


class LowCard(Baseline):
    """Predicts a win of the first seat when the lowest card is dealt."""

    def estimate_chances(self, states: list[State]) -> list[float]:
        return [float(isinstance(s, GuessState) and s.hand[0] & 3 == 0) for s in states]


def lines(seed: int) -> list[Line]:
    record = Record(Guess(), [], [(-1, -1 - seed), (DAVID, 1)])
    return measure_luck(record, LowCard(Table(Guess()), FittedBaseline((), 1.0, 0.0, 0.0, 0.0, 0, True)), 400, 3)


def test_the_deal_is_luck_and_nothing_after_it() -> None:
    """One deal in four has the lowest card: that is worth 3/4, any other -1/4, and 0 on average."""
    found: dict[int, float] = {}
    for seed in range(16):
        [line] = lines(seed)
        assert line.at == 0
        state = Guess().start()
        state.apply(-1, -1 - seed)
        found[state.hand[0] & 3] = line.seat0
    assert found == pytest.approx({0: 0.75, 1: -0.25, 2: -0.25, 3: -0.25}, abs=0.1)  # ± 4 standard errors
    assert sum(found.values()) / 4 == pytest.approx(0.0, abs=0.06)


def test_errors_add_by_their_squares() -> None:
    total = sum_lines([Line(0, 0.1, 0.03), Line(4, -0.3, 0.04)])
    assert (total.seat0, total.error) == pytest.approx((-0.2, 0.05))


def test_strides_go_through_a_whole_game() -> None:
    record = random_record(Duel(), 4)
    found = list(split_strides(record))
    made = [decision for stride in found for decision in stride.made]
    assert made == [decision for decision in record.decisions if decision[0] >= 0]
    assert found[-1].after.dump()[0] == record.replay().dump()[0]
    assert found[0].made == []  # the deal


def test_all_answers_to_one_question_are_one_stride() -> None:
    record = random_record(Duel(), 4)
    both = [stride for stride in split_strides(record) if stride.before.stack[-1].seat == TOGETHER]
    assert both
    assert all({seat for seat, _ in stride.made} == {0, 1} for stride in both)
    every = list_positions(record)
    for stride in both:
        for at in range(stride.at, stride.at + len(stride.made)):
            me = record.decisions[at][0]
            assert find_simultaneous_answers(record, every, at) == [one for one in stride.made if one[0] != me]


def test_luck_is_reported_in_part() -> None:
    """A third of each line and of its error."""
    record = Record(Guess(), [], [(-1, -6), (DAVID, 1)])
    [whole_line] = measure_luck(record, LowCard(Table(Guess()), FittedBaseline((), 1.0, 0.0, 0.0, 0.0, 0, True)), 40, 3)
    [part] = measure_luck(record, LowCard(Table(Guess()), FittedBaseline((), 1 / 3, 0.0, 0.0, 0.0, 0, True)), 40, 3)
    assert (part.seat0, part.error) == pytest.approx((whole_line.seat0 / 3, whole_line.error / 3))


@pytest.mark.parametrize("name", ["feint", "jinkei", "generals", "factionwars"])
def test_the_baseline_of_each_game_fits_its_numbers(name: str) -> None:
    game = measured(name, seats=2) if name == "factionwars" else measured(name)
    baseline = load_baseline(Table(game))
    assert baseline is not None
    states = [state.clone() for state, _, _ in random_record(game, 1, 60).steps() if state.turn != CHANCE]
    assert all(0.0 < chance < 1.0 for chance in baseline.estimate_chances(states[::20]))
