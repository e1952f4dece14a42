"""Laws of chance: outcomes follow their weights, and shuffles are fair and use the whole seed."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from math import factorial
from typing import Final

from gonfalon.check.law import Broken, Law
from gonfalon.check.laws.rules.flow import named
from gonfalon.check.observe import deal_of
from gonfalon.check.play import Bench, Case
from gonfalon.check.statistics import TOO_UNLIKELY, fit
from gonfalon.core.rules.state import CHANCE, SEED, Action, State

DRAWS: Final = 400
"""Number of draws for a test of weights."""
SHUFFLES: Final = 300
"""Number of shuffles for a test of fairness."""
BITS: Final = 62
"""Number of bits in a seed."""
MANY: Final = 100_000
"""Number of orders from which two seeds almost never lead to the same one."""

Zone = tuple[int, ...]


def chance_falls_as_weighted(bench: Bench, case: Case) -> int:
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
        if len(actions) > DRAWS // 20:
            continue
        counts = Counter(state.chance(rng) for _ in range(DRAWS))
        stray = next((action for action in counts if action not in actions), None)
        if stray is not None:
            raise Broken(f"chance chose {named(case.game, stray)}, which is not one of its outcomes", at)
        weights = {action: float(weight) for action, weight in zip(actions, state.weights(), strict=True)}
        if fit(counts, weights) < TOO_UNLIKELY:
            raise Broken(f"the outcomes of chance do not follow their weights: {dict(counts)} against {weights}", at)
        checked += DRAWS
    if not checked:
        bench.note = "no chance but shuffles by a seed"
    return checked


def shuffles_are_fair(bench: Bench, case: Case) -> int:
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
        ends = [shuffled(state, -1 - rng.seed()) for _ in range(SHUFFLES)]
        zones = [number for number in range(len(ends[0])) if only_reordered([end[number] for end in ends])]
        for number in zones[: len(state.ordered_zones())]:
            check_orders([end[number] for end in ends], at)
        if any(orders(ends[0][number]) >= MANY for number in zones):
            check_seed(state, rng.seed(), rng.seed(), at)
        checked += SHUFFLES
    if not checked:
        bench.note = "no shuffle by a seed"
    return checked


def shuffled(state: State, action: Action) -> tuple[Zone, ...]:
    """Return the kinds in each zone directly after a shuffle, before later steps run."""
    end = state.clone()
    end.stack.pop().choose(end, action)
    return deal_of(end)


def only_reordered(found: list[Zone]) -> bool:
    """Return whether a zone holds the same cards after every shuffle, but not always in the same order."""
    return len(set(found)) > 1 and len({tuple(sorted(zone)) for zone in found}) == 1


def orders(zone: Zone) -> int:
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
    limit = TOO_UNLIKELY / len(moving)
    share = {kind: float(count) for kind, count in held.items()}
    if any(fit(Counter(zone[i] for zone in found), share) < limit for i in moving):
        raise Broken("a shuffle puts some cards in some places too often", at)
    pairs = {(a, b): held[a] * (held[b] - (a == b)) for a in held for b in held}
    all_pairs = len(found) * (len(moving) - 1) / (len(moving) * (len(moving) - 1))
    beside = Counter((zone[i], zone[j]) for zone in found for i, j in pairwise(moving))
    for pair, ways in pairs.items():
        expected = all_pairs * ways
        # Pairs within one shuffle are not independent, so only a large deviation counts.
        if beside[pair] > 4 * expected + 40 or (expected > 40 and beside[pair] < expected / 4):
            raise Broken("a shuffle puts some cards next to each other too often", at)


def check_seed(state: State, one: int, two: int, at: int) -> None:
    """Check that each bit of a seed changes the order, for at least one of two seeds."""
    for bit in range(BITS):
        same = [shuffled(state, -1 - seed) == shuffled(state, -1 - (seed ^ (1 << bit))) for seed in (one, two)]
        if all(same):
            raise Broken(f"a shuffle ignores bit {bit} of its seed, so its order can be guessed", at)


LAWS = [
    Law("outcomes of chance follow their weights", "draws", chance_falls_as_weighted, share=0.3),
    Law("shuffles are fair and use the whole seed", "shuffles", shuffles_are_fair, share=0.6),
]
