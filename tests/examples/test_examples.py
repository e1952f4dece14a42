"""The examples run with small settings in seconds. Their README holds their results."""

from __future__ import annotations

import re

import pytest

pytest.importorskip("pyspiel")

from examples import openspiel_cfr, openspiel_ismcts

pytestmark = pytest.mark.extended


@pytest.mark.parametrize(("method", "iterations", "bound"), [("cfr+", 60, 0.01), ("mmd", 60, 0.1)])
def test_openspiel_finds_an_equilibrium_of_a_tiny_feint(
    method: str, iterations: int, bound: float, capsys: pytest.CaptureFixture[str]
) -> None:
    """A random player can be exploited by 0.63 there."""
    asked = ["gonfalon_feint(tiny=1)", "--method", method, "--iterations", str(iterations), "--reports", "3"]
    assert openspiel_cfr.main(asked) == 0
    said = capsys.readouterr().out
    found = [float(number) for number in re.findall(r"exploitability ([\d.]+)", said)]
    assert len(found) == 3
    assert found[0] > found[-1]
    assert found[-1] < bound
    assert re.search(r"^Actions: .*ash@5", said, re.MULTILINE)


def test_search_plays_the_rule_of_thumb(capsys: pytest.CaptureFixture[str]) -> None:
    assert openspiel_ismcts.main(["gonfalon_jinkei(tiny=1)", "--simulations", "8", "--games", "2"]) == 0
    assert "; " in capsys.readouterr().out.splitlines()[-1]
