"""Blocks of several machines become one study, if they belong together."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from gonfalon.core.errors import DataError
from gonfalon.lab import whatif
from gonfalon.lab.balance import Balance, study
from gonfalon.lab.crew import Part, PartDone
from gonfalon.lab.kept import merge, note
from gonfalon.lab.whatif import Question
from tests.cli.conftest import Run, run
from tests.lab.test_whatif import PAIR, question

__all__ = ["run"]

ASKED = question("patriot.strength=1", precision=0.001, most=160)
"""160 games of both variants are two blocks of each, of 40 games."""


def part_of(asked: Question, folder: Path, number: int, of: int = 2) -> Path:
    with pytest.raises(PartDone, match=f"Part {number} of {of} is played"):
        whatif.ask(asked, folder=folder, part=Part(number, of))
    return folder


def blocks_of(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir() if not path.name.startswith("study-")}


def test_parts_of_two_machines_become_one_study(tmp_path: Path) -> None:
    a, b = (part_of(ASKED, tmp_path / name, number) for name, number in (("a", 1), ("b", 2)))
    both = blocks_of(a) | blocks_of(b)
    assert (len(blocks_of(a)), len(blocks_of(b)), len(both)) == (2, 2, 4)
    whole = tmp_path / "whole"
    assert merge(whole, [a, b]) == f"Blocks that are new in {whole}: 4; there already: 0."
    assert merge(whole, [b, a]) == f"Blocks that are new in {whole}: 0; there already: 4."
    assert blocks_of(whole) == both
    times = {path: path.stat().st_mtime_ns for path in whole.iterdir() if path.name in both}
    found = whatif.ask(ASKED, folder=whole)
    assert found.digest == whatif.ask(ASKED).digest
    assert times == {path: path.stat().st_mtime_ns for path in times}, "nothing is played again"
    again = whatif.ask(ASKED, folder=whole, part=Part(1, 2))
    assert again.digest == found.digest, "a part that lacks nothing of the others tells all"


def test_a_study_in_waves_is_played_wave_by_wave(tmp_path: Path) -> None:
    """The first wave of a matchup is two blocks, one for each machine; the next ones follow from both."""
    options = {"factions": "wu,keion", "end_round": 3}
    found: Balance | None = None
    plain = study("feint", options, "random", 0.2, 10_000)
    for _ in range(5):
        try:
            for number in (1, 2):
                part = Part(number, 2)
                found = study("feint", options, "random", 0.2, 10_000, folder=tmp_path / f"{number}", part=part)
            break
        except PartDone:
            with pytest.raises(PartDone):
                study("feint", options, "random", 0.2, 10_000, folder=tmp_path / "2", part=Part(2, 2))
            merge(tmp_path / "1", [tmp_path / "2"])
            merge(tmp_path / "2", [tmp_path / "1"])
    assert found is not None
    assert found.digest == plain.digest


def test_what_does_not_belong_together_is_refused(tmp_path: Path) -> None:
    a = part_of(ASKED, tmp_path / "a", 1)
    others = {
        "other cards or options": question("patriot.strength=2", precision=0.001, most=80),
        "another seed": replace(ASKED, seed=2, most=80),
    }
    for number, (what, asked) in enumerate(others.items()):
        b = part_of(asked, tmp_path / f"b{number}", 1)
        with pytest.raises(DataError, match=f"keeps a study of {what}"):
            merge(a, [b])
    own = note("whatif", "feint", [PAIR], "random", 1)
    for key, what in (("version", "other rules"), ("sources", "another Gonfalon"), ("game", "another game")):
        folder = tmp_path / key
        folder.mkdir()
        (folder / "study-1.json").write_text(json.dumps({**own, key: "?"}))
        mine = tmp_path / f"mine-{key}"
        mine.mkdir()
        (mine / "study-1.json").write_text(json.dumps(own))
        with pytest.raises(DataError, match=f"keeps a study of {what}"):
            merge(mine, [folder])
    with pytest.raises(DataError, match="keeps no study"):
        merge(a, [tmp_path])


def test_a_block_that_came_out_otherwise_is_refused_and_a_damaged_one_left_out(tmp_path: Path) -> None:
    a, b = tmp_path / "a", tmp_path / "b"
    digest = whatif.ask(ASKED, folder=a).digest
    shutil.copytree(a, b)
    first, second, third, _ = sorted(blocks_of(b))
    (b / first).write_text("{")
    assert merge(a, [b]) == f"Blocks that are new in {a}: 0; there already: 3; damaged, and left out: 1."
    (a / first).unlink()
    (b / first).write_bytes((b / second).read_bytes())
    assert merge(a, [b]).endswith(": 1; there already: 3.")
    assert whatif.ask(ASKED, folder=a).digest == digest, "rows of other deals are not taken"
    (b / second).write_bytes((b / third).read_bytes())
    with pytest.raises(DataError, match="holds other games than"):
        merge(a, [b])


def untimed(out: str) -> str:
    """What a study tells, but for the time that it took."""
    told, count = re.subn(r"in \d+ s of CPU time", "", out)
    assert count == 1
    return told


def test_the_commands_say_so(run: Run, tmp_path: Path) -> None:
    argv = ["lab", "whatif", "feint", "--set", "patriot.strength=1", "--players", "random", "--games", "100"]
    argv += ["--precision", "0.1", "--option", "factions=keion,agents", "--option", "end_round=3"]
    code, _, err = run(*argv, "--part", "1/2")
    assert (code, "must be kept" in err) == (2, True)
    code, _, err = run(*argv, "--keep", tmp_path / "a", "--part", "3/2")
    assert (code, "the second of three" in err) == (2, True)
    for number in ("1", "2"):
        code, _, err = run(*argv, "--keep", tmp_path / number, "--part", f"{number}/2")
        assert (code, f"Part {number} of 2 is played: 2 of 4 blocks" in err) == (0, True)
    assert run("lab", "merge", tmp_path / "1", tmp_path / "2")[:2] == (
        0,
        f"Blocks that are new in {tmp_path / '1'}: 2; there already: 0.\n",
    )
    code, out, err = run(*argv, "--keep", tmp_path / "1")
    assert (code, err) == (0, "")
    assert untimed(out) == untimed(run(*argv)[1])
