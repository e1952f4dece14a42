"""The kit finds reference rules through their entry points."""

from __future__ import annotations

from importlib.metadata import EntryPoint, entry_points
from typing import Any

import pytest

from gonfalon.check import ReferenceRules, load_reference_rules, reference_rules
from gonfalon.core.basics.errors import OptionError
from gonfalon_reference_rules.factionwars.judge import FactionWarsReferenceRules
from gonfalon_reference_rules.feint.judge import FeintReferenceRules
from gonfalon_reference_rules.generals.judge import GeneralsReferenceRules
from tests.missing import missing

OURS: dict[str, type[ReferenceRules[Any]]] = {
    "factionwars": FactionWarsReferenceRules,
    "feint": FeintReferenceRules,
    "generals": GeneralsReferenceRules,
}


@pytest.mark.parametrize("name", OURS)
def test_those_of_our_games_are_found(name: str) -> None:
    if not entry_points(group="gonfalon.reference_rules"):
        missing("the reference rules are not installed (tests/oracles)")
    assert type(load_reference_rules(name)) is OURS[name]


def test_a_game_may_have_none() -> None:
    assert type(load_reference_rules("no-such-game")) is ReferenceRules


def test_something_else_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = EntryPoint("feint", "gonfalon.games.feint:Feint", "gonfalon.reference_rules")
    monkeypatch.setattr(reference_rules, "entry_points", lambda **wanted: [entry])
    with pytest.raises(OptionError, match="'feint' is not a gonfalon ReferenceRules"):
        load_reference_rules("feint")
