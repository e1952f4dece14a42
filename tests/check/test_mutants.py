"""The kit is proved by faults: at least 95 of 100 must be caught, and no sound game accused."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from gonfalon.check import LAWS, run
from gonfalon.core.build import build
from tests.check.mutants import MUTANTS, Mutant
from tests.generals import test_boards as boards
from tests.stranger.gonfalon_duel import Duel, DuelReferenceRules

# A loop may be ended while the interpreter clears away what has died: there the exception is lost, and comes again.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


def test_sound_game_breaks_no_law() -> None:
    broken = [result.line() for result in run(Duel, 0, rounds=2, reference=DuelReferenceRules()) if not result.ok]
    assert broken == []


def test_laws_that_are_left_out_are_laws() -> None:
    from tests.check import mutants_feint, mutants_generals

    every = [*MUTANTS, *mutants_feint.MUTANTS, *mutants_feint.TURNS, *mutants_generals.MUTANTS]
    left_out = {name for slip in every for name in slip.skip}
    assert left_out - {law.name for law in LAWS} == set()
    assert {law.name for law in LAWS} - left_out, "one is left to watch"


def prove(mutants: list[Mutant], rounds: int) -> None:
    missed = [mutant.name for mutant in mutants if not mutant.caught(rounds)]
    assert len(mutants) >= 20
    assert len(missed) <= len(mutants) * 0.05, missed


@pytest.mark.long
@pytest.mark.skipif(build() == "compiled", reason="these faults, and the kit that finds them, are not compiled")
def test_faults_are_caught() -> None:
    prove(MUTANTS, rounds=40)


@pytest.mark.long
@pytest.mark.skipif(build() == "compiled", reason="compiled classes cannot be patched")
def test_faults_of_feint_are_caught() -> None:
    from tests.check.mutants_feint import MUTANTS as SLIPS

    prove(SLIPS, rounds=12)


@pytest.mark.long
@pytest.mark.skipif(build() == "compiled", reason="compiled classes cannot be patched")
def test_faults_in_a_turn_of_feint_are_caught() -> None:
    """By the reference rules alone, which are apart from the rules."""
    from tests.check.mutants_feint import TURNS

    prove(TURNS, rounds=24)


@pytest.mark.long
@pytest.mark.skipif(build() == "compiled", reason="compiled classes cannot be patched")
def test_faults_of_generals_are_caught() -> None:
    """By the reference rules above all, which are apart from the rules."""
    from tests.check.mutants_generals import MUTANTS as SLIPS

    prove(SLIPS, rounds=30)


blocked = boards.test_as_many_stay_at_border_as_there_are_enemies
BOARDS: dict[str, Callable[[], None]] = {
    "Affiliation counts the enemy's too": partial(boards.test_affiliation_on_a_full_board, {"Ash": "BORDER"}, 4),
    "Affiliation counts the fallen": partial(boards.test_affiliation_on_a_full_board, {"Ash": "BORDER"}, 4),
    "Affiliation counts every faction": partial(boards.test_affiliation_on_a_full_board, {}, 5),
    "Affiliation counts those at home alone": partial(boards.test_affiliation_on_a_full_board, {"Ash": "BORDER"}, 4),
    "Affiliation takes off one at most": boards.test_each_recruit_helps_the_next_and_all_are_paid_for_at_the_end,
    "a Siege without Siegecraft": boards.test_siegecraft_begins_anew_with_each_turn_and_is_its_owners,
    "Siegecraft in every Siege of a turn": boards.test_a_siege_that_was_negated_was_the_first,
    "Siegecraft in the second Siege": boards.test_a_siege_that_was_negated_was_the_first,
    "blockers do not stop a larger force": partial(blocked, foes=3, friends=1, start="FORTRESS"),
    "who leaves counts as a blocker": partial(blocked, foes=2, friends=1, start="BORDER"),
    "of a plot with four one is spared": boards.test_four_targets_of_one_plot_are_four,
    "only the first falls": boards.test_four_fallen_by_one_plot_count_four_times,
    "equal Wits are enough": partial(boards.test_fire_takes_everybody_with_less_wits_however_many, 4),
}
"""What was found to pass unnoticed once, and more of its kind, each with the scenario that notices."""


@pytest.mark.skipif(build() == "compiled", reason="compiled classes cannot be patched")
@pytest.mark.parametrize("name", BOARDS)
def test_whole_boards_notice_faults_of_generals(name: str) -> None:
    from tests.check.mutants_generals import MUTANTS as SLIPS

    [mutant] = [slip for slip in SLIPS if slip.name == name]
    BOARDS[name]()
    with mutant.applied(), pytest.raises(AssertionError):
        BOARDS[name]()
