"""A tiny game for two in which a turn can be endless in one of several ways, or in none.

Each seat has goods in hand and on its stall. A turn is any number of trades, and its end burns the top card of
the shared deck. A seat that finds it empty loses.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

from gonfalon.core.basics.cards import KIND, SEEN
from gonfalon.core.basics.errors import NotationError
from gonfalon.core.basics.outcome import Outcome
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.game import Game, Option
from gonfalon.core.rules.rules import starts_game
from gonfalon.core.rules.state import CHANCE, SEED, Action, Card, State, Step

GOODS = 4
DECK = 10
END, PASS, WEAR, SEARCH, PUT = range(5)
LAY = 10
TAKE = 20
BOTH = SEEN[0] | SEEN[1]

SOUND = ("nothing", "tired", "poor", "worn out", "spent")
LOOPS = ("free", "regained", "worn", "searched", "growing", "consent", "ring")
"""The ways a turn can be endless: goods are placed and taken back, for nothing or for their gain; an item alternates
between two wearers; the deck is searched and refilled; the same while a number grows;
while the other seat consents; through all goods in turn."""


class BazaarState(State):
    def __init__(self, stack: list[Step[Any]], loop: str) -> None:
        super().__init__(2, stack)
        self.loop = loop
        self.hand: list[list[Card]] = [[kind | SEEN[seat] for kind in range(GOODS)] for seat in (0, 1)]
        self.stall: list[list[Card]] = [[], []]
        self.deck: list[Card] = list(range(DECK))
        self.ash: list[Card] = []
        self.coins = [1, 1]
        self.wearer = 0
        self.done: list[int] = []
        self.trades = 0
        self.winner = -1

    def clone(self) -> BazaarState:
        twin = BazaarState(self.stack[:], self.loop)
        twin.hand, twin.stall = [zone[:] for zone in self.hand], [zone[:] for zone in self.stall]
        twin.deck, twin.ash = self.deck[:], self.ash[:]
        twin.coins, twin.wearer, twin.done = self.coins[:], self.wearer, self.done[:]
        twin.trades, twin.winner = self.trades, self.winner
        self.copy_flow(twin)
        return twin

    def ordered_zones(self) -> list[list[Card]]:
        return [self.deck, self.ash, *self.stall]

    def unordered_zones(self) -> list[list[Card]]:
        return self.hand

    def pools(self) -> list[tuple[list[int], list[list[Card]]]]:
        goods = [(list(range(GOODS)), [self.hand[seat], self.stall[seat]]) for seat in (0, 1)]
        return [*goods, (list(range(DECK)), [self.deck, self.ash])]

    def data(self) -> list[Any]:
        zones = [zone[:] for zone in (*self.hand, *self.stall, self.deck, self.ash)]
        return [zones, self.coins[:], [self.wearer, self.trades, self.winner], self.done[:]]

    def outcome(self) -> Outcome | None:
        return None if self.winner < 0 else Outcome([self.winner], "deck")

    def returns(self) -> list[float]:
        return [0.0, 0.0] if self.winner < 0 else [1.0, -1.0] if self.winner == 0 else [-1.0, 1.0]


class Trade(Step[BazaarState]):
    prompt = "trade"

    def options(self, s: BazaarState) -> list[Action]:
        seat, loop = self.seat, s.loop
        out = [END]
        if loop in ("worn", "worn out") and (loop == "worn" or WEAR not in s.done):
            out.append(WEAR)
        if loop in ("searched", "spent") and s.deck and (loop == "searched" or len(s.ash) < DECK - 1):
            out.append(SEARCH)
        out += sorted(LAY + (card & KIND) for card in s.hand[seat])
        if loop not in ("nothing", "worn", "worn out", "searched", "spent"):
            out += sorted(TAKE + (card & KIND) for card in s.stall[seat] if self.may_take(s, card & KIND))
        return out

    def may_take(self, s: BazaarState, kind: int) -> bool:
        if s.loop == "tired":
            return TAKE + kind not in s.done
        if s.loop in ("poor", "regained"):
            return s.coins[self.seat] > 0
        if s.loop == "ring":
            return any(card & KIND == (kind + 1) % GOODS for card in s.stall[self.seat])
        return True

    def choose(self, s: BazaarState, action: Action) -> None:
        seat = self.seat
        if action == END:
            s.done = []
            if not s.deck:
                s.winner = 1 - seat
                s.stack.clear()
                return
            s.ash.append(s.deck.pop() & KIND | BOTH)
            s.stack.append(Trade(1 - seat))
            return
        s.stack.append(self)
        s.done = [*s.done, action]
        s.trades += s.loop == "growing"
        if action == WEAR:
            s.wearer = 1 - s.wearer
        elif action == SEARCH:
            if s.loop == "spent":
                s.ash.append(s.deck.pop() & KIND | BOTH)
            s.stack.append(Shuffle(CHANCE))
        else:
            here, there = (s.hand, s.stall) if action < TAKE else (s.stall, s.hand)
            card = next(card for card in here[seat] if card & KIND == action % 10)
            here[seat].remove(card)
            there[seat].append(card | BOTH)
            if action < TAKE:
                s.coins[seat] += s.loop == "regained"
            else:
                s.coins[seat] -= s.loop in ("poor", "regained")
            if s.loop == "consent":
                s.stack.append(Consent(1 - seat))


class Consent(Step[BazaarState]):
    prompt = "consent"

    def options(self, s: BazaarState) -> list[Action]:
        return [END, PASS]

    def choose(self, s: BazaarState, action: Action) -> None:
        if action == END:
            s.stack.pop().choose(s, END)


class Shuffle(Step[BazaarState]):
    prompt = "shuffle"

    def options(self, s: BazaarState) -> list[Action]:
        return [SEED]

    def choose(self, s: BazaarState, action: Action) -> None:
        Rng(-1 - action).shuffle(s.deck)


class Bazaar(Game):
    name: ClassVar[str] = "bazaar"
    title: ClassVar[str] = "Bazaar"
    version: ClassVar[str] = "1"
    folder: ClassVar[Path] = Path(__file__).parent
    options_spec: ClassVar[tuple[Option, ...]] = (Option("loop", "nothing", "Loop", "how a turn goes on"),)

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.seats = 2
        self.data_hash = "1"
        self.bound = 400

    @starts_game
    def start(self, log: bool = False) -> State:
        state = BazaarState([Trade(0)], self.options["loop"])
        state.log = [] if log else None
        state.settle()
        return state

    def notation(self, action: Action) -> str:
        words = {END: "end", PASS: "pass", WEAR: "wear", SEARCH: "search"}
        if action < 0:
            return f"seed:{-1 - action}"
        if action in words:
            return words[action]
        if LAY <= action < LAY + GOODS:
            return f"lay-{action - LAY}"
        if TAKE <= action < TAKE + GOODS:
            return f"take-{action - TAKE}"
        raise NotationError(f"{action} is no action.")
