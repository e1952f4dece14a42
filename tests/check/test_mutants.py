"""The kit is proved by faults: at least 95 of 100 must be caught, and no sound game accused."""

from __future__ import annotations

import sys
import time

import pytest

from gonfalon.check import run
from tests.check.mutants import MUTANTS
from tests.stranger.gonfalon_duel import Duel


def test_sound_game_breaks_no_law() -> None:
    broken = [result.line() for result in run(Duel, 2) if not result.ok]
    assert broken == []


def test_faults_are_caught(capsys: pytest.CaptureFixture[str]) -> None:
    lines, missed = [], []
    began = time.monotonic()
    for mutant in MUTANTS:
        broken = mutant.caught(seconds=1.5)
        if not broken:
            missed.append(mutant.name)
        found = broken[0].line() if broken else "NOT CAUGHT"
        lines.append(f"{mutant.name:<60} {found[:170]}")
    with capsys.disabled():
        print(f"\n{len(MUTANTS) - len(missed)} of {len(MUTANTS)} faults caught in {time.monotonic() - began:.0f} s")
        print("\n".join(lines), file=sys.stdout)
    assert len(MUTANTS) >= 20
    assert len(missed) <= len(MUTANTS) * 0.05, missed
