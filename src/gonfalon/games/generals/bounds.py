"""How long a game can be: why none is endless (ruling 68), in numbers."""

from __future__ import annotations

from gonfalon.games.generals.draws import RecoverCards
from gonfalon.games.generals.effects import If, Plot
from gonfalon.games.generals.kinds import Kind, Script
from gonfalon.games.generals.run import Op
from gonfalon.games.generals.setup import Setup


def bound_of(setup: Setup) -> int:
    """A number of decisions that no game exceeds.

    Every turn but the first takes a card from RESOURCE, and only cards that leave the game for it put
    any back, so there are at most as many turns as cards in both RESOURCE, those brought back counted
    again. In a turn each general moves or attacks once, uses one active effect, and acts once more for
    each card played or enemy fallen; each card of a deck leaves a hand once, and once more for each
    time it came back to it, which takes another card's leaving. Each of these costs a question or two,
    the targets and the answers to it; each card paid or drawn by choice is one question. Effects of
    cards that cost nothing and undo themselves could break that; the pool has none.
    """
    flow = 0
    for seat in (0, 1):
        deck = setup.decks[seat]
        flow += len(deck) + sum(recovered(setup.kinds[kind]) for kind in deck)
    turns = flow + 4
    generals = max(1, max(len(army) for army in setup.army_of))
    shuffles = 2 * flow * flow if setup.exact else 2 * flow
    acts = 2 * generals * turns + 4 * flow
    questions = 6 + generals
    return turns + acts * questions + 4 * flow + shuffles


def recovered(kind: Kind) -> int:
    """How many cards a card can put back under RESOURCE."""
    scripts: list[Script] = [active.script for active in kind.actives]
    scripts += [trigger.script for triggers in kind.triggers for trigger in triggers]
    if kind.script is not None:
        scripts.append(kind.script)
    return sum(in_ops(script.ops) for script in scripts)


def in_ops(ops: list[Op]) -> int:
    """How many cards a list of operations can put back."""
    count = 0
    for op in ops:
        if isinstance(op, RecoverCards):
            count += op.count
        elif isinstance(op, If):
            count += max(in_ops(op.then), in_ops(op.other))
        elif isinstance(op, Plot):
            count += in_ops(op.inner)
    return count
