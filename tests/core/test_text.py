"""Text of any origin, made safe for a terminal and for a sentence."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gonfalon
from gonfalon.core.text.english import inside, several, whose
from gonfalon.core.text.untrusted import (
    CONTROLS,
    DIRECTIONS,
    ISOLATE,
    POP_ISOLATE,
    escape_json,
    initial,
    isolate,
    one_line,
    printable,
    printable_cells,
    without_isolates,
)

SOURCES = Path(gonfalon.__file__).parent
PRINTS = ("terminal", "cli", "review/command.py")
"""The modules that print names, decks, records and the answers of servers."""
OWN = {"terminal/drawing/console.py"}
"""The modules that print control sequences of their own, or a manual page made of our own texts."""


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Ada plays.\n  * Bo passes.\tAll right.", "Ada plays.\n  * Bo passes.\tAll right."),
        ("\x1b[2J\x1b]0;title\x07", "\ufffd[2J\ufffd]0;title\ufffd"),
        ("\x9b31m red", "\ufffd31m red"),
        ("over\rwritten", "over\ufffdwritten"),
        ("a\u202etxt.exe\u202c", "atxt.exe"),
        ("a\u2028b", "a\nb"),
        ("\u2068\u05d0\u2069 wins", "\u2068\u05d0\u2069 wins"),
        ("\u2068\u05d0 wins\nnext\u2069", "\u2068\u05d0 wins\u2069\nnext"),
        ("\ud800", "\ufffd"),
        (
            "\u0645\u06cc\u200c\u062e \U0001f469\u200d\U0001f467 e\u0301",
            "\u0645\u06cc\u200c\u062e \U0001f469\u200d\U0001f467 e\u0301",
        ),
    ],
)
def test_a_terminal_shows_a_text_without_obeying_it(text: str, shown: str) -> None:
    assert printable(text) == shown


@given(st.text(max_size=200))
def test_nothing_that_steers_a_terminal_is_left(text: str) -> None:
    shown = printable(text)
    assert printable(shown) == shown
    assert not CONTROLS.search(shown)
    assert not DIRECTIONS.search(shown)
    for line in shown.split("\n"):
        assert line.count(ISOLATE) == line.count(POP_ISOLATE)
    assert len(printable_cells(text)) == len(text)
    assert printable(printable_cells(text)).replace("\n", " ") == printable_cells(text).replace("\n", " ")
    assert "\n" not in one_line(text)
    assert json.loads(escape_json(json.dumps(text, ensure_ascii=False))) == text
    assert printable(escape_json(json.dumps(text, ensure_ascii=False))) == escape_json(
        json.dumps(text, ensure_ascii=False)
    )


@pytest.mark.parametrize("name", ["Ada", "Jos\u00e9", "\u5f35\u98db", "Bot 2"])
def test_a_name_from_left_to_right_stays_as_it_is(name: str) -> None:
    assert isolate(name) == name


@pytest.mark.parametrize("name", ["\u05d3\u05d5\u05d3", "\u0639\u0644\u06cc", "Ada \u05d0", "\u0661\u0662"])
def test_a_name_from_right_to_left_is_isolated_once(name: str) -> None:
    assert isolate(name) == isolate(isolate(name)) == f"{ISOLATE}{name}{POP_ISOLATE}"
    assert without_isolates(isolate(name)) == name
    assert initial(isolate(name)) == name[0].upper()


def find_printing_modules() -> list[Path]:
    """Return the modules that print others' text."""
    found = [SOURCES / place for place in PRINTS]
    files = [file for one in found for file in ([one] if one.is_file() else sorted(one.rglob("*.py")))]
    return [file for file in files if file.relative_to(SOURCES).as_posix() not in OWN]


def test_all_printed_text_goes_through_one_function() -> None:
    bare = [
        f"{file.relative_to(SOURCES)}:{call.lineno}"
        for file in find_printing_modules()
        for call in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "print"
        if call.args and not is_safe(call.args[0])
    ]
    assert bare == []


def is_safe(printed: ast.expr) -> bool:
    """Return whether an argument of print is our own text or a call that makes it safe."""
    name = printed.func.id if isinstance(printed, ast.Call) and isinstance(printed.func, ast.Name) else ""
    return isinstance(printed, ast.Constant) or name in ("printable", "escape_json")


def test_names_that_are_words_are_in_lower_case_inside_a_sentence() -> None:
    assert [inside(name) for name in ("You", "Your opponent", "May")] == ["you", "your opponent", "May"]
    assert [whose(name) for name in ("You", "Your opponent", "May")] == ["your", "your opponent's", "May's"]
    assert several(["Your opponent", "You"]) == "Your opponent and you"
    assert several(["You", "Your opponent", "May"]) == "You, your opponent and May"
