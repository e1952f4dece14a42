"""The scale of losses, fitted to losses whose truth is known."""

from __future__ import annotations

import pytest

from gonfalon.core.errors import OptionError
from gonfalon.core.rng import Rng
from gonfalon.lab.losses import LEAST, fitted, holding
from gonfalon.lab.reviews import Judged, holds
from gonfalon.review.losses import Loss, Scale


def loss(raw: float, referee: float, raw_half: float = 0.01, half: float = 0.02) -> Judged:
    return Judged(0.0, 0.0, 0.0, raw, raw_half, "mistake", referee, half, 0.0)


def test_a_scale_is_the_line_through_losses() -> None:
    """What is claimed comes true by half everywhere: so half of it is told, and no doubt is left."""
    found = fitted([loss(0.1 + 0.01 * n, 0.05 + 0.005 * n) for n in range(30)])
    assert (found.told, found.doubt) == (0.5, 0.0)


def test_its_doubt_holds_nineteen_of_twenty() -> None:
    """Half of what is claimed comes true, or nothing, or all of it: the line is about half, and its interval has to
    reach 0.5 to either side with 1.96 doubts: 0.26 of them. Then no loss is certain any more."""
    truths = [0.0, 0.5, 1.0]
    found = fitted([loss(0.2 + 0.002 * n, truths[n % 3] * (0.2 + 0.002 * n), 0.0, 0.001) for n in range(90)])
    assert found.told == pytest.approx(0.5, abs=0.03)
    assert found.doubt == pytest.approx(0.26, abs=0.03)


def test_an_interval_counts_the_referees_error_in() -> None:
    """0.05 away from what is told: within 0.03 and 0.04 together, as 0.05 is the root of both squares, not within
    0.03 and 0.03."""
    told = Loss(0.1, 0.07, 0.13)
    assert holds(told, loss(0.1, 0.1499, half=0.04))
    assert not holds(told, loss(0.1, 0.1499, half=0.03))
    assert holding([loss(0.1, 0.1499, 0.03, 0.04), loss(0.1, 0.1499, 0.03, 0.03)], Scale(1.0, 0.0)) == 0.5


def test_few_losses_say_nothing() -> None:
    rng = Rng(1)
    with pytest.raises(OptionError, match="judge more decisions"):
        fitted([loss(0.2, 0.001 * rng.below(200)) for _ in range(LEAST - 1)])
