"""OpenSpiel's own tests, unmodified, on all our games."""

from __future__ import annotations

import functools
import io
import unittest
from typing import Any

import pytest

pyspiel = pytest.importorskip("pyspiel")

from absl import flags  # noqa: E402
from open_spiel.integration_tests import api_test  # noqa: E402

from gonfalon import games  # noqa: E402
from gonfalon.bridges.openspiel import load, register  # noqa: E402
from gonfalon.core.rules.game import Game  # noqa: E402
from gonfalon.core.rules.state import CHANCE, State  # noqa: E402
from tests.bridges.common import EXACT, TINY, each  # noqa: E402

NAMES = register()


def test_every_game_is_registered() -> None:
    assert [f"gonfalon_{name}" for name in games.names()] == NAMES
    assert set(NAMES) <= set(pyspiel.registered_names())


@pytest.mark.parametrize("game", each(EXACT))
def test_random_games(game: Game) -> None:
    pyspiel.random_sim_test(load(game), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("game", each(TINY))
def test_random_tiny_games(game: Game) -> None:
    pyspiel.random_sim_test(load(game), num_sims=10, serialize=True, verbose=False)


def run(case: type[unittest.TestCase]) -> None:
    """Run the tests of a class. Fail with their output."""
    said = io.StringIO()
    result = unittest.TextTestRunner(stream=said).run(unittest.defaultTestLoader.loadTestsFromTestCase(case))
    assert result.testsRun > 0
    assert result.wasSuccessful(), said.getvalue()


@functools.cache
def flags_are_read() -> None:
    if not flags.FLAGS.is_parsed():
        flags.FLAGS(["pytest"])


def test_the_api(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests that OpenSpiel runs on each of its games. Its list is made at import, possibly before our games were
    registered."""
    flags_are_read()
    monkeypatch.setattr(api_test, "_GAMES_TO_TEST", set(NAMES))
    monkeypatch.setattr(flags.FLAGS, "test_only_games", "^gonfalon_")
    cases = list(api_test._create_test_case_classes())
    assert len(cases) == len(NAMES)
    for case in cases:
        run(case)


def count(state: State) -> tuple[int, int, int]:
    """Return the number of chance nodes, decision nodes and ends, counting each history separately."""
    if state.over:
        return 0, 0, 1
    found = [int(state.turn == CHANCE), int(state.turn != CHANCE), 0]
    for action in state.actions:
        twin = state.clone()
        twin.apply(twin.turn, action)
        for i, number in enumerate(count(twin)):
            found[i] += number
    return found[0], found[1], found[2]


def test_the_api_on_a_whole_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    """OpenSpiel's checks of small games at every node, including perfect recall. The number of nodes is counted on the
    core. The number of information states is not known in advance."""
    flags_are_read()
    name = "gonfalon_feint(tiny=1)"
    [tiny, *_] = games.find_game_class("feint").tiny()
    perfect_recall: Any = api_test._assert_is_perfect_recall
    states = len(perfect_recall(pyspiel.load_game(name)))
    monkeypatch.setitem(api_test.TOTAL_NUM_STATES, name, count(tiny.start()))
    monkeypatch.setitem(api_test.PERFECT_RECALL_NUM_STATES, name, states)
    members = {"game": pyspiel.load_game(name), "game_name": name}
    run(type("WholeTree", (api_test.EnforceAPIOnFullTreeBase,), members))
