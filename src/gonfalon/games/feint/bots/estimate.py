"""What a seat of Feint expects of a round, from its view: where the other's Location may be, and what the game is
worth after each card that it could play. For the rule of thumb."""

from __future__ import annotations

from math import exp, log, sqrt
from typing import Final

from gonfalon.core.basics.cards import HIDDEN, KIND
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.state import Action, Card, Seat
from gonfalon.games.feint.bots.round_summary import FILL, NOISE, SPREAD, TRUST, DeckFacts, RoundSummary, odds
from gonfalon.games.feint.rules.actions import CARD, SLOTS
from gonfalon.games.feint.rules.cards import Kind
from gonfalon.games.feint.rules.state import DOWN, OPPONENT, FeintState

# Fitted by matches between versions of this player.
# What it believes of the Locations:
SHARPNESS: Final = 1.5  # how strongly laid Strength betrays a Location
TILT: Final = 2.0  # how much stronger a face-down card is at its owner's Location
# What is still to come in a round, as shares of the room at a place:
GUESS: Final = 0.55  # by a seat at a place that it thinks the other's
SHARED: Final = 0.4  # by each where both Locations are the same
ELSEWHERE: Final = 0.3  # at a place that a Dragoon adds
CHASE: Final = 0.75  # by the other seat when this one has passed
GANG: Final = 0.4  # of the Strength that a Gangan Bit may gather
TOWERS: Final = 0.8  # of the Towers that may be built at the own Location
SEEK: Final = 0.4  # of those that may be built at the other's
RAISE: Final = 0.4  # of the Engineers that there is room for
LEAST: Final = 0.01  # of a variance, which Engineers that come from no hand would bring below nothing
# What a game is worth:
ROUND_WEIGHT: Final = 0.85  # how much of the odds by victory points alone to believe
MORALE_WEIGHT: Final = 1.6  # log-odds of having e times the other's Morale
MORALE_FLOOR: Final = 3.0
CARD_VALUE: Final = 0.004  # of a card kept, as a chance to win the game
SCARCE: Final = 0.012  # more of it when the draw pile runs dry
PLAYS: Final = 4.5  # cards that a round to come will need
SECRET: Final = 0.010  # of not laying a card at the own Location while the other seat can answer
BLUFF: Final = 6  # one round in so many begins with a bluff
CAUTION: Final = 4.0  # how many times more the secret counts then
# With fewer ideas:
READS: Final = 3  # the skill that reads and counts
DULL: Final = 0.6  # how strongly laid Strength betrays a Location to it
FULL: Final = 4  # the skill that has all ideas
PLAIN_COST: Final = 0.012  # of a point of Morale at risk, for who weighs no round against another
FEARED: Final = 0.5  # more when it is all the Morale there is
ENGINEERS: Final = 4  # where a place holds so much Strength, Engineers come no more (ruling 72)


