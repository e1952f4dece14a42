"""The battles of a round with every card open, solved exactly and fast.

What one formation can become is numbered once (`Shape`); a `Fighter` makes of it small objects whose numbers
lie bare in memory once compiled, and `solve` searches two of them with a memory that is emptied by a stamp.
Margins are points, for who leads.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64, mypyc_attr

from gonfalon.core.basics.cards import KIND
from gonfalon.games.jinkei.rules.setup import Formation, Setup
from gonfalon.games.jinkei.rules.sides import Side
from gonfalon.games.jinkei.rules.state import HIGHEST, LOWEST

NONE: Final = -1
ZERO: Final = 512  # more than any margin
LAST: Final = 4 * ZERO


class Shape:
    """All that can become of a formation: its nodes, and for each of them three leads and three replies at most.

    A play is a move, the node after it, and another node after it where one of two cards advances, else NONE.
    """

    def __init__(self, form: Formation, counts: tuple[int, ...], number: int = NONE) -> None:
        side = Side(form, counts)
        self.number: int = number  # of a whole formation
        self.form: Formation = form
        self.size: int = len(side.nodes)
        self.root: int = side.root.id
        self.slot: list[int] = [slot for slot, _ in side.moves]  # by move
        self.space: list[int] = [space for _, space in side.moves]
        self.left: list[int] = [0] * self.size
        self.leads: list[list[tuple[int, int, int]]] = [[] for _ in range(self.size)]
        self.replies: list[list[tuple[int, int, int]]] = [[] for _ in range(self.size)]
        self.nodes: dict[tuple[int, ...], int] = {}
        """The first node found of each occupancy."""
        self.layouts: list[tuple[tuple[int, ...], ...]] = [()] * self.size
        self.slots: list[list[int]] = [[] for _ in range(self.size)]
        """By node: the slots whose cards are left."""
        for layout, node in side.nodes.items():
            count = tuple([len(slots) for slots in layout])
            self.left[node.id] = sum(count)
            self.layouts[node.id] = layout
            self.slots[node.id] = [slot for slots in layout for slot in slots]
            self.nodes.setdefault(count, node.id)
            for out, plays in ((self.leads, node.leads), (self.replies, node.replies)):
                for move, after in plays:
                    out[node.id].append((move, after[0].id, after[1].id if len(after) > 1 else NONE))

    def kinds(self, node: int, spaces: list[list[int]]) -> list[int]:
        """The kinds of the cards on the spaces of a node, slot by slot."""
        found = [0] * len(self.slots[self.root])
        for space, slots in enumerate(self.layouts[node]):
            for i, slot in enumerate(slots):
                found[slot] = spaces[space][i] & KIND
        return found


class Shapes:
    """The shapes of a box's formations, each made when it is first asked for."""

    def __init__(self, setup: Setup) -> None:
        self.setup: Setup = setup
        self.made: dict[int, Shape] = {}

    def whole(self, formation: int) -> Shape:
        """A formation with all its cards."""
        shape = self.made.get(formation)
        if shape is None:
            form = self.setup.formations[formation]
            counts = tuple([2 if form.two[space] else int(not form.blank[space]) for space in range(9)])
            shape = self.made[formation] = Shape(form, counts, formation)
        return shape

    def locate(self, formation: int, spaces: list[list[int]]) -> tuple[Shape, int]:
        """The shape of what stands on the spaces of a formation, and its node there."""
        shape = self.whole(formation)
        count = tuple([len(cards) for cards in spaces])
        node = shape.nodes.get(count)
        if node is None:  # not to be reached by play
            shape = Shape(shape.form, count)
            node = shape.root
        return shape, node


@mypyc_attr(acyclic=True)
class Card:
    """What lies in a slot."""

    __slots__ = ("rank", "points", "colour")

    def __init__(self) -> None:
        self.rank: i64 = 0
        self.points: i64 = 0
        self.colour: i64 = 0


@mypyc_attr(acyclic=True)
class Known:
    """What was found out of two places: the margin of who leads lies between the two. `first` outlasts the stamp: the
    number of the lead that did best when they were last searched."""

    __slots__ = ("stamp", "least", "most", "first")

    def __init__(self) -> None:
        self.stamp: i64 = NONE
        self.least: i64 = 0
        self.most: i64 = 0
        self.first: i64 = 0


NOTHING: Final = Known()
"""Stands in all memories before anything is known."""


class Place:
    """A node of a fighter. `first` is the number of the lead that last did best, against whatever place."""

    __slots__ = ("number", "left", "leads", "replies", "known", "first")

    def __init__(self, number: int, left: int, against: int) -> None:
        self.number: i64 = number
        self.left: i64 = left
        self.leads: list[Play] = []
        self.replies: list[Play] = []
        self.known: list[Known] = [NOTHING] * against  # by the place of the other, when this side leads
        self.first: i64 = 0


