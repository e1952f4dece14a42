"""States and steps: a position of a game and its pending work.

A state holds flat data and a stack of steps. The top step asks a seat or chance, or runs by itself; `apply` carries out
an action and runs steps until a decision is due. States hold no random generator: everything random is a decision of
the seat CHANCE.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final, Generic, TypeAlias, TypeVar, cast

from mypy_extensions import i64, mypyc_attr

from gonfalon.core.basics.beliefs import Beliefs
from gonfalon.core.basics.cards import HIDDEN, SEEN, Unread, blank, seen_by_all
from gonfalon.core.basics.errors import Refusal
from gonfalon.core.basics.outcome import Outcome
from gonfalon.core.basics.rng import Rng

Seat = int
Action = int
Card = int
Event = tuple[int, int, int, int, int, int]
"""An event of the log: (code, audience, seat, card, a, b). `audience` is a bitmask of seats, or EVERYBODY; `a` and `b`
are numbers of the game."""

CHANCE: Final = -1
"""The seat of random decisions."""
NOBODY: Final = -2
"""The seat of a step without a decision, and the `turn` of a state in which no seat is asked."""
TOGETHER: Final = -3
"""The seat of a step that several seats answer at once."""

SPECTATOR: Final = -2
"""The viewer that knows only public information."""
OPEN: Final = -3
"""The viewer that knows everything: tools, and people after the end of a game."""

SEED: Final = -1
"""The option of a fast shuffle. It stands for every negative int: the action of a seed is -1 - seed."""
NO_ACTIONS: Final[list[int]] = []
# Nine entries, for up to eight seats: a card has eight seen bits.
NO_ANSWERS: Final[list[list[list[int]]]] = [[NO_ACTIONS] * seats for seats in range(9)]
"""By the number of seats: the answers while no `Together` step is asked. All states share these lists."""
EVERYBODY: Final = -1
"""The audience of a public event."""
ROOM: Final = 1 << 16
"""The smallest remainder of a random word that decides again. Above it the probabilities of n options differ by less
than n in 2**16."""

S = TypeVar("S")


@mypyc_attr(allow_interpreted_subclasses=True)
class Step(Generic[S]):
    """A piece of pending work of a game: a decision of a seat or of chance, or something that happens by itself.

    A step is immutable, is shared by clones of a state, and is public: the mask does not look into it, so it must hold
    no secret. If `options` returns actions, the step is a decision of `seat`, and `choose` is called with one of them.
    Otherwise `auto` is called. The step has been popped from `State.stack` before either call, which may push further
    steps.

    Args:
        seat: The seat that decides: a seat, CHANCE, or NOBODY for a step that only runs.
    """

    __slots__ = ("seat",)

    prompt: ClassVar[str] = ""
    """The name of the question, for `Words` and `Page`."""

    def __init__(self, seat: Seat) -> None:
        self.seat: Seat = seat

    def options(self, s: S) -> list[Action]:
        """Return the legal actions, ascending; an empty list lets the step run by itself.

        It is called on full states and on views, so it must not read cards that the seat does not know.
        """
        return NO_ACTIONS

    def choose(self, s: S, action: Action) -> None:
        """Carry out a legal action."""
        raise NotImplementedError

    def auto(self, s: S) -> None:
        """Run the step when there is nothing to choose. By default nothing happens."""

    def weights(self, s: S) -> list[int]:
        """Return the relative probability of each option of a chance step, as ints with a sum below 2**31; an empty
        list means equally likely."""
        return NO_ACTIONS

    def draw(self, s: S, actions: list[Action], rng: Rng) -> Action:
        """Return a random option of a chance step, by the weights; for a fast shuffle a seed.

        Args:
            s: The full state.
            actions: The options.
            rng: The source of randomness.
        """
        if actions[0] == SEED:
            return -1 - rng.seed()
        weights = self.weights(s)
        return actions[rng.weighted(weights)] if weights else actions[int(rng.below(len(actions)))]

    def key(self) -> list[int]:
        """Return the numbers that describe the step. With the name of the class they identify it in dumps, fingerprints
        and tensors, so they must distinguish any two different steps of a class."""
        return [self.seat]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join([str(number) for number in self.key()])})"


@mypyc_attr(allow_interpreted_subclasses=True)
class Owned(Step[S]):
    """A step that belongs to a seat, its `owner`, but asks nothing."""

    __slots__ = ("owner",)

    def __init__(self, owner: Seat) -> None:
        super().__init__(NOBODY)
        self.owner: Seat = owner

    def key(self) -> list[int]:
        return [self.owner]


@mypyc_attr(allow_interpreted_subclasses=True)
class Evident(Step[S]):
    """A decision with public options. A single option is taken automatically, because that reveals nothing."""

    __slots__ = ()

    def answers(self, s: S) -> list[Action]:
        """Return the options, ascending."""
        raise NotImplementedError

    def options(self, s: S) -> list[Action]:
        found = self.answers(s)
        return found if len(found) > 1 else NO_ACTIONS

    def auto(self, s: S) -> None:
        found = self.answers(s)
        if found:
            self.choose(s, found[0])
        else:
            self.otherwise(s)

    def otherwise(self, s: S) -> None:
        """Run the step when there is no option. By default nothing happens."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Together(Step[S]):
    """A decision of several seats at once, in secret.

    The actions of each seat are collected in `State.answers[seat]`, which no other viewer sees. When no seat has
    options left, the step is popped and `finish` is called.

    Args:
        seats: The seats that decide, ascending.
    """

    __slots__ = ("seats",)

    def __init__(self, seats: list[Seat]) -> None:
        super().__init__(TOGETHER)
        self.seats: list[Seat] = seats

    def options_of(self, s: S, seat: Seat) -> list[Action]:
        """Return the legal next actions of one seat; an empty list when its answer is complete."""
        raise NotImplementedError

    def options_after(self, s: S, seat: Seat, action: Action) -> list[Action]:
        """Return `options_of` for a seat that has just added an action to its answer.

        Override it where this follows faster from `s.actions`, the options before the action. It is called only for the
        seat `s.turn`.
        """
        return self.options_of(s, seat)

    def finish(self, s: S) -> None:
        """Reveal the answers (`s.answers`) and carry them out."""
        raise NotImplementedError

    def key(self) -> list[int]:
        return self.seats


