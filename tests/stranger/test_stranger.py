"""A third-party game is found through its entry point, checked and played like a built-in one."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.fixture
def installed(tmp_path: Path) -> dict[str, str]:
    """An environment in which the package is installed like with pip: its module, and the entry points of its
    pyproject.toml in a dist-info folder."""
    project = tomllib.loads((HERE / "pyproject.toml").read_text())["project"]
    module = (HERE / "gonfalon_duel.py").read_text()
    (tmp_path / "gonfalon_duel.py").write_text(module)
    info = tmp_path / f"gonfalon_duel-{project['version']}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
    lines = []
    for group, points in project["entry-points"].items():
        lines += [f"[{group}]", *(f"{name} = {target}" for name, target in points.items())]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n")
    return {**os.environ, "PYTHONPATH": str(tmp_path)}


def python(environment: dict[str, str], code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=200, check=False
    )


def test_game_is_found(installed: dict[str, str]) -> None:
    done = python(installed, "import gonfalon; print(gonfalon.names(), gonfalon.game('duel', hand=2).options['hand'])")
    assert done.stdout.endswith(" 2\n"), done.stderr
    assert "'duel'" in done.stdout


@pytest.mark.long
def test_kit_checks_it(installed: dict[str, str]) -> None:
    done = python(installed, "import sys, gonfalon.check; sys.exit(gonfalon.check.main('duel'))")
    assert done.returncode == 0, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    assert sum(line.startswith("ok ") for line in lines) >= 20
    assert not any(line.startswith("FAIL") for line in lines)
    assert any(line.startswith("ok   rules and reference rules agree") for line in lines)
    assert "Duel:" in lines[-1]


def test_kit_refuses_a_faulty_one(installed: dict[str, str], tmp_path: Path) -> None:
    module = tmp_path / "gonfalon_duel.py"
    sound = module.read_text()
    assert "self.draw(seat)" in sound or "s.draw(seat)" in sound
    module.write_text(sound.replace("self.tell(DREW, seat, card)", "self.tell(DREW, seat, card, card & KIND)"))
    # A number of games, not seconds: how many fit in a second depends on the machine.
    check = (
        "import gonfalon.check as check, gonfalon.games as games;"
        "laws = [law for law in check.LAWS if 'unseen' in law.name];"
        "check.run(games.find_game_class('duel'), 0, print, rounds=24, laws=laws)"
    )
    done = python(installed, check)
    broken = [line for line in done.stdout.splitlines() if line.startswith("FAIL")]
    assert any("the log shows" in line for line in broken), done.stdout + done.stderr


def test_unknown_game_is_refused(installed: dict[str, str]) -> None:
    done = python(installed, "import gonfalon; gonfalon.game('dual')")
    assert "Did you mean duel?" in done.stderr
