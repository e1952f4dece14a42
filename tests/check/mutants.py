"""Seeded faults: each is the game Duel with one plausible mistake.

A mutant patches the classes of the third-party game, or gives the kit a faulty sampler or record.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any
from unittest.mock import patch
from weakref import WeakKeyDictionary

from gonfalon.bots.insight import Insight
from gonfalon.bots.players.heuristic import Heuristic
from gonfalon.check.kit import LAWS, run
from gonfalon.check.law import LawResult
from gonfalon.check.laws.formats.builds import LAWS as BUILDS
from gonfalon.core.basics.cards import HIDDEN, KIND, SEEN, kinds, take
from gonfalon.core.basics.outcome import Outcome
from gonfalon.core.basics.rng import Rng
from gonfalon.core.files import play_on
from gonfalon.core.files.record import Record
from gonfalon.core.files.start_position import ANEW, begin_at
from gonfalon.core.knowledge.worlds import worlds
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.rules import starts_game
from gonfalon.core.rules.state import CHANCE, NO_ACTIONS, SEED, SPECTATOR, Action, State
from gonfalon.review.judging.worlds import UnseenDeals
from tests.stranger import gonfalon_duel as duel
from tests.stranger.gonfalon_duel import BOTH, CARD, KEEP, OTHER, Duel, DuelReferenceRules, DuelState

Patch = tuple[Any, str, Any]


@dataclass
class Mutant:
    """A fault: its description and its patches."""

    name: str
    patches: list[Patch]
    options: dict[str, Any] = field(default_factory=dict)
    game: type[Game] = Duel
    builds: bool = False
    """Whether another process would also have the fault, so that the law can use one."""
    skip: tuple[str, ...] = ()
    """Names of laws to skip."""

    @contextmanager
    def applied(self) -> Iterator[None]:
        with ExitStack() as stack:
            for target, name, value in self.patches:
                stack.enter_context(patch.object(target, name, value, create=True))
            yield

    def caught(self, rounds: int, first_only: bool = True) -> list[LawResult]:
        """The laws that the fault breaks."""
        left_out = [] if self.builds else BUILDS
        reference = DuelReferenceRules() if issubclass(self.game, Duel) else None
        laws = [law for law in LAWS if law not in left_out and law.name not in self.skip]
        with self.applied():
            results = run(
                self.game.samples(),
                0,
                rounds=rounds,
                laws=laws,
                first_only=first_only,
                stuck_after=1.0,
                reference=reference,
                **self.options,
            )
        return [result for result in results if not result.ok]


MUTANTS: list[Mutant] = []


def mutant(name: str, *where: tuple[Any, str], **rest: Any) -> Callable[[Any], Any]:
    """Replace each of the named attributes by the decorated function."""

    def add(value: Any) -> Any:
        MUTANTS.append(Mutant(name, [(target, attribute, value) for target, attribute in where], **rest))
        return value

    return add


def fault(name: str, *patches: Patch, **rest: Any) -> None:
    MUTANTS.append(Mutant(name, list(patches), **rest))


real_mask, real_clone = State.mask, DuelState.clone
real_words, real_board, real_finish = Duel.words, Duel.board, duel.Choose.finish
real_draw_step, real_next = duel.Draw.auto, DuelState.next_round
real_options, real_swap = duel.Choose.options_of, duel.Swap.choose


# ---- what is lost where a state is frozen ----------------------------------------------------------------

BESIDE: WeakKeyDictionary[DuelState, int] = WeakKeyDictionary()


def counts_beside(self: duel.Choose, s: DuelState) -> None:
    """Count the rounds outside the state. The second player counts twice."""
    BESIDE[s] = BESIDE.get(s, 0) + 1
    before = s.score[:]
    real_finish(self, s)
    if BESIDE[s] == 2 and max(before) < s.goal - 1:
        s.score = [2 * now - then for now, then in zip(s.score, before, strict=True)]


def clones_beside(self: DuelState) -> DuelState:
    twin = real_clone(self)
    BESIDE[twin] = BESIDE.get(self, 0)
    return twin


fault(
    "a round is counted where freezing does not look", (duel.Choose, "finish", counts_beside),
    (DuelState, "clone", clones_beside),
)  # fmt: skip


# ---- leaks through the view ---------------------------------------------------------------------------


@mutant("the other hand is open in a view", (DuelState, "mask"))
def leaked_hand(self: DuelState, viewer: int) -> State:
    view = real_mask(self, viewer)
    if viewer >= 0:
        view.hand[OTHER[viewer]] = sorted(self.hand[OTHER[viewer]])  # type: ignore[attr-defined]
    return view


@mutant("an unfinished answer is in the other seat's view", (DuelState, "mask"))
def leaked_answer(self: DuelState, viewer: int) -> State:
    view = real_mask(self, viewer)
    view.answers = [answer[:] for answer in self.answers]
    return view


@mutant("that the other seat has answered shows in the prompt", (DuelState, "mask"), (Duel, "prompt"))
def leaked_lamp(self: Any, viewer: Any, names: Any = None) -> Any:
    if isinstance(self, DuelState):
        view = real_mask(self, viewer)
        view.waiting = [not answer for answer in self.answers]  # type: ignore[attr-defined]
        return view
    waiting = getattr(viewer, "waiting", None)
    return f"Choose; waiting for {waiting}." if waiting else "Choose."


@mutant("a spectator sees all hands", (DuelState, "mask"))
def spectator_sees(self: DuelState, viewer: int) -> State:
    if viewer != SPECTATOR:
        return real_mask(self, viewer)
    view = self.clone()
    view.viewer = viewer
    view.ask_viewer()
    return view


@mutant("a spectator knows what any seat knows", (DuelState, "need"))
def spectator_sum(self: DuelState, viewer: int) -> int:
    return SEEN[max(viewer, 0)] if viewer > -3 else 0


@mutant("the hand is not sorted anew in a view", (DuelState, "ordered_zones"))
def unsorted_hand(self: DuelState) -> list[list[int]]:
    return [self.deck, self.discard, *self.table, *self.hand]


@mutant("", (DuelState, "draw"))
def sorted_draw(self: DuelState, seat: int) -> None:
    if self.deck:
        card = self.deck.pop() | SEEN[seat]
        self.hand[seat].append(card)
        self.hand[seat].sort(key=lambda card: card & KIND)
        self.tell(duel.DREW, seat, card)


MUTANTS[-2].patches += [*MUTANTS.pop().patches, (DuelState, "unordered_zones", lambda self: [])]


@mutant("the deck is in no zone that is blanked", (DuelState, "ordered_zones"))
def forgotten_zone(self: DuelState) -> list[list[int]]:
    return [self.discard, *self.table]


@mutant("cards bear a number that goes with them through the deck", (duel.Hands, "auto"))
def lasting_ids(self: duel.Hands, s: DuelState) -> None:
    for i in range(len(s.deck)):
        s.deck[i] |= (i + 1) << 18
    for seat in (0, 1):
        for _ in range(self.size):
            s.draw(seat)
    s.stack.append(duel.CHOOSE)


def with_truth(self: DuelState, viewer: int) -> State:
    view = real_mask(self, viewer)
    view.truth = self  # type: ignore[attr-defined]
    return view


def truth(view: State) -> DuelState:
    found = getattr(view, "truth", view)
    assert isinstance(found, DuelState)
    return found


@mutant("the board lists the deck in its true order", (Duel, "board"))
def board_order(self: Duel, view: State) -> dict[str, Any]:
    return {**real_board(self, view), "ids": [f"card-{card & KIND}" for card in truth(view).deck]}


MUTANTS[-1].patches.append((DuelState, "mask", with_truth))


memory: list[tuple[State, State]] = []


def remembering(self: DuelState, viewer: int) -> State:
    """Leak the truth past the views."""
    view = real_mask(self, viewer)
    memory.append((view, self.clone()))
    del memory[:-40]
    return view


def behind(view: State) -> DuelState:
    for known, found in memory:
        if known is view:
            assert isinstance(found, DuelState)
            return found
    assert isinstance(view, DuelState)
    return view


BACK_DOOR: Patch = (DuelState, "mask", remembering)
fault(
    "the prompt knows the other hand by a back door",
    BACK_DOOR,
    (
        Duel,
        "prompt",
        lambda self, view, names: (
            f"Choose a card ({sorted(card & KIND for hand in behind(view).hand for card in hand)})."
        ),
    ),
)
fault(
    "the board knows the deck by a back door",
    BACK_DOOR,
    (
        Duel,
        "board",
        lambda self, view: {**real_board(self, view), "ids": [f"card-{card & KIND}" for card in behind(view).deck]},
    ),
)
fault(
    "the log's words know the deck by a back door",
    BACK_DOOR,
    (
        Duel,
        "words",
        lambda self, event, view, names: (
            real_words(self, event, view, names) + (" Soon!" if 0 in [c & KIND for c in behind(view).deck] else "")
        ),
    ),
)
fault(
    "controls know the other hand by a back door",
    BACK_DOOR,
    (
        Duel,
        "controls",
        lambda self, view: {"weak": [hand and min(card & KIND for card in hand) for hand in behind(view).hand]},
    ),
)
fault(
    "refusals know the deck by a back door",
    BACK_DOOR,
    (
        DuelState,
        "reason",
        lambda self, seat, action: f"There are {[card & KIND for card in behind(self).deck].count(0)} Scouts left.",
    ),
)


@mutant("the rule of thumb looks into the other hand by a back door", (duel.RuleOfThumb, "choose"))
def peeking_behind(self: Any, view: State, rng: Rng) -> tuple[Action, str]:
    other = [card & KIND for card in behind(view).hand[OTHER[view.viewer]]]
    actions = view.actions
    return (actions[0] if max(other) > 2 else actions[-1]), "I know"


MUTANTS[-1].patches.append(BACK_DOOR)


class Knowing(Heuristic):
    """A bot that plays worlds on or not depending on whether the true other hand has an odd sum."""

    odd = 0

    def attend(self, view: State) -> None:
        self.odd = sum(card & KIND for card in behind(view).hand[OTHER[view.viewer]]) % 2

    def over(self, s: State) -> bool:
        return self.odd == 1 or not s.stack


fault(
    "the judge of decisions knows the other hand by a back door",
    BACK_DOOR,
    (Duel, "insight", lambda self: Insight(self, Knowing(self))),
)


def half_anew(game: Game, state: State, seat: int, step: int, rng: Rng) -> Game:
    """Deal the unseen cards again except the other hand."""
    found = UnseenDeals(state).sample(rng)
    found.log = state.log and state.log[:]
    return begin_at(game, found, seat, step, ANEW)


fault("playing on leaves the other hand as it was", (play_on, "dealt_anew", half_anew))


def another_hand(game: Game, state: State, seat: int, step: int, rng: Rng) -> Game:
    """Return a world of the spectator's view, with a different own hand."""
    return begin_at(game, worlds(state.mask(SPECTATOR)).sample(rng), seat, step, ANEW)