class Play:
    """A card that is played from a space. `parted`: one of two cards advances, and `after` or `other` comes of it."""

    __slots__ = ("card", "space", "bonus", "wild", "binds", "after", "other", "parted")

    def __init__(
        self, card: Card, space: int, bonus: int, wild: bool, binds: bool, after: Place, other: Place, parted: bool
    ) -> None:
        self.card: Card = card
        self.space: int = space
        self.bonus: i64 = bonus
        self.wild: bool = wild
        self.binds: bool = binds  # an answer that must be given when its colour is led
        self.after: Place = after
        self.other: Place = other
        self.parted: bool = parted


class Fighter:
    """A side with a card in each slot, as an opponent of a side of so many nodes."""

    def __init__(self, setup: Setup, shape: Shape, against: int) -> None:
        self.shape: Shape = shape
        self.setup: Setup = setup
        self.cards: list[Card] = [Card() for _ in shape.slots[shape.root]]
        self.places: list[Place] = [Place(node, shape.left[node], against) for node in range(shape.size)]
        form = shape.form
        for place in self.places:
            for out, plays in (
                (place.leads, shape.leads[place.number]),
                (place.replies, shape.replies[place.number]),
            ):
                for move, after, other in plays:
                    space = shape.space[move]
                    wild = form.wild[space]
                    then = self.places[after]
                    out.append(
                        Play(
                            self.cards[shape.slot[move]],
                            space,
                            form.bonus[space],
                            wild,
                            setup.wild_binds or not wild,
                            then,
                            then if other == NONE else self.places[other],
                            other != NONE,
                        )
                    )

    def put(self, kinds: list[int]) -> None:
        """A kind for each slot."""
        rank, points, colour = self.setup.rank, self.setup.points, self.setup.colour
        for slot, card in enumerate(self.cards):
            kind = kinds[slot]
            card.rank = rank[kind]
            card.points = points[kind]
            card.colour = colour[kind]

    def worth(self, node: int) -> i64:
        """The points of all cards that are left at a node."""
        total: i64 = 0
        for slot in self.shape.slots[node]:
            total += self.cards[slot].points
        return total


class Duel:
    """Two sides; `fresh` after cards have changed."""

    def __init__(self, setup: Setup, a: Shape, b: Shape) -> None:
        self.a: Fighter = Fighter(setup, a, b.size)
        self.b: Fighter = Fighter(setup, b, a.size)
        self.stamp: i64 = 0

    def fresh(self) -> None:
        """Forget what was worked out."""
        self.stamp += 1

    def value(self, a_leads: bool, a: int, b: int, floor: int = 0) -> int:
        """The margin of side a, when both play their best."""
        ours, theirs = self.a.places[a], self.b.places[b]
        stake = self.a.worth(a) + self.b.worth(b)
        if a_leads:
            return int(solve(ours, theirs, self.stamp, floor, stake, -ZERO, ZERO))
        return -int(solve(theirs, ours, self.stamp, floor, stake, -ZERO, ZERO))

    def led(self, play: Play, colour: int, a: int, b: int, floor: int) -> int:
        """The margin of side a, when it leads at node a with a play called a colour."""
        stake = self.a.worth(a) + self.b.worth(b)
        return int(lead(play, colour, self.b.places[b], self.stamp, floor, stake, -ZERO, ZERO))

    def answered(self, play: Play, reply: Play, same: bool, a: int, b: int, floor: int) -> int:
        """The margin of side b, when it leads with a play at node b and side a answers with a reply at node a."""
        stake = self.a.worth(a) + self.b.worth(b) - play.card.points - reply.card.points
        return int(battle(play, reply, same) + rest(play, reply, self.stamp, floor, stake, -ZERO, ZERO))


def answers_to(replies: list[Play], colour: int) -> list[tuple[Play, int]]:
    """The legal answers to a colour (7-2, rulings 10 to 13), and what each is called: Wild ones either colour, unless
    they have to follow."""
    bound = False
    for reply in replies:
        bound = bound or (reply.binds and reply.card.colour == colour)
    found: list[tuple[Play, int]] = []
    for reply in replies:
        if reply.wild:
            found.append((reply, colour))
            if not bound:
                found.append((reply, 1 - colour))
        elif not bound or reply.card.colour == colour:
            found.append((reply, int(reply.card.colour)))
    return found


def allowed(replies: list[Play], colour: int) -> list[tuple[Play, bool]]:
    """What may be answered to a colour, and whether the answer is of it: a Wild one, which is never worse so, is."""
    same = [(reply, reply.wild or reply.card.colour == colour) for reply in replies]
    bound = any(reply.binds and reply.card.colour == colour for reply in replies)
    return [(reply, follows) for reply, follows in same if follows or not bound]


