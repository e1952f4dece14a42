"""The table of Jinkei: hands, decks, formations, the battle, and what was taken."""

from __future__ import annotations

from typing import Final

from gonfalon.core.basics.cards import HIDDEN, KIND, SEEN, SEEN_BY_ANY, Unread, by_card, unshare
from gonfalon.core.basics.outcome import Outcome
from gonfalon.core.rules.shuffles import ShuffledState
from gonfalon.core.rules.state import Action, AnyStep, Card, Seat, State, as_lists
from gonfalon.games.jinkei.rules import events
from gonfalon.games.jinkei.rules.actions import DEAL, KINDS
from gonfalon.games.jinkei.rules.setup import Formation, Setup

BOTH: Final = SEEN[0] | SEEN[1]
UNSEEN: Final = ~SEEN_BY_ANY
OPPONENT: Final = [1, 0]
ORDER: Final = [[0, 1], [1, 0]]
"""Both seats, a given one first."""
TIE: Final = 2
TAKES_BLACK: Final = [0, 2, 0]
TAKES_WHITE: Final = [1, 3, 3]
"""By who won, or TIE: to which of `taken` the card of seat 0, and of seat 1, goes."""
LOWEST: Final = 0
HIGHEST: Final = 12
HOW: Final = ["points", "second player", "shared"]

NO_CARDS: Final[list[Card]] = []
OPEN_CARD: Final[list[list[list[Card]]]] = [by_card([[BOTH | kind] for kind in range(KINDS)], 2) for _ in (0, 1)]
"""For each owner and card, a space or a place in the battle that holds nothing but that card, open. Nearly
all do, and since such lists are replaced and never changed, all states can share these."""
KNOWN: Final[list[Unread]] = [[SEEN[seat] | kind for kind in range(KINDS)] for seat in (0, 1)]
"""The cards of a hand, made once."""
OWN_CARD: Final[list[list[list[Card]]]] = [[[SEEN[seat] | kind] for kind in range(KINDS)] for seat in (0, 1)]
"""The same for a card that only its seat knows."""


