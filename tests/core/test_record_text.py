"""The text form of records: it reads back to the same record, and faults are named with their lines."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gonfalon import games
from gonfalon.core.basics.errors import RecordError
from gonfalon.core.files.card_sets import read_card_set
from gonfalon.core.files.record import Record, load
from gonfalon.core.files.record_text import SCHEMA, label_seat, read_record_text, write_record_text
from gonfalon.games.feint import box as feint
from gonfalon.testing import random_record

GAMES = ("factionwars", "feint", "generals", "jinkei")
BODY: dict[str, Any] = {
    "format": "gonfalon-record",
    "format_version": 1,
    "game": "duel",
    "options": {"exact": False, "sides": ["red", "blue"], "title": "A game", "number": "7"},
    "rules": "3",
    "data": "5e10",
    "names": ["May", "seat 0", "May, the second: queen"],
    "decisions": [[-1, "seed:4"], [0, "sword"], [1, "bow#2"], [2, 'a ; "b"'], [7, "pass"]],
    "result": {"winners": [0], "how": "points", "why": "May wins."},
    "ended": None,
}
TEXT = """\
Format: gonfalon-record 1
Game: duel
Rules: 3
Data: 5e10
Option exact: false
Option sides: ["red", "blue"]
Option title: A game
Option number: "7"
Result winners: [0]
Result how: points
Result why: May wins.
Seat 0: May
Seat 1: seat 0
Seat 2: May, the second: queen