def battle(play: Play, reply: Play, same: bool) -> i64:
    """The leader's margin of one battle (7-3)."""
    x, y = play.card, reply.card
    if x.rank == HIGHEST and y.rank == LOWEST:
        return -x.points - y.points
    if not same or (x.rank == LOWEST and y.rank == HIGHEST):
        return x.points + y.points
    high: i64 = x.rank + play.bonus
    low: i64 = y.rank + reply.bonus
    if high > low:
        return x.points + y.points
    return x.points - y.points if high == low else -x.points - y.points


def solve(x: Place, y: Place, stamp: i64, floor: i64, stake: i64, alpha: i64, beta: i64) -> i64:
    """The margin that who leads from place x against place y gets until `floor` cards are left. Exact where it
    lies between alpha and beta; else it only lies on the same side of them. `stake` is no less than the points of
    all cards that are left.

    The lead that did best the last time comes first: when one card after another changes place, as where ways of
    laying are compared, that spares three nodes in ten.
    """
    if x.left <= floor or y.left == 0:
        return 0
    row = x.known
    known = row[y.number]
    least: i64 = -ZERO
    most: i64 = ZERO
    if known.stamp == stamp:
        least = known.least
        most = known.most
        if least >= beta or least == most:
            return least
        if most <= alpha:
            return most
        if least > alpha:
            alpha = least
        if most < beta:
            beta = most
    leads = x.leads
    found = x.first if known is NOTHING else known.first
    first = leads[found]
    best = called(first, y, stamp, floor, stake, alpha, beta)
    number: i64 = -1
    for play in leads:
        number += 1
        if best >= beta:
            break
        if play is not first:
            value = called(play, y, stamp, floor, stake, best if best > alpha else alpha, beta)
            if value > best:
                best = value
                found = number
    if known is NOTHING:
        known = Known()
        row[y.number] = known
    x.first = found
    known.first = found
    known.stamp = stamp
    known.least = least if best <= alpha else best
    known.most = most if best >= beta else best
    return best


def called(play: Play, y: Place, stamp: i64, floor: i64, stake: i64, alpha: i64, beta: i64) -> i64:
    """The margin of leading with a play in the better colour, if it is Wild; between alpha and beta as in `solve`."""
    if not play.wild:
        return lead(play, play.card.colour, y, stamp, floor, stake, alpha, beta)
    best = lead(play, 0, y, stamp, floor, stake, alpha, beta)
    if best >= beta:
        return best
    other = lead(play, 1, y, stamp, floor, stake, best if best > alpha else alpha, beta)
    return best if best > other else other


def lead(play: Play, colour: i64, y: Place, stamp: i64, floor: i64, stake: i64, alpha: i64, beta: i64) -> i64:
    """The margin of leading with a play called a colour, between alpha and beta as in `solve`.

    The answers that gain most at once come first: that spares three nodes in ten.
    """
    replies = y.replies
    bound = False
    for reply in replies:
        if reply.binds and reply.card.colour == colour:
            bound = True
            break
    # Sorted by hand: 4 * gain + index, three of them at most.
    one: i64 = LAST
    two: i64 = LAST
    three: i64 = LAST
    at: i64 = -1
    for reply in replies:
        at += 1
        # A Wild answer is never worse in the led colour.
        same = reply.wild or reply.card.colour == colour
        if same or not bound:
            mark: i64 = (battle(play, reply, same) << 2) + at
            if mark < one:
                three = two
                two = one
                one = mark
            elif mark < two:
                three = two
                two = mark
            else:
                three = mark
    stake -= play.card.points
    worst: i64 = ZERO
    while one < LAST:
        reply = replies[one & 3]
        value = one >> 2
        one = two
        two = three
        three = LAST
        left = stake - reply.card.points
        if value + left <= alpha:
            return value + left  # too little, whatever follows
        if value - left >= beta:
            value -= left  # more than another answer leaves, whatever follows
        elif play.parted or reply.parted:
            value += rest(play, reply, stamp, floor, left, alpha - value, beta - value)
        else:
            value -= solve(reply.after, play.after, stamp, floor, left, value - beta, value - alpha)
        if value < worst:
            worst = value
            if worst <= alpha:
                break
            if worst < beta:
                beta = worst
    return worst


def rest(play: Play, reply: Play, stamp: i64, floor: i64, stake: i64, alpha: i64, beta: i64) -> i64:
    """What follows a battle, for its leader, between alpha and beta as in `solve`; who has two cards chooses which
    one advances."""
    best: i64 = -ZERO
    ours = play.after
    while True:
        value = -solve(reply.after, ours, stamp, floor, stake, -beta, -alpha)
        if reply.parted and value > alpha:
            most = value if value < beta else beta
            other = -solve(reply.other, ours, stamp, floor, stake, -most, -alpha)
            if other < value:
                value = other
        if value > best:
            best = value
            if best > alpha:
                alpha = best
        if best >= beta or not play.parted or ours is play.other:
            return best
        ours = play.other
