"""Every installed game keeps every law, in a few games of each sample; `gonfalon check` looks longer.

Both builds play the same games (test_builds.py), so that the compiled one is looked at more briefly.
"""

from __future__ import annotations

import pytest

from gonfalon import games
from gonfalon.check import run
from gonfalon.core.build import build


@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", games.names())
def test_no_law_is_broken(name: str) -> None:
    results = run(games.kind(name), 0, rounds=1 if build() == "compiled" else 2, stuck_after=120)
    assert [result.line() for result in results if not result.ok] == []
