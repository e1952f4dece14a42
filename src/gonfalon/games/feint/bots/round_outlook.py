"""A round of Feint in numbers, as one seat sees it: Strength, and the chances to win the round and the game.

Only the seat's own hand and Location Card and open cards are read, so the numbers are equal for a view and for all of
its worlds.
"""

from __future__ import annotations

from math import exp, log, sqrt
from typing import Final, final

from mypy_extensions import i64

from gonfalon.core.basics.cards import KIND, SEEN
from gonfalon.core.rules.state import Seat
from gonfalon.games.feint.rules.cards import Kind
from gonfalon.games.feint.rules.state import DOWN, OPPONENT, FeintState, Setup

TRUST: Final = 3.5  # Strength that a Location seems to have before a card is played there
FILL: Final = 0.55  # share of the free Capacity that a seat still fills in a round
NOISE: Final = 4.0  # variance of a round that continues
SPREAD: Final = 2.0  # variance for each Strength still to come
DOWN_STRENGTH: Final = 3.2  # of a face-down card
DOWN_MORALE: Final = 1.1
# Log-odds of the game, fitted to 19,000 games:
LEAD: Final = 0.80  # share of the odds by victory points alone
MORALE: Final = 0.045  # for each Morale ahead
# Log-odds of a Location, fitted to 88,000 positions:
BY_LAID: Final = 0.118  # for each Strength of its owner there
BY_ROOT: Final = 0.394  # for its square root
BY_LOG: Final = 1.458  # for its logarithm
PASSED: Final = 0.117  # for each Strength after its owner has passed
MET: Final = -0.088  # for each Strength of the other seat there
HIGH: Final = -0.197  # for the number of the Location
MAX_STRENGTH: Final = 64


@final
class CardNumbers:
    """Numbers of a kind, copied from the rules because native fields are faster to read."""

    def __init__(self, kind: Kind) -> None:
        self.strength: i64 = kind.strength
        self.power: float = float(kind.strength)
        self.morale: i64 = kind.morale
        self.resolves: bool = kind.resolves
        # For `LinearPolicy`:
        self.known: float = 0.0  # log-odds that it adds to playing it anywhere
        self.tight: float = 0.0  # log-odds that its weight takes
        self.price: int = 0  # Morale that it puts at risk
        self.special: int = 0  # ability that changes the rating


@final
class Place:
    """A Location as the seat sees it."""

    def __init__(self, number: int, copies: int, capacity: int) -> None:
        self.number: float = float(number)
        self.high: float = exp(HIGH * number)
        self.copies: int = copies  # of its Location Card in each deck
        self.capacity: int = capacity
        self.left: int = 0  # Location Cards that the owner may still have
        self.mine: i64 = 0  # Strength of the seat
        self.shown: i64 = 0  # Strength of the seat, as the other seat sees it
        self.theirs: i64 = 0  # Strength of the other seat, as the seat sees it
        self.gap: float = 0.0  # Strength that the seat is ahead
        self.likely: float = 0.0  # chance that it is the other seat's Location
        self.guess: float = 0.0  # chance that it is the seat's own, as the other seat sees it
        self.use: float = 0.0  # rating for each Strength
        self.here: float = 0.0  # log-odds that it adds to playing a card there