class RoundEstimate:
    """One view being looked at; `look` comes first."""

    def __init__(self, facts: DeckFacts, skill: int, view: FeintState, rng: Rng) -> None:
        self.facts: DeckFacts = facts
        self.skill: int = skill
        self.s: FeintState = view
        self.rng: Rng = rng
        self.me: Seat = view.viewer
        self.foe: Seat = OPPONENT[view.viewer]
        self.legal: list[Action] = view.legal(view.viewer)
        self.numbers: list[int] = view.setup.numbers
        self.first: float = 0.5 if view.first == self.me else -0.5
        self.rounds_left: int = view.end - 1 - view.round
        lead = view.won.count(self.me) - view.won.count(self.foe)
        self.if_won: float = ROUND_WEIGHT * odds(lead + 1, self.rounds_left)
        self.if_lost: float = ROUND_WEIGHT * odds(lead - 1, self.rounds_left)
        self.p: float = 0.0
        self.stake: float = 0.0
        self.belief: list[tuple[int, float]] = []  # where the other's Location may be, once `look` was there

    # ---- reading the table ----------------------------------------------------------------------

    def look(self) -> None:
        """Sum up the round as it stands, and believe something of the other Location."""
        s, me, foe = self.s, self.me, self.foe
        down: list[int] = []
        k = self.summed_up(down)
        self.now: RoundSummary = k
        self.foe_passed: bool = bool(s.passed >> foe & 1)
        self.i_passed: bool = bool(s.passed >> me & 1)
        self.own: int = s.scout[me][0] & KIND
        self.belief = self.believe(foe, k.theirs)
        guessed = dict(self.believe(me, k.mine))
        self.guessed: float = guessed.get(self.own, 0.0)
        open_card = bool(s.scout[me][0] >> (10 + foe) & 1)
        if open_card:
            self.guessed = 1.0
        self.secret: float = 0.0
        if self.skill == FULL and not open_card and not self.foe_passed:
            self.secret = SECRET * (1.0 - self.guessed)
        if self.secret and not any(k.mine) and self.rng.below(BLUFF) == 0:
            self.secret *= CAUTION
        self.likely: list[float] = [0.0] * s.places
        for place, weight in self.belief:
            self.likely[place] = weight
        for place in down:  # the strong ones lie where the battle is
            k.theirs[place] += TILT * (self.likely[place] - 1.0 / s.places)
        need = PLAYS * self.rounds_left
        have = len(s.deck[me]) + len(s.hand[me])
        self.card: float = 0.0
        if self.rounds_left:
            self.card = CARD_VALUE + SCARCE * max(0.0, min(1.0, (need - have) / need))

    def summed_up(self, down: list[int]) -> RoundSummary:
        """The round as it lies; the places of face-down cards that are not known are added to `down`."""
        s, me, foe = self.s, self.me, self.foe
        kinds = s.kinds
        n = s.places
        k = RoundSummary([0.0] * n, [0.0] * n, [0.0] * n, s.load[:])
        k.capacity = [s.capacity(place) for place in range(n)]
        self.doubt: list[float] = [0.0] * n
        for place in range(n):
            for card in s.board[me * n + place]:
                kind = kinds[card & KIND]
                k.mine[place] += kind.strength
                k.cost += kind.morale
                if kind.resolves:
                    self.note(k, kind.id, place, True)
            for card in s.board[foe * n + place]:
                if card & KIND == HIDDEN:
                    down.append(place)
                    continue
                kind = kinds[card & KIND]
                k.theirs[place] += kind.strength
                k.their_cost += kind.morale
                if kind.resolves:
                    self.note(k, kind.id, place, False)
        gatherer = self.facts.gatherer[me]
        if gatherer is not None:
            k.gatherers = sum(1 for card in s.hand[me] if card & KIND == gatherer.id)
            k.gang = [self.gang(place, gatherer) for place in range(n)]
        if down:
            strength, price, variance = self.covert()
            for place in down:
                k.theirs[place] += strength
                k.their_cost += price
                self.doubt[place] += variance
        k.morale = float(s.morale[me])
        k.their_morale = float(s.morale[foe])
        self.hold_hands(k)
        return k

    def hold_hands(self, k: RoundSummary) -> None:
        """What both hands let one expect."""
        s, me, foe = self.s, self.me, self.foe
        kinds = s.kinds
        hand = [kinds[card & KIND] for card in s.hand[me]]
        for kind in hand:
            self.facts.hold(k, kind, 1.0)
        if self.facts.tower_share[me] or self.facts.tower_share[foe]:
            for place in range(s.places):
                engineers, towers = s.works(place)
                k.slots.append(engineers - towers)
            k.towers = sorted((kind.strength for kind in hand if kind.tower), reverse=True)
        k.their_hand = float(len(s.hand[foe]))

    def note(self, k: RoundSummary, kind: int, place: int, mine: bool) -> None:
        """A card with an ability of the Resolution phase lies at a place."""
        ability = self.s.kinds[kind].ability
        if ability == "dragoon":
            k.added = True
        elif ability == "punisher":
            k.barred |= 1 << place
        elif ability == "master-of-earth":
            spare = 0.7 * max(0, k.capacity[place] - k.load[place])
            if mine:
                k.gain += spare
            else:
                k.their_morale += spare

    def covert(self) -> tuple[float, float, float]:
        """Mean Strength, mean Morale and variance of a face-down card of the other seat."""
        s = self.s
        left: dict[int, int] = {}
        for kind in s.setup.decks[self.foe]:
            if s.kinds[kind].face_down:
                left[kind] = left.get(kind, 0) + 1
        for card in s.discard[self.foe]:
            if card & KIND in left:
                left[card & KIND] -= 1
        count = sum(left.values())
        if count <= 0:
            return 3.0, 1.0, 2.0
        strength = sum(s.kinds[kind].strength * c for kind, c in left.items()) / count
        price = sum(s.kinds[kind].morale * c for kind, c in left.items()) / count
        variance = sum((s.kinds[kind].strength - strength) ** 2 * c for kind, c in left.items()) / count
        return strength, price, variance

    def believe(self, seat: Seat, laid: list[float]) -> list[tuple[int, float]]:
        """Where a seat's Location may be, for somebody who sees the table only."""
        s = self.s
        if seat == self.foe:
            card = s.scout[seat][0] & KIND
            if card != HIDDEN:
                return [(card, 1.0)]
        left = [0] * s.places
        for place in s.setup.location_deck:
            left[place] += 1
        sharpness = 0.0
        if self.skill >= READS:
            sharpness = SHARPNESS if self.skill == FULL else DULL
            for used in s.used[seat]:
                if used & KIND != HIDDEN:
                    left[used & KIND] -= 1
        found = [
            (place, left[place] * (TRUST + laid[place]) ** sharpness) for place in range(s.places) if left[place] > 0
        ]
        total = sum(weight for _, weight in found)
        return [(place, weight / total) for place, weight in found]

    # ---- what a summary is worth -----------------------------------------------------------------

    def judge(self, k: RoundSummary, stop: bool) -> float:
        """The chance to win the game; `self.p` is the chance to win the round, and `self.stake` how much more the game
        is worth when it is won. With `stop` this seat
        plays no more cards in it."""
        numbers = self.numbers
        own = self.own
        i_act = self.skill > 1 and not stop and not self.i_passed
        foe_acts = self.skill > 1 and not self.foe_passed
        mine, theirs, load, capacity = k.mine, k.theirs, k.load, k.capacity
        reach, crew = k.reach, k.crew
        count = k.their_hand
        their_reach = self.facts.reach[self.foe]
        their_crew = count * self.facts.crew[self.foe]
        gather = i_act and k.gatherers > 0
        gathered = sum(k.gang) if gather else 0.0
        base = 0.2 if self.foe_passed and (stop or self.i_passed) else NOISE
        chase = FILL if i_act else CHASE
        p_win = 0.0
        added = 1 << numbers.index(2) if k.added and 2 in numbers else 0
        places = len(numbers)
        for q, weight in self.belief:
            x = self.first
            variance = base
            battles = 1 << own | 1 << q | added
            for p in range(places):
                if not battles & ~k.barred & 1 << p:
                    continue
                number = numbers[p]
                x += number * (mine[p] - theirs[p])
                variance += number * number * (self.doubt[p] + 0.01)
                room = capacity[p] - load[p]
                if room > 0:
                    if p == own:
                        a, b = (SHARED, SHARED) if p == q else (FILL, GUESS * self.guessed)
                    elif p == q:
                        a, b = GUESS * weight, chase
                    else:
                        a, b = ELSEWHERE, ELSEWHERE
                    get = lose = 0.0
                    narrow = ENGINEERS - load[p]
                    if i_act:
                        get = max(0.0, reach[p])
                        if crew > 0.0 and narrow > 0:
                            get += min(narrow, crew)
                        get = a * min(room, get)
                    if foe_acts:
                        lose = count * their_reach[p]
                        if their_crew and narrow > 0:
                            lose += min(narrow, their_crew)
                        lose = b * min(room, lose)
                    x += number * (get - lose)
                    variance += number * number * SPREAD * (get + lose)
                if gather and p == own and load[p] + 2 <= capacity[p]:
                    x += number * GANG * (gathered - k.gang[p])
                if k.slots:
                    get = self.my_towers(k, p, weight) if i_act and k.towers else 0.0
                    lose = self.their_towers(k, p, p == q, their_crew) if foe_acts else 0.0
                    x += number * (get - lose)
                    variance += number * number * SPREAD * (get + lose)
            p_win += weight / (1.0 + exp(max(-40.0, min(40.0, -1.7 * x / sqrt(max(LEAST, variance))))))
        self.p = p_win
        if self.skill == 1:
            self.stake = 1.0
            return p_win - (1.0 - p_win) * (PLAIN_COST * k.cost + (FEARED if k.cost >= k.morale else 0.0)) + k.bonus
        morale = k.morale + k.gain
        lost = self.odds(self.if_lost, morale - k.cost, k.their_morale)
        won = self.odds(self.if_won, morale, k.their_morale - k.their_cost)
        self.stake = won - lost
        return p_win * won + (1.0 - p_win) * lost + k.bonus

    def my_towers(self, k: RoundSummary, place: int, weight: float) -> float:
        """The Strength of the Towers that this seat may still build at a place."""
        sites = max(0, k.slots[place]) + RAISE * min(k.crew, max(0, ENGINEERS - k.load[place])) / 2.0
        likely = TOWERS if place == self.own else SEEK + (TOWERS - SEEK) * weight
        return min(sites, len(k.towers)) * sum(k.towers) / len(k.towers) * likely

    def their_towers(self, k: RoundSummary, place: int, theirs: bool, crew: float) -> float:
        """And the other seat at a place, which may be that of its Location."""
        towers = k.their_hand * self.facts.tower_share[self.foe]
        sites = max(0, k.slots[place]) + RAISE * min(crew, max(0, ENGINEERS - k.load[place])) / 2.0
        likely = TOWERS if theirs else SEEK + (TOWERS - SEEK) * self.guessed
        return min(sites, towers) * self.facts.tower_mean[self.foe] * likely

    def odds(self, score: float, morale: float, their_morale: float) -> float:
        """The chance to win the game from the victory points' odds and both Morales."""
        if morale <= 0.0:
            return 0.0
        if their_morale <= 0.0:
            return 1.0
        score += MORALE_WEIGHT * log((morale + MORALE_FLOOR) / (their_morale + MORALE_FLOOR))
        return 1.0 / (1.0 + exp(-score))

    # ---- playing cards --------------------------------------------------------------------------

    def lay(self, before: RoundSummary, kind: Kind, place: int) -> RoundSummary:
        """The round after this seat plays a card to a place."""
        k = before.copy()
        k.mine[place] += kind.strength
        k.load[place] += kind.weight
        k.cost += kind.morale
        k.bonus -= self.card
        if kind.tower:
            k.towers = k.towers[:]
            if kind.strength in k.towers:
                k.towers.remove(kind.strength)
            k.slots[place] -= 1
        else:
            self.facts.hold(k, kind, -1.0)
            if kind.engineer and k.slots:
                k.slots[place] += 1
        if place == self.own:
            k.bonus -= self.secret
        if kind.ability:
            self.act(k, kind, place)
        return k

    def act(self, k: RoundSummary, kind: Kind, place: int) -> None:
        """What the played card's ability changes in the summary."""
        ability = kind.ability
        if kind.resolves:
            self.note(k, kind.id, place, True)
        elif ability == "master-of-fire":
            k.morale -= 2
        elif ability == "conjurer":
            self.conjure(k)
        elif ability == "good-for-something":
            self.draw(k)
            k.bonus += self.card
        elif ability == "gangan":
            self.gather(k, kind, place)
        elif ability == "trojan":
            self.fetch(k)
        elif ability == "assassin":
            if k.their_hand >= 1:
                k.their_hand -= 1
                k.bonus += 0.008 if self.rounds_left else 0.0
        elif ability == "bomb-tower":
            self.bomb(k, kind, place)
        elif kind.shift:
            k.capacity = k.capacity[:]
            k.capacity[place] += kind.shift
        else:
            k.bonus += self.besides(ability, place)

    def besides(self, ability: str, place: int) -> float:
        """What the played card's ability is worth where that does not show in the round."""
        s, me = self.s, self.me
        if ability == "patriot":
            return -2.0 * self.secret
        if ability == "medic":
            return min(3, len(s.discard[me])) * self.card * 0.6
        if not self.rounds_left:
            return 0.0
        if ability == "guardian-angel":
            ahead = s.pile[me][-1] & KIND if s.pile[me] else HIDDEN
            again = 0.3 if ahead == HIDDEN else float(ahead == place)
            return 0.006 * again * self.numbers[place]
        return 0.006 if ability == "explorer" else 0.003 if ability == "saboteur" else 0.0

    def conjure(self, k: RoundSummary) -> None:
        """The best discard may be played anywhere."""
        best = 0.0
        for card in self.s.discard[self.me]:
            best = max(best, float(self.s.kinds[card & KIND].strength))
        for place in range(self.s.places):
            k.reach[place] += best
        k.bonus += self.card

    def draw(self, k: RoundSummary) -> None:
        """A card more in hand, whichever."""
        for place, strength in enumerate(self.facts.reach[self.me]):
            k.reach[place] += strength
        k.crew += self.facts.crew[self.me]

    def gang(self, place: int, gatherer: Kind) -> float:
        """The Strength of my cards at a place that a Gangan Bit would gather."""
        s = self.s
        total = 0.0
        for card in s.at(self.me, place):
            kind = s.kinds[card & KIND]
            if not kind.protected and (kind.faction == gatherer.faction if s.setup.whole_gang else kind.gang):
                total += kind.strength
        return total

    def gather(self, k: RoundSummary, kind: Kind, place: int) -> None:
        """A Gangan Bit comes, and the gang with it."""
        k.gatherers -= 1
        for other in range(self.s.places):
            moved = self.gang(other, kind) if other != place else 0.0
            if moved:
                k.mine[other] -= moved
                k.load[other] -= int(moved)
                k.mine[place] += moved
                k.load[place] += int(moved)
                k.gang[place] += moved
                k.gang[other] -= moved
        k.gang[place] += kind.strength

    def fetch(self, k: RoundSummary) -> None:
        """Take back the card that helps least."""
        s = self.s
        best = -1.0
        found: tuple[int, Kind] | None = None
        for place in range(s.places):
            use = self.use(place)
            for card in s.at(self.me, place):
                kind = s.kinds[card & KIND]
                if not kind.protected:
                    gain = kind.morale * 2.0 - use * kind.strength + 2.0
                    if found is None or gain > best:
                        best, found = gain, (place, kind)
        if found is not None:
            place, kind = found
            k.mine[place] -= kind.strength
            k.load[place] -= s.burden(kind.id)
            k.cost -= kind.morale
            k.bonus += self.card
            self.draw(k)

    def bomb(self, k: RoundSummary, kind: Kind, place: int) -> None:
        """The best enemy card at the place goes, and the tower itself."""
        s = self.s
        k.mine[place] -= kind.strength
        k.load[place] -= kind.weight
        k.cost -= kind.morale
        best = 0.0
        hit: Card = -1
        for card in s.at(self.foe, place):
            if card & KIND == HIDDEN:
                value = self.now.theirs[place] / max(1, len(s.at(self.foe, place)))
            elif s.kinds[card & KIND].protected:
                continue
            else:
                value = float(s.kinds[card & KIND].strength)
            if value > best:
                best, hit = value, card
        if hit >= 0:
            k.theirs[place] -= best
            k.slots[place] += 1  # the tower itself goes
            k.load[place] -= 3 if hit & DOWN else s.kinds[hit & KIND].strength
            k.bonus += 0.004

    def use(self, place: int) -> float:
        """How much Strength at a place counts, by what is known of the battles."""
        return self.numbers[place] * (1.0 if place == self.own else self.likely[place])

    def after(self, before: RoundSummary, action: Action, stop: bool) -> tuple[float, RoundSummary]:
        """The worth of playing a card, and the summary then."""
        number, slot = divmod(action - CARD, SLOTS)
        kind = self.s.kinds[number]
        if slot:
            k = self.lay(before, kind, slot - 1)
            return self.judge(k, stop), k
        # Announced: the other seat chooses the Location, most likely where it helps least.
        values: list[tuple[float, float, RoundSummary]] = []
        for place in range(self.s.places):
            if kind.fits(self.s, place):
                k = self.lay(before, kind, place)
                values.append((self.judge(k, stop), self.p, k))
        values.sort(key=first_of)
        worst = values[0]
        mean = sum(value for value, _, _ in values) / len(values)
        self.p = worst[1]
        return 0.7 * worst[0] + 0.3 * mean, worst[2]


def first_of(entry: tuple[float, float, RoundSummary]) -> float:
    """To sort by worth."""
    return entry[0]
