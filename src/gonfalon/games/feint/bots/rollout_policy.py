"""How the table looks to a quick player of Feint, in numbers, and how good each action seems to them.

They look at their own hand and Location Card, at what lies open, and at nothing else of the world they play
in. `look` sums up the round; `scores` are then log-odds, linear in what is seen. Their weights were learned by
policy gradients from games against themselves and against the rule of thumb.

What is looked up for each card and each action lies in small objects with bare numbers, and the table is gone
through once for all that is asked of it: playing on is nearly all of what a search takes.
"""

from __future__ import annotations

from math import exp, log, sqrt
from typing import Final, final

from mypy_extensions import i64

from gonfalon.core.basics.cards import KIND, SEEN
from gonfalon.core.rules.state import Seat
from gonfalon.games.feint.bots.round_summary import DOWN_STRENGTH, FILL, NOISE, SPREAD, TRUST, odds
from gonfalon.games.feint.rules.actions import CARD, PASS, SLOTS
from gonfalon.games.feint.rules.cards import Kind
from gonfalon.games.feint.rules.state import DOWN, OPPONENT, FeintState, Setup

# Fitted to 19,000 games of the rule of thumb against itself:
LEAD: Final = 0.80  # how much of the odds by victory points alone to believe
MORALE: Final = 0.045  # log-odds for each point of Morale more than the other has
CARDS: Final = 0.19  # log-odds for each card more, over the rounds still to come
# What a quick player believes of a Location, in log-odds, fitted to 88,000 places in such games:
BY_LAID: Final = 0.118  # for each Strength laid there,
BY_ROOT: Final = 0.394  # its root,
BY_LOG: Final = 1.458  # its logarithm
PASSED: Final = 0.117  # more for each Strength when no more is to come
MET: Final = -0.088  # for each Strength that the other seat has laid there
HIGH: Final = -0.197  # by the number of the Location
DOWN_MORALE: Final = 1.1  # of a face-down card
MOST: Final = 64
FIRE_COST: Final = 2  # what a Master of Fire costs at once

PASSING: Final = (
    "any",
    "the other has passed",
    "I start",
    "ahead",
    "chance as it lies",
    "chance if both go on",
    "game if won",
    "game if lost",
    "game now",
    "my price",
    "their price",
    "my Morale",
    "their Morale",
    "rounds left",
    "lead",
    "my hand",
    "their hand",
    "my cards laid",
    "their cards laid",
    "Strength in hand",
    "room",
    "number of my Location",
    "how sure of theirs",
    "mine is open",
    "how sure they are of mine",
    "my draw pile",
    "their draw pile",
    "I could lose the game",
    "they could lose the game",
    "my best card there",
    "chance now",
)
"""The names of what speaks for passing or against it, in the order in which `RolloutPolicy.passing` adds it up."""
PLAYING: Final = (
    "any",
    "strength",
    "price",
    "weight",
    "own",
    "likely theirs",
    "own by number",
    "likely theirs by number",
    "gain",
    "room",
    "load",
    "ahead there",
    "chance of the round",
    "chance more than now",
    "chance of the game more than now",
    "announced",
    "face down",
    "protected",
    "own in secret",
    "elsewhere first",
    "could lose the game",
    "price as a share",
    "elsewhere",
    "gain, the other has passed",
)
"""And of what speaks for playing a card or against it."""

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


@final
class CardNumbers:
    """A kind to a quick player."""

    def __init__(self, kind: Kind, playing: dict[str, float], ability: dict[str, float]) -> None:
        special = SPECIAL.get(kind.ability, 0)
        price = 0 if special == BOMB else kind.morale + (FIRE_COST if special == FIRE else 0)
        self.strength: i64 = kind.strength
        self.power: float = float(kind.strength)
        self.morale: i64 = kind.morale
        self.resolves: bool = kind.resolves
        self.known: float = (
            playing["any"]
            + playing["strength"] * kind.strength / 7.0
            + playing["price"] * price / 4.0
            + playing["weight"] * kind.weight / 7.0
            + (playing["face down"] if kind.face_down else 0.0)
            + (playing["protected"] if kind.protected else 0.0)
            + ability.get(kind.ability, ability[""])
        )
        """What it adds to the odds of playing it, wherever it goes."""
        self.price: int = price  # the Morale that it puts at risk
        self.tight: float = playing["room"] / 10.0 * kind.weight  # what its weight takes from these odds where it goes
        self.special: int = special