class RoundOutlook:
    """The numbers of the round for one seat, which `look` computes from a world or a view.

    A rating is Strength times the number of the Location, summed over the battles that are expected.
    """

    def __init__(self, setup: Setup) -> None:
        self.setup: Setup = setup
        self.kinds: list[Kind] = setup.kinds
        self.cards: list[CardNumbers] = [CardNumbers(kind) for kind in setup.kinds]
        copies = setup.location_deck.count
        self.places: list[Place] = [
            Place(number, copies(place), setup.capacity) for place, number in enumerate(setup.numbers)
        ]
        last = setup.most_rounds + 1
        self.even: int = last  # the index of an even score in `lead`
        self.lead: list[list[float]] = [
            [LEAD * estimate_lead_odds(lead, left) for lead in range(-last, last + 1)] for left in range(last)
        ]
        """Log-odds by rounds left and the lead in victory points."""
        # Tables, because `look` runs at every node of a search, and exp() and log() are slow there.
        self.drawn: list[list[float]] = [
            [
                exp(BY_LAID * laid + BY_ROOT * sqrt(laid) + BY_LOG * log(TRUST + laid) + more * laid)
                for laid in range(MAX_STRENGTH)
            ]
            for more in (0.0, PASSED)
        ]
        """Likelihood of a Location, by whether its owner has passed and the Strength there."""
        self.met: list[float] = [exp(MET * laid) for laid in range(MAX_STRENGTH)]
        self.seat: Seat = 0
        self.own: int = 0  # the place of the own Location
        self.added: bool = False  # whether a card adds a battle
        self.foe_acts: bool = False  # whether the other seat can still play
        self.bared: bool = False  # whether the other seat knows the own Location
        self.guessed: float = 0.0  # probability that the other seat gives the own Location
        self.laid: int = 0  # cards in play
        self.their_laid: int = 0
        self.cost: int = 0  # Morale that a lost round costs
        self.their_cost: float = 0.0
        self.morale: int = 0
        self.other: int = 0  # Morale of the other seat
        self.strength: int = 0  # of the hand
        self.best: int = 0  # Strength of the best card in hand
        self.more: float = 0.0  # Strength that the hand can add at the own Location
        self.mine: float = 0.0  # rating that the seat may still add
        self.theirs: float = 0.0  # rating that the other seat may still add
        self.ahead: float = 0.0  # rating ahead with the cards in play
        self.variance: float = 0.0
        self.scale: float = 0.0  # log-odds of the round for each rating
        self.win: float = 0.0  # chance of the game after winning this round
        self.lose: float = 0.0  # chance of the game after losing this round
        self.lost: float = 0.0  # log-odds by victory points alone after losing this round
        self.p_still: float = 0.0  # chance of the round if no card follows
        self.p_on: float = 0.0  # chance of the round if both continue
        self.p_now: float = 0.0  # chance of the round if this seat passes now
        self.v_now: float = 0.0  # chance of the game if this seat passes now

    def game_odds(self, left: int, lead: int, morale: int, other: int) -> float:
        """Return the log-odds of the game with `left` rounds to come."""
        return self.lead[left][lead + self.even] + MORALE * (morale - other)

    def look(self, s: FeintState, seat: Seat) -> None:
        """Compute the numbers of a seat that has a Location Card."""
        self.count_cards(s, seat)
        foe = OPPONENT[seat]
        home = self.places[self.own]
        # The start player wins ties, which is worth half a point of rating.
        ahead = 0.5 if s.first == seat else -0.5
        # Never 0, because its square root is a divisor below.
        variance = 0.3
        for place in self.places:
            ahead += place.use * place.gap
            chance = place.likely
            if place is not home and chance > 0.0:
                swing = place.number * place.gap
                variance += chance * (1.0 - chance) * swing * swing
        self.ahead = ahead
        # A logistic curve with the factor 1.7 approximates the normal distribution.
        self.p_still = sigmoid(1.7 * ahead / sqrt(variance))
        self.variance = variance
        self.expect_cards(s, foe)
        self.scale = 1.7 / sqrt(self.variance)
        self.p_on = sigmoid((ahead + self.mine - self.theirs) * self.scale)
        self.p_now = sigmoid((ahead - 1.3 * self.theirs) * self.scale) if self.foe_acts else self.p_still
        self.value_game(s, foe)

    def count_cards(self, s: FeintState, seat: Seat) -> None:
        """Sum the cards in play, and find the battles that are likely."""
        n = len(self.places)
        foe = OPPONENT[seat]
        numbers, board = self.cards, s.board
        mine, theirs = SEEN[seat], SEEN[foe]
        self.seat = seat
        self.own = s.scout[seat][0] & KIND
        added = 0
        barred = 0
        cost: i64 = 0
        their_cost = 0.0
        self.laid = 0
        self.their_laid = 0
        for at, place in enumerate(self.places):
            gap = 0.0
            strong: i64 = 0
            shown: i64 = 0
            cards = board[seat * n + at]
            self.laid += len(cards)
            for card in cards:
                known = numbers[card & KIND]
                gap += known.power
                strong += known.strength
                # The other seat sees only the Capacity that a face-down card uses.
                shown += 3 if card & DOWN and not card & theirs else known.strength
                cost += known.morale
                if known.resolves:
                    kind = self.kinds[card & KIND]
                    added |= kind.adds(s)
                    barred |= kind.bars(at)
            seen: i64 = 0
            cards = board[foe * n + at]
            self.their_laid += len(cards)
            for card in cards:
                if card & DOWN and not card & mine:
                    gap -= DOWN_STRENGTH
                    seen += 3
                    their_cost += DOWN_MORALE
                    continue
                known = numbers[card & KIND]
                gap -= known.power
                seen += known.strength
                their_cost += float(int(known.morale))
                if known.resolves:
                    kind = self.kinds[card & KIND]
                    added |= kind.adds(s)
                    barred |= kind.bars(at)
            # Without a card that shifts the Capacity, the number from the constructor stays true.
            if self.setup.shifts:
                place.capacity = s.capacity(at)
            place.gap = gap
            place.mine = strong
            place.shown = shown
            place.theirs = seen
        self.cost = int(cost)
        self.their_cost = their_cost
        self.added = added != 0
        self.believe(s, foe, seat)
        for at, place in enumerate(self.places):
            chance = 1.0 if at == self.own or added >> at & 1 else place.likely
            place.use = 0.0 if barred >> at & 1 else chance * place.number

    def expect_cards(self, s: FeintState, foe: Seat) -> None:
        """Estimate the rating that both seats will still add."""
        home = self.places[self.own]
        strength: i64 = 0
        best: i64 = 0
        for card in s.hand[self.seat]:
            power = self.cards[card & KIND].strength
            strength += power
            if power > best:
                best = power
        self.strength = int(strength)
        self.best = int(best)
        room = home.capacity - s.load[self.own]
        self.more = float(min(room, self.strength)) if room > 0 else 0.0
        self.mine = FILL * home.number * self.more
        self.variance += NOISE + SPREAD * home.number * home.number * 0.5 * self.more
        self.foe_acts = not s.passed >> foe & 1
        theirs = 0.0
        if self.foe_acts:
            reach = 3 * len(s.hand[foe])
            for at, place in enumerate(self.places):
                free = place.capacity - s.load[at]
                if place.likely > 0.0 and free > 0:
                    theirs += place.likely * place.number * min(free, reach)
            self.variance += 4.0 * theirs
        self.theirs = FILL * theirs

    def value_game(self, s: FeintState, foe: Seat) -> None:
        """Compute the chances of the game after the round is won, lost, or passed."""
        seat = self.seat
        left = s.end - 1 - s.round
        lead = s.won.count(seat) - s.won.count(foe) + self.even
        morale, other = s.morale[seat], s.morale[foe]
        win = lose = 0.0
        self.lost = self.lead[left][lead - 1]
        if other <= self.their_cost:
            win = 1.0
        else:
            win = sigmoid(self.lead[left][lead + 1] + MORALE * (morale - other + self.their_cost))
        if morale > self.cost:
            lose = sigmoid(self.lost + MORALE * (morale - self.cost - other))
        self.morale = morale
        self.other = other
        self.win = win
        self.lose = lose
        self.v_now = self.p_now * win + (1.0 - self.p_now) * lose

    # ---- where the Locations are ----------------------------------------------------------------

    def believe(self, s: FeintState, foe: Seat, seat: Seat) -> None:
        """Estimate both Locations, each from the knowledge of the other seat."""
        places = self.places
        self.bared = s.scout[seat][0] & SEEN[foe] != 0
        self.guessed = 1.0
        if not self.bared:
            for at, chance in enumerate(self.suspicions(s, seat, foe)):
                places[at].guess = chance
            self.guessed = places[self.own].guess
        card = s.scout[foe]
        if card and not card[0] & SEEN[seat]:
            for at, chance in enumerate(self.suspicions(s, foe, seat)):
                places[at].likely = chance
            return
        for place in places:
            place.likely = 0.0
        if card:
            places[card[0] & KIND].likely = 1.0

    def suspicions(self, s: FeintState, owner: Seat, viewer: Seat) -> list[float]:
        """Return the probability of each place to be the owner's Location for a viewer that does not know it."""
        places = self.places
        for place in places:
            place.left = place.copies
        for card in s.used[owner]:
            if card & SEEN[viewer]:
                places[card & KIND].left -= 1
        drawn, met = self.drawn[s.passed >> owner & 1], self.met
        own = owner == self.seat
        found: list[float] = []
        total = 0.0
        for place in places:
            likely = 0.0
            if place.left > 0:
                laid = place.shown if own else place.theirs
                answered = place.theirs if own else place.mine
                likely = place.left * drawn[laid if laid < MAX_STRENGTH else MAX_STRENGTH - 1]
                likely = likely * met[answered if answered < MAX_STRENGTH else MAX_STRENGTH - 1] * place.high
                total += likely
            found.append(likely)
        return [likely / total for likely in found] if total > 0.0 else found


def estimate_lead_odds(lead: int, left: int) -> float:
    """Return the log-odds to end with more victory points if each remaining round is a coin toss."""
    good = 0.0
    total = 0.0
    ways = 1.0
    for wins in range(left + 1):
        end = lead + 2 * wins - left
        good += ways if end > 0 else 0.5 * ways if end == 0 else 0.0
        total += ways
        ways = ways * (left - wins) / (wins + 1)
    # The limits keep the log-odds finite. A race that looks decided can still end by Morale.
    p = min(0.98, max(0.02, good / total))
    return log(p / (1.0 - p))


def sigmoid(x: float) -> float:
    """Return the probability for log-odds."""
    # exp() overflows for large arguments.
    return 0.0 if x < -30.0 else 1.0 / (1.0 + exp(-x))
