"""What Feint asks and does: its phases, and the second halves of its abilities.

Steps are made once, in the tables at the end, but for the few that carry more than a seat and a
place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final

from gonfalon.core.cards import HIDDEN, KIND, SEEN, kinds, take
from gonfalon.core.rng import Rng
from gonfalon.core.state import CHANCE, NO_ACTIONS, NOBODY, SEED, Action, Card, Seat, Step, Together
from gonfalon.games.feint import events
from gonfalon.games.feint.actions import CARD, DONE, FIRST, OWN, PASS, PLACE, SCRAMBLER, SLOTS, SPOT, SPOTS
from gonfalon.games.feint.state import BOTH, DOWN, FLAGS, FRESH, OPPONENT, STAY, FeintState

if TYPE_CHECKING:
    from gonfalon.games.feint.kinds import Kind

# ---- set-up and chance ------------------------------------------------------------------------------

DECK: Final = 0  # zones that are shuffled: DECK + seat, PILE + seat
PILE: Final = 2


def zone_of(s: FeintState, zone: int) -> list[Card]:
    """A draw pile by its number."""
    return s.deck[zone] if zone < PILE else s.pile[zone - PILE]


class Shuffle(Step[FeintState]):
    """Chance gives a seed that shuffles the zones of a bitmask."""

    __slots__ = ("zones",)
    prompt: ClassVar[str] = "shuffle"

    def __init__(self, zones: int) -> None:
        super().__init__(CHANCE)
        self.zones: int = zones

    def options(self, s: FeintState) -> list[Action]:
        return [SEED]

    def choose(self, s: FeintState, action: Action) -> None:
        rng = Rng(-1 - action)
        for zone in range(4):
            if self.zones >> zone & 1:
                rng.shuffle(zone_of(s, zone))

    def key(self) -> list[int]:
        return [self.zones]


class DealCard(Step[FeintState]):
    """The exact shuffle: chance decides the next card of a zone, from the bottom up."""

    __slots__ = ("zone", "place")
    prompt: ClassVar[str] = "deal"

    def __init__(self, zone: int, place: int) -> None:
        super().__init__(CHANCE)
        self.zone: int = zone
        self.place: int = place

    def action(self, kind: int) -> Action:
        return CARD + kind * SLOTS if self.zone < PILE else PLACE + kind

    def options(self, s: FeintState) -> list[Action]:
        left = kinds(zone_of(s, self.zone)[self.place :])
        return [self.action(kind) for kind in left] if len(left) > 1 else NO_ACTIONS

    def weights(self, s: FeintState) -> list[int]:
        rest = [card & KIND for card in zone_of(s, self.zone)[self.place :]]
        return [rest.count(kind) for kind in sorted(set(rest))]

    def choose(self, s: FeintState, action: Action) -> None:
        zone = zone_of(s, self.zone)
        at = self.place
        while self.action(zone[at] & KIND) != action:
            at += 1
        # The rest stays sorted, so that equal decisions give equal states.
        zone.insert(self.place, zone.pop(at))
        s.stack.append(DealCard(self.zone, self.place + 1))

    def key(self) -> list[int]:
        return [self.zone, self.place]


def push_shuffle(s: FeintState, zones: int) -> None:
    """Have chance shuffle the zones of a bitmask, fast or card by card."""
    for zone in range(4):
        if zones >> zone & 1:
            cards = zone_of(s, zone)
            for i in range(len(cards)):
                cards[i] &= KIND
            cards.sort()
            if s.setup.exact:
                s.stack.append(DealCard(zone, 0))
    if not s.setup.exact:
        s.stack.append(Shuffle(zones))


class Toss(Step[FeintState]):
    """A mirror match has no lower initiative: chance names the start player (ruling 1)."""

    prompt: ClassVar[str] = "toss"

    def options(self, s: FeintState) -> list[Action]:
        return [FIRST, FIRST + 1]

    def choose(self, s: FeintState, action: Action) -> None:
        s.first = action - FIRST


# ---- the round --------------------------------------------------------------------------------------


class StartRound(Step[FeintState]):
    """A round is its phases, stacked."""

    def auto(self, s: FeintState) -> None:
        s.passed = 0
        s.tell(events.ROUND, s.first, HIDDEN, s.round)
        s.stack += [CLEANUP, RESOLVE, DEPLOY[s.first], SCOUT, REINFORCE]


class Reinforce(Together[FeintState]):
    """Both seats discard at once, then draw to 7 (ruling 3). An empty hand has nothing to decide."""

    prompt: ClassVar[str] = "reinforce"

    def options_of(self, s: FeintState, seat: Seat) -> list[Action]:
        answer = s.answers[seat]
        hand = s.hand[seat]
        if not hand or (answer and answer[-1] == DONE):
            return NO_ACTIONS
        # Ascending order only: a set of discards is one answer, not one for each order.
        out = [DONE]
        least = answer[-1] if answer else 0
        for kind in kinds(hand):
            action = CARD + kind * SLOTS
            if action > least or (action == least and copies(hand, kind) > answer.count(action)):
                out.append(action)
        return out

    def finish(self, s: FeintState) -> None:
        for seat in (s.first, OPPONENT[s.first]):
            for action in s.answers[seat]:
                if action != DONE:
                    card = s.bury(seat, take(s.hand[seat], (action - CARD) // SLOTS))
                    s.tell(events.DISCARDED, seat, card)
        for seat in (s.first, OPPONENT[s.first]):
            s.draw(seat, s.setup.hand - len(s.hand[seat]))


def copies(zone: list[Card], kind: int) -> int:
    """How many cards of a kind lie in a zone."""
    count = 0
    for card in zone:
        if card & KIND == kind:
            count += 1
    return count


class Scout(Step[FeintState]):
    """Each seat draws a Location Card; an empty pile is shuffled first (ruling 7)."""

    def auto(self, s: FeintState) -> None:
        for seat in (s.first, OPPONENT[s.first]):
            if not s.scout[seat]:
                if not s.pile[seat]:
                    s.stack.append(SCOUT)
                    refill(s, seat)
                    return
                card = s.pile[seat].pop() | SEEN[seat]
                s.scout[seat].append(card)
                s.tell(events.SCOUTED, seat, card)


def refill(s: FeintState, seat: Seat) -> None:
    """Make the Location discard pile the draw pile."""
    s.pile[seat], s.used[seat] = s.used[seat], s.pile[seat]
    s.tell(events.SHUFFLED, seat, HIDDEN)
    push_shuffle(s, 1 << (PILE + seat))


class Deploy(Step[FeintState]):
    """A turn: play a card or pass (ruling 8).

    An empty hand passes by itself. A hand without a legal card is asked all the same, with passing
    its only answer: were it skipped, the haste would tell the other seat (ruling 9).
    """

    prompt: ClassVar[str] = "deploy"

    def options(self, s: FeintState) -> list[Action]:
        hand = s.hand[self.seat]
        if not hand:
            return NO_ACTIONS
        actions = [PASS]
        table = s.kinds
        for kind in kinds(hand):
            table[kind].plays(s, actions)
        return actions

    def choose(self, s: FeintState, action: Action) -> None:
        seat = self.seat
        if action == PASS:
            self.auto(s)
            return
        s.stack.append(DEPLOY[seat if s.passed else OPPONENT[seat]])
        begin_play(s, seat, s.hand[seat], action)

    def auto(self, s: FeintState) -> None:
        seat = self.seat
        s.passed |= 1 << seat
        s.tell(events.PASSED, seat, HIDDEN)
        if s.passed != 3:
            s.stack.append(DEPLOY[OPPONENT[seat]])


class Resolve(Step[FeintState]):
    """Reveal, Resolution abilities, ratings, victory point, Morale: in this order (ruling 40)."""

    def auto(self, s: FeintState) -> None:
        n = s.places
        order = (s.first, OPPONENT[s.first])
        battles = 0
        for seat in order:
            s.scout[seat][0] |= BOTH
            battles |= 1 << (s.scout[seat][0] & KIND)
            s.tell(events.LOCATION, seat, s.scout[seat][0])
        strength = [0] * (2 * n)
        cost = [0, 0]
        resolving: list[tuple[Seat, Card, int]] = []
        for place in range(n):
            s.load[place] = 0
        for seat in order:
            for place in range(n):
                cards = s.board[seat * n + place]
                for i in range(len(cards)):
                    card = cards[i]
                    if card & DOWN:
                        card = cards[i] = card & ~DOWN | BOTH
                        s.tell(events.TURNED, seat, card, place)
                    kind = s.kinds[card & KIND]
                    strength[seat * n + place] += kind.strength
                    s.load[place] += kind.strength
                    cost[seat] += kind.morale
                    if kind.resolves:
                        resolving.append((seat, card, place))
        added = 0
        barred = 0
        for seat, card, place in resolving:
            kind = s.kinds[card & KIND]
            added |= kind.adds(s)
            barred |= kind.bars(place)
            kind.on_resolve(s, seat, card, place)
        battles = (battles | added) & ~barred
        rating = [0, 0]
        for place in range(n):
            if battles >> place & 1:
                s.tell(events.BATTLE, s.first, HIDDEN, place)
                for seat in order:
                    rating[seat] += strength[seat * n + place] * s.setup.numbers[place]
                    s.tell(events.RATING, seat, HIDDEN, place, strength[seat * n + place])
        for seat in order:
            s.tell(events.TOTAL, seat, HIDDEN, rating[seat])
        winner = s.first
        if rating[OPPONENT[winner]] > rating[winner]:
            winner = OPPONENT[winner]
        s.won.append(winner)
        s.tell(events.WON, winner, HIDDEN, int(rating[0] == rating[1]))
        loser = OPPONENT[winner]
        s.tell(events.COST, loser, HIDDEN, cost[loser])
        if cost[loser]:
            s.change_morale(loser, -cost[loser])


class Cleanup(Step[FeintState]):
    """Clear the board, discard the Location Cards, pass the start player marker on."""

    def auto(self, s: FeintState) -> None:
        n = s.places
        for place in range(n):
            s.load[place] = 0
        for seat in (0, 1):
            for place in range(n):
                cards = s.at(seat, place)
                if cards:
                    s.board[seat * n + place] = []
                    for card in cards:
                        if card & STAY:
                            s.put(seat, card & KIND | BOTH, place)
                            s.tell(events.STAYED, seat, card, place)
                        else:
                            s.bury(seat, card)
            s.used[seat].append(s.scout[seat].pop())
        s.first = OPPONENT[s.first]
        s.round += 1
        if s.round < s.setup.end_round:
            s.stack.append(START_ROUND)
            return
        lead = s.won.count(0) - s.won.count(1)
        if lead:
            s.finish(0 if lead > 0 else 1, events.BY_ROUNDS)
        else:
            s.finish(s.won[-1], events.BY_FINAL_ROUND)


# ---- playing a card ---------------------------------------------------------------------------------


def begin_play(s: FeintState, seat: Seat, source: list[Card], action: Action) -> None:
    """Carry out a play: to its Location, or by announcing it to the opponent (ruling 60)."""
    kind = s.kinds[(action - CARD) // SLOTS]
    slot = (action - CARD) % SLOTS
    if slot:
        play_card(s, seat, source, kind, slot - 1)
        return
    card = take(source, kind.id) | BOTH
    source.append(card)
    s.tell(events.ANNOUNCED, seat, card)
    s.stack.append(Storm(OPPONENT[seat], kind.id, int(source is s.discard[seat])))


def play_card(s: FeintState, seat: Seat, source: list[Card], kind: Kind, place: int) -> None:
    """Put a card into play and set off what this triggers."""
    foe = OPPONENT[seat]
    if kind.face_down:
        forget(s, source, seat)
    card = take(source, kind.id)
    card = card | DOWN if kind.face_down else card | BOTH
    scramblers = 0
    if s.setup.scramblers and not (s.setup.moves_played and kind.protected):
        for enemy in s.at(foe, place):
            if not enemy & DOWN and s.kinds[enemy & KIND].scrambles:
                scramblers += 1
    if scramblers and s.setup.moves_played:
        card |= FRESH
    s.put(seat, card, place)
    s.tell(events.PLAYED, seat, card & ~FRESH, place)
    if scramblers == 0:
        kind.on_play(s, seat, place)
    elif kind.acts:
        s.stack.append(Order(seat, kind.id, place, scramblers))
    else:
        push_scrambles(s, seat, place, scramblers)


def forget(s: FeintState, source: list[Card], seat: Seat) -> None:
    """A card leaves unseen: which of those that could be it, the opponent can no longer say."""
    seen = ~SEEN[OPPONENT[seat]]
    if source is s.hand[seat]:
        for i in range(len(source)):
            if s.kinds[source[i] & KIND].face_down:
                source[i] &= seen


def push_scrambles(s: FeintState, seat: Seat, place: int, count: int) -> None:
    """Have each Scrambler at a Location answer the card that `seat` played there."""
    for _ in range(count):
        if s.setup.moves_played:
            s.stack.append(MovePlayed(OPPONENT[seat], place))
        else:
            s.stack.append(SCRAMBLE[OPPONENT[seat]][place])


class Order(Step[FeintState]):
    """The player of a card orders its own ability and the opponent's Scramblers (ruling 38)."""

    __slots__ = ("kind", "place", "scramblers")
    prompt: ClassVar[str] = "order"

    def __init__(self, seat: Seat, kind: int, place: int, scramblers: int) -> None:
        super().__init__(seat)
        self.kind: int = kind
        self.place: int = place
        self.scramblers: int = scramblers

    def options(self, s: FeintState) -> list[Action]:
        return [OWN, SCRAMBLER]

    def choose(self, s: FeintState, action: Action) -> None:
        if action == OWN:
            push_scrambles(s, self.seat, self.place, self.scramblers)
            s.kinds[self.kind].on_play(s, self.seat, self.place)
        elif self.scramblers > 1 and not s.setup.moves_played:
            s.stack.append(Order(self.seat, self.kind, self.place, self.scramblers - 1))
            push_scrambles(s, self.seat, self.place, 1)
        else:
            s.stack.append(OwnAbility(self.seat, self.kind, self.place))
            push_scrambles(s, self.seat, self.place, self.scramblers)

    def key(self) -> list[int]:
        return [self.seat, self.kind, self.place, self.scramblers]