@final
class PlaceNumbers:
    """A Location to a quick player."""

    def __init__(self, number: int, copies: int, capacity: int) -> None:
        self.number: float = float(number)
        self.high: float = exp(HIGH * number)
        self.copies: int = copies  # how many such Location Cards a seat has
        self.capacity: int = capacity
        self.left: int = 0  # and how many may still be drawn
        self.mine: i64 = 0  # the Strength of the seat's cards here,
        self.shown: i64 = 0  # as the other sees them,
        self.theirs: i64 = 0  # and of the other's cards as the seat sees them
        self.gap: float = 0.0  # the Strength that the seat is ahead
        self.likely: float = 0.0  # the other's Location
        self.guess: float = 0.0  # the own one, as the other sees it
        self.use: float = 0.0  # how much Strength counts here
        self.here: float = 0.0  # what the place adds to the odds of playing here


@final
class RolloutPolicy:
    """Weighs the actions of one seat at a time."""

    def __init__(
        self,
        setup: Setup,
        passing: dict[str, float],
        playing: dict[str, float],
        ability: dict[str, float],
    ) -> None:
        self.setup: Setup = setup
        self.kinds: list[Kind] = setup.kinds
        self.places: int = len(setup.numbers)
        self.last: int = setup.most_rounds
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
        self.two: int = setup.numbers.index(2) if 2 in setup.numbers else -1
        self.room_10: float = playing["room"] / 10.0
        self.traits: list[CardNumbers] = [CardNumbers(kind, playing, ability) for kind in self.kinds]
        copies = setup.location_deck.count
        self.spots: list[PlaceNumbers] = [
            PlaceNumbers(number, copies(place), setup.capacity) for place, number in enumerate(setup.numbers)
        ]
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
        self.load_10: float = playing["load"] / 10.0
        self.gap_10: float = playing["ahead there"] / 10.0
        self.in_secret: float = playing["own in secret"]
        self.feint: float = playing["elsewhere first"]
        self.off_10: float = playing["elsewhere"]
        self.passes: list[float] = [passing[name] for name in PASSING]
        self.seat: Seat = 0
        self.own: int = 0
        self.ahead: float = 0.0  # in rating, as the table lies
        self.scale: float = 0.0
        self.variance: float = 0.0
        self.win: float = 0.0  # the chance of the game after this round is won,
        self.lose: float = 0.0  # after it is lost,
        self.lost: float = 0.0  # and the log-odds by points alone then
        self.cost: int = 0
        self.their_cost: float = 0.0
        self.laid: int = 0
        self.their_laid: int = 0
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

    # ---- beliefs --------------------------------------------------------------------------------

    def believe(self, s: FeintState, foe: Seat, seat: Seat) -> None:
        """Where the other's Location may be, for the seat."""
        card = s.scout[foe]
        if card and not card[0] & SEEN[seat]:
            suspected = self.suspicions(s, foe, seat)
            for place, spot in enumerate(self.spots):
                spot.likely = suspected[place]
            return
        for spot in self.spots:
            spot.likely = 0.0
        if card:
            self.spots[card[0] & KIND].likely = 1.0

    def suspicions(self, s: FeintState, owner: Seat, viewer: Seat) -> list[float]:
        """How likely an owner's Location is each of the places, to a viewer who has not seen it."""
        self.count(s, owner, viewer)
        drawn, met = self.drawn[s.passed >> owner & 1], self.met
        own = owner == self.seat
        found: list[float] = []
        total = 0.0
        for spot in self.spots:
            likely = 0.0
            if spot.left > 0:
                laid = spot.shown if own else spot.theirs
                answered = spot.theirs if own else spot.mine
                likely = spot.left * drawn[laid if laid < MOST else MOST - 1]
                likely = likely * met[answered if answered < MOST else MOST - 1] * spot.high
                total += likely
            found.append(likely)
        return [likely / total for likely in found] if total > 0.0 else found

    def count(self, s: FeintState, owner: Seat, viewer: Seat) -> None:
        """How many Location Cards of an owner are left of each kind, as far as the viewer knows."""
        for spot in self.spots:
            spot.left = spot.copies
        for card in s.used[owner]:
            if card & SEEN[viewer]:
                spot = self.spots[card & KIND]
                spot.left = spot.left - 1

    def odds(self, left: int, lead: int, mine: int, theirs: int) -> float:
        """Log-odds of winning the game with so many rounds left."""
        return self.lead[left][lead + self.last + 1] + MORALE * (mine - theirs)

    # ---- the round ------------------------------------------------------------------------------

    def survey(self, s: FeintState, seat: Seat) -> None:
        """What lies on the table, what Strength counts at each place for a seat, and how far it is ahead there."""
        n = self.places
        foe = OPPONENT[seat]
        traits, board = self.traits, s.board
        mine, theirs = SEEN[seat], SEEN[foe]
        self.seat = seat
        self.own = s.scout[seat][0] & KIND
        added = 0
        barred = 0
        cost: i64 = 0
        their_cost = 0.0
        laid: i64 = 0
        their_laid: i64 = 0
        for place in range(n):
            gap = 0.0
            strong: i64 = 0
            shown: i64 = 0
            for card in board[seat * n + place]:
                trait = traits[card & KIND]
                gap += trait.power
                strong += trait.strength
                shown += 3 if card & DOWN and not card & theirs else trait.strength
                cost += trait.morale
                laid += 1
                if trait.resolves:
                    kind = self.kinds[card & KIND]
                    added |= kind.adds(s)
                    barred |= kind.bars(place)
            seen: i64 = 0
            for card in board[foe * n + place]:
                their_laid += 1
                if card & DOWN and not card & mine:
                    gap -= DOWN_STRENGTH
                    seen += 3
                    their_cost += DOWN_MORALE
                    continue
                trait = traits[card & KIND]
                gap -= trait.power
                seen += trait.strength
                their_cost += float(int(trait.morale))
                if trait.resolves:
                    kind = self.kinds[card & KIND]
                    added |= kind.adds(s)
                    barred |= kind.bars(place)
            spot = self.spots[place]
            if self.setup.shifts:
                spot.capacity = s.capacity(place)
            spot.gap = gap
            spot.mine = strong
            spot.shown = shown
            spot.theirs = seen
        self.cost = int(cost)
        self.their_cost = their_cost
        self.laid = int(laid)
        self.their_laid = int(their_laid)
        self.added = added != 0
        self.believe(s, foe, seat)
        for place, spot in enumerate(self.spots):
            chance = 1.0 if place == self.own or added >> place & 1 else spot.likely
            spot.use = 0.0 if barred >> place & 1 else chance * spot.number

    def look(self, s: FeintState, seat: Seat) -> None:
        """Sum up the round for a seat, and its chances."""
        self.survey(s, seat)
        foe = OPPONENT[seat]
        own = self.own
        home = self.spots[own]
        ahead = 0.5 if s.first == seat else -0.5
        variance = 0.3
        top = 0.0
        for spot in self.spots:
            ahead += spot.use * spot.gap
            chance = spot.likely
            if chance > top:
                top = chance
            if spot is not home and chance > 0.0:
                swing = spot.number * spot.gap
                variance += chance * (1.0 - chance) * swing * swing
        still = variance
        strength: i64 = 0
        best: i64 = 0
        for card in s.hand[seat]:
            power = self.traits[card & KIND].strength
            strength += power
            if power > best:
                best = power
        foe_acts = not s.passed >> foe & 1
        own_room = home.capacity - s.load[own]
        more = float(min(own_room, int(strength))) if own_room > 0 else 0.0
        self.more = more
        self.mine = FILL * home.number * more
        variance += NOISE + SPREAD * home.number * home.number * 0.5 * more
        theirs = 0.0
        if foe_acts:
            reach = 3 * len(s.hand[foe])
            for place, spot in enumerate(self.spots):
                free = spot.capacity - s.load[place]
                if spot.likely > 0.0 and free > 0:
                    theirs += spot.likely * spot.number * min(free, reach)
            variance += 4.0 * theirs
            theirs *= FILL
        self.theirs = theirs
        cost = self.cost
        their_cost = self.their_cost
        bared = s.scout[seat][0] & SEEN[foe] != 0
        guessed = 1.0
        if not bared:
            suspected = self.suspicions(s, seat, foe)
            for place, spot in enumerate(self.spots):
                spot.guess = suspected[place]
            guessed = home.guess
        left = s.end - 1 - s.round
        lead = s.won.count(seat) - s.won.count(foe)
        row = self.lead[left]
        won = row[lead + 1 + self.last + 1]
        lost = row[lead - 1 + self.last + 1]
        morale = s.morale[seat]
        other = s.morale[foe]
        win = 1.0 if other <= their_cost else sigmoid(won + MORALE * (morale - other + their_cost))
        lose = 0.0 if morale <= cost else sigmoid(lost + MORALE * (morale - cost - other))
        scale = 1.7 / sqrt(variance)
        self.ahead = ahead
        self.variance = variance
        self.scale = scale
        self.win = win
        self.lose = lose
        self.lost = lost
        self.morale = morale
        self.other = other
        self.foe_acts = foe_acts
        p_now = sigmoid(1.7 * ahead / sqrt(still))
        p_on = sigmoid((ahead + self.mine - theirs) * scale)
        self.p_now = sigmoid((ahead - 1.3 * theirs) * scale) if foe_acts else p_now
        self.v_now = self.p_now * win + (1.0 - self.p_now) * lose
        self.pass_odds = self.passing(s, p_now, p_on, guessed, top, int(strength), int(best))
        self.weigh_places(s, foe_acts and not bared)

    def passing(
        self, s: FeintState, p_now: float, p_on: float, guessed: float, top: float, strength: int, best: int
    ) -> float:
        """How good it seems to pass: what speaks for it, in the order of `PASSING`."""
        seat = self.seat
        foe = OPPONENT[seat]
        home = self.spots[self.own]
        ahead, cost, their_cost, morale, other = self.ahead, self.cost, self.their_cost, self.morale, self.other
        left = s.end - 1 - s.round
        lead = s.won.count(seat) - s.won.count(foe)
        own_room = home.capacity - s.load[self.own]
        w = self.passes
        found = w[0]
        if not self.foe_acts:
            found += w[1]
        if s.first == seat:
            found += w[2]
        win, lose, v_now = self.win, self.lose, self.v_now
        found += w[3] * ahead / 20.0 + w[4] * p_now + w[5] * p_on + w[6] * win + w[7] * lose + w[8] * v_now
        found += w[9] * cost / 10.0 + w[10] * their_cost / 10.0 + w[11] * morale / 20.0 + w[12] * other / 20.0
        found += w[13] * left / 7.0 + w[14] * lead / 4.0 + w[15] * len(s.hand[seat]) / 7.0
        found += w[16] * len(s.hand[foe]) / 7.0 + w[17] * self.laid / 7.0 + w[18] * self.their_laid / 7.0
        found += w[19] * strength / 30.0 + w[20] * own_room / 10.0 + w[21] * home.number / 6.0 + w[22] * top
        if s.scout[seat][0] & SEEN[foe]:
            found += w[23]
        found += w[24] * guessed + w[25] * len(s.deck[seat]) / 40.0 + w[26] * len(s.deck[foe]) / 40.0
        if morale <= cost:
            found += w[27]
        if other <= their_cost:
            found += w[28]
        found += w[29] * home.use * min(best, max(0, own_room)) / 20.0 + w[30] * self.p_now
        return found

    def weigh_places(self, s: FeintState, secret: bool) -> None:
        """How good it seems to play to each place; `secret` while the other could still use what that betrays."""
        home = self.spots[self.own]
        for place, spot in enumerate(self.spots):
            load = s.load[place]
            here = self.load_10 * load + self.gap_10 * spot.gap
            here += self.room_10 * (spot.capacity - load)
            if spot is home:
                here += self.at_own + self.own_number * spot.number
                if secret:
                    here += self.in_secret
            else:
                chance = spot.likely
                here += (self.at_likely + self.likely_number * spot.number) * chance
                here += self.off_10 * (1.0 - chance)
                if self.laid == 0:
                    here += self.feint * (1.0 - chance)
            spot.here = here

    # ---- the actions ----------------------------------------------------------------------------

    def scores(self, s: FeintState) -> list[float]:
        """How good each of `s.actions` seems, which are plays and passing, after `look`."""
        traits, spots = self.traits, self.spots
        home = spots[self.own]
        ahead, mine, theirs, scale, win = self.ahead, self.mine, self.theirs, self.scale, self.win
        p_now, v_now, foe_acts = self.p_now, self.v_now, self.foe_acts
        spare = self.morale - self.cost
        last: i64 = -1
        trait = traits[0]
        risk = 0.0
        price_odds = 0.0
        out: list[float] = []
        for action in s.actions:
            if action == PASS:
                out.append(self.pass_odds)
                continue
            code: i64 = action - CARD
            number: i64 = code // SLOTS
            if number != last:  # what the places of a kind have in common
                last = number
                trait = traits[number]
                price = trait.price
                if price == 0:
                    risk = self.lose
                    price_odds = 0.0
                elif spare > price:
                    risk = sigmoid(self.lost + MORALE * (self.morale - self.cost - price - self.other))
                    price_odds = self.share * price / spare
                else:
                    risk = 0.0
                    price_odds = self.fatal + self.share
            at: i64 = code - number * SLOTS - 1
            found = trait.known
            after = ahead
            if at < 0:
                gain = 0.25 * home.use * trait.power
                found += self.announced
                after += gain
                if foe_acts:
                    after = after + mine - theirs
            else:
                spot = spots[at]
                gain = spot.use * trait.power
                if trait.special:
                    gain = self.special(s, trait, last, at, gain)
                found += spot.here - trait.tight
                after += gain
                if foe_acts:
                    after = after + mine - theirs
                    if spot is home:
                        after -= FILL * spot.number * min(self.more, trait.power)
            if not foe_acts:
                found += self.gain_last * gain
            p = sigmoid(after * scale)
            value = p * win + (1.0 - p) * risk - v_now
            found += self.gain_20 * gain + self.chance * p + self.better * (p - p_now) + self.worth * value
            out.append(found + price_odds)
        return out

    def special(self, s: FeintState, trait: CardNumbers, number: i64, at: i64, gain: float) -> float:
        """The gain of playing a kind to a place, where an ability changes it."""
        special = trait.special
        spot = self.spots[at]
        if special == PUNISHER:
            return -spot.use * spot.gap
        if special == DRAGOON:
            if not self.added and self.two >= 0:
                two = self.spots[self.two]
                return gain + (2.0 - two.use) * two.gap
        elif special == GANGAN:
            return gain + self.gathered(s, self.kinds[number], int(at))
        elif special == BOMB:
            return self.bombed(s, int(at))
        return gain

    def gathered(self, s: FeintState, kind: Kind, at: int) -> float:
        """The rating that a gang brings which comes to a place from the others."""
        gain = 0.0
        for place in range(self.places):
            if place != at:
                for card in s.board[self.seat * self.places + place]:
                    moved = self.kinds[card & KIND]
                    if not moved.protected and (moved.faction == kind.faction if s.setup.whole_gang else moved.gang):
                        gain += (self.spots[at].use - self.spots[place].use) * moved.strength
        return gain

    def bombed(self, s: FeintState, at: int) -> float:
        """The rating that the best card which can be bombed at a place counts."""
        best = 0.0
        for card in s.board[OPPONENT[self.seat] * self.places + at]:
            if card & DOWN and not card & SEEN[self.seat]:
                best = max(best, DOWN_STRENGTH)
            elif not self.kinds[card & KIND].protected:
                best = max(best, float(self.kinds[card & KIND].strength))
        return self.spots[at].use * best


def sigmoid(x: float) -> float:
    """Log-odds as a chance."""
    if x < -30.0:
        return 0.0
    return 1.0 / (1.0 + exp(-x))
