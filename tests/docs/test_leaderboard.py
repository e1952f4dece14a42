"""The cards of docs/benchmark are whole, and the leaderboard beside them is made of them."""

from __future__ import annotations

from pathlib import Path

from gonfalon.learn.benchmark import board
from gonfalon.learn.benchmark.card import read

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "benchmark"


def test_the_leaderboard_is_made_of_the_cards() -> None:
    paths = sorted(FOLDER.glob("*.json"))
    assert paths
    cards = [read(path) for path in paths]
    assert [card["agent"] for card in cards] == [path.stem for path in paths]
    assert (FOLDER / "README.md").read_text("utf-8") == "\n".join(board.markdown(cards)) + "\n"
    assert (FOLDER / "board.html").read_text("utf-8") == board.page(cards)
