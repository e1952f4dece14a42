"""The last battles of a round as a game of hidden cards, brought to balance by CFR+.

In the battles all is open but the Reinforcements, so the tree is public: who plays which card, and which
card is turned up as it comes forward. What a side keeps to itself is which of its cases (a kind for each
face-down slot) is true. Both sides' cases are independent, since each has a deck of its own. Where nothing
is hidden any more the rest is solved exactly.

A space with two cards is left out: who looks on does not see which of the two came forward.
"""

from __future__ import annotations

from typing import Final

from gonfalon.games.jinkei.bots.battle_solver import Duel, Fighter, Play, allowed, battle
from gonfalon.games.jinkei.rules.setup import REINFORCEMENTS

MIDDLE: Final = 450
"""Where a margin of nothing stands in a table of utilities."""
LEARN: Final = 0
AVERAGE: Final = 1
BEST: Final = 2
"""What a walk through the tree is for: to learn, to see what the average strategies bring, or what the best
answer to them brings."""


class Knot:
    """A public position. With `options` somebody (`actor`) plays; without, it is worth `value` to side 0."""

    __slots__ = ("actor", "cases", "options", "kids", "parts", "value", "regret", "total")

    def __init__(self, actor: int, cases: list[list[int]]) -> None:
        self.actor: int = actor
        self.cases: list[list[int]] = cases  # by side, the cases that are still possible
        self.options: list[int] = []  # space * 2 + colour
        self.kids: list[list[Knot]] = []  # by option
        self.parts: list[list[list[list[int]]]] = []  # by option and kid, by side: which cases, as indices of `cases`
        self.value: float = 0.0
        self.regret: list[list[float]] = []  # by option, by the actor's case
        self.total: list[list[float]] = []