class JinkeiState(ShuffledState):
    """One position. `spaces[seat][space]` lists the cards on a space of a seat's formation;
    `taken[seat * 2 + owner]` what a seat took this round out of an owner's deck; the top of a deck is
    its end. Clones share the lists of a hand, deck, space, duel, and `spent`, `scored`, `type`, `formation`,
    `totals`: most of what there is to copy. They are replaced, never changed."""

    __slots__ = (
        "setup",
        "hand",
        "deck",
        "spaces",
        "duel",
        "taken",
        "spent",
        "type",
        "formation",
        "forms",
        "scored",
        "totals",
        "battles",
        "round",
        "game",
        "starter",
        "first",
        "attacker",
        "origin",
        "called",
        "how",
        "winner",
    )

    def __init__(
        self,
        setup: Setup,
        stack: list[AnyStep],
        hand: list[list[Card]],
        deck: list[list[Card]],
        spaces: list[list[list[Card]]],
        duel: list[list[Card]],
        taken: list[list[Card]],
        spent: list[list[Card]],
        type: list[int],
        formation: list[int],
        scored: list[list[int]],
        totals: list[int],
        battles: list[int],
        origin: list[int],
        called: list[int],
    ) -> None:
        super().__init__(2, stack)
        self.setup: Setup = setup
        self.hand: list[list[Card]] = hand
        self.deck: list[list[Card]] = deck
        self.spaces: list[list[list[Card]]] = spaces
        self.duel: list[list[Card]] = duel  # a seat's card in the battle, open until the next one begins
        self.taken: list[list[Card]] = taken
        self.spent: list[list[Card]] = spent  # by owner: out of the game
        self.type: list[int] = type
        self.formation: list[int] = formation  # index of setup.formations; -1 before the choice
        self.forms: list[Formation] = []  # the formations themselves, once there are any; see `form_up`
        self.scored: list[list[int]] = scored  # a seat's points of each finished round of this game
        self.totals: list[int] = totals  # of finished games of the match
        self.battles: list[int] = battles  # this round's winners, or TIE
        self.origin: list[int] = origin  # the space from which a seat's card of the duel came
        self.called: list[int] = called  # the colour it was called
        self.attacker: int = 0  # who led the duel
        self.round: int = 0
        self.game: int = 0
        self.starter: int = 0  # first player of this game
        self.first: int = 0  # who leads this round
        self.how: int = -1
        self.winner: int = -1  # TIE for a shared victory

    def clone(self) -> JinkeiState:
        spaces, taken = self.spaces, self.taken
        twin = JinkeiState(
            self.setup,
            self.stack[:],
            self.hand[:],
            self.deck[:],
            [spaces[0][:], spaces[1][:]],
            self.duel[:],
            [taken[0][:], taken[1][:], taken[2][:], taken[3][:]],
            self.spent,
            self.type,
            self.formation,
            self.scored,
            self.totals,
            self.battles[:],
            self.origin[:],
            self.called[:],
        )
        twin.forms = self.forms
        twin.attacker = self.attacker
        twin.round = self.round
        twin.game = self.game
        twin.starter = self.starter
        twin.first = self.first
        twin.how = self.how
        twin.winner = self.winner
        self.copy_flow(twin)
        return twin

    # ---- what the core asks ---------------------------------------------------------------------

    def own(self) -> None:
        # A view sorts these, whatever is known of them.
        self.hand = [zone[:] for zone in self.hand]
        self.spent = [zone[:] for zone in self.spent]
        unshare(self.deck, BOTH)
        unshare(self.spaces[0], BOTH)
        unshare(self.spaces[1], BOTH)

    def ordered_zones(self) -> list[list[Card]]:
        return [*self.deck, *self.spaces[0], *self.spaces[1], *self.duel]

    def unordered_zones(self) -> list[list[Card]]:
        return [*self.hand, *self.taken, *self.spent]

    def zones(self) -> list[list[Card]]:
        spaces, duel = self.spaces, self.duel
        return [*self.deck, *spaces[0], *spaces[1], *duel, *self.hand, *self.taken, *self.spent]

    def shuffled_zones(self) -> list[list[Card]]:
        return self.deck

    def deal_action(self, zone: int, kind: int) -> Action:
        return DEAL + kind

    def pools(self) -> list[tuple[list[int], list[list[Card]]]]:
        deck = list(range(self.setup.kinds))
        pools: list[tuple[list[int], list[list[Card]]]] = []
        for owner in (0, 1):
            zones = [self.hand[owner], self.deck[owner], *self.spaces[owner], self.duel[owner]]
            pools.append((deck, [*zones, self.taken[owner], self.taken[2 + owner], self.spent[owner]]))
        return pools

    def forgotten(self) -> list[list[Card]]:
        return [] if self.setup.remember else [*self.taken, *self.spent]

    def data(self) -> list[object]:
        return as_lists(self.fields())

    def fields(self) -> list[object]:
        return [
            self.hand,
            self.deck,
            *self.spaces,
            self.duel,
            self.taken,
            self.spent,
            self.scored,
            self.type,
            self.formation,
            self.totals,
            self.battles,
            self.origin,
            self.called,
            [self.attacker, self.round, self.game, self.starter, self.first, self.winner, self.how],
        ]

    def outcome(self) -> Outcome | None:
        if self.winner < 0:
            return None
        return Outcome([0, 1] if self.winner == TIE else [self.winner], HOW[self.how])

    def returns(self) -> list[float]:
        if self.winner not in (0, 1):
            return [0.0, 0.0]
        return [1.0, -1.0] if self.winner == 0 else [-1.0, 1.0]

    # ---- reading the table ----------------------------------------------------------------------

    def form(self, seat: Seat) -> Formation:
        """A seat's formation of this round."""
        return self.forms[seat]

    def row(self, seat: Seat, leads: bool) -> list[int]:
        """The spaces of the row a seat plays from that hold a card (7-1, 7-2): offense prefers its
        Vanguard, defense its Rearguard."""
        form = self.form(seat)
        for row in form.offense if leads else form.defense:
            found = [space for space in row.spaces if self.spaces[seat][space]]
            if found:
                return found
        return []

    def offense(self) -> Seat:
        """Who leads the next battle, or the one that is on; the roles change after each."""
        return self.first if len(self.battles) % 2 == 0 else OPPONENT[self.first]

    def effective(self, seat: Seat, space: int, kind: int) -> int:
        """A card's rank on a space."""
        return self.setup.rank[kind] + self.form(seat).bonus[space]

    def judge(self) -> tuple[int, int]:
        """Who wins the battle, or TIE, and why (7-3)."""
        lead = self.attacker
        answer = 1 - lead
        rank = self.setup.rank_of
        duel = self.duel
        x = rank[duel[lead][0]]
        y = rank[duel[answer][0]]
        if not x or not y:  # LOWEST, and few are
            if x == LOWEST and y == HIGHEST:
                return lead, events.BY_ZERO
            if x == HIGHEST and y == LOWEST:
                return answer, events.BY_ZERO
        called = self.called
        if called[0] != called[1]:
            return lead, events.BY_COLOUR
        forms = self.forms
        origin = self.origin
        x += forms[lead].bonus[origin[lead]]
        y += forms[answer].bonus[origin[answer]]
        if x == y:
            return TIE, events.BY_RANK
        return lead if x > y else answer, events.BY_RANK

    def pair(self, seat: Seat) -> int:
        """The space with two cards of which one advances into a seat's gap; -1 where there is none."""
        for space in self.form(seat).behind[self.origin[seat]]:
            if len(self.spaces[seat][space]) > 1:
                return space
        return -1

    # ---- changing the table ---------------------------------------------------------------------

    def form_up(self, a: int, b: int) -> None:
        """Lay out the seats' formations of a round: these indexes of setup.formations."""
        self.formation = [a, b]
        self.forms = [self.setup.formations[a], self.setup.formations[b]]

    def tell_play(self, code: int, seat: Seat, card: Card) -> None:
        """Write that a card has joined the battle."""
        space = self.origin[seat]
        rank = self.effective(seat, space, card & KIND)
        self.tell(code, seat, card, space, self.called[seat] * events.CALLED + rank)

    def draw(self, seat: Seat, count: int) -> None:
        deck = self.deck[seat]
        known = KNOWN[seat]
        hand = self.hand[seat][:]
        drawn: Unread = hand
        left = len(deck) - count
        drawn += [known[deck[i]] for i in range(len(deck) - 1, left - 1, -1)]  # unseen, a card is its kind
        self.deck[seat] = deck[:left]
        self.hand[seat] = hand
        if self.log is not None:
            self.tell(events.DREW, seat, HIDDEN, count)
            for card in hand[len(hand) - count :]:
                self.tell_only(1 << seat, events.DREW_CARD, seat, card)

    def close_up(self, seat: Seat, choice: int) -> None:
        """The cards behind the gap of the last battle step forward, each into the gap that the one
        before it left (7-4); of two cards the one at index `choice`."""
        gap = self.origin[seat]
        spaces = self.spaces[seat]
        for source in self.forms[seat].behind[gap]:
            cards = spaces[source]
            if cards:
                if len(cards) > 1:
                    spaces[source] = [cards[1 - choice]]
                    cards = OPEN_CARD[seat][cards[choice]]
                else:
                    spaces[source] = NO_CARDS
                    cards = OPEN_CARD[seat][cards[0]]  # a Reinforcement is flipped face up
                spaces[gap] = cards
                if self.log is not None:
                    self.tell(events.ADVANCED, seat, cards[0], source, gap)
                gap = source

    def sweep(self) -> None:
        """The cards of the last battle go to who took them, face down: nobody looks at them again
        (ruling 30). With the option memory=open they stay known."""
        duel = self.duel
        black, white = duel
        if not black:
            return
        setup = self.setup
        if self.log is not None and not setup.remember:
            self.forget(0, black[0] & KIND)
            self.forget(1, white[0] & KIND)
        winner = self.battles[-1]
        self.taken[TAKES_BLACK[winner]].append(setup.lost[black[0]])
        self.taken[TAKES_WHITE[winner]].append(setup.lost[white[0]])
        duel[0] = NO_CARDS
        duel[1] = NO_CARDS

    def forget(self, owner: Seat, kind: int) -> None:
        """Blank a taken card in the log too, with all that tells something of it: the log is no better
        memory than the table."""
        log = self.log
        if log is None:
            return
        for i in range(len(log)):
            code, audience, seat, card, a, b = log[i]
            if seat == owner and card & SEEN_BY_ANY and card & KIND == kind:
                if code == events.LED or code == events.ANSWERED:
                    b = events.FORGOTTEN
                log[i] = (code, audience, seat, card & UNSEEN, a, b)
            elif code == events.TOOK and a != events.FORGOTTEN:
                log[i] = (code, audience, seat, card, events.FORGOTTEN, b)

    def points_of(self, seat: Seat) -> int:
        """The Achievements of what a seat has taken this round, the battle on the table included."""
        points = self.setup.points_of
        total = 0
        for card in self.taken[2 * seat]:
            total += points[card]
        for card in self.taken[2 * seat + 1]:
            total += points[card]
        black, white = self.duel
        if black:
            winner = self.battles[-1]
            if TAKES_BLACK[winner] == 2 * seat:
                total += points[black[0]]
            if TAKES_WHITE[winner] == 2 * seat + 1:
                total += points[white[0]]
        return total


def jinkei(state: State) -> JinkeiState:
    """A state of this game as what it is."""
    assert isinstance(state, JinkeiState)
    return state
