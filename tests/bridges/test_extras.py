"""Without the extras all but the bridges works, and each bridge says what it lacks."""

from __future__ import annotations

import subprocess
import sys

import pytest

WITHOUT = """
import sys
for name in ("numpy", "pyspiel", "open_spiel", "pettingzoo", "gymnasium", "PIL"):
    sys.modules[name] = None
"""


def run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", WITHOUT + code], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("bridge", ["openspiel", "pettingzoo", "gymnasium"])
def test_a_bridge_names_the_extra_that_is_missing(bridge: str) -> None:
    said = run(f"import gonfalon.bridges.{bridge}").stderr.strip().splitlines()[-1]
    assert said.startswith(f"ImportError: This bridge needs the extra {bridge}: pip install 'gonfalon[{bridge}]' (")


def test_the_kit_and_pictures_need_none() -> None:
    code = """
import gonfalon
from gonfalon.bridges.senders import senders
from gonfalon.check import run
from gonfalon.check.secrecy import LAWS
game = gonfalon.game("jinkei")
failures = [result.failure for result in run(game, 0, senders=senders(), laws=LAWS, rounds=1) if not result.ok]
print(len(senders()), game.start()._repr_svg_()[:4], *failures)
"""
    assert run(code).stdout.split() == ["1", "<svg"]
