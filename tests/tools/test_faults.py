"""`python -m tools.faults`: it notices lost and doubled moves, and nothing is lost in a short run."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from tools.faults import __main__ as command
from tools.faults.clients import Post, match_posts
from tools.faults.suite import Settings


@pytest.mark.parametrize(
    ("entries", "posts", "found"),
    [
        ("abc", "abc", (0, 0)),
        ("ac", "ab?c", (0, 0)),
        ("abc", "ab?c", (0, 0)),
        ("aa", "a?a?a", (0, 0)),
        ("", "a?", (0, 0)),
        ("ac", "abc", (1, 0)),
        ("", "aa", (2, 0)),
        ("aab", "ab", (0, 1)),
        ("aaa", "a?a", (0, 1)),
        ("d", "", (0, 1)),
        ("ba", "ab", (0, 1)),
        ("ad", "ab", (1, 1)),
    ],
)
def test_records_are_compared_with_all_posts(entries: str, posts: str, found: tuple[int, int]) -> None:
    """A question mark follows a move that got no answer, which may be in the record once."""
    sent = [Post(text[0], certain=len(text) == 1) for text in re.findall(r"\w\??", posts)]
    assert match_posts(list(entries), sent) == found


@pytest.mark.parametrize(
    "kind",
    [pytest.param("sqlite", marks=pytest.mark.extended), pytest.param("postgresql", marks=pytest.mark.long)],
)
def test_a_short_run_loses_nothing(free_port: Callable[[], int], kind: str) -> None:
    """The seconds of silences depend on the load of the machine, so none is tested."""
    settings = Settings(
        port=free_port(),
        workers=2,
        tables=8,
        pause=0.1,
        kills=2,
        stops=1,
        steps=1,
        others=0,
        stop_seconds=6.0,
        outage_seconds=1.0,
        seed=1,
    )
    found = command.run_suite(kind, settings)
    assert found.faults == {"kill of a worker": 2, "stop of all": 1, "step of the clock": 1}
    assert (found.lost, found.doubled, found.observed.stale, found.stopped, found.flags) == (0, 0, 0, 0, 0)
    assert found.observed.acknowledged >= 8
    assert "0 lost, 0 doubled" in command.format_found(kind, found)
