"""The tool that solves the games of the benchmark, on tiny games."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gonfalon import games
from tools import solved


def test_a_tiny_game_is_solved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Feint's first tiny game has 14 information sets and a pure equilibrium."""
    feint = games.find_game_class("feint")
    monkeypatch.setattr(feint, "solved", lambda: feint.tiny()[:1])
    path = tmp_path / "solved.json"
    assert solved.main(["feint", "--iterations", "100", "--draws", "5", "--write", str(path)]) == 0
    [found] = json.loads(path.read_text("utf-8"))["feint"]
    assert found["cards"] == feint.tiny()[0].data_hash
    assert found["information sets"] == 14
    assert abs(found["value"]) <= found["value ±"] < 0.001
    assert abs(found["pure"]) < 1e-9
    assert found["uniform"] == 0.5625
