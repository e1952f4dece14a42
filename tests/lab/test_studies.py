"""What docs/studies propose or undo can be laid over the games, and touches nothing that a rulebook says or implies."""

from __future__ import annotations

from pathlib import Path

from gonfalon import games
from gonfalon.lab.overrides import variant

STUDIES = Path("docs/studies").absolute()


def test_four_reconstructed_numbers_were_one_less() -> None:
    made = variant("feint", {}, file=STUDIES / "feint-former.toml")
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
        assert change.before - change.after == 1


def spaces(rows: object) -> list[str]:
    """The spaces of a layout, the Vanguard first."""
    assert isinstance(rows, list)
    return [space for row in rows for space in row.split()]


def test_jinkei_was_changed_in_one_thing_of_three_reconstructed_formations() -> None:
    """One space more is Wild; two spaces of a row changed places; a Wild effect moved one space on."""
    made = variant("jinkei", {}, file=STUDIES / "jinkei-former.toml")
    games.game("jinkei", **made.options)
    assert {change.origin for change in made.changes} == {"reconstructed"}
    both = {change.path: (spaces(change.after), spaces(change.before)) for change in made.changes}
    moved = {path: [pair for pair in zip(*rows, strict=True) if len(set(pair)) > 1] for path, rows in both.items()}
    assert moved == {
        "sword-2a.rows": [(".", ".W")],
        "shield-3b.rows": [("#", "."), (".", "#")],
        "bow-1b.rows": [("T", "TW"), (".W", ".")],
    }
