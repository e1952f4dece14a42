"""Rules: name, version, options, actions and the start of a game."""

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
"""The name of the option that holds the version of older rules by which a game is continued."""
BEGUN: Final = "begun"
"""The name of the option of a game that begins at a position of another game (`core/files/start_position.py`)."""
CARD_SET: Final = "card_set"
"""The name of the option that holds the name of a set of own cards (`core/files/card_sets.py`)."""
MAX_GAP: Final = 4096
"""Numbers in a row without a notation after which `Rules.all_actions` stops."""


class Rules:
    """The rules of a game with their options chosen. An object never changes after it is made.

    `gonfalon check` tests each member against the laws of the conformance kit.
    """

    name: ClassVar[str]
    """The name for command lines, records and addresses, such as `feint`: lower-case letters and digits."""
    title: ClassVar[str]
    """The name for people, such as `Feint`."""
    version: ClassVar[str]
    """The version of the rules. Change it when the same decisions could lead to another state."""
    earlier: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """Older versions whose running games are still played to their end, each with its `habits`."""
    seat_counts: ClassVar[tuple[int, ...]] = (2,)
    """The numbers of seats that the game supports. A game with several has a public option `seats` that takes each of
    them."""
    options_spec: ClassVar[tuple[Option, ...]] = ()
    """The options of the game. Records store them; command lines and forms are made from them."""
    origins: ClassVar[Mapping[str, str]] = {}
    """The provenance of numbers whose entries in the card data do not name it. The keys are the names of tables or
    lists of the data, alone (`box`) or with the name of a number (`faction.initiative`). The values are `rulebook`,
    `inferred`, `reconstructed` or `ours`; numbers without an entry are `reconstructed`."""
    minutes: ClassVar[int] = 15
    """The usual thinking time of one player in a whole game, in minutes. The lobby derives its clocks from it."""
    folder: ClassVar[Path]
    """The folder of the game: guide.md and, in its subfolder `face`, table.html, table.css, keys.html, cards.html and
    art.html. All files are optional."""
    card_files: ClassVar[tuple[str, ...]] = ("cards.toml",)
    """The files in the folder with the standard cards. Pages show those that exist as a model for own cards."""
    steps: ClassVar[tuple[type[AnyStep], ...]] = ()
    """The classes of all steps that the rules push. Observation tensors number steps in this order. Views sent to bots
    may hold no other steps."""

    seats: int
    """The number of seats."""
    data_hash: str
    """A hash of the card data, or any constant text for a game without card data."""
    bound: int
    """A number of decisions that no game exceeds, chance included."""

    @classmethod
    def list_missing(cls) -> dict[type, list[str]]:
        """Return the members that a game must define and does not, by class."""
        return {cls: [name for name in ("name", "title", "version") if not hasattr(cls, name)]}

    def __init__(self, **options: object) -> None:
        """Choose the options.

        Args:
            **options: Values by the names in `options_spec`; options that are left out have their defaults.

        Raises:
            OptionError: An option or its value does not exist.
        """
        self.options: Options = self.read_options(options)
        self.rules_version: str = str(self.options.get(RULES, self.version))
        """The version of the rules by which this game is played: `version`, or a key of `earlier`."""
        self.habits: frozenset[str] = frozenset(self.earlier.get(self.rules_version, ()))
        """The ways in which the rules of this version differ from the current ones. Changed rules check for a habit by
        name: `"asks twice" in state.rules.habits`."""

    def __repr__(self) -> str:
        """Return the call that makes this game, without options that have their defaults."""
        usual = {option.name: option for option in self.options_spec}
        chosen = {n: v for n, v in self.options.items() if n not in usual or v != usual[n].default}
        # A position or a card file would fill pages of a traceback, and may hold hidden cards.
        long = {n for n in chosen if n == BEGUN or (n in usual and usual[n].file)}
        given = [f"{n}={'...' if n in long else repr(v)}" for n, v in chosen.items()]
        return f"{type(self).__name__}({', '.join(given)})"

    def __reduce__(self) -> tuple[Callable[..., Rules], tuple[object, ...]]:
        # Imported here: the codec imports this module.
        from gonfalon.core.files.state_codec import make_game, options_to_text

        return make_game, (type(self), options_to_text(self))

    @classmethod
    def read_options(cls, given: Options) -> Options:
        """Return all options with their defaults filled in, and the version of older rules if one is requested.

        Raises:
            OptionError: An option, its value, or the version of the rules does not exist.
        """
        spec = {option.name: option for option in cls.options_spec}
        older = given.get(RULES, cls.version)
        if older != cls.version and older not in cls.earlier:
            raise OptionError(
                f"{cls.title} is played under version {cls.version} of its rules here, not under {older}."
            )
        for name in given.keys() - {RULES, BEGUN, CARD_SET}:
            if name not in spec:
                known = ", ".join(spec) or "none"
                raise OptionError(f"{cls.title} has no option {name!r}; it has: {known}.")
        found = {n: o.read(given[n]) if n in given else o.default for n, o in spec.items()}
        # Only older versions are stored, so the options are equal whether or not the current version was requested.
        more = {} if older == cls.version else {RULES: older}
        found |= more | ({BEGUN: given[BEGUN]} if given.get(BEGUN) is not None else {})
        if any(option.file and found[option.name] is not None for option in cls.options_spec):
            # Imported here: card sets compare games, so their module imports this one.
            from gonfalon.core.files.card_sets import open_card_options

            return open_card_options(cls, found, given.get(CARD_SET))
        return found

    def start(self, log: bool = False) -> State:
        """Return the position before the first decision. A game implements this and decorates it with `starts_game`.

        Args:
            log: Whether the state records events, for people. Searches leave it out, because it costs time.

        Returns:
            A settled state: a seat or chance has options, or the game is over.
        """
        raise NotImplementedError

    def shown_options(self) -> Options:
        """Return the options as JSON, enough to make this game again, including the content of a card file.

        Options that were `added` later are left out while they have their defaults.
        """
        usual = {option.name: option.default for option in self.options_spec if option.added}
        chosen = {n: v for n, v in self.options.items() if n not in usual or v != usual[n]}
        return {n: list(v) if isinstance(v, tuple) else v for n, v in chosen.items()}

    @property
    def learnt_hash(self) -> str:
        """A hash of the part of the card data that a network learns; the whole `data_hash` by default. Networks that
        were trained on another hash are adapted or refused."""
        return self.data_hash

    def pinned(self) -> Options:
        """Return the options together with all card data, as JSON: enough to make this game again after the program's
        own card data have changed. A game without card data keeps the default."""
        return self.shown_options()

    def without_secrets(self) -> Self:
        """Return this game without secrets of any seat. Views, bots and worker processes hold this object.

        Override this if an option is a secret of a seat, such as a deck list: return a game with other values, whose
        `start` has blank cards.
        """
        return self.afresh()

    def afresh(self) -> Self:
        """Return this game from its own beginning: itself, unless it begins at a position of another game."""
        if BEGUN not in self.options:
            return self
        # Kept with the game: steps compare shared objects by identity, and making a game parses its card data.
        kept: Self | None = vars(self).get("_afresh")
        if kept is None:
            kept = type(self)(**{name: value for name, value in self.options.items() if name != BEGUN})
            vars(self)["_afresh"] = kept
        return kept

    def with_secrets_of(self, state: State) -> Self:
        """Return this game with the secret options of a state, for the conformance kit and for playing on from a dealt
        world.

        Args:
            state: A full state of this game, whose secret options may differ from those of this game.

        Returns:
            The game whose start leads to that state; this object for a game without secret options.
        """
        return self

    def notation(self, action: Action) -> str:
        """Return the one-line text of an action, which `parse` reads back.

        It is stored in records and typed by people, so it must be stable and no mere number (numbers choose from a
        list).

        Raises:
            NotationError: The number is no action of this game.
        """
        raise NotImplementedError

    def parse(self, text: str) -> Action:
        """Return the action of a text.

        Raises:
            NotationError: The text is no action of this game.
        """
        raise NotImplementedError

    def public(self, state: State, seat: int, action: Action, viewer: int) -> Action:
        """Return the part of another seat's action that a viewer sees, from public knowledge alone.

        Args:
            state: The full state before the action.
            seat: The seat that acts, or CHANCE.
            action: A legal action of that seat.
            viewer: The seat that watches, or SPECTATOR.

        Returns:
            The action itself, or the one of `all_actions` that represents all actions that look alike.
        """
        return action

    def all_actions(self) -> list[Action]:
        """Return every action that a seat may ever choose from, ascending. Some of them may never be legal.

        By default these are all numbers from 0 that have a notation, up to a gap of `MAX_GAP`. Override it where this
        list is wrong or slow. The indices into it are the columns of masks and tensors.
        """
        found: list[Action] = []
        action = 0
        while action - (found[-1] if found else 0) <= MAX_GAP:
            try:
                self.notation(action)
            except NotationError:
                pass
            else:
                found.append(action)
            action += 1
        return found

    def all_chances(self) -> list[Action]:
        """Return every action that chance may ever choose from, ascending, with exact shuffles. The seeds of fast
        shuffles are not included."""
        return self.all_actions()

    def window(self, view: State) -> str | None:
        """Return the name of the open answer window, such as "Counter"; None outside of windows.

        A window is a decision in which one seat may answer another seat's action, or pass. `pass` is the notation of an
        action that is legal in every window. The rules open a window whether or not the seat holds an answer, so the
        result must follow from public knowledge and be equal for every viewer. Tables pace all answers to a window
        alike, and accept standing answers.
        """
        return None

    def turned_out(self, state: State) -> list[str]:
        """Return the side that each seat had in a finished game, if it was chosen or dealt within the game, such as a
        type or a goal.

        Studies count wins by these words.

        Args:
            state: A full state of a finished game.

        Returns:
            One word for each seat; empty for a game without such sides.
        """
        return []

    def given_sides(self) -> tuple[str, list[str]] | None:
        """Return the option that fixes the sides of `turned_out`, for studies of fairness.

        Without it a study would measure the players that choose a side, not the side.

        Returns:
            The name of the option and all words that it takes for a seat; None for a game without such an option.
        """
        return None

    def plain_card(self, card: Mapping[str, object], side: str) -> dict[str, object] | None:
        """Return an ordinary card to put in the place of a card, for studies of what a card is worth.

        Args:
            card: An entry of the card data.
            side: The side whose deck has the card.

        Returns:
            A card of the same type without an ability of note, in the form of the card data; None if the card cannot be
            replaced, or if sides have no decks.
        """
        return None

    def turn(self, view: State) -> int:
        """Return a public number that changes with every turn. A standing answer "never this turn" is valid while it
        stays the same. Only games with windows need it."""
        return 0

    def stays(self, event: Event) -> bool:
        """Return whether an event makes its decision final, even if it revealed nothing hidden.

        A player can undo decisions that caused no such event. Return False for the events of small ones, such as a move
        or a payment.
        """
        return True


