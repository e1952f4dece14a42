"""What the rules of a game say to everybody: what it is called, its options, its actions, how it starts."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self, TypeVar, cast

from gonfalon.core.basics.errors import NotationError, OptionError
from gonfalon.core.rules.state import Action, AnyStep, Event, State

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from gonfalon.core.basics.options import Option, Options

RULES: Final = "rules_version"
"""Among the options of a game that goes on by older rules: their version."""
BEGUN: Final = "begun"
"""The option of a game that begins at a position of another (`core/files/start_position.py`)."""
GAP: Final = 4096
"""So many numbers in a row without a notation, and no action follows."""


class Rules:
    """Rules and options together; makes states.

    `version` changes whenever the same decisions could lead to another state. `data_hash` stands for
    the card data. `bound` is a number of decisions that no game exceeds. A game for several numbers of
    seats names them in `seat_counts` and has a public option `seats` that takes each of them.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    version: ClassVar[str]
    earlier: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """Older versions whose games are still played to their end as they were begun, each with its `habits`."""
    seat_counts: ClassVar[tuple[int, ...]] = (2,)
    options_spec: ClassVar[tuple[Option, ...]] = ()
    origins: ClassVar[Mapping[str, str]] = {}
    """Where numbers come from whose entries in the data do not say it, by the name of their table or list, or by that
    and their own (`box`, `faction.initiative`): rulebook, inferred, reconstructed (what is not named) or ours."""
    minutes: ClassVar[int] = 15
    """How long each usually thinks in a whole game: from this follow the clocks that the lobby offers."""
    folder: ClassVar[Path]
    """The game's own folder: guide.md, and below face/ table.html, table.css, keys.html and cards.html, as far as
    there are any."""
    steps: ClassVar[tuple[type[AnyStep], ...]] = ()
    """The classes of all steps that its rules push: observation tensors count them in this order, and views
    that travel to bots hold no others."""

    seats: int
    data_hash: str
    bound: int

    def __init__(self, **options: object) -> None:
        self.options: Options = self.read_options(options)
        self.rules_version: str = str(self.options.get(RULES, self.version))
        """The version of the rules by which this game is played."""
        self.habits: frozenset[str] = frozenset(self.earlier.get(self.rules_version, ()))
        """What it does otherwise than the rules of now. Rules that have changed ask for it by name, as
        `"asks twice" in state.rules.habits`."""

    def __repr__(self) -> str:
        """As it is made: the options that are not the usual ones."""
        usual = {option.name: option for option in self.options_spec}
        chosen = {n: v for n, v in self.options.items() if n not in usual or v != usual[n].default}
        long = {n for n in chosen if n == BEGUN or (n in usual and usual[n].file)}
        given = [f"{n}={'...' if n in long else repr(v)}" for n, v in chosen.items()]
        return f"{type(self).__name__}({', '.join(given)})"

    def __reduce__(self) -> tuple[Callable[..., Rules], tuple[object, ...]]:
        from gonfalon.core.files.state_codec import make_game, options_to_text

        return make_game, (type(self), options_to_text(self))

    @classmethod
    def read_options(cls, given: Options) -> Options:
        """All options with their defaults filled in, and the version of older rules. Raises OptionError for an unknown
        one."""
        spec = {option.name: option for option in cls.options_spec}
        older = given.get(RULES, cls.version)
        if older != cls.version and older not in cls.earlier:
            raise OptionError(f"{cls.title} is played by version {cls.version} of its rules here, not by {older}.")
        for name in given.keys() - {RULES, BEGUN}:
            if name not in spec:
                known = ", ".join(spec) or "none"
                raise OptionError(f"{cls.title} has no option {name!r}; it has: {known}.")
        found = {n: o.read(given[n]) if n in given else o.default for n, o in spec.items()}
        more = {} if older == cls.version else {RULES: older}
        return found | more | ({BEGUN: given[BEGUN]} if given.get(BEGUN) is not None else {})

    def start(self, log: bool = False) -> State:
        """Return the position before the first decision, with a log if asked for. Games decorate it: `starts_game`."""
        raise NotImplementedError

    def shown_options(self) -> Options:
        """The options as JSON, enough to make this game again (a card file's content included). Options that were
        `added` later are left out while they have their defaults."""
        usual = {option.name: option.default for option in self.options_spec if option.added}
        chosen = {n: v for n, v in self.options.items() if n not in usual or v != usual[n]}
        return {n: list(v) if isinstance(v, tuple) else v for n, v in chosen.items()}

    @property
    def learnt_hash(self) -> str:
        """Stands for the part of the card data that a network learns: all of it, unless a game says otherwise."""
        return self.data_hash

    def pinned(self) -> Options:
        """The same with all card data: enough to make this very game when others come with the program. A game
        without data of its own needs no more than its options."""
        return self.shown_options()

    def without_secrets(self) -> Self:
        """This game as everybody may know it while it is played: what views, bots and other processes hold. Itself,
        unless an option is a secret of some seat; then one made of other options, which `start`s with blank cards."""
        return self.afresh()

    def afresh(self) -> Self:
        """This game from its own beginning: itself, unless it begins at a position of another."""
        if BEGUN not in self.options:
            return self
        kept: Self | None = vars(self).get("_afresh")
        if kept is None:
            kept = type(self)(**{name: value for name, value in self.options.items() if name != BEGUN})
            vars(self)["_afresh"] = kept
        return kept

    def with_secrets_of(self, state: State) -> Self:
        """This game as it would have been set up to come to a full state, whose secret options may differ: the game
        of a twin table, for the conformance kit."""
        return self

    def notation(self, action: Action) -> str:
        """An action's one-line text, no mere number (people type those to choose from a list); `parse` reads it
        back."""
        raise NotImplementedError

    def parse(self, text: str) -> Action:
        """The action of a text. Raises NotationError."""
        raise NotImplementedError

    def public(self, state: State, seat: int, action: Action, viewer: int) -> Action:
        """What a viewer sees of another seat's action: the action itself, or one of `all_actions` that
        stands for all that look alike."""
        return action

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

    def window(self, view: State) -> str | None:
        """The name of the answer window that is open ("Counter"), None outside of windows.

        A window is a decision of one seat that follows on what another seat has done: it may answer, or
        `pass` (the notation of an action that is legal in every window). The rules open it whether or
        not the seat holds an answer, so it must follow from what everybody knows; the name is the same
        for every viewer. Tables pace all answers to a window alike, and let people give standing ones.
        """
        return None

    def turned_out(self, state: State) -> list[str]:
        """What each seat had in a game that is over, where that was chosen or dealt in the game itself: its type, its
        goal. Nothing where there is no such thing. Studies ask which of them wins."""
        return []

    def given_sides(self) -> tuple[str, list[str]] | None:
        """The option that gives each seat what it would choose in the game itself, and all that there is to choose,
        by the words of `turned_out`; None where there is no such option. Studies of fairness set it: else a share
        would tell of who chooses."""
        return None

    def plain_card(self, card: Mapping[str, object], side: str) -> dict[str, object] | None:
        """What may stand in a side's deck in place of one of its cards, in the plain form of the data: an ordinary card
        of that kind without an ability worth the name. None where it may not be replaced, or where no side has a deck
        of its own. Studies measure against it what a card is worth."""
        return None

    def turn(self, view: State) -> int:
        """A number known to everybody that changes with every turn: "never this turn" lasts as long as
        it stays. Of use to games with windows only."""
        return 0

    def stays(self, event: Event) -> bool:
        """Return whether an event makes its decision final, even if it revealed nothing hidden. A player can undo
        decisions without such an event: small ones, such as a move or a payment."""
        return True


G = TypeVar("G", bound=Rules)
S = TypeVar("S", bound=State)


def as_begun(find: Callable[..., G], name: str, options: Options, version: object) -> G:
    """The game of these options by this version of its rules if it is still played, else by the rules of now. Raises
    OptionError, also where it begins at a position that cannot be read, and whatever `find` raises."""
    game = find(name, **options)
    if game.rules_version != version and version in game.earlier:
        game = find(name, **options | {RULES: version})
    if BEGUN in options:
        game.start()
    return game


def of_now(options: Options) -> Options:
    """The options of a game for another one by the rules of now, from its own beginning."""
    return {name: value for name, value in options.items() if name not in (RULES, BEGUN)}


def starts_game(make_state: Callable[[G, bool], S]) -> Callable[..., S]:
    """Complete the method `start` of a game, which every game decorates with this.

    The state knows its game, without secrets, and a game that begins at a position of another begins there.
    """

    @wraps(make_state)
    def start(self: G, log: bool = False) -> S:
        if BEGUN in self.options:
            from gonfalon.core.files.start_position import position

            return cast(S, position(cast(Any, self), log))
        state = make_state(self, log)
        state.rules = self.without_secrets()
        return state

    return start
