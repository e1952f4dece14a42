"""The table of Generals: hands, RESOURCE, DISCARD, CASUALTY, and the armies on the battlefield.

Knowledge (ruling 65). Players know their own hands. A card that a search or a look has shown to a player stays known to
them as long as its place is certain. When a card leaves a hand face down, the other seat may no longer know which of
the remaining cards is which, so all its knowledge of that hand is cleared (`conceal`).

A card that enters DISCARD loses all its seen bits, the owner's too: neither seat may look it up, whether it was paid,
depleted or played openly. Strategies and Counters are open while they work (`flight`) and go face down afterwards.
CASUALTY, Out of game, Commandments and all cards on the battlefield are open.

A deck list is known to its owner alone, unless an option opens both lists. The other seat knows the cards of it that it
was shown (`seen`), wherever these cards are now.
"""

from __future__ import annotations

from typing import Final

from gonfalon.core.basics.beliefs import Beliefs
from gonfalon.core.basics.cards import HIDDEN, KIND, SEEN, SEEN_BY_ANY, take
from gonfalon.core.basics.outcome import Outcome
from gonfalon.core.rules.shuffles import ShuffledState
from gonfalon.core.rules.state import Action, AnyStep, Card, Seat, copy_lists
from gonfalon.games.generals.effects.frame import ARMAMENT, GENERAL, PARTS, TROOP
from gonfalon.games.generals.rules import events, stats
from gonfalon.games.generals.rules.actions import CARD
from gonfalon.games.generals.rules.beliefs import ListBeliefs
from gonfalon.games.generals.rules.cards import COUNTER, MIGHT, NO_CONTEXT, STRATEGY, WITS
from gonfalon.games.generals.rules.lasting import WHOM, Entry
from gonfalon.games.generals.rules.setup import Setup
from gonfalon.games.generals.rules.zones import AWAY, DEAD, NEAR

BOTH: Final = SEEN[0] | SEEN[1]
OPPONENT: Final = [1, 0]

# The acts of a general this turn, as bits.
NEW: Final = 1  # recruited this turn (ruling 10)
MOVE_USED: Final = 2
ATTACK_USED: Final = 4
HAS_MOVED: Final = 8
ACTIVE_USED: Final = 16
AGAIN: Final = 32  # may attack once more
TO_BORDER: Final = 64  # moved to its BORDER this turn (the other reading of ruling 4)
RETURNED: Final = 128  # returned to the hand this turn (ruling 68)


NO_CARDS: Final[list[list[int]]] = [[], []]
"""An empty list for each seat. Such lists are replaced and never changed."""
FADING: Final = (*events.TELL_KIND, *events.TELL_CARD)


