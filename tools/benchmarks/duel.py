"""The duel as a Gonfalon game: a mini-game that is implemented twice (see openspiel_duel.py).

Two seats have their own decks, with four cards of each strength from 1 to 5. Both choose a card in secret, and the
stronger one scores; a 2 draws an extra card; then both draw. Twenty rounds empty deck and hand, so every game has
exactly 40 decisions.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final

from gonfalon.core.basics.cards import KIND, SEEN, kinds, take
from gonfalon.core.basics.outcome import Outcome
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.state import CHANCE, NO_ACTIONS, SEED, Action, Card, Seat, State, Step, Together

STRENGTHS: Final = 5
COPIES: Final = 4
HAND: Final = 5
DRAWING_KIND: Final = 1  # the kind, of strength 2, that draws an extra card
DECISIONS: Final = 2 * STRENGTHS * COPIES


class Shuffle(Step["DuelState"]):
    prompt: ClassVar[str] = "shuffle"

    def options(self, s: DuelState) -> list[Action]:
        return [SEED]

    def choose(self, s: DuelState, action: Action) -> None:
        rng = Rng(-1 - action)
        for seat in (0, 1):
            rng.shuffle(s.deck[seat])
            for _ in range(HAND):
                s.draw(seat)
        s.stack.append(CHOOSE)


class Choose(Together["DuelState"]):
    prompt: ClassVar[str] = "choose"

    def options_of(self, s: DuelState, seat: Seat) -> list[Action]:
        return NO_ACTIONS if s.answers[seat] else kinds(s.hand[seat])

    def finish(self, s: DuelState) -> None:
        first, second = s.answers[0][0], s.answers[1][0]
        for seat, kind in ((0, first), (1, second)):
            s.played[seat].append(take(s.hand[seat], kind) | SEEN[0] | SEEN[1])
        if first != second:
            s.score[0 if first > second else 1] += 1
        for seat, kind in ((0, first), (1, second)):
            if kind == DRAWING_KIND:
                s.draw(seat)
            s.draw(seat)
        if s.hand[0]:
            s.stack.append(CHOOSE)


SHUFFLE: Final = Shuffle(CHANCE)
CHOOSE: Final = Choose([0, 1])


class DuelState(State):
    """A state of the duel. The top of a deck is its end."""

    def __init__(
        self,
        stack: list[Step[Any]],
        deck: list[list[Card]],
        hand: list[list[Card]],
        played: list[list[Card]],
        score: list[int],
    ) -> None:
        super().__init__(2, stack)
        self.deck = deck
        self.hand = hand
        self.played = played
        self.score = score

    def clone(self) -> DuelState:
        deck, hand, played = self.deck, self.hand, self.played
        twin = DuelState(
            self.stack[:],
            [deck[0][:], deck[1][:]],
            [hand[0][:], hand[1][:]],
            [played[0][:], played[1][:]],
            self.score[:],
        )
        self.copy_flow(twin)
        return twin

    def ordered_zones(self) -> list[list[Card]]:
        return [*self.deck, *self.played]

    def unordered_zones(self) -> list[list[Card]]:
        return self.hand

    def pools(self) -> list[tuple[list[int], list[list[Card]]]]:
        return [(DECK, [self.deck[seat], self.hand[seat], self.played[seat]]) for seat in (0, 1)]

    def data(self) -> list[Any]:
        return [*[[zone[:] for zone in group] for group in (self.deck, self.hand, self.played)], self.score[:]]

    def outcome(self) -> Outcome | None:
        if self.stack:
            return None
        a, b = self.score
        winners = [0, 1] if a == b else [int(b > a)]
        return Outcome(winners, "rounds")

    def returns(self) -> list[float]:
        a, b = self.score
        if self.stack or a == b:
            return [0.0, 0.0]
        return [1.0, -1.0] if a > b else [-1.0, 1.0]

    def draw(self, seat: Seat) -> None:
        if self.deck[seat]:
            self.hand[seat].append(self.deck[seat].pop() | SEEN[seat])


DECK: Final = [kind for kind in range(STRENGTHS) for _ in range(COPIES)]


def start_duel() -> DuelState:
    """Return the position before the shuffle."""
    s = DuelState([SHUFFLE], [DECK[:], DECK[:]], [[], []], [[], []], [0, 0])
    s.settle()
    return s


def play_duels(count: int) -> list[tuple[list[list[int]], list[Action], list[float]]]:
    """Return random games: the shuffled decks, all decisions in turn, and the results."""
    found = []
    for seed in range(count):
        s, rng = start_duel(), Rng(seed)
        s.apply(CHANCE, s.chance(rng))
        decks = [s.deck[seat] + [card & KIND for card in reversed(s.hand[seat])] for seat in (0, 1)]
        actions = []
        while not s.over:
            actions.append(s.sample(rng))
            s.apply(s.turn, actions[-1])
        found.append((decks, actions, s.returns()))
    return found
