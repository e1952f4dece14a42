"""The battles of a round with every card open, solved exactly in the plainest way: what `duel` is held to."""

from __future__ import annotations

from typing import Final

from gonfalon.games.jinkei.rules.setup import Setup
from gonfalon.games.jinkei.rules.sides import Node, Side
from gonfalon.games.jinkei.rules.state import HIGHEST, LOWEST

WIDTH: Final = 4096  # more than a side has nodes
Plays = list[tuple[int, list[Node]]]
"""A play is move * 2 + colour."""


class Duel:
    """Two sides with a kind of card in each slot. Values are margins of points, for who leads."""

    __slots__ = ("setup", "sides", "cards", "payoffs", "leads", "replies", "memory")

    def __init__(self, setup: Setup, a: Side, a_cards: list[int], b: Side, b_cards: list[int]) -> None:
        self.setup: Setup = setup
        self.sides: tuple[Side, Side] = (a, b)
        self.cards: tuple[list[int], list[int]] = (a_cards, b_cards)
        ours, theirs = self.fighters(0), self.fighters(1)
        self.payoffs: tuple[list[list[int]], list[list[int]]] = (payoffs(ours, theirs), payoffs(theirs, ours))
        self.leads: tuple[dict[int, Plays], dict[int, Plays]] = ({}, {})
        self.replies: tuple[dict[int, Plays], dict[int, Plays]] = ({}, {})
        self.memory: tuple[dict[int, int], dict[int, int]] = ({}, {})

    def fighters(self, side: int) -> list[tuple[int, int, int]]:
        """Of each move: printed rank, rank on its space, Achievements."""
        setup, cards = self.setup, self.cards[side]
        bonus = self.sides[side].form.bonus
        found = []
        for slot, space in self.sides[side].moves:
            rank = setup.rank[cards[slot]]
            found.append((rank, rank + bonus[space], setup.points[cards[slot]]))
        return found

    def leads_of(self, side: int, node: Node) -> Plays:
        found = self.leads[side].get(node.id)
        if found is None:
            found = []
            cards, colour = self.cards[side], self.setup.colour
            moves, wild = self.sides[side].moves, self.sides[side].form.wild
            for move, after in node.leads:
                slot, space = moves[move]
                if wild[space]:
                    found.append((move * 2, after))
                    found.append((move * 2 + 1, after))
                else:
                    found.append((move * 2 + colour[cards[slot]], after))
            self.leads[side][node.id] = found
        return found

    def replies_to(self, side: int, node: Node, led: int) -> Plays:
        """The legal answers to a colour (7-2, rulings 10 to 13)."""
        key = node.id * 2 + led
        found = self.replies[side].get(key)
        if found is None:
            cards, colour = self.cards[side], self.setup.colour
            moves, wild = self.sides[side].moves, self.sides[side].form.wild
            bound = False
            follow: Plays = []
            found = []
            for move, after in node.replies:
                slot, space = moves[move]
                printed = colour[cards[slot]]
                if wild[space]:
                    follow.append((move * 2 + led, after))
                    found.append((move * 2, after))
                    found.append((move * 2 + 1, after))
                    bound = bound or (printed == led and self.setup.wild_binds)
                elif printed == led:
                    follow.append((move * 2 + led, after))
                    bound = True
                else:
                    found.append((move * 2 + printed, after))
            if bound:
                found = follow
            self.replies[side][key] = found
        return found

    def value(self, side: int, lead: Node, answer: Node) -> int:
        """The margin that the leading side gets from here on when both play their best."""
        key = lead.id * WIDTH + answer.id
        known = self.memory[side].get(key)
        if known is not None:
            return known
        if not lead.leads or not answer.replies:
            self.memory[side][key] = 0  # the end is looked up as often as all else
            return 0
        plays = self.leads[side].get(lead.id)
        if plays is None:
            plays = self.leads_of(side, lead)
        best = -999
        for play, after in plays:
            value = self.lead(side, play, after, answer, best)
            if value > best:
                best = value
        self.memory[side][key] = best
        return best

    def lead(self, side: int, play: int, after: list[Node], answer: Node, enough: int) -> int:
        """The margin of leading with a play; when it is no more than `enough`, any such number."""
        row = self.payoffs[side][play]
        worst = 999
        other = 1 - side
        replies = self.replies[other].get(answer.id * 2 + (play & 1))
        if replies is None:
            replies = self.replies_to(other, answer, play & 1)
        ours = after[0]
        number = ours.id
        memory = self.memory[other]
        single = len(after) == 1
        for reply, then in replies:
            if single and len(then) == 1:
                node = then[0]
                rest = memory.get(node.id * WIDTH + number)
                if rest is None:
                    rest = self.value(other, node, ours)
                value = row[reply] - rest
            else:
                value = row[reply] + self.rest(side, after, then)
            if value < worst:
                worst = value
                if worst <= enough:
                    break
        return worst

    def rest(self, side: int, after: list[Node], then: list[Node]) -> int:
        """What follows a battle, for its leader; who has two cards chooses which one advances."""
        return max(min(-self.value(1 - side, theirs, ours) for theirs in then) for ours in after)


def payoffs(lead: list[tuple[int, int, int]], answer: list[tuple[int, int, int]]) -> list[list[int]]:
    """By the plays of both, the leader's margin in a battle (7-3)."""
    table: list[list[int]] = []
    for x, high, a in lead:
        same: list[int] = []
        off: list[int] = []
        for y, low, b in answer:
            if x == LOWEST and y == HIGHEST:
                same.append(a + b)
                off.append(a + b)
            elif x == HIGHEST and y == LOWEST:
                same.append(-a - b)
                off.append(-a - b)
            else:
                same.append(a + b if high > low else -a - b if high < low else a - b)
                off.append(a + b)
        red: list[int] = []
        blue: list[int] = []
        for i in range(len(same)):
            red += [same[i], off[i]]
            blue += [off[i], same[i]]
        table.append(red)
        table.append(blue)
    return table