class OwnAbility(Step[FeintState]):
    """A played card's own ability, put off until the Scramblers have acted."""

    __slots__ = ("player", "kind", "place")

    def __init__(self, player: Seat, kind: int, place: int) -> None:
        super().__init__(NOBODY)
        self.player: Seat = player
        self.kind: int = kind
        self.place: int = place

    def auto(self, s: FeintState) -> None:
        s.kinds[self.kind].on_play(s, self.player, self.place)

    def key(self) -> list[int]:
        return [self.player, self.kind, self.place]


class Scramble(Step[FeintState]):
    """A Scrambler moves to another Location of its owner's choice (rulings 64-66)."""

    __slots__ = ("place",)
    prompt: ClassVar[str] = "scramble"

    def __init__(self, seat: Seat, place: int) -> None:
        super().__init__(seat)
        self.place: int = place

    def here(self, s: FeintState) -> int:
        cards = s.at(self.seat, self.place)
        for i in range(len(cards)):
            card = cards[i]
            if not card & DOWN and card & KIND != HIDDEN and s.kinds[card & KIND].scrambles:
                return i
        return -1

    def options(self, s: FeintState) -> list[Action]:
        if self.here(s) < 0:
            return NO_ACTIONS
        return [PLACE + place for place in range(s.places) if place != self.place]

    def choose(self, s: FeintState, action: Action) -> None:
        s.move(self.seat, self.place, self.here(s), action - PLACE)

    def key(self) -> list[int]:
        return [self.seat, self.place]


