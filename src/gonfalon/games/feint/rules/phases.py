"""The phases of a round."""

from __future__ import annotations

from typing import ClassVar, Final

from gonfalon.core.basics.cards import HIDDEN, KIND, SEEN, copies, kinds, take
from gonfalon.core.rules.state import NO_ACTIONS, NOBODY, Action, Card, Seat, Step, Together
from gonfalon.games.feint.rules import events
from gonfalon.games.feint.rules.actions import CARD, DONE, PASS, SLOTS
from gonfalon.games.feint.rules.chance import refill_locations
from gonfalon.games.feint.rules.playing import begin_play
from gonfalon.games.feint.rules.state import BOTH, DOWN, MORE_STAY, NO_CARDS, OPPONENT, ORDER, STAY, FeintState


class StartRound(Step[FeintState]):
    """Start a round: push its phases on the stack, the last phase first."""

    def auto(self, s: FeintState) -> None:
        s.passed = 0
        s.tell(events.ROUND, s.first, HIDDEN, s.round)
        s.stack += [CLEANUP, RESOLVE, DEPLOY[s.first], SCOUT, REINFORCE]


class Reinforce(Together[FeintState]):
    """Both seats discard simultaneously, then draw up to 7 (ruling 3). An empty hand has no decision."""

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

    def options_after(self, s: FeintState, seat: Seat, action: Action) -> list[Action]:
        # The next options are a subset of the current ones; filtering them takes a third of the time of a new count.
        if action == DONE:
            return NO_ACTIONS
        kind = (action - CARD) // SLOTS
        out = [DONE]
        for other in s.actions:
            again = other == action and copies(s.hand[seat], kind) > s.answers[seat].count(action)
            if again or other > action:
                out.append(other)
        return out

    def finish(self, s: FeintState) -> None:
        # Two loops, because both seats discard before either of them draws (ruling 3).
        for seat in ORDER[s.first]:
            for action in s.answers[seat]:
                if action != DONE:
                    card = s.bury(seat, take(s.hand[seat], (action - CARD) // SLOTS))
                    s.tell(events.DISCARDED, seat, card)
        for seat in ORDER[s.first]:
            s.draw(seat, s.setup.hand - len(s.hand[seat]))


class Scout(Step[FeintState]):
    """Each seat draws a Location Card; an empty pile is shuffled first (ruling 7)."""

    def auto(self, s: FeintState) -> None:
        for seat in ORDER[s.first]:
            if not s.scout[seat]:
                if not s.pile[seat]:
                    # The step goes back below the shuffle, so it draws from the new pile.
                    s.stack.append(SCOUT)
                    refill_locations(s, seat)
                    return
                card = s.pile[seat].pop() | SEEN[seat]
                s.scout[seat] = [card]
                s.tell(events.SCOUTED, seat, card)


class Deploy(Step[FeintState]):
    """A turn: play a card or pass (ruling 8).

    An empty hand passes automatically. A hand without a legal card has a decision with one option, to pass, because
    an automatic pass would reveal that no card fits (ruling 9).
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
        # After the opponent's pass the seat takes all further turns. The next turn is pushed first, below the play.
        s.stack.append(DEPLOY[seat if s.passed else OPPONENT[seat]])
        begin_play(s, seat, s.hand[seat], action)

    def auto(self, s: FeintState) -> None:
        seat = self.seat
        s.passed |= 1 << seat
        s.tell(events.PASSED, seat, HIDDEN)
        if s.passed != 3:
            s.stack.append(DEPLOY[OPPONENT[seat]])


class Resolve(Step[FeintState]):
    """The Resolution phase: Location Cards, abilities, ratings, victory point, Morale, in this order (ruling 40)."""

    def auto(self, s: FeintState) -> None:
        order = ORDER[s.first]
        battles = 0
        for seat in order:
            location = s.scout[seat][0] | BOTH
            s.scout[seat] = [location]
            battles |= 1 << (location & KIND)
            s.tell(events.LOCATION, seat, location)
        strength = [0] * (2 * s.places)
        cost = [0, 0]
        added = 0
        barred = 0
        for seat, card, place in self.turn_up(s, strength, cost):
            kind = s.kinds[card & KIND]
            added |= kind.adds(s)
            barred |= kind.bars(place)
            kind.on_resolve(s, seat, card, place)
        rating = self.rate(s, (battles | added) & ~barred, strength)
        winner = s.first  # who wins ties
        if rating[OPPONENT[winner]] > rating[winner]:
            winner = OPPONENT[winner]
        s.won = [*s.won, winner]
        s.tell(events.WON, winner, HIDDEN, int(rating[0] == rating[1]))
        loser = OPPONENT[winner]
        s.tell(events.COST, loser, HIDDEN, cost[loser])
        if cost[loser]:
            s.change_morale(loser, -cost[loser])
        s.note_moment("resolution")

    def turn_up(self, s: FeintState, strength: list[int], cost: list[int]) -> list[tuple[Seat, Card, int]]:
        """Turn all cards up and sum their Strength and Morale.

        Args:
            s: The state.
            strength: Receives the Strength of each seat at each place, indexed like `FeintState.board`.
            cost: Receives the Morale of all cards of each seat.

        Returns:
            The cards with an ability in this phase: seat, card and place, the start player's first.
        """
        n = s.places
        table = s.kinds
        resolving: list[tuple[Seat, Card, int]] = []
        for seat in ORDER[s.first]:
            morale = 0
            for place in range(n):
                cards = s.board[seat * n + place]
                total = 0
                # `remark` replaces the list on the board, so the loop reads the old list by index.
                for i in range(len(cards)):
                    card = cards[i]
                    if card & DOWN:
                        card = card & ~DOWN | BOTH
                        s.remark(seat, place, i, card)
                        s.tell(events.TURNED, seat, card, place)
                    kind = table[card & KIND]
                    total += kind.strength
                    morale += kind.morale
                    if kind.resolves:
                        resolving.append((seat, card, place))
                strength[seat * n + place] = total
            cost[seat] = morale
        # Turned up, a card counts its Strength instead of 3, also for a Master of Earth (ruling 58).
        for place in range(n):
            s.load[place] = strength[place] + strength[n + place]
        return resolving

    def rate(self, s: FeintState, battles: int, strength: list[int]) -> list[int]:
        """Return the Strategy Rating of each seat, and log the battles."""
        n = s.places
        order = ORDER[s.first]
        rating = [0, 0]
        for place in range(n):
            if battles >> place & 1:
                s.tell(events.BATTLE, s.first, HIDDEN, place)
                for seat in order:
                    rating[seat] = rating[seat] + strength[seat * n + place] * s.setup.numbers[place]
                    # States of a search have no log. The check saves them the call.
                    if s.log is not None:
                        s.tell(events.RATING, seat, HIDDEN, place, strength[seat * n + place])
        for seat in order:
            s.tell(events.TOTAL, seat, HIDDEN, rating[seat])
        return rating


class Cleanup(Step[FeintState]):
    """The end of a round: clear the board, discard the Location Cards, and pass on the start player marker."""

    def auto(self, s: FeintState) -> None:
        n = s.places
        for place in range(n):
            s.load[place] = 0
        for seat in range(2):
            for place in range(n):
                cards = s.at(seat, place)
                if cards:
                    s.board[seat * n + place] = NO_CARDS  # a list that all states share: `put` replaces it
                    for card in cards:
                        if card & STAY:
                            # Each token keeps the card for one round (ruling 83).
                            further = card // MORE_STAY
                            stay = STAY | (further - 1) * MORE_STAY if further else 0
                            s.put(seat, card & KIND | BOTH | stay, place)
                            s.tell(events.STAYED, seat, card, place)
                        else:
                            s.bury(seat, card)
            s.used[seat] = [*s.used[seat], *s.scout[seat]]
            s.scout[seat] = NO_CARDS
        s.first = OPPONENT[s.first]
        s.round += 1
        if s.round < s.end:
            s.stack.append(START_ROUND)
            return
        lead = s.won.count(0) - s.won.count(1)
        if lead:
            s.finish(0 if lead > 0 else 1, events.BY_ROUNDS)
        else:
            s.finish(s.won[-1], events.BY_FINAL_ROUND)


START_ROUND: Final[Step[FeintState]] = StartRound(NOBODY)
REINFORCE: Final[Step[FeintState]] = Reinforce([0, 1])
SCOUT: Final[Step[FeintState]] = Scout(NOBODY)
DEPLOY: Final = [Deploy(0), Deploy(1)]
RESOLVE: Final[Step[FeintState]] = Resolve(NOBODY)
CLEANUP: Final[Step[FeintState]] = Cleanup(NOBODY)
