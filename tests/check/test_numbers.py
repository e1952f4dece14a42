"""The laws of numbers notice what is wrong with them."""

from __future__ import annotations

from typing import ClassVar, Self

import pytest

from gonfalon.check import run
from gonfalon.check.numbers import LAWS, tensors_differ
from gonfalon.core.game import Game, Part, Zone
from gonfalon.core.state import Action, Seat, State
from gonfalon.games.factionwars import FactionWars
from gonfalon.games.feint import Feint
from gonfalon.games.feint.sample_boxes import NARROW
from gonfalon.games.generals import Generals
from gonfalon.games.jinkei import Jinkei


def failures(game: Game) -> list[str]:
    return [result.failure for result in run(game, 0, laws=LAWS, rounds=3) if result.failure]


class Forgetful(Jinkei):
    """Leaves an action out of the list."""

    def all_actions(self) -> list[Action]:
        return [action for action in super().all_actions() if self.notation(action) != "bow"]


class Strays(FactionWars):
    """Does not say that recruits come into armies."""

    def joining(self, deck: str) -> list[int]:
        return []


class Short(Jinkei):
    """One number too few."""

    def measure(self, view: State, me: Seat) -> list[int]:
        return super().measure(view, me)[:-1]


class Large(Jinkei):
    """A number beyond its bounds."""

    def parts(self) -> list[Part]:
        first, *rest = super().parts()
        return [first._replace(high=0), *rest]


class Partial(Jinkei):
    """Calls public what depends on the observer."""

    def measure(self, view: State, me: Seat) -> list[int]:
        return [int(view.viewer == 0), *super().measure(view, me)[1:]]


class Vague(Generals):
    """Tells nothing of what was chosen already."""

    step_numbers: ClassVar[tuple[int, int]] = (0, 0)


class Muddled(Feint):
    """Tells of the last card at a Location only, although its order means something."""

    def zones(self) -> list[Zone]:
        return [zone._replace(order=min(1, zone.order)) for zone in super().zones()]


class Brief(Feint):
    """Tells of the eight newest cards at a Location, however many lie there."""

    @classmethod
    def samples(cls) -> list[Self]:
        return [cls(cards=NARROW, factions=("red", "blue"))]

    def zones(self) -> list[Zone]:
        return [zone._replace(order=min(8, zone.order)) for zone in super().zones()]


@pytest.mark.parametrize(
    ("game", "complaint"),
    [
        (Forgetful(), "or what others see of it, is not in all_actions"),
        (Strays(), "counts cards under a kind that they are not"),
        (Short(), "numbers, but the parts have"),
        (Large(), "the part round has a number out of its bounds"),
        (Partial(), "is not the spectator's"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Game) else "",
)
def test_a_fault_is_noticed(game: Game, complaint: str) -> None:
    assert any(complaint in failure for failure in failures(game))


@pytest.mark.parametrize("game", [Vague, Muddled, Brief])
def test_views_that_look_alike_are_noticed(game: type[Game]) -> None:
    [result] = run(game, 0, laws=[law for law in LAWS if law.check is tensors_differ], rounds=30)
    assert "with one and the same tensor differ: [" in result.failure