class MovePlayed(Step[FeintState]):
    """The other reading: the card just played is what the Scrambler's owner moves (ruling 64)."""

    __slots__ = ("place",)
    prompt: ClassVar[str] = "scramble"

    def __init__(self, seat: Seat, place: int) -> None:
        super().__init__(seat)
        self.place: int = place

    def index(self, s: FeintState) -> int:
        cards = s.at(OPPONENT[self.seat], self.place)
        for i in range(len(cards) - 1, -1, -1):
            if cards[i] & FRESH:
                return i
        return -1

    def options(self, s: FeintState) -> list[Action]:
        if self.index(s) < 0:
            return NO_ACTIONS
        return [PLACE + place for place in range(s.places) if place != self.place]

    def choose(self, s: FeintState, action: Action) -> None:
        foe = OPPONENT[self.seat]
        s.move(foe, self.place, self.index(s), action - PLACE)
        for i in range(len(s.stack) - 1, -1, -1):
            waiting = s.stack[i]
            if isinstance(waiting, OwnAbility):
                s.stack[i] = OwnAbility(waiting.player, waiting.kind, action - PLACE)
            elif isinstance(waiting, MovePlayed):
                continue
            return

    def key(self) -> list[int]:
        return [self.seat, self.place]


# ---- the second halves of abilities -----------------------------------------------------------------


