"""The README quotes the newest run of `make benchmarks`, and the run's page is made of its figures."""

from __future__ import annotations

import json
import re
from pathlib import Path

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
