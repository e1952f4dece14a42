"""The battles of a round with every card open, solved exactly and fast.

The same answers as `solver`, from flat tables: what one formation can become is numbered once (`Shape`),
cards are put on it (`Fighter`), and `solve` searches both sides with a memory that is emptied by a stamp.
Margins are points, for who leads. Every number in a table is packed, so that a play costs one look.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from gonfalon.games.jinkei.setup import Formation, Setup
from gonfalon.games.jinkei.solver import Side
from gonfalon.games.jinkei.state import HIGHEST, LOWEST

NONE: Final = -1
LOW: Final = 255
ZERO: Final = 512  # more than any margin; in the memory it stands for nothing
STAMPS: Final = 1023  # what is left of the 30 bits that are quick to read


class Shape:
    """All that can become of a formation: for each node three leads and three replies, NONE after the last.

    A play is move | the node after it << 8 | (1 + another node after it, where one of two cards advances) << 20.
    """

    __slots__ = ("form", "size", "left", "leads", "replies", "slot", "space", "root", "nodes", "layouts")

    def __init__(self, form: Formation, counts: tuple[int, ...]) -> None:
        side = Side(form, counts)
        self.form: Formation = form
        self.size: int = len(side.nodes)
        self.root: int = side.root.id
        self.slot: list[int] = [slot for slot, _ in side.moves]
        self.space: list[int] = [space for _, space in side.moves]
        self.left: list[int] = [0] * self.size
        self.leads: list[int] = [NONE] * (3 * self.size)
        self.replies: list[int] = [NONE] * (3 * self.size)
        self.nodes: dict[tuple[int, ...], int] = {}
        """The first node found of each occupancy."""
        self.layouts: list[tuple[tuple[int, ...], ...]] = [()] * self.size
        for layout, node in side.nodes.items():
            count = tuple([len(slots) for slots in layout])
            self.left[node.id] = sum(count)
            self.layouts[node.id] = layout
            self.nodes.setdefault(count, node.id)
            for out, plays in ((self.leads, node.leads), (self.replies, node.replies)):
                at = 3 * node.id
                for move, after in plays:
                    other = after[1].id + 1 if len(after) > 1 else 0
                    out[at] = move | after[0].id << 8 | other << 20
                    at += 1


class Fighter:
    """A side with a kind of card in each slot, as an opponent of a side of so many nodes."""

    __slots__ = ("shape", "leads", "replies", "left", "size", "moves", "info", "kinds", "memory", "stamp", "binds")

    def __init__(self, setup: Setup, shape: Shape, against: int) -> None:
        self.shape: Shape = shape
        self.leads: list[int] = shape.leads
        self.replies: list[int] = shape.replies
        self.left: list[int] = shape.left
        self.size: i64 = shape.size
        self.moves: i64 = len(shape.slot)
        self.info: list[int] = [0] * len(
            shape.slot
        )  # rank | rank on its space << 8 | points << 16 | colour << 24 | wild << 25
        bonus, wild = shape.form.bonus, shape.form.wild
        # For each move and kind what `info` is to hold.
        self.kinds: list[list[int]] = [
            [
                setup.rank[kind]
                | (setup.rank[kind] + bonus[space]) << 8
                | setup.points[kind] << 16
                | setup.colour[kind] << 24
                | int(wild[space]) << 25
                for kind in range(setup.kinds)
            ]
            for space in shape.space
        ]
        self.memory: list[int] = [0] * (shape.size * against)
        self.stamp: i64 = 0
        self.binds: bool = setup.wild_binds

    def put(self, cards: list[int]) -> None:
        """A kind for each slot."""
        info, kinds, slot = self.info, self.kinds, self.shape.slot
        for move in range(len(slot)):
            info[move] = kinds[move][cards[slot[move]]]


class Duel:
    """Two sides; `fresh` after cards have changed."""

    __slots__ = ("a", "b", "stamp")

    def __init__(self, setup: Setup, a: Shape, b: Shape) -> None:
        self.a: Fighter = Fighter(setup, a, b.size)
        self.b: Fighter = Fighter(setup, b, a.size)
        self.stamp: int = 0

    def fresh(self) -> None:
        """Forget what was worked out."""
        self.stamp += 1
        if self.stamp > STAMPS:
            self.stamp = 1
            for side in (self.a, self.b):
                side.memory = [0] * len(side.memory)
        self.a.stamp = self.stamp
        self.b.stamp = self.stamp

    def value(self, a_leads: bool, a: int, b: int, floor: int = 0) -> int:
        """The margin of side a, when both play their best."""
        if a_leads:
            return int(solve(self.a, self.b, a, b, floor, -ZERO, ZERO))
        return -int(solve(self.b, self.a, b, a, floor, -ZERO, ZERO))


def battle(x: i64, y: i64, same: bool) -> i64:
    """The leader's margin of one battle (7-3), from the `info` of both cards."""
    a: i64 = x >> 16 & LOW
    b: i64 = y >> 16 & LOW
    high: i64 = x & LOW
    low: i64 = y & LOW
    if high == HIGHEST and low == LOWEST:
        return -a - b
    if not same or (high == LOWEST and low == HIGHEST):
        return a + b
    high = x >> 8 & LOW
    low = y >> 8 & LOW
    if high > low:
        return a + b
    return a - b if high == low else -a - b


