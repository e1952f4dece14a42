"""The cards of docs/benchmark are whole, and the documentation's leaderboard is made of them."""

from __future__ import annotations

from pathlib import Path

from docs.generated import pages
from gonfalon.learn.benchmark.card import read

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "benchmark"


def test_the_leaderboard_is_made_of_the_cards() -> None:
    paths = sorted(FOLDER.iterdir())
    assert {path.suffix for path in paths} == {".json"}
    cards = [read(path) for path in paths]
    assert [card["agent"] for card in cards] == [path.stem for path in paths]
    page = pages()["reference/leaderboard.md"]
    for card in cards:
        assert page.count(card["hash"]) == len(card["games"])
