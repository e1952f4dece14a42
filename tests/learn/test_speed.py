"""The report on the speed of environments: rates relative to the peer's, and missing libraries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from gonfalon.core.rules.game import Game
from gonfalon.learn.benchmark import speed


class Clockwork:
    """Jobs whose every call takes half a second by their own clock."""

    def __init__(self, game: Game, workers: int) -> None:
        self.now = 0.0
        self.jobs: dict[str, Callable[[int], int]] = {"vector": self.job(50), "spades": self.job(200)}

    def job(self, made: int) -> Callable[[int], int]:
        def run(turn: int) -> int:
            self.now += 0.5
            return made

        return run

    def spent(self) -> float:
        return self.now

    def close(self) -> None:
        pass


def test_rates_stand_beside_the_peer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speed, "Bench", Clockwork)
    monkeypatch.setattr(speed, "peer_jobs", dict)
    told: list[str] = []
    found: Any = speed.measure_speeds(["jinkei"], told.append)["jinkei"]
    assert (found["vector"]["per_second"], found["spades"]["per_second"]) == (100, 400)
    assert found["vector"]["times_peer"] == 0.25
    assert found["pgx"] == found["envpool"] == "not installed"
    assert len(told) == 1
