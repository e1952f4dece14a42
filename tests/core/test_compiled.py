"""What a compiled class has in common with the plain one."""

from __future__ import annotations

import inspect

import pytest

from gonfalon import Decision, Outcome, Rng, State, Worlds
from gonfalon.core.cards import take
from gonfalon.core.rng import shuffle_by
from gonfalon.core.state import Step, Together
from gonfalon.games.feint.rules.cards import Dragoon
from gonfalon.games.feint.rules.state import FeintState


@pytest.mark.parametrize("cls", [Decision, Outcome, Rng, State, Step, Together, Worlds, FeintState, Dragoon])
def test_a_class_has_its_docstring(cls: type) -> None:
    assert len(inspect.getdoc(cls) or "") > 20
    assert "--" not in str(cls.__doc__)


def test_docstrings_are_whole() -> None:
    assert str(Outcome.__doc__).startswith("Who won and how: `winners` are seats")
    assert str(inspect.getdoc(State.mask)).startswith("What a viewer (a seat, SPECTATOR, OPEN) may know: a state of")
    assert (
        str(inspect.getdoc(State.apply))
        == "Carry out a legal action. Trusts the caller: `play` is the twin that checks."
    )
    assert str(inspect.getdoc(take)).startswith(
        "Remove and return a card of this kind; of several the one known to most"
    )
    assert str(inspect.getdoc(Dragoon)).startswith("Location 2 is a Battle Location.")


def test_signatures_are_kept() -> None:
    for function, names in (
        (State, ["seats", "stack"]),
        (Rng, ["seed"]),
        (State.mask, ["self", "viewer"]),
        (State.play, ["self", "seat", "action"]),
        (Worlds.sample, ["self", "rng"]),
        (take, ["zone", "kind"]),
        (shuffle_by, ["seed", "items"]),
    ):
        assert list(inspect.signature(function).parameters) == names
