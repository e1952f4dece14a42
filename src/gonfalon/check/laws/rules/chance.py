"""Laws of chance: outcomes follow their weights, and shuffles are fair and use the whole seed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from math import factorial
from typing import Final

from gonfalon.check.law import Law, LawBrokenError
from gonfalon.check.laws.rules.flow import format_action
from gonfalon.check.observe import make_deal_key
from gonfalon.check.play import Bench, Case
from gonfalon.check.statistics import SIGNIFICANCE_LEVEL, compare_with_weights
from gonfalon.core.rules.state import CHANCE, SEED, Action, State

DRAWS: Final = 400
"""Number of draws for a test of weights."""
SHUFFLES: Final = 300
"""Number of shuffles for a test of fairness."""
SEED_BITS: Final = 62
"""Number of bits in a seed."""
MIN_ORDERS: Final = 100_000
"""Number of orders from which two seeds almost never lead to the same one."""

Zone = tuple[int, ...]


def check_weights(bench: Bench, case: Case) -> int:
    """Outcomes of chance are as frequent as their weights say.

    Mistake:
        `draw` ignores `weights`, or a weight counts a card twice.
    Cure:
        Count the cards that are left for each outcome.
    """
    rng = case.rng("draws")
    places = [at for at, state in enumerate(case.states) if state.turn == CHANCE and state.actions != [SEED]]
    checked = 0
    for _ in range(2 if places else 0):
        at = places[int(rng.below(len(places)))]
        state = case.states[at]
        actions = state.actions[:]
        # With fewer than 20 draws for each outcome the test proves little.
        if len(actions) > DRAWS // 20:
            continue
        counts = Counter(state.chance(rng) for _ in range(DRAWS))
        stray = next((action for action in counts if action not in actions), None)
        if stray is not None:
            raise LawBrokenError(
                f"chance chose {format_action(case.game, stray)}, which is not one of its outcomes", at
            )
        weights = {action: float(weight) for action, weight in zip(actions, state.weights(), strict=True)}
        if compare_with_weights(counts, weights) < SIGNIFICANCE_LEVEL:
            raise LawBrokenError(
                f"the outcomes of chance do not follow their weights: {dict(counts)} against {weights}", at
            )
        checked += DRAWS
    if not checked:
        bench.note = "no chance but shuffles by a seed"
    return checked


def check_shuffles(bench: Bench, case: Case) -> int:
    """A shuffle is fair and uses all bits of its seed.

    Mistake:
        The seed is cut to a few bits, or the pile is only cut.
    Cure:
        Shuffle with `Rng(-1 - action).shuffle(pile)`.
    """
    rng = case.rng("fair")
    places = [at for at, state in enumerate(case.states) if state.turn == CHANCE and state.actions == [SEED]]
    checked = 0
    for _ in range(2 if places else 0):
        at = places[int(rng.below(len(places)))]
        state = case.states[at]
        ends = [shuffle_zones(state, -1 - rng.seed()) for _ in range(SHUFFLES)]
        zones = [number for number in range(len(ends[0])) if is_reordered([end[number] for end in ends])]
        for number in zones[: len(state.ordered_zones())]:
            check_orders([end[number] for end in ends], at)
        # With few orders, two seeds can lead to the same one by accident.
        if any(count_orders(ends[0][number]) >= MIN_ORDERS for number in zones):
            check_seed(state, rng.seed(), rng.seed(), at)
        checked += SHUFFLES
    if not checked:
        bench.note = "no shuffle by a seed"
    return checked


def shuffle_zones(state: State, action: Action) -> tuple[Zone, ...]:
    """Return the kinds in each zone directly after a shuffle, before later steps run."""
    end = state.clone()
    end.stack.pop().choose(end, action)
    return make_deal_key(end)


def is_reordered(found: list[Zone]) -> bool:
    """Return whether a zone holds the same cards after every shuffle, but not always in the same order."""
    return len(set(found)) > 1 and len({tuple(sorted(zone)) for zone in found}) == 1


def count_orders(zone: Sequence[int]) -> int:
    """Return the number of different orders of these cards."""
    total = factorial(len(zone))
    for count in Counter(zone).values():
        total //= factorial(count)
    return total


def check_orders(found: list[Zone], at: int) -> None:
    """Check the frequency of each kind at each place that a shuffle changes, and at pairs of neighboring places.

    Args:
        found: The same zone after each of several shuffles.
        at: The number of the position, for the failure.
    """
    width = len(found[0])
    moving = [i for i in range(width) if len({zone[i] for zone in found}) > 1]
    if len(moving) < 2:
        return
    held = Counter(found[0][i] for i in moving)
    if any(Counter(zone[i] for i in moving) != held for zone in found):
        return
    # Divided by the number of tests, so that many places do not cause false alarms.
    limit = SIGNIFICANCE_LEVEL / len(moving)
    share = {kind: float(count) for kind, count in held.items()}
    if any(compare_with_weights(Counter(zone[i] for zone in found), share) < limit for i in moving):
        raise LawBrokenError("a shuffle puts some cards in some places too often", at)
    pairs = {(a, b): held[a] * (held[b] - (a == b)) for a in held for b in held}
    all_pairs = len(found) * (len(moving) - 1) / (len(moving) * (len(moving) - 1))
    beside = Counter((zone[i], zone[j]) for zone in found for i, j in pairwise(moving))
    for pair, ways in pairs.items():
        expected = all_pairs * ways
        # Pairs within one shuffle are not independent, so only a large deviation counts.
        if beside[pair] > 4 * expected + 40 or (expected > 40 and beside[pair] < expected / 4):
            raise LawBrokenError("a shuffle puts some cards next to each other too often", at)


def check_seed(state: State, one: int, two: int, at: int) -> None:
    """Check that each bit of a seed changes the order, for at least one of two seeds."""
    for bit in range(SEED_BITS):
        same = [
            shuffle_zones(state, -1 - seed) == shuffle_zones(state, -1 - (seed ^ (1 << bit))) for seed in (one, two)
        ]
        if all(same):
            raise LawBrokenError(f"a shuffle ignores bit {bit} of its seed, so its order can be guessed", at)


LAWS = [
    Law("outcomes of chance follow their weights", "draws", check_weights, share=0.3),
    Law("shuffles are fair and use the whole seed", "shuffles", check_shuffles, share=0.6),
]
