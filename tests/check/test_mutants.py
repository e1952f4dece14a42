"""Tests of the kit by seeded faults: it catches at least 95 of 100 and reports no sound game."""

from __future__ import annotations

import pytest

from gonfalon.check import LAWS, run
from gonfalon.core.build import find_build
from tests.check.mutants import MUTANTS, Mutant
from tests.stranger.gonfalon_duel import Duel, DuelReferenceRules

# A loop may be ended while the interpreter clears away what has died: there the exception is lost, and comes again.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


def test_sound_game_breaks_no_law() -> None:
    broken = [result.line() for result in run(Duel, 0, rounds=2, reference=DuelReferenceRules()) if not result.ok]
    assert broken == []


def test_laws_that_are_left_out_are_laws() -> None:
    from tests.check import mutants_feint, mutants_generals

    every = [*MUTANTS, *mutants_feint.TURNS, *mutants_generals.MUTANTS]
    left_out = {name for slip in every for name in slip.skip}
    assert left_out - {law.name for law in LAWS} == set()
    assert {law.name for law in LAWS} - left_out, "one is left to watch"


def prove(mutants: list[Mutant], rounds: int) -> None:
    missed = [mutant.name for mutant in mutants if not mutant.caught(rounds)]
    assert len(mutants) >= 20
    assert len(missed) <= len(mutants) * 0.05, missed


@pytest.mark.long
@pytest.mark.skipif(find_build() == "compiled", reason="these faults, and the kit that finds them, are not compiled")
def test_faults_are_caught() -> None:
    prove(MUTANTS, rounds=40)


@pytest.mark.long
@pytest.mark.skipif(find_build() == "compiled", reason="compiled classes cannot be patched")
def test_faults_in_a_turn_of_feint_are_caught() -> None:
    """Only the reference rules, which are independent, catch them."""
    from tests.check.mutants_feint import TURNS

    prove(TURNS, rounds=24)


@pytest.mark.long
@pytest.mark.skipif(find_build() == "compiled", reason="compiled classes cannot be patched")
def test_faults_of_generals_are_caught() -> None:
    """Mainly the reference rules, which are independent, catch them."""
    from tests.check.mutants_generals import MUTANTS as SLIPS

    prove(SLIPS, rounds=30)
