"""Mistakes of a game's author give one sentence with the file and the line."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from gonfalon import games
from gonfalon.check.laws.rules.flow import format_exception
from gonfalon.cli.new import lay_out
from tests.cli.conftest import GROUP, Run

Change = Callable[[str, str, str], None]
NAME = "wrong_war"


@pytest.fixture
def change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Change]:
    """Install a new game. Return a function that replaces text in one of its files."""
    lay_out(NAME, tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path / NAME))
    entry = EntryPoint(NAME, f"{NAME}.game:WrongWar", GROUP)
    monkeypatch.setattr(games, "_find_entry_points", lambda: {NAME: entry})

    def replace(file: str, old: str, new: str) -> None:
        path = tmp_path / NAME / NAME / file
        text = path.read_text("utf-8")
        assert old in text
        path.write_text(text.replace(old, new), "utf-8")

    yield replace
    for module in [name for name in sys.modules if name.partition(".")[0] == NAME]:
        del sys.modules[module]


def find_line(tmp_path: Path, file: str, text: str) -> int:
    """Return the number of the first line of a file that contains a text."""
    lines = (tmp_path / NAME / NAME / file).read_text("utf-8").splitlines()
    return next(n for n, line in enumerate(lines, start=1) if text in line)


@pytest.mark.parametrize(
    ("file", "old", "new", "said", "at"),
    [
        ("rules/state.py", "def points", "def scores", "WrongWarState must define points", "class WrongWarState"),
        ("game.py", "    def deck", "    def cards", "WrongWar must define deck", "class WrongWar("),
        ("game.py", "    def set_up", "    def begin", "WrongWar must define set_up", "class WrongWar("),
        ("game.py", "    state_class = ", "    state = ", "WrongWar must define state_class", "class WrongWar("),
        ("game.py", "    version = ", "    number = ", "WrongWar must define version", "class WrongWar("),
        ("game.py", "def deck(self) -> list[int]:", "def deck(self)", "SyntaxError: expected ':'", "def deck"),
        ("rules/steps.py", "HAND: Final = 3", "HAND: Final = tree", "NameError: name 'tree' is not defined", "tree"),
    ],
)
def test_a_fault_of_the_package_is_found_when_it_is_loaded(
    change: Change, run: Run, tmp_path: Path, file: str, old: str, new: str, said: str, at: str
) -> None:
    change(file, old, new)
    code, _, err = run("play", NAME, "--bots", "random,random", "--seed", "1")
    place = f"{NAME}/{NAME}/{file}, line {find_line(tmp_path, file, at)}"
    assert (code, err) == (2, f"gonfalon: {NAME} cannot be loaded: {said} ({place}).\n")


def test_a_fault_of_the_rules_has_its_place(change: Change, run: Run, tmp_path: Path) -> None:
    change("rules/steps.py", "s.lay(", "s.ley(")
    code, _, err = run("play", NAME, "--bots", "random,random", "--seed", "1")
    said = "AttributeError: 'WrongWarState' object has no attribute 'ley'"
    place = f"{NAME}/{NAME}/rules/steps.py, line {find_line(tmp_path, 'rules/steps.py', 'ley')}"
    assert (code, err) == (2, f"gonfalon: {said} ({place}).\n")
    code, out, err = run("check", NAME, "--seconds", "0.1")
    assert code == 1
    assert f"the rules raised {said} ({place}) at decision " in out


def test_a_missing_method_of_a_step_is_named(change: Change, run: Run, tmp_path: Path) -> None:
    change("rules/steps.py", "def finish", "def end")
    code, _, err = run("play", NAME, "--bots", "random,random", "--seed", "1")
    place = f"{NAME}/{NAME}/rules/steps.py, line {find_line(tmp_path, 'rules/steps.py', 'class Choose')}"
    assert (code, err) == (2, f"gonfalon: NotImplementedError: Choose does not define finish ({place}).\n")


def test_an_error_outside_of_games_keeps_its_traceback(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise KeyError("a bug of ours")

    monkeypatch.setattr(games, "names", fail)
    with pytest.raises(KeyError):
        run("games")
    assert format_exception(KeyError("a bug of ours")) == "KeyError: 'a bug of ours'"
