"""The changes proposed in docs/studies can be applied to the games."""

from __future__ import annotations

from pathlib import Path

import pytest

from gonfalon import games
from gonfalon.lab.studies.overrides import make_variant

STUDIES = Path("docs/studies").absolute()


@pytest.mark.parametrize("name", ["feint", "jinkei"])
def test_a_former_set_of_cards_touches_nothing_that_a_rulebook_says(name: str) -> None:
    made = make_variant(name, {}, file=STUDIES / f"{name}-former.toml")
    games.game(name, **made.options)
    assert {change.origin for change in made.changes} == {"reconstructed"}
