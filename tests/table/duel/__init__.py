"""A tiny game for the tests of table and web: secret hands, a simultaneous exchange, three plays each.

Every card's name is a canary, `CARD-<kind>-<word>`, so a search for the name finds a leak.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

from gonfalon.core.basics.cards import HIDDEN, KIND, SEEN, seen_by_all, take
from gonfalon.core.basics.errors import NotationError
from gonfalon.core.basics.outcome import Outcome
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.game import Game, Option
from gonfalon.core.rules.rules import starts_game
from gonfalon.core.rules.state import CHANCE, SEED, Action, Card, Event, Seat, State, Step, Together

DONE = 500
WORDS = ("anvil", "bugle", "cloak", "drum", "ember", "flail")
DEALT, PLAYED, EXCHANGED, KEPT = range(4)


def name(kind: int) -> str:
    return f"CARD-{kind}-{WORDS[kind % 10]}"


class Shuffle(Step["Position"]):
    """Mix a seat's pile and deal it three cards."""

    def options(self, s: Position) -> list[Action]:
        return [SEED]

    def __init__(self, owner: Seat) -> None:
        super().__init__(CHANCE)
        self.owner = owner

    def key(self) -> list[int]:
        return [self.seat, self.owner]

    def choose(self, s: Position, action: Action) -> None:
        Rng(-1 - action).shuffle(s.piles[self.owner])
        s.draw(self.owner, 3)


class Exchange(Together["Position"]):
    """Both seats can discard cards and draw as many."""

    prompt = "exchange"

    def options_of(self, s: Position, seat: Seat) -> list[Action]:
        answers = s.answers[seat]
        if answers and answers[-1] == DONE:
            return []
        kinds = sorted({card & KIND for card in s.hands[seat]} - set(answers))
        return [*kinds, DONE]

    def finish(self, s: Position) -> None:
        for seat in range(2):
            away = [a for a in s.answers[seat] if a != DONE]
            for kind in away:
                s.away[seat].append(take(s.hands[seat], kind))
            s.draw(seat, len(away))
            s.tell(EXCHANGED, seat, HIDDEN | seen_by_all(2), len(away))


class Play(Step["Position"]):
    """A seat plays a card. Its own cards are worth their number."""

    prompt = "play"

    def options(self, s: Position) -> list[Action]:
        return sorted({card & KIND for card in s.hands[self.seat]})

    def choose(self, s: Position, action: Action) -> None:
        card = take(s.hands[self.seat], action) | seen_by_all(2)
        s.played[self.seat].append(card)
        s.tell(PLAYED, self.seat, card)
        if len(s.played[0]) + len(s.played[1]) < 6:
            s.stack.append(Play(1 - self.seat))


class Position(State):
    __slots__ = ("away", "hands", "piles", "played")

    def __init__(self, stack: list[Step[Any]]) -> None:
        super().__init__(2, stack)
        self.piles: list[list[Card]] = [[], []]
        self.hands: list[list[Card]] = [[], []]
        self.away: list[list[Card]] = [[], []]
        self.played: list[list[Card]] = [[], []]

    def clone(self) -> Position:
        twin = Position(self.stack[:])
        twin.piles = [zone[:] for zone in self.piles]
        twin.hands = [zone[:] for zone in self.hands]
        twin.away = [zone[:] for zone in self.away]
        twin.played = [zone[:] for zone in self.played]
        self.copy_flow(twin)
        return twin

    def draw(self, seat: Seat, n: int) -> None:
        for _ in range(n):
            card = self.piles[seat].pop() | SEEN[seat]
            self.hands[seat].append(card)
            self.tell_only(1 << seat, DEALT, seat, card)

    def ordered_zones(self) -> list[list[Card]]:
        return [*self.piles, *self.away, *self.played]

    def unordered_zones(self) -> list[list[Card]]:
        return self.hands

    def pools(self) -> list[tuple[list[int], list[list[Card]]]]:
        return [
            (
                [10 * seat + i for i in range(6)],
                [self.piles[seat], self.hands[seat], self.away[seat], self.played[seat]],
            )
            for seat in range(2)
        ]

    def data(self) -> list[Any]:
        return [self.piles, self.hands, self.away, self.played]

    def outcome(self) -> Outcome | None:
        if not self.over:
            return None
        sums = [sum(card & KIND for card in zone) - 30 * seat for seat, zone in enumerate(self.played)]
        return Outcome([0, 1] if sums[0] == sums[1] else [int(sums[1] > sums[0])], "sum")

    def returns(self) -> list[float]:
        outcome = self.outcome()
        if outcome is None or len(outcome.winners) == 2:
            return [0.0, 0.0]
        return [1.0 if seat in outcome.winners else -1.0 for seat in range(2)]

    def reason(self, seat: Seat, action: Action) -> str:
        return "You have no such card to play."