class GeneralsState(ShuffledState):
    """One position.

    `army[seat]` lists a seat's units in play, `field[seat]` their cards. The lists by unit (`zone`, `flags`,
    `armament`, `troop`) are valid for units in play; only the flag RETURNED is set for others. The top of RESOURCE is
    its end.
    """

    __slots__ = (
        *("setup", "hand", "deck", "discard", "casualty", "field", "gear", "flight", "out", "command", "army"),
        *("zone", "flags", "armament", "troop", "marks", "lasting", "spent", "floor", "active", "first"),
        *("number", "sieges", "felled", "winner", "how", "by_kind", "lists", "seen", "gone"),
    )

    def __init__(
        self,
        setup: Setup,
        stack: list[AnyStep],
        hand: list[list[Card]],
        deck: list[list[Card]],
        discard: list[list[Card]],
        casualty: list[list[Card]],
        field: list[list[Card]],
        gear: list[list[Card]],
        flight: list[list[Card]],
        out: list[list[Card]],
        command: list[list[Card]],
        army: list[list[int]],
        zone: list[int],
        flags: list[int],
        armament: list[int],
        troop: list[int],
        marks: list[int],
        lasting: list[Entry],
        spent: list[int],
        floor: list[int],
    ) -> None:
        super().__init__(2, stack)
        self.setup: Setup = setup
        self.hand: list[list[Card]] = hand
        self.deck: list[list[Card]] = deck  # RESOURCE
        self.discard: list[list[Card]] = discard
        self.casualty: list[list[Card]] = casualty
        self.field: list[list[Card]] = field
        self.gear: list[list[Card]] = gear  # Equipment in play
        self.flight: list[list[Card]] = flight  # declared cards, until they reach their zone
        self.out: list[list[Card]] = out  # Out of game
        self.command: list[list[Card]] = command
        self.army: list[list[int]] = army
        self.zone: list[int] = zone
        self.flags: list[int] = flags
        self.armament: list[int] = armament  # kinds, -1 for none
        self.troop: list[int] = troop
        self.marks: list[int] = marks  # by source
        self.lasting: list[Entry] = lasting
        self.spent: list[int] = spent  # used abilities with a limit: source * 16 + number
        self.floor: list[int] = floor  # the last kind of a running payment, the owner's secret; -1 for none
        self.active: Seat = 0  # whose turn it is
        self.first: Seat = 0
        self.number: int = 0  # of the turn, counted over both seats
        self.sieges: int = 0  # declared this turn
        self.felled: int = 0  # by the Tactics being executed
        self.winner: int = -1
        self.how: int = 0
        self.by_kind: int = -1  # the card of a special victory
        # Kinds by seat, ascending. These lists are replaced and never changed, so clones share them.
        self.lists: list[list[int]] = NO_CARDS  # the RESOURCE of each deck list; empty if unknown to the viewer
        self.seen: list[list[int]] = NO_CARDS  # the cards of it that the other seat has seen
        self.gone: list[list[int]] = NO_CARDS  # the seen cards certain to be in DISCARD; in no view

    def clone(self) -> GeneralsState:
        hand, deck, discard, casualty, field = self.hand, self.deck, self.discard, self.casualty, self.field
        gear, flight, out, army = self.gear, self.flight, self.out, self.army
        twin = GeneralsState(
            self.setup,
            self.stack[:],
            [hand[0][:], hand[1][:]],
            [deck[0][:], deck[1][:]],
            [discard[0][:], discard[1][:]],
            [casualty[0][:], casualty[1][:]],
            [field[0][:], field[1][:]],
            [gear[0][:], gear[1][:]],
            [flight[0][:], flight[1][:]],
            [out[0][:], out[1][:]],
            [self.command[0][:], self.command[1][:]],
            [army[0][:], army[1][:]],
            self.zone[:],
            self.flags[:],
            self.armament[:],
            self.troop[:],
            self.marks[:],
            self.lasting[:],
            self.spent[:],
            self.floor[:],
        )
        twin.active = self.active
        twin.first = self.first
        twin.number = self.number
        twin.sieges = self.sieges
        twin.felled = self.felled
        twin.winner = self.winner
        twin.how = self.how
        twin.by_kind = self.by_kind
        twin.lists = self.lists
        twin.seen = self.seen
        twin.gone = self.gone
        self.copy_flow(twin)
        return twin

    # ---- what the core asks ---------------------------------------------------------------------

    def ordered_zones(self) -> list[list[Card]]:
        return [*self.deck, *self.casualty, *self.field, *self.gear, *self.flight, *self.out, *self.command]

    def unordered_zones(self) -> list[list[Card]]:
        return [*self.hand, *self.discard]

    def zones(self) -> list[list[Card]]:
        deck, casualty, field, gear, flight = self.deck, self.casualty, self.field, self.gear, self.flight
        out, command, hand, discard = self.out, self.command, self.hand, self.discard
        # Written out, because every row of an observation calls this method.
        zones = [deck[0], deck[1], casualty[0], casualty[1], field[0], field[1], gear[0], gear[1], flight[0], flight[1]]
        zones += [out[0], out[1], command[0], command[1], hand[0], hand[1], discard[0], discard[1]]
        return zones

    def is_loose(self, zone: int) -> bool:
        # A searched draw pile will be shuffled (ruling 66), so its order means nothing.
        return bool(self.stack) and self.stack[-1].prompt == "search" and self.stack[-1].seat == zone

    def shuffled_zones(self) -> list[list[Card]]:
        return self.deck

    def deal_action(self, zone: int, kind: int) -> Action:
        return CARD + kind

    def pools(self) -> list[tuple[list[int], list[list[Card]]]]:
        pools: list[tuple[list[int], list[list[Card]]]] = []
        for seat in (0, 1):
            zones = [self.hand[seat], self.deck[seat], self.discard[seat], self.casualty[seat], self.field[seat]]
            zones += [self.gear[seat], self.flight[seat], self.out[seat], self.command[seat]]
            deck = self.lists[seat]
            pools.append(([*deck, self.setup.commands[seat]] if deck else [], zones))
        return pools

    def beliefs(self) -> Beliefs | None:
        return None if self.lists[0] and self.lists[1] else ListBeliefs(self.lists, self.setup.priors, self.seen)

    def assume(self, lists: list[list[int]]) -> None:
        self.lists = [sorted(lists[0][:-1]), sorted(lists[1][:-1])]  # without the Commandments

    def forgotten(self) -> list[list[Card]]:
        return self.discard

    def hide(self, viewer: int) -> None:
        for seat in (0, 1):
            if seat != viewer:
                self.floor[seat] = -1
        self.gone = NO_CARDS
        for seat in (0, 1):
            # Sorted, because the old order must not reach the searching player.
            if self.is_loose(seat):
                self.deck[seat].sort()
        # Both lists are revealed after the end.
        if self.setup.closed and self.winner < 0:
            lists = self.lists
            self.lists = [lists[seat] if seat == viewer else [] for seat in (0, 1)]

    def data(self) -> list[object]:
        return copy_lists(self.fields())

    def fields(self) -> list[object]:
        return [
            self.hand,
            self.deck,
            self.discard,
            self.casualty,
            self.field,
            self.gear,
            self.flight,
            self.out,
            self.command,
            self.army,
            self.zone,
            self.flags,
            self.armament,
            self.troop,
            self.marks,
            self.lasting,
            self.spent,
            self.floor,
            [self.active, self.first, self.number, self.sieges, self.felled, self.winner, self.how, self.by_kind],
            self.lists,
            self.seen,
            self.gone,
        ]

    def outcome(self) -> Outcome | None:
        return None if self.winner < 0 else Outcome([self.winner], events.HOW[self.how])

    def returns(self) -> list[float]:
        if self.winner < 0:
            return [0.0, 0.0]
        return [1.0, -1.0] if self.winner == 0 else [-1.0, 1.0]

    # ---- reading the table ----------------------------------------------------------------------

    def might(self, u: int) -> int:
        """Return a general's Might outside a melee, at least 0 (ruling 16)."""
        now = stats.compute_stat(self, MIGHT, u, NO_CONTEXT, -1)
        return now if now > 0 else 0

    def wits(self, u: int) -> int:
        """Return a general's Wits, at least 0."""
        now = stats.compute_stat(self, WITS, u, NO_CONTEXT, -1)
        return now if now > 0 else 0

    def might_in(self, u: int, context: int, foe: int) -> int:
        """Return a general's Might in a melee against another, at least 0."""
        now = stats.compute_stat(self, MIGHT, u, context, foe)
        return now if now > 0 else 0

    def card_of(self, u: int) -> Card:
        """Return the card of a general in play."""
        seat = self.setup.owner[u]
        return self.field[seat][self.army[seat].index(u)]

    def is_new(self, u: int) -> bool:
        """Return whether a general was recruited this turn (ruling 10)."""
        return bool(self.flags[u] & NEW)

    def has_returned(self, u: int) -> bool:
        """Return whether a general of this name returned to the hand this turn (ruling 68)."""
        returned = False
        for v in self.setup.alike[u]:
            returned = returned or bool(self.flags[v] & RETURNED)
        return returned

    def has_moved(self, u: int) -> bool:
        """Return whether a general has made its move this turn."""
        return bool(self.flags[u] & HAS_MOVED)

    def count_foes(self, u: int) -> int:
        """Return how many enemies are in a general's zone."""
        return self.count_standing(OPPONENT[self.setup.owner[u]], self.zone[u])

    def count_standing(self, seat: Seat, zone: int) -> int:
        """Return how many generals of a seat are in a zone."""
        at = self.zone
        count = 0
        for u in self.army[seat]:
            if at[u] == zone:
                count += 1
        return count

    def missing_blockers(self, u: int) -> int:
        """Return how many more generals must be at a seat's BORDER before this one may move to ENEMY'S BORDER (rulings
        4 to 6). Permissions to ignore the rule are not considered."""
        seat = self.setup.owner[u]
        near = NEAR[seat]
        wanted = self.count_standing(OPPONENT[seat], near)
        if wanted == 0:
            return 0
        strict = self.setup.strict_blocking
        for v in self.army[seat]:
            if v != u and self.zone[v] == near and (not strict or self.flags[v] & TO_BORDER):
                wanted -= 1
        return wanted if wanted > 0 else 0

    def count_marks(self, source: int) -> int:
        return self.marks[source] if source >= 0 else 0

    def in_play(self, u: int) -> bool:
        return u >= 0 and self.zone[u] >= 0

    def name_taken(self, u: int) -> bool:
        """Return whether a general of this name is in play or in CASUALTY on its side (ruling 32)."""
        taken = False
        for v in self.setup.alike[u]:
            taken = taken or self.zone[v] != AWAY
        return taken

    # ---- cards ----------------------------------------------------------------------------------

    def draw(self, seat: Seat, count: int) -> None:
        """Draw cards one by one. A draw from an empty RESOURCE loses the game (rulings 52, 53)."""
        deck = self.deck[seat]
        hand = self.hand[seat]
        had = len(deck)
        drawn = count if count <= had else had
        if drawn:
            if self.log is not None:
                self.tell(events.DREW, seat, HIDDEN, drawn)
            for _ in range(drawn):
                card = deck.pop() | SEEN[seat]
                hand.append(card)
                if self.log is not None:
                    self.tell_only(1 << seat, events.DREW_CARD, seat, card)
        if count > had:
            self.finish(OPPONENT[seat], events.BY_DRAW)

    def bury(self, seat: Seat, card: Card) -> None:
        """Put a card face down on its owner's DISCARD, where no player may look at it again (ruling 65)."""
        self.discard[seat].append(card & KIND)

    def bury_openly(self, seat: Seat, card: Card) -> None:
        """Put a card that both seats know on its owner's DISCARD."""
        self.bury(seat, card)
        if self.setup.closed:
            self.gone = with_more(self.gone, seat, card & KIND, 1)

    def dig(self, seat: Seat, kind: int) -> None:
        """Put a card of DISCARD under RESOURCE. No player sees which, so one copy of each kind is no longer certain to
        be in DISCARD."""
        self.discard[seat].remove(kind)
        # The end of the list is the top, so the card goes to the bottom.
        self.deck[seat].insert(0, kind)
        left = self.gone[seat][:]
        # One copy of each kind may have been the recovered card.
        for one in set(left):
            left.remove(one)
        self.gone = [left, self.gone[1]] if seat == 0 else [self.gone[0], left]

    def learn(self, seat: Seat, kind: int) -> None:
        """Record that the other seat was shown a card.

        The deck list holds at least as many copies of the kind as that seat sees now, together with those that are
        certain to be in DISCARD.
        """
        if not self.setup.closed:
            return
        known = self.seen[seat].count(kind)
        if known == 0:
            self.seen = with_more(self.seen, seat, kind, 1)
            return
        # A legal deck has no more copies, so nothing is left to learn.
        if known == self.setup.copies:
            return
        other = SEEN[OPPONENT[seat]]
        now = self.gone[seat].count(kind)
        hand, field, gear, casualty = self.hand[seat], self.field[seat], self.gear[seat], self.casualty[seat]
        for zone in (hand, field, gear, casualty, self.flight[seat], self.out[seat]):
            for card in zone:
                if card & KIND == kind and card & other:
                    now += 1
        if now > known:
            self.seen = with_more(self.seen, seat, kind, now - known)

    def deplete(self, seat: Seat, count: int) -> int:
        """Put the top cards of RESOURCE on DISCARD, unseen (ruling 25). Return how many there were."""
        deck = self.deck[seat]
        if count > len(deck):
            count = len(deck)
        if count > 0:
            discard = self.discard[seat]
            for _ in range(count):
                discard.append(deck.pop() & KIND)
            self.tell(events.DEPLETED, seat, HIDDEN, count)
            return count
        return 0

    def damage(self, seat: Seat, count: int, general: bool) -> int:
        """Deplete RESOURCE. A general's damage beyond the last card loses at once (rulings 24, 62). Return the number
        of depleted cards."""
        # Decided before depletion: exactly the last cards do not lose (ruling 24).
        lethal = count > len(self.deck[seat]) and (general or self.setup.card_damage)
        done = self.deplete(seat, count)
        if lethal:
            self.finish(OPPONENT[seat], events.BY_DAMAGE)
        return done

    def drop(self, seat: Seat, kind: int) -> None:
        """Put a card of the hand face down on DISCARD. Its kind stays the owner's secret."""
        self.bury(seat, take(self.hand[seat], kind))
        # The other seat cannot know which of the cards it has seen went (ruling 65).
        self.conceal(seat)

    def conceal(self, seat: Seat) -> None:
        """Clear the other seat's knowledge of a hand."""
        other = SEEN[OPPONENT[seat]]
        hand = self.hand[seat]
        for i in range(len(hand)):
            if hand[i] & other:
                hand[i] &= ~other

    def lift(self, seat: Seat, kind: int) -> Card:
        """Declare a card of the hand: take it up and show it."""
        card = take(self.hand[seat], kind) | BOTH
        self.flight[seat].append(card)
        self.learn(seat, kind)
        self.tell(events.DECLARED, seat, card, kind)
        return card

    def land(self, seat: Seat, kind: int) -> Card:
        """Take a declared card out of the air. Return -1 if it is elsewhere already."""
        flight = self.flight[seat]
        # The newest card first: a Counter resolves before the card that it answers.
        for i in range(len(flight) - 1, -1, -1):
            if flight[i] & KIND == kind:
                return flight.pop(i)
        return -1

    def use_up(self, seat: Seat, kind: int) -> None:
        """Put a declared card face down on DISCARD after it has worked or was negated."""
        card = self.land(seat, kind)
        if card < 0:
            return
        self.bury_openly(seat, card)
        if self.log is not None:
            self.close_in_log(seat, kind)
            self.tell(events.USED, seat, HIDDEN, kind)

    # ---- generals -------------------------------------------------------------------------------

    def enter(self, u: int, card: Card, zone: int, declared: bool) -> None:
        """Bring a general into play: `declared` and paid for, or by an effect."""
        seat = self.setup.owner[u]
        self.army[seat].append(u)
        self.field[seat].append(card | BOTH)
        self.zone[u] = zone
        self.flags[u] = NEW
        if not declared:
            self.learn(seat, card & KIND)
        self.tell(events.RECRUITED, seat, card | BOTH, zone, 0 if declared else -1)

    def leave(self, u: int, zone: int) -> Card:
        """Remove a general from play to DEAD or AWAY. Its Equipment goes to DISCARD (ruling 39)."""
        seat = self.setup.owner[u]
        army = self.army[seat]
        at = army.index(u)
        del army[at]
        card = self.field[seat].pop(at)
        self.zone[u] = zone
        self.flags[u] = 0
        if self.armament[u] >= 0:
            self.unequip(u, True)
        if self.troop[u] >= 0:
            self.unequip(u, False)
        # Marks belong to the card in play.
        self.marks[u * PARTS + GENERAL] = 0
        if self.lasting:
            self.lasting = [entry for entry in self.lasting if entry[WHOM] != u]
        if self.spent:
            self.spent = [key for key in self.spent if key // (16 * PARTS) != u]
        if zone == DEAD:
            self.casualty[seat].append(card)
        return card

    def equip(self, u: int, card: Card) -> None:
        """Put Equipment on a general."""
        seat = self.setup.owner[u]
        self.gear[seat].append(card)
        if self.setup.kinds[card & KIND].armament:
            self.armament[u] = card & KIND
            self.marks[u * PARTS + ARMAMENT] = 0
        else:
            self.troop[u] = card & KIND
            self.marks[u * PARTS + TROOP] = 0
        self.tell(events.EQUIPPED, seat, card, u)

    def strip(self, u: int, armament: bool) -> Card:
        """Take Equipment off a general."""
        worn = self.armament if armament else self.troop
        kind = worn[u]
        worn[u] = -1
        part = ARMAMENT if armament else TROOP
        self.marks[u * PARTS + part] = 0
        if self.spent:
            self.spent = [key for key in self.spent if key // 16 != u * PARTS + part]
        return take(self.gear[self.setup.owner[u]], kind)

    def unequip(self, u: int, armament: bool) -> None:
        """Put Equipment whose bearer leaves play face down on DISCARD."""
        seat = self.setup.owner[u]
        card = self.strip(u, armament)
        self.bury_openly(seat, card)
        if self.log is not None:
            self.close_in_log(seat, card & KIND)
            self.tell(events.LOST_GEAR, seat, HIDDEN, card & KIND, u)

    # ---- the log --------------------------------------------------------------------------------

    def close_in_log(self, seat: Seat, kind: int) -> None:
        """Hide a card in the log that was open and goes face down. That it was played stays in the log as a kind until
        `fade`."""
        log = self.log
        if log is None:
            return
        for i in range(len(log) - 1, -1, -1):
            code, audience, who, card, a, b = log[i]
            shown = code in (events.DECLARED, events.EQUIPPED) and card & SEEN_BY_ANY
            if shown and who == seat and card & KIND == kind:
                log[i] = (code, audience, who, card & ~SEEN_BY_ANY, a, b)
                if code == events.DECLARED:
                    return

    def fade(self) -> None:
        """Forget single cards in the log at the start of a turn: those before the last turn, unless they are still
        open.

        The contents of DISCARD could otherwise be worked out from the drawn, taken and played cards. The log must not
        remember more than the players may look up.
        """
        log = self.log
        if log is None:
            return
        turns = 0
        for i in range(len(log) - 1, -1, -1):
            code, audience, who, card, a, b = log[i]
            if code == events.TURN:
                turns += 1
                # Older turns were already treated at the start of the last turn.
                if turns == 3:
                    return
            elif turns == 2 and code in FADING:
                if code in events.TELL_KIND:
                    # Characters and Equipment stay open after they are played.
                    if code == events.DECLARED and self.setup.kinds[a].type not in (STRATEGY, COUNTER):
                        continue
                    a = events.FORGOTTEN
                log[i] = (code, audience, who, card & KIND, a, b)

    def close_search(self, seat: Seat) -> None:
        """Hide the cards that a search has shown in the log, because RESOURCE is shuffled after it."""
        log = self.log
        if log is None:
            return
        for i in range(len(log) - 1, -1, -1):
            code, audience, who, card, a, b = log[i]
            if code == events.SOUGHT:
                return
            if code == events.SOUGHT_CARD and who == seat:
                log[i] = (code, audience, who, card & KIND, a, b)

    # ---- the end --------------------------------------------------------------------------------

    def finish(self, winner: Seat, how: int, kind: int = -1) -> None:
        if self.winner >= 0:
            return
        self.winner = winner
        self.how = how
        self.by_kind = kind
        # Pending steps must not run after the end.
        self.stack.clear()
        self.tell(events.OVER, winner, HIDDEN, how, kind)


def with_more(lists: list[list[int]], seat: Seat, kind: int, count: int) -> list[list[int]]:
    """Return the lists of both seats with `count` more copies of a kind in one of them."""
    more = lists[seat] + [kind] * count
    more.sort()
    return [more, lists[1]] if seat == 0 else [lists[0], more]
