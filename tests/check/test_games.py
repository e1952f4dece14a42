"""Every installed game obeys every law in a game of each sample. `gonfalon check` plays more."""

from __future__ import annotations

import os

import pytest

from gonfalon import games
from gonfalon.check import run
from gonfalon.table.check_requests import send_actions


@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", games.names())
def test_no_law_is_broken(name: str) -> None:
    rounds = 2 if os.environ.get("HYPOTHESIS_PROFILE") == "thorough" else 1
    results = run(games.find_game_class(name), 0, rounds=rounds, stuck_after=300, requests=send_actions)
    assert [result.line() for result in results if not result.ok] == []


@pytest.mark.parametrize("name", games.names())
def test_samples_use_every_option(name: str) -> None:
    """The kit never checks options that no sample uses."""
    kind = games.find_game_class(name)
    samples = kind.samples()
    for option in kind.options_spec:
        values = [value for value, _ in option.choices] or [False, True] * isinstance(option.default, bool)
        played = [made.options[option.name] for made in samples]
        assert [value for value in values if value not in played] == [], option.name