class Storm(Step[FeintState]):
    """The opponent chooses where the announced card goes (ruling 60)."""

    __slots__ = ("kind", "from_discard")
    prompt: ClassVar[str] = "storm"

    def __init__(self, seat: Seat, kind: int, from_discard: int) -> None:
        super().__init__(seat)
        self.kind: int = kind
        self.from_discard: int = from_discard

    def fitting(self, s: FeintState) -> list[Action]:
        kind = s.kinds[self.kind]
        return [PLACE + place for place in range(s.places) if kind.fits(s, place)]

    def options(self, s: FeintState) -> list[Action]:
        fitting = self.fitting(s)
        return fitting if len(fitting) > 1 else NO_ACTIONS

    def choose(self, s: FeintState, action: Action) -> None:
        player = OPPONENT[self.seat]
        source = s.discard[player] if self.from_discard else s.hand[player]
        play_card(s, player, source, s.kinds[self.kind], action - PLACE)

    def auto(self, s: FeintState) -> None:
        self.choose(s, self.fitting(s)[0])

    def key(self) -> list[int]:
        return [self.seat, self.kind, self.from_discard]


class PlayOne(Step[FeintState]):
    """Good-for-Something: after the draw, play a card if any can be played (ruling 61)."""

    prompt: ClassVar[str] = "play-one"

    def options(self, s: FeintState) -> list[Action]:
        return s.plays(s.hand[self.seat])

    def choose(self, s: FeintState, action: Action) -> None:
        begin_play(s, self.seat, s.hand[self.seat], action)


