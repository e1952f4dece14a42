"""The reason of a refusal: a sentence with a tag and a rule that are shown apart."""

from __future__ import annotations

import pickle

import pytest

from gonfalon import Refusal, Rng
from gonfalon.core.text.citations import Reason, cite_rule
from gonfalon.games.feint import Feint


def test_a_reason_is_its_sentence_and_has_a_tag_and_a_rule() -> None:
    full = Reason("Location 4 is full.", "Full", "ruling 20")
    assert full == "Location 4 is full."
    assert (full.sentence, full.tag, full.rule) == ("Location 4 is full.", "Full", "ruling 20")
    assert type(full.sentence) is str
    assert repr(full) == "Reason('Location 4 is full.', 'Full', 'ruling 20')"
    kept = pickle.loads(pickle.dumps(full))
    assert (kept, kept.tag, kept.rule) == (full, "Full", "ruling 20")


def test_a_rule_is_cited_in_parentheses() -> None:
    assert cite_rule(Reason("Location 4 is full.", "Full", "ruling 20")) == "Location 4 is full (ruling 20)."
    assert cite_rule(Reason("Location 4 is full.", "Full")) == "Location 4 is full."
    assert cite_rule("Location 4 is full.") == "Location 4 is full."


def test_a_refusal_has_its_reason_and_its_text_is_the_sentence() -> None:
    refusal = Refusal(Reason("Location 4 is full.", "Full", "ruling 20"))
    assert str(refusal) == "Location 4 is full."
    assert (refusal.reason.tag, refusal.reason.rule) == ("Full", "ruling 20")
    plain = Refusal("No.")
    assert (plain.reason, plain.reason.tag, plain.reason.rule) == ("No.", "", "")
    assert Refusal().reason == ""


@pytest.mark.parametrize("rule", ["", "ruling 3"])
def test_a_game_may_return_a_reason_or_a_plain_sentence(rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Feint, "refusal", lambda *_: Reason("No.", "Not now", rule) if rule else "No.")
    state, rng = Feint().start(), Rng(1)
    while state.turn < 0:
        state.apply(state.turn, state.sample(rng))
    with pytest.raises(Refusal, match=r"^No\.$") as caught:
        state.play(state.turn, 1 << 40)
    assert caught.value.reason.rule == rule
