"""The state of Jinkei: hands, decks, formations, the battle, and the cards taken."""

from __future__ import annotations

from typing import Final

from gonfalon.core.basics.cards import HIDDEN, KIND, SEEN, SEEN_BY_ANY, Unread, by_card, unshare
from gonfalon.core.basics.outcome import Outcome
from gonfalon.core.rules.shuffles import ShuffledState
from gonfalon.core.rules.state import Action, AnyStep, Card, Seat, State, copy_lists
from gonfalon.games.jinkei.rules import events
from gonfalon.games.jinkei.rules.actions import DEAL, KINDS
from gonfalon.games.jinkei.rules.setup import Formation, Setup

BOTH: Final = SEEN[0] | SEEN[1]
UNSEEN: Final = ~SEEN_BY_ANY
OPPONENT: Final = [1, 0]
ORDER: Final = [[0, 1], [1, 0]]
"""Both seats, by the seat that comes first."""
TIE: Final = 2
TAKES_BLACK: Final = [0, 2, 0]
TAKES_WHITE: Final = [1, 3, 3]
"""By winner or TIE: the indexes in `taken` for the card of seat 0 (black) and of seat 1 (white)."""
LOWEST: Final = 0
HIGHEST: Final = 12
HOW: Final = ["points", "second player", "shared"]

NO_CARDS: Final[list[Card]] = []
OPEN_CARD: Final[list[list[list[Card]]]] = [by_card([[BOTH | kind] for kind in range(KINDS)], 2) for _ in (0, 1)]
"""By owner and card: the list with this open card alone.

Nearly all spaces and cards in battles are such lists. They are replaced, never changed, so all states share these.
"""
KNOWN: Final[list[Unread]] = [[SEEN[seat] | kind for kind in range(KINDS)] for seat in (0, 1)]
"""By seat and kind: the card in that seat's hand."""
OWN_CARD: Final[list[list[list[Card]]]] = [[[SEEN[seat] | kind] for kind in range(KINDS)] for seat in (0, 1)]
"""By seat and kind: the list with this card alone, known to its seat only."""


