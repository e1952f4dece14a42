"""What a position between two rounds is worth: each seat's chance to win, from a few numbers of its army.

A seat's prospects are points: those it has, and what its army promises for the rounds to come. Who is
ahead by how many of them wins how often, was fitted to games between bots (docs/strength/notes/factionwars.md).
"""

from __future__ import annotations

from math import exp, sqrt
from typing import Final

from gonfalon.core.basics.cards import KIND
from gonfalon.games.factionwars.rules.setup import Setup
from gonfalon.games.factionwars.rules.state import FactionState

SHARE: Final = 0.8  # of an even share: how many of the coming cards of a sort a seat gets hold of
FEATURES: Final = 7
POINTS: Final = 0  # what it would score now, its goal apart
GOAL: Final = 1  # its goal's bonus by the chance to meet it
STRENGTH: Final = 2  # mean battle value by the rounds to come
HAND: Final = 3  # how much better than its army what is left of its battle deck is, in mean values
BERSERKERS: Final = 4  # those it has by those it may hope for
BONUS: Final = 5  # what its Bonus Cards may still gain
RECRUITS: Final = 6  # how many recruits it has, by the root of the rounds to come

WEIGHTS: Final = {
    2: [1.0, 0.556, 0.263, 2.601, 1.416, 0.402, -0.053, 4.344, 2.952],
    3: [1.0, 0.911, 0.332, 2.071, 2.201, 0.579, 0.029, 1.981, 6.097],
    4: [1.0, 1.157, 0.403, 2.699, 2.142, 1.875, 0.329, 1.066, 7.928],
    5: [1.0, 1.862, 0.426, 2.167, 3.405, 2.038, 0.584, 2.261, 10.614],
}
"""The weights of a `Valuer`, by the number of seats."""


