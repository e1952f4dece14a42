"""A small game for three: secret bids, the highest single one wins the round; no rule of thumb, no cards to look up."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

from gonfalon.core.basics.cards import HIDDEN, KIND, SEEN, kinds, seen_by_all, take
from gonfalon.core.basics.errors import DataError, NotationError
from gonfalon.core.basics.outcome import Outcome
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.game import Game, Option
from gonfalon.core.rules.rules import starts_game
from gonfalon.core.rules.state import CHANCE, NO_ACTIONS, SEED, Action, Card, Event, Seat, State, Step, Together

BID, WON = 0, 1
ALL = seen_by_all(3)


class Deal(Step["BidsState"]):
    prompt: ClassVar[str] = "deal"

    def options(self, s: BidsState) -> list[Action]:
        return [SEED]

    def choose(self, s: BidsState, action: Action) -> None:
        deck = list(range(1, 10))
        Rng(-1 - action).shuffle(deck)
        for seat in range(3):
            s.hands[seat] = sorted(card | SEEN[seat] for card in deck[seat * 3 : seat * 3 + 3])


class Bid(Together["BidsState"]):
    prompt: ClassVar[str] = "bid"

    def options_of(self, s: BidsState, seat: Seat) -> list[Action]:
        return NO_ACTIONS if s.answers[seat] else kinds(s.hands[seat])

    def finish(self, s: BidsState) -> None:
        bids = [s.answers[seat][0] for seat in range(3)]
        for seat in range(3):
            card = take(s.hands[seat], bids[seat]) | ALL
            s.bids.append(card)
            s.tell(BID, seat, card)
        winner = bids.index(max(bids))
        s.wins[winner] += 1
        s.tell(WON, winner, HIDDEN)


class BidsState(State):
    __slots__ = ("hands", "bids", "wins")

    def __init__(self, stack: list[Step[Any]]) -> None:
        super().__init__(3, stack)
        self.hands: list[list[Card]] = [[], [], []]
        self.bids: list[Card] = []
        self.wins: list[int] = [0, 0, 0]

    def clone(self) -> BidsState:
        twin = BidsState(self.stack[:])
        twin.hands = [hand[:] for hand in self.hands]
        twin.bids = self.bids[:]
        twin.wins = self.wins[:]
        self.copy_flow(twin)
        return twin

    def ordered_zones(self) -> list[list[Card]]:
        return [self.bids]

    def unordered_zones(self) -> list[list[Card]]:
        return self.hands

    def pools(self) -> list[tuple[list[int], list[list[Card]]]]:
        return [(list(range(1, 10)), [*self.hands, self.bids])]

    def data(self) -> list[Any]:
        return [[hand[:] for hand in self.hands], self.bids[:], self.wins[:]]

    def outcome(self) -> Outcome | None:
        if not self.over:
            return None
        most = max(self.wins)
        winners = [seat for seat in range(3) if self.wins[seat] == most]
        return Outcome(winners, "bids")

    def returns(self) -> list[float]:
        outcome = self.outcome()
        return [0.0] * 3 if outcome is None else [1.0 if seat in outcome.winners else -0.5 for seat in range(3)]


class Bids(Game):
    name: ClassVar[str] = "bids"
    title: ClassVar[str] = "Three Bids"
    version: ClassVar[str] = "1"
    steps: ClassVar[tuple[type[Step[Any]], ...]] = (Deal, Bid)
    seat_counts: ClassVar[tuple[int, ...]] = (3,)
    folder: ClassVar[Path] = Path(__file__).parent
    options_spec: ClassVar[tuple[Option, ...]] = (
        Option("rounds", 3, "Rounds", "1 to 3", least=1, most=3),
        Option("cards", None, "Card file", "text", file=True),
    )

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.seats = 3
        self.data_hash = "none"
        self.bound = 10
        cards = self.options["cards"]
        if isinstance(cards, Path):
            text = cards.read_text(encoding="utf-8")
            if text != "good":
                raise DataError(f"{cards}, line 1: this is not good.")
            self.options["cards"] = {"text": text}

    @starts_game
    def start(self, log: bool = False) -> BidsState:
        s = BidsState([*[Bid([0, 1, 2])] * self.options["rounds"], Deal(CHANCE)])
        if log:
            s.log = []
        s.settle()
        return s

    def notation(self, action: Action) -> str:
        return f"seed:{-1 - action}" if action < 0 else f"bid{action}"

    def parse(self, text: str) -> Action:
        if text.startswith("seed:") and text[5:].isdecimal():
            return -1 - int(text[5:])
        if text.startswith("bid") and text[3:].isdecimal() and 0 < int(text[3:]) < 10:
            return int(text[3:])
        raise NotationError(f"{text!r} is no bid.")

    def words(self, event: Event, view: State, names: list[str]) -> str:
        code, _, seat, card, _, _ = event
        return f"{names[seat]} bid {card & KIND}." if code == BID else f"{names[seat]} won the round."

    def prompt(self, view: State, names: list[str]) -> str:
        return "Choose your bid."

    def describe(self, view: State, action: Action) -> str:
        return f"Bid {action}."

    def board(self, view: State) -> dict[str, Any]:
        assert isinstance(view, BidsState)
        hands = [[None if c & KIND == HIDDEN else str(c & KIND) for c in hand] for hand in view.hands]
        return {"viewer": view.viewer, "hands": hands, "wins": view.wins[:]}
