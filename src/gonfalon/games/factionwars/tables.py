"""What there is to say of an ability or of a goal's rule stands in several tables, and each must have them all."""

from __future__ import annotations

from collections.abc import Iterable

from gonfalon.core.errors import DataError
from gonfalon.games.factionwars import box
from gonfalon.games.factionwars.rules import scoring, texts
from gonfalon.games.factionwars.rules.cards import ABILITIES


def check() -> None:
    """Raises DataError for what one table has and another lacks."""
    pairs: list[tuple[str, str, Iterable[str], str, Iterable[str]]] = [
        ("ability", "kinds.ABILITIES", ABILITIES, "texts.ABILITIES", texts.ABILITIES),
        ("rule", "scoring.RULES", scoring.RULES, "data.NEEDS", box.NEEDS),
        ("rule", "scoring.RULES", scoring.RULES, "texts.GOALS", texts.GOALS),
    ]
    for what, one, have, other, has in pairs:
        for name in sorted({*have} ^ {*has}):
            here, there = (one, other) if name in have else (other, one)
            raise DataError(f"The {what} {name!r} of {here} is missing in {there}.")
