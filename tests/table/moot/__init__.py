"""A tiny game for two to five in the tests of table and web: a simultaneous secret choice, then speeches in
turn, each of which the next seat may veto (an answer window).

Every card's name is a canary, as in `tests/table/duel`: `CARD-<kind>-<word>`. A card's number is 10 x seat + rank.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar, Self

from gonfalon.core.basics.cards import HIDDEN, KIND, SEEN, seen_by_all, take
from gonfalon.core.basics.errors import NotationError
from gonfalon.core.basics.outcome import Outcome
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.game import Game, Option
from gonfalon.core.rules.rules import starts_game
from gonfalon.core.rules.state import CHANCE, SEED, Action, Card, Event, Seat, State, Step, Together

PASS = 500
RANKS = 6
HAND = 5
WORDS = ("anvil", "bugle", "cloak", "drum", "ember", "flail")
DEALT, CHOSE, SPOKE, VETOED, PASSED = range(5)


def name(kind: int) -> str:
    return f"CARD-{kind}-{WORDS[kind % 10]}"


class Shuffle(Step["Position"]):
    """Mix a seat's pile and deal it its hand."""

    def __init__(self, owner: Seat) -> None:
        super().__init__(CHANCE)
        self.owner = owner

    def key(self) -> list[int]:
        return [self.seat, self.owner]

    def options(self, s: Position) -> list[Action]:
        return [SEED]

    def choose(self, s: Position, action: Action) -> None:
        Rng(-1 - action).shuffle(s.piles[self.owner])
        for _ in range(HAND):
            card = s.piles[self.owner].pop() | SEEN[self.owner]
            s.hands[self.owner].append(card)
            s.tell_only(1 << self.owner, DEALT, self.owner, card)


class Choose(Together["Position"]):
    """All seats put down a card simultaneously."""

    prompt = "choose"

    def options_of(self, s: Position, seat: Seat) -> list[Action]:
        return [] if s.answers[seat] else s.kinds(seat)

    def finish(self, s: Position) -> None:
        for seat in range(s.seats):
            s.put(seat, s.answers[seat][0], CHOSE)


class Speak(Step["Position"]):
    """A seat plays a card, which the next seat can veto."""

    prompt = "speak"

    def options(self, s: Position) -> list[Action]:
        return s.kinds(self.seat)

    def choose(self, s: Position, action: Action) -> None:
        s.turns += 1
        s.put(self.seat, action, SPOKE)
        s.stack.append(Veto((self.seat + 1) % s.seats, self.seat))


class Veto(Step["Position"]):
    """The window: a card of higher rank removes the speaker's card, or the seat passes."""

    prompt = "veto"

    def __init__(self, seat: Seat, speaker: Seat) -> None:
        super().__init__(seat)
        self.speaker = speaker

    def key(self) -> list[int]:
        return [self.seat, self.speaker]

    def options(self, s: Position) -> list[Action]:
        rank = (s.played[self.speaker][-1] & KIND) % 10
        return [*(kind for kind in s.kinds(self.seat) if kind % 10 > rank), PASS]

    def choose(self, s: Position, action: Action) -> None:
        if action == PASS:
            s.tell(PASSED, self.seat, HIDDEN | seen_by_all(s.seats))
            return
        card = take(s.hands[self.seat], action) | seen_by_all(s.seats)
        s.away[self.seat].append(card)
        s.away[self.speaker].append(s.played[self.speaker].pop())
        s.tell(VETOED, self.seat, card)


class Position(State):
    __slots__ = ("away", "hands", "piles", "played", "turns")

    def __init__(self, seats: int, stack: list[Step[Any]]) -> None:
        super().__init__(seats, stack)
        self.piles: list[list[Card]] = [[] for _ in range(seats)]
        self.hands: list[list[Card]] = [[] for _ in range(seats)]
        self.away: list[list[Card]] = [[] for _ in range(seats)]
        self.played: list[list[Card]] = [[] for _ in range(seats)]
        self.turns = 0

    def clone(self) -> Position:
        twin = Position(self.seats, self.stack[:])
        twin.piles = [zone[:] for zone in self.piles]
        twin.hands = [zone[:] for zone in self.hands]
        twin.away = [zone[:] for zone in self.away]
        twin.played = [zone[:] for zone in self.played]
        twin.turns = self.turns
        self.copy_flow(twin)
        return twin

    def kinds(self, seat: Seat) -> list[int]:
        return sorted({card & KIND for card in self.hands[seat]})

    def put(self, seat: Seat, kind: int, code: int) -> None:
        card = take(self.hands[seat], kind) | seen_by_all(self.seats)
        self.played[seat].append(card)
        self.tell(code, seat, card)

    def ordered_zones(self) -> list[list[Card]]:
        return [*self.piles, *self.away, *self.played]

    def unordered_zones(self) -> list[list[Card]]:
        return self.hands

    def pools(self) -> list[tuple[list[int], list[list[Card]]]]:
        everywhere = [*self.piles, *self.hands, *self.away, *self.played]
        return [([10 * seat + rank for seat in range(self.seats) for rank in range(RANKS)], everywhere)]

    def data(self) -> list[Any]:
        return [self.piles, self.hands, self.away, self.played, self.turns]

    def outcome(self) -> Outcome | None:
        if not self.over:
            return None
        sums = [sum((card & KIND) % 10 for card in zone) for zone in self.played]
        winners = [seat for seat in range(self.seats) if sums[seat] == max(sums)]
        return Outcome(winners, "sum")

    def returns(self) -> list[float]:
        outcome = self.outcome()
        if outcome is not None and len(outcome.winners) == self.seats:
            outcome = None
        return [0.0 if outcome is None else 1.0 if seat in outcome.winners else -1.0 for seat in range(self.seats)]

    def reason(self, seat: Seat, action: Action) -> str:
        return "You have no such card to play."


