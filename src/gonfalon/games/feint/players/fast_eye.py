"""How the table looks to a quick player of Feint, in numbers, and how good each action seems to him.

He looks at his own hand and Location Card, at what lies open, and at nothing else of the world he plays
in. `look` sums up the round; `passing` and `playing` are then log-odds, linear in what is seen. Their
weights were learned by policy gradients from games against himself and against the rule of thumb.
"""

from __future__ import annotations

from math import exp, log, sqrt
from typing import Final

from gonfalon.core.cards import KIND, SEEN
from gonfalon.core.state import Action, Seat
from gonfalon.games.feint.actions import CARD, SLOTS
from gonfalon.games.feint.kinds import Kind
from gonfalon.games.feint.state import DOWN, OPPONENT, FeintState, Setup

# Fitted to 19,000 games of the rule of thumb against itself:
LEAD: Final = 0.80  # how much of the odds by victory points alone to believe
MORALE: Final = 0.045  # log-odds for each point of Morale more than the other has
CARDS: Final = 0.19  # log-odds for each card more, over the rounds still to come
# What is still to come in a round:
FILL: Final = 0.55  # of the room at the own Location
NOISE: Final = 4.0
SPREAD: Final = 2.0
# What a quick player believes of a Location, in log-odds, fitted to 88,000 places in such games:
BY_LAID: Final = 0.118  # for each Strength laid there,
BY_ROOT: Final = 0.394  # its root,
BY_LOG: Final = 1.458  # its logarithm
TRUST: Final = 3.5  # Strength that a place seems to have before a card lies there
PASSED: Final = 0.117  # more for each Strength when no more is to come
MET: Final = -0.088  # for each Strength that the other seat has laid there
HIGH: Final = -0.197  # by the number of the Location
DOWN_STRENGTH: Final = 3.2  # of a face-down card
DOWN_MORALE: Final = 1.1
MOST: Final = 64
FIRE_COST: Final = 2  # what a Master of Fire costs at once

FIRE: Final = 1
PUNISHER: Final = 2
GANGAN: Final = 3
BOMB: Final = 4
DRAGOON: Final = 5
SPECIAL: Final = {
    "master-of-fire": FIRE,
    "punisher": PUNISHER,
    "gangan": GANGAN,
    "bomb-tower": BOMB,
    "dragoon": DRAGOON,
}
"""Abilities whose effect on the round is worked out."""