fault("playing on deals the own hand anew", (play_on, "dealt_anew", another_hand))


# ---- leaks through the course of the game -------------------------------------------------------------


@mutant("the drawn card's number is told to all", (DuelState, "draw"))
def number_told(self: DuelState, seat: int) -> None:
    if self.deck:
        card = self.deck.pop() | SEEN[seat]
        self.hand[seat].append(card)
        self.tell(duel.DREW, seat, card, card & KIND)


@mutant("the log names the drawn card to all", (DuelState, "draw"))
def card_told(self: DuelState, seat: int) -> None:
    if self.deck:
        card = self.deck.pop() | SEEN[seat]
        self.hand[seat].append(card)
        self.tell(duel.DREW, seat, card | BOTH)


@mutant("another event is told while a Baron is in a hand", (DuelState, "next_round"))
def baron_told(self: DuelState) -> None:
    held = any(card & KIND == 4 for hand in self.hand for card in hand)
    self.tell(duel.TIED if held else duel.LOOKED, 0, HIDDEN)
    real_next(self)


def swap_hands(s: DuelState) -> None:
    s.hand.reverse()
    for seat in (0, 1):
        s.hand[seat] = sorted(card & KIND | SEEN[seat] for card in s.hand[seat])


@mutant("hands are swapped after a Page, and only their new owners are told of the cards", (duel.Choose, "finish"))
def swapped_for_owners(self: duel.Choose, s: DuelState) -> None:
    real_finish(self, s)
    if any(table[-1] & KIND == 1 for table in s.table):
        swap_hands(s)
        for seat in (0, 1):
            for card in s.hand[seat]:
                s.tell_only(1 << seat, duel.SAW, seat, card)


