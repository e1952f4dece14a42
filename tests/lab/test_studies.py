"""The proposal in docs/studies can be laid over the game, and touches nothing that a rulebook says or implies."""

from __future__ import annotations

from pathlib import Path

from gonfalon.lab.overrides import variant

PROPOSAL = Path("docs/studies/feint-numbers.toml").absolute()


def test_the_proposal_changes_four_reconstructed_numbers_by_one() -> None:
    made = variant("feint", {}, file=PROPOSAL)
    assert {change.path for change in made.changes} == {
        "heavy-tower.strength",
        "workshop-guard.strength",
        "burly-bit.strength",
        "burly-bit.morale",
    }
    for change in made.changes:
        assert change.origin == "reconstructed"
        assert isinstance(change.before, int)
        assert isinstance(change.after, int)
        assert abs(change.after - change.before) == 1
