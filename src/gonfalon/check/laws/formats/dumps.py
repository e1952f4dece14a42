"""Laws of the dump: it holds the whole position, so that bots, pages and records distinguish any two."""

from __future__ import annotations

from typing import Final

from gonfalon.check.law import Law, LawBrokenError
from gonfalon.check.observe import find_difference, list_zones, read_attributes, take_snapshot
from gonfalon.check.play import Bench, Case
from gonfalon.core.basics.cards import KIND
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.state import AnyStep

FLOW_ATTRIBUTES: Final = frozenset({"stack", "turn", "actions", "answers", "log", "viewer", "seats", "rules"})
"""Attributes of a state that the core itself maintains and dumps."""


def check_zones_dumped(bench: Bench, case: Case) -> int:
    """The dump contains every zone, so swapping two cards changes it.

    Mistake:
        A new zone is missing from `data()`.
    Cure:
        Add the zone to `data()`.
    """
    rng = case.rng("dumped")
    checked = 0
    for at in case.picks(rng, 6):
        state = case.states[at]
        dump = state.dump()
        for number in range(len(list_zones(state))):
            twin = state.clone()
            zone = list_zones(twin)[number]
            kept = zone[:]
            if zone:
                i = int(rng.below(len(zone)))
                zone[i] = zone[i] & ~KIND | (zone[i] + 1) & KIND
            else:
                zone.append(0)
            same = twin.dump() == dump
            zone[:] = kept  # other states may share the zone
            if same:
                raise LawBrokenError(f"the dump lacks zone {number}", at)
            checked += 1
    return checked


def check_numbers_dumped(bench: Bench, case: Case) -> int:
    """The dump contains every number that changes during the game.

    Mistake:
        A counter such as the round number is missing from `data()`.
    Cure:
        Add the field to `data()`; make numbers that never change a tuple or a constant.
    """
    rng = case.rng("numbers")
    changed: set[str] = set()
    first = read_attributes(case.states[0])
    for name, value in first.items():
        if isinstance(value, Rng) or type(value).__module__ == "random":
            raise LawBrokenError(
                f"the state holds a random generator, {name}, so bots that search could predict chance", 0
            )
    for at in case.picks(rng, 12):
        changed |= {
            name
            for name, value in read_attributes(case.states[at]).items()
            if name not in FLOW_ATTRIBUTES and take_snapshot(value, False) != take_snapshot(first.get(name), False)
        }
    checked = 0
    for at in case.picks(rng, 6):
        state = case.states[at]
        dump = state.dump()
        for name in changed:
            twin = state.clone()
            other = change_number(read_attributes(twin).get(name))
            if other is None:
                continue
            setattr(twin, name, other)
            try:
                same = twin.dump() == dump
            except Exception:
                continue  # the changed number is not valid
            if same:
                raise LawBrokenError(f"the dump lacks {name}, which changes during the game", at)
            checked += 1
    return checked


def change_number(value: object) -> object:
    """Return a number, or lists of numbers, with one number changed; None for any other value."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value + 1
    if isinstance(value, list):
        for i, item in enumerate(value):
            other = change_number(item)
            if other is not None:
                return [*value[:i], other, *value[i + 1 :]]
    return None


def check_steps_dumped(bench: Bench, case: Case) -> int:
    """Two steps with different fields have different dumps.

    Mistake:
        A step keeps a seat or a card in a field that `key()` does not return.
    Cure:
        Return every field of the step from `key()`.
    """
    known = bench.known_steps.setdefault(id(case.game), {})
    count = 0
    for at, state in enumerate(case.states):
        for step in state.stack:
            key = (type(step).__name__, *step.key())
            same = known.setdefault(key, step)
            count += 1
            if same is step:
                continue
            path = find_step_difference(same, step)
            if path:
                raise LawBrokenError(f"two steps {type(step).__name__} have the same key(), but differ in {path}", at)
    return count


def find_step_difference(one: AnyStep, two: AnyStep) -> str:
    """Return the attribute in which two steps differ; empty if they are equal."""
    if type(one) is not type(two):
        return "their class"
    left, right = read_attributes(one), read_attributes(two)
    return next((name for name in left if find_difference(left[name], right.get(name), name)), "")


LAWS = [
    Law("the dump holds every zone", "zones", check_zones_dumped, share=0.3),
    Law("the dump holds every number that changes", "numbers", check_numbers_dumped, share=0.3),
    Law("the dump distinguishes steps", "steps", check_steps_dumped, share=0.2),
]