AnyStep: TypeAlias = "Step[Any]"
"""A step of any game."""
AnyTogether: TypeAlias = "Together[Any]"


@mypyc_attr(allow_interpreted_subclasses=True)
class State:
    """One position of one game, complete or masked.

    Subclasses add cards and numbers, and write `clone` by hand. `gonfalon.core.rules.simple` has a base class that does
    this automatically, at the cost of speed.

    Args:
        seats: The number of seats.
        stack: The pending steps; the last one comes first.
    """

    __slots__ = ("stack", "turn", "actions", "answers", "log", "viewer", "seats", "rules", "moments", "moment")

    def __init__(self, seats: int, stack: list[AnyStep]) -> None:
        self.seats: int = seats
        """The number of seats."""
        self.stack: list[AnyStep] = stack
        """The pending steps; the last one comes first. Empty when the game is over."""
        self.turn: Seat = NOBODY
        """The seat whose options `actions` lists: a seat, CHANCE or NOBODY."""
        self.actions: list[Action] = NO_ACTIONS
        """The legal actions of the seat `turn`, ascending. The list is never changed, only replaced."""
        self.answers: list[list[Action]] = NO_ANSWERS[seats]  # inner lists are replaced, never changed
        """The incomplete answers of each seat to the current `Together` step."""
        self.log: list[Event] | None = None
        """The events so far; None if no log was requested."""
        self.viewer: int = OPEN
        """The viewer of a view: a seat or SPECTATOR; OPEN for a full state."""
        self.rules: object = None  # the Game that started it, without its secrets, if one did
        self.moments: list[State] | None = None
        """A list that collects a copy of the state at each moment that the rules show between two decisions
        (`note_moment`); None if no viewer wants them. Clones start without one. Mask a moment like any state."""
        self.moment: str = ""  # the name of the moment that this is a copy of

    # ---- what a game writes ---------------------------------------------------------------------

    def clone(self) -> State:
        """Return an independent copy: no list that changes may be shared.

        Write it by hand, without loops over names, because searches clone at every step. End with `return
        self.copy_flow(twin)`.
        """
        raise NotImplementedError

    def own(self) -> None:
        """Replace by copies all zones that clones share and that hold a card which some seat has not seen.

        It is called before cards are blanked or dealt. Only games whose clones share zones (`unshare`) override it;
        their rules replace such a zone and never change it.
        """

    def ordered_zones(self) -> list[list[Card]]:
        """Return the zones in which the order of the cards is public or matters, always in the same order."""
        raise NotImplementedError

    def unordered_zones(self) -> list[list[Card]]:
        """Return the zones that are sets, such as hands. A view sorts them, so their order reveals nothing."""
        raise NotImplementedError

    def zones(self) -> list[list[Card]]:
        """Return all zones, in an order that is the same in every position of a game. Override it if a zone may change
        between ordered and unordered."""
        return self.ordered_zones() + self.unordered_zones()

    def is_loose(self, zone: int) -> bool:
        """Return whether views currently show an ordered zone as a set (see `hide`).

        Args:
            zone: An index into `zones`.
        """
        return False

    def pools(self) -> list[tuple[list[int], list[list[Card]]]]:
        """Return the decks of the game.

        Returns:
            For each deck the kinds of all its cards, one entry for each card, and the zones over which they are spread:
            lists of `zones`, by identity. In a view the first list is empty if the viewer does not know the deck.
        """
        raise NotImplementedError

    def beliefs(self) -> Beliefs | None:
        """Return the viewer's distribution over unknown deck lists; None if the viewer knows all lists."""
        return None

    def assume(self, lists: list[list[int]]) -> None:
        """Change a world of a view to have certain deck lists. The unseen cards are dealt afterwards.

        Only games with secret deck lists implement it.

        Args:
            lists: A complete list of kinds for each deck of `pools`.
        """
        raise NotImplementedError

    def forgotten(self) -> list[list[Card]]:
        """Return the zones of cards that were open once and that no player may look at again. Their cards stay unknown
        to every viewer; consequences such as a score may be public."""
        return []

    def binding(self) -> int:
        """Return a bitmask of the flags that reveal something of a hidden card's kind."""
        return 0

    def constraint(self, card: Card) -> int:
        """Return the binding flags of a card; 0 if it may be of any kind."""
        return card & self.binding()

    def admits(self, flags: int, kind: int) -> bool:
        """Return whether a hidden card may be of a kind.

        Args:
            flags: The binding flags of the card.
            kind: The kind.
        """
        return True

    def data(self) -> list[object]:
        """Return everything that the state holds apart from steps, answers and log, as new nested lists of ints. Equal
        positions must give equal data."""
        raise NotImplementedError

    def fields(self) -> list[object]:
        """Return the content of `data` for reading only. It may contain the state's own lists, and tuples, which saves
        copying."""
        return self.data()

    def hide(self, viewer: int) -> None:
        """Blank secrets of a view that are not cards, such as a secret number or the order of a loose zone.

        It is called on the new view, after its cards and answers have been blanked and before its log is masked.

        Args:
            viewer: A seat or SPECTATOR.
        """

    def outcome(self) -> Outcome | None:
        """Return the winners and the kind of victory; None while the game is running."""
        raise NotImplementedError

    def decisions(self) -> list[Decision]:
        """Return the current decisions, one for each seat that has to choose (several for a `Together` step). A full
        state includes chance; a view has only the viewer's own."""
        if not self.stack:
            return []
        step = self.stack[-1]
        if step.seat != TOGETHER:
            return [Decision(self, self.turn, step.prompt)] if self.actions else []
        return [Decision(self, seat, step.prompt) for seat in self.asked() if self.legal(seat)]

    def returns(self) -> list[float]:
        """Return the result of each seat: 1 for a win, -1 for a loss, between them for a shared victory; zeros while
        the game is running."""
        raise NotImplementedError

    # ---- the flow -------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        """Whether no step is pending."""
        return not self.stack

    def apply(self, seat: Seat, action: Action) -> None:
        """Carry out a legal action, and run steps until the next decision.

        It does not check the action, for speed; `play` does.
        """
        stack: Unread = self.stack
        step: AnyStep = stack[-1]
        if step.seat == TOGETHER:
            together: AnyTogether = stack[-1]
            answers = self.answers
            answers[seat] = answers[seat] + [action]  # compiled, [*a, b] grows piece by piece
            if seat == self.turn:
                # Seats are asked in ascending order, so all seats before this one have answered.
                actions = together.options_after(self, seat, action)
                if actions:
                    self.actions = actions
                    return
                if self.asks(together, seat):
                    return
                stack.pop()
                together.finish(self)
                self.answers = NO_ANSWERS[self.seats]
        else:
            # The step is popped first, because `choose` pushes the steps that follow on top.
            stack.pop()
            step.choose(self, action)
        self.settle()

    def asks(self, step: AnyTogether, after: Seat) -> bool:
        """Ask the first seat after `after` that has options, and return whether there is one.

        Args:
            step: The current `Together` step.
            after: A seat; NOBODY to begin with the first one.
        """
        for seat in step.seats:
            if seat > after:
                actions = step.options_of(self, seat)
                if actions:
                    self.actions = actions
                    self.turn = seat
                    return True
        return False

    def play(self, seat: Seat, action: Action) -> None:
        """Carry out an action after checking it.

        Raises:
            Refusal: The action is not legal. The message has the reason, and the state is unchanged.
        """
        if not self.is_legal(seat, action):
            raise Refusal(self.why_not(seat, action) or "This action is not legal now.")
        self.apply(seat, action)

    def settle(self) -> None:
        """Run steps until a seat or chance must decide or the game is over. `start` calls it once."""
        stack: Unread = self.stack
        while stack:
            step: AnyStep = stack[-1]
            seat = step.seat
            # CHANCE is the highest of the special seats: this holds for it and for all players.
            if seat >= CHANCE:
                actions = step.options(self)
                if actions:
                    self.actions = actions
                    self.turn = seat
                    return
            elif seat == TOGETHER:
                together: AnyTogether = stack[-1]
                # The shared lists are compared by identity, so that most clones copy no answers.
                if self.answers is NO_ANSWERS[self.seats]:
                    self.answers = self.answers[:]
                if self.asks(together, NOBODY):
                    return
                stack.pop()
                together.finish(self)
                self.answers = NO_ANSWERS[self.seats]
                continue
            stack.pop()
            step.auto(self)
        self.turn = NOBODY
        self.actions = NO_ACTIONS

    def note_moment(self, name: str) -> None:
        """Record a copy of the state at a visible moment that passes before the next decision, if a viewer collects
        moments.

        The rules call it. The time of the call must follow from public knowledge.

        Args:
            name: The name of the moment, for `Words.moment_words` and `Page.moment_seconds`.
        """
        if self.moments is None:
            return
        moment = self.clone()
        # No seat is asked at a moment, so the options of the interrupted step must not show.
        moment.moment = name
        moment.turn = NOBODY
        moment.actions = NO_ACTIONS
        moment.answers = NO_ANSWERS[self.seats]
        self.moments.append(moment)

    def legal(self, seat: Seat) -> list[Action]:
        """Return the legal actions of a seat, ascending; empty if it is not asked, or if the viewer may not know them.
        The option SEED of a fast shuffle stands for every negative int."""
        if seat == self.turn:
            return self.actions
        if not self.stack:
            return NO_ACTIONS
        step = self.stack[-1]
        if step.seat != TOGETHER or (self.viewer != OPEN and self.viewer != seat):
            return NO_ACTIONS
        assert isinstance(step, Together)
        return NO_ACTIONS if seat not in step.seats else step.options_of(self, seat)

    def is_legal(self, seat: Seat, action: Action) -> bool:
        """Return whether an action of a seat, or of CHANCE, is legal now."""
        actions = self.legal(seat)
        if action in actions:
            # SEED is also the action of seed 0, so it is legal for chance and for no seat.
            return action != SEED or seat == CHANCE
        return action < 0 and seat == CHANCE and actions == [SEED]

    def asked(self) -> list[Seat]:
        """Return the seats that must decide, CHANCE included. A `Together` step returns all its seats until the last
        one has answered, so that it reveals no answer."""
        if not self.stack:
            return []
        step = self.stack[-1]
        if step.seat == TOGETHER:
            assert isinstance(step, Together)
            return step.seats[:]
        return [step.seat]

    def weights(self) -> list[int]:
        """Return the relative probability of each option of chance, as ints; empty if chance does not decide."""
        if self.turn != CHANCE:
            return NO_ACTIONS
        weights = self.stack[-1].weights(self)
        return weights if weights else [1] * len(self.actions)

    def chance(self, rng: Rng) -> Action:
        """Return a random outcome of the current decision of chance."""
        return self.stack[-1].draw(self, self.actions, rng)

    def sample(self, rng: Rng) -> Action:
        """Return a random legal action of the seat `turn`: uniform, or by the weights for chance."""
        return self.chance(rng) if self.turn == CHANCE else self.actions[int(rng.below(len(self.actions)))]

    def play_out(self, rng: Rng) -> int:
        """Play the game to its end at random, in place.

        A random word decides several times, because a word for each decision took a tenth of the time in plain Python.
        A game that overrides this must make the same decisions.

        Returns:
            The number of decisions of players.
        """
        made = 0
        word: i64 = 0
        while True:
            seat = self.turn
            if seat >= 0:
                actions = self.actions
                count: i64 = len(actions)
                # The quotient is as random as the word while it is much larger than the number of options.
                if word < ROOM:
                    word = rng.word()
                rest: i64 = word // count
                self.apply(seat, actions[word - rest * count])
                word = rest
                made += 1
            elif self.stack:
                step: AnyStep = self.stack[-1]
                self.apply(seat, step.draw(self, self.actions, rng))
            else:
                return made

    def why_not(self, seat: Seat, action: Action) -> str | None:
        """Return why an action is illegal now, as a sentence, or a `Reason` with its rule; None if it is legal."""
        if self.is_legal(seat, action):
            return None
        if not self.stack:
            return "The game is over."
        if seat not in self.asked():
            return "It is not your decision now."
        if self.stack[-1].seat == TOGETHER and not self.legal(seat):
            return "You have already answered. Other players are still deciding."
        return self.reason(seat, action)

    def reason(self, seat: Seat, action: Action) -> str:
        """Return why a seat that must decide cannot take an action: by default `Words.refusal` of its game."""
        # Typed as Any: this compiled module must not import the classes of games, which import it.
        game: Any = self.rules
        if game is None:
            return "This action is not legal now."
        reason: str = game.refusal(self, seat, action)
        return reason

    def tell(self, code: int, seat: Seat, card: Card, a: int = 0, b: int = 0) -> None:
        """Log a public event. Viewers that have not seen its card get the event with a blank card.

        Args:
            code: The number of the event.
            seat: The seat that acts, or NOBODY.
            card: The card with its seen bits; HIDDEN without one.
            a: A number of the game.
            b: A number of the game.
        """
        if self.log is not None:
            self.log.append((code, EVERYBODY, seat, card, a, b))

    def tell_only(self, audience: int, code: int, seat: Seat, card: Card, a: int = 0) -> None:
        """Log a private event.

        Args:
            audience: A bitmask of the seats that get the event.
            code: The number of the event.
            seat: The seat that acts, or NOBODY.
            card: The card with its seen bits; HIDDEN without one.
            a: A number of the game.
        """
        if self.log is not None:
            self.log.append((code, audience, seat, card, a, 0))

    def copy_flow(self, twin: State) -> State:
        """Copy turn, actions, answers, log and viewer to a clone, and return it: the last line of every `clone`. The
        caller copies the stack."""
        # `moments` is not copied: a search would otherwise copy the state at every moment of its playouts.
        twin.turn = self.turn
        twin.actions = self.actions
        twin.viewer = self.viewer
        twin.rules = self.rules
        twin.moment = self.moment
        if self.answers is not NO_ANSWERS[self.seats]:
            twin.answers = self.answers[:]
        if self.log is not None:
            twin.log = self.log[:]
        return twin

    # ---- what a viewer may know -----------------------------------------------------------------

    def need(self, viewer: int) -> int:
        """Return the seen bits that a card must have for a viewer to know it."""
        if viewer >= 0:
            return SEEN[viewer]
        # With 0 the test `card & need == need` holds for every card.
        return 0 if viewer == OPEN else seen_by_all(self.seats)

    def mask(self, viewer: int) -> State:
        """Return the view of a viewer: a state of the same shape in which everything else is blank.

        Everything that leaves the core is computed from a view. The viewer's options are computed from the blanked
        data.

        Args:
            viewer: A seat, SPECTATOR, or OPEN for an unchanged copy.
        """
        view = self.blanked(viewer)
        # A moment lies between two decisions: no seat is asked.
        if viewer != OPEN and not view.moment:
            view.ask_viewer()
        return view

    def blanked(self, viewer: int) -> State:
        """Return the view without its current question: `turn` and `actions` are those of the full state. For
        comparisons of data only."""
        view = self.clone()
        view.viewer = viewer
        if viewer == OPEN:
            return view
        view.own()  # before blanking: the zones may be shared with the full state
        need = self.need(viewer)
        for zone in view.ordered_zones():
            blank(zone, need)
        for zone in view.unordered_zones():
            # Sorting comes after blanking: in the other order the place of a blank card would give its kind away.
            blank(zone, need)
            zone.sort()
        # An answer of another seat is secret until the last one; even its existence is.
        if view.answers is not NO_ANSWERS[self.seats]:
            for seat in range(self.seats):
                if seat != viewer:
                    view.answers[seat] = NO_ACTIONS
        view.hide(viewer)
        if view.log is not None:
            view.log = masked_log(view.log, viewer, need)
        return view

    def ask_viewer(self) -> None:
        """Compute the viewer's options from the blanked data alone."""
        self.turn = NOBODY
        self.actions = NO_ACTIONS
        if not self.stack:
            return
        step = self.stack[-1]
        if step.seat == TOGETHER:
            assert isinstance(step, Together)
            if self.viewer in step.seats:
                self.actions = step.options_of(self, self.viewer)
                if self.actions:
                    self.turn = self.viewer
        # SPECTATOR and NOBODY are the same number, so the second test keeps spectators out of steps without a seat.
        elif step.seat == self.viewer and step.seat >= 0:
            self.turn = step.seat
            self.actions = step.options(self)

    def dump(self) -> list[object]:
        """Return everything as nested lists of ints and strings. Equal dumps are equal positions."""
        steps = [[type(step).__name__, *step.key()] for step in self.stack]
        log = None if self.log is None else [list(event) for event in self.log]
        return [self.data(), steps, self.turn, self.actions[:], [a[:] for a in self.answers], log, self.viewer]

    def __repr__(self) -> str:
        viewer = self.viewer
        who = "" if viewer == OPEN else ", spectator's view" if viewer == SPECTATOR else f", view of seat {viewer}"
        due = repr(self.stack[-1]) if self.stack else "over"
        return f"<{type(self).__name__}{who}: {due}>"

    def __reduce__(self) -> tuple[object, ...]:
        # Imported here: the codec imports this module.
        from gonfalon.core.files.state_codec import state_from_text, state_to_text

        return state_from_text, state_to_text(self)

    def __copy__(self) -> State:
        return self.clone()

    def __deepcopy__(self, memo: dict[int, object]) -> State:
        return self.clone()

    def _repr_svg_(self) -> str | None:
        """Return the table as the viewer of this state sees it, for notebooks."""
        from gonfalon.core.rules.picture import draw_state

        picture = draw_state(self)
        return picture.svg() if picture is not None else None


