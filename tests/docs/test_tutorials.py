"""The games of the tutorials: their size, and the programs that reach them."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

from tests.docs.examples import ROOT, blocks, write_files
from tests.missing import missing
from tests.new.installed import new_game, run, surroundings

LEARN = ROOT / "docs" / "pages" / "learn"
SCRIPT = """
import random
import pyspiel
import gonfalon.bridges.openspiel
from gonfalon.bridges.pettingzoo import env

rng = random.Random(1)
state = pyspiel.load_game("gonfalon_postern(seats=4,goal=1)").new_initial_state()
while not state.is_terminal():
    if state.is_chance_node():
        state.apply_action(rng.choices(*zip(*state.chance_outcomes()))[0])
    else:
        state.apply_action(rng.choice(state.legal_actions()))
assert max(state.returns()) > min(state.returns())

zoo = env("postern", seats=2, goal=1)
zoo.reset(seed=4)
for agent in zoo.agent_iter():
    observation, _, terminated, truncated, _ = zoo.last()
    ended = terminated or truncated
    zoo.step(None if ended else zoo.action_space(agent).sample(observation["action_mask"]))
assert zoo.unwrapped.session.full_state.over
"""


@pytest.mark.parametrize("page", ["game.md", "targets.md"])
def test_the_number_of_lines_is_true(page: str) -> None:
    """The package files of a page, without its tests and files of one line."""
    text = (LEARN / page).read_text("utf-8")
    [said] = re.findall(r"(\d+) lines", text)
    files = [block for block in blocks(LEARN / page, "python") if "/tests/" not in block.title]
    assert sum(block.text.count("\n") for block in files) == int(said)


@pytest.mark.long
def test_programs_play_the_game_of_the_second_tutorial(tmp_path: Path) -> None:
    for package in ("pyspiel", "pettingzoo"):
        if importlib.util.find_spec(package) is None:
            missing(f"{package} is not installed")
    new_game("postern", tmp_path)
    write_files(LEARN / "targets.md", tmp_path)
    done = run(["-c", SCRIPT], surroundings(tmp_path, "postern"), tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
