"""The steps that a game declares, from which tensors and messages to bots are made."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from typing import Any, ClassVar

import pytest

from gonfalon import games
from gonfalon.core.arrays.layout import Layout
from gonfalon.core.basics.errors import GonfalonError
from gonfalon.core.files.state_codec import StateCodec
from gonfalon.core.rules.shuffles import DealCard, Shuffle
from gonfalon.core.rules.state import CHANCE, State, Step
from tests.stranger.gonfalon_duel import Choose, Duel, DuelState


def below(kind: type[Step[Any]]) -> Iterator[type[Step[Any]]]:
    for one in kind.__subclasses__():
        yield one
        yield from below(one)


@pytest.mark.parametrize("name", games.names())
def test_a_game_declares_the_steps_of_its_package(name: str) -> None:
    """All steps except base classes and the core's shuffles."""
    home = games.find_game_class(name).__module__.rpartition(".")[0]
    for module in pkgutil.walk_packages(importlib.import_module(home).__path__, home + "."):
        importlib.import_module(module.name)
    written = {step for step in below(Step) if step.__module__.startswith(home + ".")}
    bases = {base for step in written for base in inspect.getmro(step)[1:]}
    own = {step for step in written if step not in bases or step.prompt}
    assert set(games.find_game_class(name).steps) == own | {DealCard, Shuffle}


def test_a_tensor_does_not_depend_on_imports() -> None:
    before = Layout(Duel())

    class Elsewhere(Step[DuelState]):
        """Another game of the same module."""

    Elsewhere.__module__ = Duel.__module__
    after = Layout(Duel())
    assert after.size == before.size
    assert after.table() == before.table()


class Sudden(Step[DuelState]):
    """A step that the game does not declare."""

    def options(self, s: DuelState) -> list[int]:
        return [0]


class Forgets(Duel):
    """A game that omits a step."""

    steps: ClassVar[tuple[type[Step[Any]], ...]] = tuple(step for step in Duel.steps if step is not Choose)


def shuffled(game: Duel) -> State:
    state = game.start()
    state.apply(CHANCE, -8)
    return state


def test_an_undeclared_step_is_refused_at_use() -> None:
    sentence = "The step Choose is not declared. List the class in `steps` of the game."
    game = Forgets()
    view = shuffled(game).mask(0)
    layout = Layout(game)
    with pytest.raises(GonfalonError) as refused:
        layout.write(view, layout.new())
    assert str(refused.value) == sentence
    with pytest.raises(GonfalonError) as refused:
        StateCodec(game).encode_view(view)
    assert str(refused.value) == sentence


def test_an_undeclared_step_that_waits_below_is_refused_too() -> None:
    game = Duel()
    state = shuffled(game)
    state.stack.insert(0, Sudden(0))
    layout = Layout(game)
    with pytest.raises(GonfalonError, match="The step Sudden is not declared"):
        layout.write(state.mask(1), layout.new())
