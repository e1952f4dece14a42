"""Base classes for games that need no speed: a game declares its data, and the rest follows.

    class DuelState(SimpleState):      # its piles, hands and numbers, in `__init__`
    class Duel(SimpleGame[DuelState]): # its cards, sentences and set-up

An action that chooses a card, or names one, is the number of its kind; `aim_at(seat)` is the action that chooses a
player; the other actions follow the cards. Sentences are templates (`gonfalon.core.text.templates`). Every member can
be written by hand instead, because these classes are an ordinary `State` and an ordinary `Game`. They are slower:
copies are made field by field, and nothing is compiled.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import make_dataclass
from pathlib import Path
from typing import ClassVar, Final, Generic, Self, TypeVar, dataclass_transform

from gonfalon.core.basics.cards import HIDDEN, KIND, SEEN, seen_by_all, take
from gonfalon.core.basics.errors import GonfalonError, NotationError
from gonfalon.core.basics.outcome import Outcome
from gonfalon.core.rules.game import Game, Option, Zone
from gonfalon.core.rules.rules import starts_game
from gonfalon.core.rules.shuffles import DealCard, Shuffle, ShuffledState, push_shuffle
from gonfalon.core.rules.state import TOGETHER, Action, AnyStep, Card, Seat, State
from gonfalon.core.rules.words import FIRST_AIM, TemplateWords, aim_at, find_aim, find_question_fault
from gonfalon.core.text.english import slug
from gonfalon.core.text.templates import find_blanks

EXACT: Final = Option("exact", False, "Exact chance", "Chance decides the deck card by card.", public=False)
"""The option for shuffles card by card, which game trees and OpenSpiel need."""
SEED_MARK: Final = "seed:"
"""The beginning of the notation of a fast shuffle."""
SEAT_MARK: Final = "seat-"
"""The beginning of the notation of an action that chooses a player, counted from 1."""
T = TypeVar("T", bound=AnyStep)


@dataclass_transform(eq_default=False)
def declare_fields(cls: type[T]) -> type[T]:
    """Write `__init__` and `key` of a step that has more fields than its seat. Its class declares all of them.

    Raises:
        GonfalonError: The class does not declare its seat first.

    Example:
        ```python
        @declare_fields
        class Guess(Step[DuelState]):
            seat: Seat
            target: Seat
        ```
    """
    names = [name for name in cls.__annotations__ if name not in vars(cls)]
    if names[:1] != ["seat"]:
        raise GonfalonError(f"{cls.__name__} must declare the field seat before its other fields.")
    # A dataclass itself would take the attributes of the compiled base class for defaults.
    init = vars(make_dataclass("Fields", names))["__init__"]

    def key(self: AnyStep) -> list[int]:
        return [int(getattr(self, name)) for name in names]

    for name, method in (("__init__", init), ("key", key)):
        setattr(cls, name, method)
    return cls


class SimpleState(ShuffledState):
    """A position whose fields are the attributes that its `__init__(seats)` sets.

    Lists and ints change during the game and are copied; tuples are constant and shared. `ordered` and `hands` name the
    fields that are zones: a list of cards, or a list of such lists, one for each seat. The end of a zone is its top. A
    list of booleans marks players, for example `out`.

    Two names have a meaning if a state has them: `round`, the number of the round, is a mark of replays, and `turns`,
    the number of the turn, ends an answer that a player gives in advance for one turn.
    """

    ordered: ClassVar[tuple[str, ...]] = ()
    """Zones in which the order of the cards matters or is public."""
    hands: ClassVar[tuple[str, ...]] = ()
    """Zones whose order means nothing."""
    unshown: ClassVar[tuple[str, ...]] = ()
    """Fields that the board leaves out, such as a constant number."""
    how: ClassVar[str] = "points"
    """The kind of victory, in a word (`Outcome.how`)."""

    def __init__(self, seats: int) -> None:
        super().__init__(seats, [])
        self.full: tuple[int, ...] = ()
        """The kinds of all cards in the game, one entry for each card; `SimpleGame.start` sets it."""

    def points(self) -> list[int]:
        """Return each seat's points at the end. The highest number wins."""
        raise NotImplementedError

    # ---- what a step does with cards ------------------------------------------------------------

    def draw(self, pile: list[Card], hand: list[Card], seat: Seat) -> Card:
        """Move the top card of a pile to a hand, seen by its owner. Raises IndexError if the pile is empty."""
        card = pile.pop() | SEEN[seat]
        hand.append(card)
        return card

    def reveal(self, hand: list[Card], kind: int) -> Card:
        """Take a card of a kind out of a hand and return it, seen by all. Raises ValueError if there is none."""
        return take(hand, kind) | seen_by_all(self.seats)

    def lay(self, hand: list[Card], kind: int, pile: list[Card]) -> Card:
        """Move a card of a kind from a hand to a pile, seen by all, and return it. Raises ValueError if there is
        none."""
        pile.append(self.reveal(hand, kind))
        return pile[-1]

    def show(self, hand: list[Card]) -> list[Card]:
        """Let all seats see a hand, and return it. It is sorted, because the order of its cards would reveal when they
        were drawn."""
        hand[:] = sorted(card & KIND | seen_by_all(self.seats) for card in hand)
        return hand

    def forget(self, hand: list[Card], seat: Seat) -> None:
        """Let all other seats forget which cards of a hand they have seen.

        Call it when a card leaves a hand unseen that another seat has looked at. Otherwise the card that stays known
        reveals which one left.

        Args:
            hand: The hand of one seat.
            seat: Its owner.
        """
        others = seen_by_all(self.seats) & ~SEEN[seat]
        hand[:] = [card & ~others for card in hand]

    def collect(self, pile: list[Card]) -> None:
        """Move the cards of all zones to one of them, such as the deck before a new round. Shuffle it then."""
        cards = [card for zone in self.zones() for card in zone]
        for zone in self.zones():
            zone.clear()
        pile += cards

    def push_shuffle(self, pile: list[Card], exact: bool | None = None) -> None:
        """Let chance shuffle a zone before anything else happens.

        Args:
            pile: One of the zones.
            exact: Whether chance deals card by card instead of drawing a seed; by default the option `exact` of the
                game.
        """
        if exact is None:
            exact = isinstance(self.rules, Game) and bool(self.rules.options.get(EXACT.name))
        [number] = [number for number, zone in enumerate(self.zones()) if zone is pile]
        push_shuffle(self, 1 << number, exact, quick=False)

    def mask(self, viewer: int) -> Self:
        """Return the view of a viewer: a state of the same shape in which everything else is blank."""
        view = super().mask(viewer)
        assert isinstance(view, type(self))
        return view

    # ---- what the core asks of a state ----------------------------------------------------------

    def clone(self) -> Self:
        # `vars` has the fields of the subclass only: those of `State` are slots, which `copy_flow` copies.
        twin = type(self)(self.seats)
        twin.stack = self.stack[:]
        for name, value in vars(self).items():
            setattr(twin, name, copy_field(value))
        self.copy_flow(twin)
        return twin

    def data(self) -> list[object]:
        return [copy_field(value) for value in vars(self).values() if isinstance(value, (list, int))]

    def ordered_zones(self) -> list[list[Card]]:
        return [zone for name in self.ordered for zone in list_zones(getattr(self, name))]

    def unordered_zones(self) -> list[list[Card]]:
        return [zone for name in self.hands for zone in list_zones(getattr(self, name))]

    def pools(self) -> list[tuple[list[int], list[list[Card]]]]:
        return [(list(self.full), self.zones())]

    def shuffled_zones(self) -> list[list[Card]]:
        return self.zones()

    def deal_action(self, zone: int, kind: int) -> Action:
        return kind

    def outcome(self) -> Outcome | None:
        if self.stack:
            return None
        points = self.points()
        return Outcome([seat for seat in range(self.seats) if points[seat] == max(points)], self.how)

    def returns(self) -> list[float]:
        outcome = self.outcome()
        if outcome is None:
            return [0.0] * self.seats
        # A victory shared by all seats of two is 0, so that the returns of two seats sum to zero.
        won = 2.0 / len(outcome.winners) - 1.0
        return [won if seat in outcome.winners else -1.0 for seat in range(self.seats)]


