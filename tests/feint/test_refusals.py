"""Every refusal names its rule: a ruling or a part of the rulebook."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from gonfalon import Rng
from gonfalon.core.rules.state import CHANCE
from gonfalon.core.text.citations import Reason
from gonfalon.games.feint import Feint
from gonfalon.games.feint.face.messages import REASONS
from gonfalon.games.feint.rules.actions import CARD, SLOTS
from gonfalon.games.feint.rules.cards import ABILITIES
from gonfalon.games.feint.rules.state import FeintState
from tests.feint.scenario import Table, card, card_with
from tests.feint.test_words import asked_of_may

RULE = re.compile(r"rulings? \d+(, \d+)*|Deployment phase|Setup")


def refusals(game: Feint, state: FeintState) -> Iterator[tuple[int, Reason]]:
    """Yield every illegal action of the seat to decide with its reason, including invalid numbers."""
    for seat in state.asked():
        for asked in (0, 1) if seat == -3 else (seat,):
            for action in [*game.all_actions(), *game.all_chances(), -1, CARD + SLOTS * len(game.cards), 1 << 40]:
                if not state.is_legal(asked, action) and not (state.stack[-1].seat == -3 and not state.legal(asked)):
                    reason = state.why_not(asked, action)
                    assert isinstance(reason, Reason)
                    yield action, reason


def test_each_question_refuses_every_other_answer_by_a_rule() -> None:
    for table in asked_of_may().values():
        found = list(refusals(table.game, table.state))
        assert found
        for action, reason in found:
            assert RULE.fullmatch(reason.rule), (action, reason)


@pytest.mark.parametrize("reading", ["itself", "played"])
def test_a_scramblers_refusal_names_the_card_that_must_move(reading: str) -> None:
    table = Table(may=[card("scram", 1, "scrambler")], david=[card("hen", 2)], scrambler=reading)
    table.may.has("scram", at=4).holds("red-filler")
    table.david.holds("hen", "hen")
    table.deploys(table.david).david.plays("hen@4")
    which = "The Scrambler" if reading == "itself" else "The card that was played"
    assert which in table.may.why_not("@4")


def test_every_question_has_its_reason() -> None:
    """Every question of the rules has an entry, and every entry has a question."""
    asked = {"toss"} | set(asked_of_may())
    for game in (Feint(), Feint(exact=True)):
        state, rng = game.start(), Rng(1)
        while not state.over:
            asked.add(state.stack[-1].prompt)
            state.apply(state.turn, state.sample(rng))
    assert asked == set(REASONS)


@pytest.mark.parametrize("ability", sorted(ABILITIES))
def test_a_card_of_any_ability_that_is_not_in_hand_is_refused_by_a_rule(ability: str) -> None:
    table = Table(may=[card_with(ability, "made")])
    table.may.holds("red-filler")
    table.deploys(table.may)
    for notation in ("made", "made@4"):
        reason = table.may.why_not(notation)
        assert reason == "Made is not in your hand."
        assert RULE.fullmatch(reason.rule)
    table.may.holds("made")
    table.deploys(table.may)
    for notation in ("made", *(f"made@{n}" for n in (2, 3, 4, 5, 6))):
        if not table.may.may_do(notation):
            assert RULE.fullmatch(table.may.why_not(notation).rule), notation
    assert table.state.turn != CHANCE


def test_the_game_gives_the_reason_and_a_state_without_one_still_refuses() -> None:
    table = Table()
    table.may.holds("red-filler")
    table.deploys(table.may)
    action = table.game.parse("blue-filler@4")
    assert table.state.why_not(0, action) == table.game.refusal(table.state, 0, action)
    table.state.rules = None
    assert table.state.why_not(0, action) == "This action is not legal now."
