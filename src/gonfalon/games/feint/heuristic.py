"""A rule-of-thumb player of Feint, from one seat's view.

It knows its own Location, spreads belief over the Location Cards the other seat has left (more of it
where that seat has laid Strength), and sketches how the round would end after each legal action: the
chance to win it, the Morale the loser pays, and what both are worth for the game. Passing is an
action like the others, so it stops when the round is won or lost and more cards would only be at
risk. It does not search.

With less `skill` it has fewer of these ideas. With 3 it neither bluffs nor chains cards, and reads little
from where the other lays. With 2 it reads nothing from it, forgets which Location Cards are gone, and
does not change cards at the Reinforcement. With 1 it also looks no further than the table as it lies, and
does not weigh one round against the next.
"""

from __future__ import annotations

from math import exp, log, sqrt
from typing import TYPE_CHECKING, Any, Final

from gonfalon.core.cards import HIDDEN, KIND
from gonfalon.core.rng import Rng
from gonfalon.core.state import Action, Card, Seat, State
from gonfalon.games.feint.actions import CARD, DONE, OWN, PASS, PLACE, SLOTS, SPOT, SPOTS
from gonfalon.games.feint.state import DOWN, OPPONENT, FeintState

if TYPE_CHECKING:
    from gonfalon.games.feint.game import Feint
    from gonfalon.games.feint.kinds import Kind

# Fitted by matches between versions of this player.
# What it believes of the Locations:
TRUST: Final = 3.5  # Strength that a place seems to have before a card lies there; less: quicker to infer
SHARPNESS: Final = 1.5  # how strongly laid Strength betrays a Location
TILT: Final = 2.0  # how much stronger a face-down card is at its owner's Location
# What is still to come in a round, as shares of the room at a place:
FILL: Final = 0.55  # by a seat at its own Location
GUESS: Final = 0.55  # by a seat at a place that it thinks the other's
SHARED: Final = 0.4  # by each where both Locations are the same
ELSEWHERE: Final = 0.3  # at a place that a Dragoon adds
CHASE: Final = 0.75  # by the other seat when this one has passed
GANG: Final = 0.4  # of the Strength that a Gangan Bit may gather
TOWERS: Final = 0.8  # of the Towers that may be built at the own Location
SEEK: Final = 0.4  # of those that may be built at the other's
RAISE: Final = 0.4  # of the Engineers that there is room for
NOISE: Final = 4.0  # variance of a round that goes on
SPREAD: Final = 2.0  # variance that a point of Strength still to come brings
# What a game is worth:
ROUND_WEIGHT: Final = 0.85  # how much of the odds by victory points alone to believe
MORALE_WEIGHT: Final = 1.6  # log-odds of having e times the other's Morale
MORALE_FLOOR: Final = 3.0
CARD_VALUE: Final = 0.004  # of a card kept, as a chance to win the game
SCARCE: Final = 0.012  # more of it when the draw pile runs dry
SECRET: Final = 0.010  # of not laying a card at the own Location while the other seat can answer
BLUFF: Final = 6  # one round in so many begins with a bluff
CAUTION: Final = 4.0  # how many times more the secret counts then
# With fewer ideas:
READS: Final = 3  # the skill that reads and counts
DULL: Final = 0.6  # how strongly laid Strength betrays a Location to it
FULL: Final = 4  # the skill that has all ideas
PLAIN_COST: Final = 0.012  # of a point of Morale at risk, for who weighs no round against another
FEARED: Final = 0.5  # more when it is all the Morale there is
# At the Reinforcement:
PLAYS: Final = 4.5  # cards that a round to come will need
KEEP: Final = -0.3  # how much better than the mean a card must be to be kept
IDLE: Final = 1.0  # how much worse a Tower is for each one that lacks its Engineer

ENGINEERS: Final = 4  # where a place holds so much Strength, Engineers come no more (ruling 72)
LIKELY: Final = 0.97  # a round that is as good as won


