"""Names of people: cleaned, limited in length, and distinct in appearance."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gonfalon.core.text.untrusted import printable
from gonfalon.table.seats.names import (
    MAX_NAME_CHARACTERS,
    MAX_NAME_CLUSTERS,
    clean_name,
    is_reserved,
    make_distinct,
    name_person,
    split_clusters,
)

BLANK = "\u3164\u2800\u034f\u115f\u1160\uffa0\u17b4\u17b5\u180b\u2060\u00ad\u200b\ufeff\U000e0041\ufffc"
KEPT = {
    "Zoë": "Zoë",
    "Persian with its joiner": "علی\u200cرضا",
    "a Hindi conjunct kept apart": "क्\u200dष",
    "a family": "👩\u200d👩\u200d👧",
    "a red heart": "❤\ufe0f",
    "a keycap": "1\ufe0f\u20e3",
    "a dark-skinned farmer": "🧑🏿\u200d🌾",
    "a flag": "🇩🇪",
    "Hebrew with points": unicodedata.normalize("NFC", "שָׁלוֹם"),
    "three kingdoms": "張飛",
    "Thai": "น้ำ",
}


def test_no_person_is_named_like_a_program() -> None:
    for name in ("Rook (program)", "Rook (PROGRAM)", "Rook(program)", "Rook (pr\u043egram)"):
        assert name_person(name, []) == "Guest"
    assert name_person("The (programmer)", []) == "The (programmer)"


@pytest.mark.parametrize("letter", BLANK)
def test_an_invisible_letter_is_no_name_and_no_part_of_one(letter: str) -> None:
    assert clean_name(letter) == clean_name(letter * 5) == ""
    assert clean_name(f"An{letter}na{letter}") == "Anna"
    assert name_person(letter, []) == "Guest"


@pytest.mark.parametrize("name", KEPT.values(), ids=KEPT)
def test_characters_that_a_script_needs_stay(name: str) -> None:
    assert clean_name(name) == name


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("", ""),
        ("  \t\n ", ""),
        ("\x1b[31mRed\x07", "[31mRed"),
        ("Ann\u202egnu\u2066", "Anngnu"),
        ("Ann\u2028Bo\x00Cy", "Ann Bo Cy"),
        ("\ud800", ""),
        ("Jose\u0301", "José"),
        ("\u0301\u0302Ann", "Ann"),
        ("Z\u0301" + "\u0335" * 23, "Ź" + "\u0335" * 4),
        ("\u0301", ""),
        ("Ann\u200d", "Ann"),
        ("Ann\u200cBo", "AnnBo"),
        ("👩\u200d", "👩"),
        ("x" * 99, "x" * 24),
        ("👩\u200d👧" * 30, "👩\u200d👧" * 24),
        ("👨\u200d👩\u200d👧\u200d👦" * 30, "👨\u200d👩\u200d👧\u200d👦" * 13),
        ("👩" + "\u200d👩" * 500, ""),
    ],
)
def test_names_are_cleaned(given: str, kept: str) -> None:
    assert clean_name(given) == kept


@given(st.text(max_size=80))
@settings(max_examples=25)
def test_any_text_becomes_a_name_or_nothing(text: str) -> None:
    name = clean_name(text)
    assert clean_name(name) == name
    assert unicodedata.normalize("NFC", name) == name
    assert len(split_clusters(name)) <= MAX_NAME_CLUSTERS
    assert len(name) <= MAX_NAME_CHARACTERS
    assert "\n" not in name
    assert printable(name) == name


@pytest.mark.parametrize("name", ["you", "YOU", "You\u034f", "Yоu", "Ⓨⓞⓤ", "Y\u200bo\u200bu", "Chаnce", "𝐘𝐨𝐮"])
def test_words_of_the_game_are_not_names(name: str) -> None:
    assert clean_name(name) == ""
    assert is_reserved(name)


@pytest.mark.parametrize("name", ["Younis", "Yo", "Ann", "Chancellor", "Lu", "張飛", "Üou"])
def test_other_names_are_free(name: str) -> None:
    assert clean_name(name) == name


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("May", "may"),
        ("Anna", "Аnna"),  # with a Cyrillic A
        ("Iris", "lris"),
        ("Iris", "iris"),
        ("Strasse", "straße"),
        ("Bo 1", "Bo l"),
        ("Tom", "Torn"),
        ("Ann", "𝒜nn"),
        ("Ann", "Ａｎｎ"),
        ("Οmar", "Omar"),  # with a Greek O
    ],
)
def test_names_that_look_alike_get_a_number(name: str, other: str) -> None:
    assert make_distinct(name, [other]) == f"{name} 2"
    assert make_distinct(other, [name]) == f"{other} 2"
    assert make_distinct(name, [f"{other} 2", other]) == f"{name} 3"


@pytest.mark.parametrize(
    ("name", "other"), [("José", "Jose"), ("Ann", "Anna"), ("Li", "Lu"), ("張飛", "張遼"), ("👩", "👨")]
)
def test_names_that_differ_stay(name: str, other: str) -> None:
    assert make_distinct(name, [other]) == name


def test_a_number_is_part_of_the_letters() -> None:
    assert make_distinct("x" * 24, ["x" * 24]) == "x" * 22 + " 2"
    family = "👨\u200d👩\u200d👧"
    assert make_distinct(family * 19, [family * 19]) == family * 18 + " 2"
