"""The short way to write a game: say what there is, and have the rest filled in.

    class DuelState(SimpleState):      # its piles, hands and numbers, in `__init__`
    class Duel(SimpleGame[DuelState]): # its cards, sentences and set-up

An action that chooses a card is the number of the card's kind; the other actions follow. Whatever is filled in here
may be written by hand instead: these are an ordinary `State` and an ordinary `Game`. What they cost is speed, for
copies are made field by field and nothing here is compiled.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from string import Formatter
from typing import ClassVar, Final, Generic, Self, TypeVar

from gonfalon.core.basics.cards import HIDDEN, KIND, SEEN, seen_by_all, take
from gonfalon.core.basics.errors import GonfalonError, NotationError
from gonfalon.core.basics.outcome import Outcome
from gonfalon.core.rules.game import Game, Option, Zone
from gonfalon.core.rules.rules import starts_game
from gonfalon.core.rules.shuffles import DealCard, Shuffle, ShuffledState, push_shuffle
from gonfalon.core.rules.state import TOGETHER, Action, Card, Event, Seat, State
from gonfalon.core.text.english import slug, whose

EXACT: Final = Option("exact", False, "Exact chance", "Chance decides the deck card by card.", public=False)
"""The option that trees of games and OpenSpiel need."""
SEED_MARK: Final = "seed:"
BLANKS: Final = ("who", "whose", "card", "a", "b")
"""What a sentence of an event may leave to be filled in."""


class SimpleState(ShuffledState):
    """A position whose fields are what its `__init__(seats)` sets: lists and ints change with the game and are copied;
    tuples stay the same throughout a game and are shared.

    `ordered` and `hands` name the fields that are zones: a list of cards, or a list of such lists, one for each seat.
    The end of a zone is its top.
    """

    ordered: ClassVar[tuple[str, ...]] = ()
    """Zones in which the order of the cards means something, or lies open."""
    hands: ClassVar[tuple[str, ...]] = ()
    """Zones whose order means nothing."""
    unshown: ClassVar[tuple[str, ...]] = ()
    """Fields that the board leaves out, such as a number that never changes."""
    how: ClassVar[str] = "points"
    """What decides the game, in a word (`Outcome.how`)."""

    def __init__(self, seats: int) -> None:
        super().__init__(seats, [])
        self.full: tuple[int, ...] = ()
        """The kinds of all cards in the game, one entry for each card; `SimpleGame.start` fills it in."""

    def points(self) -> list[int]:
        """What each seat has at the end: whoever has most wins."""
        raise NotImplementedError

    # ---- what a step does with cards ------------------------------------------------------------

    def draw(self, pile: list[Card], hand: list[Card], seat: Seat) -> Card:
        """Move the top card of a pile into a hand, seen by its owner. Raises IndexError when there is none."""
        card = pile.pop() | SEEN[seat]
        hand.append(card)
        return card

    def reveal(self, hand: list[Card], kind: int) -> Card:
        """Take a card of a kind out of a hand, for everybody to see. Raises ValueError when there is none."""
        return take(hand, kind) | seen_by_all(self.seats)

    def push_shuffle(self, pile: list[Card], exact: bool) -> None:
        """Have chance shuffle one of the zones, fast or card by card, before anything else happens."""
        [number] = [number for number, zone in enumerate(self.zones()) if zone is pile]
        push_shuffle(self, 1 << number, exact, quick=False)

    def mask(self, viewer: int) -> Self:
        """What a viewer may know: a state of the same shape, in which everything else is blank."""
        view = super().mask(viewer)
        assert isinstance(view, type(self))
        return view

    # ---- what the core asks of a state ----------------------------------------------------------

    def clone(self) -> Self:
        twin = type(self)(self.seats)
        twin.stack = self.stack[:]
        for name, value in vars(self).items():
            setattr(twin, name, copied(value))
        self.copy_flow(twin)
        return twin

    def data(self) -> list[object]:
        return [copied(value) for value in vars(self).values() if isinstance(value, (list, int))]

    def ordered_zones(self) -> list[list[Card]]:
        return [zone for name in self.ordered for zone in zones_of(getattr(self, name))]

    def unordered_zones(self) -> list[list[Card]]:
        return [zone for name in self.hands for zone in zones_of(getattr(self, name))]

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
        won = 2.0 / len(outcome.winners) - 1.0
        return [won if seat in outcome.winners else -1.0 for seat in range(self.seats)]


S = TypeVar("S", bound=SimpleState)


class SimpleGame(Game, Generic[S]):
    """A game told by its cards, its sentences and its set-up; see the class attributes.

    `steps` are the game's own; the two of the shuffle are added. `bound` is a number of decisions that no game exceeds.
    """

    state_class: type[S]
    card_names: tuple[str, ...]
    """What each kind of card is called; an action that chooses a card is its place in here. People type a name in small
    letters with hyphens, so no two may be alike then, and none a mere number. A game that reads its cards from a file
    assigns this in `__init__`."""
    card_texts: tuple[str, ...] = ()
    """What is printed on them; assigned like the names."""
    other_actions: ClassVar[Mapping[str, str]] = {}
    """The actions that follow on those of the cards: the notation, and what it does as a sentence."""
    asks: ClassVar[Mapping[str, tuple[str, str]]] = {}
    """By the name of a question (`Step.prompt`): the question as a sentence, and what choosing a card does ("Play the
    {card}.")."""
    sentences: ClassVar[Mapping[int, str]] = {}
    """By the code of an event what happened, with {who}, {whose}, {card}, {a} and {b} filled in. Every event that is
    told needs an entry; an empty sentence keeps it out of the log."""
    secret: ClassVar[tuple[str, ...]] = ()
    """The names of questions at which the others do not see which card is chosen. What several seats answer at once is
    secret in any case."""
    bound: int = 1000

    def __init_subclass__(cls, **kwargs: object) -> None:
        super().__init_subclass__(**kwargs)
        if "steps" in vars(cls):
            cls.steps = (Shuffle, DealCard, *(step for step in cls.steps if step not in (Shuffle, DealCard)))
        check_blanks(f"{cls.__name__}.sentences", cls.sentences.values(), BLANKS)
        check_blanks(f"{cls.__name__}.asks", (does for _, does in cls.asks.values()), ("card",))

    def __init__(self, **options: object) -> None:
        super().__init__(**options)
        self.seats = int(self.options.get("seats", self.seat_counts[0]))
        self.data_hash = f"{self.name}-{self.version}"

    def deck(self) -> list[int]:
        """The kinds of all cards in the game, one entry for each card."""
        raise NotImplementedError

    def set_up(self, s: S) -> None:
        """Put the cards of `s.full` where they lie at the start, and push the first steps."""
        raise NotImplementedError

    @starts_game
    def start(self, log: bool = False) -> S:
        """The position before the first decision; with `log`, events are kept."""
        s = self.state_class(self.seats)
        s.full = tuple(sorted(self.deck()))
        if log:
            s.log = []
        self.set_up(s)
        s.settle()
        return s

    # ---- actions --------------------------------------------------------------------------------

    def action_words(self) -> list[str]:
        """The notation of each action, from 0 on."""
        return [slug(name) for name in self.card_names] + list(self.other_actions)

    def notation(self, action: Action) -> str:
        """An action's one-line text; `parse` reads it back. Raises NotationError."""
        if action < 0:
            return f"{SEED_MARK}{-1 - action}"
        words = self.action_words()
        if action < len(words):
            return words[action]
        raise NotationError(f"{action} is no action of {self.title}.")

    def parse(self, text: str) -> Action:
        """The action of a text. Raises NotationError."""
        seed = text.removeprefix(SEED_MARK)
        if seed != text and seed.isascii() and seed.isdigit():
            return -1 - int(seed)
        words = self.action_words()
        if text not in words:
            raise NotationError(f"{text[:40]!r} is no action of {self.title}.")
        return words.index(text)

    def all_actions(self) -> list[Action]:
        """Every action that a seat may ever be asked to choose from, ascending."""
        return list(range(len(self.action_words())))

    def public(self, state: State, seat: int, action: Action, viewer: int) -> Action:
        """Of a secret answer the others see only that there was one, of a secret card only that it was one: action 0
        stands for all that look alike."""
        step = state.stack[-1]
        card = step.prompt in self.secret and action < len(self.card_names)
        return 0 if (step.seat == TOGETHER or card) and seat >= 0 and viewer != seat else action

    # ---- words ----------------------------------------------------------------------------------

    def kind_name(self, kind: int) -> str:
        return self.card_names[kind]

    def card_word(self, card: Card) -> str:
        """`a Knight`, or `a card` where the viewer does not know it."""
        name = "card" if card & KIND == HIDDEN else self.card_names[card & KIND]
        return f"{'an' if name[0] in 'AEIOU' else 'a'} {name}"

    def words(self, event: Event, view: State, names: list[str]) -> str:
        """The sentence of `sentences` for an event of a view's log."""
        code, _, seat, card, a, b = event
        name = names[seat]
        return self.sentences.get(code, "").format(who=name, whose=whose(name), card=self.card_word(card), a=a, b=b)

    def is_quiet(self, code: int) -> bool:
        """Return whether an event may have no sentence: one of `quiet`, or with an empty one in `sentences`."""
        return code in self.quiet or self.sentences.get(code) == ""

    def prompt(self, view: State, names: list[str]) -> str:
        """The sentence of `asks` for whoever is asked; else for whom everybody waits."""
        if view.viewer in view.asked() and view.stack[-1].prompt in self.asks:
            return self.asks[view.stack[-1].prompt][0]
        return super().prompt(view, names)

    def describe(self, view: State, action: Action) -> str:
        """An action of the viewer's decision as a sentence in the imperative."""
        if action >= len(self.card_names):
            return self.other_actions[self.notation(action)]
        _, does = self.asks.get(view.stack[-1].prompt, ("", "Choose the {card}."))
        return does.format(card=self.card_names[action])

    # ---- the table ------------------------------------------------------------------------------

    def board(self, view: State) -> dict[str, object]:
        """The fields of the position by their names, cards by theirs; None is a card the viewer does not know."""
        assert isinstance(view, SimpleState)
        found: dict[str, object] = {"viewer": view.viewer}
        for name, value in vars(view).items():
            if name in view.unshown:
                continue
            if name in view.ordered + view.hands:
                found[name] = self.faces(value)
            elif isinstance(value, (list, int)):
                found[name] = copied(value)
        return found

    def faces(self, cards: Card | list[Card] | list[list[Card]]) -> object:
        """The name of a card, or the names of those in a zone, or in several."""
        if isinstance(cards, list):
            return [self.faces(one) for one in cards]
        return None if cards & KIND == HIDDEN else self.card_names[cards & KIND]

    def card(self, text: str) -> dict[str, str] | None:
        """What is printed on a card, found by name or slug."""
        return next((card for card in self.all_cards() if slug(text) == card["slug"]), None)

    def all_cards(self) -> list[dict[str, str]]:
        """Every card of the game."""
        texts = self.card_texts or ("",) * len(self.card_names)
        found = zip(self.card_names, texts, strict=True)
        return [{"slug": slug(name), "name": name, "text": text} for name, text in found]

    # ---- learners -------------------------------------------------------------------------------

    def zones(self) -> list[Zone]:
        """Return the zones by the names of their fields.

        Tensors list every card of an ordered zone. With three or more seats they list those of hands as well, because
        only the list says which of the other seats has seen a card.
        """
        state, cards, named = self.state_class(self.seats), len(self.deck()), []
        for name in state.ordered + state.hands:
            found = zones_of(getattr(state, name))
            order = cards if name in state.ordered or self.seats > 2 else 0
            named += [Zone(name, seat if len(found) > 1 else -1, "cards", -1, order) for seat in range(len(found))]
        return named


def check_blanks(where: str, sentences: Iterable[str], known: tuple[str, ...]) -> None:
    """That sentences leave no other blanks than these to be filled in. Raises GonfalonError."""
    may = ", ".join(f"{{{blank}}}" for blank in known)
    for sentence in sentences:
        try:
            blanks = {blank for _, blank, _, _ in Formatter().parse(sentence) if blank is not None}
        except ValueError as error:
            raise GonfalonError(f"{where}: {sentence!r} cannot be filled in: {error}.") from None
        for blank in sorted(blanks.difference(known)):
            raise GonfalonError(f"{where}: {sentence!r} has the blank {{{blank}}}; it may have {may}.")


def copied(value: object) -> object:
    """A field of a state, its lists made anew."""
    return [copied(item) if isinstance(item, list) else item for item in value] if isinstance(value, list) else value


def zones_of(field: object) -> list[list[Card]]:
    """The zones of a field: itself, or one for each seat."""
    assert isinstance(field, list)
    return field if field and isinstance(field[0], list) else [field]