def copy_lists(items: Any) -> list[Any]:
    """Return nested lists and tuples as new nested lists."""
    return [copy_lists(item) if isinstance(item, (list, tuple)) else item for item in items]


def masked_log(log: list[Event], viewer: int, need: int) -> list[Event]:
    """Return the events that a viewer may know, with cards blanked that the viewer has not seen.

    Args:
        log: The events of a full state.
        viewer: A seat or SPECTATOR.
        need: The seen bits of a known card (`State.need`).
    """
    view: list[tuple[int, ...]] = []
    # Typed as tuples of any length: mypyc would unpack tuples of six ints and build new ones.
    for event in cast("list[tuple[int, ...]]", log):
        audience = event[1]
        if audience != EVERYBODY and (viewer < 0 or not audience >> viewer & 1):
            continue
        card = event[3]
        if card & need != need:
            # HIDDEN has all bits of a kind. Seen bits and flags are public and stay.
            view.append((event[0], audience, event[2], card | HIDDEN, event[4], event[5]))
        else:
            view.append(event)
    return cast("list[Event]", view)


class Decision:
    """A decision of one seat: a prompt and the legal actions.

    Args:
        state: The full state or view.
        seat: The seat that decides, or CHANCE.
        prompt: The name of the question (`Step.prompt`).
    """

    __slots__ = ("state", "seat", "prompt", "actions")

    def __init__(self, state: State, seat: Seat, prompt: str) -> None:
        self.state: State = state
        self.seat: Seat = seat
        self.prompt: str = prompt
        self.actions: list[Action] = state.legal(seat)

    def sample(self, rng: Rng) -> Action:
        """Return a random legal action: uniform, or by the weights for chance."""
        return self.state.chance(rng) if self.seat == CHANCE else self.actions[int(rng.below(len(self.actions)))]

    def __reduce__(self) -> tuple[object, ...]:
        return Decision, (self.state, self.seat, self.prompt)

    def __repr__(self) -> str:
        return f"Decision(seat={self.seat}, prompt={self.prompt!r}, {len(self.actions)} actions)"