class Conjure(Step[FeintState]):
    """Conjurer: play a card from the discard pile if any can be played (ruling 59)."""

    prompt: ClassVar[str] = "conjure"

    def options(self, s: FeintState) -> list[Action]:
        return s.plays(s.discard[self.seat])

    def choose(self, s: FeintState, action: Action) -> None:
        begin_play(s, self.seat, s.discard[self.seat], action)


class Heal(Step[FeintState]):
    """Medic: one after the other, up to three discards go under the draw pile (ruling 63)."""

    __slots__ = ("left",)
    prompt: ClassVar[str] = "medic"

    def __init__(self, seat: Seat, left: int) -> None:
        super().__init__(seat)
        self.left: int = left

    def options(self, s: FeintState) -> list[Action]:
        if self.left == 0:
            return NO_ACTIONS
        wounded = [CARD + kind * SLOTS for kind in kinds(s.discard[self.seat]) if not s.kinds[kind].protected]
        return [DONE, *wounded] if wounded else NO_ACTIONS

    def choose(self, s: FeintState, action: Action) -> None:
        if action != DONE:
            seat = self.seat
            card = take(s.discard[seat], (action - CARD) // SLOTS)
            s.deck[seat].insert(0, card)
            s.tell(events.HEALED, seat, card)
            s.stack.append(HEAL[seat][self.left - 1])

    def key(self) -> list[int]:
        return [self.seat, self.left]


def spot(place: int, index: int) -> Action:
    """The action that points at a card lying at a Location."""
    return SPOT + place * SPOTS + index


class Swap(Step[FeintState]):
    """Trojan Bit: a card in play goes under the draw pile, then draw one (rulings 67, 68)."""

    __slots__ = ("kind", "place")
    prompt: ClassVar[str] = "trojan"

    def __init__(self, seat: Seat, kind: int, place: int) -> None:
        super().__init__(seat)
        self.kind: int = kind
        self.place: int = place

    def options(self, s: FeintState) -> list[Action]:
        out: list[Action] = []
        for place in range(s.places):
            cards = s.at(self.seat, place)
            itself = s.find(self.seat, place, self.kind) if place == self.place else -1
            for i in range(len(cards)):
                if s.kinds[cards[i] & KIND].protected or i == itself:
                    continue
                if itself >= 0 or cards.index(cards[i]) == i:  # of equal cards one is offered
                    out.append(spot(place, i))
        return out

    def choose(self, s: FeintState, action: Action) -> None:
        seat = self.seat
        place = (action - SPOT) // SPOTS
        card = s.lift(seat, place, (action - SPOT) % SPOTS) & ~FLAGS | BOTH  # turned up as it leaves (ruling 24)
        s.deck[seat].insert(0, card)
        s.tell(events.RETURNED, seat, card, place)
        s.draw(seat, 1)

    def auto(self, s: FeintState) -> None:
        s.tell(events.NO_EFFECT, self.seat, HIDDEN)

    def key(self) -> list[int]:
        return [self.seat, self.kind, self.place]


class Inspect(Step[FeintState]):
    """Support Tower: of the cards looked at, one may go to the bottom (rulings 36, 74)."""

    __slots__ = ("count",)
    prompt: ClassVar[str] = "support"

    def __init__(self, seat: Seat, count: int) -> None:
        super().__init__(seat)
        self.count: int = count

    def options(self, s: FeintState) -> list[Action]:
        top = s.deck[self.seat][-self.count :]
        out = [DONE]
        for kind in kinds(top):
            # The second of equal cards leaves another order behind: slot 1 means it, slot 2 the third.
            out += [CARD + kind * SLOTS + slot for slot in range(copies(top, kind))]
        return out

    def choose(self, s: FeintState, action: Action) -> None:
        seat = self.seat
        if action == DONE:
            s.tell(events.KEPT, seat, HIDDEN)
            return
        deck = s.deck[seat]
        kind, above = divmod(action - CARD, SLOTS)
        at = len(deck) - 1
        while deck[at] & KIND != kind or above:
            if deck[at] & KIND == kind:
                above -= 1
            at -= 1
        # Which of the cards went, the opponent cannot tell, even of those that he knew.
        unseen = ~SEEN[OPPONENT[seat]]
        for i in range(len(deck) - self.count, len(deck)):
            deck[i] &= unseen
        card = deck.pop(at)
        deck.insert(0, card)
        s.tell(events.BOTTOMED, seat, card)

    def key(self) -> list[int]:
        return [self.seat, self.count]


class Bomb(Step[FeintState]):
    """Bomb Tower: an enemy card here goes, then the tower itself (rulings 75, 76)."""

    __slots__ = ("kind", "place")
    prompt: ClassVar[str] = "bomb"

    def __init__(self, seat: Seat, kind: int, place: int) -> None:
        super().__init__(seat)
        self.kind: int = kind
        self.place: int = place

    def options(self, s: FeintState) -> list[Action]:
        cards = s.at(OPPONENT[self.seat], self.place)
        out: list[Action] = []
        for i in range(len(cards)):
            card = cards[i]
            # Face-down cards may differ and are never Protected; of equal open cards one is offered.
            if card & DOWN or (cards.index(card) == i and not s.kinds[card & KIND].protected):
                out.append(spot(self.place, i))
        return out

    def choose(self, s: FeintState, action: Action) -> None:
        foe = OPPONENT[self.seat]
        card = s.bury(foe, s.lift(foe, self.place, (action - SPOT) % SPOTS))
        s.tell(events.BOMBED, foe, card, self.place)
        self.auto(s)

    def auto(self, s: FeintState) -> None:
        card = s.bury(self.seat, s.lift(self.seat, self.place, s.find(self.seat, self.place, self.kind)))
        s.tell(events.SPENT, self.seat, card, self.place)

    def key(self) -> list[int]:
        return [self.seat, self.kind, self.place]


class Assassinate(Step[FeintState]):
    """Assassin: chance picks a card of the opponent's hand (rulings 35, 71)."""

    __slots__ = ("victim",)
    prompt: ClassVar[str] = "assassinate"

    def __init__(self, victim: Seat) -> None:
        super().__init__(CHANCE)
        self.victim: Seat = victim

    def options(self, s: FeintState) -> list[Action]:
        return [CARD + kind * SLOTS for kind in kinds(s.hand[self.victim])]

    def weights(self, s: FeintState) -> list[int]:
        hand = s.hand[self.victim]
        return [copies(hand, kind) for kind in kinds(hand)]

    def choose(self, s: FeintState, action: Action) -> None:
        victim = self.victim
        hand = s.hand[victim]
        card = take(hand, (action - CARD) // SLOTS)
        if s.kinds[card & KIND].protected:
            hand.append(card | BOTH)
            s.tell(events.SHIELDED, victim, card | BOTH)
        else:
            s.tell(events.STRUCK, victim, s.bury(victim, card))

    def auto(self, s: FeintState) -> None:
        s.tell(events.NO_EFFECT, OPPONENT[self.victim], HIDDEN)

    def key(self) -> list[int]:
        return [self.victim]


class Peek(Step[FeintState]):
    """Explorer: look at the top of the own Location Draw Pile (rulings 7, 53)."""

    __slots__ = ("player",)

    def __init__(self, player: Seat) -> None:
        super().__init__(NOBODY)
        self.player: Seat = player

    def auto(self, s: FeintState) -> None:
        seat = self.player
        if not s.pile[seat]:
            if s.used[seat]:
                s.stack.append(PEEK[seat])
                refill(s, seat)
            return
        s.pile[seat][-1] |= SEEN[seat]
        s.tell(events.PEEKED, seat, s.pile[seat][-1])

    def key(self) -> list[int]:
        return [self.player]


START_ROUND: Final[Step[Any]] = StartRound(NOBODY)
REINFORCE: Final[Step[Any]] = Reinforce([0, 1])
SCOUT: Final[Step[Any]] = Scout(NOBODY)
DEPLOY: Final[list[Step[Any]]] = [Deploy(0), Deploy(1)]
RESOLVE: Final[Step[Any]] = Resolve(NOBODY)
CLEANUP: Final[Step[Any]] = Cleanup(NOBODY)
TOSS: Final[Step[Any]] = Toss(CHANCE)
PLAY_ONE: Final[list[Step[Any]]] = [PlayOne(0), PlayOne(1)]
CONJURE: Final[list[Step[Any]]] = [Conjure(0), Conjure(1)]
HEAL: Final[list[list[Step[Any]]]] = [[Heal(seat, n) for n in range(4)] for seat in (0, 1)]
PEEK: Final[list[Step[Any]]] = [Peek(0), Peek(1)]
ASSASSINATE: Final[list[Step[Any]]] = [Assassinate(0), Assassinate(1)]
SCRAMBLE: Final[list[list[Step[Any]]]] = [[Scramble(seat, p) for p in range(5)] for seat in (0, 1)]