class Eye:
    """Looks for one seat at a time."""

    __slots__ = (
        "setup",
        "kinds",
        "numbers",
        "places",
        "capacity",
        "last",
        "lead",
        "drawn",
        "met",
        "high",
        "special",
        "two",
        "known",
        "price",
        "gain_20",
        "gain_last",
        "chance",
        "better",
        "worth",
        "fatal",
        "share",
        "announced",
        "at_own",
        "at_likely",
        "own_number",
        "likely_number",
        "room_10",
        "load_10",
        "gap_10",
        "in_secret",
        "feint",
        "off_10",
        "passes",
        "seat",
        "own",
        "use",
        "likely",
        "guesses",
        "gap",
        "ahead",
        "scale",
        "variance",
        "win",
        "lost",
        "cost",
        "morale",
        "other",
        "p_now",
        "v_now",
        "mine",
        "theirs",
        "more",
        "foe_acts",
        "added",
        "pass_odds",
        "here",
        "risks",
        "prices",
    )

    def __init__(
        self,
        setup: Setup,
        abilities: list[str],
        passing: list[float],
        playing: dict[str, float],
        ability: dict[str, float],
    ) -> None:
        self.setup: Setup = setup
        self.kinds: list[Kind] = setup.kinds
        self.numbers: list[int] = setup.numbers
        self.places: int = len(setup.numbers)
        self.capacity: int = setup.capacity
        self.last: int = setup.end_round - 1
        self.lead: list[list[float]] = [
            [LEAD * odds(lead, left) for lead in range(-self.last - 1, self.last + 2)] for left in range(self.last + 1)
        ]
        """Log-odds by rounds left and the lead in victory points."""
        self.drawn: list[list[float]] = [
            [
                exp(BY_LAID * laid + BY_ROOT * sqrt(laid) + BY_LOG * log(TRUST + laid) + more * laid)
                for laid in range(MOST)
            ]
            for more in (0.0, PASSED)
        ]
        """How much a Location is suspected, by whether its owner has passed and the Strength laid there."""
        self.met: list[float] = [exp(MET * laid) for laid in range(MOST)]
        self.high: list[float] = [exp(HIGH * number) for number in self.numbers]
        self.special: list[int] = [SPECIAL.get(name, 0) for name in abilities]  # of each kind
        self.two: int = setup.numbers.index(2) if 2 in setup.numbers else -1
        # What a kind adds to the odds of playing it wherever it goes.
        self.known: list[float] = []
        self.price: list[int] = []  # the Morale that it puts at risk
        for kind in self.kinds:
            special = self.special[kind.id]
            price = 0 if special == BOMB else kind.morale + (FIRE_COST if special == FIRE else 0)
            self.price.append(price)
            self.known.append(
                playing["any"]
                + playing["strength"] * kind.strength / 7.0
                + playing["price"] * price / 4.0
                + playing["weight"] * kind.weight / 7.0
                + (playing["face down"] if kind.face_down else 0.0)
                + (playing["protected"] if kind.protected else 0.0)
                + ability.get(abilities[kind.id], 0.0)
            )
        self.gain_20: float = playing["gain"] / 20.0
        self.gain_last: float = playing["gain, the other has passed"] / 20.0
        self.chance: float = playing["chance of the round"]
        self.better: float = playing["chance more than now"]
        self.worth: float = 10.0 * playing["chance of the game more than now"]
        self.fatal: float = playing["could lose the game"]
        self.share: float = playing["price as a share"]
        self.announced: float = playing["announced"]
        self.at_own: float = playing["own"]
        self.at_likely: float = playing["likely theirs"]
        self.own_number: float = playing["own by number"] / 6.0
        self.likely_number: float = playing["likely theirs by number"] / 6.0
        self.room_10: float = playing["room"] / 10.0
        self.load_10: float = playing["load"] / 10.0
        self.gap_10: float = playing["ahead there"] / 10.0
        self.in_secret: float = playing["own in secret"]
        self.feint: float = playing["elsewhere first"]
        self.off_10: float = playing["elsewhere"]
        self.passes: list[float] = passing
        self.seat: Seat = 0
        self.own: int = 0
        self.use: list[float] = [0.0] * self.places  # how much Strength counts at each place
        self.likely: list[float] = [0.0] * self.places  # the other's Location
        self.guesses: list[float] = [0.0] * self.places  # the own one, as the other sees it
        self.gap: list[float] = [0.0] * self.places  # the Strength that the seat is ahead
        self.ahead: float = 0.0  # in rating, as the table lies
        self.scale: float = 0.0
        self.variance: float = 0.0
        self.win: float = 0.0  # the chance of the game after this round is won,
        self.lost: float = 0.0  # and the log-odds by points after it is lost
        self.cost: int = 0
        self.morale: int = 0
        self.other: int = 0
        self.p_now: float = 0.0
        self.v_now: float = 0.0
        self.mine: float = 0.0  # rating that both may still add
        self.theirs: float = 0.0
        self.more: float = 0.0
        self.foe_acts: bool = False
        self.added: bool = False
        self.pass_odds: float = 0.0
        self.here: list[float] = [0.0] * self.places  # what a place adds to the odds of playing there
        most = max(self.price) + 1
        self.risks: list[float] = [0.0] * most  # by price: the chance of the game after a lost round
        self.prices: list[float] = [0.0] * most  # what a price adds to the odds of playing

    # ---- beliefs --------------------------------------------------------------------------------

    def believe(self, s: FeintState, seat: Seat, viewer: Seat, likely: list[float]) -> None:
        """Where a seat's Location may be, for the other one, into `likely`."""
        if s.scout[seat]:
            card = s.scout[seat][0]
            if card & SEEN[viewer]:
                for place in range(self.places):
                    likely[place] = 0.0
                likely[card & KIND] = 1.0
                return
            self.suspect(s, seat, viewer, likely)
            return
        for place in range(self.places):
            likely[place] = 0.0

    def suspect(self, s: FeintState, seat: Seat, viewer: Seat, likely: list[float]) -> None:
        """The same for somebody who has not seen the Location Card."""
        n = self.places
        for place in range(n):
            likely[place] = 0.0
        for place in s.setup.location_deck:
            likely[place] = likely[place] + 1.0
        for used in s.used[seat]:
            if used & SEEN[viewer]:
                likely[used & KIND] = likely[used & KIND] - 1.0
        total = 0.0
        drawn = self.drawn[s.passed >> seat & 1]
        other = OPPONENT[seat]
        for place in range(n):
            left = likely[place]
            if left > 0.5:
                laid = 0
                for card in s.board[seat * n + place]:
                    laid += 3 if card & DOWN and not card & SEEN[viewer] else self.kinds[card & KIND].strength
                met = 0
                for card in s.board[other * n + place]:
                    met += 3 if card & DOWN and not card & SEEN[self.seat] else self.kinds[card & KIND].strength
                odds = left * drawn[min(laid, MOST - 1)] * self.met[min(met, MOST - 1)] * self.high[place]
                likely[place] = odds
                total += odds
            else:
                likely[place] = 0.0
        if total > 0.0:
            for place in range(n):
                likely[place] = likely[place] / total

    def odds(self, left: int, lead: int, mine: int, theirs: int) -> float:
        """Log-odds of winning the game with so many rounds left."""
        return self.lead[left][lead + self.last + 1] + MORALE * (mine - theirs)

    # ---- the round ------------------------------------------------------------------------------

    def survey(self, s: FeintState, seat: Seat) -> None:
        """What Strength counts at each place for a seat, and how far it is ahead there."""
        n = self.places
        foe = OPPONENT[seat]
        self.seat = seat
        self.own = s.scout[seat][0] & KIND
        self.believe(s, foe, seat, self.likely)
        added = 0
        barred = 0
        for place in range(n):
            gap = 0.0
            for card in s.board[seat * n + place]:
                kind = self.kinds[card & KIND]
                gap += kind.strength
                if kind.resolves:
                    added |= kind.adds(s)
                    barred |= kind.bars(place)
            for card in s.board[foe * n + place]:
                if card & DOWN and not card & SEEN[seat]:
                    gap -= DOWN_STRENGTH
                    continue
                kind = self.kinds[card & KIND]
                gap -= kind.strength
                if kind.resolves:
                    added |= kind.adds(s)
                    barred |= kind.bars(place)
            self.gap[place] = gap
        self.added = added != 0
        for place in range(n):
            chance = 1.0 if place == self.own or added >> place & 1 else self.likely[place]
            self.use[place] = 0.0 if barred >> place & 1 else chance * self.numbers[place]

    def look(self, s: FeintState, seat: Seat) -> None:
        """Sum up the round for a seat, and its chances."""
        self.survey(s, seat)
        n = self.places
        foe = OPPONENT[seat]
        use, likely, gap, numbers = self.use, self.likely, self.gap, self.numbers
        own = self.own
        table = self.kinds
        ahead = 0.5 if s.first == seat else -0.5
        variance = 0.3
        top = 0.0
        for place in range(n):
            ahead += use[place] * gap[place]
            chance = likely[place]
            if chance > top:
                top = chance
            if place != own and chance > 0.0:
                swing = numbers[place] * gap[place]
                variance += chance * (1.0 - chance) * swing * swing
        still = variance
        strength = 0
        best = 0
        for card in s.hand[seat]:
            power = table[card & KIND].strength
            strength += power
            if power > best:
                best = power
        foe_acts = not s.passed >> foe & 1
        own_room = self.capacity - s.load[own]
        more = float(min(own_room, strength)) if own_room > 0 else 0.0
        self.more = more
        self.mine = FILL * numbers[own] * more
        variance += NOISE + SPREAD * numbers[own] * numbers[own] * 0.5 * more
        theirs = 0.0
        if foe_acts:
            reach = 3 * len(s.hand[foe])
            for place in range(n):
                free = self.capacity - s.load[place]
                if likely[place] > 0.0 and free > 0:
                    theirs += likely[place] * numbers[place] * min(free, reach)
            variance += 4.0 * theirs
            theirs *= FILL
        self.theirs = theirs
        cost = 0
        their_cost = 0.0
        laid = 0
        their_laid = 0
        for place in range(n):
            for card in s.board[seat * n + place]:
                cost += table[card & KIND].morale
                laid += 1
            for card in s.board[foe * n + place]:
                hidden = card & DOWN and not card & SEEN[seat]
                their_cost += DOWN_MORALE if hidden else table[card & KIND].morale
                their_laid += 1
        bared = s.scout[seat][0] & SEEN[foe] != 0
        guessed = 1.0
        if not bared:
            self.suspect(s, seat, foe, self.guesses)
            guessed = self.guesses[own]
        left = self.last - s.round
        lead = s.won.count(seat) - s.won.count(foe)
        won = self.lead[left][lead + 1 + self.last + 1]
        lost = self.lead[left][lead - 1 + self.last + 1]
        morale = s.morale[seat]
        other = s.morale[foe]
        win = 1.0 if other <= their_cost else sigmoid(won + MORALE * (morale - other + their_cost))
        lose = 0.0 if morale <= cost else sigmoid(lost + MORALE * (morale - cost - other))
        scale = 1.7 / sqrt(variance)
        self.ahead = ahead
        self.variance = variance
        self.scale = scale
        self.win = win
        self.lost = lost
        self.cost = cost
        self.morale = morale
        self.other = other
        self.foe_acts = foe_acts
        p_now = sigmoid(1.7 * ahead / sqrt(still))
        p_on = sigmoid((ahead + self.mine - theirs) * scale)
        self.p_now = sigmoid((ahead - 1.3 * theirs) * scale) if foe_acts else p_now
        self.v_now = self.p_now * win + (1.0 - self.p_now) * lose
        w = self.passes
        found = w[0]
        if not foe_acts:
            found += w[1]
        if s.first == seat:
            found += w[2]
        found += w[3] * ahead / 20.0 + w[4] * p_now + w[5] * p_on + w[6] * win + w[7] * lose + w[8] * self.v_now
        found += w[9] * cost / 10.0 + w[10] * their_cost / 10.0 + w[11] * morale / 20.0 + w[12] * other / 20.0
        found += w[13] * left / 7.0 + w[14] * lead / 4.0 + w[15] * len(s.hand[seat]) / 7.0
        found += w[16] * len(s.hand[foe]) / 7.0 + w[17] * laid / 7.0 + w[18] * their_laid / 7.0
        found += w[19] * strength / 30.0 + w[20] * own_room / 10.0 + w[21] * numbers[own] / 6.0 + w[22] * top
        if bared:
            found += w[23]
        found += w[24] * guessed + w[25] * len(s.deck[seat]) / 40.0 + w[26] * len(s.deck[foe]) / 40.0
        if morale <= cost:
            found += w[27]
        if other <= their_cost:
            found += w[28]
        found += w[29] * use[own] * min(best, max(0, own_room)) / 20.0 + w[30] * self.p_now
        self.pass_odds = found
        secret = foe_acts and not bared
        for place in range(n):
            here = self.load_10 * s.load[place] + self.gap_10 * gap[place]
            here += self.room_10 * (self.capacity - s.load[place])
            if place == own:
                here += self.at_own + self.own_number * numbers[place]
                if secret:
                    here += self.in_secret
            else:
                chance = likely[place]
                here += (self.at_likely + self.likely_number * numbers[place]) * chance
                here += self.off_10 * (1.0 - chance)
                if laid == 0:
                    here += self.feint * (1.0 - chance)
            self.here[place] = here
        spare = morale - cost
        self.risks[0] = lose
        self.prices[0] = 0.0
        for price in range(1, len(self.prices)):
            if spare > price:
                self.risks[price] = sigmoid(lost + MORALE * (morale - cost - price - other))
                self.prices[price] = self.share * price / spare
            else:
                self.risks[price] = 0.0
                self.prices[price] = self.fatal + self.share

    # ---- an action ------------------------------------------------------------------------------

    def playing(self, s: FeintState, action: Action) -> float:
        """How good a play seems, after `look`."""
        number = (action - CARD) // SLOTS
        at = (action - CARD) % SLOTS - 1
        kind = self.kinds[number]
        found = self.known[number]
        if at < 0:
            gain = 0.25 * self.use[self.own] * kind.strength
            found += self.announced
        else:
            gain = self.use[at] * kind.strength
            special = self.special[number]
            if special == PUNISHER:
                gain = -self.use[at] * self.gap[at]
            elif special == DRAGOON:
                if not self.added and self.two >= 0:
                    gain += (2.0 - self.use[self.two]) * self.gap[self.two]
            elif special == GANGAN:
                gain += self.gathered(s, kind, at)
            elif special == BOMB:
                gain = self.bombed(s, at)
            found += self.here[at] - self.room_10 * kind.weight
        if self.foe_acts:
            after = self.ahead + gain + self.mine - self.theirs
            if at == self.own:
                after -= FILL * self.numbers[at] * min(self.more, float(kind.strength))
        else:
            after = self.ahead + gain
            found += self.gain_last * gain
        p = sigmoid(after * self.scale)
        price = self.price[number]
        value = p * self.win + (1.0 - p) * self.risks[price] - self.v_now
        found += self.gain_20 * gain + self.chance * p + self.better * (p - self.p_now) + self.worth * value
        return found + self.prices[price]

    def gathered(self, s: FeintState, kind: Kind, at: int) -> float:
        """The rating that a gang brings which comes to a place from the others."""
        gain = 0.0
        for place in range(self.places):
            if place != at:
                for card in s.board[self.seat * self.places + place]:
                    moved = self.kinds[card & KIND]
                    if not moved.protected and (moved.faction == kind.faction if s.setup.whole_gang else moved.gang):
                        gain += (self.use[at] - self.use[place]) * moved.strength
        return gain

    def bombed(self, s: FeintState, at: int) -> float:
        """The rating that the best card which can be bombed at a place counts."""
        best = 0.0
        for card in s.board[OPPONENT[self.seat] * self.places + at]:
            if card & DOWN and not card & SEEN[self.seat]:
                best = max(best, DOWN_STRENGTH)
            elif not self.kinds[card & KIND].protected:
                best = max(best, float(self.kinds[card & KIND].strength))
        return self.use[at] * best


def sigmoid(x: float) -> float:
    """Log-odds as a chance."""
    if x < -30.0:
        return 0.0
    return 1.0 / (1.0 + exp(-x))


def odds(lead: int, left: int) -> float:
    """Log-odds of more victory points at the end, with every round to come a toss."""
    good = 0.0
    total = 0.0
    ways = 1.0
    for wins in range(left + 1):
        end = lead + 2 * wins - left
        good += ways if end > 0 else 0.5 * ways if end == 0 else 0.0
        total += ways
        ways = ways * (left - wins) / (wins + 1)
    p = min(0.98, max(0.02, good / total))
    return log(p / (1.0 - p))
