"""README and documentation quote the newest runs of `make benchmarks`, and a run's page is made of its figures."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tools.benchmarks import report

ROOT = Path(__file__).resolve().parents[2]
NEWEST = max((ROOT / "tools" / "benchmarks" / "results").glob("*.json"))


def test_the_readme_quotes_the_newest_run() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    found = json.loads(NEWEST.read_text("utf-8"))
    table = report.format_readme_table(found)
    quoted = re.findall(r"^\| .* [kM] \|$", readme, re.M)
    assert len(quoted) >= 6
    assert any("C++" in row for row in quoted)  # the peer that is faster than some of the games
    assert [row for row in quoted if row not in table.splitlines()] == []
    assert table in (ROOT / "docs" / "pages" / "why" / "speed.md").read_text("utf-8")
    assert f"tools/benchmarks/results/{NEWEST.stem}.md" in readme
    assert NEWEST.with_suffix(".md").read_text("utf-8") == report.format_page(found)


def test_the_documentation_quotes_the_newest_run_of_many_games() -> None:
    newest = max((ROOT / "tools" / "benchmarks" / "results" / "rows").glob("*.json"))
    found = json.loads(newest.read_text("utf-8"))
    page = (ROOT / "docs" / "pages" / "why" / "speed.md").read_text("utf-8")
    assert report.format_rows(found) in page
    assert newest.stem in page


def test_a_ratio_is_the_median_of_pairs_of_bursts() -> None:
    assert report.compare_rows({"rate": [10.0, 90.0, 30.0], "base": [20.0, 30.0, 40.0]}) == {"ratio": 0.75}
    assert report.compare_rows({"rate": [10.0, 90.0], "base": [20.0, 0.0]}) == {"ratio": 0.5}
    assert report.compare_rows({"rate": [10.0]}) == {}


@pytest.mark.parametrize(
    ("job", "base"),
    [
        ("rows jinkei dense 1024", "rows weiss_sim 1024"),
        ("rows jinkei dense 256", "rows weiss_sim 256"),
        ("rows openspiel euchre with tensors", "rows weiss_sim 256"),
        ("step openspiel euchre", ""),
    ],
)
def test_many_games_are_compared_with_the_same_number(job: str, base: str) -> None:
    assert report.find_base(job) == base


def test_jobs_of_many_games_are_one_row_for_each_and_one_column_for_each_number_of_games() -> None:
    rates = {
        "compiled: rows jinkei dense 256": {"rate": 150_000, "ratio": 0.751},
        "compiled: rows jinkei dense 1024": {"rate": 95_000, "ratio": 0.5},
        "peers: rows openspiel euchre": {"rate": 9_000, "ratio": 0.04},
    }
    assert report.format_rows({"rates": rates}).splitlines() == [
        "| | 256 games | 1024 games | one game |",
        "|---|---:|---:|---:|",
        "| jinkei dense | 150 k (0.75) | 95 k (0.50) |  |",
        "| openspiel euchre |  |  | 9.0 k (0.04) |",
    ]
