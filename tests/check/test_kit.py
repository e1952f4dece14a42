"""The kit's own parts."""

from __future__ import annotations

import gc
import time
from typing import Any

import pytest

from gonfalon.check import LAWS, run
from gonfalon.check.deals import all_deals, arrangements
from gonfalon.check.observe import deal_of, differing, frozen
from gonfalon.check.play import play
from gonfalon.check.statistics import alike, fit, p_value
from gonfalon.check.watchdog import Stuck, Watchdog
from gonfalon.core.cards import HIDDEN, KIND
from gonfalon.core.record import load
from tests.check.mutants import MUTANTS
from tests.stranger.gonfalon_duel import Duel


@pytest.mark.parametrize(
    ("chi", "freedom", "expected"),
    [(3.841459, 1, 0.05), (18.307038, 10, 0.05), (124.342113, 100, 0.05), (0.0, 3, 1.0), (29.588298, 10, 0.001)],
)
def test_p_value(chi: float, freedom: int, expected: float) -> None:
    assert p_value(chi, freedom) == pytest.approx(expected, rel=1e-5)


def test_fit_tells_fair_from_unfair() -> None:
    weights = {"a": 1.0, "b": 1.0, "c": 2.0}
    assert fit({"a": 98, "b": 105, "c": 197}, weights) > 0.5
    assert fit({"a": 198, "b": 5, "c": 197}, weights) < 1e-6
    assert fit({"d": 1}, weights) == 0.0


def test_alike_tells_same_from_other() -> None:
    assert alike({"a": 101, "b": 99}, {"a": 205, "b": 190}) > 0.5
    assert alike({"a": 150, "b": 50}, {"a": 50, "b": 150}) < 1e-6


def test_arrangements_are_all_and_different() -> None:
    found = [tuple(one) for one in arrangements([1, 1, 2], [[1, 2], [1], [1, 2]])]
    assert sorted(found) == [(1, 1, 2), (2, 1, 1)]


def test_all_deals_of_a_view() -> None:
    game = Duel.tiny()[0]
    state = play(game, 3).states[-2]
    view = state.mask(0)
    before = view.dump()
    deals = all_deals(view)
    assert deals is not None
    assert deal_of(state) in deals
    assert view.dump() == before
    blanks = sum(card & KIND == HIDDEN for zone in [*view.ordered_zones(), *view.unordered_zones()] for card in zone)
    assert all(sum(map(len, deal)) == len(game.start().pools()[0][0]) for deal in deals)
    assert blanks > 0


class Held:
    def __init__(self, inner: Any) -> None:
        self.inner = inner


def test_differing_walks_everything() -> None:
    assert differing(Held([1, {"a": 2}]), Held([1, {"a": 2}])) == ""
    assert differing(Held([1, {"a": 2}]), Held([1, {"a": 3}])) == "inner[1]['a']"
    loop: list[Any] = []
    loop.append(loop)
    assert differing(loop, loop[:]) == ""


def test_frozen_does_not_change() -> None:
    thing = Held([1, [2]])
    picture = frozen(thing)
    thing.inner[1].append(3)
    assert frozen(thing) != picture


def loop_under(dog: Watchdog) -> None:
    with dog:
        while True:
            pass


def test_watchdog_ends_a_loop() -> None:
    dog = Watchdog(0.3)
    began = time.monotonic()
    with pytest.raises(Stuck):
        loop_under(dog)
    assert time.monotonic() - began < 60
    with dog:
        pass
    dog.close()


LOSSES = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


@LOSSES
def test_watchdog_waits_for_the_garbage_collector() -> None:
    """An exception raised in a callback of the collector is lost, and the loop would never end."""
    dog = Watchdog(0.1)
    seen = []

    def slow(phase: str, _: dict[str, int]) -> None:
        began = time.monotonic()
        while time.monotonic() - began < 0.6:
            pass
        seen.append(phase)

    def collect() -> None:
        with dog:
            gc.collect()
            gc.callbacks.remove(slow)
            while True:
                pass

    gc.callbacks.append(slow)
    with pytest.raises(Stuck):
        collect()
    dog.close()
    assert seen == ["start", "stop"]


@LOSSES
def test_watchdog_comes_again_where_its_exception_was_lost() -> None:
    dog = Watchdog(0.1)

    class Dying:
        def __del__(self) -> None:
            while not dog.fired:
                pass
            for _ in range(1000):
                pass

    def bury() -> None:
        with dog:
            Dying()
            while True:
                pass

    with pytest.raises(Stuck):
        bury()
    dog.close()


def test_failure_comes_with_a_record() -> None:
    mutant = next(m for m in MUTANTS if m.name == "a card is lost")
    with mutant.applied():
        result = next(r for r in run(Duel, 0, rounds=20, first_only=True) if not r.ok)
        assert result.line().startswith("FAIL cards are conserved: ")
        assert f"seed {result.seed}" in result.failure
        record = load(result.record, lambda name, **options: Duel(**options))
        assert record.replay().dump() is not None


def test_a_report_has_a_line_for_each_law() -> None:
    lines: list[str] = []
    results = run(Duel(hand=2), 0, lines.append)
    assert len(lines) == len(results) == len(LAWS)
    assert len({law.name for law in LAWS}) == len(LAWS)
    assert all(line.startswith("ok ") for line in lines), [line for line in lines if not line.startswith("ok ")]


def test_a_broken_base_leaves_the_rest_unchecked() -> None:
    mutant = next(m for m in MUTANTS if m.name == "a clone shares the hands")
    with mutant.applied():
        results = run(Duel, 0)
    assert [r.law for r in results if not r.ok] == ["clones are equal and independent"]
    assert any(r.line().startswith("--") for r in results)
