"""What there is to say of an ability stands in several tables, and each must have them all."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from gonfalon.core.errors import DataError
from gonfalon.games.feint.bots import round_summary
from gonfalon.games.feint.rules import texts
from gonfalon.games.feint.rules.cards import ABILITIES

QUICK: Final = Path(__file__).parent / "bots" / "rollout_policy.json"


def check() -> None:
    """Raises DataError for an ability that the rules have and a table lacks, or the other way round."""
    quick: dict[str, Any] = json.loads(QUICK.read_text(encoding="utf-8"))
    for where, table in (
        ("texts.ABILITIES", texts.ABILITIES),
        ("sketch.WORTH", {"": 0.0, **round_summary.WORTH}),
        ("bots/rollout_policy.json", quick["ability"]),
    ):
        for ability in sorted(ABILITIES.keys() ^ table.keys()):
            if ability in ABILITIES:
                raise DataError(f"The ability {ability!r} of kinds.ABILITIES is missing in {where}.")
            raise DataError(f"The ability {ability!r} of {where} is missing in kinds.ABILITIES.")
