"""Records: written, read, replayed, and refused when they do not fit."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gonfalon.core.basics.errors import OptionError, RecordError
from gonfalon.core.basics.rng import Rng
from gonfalon.core.files.record import Record, load
from gonfalon.core.rules.game import Game
from tests.stranger.gonfalon_duel import Duel


def find(name: str, **options: Any) -> Game:
    if name != "duel":
        raise OptionError(f"There is no game {name!r}.")
    return Duel(**options)


def play_and_record(seed: int, **options: Any) -> tuple[Record, Any]:
    game = Duel(**options)
    record, state, rng = Record(game, ["May", "David"]), game.start(log=True), Rng(seed)
    while not state.over:
        decision = state.decisions()[-1]
        action = decision.sample(rng)
        record.add(decision.seat, action)
        state.apply(decision.seat, action)
    record.close(state)
    return record, state


@given(st.integers(0, 2**40), st.booleans())
def test_round_trip(seed: int, exact: bool) -> None:
    record, state = play_and_record(seed, exact=exact)
    text = record.dumps()
    assert json.loads(text) == json.loads(json.dumps(record.to_json()))
    again = load(text, find)
    assert again.decisions == record.decisions
    assert again.names == ["May", "David"]
    assert again.dumps() == text
    assert again.replay().dump() == state.dump()


def test_an_empty_record_round_trips() -> None:
    record = Record(Duel())
    assert load(record.dumps(), find).decisions == []
    assert load(record.dumps(), find).replay().dump() == Duel().start(log=True).dump()


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"format": "other"}, "not a record"),
        ({"format_version": 99}, "format version 99"),
        ({"rules": "0"}, "rules version 0"),
        ({"data": "other"}, "does not have"),
        ({"game": "chess"}, "There is no game"),
        ({"options": {"colour": "red"}}, "no option 'colour'"),
        ({"options": {"exact": "perhaps"}}, "yes or no"),
        ({"options": None}, "damaged"),
        ({"decisions": None}, "damaged"),
        ({"decisions": [[0]]}, "Decision 1 of this record is not of the form"),
        ({"decisions": [[-1, "seed:1"], ["0", "page"]]}, "Decision 2 of this record is not of the form"),
        ({"decisions": [[-1, "seed:1"], [True, "page"]]}, "Decision 2 of this record is not of the form"),
        ({"decisions": [[-1, "no such"]]}, "Decision 1 of this record cannot be read"),
        ({"names": [1, 2]}, '"names" is not a list of names'),
        ({"result": "won"}, '"result", "ended", "proof" or "clock"'),
        ({"proof": []}, '"result", "ended", "proof" or "clock"'),
        ({"clock": []}, '"result", "ended", "proof" or "clock"'),
    ],
)
def test_a_record_that_does_not_fit_is_refused(change: dict[str, Any], reason: str) -> None:
    record, _ = play_and_record(2)
    with pytest.raises(RecordError, match=reason):
        load(json.dumps({**record.to_json(), **change}), find)


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text: str) -> None:
    with pytest.raises(RecordError):
        load(text, find)


@pytest.mark.parametrize("text", ["[" * 100_000, "null", "[]", '"x"', "{}", '{"format": []}'])
def test_odd_json_is_refused(text: str) -> None:
    with pytest.raises(RecordError):
        load(text, find)


def test_an_illegal_decision_is_named() -> None:
    record, _ = play_and_record(3)
    del record.decisions[1]
    with pytest.raises(RecordError, match=r"Decision \d+ \(.*\) is not legal: "):
        record.replay()


def test_a_wrong_result_is_found() -> None:
    record, _ = play_and_record(4)
    assert record.result is not None
    record.result = {**record.result, "how": "Somebody said so."}
    with pytest.raises(RecordError, match="ends with another result"):
        record.replay()
