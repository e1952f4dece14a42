"""Both builds play the same games: the suite of the compiled build names the plain one."""

from __future__ import annotations

import os

import pytest

from gonfalon import games
from gonfalon.check.kit import run
from gonfalon.check.laws.formats import builds
from gonfalon.core.build import find_build

OTHER = os.environ.get(builds.OTHER_PYTHON_VARIABLE)


@pytest.mark.parametrize("name", games.names())
@pytest.mark.skipif(OTHER is None, reason=f"{builds.OTHER_PYTHON_VARIABLE} names no other build")
def test_both_builds_play_the_same_games(name: str) -> None:
    [result] = run(games.find_game_class(name), 0, laws=builds.LAWS, rounds=1)
    assert result.ok, result.line()
    other = "plain" if find_build() == "compiled" else "compiled"
    assert f"{find_build()} here, {other} there" in result.note