class JinkeiState(ShuffledState):
    """One position.

    `spaces[seat][space]` lists the cards on a space of a seat's formation, and `taken[seat * 2 + owner]` the cards of
    an owner's deck that a seat took this round. The top of a deck is its end. Clones share the lists of a hand, deck,
    space and duel, and `spent`, `scored`, `type`, `formation` and `totals`, which saves most of the cost of a copy.
    These lists are replaced, never changed.
    """

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
        self.formation: list[int] = formation  # indexes of setup.formations; -1 before the choice
        self.forms: list[Formation] = []  # the formations of `formation`, empty before the first choice
        self.scored: list[list[int]] = scored  # a seat's points of each finished round of this game
        self.totals: list[int] = totals  # of finished games of the match
        self.battles: list[int] = battles  # this round's winners, or TIE
        self.origin: list[int] = origin  # the space from which a seat's card of the duel came
        self.called: list[int] = called  # the color it was called
        self.attacker: int = 0  # the seat that led the duel
        self.round: int = 0
        self.game: int = 0
        self.starter: int = 0  # first player of this game
        self.first: int = 0  # the seat that leads this round
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

    # ---- the interface of the core ---------------------------------------------------------------

    def own(self) -> None:
        # The mask sorts these lists, so a view needs copies even of cards that all seats know.
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
        # Written out instead of joining the lists of both methods, because every tensor reads all zones.
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
        # With memory=strict no view may keep cards that were taken (ruling 30).
        return [] if self.setup.remember else [*self.taken, *self.spent]

    def data(self) -> list[object]:
        return copy_lists(self.fields())

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
        return None if self.winner < 0 else Outcome([0, 1] if self.winner == TIE else [self.winner], HOW[self.how])

    def returns(self) -> list[float]:
        if self.winner not in (0, 1):
            # A shared victory and an unfinished game both return 0.
            return [0.0, 0.0]
        return [1.0, -1.0] if self.winner == 0 else [-1.0, 1.0]

    # ---- reading the state ----------------------------------------------------------------------

    def form(self, seat: Seat) -> Formation:
        """Return a seat's formation of this round."""
        return self.forms[seat]

    def row(self, seat: Seat, leads: bool) -> list[int]:
        """Return the spaces with a card in the row that a seat must play from.

        Offense plays from its Vanguard while it has cards there (7-1), defense from its Rearguard (7-2).
        """
        form = self.form(seat)
        for row in form.offense if leads else form.defense:
            found = [space for space in row.spaces if self.spaces[seat][space]]
            if found:
                return found
        return []

    def offense(self) -> Seat:
        """Return the seat that leads the current or next battle. The roles change after each battle."""
        return self.first if len(self.battles) % 2 == 0 else OPPONENT[self.first]

    def effective(self, seat: Seat, space: int, kind: int) -> int:
        """Return a card's rank on a space."""
        return self.setup.rank[kind] + self.form(seat).bonus[space]

    def judge(self) -> tuple[int, int]:
        """Return the winner of the battle, or TIE, and the reason: BY_RANK, BY_COLOUR or BY_ZERO (7-3)."""
        lead = self.attacker
        answer = 1 - lead
        rank = self.setup.rank_of
        duel = self.duel
        x = rank[duel[lead][0]]
        y = rank[duel[answer][0]]
        if not x or not y:  # one is LOWEST, which is rare
            if x == LOWEST and y == HIGHEST:
                return lead, events.BY_ZERO
            if x == HIGHEST and y == LOWEST:
                return answer, events.BY_ZERO
        called = self.called
        # An answer that does not follow the color loses at any rank, so bonuses are added only below (7-3).
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
        """Return the space with two cards from which one advances into a seat's gap; -1 if there is none."""
        for space in self.form(seat).behind[self.origin[seat]]:
            if len(self.spaces[seat][space]) > 1:
                return space
        return -1

    # ---- changing the state ---------------------------------------------------------------------

    def form_up(self, a: int, b: int) -> None:
        """Set the seats' formations of a round, given as indexes of setup.formations."""
        self.formation = [a, b]
        self.forms = [self.setup.formations[a], self.setup.formations[b]]

    def tell_play(self, code: int, seat: Seat, card: Card) -> None:
        """Log that a card has joined the battle."""
        space = self.origin[seat]
        rank = self.effective(seat, space, card & KIND)
        self.tell(code, seat, card, space, self.called[seat] * events.CALLED + rank)

    def draw(self, seat: Seat, count: int) -> None:
        deck = self.deck[seat]
        known = KNOWN[seat]
        hand = self.hand[seat][:]
        drawn: Unread = hand
        # The box has enough cards for all rounds, so the deck cannot run out.
        left = len(deck) - count
        drawn += [known[deck[i]] for i in range(len(deck) - 1, left - 1, -1)]  # an unseen card equals its kind
        self.deck[seat] = deck[:left]
        self.hand[seat] = hand
        if self.log is not None:
            self.tell(events.DREW, seat, HIDDEN, count)
            for card in hand[len(hand) - count :]:
                self.tell_only(1 << seat, events.DREW_CARD, seat, card)

    def close_up(self, seat: Seat, choice: int) -> None:
        """Advance the cards behind the gap of the last battle, each into the gap left by the one before it (7-4).

        Of two cards on a space the one at index `choice` advances.
        """
        gap = self.origin[seat]
        spaces = self.spaces[seat]
        # The nearest space comes first, so each card advances before the one behind it.
        for source in self.forms[seat].behind[gap]:
            cards = spaces[source]
            if cards:
                if len(cards) > 1:
                    spaces[source] = [cards[1 - choice]]
                    cards = OPEN_CARD[seat][cards[choice]]
                else:
                    spaces[source] = NO_CARDS
                    cards = OPEN_CARD[seat][cards[0]]  # a Reinforcement is turned up
                spaces[gap] = cards
                if self.log is not None:
                    self.tell(events.ADVANCED, seat, cards[0], source, gap)
                gap = source

    def sweep(self) -> None:
        """Move the cards of the last battle to the seats that took them, face down.

        No player may look at them again (ruling 30), so their seen bits are cleared; with memory=open they stay known.
        """
        duel = self.duel
        black, white = duel
        if not black:
            return
        setup = self.setup
        # Forgotten while the battle still has both kinds, which the log needs to find the events.
        if self.log is not None and not setup.remember:
            self.forget(0, black[0] & KIND)
            self.forget(1, white[0] & KIND)
        winner = self.battles[-1]
        self.taken[TAKES_BLACK[winner]].append(setup.lost[black[0]])
        self.taken[TAKES_WHITE[winner]].append(setup.lost[white[0]])
        duel[0] = NO_CARDS
        duel[1] = NO_CARDS

    def forget(self, owner: Seat, kind: int) -> None:
        """Remove a taken card from the log, with all numbers that reveal something about it.

        Otherwise the log would remember cards that players must remember themselves (ruling 30).
        """
        log = self.log
        if log is None:
            return
        for i in range(len(log)):
            code, audience, seat, card, a, b = log[i]
            if seat == owner and card & SEEN_BY_ANY and card & KIND == kind:
                if code == events.LED or code == events.ANSWERED:
                    # The effective rank would identify the card.
                    b = events.FORGOTTEN
                log[i] = (code, audience, seat, card & UNSEEN, a, b)
            # The reason would reveal ranks: BY_ZERO occurs only between the lowest and the highest card.
            elif code == events.TOOK and a != events.FORGOTTEN:
                log[i] = (code, audience, seat, card, events.FORGOTTEN, b)

    def points_of(self, seat: Seat) -> int:
        """Return the Achievements of the cards that a seat has taken this round, with those of the last battle."""
        points = self.setup.points_of
        total = 0
        for card in self.taken[2 * seat]:
            total += points[card]
        for card in self.taken[2 * seat + 1]:
            total += points[card]
        # The cards of the last battle enter `taken` only when the next battle begins.
        black, white = self.duel
        if black:
            winner = self.battles[-1]
            if TAKES_BLACK[winner] == 2 * seat:
                total += points[black[0]]
            if TAKES_WHITE[winner] == 2 * seat + 1:
                total += points[white[0]]
        return total


def as_jinkei(state: State) -> JinkeiState:
    """Return a state, narrowed to the type of this game."""
    assert isinstance(state, JinkeiState)
    return state
