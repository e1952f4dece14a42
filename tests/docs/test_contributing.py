"""The commands in CONTRIBUTING.md exist, and its example test passes."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

from gonfalon import cli
from gonfalon.testing import rule
from tests.feint.scenario import Table, card

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "CONTRIBUTING.md").read_text("utf-8")


def test_its_commands_exist() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    blocks = "".join(re.findall(r"^```sh\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL))
    listed = re.findall(r"^\| `([^`]+)` \|", TEXT, re.MULTILINE)
    for line in [*blocks.splitlines(), *listed]:
        program, *arguments = shlex.split(line)
        if program == "make":
            assert arguments[0] in targets
        elif program == "gonfalon":
            cli.build_parser().parse_args(arguments)
        else:
            assert program == ".venv/bin/pytest"
            assert (ROOT / arguments[0]).exists()
    assert {line.split()[1] for line in listed} == targets - {"help", "test"}


def test_its_example_is_a_test_that_passes() -> None:
    [example] = re.findall(r"^```python\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    names: dict[str, Any] = {"Table": Table, "card": card, "rule": rule}
    exec(example, names)
    [test] = [value for name, value in names.items() if name.startswith("test_")]
    test()
