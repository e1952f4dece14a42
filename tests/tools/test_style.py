"""The measures of names, docstrings and texts find their targets."""

from __future__ import annotations

import ast
from pathlib import Path

from tools import style

TEXT = '''"""What a module is."""

LIMIT = 3
"""The same for others."""


def told() -> str:
    """Return a text."""
    return "That is how it goes on."


def find_seat() -> None:
    """Nobody knows what."""
'''


def module(text: str) -> style.Module:
    return style.Module(style.SOURCES / "web" / "sample.py", text, ast.parse(text))


def test_docstrings_of_modules_constants_and_functions_are_found() -> None:
    assert [line for line, _ in sorted(style.find_docstrings(module(TEXT)))] == [1, 4, 8, 13]


def test_one_of_two_functions_has_a_single_word() -> None:
    value, places = style.measure_names([module(TEXT)])
    assert value == 50
    assert places == ["src/gonfalon/web/sample.py:7 told"]


def test_a_docstring_that_needs_its_neighbor_is_found() -> None:
    assert style.measure_openings([module(TEXT)]).value == 1


def test_docstrings_and_blank_lines_are_no_code() -> None:
    assert style.count_code(module(TEXT)) == 4


def test_a_spoken_phrase_in_a_text_is_found_and_one_in_a_docstring_is_not() -> None:
    places = style.measure_phrases([module(TEXT)]).places
    assert [place for place in places if "sample.py" in place] == [
        "src/gonfalon/web/sample.py:9 'That is how it goes on.'"
    ]


def test_all_measures_keep_their_limits() -> None:
    assert Path(style.ROOT, "README.md").is_file()
    assert style.main([]) == 0