class Moot(Game):
    name: ClassVar[str] = "moot"
    title: ClassVar[str] = "The Moot"
    tagline: ClassVar[str] = "Speeches and vetoes."
    version: ClassVar[str] = "1"
    steps: ClassVar[tuple[type[Step[Any]], ...]] = (Shuffle, Choose, Speak, Veto)
    seat_counts: ClassVar[tuple[int, ...]] = (2, 3, 4, 5)
    options_spec: ClassVar[tuple[Option, ...]] = (
        Option("seats", 3, "Seats", "How many sit down.", choices=tuple((n, str(n)) for n in (2, 3, 4, 5))),
        Option("rounds", 2, "Rounds", "1 or 2.", least=1, most=2),
    )
    folder: ClassVar[Path] = Path(__file__).parent
    data_hash = "none"
    bound = 60

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.seats = self.options["seats"]

    @starts_game
    def start(self, log: bool = False) -> Position:
        seats = list(range(self.seats))
        a_round: list[Step[Any]] = [Choose(seats), *(Speak(seat) for seat in seats)]
        stack: list[Step[Any]] = [*(Shuffle(seat) for seat in seats), *(a_round * self.options["rounds"])]
        state = Position(self.seats, stack[::-1])
        for seat in seats:
            state.piles[seat] = [10 * seat + rank for rank in range(RANKS)]
        if log:
            state.log = []
        state.settle()
        return state

    def notation(self, action: Action) -> str:
        if action < 0:
            return f"seed:{-1 - action}"
        return "pass" if action == PASS else f"k{action}"

    def parse(self, text: str) -> Action:
        if text == "pass":
            return PASS
        head, digits = (text[:5], text[5:]) if text.startswith("seed:") else (text[:1], text[1:])
        if head not in ("seed:", "k") or not (digits.isascii() and digits.isdigit() and len(digits) < 20):
            raise NotationError(f"{text[:40]!r} is no action of the Moot.")
        return -1 - int(digits) if head == "seed:" else int(digits)

    def words(self, event: Event, view: State, names: list[str]) -> str:
        code, _, seat, card, _, _ = event
        if code == PASSED:
            return f"{names[seat]} let it pass."
        did = {DEALT: "drew", CHOSE: "put down", SPOKE: "spoke for", VETOED: "vetoed with"}[code]
        return f"{names[seat]} {did} {name(card & KIND)}."

    def prompt(self, view: State, names: list[str]) -> str:
        if view.turn == view.viewer >= 0:
            return "Veto, or let it pass." if view.stack[-1].prompt == "veto" else "Choose a card."
        return "Waiting for " + " and ".join(names[seat] for seat in view.asked() if seat >= 0) + "."

    def describe(self, view: State, action: Action) -> str:
        return "Let it pass." if action == PASS else f"Choose {name(action)}."

    def board(self, view: State) -> dict[str, Any]:
        assert isinstance(view, Position)

        def faces(zone: list[Card]) -> list[str]:
            return ["?" if card & KIND == HIDDEN else name(card & KIND) for card in zone]

        return {
            "viewer": view.viewer,
            "round": view.turns,
            "hands": [faces(zone) for zone in view.hands],
            "away": [faces(zone) for zone in view.away],
            "played": [faces(zone) for zone in view.played],
        }

    def all_cards(self) -> list[dict[str, Any]]:
        kinds = [10 * seat + rank for seat in range(self.seats) for rank in range(RANKS)]
        return [{"slug": f"k{kind}", "name": f"PRINTED-{kind}", "text": f"Rank {kind % 10}."} for kind in kinds]

    def players(self) -> dict[str, Any]:
        """Only `random`, which does not pause."""
        return {}

    def controls(self, view: State) -> dict[str, Any]:
        choices = [{"id": self.notation(a), "text": self.describe(view, a)} for a in view.legal(view.viewer)]
        return {"mode": "choice" if choices else None, "choices": choices}

    def window(self, view: State) -> str | None:
        return "Veto" if view.stack and view.stack[-1].prompt == "veto" else None

    def turn(self, view: State) -> int:
        assert isinstance(view, Position)
        return view.turns

    @classmethod
    def tiny(cls) -> list[Self]:
        return []

    @classmethod
    def samples(cls) -> list[Self]:
        return [cls(seats=seats) for seats in cls.seat_counts]
