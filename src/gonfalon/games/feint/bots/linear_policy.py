"""A fast policy for Feint: log-odds of each action, linear in the numbers of a round.

The weights (`linear_policy.json`) were learned by policy gradients in games against itself and an earlier rule of
thumb. The trained network adds to these log-odds, so it must be retrained when they change.
"""

from __future__ import annotations

from typing import Final, final

from mypy_extensions import i64

from gonfalon.core.basics.cards import KIND, SEEN
from gonfalon.core.rules.state import Seat
from gonfalon.games.feint.bots.round_outlook import DOWN_STRENGTH, FILL, MORALE, CardNumbers, RoundOutlook, sigmoid
from gonfalon.games.feint.rules.actions import CARD, PASS, SLOTS
from gonfalon.games.feint.rules.cards import Kind
from gonfalon.games.feint.rules.state import DOWN, OPPONENT, FeintState, Setup

FIRE_COST: Final = 2  # Morale that a Master of Fire costs at once
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
"""Abilities whose effect on the round is computed."""


@final
class LinearPolicy(RoundOutlook):
    """A policy that scores the actions of the seat of the last `look`."""

    def __init__(self, setup: Setup, weights: dict[str, dict[str, float]]) -> None:
        super().__init__(setup)
        self.passing: dict[str, float] = weights["pass"]
        self.playing: dict[str, float] = weights["play"]
        ability = weights["ability"]
        for number, kind in enumerate(self.kinds):
            self.weigh_card(self.cards[number], kind, ability.get(kind.ability, ability[""]))
        # -1 is a box without Location 2, where a Dragoon adds no battle.
        self.two: int = setup.numbers.index(2) if 2 in setup.numbers else -1
        self.gain_20: float = self.playing["gain"] / 20.0
        self.gain_last: float = self.playing["gain, the other has passed"] / 20.0
        self.chance: float = self.playing["chance of the round"]
        self.better: float = self.playing["chance more than now"]
        self.worth: float = 10.0 * self.playing["chance of the game more than now"]
        self.share: float = self.playing["price as a share"]
        self.pass_odds: float = 0.0

    def weigh_card(self, card: CardNumbers, kind: Kind, ability: float) -> None:
        """Compute the part of the log-odds of a play that depends on the kind alone."""
        w = self.playing
        card.special = SPECIAL.get(kind.ability, 0)
        # A Bomb Tower is discarded at once, so a lost round does not charge its Morale.
        card.price = 0 if card.special == BOMB else kind.morale + (FIRE_COST if card.special == FIRE else 0)
        card.tight = w["room"] / 10.0 * kind.weight
        card.known = w["any"] + w["strength"] * kind.strength / 7.0 + w["price"] * card.price / 4.0
        card.known += w["weight"] * kind.weight / 7.0
        if kind.face_down:
            card.known += w["face down"]
        if kind.protected:
            card.known += w["protected"]
        card.known += ability

    def look(self, s: FeintState, seat: Seat) -> None:
        super().look(s, seat)
        self.pass_odds = self.score_passing(s, OPPONENT[seat])
        self.weigh_places(s)

    def score_passing(self, s: FeintState, foe: Seat) -> float:
        """Return the log-odds of passing."""
        seat = self.seat
        home = self.places[self.own]
        room = home.capacity - s.load[self.own]
        w = self.passing
        found = w["any"]
        if not self.foe_acts:
            found += w["the other has passed"]
        if s.first == seat:
            found += w["I start"]
        found += w["ahead"] * self.ahead / 20.0 + w["chance as it lies"] * self.p_still
        found += w["chance if both go on"] * self.p_on + w["chance now"] * self.p_now
        found += w["game if won"] * self.win + w["game if lost"] * self.lose + w["game now"] * self.v_now
        found += w["my price"] * self.cost / 10.0 + w["their price"] * self.their_cost / 10.0
        found += w["my Morale"] * self.morale / 20.0 + w["their Morale"] * self.other / 20.0
        found += w["rounds left"] * (s.end - 1 - s.round) / 7.0
        found += w["lead"] * (s.won.count(seat) - s.won.count(foe)) / 4.0
        found += w["my hand"] * len(s.hand[seat]) / 7.0 + w["their hand"] * len(s.hand[foe]) / 7.0
        found += w["my cards laid"] * self.laid / 7.0 + w["their cards laid"] * self.their_laid / 7.0
        found += w["Strength in hand"] * self.strength / 30.0 + w["room"] * room / 10.0
        found += w["number of my Location"] * home.number / 6.0
        found += w["how sure of theirs"] * max([place.likely for place in self.places])
        found += w["how sure they are of mine"] * self.guessed
        found += w["my draw pile"] * len(s.deck[seat]) / 40.0 + w["their draw pile"] * len(s.deck[foe]) / 40.0
        found += w["my best card there"] * home.use * min(self.best, max(0, room)) / 20.0
        if self.bared:
            found += w["mine is open"]
        if self.morale <= self.cost:
            found += w["I could lose the game"]
        if self.other <= self.their_cost:
            found += w["they could lose the game"]
        return found

    def weigh_places(self, s: FeintState) -> None:
        """Compute the part of the log-odds of a play that depends on the place alone."""
        w = self.playing
        for at, place in enumerate(self.places):
            load = s.load[at]
            here = w["load"] / 10.0 * load + w["ahead there"] / 10.0 * place.gap
            here += w["room"] / 10.0 * (place.capacity - load)
            if at == self.own:
                here += w["own"] + w["own by number"] / 6.0 * place.number
                if self.foe_acts and not self.bared:
                    here += w["own in secret"]
            else:
                here += (w["likely theirs"] + w["likely theirs by number"] / 6.0 * place.number) * place.likely
                here += w["elsewhere"] * (1.0 - place.likely)
                if self.laid == 0:
                    here += w["elsewhere first"] * (1.0 - place.likely)
            place.here = here

    # ---- the actions ----------------------------------------------------------------------------

    def scores(self, s: FeintState) -> list[float]:
        """Return the log-odds of `s.actions`, which are plays and passing, after `look`."""
        places = self.places
        home = places[self.own]
        scale, win, foe_acts = self.scale, self.win, self.foe_acts
        later = self.ahead + self.mine - self.theirs if foe_acts else self.ahead
        last: i64 = -1
        card = self.cards[0]
        risk = 0.0
        price_odds = 0.0
        out: list[float] = []
        for action in s.actions:
            if action == PASS:
                out.append(self.pass_odds)
                continue
            code: i64 = action - CARD
            number: i64 = code // SLOTS
            if number != last:  # a kind costs the same everywhere
                last = number
                card = self.cards[number]
                risk, price_odds = self.weigh_price(card.price)
            at: i64 = code - number * SLOTS - 1
            found = card.known
            after = later
            if at < 0:
                # The opponent chooses the Location of an announced card, so most of its gain is lost.
                gain = 0.25 * home.use * card.power
                found += self.playing["announced"]
            else:
                place = places[at]
                gain = place.use * card.power
                if card.special:
                    gain = self.gain_of_ability(s, card, last, at, gain)
                found += place.here - card.tight
                if foe_acts and place is home:
                    # The card uses room that `mine` has already counted as filled.
                    after -= FILL * place.number * min(self.more, card.power)
            after += gain
            if not foe_acts:
                found += self.gain_last * gain
            p = sigmoid(after * scale)
            value = p * win + (1.0 - p) * risk - self.v_now
            found += self.gain_20 * gain + self.chance * p + self.better * (p - self.p_now) + self.worth * value
            out.append(found + price_odds)
        return out

    def weigh_price(self, price: int) -> tuple[float, float]:
        """Return the effect of a card's price.

        Args:
            price: Morale that the card costs if the round is lost.

        Returns:
            The chance to win the game after losing the round with the card, and the part of its log-odds.
        """
        spare = self.morale - self.cost
        if price == 0:
            return self.lose, 0.0
        if spare <= price:
            return 0.0, self.playing["could lose the game"] + self.share
        return sigmoid(self.lost + MORALE * (spare - price - self.other)), self.share * price / spare

    def gain_of_ability(self, s: FeintState, card: CardNumbers, number: i64, at: i64, gain: float) -> float:
        """Return the rating gained by a card at a place, with the effect of its ability."""
        place = self.places[at]
        if card.special == PUNISHER:
            return -place.use * place.gap
        if card.special == DRAGOON:
            if not self.added and self.two >= 0:
                two = self.places[self.two]
                return gain + (2.0 - two.use) * two.gap
        elif card.special == GANGAN:
            return gain + self.gather(s, self.kinds[number], int(at))
        elif card.special == BOMB:
            return self.bomb(s, int(at))
        return gain

    def gather(self, s: FeintState, kind: Kind, at: int) -> float:
        """Return the rating gained when the gang moves to a place."""
        gain = 0.0
        for place in range(len(self.places)):
            if place != at:
                for card in s.board[self.seat * len(self.places) + place]:
                    moved = self.kinds[card & KIND]
                    if not moved.protected and (moved.faction == kind.faction if s.setup.whole_gang else moved.gang):
                        gain += (self.places[at].use - self.places[place].use) * moved.strength
        return gain

    def bomb(self, s: FeintState, at: int) -> float:
        """Return the rating of the best card that can be bombed at a place."""
        best = 0.0
        for card in s.board[OPPONENT[self.seat] * len(self.places) + at]:
            # A world contains the card, but the policy must not use cards that the seat has not seen.
            if card & DOWN and not card & SEEN[self.seat]:
                best = max(best, DOWN_STRENGTH)
            elif not self.kinds[card & KIND].protected:
                best = max(best, float(self.kinds[card & KIND].strength))
        return self.places[at].use * best
