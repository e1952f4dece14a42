"""What cards are worth to a seat, and who wins a battle, judged from one seat's view.

Armies are public by kind (ruling 31), so most of this is arithmetic; the order of battle decks and the
others' goals are unknown, and are met with averages.
"""

from __future__ import annotations

from math import fsum
from typing import Final

from gonfalon.core.basics.cards import HIDDEN, KIND
from gonfalon.core.rules.state import Seat
from gonfalon.games.factionwars.face.words import FactionWords
from gonfalon.games.factionwars.rules.cards import Weighing
from gonfalon.games.factionwars.rules.scoring import scoring
from gonfalon.games.factionwars.rules.scoring.goals import Goal
from gonfalon.games.factionwars.rules.scoring.tally import of_faction
from gonfalon.games.factionwars.rules.state import FactionState

TOUGH: Final = 0.25  # points that a battle value above the army's mean is worth
SHARE: Final = 0.8  # of an even share: how many of the coming cards of a sort one gets hold of
LOSS_OF_OTHERS: Final = 1.1  # what a point less for another is worth, shared out among the others


class Appraisal(Weighing):
    """The position in numbers, worked out once for a decision: armies, scores, what is still to come."""

    def __init__(self, game: FactionWords, view: FactionState) -> None:
        setup = game.setup
        super().__init__(setup)
        self.game = game
        self.view = view
        self.me: Seat = view.viewer
        self.seats = game.seats
        self.armies = [view.owned(seat) for seat in range(game.seats)]
        self.shown: list[int] = [card & KIND for card in view.bonus]
        card = view.goal[self.me][0] if view.goal[self.me] else HIDDEN
        self.goal: Goal | None = None if card & KIND == HIDDEN else setup.goals[(card & KIND) - setup.first_goal]
        self.scores: list[int] = [
            sum(scoring.parts(setup, seat, self.armies, self.goal if seat == self.me else None, self.shown))
            for seat in range(self.seats)
        ]
        self.counts = [[of_faction(setup, army, faction) for faction in range(setup.factions)] for army in self.armies]
        free = [0] * setup.owned
        for kind in setup.deck:
            free[kind] += 1
        for army in self.armies:
            for kind in range(setup.owned):
                free[kind] -= army[kind]
        self.free = free
        """How many cards of a kind nobody owns."""
        left = max(1, sum(free))
        passes = setup.depletions - view.depleted - 1
        cards = len(view.deck) + max(0, passes) * max(0, left - setup.size)
        self.rounds: float = 0.0 if view.last >= 0 else cards / setup.size
        self.coming = [min(count * 1.0, self.rounds * setup.size * count / left) * SHARE / self.seats for count in free]
        self.values: list[list[int]] = [self.battle_values(seat) for seat in range(self.seats)]
        self.strength: list[float] = [sum(values) / len(values) for values in self.values]
        self.mean = 3.0
        self.mean = self.mean_worth(self.me, free)

    # ---- cards ----------------------------------------------------------------------------------

    def points(self, seat: Seat, kind: int) -> float:
        """What a card adds to a seat's score, now and by what is still to come."""
        setup = self.setup
        army = self.armies[seat]
        found = setup.kinds[kind].promise(self, seat)
        faction = setup.faction_of[kind]
        if faction >= 0:
            for bonus in setup.bonus_kinds:
                if setup.faction_of[bonus] == faction and bonus != kind:
                    if bonus < len(army) and army[bonus]:
                        found += army[bonus]
                    elif bonus in self.shown:
                        found += 1
        return found

    def toward_goal(self, kind: int) -> float:
        """What a card does for the viewer's own goal."""
        goal = self.goal
        if goal is None:
            return 0.0
        armies = self.armies[:]
        had, needed = goal.progress(self.setup, self.me, armies)
        armies[self.me] = army = armies[self.me][:]
        army[kind] += 1
        have, need = goal.progress(self.setup, self.me, armies)
        return goal.gain(had, needed, have, need)

    def keep(self, seat: Seat, kind: int) -> float:
        """What it is worth to a seat to own a card, its ability apart."""
        found = self.points(seat, kind)
        if self.rounds > 1:
            found += TOUGH * (self.setup.values[kind] - self.strength[seat])
        if seat == self.me:
            found += self.toward_goal(kind)
        return found

    def mean_worth(self, seat: Seat, counts: list[int]) -> float:
        """The mean worth to a seat of one of these cards, drawn at random and collected."""
        total = worth = 0.0
        for kind in range(len(counts)):
            if counts[kind]:
                total += counts[kind]
                worth += counts[kind] * max(0.0, self.plain(seat, kind))
        return worth / total if total else 0.0

    def plain(self, seat: Seat, kind: int) -> float:
        """The worth of a card that somebody draws, without looking through chains of abilities."""
        if self.setup.kinds[kind].bystander:
            return 0.5
        if kind < self.setup.recruits or self.setup.faction_of[kind] >= 0:
            return self.keep(seat, kind) + (1.5 if self.setup.kinds[kind].acts else 0.0)
        return 2.5

    def stolen(self, seat: Seat, victim: Seat) -> float:
        """The mean gain of a seat that takes a random recruit of another."""
        loot = self.armies[victim][: self.setup.stealable]
        if not any(loot):
            return 0.0
        return self.mean_worth(seat, loot) + self.loss(seat, victim) * self.mean_worth(victim, loot)

    def removed(self, seat: Seat, victim: Seat) -> float:
        """The mean gain of a seat that has a random recruit of another discarded."""
        return self.loss(seat, victim) * self.mean_worth(victim, self.armies[victim][: self.setup.stealable])

    def loss(self, seat: Seat, victim: Seat) -> float:
        """What a point less for a rival is worth to a seat: much for the one to beat, little for others."""
        rivals = [other for other in range(self.seats) if other != seat]
        if len(rivals) == 1:
            return 1.0
        best = max([self.scores[other] for other in rivals])
        behind = best - self.scores[victim]
        return LOSS_OF_OTHERS / (len(rivals) + 0.5 * max(0, behind))

    def worth(self, seat: Seat, kind: int) -> float:
        """What it is worth to a seat to collect a card, its ability included."""
        found = self.keep(seat, kind) if self.setup.faction_of[kind] >= 0 else 0.0
        return found + self.setup.kinds[kind].worth(self, seat)

    # ---- what abilities ask ---------------------------------------------------------------------

    def others(self, seat: Seat) -> list[Seat]:
        """All seats but one."""
        return [other for other in range(self.seats) if other != seat]

    def draw(self) -> float:
        return self.mean if self.view.deck else 0.0

    def theft(self, seat: Seat) -> float:
        return max([self.stolen(seat, other) for other in self.others(seat)])

    def removal(self, seat: Seat) -> float:
        return max([self.removed(seat, other) for other in self.others(seat)])

    def burden(self, seat: Seat) -> float:
        return max([self.harm(seat, other) for other in self.others(seat)])

    def discarded(self, seat: Seat) -> float:
        recruits = [card & KIND for card in self.view.discard if card & KIND < self.setup.recruits]
        return max([self.plain(seat, kind) for kind in recruits], default=0.0)

    def desertions(self, seat: Seat) -> float:
        return fsum([self.loss(seat, other) * self.least(other) for other in self.others(seat)])

    def harm(self, seat: Seat, victim: Seat) -> float:
        """What a Bystander in another's army is worth to the one who puts it there."""
        penalty = -min([self.setup.points[kind] for kind in self.setup.bystanders], default=0)
        clean = not any(self.armies[victim][kind] for kind in self.setup.bystanders)
        return self.loss(seat, victim) * (penalty + (1.0 if clean else 0.3))

    def least(self, seat: Seat) -> float:
        """The worth of the recruit a seat can spare best; 0 when it has none."""
        army = self.armies[seat]
        return min([self.keep(seat, kind) for kind in range(self.setup.recruits) if army[kind]], default=0.0)

    # ---- battles --------------------------------------------------------------------------------

    def battle_values(self, seat: Seat) -> list[int]:
        """The values in a seat's battle deck, in no order: all it owns but what lies open."""
        setup = self.setup
        counts = self.armies[seat] + [0] * (len(setup.kinds) - setup.owned)
        for kind in setup.conscripts:
            counts[kind] += 1
        for card in self.view.pile[seat]:
            counts[card & KIND] -= 1
        values: list[int] = []
        for kind in range(len(counts)):
            values += [setup.values[kind]] * counts[kind]
        return values or [0]

    def beats(self, seat: Seat, other: Seat) -> float:
        """The chance that a seat wins a battle of two, a tie counted by half."""
        won = 0
        for mine in self.values[seat]:
            for theirs in self.values[other]:
                won += 2 if mine > theirs else 1 if mine == theirs else 0
        return won / (2 * len(self.values[seat]) * len(self.values[other]))
