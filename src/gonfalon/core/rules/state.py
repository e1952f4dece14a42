"""A position, and what is still to be done.

A state holds flat data and a stack of steps. The top step either asks (a seat, or chance) or runs
by itself; `apply` lets it act and runs on until somebody has to choose. No random generator lives
here: whatever is random is a decision of the seat CHANCE.
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
"""(code, audience, seat, card, a, b): `audience` is a bitmask of seats, -1 for all."""

CHANCE: Final = -1
NOBODY: Final = -2
TOGETHER: Final = -3
"""The seat of a step that several seats answer at once."""

SPECTATOR: Final = -2
"""The viewer who knows only what all seats know."""
OPEN: Final = -3
"""The viewer who knows everything: tools, and people after the end."""

SEED: Final = -1
"""Among chance's options: any negative int, -1 - seed."""
NO_ACTIONS: Final[list[int]] = []
NO_ANSWERS: Final[list[list[list[int]]]] = [[NO_ACTIONS] * seats for seats in range(9)]
"""By the number of seats: nobody is asked together with others. All states share these lists."""
EVERYBODY: Final = -1
ROOM: Final = 1 << 16
"""What is left of a random word decides as long as it is no less: of n ways none is n in 2**16 off."""

S = TypeVar("S")


@mypyc_attr(allow_interpreted_subclasses=True)
class Step(Generic[S]):
    """Something still to be done: immutable, public, shared by clones.

    With options it is a decision of `seat`; without, `auto` runs. Nothing secret may be in a step.
    """

    __slots__ = ("seat",)

    prompt: ClassVar[str] = ""
    """The name of the question, for words and pages."""

    def __init__(self, seat: Seat) -> None:
        self.seat: Seat = seat

    def options(self, s: S) -> list[Action]:
        """The legal actions, ascending; none lets the step run by itself."""
        return NO_ACTIONS

    def choose(self, s: S, action: Action) -> None:
        """Carry out the action that was chosen."""
        raise NotImplementedError

    def auto(self, s: S) -> None:
        """Nothing to choose: happen, or fizzle."""

    def weights(self, s: S) -> list[int]:
        """How likely each option of a chance step is, as ints; none means equally likely."""
        return NO_ACTIONS

    def draw(self, s: S, actions: list[Action], rng: Rng) -> Action:
        """One of the options of a chance step, by their weights; a seed for SEED."""
        if actions[0] == SEED:
            return -1 - rng.seed()
        weights = self.weights(s)
        if weights:
            return actions[rng.weighted(weights)]
        return actions[int(rng.below(len(actions)))]

    def key(self) -> list[int]:
        """Its numbers, which with the class name make up the step in a dump."""
        return [self.seat]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join([str(number) for number in self.key()])})"


@mypyc_attr(allow_interpreted_subclasses=True)
class Owned(Step[S]):
    """A step of one seat, the `owner`, in which it is asked nothing."""

    __slots__ = ("owner",)

    def __init__(self, owner: Seat) -> None:
        super().__init__(NOBODY)
        self.owner: Seat = owner

    def key(self) -> list[int]:
        return [self.owner]


