"""The laws of numbers detect their faults."""

from __future__ import annotations

from typing import ClassVar, Self
from unittest.mock import patch

import pytest
from mypy_extensions import i64

from gonfalon.check import run
from gonfalon.check.laws.rules.numbers import LAWS, check_rows, check_tensors_distinct
from gonfalon.core.build import find_build
from gonfalon.core.rules.game import Game, Part, Zone
from gonfalon.core.rules.state import Action, Seat, State
from gonfalon.core.rules.tensor import BASES, Writer
from gonfalon.games.factionwars import FactionWars
from gonfalon.games.feint import Feint
from gonfalon.games.generals import Generals
from gonfalon.games.jinkei import Jinkei
from gonfalon_reference_rules.feint.sample_boxes import NARROW
from tests.check.kin import SecretDuel, SecretState


def failures(game: Game) -> list[str]:
    return [result.failure for result in run(game, 0, laws=LAWS, rounds=3) if result.failure]


class Forgetful(Jinkei):
    """A game that omits an action from the list."""

    def all_actions(self) -> list[Action]:
        return [action for action in super().all_actions() if self.notation(action) != "bow"]


class Strays(FactionWars):
    """A game that does not declare that recruits join armies."""

    def joining(self, deck: str) -> list[int]:
        return []


class Long(Jinkei):
    """A game with one number too many."""

    def measure(self, s: State, me: Seat, row: Writer) -> None:
        super().measure(s, me, row)
        row.put(sum(part.size for part in self.parts()), 1)


class Huge(Jinkei):
    """A game with a number beyond a signed byte."""

    def measure(self, s: State, me: Seat, row: Writer) -> None:
        super().measure(s, me, row)
        row.put(0, 200)


class Peeking(SecretDuel):
    """A game that writes tensors from the full state, including the other seat's secret."""

    is_direct: ClassVar[bool] = True

    def measure(self, s: State, me: Seat, row: Writer) -> None:
        assert isinstance(s, SecretState)
        row.put(2, s.noted[1 - me] + 1)


class Large(Jinkei):
    """A game with a number beyond its bounds."""

    def parts(self) -> list[Part]:
        first, *rest = super().parts()
        return [first._replace(high=0), *rest]


class Partial(Jinkei):
    """A game that declares public a value that depends on the observer."""

    def measure(self, s: State, me: Seat, row: Writer) -> None:
        super().measure(s, me, row)
        row.put(0, int(row.viewer == 0))


class Vague(Generals):
    """A game that omits earlier choices."""

    step_numbers: ClassVar[tuple[int, int]] = (0, 0)


class Muddled(Feint):
    """A game that encodes only the last card at a Location, although order matters."""

    def zones(self) -> list[Zone]:
        return [zone._replace(order=min(1, zone.order)) for zone in super().zones()]


class Brief(Feint):
    """A game that encodes only the eight newest cards at a Location."""

    @classmethod
    def samples(cls) -> list[Self]:
        return [cls(cards=NARROW, factions=("red", "blue"))]

    def zones(self) -> list[Zone]:
        return [zone._replace(order=min(8, zone.order)) for zone in super().zones()]


@pytest.mark.parametrize(
    ("game", "complaint"),
    [
        (Forgetful(), "or the number that others see of it, is not in all_actions"),
        (Strays(), "counts cards under wrong kinds"),
        (Long(), "writes more numbers than the parts have"),
        (Huge(), "the game's number 0 does not fit in a signed byte"),
        (Peeking(), "differs from that of its view in note"),
        (Large(), "the part round has a number outside its bounds"),
        (Partial(), "differs from the spectator's"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Game) else "",
)
def test_a_fault_is_noticed(game: Game, complaint: str) -> None:
    assert any(complaint in failure for failure in failures(game))


@pytest.mark.extended
@pytest.mark.parametrize("game", [Vague, Muddled, Brief])
def test_views_that_look_alike_are_noticed(game: type[Game]) -> None:
    [result] = run(game, 0, laws=[law for law in LAWS if law.check is check_tensors_distinct], rounds=30)
    assert "have the same tensor, but differ: [" in result.failure


def open_hand(self: Writer, s: State, me: int, need: int) -> None:
    write_zones(self, s, me, 0)


def open_piles(self: Writer, s: State, me: int, need: int) -> None:
    write_zones(self, s, me, need)
    for number, zone in enumerate(s.zones()):
        if self.listed[number]:
            start = i64(self.bases[(me * self.zone_count + number) * BASES + 3])
            self.write_order(s, zone, number, start, me, 0)


write_zones = Writer.write_zones


@pytest.mark.skipif(find_build() == "compiled", reason="compiled classes cannot be patched")
@pytest.mark.parametrize("game", [Jinkei, Feint, FactionWars, pytest.param(Generals, marks=pytest.mark.extended)])
def test_a_row_with_unseen_information_is_detected(game: type[Game]) -> None:
    for leaking, told in ((open_hand, ".known"), (open_piles, ".order")):
        if leaking is open_piles and not any(zone.order for zone in game().zones()):
            continue
        with patch.object(Writer, "write_zones", leaking):
            [result] = run(game, 0, laws=[law for law in LAWS if law.check is check_rows], rounds=30)
        assert "differs from that of its view" in result.failure
        assert told in result.failure
