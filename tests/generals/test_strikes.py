"""Tactical Strikes and the targets of attacks and cards: rulings 17 to 21 and 26."""

from __future__ import annotations

import pytest

from gonfalon.core.text.citations import cite_rule
from gonfalon.games.generals.rules import events
from gonfalon.testing import rule
from tests.generals.folk import card, plain
from tests.generals.scenario import Table


def tactics(name: str, target: dict[str, object], **more: object) -> dict[str, object]:
    plot = {"op": "plot", "by": {"ref": "executor"}, "target": target, "bonus": 0, "success": "casualty"}
    parts = {"cost": 1, "subtypes": ["tactics"], "requires": [["executor"]], **more}
    return card("X40", name, "strategy", {"kind": "tactic", "do": [plot]}, **parts)


WHISPER = tactics("Whisper", {"side": "enemy", "count": 1})
"""Tactics against one enemy general in any zone."""
RUMOUR = tactics("Rumour", {"side": "enemy", "count": 3, "upto": True})


def whisper(executor: str, target: str, at: str = "FORTRESS", new: bool = False) -> Table:
    table = plain(WHISPER)
    table.may.has(executor, at=at, new=new).holds("Whisper", "Militia", "Archers")
    table.david.has(target, at="BORDER")
    return table


def struck(table: Table, executor: str) -> None:
    """Return a table after a strike. The only target is chosen without a question."""
    table.may.does("whisper", executor, "archers")


@rule("generals", 21)
def test_a_failed_strike_costs_the_card_the_payment_and_the_attack() -> None:
    """Equal Wits, 3 against 3: it fails, and the executor lives."""
    table = whisper("Sedge", "Ash", at="ENEMY_BORDER")
    struck(table, "sedge#1")
    assert (table.may.field, table.david.field) == (["Sedge"], ["Ash"])
    assert table.may.hand == ["Militia"]
    assert table.may.discards == ["Archers", "Whisper"]
    assert cite_rule(table.may.why_not("sedge#1")) == "Sedge has no act left this turn (ruling 9)."


@rule("generals", 17)
def test_a_general_that_moved_attacked_or_is_new_cannot_strike() -> None:
    said = "No general can execute Whisper now. It must be ready and have a target (rulings 17, 18)."
    new = whisper("Sedge", "Reed", new=True)
    assert cite_rule(new.may.why_not("whisper")) == said
    moved = whisper("Sedge", "Reed")
    moved.may.does("sedge#1", "@border")
    assert cite_rule(moved.may.why_not("whisper")) == said
    attacked = whisper("Sedge", "Reed", at="BORDER")
    attacked.david.has("Heron", at="ENEMY_BORDER")
    attacked.may.does("sedge#1", "heron#2")
    assert cite_rule(attacked.may.why_not("whisper")) == said
    two = whisper("Sedge", "Reed", new=True)
    two.may.has("Kite", "Cedar")
    two.may.does("whisper")
    assert two.may.choices == ["cedar#1", "kite#1"], "the ready ones can"
    assert cite_rule(two.may.why_not("sedge#1")) == "Sedge was recruited this turn and must wait (rulings 10, 17)."


@rule("generals", 18)
def test_tactics_need_an_executor_and_other_strategies_do_not() -> None:
    table = plain(WHISPER)
    table.may.holds("Whisper", "Reward the Army", "Militia")
    table.david.has("Reed")
    assert "must be ready and have a target" in table.may.why_not("whisper")
    assert table.may.field == []
    table.may.does("reward-the-army")
    assert table.may.asked == "pay"


@rule("generals", 18, 19)
@pytest.mark.parametrize("at", ["FORTRESS", "BORDER", "ENEMY_BORDER"])
@pytest.mark.parametrize("theirs", ["FORTRESS", "BORDER", "ENEMY_BORDER"])
def test_tactics_without_a_word_on_it_reach_anywhere_from_anywhere(at: str, theirs: str) -> None:
    table = plain(WHISPER)
    table.may.has("Cedar", at=at).holds("Whisper", "Militia")
    table.david.has("Reed", at=theirs)
    table.may.does("whisper", "cedar#1")
    assert table.david.fallen == ["Reed"]


@rule("generals", 19)
def test_tactics_reach_as_far_as_is_printed() -> None:
    """Ambush reaches the executor's zone, Falling Rocks the own BORDER from FORTRESS or BORDER, Water one zone away."""
    table = plain()
    table.may.has("Cedar").holds("Tactics - Ambush", "Tactics - Falling Rocks", "Tactics - Water", "Militia", "Archers")
    table.david.has("Reed", at="BORDER")
    for slug in ("tactics-ambush", "tactics-falling-rocks", "tactics-water"):
        assert "must be ready and have a target" in table.may.why_not(slug), slug
    table.david.has("Sedge", at="ENEMY_BORDER")
    assert "must be ready and have a target" in table.may.why_not("tactics-ambush")
    assert table.may.may_do("tactics-falling-rocks")
    assert table.may.may_do("tactics-water")
    far = plain()
    far.may.has("Cedar", at="ENEMY_BORDER").holds("Tactics - Falling Rocks", "Militia")
    far.david.has("Reed", at="ENEMY_BORDER")
    assert "must be ready and have a target" in far.may.why_not("tactics-falling-rocks")


@rule("generals", 20)
def test_fallen_generals_fall_simultaneously() -> None:
    """Cao Cao's card for a defeat is drawn after both have fallen."""
    table = plain(RUMOUR)
    table.may.has("Cao Cao").holds("Rumour", "Militia")
    table.david.has("Reed", "Sedge")
    table.may.does("rumour", "cao-cao#1", "reed#2", "sedge#2")
    codes = [event[0] for event in table.events if event[0] in (events.PLOTTED, events.FELL, events.DREW)]
    assert codes == [events.PLOTTED, events.PLOTTED, events.FELL, events.FELL, events.DREW]


@rule("generals", 26)
def test_no_general_attacks_his_own_side() -> None:
    table = plain(WHISPER)
    table.may.has("Ash", "Reed", at="BORDER").holds("Whisper", "Militia", "Archers")
    table.david.has("Kite", at="ENEMY_BORDER")
    assert cite_rule(table.may.why_not("ash#1", "reed#1")) == "Generals cannot attack their own side (ruling 26)."
    table.may.does("whisper", "ash#1")
    assert table.may.asked == "pay", "there is one target, the enemy's"


@rule("generals", 26)
def test_there_is_no_strike_without_a_target() -> None:
    nobody = plain(WHISPER)
    nobody.may.has("Cedar").holds("Whisper", "Militia")
    assert "must be ready and have a target" in nobody.may.why_not("whisper")
    table = plain(RUMOUR)
    table.may.has("Cedar").holds("Rumour", "Militia")
    table.david.has("Reed", "Sedge")
    table.may.does("rumour", "cedar#1")
    assert cite_rule(table.may.why_not("done")) == "Choose a target (ruling 26)."
    table.may.does("reed#2")
    assert "done" in table.may.choices, "one is enough"


@rule("generals", 26)
def test_an_active_effect_without_a_target_is_refused() -> None:
    table = Table()
    table.may.has("Huang Zhong", at="BORDER").holds("Militia", "Archers")
    assert cite_rule(table.may.why_not("huang-zhong#1", "active:1")) == (
        "The effect of Huang Zhong has no possible target (ruling 26)."
    )