S = TypeVar("S", bound=SimpleState)


class SimpleGame(TemplateWords, Game, Generic[S]):
    """A game that declares its cards, sentences (`TemplateWords`) and set-up in class attributes.

    `steps` are the game's own; the two of the shuffle are added. `bound` is a number of decisions that no game exceeds.
    `folder` is that of the module by default.
    """

    state_class: type[S]
    card_texts: tuple[str, ...] = ()
    """The printed text of each kind; assigned like the names."""
    secret: ClassVar[tuple[str, ...]] = ()
    """The names of questions whose chosen card or player is hidden from other seats. Simultaneous answers are secret in
    any case."""
    windows: ClassVar[Mapping[str, str]] = {}
    """For each name of a question that opens an answer window (`Rules.window`) the name of the window. It needs an
    action `pass`."""
    bound: int = 1000

    def __init_subclass__(cls, **kwargs: object) -> None:
        super().__init_subclass__(**kwargs)
        if "steps" in vars(cls):
            # A subclass may extend the steps of its parent, which already include both.
            cls.steps = (Shuffle, DealCard, *(step for step in cls.steps if step not in (Shuffle, DealCard)))
        if isinstance(getattr(cls, "steps", None), tuple):
            tables = {"secret": dict.fromkeys(cls.secret, ("", "")), "windows": dict.fromkeys(cls.windows, ("", ""))}
            for where, asks in ({"asks": cls.asks} | tables).items():
                if fault := find_question_fault(cls.steps, asks, where):
                    raise GonfalonError(f"{cls.__name__}: {fault}")
        file = getattr(sys.modules.get(cls.__module__), "__file__", None)
        if file and not hasattr(cls, "folder"):
            cls.folder = Path(file).parent

    @classmethod
    def list_missing(cls) -> dict[type, list[str]]:
        found = super().list_missing()
        found[cls] += [name for name in ("deck", "set_up") if getattr(cls, name) is getattr(SimpleGame, name)]
        if not hasattr(cls, "state_class"):
            found[cls].append("state_class")
        elif cls.state_class.points is SimpleState.points and cls.state_class.outcome is SimpleState.outcome:
            found[cls.state_class] = ["points"]
        return found

    def __init__(self, **options: object) -> None:
        super().__init__(**options)
        self.seats = int(self.options.get("seats", self.seat_counts[0]))
        self.data_hash = f"{self.name}-{self.version}"

    def deck(self) -> list[int]:
        """Return the kinds of all cards in the game, one entry for each card."""
        raise NotImplementedError

    def set_up(self, s: S) -> None:
        """Put the cards of `s.full` into their zones for the start, and push the first steps."""
        raise NotImplementedError

    @starts_game
    def start(self, log: bool = False) -> S:
        """Return the position before the first decision; with `log` the state records events."""
        s = self.state_class(self.seats)
        s.rules = self
        # A tuple is constant: clones share it, and `data` leaves it out.
        s.full = tuple(sorted(self.deck()))
        if log:
            s.log = []
        self.set_up(s)
        s.settle()
        return s

    # ---- actions --------------------------------------------------------------------------------

    def action_words(self) -> list[str]:
        """Return the notation of each action, from 0."""
        return [slug(name) for name in self.card_names] + list(self.other_actions)

    def notation(self, action: Action) -> str:
        """Return the one-line text of an action, which `parse` reads back. Raises NotationError."""
        if action < 0:
            return f"{SEED_MARK}{-1 - action}"
        words = self.action_words()
        if action < len(words):
            return words[action]
        if 0 <= find_aim(action) < self.seats:
            return f"{SEAT_MARK}{find_aim(action) + 1}"
        raise NotationError(f"{action} is not an action of {self.title}.")

    def parse(self, text: str) -> Action:
        """Return the action of a text. Raises NotationError."""
        seed = text.removeprefix(SEED_MARK)
        # `isdigit` alone accepts digits of other scripts, which would give an action a second notation.
        if seed != text and seed.isascii() and seed.isdigit():
            return -1 - int(seed)
        words = self.action_words()
        if text in words:
            return words.index(text)
        for action in self.all_aims():
            if text == self.notation(action):
                return action
        raise NotationError(f"{text[:40]!r} is not an action of {self.title}.")

    def all_actions(self) -> list[Action]:
        """Return every action that a seat may ever choose from, ascending."""
        return [*range(len(self.action_words())), *self.all_aims()]

    def all_aims(self) -> list[Action]:
        """Return the actions that choose a player; none if no question of `asks` has a sentence for them."""
        has_aims = any("seat" in find_blanks(does) for _, does in self.asks.values())
        return [aim_at(seat) for seat in range(self.seats)] if has_aims else []

    def public(self, state: State, seat: int, action: Action, viewer: int) -> Action:
        """Return action 0 for secret actions of other seats: they see that a seat answered, or that it chose a card,
        and no more."""
        step = state.stack[-1]
        other = len(self.card_names) <= action < FIRST_AIM
        hides = step.seat == TOGETHER or (step.prompt in self.secret and not other)
        return 0 if hides and seat >= 0 and viewer != seat else action

    def window(self, view: State) -> str | None:
        """Return the name of the open answer window, from `windows`; None outside of windows."""
        return self.windows.get(view.stack[-1].prompt) if view.stack else None

    def turn(self, view: State) -> int:
        """Return the number of the turn: the field `turns` of the state, if it has one."""
        return int(getattr(view, "turns", 0))

    def chapter(self, view: State) -> str:
        """Return the round by the field `round` of the state; empty if it has none or before the first round."""
        number = int(getattr(view, "round", 0))
        return f"Round {number}" if number else ""

    # ---- the table ------------------------------------------------------------------------------

    def board(self, view: State) -> dict[str, object]:
        """Return the fields of the position by name, with cards by name; None is a card that the viewer does not
        know."""
        assert isinstance(view, SimpleState)
        found: dict[str, object] = {"viewer": view.viewer}
        for name, value in vars(view).items():
            if name in view.unshown:
                continue
            if name in view.ordered + view.hands:
                found[name] = self.faces(value)
            elif isinstance(value, (list, int)):
                found[name] = copy_field(value)
        return found

    def faces(self, cards: Card | list[Card] | list[list[Card]]) -> object:
        """Return the name of a card, or the names of the cards of a zone or of several zones."""
        if isinstance(cards, list):
            return [self.faces(one) for one in cards]
        return None if cards & KIND == HIDDEN else self.card_names[cards & KIND]

    def card(self, text: str) -> dict[str, str] | None:
        """Return the printed text of a card, found by its name or slug; None if there is no such card."""
        return next((card for card in self.all_cards() if slug(text) == card["slug"]), None)

    def all_cards(self) -> list[dict[str, str]]:
        """Return every card of the game with its text."""
        texts = self.card_texts or ("",) * len(self.card_names)
        found = zip(self.card_names, texts, strict=True)
        return [{"slug": slug(name), "name": name, "text": text} for name, text in found]

    # ---- learners -------------------------------------------------------------------------------

    def zones(self) -> list[Zone]:
        """Return the zones, named after their fields.

        Tensors list every card of an ordered zone. With three or more seats they list those of hands as well, because
        only the list shows which of the other seats has seen a card.
        """
        state, cards, named = self.state_class(self.seats), len(self.deck()), []
        for name in state.ordered + state.hands:
            found = list_zones(getattr(state, name))
            order = cards if name in state.ordered or self.seats > 2 else 0
            named += [Zone(name, seat if len(found) > 1 else -1, "cards", -1, order) for seat in range(len(found))]
        return named


def copy_field(value: object) -> object:
    """Return a copy of a field of a state; nested lists are copied too."""
    return (
        [copy_field(item) if isinstance(item, list) else item for item in value] if isinstance(value, list) else value
    )


def list_zones(field: object) -> list[list[Card]]:
    """Return the zones of a field: the field itself, or one list for each seat."""
    assert isinstance(field, list)
    # An empty list is one zone without cards.
    return field if field and isinstance(field[0], list) else [field]


__all__ = ["EXACT", "SEAT_MARK", "SimpleGame", "SimpleState", "aim_at", "declare_fields", "find_aim"]
