"""Every level's reasons, over 500 decisions of each game: they name the deciding factor and agree with the numbers.

Here there are 500 answers of all levels together. `HYPOTHESIS_PROFILE=thorough` gives each level 500 positions.
"""

from __future__ import annotations

import os
import re
from collections import Counter, defaultdict
from dataclasses import replace

import pytest

from gonfalon.bots import Basis, Estimate, Reason
from tests.bots.reasons import answers, faults

POSITIONS = 500 if os.environ.get("HYPOTHESIS_PROFILE") == "thorough" else 84
"""The number of positions, each answered by six levels."""
STOCK = 0.25
"""The largest share of one sentence among a level's reasons."""
HABITS = 0.45
"""The largest share of habits. Minor questions are all answered by habit."""


@pytest.mark.parametrize("name", ["feint", "jinkei", "generals", "factionwars"])
def test_reasons_name_the_deciding_factor_and_agree_with_the_numbers(name: str) -> None:
    wrong = []
    stock: dict[str, Counter[str]] = defaultdict(Counter)
    count = 0
    for answer in answers(name, POSITIONS):
        count += 1
        choice = answer.choice
        wrong += [f"{answer.level}: “{choice.why}” {fault}; {choice}" for fault in faults(answer)]
        assert choice.reason is not None
        habit = choice.reason.basis == Basis.HABIT
        stock[answer.level]["a habit" if habit else re.sub(r"\d+", "0", choice.why)] += 1
    assert count >= 500
    assert wrong == []
    most = {level: counter.most_common(1)[0] for level, counter in stock.items()}
    bounds = {level: POSITIONS * (HABITS if most[level][0] == "a habit" else STOCK) for level in most}
    assert {level: found for level, found in most.items() if found[1] > bounds[level]} == {}


def test_faulty_reasons_are_detected() -> None:
    """Each case lacks one property of a good answer."""
    searched = (answer for answer in answers("feint", 20) if answer.level == "expert" and answer.choice.alternatives)
    good = next(answer for answer in searched if answer.choice.reason and answer.choice.reason.basis == Basis.BETTER)
    assert faults(good) == []
    game, view, right = good.game, good.view, good.choice
    assert right.value is not None
    raw = game.notation(next(action for action in view.actions if "@" in game.notation(action)))
    for wrong, fault in (
        (replace(right, why=f"{right.why[:-1]}, next is {raw}."), "which is a notation"),
        (replace(right, why="It was as good as any."), "names neither"),
        (replace(right, why="well"), "is no sentence"),
        (replace(right, reason=None), "does not say what decided"),
        (replace(right, value=Estimate(0.0, 0.0, 0.5)), "beside a higher chance"),
        (
            replace(right, reason=Reason(Basis.LEARNT, right.alternatives[0].action, (("share", 0.1), ("else", 0.2)))),
            "less",
        ),
        (replace(right, reason=Reason(Basis.RULE)), "does not have"),
    ):
        assert any(fault in found for found in faults(good._replace(choice=wrong))), (fault, wrong)
    invented = [replace(right, why=f"{right.why[:-1]} ({number} % sure).") for number in range(1, 100)]
    noticed = [
        wrong for wrong in invented if any("which nothing" in found for found in faults(good._replace(choice=wrong)))
    ]
    assert len(noticed) > 60, "the others are numbers of the choice"