class Sketch:
    """A round in numbers, as one seat sees it."""

    __slots__ = (
        "mine",
        "theirs",
        "load",
        "cost",
        "their_cost",
        "morale",
        "their_morale",
        "added",
        "barred",
        "reach",
        "crew",
        "their_hand",
        "gain",
        "bonus",
        "slots",
        "towers",
        "gang",
        "gatherers",
    )

    def __init__(self, places: int) -> None:
        self.mine: list[float] = [0.0] * places
        self.theirs: list[float] = [0.0] * places
        self.load: list[int] = []
        self.cost: float = 0.0  # Morale my cards lose me if I lose the round
        self.their_cost: float = 0.0
        self.morale: float = 0.0
        self.their_morale: float = 0.0
        self.added: bool = False  # a Dragoon is in play
        self.barred: int = 0  # bitmask of places with a Punisher
        self.reach: list[float] = [0.0] * places  # the Strength of my hand that may go to a place
        self.crew: float = 0.0  # the Strength of my hand's Engineers
        self.their_hand: float = 0.0  # cards
        self.gain: float = 0.0  # Morale at the Resolution, by Masters of Earth
        self.bonus: float = 0.0  # what does not show in the round
        self.slots: list[int] = []  # Engineers less Towers at each place; none where nobody has Towers
        self.gang: list[float] = []  # the Strength of my Gang cards at each place; none where I have none
        self.gatherers: int = 0  # the Gangan Bits in my hand
        self.towers: list[int] = []  # the Strength of the Towers of my hand, best first

    def copy(self) -> Sketch:
        twin = Sketch.__new__(Sketch)
        twin.mine = self.mine[:]
        twin.theirs = self.theirs[:]
        twin.load = self.load[:]
        twin.cost = self.cost
        twin.their_cost = self.their_cost
        twin.morale = self.morale
        twin.their_morale = self.their_morale
        twin.added = self.added
        twin.barred = self.barred
        twin.reach = self.reach[:]
        twin.crew = self.crew
        twin.their_hand = self.their_hand
        twin.gain = self.gain
        twin.bonus = self.bonus
        twin.slots = self.slots[:] if self.slots else self.slots
        twin.towers = self.towers
        twin.gang = self.gang[:] if self.gang else self.gang
        twin.gatherers = self.gatherers
        return twin


class Heuristic:
    """`choose(view, rng)` gives an action of the viewer and the reason. `skill` is 1 to 4, all ideas."""

    def __init__(self, game: Feint, skill: int = FULL) -> None:
        self.game: Feint = game
        self.skill: int = skill
        self.kinds: list[Kind] = game.setup.kinds
        self.ability: list[str] = [str(card.get("ability", "")) for card in game.cards]
        places = len(game.setup.numbers)
        self.reach: list[list[float]] = []  # of a card of each seat's deck, the mean Strength for each place
        self.crew: list[float] = []  # of a card of each seat's deck, the mean Strength as an Engineer
        for deck in game.setup.decks:
            sketch = Sketch(places)
            for k in deck:
                self.hold(sketch, self.kinds[k], 1.0 / len(deck))
            self.reach.append(sketch.reach)
            self.crew.append(sketch.crew)
        self.gatherer: list[Kind | None] = []  # each seat's Gangan Bit
        for deck in game.setup.decks:
            found = [self.kinds[k] for k in deck if self.ability[k] == "gangan"]
            self.gatherer.append(found[0] if found else None)
        self.tower_share: list[float] = []  # of each seat's deck, and their mean Strength
        self.tower_mean: list[float] = []
        for deck in game.setup.decks:
            towers = [self.kinds[k].strength for k in deck if self.kinds[k].tower]
            self.tower_share.append(len(towers) / max(1, len(deck)))
            self.tower_mean.append(sum(towers) / max(1, len(towers)))
        self.worth: list[float] = [self._worth(kind) for kind in self.kinds]

    def hold(self, k: Sketch, kind: Kind, share: float) -> None:
        """Have a card in hand, or with a negative share no longer: what it lets one still add to each place."""
        if kind.tower:
            return
        ability = self.ability[kind.id]
        if kind.engineer:
            k.crew += share * kind.strength
        elif ability == "knight":
            if kind.place >= 0:
                k.reach[kind.place] += share * kind.strength
        else:
            strength = share * kind.strength * LOOSE.get(ability, 1.0)
            for place in range(len(k.reach)):
                k.reach[place] += strength

    def _worth(self, kind: Kind) -> float:
        """How glad one is of a card in hand, in points of Strength."""
        ability = self.ability[kind.id]
        return kind.strength - 0.5 * kind.morale + WORTH.get(ability, 0.0)

    def choose(self, view: State, rng: Rng) -> tuple[Action, str]:
        """A legal action of the seat whose view this is, and why, as a sentence."""
        assert isinstance(view, FeintState)
        return Thought(self, view, rng).choose()