def solve(a: Fighter, b: Fighter, x: i64, y: i64, floor: i64, alpha: i64, beta: i64) -> i64:
    """The margin that a, who leads from node x against node y, gets until `floor` cards are left. Exact where it
    lies between alpha and beta; else it only lies on the same side of them."""
    if a.left[x] <= floor or b.left[y] == 0:
        return 0
    key = x * b.size + y
    known: i64 = a.memory[key]
    least: i64 = -ZERO
    most: i64 = ZERO - 1
    if known >> 20 == a.stamp:
        least = (known >> 10 & 1023) - ZERO
        most = (known & 1023) - ZERO
        if least >= beta or least == most:
            return least
        if most <= alpha:
            return most
        if least > alpha:
            alpha = least
        if most < beta:
            beta = most
    best: i64 = -ZERO
    floor_of_best = alpha
    at: i64 = 3 * x
    end: i64 = at + 3
    while at < end:
        play: i64 = a.leads[at]
        if play < 0:
            break
        card: i64 = a.info[play & LOW]
        if card >> 25:
            value = lead(a, b, play, card, 0, y, floor, floor_of_best, beta)
            if value > best:
                best = value
                if best > floor_of_best:
                    floor_of_best = best
                if best >= beta:
                    break
            value = lead(a, b, play, card, 1, y, floor, floor_of_best, beta)
        else:
            value = lead(a, b, play, card, card >> 24 & 1, y, floor, floor_of_best, beta)
        if value > best:
            best = value
            if best > floor_of_best:
                floor_of_best = best
            if best >= beta:
                break
        at += 1
    if best <= alpha:
        most = best
    elif best >= beta:
        least = best
    else:
        least = best
        most = best
    a.memory[key] = int(a.stamp << 20 | (least + ZERO) << 10 | (most + ZERO))
    return best


def lead(a: Fighter, b: Fighter, play: i64, card: i64, colour: i64, y: i64, floor: i64, alpha: i64, beta: i64) -> i64:
    """The margin of leading with a play called a colour, between alpha and beta as in `solve`."""
    info = b.info
    replies = b.replies
    bound = False
    start: i64 = 3 * y
    end: i64 = start + 3
    at = start
    while at < end:
        reply: i64 = replies[at]
        if reply < 0:
            break
        answer: i64 = info[reply & LOW]
        if answer >> 24 & 1 == colour and (b.binds or answer >> 25 == 0):
            bound = True
        at += 1
    worst: i64 = ZERO - 1
    end = at
    at = start
    while at < end:
        reply = replies[at]
        answer = info[reply & LOW]
        at += 1
        # A Wild answer is never worse in the led colour.
        same = answer >> 25 != 0 or answer >> 24 & 1 == colour
        if bound and not same:
            continue
        value = battle(card, answer, same)
        if play >> 20 | reply >> 20:
            value += rest(a, b, play, reply, floor)
        else:
            value -= solve(b, a, reply >> 8, play >> 8, floor, value - beta, value - alpha)
        if value < worst:
            worst = value
            if worst <= alpha:
                break
            if worst < beta:
                beta = worst
    return worst


def rest(a: Fighter, b: Fighter, play: i64, reply: i64, floor: i64) -> i64:
    """What follows a battle, for its leader; who has two cards chooses which one advances."""
    ours: i64 = play >> 8 & 4095
    theirs: i64 = reply >> 8 & 4095
    best: i64 = -ZERO
    while True:
        value = -solve(b, a, theirs, ours, floor, -ZERO, ZERO)
        if reply >> 20:
            other = -solve(b, a, (reply >> 20) - 1, ours, floor, -ZERO, ZERO)
            if other < value:
                value = other
        if value > best:
            best = value
        if play >> 20 == 0 or ours == (play >> 20) - 1:
            return best
        ours = (play >> 20) - 1


def answered(a: Fighter, b: Fighter, play: int, colour: int, reply: int, same: bool, floor: int) -> int:
    """The margin of a battle that a leads, with what follows it."""
    value = battle(a.info[play & LOW], b.info[reply & LOW], same)
    return int(value + rest(a, b, play, reply, floor))


def led(a: Fighter, b: Fighter, play: int, colour: int, y: int, floor: int) -> int:
    """The margin of leading with a play called a colour, exactly."""
    return int(lead(a, b, play, a.info[play & LOW], colour, y, floor, -ZERO, ZERO))
