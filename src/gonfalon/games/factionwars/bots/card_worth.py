"""The worth of cards to a seat, and the odds of battles.

The owners of cards are public (ruling 31), so most of this is arithmetic. The order of battle decks and the goals of
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
"""The worth of a point that another seat loses, divided among the others."""
CARD_WORTH: Final = 3.0
"""The worth of a card drawn at random, until the mean is computed."""
ABILITY_WORTH: Final = 1.5
ACTION_WORTH: Final = 2.5
BYSTANDER_WORTH: Final = 0.5
FORESIGHT_STEPS: Final = 2
"""The number of steps by which players foresee each other."""


class Outlook:
    """The prospects of all seats in a position, and their changes by single cards, from the knowledge of one seat."""

    def __init__(self, valuer: Valuer, s: FactionState, seat: Seat, goal: int) -> None:
        setup = valuer.setup
        self.seat: Seat = seat
        self.setup: Setup = setup
        self.seats: int = setup.seats
        self.valuer: Valuer = valuer
        self.rounds: float = valuer.count_rounds_left(s)
        self.goals: list[int] = [goal if other == seat else -1 for other in range(setup.seats)]
        self.draws: list[float] = valuer.average_draws(s)
        self.shown: list[int] = [card & KIND for card in s.bonus]
        self.owned: list[int] = s.count_all_owned()
        self.free: list[int] = valuer.count_free(self.owned)
        self.piles: list[list[int]] = [cards[:] for cards in s.pile]
        self.before: list[float] = self.estimate_prospects(list(range(setup.seats)))
        self.spread: float = valuer.estimate_spread(s)
        self.gains: list[float] = [UNKNOWN] * (setup.seats * setup.owned)

    def estimate_prospects(self, seats: list[Seat]) -> list[float]:
        """Return the prospects of some seats with the armies of `owned`."""
        valuer = self.valuer
        return valuer.weigh_features(
            valuer.compute_features(self.owned, self.free, self.rounds, self.draws, self.goals, self.shown, seats)
        )

    def estimate_card_gain(self, seat: Seat, kind: int) -> float:
        """Return the points of prospects that owning one more card brings."""
        at = seat * self.setup.owned + kind
        found = self.gains[at]
        if found == UNKNOWN:
            # The features read `owned`, so the card is added for a moment instead of copying all armies.
            self.owned[at] += 1
            self.free[kind] -= 1
            found = self.estimate_prospects([seat])[0] - self.before[seat]
            self.owned[at] -= 1
            self.free[kind] += 1
            self.gains[at] = found
        return found

    def estimate_rough_worth(self, seat: Seat, kind: int) -> float:
        """Return the worth of collecting a card, with a constant for its ability."""
        rough = self.setup.kinds[kind].rough_worth
        return self.estimate_card_gain(seat, kind) + rough if self.setup.faction_of[kind] >= 0 else rough

    def estimate_odds(self) -> list[list[float]]:
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
        return [[estimate_battle_odds(mine, theirs) for theirs in counts] for mine in counts]

    def estimate_picks(self, cards: list[int], temperature: float) -> list[list[float]]:
        """Return how likely each seat picks each card of a line-up, by rough worths."""
        worths = [[self.estimate_rough_worth(seat, kind) for kind in cards] for seat in range(self.seats)]
        return foresee_picks(worths, self.estimate_odds(), temperature)[-1]

    def choose_rough_answer(self, s: FactionState) -> Action:
        """Return a simple answer to the question of an ability: the strongest opponent, or a card by rough worth."""
        seat = s.turn
        actions = s.actions
        if actions[0] < CARD:
            return max(actions, key=lambda action: (self.before[action - TO], -action))
        sign = -1.0 if s.stack[-1].prompt in ("gift", "desert") else 1.0
        return max(actions, key=lambda action: (sign * self.estimate_rough_worth(seat, action - CARD), -action))


class Appraisal(Weighing):
    """The worth of cards to all seats in a position, abilities included, from the knowledge of one seat."""

    def __init__(self, outlook: Outlook, view: FactionState) -> None:
        self.outlook: Outlook = outlook
        self.setup: Setup = outlook.setup
        self.view: FactionState = view
        self.seats: int = outlook.seats
        width = self.setup.owned
        self.armies: list[list[int]] = [outlook.owned[i * width : (i + 1) * width] for i in range(self.seats)]
        self.worths: dict[int, float] = {}
        self.mean: float = CARD_WORTH
        self.mean = self.average_worth(outlook.seat, outlook.free[:])

    def estimate_gain(self, seat: Seat, kind: int) -> float:
        """Return the worth of owning a card, without its ability."""
        return self.outlook.estimate_card_gain(seat, kind)

    def worth(self, seat: Seat, kind: int) -> float:
        """Return the worth of collecting a card, its ability included."""
        key = seat * self.setup.owned + kind
        found = self.worths.get(key, UNKNOWN)
        if found == UNKNOWN:
            found = self.estimate_gain(seat, kind) if self.setup.faction_of[kind] >= 0 else 0.0
            found += self.setup.kinds[kind].worth(self, seat)
            self.worths[key] = found
        return found

    def estimate_plain_worth(self, seat: Seat, kind: int) -> float:
        """Return the worth of a card that is drawn, without looking through chains of abilities."""
        card = self.setup.kinds[kind]
        if card.bystander:
            return BYSTANDER_WORTH
        if self.setup.faction_of[kind] >= 0:
            return self.estimate_gain(seat, kind) + (ABILITY_WORTH if card.acts else 0.0)
        return ACTION_WORTH

    def average_worth(self, seat: Seat, counts: list[int]) -> float:
        """Return the mean worth of one of these cards, drawn at random and collected."""
        total = worth = 0.0
        for kind in range(len(counts)):
            if counts[kind] > 0:
                total += counts[kind]
                worth += counts[kind] * max(0.0, self.estimate_plain_worth(seat, kind))
        return worth / total if total else 0.0

    def estimate_rival_loss(self, seat: Seat, victim: Seat) -> float:
        """Return the worth of a point that another seat loses: high for the strongest rival, low for others."""
        rivals = self.list_others(seat)
        if len(rivals) == 1:
            return 1.0
        before = self.outlook.before
        behind = max([before[other] for other in rivals]) - before[victim]
        return LOSS_OF_OTHERS / (len(rivals) + 0.5 * max(0.0, behind))

    def estimate_theft(self, seat: Seat, victim: Seat) -> float:
        """Return the mean gain of a seat that takes a random recruit of another."""
        return self.average_worth(seat, self.count_loot(victim)) + self.estimate_removal(seat, victim)

    def estimate_removal(self, seat: Seat, victim: Seat) -> float:
        """Return the mean gain of a seat that has a random recruit of another discarded."""
        return self.estimate_rival_loss(seat, victim) * self.average_worth(victim, self.count_loot(victim))

    def estimate_harm(self, seat: Seat, victim: Seat) -> float:
        """Return the gain of a seat that puts a Bystander into another's army."""
        kinds = self.setup.bystanders
        return -self.estimate_rival_loss(seat, victim) * min(
            [self.estimate_gain(victim, kind) for kind in kinds], default=0.0
        )

    def count_loot(self, seat: Seat) -> list[int]:
        """Return how many recruits of each kind can be picked at random from an army."""
        return self.armies[seat][: self.setup.stealable]

    def list_others(self, seat: Seat) -> list[Seat]:
        """Return all seats but one."""
        return [other for other in range(self.seats) if other != seat]

    # ---- the questions of abilities -------------------------------------------------------------

    def draw_gain(self) -> float:
        return self.mean if self.view.deck else 0.0

    def theft_gain(self, seat: Seat) -> float:
        return max([self.estimate_theft(seat, other) for other in self.list_others(seat)])

    def removal_gain(self, seat: Seat) -> float:
        return max([self.estimate_removal(seat, other) for other in self.list_others(seat)])

    def bystander_gain(self, seat: Seat) -> float:
        return max([self.estimate_harm(seat, other) for other in self.list_others(seat)])

    def exchange_gain(self, seat: Seat) -> float:
        recruits = [card & KIND for card in self.view.discard if card & KIND < self.setup.recruits]
        return max([self.estimate_plain_worth(seat, kind) for kind in recruits], default=0.0)

    def desertion_gain(self, seat: Seat) -> float:
        return fsum(
            [self.estimate_rival_loss(seat, other) * self.least_loss(other) for other in self.list_others(seat)]
        )

    def least_loss(self, seat: Seat) -> float:
        army = self.armies[seat]
        return min([self.estimate_gain(seat, kind) for kind in range(self.setup.recruits) if army[kind]], default=0.0)


def estimate_battle_odds(mine: list[int], theirs: list[int]) -> float:
    """Return the chance that a card of one deck beats one of another, from the number of cards of each value."""
    won = 0
    below = 0
    for value in range(len(mine)):
        won += mine[value] * (2 * below + theirs[value])
        below += theirs[value]
    total = 2 * sum(mine) * below
    return won / total if total else 0.5


def foresee_picks(worths: list[list[float]], odds: list[list[float]], temperature: float) -> list[list[list[float]]]:
    """Return the chance that each seat picks each card, for each step of foresight.

    The first step assumes that the others pick at random, the next that they follow the step before.

    Args:
        worths: The worth of each card to each seat, in points.
        odds: The chance of each seat to win a battle against each other one.
        temperature: The temperature of picks, in points.
    """
    steps: list[list[list[float]]] = []
    picks = [[1.0 / len(row)] * len(row) for row in worths]
    for _ in range(FORESIGHT_STEPS):
        picks = [
            boltzmann(weigh_by_chance(seat, worths[seat], picks, odds), temperature) for seat in range(len(worths))
        ]
        steps.append(picks)
    return steps


def weigh_by_chance(seat: Seat, worths: list[float], picks: list[list[float]], odds: list[list[float]]) -> list[float]:
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
