"""Every card and every word of the effect language has tests.

Tests of a card are in test_cards_*.py and begin with its name, such as `test_guan_yu_...`. Those of an operation are in
test_operations.py, such as `test_draw_...`. The tests are read, not imported.
"""

from __future__ import annotations

import ast
from collections.abc import Collection
from pathlib import Path

import pytest

from gonfalon.games.generals.cards import files as data
from gonfalon.games.generals.effects import language, vocabulary

HERE = Path(__file__).parent
CARDS = data.load().cards[:85]
OPERATIONS = HERE / "test_operations.py"


def list_test_names(*files: Path) -> list[str]:
    """Return the names of all test functions."""
    trees = [ast.parse(file.read_text("utf-8")) for file in files]
    return [node.name for tree in trees for node in tree.body if isinstance(node, ast.FunctionDef)]


CARD_TESTS = list_test_names(*sorted(HERE.glob("test_cards_*.py")))
OPERATION_TESTS = list_test_names(OPERATIONS)


def find_tests(names: list[str], what: str) -> list[str]:
    """Return the tests whose names begin with this word, with an optional plural or genitive s."""
    begin = f"test_{what.replace('-', '_')}"
    return [name for name in names if name.startswith((f"{begin}_", f"{begin}s_"))]


@pytest.mark.parametrize("slug", [card.slug for card in CARDS])
def test_every_card_has_tests_of_its_own(slug: str) -> None:
    assert find_tests(CARD_TESTS, slug)


@pytest.mark.parametrize("op", language.OPERATIONS)
def test_every_operation_has_tests_of_its_own(op: str) -> None:
    assert find_tests(OPERATION_TESTS, op)


WORDS: dict[str, Collection[str]] = {
    "kinds": vocabulary.KINDS,
    "events": language.EVENTS,
    "conditions": language.CONDITIONS,
    "costs": vocabulary.COSTS,
    "comparisons": vocabulary.COMPARE,
    "players": vocabulary.PLAYERS,
    "zones": (*vocabulary.ZONES, *vocabulary.WIDE, "CASUALTY"),
    "durations": vocabulary.DURATIONS,
    "answered": vocabulary.ANSWERED,
    "causes": vocabulary.CAUSES,
    "stats": vocabulary.STATS,
    "prevented": vocabulary.PREVENTED,
    "permitted": vocabulary.PERMITTED,
    "fields": (*vocabulary.NUMBER_FIELDS, *vocabulary.FLAG_FIELDS),
    "references": vocabulary.RESERVED,
    "entries": {key for forms in language.OPERATIONS.values() for key in forms.fields},
}


@pytest.mark.parametrize("sort", WORDS)
def test_every_word_of_the_language_is_used_in_the_tests_of_operations(sort: str) -> None:
    """A word counts as a whole string, as part of a string such as `one_of:BORDER`, or as the name of a keyword
    argument."""
    tree = ast.walk(ast.parse(OPERATIONS.read_text("utf-8")))
    said: set[str] = set()
    for node in tree:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            said.update(node.value.replace("|", ":").split(":"))
        elif isinstance(node, ast.keyword) and node.arg:
            said.add(node.arg)
    assert [word for word in WORDS[sort] if word not in said] == []
