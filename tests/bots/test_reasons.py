"""Every level's reasons, over 500 decisions of each game: they name what decided, and agree with what stands beside.

Here 500 answers of all levels together; `HYPOTHESIS_PROFILE=thorough` puts 500 positions to each level.
"""

from __future__ import annotations

import os
import re
from collections import Counter, defaultdict
from dataclasses import replace

import pytest

from gonfalon import Rng
from gonfalon.bots import Alternative, Basis, Bot, Budget, Choice, Estimate, Reason
from gonfalon.bots.calibration import Scale
from gonfalon.core.state import State
from tests.bots.reasons import Answer, answers, faults, tables

POSITIONS = 500 if os.environ.get("HYPOTHESIS_PROFILE") == "thorough" else 84
"""Six levels answer in each."""
STOCK = 0.25
"""Of a level's reasons no more may be a habit, or one and the same sentence."""


@pytest.mark.parametrize("name", ["feint", "jinkei", "generals", "factionwars"])
def test_reasons_name_what_decided_and_agree_with_the_numbers_beside_them(name: str) -> None:
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
    assert {level: found for level, found in most.items() if found[1] > STOCK * POSITIONS} == {}


class Boaster(Bot):
    """Says that it is best, whatever stands beside it."""

    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        first, second = view.legal(view.viewer)[:2]
        beside = Alternative(second, Estimate(0.7, 0.6, 0.8), 0.5)
        return Choice(first, value=Estimate(0.4, 0.3, 0.5), alternatives=(beside,), reason=Reason(Basis.BETTER, second))


def test_the_sentence_is_made_of_the_chances_as_they_are_told() -> None:
    """A scale that halves the way to 1 makes 85 and 70 % of 70 and 40."""
    game = tables("jinkei")[0]
    bot = Boaster("boaster", game)
    bot.scale = Scale(((0.0, 0.5), (1.0, 1.0)))
    view = next(answers("jinkei", 1)).view
    told = bot.choose(view, Budget(iterations=1), Rng(1))
    assert "(85 % to win, against 70 %)" in told.why
    found = faults(Answer("boaster", game, view, told))
    assert "is told as the best beside a higher chance" in found
    assert "claims to be better than a higher chance" in found


def test_what_a_reason_may_not_do_is_noticed() -> None:
    """Each is one thing less than a good answer."""
    good = next(answer for answer in answers("feint", 20) if answer.level == "expert" and answer.choice.alternatives)
    assert faults(good) == []
    game, view, right = good.game, good.view, good.choice
    assert right.value is not None
    raw = game.notation(next(action for action in view.actions if "@" in game.notation(action)))
    for wrong, fault in (
        (replace(right, why=f"{right.why[:-1]}, next is {raw}."), "which is a notation"),
        (replace(right, why="It was as good as any."), "names neither"),
        (replace(right, why=f"{right.why[:-1]} (99 % sure)."), "99 %, which nothing"),
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
