"""The law of tiny games, whose whole trees are enumerated."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator
from typing import Final

from gonfalon.check.law import Law, LawBrokenError
from gonfalon.check.laws.rules.flow import find_deck_fault, find_outcome_fault, format_exception
from gonfalon.check.observe import find_difference
from gonfalon.check.play import Bench, Case
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import CHANCE, SEED, State

MAX_POSITIONS: Final = 4_000
"""Number of positions kept for a comparison with others that have the same dump."""


def make_key(state: State) -> bytes:
    """Return a short key of a position."""
    return hashlib.blake2b(repr(state.dump()).encode(), digest_size=16).digest()


def check_tree(bench: Bench, case: Case) -> int:
    """Every position of a tiny game keeps the laws of flow, and equal dumps belong to equal positions.

    Mistake:
        A rare line of play raises, or `dump` leaves out a field.
    Cure:
        Follow the line that the failure gives, and add the case or the field.
    """
    game = case.game
    deadline = time.process_time() + 4 * bench.patience  # the law sees each tree only once
    start = game.start()
    met: dict[bytes, State | None] = {make_key(start): start}
    todo: list[tuple[State, int]] = [(start, 0)]
    while todo:
        # Depth first, so that few positions wait at a time.
        state, depth = todo.pop()
        check_position(bench, game, state, depth)
        for twin in follow_decisions(state, depth):
            name = make_key(twin)
            if name not in met:
                met[name] = twin.clone() if len(met) < MAX_POSITIONS else None
                todo.append((twin, depth + 1))
            elif (other := met[name]) is not None:
                met[name] = None  # one comparison is enough
                path = find_difference(other, twin)
                if path:
                    raise LawBrokenError(
                        f"{depth + 1} decisions into the tree two positions have the same dump, but differ in {path}"
                    )
        if not state.over and time.process_time() > deadline:
            bench.note = "incomplete: the time was over"
            break
    return len(met)


def check_position(bench: Bench, game: Game, state: State, depth: int) -> None:
    """Check the laws that hold in every position."""
    wrong = (
        find_deck_fault(state)
        or find_outcome_fault(game, state)
        or next(iter(bench.reference.find_faults(game, state)), "")
    )
    if wrong:
        raise LawBrokenError(f"{depth} decisions into the tree {wrong}")
    if state.over:
        return
    if depth >= game.bound:
        raise LawBrokenError(f"a line of the tree is longer than the bound of {game.bound}")
    if not state.decisions():
        raise LawBrokenError(f"{depth} decisions into the tree no seat has a decision and neither has chance")


def follow_decisions(state: State, depth: int) -> Iterator[State]:
    """Yield the position after every possible decision."""
    for decision in state.decisions():
        if decision.seat == CHANCE and decision.actions == [SEED]:
            raise LawBrokenError("a tiny game shuffles by a seed, but its chance must be exact")
        for action in decision.actions:
            twin = state.clone()
            try:
                twin.apply(decision.seat, action)
            except Exception as error:
                raise LawBrokenError(f"{depth} decisions into the tree {format_exception(error)} was raised") from error
            yield twin


LAWS = [Law("the whole tree of tiny games holds", "positions", check_tree, tiny=True, once=True)]
