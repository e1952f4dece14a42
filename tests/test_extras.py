"""A bare installation plays, checks and studies. A feature that needs an extra names the one to install."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from gonfalon.core.extras import EXTRA_OF_PACKAGE

BARE = f"""
import sys
for name in {sorted(EXTRA_OF_PACKAGE)}:
    sys.modules[name] = None
"""
"""Makes every package of an extra impossible to import."""


def run(code: str, text: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", BARE + code], input=text, capture_output=True, text=True, check=False, timeout=250
    )


def command(*words: str) -> subprocess.CompletedProcess[str]:
    return run(f"from gonfalon.cli import main; sys.exit(main({list(words)!r}))")


def test_each_extra_exists() -> None:
    extras = tomllib.loads(Path("pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    assert set(EXTRA_OF_PACKAGE.values()) == set(extras) - {"all"}


@pytest.mark.parametrize("bridge", ["openspiel", "pettingzoo", "gymnasium"])
def test_a_bridge_names_the_missing_extra(bridge: str) -> None:
    said = run(f"import gonfalon.bridges.{bridge}").stderr.strip().splitlines()[-1]
    assert said == "ImportError: This bridge needs the extra research: pip install 'gonfalon[research]'."


@pytest.mark.extended
def test_bots_play_a_game() -> None:
    done = command("play", "jinkei", "--bots", "club,club", "--seed", "1")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.extended
def test_a_person_plays_in_plain_text() -> None:
    done = run("from gonfalon.cli import main; sys.exit(main(['play', 'jinkei', '--plain', '--seed', '1']))", "?\n")
    assert "Jinkei" in done.stdout
    assert "Traceback" not in done.stderr


@pytest.mark.extended
def test_a_study_is_printed() -> None:
    done = command("lab", "match", "greedy", "random", "--game", "jinkei", "--pairs", "2", "--json")
    assert json.loads(done.stdout)


@pytest.mark.extended
def test_the_kit_checks_all_but_the_server() -> None:
    code = """
import gonfalon
from gonfalon.bridges.senders import available_senders
from gonfalon.check import run
from gonfalon.check.laws.secrecy.secrecy import LAWS
from gonfalon.cli.commands.authors import find_server_checks
game = gonfalon.game("jinkei")
senders = available_senders()
failures = [result.failure for result in run(game, 0, senders=senders, laws=LAWS, rounds=1) if not result.ok]
print(*find_server_checks(), len(senders), game.start()._repr_svg_()[:4], *failures)
"""
    assert run(code).stdout.split() == ["None", "None", "2", "<svg"]


def test_a_command_names_the_missing_extra() -> None:
    done = command("serve")
    assert done.returncode == 2
    assert done.stderr == "gonfalon: This command needs the extra server: pip install 'gonfalon[server]'.\n"