def draws_openly(self: DuelState, seat: int) -> None:
    if self.deck:
        card = self.deck.pop() | BOTH
        self.hand[seat].append(card)
        self.tell(duel.DREW, seat, card)


@mutant("open hands are swapped in each round that somebody wins, and nothing tells it", (duel.Choose, "finish"))
def swapped_openly(self: duel.Choose, s: DuelState) -> None:
    before = s.score[:]
    real_finish(self, s)
    if s.score != before and sum(s.score) % 2 and all(card & BOTH == BOTH for hand in s.hand for card in hand):
        s.hand.reverse()


MUTANTS[-1].patches.append((DuelState, "draw", draws_openly))


@mutant("words name a hidden card", (DuelState, "draw"), (Duel, "words"))
def words_tell(self: Any, a: Any, view: Any = None, names: Any = None) -> Any:
    if isinstance(self, DuelState):
        number_told(self, a)
        return None
    if a[0] == duel.DREW:
        return f"{names[a[2]]} drew a {duel.NAMES[a[4]]}."
    return real_words(self, a, view, names)


@mutant("a drawn card counts as seen by both", (DuelState, "draw"))
def seen_by_both(self: DuelState, seat: int) -> None:
    if self.deck:
        card = self.deck.pop() | SEEN[seat]
        self.tell(duel.DREW, seat, card)
        self.hand[seat].append(card | BOTH)


