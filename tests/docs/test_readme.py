"""Everything the README shows is tested: its Python, its commands, its files. And it stays short."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from gonfalon import cli, games
from gonfalon.check import LAWS
from tests.docs.examples import ROOT, blocks, must_exist, shell_lines, try_commands, try_python

README = ROOT / "README.md"
TEXT = README.read_text("utf-8")


def listed() -> list[str]:
    """Return the commands of the table."""
    return re.findall(r"^\| `([^`]+)` \|", TEXT, re.MULTILINE)


def test_its_python_runs() -> None:
    assert try_python(README) > 5


@pytest.mark.extended
def test_its_commands_print_the_shown_output(tmp_path: Path) -> None:
    assert try_commands(README, tmp_path) >= 3


def test_commands_that_are_not_run_exist() -> None:
    must_exist([*shell_lines(README), *listed()])


def test_the_table_of_commands_is_complete() -> None:
    commands = cli.build_parser()._subparsers
    assert commands is not None
    known = {name.split()[0] for action in commands._group_actions for name in (action.choices or {})}
    assert {words[1] for command in listed() if len(words := command.split()) > 1} == known


def test_its_numbers_are_those_of_the_games() -> None:
    def read(name: str, file: str) -> dict[str, Any]:
        return tomllib.loads((games.find_game_class(name).folder / file).read_text("utf-8"))

    box = read("feint", "cards.toml")
    assert [sum(card.get("copies", 1) for card in one["cards"]) for one in box["faction"]] == [40] * 5
    assert len(box["box"]["locations"]) == 5
    assert len(read("jinkei", "formations.toml")["formation"]) == 18
    decks = games.game("generals").decks()
    assert decks is not None
    assert len(decks.ready()) == 9
    assert len(LAWS) > 50


def test_the_entry_point_is_the_one_that_is_looked_for() -> None:
    [shown] = blocks(README, "toml")
    [group] = tomllib.loads(shown.text)["project"]["entry-points"]
    ours = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["entry-points"]
    assert list(ours) == [group]
    assert games.names() == sorted(ours[group])
