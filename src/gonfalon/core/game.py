"""A game: rules with their options chosen. Each game's folder provides one subclass."""

from __future__ import annotations

import math
from functools import wraps
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple

from gonfalon.core.english import YOU, verdict
from gonfalon.core.errors import NotationError, OptionError
from gonfalon.core.state import SPECTATOR, Action, Event, Seat, State, Step

GAP: Final = 4096
"""So many numbers in a row without a notation, and no action follows."""

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from gonfalon.core.decks import Decks

# `import gonfalon` is kept light (tests/test_imports.py): no dataclasses, which bring `inspect`.


class Option(NamedTuple):
    """One option of a game. `choices` of (value, label); none means free text or a number.

    `public` options appear on the web page; others (files, test settings) do not.
    """

    name: str
    default: Any
    label: str
    help: str
    choices: tuple[tuple[Any, str], ...] = ()
    public: bool = True
    file: bool = False
    """The value is the content of a file (a dict), or the Path to read it from."""

    def read(self, value: Any) -> Any:
        """The value in its proper type, from itself or from a text. Raises OptionError."""
        if self.choices:
            for choice, _ in self.choices:
                if value == choice or str(value).strip().lower() == str(choice).lower():
                    return choice
            allowed = ", ".join(str(choice).lower() for choice, _ in self.choices)
            raise OptionError(f"Option {self.name} takes one of {allowed}; {value!r} is none of them.")
        if self.file:
            from pathlib import Path

            # A text is refused: an option out of a record or a web form must not name a file to read.
            if value is None or isinstance(value, (dict, Path)):
                return value
            raise OptionError(f"Option {self.name} takes a file's content or a Path, not {value!r}.")
        if isinstance(self.default, bool):
            if isinstance(value, bool):
                return value
            word = str(value).strip().lower()
            if word in ("true", "yes", "on", "1", "false", "no", "off", "0"):
                return word in ("true", "yes", "on", "1")
            raise OptionError(f"Option {self.name} takes yes or no, not {value!r}.")
        if isinstance(self.default, int):
            try:
                return int(str(value))
            except ValueError:
                raise OptionError(f"Option {self.name} takes a whole number, not {value!r}.") from None
        if isinstance(self.default, tuple):
            if isinstance(value, str):
                return tuple(part.strip() for part in value.split(","))
            if isinstance(value, (list, tuple)):
                return tuple(value)
            raise OptionError(f"Option {self.name} takes a list, not {value!r}.")
        return value


class Zone(NamedTuple):
    """What a zone is called, at whose place it lies (-1: nobody's), and the deck whose cards lie there.

    Seats with a deck each give all of them one name; `owner` is the seat whose deck it is, where that is
    not the seat at whose place the zone lies. Where the order of the cards means something, `order` is
    how many of them an observation tensor tells one by one, from the end of the zone on.
    """

    name: str
    seat: Seat
    deck: str
    owner: Seat | None = None
    order: int = 0

    @property
    def whose(self) -> Seat:
        """The seat whose deck it is; -1: nobody's."""
        return self.seat if self.owner is None else self.owner


class Part(NamedTuple):
    """A named part of an observation tensor: whole numbers from `low` to `high` in a shape. `public` is
    what every seat and the spectator find the same."""

    name: str
    shape: tuple[int, ...]
    meaning: str
    low: int = 0
    high: int = 127
    public: bool = True

    @property
    def size(self) -> int:
        return math.prod(self.shape)