@mutant("which card went under the deck is told to both", (duel.Swap, "choose"))
def under_told(self: duel.Swap, s: DuelState, action: Action) -> None:
    before = len(s.log or [])
    real_swap(self, s, action)
    if s.log is not None and action != KEEP:
        s.log[before] = (duel.SWAPPED, -1, self.seat, HIDDEN, action - CARD, 0)


@mutant("after a secret swap the rest of the hand stays known", (duel.Swap, "choose"))
def not_forgotten(self: duel.Swap, s: DuelState, action: Action) -> None:
    if action == KEEP:
        return
    hand = s.hand[self.seat]
    card = take(hand, action - CARD)
    s.deck.insert(0, card & ~SEEN[OTHER[self.seat]])
    s.tell(duel.SWAPPED, self.seat, HIDDEN)
    s.tell_only(1 << self.seat, duel.WENT_UNDER, self.seat, card)
    s.draw(self.seat)


class TellingSwap(duel.Swap):
    """A step that carries hidden information."""

    __slots__ = ("top",)

    def __init__(self, seat: int, top: int) -> None:
        super().__init__(seat)
        self.top = top

    def key(self) -> list[int]:
        return [self.seat, self.top]


def telling_step(self: duel.Look, s: DuelState) -> None:
    s.tell(duel.LOOKED, self.player, HIDDEN)
    s.stack.append(TellingSwap(self.player, s.deck[-1] & KIND if s.deck else 9))


fault(
    "a step holds the top card of the deck",
    (duel.Look, "auto", telling_step),
    (Duel, "steps", (*Duel.steps, TellingSwap)),
)


@mutant("the seed of the shuffle is told", (duel.Shuffle, "choose"))
def seed_told(self: duel.Shuffle, s: DuelState, action: Action) -> None:
    s.tell(duel.TIED, 0, HIDDEN, -1 - action)
    Rng(-1 - action).shuffle(s.deck)


@mutant("legal actions depend on the other hand", (duel.Choose, "options_of"))
def hand_decides(self: duel.Choose, s: DuelState, seat: int) -> list[Action]:
    actions = real_options(self, s, seat)
    if len(actions) > 1 and any(card & KIND == 4 for card in s.hand[OTHER[seat]]):
        return actions[:-1]
    return actions


@mutant("a refusal names the other hand", (DuelState, "reason"))
def telling_refusal(self: DuelState, seat: int, action: Action) -> str:
    return f"The other seat holds {sorted(card & KIND for card in self.hand[OTHER[seat]])}."


# ---- rules --------------------------------------------------------------------------------------------


fault("a Page beats a Baron", (DuelState, "strength", lambda self, kind: 5 if kind == 1 else kind))
fault("the loser takes the round", (DuelState, "strength", lambda self, kind: -kind))


@mutant("a legal action is missing", (duel.Choose, "options_of"))
def missing(self: duel.Choose, s: DuelState, seat: int) -> list[Action]:
    actions = real_options(self, s, seat)
    return actions[:-1] if len(actions) > 2 else actions


@mutant("an illegal action is offered", (duel.Choose, "options_of"))
def illegal(self: duel.Choose, s: DuelState, seat: int) -> list[Action]:
    actions = real_options(self, s, seat)
    return [*actions, CARD + 4] if actions and actions[-1] < CARD + 4 and len(s.discard) > 4 else actions


