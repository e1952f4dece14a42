"""What cards are worth to a seat, and who wins a battle.

Who owns which cards is public (ruling 31), so most of this is arithmetic. The order of battle decks and the goals of
other seats are unknown and do not count.
"""

from __future__ import annotations

from math import exp, fsum
from typing import Final

from gonfalon.core.basics.cards import KIND
from gonfalon.core.rules.state import Action, Seat
from gonfalon.games.factionwars.bots.position_value import Valuer
from gonfalon.games.factionwars.rules.actions import CARD, TO
from gonfalon.games.factionwars.rules.cards import Weighing
from gonfalon.games.factionwars.rules.setup import Setup
from gonfalon.games.factionwars.rules.state import FactionState

UNKNOWN: Final = -1e9
LOSS_OF_OTHERS: Final = 1.1
"""The worth of a point that another seat loses, shared out among the others."""
CARD_WORTH: Final = 3.0
"""The worth of a card drawn at random, until it is known better."""
ABILITY_WORTH: Final = 1.5
ACTION_WORTH: Final = 2.5
BYSTANDER_WORTH: Final = 0.5
THOUGHTS: Final = 2
"""Steps of players who foresee each other."""


class Outlook:
    """The prospects of all seats in a position, and their changes by single cards, as one seat can know them."""

    def __init__(self, valuer: Valuer, s: FactionState, seat: Seat, goal: int) -> None:
        setup = valuer.setup
        self.seat: Seat = seat
        self.setup: Setup = setup
        self.seats: int = setup.seats
        self.valuer: Valuer = valuer
        self.rounds: float = valuer.rounds(s)
        self.goals: list[int] = [goal if other == seat else -1 for other in range(setup.seats)]
        self.draws: list[float] = valuer.draw_values(s)
        self.shown: list[int] = [card & KIND for card in s.bonus]
        self.owned: list[int] = s.owned_by_all()
        self.piles: list[list[int]] = [cards[:] for cards in s.pile]
        self.before: list[float] = self.sums()
        self.spread: float = valuer.spread(s)
        self.gains: list[float] = [UNKNOWN] * (setup.seats * setup.owned)

    def sums(self) -> list[float]:
        """Return the prospects of all seats with the armies of `owned`."""
        valuer = self.valuer
        return valuer.sums(valuer.features(self.owned, self.rounds, self.draws, self.goals, self.shown))

    def gain(self, seat: Seat, kind: int) -> float:
        """Return the points of prospects that owning one more card brings."""
        at = seat * self.setup.owned + kind
        found = self.gains[at]
        if found == UNKNOWN:
            self.owned[at] += 1
            found = self.sums()[seat] - self.before[seat]
            self.owned[at] -= 1
            self.gains[at] = found
        return found

    def rough_worth(self, seat: Seat, kind: int) -> float:
        """Return the worth of collecting a card, with a constant for its ability."""
        rough = self.setup.kinds[kind].rough_worth
        return self.gain(seat, kind) + rough if self.setup.faction_of[kind] >= 0 else rough

    def odds(self) -> list[list[float]]:
        """Return each seat's chance to win a battle against each other one, a tie counted by half."""
        setup = self.setup
        width = setup.owned
        values = setup.values
        counts: list[list[int]] = []
        for seat in range(self.seats):
            found = [0] * (max(values) + 1)
            for kind in setup.conscripts:
                found[values[kind]] += 1
            for kind in range(width):
                found[values[kind]] += self.owned[seat * width + kind]
            if len(self.piles[seat]) < sum(found):  # otherwise the whole deck is shuffled first
                for card in self.piles[seat]:
                    found[values[card & KIND]] -= 1
            counts.append(found)
        return [[beating(mine, theirs) for theirs in counts] for mine in counts]

    def rough_picks(self, cards: list[int], temperature: float) -> list[list[float]]:
        """Return how likely each seat picks each card of a line-up, by rough worths."""
        worths = [[self.rough_worth(seat, kind) for kind in cards] for seat in range(self.seats)]
        return foresee(worths, self.odds(), temperature)[-1]

    def rough_answer(self, s: FactionState) -> Action:
        """Return a simple answer to the question of an ability: the strongest opponent, or a card by rough worth."""
        seat = s.turn
        actions = s.actions
        if actions[0] < CARD:
            return max(actions, key=lambda action: (self.before[action - TO], -action))
        sign = -1.0 if s.stack[-1].prompt in ("gift", "desert") else 1.0
        return max(actions, key=lambda action: (sign * self.rough_worth(seat, action - CARD), -action))


