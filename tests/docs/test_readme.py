"""Everything the README shows is tried: its Python, its commands, its files."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import NamedTuple

import pytest

from gonfalon import cli, games
from gonfalon.cli.lookups import game_of
from gonfalon.web.openapi import DOCUMENT

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "README.md"
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


class Block(NamedTuple):
    """A fenced block: its language, its text, the line at which the text begins."""

    language: str
    text: str
    line: int


def blocks(*languages: str) -> list[Block]:
    """The README's blocks in these languages."""
    text = README.read_text("utf-8")
    found = [Block(m[1], m[2], text.count("\n", 0, m.start(2)) + 1) for m in FENCE.finditer(text)]
    return [block for block in found if block.language in languages]


def commands(block: Block) -> list[tuple[str, str, int]]:
    """The commands of a console block, each with the output it promises and its line."""
    found: list[tuple[str, str, int]] = []
    for number, line in enumerate(block.text.splitlines(keepends=True), start=block.line):
        if line.startswith("$ "):
            found.append((line[2:].strip(), "", number))
        else:
            command, output, at = found[-1]
            found[-1] = (command, output + line, at)
    return found


def test_every_block_is_of_a_kind_that_is_tried() -> None:
    assert {block.language for block in blocks("python", "sh", "console", "toml", "deck", "")} == {
        "deck",
        "python",
        "sh",
        "console",
        "toml",
    }
    assert len(FENCE.findall(README.read_text("utf-8"))) * 2 == len(
        re.findall("^```", README.read_text("utf-8"), re.MULTILINE)
    )


def test_the_tour_in_python_runs() -> None:
    """All Python blocks are one session."""
    examples = [
        doctest.Example(e.source, e.want, e.exc_msg, e.lineno + block.line, e.indent, e.options)
        for block in blocks("python")
        for e in doctest.DocTestParser().get_examples(block.text)
    ]
    assert examples
    said: list[str] = []
    tour = doctest.DocTest(examples, {}, README.name, str(README), 0, None)
    results = doctest.DocTestRunner(optionflags=FLAGS).run(tour, out=said.append)
    assert results.failed == 0, "".join(said)


def test_the_deck_files_can_be_read() -> None:
    decks = games.game("generals").decks()
    assert decks is not None
    for block in blocks("deck"):
        deck, faults = decks.parse(block.text)
        assert faults == []
        assert deck.counts


def test_the_commands_say_what_the_readme_shows(tmp_path: Path) -> None:
    """In order, in one empty folder that holds the files the README shows."""
    for block in blocks("toml"):
        name = block.text.partition("\n")[0].removeprefix("# ")
        (tmp_path / name).write_text(block.text, "utf-8")
    checker = doctest.OutputChecker()
    tried = 0
    for block in blocks("console"):
        for command, promised, line in commands(block):
            program, *arguments = shlex.split(command)
            assert program == "gonfalon", f"line {line}: only gonfalon is run here"
            done = subprocess.run(
                [sys.executable, "-m", "gonfalon", *arguments],
                cwd=tmp_path,
                env=os.environ | {"COLUMNS": "80", "NO_COLOR": "1"},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                timeout=120,
                check=False,
            )
            assert "Traceback" not in done.stdout, f"line {line}: {command}\n{done.stdout}"
            # The program's own name may stand before a complaint.
            said = done.stdout.removeprefix("gonfalon: ") if done.returncode == cli.BAD_INPUT else done.stdout
            assert done.returncode in (0, cli.BAD_INPUT), f"line {line}: {command}\n{done.stdout}"
            if not checker.check_output(promised, said, FLAGS):
                pytest.fail(f"line {line}: {command}\npromised:\n{promised}\nsaid:\n{said}")
            tried += 1
    assert tried >= 5


def every_command() -> list[str]:
    """Every command of the README: in `sh` blocks, and in the first column of its table."""
    shown = [line for block in blocks("sh") for line in block.text.splitlines()]
    listed = re.findall(r"^\| `([^`]+)` \|", README.read_text("utf-8"), re.MULTILINE)
    return list(dict.fromkeys([*shown, *listed]))


@pytest.mark.parametrize("command", every_command())
def test_commands_that_are_not_run_exist(command: str) -> None:
    program, *arguments = shlex.split(command)
    if program == "make":
        targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
        assert set(arguments) <= set(targets)
    elif program == "gonfalon":
        parsed = cli.parser().parse_args(arguments)
        if getattr(parsed, "game", None):
            game_of(parsed.game, getattr(parsed, "option", []))
    else:
        assert (program, arguments) == (".", [".venv/bin/activate"])


def test_the_table_of_commands_is_complete() -> None:
    commands = cli.parser()._subparsers
    assert commands is not None
    known = {name for action in commands._group_actions for name in (action.choices or {})}
    named = {words[1] for command in every_command() if (words := command.split())[0] == "gonfalon" and words[1:]}
    assert named == known


def test_the_entry_point_is_the_one_that_is_looked_for() -> None:
    [shown] = [block for block in blocks("toml") if "entry-points" in block.text]
    [group] = tomllib.loads(shown.text)["project"]["entry-points"]
    ours = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["entry-points"]
    assert list(ours) == [group]
    assert games.names() == sorted(ours[group])


def test_the_api_is_described_where_the_readme_says() -> None:
    assert "`/openapi.json`" in README.read_text("utf-8")
    assert DOCUMENT["openapi"].startswith("3.")
