"""The kit catches all that any kit could know of mistakes in a stranger's game, and accuses no sound one."""

from __future__ import annotations

import pytest

from gonfalon.check import run
from gonfalon.core.build import find_build
from gonfalon.core.rules.game import Game
from gonfalon.table.check_requests import send_actions
from tests.check.kin import LongDuel, SecretDuel, TradeDuel, UnshuffledDuel, VeiledDuel
from tests.check.mutants import Mutant
from tests.check.slips import SLIPS
from tests.stranger.gonfalon_duel import DuelReferenceRules

pytestmark = pytest.mark.skipif(find_build() == "compiled", reason="neither these faults nor the kit are compiled")


@pytest.mark.long
@pytest.mark.parametrize("game", [LongDuel, SecretDuel, TradeDuel, VeiledDuel, UnshuffledDuel])
def test_kin_of_the_duel_are_sound(game: type[Game]) -> None:
    reference = None if issubclass(game, VeiledDuel) else DuelReferenceRules()
    results = run(game, 0, rounds=8, requests=send_actions, reference=reference)
    assert [result.line() for result in results if not result.ok] == []


@pytest.mark.long
@pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: slip.name)
def test_a_mistake_is_caught(slip: Mutant) -> None:
    assert slip.caught(rounds=40)