class Appraisal(Weighing):
    """The worth of cards to all seats in a position, as one seat sees it, with what their abilities would do there."""

    def __init__(self, outlook: Outlook, view: FactionState) -> None:
        self.outlook: Outlook = outlook
        self.setup: Setup = outlook.setup
        self.view: FactionState = view
        self.seats: int = outlook.seats
        width = self.setup.owned
        self.armies: list[list[int]] = [outlook.owned[i * width : (i + 1) * width] for i in range(self.seats)]
        self.worths: dict[int, float] = {}
        free = outlook.valuer.number[:]
        for army in self.armies:
            for kind in range(width):
                free[kind] -= army[kind]
        self.mean: float = CARD_WORTH
        self.mean = self.mean_worth(outlook.seat, free)

    def keep(self, seat: Seat, kind: int) -> float:
        """Return the worth of owning a card, without its ability."""
        return self.outlook.gain(seat, kind)

    def worth(self, seat: Seat, kind: int) -> float:
        """Return the worth of collecting a card, its ability included."""
        key = seat * self.setup.owned + kind
        found = self.worths.get(key, UNKNOWN)
        if found == UNKNOWN:
            found = self.keep(seat, kind) if self.setup.faction_of[kind] >= 0 else 0.0
            found += self.setup.kinds[kind].worth(self, seat)
            self.worths[key] = found
        return found

    def plain(self, seat: Seat, kind: int) -> float:
        """Return the worth of a card that is drawn, without looking through chains of abilities."""
        card = self.setup.kinds[kind]
        if card.bystander:
            return BYSTANDER_WORTH
        if self.setup.faction_of[kind] >= 0:
            return self.keep(seat, kind) + (ABILITY_WORTH if card.acts else 0.0)
        return ACTION_WORTH

    def mean_worth(self, seat: Seat, counts: list[int]) -> float:
        """Return the mean worth of one of these cards, drawn at random and collected."""
        total = worth = 0.0
        for kind in range(len(counts)):
            if counts[kind] > 0:
                total += counts[kind]
                worth += counts[kind] * max(0.0, self.plain(seat, kind))
        return worth / total if total else 0.0

    def loss(self, seat: Seat, victim: Seat) -> float:
        """Return the worth of a point that another seat loses: much for the strongest rival, little for others."""
        rivals = self.others(seat)
        if len(rivals) == 1:
            return 1.0
        before = self.outlook.before
        behind = max([before[other] for other in rivals]) - before[victim]
        return LOSS_OF_OTHERS / (len(rivals) + 0.5 * max(0.0, behind))

    def stolen(self, seat: Seat, victim: Seat) -> float:
        """Return the mean gain of a seat that takes a random recruit of another."""
        return self.mean_worth(seat, self.loot(victim)) + self.removed(seat, victim)

    def removed(self, seat: Seat, victim: Seat) -> float:
        """Return the mean gain of a seat that has a random recruit of another discarded."""
        return self.loss(seat, victim) * self.mean_worth(victim, self.loot(victim))

    def harm(self, seat: Seat, victim: Seat) -> float:
        """Return the gain of a seat that puts a Bystander into another's army."""
        kinds = self.setup.bystanders
        return -self.loss(seat, victim) * min([self.keep(victim, kind) for kind in kinds], default=0.0)

    def loot(self, seat: Seat) -> list[int]:
        """Return how many recruits of each kind can be picked at random from an army."""
        return self.armies[seat][: self.setup.stealable]

    def others(self, seat: Seat) -> list[Seat]:
        """Return all seats but one."""
        return [other for other in range(self.seats) if other != seat]

    # ---- the questions of abilities -------------------------------------------------------------

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

    def least(self, seat: Seat) -> float:
        army = self.armies[seat]
        return min([self.keep(seat, kind) for kind in range(self.setup.recruits) if army[kind]], default=0.0)


def beating(mine: list[int], theirs: list[int]) -> float:
    """Return the chance that a card of one deck beats one of another, from the number of cards of each value."""
    won = 0
    below = 0
    for value in range(len(mine)):
        won += mine[value] * (2 * below + theirs[value])
        below += theirs[value]
    total = 2 * sum(mine) * below
    return won / total if total else 0.5


def foresee(worths: list[list[float]], odds: list[list[float]], temperature: float) -> list[list[list[float]]]:
    """Return how likely each seat picks each card, for each step of foreseeing the others: the first knows nothing of
    them, the next assumes that they take the step before."""
    steps: list[list[list[float]]] = []
    picks = [[1.0 / len(row)] * len(row) for row in worths]
    for _ in range(THOUGHTS):
        picks = [boltzmann(hopes(seat, worths[seat], picks, odds), temperature) for seat in range(len(worths))]
        steps.append(picks)
    return steps


def hopes(seat: Seat, worths: list[float], picks: list[list[float]], odds: list[list[float]]) -> list[float]:
    """Return for each card of a line-up its worth times the chance that no other seat comes and wins it."""
    found: list[float] = []
    for place in range(len(worths)):
        chance = 1.0
        for other in range(len(picks)):
            if other != seat:
                chance *= 1.0 - picks[other][place] * (1.0 - odds[seat][other])
        found.append(worths[place] * chance)
    return found


def boltzmann(values: list[float], temperature: float) -> list[float]:
    """Return probabilities that grow with the values."""
    top = max(values)
    shares = [exp(max(-40.0, (value - top) / temperature)) for value in values]
    total = 0.0  # `sum` rounds otherwise from Python 3.12 on
    for share in shares:
        total += share
    return [share / total for share in shares]