class Endgame:
    """One such game: `cards[side][case]` is a kind for each slot, `chances[side][case]` adds up to 1."""

    def __init__(
        self, duel: Duel, cards: list[list[list[int]]], chances: list[list[float]], worth: list[float], most: int
    ) -> None:
        self.duel: Duel = duel
        self.fighters: list[Fighter] = [duel.a, duel.b]
        self.cards: list[list[list[int]]] = cards
        self.chances: list[list[float]] = chances
        self.worth: list[float] = worth  # what a margin of side 0 is worth to it, at MIDDLE + margin
        self.root: Knot = Knot(0, [[], []])
        self.knots: int = 0
        self.passes: int = 0
        self.most: int = most
        """How many knots there may be; beyond, `too_big`."""

    # ---- the tree -------------------------------------------------------------------------------

    def begin_lead(self, leader: int, nodes: list[int]) -> None:
        """Build the tree; a side leads."""
        self.root = self.at_lead(leader, nodes, self.all_cases(), 0)

    def begin_reply(self, option: int) -> None:
        """Let the game begin anew with the answers to an option of the root, whatever that says of the leader."""
        self.root = self.root.kids[option][0]
        self.passes = 0
        self.clear(self.root)

    def clear(self, knot: Knot) -> None:
        """Forget what was learned."""
        if knot.options:
            self.ready(knot)
        for kids in knot.kids:
            for kid in kids:
                self.clear(kid)

    def all_cases(self) -> list[list[int]]:
        return [list(range(len(self.cards[0]))), list(range(len(self.cards[1])))]

    @property
    def too_big(self) -> bool:
        return self.knots > self.most

    def hidden(self, side: int, node: int) -> bool:
        """Whether a side has a card face down."""
        layout = self.fighters[side].shape.layouts[node]
        return len(layout[6]) + len(layout[7]) + len(layout[8]) > 0

    def lay(self, cases: list[list[int]]) -> None:
        """Put the cards of the first case of both; in the open rows all cases have the same."""
        self.fighters[0].put(self.cards[0][cases[0][0]])
        self.fighters[1].put(self.cards[1][cases[1][0]])

    def at_lead(self, leader: int, nodes: list[int], cases: list[list[int]], margin: int) -> Knot:
        knot = Knot(leader, cases)
        self.knots += 1
        if self.too_big:
            return knot
        alone = len(cases[0]) == 1 and len(cases[1]) == 1
        a = self.fighters[leader]
        node = nodes[leader]
        over = a.shape.left[node] == 0 or self.fighters[1 - leader].shape.left[nodes[1 - leader]] == 0
        if over or alone or not (self.hidden(0, nodes[0]) or self.hidden(1, nodes[1])):
            rest = 0
            if not over:
                self.lay(cases)
                self.duel.fresh()
                rest = self.duel.value(leader == 0, nodes[0], nodes[1])
            knot.value = self.worth[MIDDLE + margin + rest]
            return knot
        both = [list(range(len(cases[0]))), list(range(len(cases[1])))]
        for play in a.places[node].leads:
            self.lay(cases)
            wild = play.wild
            printed = play.card.colour
            for colour in (0, 1):
                if wild or printed == colour:
                    knot.options.append(play.space * 2 + colour)
                    knot.kids.append([self.at_reply(leader, play, colour, nodes, cases, margin)])
                    knot.parts.append([both])
        self.ready(knot)
        return knot

    def at_reply(
        self, leader: int, play: Play, colour: int, nodes: list[int], cases: list[list[int]], margin: int
    ) -> Knot:
        side = 1 - leader
        knot = Knot(side, cases)
        self.knots += 1
        if self.too_big:
            return knot
        self.lay(cases)
        answers: list[tuple[Play, int, bool]] = []
        for reply, same in allowed(self.fighters[side].places[nodes[side]].replies, colour):
            answers.append((reply, int(battle(play, reply, same)), same))
        for reply, gain, same in answers:
            then = [0, 0]
            then[leader] = int(play.after.number)
            then[side] = int(reply.after.number)
            knot.options.append(reply.space * 2 + (colour if same else 1 - colour))
            kids: list[Knot] = []
            parts: list[list[list[int]]] = []
            groups = [self.groups(0, nodes[0], then[0], cases[0]), self.groups(1, nodes[1], then[1], cases[1])]
            for ours in groups[0]:
                for theirs in groups[1]:
                    some = [[cases[0][i] for i in ours], [cases[1][j] for j in theirs]]
                    kids.append(self.at_lead(side, then, some, margin + (gain if leader == 0 else -gain)))
                    parts.append([ours, theirs])
            knot.kids.append(kids)
            knot.parts.append(parts)
        self.ready(knot)
        return knot

    def groups(self, side: int, before: int, after: int, cases: list[int]) -> list[list[int]]:
        """The cases, as indices, by what is turned up between two nodes of a side."""
        layouts = self.fighters[side].shape.layouts
        was: list[int] = []
        for space in range(REINFORCEMENTS, 9):
            was += layouts[before][space]
        turned: list[int] = []
        for space in range(REINFORCEMENTS):
            turned += [slot for slot in layouts[after][space] if slot in was]
        if not turned:
            return [list(range(len(cases)))]
        found: dict[int, list[int]] = {}
        for i in range(len(cases)):
            mark = 0
            for slot in turned:
                mark = mark * 64 + self.cards[side][cases[i]][slot]
            found.setdefault(mark, []).append(i)
        return list(found.values())

    def ready(self, knot: Knot) -> None:
        """Room for what is learned."""
        size = len(knot.cases[knot.actor])
        knot.regret = [[0.0] * size for _ in knot.options]
        knot.total = [[0.0] * size for _ in knot.options]

    # ---- learning -------------------------------------------------------------------------------

    def learn(self) -> None:
        """One pass for each side."""
        self.passes += 1
        for side in (0, 1):
            self.walk(self.root, side, LEARN, [self.chances[0][:], self.chances[1][:]])

    def walk(self, knot: Knot, side: int, mode: int, reach: list[list[float]]) -> list[float]:
        """What each case of a side gets from here on, times the reach of the other side's cases."""
        size = len(knot.cases[side])
        theirs = sum(reach[1 - side])
        # Where the other does not come nothing is gained; but what oneself does there still counts in the average.
        if theirs <= 0.0 and (mode == AVERAGE or (mode == LEARN and sum(reach[side]) <= 0.0)):
            return [0.0] * size
        count = len(knot.options)
        if count == 0:
            value = (knot.value if side == 0 else -knot.value) * theirs
            return [value] * size
        if count == 1:
            return self.after(knot, 0, side, mode, reach)
        actor = knot.actor
        shares = self.strategy(knot, mode)
        values = [0.0] * size
        if actor != side:
            for option in range(count):
                share = shares[option]
                old = reach[actor]
                then = [reach[0], reach[1]]
                then[actor] = [old[i] * share[i] for i in range(len(old))]
                part = self.after(knot, option, side, mode, then)
                for i in range(size):
                    values[i] += part[i]
            return values
        found: list[list[float]] = []
        mine = reach[side]
        for option in range(count):
            share = shares[option]
            then = [reach[0], reach[1]]
            then[side] = [mine[i] * share[i] for i in range(size)]
            part = self.after(knot, option, side, mode, then)
            found.append(part)
            for i in range(size):
                if mode == BEST:
                    values[i] = part[i] if option == 0 else max(values[i], part[i])
                else:
                    values[i] += share[i] * part[i]
        if mode == LEARN:
            weight = float(self.passes)
            for option in range(count):
                share = shares[option]
                part = found[option]
                regret = knot.regret[option]
                total = knot.total[option]
                for i in range(size):
                    regret[i] = max(0.0, regret[i] + part[i] - values[i])
                    total[i] += weight * mine[i] * share[i]
        return values

    def after(self, knot: Knot, option: int, side: int, mode: int, reach: list[list[float]]) -> list[float]:
        """What each case of a side gets after an option."""
        kids = knot.kids[option]
        parts = knot.parts[option]
        if len(kids) == 1:
            return self.walk(kids[0], side, mode, reach)
        values = [0.0] * len(knot.cases[side])
        for number in range(len(kids)):
            part = parts[number]
            some = [[reach[0][i] for i in part[0]], [reach[1][i] for i in part[1]]]
            below = self.walk(kids[number], side, mode, some)
            mine = part[side]
            for i in range(len(mine)):
                values[mine[i]] += below[i]
        return values

    def strategy(self, knot: Knot, mode: int) -> list[list[float]]:
        """By option, how often each case of the actor takes it."""
        table = knot.regret if mode == LEARN else knot.total
        count = len(knot.options)
        shares: list[list[float]] = [[] for _ in range(count)]
        for i in range(len(knot.cases[knot.actor])):
            total = 0.0
            for option in range(count):
                total += table[option][i]
            for option in range(count):
                shares[option].append(table[option][i] / total if total > 0.0 else 1.0 / count)
        return shares

    # ---- results --------------------------------------------------------------------------------

    def policy(self, knot: Knot, case: int) -> list[float]:
        """How often the actor takes each option at a knot in a case."""
        return [share[case] for share in self.strategy(knot, AVERAGE)]

    def led_to(self, option: int) -> float:
        """How likely who leads at the root takes an option."""
        share = self.strategy(self.root, AVERAGE)[option]
        chances = self.chances[self.root.actor]
        return sum([chances[i] * share[i] for i in range(len(share))])

    def option_values(self, led: int, case: int) -> list[float]:
        """What each option is worth to the actor in a case, if both go on by their average strategies: at the root,
        or with `led` at the answers to that option of the root."""
        knot = self.root
        reach = [self.chances[0][:], self.chances[1][:]]
        if led >= 0:
            share = self.strategy(knot, AVERAGE)[led]
            chances = reach[knot.actor]
            reach[knot.actor] = [chances[i] * share[i] for i in range(len(share))]
            knot = knot.kids[led][0]
        total = sum(reach[1 - knot.actor])
        return [
            self.after(knot, option, knot.actor, AVERAGE, reach)[case] / total for option in range(len(knot.options))
        ]


def straight() -> list[float]:
    """A table of utilities in which a margin is worth itself."""
    return [float(margin) for margin in range(-MIDDLE, MIDDLE + 1)]
