"""The kit is proved by faults: at least 95 of 100 must be caught, and no sound game accused."""

from __future__ import annotations

import time

import pytest

from gonfalon.check import run
from gonfalon.core.build import build
from tests.check.mutants import MUTANTS, Mutant
from tests.stranger.gonfalon_duel import Duel

# A loop may be ended while the interpreter clears away what has died: there the exception is lost, and comes again.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


def test_sound_game_breaks_no_law() -> None:
    broken = [result.line() for result in run(Duel, 0, rounds=8) if not result.ok]
    assert broken == []


def prove(mutants: list[Mutant], rounds: int, capsys: pytest.CaptureFixture[str]) -> None:
    lines, missed = [], []
    began = time.monotonic()
    for mutant in mutants:
        broken = mutant.caught(rounds)
        if not broken:
            missed.append(mutant.name)
        found = broken[0].line() if broken else "NOT CAUGHT"
        lines.append(f"{mutant.name:<60} {found[:170]}")
    with capsys.disabled():
        print(f"\n{len(mutants) - len(missed)} of {len(mutants)} faults caught in {time.monotonic() - began:.0f} s")
        print("\n".join(lines))
    assert len(mutants) >= 20
    assert len(missed) <= len(mutants) * 0.05, missed


@pytest.mark.skipif(build() == "compiled", reason="these faults, and the kit that finds them, are not compiled")
def test_faults_are_caught(capsys: pytest.CaptureFixture[str]) -> None:
    prove(MUTANTS, rounds=40, capsys=capsys)


@pytest.mark.skipif(build() == "compiled", reason="compiled classes cannot be patched")
def test_faults_of_feint_are_caught(capsys: pytest.CaptureFixture[str]) -> None:
    from tests.check.mutants_feint import MUTANTS as SLIPS

    prove(SLIPS, rounds=12, capsys=capsys)