G = TypeVar("G", bound=Rules)
S = TypeVar("S", bound=State)


def load_version(find: Callable[..., G], name: str, options: Options, version: object) -> G:
    """Return the game of these options by the requested version of its rules if it is still played, else by the current
    rules.

    Args:
        find: The function that makes a game by its name and options.
        name: The name of the game.
        options: The options of a record or a table.
        version: The version of the rules by which it was played.

    Raises:
        OptionError: An option does not exist, or the position at which the game begins cannot be read.
    """
    game = find(name, **options)
    if game.rules_version != version and version in game.earlier:
        game = find(name, **options | {RULES: version})
    # The start position is decoded only by `start`. A damaged one is reported here, before a table depends on it.
    if BEGUN in options:
        game.start()
    return game


def current_options(options: Options) -> Options:
    """Return the options for a new game by the current rules, from its own beginning."""
    return {name: value for name, value in options.items() if name not in (RULES, BEGUN)}


def starts_game(make_state: Callable[[G, bool], S]) -> Callable[..., S]:
    """Complete the method `start` of a game. Every game decorates its `start` with this function.

    The state then holds its game without secrets, and a game that begins at a position of another game begins there.
    """

    @wraps(make_state)
    def start(self: G, log: bool = False) -> S:
        if BEGUN in self.options:
            # Imported here: start positions need the codec, which imports this module.
            from gonfalon.core.files.start_position import decode_position

            return cast(S, decode_position(cast(Any, self), log))
        state = make_state(self, log)
        # Views and worker processes reach the game through this attribute, so it must hold no secret option.
        state.rules = self.without_secrets()
        return state

    return start
