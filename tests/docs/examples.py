"""Examples in documents, and functions that run them."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

from gonfalon import cli
from gonfalon.cli.lookups import make_game
from tests.new.installed import install, surroundings

ROOT: Final = Path(__file__).resolve().parents[2]
FENCE: Final = re.compile(r'^```(\w*)(?: title="([^"]+)")?\n(.*?)^```$', re.MULTILINE | re.DOTALL)
FLAGS: Final = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


class Block(NamedTuple):
    """A fenced block: its language, the file it shows if any, its text, and the line of its text."""

    language: str
    title: str
    text: str
    line: int


def table_rows(text: str, section: str) -> list[list[str]]:
    """Return the cells of the table below a heading, without its head."""
    body = re.split(rf"^#+ {section}$", text, flags=re.MULTILINE)[1]
    body = re.split(r"^#", body, maxsplit=1, flags=re.MULTILINE)[0]
    lines = [line for line in body.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def blocks(document: Path, *languages: str) -> list[Block]:
    """Return a document's blocks, or only those of these languages."""
    text = document.read_text("utf-8")
    found = [Block(m[1], m[2] or "", m[3], text.count("\n", 0, m.start(3)) + 1) for m in FENCE.finditer(text)]
    assert len(found) * 2 == len(re.findall("^```", text, re.MULTILINE)), f"a block of {document.name} has another form"
    return [block for block in found if not languages or block.language in languages]


def commands(block: Block) -> list[tuple[str, str, int]]:
    """Yield the commands of a console block, each with its promised output and its line."""
    found: list[tuple[str, str, int]] = []
    for number, line in enumerate(block.text.splitlines(keepends=True), start=block.line):
        if line.startswith("$ "):
            found.append((line[2:].strip(), "", number))
        else:
            command, output, at = found[-1]
            found[-1] = (command, output + line, at)
    return found


def try_python(document: Path) -> int:
    """Run a document's Python blocks as one session. Return the number of examples."""
    examples = [
        doctest.Example(e.source, e.want, e.exc_msg, e.lineno + block.line, e.indent, e.options)
        for block in blocks(document, "python")
        if not block.title
        for e in doctest.DocTestParser().get_examples(block.text)
    ]
    said: list[str] = []
    session = doctest.DocTest(examples, {"__name__": "__main__"}, document.name, str(document), 0, None)
    results = doctest.DocTestRunner(optionflags=FLAGS).run(session, out=said.append)
    assert results.failed == 0, "".join(said)
    return len(examples)


def write(block: Block, folder: Path) -> None:
    """Write the file that a block shows."""
    path = folder / block.title
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(block.text, "utf-8")


def write_files(document: Path, folder: Path) -> None:
    """Write all files that a document shows."""
    for block in blocks(document):
        if block.title:
            write(block, folder)


def try_commands(document: Path, folder: Path) -> int:
    """Write a document's files and run its commands, in order, in an empty folder. Return the number of commands. A
    game created by `gonfalon new` is installed at once."""
    tried = 0
    environment = os.environ | {"COLUMNS": "80", "NO_COLOR": "1"}
    for block in blocks(document):
        if block.title:
            write(block, folder)
        elif block.language == "console":
            for command, promised, line in commands(block):
                where = f"{document.name}, line {line}: {command}"
                said = output(command, where, environment, folder)
                if not doctest.OutputChecker().check_output(promised, said, FLAGS):
                    raise AssertionError(f"{where}\npromised:\n{promised}\nsaid:\n{said}")
                words = shlex.split(command)
                if words[1:2] == ["new"]:
                    install(folder, words[2])
                    environment = surroundings(folder, words[2])
                tried += 1
    return tried


def output(command: str, where: str, environment: dict[str, str], folder: Path) -> str:
    """Return a command's output, without the program's name before an error."""
    program, *arguments = shlex.split(command)
    assert program == "gonfalon", f"{where}: only gonfalon is run here"
    done = subprocess.run(
        [sys.executable, "-m", "gonfalon", *arguments],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    said = done.stdout + done.stderr
    assert "Traceback" not in said, f"{where}\n{said}"
    fault = 1 if arguments[0] == "deck" else 0  # `deck check` says so of a deck that is not legal
    assert done.returncode in (0, fault, cli.BAD_INPUT), f"{where}\n{said}"
    if done.returncode == cli.BAD_INPUT:
        return said.removeprefix("gonfalon: ")
    # Studies report their progress on stderr when they take longer than some seconds.
    return done.stdout if done.returncode == 0 else said


def shell_lines(document: Path) -> list[str]:
    """Return the commands that a document shows without their output, which are not run."""
    return [line for block in blocks(document, "sh") for line in block.text.splitlines() if line]


def must_exist(commands: Iterable[str]) -> None:
    """Check make targets, and our commands with their arguments and options."""
    targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    for command in commands:
        program, *arguments = shlex.split(command, comments=True)
        if program == "make":
            assert set(arguments) <= set(targets), command
        elif program == "gonfalon":
            parsed = cli.build_parser().parse_args(arguments)
            if getattr(parsed, "game", None):
                make_game(parsed.game, getattr(parsed, "option", []))
        else:
            assert program in (".", "export", "python", "python3", "pip", "uv", "ray", "node"), command