@mutant("an illegal action is offered and works", (duel.Swap, "options"))
def harmless(self: duel.Swap, s: DuelState) -> list[Action]:
    return [KEEP, *(CARD + kind for kind in kinds(s.hand[self.seat]))] if s.hand[self.seat] else NO_ACTIONS


@mutant("legal actions come unsorted", (duel.Choose, "options_of"))
def unsorted(self: duel.Choose, s: DuelState, seat: int) -> list[Action]:
    return real_options(self, s, seat)[::-1]


@mutant("a card is duplicated", (duel.Swap, "choose"))
def duplicated(self: duel.Swap, s: DuelState, action: Action) -> None:
    real_swap(self, s, action)
    if action == CARD + 3:
        s.hand[self.seat].append(3 | SEEN[self.seat])


@mutant("a card is lost", (duel.Draw, "auto"))
def lost(self: duel.Draw, s: DuelState) -> None:
    if s.table[0][-1] == s.table[1][-1]:
        s.table[1].pop()
        s.table[1].append(s.table[0].pop())
        s.table[0].append(s.discard.pop() if s.discard else s.table[1][-1])
    real_draw_step(self, s)


@mutant("the game does not end", (duel.Draw, "auto"))
def endless(self: duel.Draw, s: DuelState) -> None:
    if max(s.score) < s.goal and s.table[0][-1] & KIND == s.table[1][-1] & KIND:
        for seat in (0, 1):
            s.hand[seat].append(s.table[seat].pop())
        s.stack.append(duel.CHOOSE)
        return
    real_draw_step(self, s)


MUTANTS[-1].patches.append((Duel, "bound", property(lambda self: 24, lambda self, value: None)))


@mutant("a loop in the rules never ends", (duel.Draw, "auto"))
def looping(self: duel.Draw, s: DuelState) -> None:
    if s.score == [1, 1]:
        s.stack.append(self)
    else:
        real_draw_step(self, s)


@mutant("a seat is asked and has no answer", (duel.Draw, "auto"))
def dead_end(self: duel.Draw, s: DuelState) -> None:
    real_draw_step(self, s)
    if s.score == [1, 1] and s.stack:
        s.stack[-1] = DEAD_END


class DeadEnd(duel.Choose):
    def options_of(self, s: DuelState, seat: int) -> list[Action]:
        return [-5][1:] if s.turn == 0 else real_options(self, s, seat)


DEAD_END = DeadEnd([0, 1])


@mutant("the rules depend on something outside the state", (DuelState, "draw"))
def outside(self: DuelState, seat: int) -> None:
    calls.append(seat)
    if self.deck:
        card = self.deck.pop(0 if len(calls) % 7 == 0 else -1) | SEEN[seat]
        self.hand[seat].append(card)
        self.tell(duel.DREW, seat, card)


calls: list[int] = []


class HashedDuel(Duel):
    """A Duel that orders its deck by a set of texts, which differs between processes."""

    @starts_game
    def start(self, log: bool = False) -> DuelState:
        state = super().start(log)
        order = {f"card {i}": card for i, card in enumerate(state.deck)}
        state.deck = [order[name] for name in set(order)]
        return state


fault("the rules depend on the order of a set of texts", game=HashedDuel, builds=True)


class ForgetfulDuel(Duel):
    """A Duel that starts a game unknown to its states."""

    def start(self, log: bool = False) -> DuelState:
        state = super().start(log)
        state.rules = None
        return state


fault("the state does not know its game", game=ForgetfulDuel)


@mutant("the rules depend on whether a log is kept", (duel.Look, "auto"))
def log_matters(self: duel.Look, s: DuelState) -> None:
    hand = s.hand[OTHER[self.player]]
    s.tell(duel.LOOKED, self.player, HIDDEN)
    for i in range(len(hand)):
        if s.log is not None:
            hand[i] |= SEEN[self.player]
            s.tell_only(1 << self.player, duel.SAW, self.player, hand[i])
    s.stack.append(duel.SWAP[self.player])


# ---- outcome ------------------------------------------------------------------------------------------


fault("returns and outcome disagree", (DuelState, "returns", lambda self: [0.0, 0.0] if self.stack else [1.0, -1.0]))
fault(
    "returns do not add up",
    (
        DuelState,
        "returns",
        lambda self: [0.0, 0.0] if self.stack else [1.0, 0.0] if self.score[0] > self.score[1] else [0.0, 1.0],
    ),
)
fault(
    "the end is told by the number of a seat",
    (Duel, "ending", lambda self, view, names: f"Seat {view.outcome().winners[0]} wins." if view.over else ""),
)
fault(
    "a tie has no winner",
    (
        DuelState,
        "outcome",
        lambda self: (
            None
            if self.stack
            else Outcome([] if self.score[0] == self.score[1] else [int(self.score[1] > self.score[0])], "rounds")
        ),
    ),
)