1. chance: seed:4 ; The cards are shuffled.
2. May: sword
3. seat 1: bow#2
4. seat 2: "a ; \\"b\\""
5. seat 7: pass
"""


def test_the_form_is_that_of_the_documentation() -> None:
    assert write_record_text(BODY, ["The cards\nare shuffled."]) == TEXT


def test_the_form_reads_back() -> None:
    body = dict(BODY)
    del body["ended"]
    assert read_record_text(TEXT) == body


@pytest.mark.parametrize(
    "change", [("\n", "\r\n"), ("\n", "\n\n"), ("\n", "  \n"), ("Format", "\ufeffFormat"), ("\n1.", "\n; a remark\n1.")]
)
def test_mails_may_change_spaces_and_line_ends(change: tuple[str, str]) -> None:
    assert read_record_text(TEXT.replace(*change)) == read_record_text(TEXT)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seed", range(3))
def test_both_forms_of_a_game_are_the_same_record(name: str, seed: int) -> None:
    record = random_record(games.game(name), seed)
    for remarks in (False, True):
        again = load(record.dumps_text(remarks), games.game)
        assert again.dumps() == record.dumps()
        assert again.replay().dump() == record.replay().dump()


def test_a_record_keeps_its_own_cards() -> None:
    raw = feint.read_standard_box()
    raw["faction"][0]["cards"][0]["strength"] += 1
    record = random_record(games.game("feint", cards=raw), 4)
    again = load(record.dumps_text(), games.game)
    assert again.game.data_hash == record.game.data_hash != games.game("feint").data_hash
    assert again.dumps() == record.dumps()


def test_a_record_keeps_a_named_set_of_cards() -> None:
    found = read_card_set(games.find_game_class("feint"), 'name = "Keion as printed"\npatriot.strength = 7\n')
    record = random_record(games.game("feint", **found.options), 4)
    for text in (record.dumps(), record.dumps_text()):
        again = load(text, games.game)
        assert again.dumps() == record.dumps()
        assert again.game.data_hash == record.game.data_hash != games.game("feint").data_hash
        assert "Keion as printed" in str(again.game.options)


def test_remarks_are_the_log_of_the_game() -> None:
    record = random_record(games.game("jinkei"), 1)
    lines = record.dumps_text(remarks=True).split("\n\n")[1].splitlines()
    assert len(lines) == len(record.decisions)
    assert lines[0] == "1. chance: first:0 ; May is the first player."


texts = st.text(max_size=30)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
parts = st.dictionaries(texts, values, max_size=4)
bodies = st.fixed_dictionaries(
    {
        "format": st.just("gonfalon-record"),
        "format_version": st.just(1),
        **dict.fromkeys(("game", "rules", "data"), texts),
        "options": parts,
        "names": st.lists(texts, max_size=4),
        "decisions": st.lists(st.tuples(st.integers(-1, 5), texts.filter(bool)).map(list), max_size=6),
        **dict.fromkeys(("result", "ended", "proof", "clock"), parts | st.none()),
    }
)


@settings(max_examples=30)
@given(bodies, st.lists(texts, max_size=6))
def test_anything_reads_back(body: dict[str, Any], remarks: list[str]) -> None:
    text = write_record_text(body, remarks[: len(body["decisions"])])
    assert read_record_text(text) == {key: part for key, part in body.items() if part is not None}


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text: str) -> None:
    with pytest.raises(RecordError):
        load("Format: gonfalon-record 1\n" + text, games.game)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Format: gonfalon-record 2\n", "format version 2"),
        ("Format: other 1\n", '"format" is not "gonfalon-record"'),
        (TEXT.replace("3. seat", "4. seat"), "Line 18 of this record has decision 4 in place of 3"),
        (TEXT.replace("2. May", "2. Bo"), "Line 17 of this record has a decision without a known seat"),
        (TEXT.replace("Seat 1:", "Seat 2:"), "Line 13 of this record is neither an entry nor a decision"),
        (TEXT.replace("Option exact", "Colour"), "Line 5 of this record is neither an entry nor a decision"),
        (TEXT + "and so on", "Line 21 of this record is neither an entry nor a decision"),
        (TEXT + "Game: chess", "Line 21 of this record repeats an entry"),
        (TEXT + "Option exact: true", "Line 21 of this record repeats an entry"),
        (TEXT + "Result: {}", "Line 21 of this record repeats an entry"),
        (TEXT.replace('"a ;', '"a'), "Line 19 of this record cannot be read"),
        ("Format: gonfalon-record 1\nOption: [\n1. chance: " + "9" * 10_000, "damaged"),
    ],
)
def test_a_fault_is_named_with_its_line(text: str, reason: str) -> None:
    if "cannot be read" in reason:
        text = text.replace('\\"b\\""', "b")
    with pytest.raises(RecordError, match=reason):
        load(text, games.game)


@pytest.mark.parametrize(
    ("names", "label"),
    [(["May"], "May"), ([""], "seat 0"), (["chance"], "seat 0"), (["A", "A"], "seat 0"), (["a: b"], "seat 0")],
)
def test_an_unclear_name_is_no_label(names: list[str], label: str) -> None:
    assert label_seat(0, names) == label


# ---- the schema ---------------------------------------------------------------------------------------------------


VALIDATOR = jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text("utf-8")))


def resigned() -> Record:
    record = random_record(games.game("feint"), 2, 20)
    record.ended = {"seat": 1, "how": "resigned"}
    record.clock = {"spec": {"bank": 900, "step": 10, "end": "bot"}, "spent": [None] * 20}
    return record


@pytest.mark.parametrize("name", GAMES)
def test_records_follow_the_schema(name: str) -> None:
    VALIDATOR.validate(json.loads(random_record(games.game(name), 1).dumps()))


def test_a_game_that_was_given_up_follows_the_schema() -> None:
    VALIDATOR.validate(json.loads(resigned().dumps()))


@pytest.mark.parametrize(
    "change",
    [
        {"decisions": [[0]]},
        {"decisions": [[-2, "pass"]]},
        {"decisions": [[0, "pass", 1]]},
        {"result": {"winners": [0]}},
        {"ended": {"seat": 0, "how": "tired"}},
        {"names": [1]},
        {"format_version": 2},
        {"options": []},
    ],
)
def test_the_schema_refuses_a_damaged_record(change: dict[str, Any]) -> None:
    assert not VALIDATOR.is_valid(json.loads(resigned().dumps()) | change)
