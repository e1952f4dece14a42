"""`gonfalon bench --vector`."""

from __future__ import annotations

import json

import pytest

from gonfalon import bench
from gonfalon.bench import rate_against_peer
from gonfalon.cli import main

pytest.importorskip("pyspiel")


@pytest.mark.extended
def test_the_bench_measures_vectors_beside_their_peers(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench, "BURST_COUNT", 1)
    assert main(["bench", "--vector", "jinkei", "--seconds", "0.01", "--workers", "2", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    figures = found["games"]["jinkei"]
    assert set(figures) == {"vector", "workers", "spades"}
    assert all(figure["per_second"] > 0 for figure in figures.values())
    assert found["peer"].startswith("OpenSpiel's spades")


def test_a_figure_is_the_median_and_its_share_of_the_peers() -> None:
    assert rate_against_peer([2.0, 8.0, 4.0], 16.0) == {"per_second": 4, "spread": 1.5, "times_peer": 0.25}
    assert rate_against_peer([4.0], 0.0) == {"per_second": 4, "spread": 0.0, "times_peer": 0}