class Game:
    """Rules and options together; makes states and gives them words.

    `version` changes whenever the same decisions could lead to another state. `data_hash` stands for
    the card data. `bound` is a number of decisions that no game exceeds. A game for several numbers of
    seats names them in `seat_counts` and has a public option `seats` that takes each of them.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    tagline: ClassVar[str] = ""
    invented: ClassVar[str] = ""
    """What of its data was not published so, in a sentence for its pages; empty for a game that has no such data."""
    version: ClassVar[str]
    seat_counts: ClassVar[tuple[int, ...]] = (2,)
    options_spec: ClassVar[tuple[Option, ...]] = ()
    hints: ClassVar[bool] = True
    """Whether people may ask for hints at a table unless whoever opens it says otherwise."""
    takes_back: ClassVar[bool] = False
    """Whether people may take small decisions back one by one, as long as nothing was revealed, drawn,
    answered or done that `stays`. Answers to simultaneous decisions can be taken back in every game."""
    folder: ClassVar[Path]
    """The game's own folder: guide.md, table.html, table.css, keys.html and cards.html, as far as there are any."""
    steps: ClassVar[tuple[type[Step[Any]], ...]] = ()
    """The classes of all steps that its rules push: observation tensors count them in this order, and views
    that travel to bots hold no others."""
    flags: ClassVar[tuple[str, ...]] = ()
    """What the flags of a card say, from the lowest on, for observation tensors."""
    step_numbers: ClassVar[tuple[int, int]] = (4, 8)
    """How many of the newest steps an observation tensor tells in numbers, and how many numbers of each
    (`Step.key`)."""

    seats: int
    data_hash: str
    bound: int

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """States know the game that started them, whatever a game writes in `start`."""
        super().__init_subclass__(**kwargs)
        start = cls.__dict__.get("start")
        if start is not None:
            cls.start = known(start)  # type: ignore[method-assign]

    def __init__(self, **options: Any) -> None:
        self.options: dict[str, Any] = self.read_options(options)

    def __repr__(self) -> str:
        """As it is made: the options that are not the usual ones."""
        usual = {option.name: option for option in self.options_spec}
        chosen = {n: v for n, v in self.options.items() if n not in usual or v != usual[n].default}
        given = [f"{n}={'...' if n in usual and usual[n].file else repr(v)}" for n, v in chosen.items()]
        return f"{type(self).__name__}({', '.join(given)})"

    def __reduce__(self) -> tuple[Any, ...]:
        from gonfalon.core.freeze import made_again, options_of

        return made_again, (type(self), options_of(self))

    def __copy__(self) -> Game:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        """A game never changes."""
        return self

    @classmethod
    def read_options(cls, given: dict[str, Any]) -> dict[str, Any]:
        """All options with their defaults filled in. Raises OptionError for an unknown one."""
        spec = {option.name: option for option in cls.options_spec}
        for name in given:
            if name not in spec:
                known = ", ".join(spec) or "none"
                raise OptionError(f"{cls.title} has no option {name!r}; it has: {known}.")
        return {n: o.read(given[n]) if n in given else o.default for n, o in spec.items()}

    def start(self, log: bool = False) -> State:
        """The position before the first decision; with `log`, events are kept."""
        raise NotImplementedError

    def shown_options(self) -> dict[str, Any]:
        """The options as JSON, enough to make this game again (a card file's content included)."""
        return {n: list(v) if isinstance(v, tuple) else v for n, v in self.options.items()}

    def pinned(self) -> dict[str, Any]:
        """The same with all card data: enough to make this very game when others come with the program. A game
        without data of its own needs no more than its options."""
        return self.shown_options()

    def without_secrets(self) -> Game:
        """This game as everybody may know it while it is played: what views, bots and other processes hold. Itself,
        unless an option is a secret of some seat; then one made of other options, which `start`s with blank cards."""
        return self

    def with_secrets_of(self, state: State) -> Game:
        """This game as it would have been set up to come to a full state, whose secret options may differ: the game
        of a twin table, for the conformance kit."""
        return self

    # ---- words: all of them are computed from a view -----------------------------------------------

    def notation(self, action: Action) -> str:
        """An action's one-line text, no mere number (people type those to choose from a list); `parse` reads it
        back."""
        raise NotImplementedError

    def parse(self, text: str) -> Action:
        """The action of a text. Raises NotationError."""
        raise NotImplementedError

    def words(self, event: Event, view: State, names: list[str]) -> str:
        """A sentence for an event of a view's log. `names` are the seats' names as the viewer reads
        them; the viewer's own is "You". Empty for an event that has no sentence."""
        raise NotImplementedError

    def prompt(self, view: State, names: list[str]) -> str:
        """What is asked now, and of whom, as a sentence for the viewer."""
        asked = view.asked()
        if not asked:
            return "The game is over."
        if view.viewer in asked:
            return "Your choice: what do you do?"
        return f"Waiting for {' and '.join(names[seat] for seat in asked if seat >= 0) or 'chance'}."

    def ending(self, view: State, names: list[str]) -> str:
        """How the game ended, as a sentence for the viewer, the seats by their names (the viewer's own is "You");
        empty while it goes on."""
        outcome = view.outcome()
        return "" if outcome is None else f"{verdict(outcome.winners, names)} ({outcome.how})."

    def describe(self, view: State, action: Action) -> str:
        """An action of the viewer's decision as a sentence in the imperative."""
        return f"Choose {self.notation(action)}."

    def board(self, view: State) -> dict[str, Any]:
        """What lies on the table, as JSON, for pages, terminals and programs. By default the view's bare data."""
        return {"viewer": view.viewer, "data": view.data()}

    def text(self, view: State, names: list[str]) -> str:
        """The table in words, for a plain terminal of 80 columns, and for the page of a game that brings no other.
        By default the board, word for word."""
        import textwrap

        lines = (f"{key}: {value}" for key, value in self.board(view).items())
        return "\n".join(textwrap.fill(line, 80, subsequent_indent="  ") for line in lines)

    def card(self, text: str) -> dict[str, Any] | None:
        """What is printed on a card, found by name or slug, with rulings and provenance."""
        return None

    def all_cards(self) -> list[dict[str, Any]]:
        """Every card that may come into this game, once, in the form of `card`: a page holds these texts
        beside its board. They are the same in every state and for everybody."""
        return []

    def catalogue(self) -> list[dict[str, Any]]:
        """Every card of the game's data, once, in the form of `card`: for whoever looks one up, whatever is
        played with at a table."""
        return self.all_cards()

    def controls(self, view: State) -> dict[str, Any]:
        """How a page asks the viewer's decision (see the game's table.html). By default a button for each action."""
        actions = view.legal(view.viewer) if view.viewer >= 0 else []
        choices = [{"id": self.notation(action), "text": self.describe(view, action)} for action in actions]
        return {"mode": "choice" if choices else None, "choices": choices}

    def stays(self, event: Event) -> bool:
        """In a game that takes decisions back: whether what happened stays, even if nobody learned anything by
        it. Not so for the small things, such as a move or a payment."""
        return True

    def window(self, view: State) -> str | None:
        """The name of the answer window that is open ("Counter"), None outside of windows.

        A window is a decision of one seat that follows on what another seat has done: it may answer, or
        `pass` (the notation of an action that is legal in every window). The rules open it whether or
        not the seat holds an answer, so it must follow from what everybody knows; the name is the same
        for every viewer. Tables pace all answers to a window alike, and let people give standing ones.
        """
        return None

    def turn(self, view: State) -> int:
        """A number known to everybody that changes with every turn: "never this turn" lasts as long as
        it stays. Of use to games with windows only."""
        return 0

    def seat_names(self) -> list[str]:
        """What the seats are called before people sit down."""
        return [f"Seat {seat + 1}" for seat in range(self.seats)]

    def decks(self) -> Decks | None:
        """What there is to know about decks, for a game whose players bring their own; else None."""
        return None

    @classmethod
    def has_decks(cls) -> bool:
        """Whether players bring decks of their own."""
        return cls.decks is not Game.decks

    # ---- for tools -----------------------------------------------------------------------------------

    @classmethod
    def tiny(cls) -> list[Game]:
        """Configurations with exact chance, so small that the whole tree can be enumerated."""
        return []

    @classmethod
    def samples(cls) -> list[Game]:
        """Configurations that together use every card and option: what the conformance kit plays."""
        return [cls()]

    @classmethod
    def samples_with(cls, options: dict[str, Any]) -> list[Game]:
        """What the kit plays when it is asked for these options: the samples that agree with them, or else the
        game with just these. Raises OptionError."""
        wanted = cls(**options)
        agree = [one for one in cls.samples() if all(one.options[key] == wanted.options[key] for key in options)]
        return agree or [wanted]

    def heuristic(self) -> Any:
        """The game's own rule-of-thumb player, `choose(view, rng) -> (action, why)`, or None."""
        return None

    def players(self) -> dict[str, Any] | None:
        """The game's own bots: for each numbered level that it supplies (`gentle`, `casual`, `club`,
        `strong`, `expert`) what makes one, called with the level's name and this game; see
        `gonfalon.bots.bot`. A level left out is not offered for this game. By default None: the search
        that plays any game supplies some of them (`gonfalon.bots.searcher`)."""
        return None

    def sense(self) -> Any:
        """What a network sees of this game (`gonfalon.bots.sense.Sense`); None for a game that is not to
        be learnt."""
        return None

    def invariants(self, state: State) -> list[str]:
        """Sentences on what is wrong in a full state by this game's own rules, sums recomputed from
        its log for instance; none when all is well. The conformance kit asks at every position."""
        return []

    def reference(self, state: State, seat: int) -> list[Action] | None:
        """The legal actions of a seat, worked out a second time in the plainest way, for the
        conformance kit to compare; None where the game offers no second opinion."""
        return None

    def judge(self, before: State, seat: int, action: Action, after: State) -> list[str]:
        """Sentences on what is wrong in a full state that one decision led to, by the rules told a second
        time in the plainest way, apart from the code that plays; none when all is well. Both states keep
        their logs, so what happened in between can be read. The conformance kit asks at every decision,
        chance's included."""
        return []

    def possible_lists(self, view: State) -> list[tuple[float, list[list[int]]]] | None:
        """Every set of deck lists (in the order of `State.pools`) that a view allows, with how likely it is, worked
        out a second time in the plainest way for the conformance kit to compare `State.beliefs` with; None where
        there are too many."""
        return None

    def public(self, state: State, seat: int, action: Action, viewer: int) -> Action:
        """What a viewer sees of another seat's action: the action itself, or one of `all_actions` that
        stands for all that look alike."""
        return action

    # ---- numbers, for programs that learn -------------------------------------------------------------

    def all_actions(self) -> list[Action]:
        """Every action that a seat may ever be asked to choose from, ascending. It may hold some that
        never come up. By default all numbers from 0 that have a notation, up to a gap of `GAP`."""
        found: list[Action] = []
        action = 0
        while action - (found[-1] if found else 0) <= GAP:
            try:
                self.notation(action)
            except NotationError:
                pass
            else:
                found.append(action)
            action += 1
        return found

    def all_chances(self) -> list[Action]:
        """The same for chance, with exact shuffles; a shuffle's seeds are not among them."""
        return self.all_actions()

    def zones(self) -> list[Zone]:
        """The names of `State.zones()`. By default they have none, and order is told in all that are ordered."""
        return []

    def joining(self, deck: str) -> list[int]:
        """The kinds that may come to lie in a deck's zones and lie elsewhere at the start."""
        return []

    def parts(self) -> list[Part]:
        """What observation tensors tell of this game beside the zones, steps and answers that the core
        knows: scores, rounds and the like."""
        return []

    def measure(self, view: State, me: Seat) -> list[int]:
        """The numbers of `parts`, one after the other, from a view; seats are counted from `me` on. What
        is public must not depend on the viewer."""
        return []


def known(start: Callable[..., State]) -> Callable[..., State]:
    """`Game.start`, with the game written into the state."""

    @wraps(start)
    def started(self: Game, log: bool = False) -> State:
        state = start(self, log)
        state.rules = self.without_secrets()
        return state

    return started


def names_for(game: Game, viewer: int, names: list[str] | None = None) -> list[str]:
    """The seats' names as one viewer reads them: his own seat is "You"."""
    names = list(names or game.seat_names())
    if viewer >= 0:
        names[viewer] = YOU
    return names


__all__ = ["SPECTATOR", "Game", "Option", "Part", "Zone", "names_for"]
