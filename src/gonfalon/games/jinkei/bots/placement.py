"""Laying a hand on the spaces of a formation, by what each rank is worth on each of them; and what lies there."""

from __future__ import annotations

from gonfalon.core.basics.cards import KIND
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.state import Card, Seat
from gonfalon.games.jinkei.rules.actions import KINDS, PUT
from gonfalon.games.jinkei.rules.state import OPPONENT, JinkeiState

NEVER = -100.0


class Ground:
    """The spaces that are to be filled, and what each kind is worth there. A hand has a card for each of
    them and may have more: those are kept."""

    def __init__(self, spaces: list[int], worth: list[list[float]], kept: list[float], least: int) -> None:
        self.spaces: list[int] = spaces  # ascending; one for two cards stands twice
        self.worth: list[list[float]] = worth  # by place in `spaces`, then by kind
        self.kept: list[float] = kept  # by kind
        self.least: int = least  # the kind that the first card must be higher than, or -1

    def value(self, order: list[int]) -> float:
        """What a hand is worth in this order."""
        total = 0.0
        places = len(self.spaces)
        for i in range(len(order)):
            total += self.worth[i][order[i]] if i < places else self.kept[order[i]]
        return total

    def arrange(self, hand: list[int], rng: Rng, noise: float) -> list[int]:
        """The hand in an order that is worth much: no two cards could better change places. With noise
        it comes out a little different each time."""
        order = sorted(hand)
        if noise > 0.0:
            rng.shuffle(order)
        size = len(order)
        places = len(self.spaces)
        rows: list[list[float]] = []  # by card of the hand, then by place
        for kind in order:
            row = [0.0] * size
            for i in range(size):
                value = self.worth[i][kind] if i < places else self.kept[kind]
                if noise > 0.0:
                    value += noise * (rng.random() + rng.random() - 1.0)
                row[i] = value
            if self.least >= kind:
                row[0] += NEVER
            rows.append(row)
        at = list(range(size))  # by place the card's number
        better = True
        while better:
            better = False
            for i in range(min(places, size - 1)):
                row = rows[at[i]]
                here = row[i]
                for j in range(i + 1, size):
                    other = rows[at[j]]
                    if row[j] + other[i] > here + other[j] + 1e-9:
                        at[i], at[j] = at[j], at[i]
                        row = other
                        here = row[i]
                        better = True
        return self.tidy([order[i] for i in at])

    def tidy(self, order: list[int]) -> list[int]:
        """Of two cards on a space the lower one first; what is kept ascending."""
        places = len(self.spaces)
        for i in range(places - 1):
            if self.spaces[i] == self.spaces[i + 1] and order[i] > order[i + 1]:
                order[i], order[i + 1] = order[i + 1], order[i]
        return order[:places] + sorted(order[places:])

    def fits(self, order: list[int]) -> bool:
        """Whether it may be laid so."""
        return self.least < order[0]


def standing(world: JinkeiState, seat: Seat) -> list[list[Card]]:
    """What stands on a seat's spaces; a card that has been led is still in its place."""
    spaces = world.spaces[seat]
    if world.duel[seat] and not world.duel[OPPONENT[seat]]:
        spaces = spaces[:]
        spaces[world.origin[seat]] = world.duel[seat]
    return spaces


def table(spaces: list[list[Card]]) -> dict[int, list[int]]:
    """The kinds that lie on spaces."""
    return {space: [card & KIND for card in spaces[space]] for space in range(9) if spaces[space]}


def begun(view: JinkeiState, seat: Seat) -> tuple[dict[int, list[int]], list[int]]:
    """What a seat has laid so far, by space, and the kinds that are left in its hand."""
    fixed = table(view.spaces[seat])
    hand = [card & KIND for card in view.hand[seat]]
    for action in view.answers[seat]:
        space, kind = divmod(action - PUT, KINDS)
        hand.remove(kind)
        fixed.setdefault(space, []).append(kind)
    return fixed, hand


def unfilled(spots: list[int], fixed: dict[int, list[int]]) -> list[int]:
    """The spaces of a formation on which cards are still to be laid; one for two of them stands twice."""
    free = spots[:]
    for space, kinds in fixed.items():
        for _ in kinds:
            free.remove(space)
    return free


def fill(spots: list[int], fixed: dict[int, list[int]], free: list[int], order: list[int]) -> list[int]:
    """The kinds of a full formation, slot by slot."""
    laid = {space: kinds[:] for space, kinds in fixed.items()}
    for i, space in enumerate(free):
        laid.setdefault(space, []).append(order[i])
    return [laid[space].pop(0) for space in spots]
