"""The value of a position between two rounds: each seat's chance to win, from a few numbers of its army.

A seat's prospects are points: those it has, and those its army promises for the remaining rounds. How often a lead in
prospects wins was fitted to games between bots (docs/strength/notes/factionwars.md).
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
    """Values positions of one game.

    `weights` are those of the features, then the squared spread of a game's last round in points, and the amount that
    each further round adds to it.
    """

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

    def count_rounds_left(self, s: FactionState) -> float:
        """Return the number of rounds left, the current one included if its cards are in the line-up."""
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
            # In each further pass all cards that no army owns are dealt again.
            if passes > 0 and left > size:
                cards += passes * (left - size)
        return cards / size

    def find_goals(self, s: FactionState) -> list[int]:
        """Return the number of each seat's goal; -1 for none or an unknown one."""
        found = [-1] * self.seats
        if self.setup.goals:
            first = self.setup.first_goal
            for seat in range(self.seats):
                if s.goal[seat]:
                    number = (s.goal[seat][0] & KIND) - first
                    if 0 <= number < len(self.setup.goals):
                        found[seat] = number
        return found

    def average_draws(self, s: FactionState) -> list[float]:
        """Return the mean value of each seat's battle deck; -1 for an empty one.

        It is public: an army without the cards in its open discard pile.
        """
        found: list[float] = []
        values = self.setup.values
        for seat in range(self.seats):
            total = 0
            for card in s.army[seat]:
                total += values[card & KIND]
            count = len(s.army[seat])
            found.append(total / count if count else -1.0)
        return found

    def compute_features(
        self,
        owned: list[int],
        free: list[int],
        rounds: float,
        draws: list[float],
        goals: list[int],
        shown: list[int],
        seats: list[int],
    ) -> list[float]:
        """Return the features of some seats, seat by seat.

        Args:
            owned: The cards of all armies, by seat and kind.
            free: The cards outside all armies, by kind (`count_free`).
            rounds: The number of rounds left.
            draws: The mean value of each battle deck (`average_draws`).
            goals: The number of each seat's goal (`find_goals`).
            shown: The kinds of the public Bonus Cards.
            seats: The seats.
        """
        setup = self.setup
        coming = self.estimate_coming(free, rounds)
        by_faction: list[float] = [0.0] * setup.factions
        berserkers = 0.0
        for kind in range(self.width):
            if setup.faction_of[kind] >= 0:
                by_faction[setup.faction_of[kind]] += coming[kind]
            if self.berserker[kind]:
                berserkers += coming[kind]
        found: list[float] = []
        for seat in seats:
            goal = 0.0
            if goals[seat] >= 0:
                card = setup.goals[goals[seat]]
                goal = card.bonus * card.estimate_chance(setup, seat, owned, coming)
            found += self.compute_army(
                owned, seat * self.width, rounds, draws[seat], goal, by_faction, berserkers, shown
            )
        return found

    def compute_army(
        self,
        owned: list[int],
        first: int,
        rounds: float,
        draw: float,
        goal: float,
        by_faction: list[float],
        berserkers: float,
        shown: list[int],
    ) -> list[float]:
        """Return the features of the army whose counts begin at `first`, in the order of the constants above.

        `goal` is the expected bonus of its goal; `by_faction` and `berserkers` are the cards that a seat may hope for.
        """
        setup = self.setup
        points, recruits, wild = 0, 0, 0
        power, cards = self.conscript_power, len(setup.conscripts)
        counts = [0] * setup.factions
        for kind in range(self.width):
            count = owned[first + kind]
            if count:
                points += count * self.printed[kind]
                power += count * setup.values[kind]
                cards += count
                faction = setup.faction_of[kind]
                if faction >= 0:
                    counts[faction] += count
                if kind < setup.recruits:
                    recruits += count
                if self.berserker[kind]:
                    wild += count
        points += wild * wild  # each Berserker scores the number of Berserkers (ruling 29)
        points += self.score_bonuses(owned, first, counts, shown)
        strength = power / cards  # conscripts included
        hand = draw - strength if draw >= 0.0 and rounds > 0.0 else 0.0
        hopes = self.estimate_bonus_hopes(owned, first, by_faction)
        return [float(points), goal, strength * rounds, hand, wild * berserkers, hopes, recruits * sqrt(rounds)]

    def score_bonuses(self, owned: list[int], first: int, counts: list[int], shown: list[int]) -> int:
        """Return the points of own and public Bonus Cards for an army with these counts of each faction."""
        points = 0
        for kind in self.bonus_kinds:
            if owned[first + kind]:
                points += owned[first + kind] * self.score_bonus(kind, counts)
        for kind in shown:
            points += self.score_bonus(kind, counts)
        return points

    def estimate_bonus_hopes(self, owned: list[int], first: int, by_faction: list[float]) -> float:
        """Return the points that an army's own Bonus Cards may still gain."""
        hopes = 0.0
        for kind in self.bonus_kinds:
            if owned[first + kind]:
                if self.setup.kinds[kind].sets:
                    hopes += owned[first + kind] * self.setup.points[kind] * min(by_faction)
                else:
                    hopes += owned[first + kind] * by_faction[self.setup.faction_of[kind]]
        return hopes

    def count_free(self, owned: list[int]) -> list[int]:
        """Return the number of cards of each kind outside all armies."""
        free = self.number[:]
        for at in range(len(owned)):
            if owned[at]:
                free[at % self.width] -= owned[at]
        return free

    def estimate_coming(self, free: list[int], rounds: float) -> list[float]:
        """Return for each kind the number of further cards that a seat may hope for."""
        left = 0
        for count in free:
            left += count
        flow = rounds * self.setup.size / left if left > 0 else 0.0
        flow = min(1.0, flow) * SHARE / self.seats
        return [count * flow for count in free]

    def score_bonus(self, kind: int, counts: list[int]) -> int:
        """Return the points of a Bonus Card for a number of cards of each faction."""
        if self.setup.kinds[kind].sets:
            return self.setup.points[kind] * min(counts)
        return counts[self.setup.faction_of[kind]]

    # ---- what it is worth -------------------------------------------------------------------------

    def estimate_prospects(self, s: FactionState) -> list[float]:
        """Return the expected points of each seat, with the goals that are known in this position."""
        shown = [card & KIND for card in s.bonus]
        owned = s.count_all_owned()
        return self.weigh_features(
            self.compute_features(
                owned,
                self.count_free(owned),
                self.count_rounds_left(s),
                self.average_draws(s),
                self.find_goals(s),
                shown,
                list(range(self.seats)),
            )
        )

    def weigh_features(self, found: list[float]) -> list[float]:
        """Return the points of each seat from its features, in the same order."""
        weights = self.weights
        sums: list[float] = []
        for first in range(0, len(found), FEATURES):
            total = 0.0
            for i in range(FEATURES):
                total += weights[i] * found[first + i]
            sums.append(total)
        return sums

    def estimate_spread(self, s: FactionState) -> float:
        """Return the number of points by which a lead typically changes until the end."""
        return sqrt(self.weights[FEATURES] + self.weights[FEATURES + 1] * self.count_rounds_left(s))

    def estimate_chances(self, s: FactionState) -> list[float]:
        """Return each seat's chance to win; a shared victory is divided."""
        if not s.stack:
            count = 0
            for seat in range(self.seats):
                count += s.winners >> seat & 1
            return [1.0 / count if s.winners >> seat & 1 else 0.0 for seat in range(self.seats)]
        sums = self.estimate_prospects(s)
        spread = self.estimate_spread(s)
        # Relative to the best, so that no exponential overflows.
        best = max(sums)
        found: list[float] = []
        total = 0.0
        for value in sums:
            share = exp((value - best) / spread)
            found.append(share)
            total += share
        return [share / total for share in found]
