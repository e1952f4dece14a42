"""A second, plain calculation of small games of Generals: generals without abilities that cost nothing, Bulwark on
both sides, and a Counter against attacks that costs nothing. It shares no code with the rules."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import permutations
from typing import NamedTuple

MIGHT = {"Oak": 2, "Elm": 1}
SIDESTEP = "Sidestep"
HOME, MIDDLE = (0, 3), (1, 2)

Ends = Counter[tuple[int, str]]
"""The number of times each end occurs: the winner and the cause."""


class Man(NamedTuple):
    name: str
    zone: int
    used: bool
    came: bool  # to his BORDER by a move of this turn


class Side(NamedTuple):
    deck: tuple[str, ...]  # the first is on top
    hand: tuple[str, ...]
    men: tuple[Man, ...]
    fallen: frozenset[str]


class Small(NamedTuple):
    number: int
    sides: tuple[Side, Side]


class Rules(NamedTuple):
    """`answers` holds whether each seat's deck list has the Counter."""

    strict: bool
    answers: tuple[bool, bool]


def without(cards: tuple[str, ...], card: str) -> tuple[str, ...]:
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]


def put(sides: tuple[Side, Side], seat: int, side: Side) -> tuple[Side, Side]:
    return (side, sides[1]) if seat == 0 else (sides[0], side)


def changed(side: Side, man: Man, new: Man | None) -> Side:
    men = [new if one is man else one for one in side.men]
    lost = {man.name} if new is None else set()
    return side._replace(men=tuple(sorted(one for one in men if one is not None)), fallen=side.fallen | lost)


def all_ends(rules: Rules, lists: tuple[list[str], list[str]], opening: int) -> Ends:
    """Count the ends of all histories: each starting seat, each order of both decks, each choice of the seats."""
    total: Ends = Counter()
    orders = [sorted(set(permutations(cards))) for cards in lists]
    for first in (0, 1):
        for one in orders[0]:
            for two in orders[1]:
                sides = tuple(
                    Side(deck[opening:], tuple(sorted(deck[:opening])), (), frozenset()) for deck in (one, two)
                )
                total += begin(rules, first, Small(1, (sides[0], sides[1])))
    return total


@cache
def begin(rules: Rules, seat: int, game: Small) -> Ends:
    """Begin a turn with a draw, except in the first turn."""
    side = game.sides[seat]
    if game.number > 1:
        if not side.deck:
            return Counter({(1 - seat, "draw"): 1})
        side = side._replace(deck=side.deck[1:], hand=tuple(sorted((*side.hand, side.deck[0]))))
    return main(rules, seat, game._replace(sides=put(game.sides, seat, side)))


@cache
def main(rules: Rules, seat: int, game: Small) -> Ends:
    """Play the rest of the Main Phase."""
    total: Ends = Counter(ended(rules, seat, game))
    me, foe = game.sides[seat], game.sides[1 - seat]
    for name in sorted(set(me.hand) - {SIDESTEP}):
        if name not in me.fallen and all(man.name != name for man in me.men):
            fresh = Man(name, HOME[seat], True, False)
            side = me._replace(hand=without(me.hand, name), men=tuple(sorted((*me.men, fresh))))
            total += main(rules, seat, game._replace(sides=put(game.sides, seat, side)))
    near, far = MIDDLE[seat], MIDDLE[1 - seat]
    at_gate = sum(man.zone == near for man in foe.men)
    for man in me.men:
        if man.used:
            continue
        for zone in (HOME[seat], near, far):
            blocking = sum(one.zone == near and one is not man and (one.came or not rules.strict) for one in me.men)
            if zone != man.zone and (zone != far or blocking >= at_gate):
                moved = changed(me, man, Man(man.name, zone, True, zone == near))
                total += main(rules, seat, game._replace(sides=put(game.sides, seat, moved)))
        tired = Man(man.name, man.zone, True, man.came)
        spent = game._replace(sides=put(game.sides, seat, changed(me, man, tired)))
        for other in foe.men:
            if other.zone == man.zone:
                total += answered(rules, seat, spent, tired, other)
        if man.zone == far and all(other.zone != far for other in foe.men):
            total += answered(rules, seat, spent, tired, None)
    return total


def answered(rules: Rules, seat: int, game: Small, man: Man, other: Man | None) -> Ends:
    """Declare an attack. The other seat is asked if it has a hand and a Counter in its list."""
    total: Ends = Counter(attack(rules, seat, game, man, other))
    foe = game.sides[1 - seat]
    if rules.answers[1 - seat] and SIDESTEP in foe.hand:
        side = foe._replace(hand=without(foe.hand, SIDESTEP))
        total += main(rules, seat, game._replace(sides=put(game.sides, 1 - seat, side)))
    return total


def attack(rules: Rules, seat: int, game: Small, man: Man, other: Man | None) -> Ends:
    """Resolve a melee or a Siege."""
    sides = game.sides
    foe = sides[1 - seat]
    if other is None:
        amount = MIGHT[man.name]
        if amount > len(foe.deck):
            return Counter({(seat, "damage"): 1})
        return main(rules, seat, game._replace(sides=put(sides, 1 - seat, foe._replace(deck=foe.deck[amount:]))))
    mine = MIGHT[man.name]
    theirs = MIGHT[other.name] + (other.zone == MIDDLE[1 - seat])  # Bulwark
    if mine >= theirs:
        sides = put(sides, 1 - seat, changed(foe, other, None))
    if mine <= theirs:
        me = sides[seat]
        sides = put(sides, seat, changed(me, next(one for one in me.men if one.name == man.name), None))
    return main(rules, seat, game._replace(sides=sides))


def ended(rules: Rules, seat: int, game: Small) -> Ends:
    """Play the End Phase. Upkeep is paid, and the other seat's turn begins with all generals ready."""
    side = game.sides[seat]
    due = len(side.men)
    if due > len(side.deck):
        return Counter({(1 - seat, "upkeep"): 1})
    sides = put(game.sides, seat, side._replace(deck=side.deck[due:]))
    ready = [one._replace(men=tuple(sorted(Man(man.name, man.zone, False, False) for man in one.men))) for one in sides]
    return begin(rules, 1 - seat, Small(game.number + 1, (ready[0], ready[1])))
