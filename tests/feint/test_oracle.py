"""The judge, a second implementation of Feint. It accepts a sound game and finds faults."""

from __future__ import annotations

import ast
from collections.abc import Callable
from pathlib import Path

import pytest

from gonfalon.check.play import Case, play_case
from gonfalon.core.basics.cards import SEEN
from gonfalon.games.feint import Feint
from gonfalon.games.feint.rules.cards import ABILITIES
from gonfalon.games.feint.rules.phases import DEPLOY
from gonfalon.games.feint.rules.state import DUE, STAY, FeintState
from gonfalon_reference_rules.feint import judge, oracle
from gonfalon_reference_rules.feint.judge import FeintReferenceRules, is_known
from gonfalon_reference_rules.feint.sample_boxes import CROWDED
from tests.feint.scenario import Table, card
from tests.feint.test_scrambler import acting, scrambling

SAMPLES = [*FeintReferenceRules().build_samples(Feint), *Feint.samples(), *Feint.tiny()]


def judge_game(game: Feint, case: Case) -> list[str]:
    """Return the judge's first faults in a game."""
    reference = FeintReferenceRules()
    for at in range(1, len(case.states)):
        wrong = reference.judge_step(game, case.states[at - 1], *case.decisions[at - 1], case.states[at])
        if wrong:
            return wrong
    return []


@pytest.mark.parametrize("number", range(len(SAMPLES)))
def test_it_agrees_with_whole_games_of_every_configuration(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The judge follows every decision, unless a card has an ability it does not know."""
    game = SAMPLES[number]
    told: list[str] = []
    tell = judge.Judge.goes_on

    def counted(self: judge.Judge, seat: int, word: str) -> list[str]:
        told.append(word)
        return tell(self, seat, word)

    monkeypatch.setattr(judge.Judge, "goes_on", counted)
    case = play_case(game, number + 1)
    assert case.crash is None
    assert judge_game(game, case) == []
    assert len(told) == (len(case.decisions) if is_known(game) else 0)


def test_it_shares_no_code_with_the_rules() -> None:
    """Its only project imports are the random number generator and types."""
    tree = ast.parse(Path(oracle.__file__).read_text("utf-8"))
    imported = [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module]
    ours = {module for module in imported if module.startswith("gonfalon")}
    types = {"gonfalon.core.files.card_files", "gonfalon.core.basics.options", "gonfalon.games.feint.box"}
    assert ours == {"gonfalon.core.basics.rng", *types}
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.Import)]


def test_it_knows_which_abilities_happen_as_a_card_is_played() -> None:
    assert sorted(oracle.AT_ONCE) == sorted(set(acting()) & set(oracle.KNOWN))
    assert set(oracle.KNOWN) <= set(ABILITIES)


# ---- what it finds --------------------------------------------------------------------------------------


def scene() -> Table:
    """Return a table where May has played an angel to 4 and a hen to 5. David, with a Scrambler at 3, is to act. All
    cards are known."""
    table = Table(
        may=[card("angel", 3, "guardian-angel"), card("hen", 1), card("spy", 5, "covert")],
        david=[card("scram", 3, "scrambler"), card("cock", 2)],
    )
    table.may.holds("angel", "hen", "spy", "red-filler").has("hen", at=5).scouted(4)
    table.david.holds("cock", "blue-filler").has("scram", at=3).scouted(6)
    table.deploys(table.may)
    table.may.plays("angel@4")
    return table


def morale(s: FeintState) -> None:
    s.morale[0] -= 1


def knowledge(s: FeintState) -> None:
    s.hand[1][0] |= SEEN[0]


def token(s: FeintState) -> None:
    s.remark(0, 2, 0, s.at(0, 2)[0] & ~STAY)


def load(s: FeintState) -> None:
    s.load[2] += 1


def discard(s: FeintState) -> None:
    s.bury(0, s.lift(0, 3, 0))


def passed(s: FeintState) -> None:
    s.passed = 1


def start(s: FeintState) -> None:
    s.first = 1


def answers(s: FeintState) -> None:
    s.actions = s.actions[:-1]


def turn(s: FeintState) -> None:
    s.stack[-1] = DEPLOY[1]
    s.settle()


SLIPS = [morale, knowledge, token, load, discard, passed, start, answers, turn]


@pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: str(slip.__name__))
def test_it_finds_every_fault_in_a_position(slip: Callable[[FeintState], None]) -> None:
    """David plays a cock to 4, and then one value is changed."""
    table = scene()
    before, action = table.state.clone(), table.game.parse("cock@4")
    after = before.clone()
    after.apply(1, action)
    assert FeintReferenceRules().judge_step(table.game, before, 1, action, after.clone()) == []
    slip(after)
    wrong = FeintReferenceRules().judge_step(table.game, before, 1, action, after)
    assert wrong
    assert all(wrong)


def test_it_finds_an_impossible_answer() -> None:
    table = scene()
    before, action = table.state.clone(), table.game.parse("hen@4")
    after = before.clone()
    assert FeintReferenceRules().judge_step(table.game, before, 1, action, after) == [
        "seat 1 should not be able to answer 'hen@4'"
    ]


def test_it_finds_a_scrambler_that_moves_for_another_play() -> None:
    """The mage of 3 has waited while a newcomer replaced the Scrambler it triggered. If the newcomer is to move it, the
    judge names the correct next question."""
    table = scrambling(3, 4)
    table.reference = FeintReferenceRules()
    table.david.holds("mage", "blue-filler").discarded("mage", "hen")
    table.deploys(table.david)
    table.david.plays("mage@3", "own-first", "mage@3", "own-first", "hen@4")
    table.may.answers("@3")
    before, action = table.state.clone(), table.game.parse("@6")
    after = before.clone()
    step = after.stack[-1]
    after.apply(0, action)
    newcomer = after.at(0, table.place(3))[0]
    after.remark(0, table.place(3), 0, newcomer | before.at(0, table.place(3))[0] & -DUE)
    after.stack.append(step)
    after.settle()
    assert after.stack[-1].prompt == "scramble"
    wrong = table.reference.judge_step(table.game, before, 0, action, after)
    assert any("what is asked" in sentence and "deploy" in sentence for sentence in wrong)


# ---- where it takes a game up -------------------------------------------------------------------------------


def test_it_takes_a_game_up_at_any_turn() -> None:
    game = Feint(cards=CROWDED, factions=("red", "blue"))
    case = play_case(game, 5)
    reference = FeintReferenceRules()
    turns = [at for at, state in enumerate(case.states[:-1]) if state.stack[-1].prompt in ("deploy", "reinforce")]
    assert len(turns) > 20
    for at in reversed(turns):
        spoilt = case.states[at + 1].clone()
        assert isinstance(spoilt, FeintState)
        spoilt.morale[0] += 1
        assert reference.judge_step(game, case.states[at], *case.decisions[at], spoilt), at
        assert reference.judge_step(game, case.states[at], *case.decisions[at], case.states[at + 1]) == []


def test_in_a_turn_that_it_has_not_followed_it_waits_for_the_next() -> None:
    """For two interleaved games it reports no false fault, and after a fault it continues with the next turn."""
    game = Feint(**SAMPLES[0].options)
    cases = [play_case(game, 1), play_case(game, 2)]
    reference = FeintReferenceRules()
    for at in range(1, min(len(case.states) for case in cases)):
        for case in cases:
            assert reference.judge_step(game, case.states[at - 1], *case.decisions[at - 1], case.states[at]) == []