@mypyc_attr(allow_interpreted_subclasses=True)
class Evident(Step[S]):
    """A decision whose answers everybody can see: a single one is taken unasked."""

    __slots__ = ()

    def answers(self, s: S) -> list[Action]:
        """The possible answers, ascending."""
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
        """There is nothing to choose."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Together(Step[S]):
    """A decision asked of several seats at once; they are given ascending.

    Each seat's actions gather in `state.answers[seat]`, which nobody else sees; when the last seat
    is done, `finish` runs.
    """

    __slots__ = ("seats",)

    def __init__(self, seats: list[Seat]) -> None:
        super().__init__(TOGETHER)
        self.seats: list[Seat] = seats

    def options_of(self, s: S, seat: Seat) -> list[Action]:
        """The legal actions of one seat; none when it has answered."""
        raise NotImplementedError

    def options_after(self, s: S, seat: Seat, action: Action) -> list[Action]:
        """`options_of` once a seat that was asked before all others has added this action to its answers;
        `s.actions` still are those it chose from. For games in which what is left follows from them
        faster than anew."""
        return self.options_of(s, seat)

    def finish(self, s: S) -> None:
        """All have answered: reveal and carry out."""
        raise NotImplementedError

    def key(self) -> list[int]:
        return self.seats


AnyStep: TypeAlias = "Step[Any]"
"""A step of whatever game."""
AnyTogether: TypeAlias = "Together[Any]"


@mypyc_attr(allow_interpreted_subclasses=True)
class State:
    """One position of one game. Subclasses add the piles and write `clone` by hand."""

    __slots__ = ("stack", "turn", "actions", "answers", "log", "viewer", "seats", "rules", "moments", "moment")

    def __init__(self, seats: int, stack: list[AnyStep]) -> None:
        self.seats: int = seats
        """How many seats there are."""
        self.stack: list[AnyStep] = stack
        """What is still to be done; the last step comes first. Empty when the game is over."""
        self.turn: Seat = NOBODY
        self.actions: list[Action] = NO_ACTIONS
        self.answers: list[list[Action]] = NO_ANSWERS[seats]  # inner lists are replaced, never changed
        """What each seat has answered to the `Together` step that is asked."""
        self.log: list[Event] | None = None
        """What has happened; None where nobody asked for a log."""
        self.viewer: int = OPEN
        """Who looks: a seat, a spectator, or somebody who sees everything."""
        self.rules: object = None  # the Game that started it, without its secrets, if one did
        self.moments: list[State] | None = None
        """For whoever wants to see what lies between two decisions: given a list, a state adds a copy of itself to it
        at each moment that its rules let everybody look at (`note_moment`). Clones start without one. Mask a moment as
        any other state; when one comes follows from what everybody knows."""
        self.moment: str = ""  # the name of the moment that this is a copy of

    # ---- what a game writes ---------------------------------------------------------------------

    def clone(self) -> State:
        """A copy that shares nothing changeable. Write it by hand and end with `copy_flow`."""
        raise NotImplementedError

    def own(self) -> None:
        """Let no clone share a zone that holds a card which somebody has not seen: such cards are going
        to be blanked or dealt. Only for a game whose clones share zones (`unshare`); its rules replace
        such a zone and never change it."""

    def ordered_zones(self) -> list[list[Card]]:
        """Zones in which the order of the cards is public or means something."""
        raise NotImplementedError

    def unordered_zones(self) -> list[list[Card]]:
        """Zones that are sets (hands): a view sorts them, so their order tells nothing."""
        raise NotImplementedError

    def zones(self) -> list[list[Card]]:
        """All zones, in an order that is the same in every position of a game: override it where a zone
        may change from one kind to the other."""
        return self.ordered_zones() + self.unordered_zones()

    def is_loose(self, zone: int) -> bool:
        """Whether views show this one of `zones` as a set for now, though it is an ordered one: see `hide`."""
        return False

    def pools(self) -> list[tuple[list[int], list[list[Card]]]]:
        """For each deck its complete list of kinds, and all zones over which it is spread: lists of `zones`. In a
        view the list is empty where the viewer does not know it."""
        raise NotImplementedError

    def beliefs(self) -> Beliefs | None:
        """What the viewer thinks of the deck lists that they do not know; None where they know them all."""
        return None

    def assume(self, lists: list[list[int]]) -> None:
        """Become a position of a game with these lists, one for each of `pools`: the first thing done to a world of
        a view that does not know them all. The cards that are not seen are dealt next."""
        raise NotImplementedError

    def forgotten(self) -> list[list[Card]]:
        """Zones of cards that lay open once and that nobody may look at again: the table does not
        remember them for anybody, but what follows from them (a score) may be told."""
        return []

    def binding(self) -> int:
        """The flags that tell something of a hidden card's kind; a bitmask."""
        return 0

    def constraint(self, card: Card) -> int:
        """The binding flags of a card: 0 when it may be anything."""
        return card & self.binding()

    def admits(self, flags: int, kind: int) -> bool:
        """Whether a hidden card with these of the binding flags may be of a kind."""
        return True

    def data(self) -> list[object]:
        """All that the state holds besides the flow, as nested lists of ints: the body of a dump."""
        raise NotImplementedError

    def fields(self) -> list[object]:
        """The same for reading at once: its lists may be the state's own, and tuples."""
        return self.data()

    def hide(self, viewer: int) -> None:
        """Blank what is secret and is not a card (the core blanks cards, answers and the log)."""

    def outcome(self) -> Outcome | None:
        """How it ended; None while the game goes on."""
        raise NotImplementedError

    def decisions(self) -> list[Decision]:
        """What the rules ask now, a decision a seat (several when seats choose at once); chance
        included in a full state, in a view only the viewer's own."""
        if not self.stack:
            return []
        step = self.stack[-1]
        if step.seat != TOGETHER:
            return [Decision(self, self.turn, step.prompt)] if self.actions else []
        return [Decision(self, seat, step.prompt) for seat in self.asked() if self.legal(seat)]

    def returns(self) -> list[float]:
        """What each seat got: 1 a win, -1 a loss, in between a shared one; zeros while it goes on."""
        raise NotImplementedError

    # ---- the flow -------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        """Whether nothing is left to be done."""
        return not self.stack

    def apply(self, seat: Seat, action: Action) -> None:
        """Carry out a legal action. Trusts the caller: `play` is the twin that checks."""
        stack: Unread = self.stack
        step: AnyStep = stack[-1]
        if step.seat == TOGETHER:
            together: AnyTogether = stack[-1]
            answers = self.answers
            answers[seat] = answers[seat] + [action]  # compiled, [*a, b] grows piece by piece
            if seat == self.turn:
                # The seats before this one have answered: nobody needs to ask them again.
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
            stack.pop()
            step.choose(self, action)
        self.settle()

    def asks(self, step: AnyTogether, after: Seat) -> bool:
        """Ask the first seat that has not answered, of those after this one (of all, after NOBODY); whether
        there is one."""
        for seat in step.seats:
            if seat > after:
                actions = step.options_of(self, seat)
                if actions:
                    self.actions = actions
                    self.turn = seat
                    return True
        return False

    def play(self, seat: Seat, action: Action) -> None:
        """Carry out an action, or raise Refusal with the reason and change nothing."""
        if not self.is_legal(seat, action):
            raise Refusal(self.why_not(seat, action) or "This is not legal now.")
        self.apply(seat, action)

    def settle(self) -> None:
        """Let things happen until somebody has to choose."""
        stack: Unread = self.stack
        while stack:
            step: AnyStep = stack[-1]
            seat = step.seat
            if seat >= CHANCE:
                actions = step.options(self)
                if actions:
                    self.actions = actions
                    self.turn = seat
                    return
            elif seat == TOGETHER:
                together: AnyTogether = stack[-1]
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
        """For rules to call where something is to be seen that passes before anybody is asked again: keep a copy, if
        anybody wants to look."""
        if self.moments is None:
            return
        moment = self.clone()
        moment.moment = name
        moment.turn = NOBODY
        moment.actions = NO_ACTIONS
        moment.answers = NO_ANSWERS[self.seats]
        self.moments.append(moment)

    def legal(self, seat: Seat) -> list[Action]:
        """The legal actions of a seat, ascending; none when it is not asked (or the viewer may not
        know). A shuffle's [SEED] stands for every negative int."""
        if seat == self.turn:
            return self.actions
        if not self.stack:
            return NO_ACTIONS
        step = self.stack[-1]
        if step.seat != TOGETHER or (self.viewer != OPEN and self.viewer != seat):
            return NO_ACTIONS
        assert isinstance(step, Together)
        if seat not in step.seats:
            return NO_ACTIONS
        return step.options_of(self, seat)

    def is_legal(self, seat: Seat, action: Action) -> bool:
        actions = self.legal(seat)
        if action in actions:
            return action != SEED or seat == CHANCE
        return action < 0 and seat == CHANCE and actions == [SEED]

    def asked(self) -> list[Seat]:
        """The seats whom the rules ask now, CHANCE included. A simultaneous step names all its seats
        until the last has answered."""
        if not self.stack:
            return []
        step = self.stack[-1]
        if step.seat == TOGETHER:
            assert isinstance(step, Together)
            return step.seats[:]
        return [step.seat]

    def weights(self) -> list[int]:
        """The weights of chance's options; all 1 where the step says nothing."""
        if self.turn != CHANCE:
            return NO_ACTIONS
        weights = self.stack[-1].weights(self)
        return weights if weights else [1] * len(self.actions)

    def chance(self, rng: Rng) -> Action:
        """An outcome of the chance decision that is due."""
        return self.stack[-1].draw(self, self.actions, rng)

    def sample(self, rng: Rng) -> Action:
        """A random legal action of the seat `turn`, chance by its weights."""
        if self.turn == CHANCE:
            return self.chance(rng)
        return self.actions[int(rng.below(len(self.actions)))]

    def play_out(self, rng: Rng) -> int:
        """Play to the end at random, in place; the number of decisions that players made.

        A random word decides several times: a draw for each took a tenth of the time of plain Python. A game that
        overrides this must make the same decisions.
        """
        made = 0
        word: i64 = 0
        while True:
            seat = self.turn
            if seat >= 0:
                actions = self.actions
                count: i64 = len(actions)
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
        """Why an action is not legal now, with the rule; None when it is legal."""
        if self.is_legal(seat, action):
            return None
        if not self.stack:
            return "The game is over."
        if seat not in self.asked():
            return "It is not your decision now."
        if self.stack[-1].seat == TOGETHER and not self.legal(seat):
            return "You have answered; the others have not yet."
        return self.reason(seat, action)

    def reason(self, seat: Seat, action: Action) -> str:
        """The rule that forbids an action to a seat that is asked: by default what its game says (`Words.refusal`)."""
        game: Any = self.rules
        return "This is not among the legal actions now." if game is None else str(game.refusal(self, seat, action))

    def tell(self, code: int, seat: Seat, card: Card, a: int = 0, b: int = 0) -> None:
        """Write an event for everybody; the card shows only to those who have seen it."""
        if self.log is not None:
            self.log.append((code, EVERYBODY, seat, card, a, b))

    def tell_only(self, audience: int, code: int, seat: Seat, card: Card, a: int = 0) -> None:
        """Write an event that only the seats of the bitmask `audience` hear of."""
        if self.log is not None:
            self.log.append((code, audience, seat, card, a, 0))

    def copy_flow(self, twin: State) -> State:
        """The last line of every `clone`: steps, pending answers, log."""
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
        """The seen bits a card must bear for the viewer to know it."""
        if viewer >= 0:
            return SEEN[viewer]
        return 0 if viewer == OPEN else seen_by_all(self.seats)

    def mask(self, viewer: int) -> State:
        """What a viewer (a seat, SPECTATOR, OPEN) may know: a state of the same shape in which all
        else is blank. Everything that leaves the core is computed from this."""
        view = self.blanked(viewer)
        if viewer != OPEN and not view.moment:
            view.ask_viewer()
        return view

    def blanked(self, viewer: int) -> State:
        """The same, but who is asked and what is legal has not been worked out anew: for those who compare what
        lies on the table."""
        view = self.clone()
        view.viewer = viewer
        if viewer == OPEN:
            return view
        view.own()
        need = self.need(viewer)
        for zone in view.ordered_zones():
            blank(zone, need)
        for zone in view.unordered_zones():
            blank(zone, need)
            zone.sort()
        if view.answers is not NO_ANSWERS[self.seats]:
            for seat in range(self.seats):
                if seat != viewer:
                    view.answers[seat] = NO_ACTIONS
        view.hide(viewer)
        if view.log is not None:
            view.log = masked_log(view.log, viewer, need)
        return view

    def ask_viewer(self) -> None:
        """Work out anew, from the blanked data alone, what the viewer is asked."""
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
        elif step.seat == self.viewer and step.seat >= 0:
            self.turn = step.seat
            self.actions = step.options(self)

    def dump(self) -> list[object]:
        """Everything as nested lists of ints and strings: equal dumps are equal positions."""
        steps = [[type(step).__name__, *step.key()] for step in self.stack]
        log = None if self.log is None else [list(event) for event in self.log]
        return [self.data(), steps, self.turn, self.actions[:], [a[:] for a in self.answers], log, self.viewer]

    def __repr__(self) -> str:
        viewer = self.viewer
        who = "" if viewer == OPEN else ", spectator's view" if viewer == SPECTATOR else f", view of seat {viewer}"
        due = repr(self.stack[-1]) if self.stack else "over"
        return f"<{type(self).__name__}{who}: {due}>"

    def __reduce__(self) -> tuple[object, ...]:
        from gonfalon.core.files.state_codec import state_from_text, state_to_text

        return state_from_text, state_to_text(self)

    def __copy__(self) -> State:
        return self.clone()

    def __deepcopy__(self, memo: dict[int, object]) -> State:
        return self.clone()

    def _repr_svg_(self) -> str | None:
        """What a notebook shows: the table as the viewer of this state may see it."""
        from gonfalon.core.rules.picture import of_state

        picture = of_state(self)
        return picture.svg() if picture is not None else None