WORTH: Final[dict[str, float]] = {
    "guardian-angel": 0.8,
    "explorer": 0.3,
    "dragoon": 0.3,
    "knight": -0.7,
    "punisher": 1.2,
    "patriot": -0.8,
    "master-of-fire": -1.0,
    "master-of-wind": -0.5,
    "master-of-earth": 2.0,
    "conjurer": 2.0,
    "storm-prodigy": -2.5,
    "good-for-something": 2.0,
    "gangan": 1.0,
    "medic": 0.5,
    "trojan": 1.0,
    "scrambler": 0.3,
    "covert": 0.6,
    "saboteur": 0.5,
    "assassin": 1.2,
    "engineer": 0.8,
    "tower": 0.5,
    "support-tower": 0.8,
    "bomb-tower": 1.5,
}
"""What an ability adds to a card in hand, in points of Strength."""

LOOSE: Final[dict[str, float]] = {"storm-prodigy": 0.2, "master-of-wind": 0.5}
"""How much of a card's Strength to expect where one wants it."""


class Thought:
    """One decision being thought about."""

    def __init__(self, mind: Heuristic, view: FeintState, rng: Rng) -> None:
        self.mind: Heuristic = mind
        self.skill: int = mind.skill
        self.s: FeintState = view
        self.rng: Rng = rng
        self.me: Seat = view.viewer
        self.foe: Seat = OPPONENT[view.viewer]
        self.legal: list[Action] = view.legal(view.viewer)
        self.numbers: list[int] = view.setup.numbers
        self.first: float = 0.5 if view.first == self.me else -0.5
        self.rounds_left: int = view.setup.end_round - 1 - view.round
        lead = view.won.count(self.me) - view.won.count(self.foe)
        self.if_won: float = odds(lead + 1, self.rounds_left)
        self.if_lost: float = odds(lead - 1, self.rounds_left)
        self.p: float = 0.0
        self.belief: list[tuple[int, float]] = []  # where the other's Location may be, once `look` was there

    def choose(self) -> tuple[Action, str]:
        prompt = self.s.stack[-1].prompt
        if prompt == "reinforce":
            return self.reinforce()
        if prompt == "medic":
            return self.medic()
        if prompt == "support":
            return self.support()
        self.look()
        if prompt == "deploy":
            return self.deploy()
        if prompt in ("play-one", "conjure"):
            return self.play()
        if prompt == "order":
            return OWN, "My own card first."
        return self.place()

    # ---- reading the table ----------------------------------------------------------------------

    def look(self) -> None:
        """Sketch the round as it stands, and believe something of the other Location."""
        s, me, foe = self.s, self.me, self.foe
        kinds = s.kinds
        n = s.places
        k = Sketch(n)
        k.load = s.load[:]
        self.doubt: list[float] = [0.0] * n
        down: list[int] = []
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
        gatherer = self.mind.gatherer[me]
        if gatherer is not None:
            k.gatherers = sum(1 for card in s.hand[me] if card & KIND == gatherer.id)
            k.gang = [self.gang(place, gatherer) for place in range(n)]
        if down:
            strength, price, variance = self.covert()
            for place in down:
                k.theirs[place] += strength
                k.their_cost += price
                self.doubt[place] += variance
        k.morale = s.morale[me]
        k.their_morale = s.morale[foe]
        hand = [kinds[card & KIND] for card in s.hand[me]]
        for kind in hand:
            self.mind.hold(k, kind, 1.0)
        if self.mind.tower_share[me] or self.mind.tower_share[foe]:
            for place in range(n):
                engineers, towers = s.works(place)
                k.slots.append(engineers - towers)
            k.towers = sorted((kind.strength for kind in hand if kind.tower), reverse=True)
        k.their_hand = float(len(s.hand[foe]))
        self.now: Sketch = k
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
        self.likely: list[float] = [0.0] * n
        for place, weight in self.belief:
            self.likely[place] = weight
        for place in down:  # the strong ones lie where the battle is
            k.theirs[place] += TILT * (self.likely[place] - 1.0 / n)
        need = PLAYS * self.rounds_left
        have = len(s.deck[me]) + len(s.hand[me])
        self.card: float = 0.0
        if self.rounds_left:
            self.card = CARD_VALUE + SCARCE * max(0.0, min(1.0, (need - have) / need))

    def note(self, k: Sketch, kind: int, place: int, mine: bool) -> None:
        """A card with an ability of the Resolution phase lies at a place."""
        ability = self.mind.ability[kind]
        if ability == "dragoon":
            k.added = True
        elif ability == "punisher":
            k.barred |= 1 << place
        elif ability == "master-of-earth":
            spare = 0.7 * max(0, self.s.setup.capacity - k.load[place])
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

    # ---- what a sketch is worth -----------------------------------------------------------------

    def judge(self, k: Sketch, stop: bool) -> float:
        """The chance to win the game; `self.p` is the chance to win the round. With `stop` this seat
        plays no more cards in it."""
        numbers = self.numbers
        capacity = self.s.setup.capacity
        own = self.own
        i_act = self.skill > 1 and not stop and not self.i_passed
        foe_acts = self.skill > 1 and not self.foe_passed
        mine, theirs, load = k.mine, k.theirs, k.load
        reach, crew = k.reach, k.crew
        count = k.their_hand
        their_reach = self.mind.reach[self.foe]
        their_crew = count * self.mind.crew[self.foe]
        slots = k.slots
        gather = i_act and k.gatherers > 0
        gathered = sum(k.gang) if gather else 0.0
        towers = k.their_hand * self.mind.tower_share[self.foe]
        tower = self.mind.tower_mean[self.foe]
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
                room = capacity - load[p]
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
                if gather and p == own and load[p] + 2 <= capacity:
                    x += number * GANG * (gathered - k.gang[p])
                if slots:
                    get = lose = 0.0
                    narrow = max(0, ENGINEERS - load[p])
                    if i_act and k.towers:
                        sites = max(0, slots[p]) + RAISE * min(k.crew, narrow) / 2.0
                        likely = TOWERS if p == own else SEEK + (TOWERS - SEEK) * weight
                        get = min(sites, len(k.towers)) * sum(k.towers) / len(k.towers) * likely
                    if foe_acts and towers:
                        sites = max(0, slots[p]) + RAISE * min(their_crew, narrow) / 2.0
                        likely = TOWERS if p == q else SEEK + (TOWERS - SEEK) * self.guessed
                        lose = min(sites, towers) * tower * likely
                    x += number * (get - lose)
                    variance += number * number * SPREAD * (get + lose)
            p_win += weight / (1.0 + exp(max(-40.0, min(40.0, -1.7 * x / sqrt(variance)))))
        self.p = p_win
        if self.skill == 1:
            return p_win - (1.0 - p_win) * (PLAIN_COST * k.cost + (FEARED if k.cost >= k.morale else 0.0)) + k.bonus
        morale = k.morale + k.gain
        lost = self.odds(self.if_lost, morale - k.cost, k.their_morale)
        won = self.odds(self.if_won, morale, k.their_morale - k.their_cost)
        return p_win * won + (1.0 - p_win) * lost + k.bonus

    def odds(self, score: float, morale: float, their_morale: float) -> float:
        """The chance to win the game from the victory points' odds and both Morales."""
        if morale <= 0.0:
            return 0.0
        if their_morale <= 0.0:
            return 1.0
        score += MORALE_WEIGHT * log((morale + MORALE_FLOOR) / (their_morale + MORALE_FLOOR))
        return 1.0 / (1.0 + exp(-score))

    # ---- playing cards --------------------------------------------------------------------------

    def lay(self, before: Sketch, kind: Kind, place: int) -> Sketch:
        """The round after this seat plays a card to a place."""
        k = before.copy()
        s = self.s
        ability = self.mind.ability[kind.id]
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
            self.mind.hold(k, kind, -1.0)
            if kind.engineer and k.slots:
                k.slots[place] += 1
        if place == self.own:
            k.bonus -= self.secret
        if ability:
            self.act(k, s, ability, kind, place)
        return k

    def act(self, k: Sketch, s: FeintState, ability: str, kind: Kind, place: int) -> None:
        """What the played card's ability changes in the sketch."""
        if kind.resolves:
            self.note(k, kind.id, place, True)
        elif ability == "guardian-angel":
            if self.rounds_left:
                ahead = s.pile[self.me][-1] & KIND if s.pile[self.me] else HIDDEN
                again = 0.3 if ahead == HIDDEN else float(ahead == place)
                k.bonus += 0.006 * again * self.numbers[place]
        elif ability == "explorer":
            k.bonus += 0.006 if self.rounds_left else 0.0
        elif ability == "patriot":
            k.bonus -= 2.0 * self.secret
        elif ability == "master-of-fire":
            k.morale -= 2
        elif ability == "conjurer":
            best = 0.0
            for card in s.discard[self.me]:
                best = max(best, float(s.kinds[card & KIND].strength))
            for other in range(s.places):
                k.reach[other] += best
            k.bonus += self.card
        elif ability == "good-for-something":
            self.draw(k)
            k.bonus += self.card
        elif ability == "gangan":
            self.gather(k, s, kind, place)
        elif ability == "medic":
            k.bonus += min(3, len(s.discard[self.me])) * self.card * 0.6
        elif ability == "trojan":
            self.fetch(k, s)
        elif ability == "saboteur":
            k.bonus += 0.003 if self.rounds_left else 0.0
        elif ability == "assassin":
            if k.their_hand >= 1:
                k.their_hand -= 1
                k.bonus += 0.008 if self.rounds_left else 0.0
        elif ability == "bomb-tower":
            self.bomb(k, s, kind, place)

    def draw(self, k: Sketch) -> None:
        """A card more in hand, whichever."""
        for place, strength in enumerate(self.mind.reach[self.me]):
            k.reach[place] += strength
        k.crew += self.mind.crew[self.me]

    def gang(self, place: int, gatherer: Kind) -> float:
        """The Strength of my cards at a place that a Gangan Bit would gather."""
        s = self.s
        total = 0.0
        for card in s.at(self.me, place):
            kind = s.kinds[card & KIND]
            if not kind.protected and (kind.faction == gatherer.faction if s.setup.whole_gang else kind.gang):
                total += kind.strength
        return total

    def gather(self, k: Sketch, s: FeintState, kind: Kind, place: int) -> None:
        """A Gangan Bit comes, and the gang with it."""
        k.gatherers -= 1
        for other in range(s.places):
            moved = self.gang(other, kind) if other != place else 0.0
            if moved:
                k.mine[other] -= moved
                k.load[other] -= int(moved)
                k.mine[place] += moved
                k.load[place] += int(moved)
                k.gang[place] += moved
                k.gang[other] -= moved
        k.gang[place] += kind.strength

    def fetch(self, k: Sketch, s: FeintState) -> None:
        """Take back the card that helps least."""
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

    def bomb(self, k: Sketch, s: FeintState, kind: Kind, place: int) -> None:
        """The best enemy card at the place goes, and the tower itself."""
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

    def after(self, before: Sketch, action: Action, stop: bool) -> tuple[float, Sketch]:
        """The worth of playing a card, and the sketch then."""
        number, slot = divmod(action - CARD, SLOTS)
        kind = self.s.kinds[number]
        if slot:
            k = self.lay(before, kind, slot - 1)
            return self.judge(k, stop), k
        # Announced: the other seat chooses the Location, most likely where it helps least.
        values: list[tuple[float, float, Sketch]] = []
        for place in range(self.s.places):
            if kind.fits(self.s, place):
                k = self.lay(before, kind, place)
                values.append((self.judge(k, stop), self.p, k))
        values.sort(key=first_of)
        worst = values[0]
        mean = sum(value for value, _, _ in values) / len(values)
        self.p = worst[1]
        return 0.7 * worst[0] + 0.3 * mean, worst[2]

    def deploy(self) -> tuple[Action, str]:
        """Play or pass."""
        passing = self.judge(self.now, True)
        p_pass = self.p
        best, p_best = passing, p_pass
        action = PASS
        stop = self.foe_passed
        scored: list[tuple[float, Action, Sketch]] = []
        for play in self.legal:
            if play == PASS:
                continue
            value, k = self.after(self.now, play, stop)
            value += 0.002 * self.rng.random()
            scored.append((value, play, k))
            if value > best:
                best, p_best, action = value, self.p, play
        if self.skill == FULL and action == PASS and stop and scored and p_pass < LIKELY:
            ahead = self.chain(scored, passing)
            if ahead is not None:
                return ahead
        if action == PASS:
            return PASS, self.why_pass(p_pass)
        why = f"I would win this round {percent(p_best)} of the time, and {percent(p_pass)} if I passed now."
        return action, why

    def chain(self, scored: list[tuple[float, Action, Sketch]], passing: float) -> tuple[Action, str] | None:
        """The other seat has passed: several cards together may still win what one cannot."""
        gains = []
        for _, action, _ in scored:
            number, slot = divmod(action - CARD, SLOTS)
            if slot:
                kind = self.s.kinds[number]
                gains.append((self.use(slot - 1) * kind.strength - 0.01 * kind.morale, action))
        gains.sort(reverse=True)
        k = self.now
        count: dict[int, int] = {}
        for card in self.s.hand[self.me]:
            count[card & KIND] = count.get(card & KIND, 0) + 1
        first = -1
        for _, action in gains:
            number, slot = divmod(action - CARD, SLOTS)
            kind = self.s.kinds[number]
            while count[number] > 0 and k.load[slot - 1] + kind.weight <= self.s.setup.capacity:
                count[number] -= 1
                k = self.lay(k, kind, slot - 1)
                if first < 0:
                    first = action
                if self.judge(k, True) > passing:
                    return first, f"With a few more cards I would win this round {percent(self.p)} of the time."
        return None

    def why_pass(self, p: float) -> str:
        if p > 0.8:
            return f"I would win this round {percent(p)} of the time as it stands; more cards would only be at risk."
        if p < 0.3:
            return f"This round is hardly to be won ({percent(p)}); I save my Morale and my cards."
        return f"Another card would risk more than it wins ({percent(p)} to win this round as it stands)."

    def play(self) -> tuple[Action, str]:
        """A card must be played."""
        best = -1e9
        action = self.legal[0]
        for play in self.legal:
            value, _ = self.after(self.now, play, self.foe_passed)
            value += 0.001 * self.rng.random()
            if value > best:
                best, action = value, play
        return action, "Of the cards that I must choose from, this one helps most here."

    # ---- the second halves of abilities ---------------------------------------------------------

    def place(self) -> tuple[Action, str]:
        """A card to point at, or a Location for a card that moves or comes."""
        s = self.s
        step: Any = s.stack[-1]
        prompt = step.prompt
        best = -1e9
        found = self.legal[0]
        for action in self.legal:
            k = self.now.copy()
            if prompt == "scramble":
                # A Scrambler of mine moves, or by the other reading a card of theirs.
                played = getattr(step, "kind", -1)
                seat = self.foe if played >= 0 else self.me
                kind = s.kinds[played] if played >= 0 else self.scrambler(step.place)
                side = k.theirs if seat == self.foe else k.mine
                side[step.place] -= kind.strength
                side[action - PLACE] += kind.strength
                k.load[step.place] -= kind.strength
                k.load[action - PLACE] += kind.strength
            elif prompt == "storm":
                kind = s.kinds[step.kind]
                k.theirs[action - PLACE] += kind.strength
                k.load[action - PLACE] += kind.strength
            else:
                place, index = divmod(action - SPOT, SPOTS)
                seat = self.foe if prompt == "bomb" else self.me
                card = s.at(seat, place)[index]
                strength, price, _ = self.covert() if card & KIND == HIDDEN else self.of(card)
                k.load[place] -= s.burden(card) if card & KIND != HIDDEN else 3
                if seat == self.foe:
                    k.theirs[place] -= strength
                    k.their_cost -= price
                else:
                    k.mine[place] -= strength
                    k.cost -= price
            value = self.judge(k, self.foe_passed) + 0.001 * self.rng.random()
            if value > best:
                best, found = value, action
        return found, "This leaves me the best chance in this round."

    def of(self, card: Card) -> tuple[float, float, float]:
        kind = self.s.kinds[card & KIND]
        return float(kind.strength), float(kind.morale), 0.0

    def scrambler(self, place: int) -> Kind:
        for card in self.s.at(self.me, place):
            if card & KIND != HIDDEN and self.s.kinds[card & KIND].scrambles:
                return self.s.kinds[card & KIND]
        raise ValueError("no Scrambler lies there")

    def reinforce(self) -> tuple[Action, str]:
        """Discard what is worth less than the card one would draw, while the draw pile lasts."""
        s, me = self.s, self.me
        if self.skill < READS:
            return DONE, "I play what I have."
        hand = sorted(card & KIND for card in s.hand[me])
        spare = len(s.deck[me]) - (s.setup.hand - len(hand)) - int(PLAYS * self.rounds_left)
        worth = self.mind.worth
        deck = s.setup.decks[me]
        mean = sum(worth[kind] for kind in deck) / len(deck)
        value = {kind: worth[kind] for kind in hand}
        crew = sum(1 for kind in hand if s.kinds[kind].engineer)
        towers = sum(1 for kind in hand if s.kinds[kind].tower)
        if towers > crew:  # more than can be built
            for kind in value:
                if s.kinds[kind].tower:
                    value[kind] -= IDLE * (towers - crew)
        worst = sorted(hand, key=value.__getitem__)
        plan: list[int] = []
        for kind in worst:
            if len(plan) < spare and value[kind] < mean + KEEP:
                plan.append(kind)
        done = [(action - CARD) // SLOTS for action in s.answers[me]]
        for kind in sorted(plan):
            if kind in done:
                done.remove(kind)
            else:
                action = CARD + kind * SLOTS
                if action in self.legal:
                    return action, f"{s.kinds[kind].name} is worth less than what I would draw."
        return DONE, "I keep the rest: the draw pile must last to the end."

    def medic(self) -> tuple[Action, str]:
        """The best of the discard pile, if it will ever be drawn again."""
        s = self.s
        if len(s.deck[self.me]) > 6 * (self.rounds_left + 1):
            return DONE, "I shall not come to the bottom of my draw pile."
        worth = self.mind.worth
        cards = [action for action in self.legal if action != DONE]
        best = max(cards, key=lambda action: worth[(action - CARD) // SLOTS])
        return best, "I want to draw it again."

    def support(self) -> tuple[Action, str]:
        """Send the worst of the top cards down when it is below the average."""
        s = self.s
        worth = self.mind.worth
        deck = s.setup.decks[self.me]
        mean = sum(worth[kind] for kind in deck) / len(deck)
        cards = [action for action in self.legal if action != DONE]
        worst = min(cards, key=lambda action: worth[(action - CARD) // SLOTS])
        if worth[(worst - CARD) // SLOTS] < mean - 0.3:
            return worst, "I would rather draw something else."
        return DONE, "All of them are welcome."


def first_of(entry: tuple[float, float, Sketch]) -> float:
    """To sort by worth."""
    return entry[0]


def percent(p: float) -> str:
    """A chance in words."""
    return f"{100 * p:.0f} %"


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
    return ROUND_WEIGHT * log(p / (1.0 - p))
