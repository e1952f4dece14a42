"""A game whose chances are computed by hand: one of four cards lies before May, and David names it or half of them.

David wins when he names the card (one in four) or its half (one in two).
"""

from __future__ import annotations

from typing import ClassVar

from gonfalon.core.basics.cards import KIND, SEEN
from gonfalon.core.basics.errors import NotationError
from gonfalon.core.basics.outcome import Outcome
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.rules import starts_game
from gonfalon.core.rules.state import CHANCE, SEED, Action, AnyStep, Card, State, Step

LOW_HALF = 4
CARDS = [0, 1, 2, 3]
MAY, DAVID = 0, 1


class Deal(Step["GuessState"]):
    """Deal May a card, which she looks at."""

    def options(self, s: GuessState) -> list[Action]:
        return [SEED]

    def choose(self, s: GuessState, action: Action) -> None:
        Rng(-1 - action).shuffle(s.pile)
        s.hand.append(s.pile.pop() | SEEN[MAY])


class Name(Step["GuessState"]):
    """David names one card, or the lower half."""

    prompt = "name"

    def options(self, s: GuessState) -> list[Action]:
        return [*CARDS, LOW_HALF]

    def choose(self, s: GuessState, action: Action) -> None:
        kind = s.hand[0] & KIND
        right = kind < 2 if action == LOW_HALF else kind == action
        s.winner = DAVID if right else MAY


class GuessState(State):
    __slots__ = ("hand", "pile", "winner")

    def __init__(self, stack: list[AnyStep], hand: list[Card], pile: list[Card]) -> None:
        super().__init__(2, stack)
        self.hand = hand
        self.pile = pile
        self.winner = -1

    def clone(self) -> GuessState:
        twin = GuessState(self.stack[:], self.hand[:], self.pile[:])
        twin.winner = self.winner
        self.copy_flow(twin)
        return twin

    def ordered_zones(self) -> list[list[Card]]:
        return [self.hand, self.pile]

    def unordered_zones(self) -> list[list[Card]]:
        return []

    def pools(self) -> list[tuple[list[int], list[list[Card]]]]:
        return [(CARDS, [self.hand, self.pile])]

    def data(self) -> list[object]:
        return [self.hand[:], self.pile[:], self.winner]

    def outcome(self) -> Outcome | None:
        return None if self.winner < 0 else Outcome([self.winner], "named")

    def returns(self) -> list[float]:
        return [0.0, 0.0] if self.winner < 0 else [1.0 if self.winner == seat else -1.0 for seat in (0, 1)]


class Guess(Game):
    name: ClassVar[str] = "guess"
    title: ClassVar[str] = "Guess"
    version: ClassVar[str] = "1"
    steps: ClassVar[tuple[type[AnyStep], ...]] = (Deal, Name)
    seats = 2
    data_hash = ""
    bound = 2

    @starts_game
    def start(self, log: bool = False) -> GuessState:
        s = GuessState([Name(DAVID), Deal(CHANCE)], [], CARDS[:])
        s.log = [] if log else None
        s.settle()
        return s

    def notation(self, action: Action) -> str:
        if action < 0:
            return f"seed:{-1 - action}"
        if action > LOW_HALF:
            raise NotationError("There is no such card.")
        return "low" if action == LOW_HALF else f"card-{action}"

    def parse(self, text: str) -> Action:
        if text.startswith("seed:"):
            return -1 - int(text[5:])
        found = {self.notation(action): action for action in (*CARDS, LOW_HALF)}.get(text)
        if found is None:
            raise NotationError(f"There is no {text!r}.")
        return found