class Duel(Game):
    name: ClassVar[str] = "duel"
    title: ClassVar[str] = "Duel"
    tagline: ClassVar[str] = "Three cards each."
    version: ClassVar[str] = "1"
    steps: ClassVar[tuple[type[Step[Any]], ...]] = (Shuffle, Exchange, Play)
    options_spec: ClassVar[tuple[Option, ...]] = (
        Option("sides", ("red", "blue"), "Sides", "Who leads which side."),
        Option("open", False, "Open", "Nothing yet."),
        Option("cards", None, "Cards", "A file of cards.", public=False, file=True),
    )
    folder: ClassVar[Path] = Path(__file__).parent
    seats = 2
    data_hash = "none"
    bound = 40

    @starts_game
    def start(self, log: bool = False) -> Position:
        state = Position([Play(0), Exchange([0, 1]), Shuffle(1), Shuffle(0)])
        state.piles = [[0, 1, 2, 3, 4, 5], [10, 11, 12, 13, 14, 15]]
        if log:
            state.log = []
        state.settle()
        return state

    def notation(self, action: Action) -> str:
        if action < 0:
            return f"seed:{-1 - action}"
        return "done" if action == DONE else f"k{action}"

    def parse(self, text: str) -> Action:
        if text == "done":
            return DONE
        head, digits = (text[:5], text[5:]) if text.startswith("seed:") else (text[:1], text[1:])
        if head not in ("seed:", "k") or not (digits.isascii() and digits.isdigit() and len(digits) < 20):
            raise NotationError(f"{text[:40]!r} is no action of Duel.")
        return -1 - int(digits) if head == "seed:" else int(digits)

    def words(self, event: Event, view: State, names: list[str]) -> str:
        code, _, seat, card, a, _ = event
        if code == DEALT:
            return f"  {names[seat]} draw {name(card & KIND)}."
        if code == PLAYED:
            return f"{names[seat]} played {name(card & KIND)}."
        return f"{names[seat]} exchanged {a}."

    def prompt(self, view: State, names: list[str]) -> str:
        if view.turn == view.viewer >= 0:
            return "Choose a card."
        return "Waiting for " + " and ".join(names[seat] for seat in view.asked() if seat >= 0) + "."

    def describe(self, view: State, action: Action) -> str:
        return "Keep the rest." if action == DONE else f"Choose {name(action)}."

    def board(self, view: State) -> dict[str, Any]:
        assert isinstance(view, Position)

        def faces(zone: list[Card]) -> list[str]:
            return ["?" if card & KIND == HIDDEN else name(card & KIND) for card in zone]

        return {
            "viewer": view.viewer,
            "me": view.viewer if view.viewer >= 0 else None,
            "round": 1,
            "hands": [faces(zone) for zone in view.hands],
            "away": [faces(zone) for zone in view.away],
            "played": [faces(zone) for zone in view.played],
            "piles": [len(zone) for zone in view.piles],
        }

    def players(self) -> dict[str, Any]:
        """Only `random`, which does not pause."""
        return {}

    def controls(self, view: State) -> dict[str, Any]:
        choices = [{"id": self.notation(a), "text": self.describe(view, a)} for a in view.legal(view.viewer)]
        return {
            "mode": "choice" if choices else None,
            "cards": {},
            "pass": False,
            "confirm_pass": None,
            "choices": choices,
        }
