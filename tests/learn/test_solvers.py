"""Solvers of tiny games: by hand, by the exact best response, beside a peer; and a wrong one is found out."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import pytest

from gonfalon import games
from gonfalon.bots.network import Array
from gonfalon.core.errors import OptionError
from gonfalon.core.game import Game
from gonfalon.core.rng import Rng
from gonfalon.core.state import CHANCE, Seat
from gonfalon.learn.baselines.solvers import SOLVERS, CfrPlus, Magnetic, Sampled, Solver
from gonfalon.learn.baselines.tree import Look, Tree
from gonfalon.learn.exact import Mixture, exploitability, key
from tests.learn.test_exact import HEADS, TAILS, Pennies, PenniesState

BOUNDS = {"cfr+": (10, 100, 0.002), "mccfr": (200, 3000, 0.04), "mmd": (100, 1000, 0.005)}
"""Iterations, as many more, and what may be gained against the second: a random player loses 0.24 to 0.94."""


class StakesState(PenniesState):
    """Two heads cost seat 0 three, two tails one; else it wins one."""

    def returns(self) -> list[float]:
        first, second = self.shown
        won = 1.0 if first != second else -3.0 if first == HEADS else -1.0
        return [won, -won]


class Stakes(Pennies):
    """Worked out by hand: with heads in p of all cases seat 0 gets 1 - 4p against heads and 2p - 1 against tails, which
    are equal at p = 1/3, and so it is for seat 1. Then seat 0 loses a third."""

    name: ClassVar[str] = "stakes"
    state_class = StakesState


def tiny(name: str, number: int = 0) -> Game:
    return games.kind(name).tiny()[number]


def gain(game: Game, mixtures: dict[bytes, Mixture]) -> float:
    """What is gained against a policy, by the exact best response."""
    return exploitability(game, lambda view: mixtures[key(view)])


@pytest.mark.parametrize(("name", "iterations"), [("cfr+", 1000), ("mccfr", 8000), ("mmd", 2000)])
def test_a_game_worked_out_by_hand(name: str, iterations: int) -> None:
    tree = Tree(Stakes())
    solver = SOLVERS[name](tree, Rng(1))
    solver.run(iterations)
    for mixture in solver.mixtures().values():
        assert dict(mixture) == pytest.approx({HEADS: 1 / 3, TAILS: 2 / 3}, abs=0.02)
    assert tree.look(solver.policy()).values[:, 0] == pytest.approx([-1 / 3, 1 / 3], abs=0.02)


def found(solver: Solver, iterations: int) -> float:
    """What is gained against a solver after so many iterations more."""
    solver.run(iterations)
    return gain(solver.tree.game, solver.mixtures())


@pytest.mark.parametrize(
    ("solver", "name", "number"),
    [("cfr+", "feint", 1), *((solver, name, 0) for solver in SOLVERS for name in ("feint", "factionwars"))],
)
def test_less_and_less_can_be_gained(solver: str, name: str, number: int) -> None:
    few, more, bound = BOUNDS[solver]
    one = SOLVERS[solver](Tree(tiny(name, number)), Rng(1))
    first, last = found(one, few), found(one, more)
    assert -1e-9 < last < first
    assert last < bound


class Backwards(CfrPlus):
    """Regrets what went well."""

    def iterate(self) -> None:
        self.tree.returns = -self.tree.returns
        super().iterate()
        self.tree.returns = -self.tree.returns


class OwnReach(Tree):
    """Weighs what a seat gets by how likely the seat itself comes there."""

    def worths(self, look: Look, seat: Seat) -> tuple[Array, Array]:
        return super().worths(Look(np.roll(look.reach, 1, axis=0), look.values), seat)


class Latest(CfrPlus):
    """Plays its last policy instead of the average."""

    def policy(self) -> Array:
        return self.tree.shares(self.regrets)


class Blind(Sampled):
    """Never looks at what its seat gained."""

    def walk(self, node: int, seat: Seat) -> float:
        super().walk(node, seat)
        return 0.0


class OneSided(Sampled):
    """Only seat 0 learns."""

    def iterate(self) -> None:
        self.walk(0, 0)


class FixedMagnet(Magnetic):
    """Its magnet stays where it was."""

    def iterate(self) -> None:
        magnet = self.magnet
        super().iterate()
        self.magnet = magnet


class FarMagnet(Magnetic):
    """Its magnet is where the policy is, and so pulls nowhere."""

    def iterate(self) -> None:
        super().iterate()
        self.magnet = self.current


@pytest.mark.parametrize(
    ("wrong", "name", "kind"),
    [
        (Backwards, "cfr+", Tree),
        (CfrPlus, "cfr+", OwnReach),
        (Latest, "cfr+", Tree),
        (Blind, "mccfr", Tree),
        (OneSided, "mccfr", Tree),
        (FixedMagnet, "mmd", Tree),
        (FarMagnet, "mmd", Tree),
    ],
)
def test_a_solver_that_is_wrong_does_not_come_below_the_bound(wrong: type[Solver], name: str, kind: type[Tree]) -> None:
    few, more, bound = BOUNDS[name]
    games = [tiny("feint"), tiny("factionwars")]
    assert max(found(wrong(kind(game), Rng(1)), few + more) for game in games) > bound


def test_it_is_what_openspiel_finds() -> None:
    pytest.importorskip("pyspiel")
    from open_spiel.python.algorithms import cfr
    from open_spiel.python.algorithms.exploitability import nash_conv

    from gonfalon.bridges.openspiel import load

    game = tiny("feint")
    theirs, ours = cfr.CFRPlusSolver(load(game)), CfrPlus(Tree(game), Rng(1))
    for _ in range(7):
        theirs.evaluate_and_update_policy()
    assert found(ours, 7) == pytest.approx(nash_conv(load(game), theirs.average_policy()) / 2, abs=1e-9)


def test_a_tree_has_every_line_and_a_policy_adds_up() -> None:
    game = tiny("feint", 1)
    tree = Tree(game)
    ends, nodes = 0, [game.start()]
    while nodes:
        state = nodes.pop()
        ends += not state.stack
        for action in state.actions if state.stack else ():
            twin = state.clone()
            twin.apply(state.turn, action)
            nodes.append(twin)
    assert len(tree.ends) == ends
    policy = tree.shares(np.arange(tree.size, dtype=float))
    assert np.add.reduceat(policy, tree.starts) == pytest.approx(np.ones(len(tree.views)))
    reach = tree.look(policy).reach
    assert reach[:, tree.ends].prod(axis=0).sum() == pytest.approx(1.0)
    assert (tree.movers == CHANCE).sum() > 1


def test_a_game_too_large_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gonfalon.learn.baselines.tree.MOST", 50)
    with pytest.raises(OptionError, match="too large to be solved"):
        Tree(tiny("feint"))


def test_samples_follow_from_the_seed() -> None:
    def sums(seed: int) -> Any:
        solver = Sampled(Tree(tiny("feint")), Rng(seed))
        solver.run(5)
        return solver.summed.tolist()

    assert sums(1) == sums(1) != sums(2)
