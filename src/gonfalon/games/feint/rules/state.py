"""The state of Feint: piles, Locations and Morale, with the operations on them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from gonfalon.core.basics.cards import FLAG, HIDDEN, KIND, SEEN, kinds, unshare
from gonfalon.core.basics.outcome import Outcome
from gonfalon.core.rules.shuffles import ShuffledState
from gonfalon.core.rules.state import OPEN, Action, Card, Seat, Step, copy_lists
from gonfalon.games.feint.rules import events
from gonfalon.games.feint.rules.actions import CARD, DONE, PLACE, SLOTS

if TYPE_CHECKING:
    from gonfalon.games.feint.rules.cards import Kind

DOWN: Final = FLAG  # is face down
STAY: Final = FLAG << 1  # has a Stay token
DUE: Final = FLAG << 2  # a Scrambler will move it; the twelve bits above are the number of the play that caused it
MORE_STAY: Final = DUE << 13  # a further Stay token; the bits from here on count them (ruling 83)
DUES: Final = MORE_STAY - DUE  # the mark of a Scrambler, with its number
MAX_TOKENS: Final = 8  # Stay tokens of one card
FACE_DOWN: Final = 3  # Capacity that a face-down card uses (ruling 19)
LAST_SPACE: Final = 11  # of the round track, so a game has at most ten rounds (ruling 82)
BOTH: Final = SEEN[0] | SEEN[1]
OPPONENT: Final = [1, 0]
# All states share this list, so it must never be changed in place.
NO_CARDS: Final[list[int]] = []
PILE: Final = 2  # + seat: the number of a Location Draw Pile among the shuffled zones
ORDER: Final = [[0, 1], [1, 0]]
"""Both seats, by the seat that comes first."""

HOW: Final = ["morale", "rounds", "final round"]


class Setup:
    """The constants of a game: its cards and the numbers of its box and options."""

    def __init__(
        self,
        *,
        kinds: list[Kind],
        decks: list[list[int]],
        numbers: list[int],
        location_deck: list[int],
        capacity: int,
        hand: int,
        morale: int,
        end_round: int,
        first: int,
        exact: bool,
        moves_played: bool,
        whole_gang: bool,
        factions: list[int],
    ) -> None:
        self.kinds: list[Kind] = kinds
        self.decks: list[list[int]] = decks  # a seat's Faction Cards, kinds
        self.numbers: list[int] = numbers  # Location numbers; a place is an index of these
        self.location_deck: list[int] = location_deck  # a seat's Location Cards; their kind is a place
        self.capacity: int = capacity
        self.hand: int = hand
        self.morale: int = morale
        self.end_round: int = end_round  # the first space of the end marker
        played = [kinds[kind] for deck in decks for kind in deck]
        self.lasting: bool = any(kind.rounds for kind in played)  # a card moves the end marker
        self.most_rounds: int = (LAST_SPACE if self.lasting else end_round) - 1
        self.first: int = first  # start player of round 1; -1: by chance
        self.exact: bool = exact
        self.scramblers: bool = any(kind.scrambles for kind in played)
        self.tokens: int = max([kind.tokens for kind in played], default=0)  # most Stay tokens of one card
        self.shifts: bool = any(kind.shift for kind in played)  # a card changes the Capacity of its Location
        self.moves_played: bool = moves_played  # the other reading of the Scrambler (ruling 64)
        self.whole_gang: bool = whole_gang  # the other reading of "Gang" (ruling 62)
        self.factions: list[int] = factions
        self.alike: list[int] = []  # by kind: the first kind that looks the same when it is played
        covert: dict[int, int] = {}  # by faction
        # With the printed Capacity the room of a kind never changes, so it is computed once for each game.
        for kind in kinds:
            kind.room = min(kind.limit, capacity) - kind.weight
            # Face-down plays of a faction must look alike, so all of them are shown as the first such kind.
            self.alike.append(covert.setdefault(kind.faction, kind.id) if kind.face_down else kind.id)


class FeintState(ShuffledState):
    """One position.

    `board[seat * len(numbers) + place]` lists a seat's cards at a Location in the order of arrival. The top of a pile
    is its end. Clones share the lists of `board`, `used`, `scout` and `won`, which halves the cost of a copy; these
    lists are replaced, never changed.
    """

    __slots__ = (
        "setup",
        "kinds",
        "places",
        "hand",
        "deck",
        "discard",
        "pile",
        "used",
        "scout",
        "board",
        "load",
        "morale",
        "won",
        "round",
        "first",
        "passed",
        "end",
        "winner",
        "how",
    )

    def __init__(
        self,
        setup: Setup,
        stack: list[Step[FeintState]],
        hand: list[list[Card]],
        deck: list[list[Card]],
        discard: list[list[Card]],
        pile: list[list[Card]],
        used: list[list[Card]],
        scout: list[list[Card]],
        board: list[list[Card]],
        load: list[int],
        morale: list[int],
        won: list[int],
    ) -> None:
        super().__init__(2, stack)
        self.setup: Setup = setup
        self.kinds: list[Kind] = setup.kinds
        self.places: int = len(load)
        self.hand: list[list[Card]] = hand
        self.deck: list[list[Card]] = deck
        self.discard: list[list[Card]] = discard
        self.pile: list[list[Card]] = pile  # Location Draw Piles
        self.used: list[list[Card]] = used  # Location Discard Piles
        self.scout: list[list[Card]] = scout  # the Location Card of this round
        self.board: list[list[Card]] = board
        self.load: list[int] = load  # Capacity used at each Location
        self.morale: list[int] = morale
        self.won: list[int] = won  # the winner of each finished round
        self.round: int = 1
        self.first: int = 0  # the start player of this round
        self.passed: int = 0  # bitmask of seats
        self.end: int = setup.end_round  # the space of the end marker
        self.winner: int = -1
        self.how: int = 0

    def clone(self) -> FeintState:
        hand, deck, discard = self.hand, self.deck, self.discard
        pile, used, scout = self.pile, self.used, self.scout
        twin = FeintState(
            self.setup,
            # Steps do not change after they are pushed, so clones share them and copy only the stack.
            self.stack[:],
            [hand[0][:], hand[1][:]],
            [deck[0][:], deck[1][:]],
            [discard[0][:], discard[1][:]],
            [pile[0][:], pile[1][:]],
            used[:],
            scout[:],
            self.board[:],
            self.load[:],
            self.morale[:],
            self.won,
        )
        twin.round = self.round
        twin.first = self.first
        twin.passed = self.passed
        twin.end = self.end
        twin.winner = self.winner
        twin.how = self.how
        self.copy_flow(twin)
        return twin

    # ---- the interface of the core ---------------------------------------------------------------

    def own(self) -> None:
        # The mask is about to change cards in lists that clones share.
        unshare(self.board, BOTH)
        unshare(self.used, BOTH)
        unshare(self.scout, BOTH)

    def ordered_zones(self) -> list[list[Card]]:
        return [*self.deck, *self.discard, *self.pile, *self.used, *self.scout, *self.board]

    def unordered_zones(self) -> list[list[Card]]:
        return self.hand

    def shuffled_zones(self) -> list[list[Card]]:
        # The order gives the zones their numbers: the decks are 0 and 1, the Location piles follow from `PILE`.
        return [*self.deck, *self.pile]

    def deal_action(self, zone: int, kind: int) -> Action:
        return CARD + kind * SLOTS if zone < PILE else PLACE + kind

    def pools(self) -> list[tuple[list[int], list[list[Card]]]]:
        pools: list[tuple[list[int], list[list[Card]]]] = []
        n = self.places
        for seat in range(2):
            zones = [self.hand[seat], self.deck[seat], self.discard[seat]]
            zones += self.board[seat * n : seat * n + n]
            pools.append((self.setup.decks[seat], zones))
            pools.append((self.setup.location_deck, [self.pile[seat], self.used[seat], self.scout[seat]]))
        return pools

    def binding(self) -> int:
        return DOWN

    def admits(self, flags: int, kind: int) -> bool:
        # Only kinds that are played face down can be the unknown card behind a `DOWN` flag.
        return self.kinds[kind].face_down

    def data(self) -> list[object]:
        return copy_lists(self.fields())

    def fields(self) -> list[object]:
        return [
            self.hand,
            self.deck,
            self.discard,
            self.pile,
            self.used,
            self.scout,
            self.board,
            self.load,
            self.morale,
            self.won,
            [self.round, self.first, self.passed, self.end, self.winner, self.how],
        ]

    def outcome(self) -> Outcome | None:
        return None if self.winner < 0 else Outcome([self.winner], HOW[self.how])

    def returns(self) -> list[float]:
        if self.winner < 0:
            return [0.0, 0.0]
        return [1.0, -1.0] if self.winner == 0 else [-1.0, 1.0]

    def public(self, seat: Seat, action: Action, viewer: int) -> Action:
        """Return the action as a viewer sees it.

        A face-down play becomes the first kind of its faction that is played face down, at the same Location. A card
        that a Support Tower puts under the draw pile becomes kind 0.
        """
        if viewer in (seat, OPEN):
            return action
        # All other answers become one action, so the opponent cannot tell which card went down.
        if self.stack and self.stack[-1].prompt == "support":
            return action if action == DONE else CARD
        slot = (action - CARD) % SLOTS
        if action < CARD or slot == 0:
            return action
        return CARD + self.setup.alike[(action - CARD) // SLOTS] * SLOTS + slot

    # ---- reading the state ----------------------------------------------------------------------

    def at(self, seat: Seat, place: int) -> list[Card]:
        """Return a seat's cards at a Location."""
        return self.board[seat * self.places + place]

    def capacity(self, place: int) -> int:
        """Return the Capacity of a Location, changed by open cards there (ruling 81)."""
        capacity = self.setup.capacity
        if self.setup.shifts:
            for side in (place, self.places + place):
                for card in self.board[side]:
                    if not card & DOWN:
                        capacity += self.kinds[card & KIND].shift
        return max(0, capacity)

    def find_open_places(self, load: int) -> int:
        # Native integers, so that mypyc compiles the loop without boxing.
        """Return the places with at most `load` Capacity used, as a bitmask."""
        places: i64 = 0
        bit: i64 = 1
        most: i64 = load
        for held in self.load:
            if held <= most:
                places |= bit
            bit += bit
        return places

    def burden(self, card: Card) -> int:
        """Return the Capacity that a card uses (ruling 19)."""
        return FACE_DOWN if card & DOWN else self.kinds[card & KIND].strength

    def plays(self, zone: list[Card]) -> list[Action]:
        """Return the legal plays of the cards in a hand or discard pile, ascending."""
        out: list[Action] = []
        table = self.kinds
        for kind in kinds(zone):
            table[kind].plays(self, out)
        return out

    def works(self, place: int) -> tuple[int, int]:
        """Return the number of open Engineers and of open Towers at a Location, of both seats (ruling 73)."""
        engineers = 0
        towers = 0
        for side in (place, self.places + place):
            for card in self.board[side]:
                if not card & DOWN:
                    kind = self.kinds[card & KIND]
                    if kind.engineer:
                        engineers += 1
                    if kind.tower:
                        towers += 1
        return engineers, towers

    def has_scrambler(self, seat: Seat, place: int) -> bool:
        """Return whether a seat has a Scrambler at a Location."""
        # A view lacks the kinds of the other seat's face-down cards.
        return any(card & KIND != HIDDEN and self.kinds[card & KIND].scrambles for card in self.at(seat, place))

    def fielded_morale(self, seat: Seat) -> int:
        """Return the Morale of a seat's known cards at all Locations (ruling 46)."""
        total = 0
        for place in range(self.places):
            for card in self.at(seat, place):
                if card & KIND != HIDDEN:  # a view lacks the other seat's face-down cards
                    total += self.kinds[card & KIND].morale
        return total

    # ---- changing the state ---------------------------------------------------------------------

    def draw(self, seat: Seat, count: int) -> None:
        """Draw Faction Cards, as far as the draw pile lasts (ruling 6)."""
        hand = self.hand[seat]
        deck = self.deck[seat]
        seen = SEEN[seat]
        count = min(count, len(deck))
        if count <= 0:
            return
        self.tell(events.DREW, seat, HIDDEN, count)
        for _ in range(count):
            card = deck.pop() | seen
            hand.append(card)
            if self.log is not None:
                self.tell_only(1 << seat, events.DREW_CARD, seat, card)

    def put(self, seat: Seat, card: Card, place: int) -> None:
        """Add a card to a Location."""
        side = seat * self.places + place
        # Clones share the lists of the board, so a change needs a copy.
        cards = self.board[side][:]
        cards.append(card)
        self.board[side] = cards
        self.load[place] = self.load[place] + self.burden(card)

    def lift(self, seat: Seat, place: int, index: int) -> Card:
        """Remove and return the card at an index of a Location."""
        side = seat * self.places + place
        cards = self.board[side][:]
        card = cards.pop(index)
        self.board[side] = cards
        self.load[place] = self.load[place] - self.burden(card)
        return card

    def remark(self, seat: Seat, place: int, index: int, card: Card) -> None:
        """Replace the card at an index of a Location by itself with other flags or seen bits."""
        side = seat * self.places + place
        cards = self.board[side][:]
        cards[index] = card
        self.board[side] = cards

    def move(self, seat: Seat, place: int, index: int, to: int) -> None:
        """Move a card to another Location, and clear the mark of a Scrambler (ruling 78).

        A move is not a play, so it ignores Capacity and triggers nothing (rulings 22, 23).
        """
        card = self.lift(seat, place, index) & ~DUES
        self.put(seat, card, to)
        self.tell(events.MOVED, seat, card, place, to)

    def bury(self, seat: Seat, card: Card) -> Card:
        """Put a card face up on its owner's discard pile, and return it as it is there."""
        card = card & KIND | BOTH
        self.discard[seat].append(card)
        return card

    def find(self, seat: Seat, place: int, kind: int) -> int:
        """Return the index of a seat's newest card of a kind at a Location; -1 if there is none."""
        cards = self.at(seat, place)
        for i in range(len(cards) - 1, -1, -1):
            if cards[i] & KIND == kind:
                return i
        return -1

    def change_morale(self, seat: Seat, change: int) -> None:
        """Change a seat's Morale; at 0 or less the game ends immediately (ruling 49)."""
        self.morale[seat] += change
        self.tell(events.MORALE, seat, HIDDEN, change, self.morale[seat])
        if self.morale[seat] <= 0:
            self.finish(OPPONENT[seat], events.BY_MORALE)

    def move_end(self, spaces: int) -> bool:
        """Move the end marker on the track, but not behind this round's end (ruling 82). Return whether it moved."""
        end = min(LAST_SPACE, max(self.round + 1, self.end + spaces))
        moved = end != self.end
        self.end = end
        return moved

    def tell_idle(self, seat: Seat) -> None:
        """Log that an ability of a seat's card has no effect."""
        self.tell(events.NO_EFFECT, seat, HIDDEN)

    def finish(self, winner: Seat, how: int) -> None:
        self.winner = winner
        self.how = how
        # No step of an unfinished play may run after the end of the game.
        self.stack.clear()
        self.tell(events.OVER, winner, HIDDEN, how)
