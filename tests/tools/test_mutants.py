"""The pages of docs/mutants: their counts, and the verdicts on survivors."""

from __future__ import annotations

from typing import Any

from gonfalon import games
from tools.mutants import pages


def test_there_is_a_page_for_every_game() -> None:
    assert {path.stem for path in pages.FOLDER.glob("*.md")} - {"README"} == set(games.names())


def mutant(id: str, killed: bool) -> dict[str, Any]:
    return {"id": id, "killed": killed}


def test_the_share_excludes_equivalent_mutants() -> None:
    """Eight of ten that differ are killed. Two live ones do not differ."""
    mutants = [mutant(str(number), number < 8) for number in range(12)]
    verdicts = {"8": {"verdict": "equivalent"}, "9": {"verdict": "equivalent"}, "10": {"verdict": "missing"}}
    assert pages.killed_share({"mutants": mutants}, verdicts) == 0.8


def test_mutants_that_cannot_be_retried_are_counted() -> None:
    figures = {"mutants": [mutant("a", True), mutant("b", False), mutant("c", False)], "gone": 2}
    found = pages.merge_results(figures, {"b", "c"}, {"c": mutant("c", True)})
    assert found == {"mutants": [mutant("a", True), mutant("c", True)], "gone": 3}
    assert "3 more can no longer be tried" in pages.summarize_results(found, {})
    assert "no longer" not in pages.summarize_results(found | {"gone": 0}, {})