def as_lists(items: Any) -> list[Any]:
    """Nested lists and tuples as lists made anew."""
    return [as_lists(item) if isinstance(item, (list, tuple)) else item for item in items]


def masked_log(log: list[Event], viewer: int, need: int) -> list[Event]:
    """The events that a viewer may hear of, cards blanked where they have not seen them."""
    view: list[tuple[int, ...]] = []
    for event in cast("list[tuple[int, ...]]", log):  # of any length: compiled, six numbers would be made anew
        audience = event[1]
        if audience != EVERYBODY and (viewer < 0 or not audience >> viewer & 1):
            continue
        card = event[3]
        if card & need != need:
            view.append((event[0], audience, event[2], card | HIDDEN, event[4], event[5]))
        else:
            view.append(event)
    return cast("list[Event]", view)


class Decision:
    """What the rules ask one seat: a prompt and its legal actions."""

    __slots__ = ("state", "seat", "prompt", "actions")

    def __init__(self, state: State, seat: Seat, prompt: str) -> None:
        self.state: State = state
        self.seat: Seat = seat
        self.prompt: str = prompt
        self.actions: list[Action] = state.legal(seat)

    def sample(self, rng: Rng) -> Action:
        """A random legal action; chance by its weights."""
        if self.seat == CHANCE:
            return self.state.chance(rng)
        return self.actions[int(rng.below(len(self.actions)))]

    def __reduce__(self) -> tuple[object, ...]:
        return Decision, (self.state, self.seat, self.prompt)

    def __repr__(self) -> str:
        return f"Decision(seat={self.seat}, prompt={self.prompt!r}, {len(self.actions)} actions)"
