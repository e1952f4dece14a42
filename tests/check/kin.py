"""Variants of the third-party Duel: a shuffle during the game, a secret that is no card, a comparison of hidden cards
that announces its loser, and a trade of hands."""

from __future__ import annotations

from typing import Any, ClassVar, Self

from gonfalon.core.basics.cards import HIDDEN, KIND, SEEN
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.game import Part
from gonfalon.core.rules.state import CHANCE, NOBODY, OPEN, SEED, Action, Card, Event, Seat, State, Step
from gonfalon.core.rules.tensor import Writer
from tests.stranger import gonfalon_duel as duel
from tests.stranger.gonfalon_duel import Duel, DuelState

REFILLED, ROUND_OVER, WEAKER, TRADED = 20, 21, 22, 23
ROUNDS = 9


class Refill(Step["LongState"]):
    """The discard pile is shuffled and becomes the deck, with all its cards unknown."""

    prompt: ClassVar[str] = "refill"

    def options(self, s: LongState) -> list[Action]:
        return [SEED]

    def choose(self, s: LongState, action: Action) -> None:
        s.deck = [card & KIND for card in s.deck + s.discard]
        s.discard = []
        Rng(-1 - action).shuffle(s.deck)
        s.tell(REFILLED, 0, HIDDEN)


class Go(Step["LongState"]):
    """The next round."""

    def auto(self, s: LongState) -> None:
        for seat in (0, 1):
            s.draw(seat)
        s.stack.append(duel.CHOOSE)


REFILL = Refill(CHANCE)
GO = Go(NOBODY)


class LongState(DuelState):
    """Counts the rounds."""

    def __init__(self, *rest: Any) -> None:
        super().__init__(*rest)
        self.rounds = 0

    def clone(self) -> LongState:
        twin = super().clone()
        assert isinstance(twin, LongState)
        twin.rounds = self.rounds
        return twin

    def data(self) -> list[Any]:
        return [*super().data(), self.rounds]

    def next_round(self) -> None:
        self.rounds += 1
        self.tell(ROUND_OVER, 0, HIDDEN, self.rounds)
        if self.rounds == ROUNDS:
            self.end()
            return
        self.stack.append(GO)
        if len(self.deck) < 2:
            self.stack.append(REFILL)


class LongDuel(Duel):
    """A Duel that reshuffles the discard pile when the deck is empty, for nine rounds at most."""

    state_class: ClassVar[type[DuelState]] = LongState
    steps: ClassVar[tuple[type[Step[Any]], ...]] = (*Duel.steps, Refill, Go)

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.bound += 60

    def words(self, event: Event, view: State, names: list[str]) -> str:
        said = {REFILLED: "The discard pile is shuffled.", ROUND_OVER: f"Round {event[4]} is over."}
        return said.get(event[0]) or super().words(event, view, names)

    @classmethod
    def tiny(cls) -> list[Self]:
        return []

    @classmethod
    def samples(cls) -> list[Self]:
        return [cls(copies=(2, 2, 2, 2, 1)), cls(copies=(3, 3, 2, 2, 2), goal=4)]


class VeiledState(LongState):
    """After each round the weaker hand is announced, unseen, and costs a point. Then the deck is shuffled."""

    shuffles: ClassVar[bool] = True

    def next_round(self) -> None:
        held = [sum(card & KIND for card in hand) for hand in self.hand]
        self.rounds += 1
        if held[0] != held[1]:
            loser = int(held[0] > held[1])
            self.score[loser] -= 1
            self.tell(WEAKER, loser, HIDDEN)
        if self.rounds == ROUNDS or not all(self.hand):
            self.end()
            return
        self.stack.append(GO)
        if self.shuffles:
            self.stack.append(REFILL)


class VeiledDuel(LongDuel):
    """A Duel that compares the hands without showing them."""

    state_class: ClassVar[type[DuelState]] = VeiledState

    def words(self, event: Event, view: State, names: list[str]) -> str:
        if event[0] == WEAKER:
            return f"{names[event[2]]} had the weaker hand."
        return super().words(event, view, names)


class UnshuffledState(VeiledState):
    shuffles: ClassVar[bool] = False


class UnshuffledDuel(VeiledDuel):
    """A veiled Duel without the shuffle, in which both choose again at once."""

    state_class: ClassVar[type[DuelState]] = UnshuffledState


class TradeState(LongState):
    """Every third round the seats trade hands, which one event announces."""

    def next_round(self) -> None:
        if self.rounds % 3 == 1:
            self.hand.reverse()
            self.tell(TRADED, 0, HIDDEN)
            for seat in (0, 1):
                self.hand[seat] = sorted(card & KIND | SEEN[seat] for card in self.hand[seat])
                for card in self.hand[seat]:
                    self.tell_only(1 << seat, duel.SAW, seat, card)
        super().next_round()


class TradeDuel(LongDuel):
    """A Duel in which the seats trade hands openly."""

    state_class: ClassVar[type[DuelState]] = TradeState

    def words(self, event: Event, view: State, names: list[str]) -> str:
        return "The hands are traded." if event[0] == TRADED else super().words(event, view, names)


class SecretState(DuelState):
    """Each seat notes the kind it last put under the deck. The other seat does not know it."""

    def __init__(self, *rest: Any) -> None:
        super().__init__(*rest)
        self.noted = [-1, -1]

    def clone(self) -> SecretState:
        twin = super().clone()
        assert isinstance(twin, SecretState)
        twin.noted = self.noted[:]
        return twin

    def data(self) -> list[Any]:
        return [*super().data(), self.noted[:]]

    def put_under(self, seat: Seat, card: Card) -> None:
        super().put_under(seat, card)
        self.noted[seat] = card & KIND

    def hide(self, viewer: int) -> None:
        for seat in (0, 1):
            if viewer not in (seat, OPEN):
                self.noted[seat] = -1


class SecretDuel(Duel):
    """A Duel in which each seat keeps a note."""

    state_class: ClassVar[type[DuelState]] = SecretState

    def parts(self) -> list[Part]:
        return [Part("score", (2,), "rounds won"), Part("note", (1,), "what oneself put under the deck", public=False)]

    def measure(self, s: State, me: Seat, row: Writer) -> None:
        assert isinstance(s, SecretState)
        row.put(0, s.score[me])
        row.put(1, s.score[1 - me])
        row.put(2, s.noted[me] + 1)

    @classmethod
    def tiny(cls) -> list[Self]:
        return []

    @classmethod
    def samples(cls) -> list[Self]:
        return [cls()]