# ---- copies, logs and records ---------------------------------------------------------------------------


def sharing(name: str) -> Any:
    def clone(self: DuelState) -> DuelState:
        twin = real_clone(self)
        setattr(twin, name, getattr(self, name))
        return twin

    return clone


fault("a clone shares the hands", (DuelState, "clone", sharing("hand")))
fault("a clone shares the stack", (DuelState, "clone", sharing("stack")))
fault("a clone shares the log", (DuelState, "clone", sharing("log")))


@mutant("a clone forgets the score", (DuelState, "clone"))
def forgetful(self: DuelState) -> DuelState:
    twin = real_clone(self)
    twin.score = [0, 0]
    return twin


@mutant("a dump forgets what a clone drops", (DuelState, "clone"))
def dropped_goal(self: DuelState) -> DuelState:
    twin = real_clone(self)
    twin.goal = 2
    return twin


@mutant("a mask blanks the state itself", (DuelState, "mask"))
def blanking(self: DuelState, viewer: int) -> State:
    view = real_mask(self, viewer)
    if viewer == 0:
        self.deck[:] = view.deck  # type: ignore[attr-defined]
    return view


@mutant("an old event is rewritten", (duel.Draw, "auto"))
def rewritten(self: duel.Draw, s: DuelState) -> None:
    real_draw_step(self, s)
    if s.log:
        s.log[-5:] = s.log[-4:]


@mutant("the log is cut", (duel.Draw, "auto"))
def cut(self: duel.Draw, s: DuelState) -> None:
    real_draw_step(self, s)
    if s.log:
        del s.log[:-20]


@mutant("a change is not told", (duel.Swap, "choose"))
def untold(self: duel.Swap, s: DuelState, action: Action) -> None:
    log = s.log
    s.log = None
    real_swap(self, s, action)
    s.log = log


class Forgetting(Record):
    """A record that loses a decision."""

    def add(self, seat: int, action: Action) -> None:
        if seat != CHANCE:
            super().add(seat, action)


class Careless(Record):
    """A record that keeps no result."""

    def close(self, state: State) -> None:
        self.result = {"winners": [0], "how": "rounds", "why": "So it is."}


fault("a record loses decisions", options={"record": Forgetting})
fault("a record holds a wrong result", options={"record": Careless})


class Nameless(duel.Swap):
    """A step that keeps its argument under another name."""

    def __init__(self, owner: int) -> None:
        super().__init__(owner)


fault(
    "a step cannot be made again of what it holds",
    (duel, "SWAP", [Nameless(0), Nameless(1)]),
    (Duel, "steps", (*Duel.steps, Nameless)),
)
fault("options cannot be made again from a record", (Duel, "shown_options", lambda self: {}))


# ---- words ----------------------------------------------------------------------------------------------


fault("a refusal has no reason", (DuelState, "reason", lambda self, seat, action: ""))
fault("two actions have one notation", (duel, "NAMES", ["Scout", "Page", "Page", "Knight", "Baron"]))
fault("a notation is a number", (duel, "NAMES", ["Scout", "Page", "7", "Knight", "Baron"]))
fault("a notation is not read back", (duel, "NAMES", ["Scout", "Page", "seed:2", "Knight", "Baron"]))
fault(
    "reading a bad text crashes",
    (
        Duel,
        "parse",
        lambda self, text: CARD + [name.lower() for name in duel.NAMES].index(text) if text != "keep" else KEEP,
    ),
)


@mutant("an event has no words and crashes", (Duel, "words"))
def wordless(self: Duel, event: Any, view: State, names: list[str]) -> str:
    return real_words(self, event, view, names) if event[0] != duel.TIED else names[5]


fault(
    "a rule of thumb chooses what is not legal", (duel.RuleOfThumb, "choose", lambda self, view, rng: (CARD + 2, "so"))
)


# ---- chance and worlds ------------------------------------------------------------------------------------


fault("exact chance takes every kind as equally likely", (duel.Deal, "weights", lambda self, s: NO_ACTIONS))