class Valuer:
    """Values positions of one game. `weights` are those of the features, then the square of the spread of
    a game's last round in points, and what each further round adds to it."""

    def __init__(self, setup: Setup, weights: list[float]) -> None:
        self.setup: Setup = setup
        self.seats: int = setup.seats
        self.width: int = setup.owned
        self.weights: list[float] = weights
        self.number: list[int] = [0] * setup.owned  # copies in the recruit deck, by kind
        for kind in setup.deck:
            if kind < setup.owned:
                self.number[kind] += 1
        self.printed: list[int] = [
            setup.points[kind] if kind < setup.plain or setup.kinds[kind].bystander else 0
            for kind in range(setup.owned)
        ]
        self.berserker: list[bool] = [setup.kinds[kind].berserker for kind in range(setup.owned)]
        self.bonus_kinds: list[int] = setup.bonus_kinds
        self.conscript_power: int = 0
        for kind in setup.conscripts:
            self.conscript_power += setup.values[kind]

    # ---- reading a position -----------------------------------------------------------------------

    def rounds(self, s: FactionState) -> float:
        """How many rounds are still to be played, the one whose cards lie there included."""
        size = self.setup.size
        cards = float(len(s.lineup))
        if s.last < 0:
            left = 0
            for count in self.number:
                left += count
            for seat in range(self.seats):
                left -= len(s.army[seat]) + len(s.pile[seat]) - len(self.setup.conscripts)
            passes = self.setup.depletions - s.depleted - 1
            cards += len(s.deck)
            if passes > 0 and left > size:
                cards += passes * (left - size)
        return cards / size

    def goals_of(self, s: FactionState) -> list[int]:
        """By seat the number of its goal, -1 for none or one that is not known."""
        found = [-1] * self.seats
        if self.setup.goals:
            first = self.setup.first_goal
            for seat in range(self.seats):
                if s.goal[seat]:
                    number = (s.goal[seat][0] & KIND) - first
                    if 0 <= number < len(self.setup.goals):
                        found[seat] = number
        return found

    def draw_values(self, s: FactionState) -> list[float]:
        """By seat the mean value of what is left of its battle deck; -1 where nothing is left. That is
        public: all it owns but what lies open in its discard pile."""
        found: list[float] = []
        values = self.setup.values
        for seat in range(self.seats):
            total = 0
            for card in s.army[seat]:
                total += values[card & KIND]
            count = len(s.army[seat])
            found.append(total / count if count else -1.0)
        return found

    def features(
        self, owned: list[int], rounds: float, draws: list[float], goals: list[int], shown: list[int]
    ) -> list[float]:
        """The features of all seats, seat by seat. `shown` are the public Bonus Cards."""
        setup = self.setup
        width = self.width
        values = setup.values
        faction_of = setup.faction_of
        coming = self.coming(owned, rounds)
        by_faction: list[float] = [0.0] * setup.factions
        berserkers = 0.0
        for kind in range(width):
            if faction_of[kind] >= 0:
                by_faction[faction_of[kind]] += coming[kind]
            if self.berserker[kind]:
                berserkers += coming[kind]
        found: list[float] = []
        root = sqrt(rounds)
        for seat in range(self.seats):
            first = seat * width
            points = 0
            power = self.conscript_power
            cards = len(setup.conscripts)
            recruits = 0
            wild = 0
            counts = [0] * setup.factions
            for kind in range(width):
                count = owned[first + kind]
                if count:
                    points += count * self.printed[kind]
                    power += count * values[kind]
                    cards += count
                    if faction_of[kind] >= 0:
                        counts[faction_of[kind]] += count
                    if kind < setup.recruits:
                        recruits += count
                    if self.berserker[kind]:
                        wild += count
            points += wild * wild
            hopes = 0.0
            for kind in self.bonus_kinds:
                if owned[first + kind]:
                    points += owned[first + kind] * self.bonus(kind, counts)
                    if setup.kinds[kind].sets:
                        hopes += owned[first + kind] * setup.points[kind] * min(by_faction)
                    else:
                        hopes += owned[first + kind] * by_faction[faction_of[kind]]
            for kind in shown:
                points += self.bonus(kind, counts)
            strength = power / cards
            found.append(float(points))
            goal = 0.0
            if goals[seat] >= 0:
                card = setup.goals[goals[seat]]
                goal = card.bonus * card.chance(setup, seat, owned, coming)
            found.append(goal)
            found.append(strength * rounds)
            found.append(draws[seat] - strength if draws[seat] >= 0.0 and rounds > 0.0 else 0.0)
            found.append(wild * berserkers)
            found.append(hopes)
            found.append(recruits * root)
        return found

    def coming(self, owned: list[int], rounds: float) -> list[float]:
        """By kind: how many more of it a seat may hope for."""
        left = 0
        free = self.number[:]
        for at in range(len(owned)):
            if owned[at]:
                free[at % self.width] -= owned[at]
        for count in free:
            left += count
        flow = rounds * self.setup.size / left if left > 0 else 0.0
        flow = min(1.0, flow) * SHARE / self.seats
        return [count * flow for count in free]

    def bonus(self, kind: int, counts: list[int]) -> int:
        """What a Bonus Card scores for so many cards of each faction."""
        if self.setup.kinds[kind].sets:
            return self.setup.points[kind] * min(counts)
        return counts[self.setup.faction_of[kind]]

    # ---- what it is worth -------------------------------------------------------------------------

    def prospects(self, s: FactionState) -> list[float]:
        """Each seat's points to be hoped for, goals included that are known in this position."""
        shown = [card & KIND for card in s.bonus]
        return self.sums(self.features(s.owned_by_all(), self.rounds(s), self.draw_values(s), self.goals_of(s), shown))

    def sums(self, found: list[float]) -> list[float]:
        """Each seat's points by its features."""
        weights = self.weights
        sums: list[float] = []
        for seat in range(self.seats):
            total = 0.0
            for i in range(FEATURES):
                total += weights[i] * found[seat * FEATURES + i]
            sums.append(total)
        return sums

    def spread(self, s: FactionState) -> float:
        """By how many points a lead changes until the end."""
        return sqrt(self.weights[FEATURES] + self.weights[FEATURES + 1] * self.rounds(s))

    def chances(self, s: FactionState) -> list[float]:
        """Each seat's chance to win; a shared victory is shared out."""
        if not s.stack:
            count = 0
            for seat in range(self.seats):
                count += s.winners >> seat & 1
            return [1.0 / count if s.winners >> seat & 1 else 0.0 for seat in range(self.seats)]
        sums = self.prospects(s)
        spread = self.spread(s)
        best = max(sums)
        found: list[float] = []
        total = 0.0
        for value in sums:
            share = exp((value - best) / spread)
            found.append(share)
            total += share
        return [share / total for share in found]