@mutant("the fast shuffle is not fair", (duel.Shuffle, "choose"))
def unfair(self: duel.Shuffle, s: DuelState, action: Action) -> None:
    rng = Rng(-1 - action)
    for i in range(len(s.deck)):
        j = int(rng.below(len(s.deck)))
        s.deck[i], s.deck[j] = s.deck[j], s.deck[i]


@mutant("the fast shuffle leaves the last card", (duel.Shuffle, "choose"))
def last_stays(self: duel.Shuffle, s: DuelState, action: Action) -> None:
    rest = s.deck[:-1]
    Rng(-1 - action).shuffle(rest)
    s.deck[:] = [*rest, s.deck[-1]]


fault(
    "a tiny game shuffles by seed",
    (duel.Deal, "options", lambda self, s: [SEED]),
    (duel.Deal, "choose", lambda self, s, action: Rng(-1 - action).shuffle(s.deck)),
)


class Sampler:
    """A sampler of worlds with a fault: `bend` changes each world, given the sampler's memory."""

    def __init__(self, bend: Callable[[State, State, Rng], State]) -> None:
        self.bend = bend

    def __call__(self, view: State) -> Any:
        source, bend = worlds(view), self.bend

        class Bent:
            def sample(self, rng: Rng) -> State:
                return bend(source.sample(rng), view, rng)

        return Bent()


def copied_truth(world: State, view: State, rng: Rng) -> State:
    return truth(view).clone()


def sorted_half(world: State, view: State, rng: Rng) -> State:
    assert isinstance(world, DuelState)
    assert isinstance(view, DuelState)
    blanks = [i for i, card in enumerate(view.deck) if card & KIND == HIDDEN]
    if rng.below(3) == 0:
        low = sorted(world.deck[i] & KIND for i in blanks)
        for i, kind in zip(blanks, low, strict=True):
            world.deck[i] = world.deck[i] & ~KIND | kind
    return world


def never_last(world: State, view: State, rng: Rng) -> State:
    """The deck's hidden bottom card is never a Scout."""
    assert isinstance(world, DuelState)
    assert isinstance(view, DuelState)
    blanks = [i for i, card in enumerate(view.deck) if card & KIND == HIDDEN]
    if len(blanks) > 1 and world.deck[blanks[0]] & KIND == 0:
        i, j = blanks[0], blanks[-1]
        world.deck[i], world.deck[j] = world.deck[j], world.deck[i]
    return world


def blank_left(world: State, view: State, rng: Rng) -> State:
    assert isinstance(world, DuelState)
    if world.deck and rng.below(4) == 0:
        world.deck[0] |= HIDDEN
    return world


def own_hand_changed(world: State, view: State, rng: Rng) -> State:
    assert isinstance(world, DuelState)
    if world.deck and world.hand[0] and view.viewer == 0:
        a, b = world.deck[0], world.hand[0][0]
        world.deck[0], world.hand[0][0] = a & ~KIND | b & KIND, b & ~KIND | a & KIND
    return world


def fault_sampler(name: str, bend: Callable[[State, State, Rng], State], *patches: Patch) -> None:
    fault(name, *patches, options={"sampler": Sampler(bend)})


fault_sampler("a world copies the truth", copied_truth, (DuelState, "mask", with_truth))
fault_sampler("a world is often sorted", sorted_half)
fault_sampler("a world never has a Scout at the bottom", never_last)
fault_sampler("a world keeps a blank card", blank_left)
fault_sampler("a world changes the viewer's own hand", own_hand_changed)


def remembered(world: State, view: State, rng: Rng) -> State:
    return behind(view).clone()


fault_sampler("a world copies the truth by a back door", remembered, BACK_DOOR)


class Hopeful:
    """A sampler that deals only the deck again. The other hand stays as in the first world."""

    def __init__(self, view: State) -> None:
        self.view = view

    def sample(self, rng: Rng) -> State:
        world, view = worlds(self.view).sample(Rng(5)), self.view
        assert isinstance(world, DuelState)
        assert isinstance(view, DuelState)
        blanks = [i for i, card in enumerate(view.deck) if card & KIND == HIDDEN]
        low = [world.deck[i] & KIND for i in blanks]
        rng.shuffle(low)
        for i, kind in zip(blanks, low, strict=True):
            world.deck[i] = world.deck[i] & ~KIND | kind
        return world


fault("worlds always deal the same hands", options={"sampler": Hopeful})
